"""The names that a console line can use: the graph, NumPy, and the tensors of the newest run, all read-only."""

from __future__ import annotations

import builtins
import dataclasses
import difflib
from collections.abc import Mapping
from types import MappingProxyType, ModuleType
from typing import Any

import numpy as np

from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.base.errors import NameUnknownError
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.graph.graph import Graph

GIVEN = ("graph", "np", "value", "grad")


class Given:
    """The names that every line is given (`names`); `run` is the newest run while a line is running.

    `hidden` is the reason why gradients are hidden, "" if they are not.
    """

    def __init__(self) -> None:
        self.run: Evaluation | None = None
        self.hidden = ""
        self._graph: Graph | None = None
        # This stays one dictionary, because functions that a line defines keep a reference to it. Any: it holds all.
        self.names: dict[str, Any] = {**vars(builtins), "np": _numpy(), "value": self.value, "grad": self.grad}

    def show(self, run: Evaluation | None, hidden: str) -> None:
        """Puts the names of a run into the namespace."""
        self.run, self.hidden = run, hidden
        if run is not None and run.graph is not self._graph:
            self._graph, self.names["graph"] = run.graph, read_only(run.graph)

    def value(self, port: str) -> Array:
        """Returns the value of a port in the newest run, by its name: value("main/x.y")."""
        found = self._known.tensor(self._place(port), is_gradient=False)
        return _copy(found, f'"{port}" has no value: what it depends on is missing or wrong.')

    def grad(self, port: str, target: str | None = None) -> Array:
        """Returns the gradient of a port in the newest run, or of the wire from it to `target`: grad("main/x.y")."""
        if self.hidden:
            raise NameUnknownError(self.hidden)
        place = self._place(port) if target is None else self._wire(port, target)
        return _copy(self._known.tensor(place, is_gradient=True), f'"{port}" has no gradient in this run.')

    @property
    def _known(self) -> Evaluation:
        if self.run is None:
            raise NameUnknownError("Nothing has been computed yet.")
        return self.run

    def _place(self, name: str) -> PortName | Link:
        """Returns an output port of the run, or the wire that ends at an input port."""
        port_index = self._known.structure.port_index
        places: dict[str, PortName | Link] = {str(link.target): link for link in port_index.wires}
        places |= {str(port): port for port in port_index.ports}
        if name in places:
            return places[name]
        near = difflib.get_close_matches(str(name), places, 1)
        if near:
            raise NameUnknownError(f'There is no port "{name}" in this run; the nearest name is "{near[0]}".')
        raise NameUnknownError(f'There is no port "{name}" in this run; names are written like "main/x.y".')

    def _wire(self, source: str, target: str) -> Link:
        for link in self._known.structure.port_index.wires:
            if (str(link.source), str(link.target)) == (source, target):
                return link
        raise NameUnknownError(f'There is no wire from "{source}" to "{target}" in this run.')


def read_only(item: Any) -> Any:  # Any: a graph holds whatever a file holds
    """Returns a read-only copy of a graph, or of a part of one, that shares nothing writable with it."""
    if isinstance(item, np.ndarray):
        copy = item.copy()
        copy.setflags(write=False)
        return copy
    if isinstance(item, Mapping):
        return MappingProxyType({key: read_only(part) for key, part in item.items()})
    if dataclasses.is_dataclass(item) and not isinstance(item, type):
        parts = {field.name: read_only(getattr(item, field.name)) for field in dataclasses.fields(item)}
        return dataclasses.replace(item, **parts)
    # Ports and wires are named tuples.
    if isinstance(item, list | tuple) and not hasattr(item, "_fields"):
        return tuple(map(read_only, item))
    return item


def _numpy() -> ModuleType:
    """Returns a copy of the module NumPy: `np.pi = 3` must not change the results of blocks."""
    copy = ModuleType("numpy")
    vars(copy).update(vars(np))
    return copy


def _copy(array: Array | None, otherwise: str) -> Array:
    if array is None:
        raise NameUnknownError(otherwise)
    return array.copy()
