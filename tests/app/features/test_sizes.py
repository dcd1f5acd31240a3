"""The sizes of the widgets of features, and the room in and around them, at texts of 100 %. Units: px."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.base.settings import Settings
from gradwire.app.features.help.about import AboutDialog
from gradwire.app.features.help.report_dialog import ReportDialog
from gradwire.app.features.help.step_pill import StepPill
from gradwire.app.features.help.tour_card import TourCard
from gradwire.app.features.help.wire_help import WireHelp
from gradwire.app.features.inspector.inspector import Inspector
from gradwire.app.features.models.busy_bar import BusyBar
from gradwire.app.features.models.import_dialog import ImportDialog
from gradwire.app.features.pages.page_tabs import PageTabs
from gradwire.app.features.pages.round_bar import RoundBar
from gradwire.app.features.problems.problems import ProblemsPanel
from gradwire.app.features.search.block_help import BlockHelp
from gradwire.app.features.search.search_popup import SearchPopup
from gradwire.app.features.welcome.welcome import WelcomePage
from gradwire.app.kit.feature import Feature
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.shell.features import LENSES
from tests.app.measured import lacking, measures
from tests.app.window.graphs import decay

Make = Callable[[CurrentSession, Appearance, QWidget, Path], QWidget]


def inspector(current: CurrentSession, look: Appearance, blocks: tuple[str, ...]) -> Inspector:
    made = Inspector(current, look)
    current.session.select(Selection(frozenset(blocks), frozenset()))
    return made


def rounds(current: CurrentSession, look: Appearance) -> RoundBar:
    made = RoundBar(current, look)
    current.session.view.enter(current.session.page.blocks["rec"])
    return made


WIDGETS: dict[str, Make] = {
    "problems": lambda current, look, _, path: ProblemsPanel(current, look, Settings(path / "s.ini")),
    "welcome": lambda _, look, __, path: WelcomePage(Settings(path / "s.ini"), look, lambda *_: None),
    "search": lambda _, look, __, path: SearchPopup(look, Settings(path / "s.ini")),
    "block help": lambda _, look, parent, __: shown_help(look, parent),
    "pages": lambda current, look, *_: PageTabs(current, look),
    "rounds": lambda current, look, *_: rounds(current, look),
    "page": lambda current, look, *_: inspector(current, look, ()),
    "value": lambda current, look, *_: inspector(current, look, ("start",)),
    "blocks": lambda current, look, *_: inspector(current, look, ("start", "w")),
    "about": lambda _, look, parent, __: AboutDialog("1.0", look, parent),
    "report": lambda _, look, parent, __: ReportDialog(lambda _: "text", look, parent),
    "patterns": lambda _, look, parent, __: WireHelp(look, parent),
    "busy": lambda _, __, parent, ___: BusyBar(parent),
    "import": lambda _, __, parent, ___: ImportDialog("model.onnx", parent),
    "pill": lambda _, look, parent, __: StepPill(["See it", "Mend it"], look, parent),
    "tour": lambda _, look, parent, __: TourCard(look, parent),
}


def shown_help(look: Appearance, parent: QWidget) -> QWidget:
    made = BlockHelp(look, parent)
    made.show_type("Exp")
    return made


SIZES: dict[str, dict[str, str]] = {
    "problems": {
        "problems_panel": "[0 · 0 0:1]",
        "why_strip": "[14 8 14 10 · 16 0:1 1:1], [0 · 6 2:1]",
        "why_trial": "w≥60, w≤270, [0 2 0 2 · 0], [0 · 12 5]",
    },
    "welcome": {
        "welcome_column": "w≤640, [0 · 0 28 16 40 10 10 30 10], [0 · 6], [0 · 15 0:1 1:1 2:1]",
        "start_field": "h52",
        "learn_first_steps": "h172",
    },
    "search": {
        "search_popup": "[8 · 6]",
        "search_field": "h36, text 19 0",
        "search_message": "inside 10 2 10 2",
        "search_hint": "inside 10 2 10 2",
    },
    "block help": {
        "block_help": "w≥70, h≥104, [0 0 0 12 · 6]",
        "_Page": "[0 · 0 6:1]",
        "help_buttons": "inside 0 0 12 0, [0 · 6]",
    },
    "pages": {
        "page_tabs": "h28, [0 · 2 2:1]",
        "close_cell": "w22, h22, icon 11",
        "close_main": "w22, h22, icon 11",
        "breadcrumb": "[12 0 12 0 · 2]",
    },
    "rounds": {
        "round_bar": "h≥32, [12 0 12 0 · 24]",
        "_LoopRow": "[0 · 6 5:1]",
        "round_slider_0": "w≥96",
        "round_0": "h24, 11px/400",
        "round_back_0": "w24, h24, icon 14",
        "round_next_0": "w24, h24, icon 14",
    },
    "page": {
        "inspector": "w≥280, hint 320×600, [0 · 0 0:1]",
        "inspector_problems": "[0 · 6]",
        "inspector_gradient_page": "h24, 12px/400",
        "inspector_show_gradient": "icon 18",
        "inspector_gradient_of": "icon 16",
        "inspector_loss": "h24, 12px/400",
        "inspector_loss_value": "h24, 12px/400",
    },
    "value": {
        "inspector_problems": "[14 0 14 12 · 6]",
        "inspector_data": "[0 · 4], [0 · 4 2:1]",
        "inspector_data_refusal": "11px/400",
        "inspector_dtype": "h24, 12px/400",
        "inspector_shape": "h24, 12px/400",
        "inspector_origin": "h24, 12px/400",
        "inspector_port": "h24, 12px/400",
    },
    "blocks": {},
    "norms": {"norm_dialog": "[20 18 20 16 · -1]"},
    "about": {"about_dialog": "w≥480, [22 20 22 16 · 10 6 6], [0 · 14 1:1], [0 · 2]"},
    "report": {"report_dialog": "[20 18 20 16 · 12 1:1], [0 · 12 0:1]"},
    "patterns": {"wire_help": "[0 0 16 16 · 6 0:1]", "_Mark": "w26, h34"},
    "busy": {"BusyBar": "h4"},
    "import": {"import_dialog": "w≥420, [11 · 6]", "import_progress": "h4"},
    "pill": {
        "step_pill": "[16 6 8 6 · 8 8]",
        "step_number_0": "w18, h18, 11px/600",
        "step_number_1": "w18, h18, 11px/600",
        "step_text_0": "12px/600",
        "step_text_1": "12px/600",
        "step_line": "w18, h1",
    },
    "tour": {"tour_card": "[25 23 25 23 · 8], [0 · 6]", "tour_sentence": "w270"},
}
PANELS: dict[str, dict[str, str]] = {
    "training": {
        "TrainingLens": "[0 · 0 1:1], [0 · 0 0:1]",
        "TrainStrip": "inside 14 11 14 0, [0 · 0 22 26 18 14 14 14 16:1], [0 · 0 2:1], [0 · 0 8 6], [0 · 0 4 4 5:1]",
        "training_run": "w86, h≤34, 12px/600, icon 20",
        "training_step": "w32, h32, icon 16",
        "training_reset": "w32, h32, icon 16",
        "training_round": "16px/500",
        "ProgressLine": "w92, h4",
        "training_loss": "16px/500",
        "training_curve": "w≥60, w≤320, h52, hint 320×52",
        "training_rate": "w76, h≤26, 12px/400",
        "training_rounds": "w104, h≤26, 12px/600",
        "training_value": "16px/500",
        "training_speed_0": "w49, h26",
        "training_speed_1": "w62, h26",
        "training_speed_2": "w45, h26",
        "training_speed_3": "w40, h26",
        "chart_gradients": "w≥120, h≥90, hint 320×161",
        "chart_losses": "w≥120, h≥90, hint 320×161",
        "UntilRow": "[0 · 6 2:3 3:2]",
        "training_until_limit": "w≥54",
        "PlanView": "[0 · 0 2:1]",
    },
    "steps": {
        "StepLens": "[0 · 6]",
        "StepStrip": "[14 10 14 4 · 6 1:1]",
        "_Transport": "w110, [0 6 0 0 · 6 2:1], [0 · 5 3:1], [0 · 4 2:1]",
        "step_back": "w30, h30, icon 14",
        "step_play": "w30, h30, icon 14",
        "step_next": "w30, h30, icon 14",
        "steps_empty": "11px/400",
        "step_rules": "[0 4 0 0 · 8 4]",
        "step_note": "11px/400",
        "guess": "w142, [0 4 0 0 · 5 3:1], [0 · 6 3:1]",
        "guess_minus": "w36, h24",
        "guess_zero": "w36, h24",
        "guess_plus": "w36, h24",
        "step_numbers": "10px/400",
        "step_more": "11px/400",
    },
    "compare": {"CompareLens": "[0 · 0 1:1]", "compare_summary": "inside 14 6 14 4"},
    "console": {
        "ConsoleLens": "[8 0 8 6 · 4 1:1], [0 · 4 1:1]",
        "console_prompt": "12px/400",
        "console_log": "12px/400",
        "console_help": "inside 0 6 0 0",
    },
}


@pytest.fixture
def current(qtbot: QtBot) -> Iterator[CurrentSession]:
    made = Session(decay(3), InlineEvaluator)
    qtbot.waitUntil(lambda: made.results is not None)
    yield CurrentSession(made)
    made.close()


@pytest.mark.parametrize("name", WIDGETS)
def test_widgets_have_their_sizes(name: str, current: CurrentSession, tmp_path: Path, qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    made = WIDGETS[name](current, Appearance("dark"), parent, tmp_path)
    qtbot.addWidget(made)
    found = measures(made)
    assert lacking(found, SIZES[name]) == {}


# A panel that is new has no sizes to keep yet.
@pytest.mark.parametrize("feature", [item for item in LENSES if item.id in PANELS], ids=lambda feature: feature.id)
def test_panels_have_their_sizes(feature: Feature, current: CurrentSession, qtbot: QtBot) -> None:
    assert feature.lens is not None
    made = feature.lens(current, Appearance("dark"))
    qtbot.addWidget(made)
    made.refresh()
    found = measures(made) | ({} if made.controls is None else measures(made.controls))
    assert lacking(found, PANELS[feature.id]) == {}
