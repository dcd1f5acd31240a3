"""The product behind a gradient of 0 or NaN: three boxes, and where it is NaN the chain rule at each element."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QLabel, QWidget

from gradwire.app.kit.controls.dismissing import empty
from gradwire.app.kit.controls.form_parts import plain_label
from gradwire.app.kit.why.why_product import ProductText
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import Theme, font
from gradwire.app.look.widgets import ThemedWidget, make_column, make_grid, make_label, show_or_hide

# The height of a box, and the least height of a row. Units: px at a text scale of 1.
BOX, ROW = 40, 22
_ROW_TOKENS = ("value", "grad.text", "text.primary", "grad.text")


class ProductView(ThemedWidget):
    """The factors of a gradient, each with its origin; `show_product(None)` hides them."""

    def __init__(self, appearance: Appearance, name: str, parent: QWidget) -> None:
        super().__init__(appearance, parent, name)
        self._shown: ProductText | None = None
        self._boxes, self._rows = make_grid(spacing=(8, 4)), make_grid()
        self._rest = plain_label("", f"{name}_rest", "row", self, wraps=True)
        make_column(self._boxes, self._rows, self._rest, inside=self, margins=(0, 8, 0, 4), spacing=8)
        appearance.changed.connect(self._fill)
        self.hide()

    def show_product(self, product: ProductText | None) -> None:
        """Shows another product."""
        self.setVisible(product is not None)
        if product != self._shown:
            self._shown = product
            self._fill()

    def _fill(self, *_: object) -> None:
        product = self._shown
        if product is None:
            return
        show_or_hide(self._rest, product.rest)
        self.setAccessibleName(product.spoken)
        self._fill_boxes(product)
        self._fill_rows(product)

    def _fill_boxes(self, product: ProductText) -> None:
        theme = self._appearance.theme
        empty(self._boxes)
        for place, factor in enumerate(product.boxes):
            box = self._label(factor.number.replace("inf", "∞"), font("mono", 15, 600), f"box_{place}")
            box.setAlignment(Qt.AlignmentFlag.AlignCenter)
            box.setMinimumHeight(BOX)
            box.setStyleSheet(_box_style(theme, factor.token, factor.is_ringed))
            caption = self._label(factor.origin, font("ui", 10.5), f"origin_{place}")
            caption.setWordWrap(True)
            caption.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
            caption.setStyleSheet(f"color: {theme.css('text.secondary')};")
            self._boxes.addWidget(box, 0, 2 * place)
            self._boxes.addWidget(caption, 1, 2 * place)
            self._boxes.setColumnStretch(2 * place, 1)
            if place:
                is_last = place == len(product.boxes) - 1
                sign = self._label("=" if is_last else product.sign, font("ui", 14, 600), f"sign_{place}")
                self._boxes.addWidget(sign, 0, 2 * place - 1, Qt.AlignmentFlag.AlignCenter)

    def _fill_rows(self, product: ProductText) -> None:
        theme = self._appearance.theme
        empty(self._rows)
        for column, text in enumerate(product.headings):
            self._add_cell(0, column, text, f"color: {theme.css('text.tertiary')}; padding: 1px 6px;")
        for place, row in enumerate(product.rows):
            is_broken = place in product.broken
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
        return make_label(text, self, name=f"{self.objectName()}_{name}", font=face, least_width=1)


def _box_style(theme: Theme, token: str, is_ringed: bool) -> str:
    is_alarm = is_ringed and token == "alarm"
    ground = theme.css("alarm.bg" if is_alarm else "bg.sunken")
    border = f"1px solid {theme.css(token if is_ringed else 'border.default')}"
    return f"color: {theme.css(token)}; background: {ground}; border: {border}; border-radius: 8px;"
