"""The check for a display: without one, Qt would end the process."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Mapping

from gradwire.app.start.qt_libraries import ROWS, missing_library_sentence


def missing_display(environment: Mapping[str, str] = os.environ) -> str:
    """Returns a sentence that explains why no window can be shown; "" if one can."""
    if sys.platform in ("win32", "darwin") or environment.get("QT_QPA_PLATFORM"):
        return ""
    if _wayland_answers(environment):
        return ""
    if not environment.get("DISPLAY"):
        return "There is no display (DISPLAY is not set)."
    if not _x11_answers():
        return f"The display {environment['DISPLAY']} does not answer."
    return ""


def missing_x11_library() -> str:
    """Returns a sentence about a missing library for windows on X11, with the command that installs it; else "".

    Qt's plug-in for X11 ends the process if it cannot load one.
    """
    for row in ROWS:
        try:
            ctypes.CDLL(row.library)
        except OSError as error:
            return missing_library_sentence(ImportError(str(error)))
    return ""


def needs_x11(environment: Mapping[str, str] = os.environ) -> bool:
    """Returns whether a window would be shown through X11."""
    platform = environment.get("QT_QPA_PLATFORM", "")
    if sys.platform in ("win32", "darwin"):
        return False
    return platform == "xcb" or (not platform and not _wayland_answers(environment))


def _wayland_answers(environment: Mapping[str, str]) -> bool:
    name, folder = environment.get("WAYLAND_DISPLAY"), environment.get("XDG_RUNTIME_DIR")
    return bool(name and folder) and os.path.exists(os.path.join(folder or "", name or ""))


def _x11_answers() -> bool:
    try:
        library = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return False
    library.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(library.xcb_connect(None, None))
    failed = library.xcb_connection_has_error(connection)
    library.xcb_disconnect(connection)
    return not failed
