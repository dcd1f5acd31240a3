"""Whole tensors as a table, a heat map or a histogram, whatever their contents."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest
from PySide6.QtCore import QAbstractItemModel, QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QAction, QColor, QFontMetrics, QGuiApplication, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QSpinBox, QTableView, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.kit.controls.copy_button import CopyButton
from gradwire.app.kit.values.heat_map import HeatLegend, HeatMap, heat_colors, sampled_cells
from gradwire.app.kit.values.image_picture import ImagePicture, image_bytes
from gradwire.app.kit.values.line_plot import LinePlot
from gradwire.app.kit.values.value_pictures import Histogram
from gradwire.app.kit.values.value_table import contrast_ink
from gradwire.app.kit.values.value_view import MODES, Shown, ValueView
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import font, theme
from gradwire.engine.base.tensor_spec import Array
from tests.sweeps import a_third_of

LEFT = Qt.MouseButton.LeftButton
Child = TypeVar("Child", bound=QObject)


@pytest.fixture(scope="module")
def appearance(qapp: object) -> Appearance:
    return Appearance("dark")


@pytest.fixture
def view(appearance: Appearance, qtbot: QtBot) -> ValueView:
    made = ValueView(appearance, "Tensors")
    qtbot.addWidget(made)
    made.resize(292, 400)
    made.show()
    return made


def model_of(view: ValueView) -> QAbstractItemModel:
    table = view.findChild(QTableView, "value_table")
    assert isinstance(table, QTableView)
    return table.model()


def rows_of(view: ValueView) -> list[list[str]]:
    model = model_of(view)
    return [
        [str(model.index(row, column).data()) for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def headings_of(view: ValueView) -> list[str]:
    model = model_of(view)
    return [str(model.headerData(section, Qt.Orientation.Horizontal)) for section in range(model.columnCount())]


def button(view: ValueView, name: str) -> QToolButton:
    found = view.findChild(QToolButton, name)
    assert isinstance(found, QToolButton)
    return found


def stats_of(view: ValueView) -> str:
    found = view.findChild(QWidget, "value_stats")
    assert found is not None
    return found.accessibleName()


def test_vectors_stand_side_by_side_with_signed_gradients(view: ValueView) -> None:
    view.show_tensors([Shown("value", np.array([1.0, -2.5])), Shown("∂L", np.array([0.25, -0.5]), True)])
    assert headings_of(view) == ["i", "value", "∂L"]
    assert rows_of(view) == [["0", "1", "+0.25"], ["1", "−2.5", "−0.5"]]


def test_a_scalar_has_no_index(view: ValueView) -> None:
    view.show_tensors([Shown("value", np.array(3.0))])
    assert rows_of(view) == [["", "3"]]


def test_whole_numbers_and_truth_values_are_written_out(view: ValueView) -> None:
    view.show_tensors([Shown("a", np.array([-1234567, 2])), Shown("b", np.array([True, False]))])
    assert rows_of(view) == [["0", "−1234567", "true"], ["1", "2", "false"]]


def test_nan_and_infinity_are_written_out_and_counted(view: ValueView) -> None:
    view.show_tensors([Shown("value", np.array([math.nan, math.inf, -math.inf, 2.0]))])
    assert [row[1] for row in rows_of(view)] == ["NaN", "inf", "−inf", "2"]
    assert "NaN 1" in stats_of(view)
    assert "inf 2" in stats_of(view)


def test_a_tensor_with_nan_has_no_statistics(view: ValueView) -> None:
    view.show_tensors([Shown("value", np.array([math.nan, 1.0, 2.0]))])
    assert stats_of(view).startswith("min – max – mean – size –")


def test_the_line_below_has_min_max_mean_and_norm_of_the_gradient(view: ValueView) -> None:
    view.show_tensors([Shown("value", np.array([7.0, 7.0])), Shown("∂L", np.array([3.0, -4.0]), True)])
    assert stats_of(view) == "min −4 max 3 mean −0.5 size 5"


def test_the_value_can_be_chosen_instead(view: ValueView, qtbot: QtBot) -> None:
    view.show_tensors([Shown("value", np.array([6.0, 8.0])), Shown("∂L", np.array([3.0, -4.0]), True)])
    qtbot.mouseClick(button(view, "value_of_0"), LEFT)
    assert stats_of(view) == "min 6 max 8 mean 7 size 10"


def test_a_matrix_has_rows_and_columns(view: ValueView) -> None:
    view.show_tensors([Shown("value", np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))])
    assert headings_of(view) == ["i", "0", "1"]
    assert rows_of(view) == [["0", "1", "2"], ["1", "3", "4"], ["2", "5", "6"]]


def test_boxes_choose_the_slice_of_rank_4(view: ValueView) -> None:
    array = np.arange(2 * 3 * 2 * 2, dtype=float).reshape(2, 3, 2, 2)
    view.show_tensors([Shown("value", array)])
    for axis, index in enumerate((1, 2)):
        box = view.findChild(QSpinBox, f"value_slice_{axis}")
        assert isinstance(box, QSpinBox)
        box.setValue(index)
    assert rows_of(view) == [["0", "20", "21"], ["1", "22", "23"]]


def test_the_slice_stays_when_numbers_change_and_fits_when_shapes_do(view: ValueView) -> None:
    view.show_tensors([Shown("value", np.zeros((4, 1, 1)))])
    box = view.findChild(QSpinBox, "value_slice_0")
    assert isinstance(box, QSpinBox)
    box.setValue(3)
    view.show_tensors([Shown("value", np.full((4, 1, 1), 9.0))])
    assert (box.value(), rows_of(view)) == (3, [["0", "9"]])
    view.show_tensors([Shown("value", np.full((2, 1, 1), 5.0))])
    assert (box.value(), rows_of(view)) == (1, [["0", "5"]])


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (0, 2, 2), (2, 0, 2), (2, 2, 0)])
def test_an_empty_tensor_is_shown_as_such_in_every_mode(view: ValueView, shape: tuple[int, ...]) -> None:
    for mode in MODES:
        view.set_mode(mode)
        view.show_tensors([Shown("value", np.zeros(shape)), Shown("∂L", np.zeros(shape), True)])
        view.grab()
        assert "no elements" in stats_of(view)


def test_an_unknown_tensor_is_said_to_be_unknown_in_every_mode(view: ValueView) -> None:
    for mode in MODES:
        view.set_mode(mode)
        view.show_tensors([Shown("value", None), Shown("∂L", None, True)])
        view.grab()
        assert stats_of(view) == "value not known"


@pytest.mark.parametrize(
    "array",
    a_third_of(
        [
            np.array(1.5),
            np.array([True, False]),
            np.array([[1, 2], [3, 4]], np.int8),
            np.array([np.nan, np.inf]),
            np.array([1e308, -1e308, 5e-324]),
            np.array([[65504.0]], np.float16),
            np.zeros((3, 4, 5)),
        ]
    ),
)
def test_every_kind_of_tensor_is_painted_in_every_mode(view: ValueView, array: Array) -> None:
    for mode in MODES:
        view.set_mode(mode)
        for is_gradient in (False, True):
            view.show_tensors([Shown("value", array, is_gradient)])
            assert not view.grab().isNull()


def test_modes_are_chosen_by_mouse_and_said(view: ValueView, qtbot: QtBot) -> None:
    view.show_tensors([Shown("value", np.eye(2))])
    heat = view.findChild(HeatMap, "value_heat")
    assert isinstance(heat, HeatMap)
    with qtbot.waitSignal(view.mode_changed) as said:
        qtbot.mouseClick(button(view, "value_mode_heat"), LEFT)
    assert said.args == ["heat"]
    assert heat.isVisible()
    assert view.mode == "heat"


def test_buttons_are_22_px_high_and_as_wide_as_their_icons_or_names(view: ValueView) -> None:
    """An icon of 14 px has a button of 36, a name has 30 px more than its letters."""
    view.show_tensors([Shown("value", np.eye(2)), Shown("∂L", np.eye(2)), Shown("a&b", np.eye(2))])
    for place, mode in enumerate(MODES):
        made = button(view, f"value_mode_{mode}")
        assert (made.width(), made.height(), made.iconSize().toTuple()) == (36, 22, (14, 14))
        assert {size.toTuple() for size in made.icon().availableSizes()} == {(14, 14), (28, 28)}
        assert made.toolTip() == made.accessibleName() != ""
        assert made.property("look") == ("first" if place == 0 else "last" if place == len(MODES) - 1 else "middle")
    letters = QFontMetrics(font("mono", 11))
    names = [button(view, f"value_of_{place}") for place in range(3)]
    assert [made.text() for made in names] == ["value", "∂L", "a&&b"]
    assert [made.width() for made in names] == [letters.horizontalAdvance(name) + 30 for name in ("value", "∂L", "a&b")]
    assert [made.property("look") for made in names] == ["first", "middle", "last"]
    QApplication.processEvents()
    assert [made.toolTip() for made in names] == ["", "", ""] and all(made.isVisible() for made in names)
    view.show_tensors([Shown("only", np.eye(2))])
    assert view.findChildren(QToolButton, "value_of_0")[-1].isHidden()


def test_a_gradient_is_chosen_first_and_unknown_tensors_cannot_be(view: ValueView) -> None:
    view.show_tensors([Shown("value", np.ones(2)), Shown("∂L", np.ones(2), True), Shown("other", None, True)])
    assert [button(view, f"value_of_{place}").isChecked() for place in range(3)] == [False, True, False]
    assert [button(view, f"value_of_{place}").isEnabled() for place in range(3)] == [True, True, False]
    view.show_tensors([Shown("a", None), Shown("b", np.ones(2))])
    assert stats_of(view) == "min 1 max 1 mean 1 size 1.414"


def test_matrices_of_which_one_is_chosen_stand_alone_and_vectors_side_by_side(view: ValueView) -> None:
    view.show_tensors([Shown("a", np.ones((2, 2))), Shown("b", np.ones(2))])
    assert headings_of(view) == ["i", "0", "1"]
    view.show_tensors([Shown("a", np.ones(2)), Shown("b", np.ones(3))])
    assert headings_of(view) == ["i", "a", "b"] and len(rows_of(view)) == 3


def test_a_chosen_cell_tells_its_index_in_the_whole_tensor(view: ValueView, qtbot: QtBot) -> None:
    told: list[tuple[int, ...]] = []
    view.element_chosen.connect(told.append)
    view.show_tensors([Shown("value", np.zeros((3, 2, 2)))])
    child(view, QSpinBox, "value_slice_0").setValue(2)
    table = child(view, QTableView, "value_table")
    table.setCurrentIndex(table.model().index(1, 2))
    table.setCurrentIndex(table.model().index(1, 0))
    assert told == [(2, 1, 1)]
    qtbot.mouseClick(table.viewport(), LEFT, pos=table.visualRect(table.model().index(0, 1)).center())
    assert told[1:] == [(2, 0, 0)] * 2


def test_each_mode_shows_its_picture_and_a_histogram_of_54_or_128_px(view: ValueView) -> None:
    array = np.arange(4.0).reshape(2, 2)
    seen = {
        "table": ["value_table", "value_hist"],
        "heat": ["value_heat", "heat_legend"],
        "hist": ["value_hist"],
        "image": ["value_image", "value_pointed"],
    }
    names = {name for pictures in seen.values() for name in pictures} | {"value_line"}
    for mode, pictures in seen.items():
        view.set_mode(mode)  # type: ignore[arg-type]  # the keys are modes
        view.show_tensors([Shown("value", array), Shown("∂L", array, True)])
        assert {name for name in names if child(view, QWidget, name).isVisible()} == set(pictures)
        hist = child(view, QWidget, "value_hist")
        assert not hist.isVisible() or hist.height() == (128 if mode == "hist" else 54)
    view.set_mode("line")
    view.show_tensors([Shown("value", array[0])])
    assert {name for name in names if child(view, QWidget, name).isVisible()} == {"value_line", "value_pointed"}


def test_the_mode_stays_when_another_tensor_is_shown(view: ValueView) -> None:
    view.set_mode("hist")
    view.show_tensors([Shown("other", np.eye(2))])
    assert (view.mode, button(view, "value_mode_hist").isChecked()) == ("hist", True)


def test_a_million_rows_are_shown_without_delay(view: ValueView) -> None:
    array = np.arange(1_000_000, dtype=float)
    view.show_tensors([Shown("value", array)])
    table = view.findChild(QTableView, "value_table")
    assert isinstance(table, QTableView)
    start = time.perf_counter()
    table.scrollToBottom()
    view.grab()
    # Filling a million cells takes minutes; the limit only proves that the table does not do so.
    assert time.perf_counter() - start < 5
    assert model_of(view).index(999_999, 1).data() == "1e6"


def test_new_numbers_keep_the_place_in_the_table(view: ValueView) -> None:
    view.show_tensors([Shown("value", np.zeros(100))])
    table = view.findChild(QTableView, "value_table")
    assert isinstance(table, QTableView)
    table.setCurrentIndex(table.model().index(60, 1))
    view.show_tensors([Shown("value", np.ones(100))])
    assert (table.currentIndex().row(), table.currentIndex().data()) == (60, "1")


def test_the_histogram_of_a_gradient_has_0_in_the_middle(view: ValueView) -> None:
    view.show_tensors([Shown("∂L", np.array([-0.1, 0.0, 0.9]), True)])
    hist = view.findChild(Histogram, "value_hist")
    assert isinstance(hist, Histogram)
    assert hist.counts == [0, 0, 0, 0, 2, 0, 0, 0, 1]


def test_the_histogram_counts_finite_elements_only(view: ValueView) -> None:
    view.show_tensors([Shown("value", np.array([math.nan, 1.0, 2.0, math.inf]))])
    hist = view.findChild(Histogram, "value_hist")
    assert isinstance(hist, Histogram)
    assert sum(hist.counts) == 2


@pytest.mark.parametrize("name", ["dark", "light"])
def test_heat_colours_are_symmetric_about_zero(name: str) -> None:
    found = theme("dark" if name == "dark" else "light")
    colors = heat_colors(found, np.array([[-2.0, 0.0, 2.0, np.nan]]), 2.0)[0]
    expected = [found.diverging(-1), found.diverging(0), found.diverging(1), found.color("alarm")]
    assert [QColor(int(item)).name() for item in colors] == [item.name() for item in expected]


def test_a_negative_cell_differs_from_its_colour_in_a_corner(qtbot: QtBot) -> None:
    appearance = Appearance("dark")
    heat = HeatMap(appearance)
    qtbot.addWidget(heat)
    heat.resize(100, 36)
    heat.show_cells(np.array([-1.0, 1.0]), 1.0)
    picture = heat.grab().toImage()
    assert picture.pixelColor(10, 18).name() == appearance.theme.diverging(-1).name()
    assert picture.pixelColor(48, 1).name() != appearance.theme.diverging(-1).name()
    assert picture.pixelColor(98, 1).name() == appearance.theme.diverging(1).name()


def test_a_large_matrix_is_sampled_by_its_means() -> None:
    cells = sampled_cells(np.repeat(np.arange(96.0), 5)[None, :].repeat(200, axis=0))
    assert cells.shape == (96, 96)
    np.testing.assert_allclose(cells, np.arange(96.0)[None, :].repeat(96, axis=0))


@pytest.mark.parametrize("color", ["#000000", "#FFFFFF", "#777777", "#B594EA", "#157A5A"])
def test_ink_never_has_less_than_the_best_of_black_and_white(color: str) -> None:
    def luminance(item: QColor) -> float:
        parts = [
            c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
            for c in (item.redF(), item.greenF(), item.blueF())
        ]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    def contrast(a: QColor, b: QColor) -> float:
        high, low = sorted((luminance(a), luminance(b)), reverse=True)
        return (high + 0.05) / (low + 0.05)

    back = QColor(color)
    best = max(contrast(back, QColor("#000000")), contrast(back, QColor("#FFFFFF")))
    assert contrast(back, contrast_ink(back)) == pytest.approx(best)
    assert best >= 4.58


def child(view: ValueView, kind: type[Child], name: str) -> Child:
    found = view.findChild(kind, name)
    assert isinstance(found, kind)
    return found


def modes_of(view: ValueView) -> set[str]:
    return {mode for mode in MODES if button(view, f"value_mode_{mode}").isEnabled()}


@pytest.mark.parametrize(
    ("tensors", "missing"),
    [
        ([np.zeros(3)], {"image"}),
        ([np.zeros((2, 3))], {"line"}),
        ([np.zeros((2, 3)), np.zeros((2, 3))], {"line"}),
        ([np.array(1.0)], {"line", "image"}),
    ],
)
def test_only_the_modes_that_suit_a_tensor_can_be_chosen(
    view: ValueView, tensors: list[Array], missing: set[str]
) -> None:
    view.show_tensors([Shown(f"t{place}", array) for place, array in enumerate(tensors)])
    assert modes_of(view) == set(MODES) - missing


def test_a_mode_that_does_not_suit_gives_way_to_the_table_and_comes_back(view: ValueView) -> None:
    view.set_mode("image")
    view.show_tensors([Shown("value", np.zeros(3))])
    assert child(view, QTableView, "value_table").isVisible()
    view.show_tensors([Shown("value", np.zeros((2, 2)))])
    assert child(view, ImagePicture, "value_image").isVisible()


def test_the_heat_map_has_a_legend_and_tells_the_element_under_the_pointer(view: ValueView) -> None:
    view.set_mode("heat")
    view.show_tensors([Shown("∂L", np.array([[1.0, -2.0], [0.5, 0.0]]), True)])
    heat, legend = child(view, HeatMap, "value_heat"), child(view, HeatLegend, "heat_legend")
    assert legend.accessibleName() == "−2 … 0 … 2"
    move(heat, QPointF(heat.width() * 0.75, heat.height() * 0.25))
    assert legend.accessibleName().endswith("[0, 1] −2")
    QApplication.sendEvent(heat, QEvent(QEvent.Type.Leave))
    assert legend.accessibleName() == "−2 … 0 … 2"


def test_the_line_tells_the_nearest_element(view: ValueView) -> None:
    view.set_mode("line")
    view.show_tensors([Shown("value", np.array([1.0, math.nan, 5.0]))])
    plot = child(view, LinePlot, "value_line")
    move(plot, QPointF(plot.width() - 1, 20))
    assert child(view, QLabel, "value_pointed").text() == "[2] 5"
    assert not view.grab().isNull()


def test_a_long_line_keeps_its_extremes(view: ValueView) -> None:
    array = np.zeros(1_000_000)
    array[123_456] = 7.0
    view.set_mode("line")
    view.show_tensors([Shown("value", array)])
    plot = child(view, LinePlot, "value_line")
    picture, color = plot.grab().toImage(), plot.palette().window().color()
    column = round(123_456 / 1_000_000 * plot.width())
    rows = [y for y in range(40) for x in (column - 1, column, column + 1) if picture.pixelColor(x, y) != color]
    assert rows


@pytest.mark.parametrize(
    ("array", "expected"),
    [
        (np.array([[0.0, 1.0]]), [[0, 255]]),
        (np.array([[0, 200]], np.uint8), [[0, 200]]),
        (np.array([[0.0, 128.0, 300.0]]), [[0, 128, 255]]),
        (np.array([[True, False]]), [[255, 0]]),
        (np.array([[math.nan, -1.0, 0.5]]), [[0, 0, 128]]),
    ],
)
def test_an_image_is_shares_of_1_or_bytes(array: Array, expected: object) -> None:
    assert image_bytes(array).tolist() == expected


@pytest.mark.parametrize(("channels", "color"), [((), "#808080"), ((1,), "#808080"), ((3,), "#808080")])
def test_images_have_one_or_three_channels_or_none(view: ValueView, channels: tuple[int, ...], color: str) -> None:
    view.set_mode("image")
    view.show_tensors([Shown("value", np.full((4, 6, *channels), 0.5))])
    picture = child(view, ImagePicture, "value_image")
    assert (picture.image.width(), picture.image.height()) == (6, 4)
    assert picture.image.pixelColor(3, 2).name() == color


def test_of_a_batch_of_images_one_is_chosen(view: ValueView) -> None:
    array = np.zeros((3, 4, 4, 3))
    array[2, :, :, 0] = 1.0
    view.set_mode("image")
    view.show_tensors([Shown("value", array)])
    child(view, QSpinBox, "value_slice_0").setValue(2)
    assert view.findChild(QSpinBox, "value_slice_1") is None
    assert child(view, ImagePicture, "value_image").image.pixelColor(1, 1).name() == "#ff0000"


def test_what_is_not_known_gives_way_to_what_is(view: ValueView) -> None:
    view.show_tensors([Shown("value", np.array([6.0, 8.0])), Shown("∂L", None, True)])
    assert stats_of(view) == "min 6 max 8 mean 7 size 10"


def test_empty_and_unknown_tensors_have_a_sentence(view: ValueView) -> None:
    view.show_tensors([Shown("value", None)])
    assert child(view, QLabel, "value_note").text().startswith("Not known yet:")
    view.show_tensors([Shown("value", np.zeros((0, 3)))])
    assert child(view, QLabel, "value_note").text() == "The shape [0×3] has no elements: one of its sizes is 0."
    view.show_tensors([Shown("value", np.ones(2))])
    assert not child(view, QLabel, "value_note").isVisible()


def test_the_tensor_leaves_as_numpy_text_csv_and_file(view: ValueView, tmp_path: Path) -> None:
    array = np.array([[0.1, math.inf], [3.0, 4.0]], np.float32)
    view.show_tensors([Shown("value", array)])
    child(view, QAction, "copy_numpy").trigger()
    assert QGuiApplication.clipboard().text().endswith("dtype=np.float32)")
    np.testing.assert_array_equal(eval(QGuiApplication.clipboard().text(), {"np": np}), array)
    child(view, QAction, "copy_csv").trigger()
    assert QGuiApplication.clipboard().text() == "0.1,inf\n3,4\n"
    button_ = child(view, CopyButton, "value_copy")
    button_.save(tmp_path / "a.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "a.npy"), array)
    button_.save(tmp_path / "nowhere" / "a.npy")
    assert "cannot be written" in child(view, QLabel, "value_note").text()


def test_selected_cells_are_copied_for_a_spreadsheet(view: ValueView) -> None:
    view.show_tensors([Shown("value", np.array([[1.0, 2.0], [1 / 3, 4.0]]))])
    table = child(view, QTableView, "value_table")
    table.selectAll()
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == f"1\t2\n{1 / 3}\t4\n"


def move(widget: QWidget, at: QPointF) -> None:
    none = Qt.MouseButton.NoButton
    event = QMouseEvent(
        QEvent.Type.MouseMove, at, QPointF(widget.mapToGlobal(at.toPoint())), none, none, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(widget, event)
