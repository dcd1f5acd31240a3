"""Pictures of the canvas: the dialog that saves them, and the one on the clipboard."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import NamedTuple, cast

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QButtonGroup,
    QFileDialog,
    QLabel,
    QRadioButton,
    QWidget,
)

from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.painting.picture import Drawing
from gradwire.app.features.help.about import open_dialog
from gradwire.app.live.carrying import carried
from gradwire.app.live.selection import NOTHING, Selection
from gradwire.app.look.theme import ThemeName, theme
from gradwire.app.look.widgets import Dialog, make_column, make_grid, make_row, named
from gradwire.app.shell.documents.context import DocumentContext
from gradwire.app.shell.documents.exports.save_buttons import save_buttons
from gradwire.engine.base.errors import FileError
from gradwire.engine.files.outputs import PICTURE, Output
from gradwire.engine.graph.graph import Page

FORMATS = {"svg": "SVG", "png": "PNG, 2×", "pdf": "PDF"}


class Wanted(NamedTuple):
    """The choices of the dialog; `suffix` is the format, as the ending of the file."""

    only_selection: bool
    theme_name: ThemeName
    suffix: str


class Pictures:
    """The commands that save and copy pictures of the canvas of one window."""

    def __init__(self, canvas: Canvas, context: DocumentContext) -> None:
        self._canvas, self._context, self._document = canvas, context, context.document
        self._appearance = context.frame.appearance

    def ask(self) -> None:
        """Asks for the content, theme and format, then for a file."""
        dialog = PictureDialog(bool(self._chosen()), self._appearance.theme.name, self._canvas.window())
        dialog.wanted.connect(self.ask_where)
        open_dialog(dialog)

    def save(self, path: Path, theme_name: ThemeName, only_selection: bool = False) -> bool:
        """Saves a picture as SVG, PNG or PDF, by the file's ending, and reports failures."""
        try:
            target = Output(path, PICTURE, self._document.files_read)
            self._drawing(only_selection).save(target, theme(theme_name))
        except FileError as error:
            self._context.messages.complain(tr("The picture was not saved"), tr_sentence(str(error)))
            return False
        return True

    def copy(self) -> None:
        """Puts a picture of the selection, or of the page, on the clipboard."""
        image = self._drawing(bool(self._chosen())).image(self._appearance.theme)
        QGuiApplication.clipboard().setImage(image)
        self._canvas.say(tr("The picture is on the clipboard."))

    def ask_where(self, wanted: Wanted) -> None:
        """Asks for a file, then saves the picture that the dialog was asked for."""
        suffix = wanted.suffix
        start = self._context.dialogs.folder() / f"{self._document.title}.{suffix}"
        files = f"{suffix.upper()} (*.{suffix})"
        name, _ = QFileDialog.getSaveFileName(self._canvas.window(), tr("Save a picture"), str(start), files)
        if name:
            path = Path(name) if Path(name).suffix else Path(f"{name}.{suffix}")
            self.save(path, wanted.theme_name, wanted.only_selection)

    def _chosen(self) -> Selection:
        session = self._canvas.session
        return to_draw(session.page, session.selection)

    def _drawing(self, only_selection: bool) -> Drawing:
        return drawing(self._canvas, self._chosen() if only_selection else None)


def drawing(canvas: Canvas, chosen: Selection | None) -> Drawing:
    """Returns the drawing of a canvas, without marks of selection and hovering."""
    now = canvas.page_look.now()
    plain_look = dataclasses.replace(now, selection=NOTHING, hovered=Target())
    return Drawing(canvas.mirror, chosen, plain_look)


def to_draw(page: Page, chosen: Selection) -> Selection:
    """Returns the content of a picture of a selection: also frame contents and wires between the blocks."""
    whole = carried(page, chosen)
    between = {wire for wire in page.wires.values() if {wire.source.block, wire.target.block} <= whole.blocks}
    return whole | Selection(wires=chosen.wires | between)


class PictureDialog(Dialog):
    """A dialog for the content, theme and format of a picture; `wanted(Wanted)` carries the choices."""

    wanted = Signal(object)

    def __init__(self, has_selection: bool, theme_name: ThemeName, parent: QWidget) -> None:
        super().__init__(parent, "picture_dialog", tr("Save a picture"))
        self._groups: dict[str, QButtonGroup] = {}
        self._grid = make_grid(spacing=(16, 10))
        what = {"page": tr("The page"), "selection": tr("The selection")}
        self._add("what", tr("What"), what, "selection" if has_selection else "page")
        self._button("what", "selection").setEnabled(has_selection)
        self._add("theme", tr("Theme"), {"dark": tr("Dark"), "light": tr("Light")}, theme_name)
        self._add("format", tr("Format"), FORMATS, "svg")
        buttons = save_buttons(self, "picture", self._finish)
        make_column(self._grid, buttons, inside=self, margins=16, spacing=16)

    def _finish(self) -> None:
        theme_name = cast(ThemeName, self._choice("theme"))  # the keys are those of the themes
        wanted = Wanted(self._choice("what") == "selection", theme_name, self._choice("format"))
        self.accept()
        self.wanted.emit(wanted)

    def _add(self, name: str, title: str, choices: dict[str, str], chosen: str) -> None:
        row, line, group = self._grid.rowCount(), make_row(spacing=16), QButtonGroup(self)
        self._grid.addWidget(QLabel(title, self), row, 0)
        for key, text in choices.items():
            button = named(QRadioButton(text, self), f"picture_{name}_{key}")
            button.setChecked(key == chosen)
            group.addButton(button)
            line.addWidget(button)
        line.addStretch(1)
        self._grid.addLayout(line, row, 1)
        self._groups[name] = group

    def _button(self, name: str, key: str) -> QRadioButton:
        found = self.findChild(QRadioButton, f"picture_{name}_{key}")
        assert isinstance(found, QRadioButton)
        return found

    def _choice(self, name: str) -> str:
        checked = next(button for button in self._groups[name].buttons() if button.isChecked())
        return checked.objectName().rpartition("_")[2]
