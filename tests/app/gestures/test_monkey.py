"""A monkey with mouse, fingers and keyboard: whatever it does, canvas and graph agree, and undo and redo lead back.

Hypothesis chooses what it does and, where something breaks, finds the shortest way there. GRADWIRE_MONKEY_STEPS in
the environment makes it go on for longer and another way each time, 10000 for instance.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, run_state_machine_as_test
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from gradwire.app.look.motion import set_moves
from gradwire.engine.graph.graph import Graph, Page
from tests.app.window import monkey_keys, monkey_mouse, monkey_panels
from tests.app.window.driver import Driver
from tests.app.window.graphs import annotated, chain, misfits, number
from tests.app.window.monkey import heard_mistakes, shown_windows
from tests.app.window.monkey_laws import Laws

STEPS = int(os.environ.get("GRADWIRE_MONKEY_STEPS", "300"))
STEPS_AT_A_TIME = 50
STARTS: dict[str, Callable[[], Graph]] = {
    "annotated": annotated, "misfits": misfits, "number": number, "chain": chain,
    "empty": lambda: Graph((Page("main"),)),
}  # fmt: skip


class Monkey(Laws):
    """Everything that a user can do, one rule for each way of doing something, in a window that stays open."""

    @initialize(name=st.sampled_from(["annotated", *STARTS]))
    def begin(self, name: str) -> None:
        user = self.user
        self.mistakes.clear()
        self.things.tidy()
        user.window.resize(1300, 800)
        for command in ("text_scale_100", "contrast_off", "motion_reduced", "theme_dark", "overlay_magnitude"):
            user.trigger(command)
        QGuiApplication.clipboard().clear()
        user.show(STARTS[name]())
        self.windows = shown_windows()

    drag = monkey_mouse.drag
    connect = monkey_mouse.connect
    replug = monkey_mouse.replug
    move = monkey_mouse.move
    move_onto_a_wire = monkey_mouse.move_onto_a_wire
    shake = monkey_mouse.shake
    knife = monkey_mouse.knife
    lasso = monkey_mouse.lasso
    slide = monkey_mouse.slide
    scrub = monkey_mouse.scrub
    click = monkey_mouse.click
    double_click = monkey_mouse.double_click
    menu = monkey_mouse.menu
    wheel = monkey_mouse.wheel
    touch = monkey_mouse.touch
    search = monkey_mouse.search

    key = monkey_keys.key
    walk_and_wire = monkey_keys.walk_and_wire
    command = monkey_keys.command
    bring_into_order = monkey_keys.bring_into_order
    clipboard = monkey_keys.clipboard
    change = monkey_keys.change
    command_box = monkey_keys.command_box
    page = monkey_keys.page
    tab = monkey_keys.tab
    save_and_load = monkey_keys.save_and_load
    history = monkey_keys.history

    parameter = monkey_panels.parameter
    tensor = monkey_panels.tensor
    resize = monkey_panels.resize


@pytest.fixture
def still() -> Iterator[None]:
    """Whether things move is a matter of the whole program: afterwards it is as usual again."""
    yield
    set_moves(None)


@pytest.mark.long
@pytest.mark.no_qt_log
@pytest.mark.usefixtures("still")
def test_whatever_is_done_canvas_and_graph_agree(user: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for question in ("getOpenFileName", "getSaveFileName"):
        monkeypatch.setattr(QFileDialog, question, lambda *_, **__: ("", ""))
    rounds = settings(
        # Some rounds end early.
        max_examples=max(STEPS * 5 // (4 * STEPS_AT_A_TIME), 1),
        stateful_step_count=STEPS_AT_A_TIME,
        derandomize="GRADWIRE_MONKEY_STEPS" not in os.environ,
        database=None,
        report_multiple_bugs=False,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    with heard_mistakes() as mistakes:
        run_state_machine_as_test(lambda: Monkey(user, tmp_path, mistakes), settings=rounds)
