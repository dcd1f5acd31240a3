"""Trials of fixes: what a graph was before an edit, and is after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.port_index import PortEntry
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.norms import norm_of
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.evaluation.evaluate import Evaluation

# A finite gradient that outgrows all gradients before by this factor explodes: training with it would overshoot.
EXPLODING = 1e3
# Tensors of at most so many elements are written out.
WRITTEN_OUT = 4
# What differs by no more than this, relative to its norm, differs by rounding.
ROUNDED = 1e-6
# So many gradients are compared, the most changed first.
COMPARED = 3


@dataclass(frozen=True)
class Amount:
    """Summary of a tensor: its size, norm, number of broken elements, and its elements if they are few.

    `is_rounding` says that it is 0 but for rounding errors.
    """

    size: int
    norm: float
    broken: int
    elements: tuple[float, ...]
    is_rounding: bool = False


@dataclass(frozen=True)
class State:
    """State of a graph: its loss, None if unknown, and the number of wires with NaN or infinity."""

    loss: Amount | None
    broken_wires: int


@dataclass(frozen=True)
class GradientPair:
    """Gradient of a source before and after an edit; None if it is unknown.

    Where `layer` is not 0, it is that of the output of a layer of this number.
    """

    port: PortName
    before: Amount | None
    after: Amount | None
    layer: int = 0


@dataclass(frozen=True)
class Trial:
    """Trial of an edit: both states, the most changed gradients of sources, and that `here`, at the `place` asked.

    `helps` says that the graph ends better than it began; a fix that does not help is not offered.
    """

    before: State
    after: State
    gradients: tuple[GradientPair, ...]
    helps: bool
    here: tuple[Amount | None, Amount | None] | None = None
    place: PortName | Link | None = None

    @property
    def is_equal(self) -> bool:
        """True if loss and gradients of sources are the same before and after, but for rounding."""
        pairs = [(self.before.loss, self.after.loss), *((pair.before, pair.after) for pair in self.gradients)]
        return all(_are_close(*pair) for pair in pairs)


def _are_close(old: Amount | None, new: Amount | None) -> bool:
    if old is None or new is None or old.broken or new.broken or len(old.elements) != len(new.elements):
        return old == new
    gap = max((abs(a - b) for a, b in zip(old.elements, new.elements, strict=True)), default=abs(old.norm - new.norm))
    return gap <= ROUNDED * max(old.norm, new.norm)


def trial_of(
    before: Evaluation,
    after: Evaluation,
    helps: bool,
    place: PortName | Link | None = None,
    layers: Sequence[tuple[int, str]] = (),
) -> Trial:
    """Returns the trial of an edit from the runs of both graphs, with the gradients at a wire or port, or of layers."""
    here = None if place is None else (_gradient_at(before, place), _gradient_at(after, place))
    pairs = tuple(_pair_of_layer(before, after, *layer) for layer in layers) or _pairs(before, after)
    return Trial(_state(before), _state(after), pairs, helps, here, place)


def _pair_of_layer(before: Evaluation, after: Evaluation, number: int, path: str) -> GradientPair:
    port = PortName(path, before.lowered.inferred.outputs[path][0])
    return GradientPair(port, _gradient_at(before, port), _gradient_at(after, port), number)


def amount_of(array: Array) -> Amount:
    """Returns the summary of a tensor."""
    wide = array.astype(np.float64)
    few = tuple(wide.ravel().tolist()) if array.size <= WRITTEN_OUT else ()
    return Amount(array.size, norm_of(array), int(array.size - np.isfinite(wide).sum()), few)


def _known(array: Array | None) -> Amount | None:
    return None if array is None else amount_of(array)


def _gradient_at(run: Evaluation, place: PortName | Link) -> Amount | None:
    index = run.structure.port_index
    entry = index.wires.get(place) if isinstance(place, Link) else index.ports.get(place)
    gradient = None if entry is None else run.gradient(entry)
    if entry is None or gradient is None:
        return None
    tolerances, amount = run.tolerances, amount_of(gradient)
    if entry.arrival is None or amount.norm == 0:
        return amount
    if isinstance(entry.arrival, Edge):
        status = tolerances.status_of_edge(entry.arrival)
    else:
        status = tolerances.status_of_total(entry.arrival)
    return replace(amount, is_rounding=status is Status.ZERO)


def _state(run: Evaluation) -> State:
    slots, broken, count = run.structure.plan.slots, run.facts.broken_slots(), 0
    for place in run.structure.port_index.wires.values():
        held = (slots[item] for item in (place.value, place.gradient) if item is not None)
        count += any(slot in broken for slot in held)
    return State(_loss(run), count)


def _loss(run: Evaluation) -> Amount | None:
    return None if run.loss is None else _known(run.loss.value)


def _sizes(run: Evaluation) -> dict[PortName, float]:
    """Returns the largest absolute element of each port's gradient; NaN stands for NaN and infinity."""
    slots, largest = run.structure.plan.slots, run.facts.survey["largest"]

    def size(place: PortEntry) -> float:
        found = 0.0 if place.gradient is None else float(largest[slots[place.gradient]])
        return found if np.isfinite(found) else float("nan")

    return {name: size(place) for name, place in run.structure.port_index.ports.items() if place.value is not None}


def is_worse(before: Evaluation, after: Evaluation) -> bool:
    """Returns whether the loss or a gradient was finite before, and breaks or explodes after the edit."""
    loss, later = _loss(before), _loss(after)
    if loss is None:
        return False
    if not loss.broken and (later is None or later.broken):
        return True
    old, new = _sizes(before), _sizes(after)
    most = EXPLODING * max((size for size in old.values() if size > 0), default=np.inf)
    shared = (name for name in old if name in new and np.isfinite(old[name]))
    # Negated, so that the comparison catches NaN.
    return any(not new[name] <= most for name in shared)


def _pairs(before: Evaluation, after: Evaluation) -> tuple[GradientPair, ...]:
    instances, places = before.lowered.inferred.expanded.instances, after.structure.port_index.ports
    found: list[tuple[float, GradientPair]] = []
    for name, place in before.structure.port_index.ports.items():
        # Sources alone can be moved: these gradients are what a user is after.
        if instances[name.path].inputs or name not in places:
            continue
        old, new = before.gradient(place), after.gradient(places[name])
        if old is not None or new is not None:
            found.append((_distance(old, new), GradientPair(name, _known(old), _known(new))))
    changed = [pair for distance, pair in sorted(found, key=lambda item: -item[0]) if distance]
    return tuple(changed[:COMPARED] or [pair for _, pair in found[:1]])


def _distance(old: Array | None, new: Array | None) -> float:
    """Returns how far two gradients are apart; infinity if only one of them is finite."""
    if old is None or new is None or old.shape != new.shape:
        return float("inf") if (old is None) != (new is None) else 0.0
    if old.size == 0 or np.array_equal(old, new, equal_nan=True):
        return 0.0
    with np.errstate(all="ignore"):
        found = float(np.max(np.abs(old.astype(np.float64) - new)))
    return found if np.isfinite(found) else float("inf")
