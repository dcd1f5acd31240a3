"""The folded panels, all in a new document but those that the user opens, and the sizes of the others."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMainWindow

from gradwire.app.base.settings import Settings
from gradwire.app.kit.controls.docks import Dock
from gradwire.app.look.theme import size
from gradwire.app.shell.window import accessibility

SIZES_KEY = "panel_sizes"
NEED_WIDTH = frozenset(("inspector", "slice"))
SIDES = (Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea)
# How the bottom is shared between problems and slice. Units: px.
BOTTOM_SHARES = (640, 400)
# No screen has room for a panel whose size has more digits. Units: px.
DIGITS = 5


class Folding(QObject):
    """The record of panels that the user opens; a wide window shows those again that a narrow one folded.

    `crowded_out` names the panel that has no room beside another one at present, "" if all have.
    """

    def __init__(self, docks: Mapping[str, Dock], parent: QObject) -> None:
        super().__init__(parent)
        self._opened = set[str]()
        self.is_narrow, self.crowded_out = False, ""
        for name, dock in docks.items():
            dock.folded.connect(partial(self._note, name))

    def allows(self, name: str) -> bool:
        """Returns whether a panel may be shown beside the canvas."""
        is_cut = self.is_narrow and name in NEED_WIDTH
        return name in self._opened and not is_cut and name != self.crowded_out

    def forget(self, *_: object) -> None:
        """Lets all panels be folded."""
        self._opened, self.crowded_out = set(), ""

    def _note(self, name: str, is_folded: bool) -> None:
        if self.is_narrow and name in NEED_WIDTH:
            return
        self._opened = self._opened - {name} if is_folded else self._opened | {name}


class PanelSizes:
    """The sizes of the panels that are shown: the first ones, or those that the user gave them by their borders."""

    def __init__(self, docks: Mapping[str, Dock], settings: Settings, frame: QMainWindow) -> None:
        self._docks, self._settings, self._frame = docks, settings, frame
        for dock in docks.values():
            dock.sized.connect(self._note)

    def give(self) -> None:
        """Gives all shown panels their sizes: Qt mixes up those of panels that were hidden for a time."""
        given, placed = self._given(), self._placed()
        heights = {name: given[name][1] for name in placed if given[name][1]}
        self._resize(heights, Qt.Orientation.Vertical)
        # The sides last: they keep their widths where all together are wider than the window.
        for at_side in (False, True):
            widths = {name: given[name][0] for name, is_there in placed.items() if is_there == at_side}
            self._resize(widths, Qt.Orientation.Horizontal)

    def _resize(self, lengths: Mapping[str, int], way: Qt.Orientation) -> None:
        docks = [self._docks[name] for name in lengths]
        self._frame.resizeDocks(docks, [round(length * self._scale) for length in lengths.values()], way)

    def _note(self) -> None:
        """Keeps the sizes of all that is shown, because a border lies between two panels."""
        given, placed = self._given(), self._placed()
        # Alone in its row, a panel has a width that nobody gave it.
        is_shared = list(placed.values()).count(False) > 1
        for name, is_at_side in placed.items():
            width, height = (round(length / self._scale) for length in self._docks[name].size().toTuple())
            given[name] = width if is_at_side or is_shared else given[name][0], 0 if is_at_side else height
        texts = (f"{name} {width} {height}" for name, (width, height) in given.items())
        self._settings.set_text(SIZES_KEY, "\n".join(texts))

    def _given(self) -> dict[str, tuple[int, int]]:
        """Returns width and height of each panel, 0 for the height that all panels of a side share.

        Units: px at texts of 100 %.
        """
        bottom = round(size("bottom"))
        given = {"inspector": (round(size("inspector")), 0)}
        given |= {"problems": (BOTTOM_SHARES[0], bottom), "slice": (BOTTOM_SHARES[1], bottom)}
        for name, *lengths in map(str.split, self._settings.text(SIZES_KEY).splitlines()):
            # Another program can have written anything there.
            if name in given and len(lengths) == 2 and all(map(_is_length, lengths)):
                given[name] = int(lengths[0]), int(lengths[1])
        return given

    @property
    def _scale(self) -> float:
        return accessibility.text_size(self._settings) / 100

    def _placed(self) -> dict[str, bool]:
        """Returns for each panel that is shown in the window whether it stands at a side."""
        shown = {name: dock for name, dock in self._docks.items() if not dock.isHidden() and not dock.isFloating()}
        return {name: self._frame.dockWidgetArea(dock) in SIDES for name, dock in shown.items()}


def _is_length(text: str) -> bool:
    return text.isdecimal() and len(text) <= DIGITS
