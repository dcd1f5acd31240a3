"""The inspector shows the selection, changes it, and leaves typed text alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import ClassVar

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit, QPushButton, QTableView, QToolButton, QWidget
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.base.examples import example_path
from gradwire.app.features.inspector.inspector import Inspector
from gradwire.app.kit.controls.form_parts import ElidedLabel
from gradwire.app.kit.controls.switch import Switch
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.readings.comparison import Comparison
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.edits import edits, renames
from gradwire.engine.files.files import load, loads
from gradwire.engine.graph.graph import Graph, Port, Wire
from tests.app.kit.parts import unfold
from tests.engine.monitored import with_monitor

WEIGHTS = (1, 2, 3)


def blocks(*names: str) -> Selection:
    return Selection(blocks=frozenset(names))


@pytest.fixture
def session() -> Iterator[Session]:
    """The stable softmax of [1, 3, 3] with weights [1, 2, 3]."""
    made = Session(load(example_path("softmax_stable")).graph, InlineEvaluator)
    yield made
    made.close()


@pytest.fixture
def inspector(session: Session, qtbot: QtBot) -> Inspector:
    made = Inspector(CurrentSession(session), Appearance("dark"))
    qtbot.addWidget(made)
    made.resize(320, 900)
    made.show()
    qtbot.waitActive(made)
    return made


def label(inspector: QWidget, name: str) -> str:
    found = [item for item in inspector.findChildren(QLabel, name) if item.isVisible()]
    return found[0].text() if found else ""


def line(inspector: QWidget, name: str) -> QLineEdit:
    unfold(inspector)
    found = [item for item in inspector.findChildren(QLineEdit, name) if item.isVisible()]
    return found[0]


def box(inspector: QWidget, name: str) -> QComboBox:
    unfold(inspector)
    return next(item for item in inspector.findChildren(QComboBox, name) if item.isVisible())


def more(inspector: QWidget) -> QToolButton:
    return next(item for item in inspector.findChildren(QToolButton, "inspector_more") if item.isVisible())


@pytest.mark.parametrize(
    ("source", "target", "title"),
    [("m.y", "stop.x", "Why 0?"), ("x.y", "m.x", "Why 0?"), ("x.y", "z.x", "Why this gradient?")],
)
def test_the_answer_stands_above_ends_and_numbers_which_wait_behind_more(
    inspector: Inspector, session: Session, source: str, target: str, title: str
) -> None:
    session.select(Selection(wires=frozenset([Wire(Port(*source.split(".")), Port(*target.split(".")))])))
    QApplication.processEvents()
    hidden = [inspector.findChild(QWidget, name) for name in ("inspector_ends", "inspector_tensors")]
    assert [part is not None and part.isVisible() for part in hidden] == [False, False]
    more(inspector).click()
    QApplication.processEvents()
    tops = [
        next(item for item in inspector.findChildren(QWidget, name) if item.isVisible()).mapTo(inspector, QPoint()).y()
        for name in ("inspector_why_section", "inspector_more", "inspector_ends", "inspector_tensors")
    ]
    assert tops == sorted(tops)
    assert label(inspector, "inspector_title") == title


def test_a_name_without_room_keeps_its_beginning_and_its_end(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    label = ElidedLabel("name", parent)
    label.setText("∂L/∂a_very_long_name_of_a_block here")
    label.resize(90, 20)
    narrow = label.grab().toImage()
    label.setText("∂L/∂a_very_long_name_of_a_block in all")
    assert label.text().endswith("in all") and label.minimumWidth() == 1
    assert label.grab().toImage() != narrow


def test_a_wire_alone_at_its_port_is_explained_once(session: Session, inspector: Inspector) -> None:
    # The title of the card asks for the first.
    for target, headings in (("loss.x", []), ("z.x", ["∂L/∂x in all"])):
        wire = session.page.wires[Port(*target.split("."))]
        session.select(Selection(wires=frozenset([wire])))
        found = [label(inspector, f"why_heading_{place}") for place in range(3)]
        assert [text for text in found if text] == headings


class LateEvaluator(InlineEvaluator):
    """An evaluator that answers when the test tells it to."""

    waiting: ClassVar[list[Callable[[], None]]] = []

    def evaluate(self, revision: int, graph: Graph, comparison: Comparison | None) -> None:
        self.waiting.append(partial(super().evaluate, revision, graph, comparison))


def test_before_the_first_run_a_page_claims_nothing_of_it(qtbot: QtBot) -> None:
    session = Session(load(example_path("softmax_stable")).graph, LateEvaluator)
    inspector = Inspector(CurrentSession(session), Appearance("dark"))
    qtbot.addWidget(inspector)
    value = inspector.findChild(QLineEdit, "inspector_loss_value")
    assert isinstance(value, QLineEdit) and session.results is None and value.text() == "?"
    LateEvaluator.waiting.pop()()
    qtbot.waitUntil(lambda: value.text() == "2.405")
    session.close()


def type_into(field: QLineEdit, text: str, qtbot: QtBot) -> None:
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def column(inspector: QWidget, place: int) -> list[str]:
    unfold(inspector)
    tables = [item for item in inspector.findChildren(QTableView, "value_table") if item.isVisible()]
    model = tables[0].model()
    return [str(model.index(row, place).data()) for row in range(model.rowCount())]


def softmax_gradient() -> list[float]:
    """Returns the gradient by hand.

    With e = exp(x - 3), p = e / sum e and L = sum w p: dL/dx = p (w - L).
    """
    e = [math.exp(item - 3) for item in (1, 3, 3)]
    p = [item / sum(e) for item in e]
    loss = sum(w * item for w, item in zip(WEIGHTS, p, strict=True))
    return [item * (w - loss) for w, item in zip(WEIGHTS, p, strict=True)]


def test_a_block_shows_its_kind_meaning_and_name(inspector: Inspector, session: Session) -> None:
    session.select(blocks("z"))
    assert label(inspector, "inspector_title") == "Subtract"
    assert label(inspector, "inspector_kind").startswith("Arithmetic")
    assert line(inspector, "parameter_block_name").text() == "z"


def test_a_block_begins_with_the_values_and_gradients_at_its_ports(inspector: Inspector, session: Session) -> None:
    session.select(blocks("z"))
    told = [[label(inspector, f"port_{row}_{column}") for column in range(3)] for row in range(1, 4)]
    assert told == [["x", "1 3 3", "−.089 −.19 .28"], ["y", "3", "≈ 0"], ["→ z", "−2 0 0", "−.089 −.19 .28"]]
    parts = [inspector.findChild(QWidget, name) for name in ("inspector_ports", "inspector_why_section")]
    first, second = (part.mapTo(inspector, QPoint()).y() for part in parts if part is not None)
    assert first < second


def test_parameters_that_are_not_set_are_offered_by_a_link(inspector: Inspector, session: Session) -> None:
    session.select(blocks("x"))
    more(inspector).click()
    link = next(item for item in inspector.findChildren(QPushButton, "show_unset") if item.isVisible())
    assert "Minimum" in link.text()
    assert not any(item.isVisible() for item in inspector.findChildren(QLineEdit, "parameter_minimum"))
    link.click()
    assert any(item.isVisible() for item in inspector.findChildren(QLineEdit, "parameter_minimum"))
    assert link.isHidden()


def test_a_block_shows_dtype_and_shapes(inspector: Inspector, session: Session) -> None:
    session.select(blocks("z"))
    assert line(inspector, "inspector_dtype").text() == "float64"
    assert line(inspector, "inspector_shape").text() == "[3], [] → [3]"


def test_a_block_shows_value_and_gradient(inspector: Inspector, session: Session) -> None:
    session.select(blocks("z"))
    assert column(inspector, 1) == ["−2", "0", "0"]
    shown = [float(text.replace("−", "-")) for text in column(inspector, 2)]
    np.testing.assert_allclose(shown, softmax_gradient(), atol=5e-4)


def test_a_block_without_outputs_shows_what_its_wire_brings(qtbot: QtBot) -> None:
    graph = with_monitor(gw.graph(gw.Loss(gw.Input(np.array([1.0, 4.0, 9.0]), name="x"), name="L")), y="x.y")
    session = Session(graph, InlineEvaluator)
    inspector = Inspector(CurrentSession(session), Appearance("dark"))
    qtbot.addWidget(inspector)
    inspector.show()
    session.select(blocks("shown"))
    assert line(inspector, "inspector_dtype").text() == "float64"
    assert column(inspector, 1) == ["1", "4", "9"]
    assert label(inspector, "why_result_0") == "no path"
    session.close()


def test_a_block_explains_its_output_and_every_wire_into_it(inspector: Inspector, session: Session) -> None:
    session.select(blocks("z"))
    assert [label(inspector, f"why_heading_{place}") for place in range(4)] == ["∂L/∂z", "∂L/∂x", "∂L/∂y", ""]
    assert label(inspector, "why_result_0") == "size 0.349"
    assert label(inspector, "why_result_2") == "≈ 0"


def test_a_blocked_block_names_the_stop(inspector: Inspector, session: Session) -> None:
    session.select(blocks("m"))
    assert label(inspector, "why_result_0") == "0 blocked"
    assert 'StopGradient "stop"' in label(inspector, "why_sentence_0")


def test_the_problems_of_the_block_are_shown(inspector: Inspector, session: Session) -> None:
    session.select(blocks("m"))
    assert label(inspector, "inspector_problem_text_0") == "2 equal maxima share the gradient."
    session.select(blocks("e"))
    assert label(inspector, "inspector_problem_text_0") == ""


def test_help_unfolds_as_plain_text(inspector: Inspector, session: Session, qtbot: QtBot) -> None:
    session.select(blocks("m"))
    (button,) = [item for item in inspector.findChildren(QToolButton, "inspector_help") if item.isVisible()]
    assert label(inspector, "inspector_help_text") == ""
    qtbot.keyClick(button, Qt.Key.Key_Space)
    assert label(inspector, "inspector_help_text").startswith("The largest element along `axis`.")


def test_every_label_is_plain_text(inspector: Inspector, session: Session) -> None:
    for selection in (blocks("m"), blocks("x", "m"), Selection()):
        session.select(selection)
        formats = {item.textFormat() for item in inspector.findChildren(QLabel) if item.text()}
        assert formats <= {Qt.TextFormat.PlainText, Qt.TextFormat.AutoText}
        rich = [item.text() for item in inspector.findChildren(QLabel) if item.textFormat() is Qt.TextFormat.AutoText]
        assert set(rich) <= {"", "Tensors"}


def test_a_new_value_of_an_input_changes_the_result(inspector: Inspector, session: Session, qtbot: QtBot) -> None:
    session.select(blocks("x"))
    type_into(line(inspector, "parameter_value"), "[0, 0, 7]", qtbot)
    value = session.page.blocks["x"].parameters["value"]
    assert isinstance(value, np.ndarray)
    assert value.tolist() == [0, 0, 7]
    qtbot.waitUntil(lambda: column(inspector, 1) == ["0", "0", "7"])
    session.undo()
    qtbot.waitUntil(lambda: line(inspector, "parameter_value").text() == "[1, 3, 3]")


def test_a_computed_value_is_shown_before_it_is_entered(inspector: Inspector, session: Session, qtbot: QtBot) -> None:
    session.select(blocks("x"))
    field = line(inspector, "parameter_value")
    field.selectAll()
    qtbot.keyClicks(field, "linspace(0, 1, 3)")
    assert label(inspector, "result_value") == "= [0, 0.5, 1]"
    qtbot.keyClick(field, Qt.Key.Key_Return)
    value = session.page.blocks["x"].parameters["value"]
    assert isinstance(value, np.ndarray)
    assert value.tolist() == [0, 0.5, 1]
    assert label(inspector, "result_value") == ""


def test_a_parameter_that_does_not_fit_changes_nothing(inspector: Inspector, session: Session, qtbot: QtBot) -> None:
    session.select(blocks("m"))
    before = session.graph
    type_into(line(inspector, "parameter_axis"), "first", qtbot)
    assert session.graph is before
    assert label(inspector, "error_axis").startswith("Parameter axis must be")


def test_a_switch_sets_its_parameter(inspector: Inspector, session: Session, qtbot: QtBot) -> None:
    session.select(blocks("m"))
    unfold(inspector)
    (switch,) = [item for item in inspector.findChildren(Switch, "parameter_keepdims") if item.isVisible()]
    qtbot.keyClick(switch, Qt.Key.Key_Space)
    assert session.page.blocks["m"].parameters == {"keepdims": True}
    assert line(inspector, "inspector_shape").text() == "[3] → [1]"


def test_a_renamed_block_stays_selected_and_its_field_focused(
    inspector: Inspector, session: Session, qtbot: QtBot
) -> None:
    session.select(blocks("z"))
    type_into(line(inspector, "parameter_block_name"), "shifted", qtbot)
    assert session.selection == blocks("shifted")
    assert line(inspector, "parameter_block_name").text() == "shifted"
    assert line(inspector, "parameter_block_name").hasFocus()
    qtbot.waitUntil(lambda: column(inspector, 1) == ["−2", "0", "0"])


def test_a_name_that_is_taken_is_refused_with_the_reason(inspector: Inspector, session: Session, qtbot: QtBot) -> None:
    session.select(blocks("z"))
    type_into(line(inspector, "parameter_block_name"), "x", qtbot)
    assert "z" in session.page.blocks
    assert label(inspector, "error_block_name") == 'There is already a block "x"; choose another name.'


def test_a_label_is_set_and_taken_away(inspector: Inspector, session: Session, qtbot: QtBot) -> None:
    session.select(blocks("z"))
    type_into(line(inspector, "parameter_block_label"), "x - max", qtbot)
    assert session.page.blocks["z"].label == "x - max"
    field = line(inspector, "parameter_block_label")
    field.selectAll()
    qtbot.keyClick(field, Qt.Key.Key_Delete)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert session.page.blocks["z"].label is None


def test_new_numbers_leave_what_is_being_typed_alone(inspector: Inspector, session: Session, qtbot: QtBot) -> None:
    session.select(blocks("z"))
    field = line(inspector, "parameter_block_label")
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    qtbot.keyClicks(field, "half")
    for number in range(5):
        session.apply("Drag", edits.set_parameter, "main", "x", "value", [1.0, 3.0, 3.0 + number])
    assert line(inspector, "parameter_block_label") is field
    assert (field.text(), field.hasFocus()) == ("half", True)
    qtbot.waitUntil(lambda: column(inspector, 1)[2] == "0" and column(inspector, 1)[1] == "−4")


def test_arrow_keys_make_one_undo_entry(inspector: Inspector, session: Session, qtbot: QtBot) -> None:
    session.select(blocks("x"))
    type_into(line(inspector, "parameter_minimum"), "1", qtbot)
    for _ in range(5):
        qtbot.keyClick(line(inspector, "parameter_minimum"), Qt.Key.Key_Up)
    assert session.page.blocks["x"].parameters["minimum"] == pytest.approx(1.5)
    session.undo()
    assert session.page.blocks["x"].parameters["minimum"] == 1.0


def test_the_mode_of_the_tensors_stays_for_the_next_block(inspector: Inspector, session: Session) -> None:
    session.select(blocks("z"))
    inspector.findChildren(QToolButton, "value_mode_heat")[-1].click()
    session.select(blocks("e"))
    unfold(inspector)
    assert [
        item.isChecked() for item in inspector.findChildren(QToolButton, "value_mode_heat") if item.isVisible()
    ] == [True]


def test_a_wire_shows_its_ends_and_what_comes_back(inspector: Inspector, session: Session) -> None:
    session.select(Selection(wires=frozenset([Wire(Port("e", "y"), Port("s", "x"))])))
    assert label(inspector, "inspector_title") == "Why this gradient?"
    more(inspector).click()
    assert line(inspector, "inspector_from").text().startswith("e.y")
    assert line(inspector, "inspector_to").text().startswith("s.x")
    # dL/ds = -L/s, the same for every element of e along this wire.
    total = 2 + math.exp(-2)
    slope = (math.exp(-2) + 5) / total**2
    assert column(inspector, 2) == [f"−{slope:.4g}"] * 3
    assert label(inspector, "inspector_kind") == "wire Exp → ReduceSum"


def test_nothing_selected_shows_the_page(inspector: Inspector) -> None:
    assert label(inspector, "inspector_title") == "main"
    assert line(inspector, "inspector_loss_value").text() == "2.405"


def test_the_loss_is_chosen_from_a_list(inspector: Inspector, session: Session, qtbot: QtBot) -> None:
    chooser = box(inspector, "inspector_loss")
    assert [chooser.itemText(place) for place in range(chooser.count())] == ["All (sum)", "main/loss"]
    qtbot.keyClick(chooser, Qt.Key.Key_Down)
    assert session.graph.loss == "main/loss"
    session.undo()
    assert chooser.currentText() == "All (sum)"


def test_several_blocks_of_one_type_are_changed_by_one_edit(
    inspector: Inspector, session: Session, qtbot: QtBot
) -> None:
    session.apply("Add", edits.add_block, "main", "ReduceMax", id="n", parameters={"axis": 0})
    session.select(blocks("m", "n"))
    assert label(inspector, "inspector_title") == "2 blocks"
    assert line(inspector, "parameter_axis").placeholderText() == "mixed"
    type_into(line(inspector, "parameter_axis"), "-1", qtbot)
    assert [session.page.blocks[name].parameters.get("axis") for name in "mn"] == [-1, -1]
    session.undo()
    assert [session.page.blocks[name].parameters.get("axis") for name in "mn"] == [None, 0]


def test_what_else_is_selected_stands_below_the_number_of_blocks(inspector: Inspector, session: Session) -> None:
    page = session.page
    wires, frames = frozenset(page.wires.values()), frozenset(frame.id for frame in page.frames)
    session.select(Selection(frozenset(page.blocks), wires))
    assert label(inspector, "inspector_summary").startswith("10 wires\n")
    session.select(Selection(frozenset(page.blocks), wires, frames))
    assert label(inspector, "inspector_title") == "9 blocks"
    others, kinds = label(inspector, "inspector_summary").splitlines()
    assert others == "10 wires, 1 frame"
    assert "1 ReduceMax, 1 ReduceSum, 1 StopGradient" in kinds
    session.select(Selection(wires=wires, frames=frames))
    assert label(inspector, "inspector_title") == "10 wires"
    assert label(inspector, "inspector_summary") == "1 frame"


def test_blocks_of_different_types_share_the_parameters_that_both_have(
    inspector: Inspector, session: Session, qtbot: QtBot
) -> None:
    session.select(blocks("m", "s"))
    assert label(inspector, "inspector_summary") == "1 ReduceMax, 1 ReduceSum"
    type_into(line(inspector, "parameter_axis"), "0", qtbot)
    assert [session.page.blocks[name].parameters.get("axis") for name in "ms"] == [0, 0]
    session.undo()
    assert [session.page.blocks[name].parameters.get("axis") for name in "ms"] == [None, None]


def test_blocks_without_a_common_parameter_say_so(inspector: Inspector, session: Session) -> None:
    session.select(blocks("m", "x"))
    assert label(inspector, "inspector_nothing_common") == "These blocks have no parameter in common."
    assert not [item for item in inspector.findChildren(QLineEdit) if item.isVisible()]


def test_a_mixed_parameter_can_be_left_open_in_all_blocks(inspector: Inspector, session: Session, qtbot: QtBot) -> None:
    session.apply("Set", edits.set_parameter, "main", "m", "axis", 0)
    session.select(blocks("m", "s"))
    assert line(inspector, "parameter_axis").placeholderText() == "mixed"
    type_into(line(inspector, "parameter_axis"), "none", qtbot)
    assert [session.page.blocks[name].parameters.get("axis") for name in "ms"] == [None, None]


def test_another_block_fills_the_widgets_that_are_there(inspector: Inspector, session: Session) -> None:
    session.select(blocks("m"))
    name, axis = line(inspector, "parameter_block_name"), line(inspector, "parameter_axis")
    session.select(blocks("s"))
    assert label(inspector, "inspector_title") == "ReduceSum"
    assert line(inspector, "parameter_block_name") is name
    session.select(blocks("m"))
    assert line(inspector, "parameter_axis") is axis


def test_what_is_wrong_with_one_block_is_not_said_of_the_next(
    inspector: Inspector, session: Session, qtbot: QtBot
) -> None:
    session.select(blocks("z"))
    type_into(line(inspector, "parameter_block_name"), "x", qtbot)
    session.select(blocks("e"))
    assert (label(inspector, "error_block_name"), line(inspector, "parameter_block_name").text()) == ("", "e")


def test_the_mode_is_remembered_for_the_type(inspector: Inspector, session: Session) -> None:
    def choose(mode: str) -> None:
        unfold(inspector)
        next(item for item in inspector.findChildren(QToolButton, f"value_mode_{mode}") if item.isVisible()).click()

    session.select(blocks("z"))
    choose("heat")
    session.select(blocks("e"))
    choose("hist")
    session.select(blocks("z"))
    shown = [item.objectName() for item in inspector.findChildren(QToolButton) if item.isVisible() and item.isChecked()]
    assert "value_mode_heat" in shown


def test_a_removed_block_leaves_the_page(inspector: Inspector, session: Session) -> None:
    session.select(blocks("z"))
    session.apply("Remove", edits.remove_blocks, "main", "z")
    assert label(inspector, "inspector_title") == "main"


def test_a_new_wire_is_explained_at_once(inspector: Inspector, session: Session) -> None:
    session.apply("Cut", edits.disconnect, "main", Port("loss", "weights"))
    session.select(blocks("loss"))
    assert label(inspector, "why_heading_2") == ""
    session.undo()
    assert label(inspector, "why_heading_2") == "∂L/∂weights"


def test_an_output_port_is_chosen_where_there_are_several(inspector: Inspector, session: Session, qtbot: QtBot) -> None:
    session.apply("Add", edits.add_block, "main", "Moments", id="both", parameters={"axes": None})
    session.apply("Connect", edits.connect, "main", Port("x", "y"), Port("both", "x"))
    session.select(blocks("both"))
    chooser = box(inspector, "inspector_port")
    # The mean of 1, 3, 3 is 7/3, their variance 8/9.
    qtbot.waitUntil(lambda: column(inspector, 1) == ["2.333"])
    qtbot.keyClick(chooser, Qt.Key.Key_Down)
    assert column(inspector, 1) == ["0.889"]


def test_a_block_of_unknown_type_is_shown_as_it_is(qtbot: QtBot) -> None:
    text = example_path("softmax_stable").read_text(encoding="utf-8").replace('"Exp"', '"Export"')
    from_file = Session(loads(text.encode()).graph, InlineEvaluator)
    inspector = Inspector(CurrentSession(from_file), Appearance("light"))
    qtbot.addWidget(inspector)
    inspector.show()
    from_file.select(blocks("e"))
    assert label(inspector, "inspector_title") == "Export"
    assert label(inspector, "inspector_kind") == "Unknown type"
    from_file.close()


def test_another_session_replaces_the_first(inspector: Inspector, session: Session) -> None:
    other = Session(Graph(), InlineEvaluator)
    inspector.current.show(other)
    assert line(inspector, "inspector_loss_value").text() == "no loss"
    session.select(blocks("z"))
    assert label(inspector, "inspector_title") == "main"
    other.close()


def test_the_card_of_the_next_graph_is_folded_again(inspector: Inspector, session: Session) -> None:
    session.select(blocks("x"))
    more(inspector).click()
    assert more(inspector).isChecked()
    other = Session(session.graph, InlineEvaluator)
    inspector.current.show(other)
    other.select(blocks("x"))
    assert not more(inspector).isChecked()
    other.close()


def test_tab_reaches_every_field_in_turn(inspector: Inspector, session: Session, qtbot: QtBot) -> None:
    session.select(blocks("m"))
    line(inspector, "parameter_block_name").setFocus()
    visited = []
    for _ in range(24):
        focused = inspector.focusWidget()
        assert focused is not None
        visited.append(focused.objectName())
        qtbot.keyClick(focused, Qt.Key.Key_Tab)
    expected = ["parameter_block_name", "parameter_block_label", "parameter_axis", "parameter_keepdims"]
    assert visited[:4] == expected
    assert "" not in visited
    assert {"value_mode_table", "value_table", "inspector_help"} <= set(visited)


def test_a_theme_change_keeps_what_is_shown(session: Session, qtbot: QtBot) -> None:
    appearance = Appearance("dark")
    inspector = Inspector(CurrentSession(session), appearance)
    qtbot.addWidget(inspector)
    inspector.show()
    session.select(blocks("z"))
    appearance.choose("light")
    assert label(inspector, "inspector_title") == "Subtract"
    assert column(inspector, 1) == ["−2", "0", "0"]


def test_a_block_with_several_outputs_names_all_their_shapes_and_dtypes(inspector: Inspector, session: Session) -> None:
    session.apply("Add", lambda graph: edits.add_block(graph, "main", "TopK", id="top", parameters={"k": 2})[0])
    session.apply("Connect", edits.connect, "main", Port("x", "y"), Port("top", "x"))
    session.select(blocks("top"))
    assert line(inspector, "inspector_shape").text() == "[3] → [2], [2]"
    assert line(inspector, "inspector_dtype").text() == "float64, int32"
    assert line(inspector, "inspector_shape").toolTip() == ""


def test_a_long_end_of_a_wire_is_shortened_and_its_tip_has_all(inspector: Inspector, session: Session) -> None:
    name = "the_exponential_of_what_is_left_of_the_largest"
    session.apply("Rename", renames.rename_block, "main", "e", name)
    session.select(Selection(wires=frozenset([Wire(Port(name, "y"), Port("s", "x"))])))
    more(inspector).click()
    start, end = line(inspector, "inspector_from"), line(inspector, "inspector_to")
    assert start.text() == start.toolTip() == f"{name}.y   Exp"
    assert end.toolTip() == ""
    start.clearFocus()
    shortened = start.grab().toImage()
    start.setFocus()
    assert start.grab().toImage() != shortened
    inspector.resize(900, 900)
    QApplication.processEvents()
    assert start.toolTip() == ""
