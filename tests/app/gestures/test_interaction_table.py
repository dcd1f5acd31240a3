"""All actions of mouse, trackpad and keyboard on the canvas, row by row, with the tests that prove them.

The end of this file proves the actions that no other file proves.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QToolButton

from gradwire.app.canvas.geometry.view.camera import STEP
from gradwire.engine.files.files import load, save
from tests.app.window.driver import LEFT, RIGHT, Driver, Key, Mod
from tests.app.window.graphs import chain

TESTS = Path(__file__).parents[3]
# Two fingers and a tap reach Qt as wheel, press and release.
SAME = "as the mouse"


class Row(NamedTuple):
    """One action with the tests of each input device, or a sentence that explains why there are none."""

    action: str
    mouse: tuple[str, ...] | str = "-"
    trackpad: tuple[str, ...] | str = "-"
    keyboard: tuple[str, ...] | str = "-"


ROWS = [
    Row("Pan: middle-drag, Space+drag, right-drag beyond 4 px; two fingers; Ctrl+arrows",
        ("test_a_middle_drag_pans", "test_space_with_the_left_button_pans", "test_a_right_drag_pans_and_opens_no_menu",
         "test_a_right_press_that_moves_4_px_is_a_click"),
        ("test_two_fingers_on_a_trackpad_pan", "test_one_finger_on_empty_canvas_pans"),
        ("test_ctrl_with_arrows_pans",)),
    Row("Zoom at the pointer: wheel, Ctrl+wheel, wheel that pans; pinch; Ctrl+ Ctrl- Ctrl+0",
        ("test_the_wheel_zooms_in_and_keeps_the_point_under_the_pointer", "test_ctrl_and_the_wheel_zoom_too",
         "test_the_wheel_pans_where_that_is_set"),
        ("test_a_pinch_on_a_pad_zooms_about_the_pointer", "test_a_pinch_zooms_at_its_middle",
         "test_two_fingers_with_ctrl_zoom"),
        ("test_zoom_keys_step_and_go_back_to_100_percent",)),
    Row("Fit all, the selection: the zoom of the status line; Shift+1 Home, Shift+2 Num+.",
        ("test_the_zoom_of_the_status_line_fits_the_page_and_shows_it_at_100_percent",), "-",
        ("test_the_page_is_fitted", "test_the_selection_is_fitted")),
    Row("Select, add, box, lasso: click, Shift+click, drag, Ctrl+Alt+drag; Ctrl+A, Ctrl+I, Esc",
        ("test_a_click_selects_one_thing", "test_shift_click_adds_and_takes_away",
         "test_a_box_selects_the_blocks_it_touches_and_the_wires_in_it",
         "test_the_lasso_selects_what_it_encloses_and_shift_adds"),
        ("test_a_tap_selects_a_block_a_wire_or_nothing",),
        ("test_ctrl_a_selects_everything_and_ctrl_i_inverts", "test_escape_without_a_gesture_selects_nothing")),
    Row("Move: drag on the grid of 16, Alt freely, guides at equal gaps; Alt+arrows 16, Alt+Shift+arrows 1",
        ("test_a_drag_moves_a_block_on_the_grid_in_one_entry", "test_alt_moves_freely",
         "test_equal_gaps_attract_and_alt_lets_go"),
        ("test_a_finger_drags_a_block_in_one_entry",),
        ("test_alt_with_arrows_moves_by_16_px", "test_alt_shift_with_arrows_moves_by_1_px")),
    Row("Add a block: double-click, the field of the bar; Tab, Shift+A",
        ("test_a_block_from_the_search_lies_under_the_pointer",
         "test_a_double_click_on_empty_canvas_adds_the_chosen_block_there"),
        ("test_two_taps_are_a_double_click",),
        ("test_tab_adds_the_chosen_block_at_the_pointer", "test_shift_a_opens_the_search_too")),
    Row("Connect: port to port, either direction, snaps at 24; port, Enter, arrows, Enter",
        ("test_a_wire_is_drawn_in_either_direction_in_one_entry", "test_the_end_of_a_wire_snaps_within_24_px",
         "test_it_does_not_snap_from_further_away"),
        ("test_a_finger_draws_a_wire_from_a_port",), ("test_a_wire_is_drawn_by_keys_alone",)),
    Row("Connect to a block: drop the wire on its body, either direction",
        ("test_a_wire_dropped_on_a_block_connects_to_its_port_in_one_entry",
         "test_a_wire_dropped_on_a_block_takes_its_first_free_input",
         "test_the_block_that_would_take_the_wire_lights_up"), SAME),
    Row("Plug a wire in elsewhere, duplicate it: drag its input end, Ctrl+drag its output end",
        ("test_dragging_the_end_of_a_wire_plugs_it_elsewhere_in_one_entry",
         "test_ctrl_at_either_end_of_a_wire_draws_a_second_one"),
        SAME, ("test_a_connected_input_gives_the_end_of_its_wire",)),
    Row("A wire into nothing: the search, filtered, and the best port connected",
        ("test_a_wire_into_nothing_asks_for_blocks_that_fit",
         "test_the_chosen_block_is_placed_and_connected_in_one_entry"),
        SAME),
    Row("Insert on a wire: drop a block on it, Alt prevents; wire, Tab",
        ("test_a_block_dropped_on_a_wire_is_put_into_it_in_one_entry",
         "test_the_wire_is_marked_while_the_block_is_over_it", "test_alt_only_moves_the_block"),
        SAME, ("test_tab_on_a_selected_wire_inserts_the_chosen_block",)),
    Row("Cut wires: Ctrl+right-drag; Y, then drag",
        ("test_the_knife_cuts_every_wire_that_it_crosses_in_one_entry",), "-",
        ("test_the_knife_cuts_once_then_the_button_selects_again",)),
    Row("Disconnect: shake, three turns in 600 ms; Alt+Delete joins the neighbours",
        ("test_three_quick_turns_disconnect_a_block_in_one_entry", "test_fewer_or_slower_turns_only_move_it"),
        SAME, ("test_alt_delete_takes_the_wires_off_and_joins_the_neighbours",)),
    Row("Delete, dissolve: Delete X, Ctrl+X cuts, Ctrl+Delete rejoins", "-", "-",
        ("test_delete_x_and_backspace_delete", "test_cut_copies_and_deletes_in_one_entry",
         "test_ctrl_delete_removes_and_rejoins")),
    Row("Mute, collapse: M, H", "-", "-", ("test_m_mutes_and_unmutes", "test_h_collapses_and_expands")),
    Row("Frame, page: Ctrl+J, Ctrl+G, Ctrl+Shift+G; a double click enters, Backspace leaves",
        ("test_a_double_click_enters_and_backspace_leaves",), SAME,
        ("test_ctrl_j_frames_the_selection_and_asks_for_the_title",
         "test_ctrl_g_makes_a_page_and_one_undo_takes_it_back",
         "test_ctrl_shift_g_opens_it_up_again", "test_a_double_click_enters_and_backspace_leaves")),
    Row("Duplicate, copy, paste: Ctrl+drag; Ctrl+D Shift+D, Ctrl+C Ctrl+V as text",
        ("test_ctrl_drag_duplicates_and_selects_the_copy",), SAME,
        ("test_d_duplicates_beside", "test_copies_are_the_text_of_a_graph",
         "test_paste_puts_copies_under_the_pointer_with_their_wires")),
    Row("A dot on a wire: double-click it", ("test_a_double_click_on_a_wire_puts_a_dot_there",), SAME),
    Row("Scrub a number: sideways, 4 px a step, Shift finer, Ctrl coarser, Esc, one entry; Up and Down in the field",
        ("test_a_drag_sideways_over_a_number_scrubs_it", "test_shift_scrubs_a_tenth_and_ctrl_ten_times",
         "test_escape_reverts_a_scrub"),
        SAME,
        ("test_up_steps_a_number_finer_with_shift_and_coarser_with_ctrl",
         "test_down_steps_a_whole_number_by_one_and_by_ten_with_ctrl",
         "test_steps_in_the_field_on_the_canvas_are_predicted_and_one_entry")),
    Row("StopGradient on a wire: its menu; S",
        ("test_the_menu_of_a_wire_puts_a_stopgradient_there",), SAME,
        ("test_s_puts_a_stopgradient_on_the_selected_wire",)),
    Row("StopGradient on and off: switch; Shift+S",
        ("test_without_stopgradient_labels_show_both_only_where_they_differ",), SAME,
        ("test_shift_s_ignores_stopgradient_without_touching_the_graph",)),
    Row("How gradients are shown: G, Shift+G", "-", "-",
        ("test_g_walks_through_the_ways_to_show_gradients_and_back",)),
    Row("Evaluate, live: F5, L", ("test_evaluate_refreshes_in_manual_mode",), SAME,
        ("test_in_manual_mode_edits_leave_results_stale_until_evaluated", "test_going_live_evaluates_what_is_stale")),
    Row("Step mode: button, strip; B, point and comma, arrows, Space, Esc",
        ("test_the_button_is_pressed_while_it_is_on_and_another_document_begins_without",
         "test_a_click_on_a_column_goes_to_its_step"), SAME,
        ("test_b_begins_at_the_seed_and_escape_leaves_everything_as_it_was",
         "test_point_comma_and_arrows_go_through_the_steps_and_stop_at_the_ends",
         "test_space_takes_the_next_step_and_the_button_plays_and_pauses")),
    Row("Train, pause, one step: F9, Shift+F9", ("test_f9_trains_and_pauses",), SAME,
        ("test_f9_trains_as_the_plan_says_and_shows_the_numbers", "test_shift_f9_trains_one_round")),
    Row("Path to the loss: Alt+click a wire; P, Esc",
        ("test_alt_and_a_click_on_a_wire_shows_its_way", "test_what_is_dimmed_keeps_two_fifths_of_its_colour"), SAME,
        ("test_p_shows_the_way_to_the_loss_then_from_the_inputs_then_both_then_no_more",
         "test_escape_ends_it_before_the_selection")),
    Row("Rename, comment: double-click the title; F2, C",
        ("test_a_double_click_on_a_title_gives_the_block_another_id",), SAME,
        ("test_f2_renames_what_is_selected", "test_c_places_a_note_under_the_pointer_and_opens_it")),
    Row("Help: F1 on the selection, ? the keyboard map", "-", "-",
        ("test_f1_opens_the_help_of_the_selected_block", "test_it_shows_every_command_that_has_a_key")),
    Row("Back and forward: buttons 4 and 5; Ctrl+[ and Ctrl+]",
        ("test_the_buttons_of_the_mouse_do_so_too",), "-", ("test_back_and_forward_go_between_places",)),
    Row("Bookmarks: Ctrl+Alt+digit sets, Alt+digit goes", "-", "-", ("test_a_bookmark_leads_back",)),
    Row("New, open, save, save as, close: Ctrl+N, O, S, Shift+S, W", "-", "-",
        ("test_keys_make_open_save_and_close_graphs", "test_save_writes_to_the_same_file")),
    Row("Undo, redo, find: Ctrl+Z, Ctrl+Shift+Z, Ctrl+F", "-", "-",
        ("test_undo_leads_back_to_the_very_empty_graph_and_redo_to_the_very_last",
         "test_enter_selects_what_was_found_and_brings_it_into_the_middle")),
    Row("Single letters are text outside the canvas", "-", "-",
        ("test_letters_in_a_field_over_the_canvas_are_text", "test_letters_in_a_field_of_a_panel_are_text",
         "test_letters_in_the_search_are_text")),
    Row("Keys can be changed, conflicts are shown", "-", "-",
        ("test_a_new_key_acts_at_once_and_is_in_menu_and_tooltip",
         "test_a_conflict_names_the_other_command_and_what_it_keeps")),
    Row("A right click opens a menu with the keys beside the entries; a drag near the edge scrolls",
        ("test_on_a_block", "test_a_drag_near_the_edge_scrolls_until_it_ends"),
        ("test_a_finger_that_rests_opens_the_menu",), ("test_the_menu_key_opens_the_menu_of_what_is_focused",)),
]  # fmt: skip


def written_tests() -> set[str]:
    """Returns the names of all tests."""
    files = list(TESTS.rglob("test_*.py"))
    assert len(files) > 200, "the tests are not where this module looks"
    return {name for file in files for name in _functions(file)}


def _functions(file: Path) -> list[str]:
    return re.findall(r"^def (\w+)\(", file.read_text("utf-8"), re.MULTILINE)


def test_every_way_of_doing_something_has_tests_that_exist() -> None:
    named = {name for row in ROWS for cell in row[1:] if not isinstance(cell, str) for name in cell}
    assert not named - written_tests()


def test_what_has_no_test_says_why() -> None:
    reasons = {cell for row in ROWS for cell in row[1:] if isinstance(cell, str)}
    assert reasons == {"-", SAME}
    assert all(any(cell != "-" for cell in row[1:]) for row in ROWS)


@pytest.fixture
def here(user: Driver) -> Driver:
    user.show(chain())
    return user


def test_a_right_press_that_moves_4_px_is_a_click(here: Driver) -> None:
    camera, start = here.canvas.camera, here.points.title("e")
    here.hand.drag(start, start + QPointF(4, 0), RIGHT, steps=1)
    assert here.canvas.camera == camera
    QTest.keyClick(here.popups.menu(), Key.Key_Escape)
    here.settle()
    here.hand.drag(start, start + QPointF(5, 0), RIGHT, steps=1)
    assert here.canvas.camera == camera.moved(5, 0)
    assert QApplication.activePopupWidget() is None


@pytest.mark.parametrize("pans", [False, True])
def test_ctrl_and_the_wheel_zoom_too(here: Driver, pans: bool) -> None:
    here.window.settings.set_flag("wheel_pans", pans)
    at, scale = here.points.body("s"), here.canvas.camera.scale
    seen = here.points.view(at)
    here.hand.wheel(at, QPoint(0, 120), keys=Mod.ControlModifier)
    assert here.canvas.camera.scale == pytest.approx(scale * STEP)
    # The offset is whole px.
    assert (here.points.view(at) - seen).manhattanLength() <= 1.5


def test_the_zoom_of_the_status_line_fits_the_page_and_shows_it_at_100_percent(here: Driver) -> None:
    zoom = here.child(QToolButton, "status_zoom")
    here.canvas.viewport.pan(-5000, 900)
    here.qtbot.mouseClick(zoom, LEFT)
    here.settle()
    seen = here.canvas.camera.rect_to_scene(here.canvas.rect().toRectF())
    assert seen.contains(here.canvas.mirror.bounds())
    here.canvas.viewport.fly_to(here.canvas.viewport.page_camera())
    here.qtbot.mouseClick(zoom, LEFT)
    here.settle()
    assert here.canvas.camera.scale == 1.0 and zoom.text() == "100 %"


def test_a_double_click_on_empty_canvas_adds_the_chosen_block_there(here: Driver) -> None:
    graph, at = here.graph, here.points.empty()
    here.hand.double_click(at)
    here.popups.search("relu")
    assert here.canvas.mirror.rect(here.only("Relu")).adjusted(-16, -16, 16, 16).contains(at)
    here.undo()
    assert here.graph is graph


def test_tab_adds_the_chosen_block_at_the_pointer(here: Driver) -> None:
    graph, at = here.graph, here.points.empty()
    made = here.add("relu", at)
    assert here.block(made).type == "Relu"
    assert here.canvas.mirror.rect(made).adjusted(-16, -16, 16, 16).contains(at)
    here.undo()
    assert here.graph is graph


def test_the_menu_of_a_wire_puts_a_stopgradient_there(here: Driver) -> None:
    graph = here.graph
    here.hand.click(here.points.on_wire(here.wire("s.x")), RIGHT)
    menu = here.popups.menu()
    (entry,) = [item for item in menu.actions() if item.objectName() == "stop_here"]
    QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(entry).center())
    here.settle()
    made = here.only("StopGradient")
    assert {f"e.y > {made}.x", f"{made}.y > s.x"} <= here.wires()
    here.undo()
    assert here.graph is graph


def test_f1_opens_the_help_of_the_selected_block(here: Driver) -> None:
    here.hand.click(here.points.title("e"))
    here.key(Key.Key_F1)
    dialog = here.child(QDialog, "block_help")
    assert dialog.isVisible()
    assert "Exp" in dialog.windowTitle()
    dialog.close()


def test_keys_make_open_save_and_close_graphs(here: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, other = tmp_path / "chain.graph", tmp_path / "other.graph"
    save(chain(), file)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_, **__: (str(file), ""))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(other), ""))
    here.ctrl(Key.Key_N)
    assert not here.page.blocks
    here.ctrl(Key.Key_O)
    assert here.graph == load(file).graph
    here.key(Key.Key_S, Mod.ControlModifier | Mod.ShiftModifier)
    assert load(other).graph == here.graph
    here.ctrl(Key.Key_W)
    assert here.window.parts.layout.shows_welcome
    assert not here.window.parts.has_document
