"""The film of the README: facts of the committed file, and the scenes in a real window."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QWidget

from gradwire.app.canvas.geometry.view.extent import extent
from gradwire.app.canvas.overlays.cards.card import Card
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.selection import Selection
from gradwire.app.start.main_window import MainWindow
from gradwire.engine.autodiff.expand import PortName
from scripts.film.player import Player
from scripts.film.slow_motion import SlowMotion
from scripts.film.storyboard import SCENES, SIZE
from tests.app.window.sharing import SharedWindow
from tests.app.windows import wait_until, windows

FILM = Path(__file__).parents[4] / "docs" / "images" / "tour.webp"
# Enough for the pointer to touch what it passes.
FRAMES_PER_SECOND = 5
SLIDER, CARD, STOP, ALARM, FIX = range(len(SCENES))


def chunks(data: bytes) -> Iterator[tuple[str, bytes]]:
    """The chunks of a RIFF file: four letters, the length, the content, and a byte more if that is odd."""
    at = 12
    while at < len(data):
        name, length = struct.unpack_from("<4sI", data, at)
        yield name.decode(), data[at + 8 : at + 8 + length]
        at += 8 + length + length % 2


def number(data: bytes, at: int) -> int:
    """The number of three bytes at a place."""
    return int.from_bytes(data[at : at + 3], "little")


@pytest.fixture(scope="module")
def film() -> list[tuple[str, bytes]]:
    data = FILM.read_bytes()
    assert (data[:4], data[8:12], len(data)) == (b"RIFF", b"WEBP", struct.unpack_from("<I", data, 4)[0] + 8)
    return list(chunks(data))


def test_the_file_is_small_enough_for_a_page() -> None:
    assert FILM.stat().st_size < 3_000_000


def test_it_is_an_animation_that_loops_for_ever(film: list[tuple[str, bytes]]) -> None:
    parts = dict(film)
    assert parts["VP8X"][0] & 0b10
    assert struct.unpack_from("<H", parts["ANIM"], 4) == (0,)


def test_it_lasts_twelve_seconds(film: list[tuple[str, bytes]]) -> None:
    durations = [number(content, 12) for name, content in film if name == "ANMF"]
    assert len(durations) > 100
    assert 11_000 < sum(durations) < 13_000
    assert sum(durations) / 1000 == pytest.approx(sum(scene.seconds for scene in SCENES), abs=0.1)


def test_it_shows_the_window_in_whole_and_larger_than_a_column(film: list[tuple[str, bytes]]) -> None:
    head = dict(film)["VP8X"]
    width, height = number(head, 4) + 1, number(head, 7) + 1
    assert 1100 <= width <= 2000
    assert width / height < SIZE[0] / SIZE[1]


@dataclass(frozen=True)
class Moment:
    """One frame, and what a viewer sees in it."""

    scene: int
    norm: float
    reasons: tuple[str, ...]
    sentence: str
    broken_wires: int
    widgets: frozenset[str]
    is_whole: bool


@pytest.fixture(scope="module")
def moments(tmp_path_factory: pytest.TempPathFactory, qapp: object, shared_window: SharedWindow) -> list[Moment]:
    shared_window.close()
    with windows(tmp_path_factory.mktemp("film")) as make:
        window = make(InlineEvaluator)
        window.resize(*SIZE)
        return list(played(window))


def played(window: MainWindow) -> Iterator[Moment]:
    """Plays the film; where the pointer rests on a wire, its card is waited for."""
    before = None
    for frame in Player(window, FRAMES_PER_SECOND, SlowMotion(window, 0).wait).play(SCENES):
        if frame.scene == CARD and frame.at == before:
            wait_until(lambda: bool(cards(window)), patience=20)
        before = frame.at
        yield seen(window, frame.scene)


def cards(window: MainWindow) -> list[Card]:
    return window.parts.viewing.cards.cards


def seen(window: MainWindow, scene: int) -> Moment:
    results, canvas = window.session.results, window.parts.canvas
    assert results is not None
    of_x = results.port(PortName("main/x", "y"))
    assert of_x is not None and of_x.gradient is not None
    reasons = (sentence for card in cards(window) for sentence in card.facts.sentences)
    names = frozenset(item.objectName() for item in window.findChildren(QWidget) if item.isVisible())
    sentence = window.parts.layout.status.sentence.text
    page = extent(canvas.mirror, Selection(frozenset(window.session.page.blocks)))
    is_whole = QRectF(canvas.rect()).contains(canvas.camera.rect_to_view(page))
    broken = len(results.nonfinite_wires)
    return Moment(scene, of_x.gradient.norm, tuple(reasons), sentence, broken, names, is_whole)


def of_scene(moments: list[Moment], scene: int) -> list[Moment]:
    return [moment for moment in moments if moment.scene == scene]


@pytest.mark.long
def test_every_scene_has_its_frames(moments: list[Moment]) -> None:
    assert [moment.scene for moment in moments] == sorted(moment.scene for moment in moments)
    assert len(moments) == round(sum(scene.seconds for scene in SCENES) * FRAMES_PER_SECOND)
    assert {moment.scene for moment in moments} == set(range(len(SCENES)))


@pytest.mark.long
def test_the_gradient_follows_the_slider(moments: list[Moment]) -> None:
    assert len({round(moment.norm, 3) for moment in of_scene(moments, SLIDER)}) > 6


@pytest.mark.long
def test_the_card_of_a_wire_says_why_its_gradient_is_zero(moments: list[Moment]) -> None:
    (reason,) = of_scene(moments, CARD)[-1].reasons
    assert reason.startswith('This wire ends at StopGradient "stop", which always returns 0')


@pytest.mark.long
def test_without_the_stop_the_status_line_says_so_until_it_is_on_again(moments: list[Moment]) -> None:
    said = [moment.sentence.startswith("StopGradients let pass") for moment in of_scene(moments, STOP)]
    assert [is_so for is_so, before in zip(said, [None, *said], strict=False) if is_so != before] == [
        False,
        True,
        False,
    ]


@pytest.mark.long
def test_no_panel_covers_the_softmax(moments: list[Moment]) -> None:
    softmax = [moment for moment in moments if moment.scene in (SLIDER, CARD, STOP)]
    assert all(moment.is_whole and "inspector_overlay" not in moment.widgets for moment in softmax)


@pytest.mark.long
def test_the_alarm_opens_the_reason_of_the_nan(moments: list[Moment]) -> None:
    alarm = of_scene(moments, ALARM)
    assert {moment.broken_wires for moment in alarm} == {2}
    assert "inspector_overlay" not in alarm[0].widgets
    assert {"inspector_overlay", "why_fix_0"} <= alarm[-1].widgets


@pytest.mark.long
def test_the_fix_leaves_no_wire_with_nan(moments: list[Moment]) -> None:
    last = moments[-1]
    assert last.broken_wires == 0
    assert math.isfinite(last.norm)
    assert last.is_whole
    assert "status_action" not in last.widgets
