"""The explanation of a gradient names its cut paths, without which its sentence about the slope would be false."""

from __future__ import annotations

import pytest

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.app.base.examples import example_path
from gradwire.app.kit.why.why import why_of
from gradwire.app.live.explanation.run_facts import Facts
from gradwire.app.live.readings.readings import results_of
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.infer import infer_specs
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.files.files import load


def said_of(example: str, block: str) -> str:
    graph = load(example_path(example)).graph
    facts = Facts(infer_specs(graph).expanded, results_of(evaluate(graph), 1), graph=graph)
    return why_of(facts, PortName(f"main/{block}", "y")).sentence


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
    assert f"Paths through {cuts} contribute nothing." in said_of(example, block)


@pytest.mark.parametrize(
    ("example", "block"),
    [("softmax_stable_nostop", "x"), ("softmax_stable", "w"), ("td_residual", "w"), ("rnn20", "w"), ("linreg", "W")],
)
def test_where_every_way_counts_nothing_is_said(example: str, block: str) -> None:
    assert "contribute" not in said_of(example, block)
