"""Statuses of wires by a walk of their own: from each wire forwards to the losses, without the backward pass."""

from __future__ import annotations

import functools
from collections.abc import Mapping

import numpy as np

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.library import library
from gradwire.engine.graph.graph import Graph, Wire
from tests.blocks.contract.pinned import PORTS_WITHOUT_GRADIENT, WITHOUT_GRADIENT

FLOWS, BLOCKED, CUT = "flow", "blocked", "non_differentiable"


class StatusWalk:
    """The statuses of the wires of a page without pages in it; `specs` has those of its outputs."""

    def __init__(self, graph: Graph, specs: Mapping[PortName, TensorSpec]) -> None:
        page = graph.pages[0]
        self._types = {name: library[block.type] for name, block in page.blocks.items()}
        self._specs = {(port.path.removeprefix("main/"), port.port): spec for port, spec in specs.items()}
        self._leaving: dict[str, list[Wire]] = {}
        for wire in page.wires.values():
            self._leaving.setdefault(wire.source.block, []).append(wire)
        self._behind = functools.cache(self._find_behind)

    def status(self, wire: Wire, gradient: np.ndarray | None) -> str:
        """Returns the status of a wire that has this gradient, as a number a walk cannot know."""
        if not self._is_float(wire):
            return "no_gradient_dtype"
        found = self._through(wire)
        if FLOWS in found:
            assert gradient is not None
            if gradient.size and not gradient.any():
                return "zero"
            return FLOWS if np.isfinite(gradient).all() else "nonfinite"
        return BLOCKED if BLOCKED in found else CUT if found else "no_path"

    def _is_float(self, wire: Wire) -> bool:
        return self._specs[wire.source.block, wire.source.name].dtype.kind == "f"

    def _through(self, wire: Wire) -> frozenset[str]:
        """Returns what becomes of gradients on their way back to the wire, one word for each kind of way."""
        block_type = self._types[wire.target.block]
        if block_type.role is Role.LOSS:
            return frozenset({FLOWS})
        behind = self._behind(wire.target.block)
        if not behind:
            return behind
        if block_type.role is Role.STOP:
            return frozenset({BLOCKED})
        if block_type.rule is None:
            return frozenset({CUT})
        is_closed = wire.target.name in PORTS_WITHOUT_GRADIENT.get(block_type.name, set())
        return frozenset({CUT}) if is_closed and FLOWS in behind else behind

    def _find_behind(self, name: str) -> frozenset[str]:
        closed = WITHOUT_GRADIENT.get(self._types[name].name, set())
        found: set[str] = set()
        for wire in self._leaving.get(name, []):
            further = self._through(wire)
            is_open = self._is_float(wire) and wire.source.name not in closed
            found |= further if is_open or not further else {CUT}
        return frozenset(found)
