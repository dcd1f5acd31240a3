"""Plug-ins are listed with their origin, tried when the user enables them, and disabled when they fail."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLabel

from gradwire.app.features.help import about
from gradwire.app.features.plugins import plugins_dialog
from gradwire.app.features.problems.problem_list import ProblemList
from gradwire.app.features.problems.problem_rows import ASK_FOR_PLUGIN, Row
from gradwire.app.kit.controls.switch import Switch
from gradwire.engine.blocktypes.library import Plugin, library
from gradwire.engine.edits import edits
from gradwire.engine.files.file_writing import dumps
from gradwire.engine.graph.graph import Block, Graph
from gradwire.engine.plugins.plugins import enabled_names, known_faults
from tests.app.window.driver import Driver
from tests.recorded import make_graph

TYPES = """
import os
from typing import Annotated

from gradwire.engine.blocktypes.block_type import block
from gradwire.engine.blocktypes.parameters import Kind


def check(value):
    if value == "stop":
        raise SystemExit("checked")
    return value


def shape(x, *, how):
    return x if how != "shape" else x.nowhere


@block("Mine", infer=shape)
def Twice(x, *, how: Annotated[str, Kind("text", check)] = "well"):
    \"\"\"Twice the tensor.\"\"\"
    if how == "run":
        raise SystemExit("left")
    if how == "end":
        os._exit(3)
    return FACTOR * x


@Twice.gradient
def twice_gradient(g, x, y, *, how):
    return g * (FACTOR if how != "rule" else {}[how])
