"""Loss matrix: every loss differentiated by itself, and the wires along which its gradient leaks."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.explain.loss_matrix import Pull, loss_matrix
from gradwire.engine.graph.graph import Block, Graph
from tests.recorded import make_graph


def number(name: str, value: float, kind: str = "Variable") -> Block:
    return Block(name, kind, parameters={"value": np.array(value)})


def gan(stops: bool) -> Graph:
    """Returns G = a z + b against D = w x + c, each with its own loss; stops separate both players."""
    stop = "StopGradient" if stops else "Identity"
    kinds = {
        "az": "Multiply", "fake": "Add", "fake_stop": stop, "w_stop": stop, "c_stop": stop,
        "w_real": "Multiply", "real": "Add", "real_minus": "Negative", "real_loss": "Softplus",
        "w_fake": "Multiply", "judged": "Add", "fake_loss": "Softplus", "of_d": "Add", "loss_d": "Loss",
        "w_fooled": "Multiply", "fooled": "Add", "fooled_minus": "Negative", "of_g": "Softplus", "loss_g": "Loss",
    }  # fmt: skip
    blocks = [number(name, value) for name, value in {"a": 1.0, "b": 0.2, "w": 0.7, "c": -0.4}.items()]
    blocks += [number("z", 0.5, "Input"), number("x_real", 2.0, "Input")]
    blocks += [Block(name, kind) for name, kind in kinds.items()]
    wires = """a.y az.x|z.y az.y|az.z fake.x|b.y fake.y|fake.z fake_stop.x|w.y w_stop.x|c.y c_stop.x|w.y w_real.x
    x_real.y w_real.y|w_real.z real.x|c.y real.y|real.z real_minus.x|real_minus.y real_loss.x|w.y w_fake.x
    fake_stop.y w_fake.y|w_fake.z judged.x|c.y judged.y|judged.z fake_loss.x|real_loss.y of_d.x|fake_loss.y of_d.y
    of_d.z loss_d.x|w_stop.y w_fooled.x|fake.z w_fooled.y|w_fooled.z fooled.x|c_stop.y fooled.y|fooled.z fooled_minus.x
    fooled_minus.y of_g.x|of_g.y loss_g.x"""
    pairs = [wire.split() for line in wires.splitlines() for wire in line.split("|")]
    return make_graph(blocks, [(source, target) for source, target in pairs])


D, G = "main/loss_d", "main/loss_g"
# Gradients of each player's own loss, as recorded for gan_stop.
OWN = {"a": 0.16713031132286993, "b": 0.33426062264573986, "w": 0.17214346538573022, "c": 0.253543403421805}


def test_with_stops_each_player_is_trained_by_its_own_loss_alone() -> None:
    matrix = loss_matrix(gan(stops=True))
    assert (matrix.losses, matrix.variables) == ((D, G), tuple(f"main/{name}" for name in "abcw"))
    for name, norm in OWN.items():
        own, other = (G, D) if name in "ab" else (D, G)
        assert matrix.pull(own, f"main/{name}").norm == pytest.approx(norm, rel=1e-12)
        assert matrix.pull(other, f"main/{name}").status is Status.BLOCKED
    assert matrix.pull(D, "main/a").by == ("main/fake_stop",)
    assert matrix.pull(G, "main/c").by == ("main/c_stop",)


def test_without_stops_the_generators_loss_leaks_into_the_discriminator() -> None:
    matrix = loss_matrix(gan(stops=False))
    # -sigmoid(-(w G + c)) G at G = 0.7.
    assert matrix.pull(G, "main/w").norm == pytest.approx(0.7 / (1 + math.exp(0.7 * 0.7 - 0.4)), rel=1e-12)
    assert matrix.pull(G, "main/w").norm == pytest.approx(0.3343, abs=5e-5)
    assert all(pull.status is Status.FLOW for row in matrix.pulls for pull in row)


@pytest.mark.parametrize("stops", [True, False])
def test_the_pulls_of_all_losses_add_up_to_the_gradient_of_their_sum(stops: bool) -> None:
    graph = gan(stops)
    whole = evaluate(graph)
    alone = [evaluate(dataclasses.replace(graph, loss=loss)) for loss in (D, G)]
    matrix = loss_matrix(graph)
    for name in "abcw":
        port = PortName(f"main/{name}", "y")
        gradients = [one.ports[port].gradient for one in alone]
        assert np.sum(gradients) == pytest.approx(float(np.asarray(whole.ports[port].gradient)), rel=1e-12)
        for loss, gradient in zip((D, G), gradients, strict=True):
            pull = matrix.pull(loss, port.path)
            assert (pull.norm or 0.0) == pytest.approx(abs(float(np.asarray(gradient))), rel=1e-12)


def test_the_loss_that_is_chosen_for_the_graph_changes_nothing() -> None:
    graph = gan(stops=True)
    assert loss_matrix(dataclasses.replace(graph, loss=G)) == loss_matrix(graph)


def test_without_variables_the_inputs_stand_for_them() -> None:
    graph = make_graph([number("x", 3.0, "Input"), number("k", 1.0, "Constant"), Block("loss", "Loss")],
                       [("x.y", "loss.x")])  # fmt: skip
    matrix = loss_matrix(graph)
    assert (matrix.variables, matrix.pulls) == (("main/x",), ((Pull(Status.FLOW, 1.0),),))


def test_a_loss_behind_an_error_is_unknown_and_the_others_are_known() -> None:
    blocks = [
        number("w", 3.0),
        number("free", 1.0),
        Block("bad", "MatMul"),
        Block("lost", "Loss"),
        Block("loss", "Loss"),
    ]
    matrix = loss_matrix(make_graph(blocks, [("w.y", "bad.a"), ("bad.product", "lost.x"), ("w.y", "loss.x")]))
    assert [pull.status for pull in matrix.pulls[0]] == [Status.NO_PATH, Status.FLOW]
    assert [pull.status for pull in matrix.pulls[1]] == [Status.UNKNOWN, Status.UNKNOWN]


def test_without_a_loss_there_are_columns_and_no_rows() -> None:
    matrix = loss_matrix(make_graph([number("w", 1.0)], []))
    assert (matrix.losses, matrix.variables, matrix.pulls) == ((), ("main/w",), ())
