"""The questions of commands, and what they ask of a window, without one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QPushButton, QTableWidget, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.base.settings import Settings
from gradwire.app.live.keys import Bindable, Keys
from gradwire.app.live.selection import Selection
from gradwire.app.look.appearance import Appearance
from gradwire.app.shell.commands import commands, dialogs, page_commands, search_sources
from gradwire.app.shell.commands.commands import COMMANDS
from gradwire.app.shell.commands.explained import is_checkable, is_explained, shows_zero
from gradwire.app.shell.commands.key_recorder import KeyRecorder
from gradwire.app.shell.commands.shortcut_dialog import ShortcutDialog
from gradwire.app.shell.window import accessibility
from gradwire.engine.autodiff.status import Status
from gradwire.engine.graph.graph import Graph
from tests.app.drawn_shapes import rooms
from tests.app.shell.noting import noted
from tests.app.window.graphs import chain, decay, wired, with_block

BY_ID = {command.id: command for command in COMMANDS}


@pytest.mark.parametrize(
    ("command", "path", "given"),
    [
        ("zoom_in", "canvas.viewport.zoom_by", (1,)),
        ("zoom_out", "canvas.viewport.zoom_by", (-1,)),
        ("back", "viewing.history.turn", (-1,)),
        ("overlay_previous", "viewing.next_overlay", (-1,)),
        ("next_page", "editor.pages.step", (1,)),
        ("previous_round", "layout.rounds.step", (-1,)),
        ("next_panel", "panels.focus_next", (1,)),
        ("bookmark_3", "viewing.go_to_bookmark", (3,)),
        ("set_bookmark_9", "viewing.set_bookmark", (9,)),
        ("nudge_left", "editor.nudge", (-16, 0)),
        ("nudge_right", "editor.nudge", (16, 0)),
        ("nudge_up", "editor.nudge", (0, -16)),
        ("nudge_down", "editor.nudge", (0, 16)),
        ("nudge_left_1", "editor.nudge", (-1, 0)),
        ("nudge_down_1", "editor.nudge", (0, 1)),
        ("pan_left", "canvas.viewport.pan", (80, 0)),
        ("pan_right", "canvas.viewport.pan", (-80, 0)),
        ("pan_up", "canvas.viewport.pan", (0, 80)),
        ("pan_down", "canvas.viewport.pan", (0, -80)),
        ("align_left", "editor.align", ("left",)),
    ],
)
def test_a_command_asks_its_window_with_its_number(command: str, path: str, given: tuple[object, ...]) -> None:
    parts, calls = noted()
    BY_ID[command].call(parts)
    assert calls == [f"{path}({', '.join(map(repr, given))})"]


def window(graph: Graph | None = None, **chosen: str) -> Any:
    """A window with a graph and some things selected, each by one letter."""
    graph = chain() if graph is None else graph
    selection = Selection(**{name: frozenset(names) for name, names in chosen.items()})  # type: ignore[arg-type]
    blocks = selection.blocks
    session = SimpleNamespace(
        selection=selection, graph=graph, page=graph.page("main"), only_block=min(blocks) if len(blocks) == 1 else "",
        view=SimpleNamespace(trail=[1], loops=()), losses=("main/loss",), pause=None,
    )  # fmt: skip
    return SimpleNamespace(session=session, has_document=True, editor=SimpleNamespace(), dialogs=SimpleNamespace())


@pytest.mark.parametrize(
    ("command", "chosen", "is_possible"),
    [
        ("align_left", {"blocks": "e"}, False),
        ("align_left", {"blocks": "es"}, True),
        ("distribute_down", {"blocks": "es"}, False),
        ("distribute_down", {"blocks": "esx"}, True),
        ("stop_here", {"wires": ""}, False),
        ("stop_here", {"wires": "w"}, True),
        ("stop_here", {"wires": "vw"}, False),
        ("copy", {}, False),
        ("copy", {"blocks": "e"}, True),
        ("copy", {"frames": "e"}, True),
        ("copy", {"notes": "e"}, True),
        ("copy", {"wires": "w"}, False),
        ("rename", {}, True),
        ("rename", {"wires": "w"}, False),
        ("rename", {"notes": "n"}, True),
        ("delete", {"wires": "w"}, True),
        ("delete", {}, False),
        ("mute", {"wires": "w"}, False),
        ("mute", {"blocks": "e"}, True),
        ("group", {"frames": "f"}, True),
        ("group", {"notes": "f"}, False),
    ],
)
def test_a_command_is_possible_with_what_it_needs(command: str, chosen: dict[str, str], is_possible: bool) -> None:
    assert BY_ID[command].can_run(window(**chosen)) is is_possible
    without = window(**chosen)
    without.has_document = False
    assert not BY_ID[command].can_run(without)


@pytest.mark.parametrize(
    ("kind", "readers", "is_shared"), [("Constant", 1, False), ("Constant", 2, True), ("Input", 2, False)]
)
def test_a_constant_of_several_readers_can_be_copied_to_each(kind: str, readers: int, is_shared: bool) -> None:
    graph = with_block(Graph(), "k", kind, (0, 0), value=2.0)
    for number in range(readers):
        graph = wired(with_block(graph, f"e{number}", "Exp", (200, 200 * number)), f"k.y > e{number}.x")
    assert BY_ID["copy_to_readers"].can_run(window(graph, blocks="k")) is is_shared
    assert not BY_ID["copy_to_readers"].can_run(window(graph, blocks="q"))


@pytest.mark.parametrize(("pages", "is_possible"), [(1, False), (2, True)])
def test_pages_can_be_turned_where_there_are_several(pages: int, is_possible: bool) -> None:
    graph = chain() if pages == 1 else decay(2)
    for command in ("next_page", "previous_page"):
        assert BY_ID[command].can_run(window(graph)) is is_possible


@pytest.mark.parametrize(("trail", "is_possible"), [([1], False), ([1, 2], True)])
def test_a_page_is_left_where_one_is_around_it(trail: list[int], is_possible: bool) -> None:
    made = window()
    made.session.view.trail = trail
    assert BY_ID["leave"].can_run(made) is is_possible


@pytest.mark.parametrize(
    ("found", "gradients", "gives"),
    [
        (None, {}, False),
        (("cell", "main/rec"), {"cell": "gone"}, False),
        (("cell", "main/rec"), {"cell": "main"}, True),
    ],
)
def test_a_gradient_of_its_own_is_shown_if_its_page_is_there(
    found: object, gradients: dict[str, str], gives: bool
) -> None:
    made = window()
    made.editor.pages = SimpleNamespace(with_gradient=lambda: found)
    made.session.graph = SimpleNamespace(gradients=gradients, has_page=lambda name: name == "main")
    assert page_commands._gives(made) is gives


@pytest.mark.parametrize(("chosen", "called"), [({"blocks": "e"}, "rename"), ({}, "name"), ({"wires": "w"}, "name")])
def test_renaming_is_of_what_is_selected_else_of_the_graph(chosen: dict[str, str], called: str) -> None:
    made, calls = window(**chosen), list[str]()
    made.editor.rename, made.dialogs.open_name = (lambda: calls.append("rename")), (lambda: calls.append("name"))
    commands._rename(made)
    assert calls == [called]


def test_help_is_on_the_first_of_the_selected_blocks() -> None:
    made, shown = window(blocks="xe"), list[str]()
    made.help = SimpleNamespace(blocks=SimpleNamespace(show_type=shown.append))
    commands._show_help(made)
    assert shown == ["Exp"]


@pytest.mark.parametrize(
    ("key", "tip", "said"), [("F9", "Do it …", "Do it (F9)"), ("", "Do it …", "Do it"), ("", "", "Arrange")]
)
def test_a_tip_has_the_first_key_and_no_dots(key: str, tip: str, said: str, qapp: object) -> None:
    action, keys = QAction(), SimpleNamespace(of=lambda _: (key,) if key else (), shown=lambda _: key)
    commands.set_keys(action, replace(BY_ID["arrange"], tip=tip), keys)  # type: ignore[arg-type]
    assert action.toolTip() == said and [item.toString() for item in action.shortcuts()] == ([key] if key else [])


@pytest.mark.parametrize("can_run", [True, False])
def test_a_command_is_carried_out_only_if_it_is_possible(can_run: bool) -> None:
    parts, calls = noted()
    command: Any = SimpleNamespace(can_run=lambda _: can_run, call=lambda _: calls.append("call"))
    commands.run_command(parts, command)
    called = ["call"] if can_run else []
    assert calls == ["canvas.gestures.let_go()", *called, "layout.refreshing.soon()"]


def session(wires: int, blocks: int, statuses: list[Status | None], **state: Any) -> Any:
    """A session with so many wires and blocks of the page selected, and the readings of them."""
    readings = [None if status is None else SimpleNamespace(status=status) for status in statuses]
    names = [f"b{number}" for number in range(blocks)]
    given = iter(readings)
    return SimpleNamespace(
        selection=SimpleNamespace(wires=range(wires), blocks=frozenset(names)),
        page=SimpleNamespace(blocks=dict.fromkeys(names)),
        inferred=SimpleNamespace(outputs={"b0": ("y", "z")}),
        port_name=lambda port: SimpleNamespace(path=port.block),
        wire=lambda _: next(given),
        port=lambda _: next(given, None),
        **{"losses": ("main/loss",), "pause": None} | state,
    )


@pytest.mark.parametrize(
    ("wires", "blocks", "state", "is_one"),
    [
        (0, 0, {}, False),
        (1, 0, {}, True),
        (0, 1, {}, True),
        (1, 1, {}, False),
        (2, 0, {}, False),
        (0, 2, {}, False),
        (1, 0, {"pause": object()}, False),
    ],
)
def test_one_gradient_at_a_time_is_explained(wires: int, blocks: int, state: dict[str, Any], is_one: bool) -> None:
    assert is_explained(session(wires, blocks, [], **state)) is is_one


FLOWS = next(status for status in Status if status not in (Status.UNKNOWN, Status.NO_GRADIENT_DTYPE, Status.ZERO,
             Status.BLOCKED, Status.NON_DIFFERENTIABLE, Status.NO_PATH))  # fmt: skip


@pytest.mark.parametrize(
    ("blocks", "statuses", "state", "checkable", "zero"),
    [
        (0, [FLOWS], {}, True, False),
        (0, [Status.ZERO], {}, True, True),
        (0, [Status.BLOCKED], {}, True, True),
        (0, [Status.UNKNOWN], {}, False, False),
        (0, [Status.NO_GRADIENT_DTYPE], {}, False, False),
        (0, [None], {}, False, False),
        (0, [Status.ZERO], {"losses": ()}, False, True),
        (0, [Status.ZERO], {"pause": object()}, False, True),
        (1, [Status.ZERO, Status.ZERO], {}, True, True),
        (1, [Status.ZERO, FLOWS], {}, True, False),
        (1, [FLOWS, Status.UNKNOWN], {}, True, False),
        (1, [], {}, False, False),
    ],
)
def test_what_can_be_checked_and_what_is_zero(
    blocks: int, statuses: list[Status | None], state: dict[str, Any], checkable: bool, zero: bool
) -> None:
    assert is_checkable(session(1 - blocks, blocks, statuses, **state)) is checkable
    assert shows_zero(session(1 - blocks, blocks, statuses, **state)) is zero
    assert not shows_zero(session(2, 0, [Status.ZERO, Status.ZERO]))


@pytest.mark.parametrize(("blocks", "has_many"), [(1999, False), (2000, False), (2001, True)])
def test_more_than_2000_blocks_are_many(blocks: int, has_many: bool) -> None:
    pages = (SimpleNamespace(blocks=range(blocks - 5)), SimpleNamespace(blocks=range(5)))
    made: Any = SimpleNamespace(session=SimpleNamespace(graph=SimpleNamespace(pages=pages)))
    assert search_sources._has_many(made) is has_many


@pytest.mark.parametrize(("enabled", "fault", "shows"), [(True, "x", 1), (True, "", 0), (False, "x", 0)])
def test_plugins_are_shown_if_an_enabled_one_has_failed(
    monkeypatch: pytest.MonkeyPatch, enabled: bool, fault: str, shows: int
) -> None:
    plugins = {"a": SimpleNamespace(is_enabled=enabled, fault=fault), "b": SimpleNamespace(is_enabled=False, fault="")}
    monkeypatch.setattr(dialogs, "library", SimpleNamespace(plugins=plugins))
    made, shown = dialogs.Dialogs.__new__(dialogs.Dialogs), list[int]()
    monkeypatch.setattr(made, "show_plugins", lambda: shown.append(1))
    made.report_plugins()
    assert len(shown) == shows


@pytest.mark.parametrize(
    ("text", "size"),
    [("", 100), ("90", 90), ("89", 90), ("125", 125), ("200", 200), ("201", 200), ("big", 100), ("0", 90)],
)
def test_texts_have_a_size_from_90_to_200_per_cent(tmp_path: Path, text: str, size: int) -> None:
    settings, look, scales = Settings(tmp_path / "s.ini"), Appearance("dark"), list[float]()
    settings.set_text("text_scale", text)
    assert accessibility.text_size(settings) == size and accessibility.chosen(settings, "text_scale") == str(size)
    accessibility.apply(settings, look, SimpleNamespace(set_scale=scales.append))  # type: ignore[arg-type]
    assert look.text_scale == size / 100 and scales == [size / 100]
    look.set_text_scale(1.0)


@pytest.mark.parametrize(
    ("motion", "wishes_less", "moves"),
    [("reduced", False, False), ("reduced", True, False), ("system", True, False), ("system", False, None),
     ("full", True, True), ("full", False, True), ("nonsense", True, False), ("nonsense", False, None)],
)  # fmt: skip
def test_motion_is_that_of_the_user_else_of_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, motion: str, wishes_less: bool, moves: bool | None
) -> None:
    settings, set_to = Settings(tmp_path / "s.ini"), list[bool | None]()
    settings.set_text("motion", motion)
    monkeypatch.setattr(accessibility, "wants_less_motion", lambda: wishes_less)
    monkeypatch.setattr(accessibility, "set_moves", set_to.append)
    accessibility.apply(settings, Appearance("dark"), SimpleNamespace(set_scale=id))  # type: ignore[arg-type]
    assert set_to == [moves]


@pytest.fixture
def recorder(qtbot: QtBot) -> KeyRecorder:
    made = KeyRecorder()
    qtbot.addWidget(made)
    return made


PRESS, OVERRIDE, RELEASE = QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride, QEvent.Type.KeyRelease


@pytest.mark.parametrize(
    ("waits", "kind", "key", "recorded", "still_waits"),
    [
        (True, PRESS, Qt.Key.Key_F9, ["F9"], False),
        (True, PRESS, Qt.Key.Key_Return, ["Return"], False),
        (True, PRESS, Qt.Key.Key_Escape, [], False),
        (True, PRESS, Qt.Key.Key_Control, [], True),
        (True, OVERRIDE, Qt.Key.Key_F9, [], True),
        (True, RELEASE, Qt.Key.Key_F9, [], True),
        (False, PRESS, Qt.Key.Key_F9, [], False),
        (False, PRESS, Qt.Key.Key_Return, [], True),
        (False, PRESS, Qt.Key.Key_Enter, [], True),
        (False, OVERRIDE, Qt.Key.Key_Return, [], False),
        (False, RELEASE, Qt.Key.Key_Return, [], False),
    ],
)
def test_the_next_key_is_recorded_and_escape_records_nothing(
    recorder: KeyRecorder, waits: bool, kind: QEvent.Type, key: Qt.Key, recorded: list[str], still_waits: bool
) -> None:
    told = QSignalSpy(recorder.recorded)
    recorder.setChecked(waits)
    event = QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier)
    event.ignore()
    recorder.event(event)
    assert [told.at(row)[0] for row in range(told.count())] == recorded
    assert recorder.isChecked() is still_waits
    assert recorder.text() == ("Press the new key, or Esc" if still_waits else "Add a key")
    if kind is OVERRIDE:
        assert event.isAccepted() is waits


def test_a_recorder_without_the_keyboard_waits_no_longer(recorder: KeyRecorder) -> None:
    recorder.start()
    assert recorder.isChecked()
    recorder.focusOutEvent(QFocusEvent(QEvent.Type.FocusOut))
    assert not recorder.isChecked()


TABLE = (
    Bindable("new", "New graph …", "File", ("Ctrl+N",)),
    Bindable("mute", "Mute", "Graph", ("M", "F8")),
    Bindable("fit", "Fit the page", "View", ("Home",)),
    Bindable("bare", "Arrange", "Graph", ()),
)


@pytest.fixture
def keys(tmp_path: Path) -> Keys:
    return Keys(Settings(tmp_path / "s.ini"), TABLE)


@pytest.fixture
def dialog(keys: Keys, qtbot: QtBot) -> ShortcutDialog:
    parent = QWidget()
    qtbot.addWidget(parent)
    made = ShortcutDialog(keys, Appearance("dark"), parent)
    made.keep = parent  # type: ignore[attr-defined]  # Qt deletes it with its parent
    return made


def rows(dialog: ShortcutDialog) -> list[tuple[str, ...]]:
    """The texts of the rows that are shown."""
    table = dialog._table
    return [
        tuple(item.text() for column in range(3) if (item := table.item(row, column)) is not None)
        for row in range(table.rowCount())
        if not table.isRowHidden(row)
    ]


def chips(dialog: ShortcutDialog) -> list[str]:
    row = dialog._editor._chips
    items = [row.itemAt(number) for number in range(row.count())]
    return [made.text() for item in items if item is not None and isinstance(made := item.widget(), QPushButton)]


def asks(dialog: ShortcutDialog) -> bool:
    hidden = {dialog._take.isHidden(), dialog._leave.isHidden()}
    assert len(hidden) == 1
    return hidden == {False}


def test_the_table_has_each_item_with_its_topic_and_its_keys(dialog: ShortcutDialog) -> None:
    assert rows(dialog) == [
        ("New graph", "File", "Ctrl+N"),
        ("Mute", "Graph", "M   F8"),
        ("Fit the page", "View", "Home"),
        ("Arrange", "Graph", ""),
        ("Drag the view while held", "While dragging", "Space"),
    ]
    table = dialog.findChild(QTableWidget, "shortcut_table")
    assert isinstance(table, QTableWidget) and table.columnCount() == 3
    assert table.verticalHeader().defaultSectionSize() == 26
    assert dialog.chosen.id == "new" and dialog._editor._title.text() == "New graph" and chips(dialog) == ["Ctrl+N  ×"]
    assert dialog.size().toTuple() == (680, 600) and dialog._message.minimumHeight() == 30  # type: ignore[attr-defined]
    layout = dialog.layout()
    assert layout is not None and layout.spacing() == 10
    assert dialog._editor._chips.spacing() == 6 and rooms(dialog._editor)[0].startswith("0 ·")


@pytest.mark.parametrize(
    ("query", "names", "chosen", "message"),
    [
        ("", ["New graph", "Mute", "Fit the page", "Arrange", "Drag the view while held"], "mute", ""),
        ("mute", ["Mute"], "mute", ""),
        ("HOME", ["Fit the page"], "fit", ""),
        ("f8", ["Mute"], "mute", ""),
        ("graph", ["New graph", "Mute", "Arrange"], "mute", ""),
        (" qqq ", [], "mute", 'No command and no key is called "qqq".'),
    ],
)
def test_typing_leaves_rows_by_name_topic_or_key(
    dialog: ShortcutDialog, query: str, names: list[str], chosen: str, message: str
) -> None:
    dialog._table.selectRow(1)
    dialog._filter(query)
    assert [row[0] for row in rows(dialog)] == names
    assert (dialog.chosen.id, dialog._message.text()) == (chosen, message)


def test_a_key_of_another_command_is_asked_for(dialog: ShortcutDialog, keys: Keys) -> None:
    dialog._record("M")
    assert asks(dialog) and dialog._message.text() == 'M is a key of "Mute", which would keep F8.'
    dialog._leave_it()
    assert not asks(dialog) and keys.of("new") == ("Ctrl+N",) and dialog._message.text() == ""
    dialog._record("Home")
    assert dialog._message.text() == 'Home is the key of "Fit the page", which would have no key.'
    dialog._take_over()
    assert not asks(dialog) and keys.of("new") == ("Ctrl+N", "Home") and keys.of("fit") == ()
    cells = [dialog._table.item(row, 2) for row in range(4)]
    assert [cell.font().bold() for cell in cells if cell is not None] == [True, False, True, False]
    assert chips(dialog)[-2:] == ["Ctrl+N  ×", "Home  ×"] and dialog._editor._reset.isEnabled()


def test_a_free_key_is_added_and_a_refused_one_is_told(dialog: ShortcutDialog, keys: Keys) -> None:
    dialog._record("F9")
    assert keys.of("new") == ("Ctrl+N", "F9") and not asks(dialog)
    dialog._table.selectRow(4)
    dialog._record("Ctrl+F9")
    assert "without Ctrl, Shift or Alt" in dialog._message.text() and keys.of("hold_to_pan") == ("Space",)
    dialog._table.selectRow(0)
    assert dialog._message.text() == ""
    dialog.remove("Ctrl+N")
    assert keys.of("new") == ("F9",)
    dialog.reset()
    assert keys.of("new") == ("Ctrl+N",) and not dialog._editor._reset.isEnabled()


def test_without_a_chosen_row_the_first_one_is_meant(dialog: ShortcutDialog) -> None:
    dialog._table.setCurrentCell(-1, -1)
    assert dialog.chosen.id == "new"
