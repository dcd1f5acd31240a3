"""Living pages in a browser: they run, say what the engine says, and follow mouse and keys."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import gradwire as gw
from gradwire.app.web.html_page import html_page
from gradwire.engine.files.file_writing import dumps
from gradwire.engine.files.files import load
from gradwire.engine.graph.block_parameters import value_of, with_parameters
from gradwire.engine.graph.graph import Graph
from tests.gallery import example, example_names
from tests.pages.browser import Browser, chromium
from tests.pages.judge import faults, seen
from tests.sweeps import long

pytestmark = pytest.mark.usefixtures("qapp")
# One of each kind: bars and a stop, pages within pages, matrices, integers, a call of Python, several stops.
SIX = ("softmax_stable", "adv_l2_nostop", "attention", "vq", "newton", "gan_stop")
NAMES = [*SIX, *(long(name) for name in example_names() if name not in SIX)]
SLIDERS = "return [...document.querySelectorAll('[role=slider]')].map(node => node.getAttribute('aria-label'))"
MOVABLE = "([, places, frozen]) => !frozen && /float/.test(page.live.views[places[0][0]][3])"
HTML = "return document.querySelector('main').innerHTML"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


def opened(browser: Browser, folder: Path, graph: Graph, name: str = "page") -> Browser:
    """Opens the page of a graph."""
    path = folder / f"{name}.html"
    path.write_text(html_page(graph, name).text, encoding="utf-8")
    browser.log("browser")
    browser.requests()
    browser.open(path)
    return browser


def slider(name: str) -> str:
    return f'[role=slider][aria-label$="{name}"]'


def block(path: str) -> str:
    return f'.b[data-path="{path}"]'


def attribute(browser: Browser, selector: str, name: str) -> str | None:
    found: str | None = browser.run(
        "return document.querySelector(arguments[0]).getAttribute(arguments[1])", selector, name
    )
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_page_says_what_the_engine_says(browser: Browser, tmp_path: Path, name: str) -> None:
    graph = example(name)
    opened(browser, tmp_path, graph, name)
    assert browser.run("return document.documentElement.dataset.live") == "yes"
    assert not browser.log("browser")
    assert len(browser.requests()) == 1
    # The script would write what the file says already.
    before = browser.run(HTML)
    browser.run("for (const picture of page.pictures) { picture.last.clear(); picture.show(false) }")
    assert browser.run(HTML) == before
    assert not faults(browser, graph)


@pytest.mark.parametrize("name", NAMES)
def test_numbers_typed_into_fields_are_those_of_a_feed(browser: Browser, tmp_path: Path, name: str) -> None:
    graph = example(name)
    opened(browser, tmp_path, graph, name)
    choose = np.random.default_rng(len(name))
    for path in browser.run(f"return page.live.doc.sources.filter({MOVABLE}).map(item => item[0])"):
        value = value_of(graph.block(path))
        assert value is not None
        other = (value * choose.uniform(-1.5, 3, value.shape)).astype(value.dtype)
        graph = with_parameters(graph, path, {"value": other})
        browser.run("page.change(arguments[0], arguments[1])", path, other.ravel().astype(float).tolist())
    browser.frames()
    assert not faults(browser, graph)


def test_a_page_and_its_script_are_small(qapp: object) -> None:
    text = html_page(example("softmax_stable"), "softmax_stable").text
    assert len(text.encode()) <= 60 * 1024
    (code,) = re.findall(r"id=code>([^<]*)<", text)
    assert len(zlib.decompress(base64.b64decode(code), -15)) <= 40 * 1024


def test_the_same_graph_gives_the_same_page() -> None:
    pages = [html_page(example("gan_stop"), "gan").text for _ in range(2)]
    assert pages[0] == pages[1]
    assert str(Path.home()) not in pages[0]


def test_keys_move_a_slider_by_a_hundredth_and_a_tenth_of_its_range(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, example("softmax_stable"))
    assert browser.run(SLIDERS) == [f"x main/x[{place}]" for place in range(3)]
    knob = slider("main/x[1]")
    browser.focus(knob)
    low, high = (float(attribute(browser, knob, f"aria-value{end}") or "nan") for end in ("min", "max"))
    browser.press("ArrowUp", "ArrowUp", "ArrowDown")
    browser.press("ArrowUp", held=["Shift"])
    browser.press("PageDown", "PageUp")
    now = float(attribute(browser, knob, "aria-valuenow") or "nan")
    assert now == pytest.approx(3 + 0.11 * (high - low))
    graph = with_parameters(example("softmax_stable"), "main/x", {"value": np.array([1.0, now, 3.0])})
    assert not faults(browser, graph)
    for key, end in (("Home", low), ("End", high)):
        browser.press(key)
        assert float(attribute(browser, knob, "aria-valuenow") or "nan") == end


@pytest.mark.parametrize("kind", ["mouse", "touch"])
def test_a_knob_follows_the_hand(browser: Browser, tmp_path: Path, kind: str) -> None:
    opened(browser, tmp_path, example("softmax_stable"))
    browser.drag(browser.find(f"{slider('main/x[0]')} .kn"), [(0, -3)] * 6, kind)
    now = float(attribute(browser, slider("main/x[0]"), "aria-valuenow") or "nan")
    assert now > 2
    graph = with_parameters(example("softmax_stable"), "main/x", {"value": np.array([now, 3.0, 3.0])})
    assert not faults(browser, graph)


@pytest.mark.parametrize("way", ["Space", "Enter", "click"])
def test_a_stop_is_a_switch(browser: Browser, tmp_path: Path, way: str) -> None:
    opened(browser, tmp_path, example("softmax_stable"))
    stop = '[role=switch][aria-label$="main/stop"]'
    assert attribute(browser, stop, "aria-checked") == "true"
    if way == "click":
        browser.drag(browser.find(f"{stop} text"), [])
    else:
        browser.focus(stop)
        browser.press(way)
    assert attribute(browser, stop, "aria-checked") == "false"
    assert not faults(browser, example("softmax_stable"), frozenset(["main/stop"]))


def test_each_of_several_stops_is_turned_alone(browser: Browser, tmp_path: Path) -> None:
    graph = example("gan_stop")
    opened(browser, tmp_path, graph)
    stops = browser.run(
        "return [...document.querySelectorAll('[role=switch]')].map(b => b.dataset.result || b.dataset.path)"
    )
    assert len(stops) > 1
    for stop in stops:
        browser.focus(f'[role=switch][aria-label$="{stop}"]')
        browser.press("Space")
        assert not faults(browser, graph, frozenset([stop]))
        browser.press("Space")


def test_reset_brings_everything_back_letter_for_letter(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, example("softmax_stable"))
    rows, before = seen(browser), browser.run("return document.querySelector('table').outerHTML")
    browser.focus(slider("main/x[2]"))
    browser.press("ArrowDown", "PageDown")
    browser.focus("[role=switch]")
    browser.press("Space")
    assert seen(browser) != rows
    browser.drag(browser.find("button[data-do=reset]"), [])
    assert browser.run("return document.querySelector('table').outerHTML") == before
    assert attribute(browser, "[role=switch]", "aria-checked") == "true"


def field_page() -> Graph:
    x = gw.Variable(np.arange(6.0).reshape(2, 3), name="w")
    i = gw.Input(np.array([0, 2]), name="i")
    picked = gw.Gather(x, i, axis=1)
    return gw.graph(gw.Loss(gw.ReduceSum(gw.Square(picked)), name="loss"))


def test_enter_opens_fields_for_the_numbers_of_a_source(browser: Browser, tmp_path: Path) -> None:
    graph = field_page()
    opened(browser, tmp_path, graph)
    browser.focus(block("main/w"))
    browser.press("Enter")
    names = browser.run("return [...document.querySelectorAll('input')].map(item => item.getAttribute('aria-label'))")
    assert names == [f"main/w[{place}]" for place in range(6)]
    browser.run("const field = document.querySelectorAll('input')[3]; field.focus(); field.select()")
    browser.press(*"-inf")
    browser.press("Enter")
    value = np.arange(6.0).reshape(2, 3)
    value[1, 0] = -np.inf
    graph = with_parameters(graph, "main/w", {"value": value})
    assert not faults(browser, graph)
    browser.press("Escape")
    assert browser.run("return document.activeElement.dataset.path") == "main/w"
    assert not browser.run(
        "return document.querySelectorAll('input').length && !document.getElementById('card').hidden"
    )


def test_an_index_out_of_range_is_unknown_as_in_the_command(browser: Browser, tmp_path: Path) -> None:
    graph = field_page()
    opened(browser, tmp_path, graph)
    browser.run("page.change('main/i', [0, 7])")
    browser.frames()
    assert not faults(browser, with_parameters(graph, "main/i", {"value": np.array([0, 7])}))
    assert browser.run("return document.getElementById('say').textContent")
    browser.run("page.change('main/i', [1, 2])")
    browser.frames()
    assert not faults(browser, with_parameters(graph, "main/i", {"value": np.array([1, 2])}))


def test_sliders_hold_whole_numbers_and_infinity(browser: Browser, tmp_path: Path) -> None:
    x, n = gw.Input(np.array([-np.inf, 1.0]), name="x"), gw.Input(np.array([2, 5]), name="n")
    graph = gw.graph(gw.Loss(gw.ReduceSum(gw.Exp(x) * gw.Cast(n, dtype="float64")), name="loss"))
    opened(browser, tmp_path, graph)
    knob = slider("main/x[0]")
    assert attribute(browser, knob, "aria-valuenow") is None
    assert attribute(browser, knob, "aria-valuetext") == "-inf"
    before = browser.run(HTML)
    browser.run("page.show()")
    assert browser.run(HTML) == before
    whole = slider("main/n[1]")
    assert attribute(browser, whole, "aria-valuenow") == "5"
    browser.focus(whole)
    browser.press("ArrowUp")
    assert attribute(browser, whole, "aria-valuenow") == "6"
    assert not faults(browser, with_parameters(graph, "main/n", {"value": np.array([2, 6])}))


def test_a_function_that_the_script_lacks_leaves_the_rest_alive(browser: Browser, tmp_path: Path) -> None:
    x, y = gw.Input(0.5, name="x"), gw.Input(2.0, name="y")
    graph = gw.graph(gw.Loss(gw.Digamma(x) + gw.Square(y), name="loss"))
    opened(browser, tmp_path, graph)
    assert browser.run("return document.documentElement.dataset.live") == "yes"
    browser.run("page.change('main/y', [3])")
    browser.frames()
    other = with_parameters(graph, "main/y", {"value": np.array(3.0)})
    assert not faults(browser, other)
    browser.run("page.change('main/x', [0.75])")
    browser.frames()
    rows = seen(browser)
    unknown = [key for key, row in rows.items() if row.status == "unknown"]
    assert unknown and all(rows[key].value is None or rows[key].gradient is None for key in unknown)
    assert all("main/y" not in key for key in unknown)


HOSTILE = '"><img src=x onerror="window.bad=1"></script><script>window.bad=2</script>${window.bad=3}'


def test_names_are_only_letters(browser: Browser, tmp_path: Path) -> None:
    graph = gw.graph(gw.Loss(gw.ReduceSum(gw.Exp(gw.Input(np.array([1.0, 2.0]), name="x"))), name="loss"))
    document = json.loads(dumps(graph))
    for item in document["pages"][0]["blocks"]:
        item["label"] = HOSTILE
    (tmp_path / "hostile.graph").write_text(json.dumps(document), encoding="utf-8")
    graph = load(tmp_path / "hostile.graph").graph
    text = html_page(graph, HOSTILE).text
    (tmp_path / "page.html").write_text(text, encoding="utf-8")
    browser.open(tmp_path / "page.html")
    browser.focus(block("main/x"))
    browser.press("Enter")
    assert browser.run("return window.bad === undefined && !document.querySelector('img,a')")
    assert HOSTILE in browser.run("return document.querySelector('h1').textContent")
