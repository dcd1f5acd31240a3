"""A window in a process of its own that edits at random and writes down what it has done, until it is killed.

Arguments: the file to open, the journal, a seed, the intervals of copies in ms. Each line of the journal is the number
that an edit wrote into the graph, with the time; `kept` stands for a copy.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

import numpy as np
from PySide6.QtCore import QTimer

import blocks  # noqa: F401  # fills the library
from app import recovery
from app.live.evaluator import InlineEvaluator
from app.look.appearance import Appearance
from app.main_window import MainWindow
from app.settings import Settings
from app.window import made_application
from engine import edits


def main() -> None:
    file, journal, seed, rest, longest = sys.argv[1:]
    recovery.REST, recovery.LONGEST = int(rest), int(longest)
    application = made_application()
    window = MainWindow(Settings(Path(journal).with_suffix(".ini")), Appearance("dark"), InlineEvaluator)
    window.show()
    window.documents.open(Path(file))
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

    window.documents.recovery._keeper.kept.connect(lambda reason: note(f"kept {reason}".strip()))
    timer = QTimer(window)
    timer.setSingleShot(True)
    timer.timeout.connect(edit)
    timer.start(0)
    application.exec()


if __name__ == "__main__":
    main()
