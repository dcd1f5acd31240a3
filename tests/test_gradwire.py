"""Public face: blocks as functions, evaluation, questions by expression and by name, files."""

from __future__ import annotations

import builtins
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import gradwire as gw
from gradwire.app.cli import command_line
from tests.interop.pt2.recorded import Recorded


def stable_softmax(x: gw.Expression, *, is_stopped: bool) -> gw.Expression:
    maximum = gw.ReduceMax(x, name="m")
    z = x - (gw.StopGradient(maximum, name="stop") if is_stopped else maximum)
    e = gw.Exp(z)
    return e / gw.ReduceSum(e)


def test_the_naive_softmax_overflows() -> None:
    e = gw.Exp(gw.Input([1000, 1001, 1002], name="x"))
    p = e / gw.ReduceSum(e)
    run = gw.evaluate(p)
    assert np.isinf(run.value(e)).all()
    assert np.isnan(run.value(p)).all()
    assert run.status("x.y") == "nonfinite"
    assert any("exp(1000) = inf" in problem for problem in run.problems)


@pytest.mark.parametrize(
    ("x", "loss", "gradient"),
    [
        ([1, 2, 3], 2.5752103826, [-0.1418170936, -0.1407703575, 0.2825874511]),
        ([1, 3, 3], 2.4049315925, [-0.0890430728, -0.189633729, 0.2786768018]),
        ([1000, 1001, 1002], 2.5752103826, [-0.1418170936, -0.1407703575, 0.2825874511]),
    ],
)
@pytest.mark.parametrize("is_stopped", [True, False])
def test_the_stable_softmax_gives_the_gallery_numbers(
    x: list[float], loss: float, gradient: list[float], is_stopped: bool
) -> None:
    v = gw.Input(x, name="x")
    p = stable_softmax(v, is_stopped=is_stopped)
    run = gw.evaluate(gw.Loss(p, gw.Constant([1, 2, 3])))
    np.testing.assert_allclose(run.loss, loss, rtol=1e-9)
    np.testing.assert_allclose(run.gradient(v), gradient, rtol=1e-8)
    assert run.status("m.y") == ("blocked" if is_stopped else "zero")


def test_a_wire_is_asked_for_by_its_ends() -> None:
    x = gw.Input([1, 3, 3], name="x")
    m = gw.ReduceMax(x, name="m")
    run = gw.evaluate(gw.Loss(x - gw.StopGradient(m, name="stop")))
    for source in (m, "m.y", "main/m.y"):
        assert run.wire(source, "stop.x").withheld == -3


def test_without_a_loss_the_sum_is_differentiated() -> None:
    x = gw.Variable([2.0, 3.0])
    run = gw.evaluate(gw.Square(x), 3 * x)
    assert run.loss == 4 + 9 + 15
    np.testing.assert_array_equal(run.gradient(x), [7, 9])


def test_python_numbers_take_the_dtype_they_meet_and_stand_alone_as_float64() -> None:
    x = gw.Input(np.array([1, 2], np.float32))
    assert (2 * x + 1).dtype == np.float32
    assert gw.Input([1, 2]).dtype == np.float64
    assert gw.Input([True]).dtype == np.bool_
    assert (gw.Input(np.array([1, 2])) * 0.5).dtype == np.float64


def test_a_star_import_takes_none_of_the_names_of_python() -> None:
    scope: dict[str, object] = {}
    exec("from gradwire import *", scope)
    taken = {name for name in scope if not name.startswith("__")}
    assert {"Variable", "evaluate", "no_grad"} <= taken
    assert not taken & set(dir(builtins))


def test_blocks_stay_strict_where_operators_promote() -> None:
    with pytest.raises(gw.GradwireError, match=r"without loss; insert a Cast, or write x \* y, which casts"):
        gw.Multiply(gw.Input(np.array([1, 2])), 0.5)
    with pytest.raises(gw.GradwireError, match=r"y is float64; insert a Cast, or write x \+ y, which casts"):
        gw.Add(gw.Input(np.array([1, 2])), gw.Input([0.5]))


