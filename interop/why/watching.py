"""One run of a live model in PyTorch with each call noted: where its gradients end, vanish or break, by line of source.

This needs no export. It knows less than a graph: which call it was, and no numbers behind it.
"""

from __future__ import annotations

import linecache
import sys
import traceback
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.source_lines import line_of
from gradwire.interop.torch.comparing import is_float, weights_of
from gradwire.interop.torch.exporting import FAULTS, Call, array_of, first_line, is_foreign
from gradwire.interop.torch.tracing import DECISIONS, DRAWS, applied, function_mode, restored, without_dropout
from gradwire.interop.torch.versions import Torch, pytorch
from gradwire.interop.why.assumed_loss import loss_note, loss_places
from gradwire.interop.why.finding import Spot
from gradwire.interop.why.leaves import argument_names, kept_at
from gradwire.interop.why.watched import BROKEN, SOUND, TO_NUMBERS, ZERO, Noted, Watched, behind


class DoesNotRun(ModelRefusal):
    """A model that PyTorch itself does not run; `spot` is the line where it stopped."""

    def __init__(self, sentence: str, spot: Spot) -> None:
        super().__init__(sentence)
        self.spot = spot


def watch(call: Call) -> Watched:
    """Returns a run of a model; the module, its buffers, its gradients and the random numbers stay as they were.

    Parameters are those of the module and the arguments that want gradients; where there are none, all floats among the
    arguments.
    Raises: DoesNotRun, with PyTorch's reason and the line.
    """
    torch = pytorch()
    tree, module = torch.utils._pytree, call.module
    flat, shape = tree.tree_flatten((call.arguments, dict(call.keywords)))
    trained = {name: item for name, item in module.named_parameters() if item.requires_grad}
    is_of_inputs = not any(True for _ in module.parameters()) and not any(_wants_gradient(torch, item) for item in flat)
    if is_of_inputs:
        flat = [item.clone().requires_grad_() if is_float(torch, item) else item for item in flat]
    trained |= {
        name: item for name, item in zip(argument_names(call), flat, strict=True) if _wants_gradient(torch, item)
    }
    noting = _noting(torch)
    with torch.enable_grad(), torch.random.fork_rng(devices=[]), restored(torch, module):
        outputs = tree.tree_leaves(_result(torch, module, tree.tree_unflatten(flat, shape), noting))
        outside = _unregistered(module, noting.calls, {id(item) for item in (*trained.values(), *flat)}, trained)
        if outside and is_of_inputs:
            trained = {}
        trained |= {name: leaf.tensor for name, leaf in outside.items()}
        specs = [_spec(torch, item) for item in outputs]
        ends = [outputs[place] for place in loss_places(specs)]
        loss = _loss(torch, ends)
        gradients = _gradients(torch, loss, trained, noting.calls)
    noting.states.update({id(trained[name]): _state(item) for name, item in gradients.items() if item is not None})
    return Watched(
        loss=None if loss is None else array_of(loss),
        gradients=gradients,
        outside={name: leaf.call for name, leaf in outside.items() if leaf.is_fault},
        calls=noting.calls,
        parameters=trained,
        states=noting.states,
        ends=ends or _tensors(torch, outputs),
        decisions=noting.decisions,
        note=loss_note(specs),
    )


def _result(torch: Torch, module: Torch, given: Any, noting: _Noting) -> Any:
    """Returns what a module returns; it writes into copies of its buffers."""
    (arguments, keywords), state = given, dict(module.named_buffers(remove_duplicate=False))
    buffers = {name: item.clone() for name, item in state.items()}
    try:
        with noting.region:
            return torch.func.functional_call(module, buffers, arguments, keywords)
    except FAULTS as error:
        raise DoesNotRun(f"{first_line(error)}.", _spot_of(error)) from error


def _wants_gradient(torch: Torch, item: Any) -> bool:
    return isinstance(item, torch.Tensor) and bool(item.requires_grad)


@dataclass(frozen=True)
class _Noting:
    """A region that notes calls, the states of the gradients of what they make, and the numbers that decide."""

    region: AbstractContextManager[None]
    calls: list[Noted]
    states: dict[int, str]
    decisions: list[tuple[str, Any]]


def _noting(torch: Torch) -> _Noting:
    """Returns a region that notes calls."""
    calls, states, decisions = list[Noted](), dict[int, str](), list[tuple[str, Any]]()

    def call(function: Any, arguments: Any, keywords: Any) -> Any:
        given = _tensors(torch, (arguments, keywords))
        result = function(*arguments, **keywords)
        name = _name(torch, function)
        made = given[:1] if name == "__setitem__" else _tensors(torch, result)
        if made or name in TO_NUMBERS:
            note(name, given, made)
        if name in (*DECISIONS, *DRAWS):
            decisions.append((name, result.clone() if name in DRAWS else result))
        return result

    def note(name: str, given: Sequence[Any], made: Sequence[Any]) -> None:
        calls.append(Noted(_spot(name), given, made, not torch.is_grad_enabled()))
        for item in made:
            if item.requires_grad and not item.is_leaf:
                item.register_hook(_note(states, id(item)))

    def own_rule(apply: Any, function: Any, arguments: Any, keywords: Any) -> Any:
        result = apply(*arguments, **keywords)
        note(f"{function.__name__}.apply", _tensors(torch, (arguments, keywords)), _tensors(torch, result))
        return result

    @contextmanager
    def noting() -> Iterator[None]:
        with function_mode(torch, call), without_dropout(torch), applied(torch, own_rule):
            yield

    return _Noting(noting(), calls, states, decisions)


