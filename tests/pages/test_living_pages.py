"""Living pages in a browser: they run, say what the engine says, and follow mouse and keys."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path

import numpy as np
import pytest

import gradwire as gw
from gradwire import HOME
from gradwire.app.features.share.web.html_page import html_page
from gradwire.app.features.share.web.page_choices import PageChoices
from gradwire.app.features.share.web.texts import quoted
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.export.live.program import stops_of
from gradwire.engine.files.file_writing import dumps
from gradwire.engine.files.files import load
from gradwire.engine.graph.block_parameters import value_of, with_parameters
from gradwire.engine.graph.graph import Graph, Port
from tests.gallery import example, example_names
from tests.pages.browser import Browser
from tests.pages.judge import ROWS, faults, seen
from tests.pages.reading import attribute, block, opened, slider
from tests.sweeps import long

pytestmark = pytest.mark.usefixtures("qapp")
# One of each kind: bars and a stop, pages within pages, matrices, integers, a call of Python, several stops.
SIX = ("softmax_stable", "adv_l2_nostop", "attention", "vq", "newton", "gan_stop")
# Each sweep takes every second of them, so that each is tried somewhere every time.
TOLD, FED = ([name if name in some else long(name) for name in example_names()] for some in (SIX[::2], SIX[1::2]))
SLIDERS = "return [...document.querySelectorAll('[role=slider]')].map(node => node.getAttribute('aria-label'))"
MOVABLE = "([, places, frozen]) => !frozen && /float/.test(page.live.views[places[0][0]][3])"
CLASSES = "return [...document.querySelectorAll(arguments[0])].map(node => node.getAttribute('class'))"
HTML = "return document.querySelector('main').innerHTML"
# What cancels leaves a remainder or none, as the processor's library adds: 0 or ≈ 0.
WITHOUT_REMAINDERS = """const whole = document.querySelector('main').cloneNode(true);
for (const label of whole.querySelectorAll('.l.zero')) label.textContent = label.textContent.replace('\u2248 ', '');
return whole.innerHTML"""


@pytest.mark.parametrize("name", TOLD)
def test_a_page_says_what_the_engine_says(browser: Browser, tmp_path: Path, name: str) -> None:
    graph = example(name)
    opened(browser, tmp_path, graph, name)
    assert browser.run("return document.documentElement.dataset.live") == "yes"
    assert not browser.log("browser")
    assert len(browser.requests()) == 1
    # Wires, the dots where they part, and labels look as the file says.
    text = (tmp_path / f"{name}.html").read_text(encoding="utf-8").partition("<main>")[2].partition("</main>")[0]
    for look in ("w", "dot", "l"):
        said = re.findall(rf'<(?:g|circle) class="({look} [^"]*)"', text)
        assert browser.run(CLASSES, f"main .{look}") == said
    # The script would write what it has written already.
    before = browser.run(WITHOUT_REMAINDERS)
    browser.run("for (const picture of page.pictures) { picture.last.clear(); picture.show(false) }")
    if browser.rounds_as_chromium:
        assert browser.run(WITHOUT_REMAINDERS) == before
    assert not faults(browser, graph)


@pytest.mark.parametrize("name", FED)
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


@pytest.mark.parametrize("kind", ["mouse", long("touch")])
def test_a_knob_follows_the_hand(browser: Browser, tmp_path: Path, kind: str) -> None:
    opened(browser, tmp_path, example("softmax_stable"))
    browser.drag(browser.find(f"{slider('main/x[0]')} .kn"), [(0, -3)] * 6, kind)
    now = float(attribute(browser, slider("main/x[0]"), "aria-valuenow") or "nan")
    assert now > 2
    graph = with_parameters(example("softmax_stable"), "main/x", {"value": np.array([now, 3.0, 3.0])})
    assert not faults(browser, graph)


@pytest.mark.parametrize("way", ["Space", long("Enter"), long("click")])
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


@pytest.mark.parametrize("name", [long("softmax_stable"), "gan_stop"])
def test_a_page_may_begin_with_open_stops_and_reset_brings_them_back(
    browser: Browser, tmp_path: Path, name: str
) -> None:
    graph = example(name)
    stops = frozenset(stops_of(run_graph(graph)))
    opened(browser, tmp_path, graph, name, PageChoices(ignored_stops=None))
    before = browser.run(HTML)
    browser.run("for (const picture of page.pictures) { picture.last.clear(); picture.show(false) }")
    assert browser.run(HTML) == before
    assert not faults(browser, graph, stops)
    stop = f'[role=switch][aria-label$="{min(stops)}"]'
    browser.focus(stop)
    browser.press("Space")
    assert attribute(browser, stop, "aria-checked") == "true"
    assert not faults(browser, graph, stops - {min(stops)})
    browser.run("document.querySelector('[data-do=link]').click()")
    assert browser.run("return location.hash") == f"#{min(stops).partition('/')[2]}=closed"
    browser.run("document.querySelector('[data-do=reset]').click()")
    assert not faults(browser, graph, stops)


def test_a_page_may_begin_with_one_stop_open(browser: Browser, tmp_path: Path) -> None:
    graph = example("gan_stop")
    first = min(stops_of(run_graph(graph)))
    opened(browser, tmp_path, graph, choices=PageChoices(ignored_stops=frozenset([first])))
    assert not faults(browser, graph, frozenset([first]))
    stop = f'[role=switch][aria-label$="{first}"]'
    assert attribute(browser, stop, "aria-checked") == "false"
    browser.focus(stop)
    browser.press("Space")
    assert not faults(browser, graph)
    browser.run("document.querySelector('[data-do=reset]').click()")
    assert not faults(browser, graph, frozenset([first]))


def test_one_of_many_stops_is_open_at_first_and_then_all_turn_together(browser: Browser, tmp_path: Path) -> None:
    x = gw.Variable(np.array([1.0, 2.0]), name="x")
    stopped = [gw.StopGradient(x * number, name=f"s{number}") for number in range(1, 5)]
    graph = gw.graph(gw.Loss(gw.ReduceSum(gw.AddN(*stopped) * x), name="loss"))
    opened(browser, tmp_path, graph, choices=PageChoices(ignored_stops=frozenset(["main/s2"])))
    assert not faults(browser, graph, frozenset(["main/s2"]))
    browser.focus('[role=switch][aria-label$="main/s1"]')
    browser.press("Space")
    assert not faults(browser, graph, frozenset(f"main/s{number}" for number in range(1, 5)))
    browser.press("Space")
    assert not faults(browser, graph)


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


def test_a_decimal_point_goes_into_a_field(browser: Browser, tmp_path: Path) -> None:
    graph = field_page()
    opened(browser, tmp_path, graph)
    browser.focus(block("main/w"))
    browser.press("Enter")
    browser.press(*"1.5", "Enter", "Escape")
    value = np.arange(6.0).reshape(2, 3)
    value[0, 0] = 1.5
    assert not faults(browser, with_parameters(graph, "main/w", {"value": value}))


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


def test_a_level_slider_has_its_bounds_at_the_right_of_its_number(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, gw.graph(gw.Loss(gw.Exp(gw.Input(2.0, name="x")), name="loss")))
    texts = "return [...document.querySelectorAll('.sn, .rg')].map(node => node.textContent)"
    assert browser.run(texts) == ["2", "0 … 5"]


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


def test_nothing_is_loaded_and_no_other_script_runs(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, example("softmax_stable"))
    browser.run(
        "const item = document.createElement('script'); item.textContent = 'bad = 1'; document.body.append(item)"
    )
    assert browser.run("return typeof bad") == "undefined"
    load = "fetch('https://example.org').then(() => arguments[0]('loaded'), () => arguments[0]('refused'))"
    assert browser.run_later(load) == "refused"


def test_a_page_lives_in_a_frame_that_may_only_run_scripts(browser: Browser, tmp_path: Path) -> None:
    text = html_page(example("softmax_stable"), "softmax", PageChoices(is_embedded=True)).text
    frame = f'<!doctype html><body><iframe sandbox="allow-scripts" srcdoc="{quoted(text)}"></iframe>'
    (tmp_path / "frame.html").write_text(frame, encoding="utf-8")
    browser.send("url", {"url": (tmp_path / "frame.html").as_uri()})
    browser.send("frame", {"id": browser.find("iframe")})
    browser.wait("return document.documentElement.dataset.live === 'yes'")
    assert browser.run("return getComputedStyle(document.querySelector('h1')).display") == "none"
    browser.send("frame", {"id": None})


def test_a_graph_with_an_error_is_a_picture_with_a_sentence(browser: Browser, tmp_path: Path) -> None:
    graph, _ = edits.add_block(example("softmax_stable"), "main", "Exp", id="open")
    graph, _ = edits.add_block(graph, "main", "Loss", id="second")
    graph = edits.connect(graph, "main", Port("open", "y"), Port("second", "x"))
    opened(browser, tmp_path, graph)
    assert browser.run("return document.documentElement.dataset.live") == "no"
    assert "stay as they are" in browser.run("return document.querySelector('[role=status]').textContent")
    assert len(browser.run(ROWS)) == len(graph.page("main").wires)


def test_steps_go_back_from_the_loss_block_by_block(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, example("softmax_stable"))
    said = []
    for _ in range(3):
        browser.press(".")
        said.append(browser.run("return document.querySelector('.b.lit').dataset.path"))
    assert said == ["main/loss", "main/p", "main/s"]
    shown = "return [...document.querySelectorAll('.l .lg')].length"
    few = browser.run(shown)
    browser.press("Escape")
    assert browser.run(shown) > few > 0


def test_the_card_names_the_block_where_the_first_nan_arises_now(browser: Browser, tmp_path: Path) -> None:
    x = gw.Input(np.array([1.0, 2.0]), name="x")
    root = gw.Sqrt(x + 1, name="root")
    graph = gw.graph(gw.Loss(gw.ReduceSum(gw.Log(root, name="log")), name="loss"))
    opened(browser, tmp_path, graph)
    said = []
    for number in (1.0, -1.0, -2.0):
        browser.run("page.change('main/x', [arguments[0], 2])", number)
        browser.focus("[role=slider]")
        browser.press("Tab")
        browser.focus(block("main/log"))
        said.append(browser.run("return document.getElementById('card').textContent"))
    assert "arises" not in said[0]
    assert "first infinite number arises at main/log." in said[1]
    assert "first NaN arises at main/root." in said[2]


def test_what_a_block_tells_of_the_file_is_gone_when_numbers_move(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, example("softmax_naive"))
    seen_of = """return [...document.querySelectorAll(arguments[0] + ' text')].filter(item =>
        getComputedStyle(item).visibility === 'visible').map(item => item.textContent).join(' ')"""
    assert "starts here" in browser.run(seen_of, block("main/e"))
    browser.run("page.change('main/x', [1, 2, 3])")
    browser.frames()
    now = browser.run(seen_of, block("main/e"))
    assert "starts here" not in now and "7.39" in now
    browser.run("page.reset()")
    assert "starts here" in browser.run(seen_of, block("main/e"))


@pytest.mark.parametrize("name", ["softmax_stable", long("attention"), long("gan_stop"), long("vq")])
def test_what_moves_is_written_as_if_it_were_new(browser: Browser, tmp_path: Path, name: str) -> None:
    graph = example(name)
    opened(browser, tmp_path, graph, name)
    path = browser.run(f"return page.live.doc.sources.find({MOVABLE})[0]")
    value = value_of(graph.block(path))
    assert value is not None
    for factor in (1.01, 1.02, -300, 1.01):
        browser.run("page.change(arguments[0], arguments[1])", path, (factor * value).ravel().tolist())
        browser.frames()
        found = browser.run(HTML)
        browser.run("for (const picture of page.pictures) picture.last.clear(); page.show()")
        assert browser.run(HTML) == found


def test_a_small_move_makes_no_new_elements(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, example("softmax_stable"))
    browser.run("page.change('main/x', [1.1, 2.1, 3.1])")
    browser.frames()
    browser.run("""window.made = 0; new MutationObserver(all => { for (const {addedNodes, target} of all)
        if (target.localName !== 'text') made += addedNodes.length }).observe(document.querySelector('main'),
        {childList: true, subtree: true})""")
    browser.run("page.change('main/x', [1.11, 2.1, 3.1])")
    browser.frames()
    assert browser.run("return made") == 0


def test_a_picture_that_the_script_cannot_draw_says_so_once_numbers_move(browser: Browser, tmp_path: Path) -> None:
    graph = load(HOME / "assets" / "trainings" / "moons.graph").graph
    opened(browser, tmp_path, graph)
    shown = f"""return [...document.querySelectorAll('{block("main/boundary")} text')].filter(item =>
        item.textContent === 'as in the file').map(item => getComputedStyle(item).visibility)"""
    assert browser.run(shown) == ["hidden"]
    browser.run("page.change('main/b2', [1, 2])")
    browser.frames()
    assert browser.run(shown) == ["visible"]


def test_what_can_be_focused_has_a_role_and_a_name(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, example("adv_l2_nostop"))
    nameless = """return [...document.querySelectorAll('[tabindex="0"],button,summary')].filter(item =>
        !(item.getAttribute('aria-label') || item.textContent.trim()) ||
        !(item.getAttribute('role') || /^(button|summary)$/i.test(item.tagName))).map(item => item.outerHTML)"""
    assert browser.run(nameless) == []


@pytest.mark.parametrize("theme_name", [long("light"), "dark"])
def test_texts_can_be_read_on_their_ground(browser: Browser, tmp_path: Path, theme_name: str) -> None:
    opened(browser, tmp_path, example("softmax_stable"))
    browser.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme_name}])
    ink = "return [...document.querySelectorAll('.lv,.lg,.nu,.m,h1,#loss,button')].map(item => {"
    ink += "const style = getComputedStyle(item); return item.closest('svg') ? style.fill : style.color })"
    ground = browser.run("return getComputedStyle(document.body).backgroundColor")
    assert min(contrast(item, ground) for item in browser.run(ink)) >= 4.5
    browser.command("Emulation.setEmulatedMedia", features=[])


def contrast(one: str, other: str) -> float:
    """Returns the ratio of contrast of two colours. Source: WCAG 2.2, relative luminance."""
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def luminance(color: str) -> float:
    parts = [int(item) / 255 for item in re.findall(r"\d+", color)[:3]]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
