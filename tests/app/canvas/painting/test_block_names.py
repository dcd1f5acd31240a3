"""Places for the names of small blocks: below, above, beside, shortened, or in the block itself."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.shapes import Body
from gradwire.app.canvas.geometry.view.readable_zoom import least_zoom
from gradwire.app.canvas.painting.annotations import title_rects
from gradwire.app.canvas.painting.blocks.slice_picker import Picker
from gradwire.app.canvas.painting.labels.block_names import (
    BlockNames,
    Named,
    _boxes,
    _overlaps,
    _width,
    draw_names,
)
from gradwire.app.canvas.painting.look import Look
from gradwire.app.look.theme import theme
from gradwire.engine.edits import annotations
from gradwire.engine.graph.graph import Graph, Port
from tests.app.canvas.pages import EXAMPLE_NAMES, MAIN, example, mirror_of, with_block
from tests.app.strokes import placed, strokes, texts

pytestmark = pytest.mark.usefixtures("qapp")
# At half the size a block has an icon and a value; its name stands beside it, twice as large in the scene.
HALF = Look(theme("dark"), scale=0.5)


def page(*places: tuple[int, int], name: str = "Exp") -> Mirror:
    graph = Graph()
    for number, at in enumerate(places):
        graph = with_block(graph, f"{name}_{number}", "Exp", at)
    return mirror_of(graph)


def names(mirror: Mirror, look: Look = HALF) -> list[Named]:
    return BlockNames(mirror).place(look, np.arange(len(mirror.ids)))


def test_a_name_stands_in_the_middle_below_its_block() -> None:
    mirror = page((100, 50))
    (found,) = names(mirror)
    rect = mirror.rect("Exp_0")
    left, top, right, bottom = found.rect
    # 2 px below and 14 px high on the screen.
    assert (top, bottom) == (rect.bottom() + 4, rect.bottom() + 32)
    assert (left + right) / 2 == rect.center().x()
    assert right - left == pytest.approx(2 * _width(found.text))
    assert found.text == found.name == mirror.shapes[0].own_name


@pytest.mark.parametrize(
    ("kind", "name", "scale", "text"),
    [
        ("Exp", "e", 0.5, "Exp e"), ("Exp", "logits_of_all", 0.5, "Exp"), ("StopGradient", "stop", 0.3, "stop"),
        ("StopGradient", "stop", 0.6, "StopGradient"), ("Variable", "W1", 0.5, "W1"),
        ("Variable", "V", 0.5, "Variable V"), ("Loss", "loss", 0.5, "Loss"), ("Square", "square_2", 0.5, "Square"),
    ],
)  # fmt: skip
def test_a_name_begins_with_the_type_where_the_block_is_as_wide(kind: str, name: str, scale: float, text: str) -> None:
    """What holds a value is known by its own name, if that is more than a letter."""
    (found,) = names(mirror_of(with_block(Graph(), name, kind, (0, 0))), dataclasses.replace(HALF, scale=scale))
    assert found.text == text


@pytest.mark.parametrize(("scale", "count"), [(0.17, 1), (0.5, 1), (0.69, 1), (0.7, 0)])
def test_only_small_blocks_have_names_outside(scale: float, count: int) -> None:
    assert len(names(page((0, 0)), dataclasses.replace(HALF, scale=scale))) == count


@pytest.mark.parametrize("name", ["causes", "guide_11_newton", "pg_stop", *EXAMPLE_NAMES])
def test_as_far_away_as_a_page_is_seen_each_block_has_its_name(name: str) -> None:
    mirror = mirror_of(example(name))
    found = names(mirror, dataclasses.replace(HALF, scale=least_zoom(mirror)))
    bare = {row for row, shape in enumerate(mirror.shapes) if shape.body is Body.REROUTE}
    assert {named.row for named in found if named.text} == set(range(len(mirror.ids))) - bare


def test_a_dot_has_no_name() -> None:
    mirror = mirror_of(with_block(with_block(Graph(), "r", "Reroute", (0, 0)), "e", "Exp", (300, 0)))
    found = BlockNames(mirror)
    assert [named.name for named in found.place(HALF, np.arange(2))] == ["Exp e"] and len(found.take_changes()) == 1


def test_where_a_block_stands_below_the_name_stands_above() -> None:
    mirror = page((0, 0), (0, 96))
    upper, lower = names(mirror)
    assert upper.rect[3] == mirror.rect("Exp_0").top() - 4 and lower.rect[1] == mirror.rect("Exp_1").bottom() + 4


def test_a_name_stands_beside_the_title_of_a_frame_not_on_it() -> None:
    graph = page((0, 0), (0, 96)).session.graph
    framed = mirror_of(annotations.add_frame(graph, MAIN, "A title", ["Exp_0", "Exp_1"])[0])
    upper, _ = names(framed)
    ((left, top, right, bottom),) = title_rects(framed, framed.bounds(), HALF.reading_scale)
    box = QRectF(QPointF(*upper.rect[:2]), QPointF(*upper.rect[2:]))
    assert not box.intersects(QRectF(QPointF(left, top), QPointF(right, bottom)))


def test_places_are_tried_from_below_to_the_sides() -> None:
    found = _boxes(100, 50, 60, 40, 20, 14, 2).tolist()
    assert found == [
        [120, 92, 140, 106], [100, 92, 120, 106], [140, 92, 160, 106],
        [120, 34, 140, 48], [100, 34, 120, 48], [140, 34, 160, 48],
        [164, 63, 184, 77], [76, 63, 96, 77],
    ]  # fmt: skip


def test_rectangles_that_only_touch_do_not_overlap() -> None:
    boxes = np.array([[0, 0, 10, 10], [10, 0, 20, 10], [0, 10, 10, 20], [9, 9, 11, 11]], float)
    assert _overlaps(boxes).sum(axis=1).tolist() == [2, 2, 2, 4]


def test_names_move_with_their_blocks_and_tell_what_has_changed() -> None:
    mirror = page((0, 0))
    placed_names = BlockNames(mirror)
    (before,) = placed_names.place(HALF, np.arange(1))
    assert placed_names.take_changes() == [before.rect] and placed_names.take_changes() == []
    mirror.rects = mirror.rects + np.array([30, 40, 0, 0])
    mirror.geometry += 1
    (moved,) = placed_names.place(HALF, np.arange(1), is_moving=True)
    assert moved.rect == tuple(number + step for number, step in zip(before.rect, (30, 40, 30, 40), strict=True))
    assert placed_names.take_changes() == []
    (anew,) = placed_names.place(HALF, np.arange(1))
    assert anew.rect == moved.rect and placed_names.take_changes() == [anew.rect, before.rect]
    assert placed_names.place(HALF, np.arange(1)) == [anew] and placed_names.take_changes() == []


def test_a_name_is_written_in_the_middle_of_its_place_as_large_as_on_the_screen() -> None:
    found = strokes(lambda painter: draw_names(painter, HALF, [Named(0, "x", "x", (100, 50, 140, 78))]))
    (text,) = placed(found, "text")
    assert texts(found) == ["x"]
    assert text[0] + text[2] / 2 == 120 and text[1] + text[3] / 2 == pytest.approx(64.02)
    assert text[3] == 28


# The picker of slices


def picker(picked: int = 0, sizes: tuple[int, ...] = (2, 3)) -> Picker:
    return Picker(Port("x", "y"), sizes, picked, QRectF(10, 100, 120, 18))


@pytest.mark.parametrize(("picked", "text"), [(0, "[0, 0]"), (2, "[0, 2]"), (3, "[1, 0]"), (5, "[1, 2]")])
def test_a_picker_tells_the_index_of_its_slice(picked: int, text: str) -> None:
    assert picker(picked).text == text and picker().slices == 6
    assert picker(4, (7,)).text == "[4]"


@pytest.mark.parametrize(
    ("at", "way"),
    [
        ((10, 109), -1), ((34, 109), -1), ((35, 109), 0), ((105, 109), 0), ((106, 109), 1), ((130, 109), 1),
        # A finger reaches 3 px above and below.
        ((20, 97), -1), ((20, 96), 0), ((20, 121), -1), ((20, 122), 0), ((9, 109), 0), ((131, 109), 0),
    ],
)  # fmt: skip
def test_a_click_near_an_end_leads_on(at: tuple[float, float], way: int) -> None:
    assert picker().way_at(QPointF(*at)) == way


# Names without room outside


def shut(*, name: str = "Exp", body: str = "Exp", scale: float = 0.5, gap: int = 4) -> tuple[Mirror, Named]:
    """A block with others all around it, so close that no name fits between them."""
    graph = Graph()
    for number, at in enumerate((x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)):
        kind, own = (body, name) if at == (0, 0) else ("Exp", f"other_{number}")
        graph = with_block(graph, own, kind, (0, 0))
    mirror = mirror_of(graph)
    places = [(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)]
    width, height = mirror.rects[mirror.rows[name], 2:]
    mirror.rects = np.array([(x * (width + gap), y * (height + gap), width, height) for x, y in places])
    mirror.geometry += 1
    look = dataclasses.replace(HALF, scale=scale)
    found = BlockNames(mirror)
    placed_names = {named.row: named for named in found.place(look, np.arange(9))}
    return mirror, placed_names[mirror.rows[name]]


def test_without_room_a_name_stands_in_its_header_where_a_number_is_below() -> None:
    """At half the size a block of 94 px is 47 px high on the screen: enough for both; at 0.45 it is not."""
    mirror, found = shut()
    _, top, width, height = mirror.rects[4].tolist()
    left, up, right, down = found.rect
    assert (right - left, down - up) == (pytest.approx(2 * _width(found.text)), 28)
    assert (left + right) / 2 == width / 2
    assert height / 2 >= 46 and down == top + height - 4
    mirror, low = shut(scale=0.45)
    assert mirror.rects[4, 3] * 0.45 < 46
    # In the middle of the header of 28 px.
    assert (low.rect[1] + low.rect[3]) / 2 == pytest.approx(14)
    assert low.rect[3] - low.rect[1] == pytest.approx(14 / 0.45)


def test_a_long_name_is_shortened_to_eight_letters_before_it_moves_into_its_block() -> None:
    _, short = shut(name="ninechars", body="Variable")
    assert short.text == "ninechars"
    _, long = shut(name="ten_letters_", body="Variable")
    assert long.name.startswith("ten_letters_") and long.text == f"{long.name[:8]}…"
