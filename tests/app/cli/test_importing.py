"""`gradwire import`: models of ONNX, and an import over a graph that is there already."""

from __future__ import annotations

from pathlib import Path

import pytest

from gradwire.engine.base.limits import LIMITS
from gradwire.engine.edits import edits
from gradwire.engine.files.files import dumps, load, save
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
