"""Controls as they are drawn, and where the parts of a panel stand. Units: px."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QLabel, QSpinBox, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.features.help.wire_help import WirePattern
from gradwire.app.kit.controls.choice_box import ChoiceBox
from gradwire.app.kit.controls.form_parts import GlyphMark, Head, ProblemList, Section, show_row, show_text
from gradwire.app.kit.controls.logo import Logo, draw_logo
from gradwire.app.kit.controls.switch import Switch
from gradwire.app.kit.values.slice_boxes import SliceBoxes
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.glossary import Term
from gradwire.app.look.icons import icon
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.problems import Problem
from tests.app.drawn_shapes import drawn, recorded


@pytest.fixture
def appearance(qapp: object) -> Appearance:
    return Appearance("dark")


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    found = QWidget()
    qtbot.addWidget(found)
    return found


def places(widget: QWidget, width: int) -> dict[str, tuple[int, int, int, int]]:
    """Returns where the visible parts of a widget of a width stand, and their sizes."""
    widget.setParent(None)
    widget.setFixedWidth(width)
    widget.show()
    QCoreApplication.processEvents()
    found = [part for part in widget.findChildren(QWidget) if part.isVisible()]
    names = {part: part.objectName() or type(part).__name__ for part in found}
    return {
        name: (*part.mapTo(widget, part.rect().topLeft()).toTuple(), *part.size().toTuple())
        for part, name in names.items()
    }


def test_the_logo_is_a_wire_with_its_port(appearance: Appearance, parent: QWidget) -> None:
    """A value comes from the left, an arrow from the right; twice as large, all is twice as far from the corner."""
    logo = Logo(appearance, parent)
    assert logo.size().toTuple() == (46, 46)
    assert drawn(logo, 46, 46) == [
        "rect 0.5 0.5 45 45 round 10 1px border.default on bg.raised",
        "line 8 23 17 23 4px value",
        "line 38 23 31 23 4px grad.text",
        "line 34.2 17.8 29.5 23 34.2 28.2 3.2px grad.text",
        "ellipse 17.6 17.6 10.8 10.8 3px text.primary on bg.raised",
    ]
    assert drawn(logo, 92, 92)[1:3] == ["line 16 46 34 46 4px value", "line 76 46 62 46 4px grad.text"]
    image = QImage(9, 9, QImage.Format.Format_RGB32)
    with recorded() as lines, QPainter(image) as painter:
        draw_logo(painter, appearance.theme, QRectF(10, 20, 72, 72))
    assert lines[0] == "line 16 56 34 56 4px value" and lines[-1].startswith("ellipse 35.2 45.2 21.6 21.6 3px")


def test_a_switch_is_a_track_with_a_knob_at_the_side_of_its_state(appearance: Appearance, parent: QWidget) -> None:
    switch = Switch(appearance, "on", parent)
    text = switch.fontMetrics().horizontalAdvance("on")
    assert switch.sizeHint().toTuple() == switch.minimumSizeHint().toTuple() == (40 + text, 22)
    assert Switch(appearance, "", parent).sizeHint().toTuple() == (32, 22)
    off = "rect 3.5 5 25 14 round 7.5 1px border.strong on bg.sunken"
    assert drawn(switch, 60, 24) == [
        off, "ellipse 5 6.5 11 11 on border.strong", "text 37 0 23 24 left 12px text.secondary “on”",
    ]  # fmt: skip
    switch.setChecked(True)
    assert drawn(switch, 60, 24)[:2] == [
        "rect 3.5 5 25 14 round 7.5 1px accent on accent", "ellipse 16 6.5 11 11 on text.on-accent",
    ]  # fmt: skip
    switch.setEnabled(False)
    assert drawn(switch, 60, 24) == [
        off, "ellipse 16 6.5 11 11 on border.strong", "text 37 0 23 24 left 12px text.disabled “on”",
    ]  # fmt: skip


def test_a_switch_with_the_keyboard_has_a_ring_and_grows_with_its_texts(
    appearance: Appearance, parent: QWidget, qtbot: QtBot
) -> None:
    switch = Switch(appearance, "on", parent)
    parent.show()
    parent.activateWindow()
    switch.setFocus()
    qtbot.waitUntil(switch.hasFocus)
    assert "rect 1 2.5 30 19 round 9.5 2px focus" in drawn(switch, 60, 24)
    larger = switch.font()
    larger.setPixelSize(40)
    switch.setFont(larger)
    assert switch.sizeHint().height() == switch.fontMetrics().height() + 4


def test_boxes_have_arrows_at_their_right_end(appearance: Appearance, parent: QWidget) -> None:
    """The arrow of a choice is a square of 12 px, those of an index are two of 10, one above the other."""
    choices = ChoiceBox(parent)
    assert drawn(choices, 80, 24)[-1] == "icon 60 6 12 12 text.primary chev-down"
    boxes = SliceBoxes(parent, "slice")
    boxes.show_sizes((3, 1))
    box = boxes.findChild(QSpinBox, "slice_0")
    assert box is not None
    assert drawn(box, 100, 24)[-2:] == [
        "icon 84 12 10 10 text.primary chev-down",
        "icon 84 2 10 10 text.primary chev-down",
    ]


def test_boxes_of_a_slice_share_the_width_and_know_their_axes(appearance: Appearance, parent: QWidget) -> None:
    boxes = SliceBoxes(parent, "slice")
    boxes.show_sizes((3, 0))
    one, other = boxes.findChildren(QSpinBox)
    assert [(box.maximum(), box.toolTip()) for box in (one, other)] == [(2, "0 to 2"), (0, "0 to 0")]
    assert [box.prefix() for box in (one, other)] == ["axis 0: ", "axis 1: "]
    assert [box.accessibleName() for box in (one, other)] == ["Index along axis 0", "Index along axis 1"]
    found = places(boxes, 300)
    assert (found["slice_0"], found["slice_1"]) == ((0, 0, 147, 24), (153, 0, 147, 24))
    assert (one.minimumWidth(), one.lineEdit().textMargins().left()) == (48, 6)
    boxes.show_sizes((5,))
    assert (boxes.index, one.maximum(), other.isHidden()) == ((0,), 4, True)
    boxes.show_sizes(())
    assert boxes.isHidden()


def test_new_sizes_of_a_slice_are_no_choice_of_the_user(parent: QWidget) -> None:
    boxes, told = SliceBoxes(parent, "slice"), list[bool]()
    boxes.changed.connect(lambda: told.append(True))
    boxes.show_sizes((4,))
    box = boxes.findChild(QSpinBox, "slice_0")
    assert box is not None
    box.setValue(3)
    boxes.show_sizes((2,))
    assert (boxes.index, len(told)) == ((1,), 1)


def test_a_choice_that_is_gone_gives_way_to_the_first_and_the_same_list_stays(parent: QWidget) -> None:
    box, told = ChoiceBox(parent), list[int]()
    box.currentIndexChanged.connect(told.append)
    for choices, chosen, index in (
        ({"a": "A", "b": "B", "c": "C"}, "b", 1),
        ({"a": "A", "b": "B", "c": "C"}, "c", 2),
        ({"a": "A", "b": "B", "c": "C"}, "d", 0),
        ({"b": "B", "c": "C"}, "c", 1),
    ):
        box.offer(choices, chosen)
        assert (box.currentIndex(), box.currentData()) == (index, list(choices)[index])
        assert [box.itemText(place) for place in range(box.count())] == list(choices.values())
    # Only the lists that differ were rebuilt: each begins with its first choice, or none.
    assert told == [0, 1, 2, 0, -1, 0, 1]


def test_a_mark_and_the_icon_of_a_head_stand_in_their_squares(appearance: Appearance, parent: QWidget) -> None:
    mark = GlyphMark(appearance, parent)
    mark.show_mark("blocked")
    assert mark.size().toTuple() == (14, 14)
    assert drawn(mark, 14, 14)[0] == "fill 2 2.5 2 9 on text.primary"
    head = Head(appearance, parent)
    head.show_head(("exp", "value"), "Title", "Kind")
    assert drawn(head, 200, 60) == [
        "rect 0.5 0.5 33 33 round 8 1px border.default on bg.header",
        "rect 5 1 24 2.5 round 1.2 on value",
        "icon 9 10 16 16 value exp",
    ]


def test_another_mark_is_painted_at_once(appearance: Appearance, parent: QWidget, qtbot: QtBot) -> None:
    mark = GlyphMark(appearance, parent)
    mark.show_mark("blocked")
    parent.show()
    qtbot.waitExposed(parent)
    before = mark.grab().toImage()
    mark.show_mark("nonfinite")
    assert mark.grab().toImage() != before


def test_the_parts_of_a_head(appearance: Appearance, parent: QWidget) -> None:
    head = Head(appearance, parent)
    head.show_head(("info", "value"), "<b>Title</b>", "Kind", "Summary", "Help")
    found = places(head, 300)
    assert found["_Picture"] == (14, 8, 34, 34)
    assert found["inspector_title"][::2] == found["inspector_kind"][::2] == (58, 192)
    assert found["inspector_help"] == (260, 8, 26, 26)
    assert found["inspector_summary"][:3] == (14, 50, 272)
    assert found["inspector_kind"][1] == found["inspector_title"][1] + found["inspector_title"][3] + 1
    title = head.findChild(QLabel, "inspector_title")
    assert title is not None and "&lt;b&gt;" in title.toolTip()


def test_a_head_keeps_room_for_buttons_over_it(appearance: Appearance, parent: QWidget) -> None:
    head = Head(appearance, parent, room=40)
    head.show_head(("info", "value"), "Title", "Kind", "Summary", "Help")
    assert places(head, 300)["inspector_help"] == (220, 8, 26, 26)


def test_a_head_without_summary_or_help_hides_them(appearance: Appearance, parent: QWidget, qtbot: QtBot) -> None:
    head = Head(appearance, parent)
    summary, told = head.findChild(QLabel, "inspector_summary"), head.findChild(QLabel, "inspector_help_text")
    button = head.findChild(QToolButton, "inspector_help")
    assert summary is not None and told is not None and button is not None
    head.show_head(("info", "value"), "T", "k", "s", "h")
    assert [part.isHidden() for part in (summary, told, button)] == [False, True, False]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert (told.isHidden(), told.text()) == (False, "h")
    head.show_head(("info", "value"), "T", "k")
    assert [part.isHidden() for part in (summary, button)] == [True, True]


def test_a_row_of_a_section_has_its_name_at_the_left(appearance: Appearance, parent: QWidget) -> None:
    section = Section("Title", parent, "part", icon(appearance.theme, "grad", "grad.text", 14))
    field = QWidget()
    field.setObjectName("field")
    field.setMinimumHeight(60)
    section.add_row("Name", field)
    found = places(section, 300)
    assert found == {
        "QFrame": (0, 0, 300, 1),
        "QLabel": (14, 11, 14, 20),
        "part_title": (36, 11, 250, 20),
        "label_field": (14, 37, 80, 24),
        "field": (102, 37, 184, 60),
    }
    assert section.height() == 37 + 60 + 12
    name = section.findChild(QLabel, "label_field")
    assert name is not None
    assert (name.text(), name.toolTip(), field.accessibleName(), name.buddy()) == ("Name", "Name", "Name", field)
    show_row(field, False)
    assert field.isHidden() and name.isHidden()
    show_row(field, True)
    assert not field.isHidden() and not name.isHidden()


def test_a_section_may_have_no_title(parent: QWidget) -> None:
    assert Section("Title", parent, "part").findChildren(QLabel)[0].text() == "Title"
    assert len(Section("Title", parent, "part").findChildren(QLabel)) == 1
    assert Section("", parent, "part").findChildren(QLabel) == []


def test_a_name_may_explain_a_term(parent: QWidget) -> None:
    section, field = Section("", parent, "part"), QWidget()
    section.add_row("axis", field, next(iter(Term)))
    name = section.findChild(QLabel, "label_")
    assert name is not None and name.toolTip() != "axis" and "axis" in name.toolTip()


def test_a_text_is_set_only_where_it_differs(parent: QWidget) -> None:
    from PySide6.QtWidgets import QLineEdit

    line = QLineEdit("abc", parent)
    line.setCursorPosition(2)
    show_text(line, "abc")
    assert line.cursorPosition() == 2
    show_text(line, "abcd")
    assert (line.text(), line.cursorPosition()) == ("abcd", 0)
    label = QLabel("a", parent)
    show_text(label, "b")
    assert label.text() == "b"


PROBLEMS = [
    Problem("error", "", "parameter", "Bad."),
    Problem("warning", "", "parameter", "Odd."),
    Problem("info", "", "parameter", "So."),
]


def test_each_problem_has_a_box_of_its_colour(appearance: Appearance, parent: QWidget) -> None:
    shown = ProblemList(appearance, parent)
    assert shown.isHidden()
    shown.show_problems(PROBLEMS)
    found, css = places(shown, 300), appearance.theme.css
    line = found["inspector_problem_text_0"][3]
    for place, (token, said) in enumerate(
        (("error.bg", "Error: Bad."), ("warn.bg", "Warning: Odd."), ("accent.soft", "Notice: So."))
    ):
        top = place * (14 + line + 6)
        assert found[f"inspector_problem_{place}"] == (14, top, 272, 14 + line)
        assert found[f"inspector_problem_text_{place}"] == (45, top + 7, 232, line)
        box, text = (shown.findChild(QWidget, f"inspector_problem_{kind}{place}") for kind in ("", "text_"))
        assert box is not None and text is not None
        assert f"background: {css(token)};" in box.styleSheet() and text.accessibleName() == said
    marks = [label for label in shown.findChildren(QLabel) if not label.objectName()]
    assert {label.pixmap().deviceIndependentSize().toTuple() for label in marks} == {(14.0, 14.0)}
    shown.show_problems([])
    assert shown.isHidden()


@pytest.mark.parametrize(("margin", "sides"), [(14, (14, 0, 14, 12)), (5, (5, 0, 5, 5)), (0, (0, 0, 0, 0))])
def test_the_margin_of_problems_is_at_most_12_px_below(
    appearance: Appearance, parent: QWidget, margin: int, sides: tuple[int, ...]
) -> None:
    layout = ProblemList(appearance, parent, margin).layout()
    assert layout is not None
    found = layout.contentsMargins()
    assert (found.left(), found.top(), found.right(), found.bottom()) == sides


def test_the_same_problems_again_keep_their_boxes(appearance: Appearance, parent: QWidget) -> None:
    shown = ProblemList(appearance, parent)
    shown.show_problems(PROBLEMS)
    before = shown.findChild(QWidget, "inspector_problem_0")
    shown.show_problems(list(PROBLEMS))
    assert before is not None and not before.isHidden()
    shown.show_problems(PROBLEMS[:1])
    assert before.isHidden()
    assert sum(not box.isHidden() for box in shown.findChildren(QWidget, "inspector_problem_0")) == 1


def test_samples_of_wires_leave_space_at_their_ends(appearance: Appearance, parent: QWidget) -> None:
    """The flow is a pipe three quarters as strong as the strongest, 3 + 0.75 · 5 px wide, with a core."""
    flow, zero = (WirePattern(status, appearance, QSize(46, 20)) for status in (Status.FLOW, Status.ZERO))
    for sample in (flow, zero):
        sample.setParent(parent)
    assert drawn(flow, 46, 20) == [
        f"line 4 10 42 10 6.75px {appearance.theme.ramp(0.75).name()}",
        "line 4 10 42 10 1.3px bg.canvas",
    ]
    lines = drawn(zero, 46, 20)
    assert {line[:15] for line in lines} == {"line 4 10 42 10"} and lines[0].endswith("wire.zero")
