"""The JSON of results: causes with their places and counts, and ties."""

from __future__ import annotations

from gradwire.app.base.results_json import snapshot_json
from gradwire.engine.evaluation.evaluate import evaluate
from tests.engine.autodiff.test_statuses import softmax


def test_json_has_cause_place_counts_and_tie() -> None:
    printed = snapshot_json("a.graph", evaluate(softmax([1, 3, 3], is_stopped=False)))
    wires = {(item["from"], item["to"]): item for item in printed["wires"]}  # type: ignore[attr-defined]
    wire = wires["main/x.y", "main/m.x"]
    assert (wire["cause"], wire["cause_at"], wire["details"]) == ("cancelled", "main/z", {"cancelled": 3})
    assert wire["tie"] == {"at": "main/m", "count": 2}
    assert "cause" not in wires["main/z.z", "main/e.x"]
    port = printed["ports"]["main/m.y"]  # type: ignore[index]
    assert (port["status"], port["cause"], port["details"]) == ("zero", "cancelled", {"cancelled": 1})
