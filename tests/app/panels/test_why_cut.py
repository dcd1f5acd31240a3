"""What a gradient leaves out is said beside it: without that, the sentence about the slope would not be true."""

from __future__ import annotations

import pytest

import blocks  # noqa: F401  # fills the library
from app.examples import example_path
from app.live.readings import results_of
from app.panels.run_facts import Facts
from app.panels.why import explain_port
from engine.evaluate import evaluate
from engine.expand import PortName
from engine.files import load
from engine.infer import infer_specs


def said_of(example: str, block: str) -> str:
    graph = load(example_path(example)).graph
    facts = Facts(infer_specs(graph).expanded.instances, results_of(evaluate(graph), 1), graph=graph)
    return explain_port(facts, PortName(f"main/{block}", "y")).sentence


@pytest.mark.parametrize(
    ("example", "block", "cuts"),
    [
        ("ste", "x", 'Round "round", StopGradient "sg"'),
        ("softmax_stable", "x", 'StopGradient "stop"'),
        ("td_semi", "w", 'StopGradient "sg"'),
        ("rnn20_tbptt5", "w", 'StopGradient "sg"'),
    ],
)
def test_the_cut_ways_are_named(example: str, block: str, cuts: str) -> None:
    assert f"The ways that are cut do not count: at {cuts}." in said_of(example, block)


@pytest.mark.parametrize(
    ("example", "block"),
    [("softmax_stable_nostop", "x"), ("softmax_stable", "w"), ("td_residual", "w"), ("rnn20", "w"), ("linreg", "W")],
)
def test_where_every_way_counts_nothing_is_said(example: str, block: str) -> None:
    assert "cut" not in said_of(example, block)
