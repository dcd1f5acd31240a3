"""The sources of a graph whose numbers a reader of a page can change, by their paths in files."""

from __future__ import annotations

import math
from typing import cast

from gradwire.engine.export.live.program import MOST_NUMBERS, LiveProgram
from gradwire.engine.graph.graph import Graph
from gradwire.engine.graph.paths import split_path
from gradwire.engine.graph.ports import pages_along


class Sources:
    """Sources of floats and integers with at most 64 numbers."""

    def __init__(self, graph: Graph, program: LiveProgram) -> None:
        self._graph = graph
        views = cast(list[list[object]], program.numbers.entries["views"])
        found = cast(list[tuple[str, list[list[int]], bool]], program.document["sources"])
        self._known = {path: views[places[0][0]] for path, places, _ in found}

    def path_of(self, path: str) -> str:
        """Returns the path in files of a block in results: that of its page, however often that is used."""
        prefix, block = split_path(path)
        pages = pages_along(self._graph, prefix)
        return f"{pages[-1].name}/{block}" if pages else path

    def can_move(self, path: str) -> bool:
        """Returns whether a reader can change the numbers of a source."""
        view = self._known.get(path)
        if view is None:
            return False
        shape, dtype = cast(list[int], view[1]), str(view[3])
        return 0 < math.prod(shape) <= MOST_NUMBERS and dtype != "bool"
