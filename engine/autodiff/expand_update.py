"""Incremental expansion of a graph after an edit; the cost depends on the edit, not on the graph."""

from __future__ import annotations

import bisect
import graphlib
import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from gradwire.engine.autodiff.expand import (
    EXPANDED_LIMIT,
    LEFT_CLOSED,
    Expanded,
    Link,
    PortName,
    instance_of,
    is_special,
    link_of,
    reason_broken,
    sources_of,
)
from gradwire.engine.base.errors import CannotUpdate
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.graph.graph import Block, Graph, Page, PageChanges, Port, changes, same_pages, same_value
from gradwire.engine.graph.loops import is_loop
from gradwire.engine.graph.paths import whole_path
from gradwire.engine.graph.ports import page_ports, role_of, used_page

_Item = TypeVar("_Item")
_PAGE_ROLES = (Role.PAGE, Role.PAGE_INPUT, Role.PAGE_OUTPUT)
# Problems of a graph as a whole: any edit may change them.
_WIDE = ("cycle", "memory", LEFT_CLOSED)


@dataclass(frozen=True)
class ExpansionDiff:
    """Expanded graph after an edit.

    `touched` are the instances whose block or inputs changed in more than their looks.
    """

    expanded: Expanded
    touched: frozenset[str]
    removed: frozenset[str]


def update_expansion(before: Expanded, old: Graph, new: Graph) -> ExpansionDiff | None:
    """Expands `new` incrementally from `before`, the expansion of `old`; returns None if that is impossible.

    It is impossible where pages or their ports come, go or change, inside pages that blocks use, at wires that lead
    nowhere, and where wires form a cycle.
    """
    differing = {name: change for name, change in changes(old, new).items() if _counts(change)}
    if not same_pages(old, new):
        return None
    if not before.unused.issuperset(differing) or any(problem.code in _WIDE for problem in before.problems):
        return None
    result = _Result(before)
    try:
        for name, change in differing.items():
            _take_over(result, new, old.page(name), new.page(name), change)
        return result.finish()
    except (CannotUpdate, graphlib.CycleError):
        return None


def _counts(change: PageChanges) -> bool:
    return bool(change.added or change.removed or change.changed or change.wires_added or change.wires_removed)


def _take_over(result: _Result, graph: Graph, old: Page, new: Page, change: PageChanges) -> None:
    """Applies the changes of one page that no block uses."""
    if old.surplus or new.surplus:
        raise CannotUpdate
    for block_id in change.added:
        result.put(_local(new.blocks[block_id]), f"{new.name}/{block_id}")
    retyped = {name for name in change.changed if _change_block(result, old.blocks[name], new.blocks[name], new.name)}
    for wire in change.wires_removed:
        result.remove_link(link_of(wire, new.name))
    for wire in change.wires_added:
        if reason_broken(graph, new, wire):
            raise CannotUpdate
        result.add_link(link_of(wire, new.name))
    for block_id in {wire.target.block for wire in change.wires_added | change.wires_removed}:
        result.rewire(graph, f"{new.name}/{block_id}")
    for block_id in change.removed:
        _local(old.blocks[block_id])
        result.remove(f"{new.name}/{block_id}")
    for link in itertools.chain.from_iterable(result.links_of(f"{new.name}/{name}") for name in retyped):
        wire = new.wires[Port(link.target.path.rpartition("/")[2], link.target.port)]
        if reason_broken(graph, new, wire):
            raise CannotUpdate


def _local(block: Block) -> Block:
    """Returns the block; raises CannotUpdate if it stands for a page or a page's port."""
    if role_of(block) in _PAGE_ROLES:
        raise CannotUpdate
    return block


def _change_block(result: _Result, old: Block, new: Block, prefix: str) -> bool:
    """Updates one block; returns whether its type, and so its ports, changed."""
    path = f"{prefix}/{new.id}"
    if _works_like(old, new):
        result.repaint(new, path)
        return False
    _local(old)
    result.put(_local(new), path)
    return old.type != new.type


def _works_like(old: Block, new: Block) -> bool:
    """Returns whether two blocks differ only in their looks; for page ports the position counts, too."""
    is_port = role_of(new) in (Role.PAGE_INPUT, Role.PAGE_OUTPUT)
    is_same = old.type == new.type and old.is_muted == new.is_muted and (old.at == new.at or not is_port)
    return is_same and same_value(old.parameters, new.parameters)


class _Lists(Generic[_Item]):
    """Copy-on-write lists by the paths of instances, without repetitions.

    Each list is copied once: thousands of wires may begin at one block and go one by one.
    """

    def __init__(self, before: dict[str, list[_Item]]) -> None:
        self._before = before
        self._changed: dict[str, dict[_Item, None]] = {}

    def of(self, path: str) -> Collection[_Item]:
        """Returns the current list; empty if there is none."""
        found = self._changed.get(path)
        return self._before.get(path, ()) if found is None else found

    def changed(self, path: str) -> dict[_Item, None]:
        """Returns the list as the keys of a dictionary that the caller may change."""
        if path not in self._changed:
            self._changed[path] = dict.fromkeys(self._before.get(path, ()))
        return self._changed[path]

    def drop(self, path: str) -> None:
        """Clears a list."""
        self._changed[path] = {}

    def finished(self) -> dict[str, list[_Item]]:
        """Returns all non-empty lists; the original object if nothing changed."""
        if not self._changed:
            return self._before
        result = {**self._before, **{path: list(items) for path, items in self._changed.items()}}
        for path, items in self._changed.items():
            if not items:
                del result[path]
        return result


