"""The inspector's view for an empty selection: the page, and the differentiated loss."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gradwire.app.base.translation import capitalized, grouped, tr, tr_count
from gradwire.app.features.inspector.own_gradient_view import OwnGradientView
from gradwire.app.features.inspector.read_field import ReadField
from gradwire.app.kit.controls.apply import apply_edit
from gradwire.app.kit.controls.choice_box import ChoiceBox
from gradwire.app.kit.controls.form_parts import plain_label, show_text
from gradwire.app.kit.controls.parameter_editors import FIELD_HEIGHT
from gradwire.app.kit.inspection import View
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.numbers import fmt
from gradwire.app.look.status_texts import status_word
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import named
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.edits.edits import set_loss
from gradwire.engine.evaluation.status_table import STATUS_ROW


class PageView(View):
    """The view for an empty selection: the contents of the page, and the differentiated loss."""

    def __init__(self, current: CurrentSession, appearance: Appearance) -> None:
        super().__init__(current, appearance)
        self._rows: tuple[object, str, Any] = (None, "", None)
        self._problem_places: Sequence[str] = ()
        section = self._add_section(tr("Page"), "inspector_page")
        texts = {
            "blocks": tr("Blocks"),
            "wires": tr("Wires"),
            "blocked": capitalized(status_word(Status.BLOCKED)),
            "nonfinite": status_word(Status.NONFINITE),
            "problems": tr("Problems"),
        }
        mono = font("mono", 11.5)
        self._counts = {name: plain_label("", f"inspector_{name}", parent=section) for name in texts}
        for name, label in self._counts.items():
            section.add_row(texts[name], named(label, font=mono, height=FIELD_HEIGHT))
        self._hint = plain_label("", "inspector_empty", "quiet", section, wraps=True)
        section.body.addWidget(self._hint)
        self._own_gradient = OwnGradientView(current, appearance, self)
        self._layout.addWidget(self._own_gradient)
        losses = self._add_section(tr("Loss"), "inspector_losses")
        self._loss = named(ChoiceBox(losses), "inspector_loss", height=FIELD_HEIGHT, font=mono)
        # Long names of losses must not widen the panel.
        self._loss.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._loss.activated.connect(self._choose_loss)
        losses.add_row(tr("Gradient of"), self._loss)
        self._value = ReadField("inspector_loss_value", losses)
        losses.add_row("L", self._value)
        self.refresh()

    def begin_document(self) -> None:
        """Belongs to another document from now on."""
        self._rows, self._problem_places = (None, "", None), ()
        self._own_gradient.begin_document()
        super().begin_document()

    def show_key(self, key: str) -> None:
        """Shows the key that opens the search in the hint on an empty page; "" if there is none."""
        words = tr("Press {key} over the canvas to add a block.", key=key)
        show_text(self._hint, words if key else tr("Double-click the canvas to add a block."))

    def count_problems(self, places: Sequence[str]) -> None:
        """Counts the problems on the page, and those without a place."""
        self._problem_places = places
        self.refresh()

    def refresh(self) -> None:
        """Shows the current state; the counts of wires come from the newest run."""
        session, page = self.session, self.session.page
        self._head.show_head(("layout", "text.secondary"), session.prefix, tr("Page"), _first_note(page.notes))
        is_known = session.results is not None
        broken = 0 if session.results is None else len(session.results.nonfinite_wires)
        here = f"{session.prefix}/"
        problems = sum(place.startswith(here) or not place for place in self._problem_places)
        texts = {
            "blocks": grouped(len(page.blocks)),
            "wires": grouped(len(page.wires)),
            "blocked": _wires(self._blocked()) if is_known else "?",
            "nonfinite": "?" if not is_known else _wires(broken) if broken else tr("no wires"),
            "problems": grouped(problems) if problems else tr("no problems"),
        }
        for name, text in texts.items():
            show_text(self._counts[name], text)
        self._hint.setVisible(not page.blocks)
        self._own_gradient.refresh()
        self._show_losses()

    def _blocked(self) -> int:
        """Returns how many wires of the page are blocked."""
        results = self.session.results
        is_blocked = STATUS_ROW[Status.BLOCKED]
        # The look-up of a large page's wires takes some frames, hence the cache.
        if results is None or not (results.wires.statuses == is_blocked).any():
            return 0
        session, (counted, prefix, counted_rows) = self.session, self._rows
        if counted is not results.wires.row_of or prefix != session.prefix:
            rows = [results.wires.row_of.get(session.link(wire)) for wire in session.page.wires.values()]
            counted_rows = np.array([row for row in rows if row is not None], np.int64)
            self._rows = results.wires.row_of, session.prefix, counted_rows
        return int(np.count_nonzero(results.wires.statuses[counted_rows] == is_blocked))

    def _show_losses(self) -> None:
        session = self.session
        names = [None, *session.losses, session.graph.loss]
        texts = {name: tr("All (sum)") if name is None else plain(name) for name in names}
        self._loss.offer(texts, session.graph.loss)
        loss = None if session.results is None else session.results.loss
        value = None if loss is None else loss.value
        has_one = bool(session.losses) if session.results is None else loss is not None
        show_text(self._value, tr("no loss") if not has_one else "?" if value is None else fmt(float(value)))

    def _choose_loss(self, place: int) -> None:
        apply_edit(self.session, tr("Choose the loss"), set_loss, self._loss.itemData(place))


def _first_note(notes: Sequence[Any]) -> str:
    return plain(notes[0].text.partition("\n")[0]) if notes else ""


def _wires(count: int) -> str:
    return tr_count("{number} wire", "{number} wires", count, number=grouped(count))
