"""The order of the parts of widgets of features: margins, gaps, who takes the room that is left, and sizes of icons."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.features.conventions.check_view import CheckView
from gradwire.app.kit.inspection import Part
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.look.appearance import Appearance
from gradwire.app.shell.features import LENSES
from tests.app.arranged import arranged
from tests.app.features.test_sizes import WIDGETS, current

__all__ = ["current"]

# As `arranged` tells them; of a lens the controls in the title of its panel come last.
ARRANGED: dict[str, dict[str, str]] = {
    "problems": {
        "problems_panel": "[0 · 0] problems_list:1 why_strip",
        "why_strip": (
            "[14 8 14 10 · 16] ([0 · 6] why_title why_text 0:1 ([0 · 6] why_fix why_hide 0:1)):1 why_trial^top:1"
        ),
    },
    "welcome": {
        "welcome_column": (
            "[0 · 0] QLabel^middle 28 start_field 16 ([0 · 8] QLabel 6 start_0 start_1 start_2 0:1) 40 QFrame 10 "
            "([0 · 0] recent_title 0:1 open_file) 10 ([0 · 6]) 30 ([0 · 0] QLabel 0:1 all_lessons) 10 "
            "([0 · 15] learn_first_steps:1 learn_softmax_stable:1 learn_spirals:1)"
        ),
    },
    "search": {
        "search_popup": "[8 · 6] search_field search_message search_list search_hint",
    },
    "block help": {
        "block_help": "[0 0 0 12 · 6] help_area help_buttons",
        "_Page": (
            "[0 · 0] Head help_formula_section help_gradient_formula_section help_text_section help_ports_section "
            "help_code_section 0:1"
        ),
        "help_formula_section": (
            "[0 · 0] QFrame ([14 10 14 12 · 6] ([0 · 8] help_formula_section_title:1) help_formula)"
        ),
        "help_ports_section": (
            "[0 · 0] QFrame ([14 10 14 12 · 6] ([0 · 8] help_ports_section_title:1) ([0 · 8 4] "
            "help_ports_0_0@0,0,1,1^top help_ports_0_1@0,1,1,1^top help_ports_0_2@0,2,1,1^top "
            "help_ports_1_0@1,0,1,1^top help_ports_1_1@1,1,1,1^top help_ports_1_2@1,2,1,1^top))"
        ),
        "help_code_section": (
            "[0 · 0] QFrame ([14 10 14 12 · 6] ([0 · 8] help_code_section_title:1) ([0 · 8] "
            "label_help_code_numpy^top help_code_numpy:1) ([0 · 8] label_help_code_tensorflow^top "
            "help_code_tensorflow:1) ([0 · 8] label_help_code_pytorch^top help_code_pytorch:1) ([0 · 8] "
            "label_help_code_jax^top help_code_jax:1))"
        ),
    },
    "pages": {
        "page_tabs": "[0 · 2] page_bar breadcrumb 0:1",
        "breadcrumb": "[12 0 12 0 · 2]",
    },
    "rounds": {
        "round_bar": "[12 0 12 0 · 24] _LoopRow",
        "_LoopRow": "[0 · 6] round_label_0 round_back_0/14 round_slider_0 round_next_0/14 round_0 0:1",
    },
    "page": {
        "inspector": "[0 · 0] inspector_scroll:1",
        "in inspector_scroll": "[0 · 0] PageView 0:1",
        "PageView": "[0 · 0] Head inspector_own_gradient inspector_losses",
        "inspector_own_gradient": (
            "[0 · 0] QFrame ([14 10 14 12 · 6] ([0 · 8] inspector_own_gradient_title:1) ([0 · 8] "
            "label_inspector_gradient_page^top inspector_gradient_page:1) inspector_show_gradient/18^left "
            "inspector_problems ([0 · 8] label_inspector_gradient_of^top inspector_gradient_of/14:1))"
        ),
        "inspector_losses": (
            "[0 · 0] QFrame ([14 10 14 12 · 6] ([0 · 8] inspector_losses_title:1) ([0 · 8] "
            "label_inspector_loss^top inspector_loss:1) ([0 · 8] label_inspector_loss_value^top "
            "inspector_loss_value:1))"
        ),
    },
    "value": {
        "BlockView": "[0 · 0] Head inspector_problems inspector_port_values inspector_why_section More",
        "inspector_parameters": (
            "[0 · 0] QFrame ([14 10 14 12 · 6] ([0 · 8] inspector_parameters_title:1) ([0 · 8] "
            "label_editor_block_label^top "
            "editor_block_label:1) inspector_data ([0 · 6] ParameterRows) ([0 · 8] label_inspector_dtype^top "
            "inspector_dtype:1) ([0 · 8] label_inspector_shape^top inspector_shape:1) ([0 · 8] "
            "label_inspector_origin^top inspector_origin:1))"
        ),
        "inspector_data": (
            "[0 · 4] inspector_data_line inspector_data_refusal ([0 · 4] inspector_data_browse "
            "inspector_data_change 0:1)"
        ),
        "inspector_problems": "[14 0 14 12 · 6]",
        "ParameterRows": (
            "[0 · 6] ([0 · 8] label_editor_value^top editor_value:1) ([0 · 8] label_editor_minimum^top "
            "editor_minimum:1) ([0 · 8] label_editor_maximum^top editor_maximum:1) show_unset^left"
        ),
        "inspector_port_values": "[0 · 0] QFrame ([14 0 14 12 · 6] inspector_ports inspector_port)",
        "inspector_tensors": "[0 · 0] QFrame ([14 10 14 12 · 6] value_view)",
    },
    "blocks": {
        "SeveralView": "[0 · 0] Head inspector_parameters",
        "inspector_parameters": (
            "[0 · 0] QFrame ([14 10 14 12 · 6] ([0 · 8] inspector_parameters_title:1) ParameterRows)"
        ),
    },
    "about": {
        "about_dialog": (
            "[22 20 22 16 · 10] ([0 · 14] Logo ([0 · 2] about_name QLabel):1) 6 about_versions about_licence_0 "
            "about_licence_1 about_licence_2 6 QDialogButtonBox"
        ),
    },
    "report": {
        "report_dialog": (
            "[20 18 20 16 · 12] report_advice report_text:1 report_graph report_said ([0 · 12] 0:1 report_copy "
            "report_save report_close)"
        ),
    },
    "patterns": {
        "wire_help": "[0 0 16 16 · 6] wire_help_scroll:1 QDialogButtonBox",
        "in wire_help_scroll": (
            "[22 20 22 12 · 36] ([0 · 16 12] QLabel@0,0,1,2 WirePattern@1,0,1,1^top ([0 · 2] QLabel "
            "QLabel)@1,1,1,1 WirePattern@2,0,1,1^top ([0 · 2] QLabel QLabel)@2,1,1,1 WirePattern@3,0,1,1^top ([0 "
            "· 2] QLabel QLabel)@3,1,1,1 WirePattern@4,0,1,1^top ([0 · 2] QLabel QLabel)@4,1,1,1 "
            "WirePattern@5,0,1,1^top ([0 · 2] QLabel QLabel)@5,1,1,1 WirePattern@6,0,1,1^top ([0 · 2] QLabel "
            "QLabel)@6,1,1,1 WirePattern@7,0,1,1^top ([0 · 2] QLabel QLabel)@7,1,1,1 WirePattern@8,0,1,1^top ([0 "
            "· 2] QLabel QLabel)@8,1,1,1):1 ([0 · 16 12] QLabel@0,0,1,2 _Mark@1,0,1,1^top ([0 · 2] QLabel "
            "QLabel)@1,1,1,1 _Mark@2,0,1,1^top ([0 · 2] QLabel QLabel)@2,1,1,1 _Mark@3,0,1,1^top ([0 · 2] QLabel "
            "QLabel)@3,1,1,1 _Mark@4,0,1,1^top ([0 · 2] QLabel QLabel)@4,1,1,1 _Mark@5,0,1,1^top ([0 · 2] QLabel "
            "QLabel)@5,1,1,1 _Mark@6,0,1,1^top ([0 · 2] QLabel QLabel)@6,1,1,1 _Mark@7,0,1,1^top ([0 · 2] QLabel "
            "QLabel)@7,1,1,1 _Mark@8,0,1,1^top ([0 · 2] QLabel QLabel)@8,1,1,1):1"
        ),
    },
    "import": {
        "import_dialog": "[11 · 6] QWidget",
    },
    "pill": {
        "step_pill": "[16 6 8 6 · 8] step_number_0 step_text_0 step_line step_number_1 step_text_1 8 step_skip",
    },
    "tour": {
        "tour_card": "[25 23 25 23 · 8] tour_place tour_sentence ([0 · 6])",
    },
}
LENSES_ARRANGED: dict[str, dict[str, str]] = {
    "console": {
        "ConsoleLens": "[8 0 8 6 · 4] console_help console_log:1 ([0 · 4] QLabel console_prompt:1 QLabel console_stop)",
        "controls": "[0 0 4 0 · 6] console_clear",
    },
}
PARTS: dict[type[Part], str] = {
    CheckView: "[0 4 0 0 · 6] ([0 · 6] check_gradient 0:1) ([0 · 6] keep_result 0:1) ([0 · 8] QLabel^top "
    "check_outcome:1) check_withheld check_rows",
}


def differing(found: dict[str, str], wanted: dict[str, str]) -> dict[str, str | None]:
    """Returns what is there in place of what is wanted, where that differs."""
    return {name: found.get(name) for name, text in wanted.items() if found.get(name) != text}


@pytest.mark.parametrize("name", ARRANGED)
def test_parts_stand_in_their_order(name: str, current: CurrentSession, tmp_path: Path, qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    made = WIDGETS[name](current, Appearance("dark"), parent, tmp_path)
    qtbot.addWidget(made)
    assert differing(arranged(made), ARRANGED[name]) == {}


@pytest.mark.parametrize("name", LENSES_ARRANGED)
def test_parts_of_lenses_stand_in_their_order(name: str, current: CurrentSession, qtbot: QtBot) -> None:
    (make,) = [feature.lens for feature in LENSES if feature.id == name]
    assert make is not None
    made = make(current, Appearance("dark"))
    qtbot.addWidget(made)
    made.refresh()
    controls = {} if made.controls is None else {"controls": next(iter(arranged(made.controls).values()))}
    assert differing(arranged(made) | controls, LENSES_ARRANGED[name]) == {}


@pytest.mark.parametrize("make", PARTS)
def test_parts_of_the_inspector_stand_in_their_order(make: type[Part], current: CurrentSession, qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    made = make(current, Appearance("dark"), parent)
    assert arranged(made)[make.__name__] == PARTS[make]
