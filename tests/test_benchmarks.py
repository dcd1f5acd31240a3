"""Benchmarks: the timed results equal those of the reference."""

from __future__ import annotations

import pytest

from benchmarks.peers import ours
from benchmarks.peers.case import Case, Mode
from benchmarks.peers.cases import CASES, graph_case, lstm
from benchmarks.peers.goals import GOALS
from benchmarks.peers.loops import as_loop
from benchmarks.peers.one import worst_error
from benchmarks.peers.table import ROWS

SMALL = [CASES[name]() for name in ("softmax_10", "chain_16", "mlp_32", "transformer_16")]
GRAPHS = [graph_case(mode, 400) for mode in Mode if mode is not Mode.STEP]


@pytest.mark.parametrize(
    "case", [*SMALL, lstm(20), as_loop(lstm(20), 20), *GRAPHS], ids=lambda case: f"{case.name}, {case.mode}"
)
def test_our_results_are_those_of_the_reference(case: Case) -> None:
    prepared = ours.prepare(case)
    # Raises if a result deviates by more than rounding.
    assert worst_error(case, prepared.read(prepared.action())) < 1e-3


def test_every_case_has_a_row_and_every_goal_a_case() -> None:
    assert list(ROWS) == list(CASES)
    assert {goal.case for goal in GOALS} <= set(CASES)
