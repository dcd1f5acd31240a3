"""The switch for animations: none if the user or the system forbids them, or if there is no screen."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QVariantAnimation
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QStyle

_PROPERTY = "gradwire_moves"
_UNSEEN = ("offscreen", "minimal")


def moves() -> bool:
    """Returns whether a change of place may be animated."""
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        return False
    chosen = application.property(_PROPERTY)
    if isinstance(chosen, bool):
        return chosen
    is_seen = QGuiApplication.platformName() not in _UNSEEN
    return is_seen and application.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) > 0


def make_animation(parent: QObject, shows: Callable[[float], object], milliseconds: int = 0) -> QVariantAnimation:
    """Returns an animation that shows shares from 0 to 1 of a way. Units: milliseconds."""
    made = QVariantAnimation(parent, startValue=0.0, endValue=1.0, duration=milliseconds)
    made.valueChanged.connect(shows)
    return made


def set_moves(is_wanted: bool | None) -> None:
    """Allows or forbids animations in the whole program; None leaves the decision to the system."""
    application = QApplication.instance()
    if application is not None:
        application.setProperty(_PROPERTY, is_wanted)
