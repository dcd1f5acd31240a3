"""The example of eleven zeros: the canvas names the cause of each, and shows all at once."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from gradwire.app.base.examples import example_path
from gradwire.app.canvas.painting.labels.labels import Form
from gradwire.app.canvas.painting.look import Level, Look
from gradwire.app.canvas.painting.page_painter import PagePainter
from gradwire.app.live.selection import Selection
from gradwire.app.look.theme import theme
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.evaluation.snapshot import Snapshot, WireResult
from gradwire.engine.files.files import load
from tests.app.canvas.pages import drawn_page
from tests.app.window.driver import LEFT, Driver, Key

pytestmark = pytest.mark.usefixtures("one_window")

BY_STRUCTURE = {
    "blocked": Status.BLOCKED,
    "no_path": Status.NO_PATH,
    "non_differentiable": Status.NON_DIFFERENTIABLE,
    "no_gradient_dtype": Status.NO_GRADIENT_DTYPE,
}
BY_NUMBER = {str(cause): cause for cause in Cause}
TEXTS = {"blocked": "0 blocked", "non_differentiable": "0 no derivative"}


@pytest.fixture(scope="module")
def snapshot() -> Snapshot:
    return evaluate(load(example_path("causes")).graph)


@pytest.fixture
def seen(user: Driver) -> Driver:
    """The example in a window of 1600 by 1000."""
    user.window.resize(1600, 1000)
    user.open(example_path("causes"))
    user.canvas.viewport.fit_page()
    user.settle()
    return user


def first_wire(snapshot: Snapshot, name: str) -> WireResult:
    """Returns the wire from x into the block that makes the zero."""
    (found,) = [wire for link, wire in snapshot.wires.items() if link.source == PortName(f"main/x_{name}", "y")]
    return found


def test_there_are_eleven(snapshot: Snapshot) -> None:
    sources = {link.source.path for link in snapshot.wires if link.source.path.startswith("main/x_")}
    assert sources == {f"main/x_{name}" for name in (*BY_STRUCTURE, *BY_NUMBER)}
    assert len(sources) == 11


@pytest.mark.parametrize("name", BY_STRUCTURE)
def test_a_zero_by_structure_is_named(snapshot: Snapshot, name: str) -> None:
    wire = first_wire(snapshot, name)
    assert (wire.status, wire.zero) == (BY_STRUCTURE[name], None)
    assert wire.gradient is None or not wire.gradient.any()


@pytest.mark.parametrize("name", BY_NUMBER)
def test_a_zero_by_number_is_named(snapshot: Snapshot, name: str) -> None:
    wire = first_wire(snapshot, name)
    assert wire.status is Status.ZERO and wire.gradient is not None and wire.zero is not None
    assert not np.any(wire.gradient)
    assert (wire.zero.cause, wire.zero.at) == (BY_NUMBER[name], f"main/{name}")
    assert wire.zero.details == {BY_NUMBER[name]: wire.gradient.size}


def test_it_is_seen_whole_and_nothing_lies_over_it(seen: Driver) -> None:
    canvas = seen.canvas
    assert Look(theme("dark"), canvas.camera.scale).level is Level.FULL
    view = QRectF(canvas.rect())
    for box in canvas.mirror.frames.values():
        on_screen = canvas.camera.rect_to_view(box)
        assert view.contains(on_screen)
        assert not on_screen.intersects(QRectF(seen.window.parts.viewing.corner.button.geometry()))


@pytest.mark.parametrize("name", ["dark", "light"])
def test_each_wire_tells_what_comes_back_and_why(seen: Driver, name: str) -> None:
    look = Look(theme(name), seen.canvas.camera.scale)
    _, found = drawn_page(seen.canvas.mirror, look, PagePainter(seen.canvas.mirror))
    placed = {wire.target.block: item for wire, item in found.items()}
    for cause in [*BY_NUMBER, *TEXTS]:
        gradient = placed[cause].label.gradient
        assert placed[cause].form is Form.WHOLE
        assert gradient is not None and TEXTS.get(cause, "0") in gradient.text
        assert gradient.mark == ("" if cause in TEXTS else cause)
    # Where there is no path the dots of the wire say so alone.
    assert placed["no_path"].label.gradient is None


@pytest.mark.long
@pytest.mark.parametrize("name", ["flat", "non_differentiable"])
def test_what_passes_the_gradient_straight_through_stands_beside_its_row(seen: Driver, name: str) -> None:
    before = set(seen.page.blocks)
    seen.session.select(Selection(wires=frozenset([seen.wire(f"{name}.x")])))
    seen.key(Key.Key_W)
    QTest.mouseClick(seen.child(QPushButton, "why_fix_0"), LEFT)
    seen.settle()
    boxes = {block: seen.canvas.mirror.rect(block) for block in seen.page.blocks}
    made = sorted(set(boxes) - before)
    assert len(made) == 3
    assert not [(new, old) for new in made for old in boxes if new != old and boxes[new].intersects(boxes[old])]
    row = boxes[f"loss_{name}"]
    assert all(box.top() < row.bottom() and box.bottom() > row.top() for box in map(boxes.__getitem__, made))
    assert min(boxes[new].left() for new in made) - row.right() < 64
