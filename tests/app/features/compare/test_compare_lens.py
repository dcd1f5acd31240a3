"""The comparison lens in a real window: its choices, its list, and the targets of its rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel, QMenu, QMessageBox

from gradwire.app.base.examples import example_path
from gradwire.app.features.compare.compare_desk import CompareDesk
from gradwire.app.features.compare.compare_lens import CompareLens
from gradwire.app.kit.controls.choice_box import ChoiceBox
from gradwire.app.kit.controls.switch import Switch
from gradwire.app.kit.lens.rows import RowsTable
from gradwire.app.shell.window.modes import Mode
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.edits import edits
from gradwire.engine.files.files import save
from tests.app.window.driver import Driver, Key
from tests.engine.cause_graphs import x

pytestmark = pytest.mark.long

FREE, STOPPED = "softmax_stable_plain_nosg", "softmax_stable_plain_sg"


def table(user: Driver) -> RowsTable:
    return user.child(RowsTable, "compare_list")


def texts(user: Driver) -> dict[str, tuple[str, ...]]:
    return {row.texts[0]: row.texts[1:] for row in table(user).rows.rows}


def summary(user: Driver) -> str:
    return user.child(QLabel, "compare_summary").text()


def menu(user: Driver) -> QMenu:
    user.window.parts.actions_by_id["compare_with"].trigger()
    return user.child(QMenu, "compare_menu")


def pick(user: Driver, *path: str) -> None:
    """Chooses an entry of the menu by the texts on the path to it."""
    found = menu(user)
    *ways, last = path
    for text in ways:
        inner = next(action for action in found.actions() if action.text() == text).menu()
        assert isinstance(inner, QMenu)
        found = inner
    next(action for action in found.actions() if action.text() == last).trigger()
    user.child(QMenu, "compare_menu").close()
    # The table stands in the panel below the strip.
    user.window.parts.panels.bottom.raise_panel(True)
    user.settle()


def test_the_stable_softmaxes_differ_in_the_status_of_the_wire_into_the_maximum(user: Driver) -> None:
    user.open(example_path(FREE))
    pick(user, "An example", "Softmax", STOPPED)
    user.qtbot.waitUntil(lambda: bool(texts(user)))
    assert texts(user)["x → mx.x"][4] == "≈ 0 / blocked"
    assert texts(user)["mx → z.y"][4] == "only here"
    assert texts(user)["sg.y"][4] == "only in B"
    assert summary(user).startswith("B is softmax_stable_plain_sg. L 2.575, in B 2.575, Δ ")


def test_an_earlier_state_of_the_history_is_what_the_graph_was(user: Driver) -> None:
    user.show(x(np.array([3.0])).then("s", "Square").loss())
    user.session.apply("Change x", edits.set_parameter, "main", "x", "value", np.array([5.0]))
    user.settle()
    pick(user, "An earlier state", "Before: Change x")
    assert texts(user)["x.y"] == ("4", "0.4", "2", "0.4", "")
    assert next(iter(texts(user))) == "s.y" and "L 25, in B 9, Δ 16." in summary(user)
    user.session.undo()
    user.qtbot.waitUntil(lambda: summary(user).endswith("All ports and wires with the same name are equal."))


def test_another_window_is_compared_with(user: Driver) -> None:
    user.show(x(np.array([3.0])).loss())
    other = user.window.open_beside()
    other.parts.document.show(x(np.array([1.0])).loss(), title="other")
    user.settle()
    pick(user, "Another window", "other")
    assert texts(user)["x.y"][2] == "2"


def test_a_file_is_compared_with_and_a_broken_one_is_said(
    user: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "b.graph"
    save(x(np.array([1.0])).loss(), path)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_, **__: (str(path), ""))
    user.show(x(np.array([3.0])).loss())
    pick(user, "A file …")
    assert texts(user)["x.y"][2] == "2" and summary(user).startswith("B is b.graph.")
    path.write_text("{")
    said: list[str] = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: said.append(box.text()))
    pick(user, "A file …")
    assert said == ["The file cannot be opened"]
    assert texts(user)["x.y"][2] == "2"


def test_a_row_leads_to_its_wire_and_escape_ends_the_comparison(user: Driver) -> None:
    user.open(example_path(FREE))
    pick(user, "An example", "Softmax", STOPPED)
    found = table(user)
    found.set_current(Link(PortName("main/x", "y"), PortName("main/mx", "x")))
    found.setFocus()
    QTest.keyClick(found, Key.Key_Return)
    user.settle()
    assert {str(wire.target) for wire in user.selection.wires} == {"mx.x"}
    found.set_current(PortName("main/sg", "y"))
    QTest.keyClick(found, Key.Key_Return)
    assert {str(wire.target) for wire in user.selection.wires} == {"mx.x"}
    user.window.parts.modes.choose(Mode.BUILD)
    assert user.session.part(CompareDesk).choice is None


def test_the_strip_opens_the_menu_and_escape_closes_it(user: Driver) -> None:
    user.show(x(np.array([3.0])).loss())
    user.window.parts.modes.choose(Mode.COMPARE)
    user.settle()
    box = user.child(ChoiceBox, "compare_choice")
    box.setCurrentIndex(box.count() - 1)
    box.activated.emit(box.count() - 1)
    found = user.child(QMenu, "compare_menu")
    assert found.isVisible()
    QTest.keyClick(found, Key.Key_Escape)
    user.settle()
    assert not user.window.findChildren(QMenu, "compare_menu")
    assert user.session.part(CompareDesk).choice is None


def test_the_mode_begins_with_the_first_stop_and_its_end_shows_the_page_as_it_was(user: Driver) -> None:
    user.open(example_path("td_semi"))
    before = user.session.results
    user.window.parts.modes.choose(Mode.COMPARE)
    desk = user.session.part(CompareDesk)
    user.qtbot.waitUntil(lambda: desk.reached is not None)
    user.settle()
    assert user.child(QLabel, "compare_first").text() == "First difference: round 0, wire Gather v_next → StopGradient"
    assert not user.child(Switch, "stop_switch").isVisible()
    said = user.window.parts.layout.status.sentence.text
    assert said == "2 of 13 wires have another gradient in B at round 0"
    user.window.parts.modes.choose(Mode.COMPARE)
    user.settle()
    assert desk.choice is None and user.child(Switch, "stop_switch").isVisible()
    assert before is not None and user.session.results is not None
    assert user.session.results.loss == before.loss and user.session.results.compared is None


def test_a_process_of_its_own_compares_too(live_user: Driver) -> None:
    user = live_user
    user.show(x(np.array([3.0])).loss())
    user.qtbot.waitUntil(lambda: user.session.results is not None)
    user.window.parts.panels.show_lens("compare")
    user.window.parts.panels.bottom.raise_panel(True)
    lens = user.child(CompareLens, "lens_compare")
    lens.compare_with("other", x(np.array([1.0])).loss())
    user.qtbot.waitUntil(lambda: bool(texts(user)))
    assert texts(user)["x.y"][2] == "2"
