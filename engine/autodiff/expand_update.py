"""The flat form of a graph after an edit, made out of the one before: only what the edit touches is looked at."""

from __future__ import annotations

import bisect
import graphlib
import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from engine.block_type import Role
from engine.expand import (
    EXPANDED_LIMIT,
    Expanded,
    Link,
    PortName,
    instance_of,
    is_special,
    link_of,
    reason_broken,
    sources_of,
)
from engine.graph import Block, Graph, Page, PageChanges, Port, changes, same_value
from engine.ports import page_ports, role_of, used_page

_Item = TypeVar("_Item")
_PAGE_ROLES = (Role.PAGE, Role.PAGE_INPUT, Role.PAGE_OUTPUT)
# What is wrong with a graph as a whole, so that any edit may change it.
_WIDE = ("cycle", "memory")


@dataclass(frozen=True)
class Again:
    """An expanded graph after an edit.

    `touched` are the instances whose block or inputs are not what they were, except those that only look different.
    """

    expanded: Expanded
    touched: frozenset[str]
    removed: frozenset[str]


class _TooWide(Exception):
    """An edit that concerns more than what is near it."""


def expand_again(before: Expanded, old: Graph, new: Graph) -> Again | None:
    """The flat form of `new`, if `before` is that of `old`; None where that cannot be told from what changed alone.

    So it is where pages or their ports come, go or change, inside pages that blocks use, at wires that lead nowhere,
    and where wires run in a circle.
    """
    differing = {name: change for name, change in changes(old, new).items() if _counts(change)}
    if [page.name for page in old.pages] != [page.name for page in new.pages]:
        return None
    if not before.unused.issuperset(differing) or any(problem.code in _WIDE for problem in before.problems):
        return None
    result = _Result(before)
    try:
        for name, change in differing.items():
            _take_over(result, new, old.page(name), new.page(name), change)
        return result.finish()
    except (_TooWide, graphlib.CycleError):
        return None


def _counts(change: PageChanges) -> bool:
    return bool(change.added or change.removed or change.changed or change.wires_added or change.wires_removed)


def _take_over(result: _Result, graph: Graph, old: Page, new: Page, change: PageChanges) -> None:
    """Takes over what changed on one page that no block uses."""
    if old.surplus or new.surplus:
        raise _TooWide
    for block_id in change.added:
        result.put(_local(new.blocks[block_id]), f"{new.name}/{block_id}")
    retyped = {name for name in change.changed if _change_block(result, old.blocks[name], new.blocks[name], new.name)}
    for wire in change.wires_removed:
        result.remove_link(link_of(wire, new.name))
    for wire in change.wires_added:
        if reason_broken(graph, new, wire):
            raise _TooWide
        result.add_link(link_of(wire, new.name))
    for block_id in {wire.target.block for wire in change.wires_added | change.wires_removed}:
        result.rewire(graph, f"{new.name}/{block_id}")
    for block_id in change.removed:
        _local(old.blocks[block_id])
        result.remove(f"{new.name}/{block_id}")
    for link in itertools.chain.from_iterable(result.links_of(f"{new.name}/{name}") for name in retyped):
        wire = new.wires[Port(link.target.path.rpartition("/")[2], link.target.port)]
        if reason_broken(graph, new, wire):
            raise _TooWide


def _local(block: Block) -> Block:
    """The block, unless it stands for a page or a port of one."""
    if role_of(block) in _PAGE_ROLES:
        raise _TooWide
    return block


def _change_block(result: _Result, old: Block, new: Block, prefix: str) -> bool:
    """Takes one block over; whether it is of another type now, and so has other ports."""
    path = f"{prefix}/{new.id}"
    if _works_like(old, new):
        result.repaint(new, path)
        return False
    _local(old)
    result.put(_local(new), path)
    return old.type != new.type


