"""Program that reads, evaluates or shows files and prints the audit events that Python raises meanwhile.

Called with `read`, `first`, `evaluate` or `show` and the files; it prints one JSON object: events by file. With `first`
it reads them while no family of blocks is imported yet.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

# Looking at frames and objects does no harm outside the program; all other events are reported.
HARMLESS = ("builtins.id", "object.", "sys._getframe", "sys.excepthook", "sys.unraisablehook", "gc.", "time.", "array.")

events: list[list[str]] = []
is_listening = False


def hear(event: str, arguments: tuple[Any, ...]) -> None:
    if is_listening and not event.startswith(HARMLESS):
        events.append([event, *(getattr(item, "co_filename", None) or str(item)[:300] for item in arguments[:2])])


def heard(call: Any, *arguments: Any) -> tuple[Any, list[list[str]]]:
    """Returns the result of a call, None if it refuses, and its audit events."""
    global is_listening
    from gradwire.engine.base.errors import GradwireError

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
    from gradwire.engine.files.files import load, loads

    content = path.read_bytes()
    _, of_text = heard(loads, content)
    _, of_file = heard(load, path)
    return [["text", *event] for event in of_text] + [["file", *event] for event in of_file]


def evaluate(path: Path) -> list[list[str]]:
    from gradwire.engine.advice.advice import advise
    from gradwire.engine.evaluation.evaluate import run_graph
    from gradwire.engine.explain.contracts import run_checks
    from gradwire.engine.files.files import load

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

    from gradwire.app.shell.documents.messages import Messages

    # Whatever a dialog would say, nobody is there to press its button.
    Messages.complain = lambda *_: False  # type: ignore[method-assign]

    def use() -> None:
        window.parts.documents.opening.open(path)
        for _ in range(20):
            QApplication.processEvents()
        window.session.document.mark_saved()

    return heard(use)[1]


if __name__ == "__main__":
    # Evaluation may import SciPy, which searches for much else; only the evaluation itself may import more afterwards.
    import scipy.special  # noqa: F401

    import gradwire.blocks  # noqa: F401  # it fills the library
    from gradwire.engine.blocktypes.library import library
    from gradwire.engine.blocktypes.update_rule import RULES

    sys.addaudithook(hear)
    what, *files = sys.argv[1:]
    if what != "first":
        library.load()
        len(RULES)
    if what == "show":
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        from PySide6.QtWidgets import QApplication

        from gradwire.app.base.settings import Settings
        from gradwire.app.live.process.evaluator import InlineEvaluator
        from gradwire.app.look.appearance import Appearance
        from gradwire.app.start.main_window import MainWindow

        application = QApplication([])
        window = MainWindow(Settings(Path(os.environ["HOME"]) / "settings.ini"), Appearance("dark"), InlineEvaluator)
        window.show()
    call = {"read": read, "first": read, "evaluate": evaluate, "show": show}[what]
    # The first call loads whatever Python itself loads late, such as codecs.
    if what != "first":
        call(Path(files[0]))
    print(json.dumps({file: call(Path(file)) for file in files}))
