"""Positions of problems in a loaded file."""

from __future__ import annotations

import json

from gradwire.engine.autodiff.expand import broken_sentence, broken_wires, reason_surplus
from gradwire.engine.base.problems import Problem
from gradwire.engine.files.files import BlockPlaces, Loaded
from gradwire.engine.files.json_places import locate, locate_items, offset_of
from gradwire.engine.graph.graph import Graph
from gradwire.engine.graph.ports import pages_along

Place = tuple[int, int]


class ProblemPlaces:
    """Finder of problems' positions; it searches each page once, however many problems there are."""

    def __init__(self, loaded: Loaded) -> None:
        self._loaded, self._blocks = loaded, BlockPlaces(loaded)
        self._wires: dict[str, dict[str, Place]] = {}

    def find(self, problem: Problem) -> Place:
        """Returns line and column of the wire, block or name of a problem; (0, 0) if it has no place.

        Units: lines and columns count from 1.
        """
        graph = self._loaded.graph
        if problem.code == "no_loss" and problem.at == graph.loss:
            return locate(self._loaded.text, ("loss",))
        pages = pages_along(graph, problem.at.rpartition("/")[0]) if problem.code == "broken_wire" else []
        if pages:
            return self._wires_of(graph, pages[-1].name).get(problem.message, (0, 0))
        return self._blocks.find(problem.at)

    def _wires_of(self, graph: Graph, name: str) -> dict[str, Place]:
        """Maps the sentences about a page's broken wires to their positions."""
        if name not in self._wires:
            path = ("pages", [page.name for page in graph.pages].index(name), "wires")
            ends, _ = json.JSONDecoder().raw_decode(self._loaded.text, offset_of(self._loaded.text, path))
            first: dict[tuple[str, str], Place] = {}
            second: dict[tuple[str, str], Place] = {}
            held = set[str]()
            for (source, target), place in zip(ends, locate_items(self._loaded.text, path), strict=True):
                (second if target in held else first).setdefault((source, target), place)
                held.add(target)
            self._wires[name] = {
                sentence: (second if sentence == broken_sentence(wire, reason_surplus(wire)) else first)[
                    str(wire.source), str(wire.target)
                ]
                for sentence, wire in broken_wires(graph, graph.page(name))
            }
        return self._wires[name]
