"""The inspector's view for an empty selection: the page, and the differentiated loss."""

from __future__ import annotations

from gradwire.app.base.translation import tr
from gradwire.app.features.inspector.own_gradient_view import OwnGradientView
from gradwire.app.features.inspector.read_field import ReadField
from gradwire.app.kit.controls.apply import apply_edit
from gradwire.app.kit.controls.choice_box import ChoiceBox
from gradwire.app.kit.controls.form_parts import show_text
from gradwire.app.kit.controls.parameter_editors import FIELD_HEIGHT
from gradwire.app.kit.inspection import View
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.numbers import fmt
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import named
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.edits.edits import set_loss


class PageView(View):
    """The view for an empty selection: what the page is for, its own gradient, and the differentiated loss."""

    def __init__(self, current: CurrentSession, appearance: Appearance) -> None:
        super().__init__(current, appearance)
        self._own_gradient = OwnGradientView(current, appearance, self)
        self._layout.addWidget(self._own_gradient)
        losses = self._add_section(tr("Loss"), "inspector_losses")
        self._loss = named(ChoiceBox(losses), "inspector_loss", height=FIELD_HEIGHT, font=font("mono", 11.5))
        # Long names of losses must not widen the panel.
        self._loss.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._loss.activated.connect(self._choose_loss)
        losses.add_row(tr("Gradient of"), self._loss)
        self._value = ReadField("inspector_loss_value", losses)
        losses.add_row("L", self._value)
        self.refresh()

    def begin_document(self) -> None:
        """Belongs to another document from now on."""
        self._own_gradient.begin_document()
        super().begin_document()

    def refresh(self) -> None:
        """Shows the current state."""
        notes = self.session.page.notes
        note = plain(notes[0].text.partition("\n")[0]) if notes else ""
        self._head.show_head(("layout", "text.secondary"), self.session.prefix, tr("Page"), note)
        self._own_gradient.refresh()
        self._show_losses()

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
