"""The closed palette, in the bar of the page tabs: a button that opens it, a search field and the last used blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QMimeData, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QDrag, QMouseEvent, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QToolButton, QWidget

from gradwire.app.base.settings import Settings
from gradwire.app.base.translation import tr
from gradwire.app.kit.controls.dismissing import dismiss
from gradwire.app.kit.controls.themed import themed
from gradwire.app.kit.search.block_entries import offer_entry
from gradwire.app.kit.search.entries import MIME_TYPE, Entry
from gradwire.app.live.current_session import CurrentSession, SessionView
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import inked, smooth
from gradwire.app.look.icons import draw_icon
from gradwire.app.look.rows import draw_key_chip
from gradwire.app.look.tips import literal_tip
from gradwire.app.look.widgets import add_items, make_row, named
from gradwire.engine.graph.graph import Block
from gradwire.interop.search.block_search import placeable_types

KEY = "recent_blocks"
MOST = 6
# What a first start offers.
FIRST_BLOCKS = ("Input", "Exp", "ReduceMax", "StopGradient", "Divide", "Loss")
# Units: px at texts of 100 %.
CHIP_HEIGHT, SEARCH_WIDTH, GAP = 24, 180, 6


class _BarButton(QToolButton):
    """A button of the bar, with an icon of a colour beside its text."""

    def __init__(self, look: Appearance, text: str, name: str, token: str, px: int, parent: QWidget | None) -> None:
        super().__init__(parent, toolButtonStyle=Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        named(self, height=CHIP_HEIGHT, focus=Qt.FocusPolicy.TabFocus).setText(text)
        themed(self, look, name, token, px).setIconSize(QSize(px, px))


class BlocksButton(_BarButton):
    """The button at the left end of the bar that opens the palette."""

    def __init__(self, look: Appearance) -> None:
        super().__init__(look, tr("Blocks"), "chev-right", "text.secondary", 12, None)
        named(self, "open_palette", words=tr("Open the palette of blocks")).setMinimumWidth(80)


class PaletteStrip(SessionView, QWidget):
    """A field that opens the search, and the last used blocks as chips, which are pressed or dragged.

    `search_wanted(QPoint)` carries the point of the screen below the field, `block_chosen(str)` a block type's name.
    """

    search_wanted = Signal(QPoint)
    block_chosen = Signal(str)

    def __init__(self, current: CurrentSession, look: Appearance, settings: Settings) -> None:
        super().__init__()
        self._look, self._settings, self.current = look, settings, current
        self._blocks: Mapping[str, Block] = {}
        self._page: tuple[Session, str] = (self.session, "")
        self._room = 0
        self._chips: list[Chip] = []
        self.setObjectName("palette_strip")
        self.search = _SearchButton(look, self)
        self.search.clicked.connect(self._ask_search)
        self._row = make_row(self.search, inside=self, margins=(0, 0, 14, 0), spacing=GAP)
        settings.changed.connect(self._take_setting)
        self._fill()
        current.changed.connect(self._take_graph)
        current.graph_changed.connect(self._take_graph)
        self._take_graph()

    @property
    def names(self) -> tuple[str, ...]:
        """The block types of the chips, from left to right."""
        return tuple(chip.entry.block for chip in self._chips)

    def show_key(self, key: str) -> None:
        """Shows the key that opens the search over the canvas."""
        self.search.set_key(key)

    def minimumSizeHint(self) -> QSize:
        """Returns no width: what does not fit is hidden, and the panels beside the canvas keep their own."""
        return QSize(0, super().minimumSizeHint().height())

    def fit(self, room: int) -> None:
        """Shows as many chips, and then the field, as fit into a width; tabs come first.

        Units: px.
        """
        self._room = room
        used = self._row.contentsMargins().right() + self.search.sizeHint().width()
        self.search.setVisible(used <= room)
        for chip in self._chips:
            used += GAP + chip.sizeHint().width()
            chip.setVisible(used <= room)

    def _take_graph(self) -> None:
        """Notes the type of a block that has been added alone, as by the palette; not pastes and whole pages."""
        page, blocks = (self.session, self.session.page_name), self.session.page.blocks
        if page == self._page and len(blocks) == len(self._blocks) + 1:
            added = blocks.keys() - self._blocks.keys()
            if len(added) == 1:
                self._note(blocks[added.pop()].type)
        self._page, self._blocks = page, blocks

    def _note(self, name: str) -> None:
        recent = [name, *(other for other in self._settings.text(KEY).split() if other != name)]
        self._settings.set_text(KEY, " ".join(recent[:MOST]))

    def _take_setting(self, key: str) -> None:
        if key == KEY:
            self._fill()

    def _fill(self) -> None:
        """Shows the last used blocks; one that is shown already keeps its place."""
        known = {item.name: item for item in placeable_types()}
        recent = dict.fromkeys([*self._settings.text(KEY).split(), *FIRST_BLOCKS])
        wanted = [name for name in recent if name in known][:MOST]
        names = in_place(self.names, wanted)
        if names == list(self.names):
            return
        for chip in self._chips:
            dismiss(chip, self._row)
        entries = [offer_entry(known[name], partial(self.block_chosen.emit, name)) for name in names]
        self._chips = [Chip(entry, self._look, self) for entry in entries]
        add_items(self._row, *self._chips)
        self.fit(self._room)

    def _ask_search(self) -> None:
        self.search_wanted.emit(self.search.mapToGlobal(QPoint(0, self.search.height() + 4)))


def in_place(shown: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """Returns the wanted names; those that are shown keep their places, and new ones take the free places."""
    new = [name for name in wanted if name not in shown]
    kept = [name if name in wanted else new.pop(0) if new else "" for name in shown]
    return [name for name in [*kept, *new] if name]


class Chip(_BarButton):
    """A block type that is placed by a press and can be dragged onto the canvas."""

    def __init__(self, entry: Entry, look: Appearance, parent: QWidget) -> None:
        super().__init__(look, entry.text, entry.icon, entry.token, 14, parent)
        self.entry, self._start = entry, QPoint()
        tip = literal_tip(entry.tip)
        named(self, f"chip_{entry.block}", says=tr("Add {type}", type=entry.text), tip=tip, look="framed")
        self.clicked.connect(entry.call)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Notes where a drag would begin."""
        self._start = event.position().toPoint()
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Begins to drag the block type, as a row of the palette does."""
        way = event.position().toPoint() - self._start
        if event.buttons() & Qt.MouseButton.LeftButton and way.manhattanLength() >= QApplication.startDragDistance():
            self.setDown(False)
            drag, data = QDrag(self), QMimeData()
            data.setData(MIME_TYPE, self.entry.block.encode())
            drag.setMimeData(data)
            drag.setPixmap(self.grab())
            drag.exec(Qt.DropAction.CopyAction)


class _SearchButton(QToolButton):
    """A button that looks like a field, as its press opens a popup with the field itself."""

    def __init__(self, look: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._look, self._key = look, "Tab"
        size, focus = (SEARCH_WIDTH, CHIP_HEIGHT), Qt.FocusPolicy.TabFocus
        named(self, "strip_search", says=tr("Search blocks"), size=size, focus=focus).setText(tr("Search blocks"))
        look.changed.connect(self.update)

    def set_key(self, key: str) -> None:
        """Shows a key at the right end; "" shows none."""
        self._key = key
        self.update()

    def sizeHint(self) -> QSize:
        """Returns the fixed size."""
        return self.minimumSize()

    def paintEvent(self, _: QPaintEvent) -> None:
        """Paints a field with a magnifying glass, the hint and the key."""
        theme, middle = self._look.theme, self.height() / 2
        with smooth(self) as painter:
            is_marked = self.hasFocus() or self.underMouse()
            edge = QPen(theme.color("focus" if is_marked else "border.strong"), theme.line)
            box = self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5)
            inked(painter, edge, theme.color("bg.sunken")).drawRoundedRect(box, 6, 6)
            draw_icon(painter, "search", theme.color("text.secondary"), QRectF(9, middle - 7, 14, 14))
            inked(painter, theme.color("text.secondary"), font=self.font())
            painter.drawText(self.rect().adjusted(28, 0, -44, 0), Qt.AlignmentFlag.AlignVCenter, self.text())
            if self._key:
                draw_key_chip(painter, theme, self._key, self.width() - 7, middle)
