"""The command `gradwire train`, as scripts call it."""

from __future__ import annotations

import functools
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.blocks import library
from gradwire.engine.files.files import load, save
from gradwire.engine.graph.block_parameters import with_parameters
from tests.app.cli.graphs import called

GOLDEN = Path(__file__).parents[2] / "golden" / "training"


@pytest.fixture
def gradwire(capsys: pytest.CaptureFixture[str]) -> Any:
    return functools.partial(called, capsys)


def graph_of(name: str, folder: Path, **changed: object) -> Path:
    """Writes the graph of a recorded training to a file; `changed` replaces keys of its plan."""
    graph = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))["graph"]
    if changed:
        graph["training"] = {**graph.get("training", {}), **changed}
    path = folder / f"{name}.graph"
    path.write_text(json.dumps(graph), encoding="utf-8")
    return path


def lines(outcome: Any) -> list[dict]:
    return [json.loads(line) for line in outcome.out.splitlines()]


def test_each_round_is_a_line_and_the_last_one_has_the_outcome(gradwire: Any, tmp_path: Path) -> None:
    recorded = json.loads((GOLDEN / "gan_critic_twice.json").read_text(encoding="utf-8"))
    outcome = gradwire("train", graph_of("gan_critic_twice", tmp_path), "--steps", "7", "--json")
    *rounds, end = lines(outcome)
    assert outcome.code == 0
    assert [line["step"] for line in rounds] == list(range(7))
    for name, losses in recorded["losses"].items():
        np.testing.assert_allclose([line["losses"][name] for line in rounds], losses[:7], rtol=1e-10)
    assert end["ok"] is True
    assert "step" not in end
    assert {name: sorted(names) for name, names in end["trains"].items()} == recorded["trains"]
    assert len(end["state_crc32"]) == 8


def test_a_step_that_does_not_run_has_no_entry(gradwire: Any, tmp_path: Path) -> None:
    rounds = lines(gradwire("train", graph_of("straight_through_phases", tmp_path), "--steps", "101", "--json"))[:-1]
    assert [sorted(rounds[n]["losses"]) for n in (0, 50, 100)] == [["decoder"], ["both"], ["both", "encoder"]]


def test_an_overflow_stops_with_its_block_and_writes_what_was_there(gradwire: Any, tmp_path: Path) -> None:
    recorded = json.loads((GOLDEN / "overflow_exp.json").read_text(encoding="utf-8"))
    out = tmp_path / "out.graph"
    outcome = gradwire("train", graph_of("overflow_exp", tmp_path), "--steps", "300", "--json", "-o", out)
    *rounds, end = lines(outcome)
    assert outcome.code == 1
    assert end["ok"] is False
    assert {key: end["stopped"][key] for key in ("step", "in", "at")} == recorded["stopped"]
    assert len(rounds) == recorded["stopped"]["step"]
    wanted = recorded["variables_final"]["main/w"]["data"]
    np.testing.assert_allclose(load(out).graph.block("main/w").parameters["value"].ravel(), wanted, rtol=1e-9)


def test_an_overflow_is_said_of_the_file_as_a_whole(gradwire: Any, tmp_path: Path) -> None:
    path = graph_of("overflow_exp", tmp_path)
    outcome = gradwire("train", path, "--steps", "300")
    assert outcome.code == 1 and outcome.err.startswith(f"gradwire: {path}: Round ")


@pytest.mark.parametrize("stop", [1, 7])
def test_going_on_from_a_state_gives_the_same_bytes(gradwire: Any, tmp_path: Path, stop: int) -> None:
    path = graph_of("xor_adam_nesterov_one_cycle", tmp_path)
    whole, part, state = (tmp_path / name for name in ("whole.npz", "part.npz", "state.npz"))
    all_lines = lines(gradwire("train", path, "--steps", "12", "--json", "--state", whole))
    first = lines(gradwire("train", path, "--steps", str(stop), "--json", "--state", state))
    second = lines(gradwire("train", path, "--steps", str(12 - stop), "--json", "--resume", state, "--state", part))
    assert whole.read_bytes() == part.read_bytes()
    assert first[:-1] + second[:-1] == all_lines[:-1]
    assert second[-1]["state_crc32"] == all_lines[-1]["state_crc32"]


def test_a_wrong_plan_is_refused_with_line_and_column(gradwire: Any, tmp_path: Path) -> None:
    path = graph_of("linear_descent", tmp_path, steps=[{"rule": {"type": "descend"}}])
    outcome = gradwire("train", path)
    assert outcome.code == 1
    assert 'step 1: rule type "descend" is no rule; did you mean descent' in outcome.err
    assert outcome.err.startswith(f"gradwire: {path}:1:")
    (answer,) = lines(gradwire("train", path, "--json"))
    assert answer["ok"] is False
    assert answer["error"]["line"] == 1
    assert answer["error"]["column"] > 100


