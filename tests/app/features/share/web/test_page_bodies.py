"""What a page tells its script of blocks, wires and labels, and where the words of bodies stand."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest

from gradwire.app.features.share.web.html_page import html_page
from gradwire.app.features.share.web.picture import Picture, PictureWriter
from gradwire.app.features.share.web.texts import coordinate
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph
from tests.app.canvas.pages import mirror_of, wired, with_block

Pictures = Callable[[Graph], Picture]


@pytest.fixture
def picture(qapp: object, monkeypatch: pytest.MonkeyPatch) -> Pictures:
    """A function that returns the first picture of a graph's page."""
    found: list[Picture] = []
    picture = PictureWriter.picture

    def noted(writer: PictureWriter) -> Picture:
        found.append(picture(writer))
        return found[-1]

    monkeypatch.setattr(PictureWriter, "picture", noted)

    def made(graph: Graph) -> Picture:
        found.clear()
        html_page(graph, "T")
        return found[0]

    return made


def bodies() -> Graph:
    """Returns a graph with a block of each kind of body."""
    graph = with_block(Graph(), "x", "Input", (0, 0), value=np.array(2.0))
    three, cells, many = np.array([1.0, 2.0, 3.0]), np.arange(6.0).reshape(2, 3), np.arange(40.0)
    for at, (name, kind, value) in enumerate((
        ("v", "Input", three), ("w", "Variable", three), ("i", "Constant", np.arange(5)),
        ("h", "Constant", cells), ("c", "Constant", many), ("n", "Input", np.array([True, False])),
    )):  # fmt: skip
        graph = with_block(graph, name, kind, (0, 200 + 200 * at), value=value)
    for at, (name, kind) in enumerate((("m", "Multiply"), ("k", "Multiply"), ("s", "ReduceSum"), ("loss", "Loss"))):
        graph = with_block(graph, name, kind, (300 + 240 * at, 0))
    return wired(graph, "x.y > m.x", "v.y > m.y", "m.z > k.x", "w.y > k.y", "k.z > s.x", "s.y > loss.x")


def told(picture: Picture) -> dict[str, dict[str, object]]:
    """Returns what the script must know of bodies, by the names of blocks."""
    found = picture.script["bodies"]
    assert isinstance(found, list)
    return {str(item["port"]).split("/")[1].split(".")[0]: item for item in found}


def test_the_script_knows_kind_and_place_of_each_body_that_follows_the_numbers(picture: Pictures) -> None:
    found = told(picture(bodies()))
    assert {name: item["kind"] for name, item in found.items()} == {
        "x": "level", "v": "upright", "w": "trainable", "i": "values", "h": "values", "c": "values", "n": "values",
        "m": "values", "k": "values", "s": "number", "loss": "number",
    }  # fmt: skip
    assert found["x"]["path"] == "main/x" and found["x"]["range"] == (0.0, 5.0)
    # A level track begins 8 px within its box of 124 px; the upright ones stand in the middle of thirds.
    assert found["x"]["tracks"] == [[18.0, 85.0, 108.0, 10.0, 54.0, 124.0, 44.0]]
    assert found["x"]["ends"] == "0 … 5" and found["x"]["title"] == "x" and not found["x"]["stuck"]
    each, thirds = 124 / 3, found["v"]["tracks"]
    assert isinstance(thirds, list) and thirds == [
        pytest.approx([10 + each * (place + 0.5), 62, 44, 10 + each * place, 54, each, 70]) for place in range(3)
    ]
    mirror = mirror_of(bodies())
    for name in ("w", "i", "h", "c", "m", "k"):
        box = mirror.shapes[mirror.ids.index(name)].body_box
        assert found[name]["box"] == [box.left(), box.top(), box.width(), box.height()]
    # At most 16 numbers are bars, a vector of more a curve, and a matrix cells.
    assert {name: found[name]["way"] for name in ("w", "i", "n", "m", "h", "c")} == {
        "w": "bars", "i": "bars", "n": "bars", "m": "bars", "h": "cells", "c": "curve",
    }  # fmt: skip
    assert found["m"]["port"] == "main/m.z"


def test_words_of_bodies_stand_in_their_boxes(picture: Pictures) -> None:
    """Boxes begin at 10, 54 and are 124 px wide; that of `w` has two halves of 48 px, 8 between them."""
    markup = picture(bodies()).markup
    assert re.findall(r'<text class="(rg|tw|tg)" x="(\d+)" y="(\d+)">([^<]*)', markup) == [
        ("tw", "10", "64", "value"), ("tg", "10", "120", "∂L"),
    ]  # fmt: skip
    numbers = re.findall(r'<text class="\w+ nu" x="([\d.]+)" y="([\d.]+)">([^<]*)', markup)
    # x v w = 2 (1 + 4 + 9).
    assert numbers == [("133", "72.4", "28"), ("133", "97.4", "28")]
    assert markup.count('<g class="v">') == 11


