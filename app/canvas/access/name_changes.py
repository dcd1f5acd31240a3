"""Events for a screen reader: which names of the page's tree the newest results have changed."""

from __future__ import annotations

import time
from collections.abc import Iterator

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleEvent

from gradwire.app.base.timers import make_timer
from gradwire.app.canvas.access.accessible import Tree, tree_of
from gradwire.app.canvas.access.tree_keys import PAGE, name_of
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.input.arrow_navigation import exists

# A drag brings dozens of results a second. A reader cannot say more than a few of them.
# Units: ms; the slice is shorter than a frame, so that the canvas keeps its speed while a large page is read.
PAUSE_MS, SLICE_MS, BETWEEN_MS = 300, 4, 12


class NameChanges(QObject):
    """A comparison of the names of a page with those before, a while after each result.

    It does nothing unless a screen reader is there. Cost: O(blocks + wires) for each result that it reads, in slices.
    """

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._left: Iterator[Target] = iter(())
        self._is_outdated = False
        self._pause = make_timer(self, self._begin, PAUSE_MS)
        self._slice = make_timer(self, self._carry_on, BETWEEN_MS)

    def follow_results(self) -> None:
        """Compares the names soon; further results until then are taken together."""
        if not QAccessible.isActive():
            return
        if self._slice.isActive():
            self._is_outdated = True
        elif not self._pause.isActive():
            self._pause.start()

    def _begin(self) -> None:
        self._left, self._is_outdated = _walk(tree_of(self._canvas), PAGE), False
        self._carry_on()

    def _carry_on(self) -> None:
        tree, end = tree_of(self._canvas), time.monotonic() + SLICE_MS / 1000
        for key in self._left:
            if exists(self._canvas.mirror, key):
                self._compare(tree, key)
            if time.monotonic() > end:
                self._slice.start()
                return
        if self._is_outdated:
            self._pause.start()

    def _compare(self, tree: Tree, key: Target) -> None:
        name, before = name_of(self._canvas, key), tree.names.get(key)
        tree.names[key] = name
        if before is not None and before != name:
            QAccessible.updateAccessibility(QAccessibleEvent(tree.node(key), QAccessible.Event.NameChanged))


def _walk(tree: Tree, key: Target) -> Iterator[Target]:
    """Yields the keys of the tree, each before those below it."""
    yield key
    for child in tree.below(key) if exists(tree.canvas.mirror, key) else ():
        yield from _walk(tree, child)
