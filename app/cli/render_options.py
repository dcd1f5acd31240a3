"""The options of `gradwire render`, and which of them go together."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import NamedTuple, NoReturn

from gradwire.app.cli.parser import Parser, add_flag
from gradwire.engine.base.errors import UsageError
from gradwire.engine.files.outputs import LIVING, PICTURE

# The window itself is never smaller; a picture of more px has no room in memory everywhere.
NARROWEST, LOWEST, LARGEST = 1024, 640, 8192
MODES = ("build", "step", "train", "compare", "present")
# As the settings of the window have them; the window itself is not loaded for an option. Units: %.
SMALLEST_TEXT, LARGEST_TEXT = 90, 200
OPEN = ("none", "why", "panel", "problems")


class WindowState(NamedTuple):
    """A mode or `present`, what is open, a block or port that is selected, and the size of texts in %."""

    mode: str = "build"
    open: str = "none"
    selected: str = ""
    text: int = 100


USUAL = WindowState()


def add_render_options(parser: Parser) -> None:
    """Adds the options to the parser of the command."""
    text = "a .graph file, with --site several; - reads standard input"
    parser.reads(parser.add_argument("files", nargs="+", metavar="FILE", help=text))
    text = "out.svg, out.png or out.pdf, or out.html: a page that runs in a browser"
    parser.writes(parser.add_argument("-o", "--output", metavar="OUT", type=Path, help=text), PICTURE)
    text = "write a page of each file and an index into this folder, for a web server"
    parser.writes(parser.add_argument("--site", metavar="FOLDER", type=Path, help=text), None)
    parser.add_argument("--page", metavar="NAME", help="the page to draw; by default the first")
    text = "by default light; of out.html auto, the theme of the reader's system"
    parser.add_argument("--theme", choices=("dark", "light", "auto"), help=text)
    add_flag(parser, "--embed", "with out.html: without title and table, for a frame")
    text = "with out.html: gradients pass every StopGradient, or =PAGE/ID one, until the reader closes it"
    add_flag(parser, "--ignore-stop", text)
    parser.add_argument("--ignore-stop-at", metavar="PAGE/ID", action="append", default=[], help=argparse.SUPPRESS)
    add_flag(parser, "--train", "with out.html: readers can train it by its plan")
    text = "with --train: the page holds the first batch of each data set alone, and trains on that"
    add_flag(parser, "--without-data", text)
    parser.add_argument("--window", metavar="WxH", help="draw the whole window at this size (PNG)")
    add_flag(parser, "--report", "with --window: print as JSON which numbers and names can be read")
    for option, choices, text in (
        ("--mode", MODES, "with --window: the mode that is on; %(choices)s"),
        ("--open", OPEN, "with --window: what is open beside the page; %(choices)s"),
    ):
        parser.add_argument(option, choices=choices, metavar="NAME", help=text)
    text = "with --window: a block, or the wires of a port such as m.x, is selected"
    parser.add_argument("--select", metavar="PORT", help=text)
    text = "with --window: the size of texts, from 90 to 200"
    parser.add_argument("--text", metavar="PERCENT", type=int, help=text)


def check_render_options(options: argparse.Namespace) -> None:
    """Checks that the options go together.

    Raises: UsageError if they do not.
    """
    if options.site is not None:
        _check_site(options)
    elif len(options.files) > 1:
        raise UsageError("-o draws one file; give --site FOLDER for a page of each.")
    options.file = options.files[0]
    for name in ("report", "mode", "open", "select", "text"):
        if getattr(options, name) not in (None, False) and options.window is None:
            raise UsageError(f"--{name} needs the size of a window, such as --window 1366x768.")
    if options.text is not None and not SMALLEST_TEXT <= options.text <= LARGEST_TEXT:
        raise UsageError(f"--text: {options.text} is no size of texts; they have {SMALLEST_TEXT} to {LARGEST_TEXT} %.")
    if options.output is None and options.site is None and not options.report:
        raise UsageError("There is nowhere to draw; give -o OUT.")
    is_file = options.output is not None and options.output.path.suffix.lower() == LIVING
    is_living = is_file or options.site is not None
    if options.theme == "auto" and not is_living:
        raise UsageError("--theme auto belongs to a page that runs; a picture is dark or light.")
    if options.theme is None:
        options.theme = "auto" if is_living else "light"
    ignores = options.ignore_stop or options.ignore_stop_at
    for name, is_given in (("--embed", options.embed), ("--ignore-stop", ignores), ("--train", options.train)):
        if is_given and not is_living:
            raise UsageError(f"{name} belongs to a page that runs; give -o OUT.html.")
    if options.without_data and not options.train:
        raise UsageError("--without-data belongs to a page that trains; add --train.")
    if options.window is not None:
        window_size(options.window)
        if options.output is not None and options.output.path.suffix.lower() != ".png":
            raise UsageError(f'"{options.output.path.name}" must end in .png: a window is drawn as PNG only.')


def _check_site(options: argparse.Namespace) -> None:
    given = {"-o": options.output, "--window": options.window, "--report": options.report, "--page": options.page}
    given["=PAGE/ID of --ignore-stop"] = options.ignore_stop_at
    for name, value in given.items():
        if value:
            raise UsageError(f"--site writes a page of each file; leave {name} out.")
    if "-" in options.files:
        raise UsageError("--site calls each page by the name of its file; standard input has none.")


def window_size(text: str) -> tuple[int, int]:
    """Returns the width and height that a text such as `1366x768` means. Units: px.

    Raises: UsageError if it is no size, or one that a window cannot have.
    """
    found = re.fullmatch(r"(\d{1,6})[xX×](\d{1,6})", text, re.ASCII)
    if found is None:
        _refuse(text, "is no size; write it as 1366x768")
    width, height = int(found[1]), int(found[2])
    if width < NARROWEST or height < LOWEST:
        _refuse(text, f"is too small; a window has at least {NARROWEST}x{LOWEST}")
    if max(width, height) > LARGEST:
        _refuse(text, f"is too large; a side has at most {LARGEST} px")
    return width, height


def _refuse(text: str, reason: str) -> NoReturn:
    raise UsageError(f'--window: "{text}" {reason}.')
