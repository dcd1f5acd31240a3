"""The ports of a run and what reads them, with the borders of pages passed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final

from gradwire.engine.autodiff.expand import Instance, Link, PortName
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.evaluation.evaluate import Evaluation

# Blocks that give the numbers of their first input another shape.
SHAPING: Final = ("Transpose", "Reshape", "ExpandDims", "Squeeze", "BroadcastTo", "Cast", "Slice")
_BORDERS: Final = (Role.PAGE, Role.PAGE_INPUT, Role.PAGE_OUTPUT)


class Dataflow:
    """Which blocks read which ports in one run."""

    def __init__(self, run: Evaluation) -> None:
        self.run = run
        self.instances: Mapping[str, Instance] = run.lowered.inferred.expanded.instances

    def source(self, port: PortName) -> PortName:
        """Returns the port whose numbers a border of a page passes on; any other port itself."""
        instance = self.instances[port.path]
        while instance.role in _BORDERS:
            inputs = instance.inputs
            inner = inputs.get(port.port, next(iter(inputs.values()), None))
            if inner is None:
                return port
            port, instance = inner, self.instances[inner.path]
        return port

    def inputs(self, path: str) -> list[PortName]:
        """Returns the ports that a block reads."""
        return [self.source(port) for port in self.instances[path].inputs.values()]

    def outputs(self, path: str) -> list[PortName]:
        """Returns the ports of a block."""
        return self._outputs.get(path, [])

    def readers(self, port: PortName) -> list[Link]:
        """Returns the wires along which blocks read a port; borders of pages are none."""
        return self._readers.get(port, [])

    def uses(self, port: PortName) -> Iterator[PortName]:
        """Yields the ports of the blocks that compute with a port; those that change its shape alone are passed."""
        for link in self.readers(port):
            path = link.target.path
            for output in self.outputs(path):
                yield from self.uses(output) if self.instances[path].block.type in SHAPING else (output,)

    def shown(self, port: PortName) -> PortName:
        """Returns the port that only changed its shape on its way to another one."""
        source = self.source(port)
        while self.instances[source.path].block.type in SHAPING and self.inputs(source.path):
            source = self.inputs(source.path)[0]
        return source

    def inner(self, path: str) -> str:
        """Returns the first block that reads what a border of a page passes on; any other block itself.

        A page with a gradient of its own acts as a whole.
        """
        if self.instances[path].role not in _BORDERS or path in self.run.lowered.inferred.expanded.rules:
            return path
        for port in self.outputs(path):
            source = self.source(port)
            for link in self.readers(source):
                if link.source == port:
                    return link.target.path
            if source != port and self.instances[path].role is not Role.PAGE_INPUT:
                return source.path
        return path

    @cached_property
    def _readers(self) -> Mapping[PortName, list[Link]]:
        found: dict[PortName, list[Link]] = {}
        for path, instance in self.instances.items():
            if instance.role not in _BORDERS:
                for name, port in instance.inputs.items():
                    found.setdefault(self.source(port), []).append(Link(port, PortName(path, name)))
        return found

    @cached_property
    def _outputs(self) -> Mapping[str, list[PortName]]:
        found: dict[str, list[PortName]] = {}
        for name in self.run.snapshot.ports:
            found.setdefault(name.path, []).append(name)
        return found
