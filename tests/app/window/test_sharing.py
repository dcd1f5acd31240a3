"""A window that was brought back is as one that opens; one that differs is noticed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from pytestqt.qtbot import QtBot

from gradwire.app.base.examples import example_path
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.look.appearance import Appearance
from tests.app.window.driver import Driver, Key
from tests.app.window.fixtures import shares_a_window
from tests.app.window.graphs import annotated, chain
from tests.app.window.sharing import SharedWindow, bring_back, left_over, standard
from tests.app.window.state import State, differences, state_of
from tests.app.windows import windows


@pytest.fixture(autouse=True)
def _alone(shared_window: SharedWindow) -> None:
    """The windows of these tests are the only ones."""
    shared_window.close()


def use_much(user: Driver) -> None:
    """Leaves traces in every part that tests look at."""
    user.show(annotated())
    for command in ("lens_console", "wires", "ways", "slice", "set_bookmark_1"):
        user.hand.click(user.points.title("e"))
        user.trigger(command)
    for key in (Key.Key_Escape, Key.Key_Right, Key.Key_B):
        user.key(key)
    user.hand.drag(user.points.title("t"), user.points.title("t") + user.points.title("e") / 4)
    user.hand.wheel(user.points.title("e"), QPoint(0, 120))
    user.window.parts.panels.bottom.close_panel()
    user.window.settings.set_flag("show_tips", False)
    user.window.resize(1024, 640)
    user.window.parts.layout.sayings.say_briefly("a tip")
    user.session.document.mark_saved()
    user.trigger("tour")


def looks(user: Driver) -> State:
    """The state of a window after the same few deeds, with a picture of the canvas."""
    user.show(chain())
    user.hand.click(user.points.title("e"))
    # Widgets that were just made are laid out once more.
    user.settle()
    picture = user.canvas.grab().toImage()
    return {**state_of(user.window), "camera": user.canvas.camera, "picture": picture.copy()}


@pytest.mark.long
def test_a_window_brought_back_is_as_one_that_opens(tmp_path: Path, qtbot: QtBot) -> None:
    with windows(tmp_path / "fresh") as make:
        expected = looks(Driver(make(InlineEvaluator), qtbot))
    with windows(tmp_path / "used") as make:
        used = Driver(make(InlineEvaluator), qtbot)
        use_much(used)
        assert differences(expected, state_of(used.window))
        bring_back(used.window)
        assert differences(expected, looks(used)) == {}


CHANGES: dict[str, Callable[[Driver], object]] = {
    "theme": lambda user: user.window.appearance.choose_contrast("on"),
    "wires": lambda user: user.window.appearance.choose_curves(True),
    "size of texts": lambda user: user.window.settings.set_text("text_scale", "150"),
    "minimap": lambda user: user.trigger("corner"),
    "only the canvas": lambda user: user.window.parts.layout.toggle_only_canvas(),
    "full screen": lambda user: user.window.showFullScreen(),
}


@pytest.mark.long
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_window_that_is_not_as_it_was_is_noticed(
    tmp_path: Path, qtbot: QtBot, change: Callable[[Driver], object]
) -> None:
    # An earlier test may have left another look of the program.
    Appearance("dark")
    standard(lambda: windows(tmp_path / "standard"))
    with windows(tmp_path) as make:
        user = Driver(make(InlineEvaluator), qtbot)
        user.show(chain())
        assert left_over(user.window) == {}
        user.show(chain())
        change(user)
        assert left_over(user.window)
        Appearance("dark")


def test_a_file_that_was_open_leaves_nothing_that_hinders_sharing(tmp_path: Path, qtbot: QtBot) -> None:
    Appearance("dark")
    standard(lambda: windows(tmp_path / "standard"))
    with windows(tmp_path) as make:
        user = Driver(make(InlineEvaluator), qtbot)
        user.open(example_path("softmax_naive"))
        user.trigger("arrange")
        assert left_over(user.window) == {}


def test_a_test_that_asks_for_a_user_alone_shares_the_window(user: Driver, request: pytest.FixtureRequest) -> None:
    assert shares_a_window(request.node) and not shares_a_window(None)
