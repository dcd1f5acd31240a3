"""The panels around the canvas: where they stand, how large they are at first, and how the keyboard goes round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.comparing import Comparing
from app.folding import Folding
from app.lenses.lens import Lens
from app.lenses.tabs import LensTabs
from app.live.session import Session
from app.look.theme import size
from app.navigation import go_to_way
from app.panels.docks import Dock, FoldedStrip
from app.words import tr
from engine.expand import Link

if TYPE_CHECKING:
    from app.main_window import MainWindow

LENSES_KEY = "lenses"
# How the bottom is shared between problems and slice. Units: px.
BOTTOM_SHARES = (640, 400)


class Docking:
    """Stands the panels of a window around its canvas; `docks` are their frames by name."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        look = window.appearance
        self.lenses = LensTabs(window.session, look, window.problems)
        self.docks = {
            "palette": Dock("blocks", tr("Blocks"), window.palette_panel, look, window),
            "inspector": Dock("inspector", tr("Inspector"), window.inspector, look, window),
            "problems": Dock("problems", tr("Problems"), self.lenses.stack, look, window, header=self.lenses),
            "slice": Dock("slice", tr("Slice"), window.slice, look, window, "monitor"),
        }
        self.folding = Folding(self.docks, window.settings, window)
        self._place()
        window.palette_panel.setMinimumWidth(int(size("palette.min")))
        window.inspector.setMinimumWidth(int(size("inspector.min")))
        self.lenses.stack.setMinimumHeight(int(size("bottom.min")) - 32)
        window.problems.listed.connect(self._count_problems)
        self._count_problems(window.problems.places)
        window.status.checks_clicked.connect(lambda: self.show_lens("checks"))
        window.problems.fix_chosen.connect(window.editor.carry_out)
        window.problems.plugins_wanted.connect(window.dialogs.show_plugins)
        window.problems.lens_chosen.connect(self.show_lens)
        window.inspector.command_chosen.connect(self._carry_out)
        window.inspector.fix_chosen.connect(window.editor.mend)
        window.canvas.setting_requested.connect(self.edit_parameter)
        self.comparing: Comparing = Comparing(window, self.show_lens, lambda: self.lenses.lens("compare"))
        self.lenses.opened.connect(self._welcome_lens)
        self.lenses.restore(window.settings.text(LENSES_KEY).split())
        self.lenses.changed.connect(self._remember_lenses)
        self._strip = FoldedStrip(self.docks["inspector"], look, window)
        window.addToolBar(Qt.ToolBarArea.RightToolBarArea, self._strip)

    def _place(self) -> None:
        window, areas = self._window, Qt.DockWidgetArea
        window.addDockWidget(areas.LeftDockWidgetArea, self.docks["palette"])
        window.addDockWidget(areas.RightDockWidgetArea, self.docks["inspector"])
        window.addDockWidget(areas.BottomDockWidgetArea, self.docks["problems"])
        window.splitDockWidget(self.docks["problems"], self.docks["slice"], Qt.Orientation.Horizontal)
        window.setCorner(Qt.Corner.BottomLeftCorner, areas.LeftDockWidgetArea)
        window.setCorner(Qt.Corner.BottomRightCorner, areas.RightDockWidgetArea)

    def give_sizes(self, scale: float = 1.0) -> None:
        """Makes the panels as large as they are at first, or wider or narrower for texts of another size."""
        sides, widths = [self.docks["palette"], self.docks["inspector"]], [size("palette"), size("inspector")]
        self._window.resizeDocks(sides, [round(width * scale) for width in widths], Qt.Orientation.Horizontal)
        bottom = [self.docks["problems"], self.docks["slice"]]
        shares = [round(share * scale) for share in BOTTOM_SHARES]
        self._window.resizeDocks(bottom, shares, Qt.Orientation.Horizontal)
        self._window.resizeDocks(bottom, [int(size("bottom"))] * 2, Qt.Orientation.Vertical)

    def set_session(self, session: Session) -> None:
        """Shows another document in all panels that follow one."""
        for panel in (self._window.inspector, self._window.problems, self.lenses, self._window.slice):
            panel.set_session(session)

    def show_lens(self, name: str) -> None:
        """Unfolds the bottom of the window and shows a lens there, with the keyboard on it."""
        self.docks["problems"].set_folded(False)
        self.lenses.open(name)
        shown = self.lenses.stack.currentWidget()
        if shown is not None:
            _first_to_focus(shown).setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show_why(self) -> None:
        """Unfolds the inspector and shows there why a gradient is as it is, with the keyboard on it."""
        self.docks["inspector"].set_folded(False)
        self._window.inspector.show_why()

    def _count_problems(self, places: tuple[str, ...]) -> None:
        """All are counted beside the tab, those of a page in the inspector."""
        self.lenses.set_count(len(places))
        self._window.inspector.count_problems(places)

    def check_gradient(self) -> None:
        """Unfolds the inspector and shows there how a gradient stands to central differences."""
        self.docks["inspector"].set_folded(False)
        self._window.inspector.check_gradient()

    def edit_parameter(self, name: str) -> None:
        """Unfolds the inspector, with the keyboard on a parameter of the selected block."""
        self.docks["inspector"].set_folded(False)
        self._window.inspector.edit_parameter(name)

    def _welcome_lens(self, lens: Lens) -> None:
        lens.place_chosen.connect(self._window.go_to)
        lens.wire_chosen.connect(self._window.go_to_wire)
        lens.command_chosen.connect(self._carry_out)
        lens.path_lit.connect(self._light)
        lens.way_chosen.connect(self._go_way)

    def _carry_out(self, command: str) -> None:
        self._window.actions_by_id[command].trigger()

    def _go_way(self, path: str, links: Sequence[Link]) -> None:
        self._window.viewing.places.jump(lambda: go_to_way(self._window.canvas, path, links))

    def _light(self, blocks: Sequence[str], links: Sequence[Link]) -> None:
        self._window.viewing.spotlight.show_path(blocks, links)

    def _remember_lenses(self) -> None:
        self._window.settings.set_text(LENSES_KEY, " ".join(self.lenses.names))

    def show(self, are_shown: bool) -> None:
        """Shows the panels that are not folded, or none."""
        for name, dock in self.docks.items():
            dock.setVisible(are_shown and self.folding.allows(name))
        self._strip.setVisible(are_shown and self.folding.is_narrow)

    def focus_next(self, step: int) -> None:
        """Moves the keyboard to the next of canvas, palette, inspector, bottom, slice and toolbar."""
        window = self._window
        parts: Sequence[QWidget] = (
            window.canvas, window.palette_panel, window.inspector, self.lenses.stack, window.slice, window.toolbar,
        )  # fmt: skip
        shown = [part for part in parts if part.isVisible()]
        if not shown:
            return
        focused = window.focusWidget()
        holding = [row for row, part in enumerate(shown) if focused and (part is focused or part.isAncestorOf(focused))]
        target = shown[((holding[0] if holding else -1) + step) % len(shown)]
        _first_to_focus(target).setFocus(Qt.FocusReason.TabFocusReason)


def _first_to_focus(widget: QWidget) -> QWidget:
    """The widget itself if the keyboard can go there, else what is the first in it where it can."""
    if widget.focusPolicy() is not Qt.FocusPolicy.NoFocus:
        return widget
    return next((child for child in widget.findChildren(QWidget) if _takes_focus(child)), widget)


def _takes_focus(widget: QWidget) -> bool:
    return widget.isVisible() and widget.isEnabled() and bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
