"""`gradwire diff` and `gradwire show`: facts of graphs, their differences, and their use in git."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest

import gradwire as gw
from gradwire.app.base.examples import example_names, example_path
from gradwire.app.cli.diff_command import diff_lines
from gradwire.engine.edits import edits
from gradwire.engine.files.files import load, save
from gradwire.engine.graph.graph import Graph, Port
from gradwire.engine.graph.outline import Fact, outline, outline_diff
from tests.app.cli.graphs import ADVISED, SOFTMAX, called

MAIN = "main"


def grown(graph: Graph) -> Graph:
    """Returns a graph with a block, a wire and a value more."""
    graph = edits.add_block(graph, MAIN, "Exp", id="more", at=(1, 2))[0]
    graph = edits.connect(graph, MAIN, Port("x", "y"), Port("more", "x"))
    return edits.set_parameter(graph, MAIN, "x", "value", np.array([1.0, 3.0, np.nan]))


@pytest.mark.parametrize("with_places", [False, True])
@pytest.mark.parametrize("name", example_names()[::5])
def test_a_graph_equals_itself_and_its_copy(name: str, with_places: bool) -> None:
    one, other = (outline(load(example_path(name)).graph, with_places) for _ in range(2))
    assert one and list(one) == list(other)
    assert outline_diff(one, other).is_empty


def test_a_difference_turned_round_swaps_added_and_removed() -> None:
    old = load(Path(SOFTMAX)).graph
    one, other = outline(old), outline(grown(old))
    there, back = outline_diff(one, other), outline_diff(other, one)
    assert (there.added, there.removed) == (back.removed, back.added)
    assert {fact: (b, a) for fact, (a, b) in there.changed.items()}.keys() == back.changed.keys()
    assert {fact.name for fact in there.added} == {"main/more", "main/x.y -> main/more.x"}
    assert [fact.name for fact in there.changed] == ["main/x value"]


def test_a_difference_taken_back_is_none() -> None:
    old = load(Path(SOFTMAX)).graph
    value = old.page(MAIN).blocks["x"].parameters["value"]
    back = edits.delete(grown(old), MAIN, ["more"]) if hasattr(edits, "delete") else old
    back = edits.set_parameter(back, MAIN, "x", "value", value)
    assert outline_diff(outline(old), outline(back)).is_empty


def test_diff_prints_what_differs_and_ends_as_diff_does(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    save(grown(load(Path(SOFTMAX)).graph), tmp_path / "b.graph")
    outcome = called(capsys, "diff", SOFTMAX, tmp_path / "b.graph")
    assert outcome == (
        1,
        "+ block main/more: Exp\n"
        "+ wire main/x.y -> main/more.x\n"
        '! parameter main/x value: float64[3] [1, 3, 3] => float64[3] [1, 3, "nan"]\n',
        "",
    )
    assert called(capsys, "diff", SOFTMAX, SOFTMAX) == (0, "", "")
    assert called(capsys, "diff", SOFTMAX, tmp_path / "none.graph").code == 2
    assert called(capsys, "diff", "-", "-").code == 2


def test_places_differ_only_on_request(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    graph = edits.move_blocks(load(Path(SOFTMAX)).graph, MAIN, {"x": (7, 7)})
    save(graph, tmp_path / "moved.graph")
    assert called(capsys, "diff", SOFTMAX, tmp_path / "moved.graph").code == 0
    outcome = called(capsys, "diff", "--places", SOFTMAX, tmp_path / "moved.graph")
    assert outcome.code == 1
    assert "place main/x at" in outcome.out and outcome.out.endswith("=> [7, 7]\n")


def test_diff_as_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    save(grown(load(Path(SOFTMAX)).graph), tmp_path / "b.graph")
    outcome = called(capsys, "diff", "--json", SOFTMAX, tmp_path / "b.graph")
    found = json.loads(outcome.out)
    assert (outcome.code, found["equal"], found["removed"]) == (1, False, [])
    assert {"kind": "block", "name": "main/more", "value": "Exp"} in found["added"]
    (changed,) = found["changed"]
    assert changed["b"] == {"dtype": "float64", "shape": [3], "data": [1, 3, "nan"]}
    assert json.loads(called(capsys, "diff", "--json", SOFTMAX, SOFTMAX).out)["equal"] is True


@pytest.mark.parametrize("name", example_names()[::9])
def test_show_has_a_line_for_each_fact_and_ignores_the_order_of_the_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    record = json.loads(example_path(name).read_text())
    for page in record["pages"]:
        page["blocks"].reverse()
        page["wires"].reverse()
    (tmp_path / "turned.graph").write_text(json.dumps(record))
    shown = called(capsys, "show", example_path(name))
    assert shown.code == 0
    assert shown.out == called(capsys, "show", tmp_path / "turned.graph").out
    assert len(shown.out.splitlines()) == len(outline(load(example_path(name)).graph))


def test_a_large_tensor_is_shown_by_a_checksum_that_changes_with_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    graph, texts = load(Path(SOFTMAX)).graph, []
    for last in (1.0, 2.0):
        value = np.append(np.zeros(999), last)
        save(edits.set_parameter(graph, MAIN, "x", "value", value), tmp_path / "large.graph")
        texts.append(called(capsys, "show", tmp_path / "large.graph").out)
    assert texts[0] != texts[1]
    assert all("float64[1000], crc32 " in text for text in texts)


@pytest.mark.long
@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_git_shows_blocks_and_wires_through_textconv(tmp_path: Path) -> None:
    def git(*words: str) -> str:
        quiet = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *words]
        return subprocess.run(command, cwd=tmp_path, env=quiet, text=True, capture_output=True, check=True).stdout

    git("init", "-q")
    git("config", "diff.gradwire.textconv", f"'{sys.executable}' -m gradwire show")
    (tmp_path / ".gitattributes").write_text("*.graph diff=gradwire\n")
    shutil.copy(ADVISED, tmp_path / "a.graph")
    git("add", ".")
    git("commit", "-q", "-m", "one")
    shutil.copy(SOFTMAX, tmp_path / "a.graph")
    lines = git("diff").splitlines()
    assert "+block main/stop: StopGradient" in lines
    assert "-wire main/m.y -> main/z.y" in lines


def test_a_state_of_training_differs_by_its_round_and_checksum(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    w = gw.Variable([1.0, 2.0], name="w")
    paths = [tmp_path / name for name in ("a.graph", "b.graph")]
    for path, rounds in zip(paths, (2, 3), strict=True):
        gw.train(gw.Square(w), rounds).save(path, state=True)
    lines = called(capsys, "diff", *paths).out.splitlines()
    (line,) = [line for line in lines if "training state" in line]
    assert '"step": 2' in line
    assert '"step": 3' in line
    assert "memory" not in line


def test_each_fact_is_a_line_with_its_value_or_its_name_alone() -> None:
    old = {
        Fact("file", "loss"): None,
        Fact("page", "main"): None,
        Fact("parameter", "main/x flags"): {"a": [1, (2.5, None)], "b": np.array([True])},
        Fact("parameter", "main/x value"): np.zeros(64),
    }
    new = {
        Fact("file", "loss"): "main/L",
        Fact("note", "main/n"): "two\nlines",
        Fact("parameter", "main/x value"): np.zeros(65),
    }
    assert list(diff_lines(outline_diff(old, new))) == [
        "- page main",
        '- parameter main/x flags: {"a": [1, [2.5, null]], "b": {"dtype": "bool", "shape": [1], "data": [true]}}',
        "+ note main/n: two\N{DOWNWARDS ARROW WITH CORNER LEFTWARDS}lines",
        "! file loss: null => main/L",
        f"! parameter main/x value: float64[64] {[0] * 64} => float64[65], crc32 {zlib.crc32(bytes(8 * 65)):08x}",
    ]


def test_both_graphs_must_be_readable_and_only_one_comes_from_standard_input(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    none = tmp_path / "none.graph"
    for pair in ((none, SOFTMAX), (SOFTMAX, none)):
        assert called(capsys, "diff", *pair).code == 2
        found = json.loads(called(capsys, "diff", "--json", *pair).out)
        assert (found["file"], found["ok"]) == (str(none), False)
    assert called(capsys, "diff", "-", "-").err == (
        "gradwire: Standard input has one graph; give a file for the other.\n"
    )
    for pair in (("-", SOFTMAX), (SOFTMAX, "-")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path(SOFTMAX).read_bytes())))
        assert called(capsys, "diff", *pair).code == 0
    outcome = called(capsys, "show", none)
    assert (outcome.code, outcome.out) == (2, "") and outcome.err.startswith(f"gradwire: {none}: ")


def test_lines_have_the_colour_of_their_sign(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    save(grown(load(Path(SOFTMAX)).graph), tmp_path / "b.graph")
    there, back = (
        called(capsys, "diff", *pair).out.splitlines()
        for pair in ((SOFTMAX, tmp_path / "b.graph"), (tmp_path / "b.graph", SOFTMAX))
    )
    assert [line[:6] for line in there] == ["\x1b[32m+", "\x1b[32m+", "\x1b[33m!"]
    assert [line[:6] for line in back] == ["\x1b[31m-", "\x1b[31m-", "\x1b[33m!"]
