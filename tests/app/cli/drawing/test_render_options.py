"""Options of `gradwire render` that do not go together, each with its sentence, and what they mean where they do."""

from __future__ import annotations

import argparse
from pathlib import Path
from types import SimpleNamespace

import pytest

from gradwire.app.cli.render_options import check_render_options, window_size
from gradwire.engine.base.errors import UsageError

NONE = {
    "files": ["a.graph"], "output": None, "site": None, "page": None, "theme": None, "embed": False,
    "ignore_stop": False, "ignore_stop_at": [], "train": False, "without_data": False, "window": None, "report": False,
    "mode": None, "open": None, "select": None, "text": None,
}  # fmt: skip


def options(output: str | None = None, **given: object) -> argparse.Namespace:
    path = None if output is None else SimpleNamespace(path=Path(output))
    return argparse.Namespace(**{**NONE, "output": path, **given})


def refusal(found: argparse.Namespace) -> str:
    try:
        check_render_options(found)
    except UsageError as error:
        return str(error)
    return ""


SITE = {"site": Path("site")}
WINDOW = {"window": "1366x768"}
LIVING = "{} belongs to a page that runs; give -o OUT.html."
LEFT_OUT = "--site writes a page of each file; leave {} out."


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (options("a.svg"), ""),
        (options("a.svg", files=["a", "b"]), "-o draws one file; give --site FOLDER for a page of each."),
        (options(**SITE, files=["a", "b"]), ""),
        (options(**SITE, files=["a", "-"]), "--site calls each page by the name of its file; standard input has none."),
        (options("a.html", **SITE), LEFT_OUT.format("-o")),
        (options(**SITE, **WINDOW), LEFT_OUT.format("--window")),
        (options(**SITE, report=True), LEFT_OUT.format("--report")),
        (options(**SITE, page="main"), LEFT_OUT.format("--page")),
        (options(**SITE, ignore_stop_at=["main/stop"]), LEFT_OUT.format("=PAGE/ID of --ignore-stop")),
        (options(**SITE, ignore_stop=True, train=True, embed=True), ""),
        (options(report=True), "--report needs the size of a window, such as --window 1366x768."),
        (options(report=True, **WINDOW), ""),
        (options(**WINDOW), "There is nowhere to draw; give -o OUT."),
        (options("a.PNG", **WINDOW), ""),
        (options("a.pdf", **WINDOW), '"a.pdf" must end in .png: a window is drawn as PNG only.'),
        (options("a.png", window="9x9"), '--window: "9x9" is too small; a window has at least 1024x640.'),
        (options("a.png", theme="auto"), "--theme auto belongs to a page that runs; a picture is dark or light."),
        (options("a.HTML", theme="auto"), ""),
        (options(**SITE, theme="auto"), ""),
        (options("a.png", embed=True), LIVING.format("--embed")),
        (options("a.png", ignore_stop=True), LIVING.format("--ignore-stop")),
        (options("a.png", ignore_stop_at=["main/stop"]), LIVING.format("--ignore-stop")),
        (options("a.png", train=True), LIVING.format("--train")),
        (options("a.html", embed=True, ignore_stop_at=["main/stop"], train=True, without_data=True), ""),
        (options("a.html", without_data=True), "--without-data belongs to a page that trains; add --train."),
    ],
)
def test_options_go_together_or_a_sentence_says_why_not(found: argparse.Namespace, sentence: str) -> None:
    assert refusal(found) == sentence


@pytest.mark.parametrize(
    ("found", "theme"),
    [
        (options("a.html"), "auto"),
        (options(**SITE), "auto"),
        (options("a.svg"), "light"),
        (options("a.svg", theme="dark"), "dark"),
        (options("a.html", theme="dark"), "dark"),
    ],
)
def test_a_page_has_the_theme_of_its_reader_and_a_picture_is_light(found: argparse.Namespace, theme: str) -> None:
    assert refusal(found) == ""
    assert (found.theme, found.file) == (theme, "a.graph")


@pytest.mark.parametrize(
    ("text", "size"),
    [("1024x640", (1024, 640)), ("8192X8192", (8192, 8192)), ("1366×768", (1366, 768)), ("01920x1080", (1920, 1080))],
)
def test_a_size_is_width_and_height(text: str, size: tuple[int, int]) -> None:
    assert window_size(text) == size


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1023x640", "is too small"),
        ("1024x639", "is too small"),
        ("8193x640", "is too large"),
        ("1024x8193", "is too large"),
        ("999999x1", "is too small"),
        ("9999999x640", "is no size"),
        ("x640", "is no size"),
        ("1024 x 640", "is no size"),
        ("1024x640x1", "is no size"),
        ("١٠٢٤x640", "is no size"),  # digits, but not those of a command
    ],
)
def test_what_no_window_can_have_is_refused(text: str, reason: str) -> None:
    with pytest.raises(UsageError, match=f'--window: "{text}" {reason}'):
        window_size(text)
