"""Plug-ins are listed with their origin and enabled by hand; a file can only ask for the list."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLabel

from app import about, plugins_dialog
from app.panels.problem_list import ProblemList
from app.panels.problem_rows import ASK_FOR_PLUGIN
from app.panels.switch import Switch
from engine.graph import Block
from engine.plugins import Plugin, enabled_names
from tests.app.window.driver import Driver
from tests.recorded import make_graph


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that packages are found in, with a plug-in of a hostile origin; nothing is enabled."""
    folder = tmp_path / "packages"
    found = folder / "gradwire_bold-1.0.dist-info"
    found.mkdir(parents=True)
    (found / "METADATA").write_text("Metadata-Version: 2.1\nName: gradwire-<b>bold</b>\nVersion: 1.0\n")
    (found / "entry_points.txt").write_text("[gradwire.blocks]\nbold = gradwire_bold\n")
    (folder / "gradwire_bold.py").write_text("raise SystemExit('imported')\n")
    monkeypatch.syspath_prepend(str(folder))
    for variable in ("XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.setenv(variable, str(tmp_path / "config"))
    return folder


def texts(user: Driver, name: str) -> list[str]:
    return [label.text() for label in user.child(QDialog, "plugins_dialog").findChildren(QLabel, name)]


def test_a_plug_in_is_listed_with_its_origin_and_enabled_by_hand_for_the_next_start(
    installed: Path, user: Driver
) -> None:
    user.trigger("plugins")
    assert texts(user, "plugin_origin") == ["gradwire-<b>bold</b> 1.0"]
    assert texts(user, "plugin_place") == [f"gradwire_bold, {installed / 'gradwire_bold'}"]
    assert texts(user, "plugin_state") == ["Not loaded."]
    switch = user.child(Switch, "enable_bold")
    QTest.keyClick(switch, Qt.Key.Key_Space)
    assert enabled_names() == ["bold"]
    assert "gradwire_bold" not in sys.modules
    QTest.keyClick(switch, Qt.Key.Key_Space)
    assert enabled_names() == []


def test_a_list_that_cannot_be_written_is_said(installed: Path, user: Driver, tmp_path: Path) -> None:
    (tmp_path / "config").write_text("a file where a folder should be")
    user.trigger("plugins")
    QTest.keyClick(user.child(Switch, "enable_bold"), Qt.Key.Key_Space)
    assert texts(user, "plugins_message")[0].startswith("the list of enabled plug-ins cannot be written")


def test_without_plug_ins_the_list_says_so(user: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugins_dialog, "installed_plugins", lambda _: [])
    user.trigger("plugins")
    assert texts(user, "plugins_none") == ["No plug-ins are installed."]


def test_one_that_was_left_out_is_reported_when_the_program_starts(
    user: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = Plugin("odd", "gradwire-odd 2.0", True, "gradwire_odd", fault="RuntimeError: <i>out</i> of\u202e order")
    user.window.dialogs.report_plugins()
    assert user.window.findChild(QDialog, "plugins_dialog") is None
    monkeypatch.setattr(plugins_dialog, "loaded_plugins", [failed])
    monkeypatch.setattr(plugins_dialog, "installed_plugins", list)
    user.window.dialogs.report_plugins()
    assert texts(user, "plugin_state") == ["Left out: RuntimeError: <i>out</i> of[U+202E] order."]


def test_the_about_box_names_the_plug_ins_that_are_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Plug-ins" not in about.versions_text()
    monkeypatch.setattr(about, "loaded_plugins", [Plugin("odd", "gradwire-odd 2.0", True, types=("odd.Odd",))])
    assert about.versions_text().endswith("\nPlug-ins: odd (gradwire-odd 2.0)")


def test_a_block_of_a_plug_in_that_is_not_loaded_offers_the_list_and_changes_nothing(user: Driver) -> None:
    user.show(make_graph([Block("far", "shrinkage.SoftThreshold", at=(0, 0))], []))
    graph = user.graph
    view = user.window.problems.findChild(ProblemList)
    assert isinstance(view, ProblemList)
    rows = [row for row in user.window.problems._model.rows if row.fix is ASK_FOR_PLUGIN]  # what the list shows
    assert [row.sentence for row in rows] == ['There is no block type "shrinkage.SoftThreshold"; it is kept as it is.']
    view.fix_wanted.emit(rows[0])
    user.settle()
    assert user.child(QDialog, "plugins_dialog").isVisible()
    assert user.graph is graph
