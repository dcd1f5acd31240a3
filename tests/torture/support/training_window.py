"""Program that trains in a window until something ends it. Arguments: the file, and the intervals of copies in ms."""

from __future__ import annotations

import sys
from pathlib import Path

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.app.base.settings import Settings
from gradwire.app.features.training.training_desk import TrainingDesk
from gradwire.app.live.process.evaluator import Spare
from gradwire.app.live.process.process import Starter
from gradwire.app.look.appearance import Appearance
from gradwire.app.shell.documents import recovery
from gradwire.app.start.main_window import MainWindow
from gradwire.app.start.window import made_application

TRAINING_WINDOW = "from tests.torture.support.training_window import main; main()"


def main() -> None:
    file, rest, longest = sys.argv[1:]
    recovery.REST, recovery.LONGEST = int(rest), int(longest)
    application = made_application()
    starter = Starter()
    window = MainWindow(Settings(Path(file).with_suffix(".ini")), Appearance("dark"), Spare(starter))
    window.show()
    window.parts.documents.opening.open(Path(file))
    window.session.part(TrainingDesk).train()
    sys.exit(application.exec())
