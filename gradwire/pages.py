"""Functions as pages: what a function computes becomes a block of its own, and may have a gradient of its own."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gradwire.engine.autodiff.graph_from_expressions import page_input, trace_page
from gradwire.engine.autodiff.used_pages import AppliedPage, UsedPage
from gradwire.engine.base.errors import CallError
from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.blocktypes.expression import Application, Expression, constant, topological_order
from gradwire.engine.graph.graph import NAME, Graph, Page
from gradwire.engine.graph.own_gradients import PREFIX, mistakes

Function = Callable[..., Any]


class PageFunction:
    """Function whose blocks stand on a page of their own, for each set of shapes and dtypes; `@gw.page` makes it."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._gradient: Function | None = None
        self._inputs = _names_of(function)
        self._made: dict[tuple[TensorSpec, ...], tuple[AppliedPage, list[TensorSpec]]] = {}
        self.__name__, self.__doc__ = function.__name__, function.__doc__

    def gradient(self, function: Function) -> Function:
        """Declares the gradient: a function of any of the inputs, outputs and incoming gradients, by their names.

        The output of a page is y, or y0 and y1, and its incoming gradient d_y. It returns one gradient for each input,
        None for no gradient, or a dictionary of gradients by the names of inputs.
        """
        self._gradient = function
        self._made.clear()
        return function

    def __call__(self, *inputs: object, name: str | None = None) -> Any:  # Any: one expression, or several
        """Returns the outputs for expressions.

        Raises: CallError if the functions do not fit together, or read what is not among their arguments.
        """
        if len(inputs) != len(self._inputs):
            raise CallError(f"{self.__name__} takes {len(self._inputs)} inputs, not {len(inputs)}")
        given = [item if isinstance(item, Expression) else constant(item) for item in inputs]
        specs = tuple(item.spec for item in given)
        if specs not in self._made:
            self._made[specs] = self._pages(specs)
        applied, outputs = self._made[specs]
        made = Application(UsedPage, tuple(given), {"page": applied}, outputs, name)
        return made.outputs[0] if len(outputs) == 1 else made.outputs

    def _pages(self, specs: tuple[TensorSpec, ...]) -> tuple[AppliedPage, list[TensorSpec]]:
        name = self.__name__
        entries = {item: page_input(item, spec) for item, spec in zip(self._inputs, specs, strict=True)}
        found = self._function(*entries.values())
        results = {key: _expression(item) for key, item in _by_name(found).items()}
        page, needed = _page(name, entries, results)
        if self._gradient is not None:
            known = entries | {key: page_input(key, item.spec) for key, item in results.items()}
            known |= {PREFIX + key: page_input(PREFIX + key, item.spec) for key, item in results.items()}
            backward, more = self._backward(self._gradient, known)
            page, needed = dataclasses.replace(page, gradient=backward.name), [*needed, *more, backward]
            for mistake in mistakes(Graph(pages=(page, backward)), page):
                raise CallError(mistake.message)
        return AppliedPage(name, self._inputs, tuple(results), (*needed, page)), [x.spec for x in results.values()]

    def _backward(self, function: Function, known: Mapping[str, Expression]) -> tuple[Page, list[Page]]:
        names = _names_of(function)
        if not known.keys() >= set(names):
            unknown = ", ".join(item for item in names if item not in known)
            raise CallError(f"the gradient of {self.__name__} may read {', '.join(known)}, not {unknown}")
        # A page may not stand in two graphs by the same expressions.
        entries = {name: page_input(name, known[name].spec) for name in names}
        found = function(*entries.values())
        if not isinstance(found, Mapping):
            parts = list(found) if isinstance(found, list | tuple) else [found]
            if len(parts) != len(self._inputs):
                raise CallError(
                    f"the gradient of {self.__name__} gives {len(parts)} parts for {len(self._inputs)} inputs"
                )
            found = dict(zip(self._inputs, parts, strict=True))
        results = {PREFIX + key: _expression(item) for key, item in found.items() if item is not None}
        return _page(f"{self.__name__}_gradient", entries, results)


def page(function: Function) -> PageFunction:
    """Makes a function of expressions a page: a block in graphs, with its own blocks inside.

    `@clip.gradient` gives the page `clip` a gradient of its own, as `tf.custom_gradient` does.
    """
    return PageFunction(function)


def _names_of(function: Function) -> tuple[str, ...]:
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return tuple(item.name for item in inspect.signature(function).parameters.values() if item.kind in kinds)


def _by_name(found: Any) -> Mapping[str, object]:  # Any: whatever a function returns
    if isinstance(found, Mapping):
        return found
    if isinstance(found, Sequence):
        return {f"y{place}": item for place, item in enumerate(found)}
    return {"y": found}


def _expression(item: object) -> Expression:
    return item if isinstance(item, Expression) else constant(item)


def _page(name: str, entries: Mapping[str, Expression], results: Mapping[str, Expression]) -> tuple[Page, list[Page]]:
    """Returns the page with these inputs and outputs, and the pages that it needs."""
    if not NAME.fullmatch(name):
        raise CallError(f'"{name}" cannot be the name of a page: use letters, digits and _, a letter first, at most 64')
    for application in topological_order([*entries.values(), *results.values()]):
        if application.type.is_input or application.type.is_variable:
            raise CallError(f"{name} reads {application.name or application.type.name}; give it as an argument")
    return trace_page(name, entries, results)
