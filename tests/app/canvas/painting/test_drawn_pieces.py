"""What stands where, how thick, how large and in which colour: an empty page, and bodies and grounds of blocks.

Units: px at 100 %.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter

from gradwire.app.canvas.painting.blocks.block_painter import BlockPainter
from gradwire.app.canvas.painting.blocks.body_painter import BodyPainter
from gradwire.app.canvas.painting.empty import draw_empty
from gradwire.app.canvas.painting.labels.labels import Form, GradientText, Label
from gradwire.engine.autodiff.status import Status
from tests.app.canvas.pages import painted
from tests.app.canvas.painting.blocks.test_bodies import LOOK, page
from tests.app.drawn_shapes import recorded

pytestmark = pytest.mark.usefixtures("qapp")


def lines(paint: Callable[[QPainter], object]) -> list[str]:
    with recorded() as found:
        painted(QSize(700, 500), paint)  # type: ignore[arg-type]
    return found


@pytest.mark.parametrize(("key", "start"), [("Tab", "Press Tab"), ("", "Double-click")])
def test_an_empty_page_offers_three_blocks_a_field_and_words(key: str, start: str) -> None:
    """The blocks are 144 by 86, 128 apart; the words begin 200 px before them."""
    assert lines(lambda painter: draw_empty(painter, LOOK, key)) == [
        "rect 0 0 144 86 round 8 1.4px border.strong on bg.frame",
        "text 0 0 144 86 middle 13px text.secondary “Input”",
        "rect 272 0 144 86 round 8 1.4px border.strong on bg.frame",
        "text 272 0 144 86 middle 13px text.secondary “Exp”",
        "line 144 43 272 43 1.4px border.strong",
        "rect 544 0 144 86 round 8 1.4px border.strong on bg.frame",
        "text 544 0 144 86 middle 13px text.secondary “Loss”",
        "line 416 43 544 43 1.4px border.strong",
        f"text -200 -72 1088 24 middle 15px text.primary “{start} to add a block, or open an example”",
        "rect 84 -140 520 40 round 8 1.2px border.strong on bg.raised",
        "text 98 -140 492 40 left 13px text.secondary "
        "“Type a formula, a layer or a block: p = softmax(x - stop(max(x)))”",
        "text -200 110 1088 20 middle 12px text.tertiary “Click the three blocks to build them”",
    ]


BODIES = {
    "x": [
        "line 41 106 41 62 3px border.default",
        "line 41 106 41 97.2 3px value",
        "ellipse 36.5 92.7 9 9 2px value on bg.raised",
        "text 8 108 67 16 middle 10px text.primary “1”",
        "line 103 106 103 62 3px border.default",
        "line 103 106 103 88.4 3px value",
        "ellipse 98.5 83.9 9 9 2px value on bg.raised",
        "text 70 108 67 16 middle 10px text.primary “2”",
    ],
    "w": [
        "icon 10 38 12 12 grad.text refresh",
        "text 27 34 84 20 left 11px text.secondary “trainable”",
        "text 10 54 41 13 left 10px text.tertiary “value”",
        "line 10 100 134 100 0.8px border.strong",
        "text 10 110 125 13 right 10px grad.text “|∂L| 1.732”",
        "text 10 110 41 13 left 10px grad.text “∂L”",
        "line 10 156 134 156 0.8px border.strong",
    ],
    "m": [
        "text 10 54 123 26 right 15px value “2”",
        "text 11 54 106 26 left 11px text.secondary “axis all”",
    ],
    "z": ["text 10 74 123 26 right 15px value “8”"],
    "loss": [
        "line 10 77 134 77 1px border.subtle",
        "text 11 80 41 24 left 11px text.secondary “L”",
        "text 10 80 123 24 right 15px value “8”",
        "text 11 105 122 18 right 11px grad.text “∂L/∂L = 1”",
        "text 11 105 56.66 18 left 11px text.secondary “seed”",
    ],
    "e": ["text 10 54 125 34 middle 10px text.tertiary “connect x”"],
    "stop": [
        *(f"line 130 {29 + 7 * place} 143 {16 + 7 * place} 3px stop" for place in range(10)),
        "text 12 54 115 24 left 15px value “2”",
        "text 33 54 94 24 left 11px text.primary “∂ → 0”",
    ],
}


@pytest.mark.parametrize("name", BODIES)
def test_a_body_has_its_texts_and_shapes_in_their_sizes(name: str) -> None:
    mirror = page()
    assert lines(lambda painter: BodyPainter(painter, mirror, LOOK).draw(mirror.rows[name], False)) == BODIES[name]


def test_what_passes_is_a_dotted_line() -> None:
    mirror = page()
    assert lines(lambda painter: BodyPainter(painter, mirror, LOOK).draw(mirror.rows["m"], True)) == [
        "line 10 44 134 44 1.4px text.secondary",
        "text 10 54 125 26 middle 10px text.secondary “muted”",
    ]


GROUNDS = {
    "x": [
        "rect 0 0 144 130 round 8 1px border.default",
        "icon 9 8 14 14 cat.source source",
        "text 44.73 3 90.27 25 right 10px text.tertiary “Input”",
        "text 28 5 75 20 left 12px text.primary “x”",
        "text 43.2 35 90.8 18 right 10px text.tertiary “[2]”",
        "rect 141.4 38.4 5.2 11.2 round 2 6px bg.canvas on bg.canvas",
        "rect 141.4 38.4 5.2 11.2 round 2 1.8px value on value",
    ],
    "z": [
        "rect 0 0 144 106 round 8 1px border.default",
        "icon 9 8 14 14 cat.math add",
        "text 61.59 3 73.41 25 right 10px text.tertiary “z”",
        "text 28 5 93.59 20 left 12px text.primary “Add”",
        "text 11 35 87.4 18 left 11px text.secondary “x”",
        "text 11 55 87.4 18 left 11px text.secondary “y”",
        "text 43.2 35 90.8 18 right 10px text.tertiary “[]”",
        "ellipse -4.2 39.8 8.4 8.4 6px bg.canvas on bg.canvas",
        "ellipse -4.2 39.8 8.4 8.4 1.8px value on value",
        "ellipse -4.2 59.8 8.4 8.4 6px bg.canvas on bg.canvas",
        "ellipse -4.2 59.8 8.4 8.4 1.8px value on value",
        "ellipse 139.8 39.8 8.4 8.4 6px bg.canvas on bg.canvas",
        "ellipse 139.8 39.8 8.4 8.4 1.8px value on value",
    ],
}


@pytest.mark.parametrize("name", GROUNDS)
def test_a_ground_has_border_icon_names_and_ports(name: str) -> None:
    mirror = page()
    assert lines(lambda painter: BlockPainter(painter, mirror, LOOK).draw_ground(mirror.rows[name])) == GROUNDS[name]


# Forms of labels

FULL = Label("v", GradientText("g", Status.ZERO, bars=(1.0, 2.0), words="why", number="0"), shape="[9]")


@pytest.mark.parametrize(
    ("form", "value", "gradient", "glyphs", "has_bars"),
    [
        (Form.WHOLE, "v", "g why", 1, True),
        (Form.BRIEF, "v", "g", 1, True),
        (Form.PLAIN, "v", "g", 1, False),
        (Form.BARE, "v", "0", 1, False),
        (Form.SHORT, "[9]", "0", 0, False),
        (Form.NUMBER, "", "0", 0, False),
    ],
)
def test_each_form_of_a_label_gives_something_up(
    form: Form, value: str, gradient: str, glyphs: int, has_bars: bool
) -> None:
    below = FULL.gradient
    assert below is not None
    assert (FULL.value_shown(form), below.shown(form)) == (value, gradient)
    assert (below.glyphs(form), below.has_bars(form)) == (glyphs, has_bars)
    assert FULL.forms(form) == [item for item in Form if item >= form]
    # Without a gradient the value stays, and without a shape too.
    assert Label("v", None, "[9]").value_shown(form) == ("[9]" if form >= Form.SHORT else "v")
    assert Label("v", None).value_shown(form) == "v"


@pytest.mark.parametrize(("status", "glyphs"), [(Status.FLOW, 2), (Status.ZERO, 1), (Status.BLOCKED, 1)])
def test_a_mark_stands_beside_the_arrow_of_what_flows_and_else_in_its_place(status: Status, glyphs: int) -> None:
    text = GradientText("g", status, mark="tie")
    assert text.has_second_mark is (glyphs == 2)
    assert [text.glyphs(form) for form in (Form.WHOLE, Form.PLAIN)] == [glyphs, glyphs]
    assert not GradientText("g", status).has_second_mark and GradientText("g", status).glyphs(Form.PLAIN) == 1
