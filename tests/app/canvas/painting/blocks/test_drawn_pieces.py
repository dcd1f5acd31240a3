"""What stands where, how thick, how large and in which colour: an empty page, and bodies and grounds of blocks.

Units: px at 100 %.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.painting.annotations import draw_frames, draw_notes
from gradwire.app.canvas.painting.blocks.block_painter import BlockPainter, outlines
from gradwire.app.canvas.painting.blocks.body_painter import BodyPainter
from gradwire.app.canvas.painting.blocks.slice_picker import draw_picker, has_slices, picker_of, step_slice
from gradwire.app.canvas.painting.empty import draw_empty
from gradwire.app.canvas.painting.labels.labels import Form, GradientText, Label
from gradwire.app.canvas.painting.look import Look
from gradwire.app.canvas.painting.miniature import draw_miniature
from gradwire.app.live.session import Selection
from gradwire.engine.autodiff.status import Status
from gradwire.engine.edits import annotations, edits
from gradwire.engine.graph.graph import Graph, Port
from tests.app.canvas.pages import MAIN, mirror_of, painted, wired, with_block
from tests.app.canvas.painting.blocks.test_bodies import LOOK, page
from tests.app.canvas.painting.test_miniature import row_of
from tests.app.drawn_shapes import recorded

pytestmark = pytest.mark.usefixtures("qapp")


def lines(paint: Callable[[QPainter], object]) -> list[str]:
    with recorded() as found:
        painted(QSize(700, 500), paint)  # type: ignore[arg-type]
    return found


@pytest.mark.parametrize(("key", "start"), [("Tab", "Press Tab"), ("", "Double-click")])
def test_an_empty_page_says_in_its_middle_how_to_begin(key: str, start: str) -> None:
    assert lines(lambda painter: draw_empty(painter, LOOK, key)) == [
        f"text -240 -20 480 40 middle 15px text.secondary “{start} to add a block”"
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
        "text 27 34 48 20 left 11px text.secondary “trainable”",
        "text 10 54 41 13 left 10px text.tertiary “value”",
        "line 10 100 134 100 0.8px border.strong",
        "text 10 110 125 13 right 10px grad.text “|∂L| 1.732”",
        "text 10 110 41 13 left 10px grad.text “∂L”",
        "line 10 156 134 156 0.8px border.strong",
    ],
    "m": [
        "text 10 54 123 26 right 15px value “2”",
        "text 11 54 106 26 left 11px text.secondary “largest of 2”",
    ],
    "z": ["text 10 74 123 26 right 15px value “8”"],
    "loss": [
        "line 10 77 134 77 1px border.subtle",
        "text 11 80 122 24 right 15px value “8”",
        "text 11 80 107 24 left 11px text.secondary “L”",
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
    assert lines(lambda painter: BodyPainter(painter, mirror, LOOK, mirror.rows[name]).draw(False)) == BODIES[name]


def test_what_passes_is_a_dotted_line() -> None:
    mirror = page()
    assert lines(lambda painter: BodyPainter(painter, mirror, LOOK, mirror.rows["m"]).draw(True)) == [
        "line 10 44 134 44 1.4px text.secondary",
        "text 10 54 125 26 middle 10px text.secondary “muted”",
    ]


GROUNDS = {
    "x": [
        "rect 0 0 144 130 round 8 1px border.default",
        "icon 9 8 14 14 cat.source source",
        "text 67.94 3 67.06 25 right 10px text.tertiary “x”",
        "text 28 5 93.61 20 left 12px text.primary “Input”",
        "text 43.2 35 90.8 18 right 10px text.tertiary “2 numbers”",
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


PORTS_OF_M = [
    "rect 597.4 38.4 5.2 11.2 round 2 6px bg.canvas on bg.canvas",
    "rect 597.4 38.4 5.2 11.2 round 2 1.8px value on value",
    "ellipse 739.8 39.8 8.4 8.4 6px bg.canvas on bg.canvas",
    "ellipse 739.8 39.8 8.4 8.4 1.8px value on value",
]
BORDER, ICON_OF_M = "rect 600 0 144 86 round 8 1px border.default", "icon 609 8 14 14 cat.reduce max"


@pytest.mark.parametrize(
    ("scale", "shapes"),
    [
        # From afar the icon has 42 of 100 of the room below the stripe of 3 px, in the middle of that.
        (0.2, [BORDER, "icon 654.57 27.07 34.86 34.86 cat.reduce max"]),
        (0.3, [BORDER, "icon 654.57 27.07 34.86 34.86 cat.reduce max"]),
        (0.5, [BORDER, "icon 618 32 28 28 cat.reduce max", *PORTS_OF_M, "text 658 18 74 56 right 11px value “2”"]),
        (
            1.6,
            [
                BORDER,
                ICON_OF_M,
                "text 706.19 3 28.81 25 right 10px text.tertiary “m”",
                "text 628 5 90.31 20 left 12px text.primary “ReduceMax”",
                "text 611 35 87.4 18 left 11px text.secondary “x”",
                "text 643.2 35 90.8 18 right 10px text.tertiary “f64”",
                *PORTS_OF_M,
                "text 610 54 123 26 right 15px value “2”",
                "text 611 54 106 26 left 11px text.secondary “largest of 2”",
            ],
        ),
    ],
)
def test_a_block_shows_more_from_nearby(scale: float, shapes: list[str]) -> None:
    mirror, look = page(), dataclasses.replace(LOOK, scale=scale)
    assert lines(lambda painter: BlockPainter(painter, mirror, look).draw(mirror.rows["m"])) == shapes


def test_the_wall_of_a_small_stop_stands_18_px_before_its_edge() -> None:
    mirror, look = page(), dataclasses.replace(LOOK, scale=0.5)
    found = lines(lambda painter: BlockPainter(painter, mirror, look).draw(mirror.rows["stop"]))
    assert found[0] == "icon 918 32 28 28 stop stopgrad" and found[-1] == "text 958 18 60 56 right 11px value “2”"
    walls = [f"line 1026 {14 + 14 * place} 1044 {-4 + 14 * place} 3px stop" for place in range(6)]
    assert [line for line in found if "3px" in line] == walls


def drawn_block(graph: Graph, name: str, look: Look = LOOK) -> list[str]:
    mirror = mirror_of(graph)
    return lines(lambda painter: BlockPainter(painter, mirror, look).draw(mirror.rows[name]))


def test_a_collapsed_block_is_its_header() -> None:
    found = drawn_block(edits.set_collapsed(page().session.graph, MAIN, ["m"], True), "m")
    assert found == [
        "rect 600 0 144 28 round 8 1px border.default",
        ICON_OF_M,
        "text 706.19 3 28.81 25 right 10px text.tertiary “m”",
        "text 628 5 90.31 20 left 12px text.primary “ReduceMax”",
        *(line.replace(" 38.4 ", " 8.4 ").replace(" 39.8 ", " 9.8 ") for line in PORTS_OF_M),
    ]


def test_a_muted_block_has_a_sign_and_what_passes() -> None:
    found = drawn_block(edits.set_muted(page().session.graph, MAIN, ["m"], True), "m")
    assert found[2:4] == ["icon 722 9 12 12 text.tertiary mute", "text 628 5 87 20 left 12px text.primary “ReduceMax”"]
    assert found[-2:] == [
        "line 610 44 734 44 1.4px text.secondary",
        "text 610 54 125 34 middle 10px text.secondary “muted: x → y”",
    ]


def test_a_stale_block_has_a_clock() -> None:
    found = drawn_block(page().session.graph, "m", dataclasses.replace(LOOK, is_stale=True))
    assert found[2] == "icon 722 9 12 12 text.tertiary clock"


def test_a_block_with_an_error_has_a_badge_a_border_and_a_sentence() -> None:
    graph = wired(with_block(page().session.graph, "bad", "MatMul", (0, 500)), "x.y > bad.a", "w.y > bad.b")
    found = drawn_block(graph, "bad")
    assert found[0] == "rect 0 500 144 126 round 8 1.6px error"
    assert found[-3:] == [
        "icon 138 493.5 12 12 error error",
        "rect 8 574 128 46 round 4 on error.bg",
        "text 14 577 116 40 left 10px error “a has shape [2], but a matrix has at least two axes.”",
    ]


@pytest.mark.parametrize(("chosen", "pen"), [("r", "2px accent"), ("x", "1.5px border.strong")])
def test_a_dot_is_12_px_wide(chosen: str, pen: str) -> None:
    graph = with_block(page().session.graph, "r", "Reroute", (400, 0))
    look = dataclasses.replace(LOOK, selection=Selection(frozenset([chosen])))
    assert drawn_block(graph, "r", look) == [f"ellipse 402 2 12 12 {pen} on bg.raised"]


def test_a_port_that_may_be_joined_has_a_ring() -> None:
    look = dataclasses.replace(LOOK, hovered=Target(port=(Port("m", "x"), True)))
    found = drawn_block(page().session.graph, "m", look)
    assert [line for line in found if "accent" in line] == ["ellipse 589 33 22 22 1.5px accent on accent.soft"]


def test_outlines_divide_a_block_into_stripe_and_header() -> None:
    """The stripe is 3 px high, and 1.75 px narrower at each side where the corner is round."""
    whole, stripe, header = (path.boundingRect().getRect() for path in outlines(144, 86))
    assert whole == (0, 0, 144, 86) and header == pytest.approx((0, 3, 144, 25), abs=1e-5)
    assert stripe == pytest.approx((1.75, 0, 140.5, 3), abs=0.01)


# Frames, notes, and the picker of slices


def annotated() -> tuple[Mirror, str, str]:
    graph, frame = annotations.add_frame(with_block(Graph(), "e", "Exp", (0, 0)), MAIN, "title", ["e"])
    graph, note = annotations.add_note(graph, MAIN, "head\nrest", (0, 300))
    return mirror_of(graph), frame, note


@pytest.mark.parametrize(
    ("scale", "chosen", "frame", "note"),
    [
        (
            1.0, False, "text -4 -31 152 22 left 11px text.secondary “title”",
            [
                "text 10 310 332 31.83 left 12px text.primary “head”",
                "text 10 328.52 332 15.31 left 11px text.secondary “rest”",
            ],
        ),
        (
            0.8, True, "text -4 -32 152 24 left 12px text.secondary “title”",
            [
                "text 10 310 332 31.83 left 12px text.primary “head”",
                "text 10 328.52 332 15.31 left 12px text.secondary “rest”",
            ],
        ),
        (
            0.5, False, "text -4 -39 152 38 left 19px text.secondary “title”", [],
        ),
        (0.2, False, "", []),
    ],
)  # fmt: skip
def test_frames_and_notes_have_texts_of_9_and_a_half_px_at_least(
    scale: float, chosen: bool, frame: str, note: list[str]
) -> None:
    """A frame is 16 px wider than its block at the sides; texts of a note have 10 px around them and 4 between."""
    mirror, one, other = annotated()
    selection = Selection(frames=frozenset([one]), notes=frozenset([other])) if chosen else Selection()
    look = dataclasses.replace(LOOK, scale=scale, selection=selection)
    pen = "2px accent" if chosen else "1px border.subtle"
    found = lines(lambda painter: draw_frames(painter, mirror, look, {one}))
    assert found == [f"rect -16 -34 176 144 round 10 {pen} on bg.frame", *([frame] if frame else [])]
    found = lines(lambda painter: draw_notes(painter, mirror, look, {other}))
    assert found == ([f"rect 0 300 352 51.83 round 6 {pen} on bg.frame", *note] if note else [])


@pytest.mark.parametrize(
    ("shape", "sizes"),
    [((2, 3), None), ((1, 3, 4), None), ((2, 3, 4), (2,)), ((2, 2, 3, 4), (2, 2)), ((3, 1, 1), (3,))],
)
@pytest.mark.parametrize(("kind", "box"), [("Constant", (10, 86, 124, 18)), ("Variable", (38, 54, 96, 14))])
def test_a_tensor_of_several_matrices_has_a_picker(
    shape: tuple[int, ...], sizes: tuple[int, ...] | None, kind: str, box: tuple[float, ...]
) -> None:
    """It has the lowest 18 px of the body, or of a Variable 96 px beside the word above its value."""
    mirror = mirror_of(with_block(Graph(), "c", kind, (0, 0), value=np.ones(shape)))
    found = picker_of(mirror, "c")
    assert (None if found is None else (found.sizes, found.picked, found.box.getRect())) == (
        None if sizes is None else (sizes, 0, box)
    )
    assert has_slices(mirror, "c") is (sizes is not None) and not has_slices(mirror, "gone")


def test_steps_through_slices_end_at_the_first_and_the_last() -> None:
    mirror = mirror_of(with_block(Graph(), "c", "Constant", (0, 0), value=np.ones((3, 2, 2))))
    for steps, picked in ((1, 1), (1, 2), (1, 2), (-1, 1), (-5, 0), (9, 2), (-2, 0)):
        step_slice(mirror, "c", steps)
        found = picker_of(mirror, "c")
        assert found is not None and found.picked == picked
        arrows = [("disabled" if picked == 0 else "secondary"), ("disabled" if picked == 2 else "secondary")]
        assert lines(lambda painter: draw_picker(painter, LOOK, found)) == [  # noqa: B023
            f"icon 17 90 10 10 text.{arrows[0]} chev-left",
            f"icon 117 90 10 10 text.{arrows[1]} chev-right",
            f"text 27 86 91 18 middle 11px text.secondary “[{picked}]”",
        ]
    step_slice(mirror, "gone", 1)


# Miniatures


def miniature(mirror: Mirror, width: float = 400) -> list[str]:
    return lines(lambda painter: draw_miniature(painter, mirror, LOOK, QRectF(0, 0, width, 200)))


def test_blocks_of_a_miniature_have_stripe_and_icon() -> None:
    assert miniature(row_of(2)) == [
        "rect 155 90 24 20 round 3 1px border.default on bg.raised",
        "fill 156 90 22 2 on cat.math",
        "icon 161.5 95 11 11 cat.math exp",
        "rect 221 90 24 20 round 3 1px border.default on bg.raised",
        "fill 222 90 22 2 on cat.math",
        "icon 227.5 95 11 11 cat.math exp",
    ]
    assert miniature(mirror_of(Graph())) == ["text 0 0 400 200 middle 11px text.tertiary “empty”"]


@pytest.mark.parametrize(("count", "icons"), [(60, 60), (61, 0)])
def test_of_many_blocks_a_miniature_has_no_icons(count: int, icons: int) -> None:
    found = miniature(row_of(count), 280)
    assert sum(line.startswith("icon") for line in found) == icons
    assert found[0] == "rect 12 95 12 10 round 3 1px border.default on bg.raised"


def test_signs_of_a_miniature_have_the_colours_of_the_page() -> None:
    graph = with_block(with_block(Graph(), "s", "StopGradient", (0, 0)), "r", "Reroute", (400, 0))
    assert miniature(mirror_of(graph)) == [
        "icon 157.54 100.55 11 11 stop stopgrad",
        "ellipse 234.96 92.45 4 4 1px border.strong on bg.raised",
    ]


# Forms of labels

FULL = Label("1.23", GradientText("g", Status.FLOW, bars=(1.0, 2.0), mark="tie", number="0"), "1.2")


@pytest.mark.parametrize(
    ("form", "value", "gradient", "glyph", "has_bars"),
    [
        (Form.WHOLE, "1.23", "g", "tie", True),
        (Form.BARE, "1.2", "0", "", False),
        (Form.NUMBER, "", "0", "", False),
    ],
)
def test_each_form_of_a_label_gives_something_up(
    form: Form, value: str, gradient: str, glyph: str, has_bars: bool
) -> None:
    below = FULL.gradient
    assert below is not None
    assert (FULL.value_shown(form), below.shown(form)) == (value, gradient)
    assert (below.glyph(form), below.has_bars(form)) == (glyph, has_bars)
    assert FULL.forms(form) == [item for item in Form if item >= form]
    # Without a gradient the value stays, and without a brief form too.
    assert Label("1.23", None, "1.2").value_shown(form) == ("1.23" if form is Form.WHOLE else "1.2")
    assert Label("1.23", None).value_shown(form) == "1.23"


@pytest.mark.parametrize(("status", "own"), [(Status.FLOW, ""), (Status.ZERO, "zero"), (Status.BLOCKED, "blocked")])
def test_a_mark_stands_in_place_of_the_glyph_of_a_status(status: Status, own: str) -> None:
    assert GradientText("g", status, mark="tie").glyph(Form.WHOLE) == "tie"
    assert GradientText("g", status).glyph(Form.WHOLE) == own