class _Result:
    """Expanded graph under construction from another one, which stays unchanged."""

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
        """Replaces a block whose looks alone changed; that of a loop in all rounds, too."""
        paths = [path]
        if is_loop(block):
            paths += [other for other, item in self._instances.items() if item.loop == path]
        for other in paths:
            self._instances[other] = replace(self._instances[other], block=block)

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
        """Yields the wires at both sides of an instance.

        Some of those that leave it end at a Page block around the instance that reads them.
        """
        yield from self._arriving.of(path)
        users = self._consumers.of(path)
        ends = {end for user in users for end in (user, whole_path(user), whole_path(user.rpartition("/")[0]))}
        for link in itertools.chain.from_iterable(map(self._arriving.of, ends)):
            if link.source.path == path:
                yield link

    def add_link(self, link: Link) -> None:
        """Adds a wire; `rewire` then updates the instance at its end."""
        self._arriving.changed(link.target.path)[link] = None

    def remove_link(self, link: Link) -> None:
        """Removes a wire; `rewire` then updates the instance at its end."""
        known = self._arriving.changed(link.target.path)
        if link not in known:
            raise CannotUpdate
        del known[link]

    def rewire(self, graph: Graph, path: str) -> None:
        """Updates the inputs of an instance to its current wires; those of an entered page go to its ports."""
        instance = self._instances[path]
        wired = {link.target.port: link.source for link in self._arriving.of(path)}
        if is_loop(instance.block):
            raise CannotUpdate
        page = used_page(graph, instance.block) if instance.is_entered else None
        if page is None:
            self._set_inputs(path, wired)
            return
        for port in page_ports(page, Role.PAGE_INPUT):
            name = PortName(path, port.name)
            inputs, end = ({"x": wired[port.name]}, name) if port.name in wired else ({}, None)
            self._set_inputs(f"{path}/{port.block.id}", inputs, end)

    def remove(self, path: str) -> None:
        """Removes a block that has no more wires."""
        if self._arriving.of(path) or self._consumers.of(path):
            raise CannotUpdate
        self._arriving.drop(path)
        self._consumers.drop(path)
        del self._instances[path]
        self._special.pop(path, None)
        self._touched.discard(path)
        self._removed.add(path)

    def finish(self) -> ExpansionDiff:
        """Returns the finished expansion in topological order."""
        ends = {end.path for link in self._before.broken for end in link}
        if not ends.isdisjoint(self._touched | self._removed) or len(self._instances) > EXPANDED_LIMIT:
            raise CannotUpdate
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
            self._before.inside,
            self._before.rules,
        )
        return ExpansionDiff(expanded, frozenset(self._touched), frozenset(self._removed))

    def _set_inputs(self, path: str, inputs: Mapping[str, PortName], port: PortName | None = None) -> None:
        old = self._instances[path]
        new = self._instances[path] = replace(old, inputs=inputs, port=port)
        if inputs != old.inputs:
            self._touched.add(path)
        before, after = sources_of(old, self._instances), sources_of(new, self._instances)
        for source in before - after:
            del self._consumers.changed(source)[path]
        for source in after - before:
            self._consumers.changed(source)[path] = None
            self._joined.append((source, path))

    def _append_added(self) -> None:
        """Appends new instances after all others, in topological order among themselves."""
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
        """Restores the topological order where a new wire points backwards.

        Only the region between both ends of the wire moves; compare Pearce and Kelly, A Dynamic Topological Sort
        Algorithm (2007).
        Cost: for each such wire O(region), with the wires of whichever search ends first; beside copies of the order.
        """
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
        """Reorders a region whose last instance must precede its first.

        Either the producers of the last move to the front, or the consumers of the first to the back, whichever search
        ends first.
        """
        within, instances = set(region), self._instances
        up = _Search(region[-1], within, lambda path: sources_of(instances[path], within))
        down = _Search(region[0], within, self._consumers.of)
        while up.pending and down.pending:
            up.step()
            down.step()
        found = down.found if up.pending else up.found
        if region[0] in found and region[-1] in found:
            raise CannotUpdate
        moving, staying = filter(found.__contains__, region), itertools.filterfalse(found.__contains__, region)
        return [*staying, *moving] if up.pending else [*moving, *staying]


class _Search:
    """Resumable graph search within some instances; `pending` is empty when it has finished."""

    def __init__(self, start: str, within: set[str], neighbours: Callable[[str], Iterable[str]]) -> None:
        self.found, self.pending = {start}, [start]
        self._within, self._neighbours = within, neighbours

    def step(self) -> None:
        """Visits the neighbours of one more instance."""
        for path in self._neighbours(self.pending.pop()):
            if path in self._within and path not in self.found:
                self.found.add(path)
                self.pending.append(path)
