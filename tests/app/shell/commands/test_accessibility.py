"""High contrast and reduced motion: chosen in the View menu, stored, and visible. Text size: `test_text_size.py`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QLineEdit, QToolButton

from gradwire.app.base.settings import Settings
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.selection import Selection
from gradwire.app.look import system
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.motion import moves, set_moves
from gradwire.app.look.style import style_sheet
from gradwire.app.look.system import wants_less_motion
from gradwire.app.look.theme import Theme, theme
from gradwire.app.shell.window import accessibility
from gradwire.app.start.main_window import MainWindow
from tests.app.look.test_theme import contrast
from tests.app.window.driver import Driver
from tests.app.window.graphs import chain

pytestmark = pytest.mark.long

BOTH = pytest.mark.parametrize("dress", [theme("dark", True), theme("light", True)], ids=["dark", "light"])


@pytest.fixture(autouse=True)
def _program_as_before(qapp: QApplication) -> Iterator[None]:
    yield
    # Each window applies only settings that differ from the program's; a partial look would not be applied again.
    Appearance("dark")
    set_moves(None)


@pytest.fixture
def here(user: Driver) -> Driver:
    user.show(chain())
    return user


def test_high_contrast_is_chosen_and_taken_back(here: Driver) -> None:
    here.trigger("contrast_on")
    assert here.window.appearance.theme is theme("dark", True)
    assert here.window.parts.actions_by_id["contrast_on"].isChecked()
    assert here.canvas.grab().toImage().pixelColor(3, 3).name() == "#000000"
    here.trigger("contrast_off")
    assert here.window.appearance.theme is theme("dark")


def test_high_contrast_follows_the_system_until_something_else_is_chosen(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gradwire.app.look.appearance.wants_contrast", lambda: True)
    appearance = Appearance("dark")
    assert appearance.theme.is_strong
    appearance.choose_contrast("off")
    assert not appearance.theme.is_strong


@BOTH
def test_in_high_contrast_text_and_borders_have_the_most_there_is(dress: Theme) -> None:
    ground = dress.color("bg.canvas")
    for token in ("text.primary", "text.secondary", "text.tertiary", "border.subtle", "border.default"):
        assert contrast(dress.color(token), ground) == pytest.approx(21, abs=0.01)


@BOTH
def test_in_high_contrast_there_are_no_tints_and_borders_are_2_px(dress: Theme) -> None:
    tints = ("bg.app", "bg.raised", "bg.header", "bg.frame", "grad.soft", "stop.fill", "error.bg", "warn.bg")
    assert {dress.color(token).name() for token in tints} == {dress.color("bg.canvas").name()}
    assert dress.line == 2
    assert "1px solid" not in style_sheet(dress)


@BOTH
def test_in_high_contrast_what_carries_meaning_stands_out_as_before(dress: Theme) -> None:
    ground = dress.color("bg.canvas")
    for token in ("wire.value", "wire.zero", "wire.nopath", "alarm", "error", "warn", "accent", "focus", "stop"):
        assert contrast(dress.color(token), ground) >= 3, token
    assert all(contrast(dress.ramp(step / 50), ground) >= 3 for step in range(51))


@pytest.mark.parametrize(
    ("platform", "answer", "is_wanted"),
    [
        ("linux", "false\n", True),
        ("linux", "true\n", False),
        ("linux", "", False),
        ("darwin", "1\n", True),
        ("darwin", "0\n", False),
        ("plan9", "false", False),
    ],
)
def test_the_system_is_asked_for_little_motion(platform: str, answer: str, is_wanted: bool) -> None:
    assert wants_less_motion(platform, lambda _: answer) is is_wanted


def test_a_system_that_cannot_be_asked_wants_nothing() -> None:
    assert system._answer(("no such program at all",)) == ""


def test_motion_is_chosen_and_remembered(here: Driver) -> None:
    here.trigger("motion_full")
    assert moves()
    here.trigger("motion_reduced")
    assert not moves()
    assert here.window.settings.text("motion") == "reduced"
    assert here.window.parts.actions_by_id["motion_reduced"].isChecked()


def test_motion_follows_a_system_that_wants_little(here: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    here.trigger("motion_full")
    monkeypatch.setattr(accessibility, "wants_less_motion", lambda: True)
    here.trigger("motion_system")
    assert not moves()


def test_fields_that_come_later_have_the_size_too(here: Driver) -> None:
    here.session.select(Selection())
    here.trigger("text_scale_150")
    here.session.select(Selection(frozenset(["x"])))
    here.child(QToolButton, "inspector_more").click()
    here.settle()
    field = here.child(QLineEdit, "parameter_block_name")
    assert field.fontInfo().pixelSize() == 18 and field.height() > 18 + 10


def test_what_was_chosen_is_so_at_the_next_start(qapp: QApplication, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "kept.ini")
    for key, value in (("text_scale", "125"), ("contrast", "on"), ("motion", "reduced")):
        settings.set_text(key, value)
    window = MainWindow(settings, Appearance("light"), InlineEvaluator)
    assert window.appearance.theme is theme("light", True)
    assert window.appearance.text_scale == 1.25
    assert not moves()
    window.close()
    window.deleteLater()


def test_damaged_settings_are_the_usual_ones(here: Driver) -> None:
    for text in ("", "huge", "-5", "9999", "12.5"):
        for key in ("text_scale", "contrast", "motion"):
            here.window.settings.set_text(key, text)
        accessibility.apply(here.window.settings, here.window.appearance, here.window.bars.texts)
        assert 0.9 <= here.window.appearance.text_scale <= 2.0
        for key in ("contrast", "motion"):
            assert accessibility.chosen(here.window.settings, key) == "system"
