"""Program that edits at random in a window and keeps a journal until something ends it.

Arguments: the file to open, the journal, a seed, the intervals of copies in ms. Each line of the journal is the number
that an edit wrote into the graph, with the time; `kept` stands for a copy, `asked` for a question to the user.
It ends as Qt does when the display breaks once a file of the journal's name with the suffix `.end` exists.
"""

from __future__ import annotations

import ctypes
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.app.base.settings import Settings
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.look.appearance import Appearance
from gradwire.app.shell.documents import recovery
from gradwire.app.start.endings import Endings
from gradwire.app.start.main_window import MainWindow
from gradwire.app.start.window import made_application
from gradwire.engine.edits import edits

WINDOW = "from tests.torture.support.window_process import main; main()"


def main() -> None:
    file, journal, seed, rest, longest = sys.argv[1:]
    recovery.REST, recovery.LONGEST = int(rest), int(longest)
    heed_signals()
    application = made_application()
    window = MainWindow(Settings(Path(journal).with_suffix(".ini")), Appearance("dark"), InlineEvaluator)
    window.show()
    window.parts.documents.opening.open(Path(file))
    chance, count = random.Random(int(seed)), [0]
    log = open(journal, "a", buffering=1, encoding="utf-8")  # noqa: SIM115  # for as long as the process lives

    def note(text: str) -> None:
        log.write(f"{time.monotonic()} {text}\n")

    def edit() -> None:
        session = window.session
        count[0] += 1
        session.apply("Set a number", edits.set_parameter, "main", "a", "value", np.array(float(count[0])))
        if chance.random() < 0.2:
            session.apply("Move", edits.move_blocks, "main", {"q": (count[0], 200)})
        note(str(count[0]))
        timer.start(chance.choice((2, 10, 30, 100)))

    window.parts.documents.recovery._keeper.kept.connect(lambda reason: note(f"kept {reason}".strip()))
    timer = QTimer(window)
    timer.setSingleShot(True)
    timer.timeout.connect(edit)
    timer.start(0)
    watch = QTimer(window)
    watch.timeout.connect(lambda: look(Path(journal).with_suffix(".end"), note))
    watch.start(10)
    endings = Endings(application, window.windows)
    code = application.exec()
    endings.close()
    sys.exit(code)


def heed_signals() -> None:
    """Lets signals end the process also where the tests were started to outlive a terminal."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_DFL)


def look(end: Path, note: Callable[[str], None]) -> None:
    """Notes a question to the user, and ends the process without Python's knowledge if that is asked for."""
    if QApplication.activeModalWidget() is not None:
        note("asked")
    if end.exists():
        ctypes.CDLL(None).exit(1)
