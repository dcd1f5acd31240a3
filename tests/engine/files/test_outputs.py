"""Outputs that windows write: files of other formats, what was read, and folders of data stay as they are."""

from __future__ import annotations

import os
from pathlib import Path

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
