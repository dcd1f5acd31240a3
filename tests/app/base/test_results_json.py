"""The JSON of results: causes with their places and counts, and ties."""

from __future__ import annotations

from gradwire.app.base.results_json import error_json, numbers_json, problems_json, snapshot_json
from gradwire.engine.base.problems import Problem
from gradwire.engine.evaluation.evaluate import evaluate
from tests.engine.autodiff.test_statuses import softmax
from tests.engine.cause_graphs import x
from tests.engine.own_gradients import of_cube


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


def test_a_small_graph_is_printed_whole() -> None:
    """L = 2 stop(x) + floor(x) at x = 1.5: the stop withholds 2, and the floor has no derivative."""
    line = x(1.5).source("two", 2.0, "Constant").on("x.y").then("stop", "StopGradient").then("m", "Multiply", "two.y")
    graph = line.on("x.y").then("f", "Floor").then("s", "Add", "m.z").loss()
    printed = snapshot_json("a.graph", evaluate(graph))

    def number(value: float) -> dict[str, object]:
        return {"dtype": "float64", "shape": [], "data": [value]}

    ports = printed["ports"]
    assert isinstance(ports, dict)
    assert ports["main/x.y"] == {
        "value": number(1.5), "gradient": number(0.0), "status": "blocked", "by": ["main/f", "main/stop"],
    }  # fmt: skip
    assert ports["main/s.z"] == {"value": number(4.0), "gradient": number(1.0), "status": "flow"}
    wires = {(item["from"], item["to"]): item for item in printed["wires"]}  # type: ignore[attr-defined]
    assert wires["main/x.y", "main/stop.x"] == {
        "from": "main/x.y", "to": "main/stop.x", "gradient": number(0.0), "status": "blocked",
        "by": ["main/stop"], "withheld": number(2.0),
    }  # fmt: skip
    assert wires["main/m.z", "main/s.y"] == {
        "from": "main/m.z", "to": "main/s.y", "gradient": number(1.0), "status": "flow",
    }  # fmt: skip
    assert (printed["file"], printed["ok"], printed["loss"]) == ("a.graph", True, {"name": "main/loss", "value": 4.0})
    assert snapshot_json("a.graph", evaluate(x(1.0).then("s", "Square").graph()))["loss"] is None


def test_a_rule_of_its_own_and_the_origin_of_a_nan_are_named() -> None:
    own = snapshot_json("a.graph", evaluate(of_cube()))
    assert [item["to"] for item in own["wires"] if item.get("rule") == "own"] == ["main/cube.x"]  # type: ignore[attr-defined]
    broken = snapshot_json("a.graph", evaluate(x([4.0, -1.0]).then("r", "Sqrt").loss()))
    origins = [broken["ports"][name]["origin"] for name in ("main/x.y", "main/r.y")]  # type: ignore[index]
    assert origins == [
        {"forward": None, "backward": "main/r", "nan": "main/r", "index": [1]},
        {"forward": "main/r", "backward": None, "nan": "main/r", "index": [1]},
    ]
    assert "origin" not in own["ports"]["main/x.y"]  # type: ignore[index]


def test_errors_problems_and_numbers_have_their_forms() -> None:
    assert error_json("a", 1, 2, "Odd.") == {
        "file": "a", "ok": False, "error": {"line": 1, "column": 2, "message": "Odd."},
    }  # fmt: skip
    assert problems_json([Problem("error", "main/x", "code", "Bad.")]) == [
        {"severity": "error", "at": "main/x", "code": "code", "message": "Bad."},
    ]  # fmt: skip
    assert numbers_json([1.0, float("nan"), float("inf")]) == [1.0, "nan", "inf"]
