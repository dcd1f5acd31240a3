"""The advice on deep nets says what their construction does to the gradient, and its remedy is one tried edit."""

from __future__ import annotations

import re

import numpy as np
import pytest

from gradwire.engine.advice.advice import advise
from gradwire.engine.advice.finding import Finding
from gradwire.engine.evaluation.evaluate import run_graph
from tests.deep_nets import EACH, KINDS, DeepNet, deep_net

RULES = {"vanishing_chain": "fades", "exploding_chain": "explodes", "odd_layer": "guilty"}
# As the page writes numbers: 250, 0.0012, 3.6e-4.
NUMBER = r"([1-9]\d*(?:\.\d)?|0\.0{0,2}[1-9]\d?|[1-9]\.\de-?[1-9]\d*)"


def findings(net: DeepNet) -> list[Finding]:
    """All advice on a net: one sentence, not one for each layer."""
    return [item for item in advise(run_graph(net.graph), seconds=60).findings if item.severity != "info"]


def assert_told_right(net: DeepNet) -> None:
    found = findings(net)
    assert [RULES[item.rule] for item in found] == ([] if net.kind == "healthy" else [net.kind])
    for item in found:
        assert item.fix is not None and item.fix.trial is not None and item.fix.trial.helps
        sentence = item.message.partition(". ")[0].rstrip(".")
        if net.guilty:
            told = re.fullmatch(rf"Layer (\d+) (divides|multiplies) the gradient by {NUMBER}", sentence)
            assert told is not None and int(told[1]) == net.guilty
            assert float(told[3]) == pytest.approx(50, rel=0.5)
        else:
            verb = "falls" if net.kind == "fades" else "grows"
            told = re.fullmatch(rf"\|∂L\| {verb} from {NUMBER} at layer {net.layers} to {NUMBER} at layer 1", sentence)
            assert told is not None and float(told[2]) / float(told[1]) == pytest.approx(net.factor, rel=0.15)


@pytest.mark.parametrize("kind", KINDS)
def test_a_deep_net_is_told_as_it_was_built(kind: str) -> None:
    assert_told_right(deep_net(kind, 0))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, EACH))
@pytest.mark.parametrize("kind", KINDS)
def test_forty_deep_nets_are_told_as_they_were_built(kind: str, seed: int) -> None:
    assert_told_right(deep_net(kind, seed))


@pytest.mark.parametrize("kind", ["fades", "explodes"])
def test_the_remedy_scales_all_weights_and_its_trial_is_a_second_run(kind: str) -> None:
    net = deep_net(kind, 0)
    (found,) = findings(net)
    assert found.fix is not None and found.fix.trial is not None
    mended = run_graph(found.fix.edit(net.graph))
    scales = {
        float(np.median(mended.graph.pages[0].blocks[f"w{number}"].parameters["value"] / block.parameters["value"]))
        for number in range(1, net.layers + 1)
        if (block := net.graph.pages[0].blocks[f"w{number}"])
    }
    assert len({round(scale, 9) for scale in scales}) == 1
    assert (scales.pop() > 1) == (kind == "fades")
    assert [pair.layer for pair in found.fix.trial.gradients] == [1, net.layers // 2, net.layers]
    for pair in found.fix.trial.gradients:
        gradient = mended.tensor(pair.port, is_gradient=True)
        assert gradient is not None and pair.after is not None
        assert pair.after.norm == pytest.approx(np.linalg.norm(gradient))
