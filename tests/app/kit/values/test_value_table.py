"""The table of numbers: the widths of its columns, its cells and what is copied from them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from PySide6.QtCore import QItemSelection, QItemSelectionModel, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.kit.values.value_parts import Part, Shown, part_of
from gradwire.app.kit.values.value_table import ValueTable, cell_colors
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import theme
from gradwire.engine.base.tensor_spec import Array
from tests.app.drawn_shapes import drawn

ON, OFF = Qt.ScrollBarPolicy.ScrollBarAlwaysOn, Qt.ScrollBarPolicy.ScrollBarAlwaysOff


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    found = QWidget()
    qtbot.addWidget(found)
    return found


def value(array: Array | None, name: str = "v") -> Part:
    return part_of(Shown(name, array))


def gradient(array: Array | None, name: str = "g") -> Part:
    return part_of(Shown(name, array, True))


def table(parent: QWidget, *parts: Part, is_list: bool | None = None) -> ValueTable:
    made = ValueTable(Appearance("dark"), parent)
    made.cells.show_parts(parts, is_list=all(len(part.shape) < 2 for part in parts) if is_list is None else is_list)
    return made


def cells(made: ValueTable) -> list[list[str]]:
    model = made.cells
    return [
        [model.data(model.index(row, column)) for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


@pytest.mark.parametrize(
    ("shapes", "widths", "height", "bar"),
    [
        # The index has 28 px, or 16 and 7 for each digit; a matrix has at least 62 px for a number.
        ([(3,)], [28, 264], 90, OFF),
        ([(8,), (8,)], [28, 132, 132], 200, OFF),
        # More than 8 rows scroll, and the bar takes 12 px.
        ([(9,)], [28, 252], 200, OFF),
        ([(100,)], [30, 250], 200, OFF),
        ([(101,)], [37, 243], 200, OFF),
        ([(2, 3)], [28, 88, 88, 88], 68, OFF),
        ([(2, 4)], [28, 66, 66, 66, 66], 68, OFF),
        ([(2, 5)], [28, *[62] * 5], 78, ON),
        ([(2, 11)], [28, *[62] * 11], 78, ON),
        ([(2,), (2,), (2,), (2,), (2,)], [28, *[52] * 5], 68, OFF),
        ([(0,)], [28, 264], 24, OFF),
    ],
)
def test_columns_share_the_width_beside_the_index(
    parent: QWidget, shapes: Sequence[tuple[int, ...]], widths: list[int], height: int, bar: Qt.ScrollBarPolicy
) -> None:
    made = table(parent, *(value(np.zeros(shape)) for shape in shapes))
    made.fit(292)
    assert [made.columnWidth(column) for column in range(len(widths))] == widths
    assert (made.height(), made.horizontalScrollBarPolicy()) == (height, bar)


def test_columns_and_rows_grow_with_the_texts(parent: QWidget) -> None:
    """28 px become 35, 62 become 78 and 22 become 28."""
    appearance = Appearance("dark")
    made = ValueTable(appearance, parent)
    made.cells.show_parts([value(np.zeros((2, 5)))], is_list=False)
    appearance.set_text_scale(1.25)
    made.fit(292)
    assert [made.columnWidth(column) for column in range(3)] == [35, 78, 78]
    assert made.rowHeight(0) == 28
    appearance.set_text_scale(1.0)


def test_cells_are_filled_by_sign_and_selected_ones_have_a_frame(parent: QWidget) -> None:
    made = table(parent, value(np.array([1.0, -2.0])), gradient(np.array([-0.5, np.nan])))
    made.fit(160)
    made.selectRow(1)
    ground = theme("dark").diverging(-1).name()
    assert drawn(made, 160, made.height()) == [
        "text 2 0 20 22 left 11px text.tertiary “0”",
        "text 30 0 58 22 right 11px text.primary “1”",
        f"rect 96 1 64 20 round 2 on {ground}",
        "text 96 0 58 22 right 11px #000000 “−0.5”",
        "rect 2 23 25 19 1px focus",
        "text 2 22 20 22 left 11px text.tertiary “1”",
        "rect 30 23 63 19 1px focus",
        "text 30 22 58 22 right 11px text.primary “−2”",
        "rect 96 23 64 20 round 2 on alarm.bg",
        "rect 96 23 63 19 1px focus",
        "text 96 22 58 22 right 11px alarm “NaN”",
        "fill 0 0 28 22 on bg.app",
        "text 2 0 20 22 left 11px text.tertiary “i”",
        "fill 28 0 66 22 on bg.app",
        "text 30 0 58 22 right 11px value “v”",
        "fill 94 0 66 22 on bg.app",
        "text 96 0 58 22 right 11px grad.text “g”",
    ]


def test_headings_of_a_matrix_are_grey_and_long_names_are_cut(parent: QWidget) -> None:
    made = table(parent, gradient(np.array([[0.0, 1.0]])))
    made.fit(160)
    headings = [line.split("px ")[1] for line in drawn(made, 160, made.height()) if line.startswith("text")][3:]
    assert headings == ["text.tertiary “i”", "text.tertiary “0”", "text.tertiary “1”"]
    made = table(parent, value(np.array([1.0]), "a rather long name of a value"))
    made.fit(100)
    assert drawn(made, 100, made.height())[-1].endswith("…”")


@pytest.mark.parametrize(
    ("part", "number", "fill", "ink"),
    [
        (value(np.array([2.0, -4.0])), 2.0, None, "text.primary"),
        (value(np.array([2.0, np.inf])), np.inf, "alarm.bg", "alarm"),
        (gradient(np.array([np.nan])), np.nan, "alarm.bg", "alarm"),
        (value(None), None, None, "text.tertiary"),
    ],
)
def test_numbers_have_the_colour_of_their_kind(part: Part, number: float | None, fill: str | None, ink: str) -> None:
    dark = theme("dark")
    expected = None if fill is None else dark.color(fill), dark.color(ink)
    assert cell_colors(dark, part, None if number is None else np.float64(number)) == expected


@pytest.mark.parametrize(("numbers", "shares"), [([2.0, -4.0, 0.0], [0.5, -1, 0]), ([0.0], [0])])
def test_the_fill_of_a_gradient_is_its_share_of_the_largest(numbers: list[float], shares: list[float]) -> None:
    """Ink is black or white by the luminance of WCAG: of two contrasts to the ground the larger one."""

    def luminance(color: QColor) -> float:
        parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color.getRgbF()[:3]]
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True)) + 0.05

    for name in ("dark", "light"):
        found, part = theme("dark" if name == "dark" else "light"), gradient(np.array(numbers))
        for number, share in zip(numbers, shares, strict=True):
            fill, ink = cell_colors(found, part, np.float64(number))
            assert fill == found.diverging(share)
            is_black = luminance(fill) / 0.05 > 1.05 / luminance(fill)
            assert ink.name() == ("#000000" if is_black else "#ffffff")


def test_vectors_of_several_lengths_stand_side_by_side(parent: QWidget) -> None:
    made = table(parent, value(np.array([1.0, 2.0, 3.0])), gradient(np.array([-4.0])), value(None, "w"))
    assert cells(made) == [["0", "1", "−4", ""], ["1", "2", "", ""], ["2", "3", "", ""]]
    made.selectAll()
    assert made.chosen_text() == "1\t-4\t\n2\t\t\n3\t\t\n"


def test_only_scalars_have_no_index(parent: QWidget) -> None:
    one, two = np.array(3.0), np.array([4.0, 5.0])
    assert cells(table(parent, value(one), gradient(one))) == [["", "3", "+3"]]
    assert cells(table(parent, value(one), value(two))) == [["0", "3", "4"], ["1", "", "5"]]
    assert cells(table(parent, value(None))) == []


def test_a_selection_is_copied_without_its_indices(parent: QWidget) -> None:
    made = table(parent, value(np.arange(6.0).reshape(2, 3)))
    for corners, text in (((0, 0, 1, 2), "0\t1\n3\t4\n"), ((1, 2, 1, 3), "4\t5\n"), ((0, 3, 1, 3), "2\n5\n")):
        top, left, bottom, right = corners
        chosen = QItemSelection(made.cells.index(top, left), made.cells.index(bottom, right))
        made.selectionModel().select(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        assert made.chosen_text() == text


@pytest.mark.parametrize(
    ("array", "known"),
    [
        (np.array(1.0), {(0, 0): None, (0, 1): ()}),
        (np.array([1.0, 2.0]), {(1, 0): None, (1, 1): (1,)}),
        (np.zeros((2, 3)), {(1, 0): None, (1, 1): (1, 0), (1, 3): (1, 2)}),
        (None, {(0, 0): None, (0, 1): None}),
    ],
)
def test_a_cell_knows_its_element(
    parent: QWidget, array: Array | None, known: dict[tuple[int, int], tuple[int, ...] | None]
) -> None:
    model = table(parent, value(array)).cells
    assert {at: model.index_of(model.index(*at)) for at in known} == known


def test_only_headings_of_columns_have_names(parent: QWidget) -> None:
    model = table(parent, value(np.zeros((2, 3)))).cells
    across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
    assert [model.headerData(column, across) for column in range(4)] == ["i", "0", "1", "2"]
    assert model.headerData(1, down) is None
    assert model.headerData(1, across, Qt.ItemDataRole.ToolTipRole) is None
    assert model.data(model.index(0, 1), Qt.ItemDataRole.ToolTipRole) is None


@pytest.mark.parametrize(
    ("before", "after", "resets"),
    [
        ([value(np.zeros(2))], [value(np.ones(2))], False),
        ([value(np.zeros(2))], [value(np.ones(3))], True),
        ([value(np.zeros(2))], [value(np.ones(2), "w")], True),
        ([value(np.array(1.0))], [value(None)], True),
        ([value(np.zeros((2, 2)))], [value(np.ones((2, 2)))], False),
        ([value(np.zeros((2, 2)))], [value(np.ones((2, 3)))], True),
        ([value(np.zeros(2))], [value(np.zeros(2)), value(np.zeros(2))], True),
    ],
)
def test_the_table_begins_anew_where_its_cells_are_others(
    parent: QWidget, before: list[Part], after: list[Part], resets: bool
) -> None:
    made = table(parent, *before)
    found: list[bool] = []
    made.cells.modelReset.connect(lambda: found.append(True))
    made.cells.show_parts(after, is_list=len(after[0].shape) < 2)
    assert bool(found) is resets
