"""Incremental update of a port index after an edit, for the ports and wires that it changes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from gradwire.engine.autodiff.expand import Instance, Link, PortName
from gradwire.engine.autodiff.port_index import PortIndex, declared_outputs
from gradwire.engine.evaluation.lowered_diff import LoweredDiff


@dataclass
class PortIndexDiff:
    """Difference of two port indexes: removed ports and wires, and those that are new or have another place.

    New ones stand at the end of the index.
    """

    ports_gone: list[PortName] = field(default_factory=list)
    wires_gone: list[Link] = field(default_factory=list)
    ports: dict[PortName, None] = field(default_factory=dict)
    wires: dict[Link, None] = field(default_factory=dict)


class IncrementalPortIndex:
    """PortIndex that follows the edits of its graph in place."""

    def __init__(self, port_index: PortIndex) -> None:
        self._port_index = port_index
        self._names: dict[str, list[PortName]] = {}
        for name in port_index.ports:
            self._names.setdefault(name.path, []).append(name)
        # Wires by the blocks where they end, and by those where they begin.
        self._arriving: dict[str, dict[PortName, Link]] = {}
        self._leaving: dict[str, dict[Link, None]] = {}
        for link in port_index.lowered.inferred.expanded.links:
            self._take_up(link)

    def update(self, diff: LoweredDiff) -> PortIndexDiff:
        """Updates the index after an edit.

        Costs O(n) in the blocks of the difference and their wires.
        """
        inferred = self._port_index.lowered.inferred
        found = PortIndexDiff()
        # Wires into a used page end at its block; the inputs that they feed lie inside the page.
        for path in diff.paths | {target.path for target in diff.wires}:
            self._rewire(path, inferred.expanded.arriving.get(path, ()), found)
        # A wire claims a port of its source.
        ends = {link.source.path for link in (*found.wires_gone, *found.wires)}
        for path in diff.paths | ends:
            self._rename(path, inferred.expanded.instances.get(path), found)
        found.ports |= dict.fromkeys(name for name in diff.ports if name in self._port_index.ports)
        links = (self._arriving.get(target.path, {}).get(target) for target in diff.wires)
        found.wires |= dict.fromkeys(link for link in links if link is not None)
        found.wires |= {link: None for path in diff.paths for link in self._leaving.get(path, ())}
        for name in found.ports:
            self._port_index.ports[name] = self._port_index.place_of_port(name)
        for link in found.wires:
            self._port_index.wires[link] = self._port_index.place_of_wire(link)
        return found

    def _rewire(self, path: str, links: Iterable[Link], found: PortIndexDiff) -> None:
        """Replaces the wires into a block."""
        after = {link.target: link for link in links}
        for target, link in list(self._arriving.get(path, {}).items()):
            if after.get(target) != link:
                del self._arriving[path][target], self._leaving[link.source.path][link], self._port_index.wires[link]
                found.wires_gone.append(link)
        for link in after.values():
            self._take_up(link)
            found.wires[link] = None

    def _take_up(self, link: Link) -> None:
        self._arriving.setdefault(link.target.path, {})[link.target] = link
        self._leaving.setdefault(link.source.path, {})[link] = None

    def _rename(self, path: str, instance: Instance | None, found: PortIndexDiff) -> None:
        """Replaces the output ports of a block, including those that only a wire claims."""
        after = [] if instance is None else self._names_of(instance)
        for name in self._names.pop(path, ()):
            if name not in after:
                del self._port_index.ports[name]
                found.ports_gone.append(name)
        if after:
            self._names[path] = after
        found.ports |= dict.fromkeys(after)

    def _names_of(self, instance: Instance) -> list[PortName]:
        known = self._port_index.lowered.inferred.outputs.get(instance.path)
        wired = [link.source.port for link in self._leaving.get(instance.path, ())]
        names = dict.fromkeys([*declared_outputs(instance, known), *wired])
        return [PortName(instance.path, name) for name in names]
