"""The command `gradwire` as a user types it: output, messages and exit codes of docs/file-format.md."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gradwire.app.base.examples import FOLDER, example_names, example_topic
from gradwire.app.cli import check_command, command_line, run_command
from tests.recorded import tensor
from tests.sweeps import a_third_of

SOFTMAX = str(FOLDER / "softmax_stable.graph")


class Outcome:
    def __init__(self, code: int, captured: Any) -> None:
        self.code, self.out, self.err = code, captured.out, captured.err

    def json(self, line: int = 0) -> Any:
        return json.loads(self.out.splitlines()[line], parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))


@pytest.fixture
def gradwire(capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*arguments: object) -> Outcome:
        try:
            code = command_line.main([str(item) for item in arguments])
        except SystemExit as stop:
            code = int(stop.code or 0)
        return Outcome(code, capsys.readouterr())

    return call


def written(folder: Path, pages: list[dict[str, Any]], **keys: Any) -> Path:
    path = folder / "a.graph"
    head = {"format": "gradwire.graph", "version": [1, 0], "needs": [], "conventions": "tf-2.21", "loss": None}
    path.write_text(json.dumps(head | keys | {"pages": pages}, indent=1))
    return path


def vector(*numbers: float, dtype: str = "float64") -> dict[str, Any]:
    return {"dtype": dtype, "shape": [len(numbers)], "data": list(numbers)}


def input_block(name: str, *numbers: float, dtype: str = "float64") -> dict[str, Any]:
    return {"id": name, "type": "Input", "parameters": {"value": vector(*numbers, dtype=dtype)}}


def page(blocks: list[dict[str, Any]], wires: list[list[str]]) -> dict[str, Any]:
    return {"name": "main", "blocks": blocks, "wires": wires}


def test_run_prints_zero_and_blocked_on_the_wire_into_the_stop(gradwire: Any) -> None:
    outcome = gradwire("run", SOFTMAX)
    line = next(line for line in outcome.out.splitlines() if line.startswith("main/m.y -> main/stop.x"))
    assert line.split()[3:8] == ["3", "0", "blocked", "by", "main/stop,"]
    assert outcome.code == 0
    assert outcome.err == ""


def test_run_json_gives_the_document_of_the_format(gradwire: Any, tmp_path: Path) -> None:
    blocks = [input_block("x", 1, 3, 3), {"id": "m", "type": "ReduceMax"}, {"id": "stop", "type": "StopGradient"}]
    blocks += [{"id": "z", "type": "Subtract"}, {"id": "loss", "type": "Loss"}]
    wires = [["z.z", "loss.x"], ["x.y", "m.x"], ["m.y", "stop.x"], ["x.y", "z.x"], ["stop.y", "z.y"]]
    path = written(tmp_path, [page(blocks, wires)], loss="main/loss")
    found = gradwire("run", "--json", path).json()
    assert found["file"] == str(path)
    assert found["ok"] is True
    assert found["loss"] == {"name": "main/loss", "value": -2}
    assert found["ports"]["main/x.y"] == {"value": vector(1, 3, 3), "gradient": vector(1, 1, 1), "status": "flow"}
    scalar = {"dtype": "float64", "shape": []}
    wire = next(wire for wire in found["wires"] if wire["to"] == "main/stop.x")
    assert wire == {
        "from": "main/m.y",
        "to": "main/stop.x",
        "gradient": scalar | {"data": [0]},
        "status": "blocked",
        "by": ["main/stop"],
        "withheld": scalar | {"data": [-3]},
    }
    tie = {"severity": "info", "at": "main/m", "code": "tie", "message": "2 equal maxima share the gradient."}
    assert found["problems"] == [tie]
    assert len(found["wires"]) == 5


def test_ignoring_stops_gives_the_gradient_that_was_withheld(gradwire: Any) -> None:
    for option in ("--ignore-stop", "--ignore-stop=main/stop"):
        found = gradwire("run", "--json", option, SOFTMAX).json()
        wire = next(wire for wire in found["wires"] if wire["to"] == "main/stop.x")
        assert wire["status"] == "zero"
        assert "withheld" not in wire


def test_a_page_begins_with_the_stop_that_is_ignored(gradwire: Any, tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    assert gradwire("render", "--ignore-stop=main/stop", SOFTMAX, "-o", str(target), "--quiet").code == 0
    assert "role=switch aria-checked=false" in target.read_text("utf-8")
    assert gradwire("render", "--ignore-stop=main/m", SOFTMAX, "-o", str(target)).code == 2
    assert gradwire("render", "--ignore-stop=main/stop", SOFTMAX, "-o", str(tmp_path / "a.svg")).code == 2


def test_a_stop_to_ignore_must_exist(gradwire: Any) -> None:
    outcome = gradwire("run", "--ignore-stop=main/m", SOFTMAX)
    assert outcome.code == 2
    assert "no StopGradient" in outcome.err


def test_feed_replaces_a_value_in_the_dtype_of_the_file(gradwire: Any) -> None:
    found = gradwire("run", "--json", "--feed", "main/x=[1, 2, 3]", SOFTMAX).json()
    np.testing.assert_allclose(
        tensor(found["ports"]["main/x.y"]["gradient"]), [-0.1418170936, -0.1407703575, 0.2825874511], rtol=1e-8
    )


@pytest.mark.parametrize(
    "given",
    [
        "main/x",
        "main/none=1",
        "main/m=1",
        "main/x=[1,",
        "main/x=text",
        "none/x=1",
        'main/x={"dtype": "float64"}',
        "main/x=null",
    ],
)
def test_a_feed_that_does_not_fit_is_wrong_usage(gradwire: Any, given: str) -> None:
    outcome = gradwire("run", "--feed", given, SOFTMAX)
    assert outcome.code == 2
    assert outcome.err.startswith(f"gradwire: {SOFTMAX}")
    assert "Traceback" not in outcome.err


@pytest.mark.parametrize(("given", "code"), [("[1, 2]", 0), ("[1.5]", 2), ("[300]", 2), ("[-1]", 2), ("[true]", 2)])
def test_a_feed_never_loses_value(gradwire: Any, tmp_path: Path, given: str, code: int) -> None:
    path = written(tmp_path, [page([input_block("i", 1, dtype="uint8")], [])])
    assert gradwire("run", "--feed", f"main/i={given}", path).code == code


def test_a_feed_may_round_to_the_nearest_float(gradwire: Any, tmp_path: Path) -> None:
    path = written(tmp_path, [page([input_block("x", 1, dtype="float32")], [])])
    found = gradwire("run", "--json", "--feed", "main/x=[0.1]", path).json()
    assert found["ports"]["main/x.y"]["value"] == vector(0.1, dtype="float32")
    assert gradwire("run", "--feed", "main/x=[1e300]", path).code == 2


def test_the_loss_can_be_chosen(gradwire: Any, tmp_path: Path) -> None:
    blocks = [
        input_block("x", 1, 2),
        {"id": "a", "type": "Loss"},
        {"id": "b", "type": "Loss", "parameters": {"reduction": "mean"}},
    ]
    path = written(tmp_path, [page(blocks, [["x.y", "a.x"], ["x.y", "b.x"]])])
    assert gradwire("run", "--json", path).json()["loss"] == {"name": None, "value": 4.5}
    assert gradwire("run", "--json", "--loss", "main/b", path).json()["loss"] == {"name": "main/b", "value": 1.5}


def test_a_loss_that_is_none_is_a_problem_and_evaluated_without(gradwire: Any) -> None:
    outcome = gradwire("run", "--json", "--loss", "main/m", SOFTMAX)
    found = outcome.json()
    assert found["loss"] is None
    assert [problem["code"] for problem in found["problems"] if problem["severity"] == "error"] == ["no_loss"]
    assert {port["status"] for port in found["ports"].values()} == {"no_path"}


def error_codes(found: Any) -> list[tuple[str, str]]:
    return [(problem["at"], problem["code"]) for problem in found["problems"] if problem["severity"] == "error"]


BROKEN = {
    "shape": (
        [input_block("x", 1, 2), input_block("u", 1, 2, 3), {"id": "bad", "type": "Add"}],
        [["x.y", "bad.x"], ["u.y", "bad.y"]],
    ),
    "dtype": (
        [input_block("x", 1), input_block("u", 1, dtype="float32"), {"id": "bad", "type": "Add"}],
        [["x.y", "bad.x"], ["u.y", "bad.y"]],
    ),
    "parameter": (
        [input_block("x", 1), {"id": "bad", "type": "ReduceMax", "parameters": {"axis": "first"}}],
        [["x.y", "bad.x"]],
    ),
    "unknown_type": ([input_block("x", 1), {"id": "bad", "type": "Teleport"}], [["x.y", "bad.x"]]),
    "broken_wire": ([{"id": "bad", "type": "Exp"}, input_block("x", 1)], [["x.z", "bad.x"]]),
    "cycle": ([{"id": "bad", "type": "Exp"}, {"id": "c", "type": "Exp"}], [["bad.y", "c.x"], ["c.y", "bad.x"]]),
    "duplicate_id": ([input_block("bad", 1), input_block("bad", 2)], []),
}


@pytest.mark.parametrize("code", BROKEN)
def test_a_problem_is_reported_and_the_rest_computed(gradwire: Any, tmp_path: Path, code: str) -> None:
    blocks, wires = BROKEN[code]
    blocks = [*blocks, input_block("fine", 2, 3), {"id": "loss", "type": "Loss"}]
    path = written(tmp_path, [page(blocks, [*wires, ["fine.y", "loss.x"]])])
    outcome = gradwire("run", "--json", path)
    found = outcome.json()
    assert outcome.code == 1
    assert found["ok"] is False
    assert code in {item[1] for item in error_codes(found)}
    assert found["ports"]["main/fine.y"]["gradient"] == vector(1, 1)
    assert found["loss"]["value"] == 5


@pytest.mark.parametrize("command", ["run", "check"])
def test_of_many_problems_a_hundred_are_listed_errors_first(gradwire: Any, tmp_path: Path, command: str) -> None:
    loose = [{"id": f"e{number}", "type": "Exp"} for number in range(150)]
    path = written(tmp_path, [page([*loose, {"id": "bad", "type": "Teleport"}], [])])
    outcome = gradwire(command, "--json", path)
    problems = outcome.json()["problems"]
    assert outcome.code == 1
    assert len(problems) == 101
    assert sum(item["code"] == "unknown_type" for item in problems) == 1
    assert (problems[-1]["code"], problems[-1]["message"]) == ("more", "Further problems that are not listed: 52.")
    assert "Further problems that are not listed: 52." in gradwire(command, path).out


def test_an_error_names_the_line_of_the_block(gradwire: Any, tmp_path: Path) -> None:
    blocks, wires = BROKEN["shape"]
    path = written(tmp_path, [page(blocks, wires)])
    outcome = gradwire("run", path)
    number = 1 + next(index for index, line in enumerate(path.read_text().splitlines()) if '"id": "bad"' in line)
    place, _, sentence = outcome.err.partition(": main/bad: ")
    assert int(place.split(":")[-2]) in (number - 1, number)  # the brace may be on the line before
    assert sentence == "Shapes [2] and [3] do not broadcast: sizes must be equal or 1, counted from the last axis.\n"


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("{", 1, 2),
        ('{\n "format": NaN}', 2, 12),
        ("[]", 1, 1),
        ('{"format": "other"}', 1, 12),
        ('{"a": 1, "a": 2}', 1, 10),
    ],
)
def test_a_file_that_cannot_be_read_names_the_place(
    gradwire: Any, tmp_path: Path, text: str, line: int, column: int
) -> None:
    path = tmp_path / "broken.graph"
    path.write_text(text)
    outcome = gradwire("run", "--json", path)
    assert outcome.code == 2
    found = outcome.json()
    assert (found["file"], found["ok"]) == (str(path), False)
    assert (found["error"]["line"], found["error"]["column"]) == (line, column)
    plain = gradwire("run", path)
    assert plain.err.startswith(f"gradwire: {path}:{line}:{column}: ")
    assert plain.out == ""


def test_a_missing_file_is_a_sentence(gradwire: Any, tmp_path: Path) -> None:
    path = tmp_path / "none.graph"
    outcome = gradwire("run", path)
    assert outcome.code == 2
    assert outcome.err == f"gradwire: {path}: It cannot be read: there is no such file or folder.\n"


def test_a_newer_major_version_is_refused_and_a_newer_minor_one_opens(gradwire: Any, tmp_path: Path) -> None:
    assert gradwire("run", written(tmp_path, [page([], [])], version=[1, 7], surprise=1)).code == 0
    outcome = gradwire("run", written(tmp_path, [page([], [])], version=[2, 0]))
    assert outcome.code == 2
    assert "2.0" in outcome.err
    assert "1.2" in outcome.err


def test_an_unknown_need_is_refused(gradwire: Any, tmp_path: Path) -> None:
    outcome = gradwire("run", written(tmp_path, [page([], [])], needs=["time travel"]))
    assert outcome.code == 2
    assert "time travel" in outcome.err


def test_the_largest_exit_code_counts_and_every_file_gets_its_line(gradwire: Any, tmp_path: Path) -> None:
    blocks, wires = BROKEN["shape"]
    path = written(tmp_path, [page(blocks, wires)])
    outcome = gradwire("run", "--json", tmp_path / "none.graph", path, SOFTMAX)
    assert outcome.code == 2
    assert [outcome.json(line)["ok"] for line in range(3)] == [False, False, True]


@pytest.mark.parametrize("command", ["run", "check"])
@pytest.mark.parametrize(("fault", "code"), [(ValueError("odd"), 1), (RecursionError(), 1), (MemoryError(), 1)])
def test_a_fault_at_one_file_does_not_stop_the_next(
    gradwire: Any, monkeypatch: pytest.MonkeyPatch, command: str, fault: Exception, code: int
) -> None:
    def fail_once(*_: object) -> Any:
        monkeypatch.undo()
        raise fault

    monkeypatch.setattr(run_command, "evaluate", fail_once)
    monkeypatch.setattr(check_command, "run_graph", fail_once)
    outcome = gradwire(command, "--json", SOFTMAX, SOFTMAX, SOFTMAX)
    assert outcome.code == code
    assert [outcome.json(line)["ok"] for line in range(3)] == [False, True, True]
    assert outcome.json()["error"]["message"].endswith(".")


@pytest.mark.parametrize("command", ["run", "check"])
def test_a_page_that_is_named_by_a_tensor_is_a_problem_of_its_file_alone(
    gradwire: Any, tmp_path: Path, command: str
) -> None:
    path = written(tmp_path, [page([{"id": "p", "type": "Page", "parameters": {"page": vector(1, 2)}}], [])])
    outcome = gradwire(command, SOFTMAX, path, SOFTMAX)
    assert outcome.code == 1
    assert "main/p: Parameter page must be text, not a tensor of shape [2]." in outcome.err
    assert outcome.out.count(SOFTMAX) >= 2


def test_a_dash_reads_standard_input(gradwire: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(Path(SOFTMAX).read_bytes()))
    monkeypatch.setattr(sys, "stdin", stream)
    assert gradwire("run", "-").code == 0


def test_nan_and_infinity_are_warnings_and_strings_in_json(gradwire: Any) -> None:
    outcome = gradwire("run", "--json", FOLDER / "softmax_naive.graph")
    assert outcome.code == 0
    found = outcome.json()
    assert found["ports"]["main/p.z"]["value"]["data"] == ["nan", "nan", "nan"]
    assert found["ports"]["main/e.y"]["value"]["data"] == ["inf", "inf", "inf"]
    assert {problem["severity"] for problem in found["problems"]} == {"warning"}


@pytest.mark.parametrize("name", a_third_of([name for name in example_names() if example_topic(name) != "training"]))
def test_every_example_passes_its_own_checks(gradwire: Any, name: str) -> None:
    outcome = gradwire("check", "--json", FOLDER / f"{name}.graph")
    found = outcome.json()
    assert found["checks"]
    assert all(check["ok"] for check in found["checks"]), found["checks"]
    assert found["gradient_check"]["mismatches"] == []
    assert outcome.code == 0


def test_check_fails_when_a_contract_of_the_file_is_broken(gradwire: Any, tmp_path: Path) -> None:
    blocks = [input_block("x", 1, 2), {"id": "loss", "type": "Loss"}]
    checks = [
        {"title": "x is blocked", "wire": ["main/x.y", "main/loss.x"], "status": "blocked"},
        {"at": "main/x.y", "gradient": vector(1, 1)},
    ]
    path = written(tmp_path, [page(blocks, [["x.y", "loss.x"]])], checks=checks)
    outcome = gradwire("check", path)
    assert outcome.code == 1
    assert "x is blocked (main/x.y -> main/loss.x): The status is flow, not blocked." in outcome.err
    assert "1 of 2 checks of the file hold" in outcome.out
    assert [check["ok"] for check in gradwire("check", "--json", path).json()["checks"]] == [False, True]


def test_blocks_never_lists_or_suggests_a_part_of_a_gradient_rule(gradwire: Any) -> None:
    for text in (gradwire("blocks").out, gradwire("blocks", "--json").out, gradwire("blocks", "Cofactor").err):
        assert text and "Cofactors" not in text and "Gradient parts" not in text


def test_blocks_lists_the_library_and_explains_one_type(gradwire: Any) -> None:
    listed = gradwire("blocks", "--json").json()
    entry = next(item for item in listed if item["type"] == "ReduceMax")
    assert entry["inputs"] == ["x"]
    assert entry["outputs"] == ["y"]
    names = [(item["name"], item["default"]) for item in entry["parameters"]]
    assert names == [("axis", None), ("keepdims", False)]
    help_page = gradwire("blocks", "ReduceMax").out
    assert "tf.reduce_max" in help_page
    assert "axis" in help_page


def same_path(path: Path) -> Path:
    return path


def other_spelling(path: Path) -> Path:
    return path.parent / ".." / path.parent.name / path.name


def symbolic_link(path: Path) -> Path:
    (path.parent / "link").symlink_to(path.name)
    return path.parent / "link"


def hard_link(path: Path) -> Path:
    os.link(path, path.parent / "hard.svg")
    return path.parent / "hard.svg"


@pytest.mark.parametrize("name", [same_path, other_spelling, symbolic_link, hard_link])
def test_a_program_never_replaces_its_graph(gradwire: Any, tmp_path: Path, name: Callable[[Path], Path]) -> None:
    graph = Path(shutil.copy(SOFTMAX, tmp_path / "a.graph"))
    target = name(graph)
    outcome = gradwire("export", graph, "--to", "numpy", "-o", target)
    assert outcome.code == 2 and not outcome.out
    assert outcome.err == f'gradwire: "{target}" is the graph itself, which would be lost; choose another file.\n'
    assert graph.read_bytes() == Path(SOFTMAX).read_bytes()


def test_a_program_never_replaces_the_graph_on_standard_input(tmp_path: Path) -> None:
    graph = Path(shutil.copy(SOFTMAX, tmp_path / "a.graph"))
    command = [sys.executable, "-m", "gradwire", "export", "-", "--to", "numpy", "-o", str(graph)]
    with graph.open("rb") as source:
        done = subprocess.run(command, stdin=source, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "is the graph itself" in done.stderr
    assert graph.read_bytes() == Path(SOFTMAX).read_bytes()


def test_a_program_replaces_another_file_whole(gradwire: Any, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("old" * 10_000)
    assert gradwire("export", SOFTMAX, "--to", "numpy", "-o", tmp_path / "a.py").code == 0
    compile((tmp_path / "a.py").read_text(), "a.py", "exec")


def test_an_unknown_block_type_names_the_nearest(gradwire: Any) -> None:
    outcome = gradwire("blocks", "ReduceMaxx")
    assert outcome.code == 1
    assert "ReduceMax" in outcome.err


def test_examples_are_listed_and_copied_and_never_overwritten(gradwire: Any, tmp_path: Path) -> None:
    assert all(name in gradwire("examples").out for name in example_names())
    assert gradwire("examples", "softmax_stable", "-o", tmp_path / "new").code == 0
    assert (tmp_path / "new" / "softmax_stable.graph").read_bytes() == Path(SOFTMAX).read_bytes()
    assert gradwire("examples", "softmax_stable", "-o", tmp_path / "new").code == 2
    assert gradwire("examples", "softmax_stabel").code == 2


@pytest.mark.parametrize(
    "arguments", [["run"], ["dance"], ["run", "--nonsense", SOFTMAX], ["run", "--los", "main/loss", SOFTMAX]]
)
def test_wrong_usage_has_exit_code_two(gradwire: Any, arguments: list[str]) -> None:
    assert gradwire(*arguments).code == 2


def test_version_names_what_runs(gradwire: Any) -> None:
    out = gradwire("--version").out
    assert out.startswith("gradwire 0.1.0")
    assert np.__version__ in out


def test_commands_load_no_qt() -> None:
    script = "import sys, gradwire.app.cli.command_line as c; c.main(sys.argv[1:]); sys.exit('PySide6' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script, "run", SOFTMAX], capture_output=True, check=False, cwd=Path(__file__).parents[3]
    )
    assert done.returncode == 0, done.stderr.decode()


def test_a_loss_that_the_file_names_wrongly_is_reported_at_its_place(gradwire: Any, tmp_path: Path) -> None:
    path = written(tmp_path, [page([input_block("x", 1)], [])], loss="main/gone")
    number = 1 + next(index for index, line in enumerate(path.read_text().splitlines()) if '"loss"' in line)
    outcome = gradwire("run", path)
    assert outcome.code == 1
    assert outcome.err.startswith(f"gradwire: {path}:{number}:")


def test_a_problem_without_a_place_in_the_file_names_the_file_alone(gradwire: Any) -> None:
    outcome = gradwire("run", "--loss", "main/gone", SOFTMAX)
    assert outcome.err.startswith(f"gradwire: {SOFTMAX}: main/gone: ")
