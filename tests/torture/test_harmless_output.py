"""Texts of files in what commands print: no control character, no line and no workflow command of theirs gets through.

Every text of a graph, its keys too, becomes a hostile one, alone and with all others; every command that reads a graph
prints it in every format. A stream that has been made safe is looked at through the eyes of a terminal and a runner.
"""

from __future__ import annotations

import ast
import copy
import io
import json
import random
import re
import sys
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwire.app.base.terminal import say, say_text, sent
from tests.app.cli.graphs import ROOT, called
from tests.torture.support.counts import IS_FULL

BASE = ROOT / "assets" / "trainings" / "gan_twice.graph"
# Colours, a bell, a title, 8-bit controls, deletion, a carriage return, directions, lines, workflow commands.
HOSTILE = (
    "\x1b[4mA\x07\x1b]0;lie\x07\x9b4m\x7f\rLIE\nLIE\n::error::LIE\n \u3000::stop-commands::LIE\u2028LIE\u2029\x85LIE"
    "\u202e\u2066\u200b\ufeff\ufdd04m\ufdd1###[error]LIE\tB\x00"
)
# A name of a step has at most 64 letters.
SHORT = "\x1b[4mA\x07\x9b4m\rLIE\n::error::LIE\n\u202e##[error]LIE"
# Colours that the program sends itself, where it is asked to.
OWN_COLOUR = re.compile("\x1b\\[(?:31|32|33|35|36|2|1|0)m")
COMMANDS: dict[str, tuple[str, ...]] = {
    "run": ("run", "--fail-on", "nan,blocked,zero,error,warning,info,tie"),
    "run --json": ("run", "--json", "--fail-on", "blocked,error"),
    "check": ("check", "--fail-on", "warning,blocked"),
    "check --json": ("check", "--json", "--fail-on", "warning"),
    "check --format github": ("check", "--format", "github", "--fail-on", "warning,blocked"),
    "check --format junit": ("check", "--format", "junit"),
    "check --format sarif": ("check", "--format", "sarif"),
    "train": ("train", "--steps", "2"),
    "train --json": ("train", "--json", "--norms", "--steps", "2"),
    "show": ("show", "--places"),
    "diff": ("diff", str(BASE)),
    "diff --json": ("diff", "--json", str(BASE)),
    "export": ("export", "--to", "numpy"),
}
# A run of all tests tries half of them.
OFTEN = ("run", "check", "check --format github", "train", "diff", "show")
PARAMETERS = [pytest.param(name, marks=() if name in OFTEN else pytest.mark.long) for name in COMMANDS]


def check_harmless(text: str, has_commands: bool = False) -> None:
    """Checks that a terminal and a runner of workflows find nothing in a text but letters, lines and tabs."""
    for letter in text:
        is_hidden = unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp") or 0xFDD0 <= ord(letter) <= 0xFDEF
        assert letter in "\n\t" or not is_hidden, f"U+{ord(letter):04X} in {text[:2000]!r}"
    assert "##[" not in text
    for line in text.split("\n"):
        assert not line.lstrip().startswith("LIE"), text
        if line.lstrip().startswith("::"):
            assert has_commands and re.match(r"::(error|warning|notice) file=[^,:]*[,:]", line), text


def check_format(command: str, text: str) -> None:
    """Checks that a text is what its format says."""
    if "--json" in command or "sarif" in command:
        for line in text.splitlines():
            json.loads(line)
    if "junit" in command:
        ElementTree.fromstring(text)
    if "github" in command:
        assert all(line.startswith("::") for line in text.splitlines())
    if command == "export" and text:
        ast.parse(text)


Places = tuple[int | str, ...]


def texts(record: Any, place: Places = ()) -> Iterator[Places]:
    """Yields the place of every text; that of a key ends with its record and None."""
    if isinstance(record, str):
        yield place
    elif isinstance(record, list):
        for number, item in enumerate(record):
            yield from texts(item, (*place, number))
    elif isinstance(record, dict):
        for key, item in record.items():
            yield from texts(item, (*place, key))


def with_text(record: Any, place: Places, text: str) -> Any:
    """Returns a record with another text in one place, and the key before it too where the text is `key`."""
    made = copy.deepcopy(record)
    inner = made
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = text
    return made


def free(place: Places) -> bool:
    """Returns whether any text may stand in a place, and the graph still be trained."""
    kind = tuple("*" if isinstance(step, int) else step for step in place)
    return kind[-1] in ("title", "text", "label") or kind == ("training", "steps", "*", "name")


@pytest.fixture(scope="module")
def base() -> dict[str, Any]:
    record: dict[str, Any] = json.loads(BASE.read_text("utf-8"))
    page, plan = record["pages"][0], record["training"]
    page["blocks"][0]["label"] = "label"
    page["notes"] = [{"id": "note", "text": "note", "position": [0, 0], "size": [200, 80]}]
    # What does not hold is printed with its title.
    wrong = {"title": "wrong", "at": f"{plan['steps'][0]['loss']}.y"}
    wrong["value"] = {"dtype": "float64", "shape": [], "data": [9]}
    record["checks"], plan["checks"] = [wrong], [{**wrong, "after": 1}]
    return record


