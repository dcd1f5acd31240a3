"""Files of every version: each opens forever, and saves as recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

import gradwire.blocks  # noqa: F401  # it fills the library
from gradwire.engine.base.errors import FileError
from gradwire.engine.files import file_reading
from gradwire.engine.files.files import dumps, load, loads
from gradwire.engine.graph.graph import FIRST_VERSION, VERSION

# One file of each version, named after it; `0.9.saved` beside an upgraded one holds the result.
FOLDER = Path(__file__).parents[2] / "data" / "versions"
FILES = sorted(FOLDER.glob("*.graph"))


def test_there_is_a_file_of_this_version_and_of_a_newer_one():
    names = {path.stem for path in FILES}
    assert "{}.{}".format(*VERSION) in names
    assert any(int(name.partition(".")[2]) > VERSION[1] for name in names)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_of_a_version_opens_and_saves_as_recorded(path):
    before = path.read_bytes()
    loaded = load(path)
    recorded = path.with_suffix(".saved")
    assert loaded.notices == ()
    assert loaded.graph.saved_version >= tuple(map(int, path.stem.split(".")))
    assert dumps(loaded.graph) == (recorded if recorded.exists() else path).read_text(encoding="utf-8")
    assert path.read_bytes() == before


def test_an_older_major_version_is_upgraded_step_by_step_in_memory(monkeypatch):
    """Example of an upgrade: a pure function of the record, here from a format that called blocks `nodes`."""

    def step(record):
        pages = [{**page, "blocks": page["nodes"]} for page in record["pages"]]
        return {**record, "pages": [{key: page[key] for key in page if key != "nodes"} for page in pages]}

    monkeypatch.setitem(file_reading.UPGRADES, 0, step)
    old = (
        (FOLDER / "1.0.graph")
        .read_text(encoding="utf-8")
        .replace("[1, 0]", "[0, 9]")
        .replace('"blocks": [\n', '"nodes": [\n')
    )
    graph = loads(old).graph
    assert graph.version == FIRST_VERSION
    assert dumps(graph) == (FOLDER / "1.0.graph").read_text(encoding="utf-8")
    assert loads(old).graph == graph


def test_a_mistake_in_an_older_file_is_told_at_its_place_in_that_file(monkeypatch):
    monkeypatch.setitem(file_reading.UPGRADES, 0, dict)
    old = (FOLDER / "1.0.graph").read_text(encoding="utf-8").replace("[1, 0]", "[0, 9]").replace('"tf-2.21"', "5")
    with pytest.raises(FileError, match="conventions must be") as caught:
        loads(old)
    assert (caught.value.line, caught.value.column) == (5, 18)
