"""Odd records of the program's own: each is read by itself, put aside, and hides nothing else."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from gradwire.app.base.examples import example_path
from gradwire.app.base.run_folder import LOCK, RunFolder, runs
from gradwire.app.base.settings import Settings
from gradwire.app.live.keys import Keys, held_keys
from gradwire.app.shell.documents.backups import Backups
from gradwire.app.shell.documents.recovery_files import abandoned, put_odd_aside, write_origin
from gradwire.engine.blocktypes.library import Library
from gradwire.engine.plugins.plugins import enabled_names, known_faults, load_plugins, put_odd_lists_aside
from tests.torture.support.counts import count
from tests.torture.support.odd_records import MAKERS, TEXTS, make_odd

pytestmark = pytest.mark.long

GRAPH = example_path("softmax_stable").read_bytes()
# Nothing at all is what a record of lines is at first; these texts are lines too.
LINES = set(TEXTS) - {"NUL", "no UTF-8", "half a surrogate pair in bytes"} | {"a broken link"}
if getattr(os, "geteuid", lambda: -1)() == 0:
    LINES.add("unreadable")  # for others than root


def left_copy(state: Path, run: str, number: int = 1) -> Path:
    """Writes the copy of a program that has ended, with its records."""
    folder = state / "running" / run
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{number}.graph"
    file.write_bytes(GRAPH)
    write_origin(file, f"{run} {number}", None)
    folder.with_name(run + LOCK).write_text('{"process": 1, "since": "2026-01-01T00:00:00"}')
    return file


def everything_in(folder: Path) -> int:
    return sum(1 for _ in folder.rglob("*")) if folder.exists() else 0


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("record", ["lock", "origin"])
def test_an_odd_record_hides_no_copy(tmp_path: Path, name: str, record: str) -> None:
    good, beside, bad = (left_copy(tmp_path, *place) for place in (("1-a", 1), ("1-b", 1), ("1-b", 2)))
    odd = bad.with_suffix(".json") if record == "origin" else bad.parent.with_name("1-b" + LOCK)
    make_odd(odd, name)
    folder = RunFolder(tmp_path)
    moved = put_odd_aside(folder)
    assert all(path.parent == folder.aside and os.path.lexists(path) for path in moved)
    assert not moved or not os.path.lexists(odd)
    copies = {copy.file: copy for copy in abandoned(folder)}
    assert set(copies) == {good, beside, bad}
    assert copies[good].title == "1-a 1"
    assert [copy.saved for copy in copies.values()] == [None] * 3
    assert put_odd_aside(folder) == ()
    assert all(file.read_bytes() == GRAPH for file in (good, beside, bad))


@pytest.mark.parametrize("name", ["a folder", "a pipe"])
def test_a_copy_that_is_no_file_is_put_aside(tmp_path: Path, name: str) -> None:
    good, bad = left_copy(tmp_path, "1-a"), left_copy(tmp_path, "1-b")
    make_odd(bad, name)
    (moved,) = put_odd_aside(RunFolder(tmp_path))
    assert moved.name == bad.name
    assert [copy.file for copy in abandoned(RunFolder(tmp_path))] == [good]


def test_things_of_one_name_are_put_aside_beside_each_other(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    for number in range(5):
        make_odd(left_copy(tmp_path, "1-a").with_suffix(".json"), "a list")
        assert len(put_odd_aside(folder)) == 1
        assert everything_in(folder.aside) == number + 1


@pytest.mark.parametrize("name", MAKERS)
def test_odd_settings_are_put_aside_or_are_none(tmp_path: Path, name: str, qapp: object) -> None:
    path = tmp_path / "gradwire.ini"
    make_odd(path, name)
    settings = Settings(path)
    read_all(settings)
    settings.set_text("theme", "dark")
    settings.sync()
    assert settings.text("theme") == "dark"
    if settings.aside:
        assert os.path.lexists(settings.aside[0])
        assert Settings(path).text("theme") == "dark"


def read_all(settings: Settings) -> None:
    """Reads every type of value that a setting may have."""
    for key in ("theme", "recent", "keys", "bookmarks", "text_scale", "window", "panels", "uses"):
        assert isinstance(settings.text(key), str)
        assert isinstance(settings.number(key, 1), int)
        assert isinstance(settings.table(key), dict)
        assert all(isinstance(number, int) for number in settings.uses(key).values())
        settings.flag(key)
        settings.state(key)
    assert all(item.path is not None for item in settings.recent())
    assert Keys(settings, held_keys()).table


@pytest.mark.parametrize("part", range(count(2, 20)))
def test_settings_with_any_values_are_read(tmp_path: Path, part: int, qapp: object) -> None:
    random, path = Random(part), tmp_path / "gradwire.ini"
    values = [content.decode("utf-8", "replace").replace("\n", " ") for content in TEXTS.values()]
    values += ["@Invalid()", "@ByteArray(\\xff)", "@Variant(\\0\\0\\0\\x7f)", "@Rect(1 2)", "a, b, c", '"', "\\xd800"]
    keys = ("theme", "recent", "keys", "bookmarks", "text_scale", "window", "panels", "uses", "language")
    for _ in range(count(20, 500)):
        lines = (f"{key}={random.choice(values)[: random.choice((5, 100, 20_000))]}" for key in keys)
        path.write_text("[General]\n" + "\n".join(lines), "utf-8", errors="replace")
        read_all(Settings(path))


@pytest.mark.parametrize("name", MAKERS)
def test_odd_lists_of_plugins_enable_none_and_are_put_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    for record in ("plugins.txt", "plugins-failed.txt", "importing-1"):
        make_odd(tmp_path / "gradwire" / record, name)
    load_plugins(Library())
    moved = put_odd_lists_aside()
    assert all(path.parent.name == "put-aside" for path in moved)
    assert len(moved) == (0 if name in LINES else 2)
    assert all(isinstance(item, str) for item in (*enabled_names(), *known_faults()))


@pytest.mark.parametrize("name", MAKERS)
def test_an_odd_version_hides_no_other_and_refuses_none(tmp_path: Path, name: str) -> None:
    backups, file = Backups(tmp_path), tmp_path / "a.graph"
    backups.keep(file, GRAPH)
    (version,) = backups.versions(file)
    for number in range(12):
        make_odd(version.file.with_name(f"2000010{number % 9}T000000.{number:06}_x.graph"), name)
    make_odd(tmp_path / "versions" / "odd", name)
    backups.keep(file, GRAPH + b"\n")
    assert {item.file.read_bytes() for item in backups.versions(file)[:2]} == {GRAPH, GRAPH + b"\n"}


@pytest.mark.parametrize("seconds", [-(2**62), 2**62, -1, 0])
def test_times_of_no_calendar_hide_nothing(tmp_path: Path, seconds: int) -> None:
    copy, backups = left_copy(tmp_path, "1-a"), Backups(tmp_path)
    backups.keep(tmp_path / "a.graph", GRAPH)
    try:
        for file in (copy, backups.versions(tmp_path / "a.graph")[0].file):
            os.utime(file, (seconds, seconds))
    except (OSError, OverflowError):
        pytest.skip("this file system has no such times")
    assert [item.file for item in abandoned(RunFolder(tmp_path))] == [copy]
    assert len(backups.versions(tmp_path / "a.graph")) == 1


@pytest.mark.parametrize("part", range(count(2, 20)))
def test_any_mixture_of_odd_records_hides_no_copy(tmp_path: Path, part: int) -> None:
    random, state = Random(part), tmp_path
    for round_number in range(count(3, 30)):
        copies = [left_copy(state, f"{round_number}-{name}") for name in "abcd"]
        for copy in copies:
            for odd in (copy.with_suffix(".json"), copy.parent.with_name(copy.parent.name + LOCK)):
                if random.random() < 0.6:
                    make_odd(odd, random.choice(list(MAKERS)))
        folder = RunFolder(state)
        put_odd_aside(folder)
        assert set(copies) <= {copy.file for copy in abandoned(folder)}
        assert len(runs(state, alive=False)) >= len(copies)
