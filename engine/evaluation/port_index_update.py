"""An outline brought up to date after an edit: the places of the ports and wires that are not what they were."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.expand import Instance, Link, PortName
from engine.outline import Outline, declared_outputs
from engine.relower import Moves


@dataclass
class Redrawn:
    """The ports and wires of an outline that left it, and those that are new in it or have another place.

    What is new stands at the end of the outline.
    """

    ports_gone: list[PortName] = field(default_factory=list)
    wires_gone: list[Link] = field(default_factory=list)
    ports: dict[PortName, None] = field(default_factory=dict)
    wires: dict[Link, None] = field(default_factory=dict)


class Redrawing:
    """An outline that follows the moves of its graph; it is changed in place."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline
        self._names: dict[str, list[PortName]] = {}
        for name in outline.ports:
            self._names.setdefault(name.path, []).append(name)
        # By the blocks that they lead to, and by those that they leave.
        self._arriving: dict[str, dict[PortName, Link]] = {}
        self._leaving: dict[str, dict[Link, None]] = {}
        for link in outline.lowered.inferred.expanded.links:
            self._take_up(link)

    def follow(self, moves: Moves) -> Redrawn:
        """Brings the outline up to date after some moves."""
        inferred = self._outline.lowered.inferred
        found = Redrawn()
        # The wires into a used page end at its block, and their inputs inside of it.
        for path in moves.paths | {target.path for target in moves.wires}:
            self._rewire(path, inferred.expanded.arriving.get(path, ()), found)
        # A wire claims that its source has such a port.
        ends = {link.source.path for link in (*found.wires_gone, *found.wires)}
        for path in moves.paths | ends:
            self._rename(path, inferred.expanded.instances.get(path), found)
        found.ports |= dict.fromkeys(name for name in moves.ports if name in self._outline.ports)
        links = (self._arriving.get(target.path, {}).get(target) for target in moves.wires)
        found.wires |= dict.fromkeys(link for link in links if link is not None)
        found.wires |= {link: None for path in moves.paths for link in self._leaving.get(path, ())}
        for name in found.ports:
            self._outline.ports[name] = self._outline.place_of_port(name)
        for link in found.wires:
            self._outline.wires[link] = self._outline.place_of_wire(link)
        return found

    def _rewire(self, path: str, links: Iterable[Link], found: Redrawn) -> None:
        """Takes up the wires that lead to a block now."""
        after = {link.target: link for link in links}
        for target, link in list(self._arriving.get(path, {}).items()):
            if after.get(target) != link:
                del self._arriving[path][target], self._leaving[link.source.path][link], self._outline.wires[link]
                found.wires_gone.append(link)
        for link in after.values():
            self._take_up(link)
            found.wires[link] = None

    def _take_up(self, link: Link) -> None:
        self._arriving.setdefault(link.target.path, {})[link.target] = link
        self._leaving.setdefault(link.source.path, {})[link] = None

    def _rename(self, path: str, instance: Instance | None, found: Redrawn) -> None:
        """Takes up the output ports that a block has now, and those that a wire claims of it."""
        after = [] if instance is None else self._names_of(instance)
        for name in self._names.pop(path, ()):
            if name not in after:
                del self._outline.ports[name]
                found.ports_gone.append(name)
        if after:
            self._names[path] = after
        found.ports |= dict.fromkeys(after)

    def _names_of(self, instance: Instance) -> list[PortName]:
        known = self._outline.lowered.inferred.outputs.get(instance.path)
        wired = [link.source.port for link in self._leaving.get(instance.path, ())]
        names = dict.fromkeys([*declared_outputs(instance, known), *wired])
        return [PortName(instance.path, name) for name in names]
