"""Where a graph is saved, and whether it may go, by the answers of the user."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtWidgets import QMessageBox

from gradwire.app.shell.documents import conflicts as conflicts_module
from gradwire.app.shell.documents import opening as opening_module
from gradwire.app.shell.documents import saving as saving_module
from gradwire.app.shell.documents.conflicts import Conflicts
from gradwire.app.shell.documents.opening import Opening
from gradwire.app.shell.documents.saving import Saving
from gradwire.app.shell.documents.window_list import WindowList
from gradwire.engine.base.errors import FileError
from tests.app.shell.noting import Noting

Standard = QMessageBox.StandardButton


def saving(**state: Any) -> tuple[Saving, list[str]]:
    """A document's saving in some state, and what it does about it."""
    given = {"path": Path("/a.graph"), "read_only": "", "is_understood": True, "other": None, "look": ""} | state
    calls, made = list[str](), Saving.__new__(Saving)
    session = SimpleNamespace(
        document=SimpleNamespace(path=given["path"]),
        file=SimpleNamespace(read_only=given["read_only"], is_understood=given["is_understood"]),
    )
    made._document = SimpleNamespace(session=session)  # type: ignore[assignment]
    made._messages = SimpleNamespace(complain=lambda *_: calls.append("complain"))  # type: ignore[assignment]
    made._context = SimpleNamespace(other_showing=lambda _: given["other"])  # type: ignore[assignment]
    made._file = SimpleNamespace(look=lambda: given["look"], stamp="stamp")  # type: ignore[assignment]
    made._settle_conflict = lambda: bool(calls.append("settle")) or True
    for name in ("write", "save_elsewhere", "ask_save_as"):
        setattr(made, name, lambda *given, name=name: bool(calls.append(f"{name}{given[1:]}")) or True)
    return made, calls


@pytest.mark.parametrize(
    ("state", "path", "calls"),
    [
        ({}, "/a.graph", ["write('stamp',)"]),
        ({}, "/b.graph", ["write(None,)"]),
        ({"path": None}, "/a.graph", ["write(None,)"]),
        ({"is_understood": False}, "/b.graph", ["complain"]),
        ({"read_only": "No."}, "/a.graph", ["save_elsewhere()"]),
        ({"read_only": "No."}, "/b.graph", ["write(None,)"]),
        ({"other": object()}, "/a.graph", ["save_elsewhere()"]),
        ({"look": "changed"}, "/a.graph", ["settle"]),
        ({"look": "changed"}, "/b.graph", ["write(None,)"]),
        ({"look": "vanished"}, "/a.graph", ["write('stamp',)"]),
    ],
)
def test_a_file_is_written_unless_something_speaks_against_it(
    state: dict[str, Any], path: str, calls: list[str]
) -> None:
    made, found = saving(**state)
    assert made.save_to(Path(path)) is (calls != ["complain"])
    assert found == calls


@pytest.mark.parametrize(("path", "call"), [(None, "ask_save_as()"), (Path("/a.graph"), "write('stamp',)")])
def test_a_graph_without_a_file_asks_for_one(path: Path | None, call: str) -> None:
    made, found = saving(path=path)
    assert made.save() and found == [call]


