from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

import gradwire.blocks  # noqa: F401  # it fills the library
from gradwire.engine.base.errors import FileError
from gradwire.engine.base.limits import Limits
from gradwire.engine.base.problems import Problem
from gradwire.engine.files.file_reading import loads
from gradwire.engine.files.file_writing import dumps
from gradwire.engine.files.files import BlockPlaces, load, save
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire

# Example of docs/file-format.md, byte for byte.
EXAMPLE = (Path(__file__).parents[2] / "data" / "example.graph").read_text(encoding="utf-8")


def graph_of(*found: Block, **page) -> Graph:
    return Graph((Page("main", {block.id: block for block in found}, **page),))


# Refusals


def changed(old: str, new: str) -> str:
    assert old in EXAMPLE
    return EXAMPLE.replace(old, new, 1)


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "said"),
    [
        ("gradwire.graph", "other", 2, 13, 'format must be "gradwire.graph", not "other"'),
        ('"format"', '"fmt"', 1, 1, 'format must be "gradwire.graph"'),
        ("[1, 0]", "[2, 3]", 3, 14, "version 2.3 is newer than this Gradwire, which reads 1.2"),
        ("[1, 0]", "[0, 9]", 3, 14, "version 0.9 is unknown"),
        ("[1, 0]", '"1.0"', 3, 14, "version must be two whole numbers"),
        ("[1, 0]", "[1, true]", 3, 14, "version must be two whole numbers"),
        ("[1, 0]", "[1, -1]", 3, 14, "version must be two whole numbers"),
        ('"version"', '"versions"', 1, 1, "version is missing"),
        ('"needs": []', '"needs": "x"', 4, 12, "needs must be a list"),
        ('"needs": []', '"needs": ["a", 1]', 4, 18, "must be text, not 1"),
        ("tf-2.21", "tf-3", 5, 18, 'conventions must be "tf-2.21"'),
        ('"conventions"', '"convention"', 1, 1, "conventions is missing"),
        ('"main/loss"', "5", 6, 11, "loss must be text, not 5"),
        ('"pages"', '"page"', 1, 1, "pages is missing"),
        ('"name": "main"', '"name": "1st"', 9, 15, 'Page "1st": name must be a name'),
        ('"name": "main",', "", 8, 5, "Page 1: name is missing"),
        ('"blocks": [\n', '"bricks": [\n', 8, 5, 'Page "main": blocks is missing'),
        ('"wires"', '"wire"', 8, 5, 'Page "main": wires is missing'),
        ("[832, 0]", '"left"', 11, 46, 'Block 1 of page "main": at must be two whole numbers, not "left"'),
        ("[832, 0]", "[832, 0.5]", 11, 46, "at must be two whole numbers, not [832, 0.5]"),
        ("[832, 0]", "[832, true]", 11, 46, "at must be two whole numbers"),
        ("[832, 0]", "[832, 2147483648]", 11, 46, "at must be at most 2,147,483,647 px"),
        ('"id": "m"', '"id": "m m"', 12, 16, 'Block 2 of page "main": id must be a name'),
        ('"id": "m"', f'"id": "{"m" * 65}"', 12, 16, "at most 64"),
        ('"id": "m", ', "", 12, 9, "id is missing"),
        ('"type": "Loss", ', "", 11, 9, "type is missing"),
        ('"type": "Loss"', '"type": 5', 11, 32, "type must be text"),
        ('"at": [832', '"label": 5, "at": [832', 11, 49, "label must be text"),
        ('"at": [832', '"muted": 1, "at": [832', 11, 49, "muted must be true or false"),
        ('"at": [832', '"collapsed": 0, "at": [832', 11, 53, "collapsed must be true or false"),
        ('"at": [832', '"width": -1, "at": [832', 11, 49, "width must be a whole number"),
        ('"at": [832', '"parameters": [], "at": [832', 11, 54, "parameters must be an object"),
        ("[1, 3, 3]", "[1, 3]", 14, 119, "data must have 3 elements"),
        ("[1, 3, 3]", '[1, 3, "x"]', 14, 126, "data must be numbers"),
        ('"float64"', '"float8"', 14, 86, "dtype must be one of"),
        ('["x.y", "m.x"]', '["x.y"]', 19, 9, 'Wire 2 of page "main": must be ["block.port", "block.port"]'),
        ('["x.y", "m.x"]', '["x.y", "m"]', 19, 17, 'must be written "block.port", not "m"'),
        ('["x.y", "m.x"]', '["x.", "m.x"]', 19, 10, 'must be written "block.port"'),
        ('["x.y", "m.x"]', '["x.y", 5]', 19, 17, "must be text, not 5"),
        ('"Shift by the maximum"', "5", 24, 43, 'Frame 1 of page "main": title must be text'),
        ('["m", "stop"]', '["m", 5]', 24, 83, "must be text, not 5"),
        ('"id": "why", ', "", 25, 17, 'Note 1 of page "main": id is missing'),
        ('"at": [208, 32]', '"size": [1]', 25, 70, "size must be two whole numbers"),
        ('"needs": []', '"needs": [], "needs": []', 4, 16, 'The key "needs" occurs twice'),
    ],
)
def test_what_does_not_fit_is_refused_at_its_place(old, new, line, column, said):
    with pytest.raises(FileError) as caught:
        loads(changed(old, new))
    assert said in caught.value.message
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize("text", ["[]", "5", "null", '"x"'])
def test_json_that_is_no_object_is_refused(text):
    with pytest.raises(FileError, match="must be an object"):
        loads(text)


