"""A program of its own that reads, evaluates or shows files and prints what Python was asked to do meanwhile.

Called with `read`, `evaluate` or `show` and the files; it prints one JSON object: events by file.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

# Looking at frames and objects is no way out of the program; all other events are told.
HARMLESS = ("builtins.id", "object.", "sys._getframe", "sys.excepthook", "sys.unraisablehook", "gc.", "time.", "array.")

events: list[list[str]] = []
is_listening = False


def hear(event: str, arguments: tuple[Any, ...]) -> None:
    if is_listening and not event.startswith(HARMLESS):
        events.append([event, *(getattr(item, "co_filename", None) or str(item)[:300] for item in arguments[:2])])


def heard(call: Any, *arguments: Any) -> tuple[Any, list[list[str]]]:
    """What a call gives, None if it refuses, and what it asked of Python."""
    global is_listening
    from engine.errors import GradwireError

    events.clear()
    is_listening, found = True, None
    try:
        found = call(*arguments)
    except GradwireError:
        pass
    finally:
        is_listening = False
    return found, events.copy()


def read(path: Path) -> list[list[str]]:
    from engine.files import load, loads

    content = path.read_bytes()
    _, of_text = heard(loads, content)
    _, of_file = heard(load, path)
    return [["text", *event] for event in of_text] + [["file", *event] for event in of_file]


def evaluate(path: Path) -> list[list[str]]:
    from engine.contracts import run_checks
    from engine.evaluate import run_graph
    from engine.files import load
    from lint.advice import advise

    found, _ = heard(load, path)
    if found is None:
        return []

    def use() -> None:
        run = run_graph(found.graph)
        run_checks(found.graph, run.snapshot)
        advise(run)

    return heard(use)[1]


def show(path: Path) -> list[list[str]]:
    from PySide6.QtWidgets import QApplication

    from app.documents import Documents

    # Whatever a dialog would say, nobody is there to press its button.
    Documents.complain = lambda *_: False  # type: ignore[method-assign]

    def use() -> None:
        window.documents.open(path)
        for _ in range(20):
            QApplication.processEvents()
        window.session.document.mark_saved()

    return heard(use)[1]


if __name__ == "__main__":
    # Evaluating may import SciPy, which looks for much else; what is imported after it is asked for by nobody else.
    import scipy.special  # noqa: F401

    import blocks  # noqa: F401  # it fills the library

    sys.addaudithook(hear)
    what, *files = sys.argv[1:]
    if what == "show":
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        from PySide6.QtWidgets import QApplication

        from app.live.evaluator import InlineEvaluator
        from app.look.appearance import Appearance
        from app.main_window import MainWindow
        from app.settings import Settings

        application = QApplication([])
        window = MainWindow(Settings(Path(os.environ["HOME"]) / "settings.ini"), Appearance("dark"), InlineEvaluator)
        window.show()
    call = {"read": read, "evaluate": evaluate, "show": show}[what]
    # The first one loads what Python itself loads late, such as codecs.
    call(Path(files[0]))
    print(json.dumps({file: call(Path(file)) for file in files}))
