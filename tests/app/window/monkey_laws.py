"""The invariants of the random user: after each step, within some steps, and at the end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis.stateful import RuleBasedStateMachine, invariant
from PySide6.QtCore import QPointF

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.engine.files.files import dumps, loads
from tests.app.window.driver import LEFT, Driver, Mod
from tests.app.window.monkey import Things, has_circle, shown_windows, uses_itself


class Laws(RuleBasedStateMachine):
    """A window in front of a user, and its invariants."""

    def __init__(self, user: Driver, folder: Path, mistakes: list[str]) -> None:
        super().__init__()
        self.user, self.folder, self.mistakes = user, folder, mistakes
        self.things = Things(user)
        self.windows: set[str] = set()

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """Checks that the steps within only look: the graph stays the same object."""
        graph = self.user.graph
        yield
        assert self.user.graph is graph, "looking has changed the graph"

    @contextmanager
    def same_wires(self) -> Iterator[None]:
        """Checks that the steps within move items and keep every wire."""
        before = [page.wires for page in self.user.graph.pages]
        yield
        assert [page.wires for page in self.user.graph.pages] == before, "a wire is lost"

    @contextmanager
    def one_edit(self) -> Iterator[None]:
        """Checks that the steps within make one entry in the history, or none."""
        session, graph = self.user.session, self.user.graph
        yield
        if self.user.session is session and self.user.graph is not graph:
            after = self.user.graph
            session.undo()
            assert self.user.graph is graph, "one gesture made more than one edit"
            session.redo()
            assert self.user.graph is after

    def gesture(
        self, *points: QPointF, button: Any = LEFT, keys: Mod = Mod.NoModifier, ending: str = "release", every: int = 50
    ) -> None:
        """Drags through points; Escape at the end leaves no trace, and a release makes at most one edit."""
        user, graph = self.user, self.user.graph
        if ending == "release":
            with self.one_edit():
                user.hand.stroke(*points, button=button, keys=keys, every=every)
        elif ending == "escape":
            user.hand.stroke(*points, button=button, keys=keys, every=every, ends_with=user.escape)
            assert self.user.graph is graph, "Escape has left something"
        else:
            user.hand.stroke(*points, button=button, keys=keys, every=every, ends_with=lambda: user.trigger(ending))

    @invariant()
    def nothing_has_failed(self) -> None:
        assert not self.mistakes, "\n".join(self.mistakes)

    @invariant()
    def the_canvas_shows_the_graph(self) -> None:
        shown = self.things.mirror
        fresh = Mirror(self.user.session, shown.is_curved)
        fresh.rebuild()
        assert shown.ids == fresh.ids
        assert shown.wires == fresh.wires
        np.testing.assert_array_equal(shown.rects, fresh.rects)
        np.testing.assert_array_equal(shown.points, fresh.points)
        assert shown.frames == fresh.frames
        assert shown.notes == fresh.notes
        assert not self.user.canvas.gestures.is_dragging

    @invariant()
    def what_is_selected_is_there(self) -> None:
        page, chosen = self.user.page, self.user.selection
        assert chosen.blocks <= page.blocks.keys()
        assert chosen.wires <= {*page.wires.values(), *page.surplus}
        assert chosen.frames <= {frame.id for frame in page.frames}
        assert chosen.notes <= {note.id for note in page.notes}

    @invariant()
    def the_graph_is_sound(self) -> None:
        graph = self.user.graph
        assert len({page.name for page in graph.pages}) == len(graph.pages)
        assert not uses_itself(graph)
        for page in graph.pages:
            assert all(name == block.id for name, block in page.blocks.items())
            assert all(target == wire.target for target, wire in page.wires.items())
            assert not page.surplus
            ends = {end.block for wire in page.wires.values() for end in (wire.source, wire.target)}
            assert ends <= page.blocks.keys()
            assert not has_circle(page)
            ids = [*page.blocks, *(frame.id for frame in page.frames), *(note.id for note in page.notes)]
            assert len(set(ids)) == len(ids)

    @invariant()
    def a_file_would_hold_all_of_it(self) -> None:
        assert loads(dumps(self.user.graph).encode()).graph == self.user.graph

    @invariant()
    def undo_leads_back(self) -> None:
        session = self.user.session
        graph = session.graph
        if session.document.undo_text is not None:
            session.undo()
            assert session.graph is not graph
            session.redo()
            assert session.graph is graph

    @invariant()
    def nothing_is_left_open(self) -> None:
        assert shown_windows() <= self.windows

    def teardown(self) -> None:
        """Checks that undo leads to the very first graph at the end, and redo to the very last."""
        session = self.user.session
        while session.document.redo_text is not None:
            session.redo()
        graphs = [session.graph]
        while session.document.undo_text is not None:
            session.undo()
            graphs.append(session.graph)
        while session.document.redo_text is not None:
            assert session.graph is graphs.pop()
            session.redo()
        assert [session.graph] == graphs and session.graph is graphs[0]
        self.the_canvas_shows_the_graph()
