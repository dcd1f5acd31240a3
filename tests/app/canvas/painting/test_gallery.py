"""The pages of all examples are drawn so that nothing lies on anything else, and as cards they fill their place."""

from __future__ import annotations

import functools
import itertools

import pytest
from PySide6.QtCore import QRectF

from gradwire.app.base.examples import example_names, example_path
from gradwire.app.canvas.geometry.annotation_places import note_rect
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.painting.look import Look
from gradwire.app.canvas.painting.page_labels import label_scale
from gradwire.app.canvas.painting.picture import PagePicture
from gradwire.app.look.theme import theme
from gradwire.engine.files.files import load
from tests.app.canvas.pages import block_rects, mirror_of, placed_labels
from tests.app.canvas.painting.test_labels import length
from tests.app.canvas.painting.test_miniature import ink
from tests.sweeps import a_third_of

pytestmark = pytest.mark.usefixtures("qapp")

AIR, ZOOMS = 16.0, (0.6, 1.0)
GALLERY = {name: load(example_path(name)).graph for name in example_names()}
PAGES = [(name, page.name) for name, graph in GALLERY.items() for page in graph.pages]
EVERY_PAGE = pytest.mark.parametrize(("name", "page"), a_third_of(PAGES), ids=lambda item: item)


@functools.cache
def mirror_of_example(name: str) -> Mirror:
    return mirror_of(GALLERY[name])


def mirror_on(name: str, page: str) -> Mirror:
    """The mirror of an example, which all tests look at and none changes, with one of its pages shown."""
    mirror = mirror_of_example(name)
    if mirror.session.page_name != page:
        mirror.session.view.show(page)
        mirror.rebuild()
    return mirror


def own_rects(mirror: Mirror) -> list[QRectF]:
    """Blocks, but for the dots of wires."""
    return [rect for rect in block_rects(mirror) if rect.width() > AIR]


@EVERY_PAGE
def test_blocks_and_notes_stand_apart(name: str, page: str) -> None:
    mirror = mirror_on(name, page)
    rects = block_rects(mirror) + [note_rect(note) for note in mirror.session.page.notes]
    assert not [(a, b) for a, b in itertools.combinations(rects, 2) if a.adjusted(-AIR, -AIR, AIR, AIR).intersects(b)]


@EVERY_PAGE
def test_no_wire_runs_through_a_block_or_a_note(name: str, page: str) -> None:
    mirror = mirror_on(name, page)
    # A wire ends at the edge of its own blocks, in the middle of a dot.
    held = [rect.adjusted(3, -3, -3, 3) for rect in own_rects(mirror)]
    held += [note_rect(note) for note in mirror.session.page.notes]
    for wire, row in mirror.wire_rows.items():
        for start, end in itertools.pairwise(mirror.points[row].tolist()):
            left, right = sorted((start[0], end[0]))
            top, bottom = sorted((start[1], end[1]))
            piece = QRectF(left, top, max(right - left, 0.1), max(bottom - top, 0.1))
            assert not any(rect.intersects(piece) for rect in held), wire


@EVERY_PAGE
def test_labels_overlap_neither_each_other_nor_blocks(name: str, page: str) -> None:
    mirror = mirror_on(name, page)
    blocks = block_rects(mirror)
    for zoom in ZOOMS:
        found = placed_labels(mirror, Look(theme("dark"), zoom))
        corners = [rect for placed in found.values() for rect in placed.rects(label_scale(zoom))]
        labels = [QRectF(left, top, right - left, bottom - top) for left, top, right, bottom in corners]
        assert not [pair for pair in itertools.combinations(labels, 2) if pair[0].intersects(pair[1])], zoom
        assert not [pair for pair in itertools.product(labels, blocks) if pair[0].intersects(pair[1])], zoom
        # Shorter wires may have one number for their bundle, or for the page that they fold into.
        long = {wire for wire, row in mirror.wire_rows.items() if length(mirror.points[row]) * zoom > 30}
        assert not long - set(found), zoom


@pytest.mark.long
@pytest.mark.parametrize("name", GALLERY)
def test_as_a_card_it_fills_its_place_and_stays_in_it(name: str) -> None:
    found = ink(mirror_on(name, GALLERY[name].pages[0].name), theme("dark"), QRectF(20, 20, 240, 120))
    assert found[20:140, 20:260].sum() > 1500
    found[20:140, 20:260] = False
    assert not found.any()


@pytest.mark.parametrize("name", a_third_of(GALLERY, 1))
def test_a_picture_of_it_has_nothing_to_complain_of(name: str) -> None:
    picture = PagePicture(GALLERY[name])
    assert "error" not in {problem.severity for problem in picture.problems}
    picture.close()