def test_without_a_stop_its_gradient_trains(gradwire: Any, tmp_path: Path) -> None:
    path = graph_of("gan_critic_twice", tmp_path)
    end = lines(gradwire("train", path, "--steps", "1", "--json", "--without", "main/stop"))[-1]
    assert {"main/a", "main/b"} <= {*lines(gradwire("train", path, "--steps", "1", "--json"))[-1]["trains"]["G"]}
    assert end["ok"] is True
    assert gradwire("train", path, "--without", "main/nothing").code == 2


def test_a_check_of_the_training_with_all_stops_does_not_fail_one_without(gradwire: Any, tmp_path: Path) -> None:
    check = {"title": "five", "after": 1, "at": "main/L_G.y", "value": 5}
    path = graph_of("gan_critic_twice", tmp_path, checks=[check])
    outcome = gradwire("train", path, "--steps", "1", "--without", "main/stop")
    assert outcome.code == 0
    assert "check five: not judged; it is of the training with every StopGradient" in outcome.out
    assert gradwire("train", path, "--steps", "1").code == 1


def test_a_failed_check_gives_the_code_1(gradwire: Any, tmp_path: Path) -> None:
    path = graph_of("linear_descent", tmp_path, checks=[{"after": 2, "at": "main/loss.y", "value": 5, "title": "five"}])
    outcome = gradwire("train", path, "--steps", "3")
    assert outcome.code == 1
    assert "check five: failed" in outcome.out
    assert gradwire("train", path, "--steps", "1").code == 0


def test_the_plan_says_when_it_ends(gradwire: Any, tmp_path: Path) -> None:
    path = graph_of("linear_descent", tmp_path, until={"steps": 4})
    assert len(lines(gradwire("train", path, "--json"))) == 5
    path = graph_of("linear_descent", tmp_path, until={"steps": 400, "below": {"main/loss": 1e9}})
    assert len(lines(gradwire("train", path, "--json"))) == 2


def test_a_condition_of_the_command_ends_the_training_and_is_said(gradwire: Any, tmp_path: Path) -> None:
    path = graph_of("linear_descent", tmp_path)
    printed = lines(gradwire("train", path, "--json", "--steps", "9", "--until", "main/loss < 1e9"))
    assert [line.get("step") for line in printed] == [0, None]
    assert printed[-1]["ok"] is True
    assert "stopped" not in printed[-1]
    assert printed[-1]["ended"] == {"step": 0, "message": "Ended at round 0: main/loss is below 1e+09."}


def test_values_seed_and_spacing_come_from_the_command(gradwire: Any, tmp_path: Path) -> None:
    path = graph_of("linear_descent", tmp_path)
    shape = load(path).graph.block("main/W").parameters["value"].shape
    first = lines(gradwire("train", path, "--steps", "1", "--json", "--set", f"main/W={np.zeros(shape).tolist()}"))
    assert first[0]["losses"] != lines(gradwire("train", path, "--steps", "1", "--json"))[0]["losses"]
    assert [line["step"] for line in lines(gradwire("train", path, "--steps", "7", "--json", "--every", "3"))[:-1]] == [
        0,
        3,
        6,
    ]


def test_the_table_says_who_trains_whom(gradwire: Any, tmp_path: Path) -> None:
    outcome = gradwire("train", graph_of("gan_critic_twice", tmp_path), "--steps", "3")
    assert "step D: trains critic/U, critic/W, critic/c, critic/d; does not train main/a (blocked by" in outcome.out
    assert "step G: trains main/a, main/b; does not train critic/U (not listed)" in outcome.out


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["none.graph"], 2, "no such file"),
        (["{file}", "--resume", "none.npz"], 2, "no such file"),
        (["{file}", "--steps", "-1"], 2, "whole number"),
        (["{file}", "--set", "main/W=[1"], 2, "not JSON"),
        (["{file}", "-o", "{file}"], 2, "the graph itself"),
        (["{file}", "--until", "main/loss << 1"], 2, '--until: "main/loss << 1" is no condition; write for example'),
    ],
)
def test_wrong_usage_is_a_sentence(gradwire: Any, tmp_path: Path, arguments: list[str], code: int, said: str) -> None:
    path = graph_of("linear_descent", tmp_path)
    outcome = gradwire("train", *(item.format(file=path) for item in arguments), "--quiet")
    assert outcome.code == code
    assert said in outcome.err
    assert "Traceback" not in outcome.err