def test_bytes_that_are_not_utf8_are_refused_at_their_place():
    with pytest.raises(FileError, match="not UTF-8") as caught:
        loads(EXAMPLE.encode().replace(b"Shift", "é".encode() + b"\xff"))
    assert (caught.value.line, caught.value.column) == (24, 45)


def test_a_newer_minor_version_opens_and_keeps_version_and_keys():
    text = changed("[1, 0]", "[1, 7]")
    graph = loads(text).graph
    assert graph.version == (1, 7)
    assert dumps(graph) == text


def test_unknown_needs_are_named_and_kept():
    loaded = loads(changed('"needs": []', '"needs": ["quantum"]'))
    assert loaded.unknown_needs == ("quantum",)
    assert loaded.graph.needs == ("quantum",)
    assert loads(EXAMPLE).unknown_needs == ()


def test_an_unknown_type_is_kept_with_its_parameters():
    text = changed('"StopGradient", "at": [416, 96]', '"my.Own", "at": [416, 96], "parameters": {"k": [1.5, null]}')
    assert dumps(loads(text).graph) == text


# Notices


def test_a_byte_order_mark_is_accepted_with_a_notice():
    loaded = loads("\ufeff".encode() + EXAMPLE.encode())
    assert [(notice.severity, notice.at, notice.code) for notice in loaded.notices] == [("info", "", "bom")]
    assert loaded.text == EXAMPLE


def test_a_sound_file_has_no_notices():
    assert loads(EXAMPLE).notices == ()


def test_a_later_block_of_the_same_id_gets_a_free_name_and_wires_keep_the_first():
    loaded = loads(changed('"id": "m"', '"id": "x_1"').replace('"id": "z"', '"id": "x"'))
    page = loaded.graph.page("main")
    assert page.blocks["x"].type == "Input"
    assert page.blocks["x_2"].type == "Subtract"
    assert page.wires[Port("z", "x")].source == Port("x", "y")
    message = 'Page "main" has two blocks "x"; the later one is now "x_2".'
    assert loaded.notices == (Problem("error", "main/x_2", "duplicate_id", message),)


def test_a_new_name_has_at_most_64_characters():
    long = "m" * 64
    page = loads(changed('"id": "m"', f'"id": "{long}"').replace('"id": "z"', f'"id": "{long}"')).graph.page("main")
    assert "m" * 62 + "_1" in page.blocks


def test_many_blocks_of_one_id_are_all_kept():
    record = json.loads(EXAMPLE)
    record["pages"][0]["blocks"] = [{"id": "b", "type": "Add"}] * 3000
    assert len(loads(json.dumps(record)).graph.page("main").blocks) == 3000


