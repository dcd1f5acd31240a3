"""Layouts of examples are as good as when they were recorded: crossings, bends, lengths of wires, and their extent.

Whoever changes the layout on purpose compares the sums of all pages, looks at some of them, and records it anew.
"""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest

from gradwire.engine.graph.graph import Page
from gradwire.engine.layout.layout import CANVAS, Outline, arrange
from tests.engine.layout.test_layout import Places
from tests.gallery import example, examples_of_each_wiring
from tests.random_graphs import random_graph

RECORDED = Path(__file__).parents[2] / "data" / "layouts.json"
ROOMS = {"long": None, "in a window": CANVAS, "in a narrow one": (700.0, 420.0)}
SEEDS = range(12)
Point = tuple[float, float]


def pages() -> dict[str, Page]:
    found = {name: example(name).pages[0] for name in examples_of_each_wiring()[::3]}
    return found | {f"random {seed}": random_graph(14 + 2 * seed, seed, reach=4 + seed).pages[0] for seed in SEEDS}


def outlines_of(page: Page) -> dict[str, Outline]:
    """Returns outlines with the ports of each block 20 px apart, and heights that these need."""
    found = {}
    for place, name in enumerate(page.blocks):
        inputs = [end.name for end in page.wires if end.block == name]
        outputs = list(dict.fromkeys(wire.source.name for wire in page.wires.values() if wire.source.block == name))
        heights = [{port: 44.0 + 20 * row for row, port in enumerate(ports)} for ports in (inputs, outputs)]
        height = 56.0 + 20 * max(len(inputs), len(outputs), 1)
        found[name] = Outline(160.0 + 24 * (place % 3), height, *heights)
    return found


def ends_of(page: Page, places: Places) -> list[tuple[Point, Point]]:
    outlines, ends = outlines_of(page), []
    for target, wire in page.wires.items():
        (left, top), (right, bottom) = places[wire.source.block], places[target.block]
        source, aim = outlines[wire.source.block], outlines[target.block]
        ends.append(
            (
                (left + source.width, top + source.outputs[wire.source.name]),
                (float(right), bottom + aim.inputs[target.name]),
            )
        )
    return ends


def is_left_of(a: Point, b: Point, c: Point) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0])


def cross(first: tuple[Point, Point], second: tuple[Point, Point]) -> bool:
    (a, b), (c, d) = first, second
    apart = is_left_of(a, c, d) != is_left_of(b, c, d) and is_left_of(a, b, c) != is_left_of(a, b, d)
    return apart and len({a, b, c, d}) == 4


def measures(page: Page, room: tuple[float, float] | None) -> list[int]:
    """Returns crossings of straight wires, their bends and lengths, and the page's width and height. Units: px."""
    outlines, places = outlines_of(page), arrange(page, outlines_of(page), room=room)
    ends = ends_of(page, places)
    crossings = sum(cross(*pair) for pair in combinations(ends, 2))
    bends = sum(abs(start[1] - end[1]) for start, end in ends)
    lengths = sum(abs(start[0] - end[0]) for start, end in ends)
    width = max(x + outlines[name].width for name, (x, _) in places.items())
    height = max(y + outlines[name].height for name, (_, y) in places.items())
    return [crossings, *map(round, (bends, lengths, width, height))]


@pytest.mark.parametrize("name", pages())
def test_a_layout_is_as_good_as_recorded(name: str) -> None:
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))[name]
    # A better one is recorded, too, so that it stays.
    assert {kind: measures(pages()[name], room) for kind, room in ROOMS.items()} == recorded
