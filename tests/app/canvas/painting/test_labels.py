"""Labels stand beside their wires, and no two overlap."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from PySide6.QtGui import QFontMetricsF
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.routing import distances
from gradwire.app.canvas.painting.labels.label_layout import LabelLayout, Wanted
from gradwire.app.canvas.painting.labels.label_places import Surroundings
from gradwire.app.canvas.painting.labels.label_texts import FEW, MANY, label_of
from gradwire.app.canvas.painting.labels.labels import Form, GradientText, Label, Placed, Pose, label_width
from gradwire.app.canvas.painting.look import Level, Look, level_at
from gradwire.app.canvas.painting.page_labels import label_scale
from gradwire.app.canvas.painting.page_painter import PagePainter
from gradwire.app.live.readings.readings import PlaceReading, reading_of
from gradwire.app.look.theme import font, theme
from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.snapshot import Tie, ZeroCause
from gradwire.engine.graph.graph import Port, Wire
from tests.app.canvas.pages import EXAMPLE_NAMES, MAIN, block_rects, drawn_page, example, mirror_of, placed_labels
from tests.engine.cause_graphs import x
from tests.sweeps import a_third_of

pytestmark = pytest.mark.usefixtures("qapp")

NAN, INF = float("nan"), float("inf")
ZOOMS = (0.4, 0.6, 0.75, 1.0, 1.5, 2.0)
ROW = np.array([0])
EMPTY = np.zeros((0, 4))
NOTHING = Surroundings.of(EMPTY, EMPTY)


def reading(value: object, gradient: object, status: Status = Status.FLOW) -> PlaceReading:
    back = None if gradient is None else reading_of(np.array(gradient))
    return PlaceReading(reading_of(np.array(value)), back, status, (), None)


def gradient_text(gradient: object, status: Status = Status.FLOW, count: int = FEW) -> str:
    found = label_of(reading(1.0, gradient, status), has_gradient=True, is_stale=False, count=count).gradient
    assert found is not None
    return found.text


def value_text(value: object, count: int = FEW) -> str:
    return label_of(reading(value, 1.0), has_gradient=True, is_stale=False, count=count).value


def whole(placed: Placed, scale: float) -> list[tuple[float, float, float, float]]:
    """Returns the boxes of a label's rows in the scene."""
    return placed._replace(widths=placed.label.widths(placed.form)).rects(scale)


