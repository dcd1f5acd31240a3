"""All that a window paints while it trains is of the round that it names, as a training without a window says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.base.examples import example_path
from gradwire.app.canvas.access.text_owners import OwnedText
from gradwire.app.canvas.overlays.round_mark import RoundMark
from gradwire.app.features.training.train_strip import Speed
from gradwire.app.features.training.training_desk import TrainingDesk
from gradwire.app.features.training.training_lens import TrainingLens
from gradwire.app.live.process.evaluator import Spare
from gradwire.app.live.process.process import Starter
from gradwire.app.start.main_window import MainWindow
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.trainer import Trainer
from tests.app.painted_frames import PaintedTexts
from tests.app.windows import windows
from tests.sweeps import long
from tests.torture.support.counts import count

PATIENCE = 3_600_000
NUMBER = re.compile(r"\u2212?(?:\d[\d,]*\.?\d*|\.\d+)(?:e\u2212?\d+)?")


class Caught(NamedTuple):
    """A frame: the round that it names, its texts on the canvas, and those of the panels."""

    round: int
    texts: list[OwnedText]
    panels: dict[str, str]


def spirals() -> Graph:
    return load(example_path("spirals")).graph


@pytest.fixture(scope="module")
def spare() -> Iterator[Spare]:
    """Makes evaluators in processes as the program does: from one that has imported everything."""
    starter = Starter()
    made = Spare(starter, starter.start())
    yield made
    made.close()


@pytest.fixture
def window(qapp: object, tmp_path: Path, spare: Spare) -> Iterator[MainWindow]:
    with windows(tmp_path) as make:
        made = make(spare)
        made.resize(1366, 768)
        made.parts.document.show(spirals())
        made.parts.panels.open_lens("training")
        yield made


@pytest.fixture
def frames(window: MainWindow, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> list[Caught]:
    """The frames of the window, each caught when its canvas is painted."""
    painted, canvas, found = PaintedTexts(monkeypatch), window.parts.canvas, list[Caught]()
    session, show = window.session, canvas.painted.show
    canvas.viewport.fit_page()
    canvas.painted.repaint()

    def catch(painter: QPainter) -> None:
        show(painter)
        mark = canvas.findChild(RoundMark)
        if session.results is not None and canvas.painted.is_crisp and mark.text:
            found.append(Caught(first_number(mark.text), painted.on(canvas), panel_texts(window)))

    monkeypatch.setattr(canvas.painted, "show", catch)
    qtbot.waitUntil(
        lambda: session.results is not None and bool(session.part(TrainingDesk).plan.rows), timeout=PATIENCE
    )
    return found


def panel_texts(window: QWidget) -> dict[str, str]:
    names = ("training_loss", "training_round", "status_state_text")
    return {label.objectName(): label.text() for label in window.findChildren(QLabel) if label.objectName() in names}


def first_number(text: str) -> int:
    return int(NUMBER.search(text)[0].replace(",", ""))


def assert_says(text: str, true: float) -> None:
    """Asserts that the last number in a text is a true one, to the digits that it has."""
    said = NUMBER.findall(text)[-1].replace(",", "").replace("\u2212", "-")
    digits, _, power = said.partition("e")
    unit = 10.0 ** (int(power or 0) - len(digits.partition(".")[2]))
    # A training and an evaluation may round a sum otherwise in its last bits.
    assert abs(float(said) - true) <= 0.5 * unit + 1e-9 * abs(true), f"{text} for {true}"


def truths(start: Graph, rounds: set[int]) -> dict[int, Evaluation]:
    """Returns the runs of the graphs that a training without window has in some rounds."""
    trainer, found = Trainer(start), {}
    for n in range(max(rounds) + 1):
        if n in rounds:
            found[n] = run_graph(trainer.graph)
        trainer.run_round()
    return found


def check(caught: Caught, run: Evaluation) -> int:
    """Compares all numbers of a frame with a run; returns how many these are."""
    checked = 0
    loss = float(run.tensor(PortName("main/loss", "y"), False))
    accuracy = float(run.tensor(PortName("main/accuracy", "y"), False))
    for text in caught.texts:
        said, wire = text.drawn.text, text.owner
        if text.block >= 0 and text.kind == "":
            # Of all blocks, these two show numbers at this zoom.
            rows = {"loss": loss, "accuracy": accuracy}
            name = next((item for item in rows if said and text.block == caught_row(caught, item)), "")
            if name and NUMBER.fullmatch(said):
                assert_says(said, rows[name])
                checked += 1
        elif text.kind in ("value", "gradient") and NUMBER.search(said) and not isinstance(wire, str):
            source, target = (PortName(f"main/{end.block}", end.name) for end in wire)
            value, gradient = run.tensor(source, False), run.tensor(Link(source, target), True)
            true = float(np.linalg.norm(gradient)) if text.kind == "gradient" else float(np.std(value))
            if text.kind == "gradient" or "\u03c3" in said:
                assert_says(said, true)
                checked += 1
    assert_says(caught.panels["training_loss"], loss)
    assert first_number(caught.panels["training_round"]) == caught.round
    return checked


def caught_row(caught: Caught, name: str) -> int:
    return BLOCKS.index(name)


BLOCKS = list(spirals().page("main").blocks)


@pytest.mark.parametrize(
    ("speed", "small"), [long((Speed.MOST, 4)), (Speed.HUNDRED, 3), long((Speed.LESSON, 4)), long((Speed.ONE, 2))]
)
def test_each_number_of_a_frame_is_of_the_round_that_it_names(
    window: MainWindow, frames: list[Caught], qtbot: QtBot, speed: Speed, small: int
) -> None:
    training, wanted = window.session.part(TrainingDesk), count(small, 250)
    lens = window.parts.panels.bottom.lens("training")
    assert isinstance(lens, TrainingLens)
    lens.strip.set_speed(speed)
    training.run(10**9)
    qtbot.waitUntil(lambda: len({item.round for item in frames}) >= wanted, timeout=PATIENCE)
    during = list(frames)
    assert all("Training" in item.panels["status_state_text"] for item in during[1:])
    training.pause()
    qtbot.waitUntil(lambda: not training.is_running, timeout=PATIENCE)
    qtbot.waitUntil(lambda: bool(frames) and frames[-1].round == training.reached.round, timeout=PATIENCE)
    runs = truths(spirals(), {item.round for item in frames})
    counted = [check(item, runs[item.round]) for item in frames]
    # Loss, accuracy, and of 20 wires a gradient each, where there is room a value too.
    assert min(counted) >= 18


@pytest.mark.long
def test_undo_in_the_middle_of_a_run_rests_at_the_round_before_it(
    window: MainWindow, frames: list[Caught], qtbot: QtBot
) -> None:
    training = window.session.part(TrainingDesk)
    training.run(3)
    qtbot.waitUntil(lambda: not training.is_running, timeout=PATIENCE)
    training.run(10**9)
    qtbot.waitUntil(lambda: training.reached.round > 20, timeout=PATIENCE)
    window.session.undo()
    qtbot.waitUntil(lambda: frames[-1].round == 3 and not window.session.scheduler.is_busy, timeout=PATIENCE)
    window.session.undo()
    qtbot.waitUntil(lambda: not window.session.scheduler.is_busy and window.session.runs.are_current, timeout=PATIENCE)
    window.session.redo()
    qtbot.waitUntil(lambda: not window.session.scheduler.is_busy and window.session.runs.are_current, timeout=PATIENCE)
    qtbot.waitUntil(lambda: frames[-1].round == 3 and frames[-1].panels["training_round"] == "3", timeout=PATIENCE)
    runs = truths(spirals(), {3})
    assert check(frames[-1], runs[3]) >= 20
    assert not training.is_running
    # What goes on is a training that has had three rounds, with what its rule remembered.
    training.run(4)
    qtbot.waitUntil(lambda: not training.is_running and training.reached.round == 7, timeout=PATIENCE)
    trainer = Trainer(spirals())
    for _ in range(7):
        trainer.run_round()
    assert training.state is not None
    assert training.state.to_bytes() == trainer.state().to_bytes()