def test_before_the_script_writes_bodies_they_are_painted_as_on_the_canvas(picture: Pictures) -> None:
    """The numbers below bars and sliders, the bounds of a level slider and the norm of a gradient are texts."""
    markup = picture(bodies()).markup
    texts = [re.findall(r">([^<>]+)</text>", part.partition("</g>")[0]) for part in markup.split('<g class="v">')[1:]]
    # w, that is 1, 2, 3, has a gradient of v times x, 2, 4, 6, with the norm sqrt 56.
    assert [item for item in texts if "|∂L| 7.48" in " ".join(item)]
    assert ["2", "0 … 5"] in [sorted(item, reverse=True) for item in texts]
    assert ["1", "2", "3"] in texts and ["0", "1", "2", "3", "4"] in texts
    assert "role=" not in markup.replace('role="group"', "").replace('role="switch"', "")


def test_the_few_numbers_of_a_constant_are_written_once_as_no_slider_changes_them(picture: Pictures) -> None:
    found = picture(with_block(bodies(), "few", "Constant", (0, 1600), value=np.array([7, 8])))
    assert "few" not in told(found) and re.findall(r">([^<>]*7\s+8)</text>", found.markup)


def test_blocks_without_a_value_that_are_muted_or_at_fault_are_painted_as_they_are(picture: Pictures) -> None:
    graph = with_block(Graph(), "x", "Input", (0, 0), value=np.array(1.0))
    graph = with_block(graph, "empty", "Constant", (0, 200), value=np.zeros(0))
    for at, name in enumerate(("free", "e", "muted", "loss")):
        graph = with_block(graph, name, "Loss" if name == "loss" else "Exp", (240 * (at + 1), 0))
    graph = wired(graph, "x.y > e.x", "e.y > muted.x", "muted.y > loss.x")
    graph = edits.set_muted(graph, "main", ["muted"], True)
    assert set(told(picture(graph))) == {"x", "e", "loss"}


def test_the_script_knows_wires_where_they_part_and_their_labels(picture: Pictures) -> None:
    graph = with_block(Graph(), "x", "Input", (0, 0), value=np.array(-1.0))
    for at, (name, kind) in enumerate((("l", "Log"), ("e", "Exp"), ("a", "Add"), ("loss", "Loss"))):
        graph = with_block(graph, name, kind, (300 * (at + 1), 100 * at))
    graph = wired(graph, "x.y > l.x", "x.y > e.x", "l.y > a.x", "e.y > a.y", "a.z > loss.x")
    made = picture(graph)
    script = made.script
    assert (script["name"], made.name) == ("main", "main")
    names = ["x.y>main/l.x", "x.y>main/e.x", "l.y>main/a.x", "e.y>main/a.y", "a.z>main/loss.x"]
    assert script["wires"] == [f"main/{name}" for name in names]
    # The wire at which NaN appears, and the two that leave x together.
    mirror = mirror_of(graph)
    assert script["breaks"] == np.flatnonzero(mirror.wire_breaks).tolist() != []
    assert script["dots"] == [[0, 1]] and made.markup.count('<circle class="dot ') == 1
    labels = script["labels"]
    assert isinstance(labels, list) and [item[0] for item in labels] == sorted({item[0] for item in labels})
    assert all(len(item) == 8 and item[2] in ("ACROSS", "ABOVE", "BELOW", "OVER", "UNDER", "RIGHT", "LEFT", "LEADER")
               for item in labels)  # fmt: skip
    assert made.markup.count('<g class="l ') == len(labels)


def test_images_are_painted_in_both_themes_and_say_that_they_stay(picture: Pictures) -> None:
    graph = wired(with_block(bodies(), "mo", "Monitor", (0, 1600)), "c.y > mo.x")
    made = picture(graph)
    mirror = mirror_of(graph)
    at = mirror.shapes[mirror.ids.index("mo")].body_box.center()
    assert "mo" not in told(made)
    (fixed,) = re.findall(r'<g class="fixed">(<g class="in-light">.*?</g><g class="in-dark">)', made.markup, re.S)
    assert fixed
    words = (
        f'<g class="now"><text class="m" x="{coordinate(at.x())}" y="{coordinate(at.y())}">as in the file</text></g>'
    )
    assert words in made.markup