def overlap(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def written_titles(mirror: Mirror, zoom: float) -> list[tuple[float, float, float, float]]:
    """Returns the boxes of frame titles: 14 px below the upper edge, larger from afar."""
    metrics, found = QFontMetricsF(font("ui", max(11, 9.5 / zoom), 500)), []
    for frame in mirror.session.page.frames:
        box, half = mirror.frames[frame.id], metrics.capHeight() / 2
        width = min(metrics.horizontalAdvance(frame.title), box.width() - 24)
        found.append((box.left() + 12, box.top() + 14 - half, box.left() + 12 + width, box.top() + 14 + half))
    return found


# Places


@pytest.mark.parametrize("is_curved", [False, True], ids=["corners", "curves"])
@pytest.mark.parametrize("shows_both", [False, True], ids=["normal", "both"])
@pytest.mark.parametrize("name", a_third_of(EXAMPLE_NAMES))
def test_no_label_overlaps_another_or_a_block_or_a_title(
    name: str, shows_both: bool, is_curved: bool, qtbot: QtBot
) -> None:
    mirror = mirror_of(example(name))
    mirror.set_curved(is_curved)
    session = mirror.session
    session.runs.set_ignores_stops(shows_both)
    qtbot.waitUntil(lambda: not session.scheduler.is_busy)
    mirror.read_results()
    assert session.results is not None
    assert (session.results.compared is not None) is shows_both
    blocks = [(box.left(), box.top(), box.right(), box.bottom()) for box in block_rects(mirror)]
    for zoom in ZOOMS:
        found = placed_labels(mirror, Look(theme("dark"), zoom, comparison=session.runs.comparison))
        rects = [rect for placed in found.values() for rect in whole(placed, label_scale(zoom))]
        assert not [pair for pair in itertools.combinations(rects, 2) if overlap(*pair)], zoom
        assert not [pair for pair in itertools.product(rects, blocks) if overlap(*pair)], zoom
        assert not [pair for pair in itertools.product(rects, written_titles(mirror, zoom)) if overlap(*pair)], zoom


@pytest.mark.parametrize("is_curved", [False, True], ids=["corners", "curves"])
@pytest.mark.parametrize("name", EXAMPLE_NAMES)
def test_every_wire_of_an_example_has_a_label_that_begins_on_it(name: str, is_curved: bool) -> None:
    mirror = mirror_of(example(name))
    mirror.set_curved(is_curved)
    for zoom in ZOOMS:
        found = placed_labels(mirror, Look(theme("dark"), zoom))
        assert set(found) == set(mirror.wires), zoom
        for wire, placed in found.items():
            # Over the corner of its wire a label may stand out a little.
            assert distances(mirror.points[[mirror.wire_rows[wire]]], placed.x, placed.y)[0] <= 16, (zoom, wire)


@pytest.mark.parametrize("name", EXAMPLE_NAMES)
def test_no_label_lies_on_another_wire(name: str) -> None:
    mirror = mirror_of(example(name))
    for zoom in ZOOMS:
        found = placed_labels(mirror, Look(theme("dark"), zoom))
        for wire, placed in found.items():
            for other, row in mirror.wire_rows.items():
                for start, end in itertools.pairwise(mirror.points[row].tolist()):
                    low, high = np.minimum(start, end), np.maximum(start, end)
                    line = (*low.tolist(), *high.tolist())
                    hit = [rect for rect in whole(placed, label_scale(zoom)) if overlap(rect, line)]
                    assert not hit or wire == other, (zoom, wire, other)


def test_labels_move_with_curves_that_only_move_and_find_others_when_wires_bend() -> None:
    mirror, look = mirror_of(example(EXAMPLE_NAMES[0])), Look(theme("dark"))
    painter = PagePainter(mirror)
    cornered = placed_labels(mirror, look, painter)
    mirror.set_curved(True)
    before = placed_labels(mirror, look, painter)
    assert any((before[wire].x, before[wire].y) != (placed.x, placed.y) for wire, placed in cornered.items())
    # So far that none comes to where another was.
    mirror.moved(frozenset(mirror.ids), 6400, 3200)
    after = placed_labels(mirror, look, painter)
    ways = [(after[wire].x - placed.x, after[wire].y - placed.y) for wire, placed in before.items()]
    assert np.allclose(ways, (6400, 3200))


@pytest.mark.parametrize("name", a_third_of(EXAMPLE_NAMES))
def test_a_drawn_page_has_its_labels_at_the_places_found(name: str) -> None:
    mirror = mirror_of(example(name))
    for zoom in ZOOMS:
        look = Look(theme("dark"), zoom)
        assert drawn_page(mirror, look)[1] == placed_labels(mirror, look), zoom


def set_x(mirror: Mirror, value: np.ndarray, qtbot: QtBot) -> None:
    mirror.session.apply("Set x", edits.set_parameter, MAIN, "x", "value", value)
    qtbot.waitUntil(lambda: not mirror.session.scheduler.is_busy)
    mirror.read_results()


@pytest.mark.parametrize("name", a_third_of(EXAMPLE_NAMES, 1))
def test_labels_stay_while_values_change_unless_their_text_grows(name: str, qtbot: QtBot) -> None:
    mirror = mirror_of(example(name))
    start = mirror.session.page.blocks["x"].parameters["value"]
    painters = {zoom: PagePainter(mirror) for zoom in (0.6, 1.0, 2.0)}
    before: dict[float, dict[Wire, Placed]] = {zoom: {} for zoom in painters}
    for step in range(20):
        set_x(mirror, start + 0.1 * step, qtbot)
        for zoom, painter in painters.items():
            found = placed_labels(mirror, Look(theme("dark"), zoom), painter)
            jumped = {wire for wire, old in before[zoom].items() if (old.x, old.y) != (found[wire].x, found[wire].y)}
            assert all(grows(found[wire].label, before[zoom][wire]) for wire in jumped), zoom
            before[zoom] = found


@pytest.mark.parametrize("name", a_third_of(EXAMPLE_NAMES, 2))
def test_a_label_does_not_flicker_between_two_forms(name: str, qtbot: QtBot) -> None:
    mirror = mirror_of(example(name))
    painters = {zoom: PagePainter(mirror) for zoom in (0.5, 0.6, 1.0)}
    forms: dict[tuple[float, Wire], list[Form]] = {}
    for step in range(20):
        # The distances grow from element to element, so that the gradients of the softmax change.
        set_x(mirror, np.array([1.1, 2.0, 2.9]) * (1 + 0.05 * step), qtbot)
        for zoom, painter in painters.items():
            for wire, placed in placed_labels(mirror, Look(theme("dark"), zoom), painter).items():
                forms.setdefault((zoom, wire), []).append(placed.form)
    for label, found in forms.items():
        # Width is reserved for the widest of the last 20 texts: what found no room once waits that long.
        assert sum(a is not b for a, b in itertools.pairwise(found)) <= 1, (label, found)


def grows(label: Label, before: Placed) -> bool:
    """Returns whether a row of a label needs more room than it had, or comes where there was none."""
    return any(now > then for now, then in zip(label.widths(before.form), before.widths, strict=True))


def place(layout: LabelLayout, label: Label, key: object, points: np.ndarray, around: Surroundings = NOTHING) -> Placed:
    return layout.place(key, Wanted(ROW, points[None], lambda _: label, around), 1.0)[0]


def straight(room: float) -> np.ndarray:
    return np.array([(0, 0), *[(room, 0)] * 5], float)


def length(points: np.ndarray) -> float:
    return float(np.abs(np.diff(points, axis=0)).sum())


def between(room: float) -> Surroundings:
    """Two high blocks so far apart, with the wire between them."""
    return Surroundings.of(np.array([(-500.0, -30.0, 0.0, 30.0), (room, -30.0, room + 500, 30.0)]), EMPTY)


def test_a_label_stands_in_the_middle_of_the_longest_level_run() -> None:
    label = Label("1", GradientText("1", Status.FLOW))
    bent = np.array([(0, 0), (300, 0), (300, 80), (340, 80), (340, 80), (340, 80)], float)
    placed = place(LabelLayout(), label, "a", bent)
    assert (placed.x, placed.y, placed.form, placed.pose) == (150, 0, Form.WHOLE, Pose.ACROSS)
    value, gradient = placed.rects(1.0)
    assert value[3] < 0 < gradient[1]


def test_a_narrower_text_keeps_the_width_of_the_wider_one() -> None:
    layout = LabelLayout()
    wide = place(layout, Label("−0.123", GradientText("−0.311", Status.FLOW)), "a", straight(400))
    narrow = place(layout, Label("1", GradientText("1", Status.FLOW)), "a", straight(400))
    assert (narrow.x, narrow.y, narrow.widths) == (wide.x, wide.y, wide.widths)
    assert narrow.label.value == "1"


TENSOR = Label(".0634 .468 .468", GradientText("3.74", Status.FLOW, bars=(0.1, 0.2, 0.3)), ".063 .47 .47")
SCALAR = Label("2.14", GradientText("−1.13", Status.FLOW))
BLOCKED = Label("1 3 3", GradientText("0 blocked", Status.BLOCKED, is_boxed=True, number="0"))
BOTH = Label("3", GradientText("0 blocked → ≈ 0", Status.BLOCKED, is_boxed=True, number="0→≈0"))


@pytest.mark.parametrize(
    ("label", "room", "value", "gradient"),
    [
        (TENSOR, 170, ".0634 .468 .468", "3.74"),
        (TENSOR, 86, ".063 .47 .47", "3.74"),
        (SCALAR, 48, "2.14", "−1.13"),
        (BLOCKED, 116, "1 3 3", "0 blocked"),
        (BLOCKED, 60, "1 3 3", "0"),
        (BOTH, 170, "3", "0 blocked → ≈ 0"),
        (BOTH, 84, "3", "0→≈0"),
    ],
)
def test_a_label_gives_up_words_and_digits_before_the_value(
    label: Label, room: float, value: str, gradient: str
) -> None:
    placed = place(LabelLayout(), label, "a", straight(room), between(room))
    assert placed.pose is not Pose.LEADER
    assert placed.label.gradient is not None
    assert (placed.label.value_shown(placed.form), placed.label.gradient.shown(placed.form)) == (value, gradient)


@pytest.mark.parametrize("label", [TENSOR, SCALAR, BLOCKED, BOTH])
def test_where_a_gap_is_too_narrow_the_gradient_stands_on_a_leader(label: Label) -> None:
    placed = place(LabelLayout(), label, "a", straight(18), between(18))
    assert placed.pose is Pose.LEADER
    assert placed.label.gradient is not None
    shown = placed.label.gradient.shown(placed.form)
    assert shown == (placed.label.gradient.number or placed.label.gradient.text)
    for rect in placed.rects(1.0):
        assert rect[3] <= -30 or rect[1] >= 30


def test_a_leader_is_short_and_crosses_no_wire() -> None:
    fence = np.array([(-200.0, 34.0, 300.0, 34.0)])
    around = Surroundings.of(between(18).rects, fence)
    placed = place(LabelLayout(), SCALAR, "a", straight(18), around)
    assert placed.pose is Pose.LEADER
    assert placed.apart[1] < 0
    low, high = np.array(placed.rects(1.0)).min(axis=0)[:2], np.array(placed.rects(1.0)).max(axis=0)[2:]
    nearest = np.clip((placed.x, placed.y), low, high)
    assert np.hypot(*(nearest - (placed.x, placed.y))) <= 60 + 1e-9


def test_a_label_gives_way_to_a_wire_that_comes_into_view() -> None:
    layout, points = LabelLayout(), straight(400)
    before = place(layout, SCALAR, "a", points)
    (value, _) = before.rects(1.0)
    level = (value[1] + value[3]) / 2
    wire = np.array([(-500.0, level, 900.0, level)])
    after = place(layout, SCALAR, "a", points, Surroundings.of(EMPTY, wire))
    assert not any(top < level < bottom for _, top, _, bottom in after.rects(1.0))


def test_where_there_is_no_room_at_all_a_label_is_left_out() -> None:
    around = Surroundings.of(np.array([(-500.0, -500.0, 900.0, -2.0), (-500.0, 2.0, 900.0, 500.0)]), EMPTY)
    assert LabelLayout().place("a", Wanted(ROW, straight(400)[None], lambda _: TENSOR, around), 1.0) == {}


def test_beside_an_upright_run_both_rows_stand_on_one_side() -> None:
    upright = np.array([(0, 0), (4, 0), (4, 200), (8, 200), (8, 200), (8, 200)], float)
    placed = place(LabelLayout(), SCALAR, "a", upright)
    assert placed.pose is Pose.RIGHT
    assert [rect[0] for rect in placed.rects(1.0)] == [12, 12]


def test_between_two_wires_both_rows_stand_above_or_below() -> None:
    lines = np.array([(-50.0, 20.0, 450.0, 20.0)])
    placed = place(LabelLayout(), SCALAR, "a", straight(400), Surroundings.of(EMPTY, lines))
    assert placed.pose is Pose.ABOVE
    assert placed.form is Form.WHOLE


def test_a_wire_first_in_order_takes_the_middle() -> None:
    points = np.stack([straight(400)] * 2)
    for order in ([0, 1], [1, 0]):
        found = LabelLayout().place("a", Wanted(np.array(order), points, lambda _: SCALAR, NOTHING), 1.0)
        assert found[order[0]].x == 200
        assert found[order[1]].x != 200


def test_a_label_without_a_place_comes_first_when_all_are_placed_anew() -> None:
    """The long wire takes the only gap through which the short one's leader could reach free space."""
    points = np.stack([straight(400), np.array([(180, 12), *[(196, 12)] * 5], float)])
    shut = Surroundings.of(np.array([(-100.0, 14.0, 500.0, 200.0)]), EMPTY)
    layout = LabelLayout()
    wanted = Wanted(np.array([0, 1]), points, lambda _: SCALAR, shut)
    found, anew = layout.place("a", wanted, 1.0), layout.place_anew(wanted)
    assert set(found) <= set(anew)
    assert set(anew) == {0, 1}


def test_a_value_without_room_comes_first_when_all_are_placed_anew() -> None:
    """The label of the long wire fits elsewhere; the short one, placed later, had room for its gradient alone."""
    points = np.stack([straight(400), np.array([(180, 30), *[(216, 30)] * 5], float)])
    shut = Surroundings.of(np.array([(-100.0, 36.0, 500.0, 200.0)]), EMPTY)
    layout = LabelLayout()
    wanted = Wanted(np.array([0, 1]), points, lambda _: SCALAR, shut)
    layout.place("a", wanted, 1.0)
    anew = layout.place_anew(wanted)
    assert [anew[row].label.value_shown(anew[row].form) for row in (0, 1)] == ["2.14", "2.14"]


# Texts


@pytest.mark.parametrize(
    ("gradient", "status", "text"),
    [
        (-0.311, Status.FLOW, "−0.311"),
        (3e-12, Status.FLOW, "3e−12"),
        (-1001.0, Status.FLOW, "−1001"),
        (2.1353, Status.FLOW, "2.14"),
        ([0.593 * 0.6, 0.593 * 0.8], Status.FLOW, "0.593"),
        (np.zeros((0, 3)), Status.FLOW, "empty"),
        (1e-17, Status.ZERO, "≈ 0"),
        (0.0, Status.ZERO, "0"),
        ([0.0, 0.0], Status.BLOCKED, "0 blocked"),
        ([0.0, 0.0], Status.NON_DIFFERENTIABLE, "0 no derivative"),
        ([NAN, 1.0, NAN, 2.0], Status.NONFINITE, "NaN 2 of 4"),
        ([INF, 1.0, 2.0], Status.NONFINITE, "inf 1 of 3"),
        (None, Status.FLOW, "?"),
    ],
)
def test_the_gradient_row_says_what_the_status_means(gradient: object, status: Status, text: str) -> None:
    assert gradient_text(gradient, status) == text


@pytest.mark.parametrize("status", [Status.NO_PATH, Status.NO_GRADIENT_DTYPE])
def test_what_the_pattern_of_a_wire_says_is_not_written(status: Status) -> None:
    assert label_of(reading(3.0, 0.0, status), has_gradient=True, is_stale=False) == Label("3", None)


def test_before_there_is_a_loss_a_wire_has_its_value_only() -> None:
    assert label_of(reading(3.0, None, Status.UNKNOWN), has_gradient=True, is_stale=False) == Label("3", None)
    nothing = PlaceReading(None, None, Status.UNKNOWN, (), None)
    assert label_of(nothing, True, False) == Label("", GradientText("?", Status.UNKNOWN))


@pytest.mark.parametrize(
    ("status", "is_boxed"),
    [
        (Status.BLOCKED, True),
        (Status.NON_DIFFERENTIABLE, True),
        (Status.NONFINITE, True),
        (Status.FLOW, False),
        (Status.ZERO, False),
    ],
)
def test_only_cut_and_broken_gradients_are_boxed(status: Status, is_boxed: bool) -> None:
    found = label_of(reading(1.0, [NAN, 0.0], status), has_gradient=True, is_stale=False)
    assert found.gradient is not None and found.gradient.is_boxed is is_boxed


def test_an_integer_has_a_value_and_no_gradient() -> None:
    found = label_of(reading(3, None, Status.NO_GRADIENT_DTYPE), has_gradient=True, is_stale=False)
    assert found == Label("3", None)


def test_a_stale_gradient_is_called_old() -> None:
    found = label_of(reading(1.0, 0.593), has_gradient=True, is_stale=True)
    assert found.gradient is not None and found.gradient.text == "old 0.593"


def test_a_wire_that_was_not_computed_shows_a_question_mark() -> None:
    assert label_of(None, True, False) == Label("", GradientText("?", Status.UNKNOWN))


def test_without_gradients_only_the_value_is_left() -> None:
    assert label_of(reading(2.5, 0.1), has_gradient=False, is_stale=False) == Label("2.5", None)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([0.1353, 0.37, 1.0, 1.0], ".135 .37 1 1"),
        ([0.0634, 12.345, 123.4, 0.00793], ".0634 12.3 123 .00793"),
        (-0.311, "−0.311"),
        (2.1353, "2.14"),
        ([True, False], "T F"),
        ([True, False, True, True, True], "true 4 of 5"),
        (np.ones((32, 12)), "32×12"),
        (np.ones(1200), "1,200 numbers"),
        ([1.0, NAN, INF, 2.0, 3.0], "NaN 1 of 5, inf 1"),
        (np.zeros((0, 3)), "empty"),
    ],
)
def test_a_value_is_shown_in_one_line(value: object, text: str) -> None:
    assert value_text(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([0.1353, 12.345, 0.00793], ".14 12 .0079"),
        ([[1.0, 2.0], [3.0, 4.5]], "1 2 3 4.5"),
        (2.1353, "2.14"),
        ([True, False], "T F"),
        ([1.0, NAN, INF], "1 NaN inf"),
        ([1.0, NAN, INF, 2.0, 3.0], "NaN"),
        ([1.0, 0.0, INF, 2.0, 3.0], "inf"),
        (np.ones((32, 12)), "32×12"),
        (np.ones(1200), "×1,200"),
        (np.ones(8) > 0, "×8"),
    ],
)
def test_where_there_is_little_room_elements_have_two_digits(value: object, text: str) -> None:
    assert label_of(reading(value, 1.0), has_gradient=True, is_stale=False).value_shown(Form.BARE) == text