def _works_like(old: Block, new: Block) -> bool:
    """Whether two blocks differ only in their looks; where a port of a page stands is more."""
    is_port = role_of(new) in (Role.PAGE_INPUT, Role.PAGE_OUTPUT)
    is_same = old.type == new.type and old.is_muted == new.is_muted and (old.at == new.at or not is_port)
    return is_same and same_value(old.parameters, new.parameters)


class _Lists(Generic[_Item]):
    """Lists by the paths of instances, without repetitions, that are being changed while the old ones stay.

    Each is copied once: thousands of wires may begin at one block and go one by one.
    """

    def __init__(self, before: dict[str, list[_Item]]) -> None:
        self._before = before
        self._changed: dict[str, dict[_Item, None]] = {}

    def of(self, path: str) -> Collection[_Item]:
        """The list as it is now; empty if there is none."""
        found = self._changed.get(path)
        return self._before.get(path, ()) if found is None else found

    def changed(self, path: str) -> dict[_Item, None]:
        """The list as the keys of a dictionary that may be changed."""
        if path not in self._changed:
            self._changed[path] = dict.fromkeys(self._before.get(path, ()))
        return self._changed[path]

    def drop(self, path: str) -> None:
        """Leaves nothing of a list that is empty."""
        self._changed[path] = {}

    def finished(self) -> dict[str, list[_Item]]:
        """All lists that hold anything; those before if nothing changed."""
        if not self._changed:
            return self._before
        result = {**self._before, **{path: list(items) for path, items in self._changed.items()}}
        for path, items in self._changed.items():
            if not items:
                del result[path]
        return result


