"""Pages that train, in a browser: their rounds are those of the trainer, and the graph shows the newest one."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import gradwire as gw
from gradwire import HOME
from gradwire.app.features.share.web.html_page import HtmlPage, html_page
from gradwire.app.features.share.web.page_choices import PageChoices
from gradwire.app.features.share.web.training_bar import training_words
from gradwire.engine.base.errors import GradwireError
from gradwire.engine.export.live.program import live_program
from gradwire.engine.export.live.trainable import live_training
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.trainer import Trainer, TrainingStopped
from tests.pages.browser import Browser, chromium
from tests.pages.judge import faults, seen
from tests.sweeps import long
from tools.condense_pages import OWN

pytestmark = pytest.mark.usefixtures("qapp")
NAMES = sorted(path.stem for path in (HOME / "assets" / "trainings").glob("*.graph"))
# One with a stop, one with several steps and noise, and one with shuffled batches.
FEW = ("gan_twice", "moons")
REFUSED, DRAWN_INSIDE = ("glyphs_cnn",), ("rbm_cd5",)
RUN, ONCE, START = ('[data-train="run"]', '[data-train="once"]', '[data-train="start"]')
FULL_SPEED = '[data-pace=""]'
NUMBERS = "const {live} = page; return live.doc.sources.map(([path, [[view]]]) => [path, Array.from(live.at(view))])"
TABLE = "return document.querySelector('table').outerHTML"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


def training(name: str) -> Graph:
    return load(HOME / "assets" / "trainings" / f"{name}.graph").graph


def opened(browser: Browser, folder: Path, graph: Graph) -> HtmlPage:
    """Opens the page of a graph that trains."""
    made = html_page(graph, "page", PageChoices(is_trained=True))
    (folder / "page.html").write_text(made.text, encoding="utf-8")
    browser.log("browser")
    browser.open(folder / "page.html")
    assert browser.run("return document.documentElement.dataset.live") == "yes"
    return made


def click(browser: Browser, selector: str) -> None:
    browser.drag(browser.find(selector), [])


def rounds(browser: Browser) -> int:
    return int(browser.run("return document.getElementById('round').textContent.replace(',', '')"))


def said(browser: Browser) -> str:
    return str(browser.run("return document.getElementById('say').textContent"))


def run_to(browser: Browser, count: int) -> None:
    """Trains at full speed up to a round, as if the plan ended there."""
    browser.run("page.desk.doc.until = arguments[0]", count)
    click(browser, FULL_SPEED)
    click(browser, RUN)
    browser.wait("return !page.desk.isOn", 120)
    browser.frames()


def trained(graph: Graph, count: int, opened: frozenset[str] = frozenset()) -> tuple[Trainer, list[float]]:
    """Returns a trainer after some rounds, and the losses of its first step."""
    trainer, losses = Trainer(graph, ignored_stops=opened), []
    for _ in range(count):
        losses.append(next(iter(trainer.run_round().losses.values()), np.nan))
    return trainer, losses


@pytest.mark.parametrize(
    ("name", "count"), [*((name, 25) for name in FEW), *(long((name, 40)) for name in NAMES if name not in REFUSED)]
)
def test_the_graph_shows_the_numbers_of_the_newest_round(
    browser: Browser, tmp_path: Path, name: str, count: int
) -> None:
    graph = training(name)
    opened(browser, tmp_path, graph)
    run_to(browser, count)
    assert rounds(browser) == count
    trainer, losses = trained(graph, count)
    found = [np.nan if item is None else item for item in browser.run("return page.desk.first.losses[0]")[:count]]
    assert found == pytest.approx(losses, rel=1e-9, nan_ok=True)
    # A page that is used several times shows there what each use draws; in the graph all have one seed.
    assert name in DRAWN_INSIDE or not faults(browser, trainer.shown_graph)
    assert not browser.log("browser")


def test_two_trainings_begin_alike_and_differ_by_the_stop(browser: Browser, tmp_path: Path) -> None:
    graph = training("simsiam")
    opened(browser, tmp_path, graph)
    run_to(browser, 400)
    losses = [trained(graph, 401, stops)[1] for stops in (frozenset[str](), frozenset(["main/sg"]))]
    assert losses[0][0] == losses[1][0]
    assert said(browser) == f"Round 400: L {losses[0][400]:.3g}, without the stop {losses[1][400]:.1e}".replace(
        "e-", "e−"
    )
    assert browser.run("return document.querySelectorAll('#curve path').length") == 2
    click(browser, "[role=switch] text")
    other, _ = trained(graph, 400, frozenset(["main/sg"]))
    assert not faults(browser, other.shown_graph, frozenset(["main/sg"]))


def test_rows_held_back_are_measured_beside_the_loss(browser: Browser, tmp_path: Path) -> None:
    graph = training("moons")
    graph = replace(graph, training={**graph.training, "test_every": 2})
    made = opened(browser, tmp_path, graph)
    assert made.held.endswith("It holds the rows held back, too.")
    run_to(browser, 3)
    shown = browser.run("return document.getElementById('measured').textContent")
    trainer = Trainer(graph)
    test = [trainer.run_round().test for _ in range(3)][2]
    for number in test.values():
        assert f"held back{number:.3g}" in shown.replace("\u2212", "-")


def test_a_page_without_data_says_where_held_back_rows_are_measured(qapp: object) -> None:
    said = "Rows held back are measured in Gradwire only."
    assert said in html_page(training("moons"), "moons", PageChoices(is_trained=True, has_data=False)).text
    assert said not in html_page(training("moons"), "moons", PageChoices(is_trained=True)).text


def test_nothing_trains_before_somebody_wants_it(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, training("xor"))
    before = browser.run("return document.querySelector('main').innerHTML")
    browser.frames()
    assert rounds(browser) == 0
    assert browser.run("return document.querySelector('main').innerHTML") == before


def test_keys_train_pause_and_go_on_round_by_round(browser: Browser, tmp_path: Path) -> None:
    graph = training("xor")
    opened(browser, tmp_path, graph)
    browser.focus(ONCE)
    browser.press("Space", "Enter")
    assert rounds(browser) == 2
    assert said(browser).startswith("Round 2: L ")
    browser.focus(RUN)
    browser.press("Enter")
    assert browser.run("return document.activeElement.textContent") == "Pause"
    browser.press("Space")
    assert browser.run("return document.activeElement.textContent") == "Train"
    done = rounds(browser)
    assert said(browser).startswith(f"Round {done:,}: L ")
    assert not faults(browser, trained(graph, done)[0].shown_graph)
    browser.focus('[data-pace="10"]')
    browser.press("ArrowRight")
    assert browser.run("return document.querySelector('[data-pace=\"\"]').getAttribute('aria-checked')") == "true"


@pytest.mark.parametrize("way", [long("reset"), "start"])
def test_the_way_back_leads_to_the_numbers_of_before(browser: Browser, tmp_path: Path, way: str) -> None:
    opened(browser, tmp_path, training("moons"))
    rows, before = seen(browser), browser.run(TABLE)
    run_to(browser, 20)
    assert seen(browser) != rows
    click(browser, START if way == "start" else "button[data-do=reset]")
    assert browser.run(TABLE) == before
    assert rounds(browser) == 0
    assert browser.run("return page.desk.first.value('main/W1')") == browser.run(
        "return Array.from(page.live.sources.get('main/W1').start)"
    )


def test_a_training_begins_with_the_numbers_of_the_reader(browser: Browser, tmp_path: Path) -> None:
    graph = training("linear_regression")
    opened(browser, tmp_path, graph)
    trainer = Trainer(graph)
    name = trainer.steps[0].trained[0]
    other = np.full(trainer.values[name].shape, 0.25)
    trainer.feed(name, other)
    browser.run("page.change(arguments[0], arguments[1])", name, other.ravel().tolist())
    before = seen(browser)
    click(browser, ONCE)
    loss = next(iter(trainer.run_round().losses.values()))
    assert browser.run("return page.desk.first.losses[0][0]") == pytest.approx(loss, rel=1e-9)
    assert seen(browser) != before
    click(browser, START)
    assert seen(browser) == before


def test_a_field_changes_the_rate_from_the_next_round_on(browser: Browser, tmp_path: Path) -> None:
    graph = training("xor")
    opened(browser, tmp_path, graph)
    browser.run("document.querySelector('[data-rate]').select()")
    browser.focus("[data-rate]")
    browser.press(*"0.125")
    browser.press("Enter")
    click(browser, ONCE)
    assert browser.run("return page.desk.trainers.map(item => item.rate(0))") == [0.125]
    browser.run("document.querySelector('[data-rate]').select()")
    browser.focus("[data-rate]")
    browser.press(*"-1")
    browser.press("Enter")
    assert browser.run("return document.querySelector('[data-rate]').getAttribute('aria-invalid')") == "true"
    assert "-1 is no number that fits here" in said(browser)
    assert browser.run("return page.desk.first.rate(0)") == 0.125


def test_ten_seconds_are_enough_for_a_whole_plan(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, training("xor"))
    due = browser.run(
        "const {desk} = page; desk.choose(document.querySelector('[data-pace=\"10\"]')); desk.due(5000);"
        "return [0, 10, 1000, 10000].map(ms => { desk.first.n = desk.due(5000 + ms); return desk.first.n })"
    )
    assert due == [0, 2, 200, 2000]


@pytest.mark.parametrize(("name", "is_short"), [("simsiam", True), long(("digits_descent", False))])
def test_a_link_holds_the_trained_numbers_or_where_they_are_too_many_the_start(
    browser: Browser, tmp_path: Path, name: str, is_short: bool
) -> None:
    opened(browser, tmp_path, training(name))
    browser.command("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    start = browser.run(NUMBERS)
    click(browser, ONCE)
    click(browser, "button[data-do=link]")
    browser.wait("return document.getElementById('say').textContent.startsWith('The link')")
    assert ("start of this training" in said(browser)) != is_short
    expected, link = browser.run(NUMBERS) if is_short else start, browser.run("return location.hash")
    assert len(link) < 200 and bool(link) == is_short
    browser.open(tmp_path / "page.html", link)
    assert browser.run(NUMBERS) == expected


def test_a_training_that_overflows_stops_before_it_writes(browser: Browser, tmp_path: Path) -> None:
    graph = gw.graph(gw.Loss(gw.Exp(gw.Variable(2.0, name="w")), name="loss"))
    steps = [{"maximize": True, "rule": {"type": "descent", "rate": 1.0}}]
    graph = replace(graph, training={"steps": steps, "until": {"steps": 50}})
    opened(browser, tmp_path, graph)
    click(browser, FULL_SPEED)
    click(browser, RUN)
    browser.wait("return !page.desk.isOn")
    trainer = Trainer(graph)
    with contextlib.suppress(TrainingStopped):
        for _ in range(50):
            trainer.run_round()
    assert rounds(browser) == trainer.round > 0
    assert said(browser).startswith(f"Round {trainer.round}: a number of all would not be finite")
    assert browser.run("return page.desk.first.value('main/w')") == [trainer.variables["main/w"].item()]


def test_a_page_that_cannot_train_lives_and_says_why(browser: Browser, tmp_path: Path) -> None:
    noise = gw.TruncatedNormal(shape=[3], every="step", name="noise")
    graph = gw.graph(gw.Loss(gw.ReduceSum(gw.Variable(1.0, name="w") * noise), name="loss"))
    made = opened(browser, tmp_path, graph)
    assert "drawn by Gradwire alone, so training stays there" in made.untrained == said(browser)
    assert not browser.run("return document.getElementById('training')")
    with pytest.raises(GradwireError, match="training stays there"):
        gw.html(graph, train=True)


def test_data_leave_only_with_a_page_that_trains(qapp: object) -> None:
    graph = training("digits_descent")
    plain, whole = html_page(graph, "digits"), html_page(graph, "digits", PageChoices(is_trained=True))
    first = html_page(graph, "digits", PageChoices(is_trained=True, has_data=False))
    assert (plain.held, whole.held) == ("", "The page holds 1,416 rows of digits. It holds the rows held back, too.")
    assert first.held == "The page holds 32 rows of digits."
    assert len(whole.text) - len(first.text) > 50_000
    assert len(first.text) - len(plain.text) < 60_000


def test_no_name_in_the_document_is_one_that_scripts_shorten() -> None:
    graph = training("moons")

    def keys(item: object) -> Iterator[str]:
        if isinstance(item, dict):
            yield from item
        inner = item.values() if isinstance(item, dict) else item if isinstance(item, list | tuple) else ()
        for value in inner:
            yield from keys(value)

    document = live_training(graph, live_program(graph)).document
    assert not {*keys(document), *training_words()} & {*OWN}
