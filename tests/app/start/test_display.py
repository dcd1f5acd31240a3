"""The check for a display, which comes before Qt: without a display Qt would end the process."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

import pytest

from gradwire.app.start import display, qt_libraries
from gradwire.app.start.display import missing_display, missing_x11_library, needs_x11

# No X server has this number.
NOBODY = ":987"


@pytest.fixture(autouse=True)
def on_linux(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    # libxcb reads the variable itself.
    monkeypatch.setenv("DISPLAY", NOBODY)


@pytest.fixture
def wayland(tmp_path: Path) -> dict[str, str]:
    """The variables of a Wayland session with a socket."""
    (tmp_path / "wayland-0").touch()
    return {"WAYLAND_DISPLAY": "wayland-0", "XDG_RUNTIME_DIR": str(tmp_path)}


@pytest.mark.parametrize("environment", [{}, {"DISPLAY": ""}, {"QT_QPA_PLATFORM": ""}])
def test_where_there_is_no_display_it_is_said(environment: dict[str, str]) -> None:
    assert missing_display(environment) == "There is no display (DISPLAY is not set)."


def test_a_display_that_does_not_answer_is_named() -> None:
    assert missing_display({"DISPLAY": NOBODY}) == f"The display {NOBODY} does not answer."


def test_without_the_library_that_asks_no_display_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: str) -> None:
        raise OSError("libxcb.so.1: cannot open shared object file")

    monkeypatch.setattr(ctypes, "CDLL", fail)
    assert missing_display({"DISPLAY": NOBODY}) == f"The display {NOBODY} does not answer."


def test_a_display_that_answers_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(display, "_x11_answers", lambda: True)
    assert missing_display({"DISPLAY": NOBODY}) == ""


@pytest.mark.parametrize("platform", ["offscreen", "xcb", "wayland"])
def test_a_platform_that_was_chosen_is_taken_at_its_word(platform: str) -> None:
    assert missing_display({"QT_QPA_PLATFORM": platform}) == ""


def test_wayland_is_enough(wayland: dict[str, str]) -> None:
    assert missing_display(wayland) == ""


@pytest.mark.parametrize("missing", ["WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"])
def test_half_a_wayland_session_is_none(wayland: dict[str, str], missing: str) -> None:
    del wayland[missing]
    assert missing_display(wayland) == "There is no display (DISPLAY is not set)."


def test_a_wayland_session_that_has_ended_is_none(wayland: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "wayland-0").unlink()
    assert missing_display({**wayland, "DISPLAY": NOBODY}) == f"The display {NOBODY} does not answer."


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_other_systems_always_have_a_display(monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    monkeypatch.setattr(sys, "platform", system)
    assert (missing_display({}), needs_x11({"QT_QPA_PLATFORM": "xcb"})) == ("", False)


def test_x11_is_used_if_chosen_or_if_nothing_else_is_there(wayland: dict[str, str]) -> None:
    assert needs_x11({})
    assert needs_x11({"QT_QPA_PLATFORM": "xcb", **wayland})
    assert not needs_x11(wayland)
    assert not needs_x11({"QT_QPA_PLATFORM": "offscreen"})


def test_a_library_that_only_x11_needs_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(library: str) -> None:
        if library == "libxcb-cursor.so.0":
            raise OSError(f"{library}: cannot open shared object file: No such file or directory")

    monkeypatch.setattr(ctypes, "CDLL", load)
    monkeypatch.setattr(qt_libraries.shutil, "which", lambda name: name if name == "apt-get" else None)
    monkeypatch.setattr(qt_libraries.os, "geteuid", lambda: 0, raising=False)
    assert missing_x11_library() == (
        "Qt needs the system library libxcb-cursor.so.0, which is missing. "
        "Install it with: apt-get install --yes libxcb-cursor0"
    )


def test_where_all_libraries_are_there_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda _: None)
    assert missing_x11_library() == ""