def test_arrays_are_computed_at_once() -> None:
    np.testing.assert_allclose(gw.Softmax(np.array([1.0, 1.0])), [0.5, 0.5])
    assert gw.ReduceMax([1, 5, 2]) == 5


def test_a_block_with_several_outputs_gives_a_tuple() -> None:
    mean, variance = gw.Moments(gw.Input([1.0, 3.0]), axes=[0])
    run = gw.evaluate(mean, variance)
    assert (run.value(mean), run.value(variance)) == (2, 1)


def test_a_derivative_can_be_built_on() -> None:
    x = gw.Input([3.0])
    (g,) = gw.Gradients(x * x * x, x)
    run = gw.evaluate(g)
    np.testing.assert_allclose(run.value(g), [27])
    np.testing.assert_allclose(run.gradient(x), [18])


def test_blocks_are_named_after_their_type_as_in_tensorflow() -> None:
    x = gw.Input([1.0])
    names = set(gw.graph(gw.Exp(gw.Exp(x)), gw.Exp(x, name="mine")).pages[0].blocks)
    assert names == {"Input", "Exp", "Exp_1", "mine"}


@pytest.mark.parametrize("name", ["1st", "", "a b", "ä", "x" * 65])
def test_a_name_that_no_file_could_hold_is_refused(name: str) -> None:
    with pytest.raises(gw.GradwireError, match="cannot be the name"):
        gw.graph(gw.Input([1.0], name=name))


def test_a_name_is_given_once() -> None:
    with pytest.raises(gw.GradwireError, match='"x"'):
        gw.graph(gw.Exp(gw.Input([1.0], name="x"), name="x"))


def test_a_graph_goes_through_a_file(tmp_path: Path) -> None:
    x = gw.Input([1.0, 2.0], name="x")
    loss = gw.Loss(gw.Exp(x), name="loss")
    gw.save(loss, tmp_path / "a.graph")
    loaded = gw.load(tmp_path / "a.graph")
    assert loaded == gw.graph(loss)
    np.testing.assert_allclose(gw.evaluate(loaded).gradient("x.y"), np.exp([1, 2]))


def test_stops_can_be_ignored() -> None:
    x = gw.Input([2.0])
    stopped = gw.StopGradient(x)
    np.testing.assert_array_equal(gw.evaluate(stopped).gradient(x), [0])
    np.testing.assert_array_equal(gw.evaluate(stopped, ignore_stop=True).gradient(x), [1])


def test_gradients_can_be_checked() -> None:
    outcome = gw.check_gradients(stable_softmax(gw.Input([1.0, 2.0, 4.0]), is_stopped=True))
    assert outcome.mismatches == ()
    assert outcome.elements > 10


def test_shapes_that_do_not_fit_are_refused_where_they_are_written() -> None:
    with pytest.raises(gw.GradwireError, match=r"a has 3 columns but b has 2 rows"):
        gw.MatMul(gw.Input(np.ones((2, 3))), gw.Input(np.ones((2, 3))))


def test_wrong_questions_are_sentences() -> None:
    run = gw.evaluate(gw.Input([1.0], name="x"))
    for ask in (lambda: run.value("nobody.y"), lambda: run.wire("x.y", "nobody.x"), lambda: run.value(gw.Input([1.0]))):
        with pytest.raises(gw.GradwireError):
            ask()
    with pytest.raises(AttributeError, match="ReduceMax"):
        gw.ReduceMx  # noqa: B018
    with pytest.raises(gw.GradwireError, match="not int"):
        gw.evaluate(3)


def test_an_expression_has_no_truth_value() -> None:
    with pytest.raises(TypeError, match="Where"):
        bool(gw.Input([1.0]) > 0)


def test_a_mean_in_half_precision_may_have_more_elements_than_half_precision_counts() -> None:
    assert gw.ReduceMean(np.ones(70_000, np.float16)) == 1
    assert gw.evaluate(gw.Loss(gw.Input(np.full(3_000, 30, np.float16)), reduction="mean")).loss == 30


