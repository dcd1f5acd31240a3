"""Outputs that windows write: files of other formats, what was read, and folders of data stay as they are."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from gradwire.engine.base.errors import FileError
from gradwire.engine.files.files import save
from gradwire.engine.files.outputs import GRAPH, PICTURE, PROGRAM, STATE, TENSOR, TEXT, Kind, Output
from gradwire.engine.files.wanted_files import paths_read
from gradwire.engine.graph.graph import Block, Graph, Page

KINDS = [GRAPH, STATE, PROGRAM, PICTURE, TENSOR, TEXT]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_no_kind_of_file_replaces_a_graph_or_a_state(kind: Kind, tmp_path: Path) -> None:
    save(Graph(), tmp_path / "a")
    (tmp_path / "b").write_bytes(b"PK\3\4" + bytes(26) + b"training.json" + bytes(100))
    for name, own in (("a", GRAPH), ("b", STATE)):
        ending = kind.endings[0] if kind.must_end else ""
        path = (tmp_path / name).rename(tmp_path / f"{name}{ending}")
        before = path.read_bytes()
        if kind is own:
            Output(path, kind)
        else:
            with pytest.raises(FileError, match=f"holds {own.name}, not {kind.name}"):
                Output(path, kind).write(b"lost")
        assert path.read_bytes() == before


def test_an_output_stays_out_of_a_folder_of_data(tmp_path: Path) -> None:
    (tmp_path / "images" / "cats").mkdir(parents=True)
    block = Block("data", "Data", parameters={"set": "file", "file": "images"})
    graph = Graph((Page("main", {"data": block}),))
    assert paths_read(graph, tmp_path / "a.graph") == [tmp_path / "a.graph", tmp_path / "images"]
    for name in ("images/cats/1.png", "images/new.png"):
        with pytest.raises(FileError, match="is an input"):
            Output(tmp_path / name, PICTURE, paths_read(graph, tmp_path / "a.graph"))
    Output(tmp_path / "images.png", PICTURE, paths_read(graph, tmp_path / "a.graph"))


def test_an_output_that_was_allowed_is_written_through_links_with_nothing_left(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("import os\n")
    os.symlink("program.py", tmp_path / "link.py")
    stamp = Output(tmp_path / "link.py", PROGRAM).write(b"import sys\n")
    assert stamp is not None and (tmp_path / "program.py").read_bytes() == b"import sys\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.py", "program.py"]


def test_the_weights_beside_a_graph_are_no_output_of_their_own(tmp_path: Path) -> None:
    graph, weights = tmp_path / "a.graph", tmp_path / "a.weights"
    block = Block("w", "Variable", parameters={"value": np.zeros(200_000)})
    save(Graph((Page("main", {"w": block}),)), graph)
    # A state, a program or a picture of the same name has no weights.
    Output(tmp_path / "a.npz", STATE, [graph], others=[Output(tmp_path / "b.graph", GRAPH, [graph])])
    Output(tmp_path / "b.npz", STATE, [graph], others=[Output(tmp_path / "b.graph", GRAPH, [graph])])
    with pytest.raises(FileError, match=r"an input of this command|is the graph itself"):
        Output(weights, TEXT, [graph])
    with pytest.raises(FileError, match="written twice"):
        Output(tmp_path / "b.weights", TEXT, others=[Output(tmp_path / "b.graph", GRAPH)])