class _Result:
    """An expanded graph that is being made out of another one, which stays as it is."""

    def __init__(self, before: Expanded) -> None:
        self._before = before
        self._instances, self._special = before.instances.copy(), before.special.copy()
        self._arriving, self._consumers = _Lists(before.arriving), _Lists(before.consumers)
        self._places = before.places
        self._touched: set[str] = set()
        self._added: set[str] = set()
        self._removed: set[str] = set()
        self._joined: list[tuple[str, str]] = []

    def repaint(self, block: Block, path: str) -> None:
        """Takes over a block that only looks different."""
        self._instances[path] = replace(self._instances[path], block=block)

    def put(self, block: Block, path: str) -> None:
        """Adds or changes a block; a new one has no wires yet."""
        old = self._instances.get(path)
        if old is None:
            self._added.add(path)
        self._instances[path] = instance_of(block, path, {} if old is None else old.inputs)
        if is_special(self._instances[path]):
            self._special[path] = None
        else:
            self._special.pop(path, None)
        self._touched.add(path)

    def links_of(self, path: str) -> Iterator[Link]:
        """The wires that end at an instance, and those that leave it; some of these end at a page around a user."""
        yield from self._arriving.of(path)
        users = self._consumers.of(path)
        ends = {end for user in users for end in (user, user.rpartition("/")[0])}
        for link in itertools.chain.from_iterable(map(self._arriving.of, ends)):
            if link.source.path == path:
                yield link

    def add_link(self, link: Link) -> None:
        """Adds a wire; `rewire` lets the instance where it ends know."""
        self._arriving.changed(link.target.path)[link] = None

    def remove_link(self, link: Link) -> None:
        """Takes a wire away; `rewire` lets the instance where it ended know."""
        known = self._arriving.changed(link.target.path)
        if link not in known:
            raise _TooWide
        del known[link]

    def rewire(self, graph: Graph, path: str) -> None:
        """Gives the instance at a path the wires that end there now; on a used page these go to its ports."""
        instance = self._instances[path]
        wired = {link.target.port: link.source for link in self._arriving.of(path)}
        page = used_page(graph, instance.block) if instance.is_entered else None
        if page is None:
            self._set_inputs(path, wired)
            return
        for port in page_ports(page, Role.PAGE_INPUT):
            self._set_inputs(f"{path}/{port.block.id}", {"x": wired[port.name]} if port.name in wired else {})

    def remove(self, path: str) -> None:
        """Takes a block away that has no wires any longer."""
        if self._arriving.of(path) or self._consumers.of(path):
            raise _TooWide
        self._arriving.drop(path)
        self._consumers.drop(path)
        del self._instances[path]
        self._special.pop(path, None)
        self._touched.discard(path)
        self._removed.add(path)

    def finish(self) -> Again:
        """The whole, in order."""
        ends = {end.path for link in self._before.broken for end in link}
        if not ends.isdisjoint(self._touched | self._removed) or len(self._instances) > EXPANDED_LIMIT:
            raise _TooWide
        self._append_added()
        self._mend_order()
        expanded = Expanded(
            self._instances,
            self._arriving.finished(),
            self._consumers.finished(),
            self._places,
            self._special,
            self._before.unused,
            self._before.broken,
            self._before.problems,
        )
        return Again(expanded, frozenset(self._touched), frozenset(self._removed))

    def _set_inputs(self, path: str, inputs: Mapping[str, PortName]) -> None:
        old = self._instances[path]
        new = self._instances[path] = replace(old, inputs=inputs)
        if inputs != old.inputs:
            self._touched.add(path)
        before, after = sources_of(old, self._instances), sources_of(new, self._instances)
        for source in before - after:
            del self._consumers.changed(source)[path]
        for source in after - before:
            self._consumers.changed(source)[path] = None
            self._joined.append((source, path))

    def _append_added(self) -> None:
        """Puts new instances behind all others, each after those new ones that it depends on."""
        if not self._added:
            return
        producers = {path: sorted(sources_of(self._instances[path], self._added)) for path in sorted(self._added)}
        places, last = self._places.copy(), next(reversed(self._before.instances), None)
        following = itertools.count(0 if last is None else places[last] + 1)
        for path in graphlib.TopologicalSorter(producers).static_order():
            self._instances[path] = self._instances.pop(path)
            places[path] = next(following)
        self._places = places

    def _mend_order(self) -> None:
        """Moves instances where a new wire comes from behind."""
        joined = [(source, target) for source, target in self._joined if source in self._instances]
        joined.sort(key=lambda ends: self._places[ends[1]])
        if all(self._places[source] < self._places[target] for source, target in joined):
            return
        order, places = list(self._instances), self._places.copy()
        for source, target in joined:
            start, end = (bisect.bisect_left(order, places[path], key=places.__getitem__) for path in (target, source))
            if start <= end:
                region = order[start : end + 1]
                order[start : end + 1] = self._ordered(region)
                places.update(zip(order[start : end + 1], list(map(places.__getitem__, region)), strict=True))
        self._instances = dict(zip(order, map(self._instances.__getitem__, order), strict=True))
        self._places = places

    def _ordered(self, region: list[str]) -> list[str]:
        """Part of the order, in which the last instance has to come before the first.

        Either what the last depends on comes first, or what depends on the first comes last: whichever is found sooner.
        """
        within, instances = set(region), self._instances
        up = _Search(region[-1], within, lambda path: sources_of(instances[path], within))
        down = _Search(region[0], within, self._consumers.of)
        while up.pending and down.pending:
            up.step()
            down.step()
        found = down.found if up.pending else up.found
        if region[0] in found and region[-1] in found:
            raise _TooWide
        moving, staying = filter(found.__contains__, region), itertools.filterfalse(found.__contains__, region)
        return [*staying, *moving] if up.pending else [*moving, *staying]


class _Search:
    """The instances among some that are reached from one of them, found step by step; `pending` is empty at the end."""

    def __init__(self, start: str, within: set[str], neighbours: Callable[[str], Iterable[str]]) -> None:
        self.found, self.pending = {start}, [start]
        self._within, self._neighbours = within, neighbours

    def step(self) -> None:
        """Looks at the neighbours of one more."""
        for path in self._neighbours(self.pending.pop()):
            if path in self._within and path not in self.found:
                self.found.add(path)
                self.pending.append(path)
