"""Where each kind of body puts its texts and shapes, and what a header leaves room for. Units: px at 100 %."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.painting.annotations import draw_frames, draw_notes, title_rects
from gradwire.app.canvas.painting.blocks.block_painter import BlockPainter, octagon
from gradwire.app.canvas.painting.blocks.body_painter import BodyPainter
from gradwire.app.canvas.painting.blocks.small_body import SmallBody
from gradwire.app.canvas.painting.glyphs import draw_component_bars, draw_port
from gradwire.app.canvas.painting.look import Look
from gradwire.app.live.session import Selection
from gradwire.app.look.theme import theme
from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.edits import annotations, edits, page_edits
from gradwire.engine.graph.graph import Graph, Port
from tests.app.canvas.pages import MAIN, mirror_of, wired, with_block
from tests.app.strokes import Stroke, placed, strokes

pytestmark = pytest.mark.usefixtures("qapp")
LOOK = Look(theme("dark"))
At = tuple[float, ...]


@functools.cache
def page() -> Mirror:
    """z = stop(max x) + sum w; e is joined to nothing."""
    places = {"x": "Input", "w": "Variable", "m": "ReduceMax", "stop": "StopGradient", "s": "ReduceSum"}
    places |= {"z": "Add", "loss": "Loss", "e": "Exp", "t": "Tanh"}
    values = {"x": np.array([1.0, 2.0]), "w": np.array([1.0, 2.0, 3.0])}
    graph = Graph()
    for number, (name, kind) in enumerate(places.items()):
        given = {"value": values[name]} if name in values else {}
        graph = with_block(graph, name, kind, (300 * number, 0), **given)
    wires = ("x.y > m.x", "m.y > stop.x", "w.y > s.x", "stop.y > z.x", "s.y > z.y", "z.z > loss.x", "w.y > t.x")
    return mirror_of(wired(graph, *wires))


def body(name: str, mirror: Mirror | None = None, look: Look = LOOK, is_passed: bool = False) -> list[Stroke]:
    mirror = mirror or page()
    return strokes(lambda painter: BodyPainter(painter, mirror, look, mirror.rows[name]).draw(is_passed))


def ground(name: str, mirror: Mirror | None = None, look: Look = LOOK) -> list[Stroke]:
    mirror = mirror or page()
    return strokes(lambda painter: BlockPainter(painter, mirror, look).draw_ground(mirror.rows[name]))


def written(found: list[Stroke]) -> list[tuple[str, At]]:
    return [(item.text, item.at) for item in found if item.kind == "text"]


def inks(found: list[Stroke]) -> Mapping[str, str]:
    return {item.text: item.pen for item in found if item.kind == "text"}


# Bodies


def test_a_number_stands_at_the_right_with_the_setting_before_it() -> None:
    (number, at), (setting, beside) = written(body("m"))
    assert (number, at) == ("2", (10, 54, 123, 26))
    assert (setting, beside[:2]) == ("largest of 2", (11, 54))
    # 10 px are between both.
    assert beside[2] - 1 == pytest.approx(124 - 10 - (LOOK.growth(15) * 9), abs=1.5)
    assert [text for text, _ in written(body("z"))] == ["8"]


@pytest.mark.parametrize(
    ("numbers", "text", "px"),
    [
        ([1, 2, 3], "1  2  3", 15),
        # 13 characters of 9 px have room in 120 px.
        ([0.125, 0.25, 0.5], ".125  .25  .5", 15),
        ([0.123, 0.45, 0.789], ".123 .45 .789", 15),
        ([0.123, 0.456, 0.789], ".123 .456 .789", 10),
        ([-0.123, -0.456, -0.789, -0.111], "−.12 −.46 −.79 −.11", 10),
    ],
)
def test_of_a_constant_the_few_numbers_stand_in_a_row(numbers: list[float], text: str, px: int) -> None:
    mirror = mirror_of(with_block(Graph(), "c", "Constant", (0, 0), value=np.array(numbers, float)))
    found = body("c", mirror)
    assert written(found) == [(text, (14, 54, 121, 26))]
    assert mirror.shapes[0].height == 86 and not placed(found, "rect")
    assert not placed(ground("c", mirror), "3 numbers") and "numbers" not in str(written(ground("c", mirror)))


def test_of_a_variable_value_and_gradient_have_half_of_the_body_each() -> None:
    """48 px, 14 of them for a line of text; the bars have 4 px less."""
    found = body("w")
    assert written(found)[1:] == [
        ("value", (10, 54, 41, 13)),
        ("|∂L| 1.732", (10, 110, 125, 13)),
        ("∂L", (10, 110, 41, 13)),
    ]
    third = pytest.approx(37.33, abs=0.01)
    assert placed(found, "rect") == [
        (12, 90, third, 10), (pytest.approx(53.33), 80, third, 20), (pytest.approx(94.67), 70, third, 30),
        (12, 126, third, 30), (pytest.approx(53.33), 126, third, 30), (pytest.approx(94.67), 126, third, 30),
    ]  # fmt: skip
    assert written(found)[0] == ("trainable", (27, 34, 48, 20))
    theme_of = LOOK.theme.css
    assert inks(found)["∂L"] == theme_of("grad.text") and inks(found)["value"] == theme_of("text.tertiary")


def test_a_frozen_variable_says_so() -> None:
    graph = edits.set_parameter(page().session.graph, MAIN, "w", "trainable", False)
    assert written(body("w", mirror_of(graph)))[0][0] == "frozen"


def test_a_loss_has_its_value_below_a_line() -> None:
    found = body("loss")
    assert placed(found, "line") == [(10, 77, 134, 77)]
    assert [(text, at[:2]) for text, at in written(found)] == [
        ("8", (11, 80)), ("L", (11, 80)),
    ]  # fmt: skip
    graph = with_block(page().session.graph, "other", "Loss", (0, 500))
    mirror = mirror_of(dataclasses.replace(graph, loss="main/other"))
    assert [text for text, _ in written(body("loss", mirror))] == ["8", "click to use"]


def test_a_stop_has_its_wall_at_the_right_and_the_number_before_the_sign() -> None:
    found = body("stop")
    lines = placed(found, "line")
    assert (lines[0], lines[1], lines[-1]) == ((130, 29, 143, 16), (130, 36, 143, 23), (130, 92, 143, 79))
    (number, at), (sign, behind) = written(found)
    assert (number, at) == ("2", (12, 54, 115, 24))
    assert sign == "∂ → 0" and behind[0] == pytest.approx(12 + 9 + 12, abs=1) and behind[1] == 54


def test_a_vector_before_a_stop_has_no_number() -> None:
    graph = with_block(page().session.graph, "wall", "StopGradient", (0, 500))
    assert written(body("wall", mirror_of(wired(graph, "x.y > wall.x")))) == [("∂ → 0", (12, 54, 115, 24))]


def test_a_block_without_its_wire_says_what_to_connect() -> None:
    assert written(body("e")) == [("connect x", (10, 54, 125, 34))]


def test_what_only_passes_is_a_dotted_line_with_words() -> None:
    found = body("m", is_passed=True)
    assert placed(found, "line") == [(10, 44, 134, 44)]
    assert [text for text, _ in written(found)] == ["muted"]
    assert [text for text, _ in written(body("stop", is_passed=True))] == ["gradient passes"]
    muted = mirror_of(edits.set_muted(page().session.graph, MAIN, ["t"], True))
    assert [text for text, _ in written(body("t", muted, is_passed=True))] == ["muted: x → y"]


def test_stale_values_are_cut_through_but_for_numbers_below_bars() -> None:
    stale = dataclasses.replace(LOOK, is_stale=True)
    cuts = [item.at for item in body("m", look=stale) if item.pen == LOOK.theme.css("bg.raised")]
    assert cuts[:2] == [(10, 54, -16, 80), (19, 54, -7, 80)] and len(cuts) == 17
    cuts = [item.at for item in body("t", look=stale) if item.pen == LOOK.theme.css("bg.raised")]
    assert cuts[0] == (10, 54, -28, 92)
    assert inks(body("m", look=stale))["2"] == LOOK.theme.css("text.disabled")
    assert not [item for item in body("e", look=stale) if item.kind == "line"]


def test_an_error_is_a_sentence_on_its_ground() -> None:
    graph = wired(with_block(page().session.graph, "bad", "MatMul", (0, 500)), "x.y > bad.a", "w.y > bad.b")
    found = body("bad", mirror_of(graph))
    assert placed(found, "rounded") == [(8, 74, 128, 46)]
    ((text, at),) = written(found)
    assert at == (14, 77, 116, 40) and text
    assert [(item.pen, item.brush) for item in found if item.kind == "rounded"] == [("", LOOK.theme.css("error.bg"))]


def test_a_page_is_a_little_picture_of_its_blocks() -> None:
    """Its blocks keep their places to each other, in the middle of the body, at most a fifth as large."""
    graph = page_edits.add_page(page().session.graph, "inner")[0]
    graph = edits.add_block(graph, "inner", "Exp", id="a", at=(0, 0))[0]
    graph = edits.add_block(graph, "inner", "Exp", id="b", at=(156, 104))[0]
    graph = with_block(graph, "used", "Page", (0, 500), page="inner")
    mirror = mirror_of(graph)
    box = mirror.shapes[mirror.rows["used"]].body_box.adjusted(0, 2, 0, -4)
    back, first, second = placed(body("used", mirror), "fill")
    assert back == pytest.approx(box.getRect())
    left, top = box.center().x() - 30, box.center().y() - 20
    scale = min(0.2, (box.height() - 8) / 200)
    left, top = box.center().x() - 150 * scale, box.center().y() - 100 * scale
    assert first == pytest.approx((left, top, 144 * scale, 90 * scale), abs=0.02)
    assert second == pytest.approx((left + 156 * scale, top + 104 * scale, 144 * scale, 90 * scale), abs=0.02)


# Headers, ports, badges


def test_a_header_has_the_title_and_as_much_of_the_name_as_there_is_room() -> None:
    found = dict(written(ground("m")))
    assert found["ReduceMax"][:2] == (28, 5) and found["m"][1] == 3
    left, _, width, _ = found["m"]
    assert left + width - 1 == pytest.approx(134)  # 10 px from the edge
    # The title ends 2 px before the name begins.
    assert found["ReduceMax"][0] + found["ReduceMax"][2] - 1 == pytest.approx(134 - 7 - 6 - 2, abs=2)
    # The signs of what is muted and of what is stale have 18 px each.
    stale = dataclasses.replace(LOOK, is_stale=True)
    for is_muted, look, signs in ((False, LOOK, 0), (True, LOOK, 1), (False, stale, 1), (True, stale, 2)):
        mirror = mirror_of(edits.set_muted(page().session.graph, MAIN, ["z"], is_muted))
        left, _, width, _ = dict(written(ground("z", mirror, look)))["z"]
        assert left + width - 1 == pytest.approx(134 - 18 * signs)


def test_ports_have_their_names_beside_them_and_the_shape_at_the_right() -> None:
    found = written(ground("z"))
    assert [(text, at) for text, at in found if text in ("x", "y")] == [
        ("x", (11, 35, pytest.approx(87.4), 18)),
        ("y", (11, 55, pytest.approx(87.4), 18)),
    ]
    (shape,) = [at for text, at in written(ground("x")) if text == "2 numbers"]
    assert shape == pytest.approx((43.2, 35, 90.8, 18))  # 11 px from the edge, and a px more
    near = dataclasses.replace(LOOK, scale=1.6)
    (beside_wall,) = [at for text, at in written(ground("stop", look=near)) if text == "f64"]
    assert beside_wall[0] + beside_wall[2] - 1 == pytest.approx(160 - 36)


@pytest.mark.parametrize(
    ("shape", "kind", "box"),
    [
        ((), "ellipse", (45.8, 45.8, 8.4, 8.4)),
        ((3,), "rounded", (47.4, 44.4, 5.2, 11.2)),
        ((3, 4), "rounded", (45.6, 45.6, 8.8, 8.8)),
        ((3, 4, 5), "polygon", (44.4, 44.4, 11.2, 11.2)),
    ],
)
def test_a_port_shows_the_rank_twice_with_a_cross_in_a_joined_matrix(
    shape: tuple[int, ...], kind: str, box: At
) -> None:
    spec = TensorSpec(shape, np.dtype("float64"))
    for is_filled in (True, False):
        found = strokes(lambda painter: draw_port(painter, LOOK.theme, QPointF(50, 50), spec, is_filled))  # noqa: B023
        assert placed(found, kind) == [pytest.approx(box)] * 2
        has_cross = is_filled and len(shape) == 2
        assert placed(found, "line") == ([(46, 50, 54, 50), (50, 46, 50, 54)] if has_cross else [])
        colour = LOOK.theme.css("dtype.float")
        assert found[1].pen == colour and found[1].brush == (colour if is_filled else LOOK.theme.css("bg.raised"))
    unknown = strokes(lambda painter: draw_port(painter, LOOK.theme, QPointF(50, 50), None, True))
    assert unknown[1].brush == LOOK.theme.css("bg.raised")


def test_bars_of_components_have_their_size() -> None:
    color = LOOK.theme.color("value")

    def bars(*numbers: float) -> list[At]:
        return placed(
            strokes(lambda painter: draw_component_bars(painter, QRectF(0, 0, 22, 11), numbers, color)), "rect"
        )

    assert bars(2, 1) == [(0, 0, 10.4, 11), (11, 5.5, 10.4, 5.5)]
    assert bars(-2, -1) == [(0, 0, 10.4, 11), (11, 0, 10.4, 5.5)]
    assert bars(2, -1) == [(0, 0, 10.4, 5.5), (11, 5.5, 10.4, 2.75)]
    assert bars(2, 0) == [(0, 0, 10.4, 11), (11, 11, 10.4, 1)]
    assert bars(float("nan"), 2) == [(11, 0, 10.4, 11)] and bars(0, 0) == bars() == []
    assert bars(*[1.0] * 16)[1] == (pytest.approx(1.38, abs=0.01), 0, 0.8, 11)


def test_a_badge_lies_on_the_corner_and_a_hot_port_has_a_ring() -> None:
    graph = wired(with_block(page().session.graph, "bad", "MatMul", (0, 500)), "x.y > bad.a", "w.y > bad.b")
    assert placed(ground("bad", mirror_of(graph)), "path") == [(134, -10, 20, 20)]
    assert placed(ground("m"), "path") == []
    look = dataclasses.replace(LOOK, hovered=Target(port=(Port("m", "x"), True)))
    assert placed(ground("m", look=look), "ellipse")[0] == (-11, 33, 22, 22)
    for other in ((Port("m", "x"), False), (Port("z", "x"), True)):
        found = ground("m", look=dataclasses.replace(LOOK, hovered=Target(port=other)))
        assert (-11, 33, 22, 22) not in placed(found, "ellipse")


def test_the_border_tells_what_is_selected_wrong_or_under_the_pointer() -> None:
    def border(name: str, **look: object) -> str:
        found = ground(name, look=dataclasses.replace(LOOK, **look))
        return next(item.pen for item in found if item.kind in ("rounded", "path"))

    css = LOOK.theme.css
    assert border("m") == css("border.default")
    assert border("m", hovered=Target(block="m")) == css("border.strong")
    assert border("m", hovered=Target(block="z")) == css("border.default")
    assert border("m", selection=Selection(frozenset("m"))) == css("accent")
    assert border("stop") == border("stop", selection=Selection(frozenset(["stop"]))) == css("stop")
    chosen = ground("stop", look=dataclasses.replace(LOOK, selection=Selection(frozenset(["stop"]))))
    assert [item.at for item in chosen if item.kind == "path"] == [(0, 0, 160, 86), (-4, -4, 168, 94)]


def test_an_octagon_has_eight_corners_inside_its_box() -> None:
    path = octagon(160, 86)
    assert path.boundingRect().getRect() == (0, 0, 160, 86)
    corners = {(path.elementAt(n).x, path.elementAt(n).y) for n in range(path.elementCount())}
    assert corners == {(12, 0), (148, 0), (160, 12), (160, 74), (148, 86), (12, 86), (0, 74), (0, 12)}


# Small blocks and annotations


def test_a_small_block_keeps_the_size_of_its_icon_and_number_on_the_screen() -> None:
    mirror, look = page(), dataclasses.replace(LOOK, scale=0.5)
    row = mirror.rows["m"]
    shape, block = mirror.shapes[row], mirror.blocks[row]

    def small(is_passed: bool) -> list[Stroke]:
        def paint(painter: object) -> None:
            painter.scale(0.5, 0.5)  # type: ignore[attr-defined]  # as the page does
            SmallBody(painter, mirror, look).draw_value(block, shape, is_passed)  # type: ignore[arg-type]

        return strokes(paint)

    # Behind the icon: 9 + 14 + 6 px from the left, 3 + 6 from the top, 6 from the others.
    assert [(item.text, item.at) for item in small(False)] == [("2", (29, 9, 37, 28))]
    assert placed(small(True), "line") == [(29, 23, 66, 23)]


def test_frames_and_notes_have_their_texts_inside_and_titles_grow_from_afar() -> None:
    graph = annotations.add_frame(page().session.graph, MAIN, "title", ["m"])[0]
    graph = annotations.add_note(graph, MAIN, "head\nrest", (0, 600))[0]
    mirror = mirror_of(graph)
    (frame,), (note,) = mirror.frames, mirror.notes
    box, paper = mirror.frames[frame], mirror.notes[note]
    rect = (box.left(), box.top(), box.width(), box.height())
    found = strokes(lambda painter: draw_frames(painter, mirror, LOOK, {frame}))
    assert placed(found, "rounded") == [rect]
    assert written(found) == [("title", (box.left() + 12, box.top() + 3, box.width() - 24, 22))]
    assert strokes(lambda painter: draw_frames(painter, mirror, LOOK, set())) == []
    far = dataclasses.replace(LOOK, scale=0.5)
    assert written(strokes(lambda painter: draw_frames(painter, mirror, far, {frame})))[0][1][3] == 38
    ((left, top, right, bottom),) = title_rects(mirror, box, 1.0)
    assert (left, top, bottom) == pytest.approx((box.left() + 8, box.top() + 14 - 4.95, box.top() + 14 + 4.95))
    assert left + 8 < right < left + 60
    assert title_rects(mirror, QRectF(-900, -900, 5, 5), 1.0) == []
    found = strokes(lambda painter: draw_notes(painter, mirror, LOOK, {note}))
    head, rest = written(found)
    assert (head[0], rest[0]) == ("head", "rest")
    assert head[1] == (paper.left() + 10, paper.top() + 10, paper.width() - 20, round(paper.height() - 20, 2))
    assert rest[1][:2] == (paper.left() + 10, pytest.approx(paper.top() + 10 + 4 + 16, abs=4))
    assert strokes(lambda painter: draw_notes(painter, mirror, LOOK, {note}, QRectF(0, 0, 5, 5))) == []
