"""`gradwire plugins` and the sentences about plug-ins that fail, with plug-ins made by hand."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from gradwire.app.cli import plugin_notices, plugins_command, version
from gradwire.engine.base.problems import Problem
from gradwire.engine.blocktypes.library import Plugin, library
from gradwire.engine.executors import chosen
from tests.app.cli.graphs import called

ON = Plugin("on", "pack 1.0", True, "on (/p)", types=("on.A", "on.B"))
OFF = Plugin("off", "pack 2.0", False, "off (/p)")
FAULTY = Plugin("faulty", "pack 3.0", True, "faulty (/p)", fault="it is odd")
GONE = Plugin("gone", "pack 4.0", False, "gone (/p)", fault="it has gone")


@pytest.mark.parametrize(
    ("installed", "code", "said"),
    [
        ([], 0, "No plug-ins are installed.\n"),
        (
            [ON, OFF],
            0,
            "plug-in  from      module    state\n"
            "on       pack 1.0  on (/p)   enabled, adds on.A, on.B\n"
            "off      pack 2.0  off (/p)  disabled\n",
        ),
        (
            [FAULTY],
            1,
            "plug-in  from      module       state\nfaulty   pack 3.0  faulty (/p)  disabled: it is odd\n",
        ),
    ],
)
def test_a_table_has_the_state_of_each(
    installed: list[Plugin], code: int, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plugins_command, "installed_plugins", lambda _: installed)
    assert called(capsys, "plugins") == (code, said, "")


@pytest.mark.parametrize("fault", ["", "it is odd"])
def test_only_what_passes_its_trial_is_enabled(
    fault: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[tuple[str, object]] = []
    monkeypatch.setattr(plugins_command, "check_installed", lambda _: None)
    monkeypatch.setattr(plugins_command, "tried", lambda _: SimpleNamespace(fault=fault))
    for name in ("set_enabled", "disable_plugin"):
        monkeypatch.setattr(plugins_command, name, lambda *given: done.append(given))
    outcome = called(capsys, "plugins", "--enable", "on")
    said = "gradwire: the plug-in on is disabled: it is odd. Once it is mended: gradwire plugins --enable on\n"
    assert outcome == ((1, "", said) if fault else (0, "", ""))
    assert done == [("on", fault or True)]
    assert called(capsys, "plugins", "--disable", "on").code == 0
    assert done[1:] == [("on", False)]


def test_each_command_names_plug_ins_that_failed_but_the_one_that_lists_them(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    put = {item.name: item for item in (ON, OFF, FAULTY, GONE)}
    monkeypatch.setattr(library, "plugins", put)
    monkeypatch.setattr(plugin_notices, "put_odd_lists_aside", lambda: (Path("/aside"),))
    aside = "gradwire: the list of plug-ins cannot be read; it is now /aside\n"
    faulty = (
        "gradwire: the plug-in faulty is disabled: it is odd. Once it is mended: gradwire plugins --enable faulty\n"
    )
    for is_listed, said in ((True, aside), (False, aside + faulty)):
        plugin_notices.say_faults(is_listed)
        assert capsys.readouterr().err == said


def test_a_plug_in_is_disabled_once_for_its_first_problem(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[tuple[str, str]] = []
    monkeypatch.setattr(plugin_notices, "disable_plugin", lambda *given: done.append(given))
    places = (("main/x", ""), ("main/y", "on"), ("main/z", "on"))
    plugin_notices.disable_faulty([Problem("error", at, "fault", "It fails.", plugin=name) for at, name in places])
    assert done == [("on", "its block main/y has failed: It fails")]
    assert capsys.readouterr().err.startswith("gradwire: the plug-in on is disabled: its block main/y has failed")


def test_the_version_names_plug_ins_with_blocks_and_what_is_amiss(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(version.VARIABLE, "numpy")
    monkeypatch.setattr(plugin_notices, "put_odd_lists_aside", lambda: ())
    monkeypatch.setattr(chosen, "EXECUTOR", "NumPy")
    for notice, end in (("", ""), ("No compiler.", "\nNo compiler.")):
        monkeypatch.setattr(chosen, "NOTICE", notice)
        monkeypatch.setattr(library, "plugins", {"on": ON, "off": OFF})
        assert version.version_text().endswith(f", executor: NumPy, plug-ins: on (pack 1.0)){end}")
        monkeypatch.setattr(library, "plugins", {"off": OFF})
        assert version.version_text().endswith(f", executor: NumPy){end}")


def test_without_lists_of_plug_ins_the_version_loads_no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise ImportError

    monkeypatch.delenv(version.VARIABLE, raising=False)
    monkeypatch.setattr(version, "has_lists", lambda: False)
    monkeypatch.setattr(version, "_text_with_library", lambda: "all was loaded")
    for spec, load, end in (
        (None, fail, ", executor: NumPy)"),
        ("there", lambda _: None, ", executor: compiled)"),
        ("odd", fail, "all was loaded"),
    ):
        util = SimpleNamespace(find_spec={version.EXTENSION: spec}.get, module_from_spec=load)
        monkeypatch.setattr(version, "util", util)
        assert version.version_text().endswith(end)


@pytest.mark.parametrize(("wish", "has_lists"), [("numpy", False), ("", True)])
def test_a_wish_or_a_list_needs_the_library(wish: str, has_lists: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(version.VARIABLE, wish)
    monkeypatch.setattr(version, "has_lists", lambda: has_lists)
    monkeypatch.setattr(version, "_text_with_library", lambda: "all was loaded")
    assert version.version_text() == "all was loaded"
