"""The commands for pages: group the selection, ungroup, enter and leave, copy and remove."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QPointF, QRectF

from gradwire.app.base.translation import tr
from gradwire.app.canvas.input.gestures.insertion import apply_with_room
from gradwire.app.canvas.painting.picture import outlines_of
from gradwire.app.features.steps.backward_questions import BackwardName, PlacesName
from gradwire.app.kit import own_gradients
from gradwire.app.live import page_editing
from gradwire.app.live.asking import ask_once
from gradwire.app.live.carrying import carried
from gradwire.app.shell.window.canvas_actions import CanvasActions, on_grid
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.edits import edits
from gradwire.engine.explain.backward_page import add_page_of, arranged
from gradwire.engine.graph.graph import Block, Page
from gradwire.engine.graph.loops import is_loop, rounds_of
from gradwire.engine.graph.ports import role_of, used_page


class Pages(CanvasActions):
    """The actions on the pages of a canvas's session."""

    def group(self) -> None:
        """Makes a page of the selected blocks, with the frames and notes among them."""
        session, chosen = self.session, self.session.selection
        blocks = carried(session.page, chosen).blocks
        notes = chosen.notes | self._notes_among(blocks)
        text, page = tr("Group into page"), session.page_name
        made = session.apply(text, edits.group, page, sorted(blocks), notes=sorted(notes), frames=chosen.frames)
        self.select_made(made)

    def ungroup(self) -> None:
        """Replaces each selected Page block by the contents of its page."""
        self._replace(self.selected(), tr("Ungroup"), page_editing.ungroup_all)

    def fold(self) -> None:
        """Replaces the chain of selected Page blocks by one block that repeats their page, and asks how often."""
        made = self._replace(self.selected_chain(), tr("Fold into a Scan"), page_editing.fold_chain)
        if made is not None and rounds_of(self.session.page.blocks[made]) == 1:
            # One block alone does not say how many rounds are wanted.
            self._canvas.page_actions.setting_requested.emit("times")

    def unroll(self) -> None:
        """Replaces each selected loop by a chain of blocks, one for each round."""
        self._replace(self.selected_loops(), tr("Unroll"), page_editing.unroll_all)

    # Any: what the edit gives besides the graph.
    def _replace(self, blocks: Sequence[Block], text: str, edit: Callable[..., Any]) -> Any:
        """Replaces blocks by others, which are selected; returns their names, or None."""
        names = [block.id for block in blocks]
        made = apply_with_room(self._canvas, text, edit, self.session.page_name, names, apart=0.0)
        self.select_made(made)
        return made

    def selected_chain(self) -> list[Block]:
        """Returns the selected blocks that use a page once."""
        return [block for block in self.selected() if not is_loop(block)]

    def selected_loops(self) -> list[Block]:
        """Returns the selected blocks that repeat a page."""
        return [block for block in self.selected() if is_loop(block)]

    def selected(self) -> list[Block]:
        """Returns the selected Page blocks."""
        page = self.session.page
        chosen = (page.blocks[name] for name in sorted(self.session.selection.blocks) if name in page.blocks)
        return [block for block in chosen if role_of(block) is Role.PAGE]

    def enter(self) -> None:
        """Shows the page that the selected block uses."""
        for block in self.selected()[:1]:
            self.session.view.enter(block)

    def leave(self) -> None:
        """Returns to the page around the one shown."""
        self.session.view.leave()

    def give_gradient(self) -> None:
        """Gives the page of the selected block, else the page shown, a gradient of its own, and shows that."""
        found = self.without_gradient()
        if found is not None:
            own_gradients.give(self.session, *found)

    def remove_gradient(self) -> None:
        """Leaves the gradient of the page of the selected block, else of the page shown, to its blocks."""
        found = self.with_gradient()
        if found is not None:
            own_gradients.remove(self.session, found[0])

    def show_gradient(self) -> None:
        """Shows the page that gives the gradient of the page of the selected block, else of the page shown."""
        found = self.with_gradient()
        if found is not None:
            self.session.view.show_gradient(found[1])

    def with_gradient(self) -> tuple[str, str] | None:
        """Returns the chosen page with the path of its use if it has a gradient of its own, else None."""
        found = self._chosen_page()
        return found if found is not None and found[0] in self.session.graph.gradients else None

    def without_gradient(self) -> tuple[str, str] | None:
        """Returns the chosen page with the path of its use if it may be given a gradient of its own, else None."""
        session, found = self.session, self._chosen_page()
        if found is None or found[0] in session.graph.gradients:
            return None
        return found if own_gradients.ports_of(session.graph.page(found[0])) else None

    def _chosen_page(self) -> tuple[str, str] | None:
        """Returns the page of the only selected block, or with nothing selected the one shown, and its use."""
        session, selected = self.session, self.selected()
        if not session.selection:
            return session.page_name, session.prefix
        page = used_page(session.graph, selected[0]) if len(session.selection.blocks) == len(selected) == 1 else None
        return None if page is None else (page.name, session.view.path_inside(selected[0]))

    def usable(self) -> list[str]:
        """Returns the pages that a block on the current page may use: those that do not contain it."""
        session = self.session
        return [page.name for page in session.graph.pages if page_editing.may_use(session.graph, session.page, page)]

    def use(self, name: str, scene: QPointF | None = None) -> None:
        """Places a block that uses a page at a point of the scene, by default in the middle."""
        at, page = on_grid((scene or self.middle) - QPointF(72, 14)), self.session.page_name
        text = tr("Use page {name}", name=name)
        self.select_made(apply_with_room(self._canvas, text, page_editing.use_page, page, name, at))

    def add(self) -> None:
        """Adds an empty page and shows it."""
        made = self.session.apply(tr("Add page"), edits.add_page)
        if made is not None:
            self.session.view.show(made)

    def show_backward(self) -> None:
        """Adds and shows a page with the backward pass of the current page, or of its outermost page."""
        session = self.session
        page = session.prefix.partition("/")[0]

        def add(made: Page | None) -> None:
            name = session.apply(tr("Show the backward graph"), add_page_of, made, page)
            if name is not None:
                session.view.show(name)

        def place(made: Page | None) -> None:
            if made is None:
                add(None)
                return
            graph, name = add_page_of(session.graph, made, page)
            outlines = outlines_of(graph, graph.page(name))
            # If the process has ended meanwhile, there are no positions, and the window arranges the page.
            ask_once(session, PlacesName(made, outlines), lambda placed: add(placed or arranged(made, outlines)))

        ask_once(session, BackwardName(page, (tr("Forward"), tr("Backward"))), place)

    def step(self, direction: int) -> None:
        """Shows the next or previous page; the first follows the last."""
        names = [page.name for page in self.session.graph.pages]
        self.session.view.show(names[(names.index(self.session.page_name) + direction) % len(names)])

    def _notes_among(self, blocks: frozenset[str]) -> frozenset[str]:
        """Returns the notes between the selected blocks."""
        mirror, box = self._canvas.mirror, QRectF()
        for name in blocks:
            box = box.united(mirror.rect(name))
        return frozenset(name for name, rect in mirror.notes.items() if box.contains(rect))
