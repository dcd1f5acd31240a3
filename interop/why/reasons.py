"""Words for the causes of a gradient that is zero, cut or broken: plain sentences about the operations of a script."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.causes.births import Birth, Origin
from gradwire.engine.explain.claims.claims import Claim
from gradwire.engine.explain.why_zero import Kind, Reason
from gradwire.interop.models.graphs import CODE, OPERATION, ORIGIN, PARAMETER
from gradwire.interop.why.dataflow import Dataflow
from gradwire.interop.why.finding import Spot, State

# Steps that are 0 left of 0.
_RECTIFIERS: Final = ("Relu", "Relu6")
_CLIPS: Final = ("ClipByValue", "Relu6")
# What writes over a tensor.
_OVERWRITING: Final = ("zero_", "fill_", "copy_")
_NO_GRAD: Final = "no_grad"
# What 0 / 0 means in an operation.
_OF_LABELS: Final = "No label counts: all are ignore_index, or have the weight 0."
_OF_SPREAD: Final = "A single number has no spread; take more numbers, or correction=0."
_HINTS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("cross_entropy_loss", "nll_loss", "nll_loss_nd", "nll_loss2d"), _OF_LABELS),
    **dict.fromkeys(("std", "var", "std_mean", "var_mean"), _OF_SPREAD),
}


class Words:
    """Spots and sentences of one run."""

    def __init__(self, flow: Dataflow) -> None:
        self._flow, self._run, self._instances = flow, flow.run, flow.instances

    def spot(self, path: str) -> Spot:
        """Returns where a block comes from; its path where there is no line of source."""
        instance = self._instances.get(path)
        if instance is None:
            return Spot(path, path=path)
        instance = self._instances[self._flow.inner(path)]
        path, extra = instance.path, instance.block.extra
        if PARAMETER in extra and ORIGIN not in extra:
            return Spot()
        where, code, operation = (str(extra.get(key, "")) for key in (ORIGIN, CODE, OPERATION))
        return Spot(where or path, code, operation or instance.block.type, path)

    def named(self, path: str) -> str:
        """Returns a block as a sentence calls it: `softmax at model.py:12`, or `Softmax "p"` without a line."""
        if path not in self._instances:
            return path
        path = self._flow.inner(path)
        instance = self._instances[path]
        if PARAMETER in instance.block.extra:
            return self.parameter(path)
        if ORIGIN in instance.block.extra:
            spot = self.spot(path)
            is_cast = instance.block.type == "Cast"
            return f"the cast to {instance.block.parameters.get('dtype')} at {spot.where}" if is_cast else _at(spot)
        return f'{instance.block.type} "{path.partition("/")[2]}"'

    def parameter(self, path: str) -> str:
        """Returns the name of a parameter as its module has it: `fc1.weight`."""
        instance = self._instances[path]
        return str(instance.block.extra.get(PARAMETER) or path.partition("/")[2].replace("/", "."))

    def cut(self, by: Iterable[str], is_stop: bool) -> str:
        """Returns why nothing passes some blocks."""
        paths = [*by]
        names = [*dict.fromkeys(map(self.named, paths))]
        named, is_one = " and ".join(names), len(names) == 1
        if not is_stop and is_one:
            return f"Every path to the loss runs through {named}, which has no derivative: it changes in jumps."
        if not is_stop:
            return f"Every path to the loss runs through {named}, which have no derivative: they change in jumps."
        if {self.spot(path).operation for path in paths} == {_NO_GRAD}:
            verb = "computes" if is_one else "compute"
            return f"{named} {verb} what depends on it without gradients, on every path to the loss."
        verb = "cuts" if is_one else "cut"
        return f"{named} {verb} every path to the loss; what lies behind it is a constant for the gradient."

    def unused(self, path: str) -> tuple[State, Spot, str]:
        """Returns where the trace of a parameter ends that the loss does not depend on, and why."""
        if ORIGIN not in self._instances[path].block.extra:
            return State.UNUSED, Spot(path=path), "The loss does not depend on it: nothing made for the loss reads it."
        spot = self.spot(path)
        if spot.operation in _OVERWRITING:
            return State.BLOCKED, spot, f"{_at(spot)} overwrites what is computed from it before the loss."
        return State.UNUSED, spot, f"The loss does not depend on it: nothing uses the result of {_at(spot)}."

    def broken(self, origin: Origin) -> tuple[Spot, str]:
        """Returns where NaN or infinity is born, and how."""
        first = origin.first
        if first is None:
            return Spot(), "It is not a finite number."
        if first.at in self._run.lowered.inferred.expanded.rules:
            return self.spot(
                first.at
            ), f"{self.named(first.at)} returns NaN or an infinity to it, by a rule of its own."
        forward, backward, nan = (self._renamed(item) for item in (origin.forward, origin.backward, origin.nan))
        said = replace(origin, forward=forward, backward=backward, nan=nan).sentence
        hint = _HINTS.get(self.spot(first.at).operation, "") if "0 / 0" in first.reason else ""
        return self.spot(first.at), f"{said} {hint}".strip()

    def zero(self, root: Reason) -> tuple[Spot, str]:
        """Returns where a zero arises, and why."""
        at = root.at[0]
        spot, named = self.spot(at), self.named(at)
        if root.kind is Kind.ZERO_FACTOR:
            return self._zero_factor(root, spot, named)
        if root.kind is Kind.NOT_SELECTED:
            return spot, self._not_selected(root, named)
        if root.kind is Kind.SATURATED:
            return spot, _saturated(root, named)
        if root.kind is Kind.CANCELLED:
            return spot, self._cancelled(at, named)
        if root.kind is Kind.FLAT:
            return spot, f"{named} has the slope 0 everywhere: it changes in jumps, or never."
        if root.kind is Kind.UNDERFLOW:
            return spot, f"The gradient that {named} returns is too small for its dtype and becomes 0."
        if root.kind is Kind.AT_OPTIMUM and Claim.INDEPENDENT in root.claims:
            return spot, self._independent(at, named)
        if root.kind is Kind.AT_OPTIMUM:
            return spot, f"The derivative of {named} itself is 0: the loss is at an optimum, and nothing is wrong."
        return spot, f"{named} returns a gradient of 0."

    def zero_parameter(self, root: Reason) -> PortName | None:
        """Returns the parameter whose zeros are the root of a zero, if one is."""
        instance = self._instances.get(root.at[0])
        if root.kind is not Kind.ZERO_FACTOR or root.zero is None or instance is None:
            return None
        source = instance.inputs.get(root.zero.port)
        maker = None if source is None else self._maker(source)
        kind = None if maker is None else self._instances[maker.path].type
        return maker if kind is not None and kind.is_variable else None

    def _renamed(self, birth: Birth | None) -> Birth | None:
        return None if birth is None else replace(birth, title=self.named(birth.at))

    def _zero_factor(self, root: Reason, spot: Spot, named: str) -> tuple[Spot, str]:
        instance, zero = self._instances.get(root.at[0]), root.zero
        source = None if instance is None or zero is None else instance.inputs.get(zero.port)
        if zero is None or source is None:
            return spot, f"{named} multiplies the gradient by 0."
        direct, source = self._flow.shown(source), self._maker(source)
        extent = "0 everywhere" if zero.is_all else "0 where it counts"
        maker = self._instances[source.path]
        is_variable = maker.type is not None and maker.type.is_variable
        if is_variable and source != direct:
            of = f"What {named} multiplies it by is 0 everywhere"
            return spot, f"{of}, since {self.parameter(source.path)} is."
        if is_variable:
            return spot, f"{named} multiplies it by {self.parameter(source.path)}, which is {extent}."
        if maker.role is Role.SOURCE:
            is_input = maker.type is not None and maker.type.is_input
            what = source.path.rpartition("/")[2] if is_input else "a constant"
            return spot, f"{named} multiplies it by {what}, which is {extent}."
        if maker.type is not None and maker.type.name in _RECTIFIERS:
            made = f"{self.named(source.path)} gives only zeros, since none of its inputs is positive"
            return self.spot(source.path), f"{made}: {self._highest(source.path)}what it multiplies has no gradient."
        return self.spot(source.path), f"{named} multiplies it by the result of {self.named(source.path)}, {extent}."

    def _maker(self, source: PortName) -> PortName:
        """Returns the port where zeros begin that some port holds: what makes them of zeros is passed."""
        source = self._flow.source(source)
        while True:
            inputs = self._flow.inputs(source.path)
            zeros = [port for port in inputs if _is_zero(self._value(port))]
            kind = self._instances[source.path].type
            is_product = kind is not None and (kind.sums_products or kind.name == "Multiply")
            if not zeros or (len(zeros) < len(inputs) and not is_product):
                return source
            source = zeros[0]

    def _value(self, name: PortName) -> Array | None:
        return self._run.tensor(name, is_gradient=False)

    def _highest(self, path: str) -> str:
        value = self._value(self._flow.inputs(path)[0])
        return "" if value is None or not value.size else f"{float(value.max()):.6g} at most; "

    def _cancelled(self, at: str, named: str) -> str:
        """Returns a sentence about terms that cancel; a normalisation of single numbers always gives the same."""
        inner = self._instances[self._flow.inner(at)]
        if inner.block.type == "Moments":
            values = map(self._value, (*self._flow.inputs(inner.path), *self._flow.outputs(inner.path)))
            if len({array.size for array in values if array is not None}) == 1:
                return f"{named} normalises over a single number, so its result never changes."
        return f"The terms that {named} adds up to its gradient cancel: the loss stays the same, however it changes."

    def _independent(self, at: str, named: str) -> str:
        given = [self._value(port) for port in self._flow.inputs(at)]
        is_of_one = any(array is not None and array.dtype.kind == "f" and array.shape[-1:] == (1,) for array in given)
        if "SoftmaxCrossEntropy" in self._instances[at].block.type and is_of_one:
            return f"{named} has a single class, so the loss is always 0; for one output use binary_cross_entropy."
        return f"The loss stays the same, however the input of {named} changes."

    def _not_selected(self, root: Reason, named: str) -> str:
        instance = self._instances.get(root.at[0])
        kind = "" if instance is None else instance.block.type
        if kind == "Relu":
            return f"The inputs of {named} are negative or 0{_number(root)}: it gives 0 and passes no gradient."
        if self.spot(root.at[0]).operation == "embedding":
            return f"{named} reads no row of it but that of padding_idx, which receives no gradient."
        if kind in _CLIPS:
            return f"The inputs of {named} lie outside of its bounds{_number(root)}: it passes no gradient there."
        return f"{named} selects other elements than those that depend on it, and these alone receive a gradient."


def _number(root: Reason) -> str:
    """Returns the first number that a derivative depends on."""
    known = (f" ({factor.port} = {factor.value:.6g}, for one)" for factor in root.factors if factor.value is not None)
    return next(known, "")


def _saturated(root: Reason, named: str) -> str:
    if Claim.ONLY_INPUT in root.claims:
        return f"{named} has only one input there, so its result never changes."
    if Claim.ONLY_FINITE_INPUT in root.claims:
        return f"{named} has only one finite input there, so its result never changes."
    return f"{named} is saturated{_number(root)}: its slope is about 0."


def _at(spot: Spot) -> str:
    return f"{spot.operation} at {spot.where}"


def _is_zero(value: Array | None) -> bool:
    return value is not None and bool(value.size) and not np.any(value)
