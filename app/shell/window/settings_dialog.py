"""The dialog of settings. Each takes effect at once, except the language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QLabel, QLayout, QPushButton, QSlider, QWidget

from gradwire.app.base.settings import Settings
from gradwire.app.base.state_folder import DATA_FOLDERS, state_folder
from gradwire.app.base.translation import LANGUAGES, tr, tr_count, tr_sentence
from gradwire.app.features.problems.problems import HIDDEN_RULES
from gradwire.app.features.welcome.welcome import SHOW_KEY
from gradwire.app.kit.controls.choice_box import ChoiceBox
from gradwire.app.kit.controls.switch import Switch
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.widgets import STRETCH, Dialog, make_button, make_label, make_row, named
from gradwire.engine.base.errors import FileError
from gradwire.engine.files.allowed_folders import AllowedFolders

SMALLEST, LARGEST, SCALE_STEP = 90, 200, 5
Lead = tuple[str, str, Callable[[], object]]


class SettingsDialog(Dialog):
    """One row for each setting. `leads` are texts, names and calls of buttons that lead to other dialogs."""

    def __init__(self, settings: Settings, appearance: Appearance, parent: QWidget, leads: Sequence[Lead] = ()) -> None:
        super().__init__(parent, "settings_dialog", tr("Settings"))
        self._settings, self._appearance = settings, appearance
        self._folders = AllowedFolders(state_folder() / DATA_FOLDERS)
        self._form = QFormLayout(self)
        # As large as its texts need, whatever their size: nothing is cut, and nothing scrolls.
        self._form.setSizeConstraint(QLayout.SizeConstraint.SetFixedSize)
        self._form.setContentsMargins(20, 18, 20, 16)
        self._form.setHorizontalSpacing(24)
        self._form.setVerticalSpacing(10)
        self._add_look()
        self._add_canvas()
        self._add_help()
        self._add_buttons(leads)

    def _add_look(self) -> None:
        default = tr("System default")
        self._add_choice("theme", tr("Theme"), {"system": default, "dark": tr("Dark"), "light": tr("Light")})
        self._add_choice("contrast", tr("Contrast"), {"system": default, "on": tr("High"), "off": tr("Standard")})
        self._add_choice("language", tr("Language"), {"": default, **LANGUAGES})
        self._add_note(tr("Takes effect at the next start."), "language_note")
        self._add(tr("Text size"), self._text_scale())

    def _add_canvas(self) -> None:
        motion = {"system": tr("System default"), "reduced": tr("Reduced: no animation"), "full": tr("Full")}
        self._add_choice("motion", tr("Motion"), motion)
        self._add_choice("wires", tr("Wires"), {"corners": tr("With rounded corners"), "curves": tr("Curved")})
        wheel = {"false": tr("Zooms; Shift moves sideways"), "true": tr("Moves the view; Ctrl zooms")}
        self._add_choice("wheel_pans", tr("Mouse wheel"), wheel)

    def _add_help(self) -> None:
        self._add("", self._switch("tips", tr("Show shortcut tips (once each)")))
        if hidden := len(self._settings.table(HIDDEN_RULES)):
            call = partial(self._settings.set_table, HIDDEN_RULES, {})
            show = _button(tr("Show all rules again"), "settings_show_rules", call, self)
            self._add(tr_count("Advice: {count} rule hidden", "Advice: {count} rules hidden", hidden), show)
        if allowed := self._folders.always:
            self._ask = _button(tr("Ask again"), "settings_ask_again", self._ask_again, self)
            self._ask.setToolTip("\n".join(map(str, allowed[:20])))
            text = tr_count("Data: {count} folder may be read", "Data: {count} folders may be read", len(allowed))
            self._add(text, self._ask)
        self._add("", self._switch(SHOW_KEY, tr("Show the welcome page at start")))

    def _add_buttons(self, leads: Sequence[Lead]) -> None:
        buttons = [_button(text, name, partial(self._leave, call), self) for text, name, call in leads]
        close = _button(tr("Close"), "settings_close", self.accept, self)
        self._form.addRow(make_row(*buttons, STRETCH, close, spacing=8))

    def _add(self, label: str, field: QWidget) -> None:
        text = make_label(label)
        text.setBuddy(field)
        field.setAccessibleName(label or field.accessibleName())
        self._form.addRow(text, field)

    def _add_note(self, sentence: str, name: str) -> None:
        note = named(QLabel(sentence), name, look="quiet")
        self._form.addRow("", note)

    def _add_choice(self, key: str, label: str, texts: Mapping[str, str]) -> None:
        """Adds a box of choices by stored value."""
        box = named(ChoiceBox(self), f"setting_{key}")
        box.offer(texts, self._settings.text(key))
        box.activated.connect(lambda row: self._settings.set_text(key, box.itemData(row)))
        self._add(label, box)

    def _switch(self, key: str, text: str) -> Switch:
        switch = named(Switch(self._appearance, text, self), f"setting_{key}", says=text)
        switch.setChecked(self._settings.flag(key, True))
        switch.toggled.connect(lambda is_on: self._settings.set_flag(key, is_on))
        return switch

    def _text_scale(self) -> QWidget:
        box = QWidget(self)
        slider = named(QSlider(Qt.Orientation.Horizontal, box), "setting_text_scale", says=tr("Text size"))
        number = QLabel(box)
        slider.setRange(SMALLEST // SCALE_STEP, LARGEST // SCALE_STEP)
        slider.setPageStep(2)

        def show(step: int) -> None:
            number.setText(f"{step * SCALE_STEP} %")

        slider.valueChanged.connect(show)
        slider.setValue(round(self._settings.number("text_scale", 100) / SCALE_STEP))
        show(slider.value())
        slider.valueChanged.connect(lambda step: self._settings.set_text("text_scale", str(step * SCALE_STEP)))
        make_row((slider, 1), number, inside=box, margins=0)
        box.setFocusProxy(slider)
        return box

    def _ask_again(self) -> None:
        try:
            self._folders.forbid_all()
        except FileError as error:
            self._add_note(tr_sentence(str(error)), "data_note")
        else:
            self._ask.setEnabled(False)

    def _leave(self, call: Callable[[], object]) -> None:
        self.accept()
        call()


def _button(text: str, name: str, call: Callable[[], object], parent: QWidget) -> QPushButton:
    return make_button(text, call, parent, name=name, enters=False)
