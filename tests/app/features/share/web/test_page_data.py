"""What a page's data holds beside its programs, its table of wires, and what it may load."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gradwire.app.features.share.web import html_page as module
from gradwire.app.features.share.web.html_page import Outfit, digest, html_page, page_parts, policy
from gradwire.app.features.share.web.page_choices import PageChoices
from gradwire.engine.edits import edits
from gradwire.engine.export.live.program import LiveProgram
from gradwire.engine.graph.graph import Graph, Port
from tests.app.canvas.pages import chain, example, with_block
from tests.engine.autodiff.test_pages import squares

Data = Callable[..., dict[str, Any]]


@pytest.fixture
def data(qapp: object, monkeypatch: pytest.MonkeyPatch) -> Data:
    """A function that returns the data of a graph's page beside its programs."""
    found: dict[str, Any] = {}
    packed = LiveProgram.packed

    def noted(program: LiveProgram, more: dict[str, object], *others: Any) -> str:
        found.update(more)
        return packed(program, more, *others)

    monkeypatch.setattr(LiveProgram, "packed", noted)

    def made(graph: Graph, **choices: Any) -> dict[str, Any]:
        found.clear()
        html_page(graph, "T", PageChoices(**choices))
        return found

    return made


@pytest.mark.parametrize(("first", "place"), [(None, 0), ("main", 0), ("squares", 1), ("elsewhere", 0)])
def test_a_page_begins_with_the_one_chosen(data: Data, first: str | None, place: int) -> None:
    inner = squares()
    graph = Graph(pages=(*chain(1.0).pages, inner))
    found = data(graph, first=inner.name if first == "squares" else first)
    assert found["first"] == place and [item["name"] for item in found["pages"]] == ["main", inner.name]


def test_data_name_losses_steps_and_words(data: Data) -> None:
    found = data(example("softmax_stable"))
    assert found["losses"] == ["main/loss"]
    assert found["order"] == [f"main/{name}" for name in ("loss", "p", "s", "e", "z", "stop", "m", "x")]
    assert "training" not in found and "train" not in found["words"]
    assert found["words"]["step"] == "Step {step} of {count}: {block}"
    assert found["graph"].startswith("{") and '"StopGradient"' in found["graph"]


def test_a_page_that_trains_has_the_training_and_its_words(data: Data) -> None:
    graph = edits.add_block(chain(1.0), "main", "Variable", id="w", at=(0, 300), parameters={"value": 2.0})[0]
    graph = edits.disconnect(graph, "main", next(w for w in graph.pages[0].wires.values() if str(w.target) == "e.x"))
    graph = edits.connect(graph, "main", Port("w", "y"), Port("e", "x"))
    found = data(graph, is_trained=True)
    assert "training" in found and found["words"]["train"] == "Train"
    assert "training" not in data(graph)


@pytest.mark.parametrize(("more", "is_there"), [(0, True), (1, False)])
def test_a_file_is_in_the_page_up_to_a_length(
    data: Data, monkeypatch: pytest.MonkeyPatch, more: int, is_there: bool
) -> None:
    length = len(data(chain(1.0))["graph"])
    monkeypatch.setattr(module, "LONGEST_FILE", length - more)
    assert bool(data(chain(1.0))["graph"]) is is_there
    assert ("data-do=graph" in html_page(chain(1.0), "T").text) is is_there


def test_the_table_has_a_row_for_each_wire_with_value_gradient_and_status(qapp: object) -> None:
    text = html_page(chain(1.0, 2.0), "T").text
    rows = re.findall(r"<tr data-wire=(\S+?)><th scope=row>([^<]*)<td>([^<]*)<td>([^<]*)<td>([^<]*)", text)
    assert [(name, *cells) for _, name, *cells in rows] == [
        ("main/x.y → main/e.x", "1 2", "7.87", "flows"),
        ("main/e.y → main/s.x", "2.72 7.39", "1.41", "flows"),
        ("main/s.y → main/loss.x", "10.1", "1", "flows"),
    ]
    heads = re.findall(r"<th scope=col>(\w+)", text)
    assert heads == ["Wire", "Value", "Gradient", "Status"]


@pytest.mark.parametrize(("graph", "loss"), [("chain", "L = 2.718"), ("none", ""), ("open", "")])
def test_the_header_tells_the_loss(qapp: object, graph: str, loss: str) -> None:
    made = {
        "chain": chain(1.0),
        "none": with_block(Graph(), "x", "Input", (0, 0), value=np.array(1.0)),
        "open": with_block(Graph(), "loss", "Loss", (0, 0)),
    }[graph]
    assert f"<span id=loss>{loss}</span>" in html_page(made, "T").text


def test_only_what_a_page_shows_has_its_scripts_glyphs_and_rules(qapp: object) -> None:
    def parts(graph: Graph) -> Any:
        return page_parts(graph, "T", PageChoices(), Outfit("light"))

    bars, curve, cells = (
        parts(with_block(Graph(), "x", "Constant", (0, 0), value=value))
        for value in (np.ones(5), np.arange(40.0), np.ones((2, 2)))
    )
    for found, name in ((bars, "bars"), (curve, "curve"), (cells, "cells")):
        assert {"bars", "curve", "cells"} & found.functions == {name}
    assert bars.scripts == ("engine", "bounds", "live", "draw", "share", "page") and bars.sheets == ("page",)
    assert (bars.refusal, bars.untrained, bars.held, bars.title) == ("", "", "", "T")
    assert 'id="m-tie"' not in bars.body.replace("id=m-tie", 'id="m-tie"')
    assert "id=m-flow" in bars.body


def test_a_browser_may_use_the_style_and_the_scripts_of_the_page_alone(qapp: object) -> None:
    text = html_page(chain(1.0), "T").text
    style = re.search(r"<style>(.*?)</style>", text, re.S)
    assert style is not None

    def sha(of: str) -> str:
        return "sha256-" + base64.b64encode(hashlib.sha256(of.encode()).digest()).decode()

    assert digest("abc") == "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="
    assert f"style-src '{sha(style[1])}'" in text
    (allowed,) = re.findall(r"script-src ([^;\"]*)", text)
    assert f"'{sha(module.STARTER)}'" in allowed and len(allowed.split()) == 2
    assert policy("A", "") == policy("A", "B").replace(";script-src B", "")
    assert "img-src data:" in policy("A", "B") and "img-src 'self'" in policy("A", "B", "'self'")
    assert f"<script>{module.STARTER}</script>" in text and "<script type=text/plain id=code>" in text


def test_a_page_that_does_not_live_has_no_script(qapp: object) -> None:
    broken = edits.disconnect(chain(1.0), "main", next(iter(chain(1.0).pages[0].wires.values())))
    text = html_page(broken, "T").text
    assert "<script" not in text and "script-src" not in text and text.endswith("</html>\n")
    assert "<p id=say role=status>This graph has an error" in text
    assert "<script" in html_page(chain(1.0), "T").text and " data-live=no" not in html_page(chain(1.0), "T").text
