"""The two halves of an `autograd.Function`, traced: a page, and another one that gives its gradient.

What a forward half saves and is neither input nor output is computed again in the backward page, without gradients of
its own, as PyTorch has it.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.graph.graph import Page
from gradwire.engine.graph.lookup import free_name
from gradwire.engine.graph.own_gradients import PREFIX
from gradwire.interop.models.names import block_name
from gradwire.interop.models.own_pages import OwnPage, page_of, port_names
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.pt2.from_pt2 import read_program
from gradwire.interop.torch.exporting import Call, array_of, exported, has_setup, inputs_of, saved
from gradwire.interop.torch.versions import pytorch

_UNNAMED: Final = "x"


@dataclass(frozen=True, eq=False)
class Called:
    """One call of a function: its arguments, of which tensors lead to the rule, and its results."""

    cls: Any
    arguments: tuple[Any, ...]
    results: tuple[Any, ...]
    has_several: bool

    @classmethod
    def of(cls, function: Any, arguments: Sequence[Any], result: Any) -> Called:
        """Returns a call with copies of its tensors."""
        torch, has_several = pytorch(), isinstance(result, tuple | list)
        results = tuple(result) if has_several else (result,)
        given, made = (tuple(_copy(torch, item) for item in items) for items in (arguments, results))
        return cls(function, given, made, has_several)

    @property
    def tensors(self) -> list[Any]:
        """The tensors among the arguments."""
        return [self.arguments[place] for place in self.places]

    @property
    def places(self) -> list[int]:
        """The places of the tensors among the arguments."""
        return [place for place, item in enumerate(self.arguments) if isinstance(item, pytorch().Tensor)]

    @property
    def is_boxed(self) -> bool:
        """Whether the backward half takes a list of all gradients, as PyTorch 2.13 and newer allow."""
        return bool(getattr(self.cls, "boxed_grads_call", False))

    @property
    def key(self) -> Any:
        """What calls have in common whose pages are the same; None for one that has none like it."""
        torch = pytorch()
        items = (
            (tuple(item.shape), item.dtype) if isinstance(item, torch.Tensor) else (type(item), item)
            for item in (*self.arguments, *self.results)
        )
        key = (self.cls, len(self.results), *items)
        try:
            hash(key)
        except TypeError:
            return None
        return key

    def with_tensors(self, tensors: Sequence[Any]) -> tuple[Any, ...]:
        """Returns the arguments with other tensors."""
        found = [*self.arguments]
        for place, item in zip(self.places, tensors, strict=True):
            found[place] = item
        return tuple(found)


def bound(function: Any, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> tuple[Any, ...]:
    """Returns the arguments of a call in order, with those that have been left out, as PyTorch gives them on."""
    if not has_setup(pytorch(), function):
        return (*arguments, *keywords.values())
    found = inspect.signature(function.forward).bind(*arguments, **keywords)
    found.apply_defaults()
    return found.args


def own_page(called: Called, taken: set[str]) -> OwnPage:
    """Returns the pages of the two halves; their names are no longer free.

    Raises: ModelRefusal, with the reason, for halves that cannot be traced.
    """
    torch = pytorch()
    tensors = (*called.arguments, *called.results)
    if not all(isinstance(item, torch.Tensor) for item in called.results):
        raise ModelRefusal("a result of it is no tensor")
    plain = [item for item in called.arguments if not isinstance(item, torch.Tensor)]
    if any(isinstance(item, torch.Tensor) for item in torch.utils._pytree.tree_leaves(plain)):
        raise ModelRefusal("it takes lists of tensors")
    if any(item.is_complex() for item in tensors if isinstance(item, torch.Tensor)):
        raise ModelRefusal("it takes or gives complex numbers")
    inputs, outputs = port_names(_argument_names(called), len(called.results))
    names = [free_name(block_name(called.cls.__name__), taken)]
    names.append(free_name(f"{names[0]}_gradient", {*taken, *names}))
    forward, backward, flow = _halves(torch, called)
    first = _page(names[0], forward, called.tensors, inputs, lambda: outputs, names[1])
    arriving = [torch.ones_like(item) for item in flow.differentiable(called.results)]
    ports = [*inputs, *outputs, *(PREFIX + name for name in flow.differentiable(outputs))]
    given = [*called.tensors, *called.results, *arriving]
    second = _page(names[1], backward, given, ports, lambda: [PREFIX + inputs[place] for place in flow.given])
    taken.update(names)
    specs = {name: _spec(item) for name, item in zip(outputs, called.results, strict=True)}
    stopped = {name for name in outputs if name not in flow.differentiable(outputs)}
    quiet = frozenset(name for name in stopped if specs[name].is_differentiable)
    return OwnPage(called.cls.__name__, first, second, inputs, specs, quiet)


@dataclass
class _Flow:
    """Where gradients arrive, known once both halves have run: which results have none, and which tensors receive one.

    It lies outside of the modules: an export refuses those whose `forward` changes an attribute.
    """

    still: frozenset[int] = frozenset()
    given: tuple[int, ...] = ()

    def differentiable(self, items: Sequence[Any]) -> list[Any]:
        """Returns the items whose results have a gradient."""
        return [item for place, item in enumerate(items) if place not in self.still]


def _halves(torch: Any, called: Called) -> tuple[Any, Any, _Flow]:
    """Returns two modules: from the tensors to the results, and from both and what arrives to the gradients."""
    flow = _Flow()

    class Forward(torch.nn.Module):  # type: ignore[misc]  # PyTorch may be missing
        def forward(self, *tensors: Any) -> Any:
            context = _Context(called.with_tensors(tensors))
            results = _run(called, context)
            flow.still = frozenset(place for place, item in enumerate(results) if not context.is_moved_by(item))
            return results

    class Backward(torch.nn.Module):  # type: ignore[misc]  # PyTorch may be missing
        def forward(self, *tensors: Any) -> Any:
            count, end = len(called.places), len(called.places) + len(called.results)
            inputs, results, arriving = tensors[:count], tensors[count:end], iter(tensors[end:])
            context = _Context(called.with_tensors(inputs))
            with torch.no_grad():
                context.replace(_run(called, context), results)
            incoming = [
                torch.zeros_like(item) if place in flow.still else next(arriving) for place, item in enumerate(results)
            ]
            found = _backward(called)(context, *([incoming] if called.is_boxed else incoming))
            found = found if isinstance(found, tuple) else (found,)
            wanted = [(place, item) for place, item in enumerate(called.places) if found[item] is not None]
            pairs = [(place, found[item]) for place, item in wanted if inputs[place].is_floating_point()]
            flow.given = tuple(place for place, _ in pairs)
            # No program of PyTorch can be saved that has no results.
            return tuple(_fitted(item, inputs[place]) for place, item in pairs) or tensors[:1]

    return Forward(), Backward(), flow


def _page(
    name: str, module: Any, tensors: Sequence[Any], inputs: Sequence[str], outputs: Any, gradient: str | None = None
) -> Page:
    call = Call(module, tuple(tensors), {})
    program = exported(call)
    reading = read_program(saved(program), inputs_of(program, call))
    given = program.graph_signature.user_inputs
    if set(reading.leaves) - set(given):
        raise ModelRefusal("it reads parameters that are no arguments of it")
    leaves: dict[str, Expression] = {port: reading.leaves[leaf] for port, leaf in zip(inputs, given, strict=True)}
    return page_of(name, leaves, dict(zip(outputs(), reading.outputs, strict=False)), reading.origins, gradient)


def _run(called: Called, context: _Context) -> tuple[Any, ...]:
    function = called.cls
    if has_setup(pytorch(), function):
        result = function.forward(*context.arguments)
        function.setup_context(context, context.arguments, result)
    else:
        result = function.forward(context, *context.arguments)
    return tuple(result) if isinstance(result, tuple | list) else (result,)


class _Context:
    """What a function keeps from its forward half for its backward half, as PyTorch's `ctx`."""

    def __init__(self, arguments: tuple[Any, ...]) -> None:
        self.arguments = arguments
        self.needs_input_grad = tuple(_is_float(item) for item in arguments)
        self.saved_tensors: tuple[Any, ...] = ()
        self._still: list[Any] = []

    def save_for_backward(self, *tensors: Any) -> None:
        """Keeps tensors."""
        self.saved_tensors = tensors

    def save_for_forward(self, *tensors: Any) -> None:
        """Keeps nothing: derivatives in forward mode have no page."""

    def mark_non_differentiable(self, *tensors: Any) -> None:
        """Says that no gradient arrives at some results."""
        self._still += tensors

    def mark_dirty(self, *_: Any) -> None:
        """Says that arguments have been written into."""
        raise ModelRefusal("it writes into its arguments (mark_dirty)")

    def set_materialize_grads(self, _: bool) -> None:
        """Says whether gradients that are missing arrive as zeros; on a page they always do."""

    def is_moved_by(self, result: Any) -> bool:
        """Returns whether a gradient arrives at a result."""
        return _is_float(result) and not any(item is result for item in self._still)

    def replace(self, results: Sequence[Any], others: Sequence[Any]) -> None:
        """Puts other tensors in the place of results that are kept."""
        pairs = [*zip(results, others, strict=True)]

        def other(item: Any) -> Any:
            found = next((new for old, new in pairs if old is item), item)
            return item if any(item is argument for argument in self.arguments) else found

        for name, item in [*vars(self).items()]:
            if name not in ("arguments", "_still"):
                setattr(self, name, tuple(map(other, item)) if isinstance(item, tuple) else other(item))


