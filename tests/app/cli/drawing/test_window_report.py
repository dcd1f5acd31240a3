"""The report about a window: what is out of view, covered, told of NaN, to be clicked, or hard to read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QCheckBox, QLabel, QPushButton, QStatusBar, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.access.legibility import painted_texts
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.view.camera import Camera
from gradwire.app.cli.window.report import contrast, covered, least_contrast, nan_places, outside, targets
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.motion import set_moves
from tests.app.canvas.pages import chain

TOP = 100


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    """A window of 1000 by 600 px."""
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(1000, 600)
    return made


@pytest.fixture
def canvas(window: QWidget) -> Iterator[Canvas]:
    """A canvas of 1000 by 500 px in the window, on a chain of four blocks 240 px apart that shows all of them."""
    session = Session(chain(1.0, 2.0), InlineEvaluator)
    made = Canvas(CurrentSession(session), Appearance("dark"), window)
    made.setGeometry(0, TOP, 1000, 500)
    window.show()
    made.viewport.look_with(Camera(1.0, 40, 60))
    set_moves(False)
    yield made
    set_moves(None)
    session.close()


def label(text: str, parent: QWidget, left: int, *, is_seen: bool = True, name: str = "") -> QLabel:
    made = QLabel(text, parent)
    made.setObjectName(name)
    made.setGeometry(left, 10, 90, 20)
    made.setVisible(is_seen)
    return made


@pytest.mark.parametrize(
    ("x", "y", "count"),
    [
        (40, 60, 0),
        # Four blocks and three wires are beyond one of the sides.
        (5000, 60, 7), (-5000, 60, 7), (40, 5000, 7), (40, -5000, 7),
    ],
)  # fmt: skip
def test_blocks_and_wires_beyond_a_side_are_outside(canvas: Canvas, x: int, y: int, count: int) -> None:
    canvas.viewport.look_with(Camera(1.0, x, y))
    assert outside(canvas) == count


@pytest.mark.parametrize(("name", "blocks", "wires"), [("x", 0, 0), ("e", 1, 0), ("s", 2, 1), ("loss", 3, 2)])
def test_a_wire_counts_if_all_of_it_is_outside_and_a_block_if_a_part_is(
    canvas: Canvas, name: str, blocks: int, wires: int
) -> None:
    left = canvas.mirror.rect(name).left()
    canvas.viewport.look_with(Camera(1.0, -left, 60))
    assert outside(canvas) == blocks + wires
    # The block itself and the wire that ends there are one px before the side.
    canvas.viewport.look_with(Camera(1.0, -left - 1, 60))
    assert outside(canvas) == blocks + 1 + wires + (name != "x")


@pytest.mark.parametrize(("name", "blocks", "wires"), [("x", 3, 2), ("e", 2, 1), ("s", 1, 0), ("loss", 0, 0)])
def test_wires_that_begin_behind_the_right_side_are_outside(canvas: Canvas, name: str, blocks: int, wires: int) -> None:
    right = canvas.mirror.rect(name).right()
    canvas.resize(2000, 500)
    canvas.viewport.look_with(Camera(1.0, 2000 - right, 60))
    assert outside(canvas) == blocks + wires
    canvas.viewport.look_with(Camera(1.0, 2001 - right, 60))
    assert outside(canvas) == blocks + 1 + wires + (name != "loss")


def test_what_lies_over_a_block_is_named(window: QWidget, canvas: Canvas) -> None:
    assert covered(window, canvas) == []
    box = canvas.camera.rect_to_view(canvas.mirror.rect("e")).toAlignedRect()
    for name, by in (("note", "note"), ("", "QPushButton")):
        over = QPushButton(window)
        over.setObjectName(name)
        over.setGeometry(QRect(box.left() + 5, box.top() + TOP + 5, 10, 10))
        over.show()
        over.raise_()
        assert covered(window, canvas) == [{"block": "e", "by": by}]
        over.move(box.left() + 5, box.bottom() + TOP + 1)
        assert covered(window, canvas) == []
        over.hide()
    over.setGeometry(0, 0, 1000, TOP)
    over.show()
    # What is out of view lies behind what is beside the canvas, and is counted as that.
    canvas.viewport.look_with(Camera(1.0, 40, -60))
    assert covered(window, canvas) == []


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("NaN starts at e", 1), ("e gives ∞ here", 1), ("its slope is infinite", 1), ("-inf at log", 1),
        # A number alone, and other words.
        ("NaN", 0), ("∞", 0), ("NaN, 3, x", 0), ("Information", 0), ("infinitely", 0), ("all is well", 0),
    ],
)  # fmt: skip
def test_a_sentence_tells_of_nan_in_words(window: QWidget, canvas: Canvas, text: str, count: int) -> None:
    label(text, window, 0)
    assert nan_places(window, canvas) == count


def test_labels_of_one_panel_are_one_place_and_hidden_ones_none(window: QWidget, canvas: Canvas) -> None:
    panels = [QWidget(window), QStatusBar(window), QWidget(window)]
    for place, panel in enumerate(panels):
        panel.setGeometry(300 * place, 0, 280, TOP)
        panel.show()
        label("NaN is here", panel, 0)
        assert nan_places(window, canvas) == place + 1
        label("NaN is there", panel, 100)
        label("NaN is away", panel, 200, is_seen=False)
        assert nan_places(window, canvas) == place + 1
    inner = QWidget(panels[2])
    inner.setObjectName("inspector_overlay")
    inner.setGeometry(0, 40, 280, 50)
    inner.show()
    # What lies over the page is a place of its own.
    label("NaN is over it", inner, 0)
    assert nan_places(window, canvas) == 4


def test_what_takes_a_click_has_a_name_unless_it_is_hidden_or_disabled(window: QWidget, canvas: Canvas) -> None:
    before = sorted(targets(window, canvas))
    for place, (name, is_seen, is_enabled) in enumerate([("a", 1, 1), ("b", 0, 1), ("c", 1, 0)]):
        button = QPushButton(name, window)
        button.move(place * 100, 0)
        button.setVisible(bool(is_seen))
        button.setEnabled(bool(is_enabled))
    box = QCheckBox("box", window)
    box.move(300, 0)
    box.show()
    label("text", window, 400)
    on_page = QPushButton("over the page", canvas)
    on_page.show()
    assert sorted(targets(window, canvas)) == sorted([*before, "a", "box", "over the page"])


def drawn(*texts: tuple[QWidget, str, str]) -> QImage:
    """Returns a picture of what is above the page, with a few px of a colour on another where each widget stands."""
    image = QImage(1000, TOP, QImage.Format.Format_RGB32)
    image.fill("#ffffff")
    for widget, ink, behind in texts:
        box = widget.geometry()
        for x in range(box.left() - 3, box.right() + 4):
            for y in range(box.top() - 3, box.bottom() + 4):
                if image.rect().contains(x, y):
                    image.setPixelColor(x, y, QColor(behind))
        image.setPixelColor(box.center(), QColor(ink))
    return image


def test_the_least_contrast_is_that_of_the_text_hardest_to_read(window: QWidget, canvas: Canvas) -> None:
    first, second = label("one", window, 20), label("two", window, 220)
    assert least_contrast(window, canvas, drawn()) == 21
    image = drawn((first, "#000000", "#ffffff"), (second, "#777777", "#ffffff"))
    assert least_contrast(window, canvas, image) == pytest.approx(4.48, abs=0.005)
    image = drawn((first, "#ffffff", "#000000"), (second, "#000000", "#777777"))
    assert least_contrast(window, canvas, image) == pytest.approx(21 / 4.48, abs=0.01)
    for change in (lambda: second.setText(""), lambda: (second.setText("two"), second.setEnabled(False))):
        change()
        assert least_contrast(window, canvas, image) == pytest.approx(21)


def test_a_text_that_is_cut_at_the_edge_of_the_page_is_not_measured(window: QWidget, canvas: Canvas) -> None:
    text = max(painted_texts(canvas), key=lambda item: item.drawn.rect.bottom()).drawn
    image = QImage(1000, 600, QImage.Format.Format_RGB32)
    image.fill("#000000")
    usual = least_contrast(window, canvas, image)
    # What lies below the page has the colour of the text, which has 3 px left.
    canvas.setFixedHeight(round(text.rect.top()) + 3)
    with QPainter(image) as painter:
        painter.fillRect(0, TOP + canvas.height(), 1000, 600, text.color)
    assert text in [item.drawn for item in painted_texts(canvas)]
    assert least_contrast(window, canvas, image) >= usual > 2


def test_an_icon_is_no_text(window: QWidget, canvas: Canvas) -> None:
    button = QToolButton(window)
    button.setText("icon")
    button.setGeometry(20, 10, 90, 20)
    button.show()
    image = drawn((button, "#777777", "#ffffff"))
    assert least_contrast(window, canvas, image) == 21
    button.setToolButtonStyle(button.toolButtonStyle().ToolButtonTextOnly)
    assert least_contrast(window, canvas, image) == pytest.approx(4.48, abs=0.005)


# By the formulas of WCAG 2.2: up to 0.04045, which is 10.3 of 255, a part is linear.
@pytest.mark.parametrize(
    ("color", "luminance"),
    [
        ("#000000", 0.0), ("#ffffff", 1.0), ("#ff0000", 0.2126), ("#00ff00", 0.7152), ("#0000ff", 0.0722),
        ("#0a0a0a", 10 / 255 / 12.92), ("#0b0b0b", ((11 / 255 + 0.055) / 1.055) ** 2.4),
        ("#808080", ((128 / 255 + 0.055) / 1.055) ** 2.4),
    ],
)  # fmt: skip
def test_the_contrast_with_black_is_that_of_the_luminance(color: str, luminance: float) -> None:
    assert contrast(QColor(color), QColor("#000000")) == pytest.approx((luminance + 0.05) / 0.05, rel=1e-4)