def test_rounds_that_test_print_the_numbers_of_the_held_back_rows(gradwire: Any, tmp_path: Path) -> None:
    x, y = library["Data"](set="line", n=20, noise=0.0, test=0.5, batch=4)
    error = gw.Square(x * gw.Variable([0.0], name="w") - y)
    graph = replace(gw.graph(gw.Loss(error, reduction="mean", name="loss")), training={"test_every": 2})
    path = tmp_path / "line.graph"
    save(graph, path)
    *rounds, _ = lines(gradwire("train", path, "--steps", "3", "--json"))
    held = library["Data"].function(**library["Data"].normalize({"set": "line", "n": 20, "noise": 0.0, "test": 0.5,
                                                                 "part": "test"}))[0]  # fmt: skip
    assert rounds[0]["test"] == {"all": pytest.approx(float(np.mean((2 * held + 1) ** 2)), rel=1e-12)}
    assert "test" not in rounds[1]
    assert set(rounds[2]["test"]) == {"all"}
    assert gradwire("train", path, "--steps", "100").out.count("test all") == 50
    assert gradwire("train", path, "--steps", "100", "--every", "10").out.count("test all") == 10


def test_files_of_data_are_read_only_where_that_is_allowed(gradwire: Any, tmp_path: Path) -> None:
    x = np.arange(6.0).reshape(3, 2)
    inputs, targets = library["Data"](set="file", inputs=x, targets=np.array([0.5, 1.5, 2.5]), name="data")
    error = gw.Square(inputs @ gw.Variable(np.zeros((2, 1)), name="w") - targets)
    graph = gw.graph(gw.Loss(error, reduction="mean", name="loss"))
    page = graph.pages[0]
    data = replace(page.blocks["data"], parameters={"set": "file", "file": "data.csv", "sha256": "0" * 64})
    graph = replace(graph, pages=(replace(page, blocks={**page.blocks, "data": data}),))
    path, out = tmp_path / "file.graph", tmp_path / "out.graph"
    save(graph, path)
    (tmp_path / "data.csv").write_text("a,b,y\n0,1,0.5\n2,3,1.5\n4,5,2.5\n")
    for command in ("train", "run"):
        refused = gradwire(command, path)
        assert refused.code == 2
        assert "wants to read data.csv; --allow-data allows it" in refused.err
    done = gradwire("train", path, "--allow-data", "--steps", "1", "--json", "-o", out)
    assert done.code == 0
    assert "main/data: data.csv has changed since the graph was written." in done.err
    assert lines(done)[0]["losses"]["all"] == pytest.approx((0.5**2 + 1.5**2 + 2.5**2) / 3, rel=1e-12)
    # The written graph names the file and does not hold it.
    parameters = load(out).graph.block("main/data").parameters
    assert parameters["file"] == "data.csv"
    assert parameters.get("inputs") is None
    assert gradwire("run", path, "--allow-data").code == 0
    assert "--allow-data allows it" in gradwire("export", path, "--to", "numpy").err
    assert "2.5" in gradwire("export", path, "--to", "numpy", "--allow-data").out


@pytest.mark.parametrize(
    ("name", "content", "parameters", "loss", "said"),
    [
        # A semicolon file with decimal commas, one input column and no names: 1.5 + 2.5 + 3.5.
        ("e.csv", "1,5;0\n2,5;1\n3,5;0\n", {}, 7.5, "decimal comma"),
        ("k.csv", "Id,a,y\n1,0.25,no\n2,0.5,no\n3,1,yes\n4,2,yes\n", {}, 3.75, "left out: Id, which numbers the rows"),
        (
            "k.csv",
            "Id,a,y\n1,0.25,no\n2,0.5,no\n3,1,yes\n4,2,yes\n",
            {"columns": ["Id"]},
            10,
            "x has 1 of 3 columns: Id",
        ),
        ("c.csv", "# made by lab 3\nx,y\n1,2\n", {}, 1, "1 row;"),
        ("h.data", "1   2\n3   4\n", {}, 4, "separated by blanks"),
    ],
)
def test_commands_say_how_a_file_of_data_was_read(
    gradwire: Any, tmp_path: Path, name: str, content: str, parameters: dict[str, Any], loss: float, said: str
) -> None:
    x, _ = gw.Data(set="iris", name="data")
    whole = gw.graph(gw.Loss(gw.ReduceSum(x) * gw.Variable(1.0, name="w"), name="loss"))
    save(with_parameters(whole, "main/data", {"set": "file", "file": name, **parameters}), tmp_path / "a.graph")
    (tmp_path / name).write_text(content)
    done = gradwire("run", tmp_path / "a.graph", "--allow-data", "--json")
    assert lines(done)[0]["loss"]["value"] == loss
    assert f"main/data: Read {name}: " in done.err
    assert said in done.err
    assert gradwire("run", tmp_path / "a.graph", "--allow-data", "--json", "--quiet").err == ""


