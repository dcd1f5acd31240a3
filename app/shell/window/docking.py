"""The panels around the canvas: where they stand, how large they are at first, and how the keyboard goes round."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow, QStyle, QWidget

from gradwire.app.base.settings import Settings
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.input.navigation import go_to_path
from gradwire.app.features.inspector.inspector import Inspector
from gradwire.app.features.inspector.inspector_overlay import InspectorOverlay
from gradwire.app.features.problems.problems import ProblemsPanel
from gradwire.app.features.slice.slice_view import SliceView
from gradwire.app.kit.controls.docks import Dock
from gradwire.app.kit.lens.lens import Lens
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import size
from gradwire.app.shell.features import FEATURES, INSPECTOR, PROBLEMS, SLICE
from gradwire.app.shell.lenses.tabs import LensTabs
from gradwire.app.shell.window.folding import SIDES, Folding, PanelSizes
from gradwire.app.shell.window.viewing import Viewing
from gradwire.engine.autodiff.expand import Link

# The panels that share the bottom.
BOTTOM = (PROBLEMS.id, SLICE.id)


class Panels(NamedTuple):
    """The widgets in the frames around a canvas."""

    inspector: Inspector
    problems: ProblemsPanel
    slice: SliceView

    @classmethod
    def of(cls, current: CurrentSession, look: Appearance, settings: Settings) -> Panels:
        """Makes the panels that show a document."""
        inspector = Inspector(current, look, FEATURES)
        return cls(inspector, ProblemsPanel(current, look, settings), SliceView(current, look))


class Docking:
    """Stands the `panels` of a window around its canvas; `docks` are their frames by name.

    While the inspector has no dock, it lies over the canvas in `overlay`.
    """

    def __init__(
        self,
        frame: QMainWindow,
        canvas: Canvas,
        viewing: Viewing,
        look: Appearance,
        settings: Settings,
        carry_out: Callable[[str], None],
        over: QWidget,
    ) -> None:
        """`carry_out` runs the command of an id, `over` is the widget that holds the canvas."""
        self.panels = panels = Panels.of(canvas.current, look, settings)
        self._frame, self._canvas, self._viewing = frame, canvas, viewing
        self._carry_out = carry_out
        self._bars: list[QWidget] = []
        self.lenses = LensTabs(canvas.current, look, panels.problems)
        self.docks = {
            "inspector": Dock(INSPECTOR.id, INSPECTOR.name, panels.inspector, look, frame),
            "problems": Dock(PROBLEMS.id, PROBLEMS.name, self.lenses.stack, look, frame, header=self.lenses),
            "slice": Dock(SLICE.id, SLICE.name, panels.slice, look, frame, SLICE.icon),
        }
        self.overlay = InspectorOverlay(panels.inspector, canvas, look, over)
        self.folding = Folding(self.docks, frame)
        self.sizes = PanelSizes(self.docks, settings, frame)
        self._are_shown = self._closes_with_mode = False
        self._place()
        panels.inspector.setMinimumWidth(int(size("inspector.min")))
        self.lenses.stack.setMinimumHeight(int(size("bottom.min")) - 32)
        panels.problems.listed.connect(self._count_problems)
        self._count_problems(panels.problems.places)
        panels.problems.lens_chosen.connect(self.show_lens)
        panels.inspector.command_chosen.connect(carry_out)
        canvas.page_actions.setting_requested.connect(self.edit_parameter)
        self.lenses.opened.connect(self._welcome_lens)
        self._connect_strips()

    def _connect_strips(self) -> None:
        """Lets each panel take the place of what stands there while it is folded, and the other way round."""
        for name, dock in self.docks.items():
            dock.folded.connect(partial(self._take_folding, name))
            dock.least_changed.connect(self.make_room)
        self.overlay.pin_wanted.connect(partial(self.docks["inspector"].set_folded, False))
        self.lenses.changed.connect(self.make_room)

    def add_stop(self, bar: QWidget) -> None:
        """Lets the keyboard go round to a bar too, after the panels."""
        self._bars.append(bar)

    def _place(self) -> None:
        frame, areas = self._frame, Qt.DockWidgetArea
        frame.addDockWidget(areas.RightDockWidgetArea, self.docks["inspector"])
        frame.addDockWidget(areas.BottomDockWidgetArea, self.docks["problems"])
        frame.splitDockWidget(self.docks["problems"], self.docks["slice"], Qt.Orientation.Horizontal)
        frame.setCorner(Qt.Corner.BottomRightCorner, areas.RightDockWidgetArea)

    def open_lens(self, name: str) -> None:
        """Unfolds the bottom of the window and shows a lens there; the keyboard stays where it is."""
        self.docks["problems"].set_folded(False)
        self.lenses.open(name)

    @property
    def shown_lens(self) -> str:
        """The id of what the bottom shows, "" while it is closed."""
        return "" if self.docks["problems"].isHidden() else self.lenses.current

    def close_bottom(self) -> None:
        """Folds the bottom of the window."""
        self.docks["problems"].set_folded(True)

    def follow_mode(self, name: str, is_on: bool) -> None:
        """Opens the lens of a mode with it; with the mode the bottom closes again, if it was closed before."""
        dock = self.docks["problems"]
        if is_on:
            self._closes_with_mode |= dock.isHidden()
            self.open_lens(name)
        elif self._closes_with_mode and self.lenses.current == name:
            dock.set_folded(True)
        self._closes_with_mode &= is_on

    def show_lens(self, name: str) -> None:
        """Unfolds the bottom of the window and shows a lens there, with the keyboard on it."""
        self.open_lens(name)
        shown = self.lenses.stack.currentWidget()
        if shown is not None:
            _first_to_focus(shown).setFocus(Qt.FocusReason.ShortcutFocusReason)

    def open_panel(self, name: str) -> None:
        """Opens the panel or the lens of a feature, by its id."""
        ways = {INSPECTOR.id: self.open_inspector, SLICE.id: self.show_slice}
        ways.get(name, partial(self.show_lens, name))()

    def show_slice(self) -> None:
        """Unfolds the slice of the loss and moves the keyboard there."""
        self.docks["slice"].set_folded(False)
        self.panels.slice.plot.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show_why(self) -> None:
        """Opens the inspector and shows there why a gradient is as it is, with the keyboard on it."""
        self.open_inspector()
        self.panels.inspector.show_why()

    def _count_problems(self, places: tuple[str, ...]) -> None:
        """All are counted beside the tab, those of a page in the inspector."""
        self.lenses.set_count(len(places))
        self.panels.inspector.count_problems(places)

    def run_part(self, name: str) -> None:
        """Opens the inspector and runs there the part of a feature."""
        self.open_inspector()
        self.panels.inspector.run_part(name)

    def edit_parameter(self, name: str) -> None:
        """Opens the inspector, with the keyboard on a parameter of the selected block."""
        self.open_inspector()
        self.panels.inspector.edit_parameter(name)

    def _welcome_lens(self, lens: Lens) -> None:
        lens.place_chosen.connect(self._viewing.go_to)
        lens.wire_chosen.connect(self._viewing.go_to_wire)
        lens.command_chosen.connect(self._carry_out)
        lens.path_lit.connect(self._viewing.spotlight.show_path)
        lens.path_chosen.connect(self._go_to_path)

    def _go_to_path(self, path: str, links: Sequence[Link]) -> None:
        self._viewing.history.jump(lambda: go_to_path(self._canvas, path, links))

    # Panels and what stands in their place

    def show(self, are_shown: bool) -> None:
        """Shows the panels that are not folded and what stands in place of the others, or none of them."""
        self._are_shown = are_shown
        self._hold_inspector()
        for name, dock in self.docks.items():
            dock.setVisible(are_shown and self.folding.allows(name))
        self.sizes.give()
        self.make_room()

    def make_room(self, newest: str = "") -> None:
        """Closes one of the two panels at the bottom as long as they have no room beside each other.

        Qt would lay one over the other. The one that was opened last stays.
        """
        crowded = self.folding.crowded_out
        there = {name for name in BOTTOM if name == crowded or not self.docks[name].isHidden()}
        kept = newest or (SLICE.id if crowded == PROBLEMS.id else PROBLEMS.id)
        self.folding.crowded_out = next(iter(there - {kept}), "") if there == set(BOTTOM) and self._is_crowded() else ""
        if self.folding.crowded_out != crowded:
            for name in there:
                self.docks[name].setVisible(self._are_shown and name != self.folding.crowded_out)
            self.sizes.give()

    def _is_crowded(self) -> bool:
        """Returns whether the panels at the bottom are side by side, and need more than the window has."""
        frame, bottom = self._frame, [self.docks[name] for name in BOTTOM]
        areas = {frame.dockWidgetArea(dock) for dock in bottom}
        if areas != {Qt.DockWidgetArea.BottomDockWidgetArea} or any(dock.isFloating() for dock in bottom):
            return False
        if frame.tabifiedDockWidgets(bottom[0]):
            return False
        line = frame.style().pixelMetric(QStyle.PixelMetric.PM_DockWidgetSeparatorExtent, None, frame)
        needed = sum(dock.minimumSizeHint().width() for dock in bottom) + line
        shown = [dock for dock in self.docks.values() if not dock.isHidden() and not dock.isFloating()]
        for side in SIDES:
            widths = [dock.minimumSizeHint().width() + line for dock in shown if frame.dockWidgetArea(dock) is side]
            needed += max(widths, default=0)
        return needed > frame.width()

    def _hold_inspector(self) -> None:
        """Puts the inspector into its dock while it is pinned, else over the canvas."""
        if self.folding.allows("inspector"):
            self.overlay.set_allowed(False)
            self.docks["inspector"].setWidget(self.panels.inspector)
            self.panels.inspector.show()
        else:
            self.overlay.set_allowed(self._are_shown)

    def open_inspector(self) -> None:
        """Opens the inspector over the canvas; pinned it is there already."""
        if not self.folding.allows("inspector"):
            self.overlay.open()

    def _take_folding(self, name: str, is_folded: bool) -> None:
        dock = self.docks[name]
        if name == "inspector":
            self._hold_inspector()
            dock.setVisible(self.folding.allows(name))
        dock.setVisible(self._are_shown and not dock.isHidden())
        self.sizes.give()
        if not is_folded:
            # Panels that the user has put onto each other are tabs.
            dock.raise_()
        self.make_room(name if name in BOTTOM and not is_folded else "")
        if name == "inspector" and not is_folded:
            self.open_inspector()

    def focus_next(self, step: int) -> None:
        """Moves the keyboard to the next of canvas, inspector, bottom, slice and the bars."""
        panels = self.panels
        parts: Sequence[QWidget] = (
            self._canvas, panels.inspector, self.lenses.stack, panels.slice, *self._bars,
        )  # fmt: skip
        shown = [part for part in parts if part.isVisible()]
        if not shown:
            return
        focused = self._frame.focusWidget()
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
