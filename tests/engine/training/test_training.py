"""Training updates the variables that the rule may update, and writes them back."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import gradwire as gw
from gradwire.blocks.update_rules import descent
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.errors import BlockError, GradwireError, NameUnknownError
from gradwire.engine.blocktypes.library import library
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.executors import numpy_program
from gradwire.engine.graph.graph import Block, Graph
from gradwire.engine.step_compiler import tiled_arena
from gradwire.engine.training.training import Training
from tests.gallery import example, example_names, run_of_example
from tests.recorded import make_graph
from tests.sweeps import a_third_of


@pytest.fixture(params=["compiled", "bound"], autouse=True)
def executor(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "bound":
        monkeypatch.setattr(tiled_arena, "Program", numpy_program.Program)


def test_linear_regression_descends_as_recorded() -> None:
    training = Training(example("linreg"), descent(0.0005))
    losses = [float(training.step()) for _ in range(1001)]
    np.testing.assert_allclose(
        [losses[0], losses[1], losses[1000]], [2790.3125, 1151.5103773565, 1.0377341401], rtol=1e-9
    )
    assert training.trained == ("main/W", "main/b")


def test_trained_values_stand_in_the_graph_afterwards() -> None:
    training = Training(example("linreg"), descent(0.0005))
    for _ in range(1000):
        training.step()
    blocks_ = training.graph.pages[0].blocks
    np.testing.assert_allclose(blocks_["W"].parameters["value"], [1.05884, 2.06427, 3.07770], atol=5e-6)
    np.testing.assert_allclose(blocks_["b"].parameters["value"], 0.77212, atol=5e-6)
    assert float(evaluate(training.graph).loss.value) == pytest.approx(1.0377341401, rel=1e-9)


def test_a_step_that_is_too_long_diverges_as_recorded() -> None:
    training = Training(example("linreg"), descent(0.001))
    assert [float(training.step()) for _ in range(11)][10] == pytest.approx(1.48e7, rel=5e-3)


def test_a_small_network_learns_xor_as_recorded() -> None:
    training = Training(example("xor_221_good"), descent(1.0))
    losses = [float(training.step()) for _ in range(2001)]
    np.testing.assert_allclose(
        [losses[0], losses[100], losses[2000]], [0.6366041548, 0.0462333305, 0.0015948563], rtol=1e-7
    )


@pytest.mark.parametrize("name", a_third_of(example_names()))
def test_every_example_has_the_loss_and_gradients_of_the_editor(name: str) -> None:
    graph, snapshot = example(name), run_of_example(name).snapshot
    if snapshot.loss is None or any(problem.severity == "error" for problem in snapshot.problems):
        with pytest.raises(GradwireError):
            Training(graph)
        return
    ports = [str(port) for port, found in snapshot.ports.items() if found.gradient is not None]
    training = Training(graph, watch=ports)
    np.testing.assert_allclose(training.step(), snapshot.loss.value, rtol=1e-12)
    for port in ports:
        found = snapshot.ports[PortName(*port.rsplit(".", 1))]
        scale = np.max(np.abs(found.gradient), where=np.isfinite(found.gradient), initial=1.0)
        np.testing.assert_allclose(training.value(port), found.value, rtol=1e-12, atol=1e-14)
        np.testing.assert_allclose(training.gradient(port), found.gradient, rtol=1e-12, atol=1e-14 * scale)


def test_what_is_blocked_unconnected_or_frozen_stays() -> None:
    moving, stopped, frozen = gw.Variable(1.0, name="moving"), gw.Variable(2.0, name="stopped"), None
    frozen = gw.Variable(3.0, name="frozen", trainable=False)
    loss = library["Loss"](moving * gw.StopGradient(stopped) * frozen + gw.Constant(0.0))
    lonely = gw.Variable(4.0, name="lonely")
    training = Training(gw.graph(loss, lonely), descent(0.1))
    training.step()
    assert training.trained == ("main/moving",)
    found = training.graph.pages[0].blocks
    values = {name: float(found[name].parameters["value"]) for name in ("moving", "stopped", "frozen", "lonely")}
    assert values == {"moving": pytest.approx(1 - 0.1 * 6), "stopped": 2.0, "frozen": 3.0, "lonely": 4.0}


def test_a_gradient_of_zero_counts() -> None:
    x = gw.Variable(2.0, name="x")
    assert Training(gw.graph(library["Loss"](x * 0.0)), descent(0.1)).trained == ("main/x",)


def test_feeds_stay_until_the_next() -> None:
    x = gw.Input([1.0, 2.0], name="x")
    training = Training(gw.graph(library["Loss"](x * 3.0)), watch=["x.y"])
    assert float(training.step()) == 9.0
    assert float(training.step({"x": np.array([2.0, 2.0])})) == 12.0
    assert float(training.step()) == 12.0
    assert training.value("x.y").tolist() == [2.0, 2.0]


def test_a_watched_variable_has_the_value_that_the_loss_was_computed_with() -> None:
    x = gw.Variable(1.0, name="x")
    training = Training(gw.graph(library["Loss"](x * 2.0)), descent(0.5), watch=["x.y"])
    training.step()
    assert training.value("x.y") == 1.0
    assert training.graph.pages[0].blocks["x"].parameters["value"] == 0.0


def test_feeds_that_do_not_fit_say_so() -> None:
    training = Training(gw.graph(library["Loss"](gw.Input([1.0, 2.0], name="x"))))
    for wrong in (np.ones(3), np.ones(2, bool)):
        with pytest.raises(BlockError):
            training.step({"x": wrong})
    with pytest.raises(NameUnknownError):
        training.step({"y": np.ones(2)})
    with pytest.raises(NameUnknownError):
        Training(gw.graph(library["Loss"](gw.Input(1.0, name="x"))), watch=["z.y"])


def test_without_a_loss_there_is_nothing_to_train_for() -> None:
    with pytest.raises(GradwireError, match="no Loss"):
        Training(gw.graph(gw.Tanh(gw.Variable(1.0))))


def test_a_graph_with_an_error_is_not_trained() -> None:
    broken = make_graph([Block("e", "Exp"), Block("loss", "Loss")], [("e.y", "loss.x")])
    with pytest.raises(GradwireError, match="main/"):
        Training(broken)


def test_a_variable_on_a_page_used_twice_is_one_variable() -> None:
    graph = example_with_a_page_used_twice()
    training = Training(graph, descent(0.1))
    training.step()
    # L = (w * 1) + (w * 2): both uses move by the sum of their gradients.
    assert training.trained == ("scale/w",)
    assert float(training.graph.block("scale/w").parameters["value"]) == pytest.approx(5 - 0.1 * 3)
    assert float(training.step()) == pytest.approx(3 * (5 - 0.1 * 3))


def example_with_a_page_used_twice() -> Graph:
    main = make_graph(
        [
            Block("a", "Constant", parameters={"value": np.array(1.0)}),
            Block("b", "Constant", parameters={"value": np.array(2.0)}),
            Block("first", "Page", parameters={"page": "scale"}),
            Block("second", "Page", parameters={"page": "scale"}),
            Block("sum", "Add"),
            Block("loss", "Loss"),
        ],
        [
            ("a.y", "first.x"),
            ("b.y", "second.x"),
            ("first.z", "sum.x"),
            ("second.z", "sum.y"),
            ("sum.z", "loss.x"),
        ],
    )
    page = make_graph(
        [
            Block("in", "PageInput", parameters={"name": "x"}),
            Block("w", "Variable", parameters={"value": np.array(5.0)}),
            Block("times", "Multiply"),
            Block("out", "PageOutput", parameters={"name": "z"}),
        ],
        [("in.y", "times.x"), ("w.y", "times.y"), ("times.z", "out.x")],
    ).pages[0]
    return dataclasses.replace(main, pages=(*main.pages, dataclasses.replace(page, name="scale")))