def test_a_later_page_of_the_same_name_gets_a_free_name():
    record = json.loads(EXAMPLE)
    record["pages"] *= 2
    loaded = loads(json.dumps(record))
    assert [page.name for page in loaded.graph.pages] == ["main", "main_1"]
    assert [(notice.severity, notice.code) for notice in loaded.notices] == [("error", "duplicate_id")]


def test_later_frames_and_notes_of_the_same_id_get_free_names():
    record = json.loads(EXAMPLE)
    record["pages"][0]["frames"] *= 2
    record["pages"][0]["notes"] *= 2
    loaded = loads(json.dumps(record))
    page = loaded.graph.page("main")
    assert [item.id for item in (*page.frames, *page.notes)] == ["shift", "shift_1", "why", "why_1"]
    assert [notice.code for notice in loaded.notices] == ["duplicate_id", "duplicate_id"]


def test_a_second_wire_into_a_port_is_kept_beside_the_first():
    page = loads(changed('["x.y", "z.x"]', '["x.y", "z.x"],\n        ["m.y", "z.x"]')).graph.page("main")
    assert page.wires[Port("z", "x")].source == Port("x", "y")
    assert page.surplus == (Wire(Port("m", "y"), Port("z", "x")),)


def test_a_wire_that_leads_nowhere_is_kept():
    text = changed('["x.y", "z.x"]', '["gone.y", "z.x"]')
    assert dumps(loads(text).graph) == text


# Places


def test_a_block_is_found_in_the_text():
    assert BlockPlaces(loads(EXAMPLE)).find("main/stop") == (13, 9)


def test_a_renamed_block_is_found_where_it_stands():
    loaded = loads(changed('"id": "z"', '"id": "x"'))
    assert BlockPlaces(loaded).find("main/x") == (14, 9)
    assert BlockPlaces(loaded).find("main/x_1") == (15, 9)


def test_a_block_inside_a_used_page_is_found_on_that_page():
    inner = Page("inner", {"scores": Block("scores", "Add")})
    outer = Page("main", {"use": Block("use", "Page", parameters={"page": "inner"})})
    loaded = loads(dumps(Graph((outer, inner))))
    assert BlockPlaces(loaded).find("main/use/scores") == BlockPlaces(loaded).find("inner/scores")
    assert (
        loaded.text.splitlines()[BlockPlaces(loaded).find("main/use/scores")[0] - 1]
        .strip()
        .startswith('{"id": "scores"')
    )


@pytest.mark.parametrize("path", ["", "main", "main/gone", "gone/x", "main/x/y"])
def test_what_is_no_block_has_no_place(path):
    assert BlockPlaces(loads(EXAMPLE)).find(path) == (0, 0)


# Limits


@pytest.mark.parametrize(
    ("at_limit", "above", "said"),
    [
        (Limits(file_bytes=len(EXAMPLE)), Limits(file_bytes=len(EXAMPLE) - 1), "at most"),
        (Limits(nesting=8), Limits(nesting=7), "nested deeper than 7 levels"),
        (Limits(pages=1), Limits(pages=0), "at most 0 are allowed"),
        (Limits(blocks=5), Limits(blocks=4), "more than 4 blocks"),
        (Limits(wires=5), Limits(wires=4), "more than 4 wires"),
        (Limits(text_bytes=20), Limits(text_bytes=19), "text of at most 19 bytes"),
        (Limits(rank=1), Limits(rank=0), "at most 0 axes"),
        (Limits(tensor_bytes=24), Limits(tensor_bytes=23), "a tensor may have at most 23 bytes"),
        (Limits(tensors_bytes=24), Limits(tensors_bytes=23), "together may have at most 23 bytes"),
    ],
)
def test_each_limit_holds_for_reading(at_limit, above, said):
    assert loads(EXAMPLE, at_limit).graph == loads(EXAMPLE).graph
    with pytest.raises(FileError, match=said):
        loads(EXAMPLE, above)


