"""Whether a window that trains shows one round at a time: all that it paints beside what the headless trainer reaches.

Trainings of the gallery run in the real window, with its processes, at each speed. Each frame is kept with its texts
and the round that the strip names. Then the trainer of `gradwire train --steps N` goes to each of these rounds, and
another window shows the graph with the values that it has reached, as `gradwire run` evaluates it.
"""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from PySide6.QtWidgets import QLabel

from benchmarks.windows import open_window, rest
from gradwire.app.base.examples import example_path
from gradwire.app.base.settings import Settings
from gradwire.app.canvas.access.legibility import painted_texts
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.view.camera import Camera
from gradwire.app.features.training.train_strip import Speed, TrainStrip
from gradwire.app.features.training.training_desk import TrainingDesk
from gradwire.app.look.motion import set_moves
from gradwire.app.look.numbers import fmt
from gradwire.app.shell.window.modes import Mode
from gradwire.app.start.main_window import MainWindow
from gradwire.app.start.settled_window import settle, unseen_window
from gradwire.app.start.window import made_application
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.kept_state import trained_values
from gradwire.engine.training.run import TrainingRun

TRAININGS = ("xor", "linear_regression", "logistic_regression", "spirals", "gan", "vq_vae")
# Frames of each training at each speed, as many as are painted in so long, and a pause between two. Units: s.
FRAMES, LONGEST, APART = 42, 12.0, 0.03
SHOWN = 6
NUMBER = re.compile(r"[-\N{MINUS SIGN}]?(?:\d+\.?\d*|\.\d+)(?:e[-\N{MINUS SIGN}+]?\d+)?")


# Kind of a text, the wire or block that it belongs to, and the row of the block in which it stands.
Place = tuple[str, str, int]


class Frame(NamedTuple):
    """What is read at one moment: the round and the loss of the strip, and all texts of each wire and block."""

    round: int
    loss: str
    texts: dict[Place, list[str]]
    camera: Camera


def compare_rounds(names: Sequence[str]) -> None:
    """Prints for each training and speed how many frames differ from the trainer's round."""
    set_moves(False)
    made_application()
    seen = wrong = 0
    for name in names or TRAININGS:
        frames = {speed: list(_frames(name, speed)) for speed in Speed}
        every = [frame for found in frames.values() for frame in found]
        # What stands where depends on the place of the page, too, so that is the same.
        truth = _truth(name, {frame.round for frame in every}, every[-1].camera)
        for speed, found in frames.items():
            differing = [frame for frame in found if _differences(frame, truth[frame.round])]
            seen, wrong = seen + len(found), wrong + len(differing)
            rounds = len({frame.round for frame in found})
            print(f"{name:20} {speed.value:8} {len(found):4} frames of {rounds:4} rounds, {len(differing)} differ")
            for frame in differing[:SHOWN]:
                print(f"  round {frame.round}: {'; '.join(_differences(frame, truth[frame.round]))}")
    print(f"{seen} frames, {wrong} differ")


def _differences(frame: Frame, truth: Frame) -> list[str]:
    """Returns what a frame tells otherwise than the trainer's round."""
    places = sorted(frame.texts.keys() | truth.texts.keys())
    pairs = {place: (frame.texts.get(place, []), truth.texts.get(place, [])) for place in places}
    found = [f"{place}: {told} for {other}" for place, (told, other) in pairs.items() if not _agree(told, other)]
    return found + ([f"loss {frame.loss} for {truth.loss}"] if frame.loss != truth.loss else [])


def _agree(told: list[str], other: list[str]) -> bool:
    """Returns whether texts are the same, but that a number may have fewer digits: labels stay where they have room."""
    numbers, others = NUMBER.findall(" ".join(told)), NUMBER.findall(" ".join(other))
    return told == other or (len(numbers) == len(others) and all(map(_is_rounded, numbers, others)))


def _is_rounded(number: str, other: str) -> bool:
    a, b = (float(text.replace("\N{MINUS SIGN}", "-")) for text in (number, other))
    return abs(a - b) <= (_unit(number) + _unit(other)) / 2 * (1 + 1e-9)


def _unit(number: str) -> float:
    """Returns what one more in the last digit of a number makes."""
    digits, _, exponent = number.replace("\N{MINUS SIGN}", "-").partition("e")
    return float(10.0 ** (int(exponent or 0) - len(digits.partition(".")[2])))


def _frames(name: str, speed: Speed) -> Iterator[Frame]:
    with open_window(example_path(name), Canvas, lambda window: window.parts.modes.choose(Mode.TRAIN)) as window:
        _wait_for_plan(window)
        strip, desk = window.findChild(TrainStrip), window.session.part(TrainingDesk)
        strip.set_speed(speed)
        end, count = time.perf_counter() + LONGEST, 0
        while count < FRAMES and time.perf_counter() < end:
            # A fast training goes on after its end.
            desk.run()
            rest(APART)
            if desk.round:
                count += 1
                yield _frame(window)
        desk.pause()
        rest(0.3)
        yield _frame(window)


def _wait_for_plan(window: MainWindow) -> None:
    end = time.perf_counter() + LONGEST
    while time.perf_counter() < end and not (
        window.session.results is not None and window.session.part(TrainingDesk).plan.rows
    ):
        rest(APART)
    rest(0.5)


def _frame(window: MainWindow) -> Frame:
    said, loss = window.findChild(QLabel, "training_round").text(), window.findChild(QLabel, "training_loss").text()
    return Frame(int(said.replace(",", "")), loss, _texts(window.parts.canvas), window.parts.canvas.camera)


def _texts(canvas: Canvas) -> dict[Place, list[str]]:
    found = dict[Place, list[str]]()
    for item in sorted(painted_texts(canvas), key=lambda item: item.drawn.rect.topLeft().toTuple()):
        found.setdefault((item.kind, str(item.owner), item.block), []).append(item.drawn.text)
    return found


def _truth(name: str, rounds: set[int], camera: Camera) -> dict[int, Frame]:
    """Returns what is to be read in each of some rounds."""
    graph, found = load(example_path(name)).graph, dict[int, Frame]()
    with (
        tempfile.TemporaryDirectory() as folder,
        unseen_window(Settings(Path(folder) / "s.ini"), "dark", (1600, 1000)) as window,
    ):
        window.parts.document.show(graph)
        settle(window)
        window.parts.modes.choose(Mode.TRAIN)
        settle(window)
        window.parts.canvas.viewport.look_with(camera)
        for n, values in _reached(graph, rounds):
            trained = trained_values(graph, values)
            window.session.apply("Round", lambda _, graph=trained: graph)
            settle(window)
            loss = run_graph(window.session.runs.filled(trained)).snapshot.loss
            text = "–" if loss is None or loss.value is None else fmt(float(loss.value))
            found[n] = Frame(n, text, _texts(window.parts.canvas), camera)
        window.session.document.mark_saved()
    return found


def _reached(graph: Graph, rounds: set[int]) -> Iterator[tuple[int, dict[str, Array]]]:
    """Yields the values of the Variables after each of some rounds, in their order."""
    run = TrainingRun(graph)
    for n in sorted(rounds):
        for _ in run.rounds(n - run.trainer.round):
            pass
        yield n, dict(run.trainer.variables)
