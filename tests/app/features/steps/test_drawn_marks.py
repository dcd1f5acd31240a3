"""What step mode draws on the page, shape by shape: rings, tags and badges, pulses and walls. Units: px at 100 %."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QPainter, QPainterPath

from gradwire.app.canvas.geometry.progress import Mark, Progress, Turn
from gradwire.app.canvas.painting.look import Level, Look
from gradwire.app.features.steps.step_marks import StepMarks, _Drawing, _piece
from gradwire.app.look.theme import theme
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.graph.graph import Port, Wire
from tests.app.canvas.pages import painted
from tests.app.drawn_shapes import recorded

pytestmark = pytest.mark.usefixtures("qapp")
WIRE = Wire(Port("stop", "y"), Port("p", "x"))
LOOSE = Wire(Port("gone", "y"), Port("p", "x"))
DONE, CURRENT, LATER = (Mark(7, turn) for turn in Turn)


def lines(
    paint: Callable[[_Drawing], object], scale: float = 1.0, role: Role | None = None, **others: Any
) -> list[str]:
    """Returns what is drawn of a block of 144 by 86 at 100, 200, whose outgoing wire runs 100 to the right."""
    path = QPainterPath(QPointF(244, 240))
    path.lineTo(344, 240)
    outputs = others.pop("outputs", [SimpleNamespace(y=40.0)])
    shape = SimpleNamespace(width=144.0, height=86.0, role=role, outputs=outputs)
    mirror = SimpleNamespace(
        shapes=[shape], rects=np.array([[100.0, 200.0, 144.0, 86.0]]), rows={"stop": 0}, wire_rows={WIRE: 0, LOOSE: 0},
        path=lambda _: path,
    )  # fmt: skip
    progress = Progress(
        others.get("is_forward", False), frozenset(), frozenset(), {}, others.get("current", (WIRE,)), 8
    )
    look = Look(theme("dark"), scale)

    def draw(painter: QPainter) -> None:
        paint(_Drawing(painter, look, mirror, progress))  # type: ignore[arg-type]  # what it takes of a mirror

    with recorded(has_paths=True) as found:
        painted(QSize(700, 500), draw)  # type: ignore[arg-type]
    return found


RING = ["path 96.75 196.75 150.5 92.5 4.5px bg.canvas", "path 96.75 196.75 150.5 92.5 2.5px grad.seed"]
TAG = [
    "rect 146.49 173 51.02 20 round 10 on grad.text",
    "text 52 171 240 24 middle 11px text.on-accent “7 of 8”",
]


def wall(y: int) -> list[str]:
    """Returns the bar with an arrow that ends there, 23.5 px before the right edge of a StopGradient."""
    return [
        f"ellipse 212.5 {y - 8} 16 16 1.5px bg.canvas on grad.seed",
        f"line 217.5 {y - 4} 217.5 {y + 4} 1.8px bg.canvas",
        f"line 219.5 {y} 225 {y} 1.8px bg.canvas",
        f"line 219.5 {y} 222 {y - 2.5} 1.8px bg.canvas",
        f"line 219.5 {y} 222 {y + 2.5} 1.8px bg.canvas",
    ]


@pytest.mark.parametrize(
    ("role", "more", "expected"),
    [
        (None, {}, [*RING, *TAG]),
        (Role.SOURCE, {}, [*RING, *TAG]),
        (Role.STOP, {}, [*RING, *wall(240), *TAG]),
        # Without an output the wall is in the middle.
        (Role.STOP, {"outputs": []}, [*RING, *wall(243), *TAG]),
    ],
)
def test_the_current_block_has_a_ring_and_a_tag_and_a_stop_its_wall(
    role: Role | None, more: dict[str, Any], expected: list[str]
) -> None:
    """The ring is 2 px around the block; the tag ends 7 px above it."""
    assert lines(lambda drawing: drawing.draw_mark(0, CURRENT), role=role, **more) == expected


@pytest.mark.parametrize("role", [None, Role.STOP])
def test_forward_all_marks_have_the_colour_of_values_and_no_wall(role: Role | None) -> None:
    expected = [line.replace("grad.seed", "value").replace("grad.text", "value") for line in (*RING, *TAG)]
    assert lines(lambda drawing: drawing.draw_mark(0, CURRENT), role=role, is_forward=True) == expected


@pytest.mark.parametrize(
    ("scale", "ring", "tag"),
    [
        # From 90 % on in px of the page; below that, 9/10 px of the screen.
        (2.0, RING, TAG),
        (0.9, RING, TAG),
        (
            0.6,
            ["path 96.12 196.12 151.75 93.75 5.75px bg.canvas", "path 96.12 196.12 151.75 93.75 3.75px grad.seed"],
            # Where no names stand below blocks, the tag lies half on the block.
            [
                "rect 133.74 185 76.52 30 round 15 on grad.text",
                "text -8 182 360 36 middle 11px text.on-accent “7 of 8”",
            ],
        ),
        (
            0.3,
            ["path 94.25 194.25 155.5 97.5 9.5px bg.canvas", "path 94.25 194.25 155.5 97.5 7.5px grad.seed"],
            [
                "rect 95.48 170 153.05 60 round 30 on grad.text",
                "text -188 164 720 72 middle 11px text.on-accent “7 of 8”",
            ],
        ),
    ],
)
def test_marks_stay_readable_from_afar(scale: float, ring: list[str], tag: list[str]) -> None:
    assert lines(lambda drawing: drawing.draw_mark(0, CURRENT), scale) == [*ring, *tag]


@pytest.mark.parametrize(
    ("mark", "edge", "inside"),
    [
        (DONE, "grad.seed", "icon 239.07 195.07 9.86 9.86 grad.text check"),
        (LATER, "border.strong", "text 124 188 240 24 middle 10px text.secondary “7”"),
        (Mark(99, Turn.LATER), "border.strong", "text 124 188 240 24 middle 10px text.secondary “99”"),
        # Three digits are smaller; fonts have whole sizes.
        (Mark(100, Turn.LATER), "border.strong", "text 124 188 240 24 middle 8px text.secondary “100”"),
    ],
)
def test_other_blocks_have_a_badge_at_their_corner(mark: Mark, edge: str, inside: str) -> None:
    badge = f"ellipse 235.5 191.5 17 17 1.4px {edge} on bg.canvas"
    assert lines(lambda drawing: drawing.draw_mark(0, mark)) == [badge, inside]


def test_a_badge_grows_too_and_goes_where_blocks_are_small() -> None:
    assert lines(lambda drawing: drawing.draw_mark(0, DONE), 0.6) == [
        "ellipse 231.25 187.25 25.5 25.5 2.1px grad.seed on bg.canvas",
        "icon 236.6 192.6 14.79 14.79 grad.text check",
    ]
    assert lines(lambda drawing: drawing.draw_mark(0, LATER), 0.6)[1] == (
        "text 64 182 360 36 middle 10px text.secondary “7”"
    )
    levels = {scale: Look(theme("dark"), scale).level for scale in (0.3, 0.6)}
    assert levels[0.3] < Level.COMPACT <= levels[0.6]
    assert lines(lambda drawing: drawing.draw_mark(0, DONE), 0.3) == []


def test_the_corners_of_a_ring_are_round_and_those_of_a_stop_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """A corner with a radius of 10 is 2.93 px off its square on both sides, a cut one is a straight line."""

    def around(role: Role | None) -> QPainterPath:
        found: list[QPainterPath] = []
        monkeypatch.setattr(QPainter, "drawPath", lambda _, path: found.append(QPainterPath(path)))
        lines(lambda drawing: drawing.draw_mark(0, CURRENT), role=role)
        return found[0]

    ring, stop = around(None), around(Role.STOP)
    for x, y, across, down in ((-3.25, -3.25, 1, 1), (147.25, -3.25, -1, 1), (-3.25, 89.25, 1, -1)):
        assert [ring.contains(QPointF(x + across * off, y + down * off)) for off in (2.8, 3.06)] == [False, True]
        assert not stop.contains(QPointF(x + across * 3.06, y + down * 3.06))
    assert stop.elementCount() == 9


# Wires


def pulse(
    middle: float, thread: tuple[float, float] | None, tail: tuple[float, float], color: str, turn: int
) -> list[str]:
    """Returns a dot of 14 px with an arrow in it, the thread before it and the tail behind it, each from x to x."""
    places = [
        f"{start:g} 240 {end - start:g} 0" if end > start else "0 0 0 0" for start, end in (thread or (0, 0), tail)
    ]
    arrow = f"line {middle + 2 * turn:g} 240 {middle - 1.5 * turn:g}"
    return [
        f"path {places[0]} 12px bg.canvas",
        f"path {places[0]} 1.8px wire.value",
        f"path {places[1]} 9px {color}",
        f"ellipse {middle - 7:g} 233 14 14 1.5px bg.canvas on {color}",
        f"{arrow} 236.8 1.6px bg.canvas",
        f"{arrow} 243.2 1.6px bg.canvas",
    ]


@pytest.mark.parametrize(
    ("share", "role", "middle", "thread", "tail"),
    [
        (0.0, None, 344, (244, 344), (344, 344)),
        (0.5, None, 294, (244, 294), (294, 344)),
        # A tail is at most 70 px long.
        (0.9, None, 254, (244, 254), (254, 324)),
        (1.0, None, 244, None, (244, 314)),
        # Into a stop it runs 23.5 px further.
        (0.5, Role.STOP, 282.25, (244, 282.25), (282.25, 344)),
        (0.9, Role.STOP, 232.85, None, (232.85, 302.85)),
        (1.0, Role.STOP, 220.5, None, (220.5, 290.5)),
    ],
)
def test_a_pulse_runs_back_along_its_wire(
    share: float, role: Role | None, middle: float, thread: tuple[float, float] | None, tail: tuple[float, float]
) -> None:
    found = lines(lambda drawing: drawing.draw_wires(share), role=role)
    assert found == pulse(middle, thread, tail, "grad.seed", -1)


def test_a_wire_from_a_block_that_is_not_there_has_no_wall() -> None:
    found = lines(lambda drawing: drawing.draw_wires(1.0), role=Role.STOP, current=(LOOSE,))
    assert found == pulse(244, None, (244, 314), "grad.seed", -1)


@pytest.mark.parametrize("role", [None, Role.STOP])
@pytest.mark.parametrize(
    ("share", "middle", "thread", "tail"),
    [(0.0, 244, (244, 344), (244, 244)), (0.5, 294, (294, 344), (244, 294)), (1.0, 344, None, (274, 344))],
)
def test_forward_a_pulse_runs_from_the_source_and_no_wall_is_ahead(
    share: float, role: Role | None, middle: float, thread: tuple[float, float] | None, tail: tuple[float, float]
) -> None:
    found = lines(lambda drawing: drawing.draw_wires(share), role=role, is_forward=True)
    assert found == pulse(middle, thread, tail, "value", 1)


@pytest.mark.parametrize(("is_forward", "color", "middle"), [(False, "grad.seed", 324), (True, "value", 264)])
def test_at_rest_a_dot_stands_a_fifth_of_the_way_from_where_it_comes(
    is_forward: bool, color: str, middle: float
) -> None:
    def found(**others: Any) -> list[str]:
        return lines(lambda drawing: drawing.draw_wires(None), is_forward=is_forward, **others)

    assert found() == pulse(middle, None, (0, 0), color, 1 if is_forward else -1)[3:]
    # A wire of another page is not here.
    assert found(current=(Wire(Port("a", "y"), Port("b", "x")),)) == []


@pytest.mark.parametrize(
    ("start", "end", "count"), [(10, 10, 0), (20, 10, 0), (0, 1, 2), (0, 7.4, 2), (0, 7.6, 3), (10, 70, 20)]
)
def test_a_piece_of_a_path_has_a_point_every_three_px(start: float, end: float, count: int) -> None:
    path = QPainterPath(QPointF(0, 0))
    path.lineTo(100, 0)
    found = _piece(path, start, end)
    assert found.elementCount() == (count + 1 if count else 0)
    if count:
        xs = [found.elementAt(at).x for at in range(count + 1)]
        assert xs == pytest.approx(np.linspace(start, end, count + 1).tolist())


# All of a page


def test_only_blocks_in_view_with_a_step_are_marked_and_none_on_the_map() -> None:
    """What is 40 px out of view may have a tag in it."""
    marks, asked = {"a": CURRENT, "c": DONE, "d": LATER}, list[object]()

    def visible(seen: object, margin: float) -> Any:
        asked.append((seen, margin))
        return np.array([0, 1, 2])

    shape = SimpleNamespace(width=144.0, height=86.0, role=None, outputs=[])
    progress = Progress(False, frozenset(), frozenset(), marks, (), 8)
    mirror = SimpleNamespace(
        progress=progress, visible_blocks=visible, ids=["a", "b", "c", "d"], shapes=[shape] * 4,
        rects=np.array([[100.0 + 200 * at, 200.0, 144.0, 86.0] for at in range(4)]),
    )  # fmt: skip
    canvas = SimpleNamespace(mirror=mirror, viewport=SimpleNamespace(seen="the view"))

    def shown(scale: float = 1.0) -> list[str]:
        owner = SimpleNamespace(_canvas=canvas, is_moving=False)
        with recorded(has_paths=True) as found:
            painted(QSize(900, 500), lambda painter: StepMarks.paint(owner, painter, Look(theme("dark"), scale)))  # type: ignore[arg-type]  # what it takes of marks and canvas
        return found

    assert [line.partition(" ")[0] for line in shown()] == ["path", "path", "rect", "text", "ellipse", "icon"]
    assert asked == [("the view", 40)]
    mirror.progress = None
    assert shown() == []
