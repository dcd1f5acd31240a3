"""Which words ask for the window, and what the window is opened with."""

from __future__ import annotations

from pathlib import Path

import pytest

from gradwire.app.base.examples import example_path
from gradwire.app.start import start
from gradwire.app.start.wanted import COMMANDS, wants_window


def test_no_word_a_graph_or_any_file_asks_for_the_window(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("weights.csv", "run", "-x", "-x.graph"):
        (tmp_path / name).touch()
    for words in ([], ["--safe"], ["--safe", "nowhere"], ["nowhere.graph"], ["weights.csv"], ["weights.csv", "run"]):
        assert wants_window(words), words
    for words in (["nowhere"], ["nowhere", "weights.csv"], ["run"], ["-x"], ["-x.graph"], ["--help"], *zip(COMMANDS)):
        assert not wants_window(words), words


def given(monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[object, ...] | int:
    """What the window would be started with, or the exit code where it is not."""
    started: list[tuple[object, ...]] = []
    monkeypatch.setattr(start, "start", lambda path, _, is_safe, others: started.append((path, is_safe, *others)) or 7)
    code = start.open_files(words, lambda _: 0)
    assert (code == 7) == bool(started)
    return started[0] if started else code


def test_the_first_word_may_be_safe_and_all_others_are_files(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    a, b = Path("a.graph"), Path("b.graph")
    assert given(monkeypatch) == (None, False)
    assert given(monkeypatch, "a.graph", "b.graph") == (a, False, b)
    assert given(monkeypatch, "--safe") == (None, True)
    assert given(monkeypatch, "--safe", "a.graph", "b.graph") == (a, True, b)
    assert capsys.readouterr().err == ""
    for words in (["a.graph", "--safe"], ["--safe", "--safe"], ["--safe", "a.graph", "-q"], ["a.graph", "-q"]):
        assert given(monkeypatch, *words) == 2, words
        assert f"no option {words[-1]} after" in capsys.readouterr().err


@pytest.mark.parametrize("is_qt_missing", [True, False])
def test_without_a_window_all_files_are_printed_and_the_worst_code_counts(
    is_qt_missing: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A picture is written of the first one, unless it could not be read."""

    class Broken:
        def __getattr__(self, name: str) -> object:
            raise ImportError("libEGL.so.1: cannot open shared object file: No such file or directory")

    if is_qt_missing:
        monkeypatch.setitem(start.sys.modules, "gradwire.app.start.window", Broken())
    monkeypatch.setattr(start, "missing_display", lambda: "There is no display.")
    pictures: list[Path | None] = []
    monkeypatch.setattr(start, "_write_picture", pictures.append)
    one, other, odd = Path("one"), Path("other"), Path("odd")
    codes, printed = {one: 0, other: 1, odd: 2}, list[Path]()

    def table(path: Path) -> int:
        printed.append(path)
        return codes.get(path, 0)

    assert [start.start(first, table, False, [last]) for first, last in ((one, other), (other, one), (one, odd))] == [
        1,
        1,
        2,
    ]
    assert start.start(None, table) == 0
    assert printed == [one, other, other, one, one, odd, example_path("softmax_stable")]
    assert pictures == ([] if is_qt_missing else [one, other, None])