def _backward(called: Called) -> Any:
    owner, function = pytorch().autograd.Function, called.cls
    return function.backward if function.backward is not owner.backward else function.vjp


def _fitted(gradient: Any, x: Any) -> Any:
    """Returns a gradient in the shape and dtype of its input, as PyTorch fits it: summed over what was repeated."""
    extra = gradient.ndim - x.ndim
    axes = [axis for axis in range(gradient.ndim) if axis < extra or x.shape[axis - extra] != gradient.shape[axis]]
    if axes:
        gradient = gradient.sum(axes, keepdim=True).reshape(x.shape)
    return gradient if gradient.dtype == x.dtype else gradient.to(x.dtype)


def _argument_names(called: Called) -> list[str]:
    """Returns the names that the forward half has for the tensors."""
    parameters = [*inspect.signature(called.cls.forward).parameters.values()]
    parameters = parameters if has_setup(pytorch(), called.cls) else parameters[1:]
    single = [item.name for item in parameters if item.kind in (item.POSITIONAL_ONLY, item.POSITIONAL_OR_KEYWORD)]
    rest = next((item.name for item in parameters if item.kind is item.VAR_POSITIONAL), _UNNAMED)
    return [single[place] if place < len(single) else f"{rest}_{place - len(single)}" for place in called.places]


def _spec(tensor: Any) -> TensorSpec:
    return TensorSpec(tuple(tensor.shape), array_of(tensor).dtype)


def _is_float(item: Any) -> bool:
    return isinstance(item, pytorch().Tensor) and bool(item.is_floating_point())


def _copy(torch: Any, item: Any) -> Any:
    return item.detach().clone() if isinstance(item, torch.Tensor) else item
