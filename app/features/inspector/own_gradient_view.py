"""The section of the inspector for the own gradient of a page: the page that gives it, and the way there and back."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from gradwire.app.base.translation import tr
from gradwire.app.kit import own_gradients
from gradwire.app.kit.controls.apply import apply_edit
from gradwire.app.kit.controls.choice_box import ChoiceBox
from gradwire.app.kit.controls.form_parts import ProblemList, Section, show_row
from gradwire.app.kit.controls.parameter_editors import FIELD_HEIGHT
from gradwire.app.live.current_session import CurrentSession, SessionView
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.icons import icon, set_icon
from gradwire.app.look.theme import font
from gradwire.app.look.tips import literal_tip
from gradwire.app.look.widgets import make_button, named
from gradwire.engine.base.problems import Problem
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.edits.page_edits import set_gradient


class OwnGradientView(SessionView, Section):
    """The choice of the page that gives the gradient of the page shown, what does not fit, and links between both."""

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(tr("Own gradient"), parent, "inspector_own_gradient")
        self.current, self._refusal, self._state = current, "", ("", "")
        mono = font("mono", 11.5)
        self._choice = named(ChoiceBox(self), "inspector_gradient_page", height=FIELD_HEIGHT, font=mono)
        # Long names of pages must not widen the panel.
        self._choice.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._choice.activated.connect(self._choose)
        self.add_row(tr("Given by"), self._choice)
        self._show = make_button(tr("Show this page"), self._show_gradient, self, name="inspector_show_gradient")
        set_icon(self._show, appearance.theme, "grad", "grad.text", 14)
        self.body.addWidget(self._show, 0, Qt.AlignmentFlag.AlignLeft)
        self._problems = ProblemList(appearance, self, margin=0)
        self.body.addWidget(self._problems)
        self._owner = make_button("", self._show_owner, self, name="inspector_gradient_of")
        self._owner.setIcon(icon(appearance.theme, "folder", "text.secondary", 14))
        self.add_row(tr("Gradient of"), self._owner)

    def begin_document(self) -> None:
        """Belongs to another document from now on."""
        self._refusal = ""

    def refresh(self) -> None:
        """Shows the current state; hidden for a page that takes part in no gradient as a block."""
        session, page = self.session, self.session.page
        state = (page.name, page.gradient or "")
        if state != self._state:
            self._state, self._refusal = state, ""
        owners = own_gradients.owners(session)
        is_used = bool(own_gradients.ports_of(page)) or page.gradient is not None
        self.setVisible(is_used or bool(owners))
        show_row(self._choice, is_used)
        self._show_choice(page.gradient)
        self._show.setVisible(page.gradient is not None and session.graph.has_page(page.gradient))
        found = own_gradients.problems_of_pair(session, page.name)
        refused = [Problem("error", "", "parameter", self._refusal)] if self._refusal else []
        self._problems.show_problems([*refused, *found])
        show_row(self._owner, bool(owners))
        name = plain(owners[0]) if owners else ""
        self._owner.setText(name)
        self._owner.setToolTip(literal_tip(tr("Go to page {name}", name=name)))

    def _show_choice(self, gradient: str | None) -> None:
        session = self.session
        names = [None, *(page.name for page in session.graph.pages if page.name != session.page_name), gradient]
        self._choice.offer({name: tr("its blocks") if name is None else plain(name) for name in names}, gradient)

    def _choose(self, place: int) -> None:
        name, text = self._choice.itemData(place), tr("Choose the page's gradient")
        self._refusal = apply_edit(self.session, text, set_gradient, self.session.page_name, name)
        self.refresh()

    def _show_gradient(self) -> None:
        self.session.view.show_gradient(self.session.prefix)

    def _show_owner(self) -> None:
        if names := own_gradients.owners(self.session):
            self.session.view.show_forward(names[0])
