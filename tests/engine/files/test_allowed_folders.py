"""Folders whose files of data may be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from gradwire.engine.files.allowed_folders import AllowedFolders


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return tmp_path / "folders.json"


def test_nothing_is_allowed_at_first(record: Path, tmp_path: Path) -> None:
    assert not AllowedFolders(record).allows(tmp_path)
    assert not record.exists()


def test_once_ends_with_the_program_and_always_does_not(record: Path, tmp_path: Path) -> None:
    once, always = tmp_path / "once", tmp_path / "always"
    folders = AllowedFolders(record)
    folders.allow(once)
    folders.allow(always, always=True)
    assert folders.allows(once)
    assert folders.allows(always)
    again = AllowedFolders(record)
    assert not again.allows(once)
    assert again.allows(always)
    assert again.always == (always.resolve(),)


def test_a_folder_allows_neither_those_around_it_nor_those_inside(record: Path, tmp_path: Path) -> None:
    folders = AllowedFolders(record)
    folders.allow(tmp_path / "a" / "b")
    assert folders.allows(tmp_path / "a" / "c" / ".." / "b")
    assert not folders.allows(tmp_path / "a")
    assert not folders.allows(tmp_path / "a" / "b" / "c")


def test_what_was_allowed_can_be_taken_back(record: Path, tmp_path: Path) -> None:
    folders = AllowedFolders(record)
    folders.allow(tmp_path, always=True)
    folders.forbid_all()
    assert not folders.allows(tmp_path)
    assert not AllowedFolders(record).allows(tmp_path)


@pytest.mark.parametrize("text", ["{", "{}", "[1]", '["relative"]', "\0", "[" * 100_000])
def test_a_damaged_record_allows_nothing(text: str, record: Path, tmp_path: Path) -> None:
    record.write_text(text)
    folders = AllowedFolders(record)
    assert folders.always == ()
    assert not folders.allows(tmp_path)
    folders.allow(tmp_path, always=True)
    assert AllowedFolders(record).allows(tmp_path)
