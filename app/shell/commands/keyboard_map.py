"""The keyboard map: every key by menu, and every mouse gesture, on one sheet."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.kit.search.entry_rows import SearchField
from gradwire.app.live.keys import Keys, shown
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import inked
from gradwire.app.look.rows import draw_key_chip, key_chip_width
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import Dialog, make_button, make_column, make_label, make_row, named
from gradwire.app.shell.commands.gesture_help import gesture_help

SIZE, COLUMNS, ROW_HEIGHT = QSize(1120, 760), 3, 24
# Gaps between columns, between a name and its keys, and around the sheet. Units: px.
_APART, _BESIDE, _AROUND = 36, 12, 40
# A heading is as high as this many rows.
_HEADING_ROWS = 2
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True)
class Line:
    """One line of the map; `keys` are drawn as keys, `mouse` as words."""

    area: str
    text: str
    keys: tuple[str, ...] = ()
    mouse: str = ""

    def has(self, query: str) -> bool:
        """Returns whether the line contains the query."""
        text = f"{self.area} {self.text} {self.mouse} {' '.join(self.keys)}".lower()
        return all(word in text for word in query.split())


def map_lines(keys: Keys) -> list[Line]:
    """Returns everything that has a key now, in the order of the menus, and all gestures."""
    lines = []
    for item in keys.table:
        found = tuple(shown(key) for key in keys.of(item.id))
        if found and not item.is_held:
            lines.append(Line(item.place.partition(", ")[0], item.text.rstrip(" …"), found))
    gestures = gesture_help(keys.shown("hold_to_pan")).items()
    return _without_series(lines) + [Line(area, text, mouse=mouse) for area, rows in gestures for text, mouse in rows]


def _without_series(lines: list[Line]) -> list[Line]:
    """Merges lines that differ only in a number, such as those of bookmarks."""
    series: dict[tuple[str, ...], list[Line]] = {}
    for line in lines:
        key = _DIGIT.sub("#", line.keys[0])
        series.setdefault((line.area, _DIGIT.sub("#", line.text), key), []).append(line)
    return [members[0] if len(members) == 1 else _joined(members[0], members[-1]) for members in series.values()]


def _joined(first: Line, last: Line) -> Line:
    number = _DIGIT.search(last.text)
    text = first.text if number is None else f"{first.text} … {number[0]}"
    return Line(first.area, text, (first.keys[0], "…", last.keys[0]))


class KeyboardMap(Dialog):
    """The sheet. `change_wanted` is emitted when the user wants other keys."""

    change_wanted = Signal()

    def __init__(self, keys: Keys, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent, "keyboard_map", tr("Keyboard map"), SIZE.boundedTo(parent.size()))
        self._shown_columns = 0
        self._search = SearchField(appearance, tr("Search keys and gestures"), "map_search", self)
        self._search.textChanged.connect(self._filter)
        self._nothing = make_label("", self, name="map_nothing")
        self._nothing.hide()
        areas: dict[str, list[Line]] = {}
        for line in map_lines(keys):
            areas.setdefault(line.area, []).append(line)
        self._areas = [_Area(area, lines, appearance) for area, lines in areas.items()]
        self._lay_out()

    def _lay_out(self) -> None:
        sheet = named(QWidget(), look="panel")
        columns = self._sheet_row = QHBoxLayout(sheet)
        columns.setSpacing(_APART)
        self._columns = [QVBoxLayout() for _ in range(COLUMNS)]
        for column in self._columns:
            column.setSpacing(14)
            columns.addLayout(column)
        scroll = QScrollArea(self)
        scroll.setWidget(sheet)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        change = make_button(tr("Change keys …"), self._change, self, name="map_change", enters=False)
        top = make_row((self._search, 1), change)
        make_column(top, self._nothing, (scroll, 1), inside=self, spacing=10)

    def event(self, event: QEvent) -> bool:
        """Arranges as many columns as fit without cutting a name or a key."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest, QEvent.Type.Show):
            needed = max(area.needed_width for area in self._areas) + _APART
            self._arrange(min(max((self.width() - _AROUND + _APART) // needed, 1), COLUMNS))
        return super().event(event)

    def _arrange(self, count: int) -> None:
        if count == self._shown_columns:
            return
        self._shown_columns = count
        for number, column in enumerate(self._columns):
            while column.takeAt(0) is not None:
                pass
            self._sheet_row.setStretch(number, 1 if number < count else 0)
        for column, areas in zip(self._columns, _balanced(self._areas, count), strict=False):
            for area in areas:
                column.addWidget(area)
            column.addStretch(1)

    def _filter(self, query: str) -> None:
        count = sum(area.show_only(query.lower()) for area in self._areas)
        self._nothing.setText(tr('No key and no gesture is called "{text}".', text=query.strip()))
        self._nothing.setVisible(count == 0)

    def _change(self) -> None:
        self.accept()
        self.change_wanted.emit()


class _Area(QWidget):
    """A heading with its lines."""

    def __init__(self, title: str, lines: list[Line], appearance: Appearance) -> None:
        super().__init__()
        self.rows = len(lines) + _HEADING_ROWS
        heading = make_label(title, self, look="section")
        layout = make_column(heading, 4, inside=self, margins=0, spacing=0)
        self._lines = [(line, _LineWidget(line, appearance)) for line in lines]
        for _, widget in self._lines:
            layout.addWidget(widget)

    @property
    def needed_width(self) -> int:
        """The width that shows every line in full."""
        return max(widget.needed_width for _, widget in self._lines)

    def show_only(self, query: str) -> int:
        """Shows the lines with a text and returns their number."""
        count = 0
        for line, widget in self._lines:
            widget.setVisible(line.has(query))
            count += line.has(query)
        self.setVisible(count > 0)
        return count


class _LineWidget(QLabel):
    """One line with the name on the left and keys or words on the right."""

    def __init__(self, line: Line, appearance: Appearance) -> None:
        super().__init__(line.text, textFormat=Qt.TextFormat.PlainText)
        self._line, self._appearance = line, appearance
        said = ", ".join(line.keys) or line.mouse
        named(self, says=f"{line.text}: {said}", height=ROW_HEIGHT, font=font("ui", 12))
        appearance.changed.connect(self.update)

    def paintEvent(self, _: QPaintEvent) -> None:
        """Paints the name, then keys or words on the right."""
        theme = self._appearance.theme
        with QPainter(self) as painter:
            inked(painter, theme.color("text.primary"), font=self.font())
            room = self.width() - self._keys_width()
            name = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room)
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter, name)
            if self._line.mouse:
                inked(painter, theme.color("text.secondary"), font=self._small())
                place = self.rect().adjusted(self._name_width(), 0, 0, 0)
                text = painter.fontMetrics().elidedText(self._line.mouse, Qt.TextElideMode.ElideRight, place.width())
                painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
            right = float(self.width())
            for key in reversed(self._line.keys):
                right = draw_key_chip(painter, theme, key, right, self.height() / 2) - 5

    @property
    def needed_width(self) -> int:
        """The width that shows the line in full."""
        mouse = QFontMetrics(self._small()).horizontalAdvance(self._line.mouse)
        return self._name_width() + mouse + self._keys_width()

    def _name_width(self) -> int:
        return self.fontMetrics().horizontalAdvance(self.text()) + _BESIDE

    def _keys_width(self) -> int:
        return round(sum(key_chip_width(key) + 5 for key in self._line.keys))

    def _small(self) -> QFont:
        small = self.font()
        small.setPixelSize(small.pixelSize() - 1)
        return small


def _balanced(areas: Sequence[_Area], count: int) -> list[list[_Area]]:
    """Returns the areas in their order, in columns of about equal height."""
    share = sum(area.rows for area in areas) / count
    columns: list[list[_Area]] = [[] for _ in range(count)]
    height = 0.0
    for area in areas:
        columns[min(int((height + area.rows / 2) / share), count - 1)].append(area)
        height += area.rows
    return columns
