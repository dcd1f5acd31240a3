"""The folded panels, all at the first start but those that the user opens, and the sizes of the others."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMainWindow

from gradwire.app.base.settings import Settings
from gradwire.app.look.theme import size
from gradwire.app.panels.controls.docks import Dock
from gradwire.app.window import accessibility

KEY, SIZES_KEY = "open_panels", "panel_sizes"
NEED_WIDTH = frozenset(("inspector", "slice"))
SIDES = (Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea)


# How the bottom is shared between problems and slice. Units: px.
BOTTOM_SHARES = (640, 400)
# No screen has room for a larger panel. Units: px.
MOST = 10_000


class Folding(QObject):
    """The record of panels that the user opens; a wide window shows those again that a narrow one folded."""

    def __init__(self, docks: Mapping[str, Dock], settings: Settings, parent: QObject) -> None:
        super().__init__(parent)
        self._settings = settings
        self._opened = set(settings.text(KEY).split())
        self.is_narrow = False
        for name, dock in docks.items():
            dock.folded.connect(partial(self._note, name))

    def allows(self, name: str) -> bool:
        """Returns whether a panel may be shown beside the canvas."""
        return name in self._opened and not (self.is_narrow and name in NEED_WIDTH)

    def _note(self, name: str, is_folded: bool) -> None:
        if self.is_narrow and name in NEED_WIDTH:
            return
        self._opened = self._opened - {name} if is_folded else self._opened | {name}
        self._settings.set_text(KEY, " ".join(sorted(self._opened)))


class PanelSizes:
    """The sizes of the panels that are shown: the first ones, or those that the user gave them by their borders."""

    def __init__(self, docks: Mapping[str, Dock], settings: Settings, frame: QMainWindow) -> None:
        self._docks, self._settings, self._frame = docks, settings, frame
        for dock in docks.values():
            dock.sized.connect(self._note)

    def give(self) -> None:
        """Gives all shown panels their sizes: Qt mixes up those of panels that were hidden for a time."""
        given = {name: lengths for name, lengths in self._given().items() if self._is_placed(name)}
        at_side = {name for name in given if self._frame.dockWidgetArea(self._docks[name]) in SIDES}
        self._resize({name: height for name, (_, height) in given.items() if height}, Qt.Orientation.Vertical)
        # The sides last: they keep their widths where all together are wider than the window.
        for names in (given.keys() - at_side, at_side):
            self._resize({name: given[name][0] for name in names}, Qt.Orientation.Horizontal)

    def _resize(self, lengths: Mapping[str, int], way: Qt.Orientation) -> None:
        docks = [self._docks[name] for name in lengths]
        self._frame.resizeDocks(docks, [round(length * self._scale) for length in lengths.values()], way)

    def _note(self) -> None:
        """Keeps the sizes of all that is shown, because a border lies between two panels."""
        given = self._given()
        for name, dock in self._docks.items():
            if self._is_placed(name):
                is_at_side = self._frame.dockWidgetArea(dock) in SIDES
                given[name] = round(dock.width() / self._scale), 0 if is_at_side else round(dock.height() / self._scale)
        texts = (f"{name} {width} {height}" for name, (width, height) in given.items())
        self._settings.set_text(SIZES_KEY, "\n".join(texts))

    def _given(self) -> dict[str, tuple[int, int]]:
        """Returns width and height of each panel, 0 for the height that all panels of a side share.

        Units: px at texts of 100 %.
        """
        bottom = round(size("bottom"))
        given = {"palette": (round(size("palette")), 0), "inspector": (round(size("inspector")), 0)}
        given |= {"problems": (BOTTOM_SHARES[0], bottom), "slice": (BOTTOM_SHARES[1], bottom)}
        for name, *lengths in map(str.split, self._settings.text(SIZES_KEY).splitlines()):
            # Another program can have written anything there.
            if name in given and len(lengths) == 2 and all(map(str.isdecimal, lengths)):
                given[name] = min(int(lengths[0]), MOST), min(int(lengths[1]), MOST)
        return given

    @property
    def _scale(self) -> float:
        return accessibility.text_size(self._settings) / 100

    def _is_placed(self, name: str) -> bool:
        return not self._docks[name].isHidden() and not self._docks[name].isFloating()
