"""Files of other programs: one sentence says what each is, and the shortest way in."""

from __future__ import annotations

from pathlib import Path

import pytest

from gradwire.engine.base.errors import FileError
from gradwire.engine.files.files import dumps, load
from gradwire.engine.graph.graph import Graph


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("net.pt", 'It is a pickle of PyTorch, .*torch.export.save(.*"net.pt2")'),
        ("net.PTH", "It is a pickle of PyTorch"),
        ("model.h5", "It is a model of Keras, .* gradwire code PROGRAM.py"),
        ("model.keras", "It is a model of Keras, .* gradwire code PROGRAM.py"),
        ("model.onnx", "It is a model in ONNX; gradwire import model.onnx -o model.graph"),
        ("net.pkl", "It is a pickle of Python"),
        ("saved_model.pb", "It is a model of TensorFlow, .* gradwire code PROGRAM.py"),
        ("model.safetensors", 'It holds weights without a program; .*torch.export.save(.*"model.pt2")'),
        ("net.py", "It is a program; gradwire code net.py -o net.graph"),
        ("model.pt2", "It is a model of PyTorch; gradwire import model.pt2 -o model.graph"),
    ],
)
def test_a_model_given_for_a_graph_is_called_what_it_is(name: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(b"\x80\x02PK\x03\x04")
    with pytest.raises(FileError, match=said.replace("(", r"\(").replace(")", r"\)")) as found:
        load(path)
    assert "\n" not in found.value.message


def test_a_folder_of_tensorflow_is_called_what_it_is_and_a_missing_file_missing(tmp_path: Path) -> None:
    (tmp_path / "saved_model.pb").touch()
    with pytest.raises(FileError, match="It is a model of TensorFlow"):
        load(tmp_path)
    with pytest.raises(FileError, match="there is no such file"):
        load(tmp_path / "net.pt")


def test_a_graph_is_read_whatever_its_ending(tmp_path: Path) -> None:
    path = tmp_path / "a.pt"
    path.write_text(dumps(Graph()), encoding="utf-8")
    assert load(path).graph == Graph()
