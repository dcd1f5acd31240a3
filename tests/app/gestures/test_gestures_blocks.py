"""Gestures that move, copy, resize and name blocks: one entry in the history each, none if cancelled."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit

from gradwire.app.canvas.geometry.shapes import loss_row
from gradwire.app.live.selection import Selection
from gradwire.engine.edits import edits
from tests.app.window.driver import Driver, Key, Mod
from tests.app.window.graphs import annotated, chain, wired, with_block
from tests.sweeps import a_third_of

pytestmark = pytest.mark.usefixtures("one_window")


@pytest.fixture
def here(user: Driver) -> Driver:
    user.show(annotated())
    return user


def frame_title(user: Driver, name: str) -> QPointF:
    return user.canvas.mirror.frames[name].topLeft() + QPointF(30, 10)


def test_a_drag_moves_a_block_on_the_grid_in_one_entry(here: Driver) -> None:
    graph, start = here.graph, here.points.title("e")
    here.hand.drag(start, start + QPointF(50, 23))
    assert here.block("e").at == (288, 16)
    assert here.undo_text() == "Move"
    here.undo()
    assert here.graph is graph


def test_alt_moves_freely(here: Driver) -> None:
    start = here.points.title("e")
    here.hand.drag(start, start + QPointF(51, 23), keys=Mod.AltModifier)
    assert here.block("e").at == (291, 23)


def test_a_block_off_the_grid_comes_to_lie_on_it(here: Driver) -> None:
    start = here.points.title("e")
    here.hand.drag(start, start + QPointF(51, 23), keys=Mod.AltModifier)
    start = here.points.title("e")
    here.hand.drag(start, start + QPointF(30, 0))
    assert here.block("e").at == (320, 16)


def test_a_drag_moves_everything_selected(here: Driver) -> None:
    here.hand.click(here.points.title("e"))
    here.hand.click(here.points.title("s"), keys=Mod.ShiftModifier)
    here.hand.click(here.canvas.mirror.notes["note"].center(), keys=Mod.ShiftModifier)
    start = here.points.title("s")
    here.hand.drag(start, start + QPointF(32, 16))
    assert (here.block("e").at, here.block("s").at) == ((272, 16), (512, 16))
    assert here.page.notes[0].at == (32, 464)
    assert here.block("x").at == (0, 0)


def test_wires_follow_while_a_block_is_dragged(here: Driver) -> None:
    ends: list[float] = []
    row = here.canvas.mirror.wire_rows[here.wire("e.x")]
    start = here.points.title("e")
    here.hand.drag(start, start + QPointF(64, 64), ends_with=lambda: ends.extend(here.canvas.mirror.points[row, -1]))
    assert ends == [240 + 64, 44 + 64]


def test_ctrl_drag_duplicates_and_selects_the_copy(here: Driver) -> None:
    graph, start = here.graph, here.points.title("e")
    here.hand.drag(start, start + QPointF(0, 320), keys=Mod.ControlModifier)
    (made,) = here.page.blocks.keys() - graph.pages[0].blocks.keys()
    assert here.block("e").at == (240, 0)
    assert here.block(made).at == (240, 320)
    assert here.block(made).type == "Exp"
    assert here.selection == Selection(frozenset([made]))
    here.undo()
    assert here.graph is graph


def test_ctrl_drag_copies_notes_and_empty_frames_too(here: Driver) -> None:
    graph = here.graph
    here.hand.click(here.points.title("e"))
    for place in (frame_title(here, "hollow"), here.canvas.mirror.notes["note"].center()):
        here.hand.click(place, keys=Mod.ShiftModifier)
    start = here.canvas.mirror.notes["note"].center()
    here.hand.drag(start, start + QPointF(32, 160), keys=Mod.ControlModifier)
    copy, frame, note = next(iter(here.selection.blocks)), here.page.frames[-1], here.page.notes[-1]
    assert here.selection == Selection(frozenset([copy]), frames=frozenset([frame.id]), notes=frozenset([note.id]))
    assert here.block(copy).at == (272, 160)
    assert (frame.title, frame.at, frame.size) == ("Nothing", (592, 400), (240, 120))
    assert (note.text, note.at) == ("Remember", (32, 608))
    assert (here.page.frames[1].at, here.page.notes[0].at) == ((560, 240), (0, 448))
    here.undo()
    assert here.graph is graph


def test_ctrl_drag_of_a_frame_copies_all_that_lies_in_it(here: Driver) -> None:
    start = frame_title(here, "spare")
    here.hand.drag(start, start + QPointF(0, 320), keys=Mod.ControlModifier)
    copy = here.page.frames[-1]
    assert copy.title == "Spare"
    assert {here.block(name).type: here.block(name).at for name in copy.blocks} == {
        "Constant": (0, 560),
        "Tanh": (240, 560),
    }
    assert here.selection == Selection(frozenset(copy.blocks), frames=frozenset([copy.id]))


@pytest.mark.parametrize("way", ["Ctrl+D", "Ctrl+C and Ctrl+V"])
def test_an_empty_frame_is_copied_alone(here: Driver, way: str) -> None:
    here.hand.click(frame_title(here, "hollow"))
    if way == "Ctrl+D":
        here.ctrl(Key.Key_D)
    else:
        here.ctrl(Key.Key_C)
        here.ctrl(Key.Key_V)
    old, copy = here.page.frames[1:]
    assert (copy.title, copy.size) == (old.title, old.size)
    assert copy.at != old.at
    assert here.selection == Selection(frames=frozenset([copy.id]))


def test_what_is_copied_is_seen_while_it_is_dragged(here: Driver) -> None:
    def below() -> QImage:
        rect = here.canvas.mirror.notes["note"].translated(0, -64)
        return here.canvas.grab(here.canvas.camera.rect_to_view(rect).toRect()).toImage()

    start, before, during = here.canvas.mirror.notes["note"].center(), below(), []
    here.hand.click(start)

    def look_and_leave() -> None:
        during.append(below())
        here.escape()

    here.hand.drag(start, start + QPointF(0, -64), keys=Mod.ControlModifier, ends_with=look_and_leave)
    assert during[0] != before
    assert below() == before
    assert len(here.page.notes) == 1


def test_dragging_the_right_edge_changes_the_width_by_16_px(here: Driver) -> None:
    graph, start = here.graph, here.points.edge("e")
    here.hand.drag(start, start + QPointF(39, 0))
    assert here.block("e").width == 176
    here.undo()
    assert here.graph is graph


def test_a_width_stays_between_112_and_320(here: Driver) -> None:
    here.hand.drag(here.points.edge("e"), here.points.edge("e") + QPointF(-500, 0))
    assert here.block("e").width == 112
    here.hand.drag(here.points.edge("e"), here.points.edge("e") + QPointF(900, 0))
    assert here.block("e").width == 320


def test_a_block_with_a_picture_may_be_wider(user: Driver) -> None:
    user.show(with_block(chain(), "shown", "Monitor", (0, 320)))
    user.hand.drag(user.points.edge("shown"), user.points.edge("shown") + QPointF(64, 0))
    assert user.block("shown").width == 352 + 64


def test_a_frame_title_drags_what_the_frame_holds(here: Driver) -> None:
    start = frame_title(here, "spare")
    here.hand.drag(start, start + QPointF(32, 48))
    assert (here.block("c").at, here.block("t").at) == ((32, 288), (272, 288))
    assert here.block("x").at == (0, 0)


def test_an_empty_frame_can_be_dragged(here: Driver) -> None:
    start = frame_title(here, "hollow")
    here.hand.drag(start, start + QPointF(32, 48))
    assert next(frame.at for frame in here.page.frames if frame.id == "hollow") == (592, 288)


def test_the_inside_of_a_frame_does_not_drag_it(here: Driver) -> None:
    graph = here.graph
    start = here.canvas.mirror.frames["hollow"].center()
    here.hand.drag(start, start + QPointF(32, 48))
    assert here.graph is graph


def test_a_note_is_dragged_from_anywhere(here: Driver) -> None:
    start = here.canvas.mirror.notes["note"].center()
    here.hand.drag(start, start + QPointF(-32, 16))
    assert here.page.notes[0].at == (-32, 464)


GRIPS: dict[str, Callable[[Driver], QPointF]] = {
    "move": lambda user: user.points.title("e"),
    "resize": lambda user: user.points.edge("e"),
    "frame": lambda user: frame_title(user, "spare"),
    "note": lambda user: user.canvas.mirror.notes["note"].center(),
}


@pytest.mark.parametrize("keys", a_third_of([Mod.NoModifier, Mod.ControlModifier, Mod.AltModifier]))
@pytest.mark.parametrize("grip", GRIPS)
def test_escape_leaves_graph_selection_and_places_as_they_were(here: Driver, grip: str, keys: Mod) -> None:
    here.hand.click(here.points.title("loss"))
    graph, selection, start = here.graph, here.selection, GRIPS[grip](here)
    rects, points = here.canvas.mirror.rects.copy(), here.canvas.mirror.points.copy()
    here.hand.drag(start, start + QPointF(75, 75), keys=keys, ends_with=here.escape)
    assert here.graph is graph
    assert (here.canvas.mirror.rects == rects).all()
    assert (here.canvas.mirror.points == points).all()
    assert here.selection == selection


def test_a_drag_of_two_px_is_a_click(here: Driver) -> None:
    graph, start = here.graph, here.points.title("e")
    here.hand.drag(start, start + QPointF(2, 0))
    assert here.graph is graph
    assert here.selection.blocks == {"e"}


def test_a_double_click_on_a_title_gives_the_block_another_id(here: Driver) -> None:
    here.hand.double_click(here.points.title("e"))
    here.popups.type_inline("growth")
    assert "growth" in here.page.blocks
    assert here.wires() >= {"x.y > growth.x", "growth.y > s.x"}
    assert here.undo_text() == "Rename"


def test_a_title_that_cannot_be_an_id_becomes_the_label(here: Driver) -> None:
    here.hand.double_click(here.points.title("e"))
    here.popups.type_inline("Growth rate (per year)")
    assert here.block("e").label == "Growth rate (per year)"


def test_a_name_that_is_taken_is_refused_with_a_sentence(here: Driver) -> None:
    graph, said = here.graph, here.listen()
    here.hand.double_click(here.points.title("e"))
    here.popups.type_inline("s")
    assert here.graph is graph
    assert len(said) == 1 and said[0].endswith(".")


def test_escape_in_the_field_keeps_the_name(here: Driver) -> None:
    graph = here.graph
    here.hand.double_click(here.points.title("e"))
    here.popups.type_inline("growth", Key.Key_Escape)
    assert here.graph is graph
    assert not here.popups.fields()


def test_a_click_elsewhere_accepts_the_name(here: Driver) -> None:
    here.hand.double_click(here.points.title("e"))
    here.popups.inline().setText("growth")
    here.hand.click(here.points.empty())
    assert "growth" in here.page.blocks
    assert not here.popups.fields()


def test_a_renamed_block_stays_selected(here: Driver) -> None:
    here.hand.double_click(here.points.title("e"))
    here.popups.type_inline("growth")
    assert here.selection == Selection(frozenset(["growth"]))


def test_a_double_click_on_a_frame_title_renames_the_frame(here: Driver) -> None:
    here.hand.double_click(frame_title(here, "spare"))
    here.popups.type_inline("Kept aside")
    assert {frame.title for frame in here.page.frames} == {"Kept aside", "Nothing"}


def test_a_double_click_on_a_note_edits_its_text(here: Driver) -> None:
    here.hand.double_click(here.canvas.mirror.notes["note"].center())
    field = here.popups.inline()
    assert isinstance(field, QPlainTextEdit)
    assert field.toPlainText() == "Remember"
    here.popups.type_inline("Two words", Key.Key_Return, Mod.ControlModifier)
    assert here.page.notes[0].text == "Two words"
    assert here.undo_text() == "Edit note"


def test_f2_renames_what_is_selected(here: Driver) -> None:
    here.hand.click(here.points.title("e"))
    here.key(Key.Key_F2)
    here.popups.type_inline("growth")
    assert "growth" in here.page.blocks
    here.hand.click(frame_title(here, "hollow"))
    here.key(Key.Key_F2)
    here.popups.type_inline("Room")
    assert "Room" in {frame.title for frame in here.page.frames}


def test_a_field_left_open_over_a_block_that_goes_changes_nothing(here: Driver) -> None:
    made = here.add("Input", QPointF(600, 200))
    here.hand.double_click(here.points.number(made, 0))
    field = here.popups.inline()
    here.session.undo()
    graph, said = here.graph, here.listen()
    field.setText("5")
    here.popups.type_inline("5")
    assert here.graph is graph
    assert not said


def other_loss(user: Driver) -> QPointF:
    """Returns the point on the block "other" that makes it the loss."""
    mirror = user.canvas.mirror
    return mirror.rect("other").topLeft() + loss_row(mirror.shapes[mirror.rows["other"]]).center()


def test_a_click_on_a_loss_that_is_not_active_uses_it(user: Driver) -> None:
    graph = wired(with_block(chain(), "other", "Loss", (480, 200)), "s.y > other.x")
    user.show(edits.set_loss(graph, "main/loss"))
    before = user.graph
    user.hand.drag(other_loss(user), other_loss(user) + QPointF(64, 0))
    assert user.graph.loss == "main/loss"
    user.undo()
    user.hand.click(other_loss(user))
    assert user.graph.loss == "main/other"
    user.hand.click(other_loss(user))
    assert user.graph.loss == "main/other"
    user.undo()
    assert user.graph is before


def test_a_tap_uses_a_loss_too(user: Driver) -> None:
    graph = wired(with_block(chain(), "other", "Loss", (480, 200)), "s.y > other.x")
    user.show(edits.set_loss(graph, "main/loss"))
    user.hand.touch((user.points.view(other_loss(user)),))
    assert user.graph.loss == "main/other"


def test_a_double_click_on_the_body_edits_the_main_setting_in_the_inspector(user: Driver) -> None:
    user.show(with_block(chain(), "joined", "Concat", (480, 200), axis=1))
    user.hand.double_click(user.points.body("s"))
    field = user.child(QLineEdit, "parameter_axis")
    assert field.hasFocus() and not user.popups.fields()
    QTest.keyClicks(field, "0")
    QTest.keyClick(field, Key.Key_Return)
    user.settle()
    assert user.block("s").parameters["axis"] in (0, (0,))
    assert user.block("joined").parameters["axis"] == 1


def test_a_double_click_on_a_body_without_a_setting_renames(here: Driver) -> None:
    here.hand.double_click(here.points.body("e"))
    here.popups.type_inline("grown")
    assert here.block("grown").type == "Exp"
