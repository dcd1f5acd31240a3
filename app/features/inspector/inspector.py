"""The right dock: everything about what is selected, and the fields that change it."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, TypeVar

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtWidgets import QWidget

from gradwire.app.base.pace import Pace
from gradwire.app.base.signals import call_on
from gradwire.app.base.translation import tr
from gradwire.app.features.inspector.block_view import BlockView
from gradwire.app.features.inspector.page_view import PageView
from gradwire.app.features.inspector.several_view import SeveralView
from gradwire.app.features.inspector.wire_view import WireView
from gradwire.app.kit.controls.apply import apply_edit
from gradwire.app.kit.controls.dismissing import dismiss
from gradwire.app.kit.feature import Feature
from gradwire.app.kit.inspection import Asked, Part, View
from gradwire.app.kit.session_widget import SessionWidget
from gradwire.app.kit.values.value_view import Mode
from gradwire.app.kit.why.why_list import top_in
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.data_files import DataFiles
from gradwire.app.live.questions.questions import Reply
from gradwire.app.live.selection import Selection
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.widgets import STRETCH, make_column, named, scrolling
from gradwire.engine.edits.edits import rename_block
from gradwire.engine.graph.graph import Block

# A question is asked again after so many runs without an answer: its evaluator may have ended.
RUNS_WAITED = 3
# The title of the section. Units: px.
ABOVE_WHY = 36
Kept = TypeVar("Kept", bound=View)


class Inspector(SessionWidget):
    """Shows one block, one wire, several blocks or the page, in step mode the step, and follows the session.

    Another selection of a kind fills the widgets that are there, so that walking over a page is smooth; new numbers
    leave alone what is being typed. `fitted()` comes when the content may have another height.
    """

    fitted = Signal()

    def __init__(self, current: CurrentSession, appearance: Appearance, features: Sequence[Feature] = ()) -> None:
        """`features` may add parts to the views."""
        super().__init__(current, appearance, name="inspector", look="panel", filled=True, least_width=280)
        self._parts = {feature.id: feature.part for feature in features if feature.part is not None}
        self._view: View | None = None
        self._key: Hashable = None
        self._views: dict[type[View], View] = {}
        self._mode: Mode = "table"
        self._modes: dict[str, Mode] = {}
        self._is_renaming = False
        self._answers: dict[Asked, Any] = {}  # Any: each question knows what its answer is
        self._asked: dict[Asked, int] = {}
        self._held: QWidget | None = None
        self._pace = Pace(self)
        self._pace.due.connect(self._take_results)
        self._lay_out()
        appearance.changed.connect(self._rebuild)
        call_on(self._refresh, current.selection_changed, current.inferred_changed, current.page_changed,
                current.pause_changed, current.of(DataFiles).changed)  # fmt: skip
        call_on(self._pace.soon, current.graph_changed, current.results_changed)
        current.caught_up.connect(self._pace.flush)
        current.replied.connect(self._take_reply)
        current.changed.connect(self._hand_over)
        self._begin()

    def sizeHint(self) -> QSize:
        """320 wide; as high as there is room."""
        return QSize(320, 600)

    def content_height(self, width: int) -> int:
        """Returns the height of all that is shown in a width. Units: px."""
        view = self._view
        if view is None:
            return 0
        return view.heightForWidth(width) if view.hasHeightForWidth() else view.sizeHint().height()

    def let_scroll(self, is_needed: bool) -> None:
        """Has a scroll bar only where not all fits: one that comes for a moment makes the texts higher, and stays."""
        policy = Qt.ScrollBarPolicy
        self._area.setVerticalScrollBarPolicy(policy.ScrollBarAsNeeded if is_needed else policy.ScrollBarAlwaysOff)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Tells that what is shown needs another height."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.fitted.emit()
        return super().eventFilter(watched, event)

    def show_why(self) -> None:
        """Scrolls to why the gradient of what is selected is as it is, and moves the keyboard there."""
        if self._view is not None and self._view.why is not None:
            self._hold(self._view.why)
            self._view.why.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def part(self, name: str) -> Part | None:
        """Returns the part of a feature about what is selected; None if it has nothing to say of it."""
        part = None if self._view is None else self._view.parts.get(name)
        return None if part is None or part.isHidden() else part

    def run_part(self, name: str) -> None:
        """Unfolds the part of a feature for what is selected, scrolls to it, and runs it."""
        if self._view is not None and (part := self.part(name)) is not None:
            self._view.reveal(part)
            self._hold(part)
            part.run()

    def edit_parameter(self, name: str) -> None:
        """Moves the keyboard to a parameter of the block that is selected."""
        field = self._view.edit_parameter(name) if isinstance(self._view, BlockView) else None
        if field is not None and field.visibleRegion().isEmpty():
            self._hold(field)

    def _hold(self, part: QWidget) -> None:
        """A part may grow as answers arrive: it stays in view until something else is selected or scrolled to."""
        self._held = part
        self._stay()

    def _stay(self, *_: int) -> None:
        if self._held is not None and self._view is not None and self._view.isAncestorOf(self._held):
            is_at_top = self._held is self._view.why and self._view.begins_with_why
            top = 0 if is_at_top else top_in(self._held, self._view) - ABOVE_WHY
            self._area.verticalScrollBar().setValue(top)

    def _let_go(self, *_: int) -> None:
        self._held = None

    def _lay_out(self) -> None:
        content = named(QWidget(self), look="panel")
        self._holder = make_column(STRETCH, inside=content, margins=0, spacing=0)
        content.installEventFilter(self)
        area = self._area = named(scrolling(content), "inspector_scroll")
        area.verticalScrollBar().rangeChanged.connect(self._stay)
        area.verticalScrollBar().actionTriggered.connect(self._let_go)
        make_column((area, 1), inside=self, margins=0, spacing=0)

    # Following the session

    def _rebuild(self, *_: object) -> None:
        for view in self._views.values():
            dismiss(view, self._holder)
        self._views = {}
        self._begin()

    def _hand_over(self) -> None:
        """Lets the views show another document: to make them anew takes longer than to fill them."""
        for view in self._views.values():
            view.begin_document()
        self._begin()

    def _begin(self) -> None:
        self._key = None
        self._answers, self._asked = {}, {}
        self._refresh()

    def _refresh(self, *_: object) -> None:
        session = self.session
        # Inference is reported before a session leaves a page that is gone.
        if self._is_renaming or not session.graph.has_page(session.page_name):
            return
        key = self._key_now()
        if key != self._key:
            self._key = key
            self._let_go()
            self._show_view(self._made_view())
            self._area.verticalScrollBar().setValue(0)
            self._ask()
        if self._view is not None:
            self._view.refresh()

    def _take_results(self) -> None:
        self._refresh()
        self._ask()

    def _take_reply(self, reply: Reply) -> None:
        name = reply.question
        if not isinstance(name, Asked) or self._asked.pop(name, None) is None or self._view is None:
            return
        self._answers[name] = reply.answer
        self._view.show_answers(self._answers)
        results = self.session.results
        if results is not None and reply.revision < results.revision:
            self._ask()

    def _ask(self) -> None:
        """Asks for what is shown, one question each at a time."""
        results = self.session.results
        if self._view is None or results is None:
            return
        wanted = self._view.questions()
        self._answers = {name: answer for name, answer in self._answers.items() if name in wanted}
        self._view.show_answers(self._answers)
        for name in wanted:
            if results.revision - self._asked.get(name, -RUNS_WAITED) >= RUNS_WAITED:
                self._asked[name] = results.revision
                self.session.ask(name)

    # What is shown

    def _chosen_blocks(self) -> list[Block]:
        page = self.session.page
        return [page.blocks[name] for name in sorted(self.session.selection.blocks) if name in page.blocks]

    def _key_now(self) -> Hashable:
        """Returns the key of the current widgets; they are rebuilt when it changes."""
        session, chosen = self.session, self.session.selection
        blocks = tuple((block.id, block.type) for block in self._chosen_blocks())
        return session.page_name, session.prefix, blocks, chosen.wires, len(chosen.frames), len(chosen.notes)

    def _made_view(self) -> View:
        """The view of the selection, filled with it."""
        chosen, blocks = self.session.selection, self._chosen_blocks()
        if len(blocks) == 1 and not chosen.wires:
            view = self._kept_view(BlockView)
            view.show_block(blocks[0])
            return view
        if not blocks and len(chosen.wires) == 1:
            of_wire = self._kept_view(WireView)
            of_wire.show_wire(next(iter(chosen.wires)))
            return of_wire
        if blocks or chosen.wires or chosen.frames or chosen.notes:
            return SeveralView(self.current, self._appearance, blocks)
        return self._kept_view(PageView)

    def _kept_view(self, kind: type[Kept]) -> Kept:
        """The view of a kind, made when it is first needed."""
        found = self._views.get(kind)
        if isinstance(found, kind):
            return found
        view = self._views[kind] = kind(self.current, self._appearance)
        for name, make in self._parts.items():
            view.add_part(name, make)
        view.mode_changed.connect(self._note_mode)
        view.tensors_wanted.connect(self._ask)
        if isinstance(view, BlockView):
            view.rename_asked.connect(self._rename)
            view.parameter_asked.connect(self.edit_parameter)
        return view

    def _show_view(self, view: View) -> None:
        """Puts a view in place of the one before, which goes later if it is not kept: it may be in a signal."""
        old, self._view = self._view, view
        if view is not old:
            self._holder.insertWidget(0, view)
            view.show()
        view.set_mode(self._modes.get(view.subject, self._mode))
        if old is not None and old is not view:
            old.hide()
            if old not in self._views.values():
                dismiss(old, self._holder)

    def _note_mode(self, mode: Mode) -> None:
        """Stores the chosen mode for its block type, and for types without a choice of their own."""
        self._mode = mode
        if self._view is not None:
            self._modes[self._view.subject] = mode

    def _rename(self, old: str, new: str) -> None:
        """Renames a block, which stays selected under its new name."""
        self._is_renaming = True
        refusal = apply_edit(self.session, tr("Rename"), rename_block, self.session.page_name, old, new)
        self._is_renaming = False
        if not refusal:
            self.session.select(Selection(blocks=frozenset((new,))))
            self._refresh()
        elif isinstance(self._view, BlockView):
            self._view.refuse_name(refusal)


FEATURE = Feature("inspector", "Card", "Everything about what is selected, or about the page", "info")
