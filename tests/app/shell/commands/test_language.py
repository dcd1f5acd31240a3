"""The window uses the chosen language."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

import gradwire.app.start.window as starting
from gradwire.app.base.settings import Settings
from tests.app.window.sharing import SharedWindow


def test_the_language_of_the_settings_is_spoken_from_the_start(
    shared_window: SharedWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # All windows are closed at the end, also that of other tests.
    shared_window.close()
    settings = Settings(tmp_path / "s.ini")
    settings.set_text("language", "de")
    spoken: list[str] = []
    monkeypatch.setattr(starting, "Settings", lambda *_: settings)
    monkeypatch.setattr(starting, "use_language", lambda _, code: spoken.append(code))
    monkeypatch.setattr(QApplication, "exec", lambda *_: close_windows())
    assert starting.open_window(None) == 0
    assert spoken == ["de"]


def close_windows() -> int:
    for widget in QApplication.topLevelWidgets():
        widget.close()
        widget.deleteLater()
    return 0
