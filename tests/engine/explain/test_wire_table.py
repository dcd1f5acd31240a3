"""The table of wires, and the texts of arrays, losses and statuses in it."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.evaluation.snapshot import Snapshot, WireResult, ZeroCause
from gradwire.engine.explain.wire_table import ELEMENTS_SHOWN, array_text, loss_line, status_text, wire_table


def snapshot() -> Snapshot:
    x = gw.Variable([1.0, 2.0], name="x")
    return run_graph(gw.graph(gw.Loss(gw.Exp(x, name="e") * gw.StopGradient(x, name="stop"), name="L"))).snapshot


@pytest.mark.parametrize(
    ("array", "text"),
    [
        (np.array(2.0), "2"), (np.arange(6), "[0 1 2 3 4 5]"), (np.arange(7), "int64[7] from 0 to 6"),
        (np.arange(8) > 2, "bool[8] with 5 true"), (np.array([[True, False]]), "[[true false]]"),
        (np.ones((2, 3)) / 3, "[[0.333333 0.333333 0.333333] [0.333333 0.333333 0.333333]]"),
        (np.linspace(-1, 1, 9, dtype=np.float32), "float32[9] from -1 to 1"),
    ],
)  # fmt: skip
def test_a_small_array_has_its_numbers_and_a_large_one_its_range(array: np.ndarray, text: str) -> None:
    assert array_text(array) == text
    assert ELEMENTS_SHOWN == 6


def test_a_table_has_a_line_for_each_wire_or_says_how_many_more_there_are() -> None:
    run = snapshot()
    count = len(run.wires)
    assert count == 5
    lines = wire_table(run).splitlines()
    assert len(lines) == 1 + count and lines[0].split() == ["wire", "value", "gradient", "status"]
    for most in (0, 2, count - 1):
        cut = wire_table(run, most).splitlines()
        assert len(cut) == 2 + most and cut[-1] == f"... and {count - most} more wires"
    assert wire_table(run, count) == wire_table(run, count + 1) == wire_table(run)
    (line,) = [line for line in lines if "stop.x" in line]
    assert "[1 2]" in line and "blocked by main/stop, which withholds" in line


def test_a_wire_has_its_value_and_its_gradient_or_a_dash() -> None:
    chosen = gw.Gather(gw.Variable([1.0, 2.0], name="x"), gw.Constant(np.array([1, 0]), name="at"), name="g")
    lines = wire_table(run_graph(gw.graph(gw.Loss(gw.Square(chosen, name="s")))).snapshot).splitlines()
    of_square, of_indices = (next(line.split() for line in lines if end in line) for end in ("s.x", "g.indices"))
    assert of_square[-5:] == ["[2", "1]", "[4", "2]", "flow"]
    assert of_indices[of_indices.index("0]") + 1] == "-"


def test_a_loss_has_its_name_and_number() -> None:
    assert loss_line(snapshot()).startswith("main/L = 17.4")
    assert loss_line(run_graph(gw.graph(gw.Variable(1.0))).snapshot) == "no loss"
    both = run_graph(gw.graph(gw.Loss(gw.Variable(1.0), name="a"), gw.Loss(gw.Variable(2.0), name="b"))).snapshot
    assert loss_line(both) == "sum of all losses = 3"


def test_a_status_names_what_is_behind_it() -> None:
    one = np.array(1.0)
    assert status_text(WireResult(status=Status.FLOW)) == "flow"
    assert status_text(WireResult(status=Status.FLOW, own="main/p")) == "flow, own gradient of main/p"
    assert status_text(WireResult(status=Status.ZERO)) == "zero"
    because = ZeroCause(Cause.FLAT, "main/s", {})
    assert status_text(WireResult(status=Status.ZERO, zero=because)) == f"zero: {Cause.FLAT.word} at main/s"
    assert status_text(WireResult(status=Status.FLOW, zero=because)) == "flow"
    cut = WireResult(status=Status.BLOCKED, by=("main/a", "main/b"), own="main/p")
    assert status_text(cut) == "blocked by main/a, main/b"
    assert status_text(WireResult(status=Status.BLOCKED, withheld=one)).endswith(", which withholds 1")
    assert status_text(WireResult(status=Status.FLOW, withheld=one)) == "flow"
