"""The start of the window; without a display or Qt it shows a graph as table and picture.

This module imports nothing that needs NumPy, because the window is painted first.
"""

from __future__ import annotations

import builtins
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType

from gradwire.app.base.terminal import say
from gradwire.app.start.display import missing_display, missing_x11_library, needs_x11
from gradwire.app.start.mistakes import listen, note
from gradwire.app.start.qt_libraries import missing_library_sentence
from gradwire.app.start.wanted import SAFE, UNREADABLE
from gradwire.engine.base.untrusted_text import plain

FIRST_EXAMPLE = "softmax_stable"


def open_files(arguments: Sequence[str], print_table: Callable[[Path], int]) -> int:
    """Starts the window with a file, if one is named, and one more for each further file; see `start`."""
    is_safe = list(arguments[:1]) == [SAFE]
    option = next((item for item in arguments[is_safe:] if item.startswith("-")), None)
    if option is not None:
        sentence = f"there is no option {plain(option)} after a file; gradwire --help explains the commands"
        say(f"gradwire: {sentence}", sys.stderr)
        return UNREADABLE
    paths = [Path(item) for item in arguments[is_safe:]]
    return start(paths[0] if paths else None, print_table, is_safe, paths[1:])


def start(
    path: Path | None, print_table: Callable[[Path], int], is_safe: bool = False, others: Sequence[Path] = ()
) -> int:
    """Opens the window with a file, or the welcome page, and one more for each of `others`; returns the exit code.

    `print_table` prints the wires of a graph if no window can be shown. `is_safe` leaves the program's own records
    alone.
    """
    try:
        import PySide6.QtCore  # noqa: F401  # Qt's libraries may be missing

        _import_unsearched()
        from gradwire.app.start.window import open_window
    except ImportError as error:
        say(f"gradwire: {missing_library_sentence(error)}", sys.stderr)
        return max(print_table(item) for item in (path or _first_example(), *others))
    sentence = missing_display() or (missing_x11_library() if needs_x11() else "")
    if sentence:
        say(f"gradwire: {sentence}", sys.stderr)
        code = max(print_table(item) for item in (path or _first_example(), *others))
        if code != UNREADABLE:
            _write_picture(path)
        return code
    sys.excepthook = _say_mistake
    listen()
    return open_window(path, is_safe, others)


def _import_unsearched() -> None:
    """Stops PySide from reading the source of each imported module, a fifth of the import time.

    PySide searches for modules that switch on its `__feature__`; the program has none.
    """
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)


def _write_picture(path: Path | None) -> None:
    """Writes a picture of the window to a file and prints its path."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from gradwire.app.start.window_picture import save_window_picture

    folder = Path(tempfile.mkdtemp(prefix="gradwire-"))
    target = folder / "window.png"
    save_window_picture(path or _first_example(), target)
    say()
    say(f"A picture of the window is in {target}")


def _first_example() -> Path:
    from gradwire.app.base.examples import example_path  # loads NumPy, for which a window does not wait

    return example_path(FIRST_EXAMPLE)


def _say_mistake(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Reports a mistake of ours inside the window in a sentence; the graph stays as it is."""
    if issubclass(kind, KeyboardInterrupt):
        sys.exit(130)
    log_sentence = note("A mistake in the window", error, trace)
    from gradwire.app.base.translation import tr
    from gradwire.app.start.window import say as say_in_windows

    sentence = tr(
        "Something went wrong inside Gradwire. Your graph is as it was. Help > Report a problem copies the details."
    )
    say(f"gradwire: {sentence} {log_sentence}".rstrip(), sys.stderr)

    say_in_windows(sentence)
