"""Findings of one run of the engine: what each trainable parameter receives, and why it is not enough."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final

import numpy as np

from gradwire.engine.advice.linter import RULES, lint
from gradwire.engine.advice.shape_rules import crossed_shapes
from gradwire.engine.autodiff.expand import Instance, PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.evaluation.snapshot import PortResult
from gradwire.engine.explain.claims.claims import Claim
from gradwire.engine.explain.why_zero import Kind, Reason, why_zero
from gradwire.interop.why.dataflow import Dataflow
from gradwire.interop.why.finding import Finding, Spot, State
from gradwire.interop.why.reasons import Words
from gradwire.interop.why.rectifiers import dead_rectifiers
from gradwire.interop.why.sizes import Sizes

LOSS: Final = "loss"
FROZEN: Final = "It is not trained: requires_grad is False."
SHIFT: Final = "Its terms cancel: what follows takes the same amount away again, so it has no effect on the loss."

_SHAPE_RULES: Final = tuple(rule for rule in RULES if rule.find is crossed_shapes)


class RunFindings:
    """What a run says of each parameter: Variables, and of the Inputs those that are wanted.

    Where there are no Variables these are all Inputs. `inputs` has the names of wanted ones by block.
    """

    def __init__(self, run: Evaluation, inputs: Mapping[str, str] | None = None) -> None:
        self._run, self._flow, self._inputs = run, Dataflow(run), inputs or {}
        self._words = Words(self._flow)

    @cached_property
    def parameters(self) -> dict[str, PortName]:
        """The parameters by name, frozen ones too."""
        of_type = {path: item.type for path, item in self._instances.items() if item.type is not None}
        chosen = {path: self._words.parameter(path) for path, kind in of_type.items() if kind.is_variable}
        inputs = {path: path.rpartition("/")[2] for path, kind in of_type.items() if kind.is_input}
        chosen |= {path: self._inputs[block] for path, block in inputs.items() if block in self._inputs}
        named = sorted((chosen or inputs).items(), key=lambda item: _natural(item[1]))
        ports = {name: PortName(path, "y") for path, name in named}
        return {name: port for name, port in ports.items() if self._is_float(port)}

    @property
    def trainable(self) -> list[str]:
        """The names of those that training is to move."""
        return [name for name, port in self.parameters.items() if not self._is_frozen(port)]

    def findings(self) -> Iterator[Finding]:
        """Yields a finding for the loss and for each parameter that has one."""
        loss = self.loss_finding() or self.shape_finding()
        if loss is not None:
            yield loss
        sized = self._sizes.findings(name for name in self.trainable if self._status(name) is Status.FLOW)
        dead = {item.parameter: item for item in dead_rectifiers(self._run, self._flow, self._words)}
        for name in self.parameters:
            found = sized.get(name) or self._of(name) or dead.get(name)
            if found is not None:
                yield found

    def loss_finding(self) -> Finding | None:
        """Returns a finding about a loss that is NaN or infinite."""
        loss = self._run.loss
        if loss is None or loss.value is None or np.isfinite(loss.value).all():
            return None
        paths = self._run.lowered.inferred.losses
        ports = (
            port for path, instance in self._instances.items() if path in paths for port in instance.inputs.values()
        )
        for port in ports:
            origin = self._result(port).origin
            if origin is not None and origin.first is not None:
                spot, reason = self._words.broken(origin)
                return Finding(LOSS, State.NONFINITE, "nonfinite", f"It is {float(loss.value):g}. {reason}", spot)
        return Finding(LOSS, State.NONFINITE, "nonfinite", f"It is {float(loss.value):g}.")

    def shape_finding(self) -> Finding | None:
        """Returns a finding about a loss whose labels broadcast to a wrong shape, as [8] against [8, 1]."""
        item = next((found for found in lint(self._run, _SHAPE_RULES) if found.at), None)
        if item is None:
            return None
        named = self._words.named(item.at)
        said = re.sub(r'^\w+ "[^"]*"', lambda _: named, item.message)
        reason = f"{said} Give both one shape, as by reshape."
        return Finding(LOSS, State.CROSSED_SHAPES, item.rule, reason, self._words.spot(item.at))

    def _of(self, name: str) -> Finding | None:
        port = self.parameters[name]
        result = self._result(port)
        if self._is_frozen(port):
            return Finding(name, State.FROZEN, "frozen", FROZEN)
        if result.status is Status.FLOW:
            return None
        return self._zero(name, port) if result.status is Status.ZERO else self._without(name, port, result)

    def gradient(self, name: str) -> Array | None:
        """Returns the gradient of a parameter."""
        return self._run.tensor(self.parameters[name], is_gradient=True)

    def _without(self, name: str, port: PortName, result: PortResult) -> Finding:
        if result.status is Status.NONFINITE and result.origin is not None:
            spot, reason = self._words.broken(result.origin)
            grown = self._sizes.overflow(name)
            state = State.EXPLODING if grown else State.NONFINITE
            return Finding(name, state, str(state), f"{grown} {reason}".strip(), spot)
        if result.status is Status.NO_PATH:
            state, spot, reason = self._words.unused(port.path)
            return Finding(name, state, "no_path", reason, spot)
        if result.status in (Status.BLOCKED, Status.NON_DIFFERENTIABLE):
            is_stop = result.status is Status.BLOCKED
            spot = self._words.spot(result.by[0]) if result.by else Spot()
            state = State.BLOCKED if is_stop else State.NON_DIFFERENTIABLE
            return Finding(name, state, str(result.status), self._words.cut(result.by, is_stop), spot)
        return Finding(name, State.UNKNOWN, "unknown", "An error hides its gradient; run gw.evaluate on the graph.")

    def _zero(self, name: str, port: PortName) -> Finding:
        root = self._root(port)
        spot, reason = self._words.zero(root)
        state = State.ZERO
        if root.kind is Kind.AT_OPTIMUM and Claim.INDEPENDENT not in root.claims:
            state = State.AT_REST
        elif root.kind is Kind.CANCELLED and self._is_shift(port):
            state = State.HARMLESS
            reason = SHIFT
        elif (gate := self._words.zero_parameter(root)) is not None and self._result(gate).status is Status.FLOW:
            state = State.ZERO_AT_FIRST
            reason = f"{reason} That receives a gradient, so this ends with the first step."
        return Finding(name, state, str(root.kind), reason, spot)

    def _root(self, port: PortName) -> Reason:
        """Returns the root of a gradient's zeros; one factor that is 0 everywhere explains all of them."""
        zero = self._result(port).zero
        if zero is not None and zero.cause is not Cause.ZERO_FACTOR and Cause.ZERO_FACTOR in zero.details:
            factor = _ended(why_zero(self._run, port, Cause.ZERO_FACTOR)[-1])
            if factor.zero is not None and factor.zero.is_all:
                return factor
        return _ended(why_zero(self._run, port)[-1])

    def _is_shift(self, port: PortName) -> bool:
        """Returns whether a gradient cancels where it is summed for this parameter, as that of a bias before a
        normalisation does: what reads it receives a gradient."""
        return any(self._result(output).status is Status.FLOW for output in self._flow.uses(port))

    @cached_property
    def _sizes(self) -> Sizes:
        return Sizes(self._flow, self._words, {name: self.parameters[name] for name in self.trainable})

    def _status(self, name: str) -> Status:
        return self._result(self.parameters[name]).status

    @property
    def _instances(self) -> Mapping[str, Instance]:
        return self._flow.instances

    def _result(self, port: PortName) -> PortResult:
        return self._run.snapshot.ports[port]

    def _is_frozen(self, port: PortName) -> bool:
        return self._instances[port.path].block.parameters.get("trainable") is False

    def _is_float(self, port: PortName) -> bool:
        return port in self._run.snapshot.ports and self._result(port).status is not Status.NO_GRADIENT_DTYPE


def _natural(name: str) -> list[int | str]:
    """Returns the order of a name: numbers in it count as numbers."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", name)]


def _ended(root: Reason) -> Reason:
    """Returns the root behind a root that receives nothing itself."""
    return root.upstream[-1] if root.upstream else root
