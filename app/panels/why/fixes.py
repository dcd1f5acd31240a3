"""What can be done about a gradient that is zero: an edit for a button, where there is a safe one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from app.panels.run_facts import Facts
from app.panels.why_zero import fitting_chain, source_of
from app.words import tr
from engine import edits
from engine.block_type import Role
from engine.cause import Cause
from engine.expand import Instance, Link, PortName
from engine.gradient_edits import fill_with_small_numbers, pass_straight_through, widen
from engine.graph import Graph
from engine.ports import pages_along
from engine.snapshot import ZeroCause
from engine.soft_choice import can_soften, soften
from engine.status import Status

# What holds numbers of its own, first what is there to be changed.
_HOLDING = ("Variable", "Constant", "Input")


@dataclass(frozen=True)
class Fix:
    """An edit with the text of its button, which is its entry in the history too."""

    text: str
    edit: Callable[..., Graph]
    args: tuple[Any, ...] = ()  # Any: each edit knows what it takes


def fix_of_zero(facts: Facts, place: PortName | Link, zero: ZeroCause, dtype: str) -> Fix | None:
    """What can be done about the root of zeros."""
    if zero.cause is Cause.UNDERFLOW and dtype != "float64":
        return Fix(tr("Use float64"), widen)
    if zero.cause is Cause.FLAT:
        return None if _is_passed_by(facts, place) else _past(facts, zero.at)
    chain = fitting_chain(facts, place, zero)
    source = source_of(facts, chain[-1]) if chain and zero.cause is Cause.ZERO_FACTOR else None
    return None if source is None else _filling(facts, _zeros_behind(facts, source))


def fix_of_cut(facts: Facts, place: PortName | Link, by: Sequence[str]) -> Fix | None:
    """What can be done about blocks that cut the ways to the loss; they may stand on one page only."""
    if _is_passed_by(facts, place):
        return None
    places = [_on_page(facts.graph, path) for path in by]
    pages = {page for page, _ in places}
    if len(pages) != 1 or "" in pages:
        return None
    if all(facts.instances[path].role is Role.STOP for path in by):
        ids = [block for _, block in places]
        text = tr("Mute {block}", block=facts.title(by[0])) if len(ids) == 1 else tr("Mute all that block it")
        return Fix(text, edits.set_muted, (pages.pop(), ids, True))
    return (_past(facts, by[0]) or _softened(facts, by[0])) if len(by) == 1 else None


def _is_passed_by(facts: Facts, place: PortName | Link) -> bool:
    """Whether a wire is cut beside another that brings its port a gradient, as where one is passed straight through."""
    total = facts.results.port(place.source) if isinstance(place, Link) and facts.results is not None else None
    return total is not None and total.status is Status.FLOW


def _past(facts: Facts, path: str) -> Fix | None:
    """A straight-through way past a block that gives one number for each."""
    instance, (page, block) = facts.instances.get(path), _on_page(facts.graph, path)
    if instance is None or not page or not _gives_one_for_one(facts, instance):
        return None
    return Fix(tr("Pass the gradient straight through"), pass_straight_through, (page, block))


def _softened(facts: Facts, path: str) -> Fix | None:
    """Softmax in place of the place of an extreme."""
    instance, (page, block) = facts.instances.get(path), _on_page(facts.graph, path)
    source = instance.inputs.get("x") if instance is not None else None
    given = None if facts.results is None or source is None else facts.results.port(source)
    spec = None if given is None else given.value
    if not page or spec is None or spec.shape is None or not can_soften(facts.graph.page(page), block, spec.shape):
        return None
    text = tr("Replace {block} by a softmax", block=facts.title(path))
    return Fix(text, soften, (page, block, spec.shape, spec.dtype))


def _gives_one_for_one(facts: Facts, instance: Instance) -> bool:
    """Whether a block gives a tensor of the very spec that it is given, element by element."""
    kind = instance.type
    if kind is None or not kind.by_element or len(kind.inputs) != 1 or len(kind.outputs) != 1 or facts.results is None:
        return False
    source = instance.inputs.get(kind.inputs[0].name)
    given = None if source is None else facts.results.port(source)
    made = facts.results.port(PortName(instance.path, kind.outputs[0].name))
    if given is None or made is None or given.value is None or made.value is None:
        return False
    return (given.value.shape, given.value.dtype) == (made.value.shape, made.value.dtype)


def _zeros_behind(facts: Facts, start: PortName) -> list[PortName]:
    """The sources that hold nothing but zeros and make a port zero, by way of zeros alone; the best to fill first."""
    waiting, found = [start], list[PortName]()
    for port in waiting:
        instance = facts.instances.get(port.path)
        if instance is None or not _size_of_zeros(facts, port):
            continue
        if instance.block.type in _HOLDING:
            found.append(port)
        waiting += [item for item in instance.inputs.values() if item is not None and item not in waiting]

    def rank(port: PortName) -> tuple[int, int]:
        # Data and constants may be zero on purpose; of variables, a bias would do the same to all examples.
        return _HOLDING.index(facts.instances[port.path].block.type), -_size_of_zeros(facts, port)

    return sorted(found, key=rank)


def _size_of_zeros(facts: Facts, port: PortName) -> int:
    """The number of elements of a port, if all are zeros of floats; else 0."""
    reading = None if facts.results is None else facts.results.port(port)
    value = None if reading is None else reading.value
    is_zero = value is not None and value.dtype.startswith("float") and not value.norm
    return value.size if value is not None and is_zero else 0


def _filling(facts: Facts, sources: Sequence[PortName]) -> Fix | None:
    """Small random numbers for the first of some sources."""
    page, block = _on_page(facts.graph, sources[0].path) if sources else ("", "")
    if not page:
        return None
    text = tr("Fill {block} with small random numbers", block=block)
    return Fix(text, fill_with_small_numbers, (page, block))


def _on_page(graph: Graph, path: str) -> tuple[str, str]:
    """The page on which a block stands, "" if there is none, and its name there."""
    prefix, _, block = path.rpartition("/")
    pages = pages_along(graph, prefix)
    is_there = bool(pages) and block in pages[-1].blocks
    return (pages[-1].name, block) if is_there else ("", block)
