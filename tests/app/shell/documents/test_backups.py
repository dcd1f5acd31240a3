"""The last versions of a file: ten at most, no duplicates, and no overwritten version is lost."""

from __future__ import annotations

import os
from datetime import datetime, timedelta, tzinfo
from pathlib import Path

import numpy as np
import pytest

from gradwire.app.shell.documents import backups as backups_module
from gradwire.app.shell.documents.backups import KEPT, Backups
from gradwire.engine.base.errors import FileError
from gradwire.engine.base.limits import LIMITS
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.edits import edits
from gradwire.engine.files.files import load, save
from gradwire.engine.graph.graph import Block, Graph, Page


def keep(backups: Backups, path: Path, content: bytes) -> None:
    """Keeps a content as a version of a file, which has it then."""
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    backups.keep_file(path)


def contents(backups: Backups, path: Path) -> list[bytes]:
    return [version.file.read_bytes() for version in backups.versions(path)]


def test_the_last_ten_are_kept_the_newest_first(tmp_path: Path) -> None:
    backups, file = Backups(tmp_path / "state"), tmp_path / "a.graph"
    for number in range(KEPT + 3):
        keep(backups, file, b"%d" % number)
    assert contents(backups, file) == [b"%d" % number for number in range(KEPT + 2, 2, -1)]
    assert KEPT == 10


def test_what_a_file_holds_is_kept_with_its_date_and_size(tmp_path: Path) -> None:
    backups, file = Backups(tmp_path / "state"), tmp_path / "a.graph"
    file.write_bytes(b"12345")
    os.utime(file, (1e9, 1e9))
    backups.keep_file(file)
    (version,) = backups.versions(file)
    assert version.written.timestamp() == 1e9 and version.size == 5


def test_an_old_date_does_not_make_a_version_go_first(tmp_path: Path) -> None:
    backups, file = Backups(tmp_path / "state"), tmp_path / "a.graph"
    for number in range(KEPT):
        keep(backups, file, b"%d" % number)
    file.write_bytes(b"old")
    os.utime(file, (1e9, 1e9))
    backups.keep_file(file)
    assert contents(backups, file)[0] == b"old"


class Clock(datetime):
    """Clock that goes back by a day at every look."""

    looks = 0

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
        cls.looks += 1
        return datetime(2026, 1, 1, tzinfo=tz) - cls.looks * timedelta(days=1)


def test_a_clock_that_goes_back_never_deletes_the_newest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backups_module, "datetime", Clock)
    backups, file = Backups(tmp_path / "state"), tmp_path / "a.graph"
    for number in range(KEPT + 3):
        keep(backups, file, b"%d" % number)
    assert contents(backups, file) == [b"%d" % number for number in range(KEPT + 2, 2, -1)]


@pytest.mark.parametrize("name", ["odd_x.graph", "99991231T235959.999999_x.graph", "_.graph"])
def test_a_strange_name_among_the_versions_is_no_obstacle(tmp_path: Path, name: str) -> None:
    backups, file = Backups(tmp_path / "state"), tmp_path / "a.graph"
    keep(backups, file, b"1")
    (backups.versions(file)[0].file.parent / name).write_bytes(b"odd")
    keep(backups, file, b"2")
    assert {b"1", b"2"} <= set(contents(backups, file))


def test_the_same_content_is_kept_once(tmp_path: Path) -> None:
    backups, file = Backups(tmp_path / "state"), tmp_path / "a.graph"
    for content in (b"a", b"b", b"a", b"a"):
        keep(backups, file, content)
    assert contents(backups, file) == [b"a", b"b"]


def test_files_of_one_name_are_told_apart(tmp_path: Path) -> None:
    backups, one, other = Backups(tmp_path / "state"), tmp_path / "x" / "a.graph", tmp_path / "y" / "a.graph"
    keep(backups, one, b"one")
    assert contents(backups, other) == []
    assert contents(backups, tmp_path / "x" / ".." / "x" / "a.graph") == [b"one"]


