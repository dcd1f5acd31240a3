"""Loss along one element: the curve equals the formula, and the gradient its slope unless it is stopped."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.errors import NameUnknownError
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import evaluate, run_graph
from gradwire.engine.explain.slices import PLACES as COUNT
from gradwire.engine.explain.slices import Slice, places_around, slice_around, slice_of
from gradwire.engine.graph.graph import Graph, Port
from tests.gallery import example

PLACES = np.linspace(-2.0, 2.0, 9).tolist()
X = PortName("main/x", "y")


def graph_of(value: object, *types: str, dtype: str = "float64") -> Graph:
    """Returns an Input x through blocks of some types, summed up into a Loss."""
    graph, last = edits.add_block(Graph(), "main", "Input", id="x", parameters={"value": np.array(value, dtype)})
    source = Port(last, "y")
    for number, kind in enumerate((*types, "ReduceSum", "Loss")):
        graph, name = edits.add_block(graph, "main", kind, id=f"b{number}")
        graph = edits.connect(graph, "main", source, Port(name, "x"))
        source = Port(name, "y")
    return graph


def test_the_curve_of_a_square_is_the_formula() -> None:
    found = slice_of(graph_of([0.5, 3.0], "Square"), "main/x.y", (0,), PLACES)
    assert found.losses.tolist() == [place**2 + 9 for place in PLACES]
    assert (found.at, found.loss, found.slope) == (0.5, 9.25, 1.0)
    assert found.is_tangent and not found.has_kink


def test_a_kink_is_seen_and_every_slope_between_its_sides_is_a_tangent() -> None:
    found = slice_of(graph_of(0.0, "Abs"), "main/x.y", (), PLACES)
    assert found.losses.tolist() == [abs(place) for place in PLACES]
    assert (found.left, found.right, found.slope) == pytest.approx((-1.0, 1.0, 0.0))
    assert found.has_kink and found.is_tangent


def test_behind_a_stop_gradient_the_slope_is_not_that_of_the_curve() -> None:
    found = slice_of(graph_of(1.5, "StopGradient", "Square"), "main/x.y", (), PLACES)
    assert found.losses.tolist() == [place**2 for place in PLACES]
    assert found.slope == 0.0
    # The slope of x * x at 1.5 is 3; differences of 1e-6 give it to about 1e-6.
    assert found.left == pytest.approx(3.0, abs=1e-5)
    assert not found.is_tangent


def test_where_the_loss_is_not_a_number_neither_is_the_curve() -> None:
    found = slice_of(graph_of(1.0, "Log"), "main/x.y", (), [-1.0, 1.0])
    assert np.isnan(found.losses[0]) and found.losses[1] == 0.0


def test_the_graph_and_its_other_elements_stay() -> None:
    graph = graph_of([1.0, 2.0], "Exp")
    found = slice_of(graph, "main/x.y", (1,), [2.0])
    assert found.losses[0] == pytest.approx(np.exp(1.0) + np.exp(2.0), rel=1e-15)


@pytest.mark.parametrize(("port", "index"), [("main/nobody.y", (0,)), ("main/x.y", ()), ("main/x.y", (2,))])
def test_what_is_not_there_has_no_slice(port: str, index: tuple[int, ...]) -> None:
    with pytest.raises(NameUnknownError):
        slice_of(graph_of([1.0, 2.0], "Exp"), port, index, PLACES)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("value", [0.0, 0.3, 1.5, -2.0, 40.0, 3000.0])
def test_a_smooth_curve_has_no_kink_whatever_its_dtype_and_bend(dtype: str, value: float) -> None:
    found = slice_of(graph_of(value, "Square", "Square", dtype=dtype), "main/x.y", (), [])
    assert found.slope == pytest.approx(4 * value**3, rel=1e-6)
    assert found.is_tangent and not found.has_kink


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_kink_of_a_small_and_of_a_large_curve_is_seen(dtype: str) -> None:
    found = slice_of(graph_of([0.0, 3.0], "Abs", dtype=dtype), "main/x.y", (0,), [])
    assert found.has_kink and found.is_tangent


def test_a_gradient_that_is_stopped_is_no_tangent_in_float32_either() -> None:
    assert not slice_of(graph_of(1.5, "StopGradient", "Square", dtype="float32"), "main/x.y", (), []).is_tangent


def test_at_the_end_of_the_curve_the_side_that_is_there_counts() -> None:
    """The slope of the square root at 0 is infinite; to the left there is no loss."""
    found = slice_of(graph_of(0.0, "Sqrt"), "main/x.y", (), [])
    assert np.isnan(found.left) and not found.has_kink


@pytest.mark.parametrize(("at", "half", "ends"), [(3.0, 2.0, (2, 6)), (0.9, 1.0, (0, 2)), (-0.2, 1.0, (-1, 1))])
def test_the_places_are_those_around_a_round_middle(at: float, half: float, ends: tuple[float, float]) -> None:
    places = places_around(at, half)
    assert (places[0], places[-1], len(places)) == (*ends, COUNT)
    assert np.allclose(np.diff(places), 2 * half / (COUNT - 1))


def test_a_slice_without_time_still_has_its_ends_and_every_eighth_place() -> None:
    graph = graph_of(1.0, "Square")
    found, all_of_it = (slice_around(run_graph(graph), X, (), 1.0, seconds) for seconds in (0.0, np.inf))
    assert found.places.tolist() == all_of_it.places[::8].tolist()
    assert found.losses.tolist() == [place**2 for place in found.places]


def test_around_an_element_that_is_not_finite_there_is_no_slice() -> None:
    with pytest.raises(NameUnknownError):
        slice_around(run_graph(graph_of([np.inf, 1.0], "Exp")), X, (0,), 1.0)


def test_where_an_error_hides_a_loss_no_curve_stands_for_the_sum() -> None:
    graph = graph_of([1.0, 2.0], "Square")
    for block_id, kind in (("bad", "MatMul"), ("other", "Loss")):
        graph, _ = edits.add_block(graph, "main", kind, id=block_id)
    for source, target in ((Port("x", "y"), Port("bad", "a")), (Port("bad", "product"), Port("other", "x"))):
        graph = edits.connect(graph, "main", source, target)
    graph = replace(graph, loss=None)
    assert not slice_of(graph, "main/x.y", (0,), [0.0]).is_anywhere_finite


def elements(graph: Graph, path: str) -> list[Slice]:
    """Returns a slice of each element of a block, without any places."""
    value = np.asarray(evaluate(graph).port(f"{path}.y").value)
    return [slice_of(graph, f"{path}.y", index, []) for index in np.ndindex(value.shape)]


def variables(name: str) -> list[Slice]:
    graph = example(name)
    paths = [f"main/{block.id}" for block in graph.page("main").blocks.values() if block.type == "Variable"]
    return [item for path in paths for item in elements(graph, path)]


@pytest.mark.parametrize("name", ["td_residual", "cd1_nostop"])
def test_without_stops_every_gradient_is_the_slope_of_the_curve(name: str) -> None:
    assert all(item.is_tangent and not item.stops for item in variables(name))


def test_contrastive_divergence_teaches_other_slopes_than_the_loss_has() -> None:
    """Every parameter of the machine shapes the stopped sample."""
    assert all(item.stops and not item.is_tangent for item in variables("cd1_stop"))


def test_the_semi_gradient_is_another_slope_exactly_where_the_target_is_stopped() -> None:
    """The residual gradient is [-1.4, 1.26]; the stopped target withholds the second part."""
    found = variables("td_semi")
    assert [item.is_tangent for item in found] == [True, False]
    assert [item.slope for item in found] == pytest.approx([-1.4, 0.0])
    assert [item.true_slope for item in found] == pytest.approx([-1.4, 1.26], rel=1e-8)
    assert all(item.stops == ("main/sg",) for item in found)


def test_straight_through_teaches_a_slope_where_the_curve_is_level() -> None:
    graph = example("ste")
    found = elements(graph, "main/x")
    # At -1.4 the gradient is 1, but rounding makes the loss flat there; at the others both are 0.
    assert [item.slope for item in found[:3]] == [0, 0, 1]
    assert [item.is_tangent for item in found[:3]] == [True, True, False]
    assert found[2].true_slope == pytest.approx(0, abs=1e-9)
    assert all(item.stops for item in found)


def test_the_true_slope_is_the_central_difference_and_none_at_a_kink() -> None:
    assert slice_of(graph_of(1.5, "Square"), "main/x.y", (), []).true_slope == pytest.approx(3, rel=1e-8)
    assert slice_of(graph_of(0.0, "Abs"), "main/x.y", (), []).true_slope is None


def test_a_jump_is_told_from_a_kink_and_its_side_has_no_slope() -> None:
    # A step of height 1 at 0: flat on both sides, and at 0 the value of the left.
    found = slice_of(graph_of(0.5, "Round"), "main/x.y", (), PLACES)
    assert (found.jumps, found.has_kink, found.left) == ((False, True), False, 0.0)
    assert found.true_slope == 0.0 and np.isnan(found.right)
    middle = slice_of(graph_of(0.0, "Sign"), "main/x.y", (), PLACES)
    assert (middle.jumps, middle.true_slope, middle.is_tangent) == ((True, True), None, True)


@pytest.mark.parametrize("kind", ["Abs", "Relu", "Square", "Exp", "Tanh"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_what_is_continuous_does_not_jump(kind: str, dtype: str) -> None:
    found = slice_of(graph_of([0.0, 3.0], kind, dtype=dtype), "main/x.y", (0,), PLACES)
    assert found.jumps == (False, False)


def test_the_root_at_0_is_steep_and_does_not_jump() -> None:
    assert slice_of(graph_of(0.0, "Sqrt"), "main/x.y", (), PLACES).jumps == (False, False)


def test_the_two_wheres_of_the_gallery_jump_to_the_right_of_0() -> None:
    found = slice_of(example("where_double"), "main/x.y", (0,), PLACES)
    assert found.jumps == (False, True) and found.slope == 0.0


@pytest.mark.parametrize("exponent", [0.3, 0.5, 0.9])
def test_an_infinite_slope_is_one_whose_quotient_grows(exponent: float) -> None:
    # x^p at 0 with p < 1: the quotient h^(p - 1) grows without bound.
    graph = gw.graph(gw.Loss(gw.Pow(gw.Input(np.array(0.0), name="x"), gw.Constant(exponent))))
    found = slice_of(graph, "main/x.y", (), PLACES)
    assert found.is_infinite and found.right == np.inf and found.jumps[1] is False


def test_a_side_that_is_level_is_no_estimate_beside_an_infinite_slope() -> None:
    # sqrt(relu(x)) at 0: level to the left, infinite to the right.
    found = slice_of(graph_of(0.0, "Relu", "Sqrt"), "main/x.y", (), [])
    assert (found.left, found.right, found.true_slope) == (0.0, np.inf, None)


@pytest.mark.parametrize("value", [1e-4, 1.0, 50.0])
def test_a_steep_slope_is_not_infinite(value: float) -> None:
    # d sqrt(x) / dx = 1 / (2 sqrt(x)), 50 at 1e-4.
    found = slice_of(graph_of(value, "Sqrt"), "main/x.y", (), PLACES)
    assert not found.is_infinite
    assert found.true_slope == pytest.approx(0.5 / np.sqrt(value), rel=1e-2)


def test_only_where_the_gradient_without_stops_is_the_slope_are_the_stops_to_blame() -> None:
    stopped = slice_of(graph_of(1.5, "StopGradient", "Square"), "main/x.y", (), [])
    assert stopped.unstopped == 3.0 and stopped.is_due_to_stops
    # Straight-through: the curve is level, and so is the gradient 0 without the stop.
    through = elements(example("ste"), "main/x")[2]
    assert through.unstopped == 0.0 and through.is_due_to_stops
    assert not replace(stopped, unstopped=2.0).is_due_to_stops


@pytest.mark.parametrize(("kind", "place"), [("Floor", 0.0), ("Sign", 0.0), ("Reciprocal", 0.0)])
def test_a_curve_breaks_at_a_jump_and_at_a_pole(kind: str, place: float) -> None:
    # No place stands on the break itself.
    found = slice_of(graph_of(0.7, kind), "main/x.y", (), np.linspace(-0.55, 0.95, 16).tolist())
    assert found.breaks == pytest.approx((place,), abs=1e-9)


@pytest.mark.parametrize("kind", ["Exp", "Square", "Abs", "Tanh", "Relu"])
def test_a_continuous_curve_has_no_break(kind: str) -> None:
    places = np.linspace(-30.5, 40.5, 65).tolist()
    assert slice_of(graph_of(0.7, kind), "main/x.y", (), places).breaks == ()


def sides(left: float, right: float, slope: float, noise: float = 0.0, **rest: float) -> Slice:
    """Returns a slice with these slopes, of which differences have a relative error of a hundredth."""
    nothing = np.zeros(0)
    return Slice(nothing, nothing, 0.0, 1.0, slope, left, right, 0.01, noise, **rest)  # type: ignore[arg-type]


NAN, INF = np.nan, np.inf


@pytest.mark.parametrize(
    ("found", "kink", "tangent", "infinite", "true_slope"),
    [
        (sides(2, 2, 2), False, True, False, 2),
        (sides(2, 2.01, 2), False, True, False, 2.005),
        (sides(2, 2.03, 2), True, True, False, None),
        (sides(2, 2.03, 2, noise=0.02), False, True, False, 2.015),
        (sides(-1, 1, 0.5), True, True, False, None),
        (sides(1, -1, 1.009), True, True, False, None),
        (sides(1, -1, 1.02), True, False, False, None),
        (sides(-1, 1, -1.02), True, False, False, None),
        (sides(-1, 1, -1.009), True, True, False, None),
        (sides(-1, 1, 1.009), True, True, False, None),
        (sides(1, -1, -1.009), True, True, False, None),
        (sides(2, 2, 1.97), False, False, False, 2),
        (sides(NAN, 3, 3), False, True, False, 3),
        (sides(NAN, 3, 2), False, False, False, 3),
        (sides(3, NAN, 2), False, False, False, 3),
        (sides(NAN, NAN, 7), False, True, False, None),
        (sides(INF, 3, 3), False, True, True, None),
        (sides(3, -INF, 3), False, True, True, None),
        (sides(INF, INF, 3), False, True, True, None),
    ],
)
def test_sides_say_whether_a_slope_is_a_tangent(
    found: Slice, kink: bool, tangent: bool, infinite: bool, true_slope: float | None
) -> None:
    assert (found.has_kink, found.is_tangent, found.is_infinite) == (kink, tangent, infinite)
    assert found.true_slope == (None if true_slope is None else pytest.approx(true_slope))
    assert replace(found, unstopped=found.slope).is_due_to_stops is tangent
    assert not found.is_due_to_stops


def test_a_curve_is_finite_where_any_loss_is() -> None:
    whole = sides(1, 1, 1)
    assert whole.is_anywhere_finite
    for losses, is_finite in (([NAN, INF], False), ([NAN, 1.0], True)):
        assert replace(whole, loss=NAN, losses=np.array(losses)).is_anywhere_finite is is_finite


def test_places_lie_evenly_around_a_centre_that_stays() -> None:
    places = places_around(2.4, 0.5)
    assert len(places) == COUNT and (places[0], places[32], places[-1]) == pytest.approx((2.0, 2.5, 3.0))
    assert places_around(2.3, 0.5) == places
    assert places_around(2.2, 0.5)[32] == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("kind", "at", "jumps", "left", "right"),
    [
        ("Sign", 0.0, (True, True), NAN, NAN),
        ("Floor", 2.0, (True, False), NAN, 0.0),
        ("Ceil", 2.0, (False, True), 0.0, NAN),
        ("Sqrt", 0.0, (False, False), NAN, INF),
        ("Abs", 0.0, (False, False), -1.0, 1.0),
        ("Square", 3.0, (False, False), 6.0, 6.0),
    ],
)
def test_jumps_and_infinite_slopes_are_told_apart_on_each_side(
    kind: str, at: float, jumps: tuple[bool, bool], left: float, right: float
) -> None:
    found = slice_of(graph_of(at, kind), "main/x.y", (), [])
    assert found.jumps == jumps
    assert (found.left, found.right) == pytest.approx((left, right), nan_ok=True, rel=1e-5, abs=1e-9)


@pytest.mark.parametrize(("exponent", "is_infinite"), [(0.9, True), (0.93, False), (0.97, False)])
def test_a_quotient_that_grows_by_less_than_a_fifth_each_time_is_not_told_as_infinite(
    exponent: float, is_infinite: bool
) -> None:
    """At an eighth of the step that of x^p is 8^(1 - p) times as large: 1.23 for p = 0.9, and 1.16 for p = 0.93."""
    graph = gw.graph(gw.Loss(gw.Pow(gw.Input(np.array(0.0), name="x"), gw.Constant(exponent))))
    assert slice_of(graph, "main/x.y", (), []).is_infinite is is_infinite
