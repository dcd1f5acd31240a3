"""Takes the film of the README: make pictures."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtGui import QImage

from gradwire.app.base.settings import Settings
from gradwire.app.start.settled_window import unseen_window
from scripts.film.drawing import drawn
from scripts.film.player import Player
from scripts.film.slow_motion import SlowMotion
from scripts.film.storyboard import SCENES, SIZE
from scripts.film.webp import write

TARGET = Path(__file__).parents[2] / "docs" / "images" / "tour.webp"
FRAME_MS = 50
# Texts are sharp on fine screens too.
SCALE = "1.5"


def main() -> None:
    """Writes the film."""
    os.environ |= {"QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": SCALE}
    write(TARGET, pictures(), FRAME_MS)


def pictures() -> Iterator[QImage]:
    """Yields the pictures of all frames."""
    with (
        tempfile.TemporaryDirectory() as folder,
        unseen_window(Settings(Path(folder) / "settings.ini"), "dark", SIZE) as window,
    ):
        for frame in Player(window, 1000 / FRAME_MS, SlowMotion(window, FRAME_MS).wait).play(SCENES):
            yield drawn(window, frame, SCENES)


if __name__ == "__main__":
    main()