def test_in_detail_up_to_eight_elements_are_shown() -> None:
    assert value_text(range(1, 9), MANY) == "1 2 3 4 5 6 7 8"
    assert gradient_text([1.0, 2.0, 3.0, 4.0, 5.0], count=MANY) == "1 2 3 4 5"


def test_with_and_without_the_stop_stand_side_by_side() -> None:
    blocked, flowing = reading(1.0, 0.0, Status.BLOCKED), reading(1.0, -0.151)
    found = label_of(blocked, True, False, flowing)
    assert found.gradient is not None and found.gradient.text == "0 blocked → −0.151"


@pytest.mark.parametrize("number", [0.25, NAN, INF])
def test_a_wire_that_the_stop_leaves_alone_has_its_usual_text(number: float) -> None:
    same = reading(1.0, number)
    assert label_of(same, True, False, same) == label_of(same, True, False)


def test_a_tensor_of_at_most_sixteen_elements_has_bars() -> None:
    def bars(count: int) -> int:
        found = label_of(reading(1.0, np.ones(count)), has_gradient=True, is_stale=False)
        return len(found.gradient.bars) if found.gradient is not None else -1

    assert (bars(16), bars(17)) == (16, 0)


# Levels


@pytest.mark.parametrize(
    ("scale", "level"),
    [
        # 58, 100 and 220 px on the screen for a block of 144 px.
        (57 / 144, Level.SHAPE),
        (58 / 144, Level.COMPACT),
        (100 / 144, Level.COMPACT),
        (101 / 144, Level.FULL),
        (219 / 144, Level.FULL),
        (221 / 144, Level.DETAIL),
    ],
)
def test_a_zoom_has_its_level(scale: float, level: Level) -> None:
    assert level_at(scale) is level


