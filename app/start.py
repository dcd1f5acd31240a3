"""Starts the window; where there is no display or no Qt, it still shows a graph: as a table and as a picture."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from app.display import missing_display, missing_x11_library, needs_x11
from app.examples import example_path
from app.qt_libraries import missing_library_sentence

FIRST_EXAMPLE = "softmax_stable"
UNREADABLE = 2


def start(path: Path | None, print_table: Callable[[Path], int]) -> int:
    """Opens the window with a file, or the welcome page; gives the exit code.

    `print_table` prints the wires of a graph, for where no window can be shown.
    """
    try:
        from app.window import open_window  # Qt's libraries may be missing
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


def _write_picture(path: Path | None) -> None:
    """Writes what the window would have shown, and says where."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from app.window import save_window_picture

    folder = Path(tempfile.mkdtemp(prefix="gradwire-"))
    target = folder / "window.png"
    save_window_picture(path or _first_example(), target)
    print(f"\nA picture of the window is in {target}")


def _first_example() -> Path:
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