@pytest.mark.parametrize(
    ("has_changes", "trains", "answer", "may_leave", "calls"),
    [
        (False, False, None, True, []),
        (False, True, "end", True, []),
        (False, True, "", False, []),
        (True, False, Standard.Save, True, ["save"]),
        (True, True, Standard.Save, True, ["save"]),
        (True, False, Standard.Discard, True, ["put aside"]),
        (True, False, Standard.Cancel, False, []),
    ],
)
def test_a_graph_goes_when_it_is_saved_or_discarded(
    monkeypatch: pytest.MonkeyPatch, has_changes: bool, trains: bool, answer: Any, may_leave: bool, calls: list[str]
) -> None:
    made, found = saving()
    paused, texts = list[int](), list[str]()
    desk = SimpleNamespace(is_running=trains, pause=lambda: paused.append(1))
    made._document = SimpleNamespace(  # type: ignore[assignment]
        has_changes=has_changes, title="a", session=SimpleNamespace(part=lambda _: desk)
    )
    made._messages = SimpleNamespace(question=lambda *said: texts.append(said[2]))  # type: ignore[assignment]
    made._put_aside = lambda: found.append("put aside")
    monkeypatch.setattr(made, "save", lambda: bool(found.append("save")) or True)
    monkeypatch.setattr(saving_module, "ask", lambda *_: answer)
    monkeypatch.setattr(saving_module, "ask_buttons", lambda *_: answer)
    assert made.may_leave() is may_leave
    assert found == calls and paused == [1]
    assert any(text.startswith("The training is paused. Discarded, they stay ") for text in texts) is (
        trains and has_changes
    )


@pytest.mark.parametrize(("answer", "is_saved", "acts"), [("", False, []), ("reload", False, ["reload"]),
                                                         ("overwrite", True, ["overwrite"])])  # fmt: skip
def test_who_loads_a_file_again_has_not_saved(
    monkeypatch: pytest.MonkeyPatch, answer: str, is_saved: bool, acts: list[str]
) -> None:
    document: Any = SimpleNamespace(session=Noting([], "session"), name="a")
    made, found = Conflicts(document, None, None, None), list[str]()  # type: ignore[arg-type]
    monkeypatch.setattr(conflicts_module, "ask_changed", lambda *_: answer)
    monkeypatch.setattr(made, "act", lambda what: bool(found.append(what)) or True)
    assert made.settle() is is_saved and found == acts


@pytest.mark.parametrize(
    ("path", "has_changes", "fails", "calls", "is_shown"),
    [
        (None, True, False, [], False),
        ("/a.graph", False, True, ["show"], True),
        ("/a.graph", True, False, ["keep", "show"], True),
        ("/a.graph", True, True, ["complain"], False),
    ],
)
def test_what_is_loaded_again_keeps_the_graph_so_far(
    path: str | None, has_changes: bool, fails: bool, calls: list[str], is_shown: bool
) -> None:
    found = list[str]()

    def keep(*_: object) -> None:
        if fails:
            raise FileError("No room.")
        found.append("keep")

    session = SimpleNamespace(document=SimpleNamespace(path=None if path is None else Path(path)), graph=None)
    made = Conflicts(
        SimpleNamespace(session=session, has_changes=has_changes),  # type: ignore[arg-type]
        SimpleNamespace(backups=SimpleNamespace(keep_graph=keep), save=id, ask_save_as=id),  # type: ignore[arg-type]
        SimpleNamespace(show_file=lambda _: bool(found.append("show")) or True),  # type: ignore[arg-type]
        SimpleNamespace(complain=lambda *_: found.append("complain")),  # type: ignore[arg-type]
    )
    assert made.act("reload") is is_shown and found == calls and not made.act("nothing")