@pytest.mark.parametrize("scale", [0.1, 0.2, 0.4, 0.7, 1.0, 2.0])
def test_labels_are_never_smaller_than_at_100_percent_on_screen(scale: float) -> None:
    assert 10.5 * label_scale(scale) * scale >= 10.5 - 1e-9


@pytest.mark.parametrize("name", EXAMPLE_NAMES)
def test_at_30_percent_too_every_wire_of_30_px_has_its_gradient(name: str) -> None:
    mirror = mirror_of(example(name))
    found = placed_labels(mirror, Look(theme("dark"), 0.3))
    long = {wire for wire, row in mirror.wire_rows.items() if length(mirror.points[row]) * 0.3 > 30}
    assert long <= set(found)


# Causes


def zero_reading(cause: Cause, size: int = 2) -> PlaceReading:
    found = reading([1.0] * size, [0.0] * size, Status.ZERO)
    return found._replace(zero=ZeroCause(cause, "main/m", {cause: size}))


def zero_label(cause: Cause) -> Label:
    return label_of(zero_reading(cause), has_gradient=True, is_stale=False)


@pytest.mark.parametrize("form", Form)
def test_the_label_of_a_zero_has_the_glyph_of_its_cause_in_all_forms(form: Form) -> None:
    found = zero_label(Cause.ZERO_FACTOR).gradient
    assert found is not None
    assert (found.shown(form), found.glyph(form)) == ("0", "zero_factor")
    without = label_of(reading([1.0], [0.0], Status.ZERO), has_gradient=True, is_stale=False).gradient
    assert without is not None and without.glyph(form) == "zero"


