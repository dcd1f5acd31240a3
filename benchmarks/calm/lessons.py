"""Whether each training of the gallery is a lesson: it lasts long enough to watch, and shows its picture meanwhile."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.windows import open_window, rest
from gradwire.app.base.examples import TRAININGS
from gradwire.app.canvas.access.legibility import visible_part
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.shapes import Body
from gradwire.app.features.training.training_desk import TrainingDesk
from gradwire.app.shell.window.modes import Mode
from gradwire.app.start.main_window import MainWindow
from gradwire.app.start.window import made_application

SIZE = (1366, 768)
# How long a lesson may last, and how long one is waited for. Units: s.
SHORTEST, LONGEST, PATIENCE = 5.0, 15.0, 60.0


def compare_lessons(names: Sequence[str]) -> None:
    """Prints how long each training lasts at the speed that the window begins with, and what is not seen of it."""
    made_application()
    paths = [path for path in sorted(TRAININGS.glob("*.graph")) if not names or path.stem in names]
    lasting = seen = 0
    for path in paths:
        seconds, hidden = _lesson(path)
        is_lesson = SHORTEST <= seconds <= LONGEST
        lasting, seen = lasting + is_lesson, seen + (not hidden)
        print(f"{path.stem:20} {seconds:6.1f} s{'' if is_lesson else '  !'}  {' '.join(hidden)}", flush=True)
    print(f"{lasting} of {len(paths)} last {SHORTEST:.0f} to {LONGEST:.0f} s; {seen} show picture and Variables")


def _lesson(path: Path) -> tuple[float, list[str]]:
    """Returns how long a training lasts, in s, and the pictures and Variables that are not seen as a whole."""
    with open_window(path, Canvas, lambda window: window.resize(*SIZE)) as window:
        window.parts.modes.choose(Mode.TRAIN)
        desk = window.session.part(TrainingDesk)
        end = time.perf_counter() + PATIENCE
        while not desk.plan.rows and time.perf_counter() < end:
            rest(0.05)
        window.parts.panels.bottom.raise_panel(True)
        rest(0.5)
        hidden = _hidden(window)
        began = time.perf_counter()
        desk.run()
        while desk.is_running and time.perf_counter() < began + PATIENCE:
            rest(0.05)
        seconds = time.perf_counter() - began
        desk.pause()
        while desk.is_running:
            rest(0.05)
        return seconds, hidden


def _hidden(window: MainWindow) -> list[str]:
    canvas = window.parts.canvas
    mirror, seen = canvas.mirror, visible_part(window, canvas)
    shown = [
        name
        for name, shape in zip(mirror.ids, mirror.shapes, strict=True)
        if shape.body is Body.PICTURE or shape.type == "Variable"
    ]
    boxes = {name: canvas.camera.rect_to_view(mirror.rect(name)).toAlignedRect() for name in shown}
    return [name for name, box in boxes.items() if not seen.contains(box) or not seen.boundingRect().contains(box)]
