"""`gradwire render --window` in a state: mode, what is open, what is selected, the size of texts, and what is seen."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gradwire.app.base.examples import FOLDER
from gradwire.app.cli import command_line
from gradwire.app.cli.render_options import LARGEST_TEXT, MODES, SMALLEST_TEXT
from gradwire.app.cli.window.report import contrast
from gradwire.app.shell.window.accessibility import TEXT_SIZES
from gradwire.app.shell.window.modes import Mode
from gradwire.engine.files.files import save
from tests.deep_nets import deep_net
from tests.sweeps import long

# What the design counts at first sight; the window of before had 52.
MOST_TARGETS = 16
Report = Callable[..., dict[str, Any]]


@pytest.fixture(autouse=True)
def _no_window_remains(qapp: QApplication) -> Iterator[None]:
    """A process that draws many windows, as a notebook does, has none of them left."""
    before = len(QApplication.topLevelWidgets())
    yield
    assert len(QApplication.topLevelWidgets()) == before


@pytest.fixture
def report(qtbot: QtBot, capsys: pytest.CaptureFixture[str]) -> Report:
    def call(name: str | Path, *arguments: str) -> dict[str, Any]:
        file = name if isinstance(name, Path) else FOLDER / f"{name}.graph"
        options = ["--window", "1366x768", "--theme", "dark", "--report", *arguments]
        assert command_line.main(["render", str(file), *options]) == 0
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return found

    return call


def test_at_first_the_page_is_the_window_and_little_is_to_be_clicked(report: Report) -> None:
    found = report("softmax_stable")
    assert found["targets"] <= MOST_TARGETS and found["canvas"] >= 0.90
    assert (found["outside"], found["covered"], found["nan_places"]) == (0, [], 0)
    assert found["contrast"] >= 4.5
    assert (found["state"], found["sentence"]) == ("Up to date", '2 equal maxima share the gradient, at ReduceMax "m"')


def test_beside_a_minimap_the_page_keeps_its_share_with_large_texts(report: Report) -> None:
    found = report("tanh_chain_80", "--text", "150")
    assert found["outside"] > 0 and found["canvas"] >= 0.865


@pytest.mark.parametrize(
    ("mode", "least", "state"),
    [
        ("step", 0.0, "Step 1 of 8: Loss"),
        pytest.param("train", 1.0, "Up to date", marks=pytest.mark.long),
        pytest.param("compare", 1.0, "Up to date", marks=pytest.mark.long),
    ],
)
def test_a_mode_leaves_all_blocks_in_view(report: Report, mode: str, least: float, state: str) -> None:
    # Only a graph with Variables can be trained.
    found = report("xor_221_good" if mode == "train" else "softmax_stable", "--mode", mode)
    assert (found["outside"], found["covered"], found["names"], found["state"]) == (0, [], 1.0, state)
    assert found["gradients"] >= least and found["canvas"] < 0.8


@pytest.mark.parametrize("mode", ["build", "train"])
def test_a_panel_leaves_more_than_half_of_the_page(report: Report, mode: str) -> None:
    found = report("xor_221_good", "--mode", mode, "--open", "panel")
    # In Build the list of problems is as high as its rows.
    assert found["canvas"] >= 0.59 and found["outside"] == 0
    assert mode == "build" or found["canvas"] < 0.7


def test_present_has_nothing_but_the_page(report: Report) -> None:
    found = report("softmax_stable", "--mode", "present")
    # The caption of 84 px takes its part of 768.
    assert found["targets"] == 0 and found["canvas"] == pytest.approx(1 - 84 / 768, abs=0.002)
    assert (found["names"], found["gradients"], found["outside"], found["smallest"] >= 14) == (1.0, 1.0, 0, True)


@pytest.mark.parametrize("name", ["m.x", long("e")])
def test_why_covers_no_block_and_a_selection_alone_opens_nothing(report: Report, name: str) -> None:
    assert report("softmax_stable", "--select", name)["canvas"] >= 0.90
    found = report("softmax_stable", "--select", name, "--open", "why")
    # The card is as high as what it says.
    assert found["canvas"] < 0.87 and found["covered"] == []


@pytest.mark.long
@pytest.mark.parametrize(("percent", "canvas"), [(150, 0.87), (200, 0.82)])
def test_large_texts_are_large_on_the_page_too(report: Report, percent: int, canvas: float) -> None:
    found = report("softmax_stable", "--text", str(percent))
    assert found["smallest"] >= 9.5 * percent / 100 and found["canvas"] >= canvas
    assert (found["names"], found["gradients"], found["targets"] <= MOST_TARGETS) == (1.0, 1.0, True)


def test_large_names_of_the_lowest_blocks_are_not_behind_the_legend(report: Report) -> None:
    assert report("gan_stop", "--text", "150")["names"] == 1.0


def test_a_nan_is_told_in_the_status_line_in_place_of_the_state(report: Report) -> None:
    found = report("softmax_naive")
    assert (found["state"], found["sentence"]) == ("", 'NaN starts at Exp "e" and reaches 6 of 6 wires')
    assert found["nan_places"] >= 1


def test_the_advice_is_waited_for(report: Report, tmp_path: Path) -> None:
    save(deep_net("guilty", 0).graph, tmp_path / "deep.graph")
    assert report(tmp_path / "deep.graph")["sentence"].startswith("Layer 15 divides the gradient by 54")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--mode", "step"), "--mode needs the size of a window, such as --window 1366x768."),
        (("--text", "150"), "--text needs the size of a window, such as --window 1366x768."),
        (
            ("--window", "1366x768", "--report", "--text", "40"),
            "--text: 40 is no size of texts; they have 90 to 200 %.",
        ),
        (
            ("--window", "1366x768", "--report", "--select", "nobody"),
            '--select: page "main" has no block or wire "nobody"; its blocks are e, loss, m and so on.',
        ),
    ],
)
def test_wrong_options_are_told(
    qtbot: QtBot, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], sentence: str
) -> None:
    assert command_line.main(["render", str(FOLDER / "softmax_stable.graph"), *arguments]) == 2
    assert sentence in capsys.readouterr().err


def test_the_modes_and_sizes_of_texts_are_those_of_the_window() -> None:
    assert {*map(str, Mode), "present"} == set(MODES)
    assert (TEXT_SIZES[0], TEXT_SIZES[-1]) == (SMALLEST_TEXT, LARGEST_TEXT)


def test_the_contrast_is_that_of_wcag() -> None:
    assert contrast(QColor("#000000"), QColor("#ffffff")) == pytest.approx(21)
    assert contrast(QColor("#777777"), QColor("#ffffff")) == pytest.approx(4.48, abs=0.005)
    assert contrast(QColor("#ffffff"), QColor("#777777")) == contrast(QColor("#777777"), QColor("#ffffff"))


@pytest.mark.parametrize("name", ["adv_sign_stop", long("rosenbrock_start")])
def test_the_legend_covers_no_block_below_which_a_strip_has_come(report: Report, name: str) -> None:
    found = report(name, "--mode", "step")
    assert (found["covered"], found["outside"]) == ([], 0)
