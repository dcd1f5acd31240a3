"""Writing of pages: each state of the stops is run once, for the pictures and the programs alike."""

import pytest

from gradwire.app.features.share.web.html_page import html_page
from gradwire.engine.evaluation import evaluate
from tests.gallery import example


def test_a_page_runs_its_graph_once_in_each_state_of_its_stops(qapp: object, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = []
    within = evaluate.run_within

    def noted(*arguments: object) -> object:
        runs.append(arguments)
        return within(*arguments)  # type: ignore[arg-type]  # those of the function itself

    monkeypatch.setattr(evaluate, "run_within", noted)
    html_page(example("softmax_stable"), "softmax")
    assert len(runs) == 2
