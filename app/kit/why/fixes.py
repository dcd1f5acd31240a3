"""The fixes for a zero gradient: an edit for a button, if a safe one exists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from gradwire.app.base.translation import tr
from gradwire.app.live.explanation.explanation import Zeros
from gradwire.app.live.explanation.run_facts import Facts
from gradwire.app.live.explanation.zero_sentences import source_of
from gradwire.engine.advice.gradient_edits import (
    can_soften,
    fill_with_small_numbers,
    pass_straight_through,
    soften,
    widen,
)
from gradwire.engine.autodiff.expand import Instance, Link, PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph
from gradwire.engine.graph.ports import pages_along

# What is known of a port without a value.
_UNKNOWN = None, ""


@dataclass(frozen=True)
class Fix:
    """An edit and the text of its button, which is also its entry in the history.

    `place` is the wire or port that is to receive a gradient; None if the edit has been tried already. `detail` says
    what it does, `title` stands above it.
    """

    text: str
    edit: Callable[..., Graph]
    args: tuple[Any, ...] = ()  # Any: each edit has arguments of its own
    place: PortName | Link | None = None
    detail: str = ""
    title: str = ""


def fix_of_zero(facts: Facts, place: PortName | Link, zeros: Zeros, dtype: str) -> Fix | None:
    """Returns a fix for the root cause of zeros, if there is one."""
    if zeros.cause is Cause.UNDERFLOW and dtype != "float64":
        return Fix(tr("Use float64"), widen)
    if zeros.cause is Cause.FLAT:
        return None if _is_passed_by(facts, place) else _past(facts, zeros.at)
    is_factor = zeros.chain and zeros.cause is Cause.ZERO_FACTOR
    source = source_of(facts, zeros.chain[-1]) if is_factor else None
    return None if source is None else _filling(facts, _zeros_behind(facts, source))


def fix_of_cut(facts: Facts, place: PortName | Link, by: Sequence[str]) -> Fix | None:
    """Returns a fix for blocks that cut the paths to the loss; it needs all of them on one page."""
    if _is_passed_by(facts, place):
        return None
    places = [_on_page(facts.graph, path) for path in by]
    pages = {page for page, _ in places}
    if len(pages) != 1 or "" in pages:
        return None
    if all(facts.instances[path].role is Role.STOP for path in by):
        ids = tuple(block for _, block in places)
        text = tr("Mute {block}", block=facts.title(by[0])) if len(ids) == 1 else tr("Mute all that block it")
        return Fix(text, edits.set_muted, (pages.pop(), ids, True))
    return (_past(facts, by[0]) or _softened(facts, by[0])) if len(by) == 1 else None


def _is_passed_by(facts: Facts, place: PortName | Link) -> bool:
    """Returns whether a wire is cut while another wire from its port has a gradient, as with straight-through."""
    total = facts.reading(place.source) if isinstance(place, Link) else None
    return total is not None and total.status is Status.FLOW


def _past(facts: Facts, path: str) -> Fix | None:
    """Returns a straight-through path past a block that maps each element to one number."""
    instance, (page, block) = facts.instances.get(path), _on_page(facts.graph, path)
    if instance is None or not page or not _gives_one_for_one(facts, instance):
        return None
    return Fix(tr("Pass the gradient straight through"), pass_straight_through, (page, block))


def _softened(facts: Facts, path: str) -> Fix | None:
    """Returns a softmax that replaces a block's index of an extreme."""
    instance, (page, block) = facts.instances.get(path), _on_page(facts.graph, path)
    shape, dtype = _spec(facts, instance.inputs.get("x") if instance is not None else None)
    if not page or shape is None or not can_soften(facts.graph.page(page), block, shape):
        return None
    text = tr("Replace {block} by a softmax", block=facts.title(path))
    return Fix(text, soften, (page, block, shape, dtype))


def _gives_one_for_one(facts: Facts, instance: Instance) -> bool:
    """Returns whether a block is elementwise and its output has exactly the spec of its only input."""
    kind = instance.type
    if kind is None or not kind.by_element or len(kind.inputs) != 1:
        return False
    given = _spec(facts, instance.inputs.get(kind.inputs[0].name))
    return given == _spec(facts, PortName(instance.path, kind.outputs[0].name)) != _UNKNOWN


def _spec(facts: Facts, port: PortName | None) -> tuple[tuple[int, ...] | None, str]:
    """Returns shape and dtype of the value of a port."""
    reading = facts.reading(port)
    value = None if reading is None else reading.value
    return _UNKNOWN if value is None else (value.shape, value.dtype)


def _zeros_behind(facts: Facts, start: PortName) -> list[PortName]:
    """Returns the all-zero variables that make a port zero through zeros alone, the best to fill first.

    Data, masks and constants may be zero on purpose.
    """
    waiting, found = [start], list[PortName]()
    for port in waiting:
        instance = facts.instances.get(port.path)
        if instance is None or not _size_of_zeros(facts, port):
            continue
        if instance.block.type == "Variable" and instance.block.parameters.get("trainable", True):
            found.append(port)
        waiting += [item for item in instance.inputs.values() if item is not None and item not in waiting]

    # A bias, smaller than the weights, would act alike on all examples.
    return sorted(found, key=lambda port: -_size_of_zeros(facts, port))


def _size_of_zeros(facts: Facts, port: PortName) -> int:
    """Returns the number of elements of a port if all are floating-point zeros, else 0."""
    reading = facts.reading(port)
    value = None if reading is None else reading.value
    is_zero = value is not None and value.dtype.startswith("float") and not value.norm
    return value.size if value is not None and is_zero else 0


def _filling(facts: Facts, sources: Sequence[PortName]) -> Fix | None:
    """Returns a fix that fills the first of the sources with small random numbers."""
    page, block = _on_page(facts.graph, sources[0].path) if sources else ("", "")
    if not page:
        return None
    text = tr("Fill {block} with small random numbers", block=block)
    return Fix(text, fill_with_small_numbers, (page, block))


def _on_page(graph: Graph, path: str) -> tuple[str, str]:
    """Returns the page that a block stands on, "" if there is none, and its name there."""
    prefix, _, block = path.rpartition("/")
    pages = pages_along(graph, prefix)
    is_there = bool(pages) and block in pages[-1].blocks
    return (pages[-1].name, block) if is_there else ("", block)
