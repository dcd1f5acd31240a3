"""Pages that a script applies to expressions: what stands for the use of one, until a graph is made."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from gradwire.engine.base.errors import ValueProblem
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import ANY, Role
from gradwire.engine.blocktypes.block_type import block as declared
from gradwire.engine.blocktypes.parameters import Kind
from gradwire.engine.graph.graph import Block, Page
from gradwire.engine.graph.lookup import free_name, page_used_by


@dataclass(frozen=True, eq=False)
class AppliedPage:
    """Page that a script applies, with the names of its ports; `pages` are itself and all that it needs."""

    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    pages: tuple[Page, ...]


def _kept(value: object) -> object:
    return value


Applied = Annotated[Any, Kind("page of a script", _kept)]


@declared("Gradient parts", outputs=("y*",), accepts=ANY, role=Role.PAGE)
def UsedPage(*inputs: Array, page: Applied) -> tuple[Array, ...]:
    """The outputs of a page, which needs a graph."""
    raise ValueProblem("it needs a graph that has the page")


class PagesOfScript:
    """Pages of a graph that is made of expressions, after the first one; of equal pages there is one."""

    def __init__(self, first: str) -> None:
        self.pages: list[Page] = []
        self._first = first
        self._names: dict[AppliedPage, str] = {}
        self._alike: dict[object, list[Page]] = {}

    def name_of(self, applied: AppliedPage) -> str:
        """Returns the name of an applied page in the graph; it is added if it is new."""
        if applied not in self._names:
            names: dict[str, str] = {}
            for page in applied.pages:
                names[page.name] = self._added(_with_names(page, names))
            self._names[applied] = names[applied.name]
        return self._names[applied]

    def _added(self, page: Page) -> str:
        alike = self._alike.setdefault(_content(page), [])
        same = next((item.name for item in alike if dataclasses.replace(item, name=page.name) == page), None)
        if same is None:
            same = free_name(page.name, {self._first, *(item.name for item in self.pages)})
            self.pages.append(dataclasses.replace(page, name=same))
            alike.append(self.pages[-1])
        return same


def _content(page: Page) -> object:
    """Returns what equal pages share, and hardly any others."""
    blocks = frozenset((item.id, item.type, _hashable(item.parameters)) for item in page.blocks.values())
    return page.gradient, blocks, frozenset(page.wires)


def _hashable(value: object) -> object:
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, Mapping):
        return frozenset((key, _hashable(item)) for key, item in value.items())
    if isinstance(value, list | tuple):
        return tuple(map(_hashable, value))
    return type(value), repr(value)


def _with_names(page: Page, names: Mapping[str, str]) -> Page:
    """Returns a page with new names of the pages that it needs."""
    blocks = {name: _with_name(block, names) for name, block in page.blocks.items()}
    gradient = None if page.gradient is None else names.get(page.gradient, page.gradient)
    return dataclasses.replace(page, blocks=blocks, gradient=gradient)


def _with_name(block: Block, names: Mapping[str, str]) -> Block:
    used = page_used_by(block)
    if used is None or names.get(used, used) == used:
        return block
    return dataclasses.replace(block, parameters={**block.parameters, "page": names[used]})