def _note(states: dict[int, str], key: int) -> Callable[[Any], None]:
    def hook(gradient: Any) -> None:
        states[key] = ZERO if gradient is None else _state(array_of(gradient))

    return hook


def _state(gradient: Array) -> str:
    if not np.isfinite(gradient).all():
        return BROKEN
    return SOUND if gradient.any() else ZERO


def _tensors(torch: Torch, items: Any) -> list[Any]:
    return [item for item in torch.utils._pytree.tree_leaves(items) if isinstance(item, torch.Tensor)]


def _name(torch: Torch, function: Any) -> str:
    if function == torch.Tensor.data.__get__:
        return "data"
    return str(getattr(function, "__name__", function))


def _spot(name: str) -> Spot:
    """Returns the innermost line that is neither PyTorch's nor ours."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and (is_foreign(frame.f_code.co_filename)):
        frame = frame.f_back
    if frame is None:
        return Spot(operation=name)
    return _placed(frame.f_code.co_filename, frame.f_lineno, name)


def _placed(file: str, number: int, name: str) -> Spot:
    return Spot(line_of(file, number), linecache.getline(file, number).strip(), name)


def _spot_of(error: BaseException) -> Spot:
    """Returns the innermost line of a script in an error's trace."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not is_foreign(frame.filename)]
    return _placed(frames[-1].filename, frames[-1].lineno or 0, "") if frames else Spot()


def _spec(torch: Torch, item: Any) -> tuple[tuple[int, ...], bool] | None:
    """Returns the shape of an output, and whether it is of floats; None for what is no tensor."""
    return (tuple(item.shape), item.is_floating_point()) if isinstance(item, torch.Tensor) else None


def _loss(torch: Torch, ends: Sequence[Any]) -> Any:
    """Returns the loss of some outputs: the only scalar itself, or the weighed mean of all."""
    if len(ends) == 1 and ends[0].ndim == 0:
        return ends[0]
    count = max(1, sum(item.numel() for item in ends))
    weights = [torch.as_tensor(weights_of(array_of(item)), dtype=item.dtype, device=item.device) for item in ends]
    terms = [(item * weight).sum() for item, weight in zip(ends, weights, strict=True)]
    return sum(terms[1:], start=terms[0]) / count if terms else None


def _gradients(torch: Torch, loss: Any, trained: Mapping[str, Any], calls: Sequence[Noted]) -> dict[str, Array | None]:
    if loss is None or not loss.requires_grad or not trained:
        return dict.fromkeys(trained)
    try:
        found = torch.autograd.grad(loss, [*trained.values()], allow_unused=True)
    except FAULTS as error:
        raise _backward_stop(error, calls) from error
    return {name: None if item is None else array_of(item) for name, item in zip(trained, found, strict=True)}


def _backward_stop(error: BaseException, calls: Sequence[Noted]) -> DoesNotRun:
    """Returns a refusal that names the last call in place, where one of them is to blame."""
    said = first_line(error)
    written = [call for call in calls if any(item is made for item in call.inputs for made in call.outputs)]
    if "inplace" not in said or not written:
        named = [call.spot for call in calls if len(call.spot.operation) > 2 and call.spot.operation in said]
        return DoesNotRun(f"The backward pass stops: {said}.", named[-1] if named else _spot_of(error))
    spot = written[-1].spot
    sentence = f"{spot.operation} at {spot.where} writes into a tensor that the backward pass needs as it was"
    return DoesNotRun(f"The backward pass stops: {sentence}; write y = x + 1 instead of x += 1.", spot)


@dataclass(frozen=True)
class _Outside:
    """A tensor that wants a gradient, and is no parameter of the module; a fault unless a function keeps it by name."""

    tensor: Any
    call: Noted
    is_fault: bool


def _unregistered(module: Torch, calls: Sequence[Noted], known: set[int], taken: Container[str]) -> dict[str, _Outside]:
    """Returns the leaves that calls read, and that are neither known nor computed from what is."""
    made_of, found, seen = behind(calls, known), dict[str, _Outside](), set[int]()
    for noted in calls:
        for item in noted.inputs:
            # PyTorch's checkpoints read an empty one.
            if item.requires_grad and item.numel() and id(item) not in made_of | seen:
                seen.add(id(item))
                place = kept_at(module, item)
                if not item.is_leaf and not place.path:
                    # Made by what notes no call.
                    continue
                path = place.path or f"a {list(item.shape)} tensor"
                name = path if place.path and path not in taken else f"{path} made at {noted.spot.where}"
                found[name] = _Outside(item, noted, place.is_in_module)
    return found
