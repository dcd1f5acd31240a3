"""Settings persist until the next start, and a damaged file loses only its damaged parts."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray

from gradwire.app.base.settings import RECENT_KEPT, RecentFile, Settings

NOON = datetime(2026, 1, 2, 12, 0)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "settings.ini"


def reopened(settings: Settings, file: Path) -> Settings:
    """Returns the settings of the next start."""
    settings.sync()
    return Settings(file)


def test_nothing_is_remembered_at_first(file: Path) -> None:
    settings = Settings(file)
    assert (settings.text("theme", "system"), settings.text("theme")) == ("system", "")
    assert (settings.flag("grid"), settings.flag("grid", default=True)) == (False, True)
    assert settings.state("window").isEmpty()
    assert settings.recent() == []


@pytest.mark.parametrize("text", ["dark", "", 'a, b; c = "d"', "é 数\nsecond line", "%20 [x]", "@ByteArray(", "true"])
def test_a_text_comes_back(file: Path, text: str) -> None:
    settings = Settings(file)
    settings.set_text("key", text)
    assert reopened(settings, file).text("key", "default") == text


@pytest.mark.parametrize("value", [True, False])
def test_a_flag_comes_back_whatever_its_default(file: Path, value: bool) -> None:
    settings = Settings(file)
    settings.set_flag("grid", value)
    assert settings.flag("grid", default=not value) == value
    assert reopened(settings, file).flag("grid", default=not value) == value


def test_where_the_panels_stood_comes_back(file: Path) -> None:
    state = QByteArray(bytes(range(256)))
    settings = Settings(file)
    settings.set_state("window", state)
    assert reopened(settings, file).state("window") == state


def test_a_state_that_is_none_is_empty(file: Path) -> None:
    settings = Settings(file)
    settings.set_text("window", "written by hand")
    assert settings.state("window").isEmpty()


def test_recent_files_come_back_newest_first_with_their_time(file: Path, tmp_path: Path) -> None:
    settings = Settings(file)
    names = [tmp_path / "a b.graph", tmp_path / "ünï, code.graph"]
    for minute, name in enumerate(names):
        settings.add_recent(name, NOON + timedelta(minutes=minute))
    expected = [RecentFile(names[1], NOON + timedelta(minutes=1)), RecentFile(names[0], NOON)]
    assert settings.recent() == expected
    assert reopened(settings, file).recent() == expected


def test_a_file_opened_again_moves_to_the_top(file: Path, tmp_path: Path) -> None:
    settings = Settings(file)
    for name in ("a", "b", "a"):
        settings.add_recent(tmp_path / name)
    assert [item.path.name for item in settings.recent()] == ["a", "b"]


def test_a_relative_path_is_remembered_whole(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = Settings(file)
    settings.add_recent(Path("a.graph"))
    assert [item.path for item in settings.recent()] == [tmp_path / "a.graph"]


def test_at_most_twelve_files_are_remembered(file: Path, tmp_path: Path) -> None:
    settings = Settings(file)
    for number in range(20):
        settings.add_recent(tmp_path / f"{number}.graph")
    assert RECENT_KEPT == 12
    assert [item.path.stem for item in settings.recent()] == [str(number) for number in range(19, 7, -1)]


def test_damaged_lines_are_left_out(file: Path, tmp_path: Path) -> None:
    settings = Settings(file)
    good = f"2026-01-02T12:00 {tmp_path / 'a.graph'}"
    settings.set_text("recent", f"nonsense\n\n2026-99-99T12:00 /x\n{good}\n /y")
    assert settings.recent() == [RecentFile(tmp_path / "a.graph", NOON)]
    settings.add_recent(tmp_path / "b.graph")
    assert [item.path.name for item in settings.recent()] == ["b.graph", "a.graph"]


def test_one_file_or_all_are_forgotten(file: Path, tmp_path: Path) -> None:
    settings = Settings(file)
    for name in ("a", "b", "c"):
        settings.add_recent(tmp_path / name)
    settings.forget_recent(tmp_path / "b")
    assert [item.path.name for item in settings.recent()] == ["c", "a"]
    settings.forget_recent()
    assert settings.recent() == []


def test_a_file_that_is_no_settings_file_is_read_as_empty(file: Path) -> None:
    file.write_bytes(bytes(range(256)))
    settings = Settings(file)
    assert settings.recent() == []
    assert settings.text("theme", "system") == "system"
    (aside,) = settings.aside
    assert aside.parent == file.parent / "put-aside" and aside.read_bytes() == bytes(range(256))


def test_a_path_with_a_line_break_is_not_remembered(file: Path, tmp_path: Path) -> None:
    settings = Settings(file)
    for name in ("a", "b\nc", "d\u2028e", "f g"):
        settings.add_recent(tmp_path / name)
    assert [item.path.name for item in settings.recent()] == ["f g", "a"]