def test_arrays_are_computed_without_warnings() -> None:
    assert np.isnan(gw.ReduceMean(np.zeros(0)))
    assert np.isinf(gw.Exp(1e9))


def test_training_moves_the_variables_of_a_graph() -> None:
    x = gw.Variable([1.0, 2.0], name="x")
    training = gw.training(gw.Square(x), gw.descent(0.25), watch=["x.y"])
    assert [float(training.step()) for _ in range(3)] == [5.0, 1.25, 0.3125]
    assert training.gradient("x.y").tolist() == [0.5, 1.0]
    assert training.graph.block("main/x").parameters["value"].tolist() == [0.125, 0.25]


def test_a_run_shows_itself_as_the_table_that_the_command_prints(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    x = gw.Variable([2.0, 3.0], name="x")
    loss = gw.Loss(gw.Square(x, name="s"), name="L")
    gw.save(loss, tmp_path / "squares.graph")
    assert command_line.main(["run", str(tmp_path / "squares.graph")]) == 0
    shown = repr(gw.evaluate(loss))
    assert capsys.readouterr().out.rstrip().endswith(shown)
    assert shown.splitlines() == [
        "main/L = 13",
        "",
        "wire                  value  gradient  status",
        "main/x.y -> main/s.x  [2 3]  [4 6]     flow",
        "main/s.y -> main/L.x  [4 9]  [1 1]     flow",
    ]


def test_a_graph_shows_its_size() -> None:
    shown = repr(gw.graph(gw.Loss(gw.Square(gw.Variable([2.0])))))
    assert shown == "<Graph: pages: 1, blocks: 3, wires: 2>"


def test_a_run_of_a_large_graph_shows_its_first_wires_and_how_many_more_there_are() -> None:
    y = gw.Variable([1.0])
    for _ in range(60):
        y = gw.Sin(y)
    shown = repr(gw.evaluate(gw.Loss(y))).splitlines()
    assert len(shown) == 2 + 1 + 40 + 1
    assert shown[-1] == "... and 21 more wires"


def test_show_gives_back_what_was_saved_in_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    y = gw.Exp(gw.Variable([1.0], name="x"), name="y")
    other = gw.graph(gw.Loss(gw.Sin(gw.Variable([2.0]))))
    files: list[Path] = []

    def save_another(command: list[str], **_: object) -> None:
        files.append(Path(command[-1]))
        assert {"x", "y"} <= gw.load(files[0]).page("main").blocks.keys()
        gw.save(other, files[0])

    monkeypatch.setattr(subprocess, "run", save_another)
    assert gw.show(y) == other
    assert not files[0].exists()


def test_values_of_a_model_have_the_names_of_its_parameters() -> None:
    imported = gw.from_pt2(Recorded("models").model("conv_batch_norm"))
    names = {f"{layer}.{part}" for layer in ("conv", "norm", "head") for part in ("weight", "bias")}
    assert gw.values(imported).keys() == names
    # A copy keeps the note of its parameter, and the name has gone to the first.
    page = next(page for page in imported.pages if "conv_weight" in page.blocks)
    copy = replace(page.blocks["conv_weight"], id="other")
    both = imported.with_page(replace(page, blocks={**page.blocks, "other": copy}))
    assert gw.values(both).keys() == {*names, f"{page.name}/other"}


def test_values_are_those_of_all_variables_by_name(tmp_path: Path) -> None:
    w = gw.Variable([1.0, 2.0], name="w")
    drawn = gw.Variable(shape=(2,), start="ones", name="drawn")
    graph = gw.graph(gw.Loss(w * drawn * gw.Input([3.0, 4.0], name="x")))
    found = gw.values(graph)
    assert {name: array.tolist() for name, array in found.items()} == {"main/w": [1, 2], "main/drawn": [1, 1]}
    large = gw.graph(gw.Loss(gw.Variable(np.zeros(200_000), name="large")))
    gw.save(large, tmp_path / "m.graph")
    (tmp_path / "m.weights").unlink()
    with pytest.raises(gw.GradwireError, match=r"main/large: Parameter value lies in m.weights, which is missing"):
        gw.values(gw.load(tmp_path / "m.graph"))
