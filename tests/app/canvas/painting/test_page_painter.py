"""The painter of a page draws its parts and leaves out what is outside the view."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QTransform

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.painting.cache.sprites import Sprites
from gradwire.app.canvas.painting.grid import draw_grid
from gradwire.app.canvas.painting.look import Look
from gradwire.app.canvas.painting.page_painter import PagePainter, Part
from gradwire.app.live.session import Selection
from gradwire.app.look.theme import theme
from gradwire.engine.autodiff.status import Status
from gradwire.engine.edits import annotations
from gradwire.engine.evaluation.status_table import STATUS_ROW
from gradwire.engine.graph.graph import Graph
from tests.app.canvas.pages import (
    EXAMPLE_NAMES,
    MAIN,
    chain,
    drawn_page,
    example,
    mirror_of,
    painted,
    pixels,
    with_block,
)
from tests.sweeps import a_third_of

pytestmark = pytest.mark.usefixtures("qapp")

DARK = theme("dark")
SCALES = (0.15, 0.3, 0.6, 1.0, 2.0)


def picture(mirror: Mirror, look: Look, area: QRectF, **options: frozenset[str]) -> np.ndarray:
    def paint(painter: QPainter) -> None:
        painter.translate(-area.topLeft())
        PagePainter(mirror).draw(painter, look, Part(area, **options))

    return pixels(painted(area.size().toSize(), paint))


def whole(mirror: Mirror) -> QRectF:
    return mirror.bounds().adjusted(-40, -40, 40, 40)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("name", a_third_of(EXAMPLE_NAMES))
def test_drawing_twice_gives_the_same_picture(name: str, scale: float) -> None:
    mirror = mirror_of(example(name))
    painter = PagePainter(mirror)
    first, second = (pixels(drawn_page(mirror, Look(DARK, scale), painter)[0]) for _ in range(2))
    assert np.array_equal(first, second)


@pytest.mark.parametrize("scale", SCALES)
def test_drawing_leaves_the_mirror_as_it_was(scale: float) -> None:
    mirror = mirror_of(example(EXAMPLE_NAMES[0]))
    before = [item.copy() for item in (mirror.rects, mirror.points, mirror.wire_norm)]
    drawn_page(mirror, Look(DARK, scale))
    after = (mirror.rects, mirror.points, mirror.wire_norm)
    assert all(np.array_equal(a, b, equal_nan=True) for a, b in zip(before, after, strict=True))


def test_hidden_blocks_and_the_others_together_are_the_page() -> None:
    mirror, group = mirror_of(chain()), frozenset({"e"})
    area, look = whole(mirror), Look(DARK)
    around_e = mirror.rect("e").translated(-area.topLeft()).toRect()
    around_s = mirror.rect("s").translated(-area.topLeft()).toRect()

    def has_ink(found: np.ndarray, box: object) -> bool:
        part = found[box.top() + 2 : box.bottom() - 2, box.left() + 2 : box.right() - 2, :3]
        return bool(part.any())

    hidden, shown = picture(mirror, look, area, hidden=group), picture(mirror, look, area, shown=group)
    assert (has_ink(hidden, around_e), has_ink(hidden, around_s)) == (False, True)
    assert (has_ink(shown, around_e), has_ink(shown, around_s)) == (True, False)


def test_hidden_blocks_take_their_labels_with_them() -> None:
    mirror = mirror_of(chain())
    found: dict = {}

    def paint(painter: QPainter) -> None:
        found.update(PagePainter(mirror).draw(painter, Look(DARK), Part(whole(mirror), frozenset({"e"}))))

    painted(QSize(900, 200), paint)
    assert {wire.target.block for wire in found} == {"loss"}


def test_what_lies_outside_the_area_has_no_label() -> None:
    mirror = mirror_of(chain())
    found: dict = {}
    area = QRectF(600, -40, 400, 300)

    def paint(painter: QPainter) -> None:
        found.update(PagePainter(mirror).draw(painter, Look(DARK), Part(area)))

    painted(QSize(400, 300), paint)
    assert {wire.target.block for wire in found} == {"loss"}


def test_selecting_a_block_changes_its_picture_only() -> None:
    mirror = mirror_of(chain())
    area = whole(mirror)
    plain = picture(mirror, Look(DARK), area)
    chosen = picture(mirror, Look(DARK, selection=Selection(blocks=frozenset({"e"}))), area)
    rows, columns = np.nonzero((plain != chosen).any(axis=2))
    box = mirror.rect("e").translated(-area.topLeft()).adjusted(-12, -12, 12, 12)
    assert len(rows) and box.left() <= columns.min() and columns.max() <= box.right()
    assert box.top() <= rows.min() and rows.max() <= box.bottom()


def many(count: int) -> Graph:
    """A page of many wires: pairs of a Constant and an Exp."""
    graph = Graph()
    for number in range(count):
        at = (400 * (number % 20), 140 * (number // 20))
        graph = with_block(graph, f"e{number}", "Exp", at)
    return graph


@pytest.mark.parametrize("scale", [0.2, 0.4])
def test_a_page_of_many_blocks_shows_each_of_them(scale: float) -> None:
    mirror = mirror_of(many(60))
    image, _ = drawn_page(mirror, Look(DARK, scale))
    corner = whole(mirror).topLeft()
    ground = DARK.color("bg.canvas")
    for name in mirror.ids:
        at = (mirror.rect(name).center() - corner) * scale
        assert image.pixelColor(at.toPoint()) != ground


@pytest.mark.parametrize("scale", SCALES)
def test_an_annotated_page_can_be_drawn(scale: float) -> None:
    graph, _ = annotations.add_frame(chain(), MAIN, "<b>Spare & more", ["e", "s"])
    graph, _ = annotations.add_note(graph, MAIN, "Title\nand what it is about", (0, 300))
    mirror = mirror_of(graph)
    plain = mirror_of(chain())
    area = whole(mirror)
    assert not np.array_equal(picture(mirror, Look(DARK, scale), area), picture(plain, Look(DARK, scale), area))


@pytest.mark.parametrize("scale", [0.26, 0.4, 0.6])
def test_a_note_whose_text_has_no_room_is_drawn_only_where_it_is_selected(scale: float) -> None:
    (graph, note), (other, _) = (
        annotations.add_note(chain(), MAIN, f"Vanishing\n{word} " * 40, (0, 300)) for word in ("It fades", "It grows")
    )
    first, second = mirror_of(graph), mirror_of(other)
    area, look = whole(first), Look(DARK, scale)
    chosen = Look(DARK, scale, selection=Selection(notes=frozenset([note])))
    assert np.array_equal(picture(first, look, area), picture(second, look, area))
    assert not np.array_equal(picture(first, chosen, area), picture(first, look, area))


@pytest.mark.parametrize("scale", [0.6, 0.7])
def test_a_note_with_room_for_larger_letters_is_read_from_afar(scale: float) -> None:
    graphs = [annotations.add_note(chain(), MAIN, f"Title\nIt {what}.", (0, 300)) for what in ("grows", "falls")]
    shown = [annotations.set_note(graph, MAIN, note, size=(400, 200)) for graph, note in graphs]
    first, second = map(mirror_of, shown)
    area = whole(first)
    assert not np.array_equal(picture(first, Look(DARK, scale), area), picture(second, Look(DARK, scale), area))


def test_sprites_change_nothing_that_can_be_seen() -> None:
    mirror = mirror_of(chain())
    look, with_sprites = Look(DARK), PagePainter(mirror)
    with_sprites.sprites = Sprites(1.0)
    direct, copied = (
        pixels(drawn_page(mirror, look, painter)[0]).astype(int) for painter in (PagePainter(mirror), with_sprites)
    )
    # Edges fall on other parts of a pixel: no more than one in fifty may differ clearly.
    assert (np.abs(direct - copied).max(axis=2) > 48).mean() < 0.02


@pytest.mark.parametrize("scale", [0.6, 1.0, 2.0])
@pytest.mark.parametrize("status", a_third_of(list(Status)))
def test_a_page_painted_in_narrow_strips_is_the_page_painted_at_once(status: Status, scale: float) -> None:
    mirror = mirror_of(chain())
    mirror.wire_status[:] = STATUS_ROW[status]
    look, painter, size = Look(DARK, scale), PagePainter(mirror), whole(mirror).size() * scale
    painter.sprites = Sprites(1.0)

    def drawn(height: int) -> np.ndarray:
        def paint(on: QPainter) -> None:
            for top in range(0, size.toSize().height(), height):
                on.setClipRect(QRectF(0, top, size.width(), height))
                on.setWorldTransform(QTransform(scale, 0, 0, scale, 0, -round(whole(mirror).top() * scale)))
                seen = QRectF(0, whole(mirror).top() + top / scale, size.width() / scale, height / scale)
                painter.draw(on, look, Part(seen))
                on.resetTransform()

        return pixels(painted(size.toSize(), paint)).astype(int)

    # A line that is cut by the edge of a strip may be another in the last bits.
    assert np.abs(drawn(size.toSize().height()) - drawn(3)).max() <= 4


def grid(scale: float, has_grid: bool = True) -> np.ndarray:
    def paint(painter: QPainter) -> None:
        painter.scale(scale, scale)
        draw_grid(painter, Look(DARK, scale, has_grid=has_grid), QRectF(0, 0, 320 / scale, 160 / scale))

    return pixels(painted(QSize(320, 160), paint))[..., :3].any(axis=2)


@pytest.mark.parametrize("scale", [0.3, 0.5, 1.0, 2.0])
def test_dots_of_the_grid_are_at_least_twelve_px_apart(scale: float) -> None:
    columns = np.flatnonzero(grid(scale).any(axis=0))
    starts = columns[np.diff(columns, prepend=-99) > 1]
    assert len(starts) > 2 and np.diff(starts).min() >= 11


def test_in_pictures_there_is_no_grid() -> None:
    assert not grid(1.0, has_grid=False).any()
