"""What lies at the foot of the page: the strip of a mode, or a panel that was opened over it; nothing otherwise."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from gradwire.app.base.signals import call_on
from gradwire.app.base.translation import tr
from gradwire.app.kit.controls.dismissing import dismiss
from gradwire.app.kit.controls.themed import themed
from gradwire.app.kit.feature import Feature
from gradwire.app.kit.lens.lens import Lens
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.readings.hidden import Hidden
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.icons import icon_pixmap
from gradwire.app.look.widgets import ThemedWidget, make_column, make_label, make_row, make_tool, named
from gradwire.app.shell.features import FEATURES
from gradwire.app.shell.window.grip import Grip

# The title of a panel, one line of content, and the most of all, at texts of 100 %. Units: px.
HEAD, LINE, MOST = 32, 40, 240
# No panel takes a larger share of the window's height.
SHARE = 0.31


class Bottom(ThemedWidget):
    """Shows one thing at a time: `mode` is the lens that belongs to the mode, `panel` the one that lies in its place.

    A panel is as high as its content, up to a bound. While gradients are hidden, a sentence covers each lens that would
    reveal them. A lens is made when it is opened, and goes when it is closed. `changed()` comes with
    another one shown.
    """

    changed = Signal()

    def __init__(self, current: CurrentSession, appearance: Appearance, panels: Mapping[str, QWidget]) -> None:
        """`panels` are there from the beginning, by the ids of their features."""
        super().__init__(appearance, name="bottom", look="panel", filled=True, own_sizes=True)
        self._current = current
        self.mode = self.panel = ""
        self._is_allowed = False
        self._why: Hidden | None = None
        self._panels, self._lenses = panels, dict[str, Lens]()
        self._head = _Head(appearance, self)
        close = make_tool(self.close_panel, self._head, name="leave_panel", words=tr("Close (Esc)"), size=(24, 24))
        self._head.row.addWidget(themed(close, appearance, "close", "text.tertiary"))
        self._cover = make_label("", self, name="lens_hidden", look="panel", wraps=True)
        self._cover.setContentsMargins(14, 8, 14, 8)
        self._body = make_column(self._head, self._cover, *panels.values(), inside=self, margins=0, spacing=0)
        for widget in (self._cover, *panels.values()):
            self._body.setStretchFactor(widget, 1)
        self._is_raised = False
        self._grip = Grip(appearance, self)
        self._grip.clicked.connect(lambda: self.raise_panel(not self._is_raised))
        self._grip.pulled.connect(self.raise_panel)
        current.results_changed.connect(self._take_results)
        call_on(self._show, current.changed, appearance.changed)
        appearance.texts_changed.connect(self.fit)
        self._show()

    @property
    def shown(self) -> str:
        """The id of what is shown, "" for nothing."""
        return self.panel or self.mode

    def lens(self, name: str) -> Lens | None:
        """Returns the lens of a feature, None unless it is open."""
        return self._lenses.get(name)

    @property
    def content(self) -> QWidget | None:
        """What is shown, without the head."""
        return self.lens(self.shown) or self._panels.get(self.shown)

    @property
    def _strip(self) -> QWidget | None:
        lens = self.lens(self.shown)
        return None if lens is None else lens.strip

    def raise_panel(self, is_raised: bool) -> None:
        """Shows or hides the panel below the strip of the mode."""
        self._is_raised = is_raised
        self._show()

    def show_mode(self, name: str) -> None:
        """Shows what belongs to a mode; "" for the mode that has nothing here."""
        self._is_raised = False
        self.mode, self.panel = name, ""
        self._open(name)

    def end_mode(self) -> None:
        """Ends the mode; a panel that lies in its place stays."""
        self.mode, self._is_raised = "", False
        self._open(self.panel)

    def open(self, name: str) -> None:
        """Shows the panel of a feature, in place of what the mode has here; or turns to the mode that it is."""
        if feature_of(name).is_mode:
            self.show_mode(name)
            return
        self.panel = name
        self._open(name)

    def close_panel(self) -> None:
        """Closes the panel; what the mode has here comes back."""
        if (focused := self.focusWidget()) is not None:
            # Where the keyboard was would hide, and Qt would give it to whatever stands next.
            focused.clearFocus()
        self.panel = ""
        self._open(self.mode)

    def forget(self, *_: object) -> None:
        """Closes all, as another document does."""
        self.show_mode("")

    def set_allowed(self, is_allowed: bool) -> None:
        """Lets what is open be seen, or hides it."""
        self._is_allowed = is_allowed
        self._show()
        self._refresh_shown()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # Qt's name
        """Closes the panel on Escape, if nothing in it has used the key."""
        if event.key() == Qt.Key.Key_Escape and self.panel:
            self.close_panel()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Takes the height of what stands here, which grows and shrinks."""
        is_done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.fit()
        return is_done

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keeps the grip in the middle of the upper edge."""
        super().resizeEvent(event)
        self._grip.move((self.width() - self._grip.width()) // 2, 0)

    def _open(self, name: str) -> None:
        for other in self._lenses.keys() - {self.mode, self.panel}:
            self._dismiss(self._lenses.pop(other))
        if name and name not in self._lenses and name not in self._panels:
            feature = feature_of(name)
            assert feature.lens is not None
            lens = self._lenses[name] = named(feature.lens(self._current, self._appearance), feature.command)
            self._body.addWidget(lens, 1)
            if lens.strip is not None:
                self._body.insertWidget(1, lens.strip)
            if lens.controls is not None:
                self._head.row.insertWidget(self._head.row.count() - 1, lens.controls)
        self._show()
        self._refresh_shown()
        self.changed.emit()

    def _refresh_shown(self) -> None:
        """Lets what has come into sight show the present: of a strip the lens does not hear that."""
        if (lens := self.lens(self.shown)) is not None:
            lens.refresh_soon()

    def _dismiss(self, lens: Lens) -> None:
        for widget, layout in ((lens.controls, self._head.row), (lens.strip, self._body), (lens, self._body)):
            if widget is not None:
                dismiss(widget, layout)

    def _reason(self) -> Hidden | None:
        """Returns why the present lens is covered, None if it is not."""
        lens, results = self.lens(self.shown), self._current.session.results
        tells = lens is not None and lens.tells_gradients
        return results.hidden if tells and results is not None else None

    def _take_results(self, _: object) -> None:
        """Covers or uncovers the lens; in a drag results come many times a second, and seldom change that."""
        if self._reason() is not self._why:
            self._show()

    def _show(self, *_: object) -> None:
        """Shows the present lens with its controls, or why it is covered."""
        shown, why = self.content, self._reason()
        self._why = why
        self._cover.setText("" if why is None else lens_hidden(why))
        strip, body = self._strip, shown if why is None and self._shows_body else None
        # First what goes: two at a time would ask for the room of both.
        for widget in (*self._lenses.values(), *self._panels.values()):
            if widget is not body:
                widget.hide()
        for lens in self._lenses.values():
            if lens.controls is not None:
                lens.controls.setVisible(lens is shown and why is None)
            if lens.strip is not None:
                lens.strip.setVisible(lens is shown)
        self._cover.setVisible(why is not None)
        if body is not None:
            body.show()
        self._grip.show_state(strip is not None, self._is_raised)
        self._head.setVisible(bool(self.shown) and strip is None)
        if self.shown:
            self._head.show_title(feature_of(self.shown))
        self.setVisible(bool(self.shown) and self._is_allowed)
        self.fit()

    @property
    def _shows_body(self) -> bool:
        return self._strip is None or self._is_raised

    def fit(self, *_: object) -> None:
        """Takes the height of what is shown, as far as the window leaves it."""
        if not self.shown:
            return
        scale, strip, lens = self._appearance.text_scale, self._strip, self.lens(self.shown)
        top = round((HEAD if lens is None or strip is None else lens.strip_height) * scale)
        (self._head if strip is None else strip).setFixedHeight(top)
        most = min(MOST * scale, SHARE * self.window().height())
        body = max(self._content_height(), LINE * scale) if self._shows_body else 0
        self.setFixedHeight(max(round(min(top + body, most)), top))

    def _content_height(self) -> int:
        shown = self._cover if not self._cover.isHidden() else self.content
        if shown is None:
            return 0
        return shown.heightForWidth(self.width()) if shown.hasHeightForWidth() else shown.sizeHint().height()


class _Head(ThemedWidget):
    """The title of a panel, beside it its controls and the button that closes it."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(appearance, parent, "panel_head", look="strip", filled=True)
        self._icon = QLabel(self)
        self._title = make_label(parent=self, name="panel_title", look="section")
        self.row: QHBoxLayout = make_row(self._icon, self._title, (None, 1), inside=self, margins=(12, 0, 6, 0))

    def show_title(self, feature: Feature) -> None:
        """Shows icon and name of a feature."""
        color = self._appearance.theme.css("text.secondary")
        self._icon.setPixmap(icon_pixmap(feature.icon, color, 14, self.devicePixelRatioF()))
        self._title.setText(feature.name)


def feature_of(name: str) -> Feature:
    """Returns the feature of an id."""
    return next(feature for feature in FEATURES if feature.id == name)


def lens_hidden(why: Hidden) -> str:
    """Returns the text in place of a lens that would show gradients of the whole graph."""
    return {
        Hidden.AHEAD: tr(
            "Not available until step mode has reached these gradients. Go to the last step, or leave step mode."
        ),
        Hidden.FORWARD: tr("Not available in forward steps, which show no gradients. Leave step mode to see them."),
    }[why]