def test_all_files_together_take_bounded_room_and_each_keeps_its_newest(tmp_path: Path) -> None:
    backups = Backups(tmp_path / "state", largest_sum=100)
    files = [tmp_path / f"{number}.graph" for number in range(4)]
    for number in range(3):
        for file in files:
            keep(backups, file, b"%d" % number * 20)
    assert [contents(backups, file)[0] for file in files] == [b"2" * 20] * 4
    # Exactly so much is left: the five newest, and no sixth.
    assert [len(contents(backups, file)) for file in files] == [1, 1, 1, 2]


def test_a_file_that_is_not_there_has_no_version(tmp_path: Path) -> None:
    backups = Backups(tmp_path / "state")
    backups.keep_file(tmp_path / "a.graph")
    assert backups.versions(tmp_path / "a.graph") == []


def test_a_file_that_is_too_large_to_be_opened_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.graph"
    with open(file, "wb") as large:
        large.truncate(LIMITS.file_bytes + 1)
    with pytest.raises(FileError, match="larger than a graph may be"):
        Backups(tmp_path / "state").keep_file(file)


def test_where_nothing_can_be_kept_that_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("not a folder")
    with pytest.raises(FileError, match="cannot be written"):
        keep(Backups(tmp_path / "state"), tmp_path / "a.graph", b"a")
    assert Backups(tmp_path / "state").versions(tmp_path / "a.graph") == []


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_versions_are_private(tmp_path: Path) -> None:
    backups = Backups(tmp_path / "state")
    keep(backups, tmp_path / "a.graph", b"a")
    (version,) = backups.versions(tmp_path / "a.graph")
    assert version.file.parent.stat().st_mode & 0o777 == 0o700


LARGE = np.linspace(0, 1, 200_000)


def weighty(value: Array) -> Graph:
    return Graph((Page("main", {"w": Block("w", "Variable", parameters={"value": value})}),))


def test_a_version_has_its_weights(tmp_path: Path) -> None:
    backups, file = Backups(tmp_path / "state"), tmp_path / "a.graph"
    graphs = [weighty(LARGE), weighty(LARGE + 1), weighty(LARGE + 1), weighty(LARGE + 2)]
    for graph in graphs[:-1]:
        save(graph, file)
        backups.keep_file(file)
    backups.keep_graph(file, graphs[-1])
    found = [load(version.file).graph for version in backups.versions(file)]
    assert found == [graphs[3], graphs[2], graphs[0]]
    (folder,) = (tmp_path / "state" / "versions").iterdir()
    assert len(list(folder.glob("*.weights"))) == 3


def test_weights_go_with_the_last_version_that_has_them(tmp_path: Path) -> None:
    backups, file = Backups(tmp_path / "state", largest_sum=2 * LARGE.nbytes + 10_000), tmp_path / "a.graph"
    for number in range(4):
        backups.keep_graph(file, weighty(LARGE + number))
    found = [load(version.file).graph for version in backups.versions(file)]
    assert found == [weighty(LARGE + 3), weighty(LARGE + 2)]
    (folder,) = (tmp_path / "state" / "versions").iterdir()
    assert len(list(folder.glob("*.weights"))) == 2


def test_the_room_of_a_version_is_that_of_its_text_and_of_weights_that_no_other_has(tmp_path: Path) -> None:
    backups, file = Backups(tmp_path / "state"), tmp_path / "a.graph"
    for scale in (1, 2):
        backups.keep_graph(file, edits.add_block(weighty(LARGE), "main", "Exp", at=(scale, 0))[0])
    newest, oldest = backups.versions(file)
    assert backups_module._discard(oldest.file) == oldest.size
    (weights,) = newest.file.parent.glob("*.weights")
    room = newest.size + weights.stat().st_size
    assert backups_module._discard(newest.file) == room > LARGE.nbytes
    assert not weights.exists()


def test_a_graph_that_is_kept_has_the_time_of_now(tmp_path: Path) -> None:
    backups, file = Backups(tmp_path / "state"), tmp_path / "a.graph"
    before = datetime.now()
    backups.keep_graph(file, weighty(np.ones(2)))
    (version,) = backups.versions(file)
    assert abs(version.written.replace(tzinfo=None) - before) < timedelta(minutes=5)
