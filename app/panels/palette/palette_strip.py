"""The closed palette, in the bar of the page tabs: a button that opens it, a search field and the last used blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QMimeData, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QDrag, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QToolButton, QWidget

from gradwire.app.base.settings import Settings
from gradwire.app.base.translation import tr
from gradwire.app.live.current_session import CurrentSession, SessionView
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.categories import color_token, icon_name
from gradwire.app.look.icons import draw_icon, icon
from gradwire.app.look.rows import draw_key_chip
from gradwire.app.look.theme import Theme
from gradwire.app.look.tips import literal_tip
from gradwire.app.look.widgets import make_row, named
from gradwire.app.panels.search.entries import MIME_TYPE
from gradwire.engine.graph.graph import Block
from gradwire.interop.search.block_search import placeable_types

KEY = "recent_blocks"
MOST = 6
# What a first start offers.
FIRST_BLOCKS = ("Input", "Exp", "ReduceMax", "StopGradient", "Divide", "Loss")
# Units: px at texts of 100 %.
CHIP_HEIGHT, SEARCH_WIDTH, GAP = 24, 180, 6


class BlocksButton(QToolButton):
    """The button at the left end of the bar that opens the palette."""

    def __init__(self, look: Appearance) -> None:
        super().__init__()
        self._look = look
        named(self, "open_palette", says=tr("Open the palette of blocks"), tip=tr("Open the palette of blocks"))
        self.setText(tr("Blocks"))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setIconSize(QSize(12, 12))
        self.setMinimumWidth(80)
        self.setFixedHeight(CHIP_HEIGHT)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        look.changed.connect(self._restyle)
        self._restyle(look.theme)

    def _restyle(self, theme: Theme) -> None:
        self.setIcon(icon(theme, "chev-right", "text.secondary", px=12))


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
        look.changed.connect(self._restyle)
        settings.changed.connect(self._take_setting)
        self._fill()
        current.changed.connect(self._take_graph)
        current.graph_changed.connect(self._take_graph)
        self._take_graph()

    @property
    def names(self) -> tuple[str, ...]:
        """The block types of the chips, from left to right."""
        return tuple(chip.type_name for chip in self._chips)

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
            self._row.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self._chips = [Chip(name, icon_name(known[name]), color_token(known[name]), self) for name in names]
        for chip in self._chips:
            chip.setToolTip(literal_tip(known[chip.type_name].summary))
            chip.clicked.connect(lambda _=False, name=chip.type_name: self.block_chosen.emit(name))
            self._row.addWidget(chip)
        self._restyle(self._look.theme)
        self.fit(self._room)

    def _ask_search(self) -> None:
        self.search_wanted.emit(self.search.mapToGlobal(QPoint(0, self.search.height() + 4)))

    def _restyle(self, theme: Theme) -> None:
        for chip in self._chips:
            chip.setIcon(icon(theme, chip.icon_name, chip.token, px=14))


def in_place(shown: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """Returns the wanted names; those that are shown keep their places, and new ones take the free places."""
    new = [name for name in wanted if name not in shown]
    kept = [name if name in wanted else new.pop(0) if new else "" for name in shown]
    return [name for name in [*kept, *new] if name]


class Chip(QToolButton):
    """A block type that is placed by a press and can be dragged onto the canvas."""

    def __init__(self, type_name: str, icon_name: str, token: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.type_name, self.icon_name, self.token = type_name, icon_name, token
        self._start = QPoint()
        named(self, f"chip_{type_name}", says=tr("Add {type}", type=type_name), look="framed")
        self.setText(type_name)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setIconSize(QSize(14, 14))
        self.setFixedHeight(CHIP_HEIGHT)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

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
            data.setData(MIME_TYPE, self.type_name.encode())
            drag.setMimeData(data)
            drag.setPixmap(self.grab())
            drag.exec(Qt.DropAction.CopyAction)


class _SearchButton(QToolButton):
    """A button that looks like a field, as its press opens a popup with the field itself."""

    def __init__(self, look: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._look, self._key = look, "Tab"
        named(self, "strip_search", says=tr("Search blocks"))
        self.setText(tr("Search blocks"))
        self.setFixedSize(SEARCH_WIDTH, CHIP_HEIGHT)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
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
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            is_marked = self.hasFocus() or self.underMouse()
            painter.setPen(QPen(theme.color("focus" if is_marked else "border.strong"), theme.line))
            painter.setBrush(theme.color("bg.sunken"))
            painter.drawRoundedRect(self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
            draw_icon(painter, "search", theme.color("text.secondary"), QRectF(9, middle - 7, 14, 14))
            painter.setFont(self.font())
            painter.setPen(theme.color("text.secondary"))
            painter.drawText(self.rect().adjusted(28, 0, -44, 0), Qt.AlignmentFlag.AlignVCenter, self.text())
            if self._key:
                draw_key_chip(painter, theme, self._key, self.width() - 7, middle)
