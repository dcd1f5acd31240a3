"""`gradwire render`: the formats of pictures, and the messages about graphs that have errors or cannot be drawn."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from gradwire.app.base.examples import FOLDER
from gradwire.app.cli import command_line
from gradwire.engine.edits import edits
from gradwire.engine.files.files import save
from gradwire.engine.graph.graph import Graph, Port
from tests.engine.edit_sequences import rich_graph
from tests.sweeps import long

SOFTMAX = FOLDER / "softmax_stable.graph"
SVG = "{http://www.w3.org/2000/svg}"


class Outcome(NamedTuple):
    code: int
    err: str


@pytest.fixture
def render(qtbot: QtBot, capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*arguments: object) -> Outcome:
        code = command_line.main(["render", *map(str, arguments)])
        return Outcome(code, capsys.readouterr().err)

    return call


def written(folder: Path, graph: Graph) -> Path:
    path = folder / "a.graph"
    save(graph, path)
    return path


@pytest.mark.parametrize("name", ["out.png", long("OUT.PNG")])
def test_a_png_has_two_pixels_a_px(render: Any, tmp_path: Path, name: str) -> None:
    assert render(SOFTMAX, "-o", tmp_path / "out.svg") == (0, "")
    assert render(SOFTMAX, "-o", tmp_path / name) == (0, "")
    root = ElementTree.parse(tmp_path / "out.svg").getroot()
    image = QImage(str(tmp_path / name))
    assert f"0 0 {image.width() // 2} {image.height() // 2}" == root.attrib["viewBox"]


def test_an_svg_is_well_formed_and_names_the_file(render: Any, tmp_path: Path) -> None:
    assert render(SOFTMAX, "-o", tmp_path / "out.svg") == (0, "")
    root = ElementTree.parse(tmp_path / "out.svg").getroot()
    assert root.tag == f"{SVG}svg"
    assert root.findtext(f"{SVG}title") == "out"
    assert len(list(root.iter(f"{SVG}path"))) > 20


def test_a_pdf_has_the_signature_of_one(render: Any, tmp_path: Path) -> None:
    assert render(SOFTMAX, "-o", tmp_path / "out.pdf") == (0, "")
    content = (tmp_path / "out.pdf").read_bytes()
    assert content.startswith(b"%PDF-")
    assert content.rstrip().endswith(b"%%EOF")


@pytest.mark.long
def test_the_theme_decides_the_ground(render: Any, tmp_path: Path) -> None:
    corners = []
    for theme in ("dark", "light"):
        assert render(SOFTMAX, "-o", tmp_path / f"{theme}.png", "--theme", theme).code == 0
        corners.append(QColor(QImage(str(tmp_path / f"{theme}.png")).pixel(0, 0)).lightnessF())
    assert corners[0] < 0.3
    assert corners[1] > 0.7


@pytest.mark.long
def test_another_page_is_another_picture(render: Any, tmp_path: Path) -> None:
    path = written(tmp_path, rich_graph())
    for name in ("main", "half"):
        render(path, "-o", tmp_path / f"{name}.png", "--page", name)
    render(path, "-o", tmp_path / "first.png")
    main, half, first = (QImage(str(tmp_path / f"{name}.png")) for name in ("main", "half", "first"))
    assert main == first
    assert main.size() != half.size()


def test_an_unknown_page_is_refused(render: Any, tmp_path: Path) -> None:
    outcome = render(SOFTMAX, "-o", tmp_path / "out.svg", "--page", "nowhere")
    assert outcome.code == 2
    assert "nowhere" in outcome.err
    assert not (tmp_path / "out.svg").exists()


@pytest.mark.parametrize("name", ["out.gif", "out", "png"])
def test_an_unknown_ending_is_refused(render: Any, tmp_path: Path, name: str) -> None:
    outcome = render(SOFTMAX, "-o", tmp_path / name)
    assert outcome == (2, f'gradwire: "{name}" must end in .png, .svg, .pdf or .html; choose one of them.\n')
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_said(render: Any, tmp_path: Path) -> None:
    outcome = render(SOFTMAX, "-o", tmp_path / "none" / "out.svg")
    assert outcome.code == 2
    assert f'cannot be written: its folder "{tmp_path}/none" does not exist.' in outcome.err


def test_a_picture_never_replaces_its_graph(render: Any, tmp_path: Path) -> None:
    graph = Path(shutil.copy(SOFTMAX, tmp_path / "a.graph"))
    os.link(graph, tmp_path / "a.svg")
    outcome = render(graph, "-o", tmp_path / "a.svg")
    assert outcome.code == 2
    assert f'"{tmp_path}/a.svg" is the graph itself' in outcome.err
    assert graph.read_bytes() == Path(SOFTMAX).read_bytes()


def test_an_unreadable_file_is_refused(render: Any, tmp_path: Path) -> None:
    (tmp_path / "a.graph").write_text("{")
    outcome = render(tmp_path / "a.graph", "-o", tmp_path / "out.svg")
    assert outcome.code == 2
    assert outcome.err.startswith(f"gradwire: {tmp_path / 'a.graph'}:1:")


def test_a_graph_with_errors_is_drawn_and_its_errors_are_said(render: Any, tmp_path: Path) -> None:
    graph, _ = edits.add_block(Graph(), "main", "Exp")
    graph, _ = edits.add_block(graph, "main", "Loss")
    path = written(tmp_path, edits.connect(graph, "main", Port("Exp", "y"), Port("Loss", "x")))
    outcome = render(path, "-o", tmp_path / "out.png")
    assert outcome.code == 1
    assert outcome.err.startswith(f"gradwire: {path}:")
    assert "main/Exp" in outcome.err
    assert not QImage(str(tmp_path / "out.png")).isNull()


def test_an_empty_graph_is_drawn(render: Any, tmp_path: Path) -> None:
    render(written(tmp_path, Graph()), "-o", tmp_path / "out.png")
    assert not QImage(str(tmp_path / "out.png")).isNull()


def test_blocks_without_a_place_are_arranged(render: Any, tmp_path: Path) -> None:
    """Compares widths: two blocks in a row are wider than one."""
    value = {"dtype": "float64", "shape": [], "data": [2]}
    blocks = [{"id": "x", "type": "Input", "parameters": {"value": value}}, {"id": "loss", "type": "Loss"}]
    head = {"format": "gradwire.graph", "version": [1, 0], "needs": [], "conventions": "tf-2.21", "loss": None}
    widths = []
    for count in (1, 2):
        wires = [["x.y", "loss.x"]] if count == 2 else []
        pages = [{"name": "main", "blocks": blocks[:count], "wires": wires}]
        (tmp_path / "a.graph").write_text(json.dumps(head | {"pages": pages}))
        render(tmp_path / "a.graph", "-o", tmp_path / "out.png")
        widths.append(QImage(str(tmp_path / "out.png")).width())
    assert np.diff(widths) > 200


def test_where_qt_cannot_be_loaded_that_is_said(render: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def __getattr__(self, name: str) -> object:
            raise ImportError("No module named 'PySide6'")

    monkeypatch.setitem(sys.modules, "gradwire.app.cli.rendering", Broken())
    outcome = render(SOFTMAX, "-o", tmp_path / "out.svg")
    assert outcome == (2, "gradwire: Qt cannot be loaded: No module named 'PySide6'.\n")