def test_forms_that_give_nothing_up_are_left_out() -> None:
    assert Label("1", GradientText("?", Status.UNKNOWN)).forms(Form.WHOLE) == [Form.WHOLE, Form.BARE, Form.NUMBER]
    assert Label("1", None).forms(Form.WHOLE) == [Form.WHOLE, Form.BARE]


def test_a_short_label_keeps_both_rows_when_its_wire_carries_something_again() -> None:
    layout = LabelLayout()
    for label in (Label("1 1", GradientText("0 blocked", Status.BLOCKED, True, number="0")), SCALAR):
        placed = place(layout, label, "a", straight(60), between(60))
    assert placed.form is Form.BARE
    assert placed.label.value == "2.14"


def test_the_box_of_a_row_is_as_wide_as_what_stands_in_it() -> None:
    (value, _), text = SCALAR.widths(Form.BARE), label_width("2.14")
    assert text < value < text + 6


def test_a_tie_and_a_saturated_block_have_a_glyph_before_the_number() -> None:
    flowing = reading([1.0, 1.0], [0.5, 0.5])
    faint = ZeroCause(Cause.SATURATED, "main/s", {Cause.SATURATED: 2})
    for marked, mark in ((flowing._replace(tie=Tie("main/m", 2)), "tie"), (flowing._replace(zero=faint), "saturated")):
        found = label_of(marked, has_gradient=True, is_stale=False).gradient
        assert found is not None
        assert (found.glyph(Form.WHOLE), found.glyph(Form.BARE), found.status) == (mark, "", Status.FLOW)
        plain = Label("", found._replace(mark="")).widths(Form.WHOLE)
        assert Label("", found).widths(Form.WHOLE)[1] == plain[1] + 14


