"""The trial of a fix in the window: loss and gradients now and with it."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gradwire.app.kit.why.trial_view import TrialView, amount_text
from gradwire.app.look.appearance import Appearance
from gradwire.engine.advice.advice import advise
from gradwire.engine.advice.trials import Amount, Trial
from gradwire.engine.evaluation.evaluate import run_graph
from tests.engine.advice.test_trials import guarded_root


@pytest.fixture(scope="module")
def trial() -> Trial:
    (fix,) = [finding.fix for finding in advise(run_graph(guarded_root())).findings]
    assert fix is not None and fix.trial is not None
    return fix.trial


@pytest.fixture
def view(qtbot: QtBot) -> TrialView:
    made = TrialView(Appearance("dark"), None)
    qtbot.addWidget(made)
    return made


@pytest.fixture
def cell(view: TrialView) -> Callable[[int, int], str]:
    def found(row: int, column: int) -> str:
        labels = view.findChildren(QLabel, f"trial_{row}_{column}" if column else f"trial_{row}")
        return next(label.text() for label in labels if not label.isHidden())

    return found


def test_the_table_has_loss_gradient_and_broken_wires(
    view: TrialView, trial: Trial, cell: Callable[[int, int], str]
) -> None:
    view.show_trial(trial)
    assert [cell(1, column) for column in range(3)] == ["loss", "3", "3"]
    assert [cell(2, column) for column in range(3)] == ["∂L/∂x", "NaN .5 .25", "0 .5 .25"]
    assert [cell(3, column) for column in range(3)] == ["wires with NaN", "1", "0"]
    assert "∂L/∂x: now NaN .5 .25, with the fix 0 .5 .25" in view.accessibleDescription()


def test_without_a_trial_nothing_is_shown(view: TrialView, trial: Trial) -> None:
    view.show_trial(trial)
    view.show_trial(None)
    assert view.isHidden()


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (Amount(3, 0.5, 0, (0.0, 0.5, 0.25)), "0 .5 .25"),
        (Amount(3, 0.349, 0, (-0.089, -0.19, 0.279)), "−.089 −.19 .279"),
        (Amount(3, math.nan, 1, (math.nan, -0.13, 0.279)), "NaN −.13 .279"),
    ],
)
def test_elements_leave_room_for_what_their_row_is_about(amount: Amount, text: str) -> None:
    assert amount_text(amount) == text
