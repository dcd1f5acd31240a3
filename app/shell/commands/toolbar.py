"""The toolbar: undo, Live or Manual, the overlay of gradients, the StopGradient switch, zoom and theme."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QToolBar, QToolButton, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.canvas.painting.look import Overlay
from gradwire.app.features.stops.stop_switch import StopSwitch
from gradwire.app.features.training.training_desk import TrainingDesk
from gradwire.app.kit.controls.choice_box import ChoiceBox
from gradwire.app.kit.controls.radio_button import RadioButton, RadioGroup
from gradwire.app.look.icons import icon
from gradwire.app.look.theme import size
from gradwire.app.look.widgets import make_row, named
from gradwire.app.shell.commands.window_parts import WindowParts
from gradwire.app.shell.window.accessibility import choose_theme
from gradwire.engine.edits import edits

Button = TypeVar("Button", bound=QToolButton)


class ToolBar(QToolBar):
    """Buttons for what is used all the time. Everything here is in the menus too."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(tr("Toolbar"), window.frame.widget)
        named(self, "toolbar", height=int(size("toolbar")))
        self.setMovable(False)
        self.setIconSize(QSize(16, 16))
        self.toggleViewAction().setVisible(False)
        self._window = window
        self._buttons: list[tuple[QToolButton, str, str]] = []
        # One row inside: Qt's own layout of tool bars places widgets of different heights unevenly.
        box = named(QWidget(self), height=int(size("toolbar")) - 1)
        box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._row = make_row(inside=box, margins=(12, 0, 12, 0), spacing=6)
        self.addWidget(box)
        self._add_button("undo", "")
        self._add_button("redo", "")
        self._row.addWidget(_line(self))
        self._live, self._manual = self._add_choice(tr("Evaluation"), [("live", tr("Live")), ("manual", tr("Manual"))])
        self._evaluate = self._add_button("evaluate", tr("Evaluate"), "framed")
        self._row.addWidget(_line(self))
        self._step = self._add_button("step_backward", tr("Step backward"), "framed")
        self._step.setCheckable(True)
        self._train = self._add_button("train", tr("Train"), "framed")
        self._train.setCheckable(True)
        self._row.addWidget(_line(self))
        self._gradients = QLabel(tr("Gradients"), self)
        self._row.addWidget(self._gradients)
        names = [(f"overlay_{item}", window.actions_by_id[f"overlay_{item}"].text()) for item in Overlay]
        self._overlays = dict(zip(Overlay, self._add_choice(tr("Gradients"), names), strict=True))
        self._switch = StopSwitch(window.frame.appearance, self)
        self._row.addWidget(self._switch)
        self._loss = named(
            ChoiceBox(self), "loss_chooser", says=tr("Loss to differentiate"), tip=tr("Which Loss is differentiated")
        )
        self._row.addWidget(self._loss)
        self._row.addStretch(1)
        self._add_button("arrange", "")
        self._zoom = self._add_segment([("zoom_out", "", "minus"), ("zoom_100", "100%", ""), ("zoom_in", "", "plus")])
        self._zoom[1].setMinimumWidth(56)
        self._add_button("fit", "")
        self._theme = self._dressed(QToolButton(self), "theme_toggle", "", "")
        named(self._theme, words=tr("Light or dark"))
        self._theme.clicked.connect(self._toggle_theme)
        self._row.addWidget(self._theme)
        self._is_narrow = False
        button = {command: item for item, command, _ in self._buttons}
        # What goes first where there is no room for all.
        self._spare: list[tuple[QWidget, ...]] = [
            (self._gradients,), (self._evaluate,), (button["arrange"],), (button["fit"],), (self._theme,),
            tuple(self._zoom), (button["redo"],), (button["undo"],),
        ]  # fmt: skip
        self._connect()
        self.restyle()

    def _connect(self) -> None:
        self._live.clicked.connect(lambda: self._window.session.runs.set_live(True))
        self._manual.clicked.connect(lambda: self._window.session.runs.set_live(False))
        for overlay, choice in self._overlays.items():
            choice.clicked.connect(lambda _=False, chosen=overlay: self._window.viewing.set_overlay(chosen))
        self._switch.clicked.connect(lambda: self._window.session.runs.set_ignores_stops(not self._switch.isChecked()))
        self._loss.activated.connect(self._choose_loss)
        for button, command in zip(self._zoom, ("zoom_out", "zoom_100", "zoom_in"), strict=True):
            button.clicked.connect(self._window.actions_by_id[command].trigger)

    def refresh(self) -> None:
        """Shows the state of the window."""
        window = self._window
        has = window.has_document
        for child in self.findChildren(QToolButton):
            child.setEnabled(has or child is self._theme)
        self._switch.setEnabled(has)
        for button, command, _ in self._buttons:
            if command in window.actions_by_id:
                button.setEnabled(window.actions_by_id[command].isEnabled())
        if not has:
            self._loss.setVisible(False)
            return
        session = window.session
        self._live.setChecked(session.runs.is_live)
        self._manual.setChecked(not session.runs.is_live)
        self._evaluate.setEnabled(not session.runs.is_live)
        self._fit()
        self._step.setChecked(window.actions_by_id["step_backward"].isChecked())
        self._show_training(session.part(TrainingDesk).is_running)
        for overlay, button in self._overlays.items():
            button.setChecked(window.canvas.page_look.overlay is overlay)
        self._switch.setChecked(not session.runs.ignores_stops)
        self._zoom[1].setText(f"{window.canvas.camera.scale * 100:.0f}%")
        self._fill_losses()

    def _show_training(self, is_running: bool) -> None:
        self._train.setChecked(is_running)
        text = tr("Pause") if is_running else tr("Train")
        if self._train.text() != text:
            self._train.setText(text)
            name = "pause" if is_running else "play"
            self._train.setIcon(icon(self._window.frame.appearance.theme, name, "text.primary"))

    def _fill_losses(self) -> None:
        session = self._window.session
        self._loss.setVisible(len(session.losses) > 1)
        losses: dict[str | None, str] = {None: tr("All (sum)"), **{name: name for name in session.losses}}
        self._loss.offer(losses, session.graph.loss)

    def _choose_loss(self, index: int) -> None:
        self._window.session.apply(tr("Choose the loss"), edits.set_loss, self._loss.itemData(index))

    def _toggle_theme(self) -> None:
        appearance = self._window.frame.appearance
        choose_theme(self._window.frame.settings, appearance, "light" if appearance.theme.name == "dark" else "dark")

    def set_narrow(self, is_narrow: bool) -> None:
        """Drops texts to icons where the window is narrow; the tooltips keep the names."""
        self._is_narrow = is_narrow
        only, beside = Qt.ToolButtonStyle.ToolButtonIconOnly, Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        for button in (self._evaluate, self._step, self._train):
            button.setToolButtonStyle(only if is_narrow else beside)
        self._fit()

    def event(self, event: QEvent) -> bool:
        """Makes room when the window or something in the row has another width."""
        is_done = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._fit()
        return is_done

    def _fit(self) -> None:
        """Hides what can best be done without where there is no room for all; the menus have it too."""
        unused: set[QWidget] = {self._gradients} if self._is_narrow else set()
        if self._live.isChecked():
            unused.add(self._evaluate)
        wanted = [items for items in self._spare if unused.isdisjoint(items)]
        gap = self._row.spacing()
        widths = {items: sum(item.sizeHint().width() for item in items) + gap for items in self._spare}
        shown = [items for items in self._spare if not items[0].isHidden()]
        needed = self._row.sizeHint().width() - sum(widths[items] for items in shown)
        needed += self._switch.name_width if self._switch.is_brief else 0
        # The boxes of segments keep their gaps when they are empty.
        while wanted and needed + sum(widths[items] for items in wanted) > self.width() - 4 * gap:
            wanted.pop(0)
        self._switch.set_brief(needed > self.width())
        for items in self._spare:
            for item in items:
                item.setVisible(items in wanted)

    def show_keys(self) -> None:
        """Names the keys in the tooltips."""
        actions = self._window.actions_by_id
        for button in self.findChildren(QToolButton):
            action = actions.get(button.objectName().removeprefix("tool_"))
            if action is not None:
                button.setToolTip(action.toolTip())
        tip = tr("Off: show each gradient with and without StopGradient")
        key = self._window.keys.shown("ignore_stops")
        self._switch.setToolTip(f"{tip} ({key})" if key else tip)

    def restyle(self) -> None:
        """Takes over the colours of a theme."""
        theme = self._window.frame.appearance.theme
        for button, _, name in self._buttons:
            if name:
                shown = "pause" if button is self._train and button.isChecked() else name
                button.setIcon(icon(theme, shown, "text.primary"))
        self._theme.setIcon(icon(theme, "sun" if theme.name == "dark" else "moon", "text.primary"))

    def _add_button(self, command: str, text: str, look: str = "") -> QToolButton:
        action = self._window.actions_by_id[command]
        button = self._dressed(QToolButton(self), f"tool_{command}", text, look)
        button.setAccessibleName(action.text())
        button.clicked.connect(action.trigger)
        names = {"arrange": "layout", "evaluate": "bolt", "step_backward": "step-back", "train": "play"}
        self._buttons.append((button, command, names.get(command, command)))
        self._row.addWidget(button)
        return button

    def _dressed(self, button: Button, name: str, text: str, look: str) -> Button:
        named(button, name, look=look, height=int(size("control")), focus=Qt.FocusPolicy.TabFocus)
        button.setText(text)
        button.setMinimumWidth(int(size("control")))
        style = Qt.ToolButtonStyle.ToolButtonTextBesideIcon if text else Qt.ToolButtonStyle.ToolButtonIconOnly
        button.setToolButtonStyle(style)
        return button

    def _add_segment(self, entries: list[tuple[str, str, str]]) -> list[QToolButton]:
        """Adds buttons without gaps between them, each with an icon or a text."""
        buttons = [QToolButton(self) for _ in entries]
        for button, (name, text, icon_name) in zip(buttons, entries, strict=True):
            self._dressed(button, f"tool_{name}", text, "")
            if icon_name:
                self._buttons.append((button, name, icon_name))
        self._row.addWidget(_joined(QWidget(self), buttons))
        self._name(buttons)
        return buttons

    def _add_choice(self, title: str, entries: list[tuple[str, str]]) -> list[RadioButton]:
        """Adds buttons without gaps between them, of which one is on."""
        buttons = [self._dressed(RadioButton(self), f"tool_{name}", text, "") for name, text in entries]
        self._row.addWidget(_joined(RadioGroup(title, self), buttons))
        self._name(buttons)
        return buttons

    def _name(self, buttons: Sequence[QToolButton]) -> None:
        for button in buttons:
            action = self._window.actions_by_id.get(button.objectName().removeprefix("tool_"))
            button.setToolTip(button.text())
            button.setAccessibleName(action.text() if action is not None else button.text())


def _joined(box: QWidget, buttons: Sequence[QToolButton]) -> QWidget:
    """Returns the box with the buttons in one row, which share their borders."""
    layout = make_row(inside=box, margins=0, spacing=0)
    for button, look in zip(buttons, ["first", *["middle"] * (len(buttons) - 2), "last"], strict=True):
        button.setProperty("look", look)
        layout.addWidget(button)
    return box


def _line(parent: QWidget) -> QWidget:
    """A thin upright line between groups."""
    return named(QWidget(parent), look="upright", size=(9, 20))
