"""Blocks that show tensors: their size, and what is painted on them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

import gradwire as gw
from gradwire.app.canvas.access.sentences import block_sentence
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.painting.look import Look
from gradwire.app.canvas.painting.monitors.axes import axes_in
from gradwire.app.canvas.painting.monitors.markers import token_of
from gradwire.app.canvas.painting.monitors.picture_painter import draw_picture
from gradwire.app.canvas.painting.monitors.pictures import Boundary, Curves, Histogram, Images, Picture, Points, Rounds
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import NOTHING, Session
from gradwire.app.look.chart_scale import Scale
from gradwire.app.look.theme import theme
from gradwire.engine.edits import edits
from tests.app.painted import painted_texts
from tests.engine.monitored import with_monitor

pytestmark = pytest.mark.usefixtures("qapp")
LOOK = Look(theme("dark"))
BOX = QRectF(0, 0, 280, 140)


def painted(picture: Picture | None, look: Look = LOOK) -> QImage:
    image = QImage(280, 140, QImage.Format.Format_RGB32)
    image.fill(0)
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_picture(painter, look, BOX, picture)
    return image


def amount(image: QImage, token: str) -> int:
    """Returns the number of pixels that have about the colour of a token."""
    wanted = theme("dark").color(token)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(140, 280, 4)[..., 2::-1].astype(int)
    return int((np.abs(pixels - [wanted.red(), wanted.green(), wanted.blue()]).max(axis=2) < 12).sum())


@pytest.mark.parametrize(("name", "port"), [("Monitor", "y"), ("Chart", "x")])
def test_a_block_that_shows_something_is_large_and_called_by_its_own_name(name: str, port: str) -> None:
    graph = with_monitor(gw.graph(gw.Loss(gw.Input(np.ones(3), name="x"), name="L")), name, **{port: "x.y"})
    session = Session(edits.set_label(graph, "main", "shown", "Fit"), InlineEvaluator)
    mirror = Mirror(session)
    mirror.rebuild()
    shape = mirror.shapes[mirror.rows["shown"]]
    assert (shape.width, shape.height) == (352, 180)
    assert (shape.own_name, shape.title) == ("Fit", name)
    assert all(port.x == 0 and port.x < shape.body_box.left() for port in shape.ports)
    session.close()


def test_every_point_lies_inside_the_axes() -> None:
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=50) * 1e6, rng.normal(size=50) * 1e-9
    axes = axes_in(LOOK, BOX, Scale(x.min(), x.max()), Scale(y.min(), y.max()), has_numbers=True)
    assert all(axes.room.adjusted(-0.01, -0.01, 0.01, 0.01).contains(point) for point in axes.points(x, y))
    assert BOX.contains(axes.room)


def test_a_fit_has_its_line_its_dots_and_a_legend(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = painted_texts(monkeypatch)
    x = np.linspace(-2, 2, 50)
    image = painted(Curves(x, np.sin(x)[:, np.newaxis], np.array([[-1.0, 2.0], [1.5, -3.0]])))
    assert amount(image, "value") > 100
    assert amount(image, "text.secondary") > 10
    assert {"data", "network", "−2", "2"} <= set(texts)


def test_a_histogram_has_bars_and_an_outline_of_what_it_is_compared_with(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = painted_texts(monkeypatch)
    edges, shares = np.array([0.0, 1.0, 2.0]), np.array([1.0, 0.0])
    alone = painted(Histogram(edges, shares))
    assert "target" not in texts
    bar, empty = alone.pixelColor(90, 70), alone.pixelColor(220, 70)
    assert bar.lightness() > empty.lightness() + 50
    both = painted(Histogram(edges, shares, np.array([0.5, 0.5])))
    assert {"y", "target"} <= set(texts)
    assert amount(both, "text.primary") > amount(alone, "text.primary") + 100


def test_a_gap_in_a_line_stays_empty() -> None:
    x = np.linspace(0, 1, 101)
    whole, gap = np.zeros((101, 1)), np.zeros((101, 1))
    gap[25:75] = np.nan
    drawn, left = amount(painted(Curves(x, whole)), "value"), amount(painted(Curves(x, gap)), "value")
    assert 0.4 < left / drawn < 0.6


def test_each_class_has_its_colour_and_stands_in_the_legend(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = painted_texts(monkeypatch)
    at = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 0.0]])
    image = painted(Points(at, np.array([0, 1, 2])))
    assert all(amount(image, token_of(number)) > 10 for number in range(3))
    assert {"0", "1", "2"} <= set(texts)


def test_all_images_are_seen_with_their_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = painted_texts(monkeypatch)
    image = painted(Images(np.ones((10, 4, 4, 1)), tuple("0123456789")))
    assert texts == list("0123456789")
    white = [image.pixelColor(x, 20).lightness() == 255 for x in range(280)]
    assert sum(left and not right for left, right in itertools.pairwise(white)) == 5, "five in the first of two rows"


def test_of_too_many_images_the_first_ones_can_be_recognized(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = painted_texts(monkeypatch)
    painted(Images(np.ones((500, 4, 4, 1)), tuple(map(str, range(500)))))
    assert 10 < len(texts) < 60
    assert texts == list(map(str, range(len(texts))))


def test_the_plane_of_a_boundary_is_coloured_by_its_class() -> None:
    classes = np.repeat([[0] * 32 + [1] * 32], 64, axis=0)
    points = Points(np.zeros((0, 2)))
    image = painted(Boundary((-1, -1), (1, 1), classes, np.ones((64, 64)), np.array([[0.0, -1, 0, 1]]), points))
    left, right = image.pixelColor(80, 60), image.pixelColor(230, 60)
    blue, pink = theme("dark").color(token_of(0)), theme("dark").color(token_of(1))
    assert (left.red() < right.red()) == (blue.red() < pink.red())
    assert left != right
    lightest = max(range(40, 270), key=lambda x: image.pixelColor(x, 60).lightness())
    assert image.pixelColor(lightest, 60).lightness() > 60 + max(left.lightness(), right.lightness())
    assert image.pixelColor(lightest - 4, 60).red() == pytest.approx(left.red(), abs=4)
    assert image.pixelColor(lightest + 4, 60).red() == pytest.approx(right.red(), abs=4)


def test_a_chart_shows_the_newest_number_and_its_round(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = painted_texts(monkeypatch)
    image = painted(Rounds(np.arange(5000), np.exp(-np.arange(5000.0) / 500)))
    assert {"4.5e−5", "round 4,999"} <= set(texts)
    painted(Rounds(np.arange(3), np.array([1.0, 0.5, -1.0])))
    assert "round 2 · linear" in texts
    assert amount(image, "value") > 200


def test_a_chart_without_numbers_says_how_to_get_some(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = painted_texts(monkeypatch)
    painted(Rounds(np.zeros(0, np.int64), np.zeros(0)))
    assert texts == ["Train, and its curve over the rounds appears here."]


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("auto", "3 points"),
        ("heat", "heat map [3×2]"),
        ("image", "Images need rows that are squares"),
        ("curve", "line from 1 to 1"),
    ],
)
def test_what_a_block_shows_is_said_too(kind: str, words: str) -> None:
    graph = with_monitor(gw.graph(gw.Loss(gw.Input(np.ones((3, 2)), name="x"), name="L")), y="x.y", kind=kind)
    session = Session(graph, InlineEvaluator)
    mirror = Mirror(session)
    mirror.rebuild()
    assert words in block_sentence(mirror, "shown", NOTHING)
    session.close()
