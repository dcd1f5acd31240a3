"""Inner types, of which only gradient rules consist: no place that users see names, offers or counts them."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import gradwire as gw
from gradwire import api
from gradwire.app.base.tables import block_help
from gradwire.app.cli.command_line import main
from gradwire.engine.advice.linter import RULES, lint
from gradwire.engine.blocktypes.library import library
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.explain.precision import precision_of
from gradwire.engine.explain.why_zero import why_zero
from gradwire.engine.export.export import TARGETS, export
from gradwire.engine.files.files import load
from gradwire.interop.search.block_search import find_offers, nearest_blocks, placeable_types
from scripts.make_reference import pages
from scripts.make_stub import stub
from tests.sweeps import a_third_of

ROOT = Path(__file__).parents[1]
PARTS = sorted(item.name for item in library if item.is_part)
# Words of their own: SumTo is no part of a longer name.
NAMED = re.compile(rf"\b({'|'.join(PARTS)})\b")
EXAMPLES = sorted((ROOT / "assets" / "examples").glob("*.graph"))


def named_in(text: str) -> list[str]:
    return NAMED.findall(text)


def test_there_are_such_types_and_they_are_not_counted() -> None:
    assert len(PARTS) > 20
    assert len(library.for_users()) == len(library) - len(PARTS)
    assert f"There are {len(library.for_users())} types" in (ROOT / "docs" / "python.md").read_text(encoding="utf-8")


def written() -> Iterator[Path]:
    # The rooms of docs tell developers how gradient rules are built.
    yield from (
        ROOT / name
        for name in ("README.md", "CHANGELOG.md", "docs/file-format.md", "docs/python.md", "gradwire/__init__.pyi")
    )
    yield from (ROOT / "docs" / "blocks").glob("*.md")
    yield from (path for path in (ROOT / "assets").rglob("*") if path.suffix in (".json", ".graph", ".md", ".py"))
    yield from (path for path in (ROOT / "examples").rglob("*") if path.suffix in (".graph", ".md"))


@pytest.mark.parametrize("path", list(written()), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_page_or_asset_names_one(path: Path) -> None:
    assert not named_in(path.read_text(encoding="utf-8"))


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with contextlib.suppress(SystemExit):
        main(list(arguments))
    found = capsys.readouterr()
    return found.out + found.err


@pytest.mark.parametrize("arguments", [("blocks",), ("blocks", "--json"), ("--help",), ("blocks", "SumToo")])
def test_the_command_line_names_none(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, *arguments)
    assert text and not named_in(text)


def test_the_command_line_knows_none(capsys: pytest.CaptureFixture[str]) -> None:
    for name in PARTS:
        text = said(capsys, "blocks", name)
        assert library[name].summary not in text
        assert not named_in(text.replace(f'"{name}"', ""))


PLACES: dict[str, Callable[[], str]] = {
    "palette": lambda: " ".join(item.name for item in placeable_types()),
    "search": lambda: " ".join(hit.type.name for name in PARTS for hit in find_offers(name)),
    "suggestions": lambda: " ".join(str(item) for name in PARTS for item in nearest_blocks(name)),
    "suggested names": lambda: " ".join(item for name in PARTS for item in library.nearest(name)),
    "help": lambda: "\n".join(block_help(item) for item in library.for_users()),
    "names of the face": lambda: " ".join(dir(gw)),
    "names for plug-ins": lambda: " ".join(dir(api)),
    "stub": stub,
    "reference": lambda: "\n".join(pages().values()),
    "rules": lambda: "\n".join(f"{rule.title} {rule.why}" for rule in RULES),
}


@pytest.mark.parametrize("place", PLACES)
def test_no_list_or_help_names_one(place: str) -> None:
    assert not named_in(PLACES[place]())


def texts_of(run: Evaluation) -> Iterator[str]:
    """Yields all sentences that a run leads to: problems, advice, reasons, and what adds."""
    yield from (f"{item.at}: {item.message}" for item in run.snapshot.problems)
    yield from (item.message for item in lint(run))
    yield from (str(why_zero(run, link)) for link, result in run.snapshot.wires.items() if result.zero is not None)
    if run.lowered.losses and not run.snapshot.has_errors:
        yield from (item.what for item in precision_of(run).accumulations)


@pytest.mark.parametrize("path", a_third_of(EXAMPLES), ids=lambda path: path.stem)
def test_no_sentence_about_an_example_and_no_program_names_one(path: Path) -> None:
    graph = load(path).graph
    run = run_graph(graph)
    assert not [text for text in texts_of(run) if named_in(text)]
    if not run.snapshot.has_errors:
        for target in TARGETS:
            assert not named_in(export(graph, target))
