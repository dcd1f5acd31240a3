"""The pictures of tensors, shape by shape: where each number stands, how long it is, and in which colour."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QFontMetrics, QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.kit.values.heat_map import HeatLegend, HeatMap, heat_colors, sampled_cells
from gradwire.app.kit.values.image_picture import ImagePicture
from gradwire.app.kit.values.line_plot import LinePlot
from gradwire.app.kit.values.value_parts import Shown, part_of
from gradwire.app.kit.values.value_pictures import Histogram, StatsLine
from gradwire.app.live.readings.readings import reading_of
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import font, theme
from tests.app.drawn_shapes import drawn


@pytest.fixture
def appearance(qapp: object) -> Appearance:
    return Appearance("dark")


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    found = QWidget()
    qtbot.addWidget(found)
    return found


# Histograms


def histogram(appearance: Appearance, parent: QWidget, numbers: list[float], is_gradient: bool = False) -> Histogram:
    made = Histogram(appearance, parent)
    made.show_array(np.array(numbers), is_gradient)
    return made


def test_bars_are_as_high_as_their_counts_and_a_gradient_has_0_in_the_middle(
    appearance: Appearance, parent: QWidget
) -> None:
    """Nine bars of 20 px; below them 16 px for the numbers, above the highest 4 px, and 36 px stand for 4 elements."""
    made = histogram(appearance, parent, [-4, -4, 0, 1, 4, 4, 4, 4, np.nan], is_gradient=True)
    assert drawn(made, 180, 56) == [
        "rect 0.5 22 19 18 round 1.5 on grad.text",
        "rect 80.5 31 19 9 round 1.5 on grad.text",
        "rect 100.5 31 19 9 round 1.5 on grad.text",
        "rect 160.5 4 19 36 round 1.5 on grad.text",
        "line 0 40 180 40 1px border.strong",
        "line 90 0 90 40 1px dashed border.strong",
        "text 0 42 180 14 left 10px text.secondary “−4”",
        "text 0 42 180 14 right 10px text.secondary “4”",
        "text 70 42 40 14 middle 10px text.secondary “0”",
    ]
    assert made.accessibleName() == "Histogram: −4 to 4"


def test_values_fill_the_axis_from_their_least_to_their_largest(appearance: Appearance, parent: QWidget) -> None:
    assert drawn(histogram(appearance, parent, [1, 2, 2]), 90, 56) == [
        "rect 0.5 22 9 18 round 1.5 on value",
        "rect 80.5 4 9 36 round 1.5 on value",
        "line 0 40 90 40 1px border.strong",
        "text 0 42 90 14 left 10px text.secondary “1”",
        "text 0 42 90 14 right 10px text.secondary “2”",
    ]


def test_one_element_among_many_is_still_seen(appearance: Appearance, parent: QWidget) -> None:
    """Of 101 elements the lone one would be 0.36 px high; more than 16 elements have 25 bars."""
    bars = [line for line in drawn(histogram(appearance, parent, [*[0.0] * 100, 1.0]), 250, 56) if "rect" in line]
    assert bars == ["rect 0.5 4 9 36 round 1.5 on value", "rect 240.5 38 9 2 round 1.5 on value"]


def test_zero_has_no_number_where_it_would_touch_those_at_the_ends(appearance: Appearance, parent: QWidget) -> None:
    def has_zero(low: float, high: float) -> bool:
        return any("middle" in line for line in drawn(histogram(appearance, parent, [low, high]), 200, 56))

    # Of 200 px, 60 at each end belong to the ends.
    assert [has_zero(-at, 200.0 - at) for at in (59, 60, 61, 139, 140, 141)] == [False, False, True, True, False, False]
    for low, high in ((0, 200), (-200, 0)):
        assert not any("dashed" in line for line in drawn(histogram(appearance, parent, [low, high]), 200, 56))


@pytest.mark.parametrize(
    ("numbers", "is_gradient", "ends"),
    [
        ([4.0, 4.0], False, "2 to 6"),
        ([-4.0], False, "−6 to −2"),
        ([0.0], False, "−0.5 to 0.5"),
        ([0.0], True, "−1 to 1"),
        ([-0.25, 0.5], True, "−0.5 to 0.5"),
        ([0.25, -0.5], True, "−0.5 to 0.5"),
        ([1.0, np.inf, np.nan, 3.0], False, "1 to 3"),
    ],
)
def test_the_axis_of_a_histogram(
    appearance: Appearance, parent: QWidget, numbers: list[float], is_gradient: bool, ends: str
) -> None:
    assert histogram(appearance, parent, numbers, is_gradient).accessibleName() == f"Histogram: {ends}"


@pytest.mark.parametrize("numbers", [[], [np.nan, np.inf]])
def test_without_finite_elements_there_is_no_histogram(
    appearance: Appearance, parent: QWidget, numbers: list[float]
) -> None:
    made = histogram(appearance, parent, numbers)
    assert (made.accessibleName(), made.counts, drawn(made, 90, 56)) == ("Histogram: Nothing to show", [], [])


def test_up_to_16_elements_have_9_bars_and_more_have_25(appearance: Appearance, parent: QWidget) -> None:
    counts = {size: histogram(appearance, parent, [*map(float, range(size))]).counts for size in (16, 17)}
    assert (len(counts[16]), len(counts[17])) == (9, 25)
    # 15/9 numbers a bar; the largest belongs to the last.
    assert counts[16] == [2, 2, 1, 2, 2, 1, 2, 2, 2]
    huge = histogram(appearance, parent, [-1.5e308, 0.0, 1.5e308])
    assert huge.counts == [1, 0, 0, 0, 1, 0, 0, 0, 1]
    assert sum(histogram(appearance, parent, [0.0, 5e-324]).counts) == 2


# The line of statistics


def stats(appearance: Appearance, parent: QWidget, numbers: list[float], width: int) -> list[tuple[float, ...]]:
    """Returns where each word begins, on which base line, and in which size."""
    made, array = StatsLine(appearance, parent), np.array(numbers)
    made.show_reading(reading_of(array), True)
    lines = [line.split(" ")[1:4] for line in drawn(made, width, made.height())]
    return [(float(x), float(y), float(px.removesuffix("px"))) for x, y, px in lines]


def words_after(texts: list[str], gap: int, px: int) -> list[int]:
    """Returns where words begin that stand behind each other; after a name and its number there is a gap."""
    metrics, found, at = QFontMetrics(font("mono", px)), list[int](), 0
    for place, text in enumerate(texts):
        found.append(at)
        at += metrics.horizontalAdvance(text) + gap * (place % 2)
    return found


def test_statistics_stand_apart_and_closer_or_smaller_where_room_lacks(appearance: Appearance, parent: QWidget) -> None:
    texts = ["min ", "−4", "max ", "3", "mean ", "−0.5", "norm ", "5"]
    metrics = QFontMetrics(font("mono", 11))
    room = sum(metrics.horizontalAdvance(name + text) for name, text in zip(texts[::2], texts[1::2], strict=True))
    for width, gap in ((400, 12), (room + 48, 12), (room + 47, 6), (room + 24, 6)):
        assert stats(appearance, parent, [3, -4], width) == [(x, 12, 11) for x in words_after(texts, gap, 11)]
    assert {px for _, _, px in stats(appearance, parent, [3, -4], room + 23)} == {10}
    assert stats(appearance, parent, [3, -4], room - 20) == [(x, 12, 10) for x in words_after(texts, 6, 10)]


def test_what_is_not_finite_is_counted_in_a_second_line(appearance: Appearance, parent: QWidget) -> None:
    made = StatsLine(appearance, parent)
    array = np.array([3, np.nan, np.inf, -np.inf])
    made.show_reading(reading_of(array), False)
    assert made.height() == 32
    assert made.accessibleName() == "min – max – mean – size –; NaN 1 inf 2 of 4"
    lines = [line.split("px ")[1] for line in drawn(made, 300, 32) if " 28 " in line]
    assert lines == [
        "text.tertiary “NaN ”", "alarm “1”", "text.tertiary “inf ”", "alarm “2”", "text.tertiary “of ”",
        "text.primary “4”",
    ]  # fmt: skip
    for numbers, said in (([np.nan, 1], "; NaN 1 of 2"), ([np.inf, 1], "; inf 1 of 2"), ([1, 1], "")):
        made.show_reading(reading_of(np.array(numbers)), False)
        assert made.accessibleName().partition(";")[1:] == (said[:1], said[1:])
        assert made.height() == (32 if said else 16)


def test_the_norm_has_the_colour_of_its_kind(appearance: Appearance, parent: QWidget) -> None:
    for is_gradient, token in ((True, "grad.text"), (False, "value")):
        made = StatsLine(appearance, parent)
        made.show_reading(reading_of(np.array([3.0, 4.0])), is_gradient)
        assert drawn(made, 300, 16)[-1].endswith(f"{token} “5”")
        assert sum(token in line for line in drawn(made, 300, 16)) == 1


# Heat maps


def share_color(share: float) -> str:
    """Returns the colour of a share of the largest magnitude."""
    return theme("dark").diverging(share).name()


def test_a_heat_map_has_one_pixel_a_cell_notches_at_negative_ones_and_lines_between(
    appearance: Appearance, parent: QWidget
) -> None:
    """Cells of 30 by 20 px: the notch is a third of the lower side, 6.67 px."""
    made = HeatMap(appearance, parent)
    made.show_cells(np.array([[1.0, -2.0], [0.0, 4.0]]), 4.0)
    assert made.accessibleName() == "Heat map: [2×2], largest magnitude 4"
    assert drawn(made, 60, 40) == [
        f"image 0 0 60 40 of 2×2 {share_color(0.25)} to {share_color(1)}",
        "polygon 53.33 0 60 0 60 6.67 on bg.app",
        "line 0 20 60 20 1px bg.app",
        "line 30 0 30 40 1px bg.app",
    ]
    assert drawn(made, 80, 80)[1] == "polygon 72 0 80 0 80 8 on bg.app"
    # Cells below 7 px have neither.
    assert [len(drawn(made, *size)) for size in ((60, 14), (60, 13), (14, 40), (13, 40))] == [4, 1, 4, 1]


def test_an_empty_heat_map_says_so(appearance: Appearance, parent: QWidget) -> None:
    made = HeatMap(appearance, parent)
    for array, shape in ((None, "unknown"), (np.zeros((0, 3)), "[0×3]")):
        made.show_cells(array, 0.0)
        assert made.accessibleName() == f"Heat map: {shape}, largest magnitude 0"
        assert drawn(made, 60, 40) == ["text 0 0 60 40 middle 12px text.tertiary “Nothing to show”"]


@pytest.mark.parametrize(
    ("shape", "height"), [((), 36), ((7,), 36), ((1, 5), 36), ((2, 5), 72), ((4, 5), 144), ((5, 5), 160), ((0, 3), 36)]
)
def test_rows_of_a_heat_map_are_36_px_high_up_to_160(
    appearance: Appearance, parent: QWidget, shape: tuple[int, ...], height: int
) -> None:
    made = HeatMap(appearance, parent)
    made.show_cells(np.zeros(shape), 1.0)
    assert made.height() == height


@pytest.mark.parametrize(
    ("array", "told"),
    [
        (np.arange(6.0).reshape(2, 3), {(1, 1): "[0, 0] 0", (59, 1): "[0, 1] 1", (61, 1): "[0, 1] 1",
                                        (119, 49): "[0, 2] 2", (1, 51): "[1, 0] 3", (120, 100): "[1, 2] 5"}),
        (np.array([7.0, 8.0]), {(59, 99): "[0] 7", (60, 1): "[1] 8", (120, 100): "[1] 8"}),
        (np.array(9.0), {(1, 1): "9", (119, 99): "9"}),
        (np.zeros((0, 2)), {(1, 1): ""}),
        (None, {(1, 1): ""}),
    ],
)  # fmt: skip
def test_a_heat_map_tells_of_the_element_under_the_pointer(
    appearance: Appearance, parent: QWidget, array: np.ndarray | None, told: dict[tuple[int, int], str]
) -> None:
    made = HeatMap(appearance, parent)
    made.show_cells(array, 1.0)
    made.setFixedSize(120, 100)
    assert {at: made.text_at(QPointF(*at)) for at in told} == told
    assert {made.text_at(QPointF(*at)) for at in ((-1, 5), (121, 5), (5, -1), (5, 101))} == {""}


def test_a_large_tensor_is_told_element_by_element(appearance: Appearance, parent: QWidget) -> None:
    """The picture of 200 elements has 96 cells, but the pointer finds each of them."""
    made = HeatMap(appearance, parent)
    made.show_cells(np.arange(200.0), 1.0)
    made.setFixedSize(400, 36)
    assert [made.text_at(QPointF(x, 5)) for x in (1, 3, 399)] == ["[0] 0", "[1] 1", "[199] 199"]


def test_the_legend_goes_from_the_least_to_the_largest_and_tells_the_element(
    appearance: Appearance, parent: QWidget
) -> None:
    made = HeatLegend(appearance, parent)
    made.show_range(2.5)
    made.show_pointed("[0] 3")
    left = QFontMetrics(font("mono", 10)).horizontalAdvance("−2.5") + 6
    assert drawn(made, 200, 18) == [
        f"image {left} 5 60 8 of 60×1 {share_color(-1)} to {share_color(1)}",
        "text 0 13 10px text.secondary “−2.5”",
        f"text {left + 66} 13 10px text.secondary “2.5”",
        "text 0 0 200 18 right 11px text.primary “[0] 3”",
    ]
    assert made.accessibleName() == "−2.5 … 0 … 2.5   [0] 3"


@pytest.mark.parametrize(("top", "numbers"), [(4.0, [-4.0, -2.0, 0.0, 1.0, 4.0, 9.0, -9.0]), (0.0, [0.0, 1.0])])
def test_cells_have_the_colour_of_their_share_of_the_largest(top: float, numbers: list[float], qapp: object) -> None:
    dark = theme("dark")
    shares = [min(max(number / top, -1.0), 1.0) if top else 0.0 for number in numbers]
    assert heat_colors(dark, np.array([numbers]), top).tolist() == [[dark.diverging(share).rgb() for share in shares]]


def test_the_cells_of_vectors_are_one_row_and_infinite_ones_are_unknown() -> None:
    np.testing.assert_array_equal(
        sampled_cells(np.array([1.0, np.inf, -np.inf, np.nan])), [[1, np.nan, np.nan, np.nan]]
    )
    assert sampled_cells(np.array(3.0)).tolist() == [[3.0]]
    assert sampled_cells(np.zeros((96, 97))).shape == (96, 96) == sampled_cells(np.zeros((97, 96))).shape


def test_the_cells_of_a_long_vector_are_the_means_of_its_parts() -> None:
    """A vector of 192 pairs: each of the 96 cells is the mean of two."""
    np.testing.assert_array_equal(sampled_cells(np.arange(192.0)), [np.arange(96) * 2 + 0.5])


def test_of_millions_of_elements_a_share_is_read() -> None:
    """Of 2048 × 2048 elements every second row and column; of a vector of 2^22 every second element."""
    rows = np.zeros((2048, 2048), np.float32)
    rows[1::2] = rows[:, 1::2] = 1.0
    assert not sampled_cells(rows).any()
    vector = np.zeros(2**22, np.float32)
    vector[1::2] = 1.0
    assert not sampled_cells(vector).any()
    assert sampled_cells(rows[:1024]).any()


# Lines


def test_a_line_has_a_dot_for_each_element_and_a_gap_where_one_is_not_finite(
    appearance: Appearance, parent: QWidget
) -> None:
    """Five elements over 80 px; −2 … 2 over 40 px, 4 px below the top; the last 16 px hold the numbers."""
    made = LinePlot(appearance, parent)
    made.show_part(part_of(Shown("v", np.array([0.0, -2.0, np.nan, 2.0, 1.0]))))
    assert made.accessibleName() == "Line of 5 elements from −2 to 2"
    assert drawn(made, 81, 64) == [
        "line 0 24 81 24 1px dashed border.strong",
        "line 0 24 20 44 1.5px value",
        "ellipse -2 22 4 4 1.5px value on value",
        "ellipse 18 42 4 4 1.5px value on value",
        "line 60 4 80 14 1.5px value",
        "ellipse 58 2 4 4 1.5px value on value",
        "ellipse 78 12 4 4 1.5px value on value",
        "line 0 48 81 48 1px border.strong",
        "text 0 50 81 16 left 10px text.secondary “0”",
        "text 0 50 81 16 right 10px text.secondary “4”",
        "text 0 50 81 16 middle 10px text.secondary “−2 … 2”",
    ]


def test_equal_elements_are_a_line_in_the_middle(appearance: Appearance, parent: QWidget) -> None:
    made = LinePlot(appearance, parent)
    made.show_part(part_of(Shown("g", np.array([3.0, 3.0]), True)))
    assert drawn(made, 81, 64)[:3] == [
        "line 0 24 80 24 1.5px grad.text",
        "ellipse -2 22 4 4 1.5px grad.text on grad.text",
        "ellipse 78 22 4 4 1.5px grad.text on grad.text",
    ]
    assert not any("dashed" in line for line in drawn(made, 81, 64))


def test_a_line_that_ends_in_gaps_ends_before_them(appearance: Appearance, parent: QWidget) -> None:
    made = LinePlot(appearance, parent)
    made.show_part(part_of(Shown("v", np.array([np.nan, np.nan, 1.0, np.inf, np.nan]))))
    assert drawn(made, 81, 64)[:2] == ["line 40 24 1.5px value", "ellipse 38 22 4 4 1.5px value on value"]
    made.show_part(part_of(Shown("v", np.array([7.0]))))
    assert (drawn(made, 81, 64)[0], made.text_at(QPointF(50, 1))) == ("line 0 24 1.5px value", "[0] 7")


@pytest.mark.parametrize(
    ("numbers", "has_zero"), [([0.0, 1.0], False), ([-1.0, 0.0], False), ([-1.0, 1.0], True), ([1.0, 2.0], False)]
)
def test_the_zero_line_stands_where_a_line_crosses_it(
    appearance: Appearance, parent: QWidget, numbers: list[float], has_zero: bool
) -> None:
    made = LinePlot(appearance, parent)
    made.show_part(part_of(Shown("v", np.array(numbers))))
    assert any("dashed" in line for line in drawn(made, 81, 64)) == has_zero


def test_up_to_64_elements_have_dots(appearance: Appearance, parent: QWidget) -> None:
    made = LinePlot(appearance, parent)
    for size in (64, 65):
        made.show_part(part_of(Shown("v", np.arange(float(size)))))
        assert sum("ellipse" in line for line in drawn(made, 81, 64)) == (64 if size == 64 else 0)


def test_a_line_of_very_many_elements_has_the_extremes_of_each_part(appearance: Appearance, parent: QWidget) -> None:
    """Up to four elements a px are drawn one by one; of 84 on 20 px each five become their least and largest."""
    made = LinePlot(appearance, parent)
    for size, points in ((80, 80), (84, 2 * 17)):
        array = np.zeros(size)
        array[2], array[3] = 1.0, -1.0
        made.show_part(part_of(Shown("v", array)))
        (line,) = [item.split()[1:-2] for item in drawn(made, 20, 64) if "px value" in item]
        assert len(line) == 2 * points
    heights = [float(item) for item in line[1::2]]
    assert heights == [44.0, 4.0, *[24.0] * 32]
    assert [float(item) for item in line[0:6:2]] == pytest.approx([0, 0, 5 * 19 / 83], abs=0.01)


def test_the_ends_of_a_line_may_be_the_largest_numbers(appearance: Appearance, parent: QWidget) -> None:
    made = LinePlot(appearance, parent)
    made.show_part(part_of(Shown("v", np.array([-1.7e308, 0.0, 1.7e308]))))
    assert "line 0 44 40 24 80 4 1.5px value" in drawn(made, 81, 64)
    made.show_part(part_of(Shown("v", np.array([0.0, 5e-324]))))
    assert "line 0 44 80 44 1.5px value" in drawn(made, 81, 64)


def test_a_line_of_nothing_draws_nothing(appearance: Appearance, parent: QWidget) -> None:
    made = LinePlot(appearance, parent)
    for array in (None, np.zeros(0)):
        made.show_part(part_of(Shown("v", array)))
        assert (drawn(made, 81, 64), made.text_at(QPointF(1, 1))) == ([], "")
        assert made.accessibleName() == "Line of 0 elements from 0 to 0"


# Images


def test_an_image_has_square_pixels_in_the_middle_and_is_smooth_only_if_shrunk(
    appearance: Appearance, parent: QWidget
) -> None:
    made = ImagePicture(appearance, parent)
    for shape, line in (
        ((2, 4), "image 0 10 80 40 of 4×2 #000000 to #000000"),
        ((6, 4), "image 20 0 40 60 of 4×6 #000000 to #000000"),
        ((60, 80), "image 0 0 80 60 of 80×60 #000000 to #000000"),
        ((60, 81), "image 0 0.37 80 59.26 of 81×60 #000000 to #000000 smooth"),
    ):
        made.show_image(np.zeros(shape))
        assert drawn(made, 80, 60) == [line]
    for nothing in (None, np.zeros(3), np.zeros((0, 4))):
        made.show_image(nothing)
        assert made.accessibleName() == "Image unknown"
        assert drawn(made, 80, 60) == ["text 0 0 80 60 middle 12px text.tertiary “Nothing to show”"]


@pytest.mark.parametrize(
    ("shape", "size"),
    [
        ((1024, 3), (3, 1024)),
        ((1025, 3), (2, 513)),
        ((2048, 3), (2, 1024)),
        ((2049, 9), (3, 683)),
        ((5, 2050), (684, 2)),
    ],
)
def test_an_image_of_more_than_1024_pixels_a_side_is_thinned(
    appearance: Appearance, parent: QWidget, shape: tuple[int, int], size: tuple[int, int]
) -> None:
    made = ImagePicture(appearance, parent)
    made.show_image(np.zeros(shape))
    assert made.image.size().toTuple() == size


@pytest.mark.parametrize(
    ("pixel", "kind", "color"),
    [
        ((0.5,), QImage.Format.Format_Grayscale8, (128, 128, 128, 255)),
        ((1.0, 0.0, 0.5), QImage.Format.Format_RGB888, (255, 0, 128, 255)),
        ((1.0, 0.0, 0.5, 0.2), QImage.Format.Format_RGBA8888, (255, 0, 128, 51)),
    ],
)
def test_channels_are_grey_or_red_green_blue_and_opacity(
    appearance: Appearance, parent: QWidget, pixel: tuple[float, ...], kind: QImage.Format, color: tuple[int, ...]
) -> None:
    array = np.zeros((3, 5, len(pixel)))
    array[1, 2] = pixel
    made = ImagePicture(appearance, parent)
    made.show_image(array)
    assert made.image.format() is kind
    assert made.image.pixelColor(2, 1).getRgb() == color
    assert made.image.pixelColor(1, 2).getRgb()[:3] == (0, 0, 0)


# Larger texts


@pytest.fixture
def large(appearance: Appearance) -> Iterator[Appearance]:
    """Texts of 125 %."""
    appearance.set_text_scale(1.25)
    yield appearance
    appearance.set_text_scale(1.0)


def test_the_numbers_of_pictures_grow_with_the_texts(large: Appearance, parent: QWidget) -> None:
    """16 px for numbers become 20, texts of 10 and 11 px 12 and 14, and 60 px at the ends of an axis 75."""
    assert drawn(histogram(large, parent, [1, 2, 2]), 90, 60)[1:] == [
        "rect 80.5 4 9 36 round 1.5 on value",
        "line 0 40 90 40 1px border.strong",
        "text 0 42 90 18 left 12px text.secondary “1”",
        "text 0 42 90 18 right 12px text.secondary “2”",
    ]
    middle = [drawn(histogram(large, parent, [-at, 200.0 - at]), 200, 56)[-1] for at in (75, 76, 124, 125)]
    assert ["middle" in line for line in middle] == [False, True, True, False]
    legend, plot = HeatLegend(large, parent), LinePlot(large, parent)
    legend.show_pointed("[0] 3")
    assert [line.split()[2:5] for line in drawn(legend, 200, 18)[1:3]] == [["16", "12px", "text.secondary"]] * 2
    assert drawn(legend, 200, 18)[3] == "text 0 0 200 18 right 14px text.primary “[0] 3”"
    plot.show_part(part_of(Shown("v", np.array([0.0, 1.0]))))
    assert drawn(plot, 81, 64)[0] == "line 0 40 80 4 1.5px value"
    assert drawn(plot, 81, 64)[-1] == "text 0 46 81 20 middle 12px text.secondary “0 … 1”"


def test_large_statistics_shrink_to_the_usual_size_and_no_further(large: Appearance, parent: QWidget) -> None:
    """Where they do not fit in 14 px they have 10 px, larger by the texts' 125 % and smaller by what is missing."""
    metrics = QFontMetrics(font("mono", 14))
    needed = 24 + sum(map(metrics.horizontalAdvance, ("min −4", "max 3", "mean −0.5", "size 5")))
    for width, px in ((needed, 14), (needed - 1, 12), (round(needed * 0.9), 11), (round(needed * 0.5), 10)):
        assert {found for _, _, found in stats(large, parent, [3, -4], width)} == {px}
    assert {y for _, y, _ in stats(large, parent, [3, -4], 400)} == {15}
    assert sorted({y for _, y, _ in stats(large, parent, [3, -4, np.nan], 400)}) == [15, 35]


def test_the_pixel_at_the_last_corner_is_told_with_its_channels(appearance: Appearance, parent: QWidget) -> None:
    made = ImagePicture(appearance, parent)
    made.show_image(np.arange(18.0).reshape(2, 3, 3))
    made.setFixedSize(30, 20)
    assert made.text_at(QPointF(30, 20)) == "[1, 2] 15 16 17"
    assert made.text_at(QPointF(0, 0)) == "[0, 0] 0 1 2"
    assert made.accessibleName() == "Image [2×3×3]"
