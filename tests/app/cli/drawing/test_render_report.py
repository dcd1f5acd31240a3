"""`gradwire render --window --report`: one JSON object about what can be read, and the picture it is true of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from gradwire.app.base.examples import FOLDER
from gradwire.app.cli import command_line

# It has a tie, which is a notice, so that other output would spoil the JSON.
SOFTMAX = FOLDER / "softmax_stable.graph"
KEYS = [
    "file", "window", "zoom", "canvas", "blocks", "wires", "gradients", "values", "names", "smallest", "overlaps",
    "behind", "labels", "targets", "outside", "covered", "nan_places", "contrast", "state", "sentence",
]  # fmt: skip


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def render(qtbot: QtBot, capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*arguments: object) -> Outcome:
        code = command_line.main(["render", *map(str, arguments)])
        return Outcome(code, *capsys.readouterr())

    return call


@pytest.mark.long
def test_the_report_is_true_of_the_picture(render: Any, tmp_path: Path) -> None:
    found = render(SOFTMAX, "--window", "1920x1080", "--report", "-o", tmp_path / "w.png")
    assert (found.code, found.err) == (0, "")
    report, image = json.loads(found.out), QImage(str(tmp_path / "w.png"))
    assert list(report) == KEYS
    assert report["window"] == [1920, 1080] == [image.width(), image.height()]
    assert (report["file"], report["blocks"], report["wires"]) == (str(SOFTMAX), 9, 10)
    assert {item["block"] for item in report["labels"] if item["kind"] == "name"} > {"x", "m", "loss"}
    assert ["p.z", "loss.x"] in [item["wire"] for item in report["labels"] if item["kind"] == "gradient"]
    for item in report["labels"]:
        left, top, width, height = map(round, item["at"])
        colors = {image.pixel(left + x, top + y) for x in range(width) for y in range(height)}
        assert len(colors) > 5, f"{item['text']} is not in the picture"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--report",), "--report needs the size of a window, such as --window 1366x768."),
        (("--window", "13", "--report"), '--window: "13" is no size; write it as 1366x768.'),
        (("--window", "200x100", "--report"), '--window: "200x100" is too small; a window has at least 1024x640.'),
        (("--window", "99999x999", "--report"), '--window: "99999x999" is too large; a side has at most 8192 px.'),
        (("--window", "1366x768", "-o", "a.svg"), '"a.svg" must end in .png: a window is drawn as PNG only.'),
        (("--window", "1366x768"), "There is nowhere to draw; give -o OUT."),
        ((), "There is nowhere to draw; give -o OUT."),
    ],
)
def test_options_that_do_not_go_together_are_refused(render: Any, arguments: tuple[str, ...], sentence: str) -> None:
    assert render(SOFTMAX, *arguments) == (2, "", f"gradwire: {sentence}\n")


def test_a_missing_file_is_a_sentence(render: Any) -> None:
    found = render("nowhere.graph", "--window", "1366x768", "--report")
    assert (found.code, found.out) == (2, "")
    assert found.err.startswith("gradwire: nowhere.graph: ")
