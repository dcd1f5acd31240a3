"""The product 0 × ∞ behind a NaN: three boxes, the chain rule at each element, and the words of the fix."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from gradwire.app.kit.controls.dismissing import empty
from gradwire.app.kit.controls.form_parts import plain_label, show_text
from gradwire.app.kit.why.why_slope import SlopeText
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.icons import icon
from gradwire.app.look.theme import Theme, font
from gradwire.app.look.widgets import make_column, make_grid, make_label, make_row, named

# The height of a box, and the least height of a row. Units: px at a text scale of 1.
BOX, ROW = 40, 22
_TOKENS = ("grad.text", "alarm", "alarm")
_ROW_TOKENS = ("value", "grad.text", "text.primary", "grad.text")


class SlopeView(QWidget):
    """The numbers behind a NaN gradient, each with its origin; `show_slope(None)` hides them."""

    def __init__(self, appearance: Appearance, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._slope: SlopeText | None = None
        self.setObjectName(name)
        self._place = plain_label("", f"{name}_place", "row", self, wraps=True)
        self._boxes, self._rows = make_grid(spacing=(6, 4)), make_grid()
        self._sentence = plain_label("", f"{name}_sentence", "row", self, wraps=True)
        self._rest = plain_label("", f"{name}_rest", "row", self, wraps=True)
        self._line = named(QFrame(self), look="line")
        self._fix = _FixTitle(appearance, f"{name}_fix", self)
        self._detail = plain_label("", f"{name}_detail", "row", self, wraps=True)
        product = self._place, self._boxes, self._sentence, self._rows, self._rest
        make_column(*product, self._line, self._fix, self._detail, inside=self, margins=0, spacing=8)
        appearance.changed.connect(self._fill)
        self.hide()

    def show_slope(self, slope: SlopeText | None, sentence: str = "", has_fix: bool = False) -> None:
        """Shows another product; without a fix its words are hidden."""
        self.setVisible(slope is not None)
        for part in (self._line, self._fix, self._detail):
            part.setVisible(has_fix)
        show_text(self._sentence, sentence)
        if slope != self._slope:
            self._slope = slope
            self._fill()

    def _fill(self, *_: object) -> None:
        slope = self._slope
        if slope is None:
            return
        for label, text in ((self._place, slope.place), (self._rest, slope.rest), (self._detail, slope.fix_detail)):
            show_text(label, text)
        for label, text in ((self._place, slope.place), (self._rest, slope.rest)):
            label.setVisible(bool(text))
        self._fix.show_title(slope.fix_title)
        self.setAccessibleName(slope.spoken)
        self._fill_boxes(slope)
        self._fill_rows(slope)

    def _fill_boxes(self, slope: SlopeText) -> None:
        theme = self._appearance.theme
        empty(self._boxes)
        for place, ((number, origin), token) in enumerate(zip(slope.boxes, _TOKENS, strict=True)):
            box = self._label(number.replace("inf", "∞"), font("mono", 15, 600), f"box_{place}")
            box.setAlignment(Qt.AlignmentFlag.AlignCenter)
            box.setMinimumHeight(BOX)
            box.setStyleSheet(_box_style(theme, token, is_result=place == 2))
            caption = self._label(origin, font("ui", 10.5), f"origin_{place}")
            caption.setWordWrap(True)
            caption.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
            caption.setStyleSheet(f"color: {theme.css('text.secondary')};")
            self._boxes.addWidget(box, 0, 2 * place)
            self._boxes.addWidget(caption, 1, 2 * place)
            self._boxes.setColumnStretch(2 * place, 1)
            if place:
                sign = self._label("×" if place == 1 else "=", font("ui", 14, 600), f"sign_{place}")
                self._boxes.addWidget(sign, 0, 2 * place - 1, Qt.AlignmentFlag.AlignCenter)

    def _fill_rows(self, slope: SlopeText) -> None:
        theme = self._appearance.theme
        empty(self._rows)
        for column, text in enumerate(slope.headings):
            self._add_cell(0, column, text, f"color: {theme.css('text.tertiary')}; padding: 1px 6px;")
        for place, row in enumerate(slope.rows):
            is_broken = place in slope.broken
            ground = f"background: {theme.css('alarm.bg')};" if is_broken else ""
            for column, (text, token) in enumerate(zip(row, _ROW_TOKENS, strict=True)):
                ink = theme.css("alarm" if is_broken and column >= 2 else token)
                self._add_cell(place + 1, column, text, f"color: {ink}; {ground} padding: 1px 6px;")

    def _add_cell(self, row: int, column: int, text: str, style: str) -> None:
        cell = self._label(text, font("mono", 10.5), f"{row}_{column}")
        side = Qt.AlignmentFlag.AlignLeft if column == 0 else Qt.AlignmentFlag.AlignRight
        cell.setAlignment(side | Qt.AlignmentFlag.AlignVCenter)
        cell.setMinimumHeight(ROW)
        cell.setStyleSheet(style)
        self._rows.addWidget(cell, row, column)
        self._rows.setColumnStretch(column, 1)

    def _label(self, text: str, face: QFont, name: str) -> QLabel:
        label = make_label(text, self, name=f"{self.objectName()}_{name}", font=face)
        label.setMinimumWidth(1)
        return label


class _FixTitle(QWidget):
    """The heading of the fix, with a bolt."""

    def __init__(self, appearance: Appearance, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._mark, self._text = QLabel(self), plain_label("", name, "strong", self, wraps=True)
        make_row((self._mark, 0, Qt.AlignmentFlag.AlignTop), (self._text, 1), inside=self, margins=0, spacing=8)

    def show_title(self, text: str) -> None:
        show_text(self._text, text)
        self._mark.setPixmap(icon(self._appearance.theme, "bolt", "ok", 16).pixmap(16, 16))


def _box_style(theme: Theme, token: str, is_result: bool) -> str:
    ground, border = ("alarm.bg", "alarm") if is_result else ("bg.sunken", "border.default")
    return (
        f"color: {theme.css(token)}; background: {theme.css(ground)}; border: 1px solid {theme.css(border)}; "
        "border-radius: 6px;"
    )
