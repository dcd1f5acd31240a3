"""Graph that a user edits: the current version, its history, and listeners."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gradwire.engine.graph.graph import Graph

Listener = Callable[[Graph, Graph], None]


@dataclass(frozen=True)
class _Entry:
    """Graph, the edit that made it, and the merge key of edits that may replace it."""

    text: str
    graph: Graph
    merge_key: Hashable | None = None


class Document:
    """Current graph with undo and redo; undo returns the identical object.

    `path` is the file that it was opened from or saved to, None before that.
    """

    def __init__(self, graph: Graph, path: Path | None = None, history_limit: int = 200) -> None:
        self.path = path
        self._entries = [_Entry("", graph)]
        self._position = 0
        self._limit = history_limit
        self._saved: Graph | None = graph
        self._can_merge = False
        self._replaced: list[_Entry] = []
        self._listeners: dict[object, Listener] = {}

    @property
    def graph(self) -> Graph:
        """Current graph."""
        return self._entries[self._position].graph

    @property
    def is_saved(self) -> bool:
        """True if the graph is the one that was saved last."""
        return self.graph is self._saved

    @property
    def undo_text(self) -> str | None:
        """Name of the edit that undo reverts, None if there is none."""
        return self._entries[self._position].text if self._position > 0 else None

    @property
    def redo_text(self) -> str | None:
        """Name of the edit that redo repeats, None if there is none."""
        return next(iter(self.future), None)

    @property
    def past(self) -> list[tuple[str, Graph]]:
        """Earlier graphs, newest first, each with the name of the edit that followed it."""
        entries = self._entries[: self._position + 1]
        pairs = itertools.pairwise(entries)
        return [(after.text, before.graph) for before, after in pairs][::-1]

    @property
    def future(self) -> list[str]:
        """Names of the edits that redo repeats, the next one first."""
        return [entry.text for entry in self._entries[self._position + 1 :]]

    # Any: each edit has its own arguments and its own extra results.
    def apply(
        self, text: str, edit: Callable[..., Any], /, *args: Any, merge_key: Hashable | None = None, **kwargs: Any
    ) -> Any:
        """Carries out `edit(graph, *args, **kwargs)`; returns its results besides the graph, else None.

        `text` names the edit in menus. An edit replaces the one before it if both have the same merge key and neither
        undo, redo nor saving came between. An edit that returns the same graph leaves no trace.
        """
        result = edit(self.graph, *args, **kwargs)
        graph, extra = result if isinstance(result, tuple) else (result, None)
        if graph is not self.graph:
            self._store(_Entry(text, graph, merge_key))
        return extra

    def undo(self, count: int = 1) -> bool:
        """Reverts edits; returns False if there are not as many."""
        return self._go(-count)

    def redo(self, count: int = 1) -> bool:
        """Repeats edits that were undone; returns False if there are not as many."""
        return self._go(count)

    def withdraw(self, merge_key: Hashable) -> bool:
        """Removes the last edit from the history if it has this merge key; else returns False.

        Restores the edits that could be redone before it: a cancelled drag leaves no trace.
        """
        entry = self._entries[self._position]
        if not self._can_merge or entry.merge_key != merge_key:
            return False
        old = self.graph
        self._entries[self._position :] = self._replaced
        self._position -= 1
        self._can_merge, self._replaced = False, []
        self._tell(old)
        return True

    def mark_saved(self) -> None:
        """Notes that the current graph has been saved."""
        self._saved = self.graph
        self._can_merge = False

    def mark_unsaved(self) -> None:
        """Notes that no file holds any of the graphs, not even the current one."""
        self._saved = None

    def add_listener(self, listener: Listener) -> Callable[[], None]:
        """Calls `listener(old, new)` after every change; returns the function that unsubscribes it.

        A listener must not edit: later listeners would see the changes in the wrong order.
        """
        token = object()
        self._listeners[token] = listener

        def remove() -> None:
            self._listeners.pop(token, None)

        return remove

    def _store(self, entry: _Entry) -> None:
        old = self.graph
        undone = self._entries[self._position + 1 :]
        del self._entries[self._position + 1 :]
        if self._can_merge and entry.merge_key is not None and entry.merge_key == self._entries[-1].merge_key:
            self._entries[-1] = entry
        else:
            self._replaced = undone
            self._entries.append(entry)
            del self._entries[: -(self._limit + 1)]
        self._position = len(self._entries) - 1
        self._can_merge = True
        self._tell(old)

    def _go(self, step: int) -> bool:
        position = self._position + step
        if not 0 <= position < len(self._entries):
            return False
        old, self._position, self._can_merge = self.graph, position, False
        self._tell(old)
        return True

    def _tell(self, old: Graph) -> None:
        new = self.graph
        for listener in tuple(self._listeners.values()):
            listener(old, new)
