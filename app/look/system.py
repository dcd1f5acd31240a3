"""The system's accessibility settings: high contrast and reduced motion; neither if they are unknown."""

from __future__ import annotations

import functools
import subprocess
import sys
from collections.abc import Callable

from PySide6.QtGui import QGuiApplication

PATIENCE_SECONDS = 1.0
_QUESTIONS = {
    "linux": (("gsettings", "get", "org.gnome.desktop.interface", "enable-animations"), "false"),
    "darwin": (("defaults", "read", "com.apple.universalaccess", "reduceMotion"), "1"),
}
# SPI_GETCLIENTAREAANIMATION
_WINDOWS_ANIMATION = 0x1042


def wants_contrast() -> bool:
    """Returns whether the system asks for high contrast, which Qt reports from 6.10 on."""
    hints = QGuiApplication.styleHints()
    if not hasattr(hints, "accessibility"):
        return False
    return hints.accessibility().contrastPreference().name == "HighContrast"


def wants_less_motion(platform: str = sys.platform, ask: Callable[[tuple[str, ...]], str] | None = None) -> bool:
    """Returns whether the system asks for reduced motion; `ask` runs a command and returns its output."""
    if platform == "win32":
        return _windows_wants_less_motion()
    if platform not in _QUESTIONS:
        return False
    command, answer = _QUESTIONS[platform]
    return (ask or _answer)(command).strip() == answer


@functools.cache
def _answer(command: tuple[str, ...]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout


def _windows_wants_less_motion() -> bool:
    import ctypes

    windows = getattr(ctypes, "windll", None)
    has_animation = ctypes.c_int(1)
    if windows is not None:
        windows.user32.SystemParametersInfoW(_WINDOWS_ANIMATION, 0, ctypes.byref(has_animation), 0)
    return not has_animation.value