def test_rows_that_fill_no_batch_are_counted(gradwire: Any, tmp_path: Path) -> None:
    x, y = library["Data"](set="iris", batch=32, labels="value", name="iris")
    error = gw.Square(x @ gw.Variable(np.zeros((4, 1)), name="w") - y)
    path = tmp_path / "iris.graph"
    save(gw.graph(gw.Loss(error, reduction="mean")), path)
    assert (
        "data main/iris: 4 batches of 32 rows an epoch; 22 of 150 rows wait"
        in gradwire("train", path, "--steps", "1").out
    )
    end = lines(gradwire("train", path, "--steps", "1", "--json"))[-1]
    assert end["data"] == {"main/iris": {"rows": 150, "batch": 32, "batches": 4, "waiting": 22}}


def test_a_file_that_keeps_its_state_goes_on(gradwire: Any, tmp_path: Path) -> None:
    path = graph_of("xor_adam_nesterov_one_cycle", tmp_path)
    first, second = tmp_path / "first.graph", tmp_path / "second.graph"
    whole = lines(gradwire("train", path, "--steps", "7", "--json"))
    gradwire("train", path, "--steps", "4", "-o", first, "--keep-state")
    rest = lines(gradwire("train", first, "--steps", "3", "--json", "-o", second))
    assert rest[:-1] == whole[4:-1]
    assert rest[-1]["state_crc32"] == whole[-1]["state_crc32"]
    # It keeps the state without being asked again, and the checksum is that of the last line.
    assert json.loads(second.read_text())["training"]["state"]["checksum"] == whole[-1]["state_crc32"]
    again = lines(gradwire("train", second, "--steps", "7", "--json", "--reset"))
    assert again[-1]["state_crc32"] == whole[-1]["state_crc32"]


def test_a_state_that_is_damaged_is_told_and_the_trained_values_stay(gradwire: Any, tmp_path: Path) -> None:
    path = graph_of("linear_descent", tmp_path)
    trained, plain, other = (tmp_path / f"{name}.graph" for name in ("trained", "plain", "other"))
    gradwire("train", path, "--steps", "4", "-o", trained, "--keep-state")
    gradwire("train", path, "--steps", "4", "-o", plain)
    trained.write_text(trained.read_text().replace('"step": 4', '"step": 5'))
    outcome = gradwire("train", trained, "--steps", "1", "-o", other)
    assert outcome.code == 0
    assert "The training state in the file is damaged" in outcome.err
    gradwire("train", plain, "--steps", "1", "-o", path)
    assert gw.load(other).block("main/W") == gw.load(path).block("main/W")


def test_an_example_is_trained_by_its_name(gradwire: Any) -> None:
    outcome = gradwire("train", "linear_regression", "--steps", "1", "--json")
    assert lines(outcome)[0]["losses"] == {"all": 2790.3125}
    assert gradwire("train", "linear_regresion", "--steps", "1").code == 2


def test_a_check_may_ask_for_the_rows_held_back(gradwire: Any, tmp_path: Path) -> None:
    graph = json.loads((GOLDEN.parents[2] / "assets" / "trainings" / "spirals.graph").read_text(encoding="utf-8"))
    data = next(block for block in graph["pages"][0]["blocks"] if block["type"] == "Data")
    checks = [
        {"title": part, "after": 0, "at": "main/spirals.x", "part": part, "below": 10} for part in ("train", "test")
    ]
    graph["training"]["checks"] = checks
    path = tmp_path / "spirals.graph"
    path.write_text(json.dumps(graph), encoding="utf-8")
    assert gradwire("train", path, "--steps", "0").code == 0
    data["parameters"]["test"] = 0
    del graph["training"]["test_every"]
    path.write_text(json.dumps(graph), encoding="utf-8")
    assert "check test: failed" in gradwire("train", path, "--steps", "0").out
    graph["training"]["checks"] = [{**checks[0], "part": "rest"}]
    path.write_text(json.dumps(graph), encoding="utf-8")
    assert "part must be one of train, test" in gradwire("train", path).err


@pytest.mark.parametrize("count", ["0", "-1", "x", "9" * 30])
def test_a_number_of_threads_is_from_1_to_256(gradwire: Any, tmp_path: Path, count: str) -> None:
    outcome = gradwire("train", graph_of("linear_descent", tmp_path), f"--threads={count}")
    assert outcome.code == 2 and "is no whole number from 1 to 256" in outcome.err