"""
PATIENCE = 60_000
Install = Callable[[str, str], Path]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """A function that installs plug-ins of hostile origin; none is enabled, and none remains at the end."""
    folder = tmp_path / "packages"
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", str(folder))
    for variable in ("XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.setenv(variable, str(tmp_path / "config"))
    made: list[str] = []

    def add(name: str, source: str) -> Path:
        made.append(name)
        found = folder / f"gradwire_{name}-1.0.dist-info"
        found.mkdir(parents=True)
        (found / "METADATA").write_text(f"Metadata-Version: 2.1\nName: gradwire-<b>{name}</b>\nVersion: 1.0\n")
        (found / "entry_points.txt").write_text(f"[gradwire.blocks]\n{name} = gradwire_{name}\n")
        module = folder / f"gradwire_{name}.py"
        module.write_text(source)
        return module

    yield add
    for name in made:
        library.put_plugin(Plugin(name))
        del library.plugins[name]


def texts(user: Driver, name: str) -> list[str]:
    return [label.text() for label in user.child(QDialog, "plugins_dialog").findChildren(QLabel, name)]


def switch(user: Driver, name: str) -> Switch:
    return user.child(Switch, f"enable_{name}")


def state(user: Driver) -> str:
    return texts(user, "plugin_state")[0]


def enabled(user: Driver, name: str) -> None:
    """Enables a plug-in in the dialog, and waits for the end of its trial."""
    if user.window.findChild(QDialog, "plugins_dialog") is None:
        user.trigger("plugins")
    QTest.keyClick(switch(user, name), Qt.Key.Key_Space)
    assert state(user) == "Being tried …" and switch(user, name).isChecked()
    user.qtbot.waitUntil(lambda: state(user) != "Being tried …", timeout=PATIENCE)


def twice(how: str = "well") -> Graph:
    x = Block("x", "Input", at=(0, 0), parameters={"value": np.array([1.0, 2.0])})
    given = {} if how == "well" else {"how": how}
    blocks = [x, Block("d", "mine.Twice", at=(200, 0), parameters=given), Block("loss", "Loss", at=(400, 0))]
    return make_graph(blocks, [("x.y", "d.x"), ("d.y", "loss.x")])


def loss(user: Driver) -> float | None:
    found = user.session.results
    return None if found is None or found.loss is None or found.loss.value is None else float(found.loss.value)


def told(user: Driver) -> str:
    return " ".join(problem.message for problem in user.session.problems if problem.severity == "error")


def test_a_plug_in_is_listed_with_its_origin_and_not_imported(install: Install, user: Driver) -> None:
    module = install("bold", "raise SystemExit('imported')\n")
    user.trigger("plugins")
    assert texts(user, "plugin_origin") == ["gradwire-<b>bold</b> 1.0"]
    assert texts(user, "plugin_place") == [f"gradwire_bold, {module.with_suffix('')}"]
    assert state(user) == "Not loaded."
    assert not switch(user, "bold").isChecked()


def test_the_tab_key_goes_from_the_switches_to_the_button(install: Install, user: Driver) -> None:
    install("bold", "")
    user.trigger("plugins")
    place, names = user.child(QDialog, "plugins_dialog").nextInFocusChain(), list[str]()
    while not isinstance(place, QDialog):
        names.append(place.objectName())
        place = place.nextInFocusChain()
    assert names.index("enable_bold") < names.index("plugins_close")


@pytest.mark.long
def test_one_that_fails_its_trial_is_named_with_the_reason_and_stays_disabled(install: Install, user: Driver) -> None:
    install("bold", "import os\nos._exit(5)\n")
    enabled(user, "bold")
    assert state(user) == "Disabled: it ended the process that imported it, with exit code 5."
    assert not switch(user, "bold").isChecked()
    assert enabled_names() == [] and list(known_faults()) == ["bold"]
    assert "gradwire_bold" not in sys.modules


@pytest.mark.long
def test_one_that_is_switched_off_while_it_is_tried_stays_so(install: Install, user: Driver) -> None:
    install("mine", "FACTOR = 2.0\n" + TYPES)
    user.trigger("plugins")
    QTest.keyClick(switch(user, "mine"), Qt.Key.Key_Space)
    QTest.keyClick(switch(user, "mine"), Qt.Key.Key_Space)
    assert state(user) == "Not loaded." and not switch(user, "mine").isChecked()
    user.qtbot.waitUntil(lambda: threading.active_count() == 1, timeout=PATIENCE)
    user.settle()
    assert state(user) == "Not loaded." and enabled_names() == []


@pytest.mark.long
def test_enabling_holds_at_once_and_nothing_of_it_runs_in_the_window(install: Install, live_user: Driver) -> None:
    user = live_user
    install("mine", "FACTOR = 2.0\n" + TYPES)
    user.show(twice())
    user.qtbot.waitUntil(lambda: user.session.results is not None, timeout=PATIENCE)
    assert "The plug-in mine is not loaded" in told(user)
    enabled(user, "mine")
    assert state(user) == "Loaded; it adds mine.Twice."
    user.qtbot.waitUntil(lambda: loss(user) == 6.0, timeout=PATIENCE)
    assert told(user) == ""
    assert "gradwire_mine" not in sys.modules
    # The check of the parameter does not run here either, and the file keeps the parameter.
    user.session.apply("Set", edits.set_parameter, "main", "d", "how", "fine")
    assert '"parameters": {"how": "fine"}' in dumps(user.graph)
    QTest.keyClick(switch(user, "mine"), Qt.Key.Key_Space)
    user.qtbot.waitUntil(lambda: "The plug-in mine is not loaded" in told(user), timeout=PATIENCE)
    assert enabled_names() == [] and known_faults() == {}


# By the setting that brings it about: the reason that is given, the mistake, and what it is replaced with.
MISTAKES = {
    "end": ("it ended the evaluation 3 times in a row (exit code 3)", "os._exit", "print"),
    "run": (
        "Its code fails, which is a mistake in the plug-in mine: gradwire_mine.py, line 24: raise SystemExit",
        'raise SystemExit("left")',
        "print()",
    ),
    "shape": (
        "Its code fails, which is a mistake in the plug-in mine: gradwire_mine.py, line 16: return",
        "x.nowhere",
        "x",
    ),
    "rule": (
        "Its gradient rule fails, which is a mistake in the plug-in mine: gradwire_mine.py, line 32: return g",
        "{}[how]",
        "FACTOR",
    ),
    "stop": (
        "Parameter how cannot be checked, which is a mistake in the plug-in mine: gradwire_mine.py, line 11: raise",
        'raise SystemExit("checked")',
        "print()",
    ),
}


@pytest.mark.long
def test_each_mistake_disables_it_with_the_reason_at_its_blocks_and_mended_it_is_enabled_again(
    install: Install, live_user: Driver
) -> None:
    """One plug-in with all mistakes is mended step by step: each process that is started takes a second."""
    user, source, factor = live_user, TYPES, 2.0
    module = install("mine", f"FACTOR = {factor}\n{source}")
    enabled(user, "mine")
    user.show(twice())
    user.qtbot.waitUntil(lambda: loss(user) == 6.0, timeout=PATIENCE)
    for how, (reason, mistake, mended) in MISTAKES.items():
        user.session.apply("Set", edits.set_parameter, "main", "d", "how", how)
        text = dumps(user.graph)
        user.qtbot.waitUntil(lambda: "The plug-in mine is disabled" in told(user), timeout=PATIENCE)
        assert f"its block main/d has failed: {reason}" in told(user)
        assert enabled_names() == [] and reason in known_faults()["mine"]
        assert state(user).startswith("Disabled: its block main/d has failed: ") and reason in state(user)
        assert dumps(user.graph) == text
        # Another factor shows that the mended plug-in runs, and not the one before.
        source, factor = source.replace(mistake, mended), factor + 1
        module.write_text(f"FACTOR = {factor}\n{source}")
        enabled(user, "mine")
        expected = 3 * factor
        user.qtbot.waitUntil(lambda expected=expected: loss(user) == expected, timeout=PATIENCE)
        assert told(user) == "" and dumps(user.graph) == text


@pytest.mark.long
def test_one_whose_line_of_source_fails_is_disabled_and_the_export_says_why(
    install: Install, live_user: Driver
) -> None:
    user = live_user
    spelled = 'infer=shape, spelling=Spelling(numpy="{x} +"))'
    source = "from gradwire.engine.blocktypes.spelling import Spelling\nFACTOR = 2.0\n" + TYPES.replace(
        "infer=shape)", spelled
    )
    install("mine", source.replace("    return FACTOR * x", "    print('noise')\n    return FACTOR * x"))
    enabled(user, "mine")
    user.child(QDialog, "plugins_dialog").reject()
    user.show(twice())
    user.qtbot.waitUntil(lambda: loss(user) == 6.0, timeout=PATIENCE)
    user.trigger("export_code")
    status = user.child(QLabel, "code_status")
    user.qtbot.waitUntil(lambda: status.text().startswith("Main/d"), timeout=PATIENCE)
    reason = "Its line cannot be written, which is a mistake in the plug-in mine: the log names it"
    assert status.text().startswith(f"Main/d: {reason}") and "noise" not in status.text()
    user.child(QDialog, "code_dialog").reject()
    user.qtbot.waitUntil(
        lambda: "The plug-in mine is disabled" in told(user) and reason in told(user), timeout=PATIENCE
    )


@pytest.mark.long
def test_a_list_that_cannot_be_written_is_said(install: Install, user: Driver, tmp_path: Path) -> None:
    install("mine", "FACTOR = 2.0\n" + TYPES)
    (tmp_path / "config").write_text("a file where a folder should be")
    enabled(user, "mine")
    assert state(user).startswith("Disabled: the list of enabled plug-ins cannot be written")


def test_without_plug_ins_the_list_says_so(user: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugins_dialog, "installed_plugins", lambda _: [])
    user.trigger("plugins")
    assert texts(user, "plugins_none") == ["No plug-ins are installed."]


def test_one_that_has_failed_is_reported_when_the_program_starts(install: Install, user: Driver) -> None:
    install("odd", "")
    user.window.parts.dialogs.report_plugins()
    assert user.window.findChild(QDialog, "plugins_dialog") is None
    library.put_plugin(Plugin("odd", is_enabled=True, fault="RuntimeError: <i>out</i> of\u202e order"))
    user.window.parts.dialogs.report_plugins()
    assert state(user) == "Disabled: RuntimeError: <i>out</i> of[U+202E] order."


def test_the_about_box_names_the_plug_ins_that_are_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Plug-ins" not in about.versions_text()
    monkeypatch.setitem(library.plugins, "odd", Plugin("odd", "gradwire-odd 2.0", True, types=("odd.Odd",)))
    assert about.versions_text().endswith("\nPlug-ins: odd (gradwire-odd 2.0)")


def plugin_rows(user: Driver) -> list[Row]:
    return [
        row for row in user.window.parts.panels.problems._model.rows if row.fix is ASK_FOR_PLUGIN
    ]  # what the list shows


def test_a_block_of_a_plug_in_that_is_not_loaded_offers_the_list_and_changes_nothing(user: Driver) -> None:
    user.show(make_graph([Block("far", "shrinkage.SoftThreshold", at=(0, 0))], []))
    graph = user.graph
    view = user.window.parts.panels.problems.findChild(ProblemList)
    assert isinstance(view, ProblemList)
    rows = plugin_rows(user)
    assert [row.sentence for row in rows] == ['There is no block type "shrinkage.SoftThreshold"; it is kept as it is.']
    view.fix_wanted.emit(rows[0])
    user.settle()
    assert user.child(QDialog, "plugins_dialog").isVisible()
    assert user.graph is graph
