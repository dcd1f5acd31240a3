"""`gradwire import`: models of ONNX, and an import over a graph that is there already."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gradwire.engine.base.limits import LIMITS
from gradwire.engine.edits import edits
from gradwire.engine.files.files import dumps, load, loads, save
from gradwire.engine.graph.graph import Port
from tests.app.cli.graphs import called
from tests.interop.onnx.written import graph as onnx_graph
from tests.interop.onnx.written import model as onnx_model
from tests.interop.onnx.written import node, value
from tests.interop.pt2.recorded import Recorded


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "mlp.pt2"
    path.write_bytes(Recorded("models").model("mlp"))
    return path


def test_an_import_over_its_own_graph_keeps_what_the_user_added(
    model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = model.with_suffix(".graph")
    assert called(capsys, "import", model, "-o", out).code == 0
    graph = load(out).graph
    name = next(iter(graph.page("main").blocks))
    graph = edits.move_blocks(graph, "main", {name: (11, 12)})
    graph = edits.add_block(graph, "main", "Exp", id="lost", at=(1, 2))[0]
    wire = next(wire for wire in graph.page("main").wires.values() if wire.source.block == "x")
    graph = edits.add_block(graph, "main", "StopGradient", id="mine", at=(3, 4))[0]
    graph = edits.connect(graph, "main", wire.source, Port("mine", "x"))
    graph = edits.connect(graph, "main", Port("mine", "y"), wire.target)
    save(graph, out)
    again = called(capsys, "import", model, "-o", out)
    assert again.code == 0
    assert "No longer in the model: main/lost." in again.err
    found = load(out).graph.page("main")
    assert (found.blocks[name].at, found.blocks["mine"].at) == ((11, 12), (3, 4))
    assert found.wires[wire.target].source == Port("mine", "y")


def test_an_import_over_a_graph_that_cannot_be_read_writes_nothing(
    model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = model.with_suffix(".graph")
    out.write_text('{"format": "gradwire.graph", "version": [1, 0], "pages": 3}')
    before = out.read_bytes()
    answer = called(capsys, "import", model, "-o", out)
    assert answer.code == 2 and "Traceback" not in answer.err
    assert out.read_bytes() == before


def test_a_model_of_onnx_is_written_as_a_graph_with_the_chosen_loss(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "net.onnx", tmp_path / "net.graph"
    path.write_bytes(onnx_model(onnx_graph([node("Exp", ["x"], ["y"], "first")], [value("x", ["n"])], ["y"])))
    answer = called(capsys, "import", path, "--input", "x=[1, 2, 3]", "--loss", "y", "-o", out)
    assert answer.code == 0 and "An ONNX file does not say where gradients are stopped" in answer.err
    blocks = load(out).graph.page("main").blocks
    assert blocks["loss"].type == "Loss" and blocks["y"].extra["origin"] == "first"


def test_a_model_of_onnx_that_cannot_come_in_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "net.onnx", tmp_path / "net.graph"
    path.write_bytes(onnx_model(onnx_graph([node("StringSplit", ["x"], ["y"])], [value("x", [3])], ["y"])))
    answer = called(capsys, "import", path, "-o", out)
    assert answer.code == 2 and not out.exists()
    assert answer.err == "gradwire: net.onnx: it needs operations without blocks: StringSplit (1 node).\n"


def test_a_model_that_is_too_large_for_a_text_goes_into_a_file(
    model: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dumps, "__defaults__", (LIMITS._replace(file_bytes=1000), None))
    answer = called(capsys, "import", model)
    assert (answer.code, answer.out) == (2, "")
    assert "With -o OUT.graph large tensors lie beside the file." in answer.err


@pytest.mark.parametrize(
    ("given", "numbers"),
    [
        ("x=[1, 2, 3]", [1.0, 2.0, 3.0]),
        ("x=three.npy", [4.0, 5.0, 6.0]),
        ("x=random:7", None),
    ],
)
def test_numbers_of_an_input_are_json_a_file_or_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, given: str, numbers: object
) -> None:
    monkeypatch.chdir(tmp_path)
    np.save("three.npy", np.array([4.0, 5.0, 6.0], "float32"))
    Path("net.onnx").write_bytes(onnx_model(onnx_graph([node("Exp", ["x"], ["y"])], [value("x", [3])], ["y"])))
    values = []
    for _ in range(2):
        loaded = loads(called(capsys, "import", "net.onnx", "--input", given).out.encode()).graph
        values.append(loaded.block("main/x").parameters["value"].tolist())
    assert values[0] == values[1]
    assert numbers is None or values[0] == numbers


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("x", '--input needs NAME=VALUE, such as x=[1,2,3], x=x.npy or x=random:1, not "x".'),
        ("=1", '--input needs NAME=VALUE, such as x=[1,2,3], x=x.npy or x=random:1, not "=1".'),
        ("x=random:", '--input x: a seed is a whole number, not "".'),
        ("x=random:1.5", '--input x: a seed is a whole number, not "1.5".'),
        ("x=random:\u0661", '--input x: a seed is a whole number, not "\u0661".'),  # a digit, but not one of ours
        ("x=none.npy", "none.npy cannot be read: there is no such file or folder."),
        ("x=[1", "--input x: [1 is not JSON: "),
    ],
)
def test_what_is_no_number_of_an_input_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, given: str, sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = called(capsys, "import", "net.onnx", "--input", given)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"gradwire: {sentence}") and answer.err.count("\n") == 1


def test_an_output_that_is_empty_or_a_stream_has_no_graph_of_before(
    model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What holds a graph of another version, whose needs nobody here knows, is not replaced."""
    out = model.with_suffix(".graph")
    out.touch()
    assert called(capsys, "import", model, "-o", out).code == 0
    assert called(capsys, "import", model, "-o", "/dev/null").code == 0
    out.write_text(out.read_text("utf-8").replace('"needs": []', '"needs": ["time travel", "magic"]'), "utf-8")
    answer = called(capsys, "import", model, "-o", out)
    sentence = f'"{out}" needs time travel, magic, which this version does not have; choose another file.'
    assert (answer.code, answer.err) == (2, f"gradwire: {sentence}\n")


def test_notices_are_printed_beside_the_graph_unless_quiet(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    loud, quiet = called(capsys, "import", model), called(capsys, "import", model, "-q")
    assert loud.out == quiet.out and not loud.out.endswith("\n\n")
    assert loud.err and all(line.startswith(f"{model}: ") for line in loud.err.splitlines())
    assert quiet.err == ""
