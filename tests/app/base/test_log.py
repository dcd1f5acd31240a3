"""The log: it keeps tracebacks, stays small, and never stands in the way of the program."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from gradwire.app.base import log
from gradwire.app.base.state_folder import state_folder

ROOM = "gradwire.app.some_room"


@pytest.fixture(autouse=True)
def _log_of_its_own() -> Iterator[None]:
    log.end()
    yield
    log.end()


def test_nothing_is_written_before_the_first_record(tmp_path: Path) -> None:
    path = log.begin(tmp_path / "log")
    assert list(tmp_path.iterdir()) == []
    log.logger(ROOM).info("Something")
    assert path.read_text().endswith(f" INFO {os.getpid()} {ROOM}: Something\n")


def test_tracebacks_are_kept(tmp_path: Path) -> None:
    path = log.begin(tmp_path)
    try:
        raise RuntimeError("odd")
    except RuntimeError as error:
        log.logger(ROOM).error("A mistake", exc_info=error)
    assert log.last_lines(1, tmp_path) == ["RuntimeError: odd"]
    assert "test_log.py" in path.read_text()


def test_files_stay_small_and_few(tmp_path: Path) -> None:
    path = log.begin(tmp_path)
    for _ in range(40):
        log.logger(ROOM).info("x" * 100_000)
    files = list(tmp_path.iterdir())
    assert len(files) == 1 + log.OLDER_KEPT and path in files
    assert all(file.stat().st_size <= log.LARGEST for file in files)


def test_files_of_programs_long_ended_go(tmp_path: Path) -> None:
    for number in range(20):
        (tmp_path / f"gradwire-{number}.log").write_text("")
    log.begin(tmp_path)
    log.logger(ROOM).info("Something")
    assert len(list(tmp_path.iterdir())) == log.FILES_KEPT + 1


def test_a_folder_that_cannot_be_made_is_no_hindrance(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    log.begin(tmp_path / "file" / "log")
    log.logger(ROOM).error("Something")
    log.end()
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has a device that is always full")
def test_a_full_disk_is_no_hindrance(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = log.begin(tmp_path)
    path.symlink_to("/dev/full")
    log.logger(ROOM).error("Something")
    log.end()
    assert capfd.readouterr() == ("", "")


def test_without_a_file_records_are_not_printed(capfd: pytest.CaptureFixture[str]) -> None:
    logging.getLogger(ROOM).error("Something")
    assert capfd.readouterr() == ("", "")


def test_the_last_lines_are_those_of_the_newest_files(tmp_path: Path) -> None:
    for number, lines in enumerate((["a", "b"], ["c", "d"], ["e"])):
        path = tmp_path / f"gradwire-{number}.log"
        path.write_text("\n".join(lines))
        os.utime(path, (number, number))
    for count, expected in ((1, "e"), (2, "de"), (3, "cde"), (4, "bcde"), (9, "abcde")):
        assert "".join(log.last_lines(count, tmp_path)) == expected


def test_texts_in_records_are_quoted_and_numbers_are_not(tmp_path: Path) -> None:
    path = log.begin(tmp_path)
    log.logger(ROOM).info("%s has %d of %s", "a ”b", 3, 4.5)
    log.logger(ROOM).info("%(name)s", {"name": "plain"})
    log.logger(ROOM).info("100 %")
    messages = [line.partition(f"{ROOM}: ")[2] for line in path.read_text().splitlines()]
    assert messages == ["“a b” has 3 of 4.5", "plain", "100 %"]
    assert log.place_sentence() == f"The traceback is in {path}."
    log.end()
    log.begin(tmp_path / "other")
    assert log.place_sentence() == ""


def test_without_a_folder_the_log_is_that_of_the_state_folder() -> None:
    path = log.begin()
    assert path.parent == log.log_folder() and log.begin() == path
    log.logger(ROOM).info("Here")
    assert log.last_lines(1)[0].endswith(f"{ROOM}: Here")


def test_logs_lie_in_a_folder_of_their_own_within_the_state() -> None:
    assert log.log_folder().parts == (*state_folder().parts, "log")
