"""Starts the window; where there is no display or no Qt, it still shows a graph: as a table and as a picture.

Nothing is imported here that needs NumPy: the window is painted first.
"""

from __future__ import annotations

import builtins
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType

from app.display import missing_display, missing_x11_library, needs_x11
from app.qt_libraries import missing_library_sentence

FIRST_EXAMPLE = "softmax_stable"
UNREADABLE = 2
COMMANDS = ("run", "check", "render", "export", "blocks", "examples", "plugins")


def wants_window(arguments: Sequence[str]) -> bool:
    """Whether these words ask for the window: none at all, or a file first, and no command."""
    if not arguments:
        return True
    word = arguments[0]
    return not word.startswith("-") and word not in COMMANDS and (word.endswith(".graph") or Path(word).exists())


def open_files(arguments: Sequence[str], print_table: Callable[[Path], int]) -> int:
    """Starts the window with a file, if one is named; see `start`."""
    if len(arguments) > 1:
        print("gradwire: the window opens one file; give one, or a command: gradwire --help", file=sys.stderr)
        return UNREADABLE
    return start(Path(arguments[0]) if arguments else None, print_table)


def start(path: Path | None, print_table: Callable[[Path], int]) -> int:
    """Opens the window with a file, or the welcome page; gives the exit code.

    `print_table` prints the wires of a graph, for where no window can be shown.
    """
    try:
        import PySide6.QtCore  # noqa: F401  # Qt's libraries may be missing

        _import_unsearched()
        from app.window import open_window
    except ImportError as error:
        print(f"gradwire: {missing_library_sentence(error)}", file=sys.stderr)
        return print_table(path or _first_example())
    sentence = missing_display() or (missing_x11_library() if needs_x11() else "")
    if sentence:
        print(f"gradwire: {sentence}", file=sys.stderr)
        code = print_table(path or _first_example())
        if code != UNREADABLE:
            _write_picture(path)
        return code
    sys.excepthook = _say_mistake
    return open_window(path)


def _import_unsearched() -> None:
    """Lets modules be imported without PySide reading the source of each, which takes a fifth of the time of all.

    It looks for those that may switch on its `__feature__`, of which there are none here.
    """
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)


def _write_picture(path: Path | None) -> None:
    """Writes what the window would have shown, and says where."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from app.window_picture import save_window_picture

    folder = Path(tempfile.mkdtemp(prefix="gradwire-"))
    target = folder / "window.png"
    save_window_picture(path or _first_example(), target)
    print(f"\nA picture of the window is in {target}")


def _first_example() -> Path:
    from app.examples import example_path  # loads NumPy, for which a window does not wait

    return example_path(FIRST_EXAMPLE)


def _say_mistake(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """The last resort inside the window: a mistake of ours is said in a sentence, and the graph stays as it is."""
    if issubclass(kind, KeyboardInterrupt):
        sys.exit(130)
    place = ""
    while trace is not None:
        place = f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
        trace = trace.tb_next
    from app.window import say
    from app.words import tr

    sentence = tr(
        "Something went wrong inside Gradwire ({kind} at {place}: {error}). Your graph is as it was.",
        kind=kind.__name__, place=place, error=error,
    )  # fmt: skip
    print(f"gradwire: {sentence}", file=sys.stderr)

    say(sentence)
