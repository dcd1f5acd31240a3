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


def test_json_has_what_cuts_a_wire_and_what_it_withholds() -> None:
    printed = snapshot_json("a.graph", evaluate(softmax([1, 3, 3], is_stopped=True)))
    wires = {(item["from"], item["to"]): item for item in printed["wires"]}  # type: ignore[attr-defined]
    cut = [item for item in wires.values() if item["status"] == "blocked"]
    assert cut and all(item["by"] for item in cut)
    assert all(("by" in item) is (item["status"] == "blocked") for item in wires.values())
    assert any("withheld" in item for item in cut) and not any("rule" in item for item in wires.values())
    assert printed["ok"] and printed["loss"]["value"] is not None  # type: ignore[index]