@pytest.fixture
def printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[[str, Any], str]:
    """A function that writes a graph into a file of a hostile name, and returns all that a command prints about it."""
    name = HOSTILE.replace("\x00", "").replace("/", "") + ".graph"

    def run(command: str, record: Any) -> str:
        path = tmp_path / name
        path.write_text(json.dumps(record), "utf-8")
        outcome = called(capsys, *COMMANDS[command], path)
        check_harmless(outcome.out, "github" in command)
        check_harmless(outcome.err)
        check_format(command, outcome.out)
        assert "Traceback" not in outcome.err and "inside Gradwire" not in outcome.err
        return outcome.out + outcome.err

    return run


@pytest.mark.parametrize("command", PARAMETERS)
def test_all_texts_at_once_are_harmless(command: str, base: dict[str, Any], printed: Callable[[str, Any], str]) -> None:
    record, places = base, list(filter(free, texts(base)))
    for number, place in enumerate(places):
        record = with_text(record, place, f"{number}{SHORT if place[-1] == 'name' else HOSTILE}")
    text = printed(command, record)
    # They are not left out: of each kind that the command prints something is there.
    if command.startswith(("train", "check")):
        assert text.count("LIE") > 10
    if command == "train":
        assert re.search(r"^step \d\[U\+001B].*: trains", text, re.M) and re.search(
            r"^check \d\[U\+001B].*: failed", text, re.M
        )
    if command == "check --json":
        titles = [record["checks"][0]["title"]]
        assert [check["title"] for check in json.loads(text.split("\n")[0])["checks"]] == titles


@pytest.mark.parametrize("command", PARAMETERS)
@pytest.mark.parametrize(
    "key", ["needs", *(pytest.param(key, marks=pytest.mark.long) for key in ("conventions", "format"))]
)
def test_what_makes_a_file_unreadable_is_harmless(
    command: str, key: str, base: dict[str, Any], printed: Callable[[str, Any], str]
) -> None:
    for text in (HOSTILE, "\ud800" + HOSTILE) if IS_FULL else (HOSTILE,):
        printed(command, {**base, key: [text] if key == "needs" else text})


def test_every_text_alone_is_harmless(base: dict[str, Any], printed: Callable[[str, Any], str]) -> None:
    places = list(texts(base))
    for place in places if IS_FULL else random.Random(3).sample(places, 4):
        for command in COMMANDS if IS_FULL else random.Random(str(place)).sample(sorted(COMMANDS), 1):
            printed(command, with_text(base, place, HOSTILE))


def test_arguments_are_harmless(capsys: pytest.CaptureFixture[str]) -> None:
    given_text = HOSTILE.replace("\x00", "")
    for words in (
        ("run", given_text),
        ("train", BASE, "--without", given_text),
        ("train", BASE, "--until", given_text),
        ("train", BASE, "--set", f"{given_text}=1"),
        ("run", BASE, "--feed", given_text),
        ("run", BASE, "--loss", given_text),
        ("export", BASE, "--to", given_text),
        ("export", BASE, "--to", "numpy", "-o", f"no/{given_text}"),
        ("blocks", given_text),
        ("examples", given_text),
        ("plugins", "--enable", given_text),
        ("check", BASE, "--silence", given_text),
        (given_text,) if sys.platform == "win32" else ("check", f"--{given_text}"),
    ):
        outcome = called(capsys, *words)
        assert outcome.code in (1, 2)
        check_harmless(outcome.out)
        check_harmless(outcome.err)
        assert outcome.err.count("\n") == 1, outcome.err


@pytest.mark.long
def test_colours_of_the_program_pass_and_no_others(
    base: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    record = base
    for place in filter(free, texts(base)):
        record = with_text(record, place, HOSTILE)
    (tmp_path / "a.graph").write_text(json.dumps(record), "utf-8")
    for command in ("run", "check", "train", "diff"):
        outcome = called(capsys, *COMMANDS[command], tmp_path / "a.graph")
        assert OWN_COLOUR.search(outcome.out + outcome.err)
        check_harmless(OWN_COLOUR.sub("", outcome.out))
        check_harmless(OWN_COLOUR.sub("", outcome.err))


@given(st.lists(st.text(st.characters() | st.sampled_from("::\n\r\t #[\x1b\ufdd0\ufdd1"), max_size=12), max_size=6))
def test_a_safe_stream_lets_nothing_through(pieces: list[str]) -> None:
    said, written = io.StringIO(), io.StringIO()
    for piece in pieces:
        say(piece, said)
        say_text(piece, written)
    for stream in (said, written):
        found = stream.getvalue()
        check_harmless(found.replace("LIE", ""))
    assert said.getvalue().count("\n") == len(pieces)


def test_ordinary_text_passes_as_it_is_and_what_is_sent_too() -> None:
    stream = io.StringIO()
    say("Grüße, 数字 a::b [U+0041]\tc", stream)
    say(sent("::") + "error::" + sent("\x1b[31m") + "x" + sent("\x1b[0m"), stream)
    assert stream.getvalue() == "Grüße, 数字 a::b [U+0041]\tc\n::error::\x1b[31mx\x1b[0m\n"


def test_nobody_prints_past_the_edge() -> None:
    for path in sorted((ROOT / "app" / "cli").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            is_print = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
            assert not is_print, f"{path}:{getattr(node, 'lineno', 0)}"