def test_some_elements_that_are_zero_need_no_glyph() -> None:
    some = ZeroCause(Cause.NOT_SELECTED, "main/r", {Cause.NOT_SELECTED: 1})
    found = label_of(reading([1.0, 1.0], [0.0, 1.0])._replace(zero=some), True, False).gradient
    assert found is not None
    assert found.mark == ""


def test_a_wire_whose_cause_changes_is_labelled_anew(qtbot: QtBot) -> None:
    """relu(w x + 1) at x = 1: for w = 0 the factor is zero, for w = -5 Relu is left of 0; x and its gradient stay."""
    line = x([1.0]).source("w", [0.0], "Constant").source("c", [1.0], "Constant").then("m", "Multiply", "w.y")
    graph = line.then("a", "Add", "c.y").then("r", "Relu").loss()
    mirror = mirror_of(graph)
    painter, wire = PagePainter(mirror), graph.page("main").wires[Port("m", "x")]
    marks = []
    for value in (0.0, -5.0):
        mirror.session.apply("Set w", edits.set_parameter, MAIN, "w", "value", np.array([value]))
        qtbot.waitUntil(lambda: not mirror.session.scheduler.is_busy)
        mirror.read_results()
        label = placed_labels(mirror, Look(theme("dark")), painter)[wire].label
        marks.append(label.gradient.mark if label.gradient is not None else "")
    assert marks == ["zero_factor", "not_selected"]