@pytest.mark.parametrize(
    ("path", "other", "shows", "may_leave", "holder", "answer", "calls", "is_open"),
    [
        ("/a.graph", True, False, False, None, "", ["forward"], True),
        ("/a.graph", False, False, False, None, "", ["asked"], False),
        ("/a.graph", False, True, False, None, "", ["asked"], False),
        ("/a.graph", False, False, True, None, "", ["asked", "show False"], True),
        ("/a.graph", False, False, True, "run", "", ["asked"], False),
        ("/a.graph", False, False, True, "run", "read_only", ["asked", "show True"], True),
        ("/a.graph", False, False, True, "run", "open", ["asked", "show False"], True),
        ("/m.ONNX", False, True, False, None, "", ["import"], True),
        ("/m.onnx", False, False, False, None, "", ["asked"], False),
        ("/m.onnx", False, False, True, "run", "", ["asked", "import"], True),
    ],
)
def test_a_file_is_opened_once_the_graph_before_may_go(
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    other: bool,
    shows: bool,
    may_leave: bool,
    holder: str | None,
    answer: str,
    calls: list[str],
    is_open: bool,
) -> None:
    found, made = list[str](), Opening.__new__(Opening)
    window = SimpleNamespace(come_forward=lambda: found.append("forward")) if other else None
    folder = SimpleNamespace(holder=lambda _: holder)
    frame = SimpleNamespace(windows=SimpleNamespace(run_folder=folder))
    made._context = SimpleNamespace(other_showing=lambda _: window, frame=frame)  # type: ignore[assignment]
    made._saving = SimpleNamespace(may_leave=lambda: bool(found.append("asked")) or may_leave)  # type: ignore[assignment]
    made._messages = None  # type: ignore[assignment]
    made.importing = SimpleNamespace(start=lambda _: found.append("import"))  # type: ignore[assignment]
    monkeypatch.setattr(made, "_shows_model", lambda _: shows)
    monkeypatch.setattr(
        made, "show_file", lambda _, is_read_only=False: bool(found.append(f"show {is_read_only}")) or True
    )
    monkeypatch.setattr(opening_module, "ask_opened_twice", lambda *_: answer)
    assert made.open(Path(path)) is is_open and found == calls


class Window:
    """A window that notes what becomes of it."""

    def __init__(self, name: str, path: str | None, has_changes: bool = False, may_leave: bool = True) -> None:
        self.name, self.path, self.has_changes = name, None if path is None else Path(path), has_changes
        self.shown_graph = None if path is None else (name, None)
        self.leaves, self.calls = may_leave, list[str]()

    def may_leave(self) -> bool:
        self.calls.append("asked")
        return self.leaves

    def come_forward(self) -> None:
        self.calls.append("forward")

    def close_unasked(self) -> None:
        self.calls.append("closed")


def listed(*windows: Window) -> WindowList:
    made = WindowList()
    for window in windows:
        made.add(window)  # type: ignore[arg-type]
    return made


def test_a_file_and_graphs_are_found_in_other_windows() -> None:
    one, two, empty = Window("one", "/a.graph"), Window("two", "/b.graph"), Window("empty", None)
    made: Any = listed(empty, one, two)
    assert made.showing(Path("/x/../b.graph")) is two and made.showing(Path("/c.graph")) is None
    assert made.showing(Path("/b.graph"), besides=one) is two and made.showing(Path("/b.graph"), besides=two) is None
    assert [name for name, _ in made.graphs(besides=one)] == ["two"]


@pytest.mark.parametrize(("stays", "closed"), [(False, ["closed"]), (True, [])])
def test_all_windows_close_unless_one_stays(stays: bool, closed: list[str]) -> None:
    one, two = Window("one", "/a.graph"), Window("two", "/b.graph", has_changes=True, may_leave=not stays)
    listed(one, two).quit()
    assert one.calls == ["asked", *closed] and two.calls == ["forward", "asked", *closed]


@pytest.mark.parametrize(
    ("versions", "is_wanted", "shown"), [([], True, []), (["v"], True, [Path("/a.graph")]), (["v"], False, [])]
)
def test_the_last_version_of_a_file_that_cannot_be_read_is_offered(
    monkeypatch: pytest.MonkeyPatch, versions: list[str], is_wanted: bool, shown: list[Path]
) -> None:
    made, told, found = Opening.__new__(Opening), list[tuple[str, ...]](), list[Path]()
    made._saving = SimpleNamespace(backups=SimpleNamespace(versions=lambda _: versions))  # type: ignore[assignment]
    made._messages = SimpleNamespace(complain=lambda *given: bool(told.append(given)) or is_wanted)  # type: ignore[assignment]
    made._open_last_version = found.append
    monkeypatch.setattr(opening_module, "unreadable_sentence", lambda *_: "It is odd.")
    made._tell_unreadable(Path("/a.graph"), FileError("It is odd."))
    offered = ["Open its last version"] if versions else []
    assert told == [("The file cannot be opened", "It is odd.", *offered)] and found == shown