@pytest.mark.parametrize(
    ("at_limit", "above"),
    [
        (Limits(file_bytes=len(EXAMPLE)), Limits(file_bytes=len(EXAMPLE) - 1)),
        (Limits(nesting=8), Limits(nesting=7)),
        (Limits(pages=1), Limits(pages=0)),
        (Limits(blocks=5), Limits(blocks=4)),
        (Limits(wires=5), Limits(wires=4)),
        (Limits(text_bytes=20), Limits(text_bytes=19)),
        (Limits(rank=1), Limits(rank=0)),
        (Limits(tensor_bytes=24), Limits(tensor_bytes=23)),
        (Limits(tensors_bytes=24), Limits(tensors_bytes=23)),
    ],
)
def test_each_limit_holds_for_writing(at_limit, above):
    graph = loads(EXAMPLE).graph
    assert dumps(graph, at_limit) == EXAMPLE
    with pytest.raises(FileError, match="at most"):
        dumps(graph, above)


def test_the_limits_are_those_of_the_format():
    mib = 2**20
    assert Limits() == Limits(64 * mib, 64, 1000, 200_000, 1_000_000, 2**16, 16, 256 * mib, 512 * mib)


def test_a_thousand_pages_open_and_one_more_is_refused():
    page = '{"name": "p%d", "blocks": [], "wires": []}'
    start = EXAMPLE[: EXAMPLE.index('"pages"')] + '"pages": ['
    assert len(loads(start + ",".join(page % n for n in range(1000)) + "]}").graph.pages) == 1000
    with pytest.raises(FileError, match="1,001 pages; at most 1,000"):
        loads(start + ",".join(page % n for n in range(1001)) + "]}")


def test_a_text_of_64_kib_opens_and_a_byte_more_is_refused():
    assert loads(changed("Why is max stopped?", "ä" * 2**15)).graph.page("main").notes[0].text == "ä" * 2**15
    with pytest.raises(FileError, match="at most 64 KiB, not 65,537 bytes"):
        loads(changed("Why is max stopped?", "ä" * 2**15 + "a"))


def test_more_than_64_mib_is_refused():
    with pytest.raises(FileError, match="at most 64 MiB"):
        loads(b" " * (64 * 2**20 + 1))


# Files


@pytest.fixture
def graph():
    return loads(EXAMPLE).graph


def test_a_file_is_saved_and_loaded(tmp_path, graph):
    save(graph, tmp_path / "a.graph")
    assert (tmp_path / "a.graph").read_bytes() == EXAMPLE.encode()
    assert load(tmp_path / "a.graph").graph == graph
    assert os.listdir(tmp_path) == ["a.graph"]


def test_saving_keeps_the_permissions(tmp_path, graph):
    path = tmp_path / "a.graph"
    path.write_text("old")
    path.chmod(0o640)
    save(graph, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_new_file_has_the_usual_permissions(tmp_path, graph):
    (tmp_path / "usual").touch()
    save(graph, tmp_path / "a.graph")
    assert (tmp_path / "a.graph").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_saving_follows_a_link(tmp_path, graph):
    (tmp_path / "folder").mkdir()
    target, link = tmp_path / "folder" / "real.graph", tmp_path / "link.graph"
    link.symlink_to(target)
    save(graph, link)
    assert link.is_symlink()
    assert target.read_text() == EXAMPLE


@pytest.mark.parametrize("step", ["write", "fchmod", "fsync", "replace"])
def test_a_failed_save_leaves_the_old_file_and_nothing_else(tmp_path, graph, monkeypatch, step):
    path = tmp_path / "a.graph"
    path.write_text("old")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(FileError, match="cannot be written: the disk is full"):
        save(graph, path)
    monkeypatch.undo()
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.graph"]


def test_a_graph_that_no_file_can_hold_leaves_the_old_file(tmp_path):
    path = tmp_path / "a.graph"
    path.write_text("old")
    with pytest.raises(FileError):
        save(graph_of(Block("b", "Odd", parameters={"p": object()})), path)
    assert path.read_text() == "old"


@pytest.mark.parametrize("name", ["", "missing/a.graph", "a\0b", "n" * 300])
def test_a_path_that_cannot_be_written_is_refused_in_a_sentence(tmp_path, graph, name):
    with pytest.raises(FileError, match="cannot be written"):
        save(graph, f"{tmp_path}/{name}")


@pytest.mark.parametrize("name", ["", "missing.graph", "a\0b"])
def test_a_path_that_cannot_be_read_is_refused_in_a_sentence(tmp_path, name):
    with pytest.raises(FileError, match="cannot be read"):
        load(f"{tmp_path}/{name}")
