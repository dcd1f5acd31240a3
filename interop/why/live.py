"""Findings of a live module of PyTorch: a graph of its export says why, and its own backward pass has the last word."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.graph.graph import Graph
from gradwire.interop.models.graphs import model_of
from gradwire.interop.models.names import block_name
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.pt2.from_pt2 import found_in, read_program
from gradwire.interop.torch.exporting import Call, call_of, exported, inputs_of, saved
from gradwire.interop.torch.own_functions import rules_of, standing_in
from gradwire.interop.torch.tracing import without_dropout
from gradwire.interop.torch.versions import pytorch
from gradwire.interop.why.assumed_loss import assumed_loss
from gradwire.interop.why.dead_units import dead_units
from gradwire.interop.why.finding import Finding, Report, State, report_of
from gradwire.interop.why.leaves import argument_names
from gradwire.interop.why.of_run import FROZEN, LOSS, SHIFT, RunFindings
from gradwire.interop.why.sizes import is_unusual, largest
from gradwire.interop.why.watched import Noted, Watched
from gradwire.interop.why.watching import DoesNotRun, watch

# Gradients below this share of the largest one may be what rounding leaves of zero.
_ROUNDING: Final = 1e-5
_ZEROS: Final = (State.ZERO, State.ZERO_AT_FIRST, State.HARMLESS, State.AT_REST)
_BY_SIZE: Final = (State.EXPLODING, State.VANISHING, State.IN_EVAL)
# Why an operation returns zeros where no graph says it.
_SATURATED: Final = "It is saturated: its slope is about 0."
_HINTS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("sigmoid", "tanh", "softmax", "log_softmax", "logsigmoid"), _SATURATED),
    **dict.fromkeys(("relu", "relu_", "relu6"), "Its inputs are not positive."),
    **dict.fromkeys(("clamp", "clip", "hardtanh"), "Its inputs lie on its bounds or outside of them."),
    **dict.fromkeys(("norm", "vector_norm", "linalg_norm"), "The length of a vector of zeros has this gradient."),
}
# The loss of a graph is that of PyTorch within this share.
_ROOM: Final = 1e-3


def why_module(target: Any, *arguments: Any, **keywords: Any) -> Report:
    """Returns what keeps the parameters of a module or function from learning, called with these arguments.

    Raises: ModelRefusal for what is no module or function, or does not take these arguments.
    """
    call = call_of(target, arguments, keywords)
    try:
        watched = watch(call)
    except DoesNotRun as stop:
        return Report((Finding("model", State.FAILED, "fails", str(stop), stop.spot),), 0)
    notes, graph = [watched.note], _NO_GRAPH
    if _is_suspicious(watched) or watched.has_crossed_shapes or _has_silent_units(watched):
        try:
            graph = _graph_of(call, watched)
        except ModelRefusal as refusal:
            notes.append(f"Found by PyTorch alone, without a graph. {refusal}")
    frozen = [name for name, item in call.module.named_parameters() if not item.requires_grad]
    found = [*_Verdict(watched, graph).findings(), *(Finding(name, State.FROZEN, "frozen", FROZEN) for name in frozen)]
    told = {item.parameter for item in found}
    return report_of(found, len(watched.parameters), (*notes, *dead_units(watched.gradients, told)), graph.graph)


def _is_suspicious(watched: Watched) -> bool:
    """Returns whether any gradient is worth a graph: missing, broken, or of another size than parameters and others."""
    if watched.loss is None or not np.isfinite(watched.loss).all():
        return True
    gradients = {name: item for name, item in watched.gradients.items() if name not in watched.outside}
    sizes = {name: 0.0 if item is None else largest(item) for name, item in gradients.items()}
    is_broken = any(item is not None and not np.isfinite(item).all() for item in gradients.values())
    top = max(sizes.values(), default=0.0)
    return is_broken or any(is_unusual(size, top, watched.largest(name)) for name, size in sizes.items())


def _has_silent_units(watched: Watched) -> bool:
    """Returns whether units receive no gradient while others of their layer do, by its bias or scale."""
    known = (item for item in watched.gradients.values() if item is not None and item.ndim == 1)
    return any(item.any() and not item.all() for item in known)


@dataclass(frozen=True)
class _Graph:
    """What the graph of an export says: findings and gradients by parameter."""

    findings: Mapping[str, Finding]
    gradients: Mapping[str, Array | None]
    graph: Graph | None = None


_NO_GRAPH: Final = _Graph({}, {})


def _graph_of(call: Call, watched: Watched) -> _Graph:
    """Returns what a graph says that decides as the run did.

    Raises: ModelRefusal if there is none, or its loss is another one.
    """
    with without_dropout(pytorch()):
        rules = rules_of(call)
        try:
            program = exported(call, watched.decisions, region=standing_in(rules))
        except ModelRefusal:
            program = exported(call, watched.decisions, is_exact=True, region=standing_in(rules))
    reading = read_program(saved(program), inputs_of(program, call), own_pages=rules.pages)
    chosen, _ = assumed_loss(reading.outputs)
    reading.outputs = reading.outputs if chosen is None else [chosen]
    pairs = zip(program.graph_signature.user_inputs, argument_names(call), strict=True)
    inputs = {block_name(name): argument for name, argument in pairs if argument in watched.parameters}
    evaluation = run_graph(model_of(found_in(reading)).graph)
    loss = None if evaluation.loss is None else evaluation.loss.value
    if watched.loss is not None and (loss is None or not np.allclose(loss, watched.loss, _ROOM, _ROOM, equal_nan=True)):
        raise ModelRefusal(f"The loss of its graph is {loss}, and PyTorch's {watched.loss}.")
    run = RunFindings(evaluation, inputs)
    return _Graph(
        {item.parameter: item for item in run.findings()},
        {name: run.gradient(name) for name in run.parameters},
        evaluation.graph,
    )


class _Verdict:
    """The findings of a graph, held against the gradients of PyTorch; where they differ, PyTorch's count."""

    def __init__(self, watched: Watched, graph: _Graph) -> None:
        self._watched, self._findings, self._gradients = watched, graph.findings, graph.gradients
        arrays = [array for array in watched.gradients.values() if array is not None]
        self._top = max((largest(array) for array in arrays), default=0.0)

    def findings(self) -> Iterator[Finding]:
        """Yields what is to say of the loss and of each trainable parameter."""
        loss = self._watched.loss
        if loss is not None and not np.isfinite(loss).all():
            yield self._findings.get(LOSS) or self._broken_loss(loss)
        elif LOSS in self._findings:
            yield self._findings[LOSS]
        for name, gradient in self._watched.gradients.items():
            found = self._outside(name) if name in self._watched.outside else self._of(name, gradient)
            if found is not None:
                yield found

    def _of(self, name: str, gradient: Array | None) -> Finding | None:
        known = self._findings.get(name)
        if gradient is None or not gradient.any():
            return self._without(name, known, gradient)
        if not np.isfinite(gradient).all():
            is_known = known is not None and known.status in (State.NONFINITE, State.EXPLODING)
            return known if is_known else self._broken(name)
        if known is None or known.status in (*_BY_SIZE, State.DEAD_UNITS):
            return known
        if largest(gradient) > _ROUNDING * self._top or known.status not in _ZEROS:
            return None
        # In a deep network the engine's bound of rounding errors is wide, and a cancellation is found too early.
        is_shift = known.status is State.ZERO and known.cause == Cause.CANCELLED and self._flows_beside(name)
        return replace(known, status=State.HARMLESS, reason=SHIFT) if is_shift else known

    def _flows_beside(self, name: str) -> bool:
        """Returns whether another parameter of the same module receives a gradient of its own."""
        module = name.rpartition(".")[0]
        pairs = self._watched.gradients.items()
        beside = [item for other, item in pairs if other != name and other.rpartition(".")[0] == module]
        return any(item is not None and largest(item) > _ROUNDING * self._top for item in beside)

    def _without(self, name: str, known: Finding | None, gradient: Array | None) -> Finding:
        """Returns a finding about a parameter to which PyTorch gives no gradient, or zeros."""
        if known is not None and known.status not in (State.NONFINITE, *_BY_SIZE):
            is_lost = known.status is State.UNUSED and self._watched.cut(name) is not None
            return self._cut(name) if is_lost else known
        if gradient is None:
            return self._cut(name)
        call = self._watched.guilty(name, "zero")
        if call is None:
            return Finding(name, State.ZERO, "zero", "PyTorch gives it a gradient of zeros.")
        if known is None and name in self._gradients:
            reason = f"{_named(call)} returns only zeros, by a rule of its own (autograd.Function, or a hook)."
            return Finding(name, State.ZERO, "own_rule", reason, call.spot)
        hint = _HINTS.get(call.spot.operation, "")
        reason = f"{_named(call)} receives a gradient, and returns only zeros. {hint}".strip()
        return Finding(name, State.ZERO, "zero", reason, call.spot)

    def _cut(self, name: str) -> Finding:
        call = self._watched.cut(name)
        if call is None and (last := self._watched.last(name)) is not None:
            reason = f"The loss does not depend on it: nothing uses the result of {_named(last)}."
            return Finding(name, State.UNUSED, "no_path", reason, last.spot)
        if call is None:
            return Finding(name, State.UNUSED, "no_path", "The loss does not depend on it: no call reads it.")
        if call.is_without_gradients:
            reason = f"{_named(call)} computes without gradients (no_grad), so no path leads to the loss."
            return Finding(name, State.BLOCKED, "blocked", reason, replace(call.spot, operation="no_grad"))
        is_jump = call.outputs and not any(item.is_floating_point() for item in call.outputs)
        if is_jump:
            reason = f"{_named(call)} has no derivative, and no other path leads to the loss."
            return Finding(name, State.NON_DIFFERENTIABLE, "non_differentiable", reason, call.spot)
        reason = f"{_named(call)} leaves the graph: what it returns is a constant for the gradient."
        return Finding(name, State.BLOCKED, "blocked", reason, call.spot)

    def _broken(self, name: str) -> Finding:
        call = self._watched.guilty(name, "broken") or self._watched.born()
        if call is None:
            return Finding(name, State.NONFINITE, "nonfinite", "PyTorch gives it NaN or an infinity.")
        reason = f"{_named(call)} returns NaN or an infinity to it."
        return Finding(name, State.NONFINITE, "nonfinite", reason, call.spot)

    def _broken_loss(self, loss: Array) -> Finding:
        call, said = self._watched.born(), f"It is {float(loss):g}."
        if call is None:
            return Finding(LOSS, State.NONFINITE, "nonfinite", said)
        reason = f"{said} {_named(call)} makes the first number of this kind."
        return Finding(LOSS, State.NONFINITE, "nonfinite", reason, call.spot)

    def _outside(self, name: str) -> Finding:
        call = self._watched.outside[name]
        reason = (
            "It is not registered in the module, so parameters() leaves it out and no optimiser moves it; "
            "make it an attribute by nn.Parameter, nn.ModuleList or nn.ParameterList."
        )
        return Finding(name, State.UNREGISTERED, "unregistered", reason, call.spot)


def _named(call: Noted) -> str:
    return f"{call.spot.operation} at {call.spot.where}"
