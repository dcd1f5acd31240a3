"""What the lens says about a StopGradient agrees with the gradients that change without it."""

from __future__ import annotations

import pytest

from gradwire.app.features.compare.stop_questions import StopName
from gradwire.app.features.compare.stop_texts import verdict_text
from gradwire.engine.evaluation.evaluate import evaluate, run_graph
from tests.engine.explain.test_stop_effects import chain_of_stops


@pytest.mark.parametrize(
    ("kinds", "stop", "count"),
    [(("StopGradient", "Exp", "StopGradient"), "n2", 4), (("StopGradient", "StopGradient"), "n1", 2)],
)
def test_a_stop_before_another_names_the_gradients_that_change_between_them(
    kinds: tuple[str, ...], stop: str, count: int
) -> None:
    """A wire or port counts where muting the stop changes its gradient."""
    graph = chain_of_stops(*kinds)
    before, after = evaluate(graph), evaluate(graph, frozenset((f"main/{stop}",)))
    pairs = [*zip(before.ports.values(), after.ports.values(), strict=True)]
    wires = zip(before.wires.values(), after.wires.values(), strict=True)
    changed = sum((one.gradient != two.gradient).any() for one, two in pairs)
    changed += sum((one.gradient != two.gradient).any() for one, two in wires)
    answer = StopName(f"main/{stop}").answer(run_graph(graph))
    assert answer is not None and changed == count
    assert verdict_text(answer) == (
        f"Redundant for all sources: n0 behind it blocks every path. Only {count} gradients between them change."
    )
