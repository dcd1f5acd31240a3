"""How pages go out: links to what is shown, files, frames in articles, and themes."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest

import gradwire as gw
from gradwire.app.features.share.web.html_page import html_page
from gradwire.app.features.share.web.page_choices import PageChoices, PageTheme
from gradwire.app.features.share.web.site import Site
from gradwire.engine.files.files import load
from gradwire.engine.graph.block_parameters import with_parameters
from tests.gallery import example, example_names
from tests.pages.browser import Browser
from tests.pages.judge import faults
from tests.pages.reading import attribute, opened, slider
from tests.sweeps import long

pytestmark = pytest.mark.usefixtures("qapp")
Result = TypeVar("Result")
SITES = [("softmax_stable", "gan_stop"), pytest.param(example_names(), marks=pytest.mark.long)]
SAID = "return document.getElementById('say').textContent"
BOX = "return document.querySelector('main > svg[viewBox]:not([hidden])').getAttribute('viewBox')"
SHOWN = "return document.querySelector('main > svg[viewBox]:not([hidden])').innerHTML"


def moved(numbers: list[float]) -> gw.Graph:
    return with_parameters(example("softmax_stable"), "main/x", {"value": np.array(numbers)})


def press(browser: Browser, key: str) -> None:
    """Clicks on the button of an action."""
    browser.drag(browser.find(f"button[data-do={key}]"), [])


def test_a_link_sets_numbers_stops_step_and_view(browser: Browser, tmp_path: Path) -> None:
    link = "#x=1,-2.5,3e2&main/stop=open&step=4&view=10,20,300,200"
    opened(browser, tmp_path, example("softmax_stable"), fragment=link)
    assert not faults(browser, moved([1.0, -2.5, 300.0]), frozenset(["main/stop"]))
    assert browser.run(SAID).startswith("Step 4 of ")
    assert browser.run(BOX) == "10 20 300 200"


def test_another_fragment_is_followed_from_the_state_of_the_file(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, example("softmax_stable"), fragment="#x=1,2,5&stop=open&step=2")
    browser.run("location.hash = '#stop=closed'")
    browser.frames()
    assert not faults(browser, example("softmax_stable"))
    assert browser.run(SAID) == ""


@pytest.mark.parametrize("name", ["softmax_stable", long("gan_stop")])
def test_a_copied_link_shows_the_same_again(browser: Browser, tmp_path: Path, name: str) -> None:
    opened(browser, tmp_path, example(name))
    browser.command("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    browser.focus("[role=slider]")
    browser.press("PageUp", "ArrowDown")
    browser.focus("[role=switch]")
    browser.press("Space", ",", ".", ".", "+")
    shown, box = browser.run(SHOWN), browser.run(BOX)
    press(browser, "link")
    link = browser.run("return location.href")
    assert link.startswith((tmp_path / "page.html").as_uri() + "#")
    browser.open(tmp_path / "page.html", link[link.index("#") :])
    assert browser.run(SHOWN) == shown
    assert [*map(float, browser.run(BOX).split())] == pytest.approx([*map(float, box.split())], abs=0.1)


HOSTILE = (
    "#x=%E0%A4%A&stop=__proto__&__proto__=3&constructor=1&view=NaN,1,1,1&step=-3&page=none",
    "#x=1,2&x=1,2,3,4&x=a,b,c&x=constructor,1,2&x=,,&view=1e999,1,1,1&step=1e999x&view=0,0,-1,-1",
    "#x=<img src=x onerror=bad=1>&main/x=javascript:bad=1&" + "a=1&" * 5000 + "%00=%00",
)


@pytest.mark.parametrize("fragment", [*map(long, HOSTILE[:2]), HOSTILE[2]], ids=["names", "numbers", "markup"])
def test_what_a_page_does_not_know_is_ignored(browser: Browser, tmp_path: Path, fragment: str) -> None:
    opened(browser, tmp_path, example("softmax_stable"), fragment=fragment)
    assert browser.run("return document.documentElement.dataset.live") == "yes"
    assert browser.run("return typeof bad") == "undefined" and not browser.log("browser")
    assert not faults(browser, example("softmax_stable"))


def test_a_view_of_a_link_shows_some_of_the_page(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, example("softmax_stable"), fragment="#view=1e9,-1e9,1e-9,1e12&step=1e300")
    left, top, width, height = map(float, browser.run(BOX).split())
    assert max(map(abs, (left, top, width, height))) < 1e5 and width >= 40
    assert "Step 8 of 8" in browser.run(SAID)


def test_numbers_that_do_not_fit_a_dtype_are_ignored(browser: Browser, tmp_path: Path) -> None:
    n = gw.Input(np.array([2, 5]), name="n")
    graph = gw.graph(gw.Loss(gw.ReduceSum(gw.Cast(n, dtype="float64") * gw.Input(2.0, name="step")), name="loss"))
    opened(browser, tmp_path, graph, fragment="#n=2.5,1&main/step=7")
    assert not faults(browser, with_parameters(graph, "main/step", {"value": np.array(7.0)}))
    assert attribute(browser, slider("main/n[0]"), "aria-valuenow") == "2"


def test_the_graph_comes_out_of_its_page(browser: Browser, tmp_path: Path) -> None:
    graph = example("gan_stop")
    opened(browser, tmp_path, graph, "gan")
    browser.command("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path), eventsEnabled=False)
    press(browser, "graph")
    for _ in range(200):
        if (tmp_path / "gan.graph").exists():
            break
        browser.frames()
    assert load(tmp_path / "gan.graph").graph == graph
    assert not browser.log("browser")


@pytest.mark.parametrize("theme", [long("auto"), "dark", long("light")])
def test_a_theme_holds_whatever_the_system_has(browser: Browser, tmp_path: Path, theme: PageTheme) -> None:
    opened(browser, tmp_path, example("softmax_stable"), choices=PageChoices(theme=theme))
    grounds = []
    for system in ("light", "dark"):
        browser.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": system}])
        found = browser.run("return getComputedStyle(document.body).backgroundColor.match(/[0-9]+/)[0]")
        grounds.append("light" if int(found) > 128 else "dark")
    browser.command("Emulation.setEmulatedMedia", features=[])
    assert grounds == (["light", "dark"] if theme == "auto" else [theme, theme])


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    """The address of a server of a folder."""
    make = functools.partial(Quiet, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), make) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


class Quiet(SimpleHTTPRequestHandler):
    """A server that says nothing."""

    def log_message(self, format: str, *arguments: object) -> None:
        """Says nothing."""


@pytest.mark.parametrize("names", SITES)
def test_every_page_of_a_site_lives_on_a_server(
    browser: Browser, tmp_path: Path, served: str, names: tuple[str, ...]
) -> None:
    site = Site(tmp_path, [f"{name}.graph" for name in names], [])
    site.write(map(example, names), PageChoices())
    browser.log("browser")
    browser.send("url", {"url": f"{served}/index.html"})
    links = browser.run("return [...document.querySelectorAll('main a')].map(item => item.href)")
    assert links == [f"{served}/{name}.html" for name in names]
    # Those far below are loaded only when somebody comes near.
    browser.run("document.querySelectorAll('img').forEach(item => { item.loading = 'eager' })")
    browser.wait("return [...document.querySelectorAll('img')].every(item => item.naturalWidth > 0)")
    for name, link in zip(names, links, strict=True):
        browser.visit(link)
        assert browser.run("return document.documentElement.dataset.live") == "yes"
        assert "web server" not in browser.run("return document.body.innerText")
        assert not faults(browser, example(name))
    # A browser may ask for an icon, which no site has.
    assert not [line for line in browser.log("browser") if "favicon" not in line]


def test_a_page_of_a_site_says_that_it_needs_a_server(browser: Browser, tmp_path: Path) -> None:
    Site(tmp_path, ["a.graph"], []).write([example("softmax_stable")], PageChoices())
    browser.send("url", {"url": (tmp_path / "a.html").as_uri()})
    assert "web server" in browser.run("return document.body.innerText")
    browser.log("browser")


@pytest.fixture
def article(browser: Browser, tmp_path: Path) -> Browser:
    """A notebook or article with a graph in a frame, and enough text below it to scroll."""
    graph: Any = example("softmax_stable")
    frame = graph._repr_mimebundle_()["text/html"]
    text = f"<!doctype html><body style='width:900px'>{frame}<p>{'text<br>' * 200}"
    (tmp_path / "article.html").write_text(text, encoding="utf-8")
    browser.send("url", {"url": (tmp_path / "article.html").as_uri()})
    inside(browser, lambda: browser.wait("return document.documentElement.dataset.live === 'yes'"))
    return browser


def inside(browser: Browser, do: Callable[[], Result]) -> Result:
    """Returns what a function finds in the frame of an article."""
    browser.send("frame", {"id": browser.find("iframe")})
    found = do()
    browser.send("frame", {"id": None})
    return found


def test_a_page_lives_in_a_notebook(article: Browser) -> None:
    def count() -> int:
        article.focus(slider("main/x[0]"))
        article.press("PageUp")
        assert attribute(article, slider("main/x[0]"), "aria-valuenow") != "1"
        # Its address is that of nobody, and a frame may not download.
        shown = "return [...document.querySelectorAll('#tools button')].filter(item => item.offsetWidth)"
        return len(article.run(f"{shown}.filter(item => /link|graph/.test(item.dataset.do))"))

    assert inside(article, count) == 0


def test_the_wheel_moves_an_article_until_the_reader_is_in_the_frame(article: Browser) -> None:
    def box() -> str:
        return str(inside(article, lambda: article.run(BOX)))

    frame, whole = article.find("iframe"), box()
    article.wheel(frame, 120)
    assert article.run("return scrollY") > 0 and box() == whole
    article.run("scrollTo(0, 0)")
    article.wheel(frame, -120, held=["Control"])
    nearer = box()
    assert article.run("return scrollY") == 0 and nearer != whole
    article.drag(frame, [])
    article.wheel(frame, 120)
    assert article.run("return scrollY") == 0 and box() != nearer


def test_a_finger_moves_an_article_and_a_slider(article: Browser) -> None:
    def slide() -> str | None:
        article.drag(article.find(f"{slider('main/x[0]')} .kn"), [(0, -4)] * 8, "touch")
        return attribute(article, slider("main/x[0]"), "aria-valuenow")

    assert float(inside(article, slide) or "nan") > 2
    assert article.run("return scrollY") == 0
    inside(article, lambda: article.drag(article.find("main > svg[viewBox]"), [(0, -10)] * 12, "touch"))
    assert article.run("return scrollY") > 0


def test_a_report_begins_at_the_guilty_block(browser: Browser, tmp_path: Path) -> None:
    w, v = gw.Variable([1.0, 2.0], name="w"), gw.Variable([1.0], name="v")
    gw.why(gw.Loss(gw.ReduceSum(gw.StopGradient(w * 2, name="stop")) + v * 0.0, name="loss")).save(tmp_path / "a.html")
    browser.open(tmp_path / "a.html")
    lit = "return [...document.querySelectorAll('.b.lit')].map(item => item.dataset.path)"
    card = "const card = document.getElementById('card'); return card.hidden ? '' : card.textContent"
    assert browser.run(lit) == ["main/stop"]
    assert 'StopGradient "stop" cuts every path' in browser.run(card)
    assert "float64 [2]" in browser.run(card)
    browser.drag(browser.find("[data-at='main/Multiply_1']"), [])
    assert browser.run(lit) == ["main/Multiply_1"]
    assert "multiplies it by a constant" in browser.run(card)
    browser.press("Escape")
    assert (browser.run(lit), browser.run(card)) == ([], "")


@pytest.fixture
def phone(browser: Browser) -> Iterator[Browser]:
    """A browser as small as a phone."""
    browser.command("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=1, mobile=True)
    yield browser
    browser.command("Emulation.clearDeviceMetricsOverride")


def test_a_phone_begins_at_the_loss_where_it_can_be_read(phone: Browser, tmp_path: Path) -> None:
    opened(phone, tmp_path, example("gan_stop"))
    loss = "const loss = document.querySelector('[data-path=\"main/L_G\"]'), box = loss.getBoundingClientRect();"
    left, right, top, bottom, scale = phone.run(
        f"{loss} return [box.left, box.right, box.top, box.bottom, loss.ownerSVGElement.getScreenCTM().a]"
    )
    assert 0 <= left < right <= 390 and 0 < top < bottom < 844
    # The smallest texts have 10 px at 100 %.
    assert scale == pytest.approx(0.85, abs=0.01)
    assert phone.run("return document.documentElement.scrollWidth") == 390
    # What nobody has chosen is not in a link.
    assert "view=" not in phone.run("document.querySelector('[data-do=link]').click(); return location.hash")


def test_without_its_script_a_page_shows_all_pages_and_says_so(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(html_page(example("gan_stop"), "gan").text, encoding="utf-8")
    browser.command("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.send("url", {"url": (tmp_path / "a.html").as_uri()})
        text = browser.run("return document.body.innerText")
        heights = browser.run("return [0, 1].map(k => document.getElementById('g' + k).getBoundingClientRect().height)")
    finally:
        browser.command("Emulation.setScriptExecutionDisabled", value=False)
    assert "Without its script the numbers on this page stay as they are." in text and "Reset" not in text
    assert min(heights) > 100


@pytest.mark.parametrize("theme", ["dark", long("light")])
def test_paper_is_white_whatever_the_theme(browser: Browser, tmp_path: Path, theme: PageTheme) -> None:
    opened(browser, tmp_path, example("softmax_stable"), choices=PageChoices(theme=theme))
    browser.command("Emulation.setEmulatedMedia", media="print")
    ink = browser.run("return getComputedStyle(document.body).color.match(/[0-9]+/)[0]")
    tools = browser.run("return document.getElementById('tools').offsetHeight")
    browser.command("Emulation.setEmulatedMedia", media="")
    assert int(ink) < 64 and tools == 0
