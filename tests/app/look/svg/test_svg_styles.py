"""Classes of SVG: what they say of pens, brushes, texts and icons, in few letters."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QPen

from gradwire.app.look.svg.svg_styles import Styles, coordinate, number
from gradwire.app.look.theme import font

pytestmark = pytest.mark.usefixtures("qapp")
RED, FAINT, GONE = QColor("#ff0000"), QColor(0, 0, 255, 51), QColor(0, 0, 0, 0)
NO_PEN, NO_BRUSH = QPen(Qt.PenStyle.NoPen), QBrush(Qt.BrushStyle.NoBrush)


@pytest.mark.parametrize(
    ("value", "text", "tenths"),
    [
        (0.0, "0", "0"), (-0.0, "0", "0"), (0.5, ".5", ".5"), (-0.5, "-.5", "-.5"), (1.0, "1", "1"), (10.0, "10", "10"),
        (1.25, "1.25", "1.2"), (-12.34, "-12.34", "-12.3"), (0.004, "0", "0"), (-0.001, "0", "0"),
        (100.0, "100", "100"), (20.06, "20.06", "20.1"), (10.04, "10.04", "10"),
    ],
)  # fmt: skip
def test_numbers_have_few_letters(value: float, text: str, tenths: str) -> None:
    assert (number(value), coordinate(value)) == (text, tenths)


def test_classes_are_counted_in_letters_each_text_once() -> None:
    styles = Styles(prefix="x")
    names = [styles.name(f"text {place}") for place in range(54)]
    assert [names[place] for place in (0, 1, 25, 26, 27, 51, 52, 53)] == [
        "xa", "xb", "xz", "xaa", "xab", "xaz", "xba", "xbb",
    ]  # fmt: skip
    assert styles.name("text 1") == "xb" and len(styles.names) == 54
    few = Styles(names={"old": "q"})
    assert (few.name("old"), few.name("new")) == ("q", "b")
    assert few.css("p-") == ".p-q{old}.p-b{new}"


def pen(color: QColor = RED, width: float = 2, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
    return QPen(color, width, style)


ROUND = QPen(RED, 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
FLAT = QPen(RED, 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap, Qt.PenJoinStyle.MiterJoin)


@pytest.mark.parametrize(
    ("line", "brush", "scale", "opacity", "said"),
    [
        (NO_PEN, QBrush(RED), 1, 1, "fill:#ff0000"),
        (NO_PEN, QBrush(FAINT), 1, 1, "fill:#0000ff;fill-opacity:.2"),
        (NO_PEN, QBrush(GONE), 1, 1, "fill:none"),
        (NO_PEN, NO_BRUSH, 1, 1, "fill:none"),
        (NO_PEN, None, 1, 0.25, "fill:none;opacity:.25"),
        (pen(), None, 1, 1, "fill:none;stroke:#ff0000;stroke-width:2"),
        (pen(), None, 0.5, 1, "fill:none;stroke:#ff0000"),
        (pen(), None, 3, 1, "fill:none;stroke:#ff0000;stroke-width:6"),
        (pen(width=0), None, 4, 1, "fill:none;stroke:#ff0000"),
        (pen(FAINT), None, 1, 1, "fill:none;stroke:#0000ff;stroke-opacity:.2;stroke-width:2"),
        (ROUND, None, 1, 1, "fill:none;stroke:#ff0000;stroke-width:2;stroke-linecap:round;stroke-linejoin:round"),
        (FLAT, None, 1, 1, "fill:none;stroke:#ff0000;stroke-width:2;stroke-linecap:butt;stroke-linejoin:miter"),
        (
            pen(style=Qt.PenStyle.DashLine), QBrush(RED), 2, 0.5,
            "fill:#ff0000;stroke:#ff0000;stroke-width:4;stroke-dasharray:16 8;opacity:.5",
        ),
    ],
)  # fmt: skip
def test_shapes_say_only_what_is_not_usual(
    line: QPen, brush: QBrush | None, scale: float, opacity: float, said: str
) -> None:
    styles = Styles()
    styles.shape(line, brush, scale, opacity)
    assert list(styles.names) == [said]


@pytest.mark.parametrize(
    ("kind", "weight", "with_fonts", "without"),
    [
        ("ui", 400, "font:400 24px {ui}", "font-size:24px;font-family:var(--ui)"),
        ("ui", 600, "font:600 24px {ui}", "font-size:24px;font-weight:600;font-family:var(--ui)"),
        ("mono", 400, 'font:400 24px {mono};font-feature-settings:"calt" 0,"zero" 1', "font-size:24px"),
        ("mono", 500, 'font:500 24px {mono};font-feature-settings:"calt" 0,"zero" 1', "font-size:24px;font-weight:500"),
    ],
)
def test_texts_say_their_font(kind: str, weight: int, with_fonts: str, without: str) -> None:
    used = font("mono" if kind == "mono" else "ui", 12, weight)
    own, plain = Styles(), Styles(has_fonts=False)
    for styles in (own, plain):
        styles.text(RED, used, 2.0, 1.0)
        styles.text(RED, used, 2.0, 0.5, "end")
    first, second = own.names
    for family in ("ui", "mono"):
        with_fonts = with_fonts.replace(f"{{{family}}}", first.partition("24px ")[2].partition(";")[0])
    assert first == f"fill:#ff0000;{with_fonts}" and second == f"{first};text-anchor:end;opacity:.5"
    assert (
        first.endswith("monospace;" + with_fonts.partition(";")[2]) if kind == "mono" else first.endswith("sans-serif")
    )
    assert list(plain.names) == [f"fill:#ff0000;{without}", f"fill:#ff0000;{without};text-anchor:end;opacity:.5"]


@pytest.mark.parametrize(
    ("color", "opacity", "said"),
    [
        (RED, 1.0, "color:#ff0000"), (RED, 0.5, "color:#ff0000;opacity:.5"), (FAINT, 1.0, "color:#0000ff;opacity:.2"),
        (GONE, 1.0, "color:none"), (RED, 2.0, "color:#ff0000"),
    ],
)  # fmt: skip
def test_icons_say_their_colour(color: QColor, opacity: float, said: str) -> None:
    styles = Styles()
    styles.icon(color, opacity)
    assert list(styles.names) == [said]


def test_colours_may_be_written_in_another_way() -> None:
    styles = Styles(paint=lambda color: (f"var(--{color.name()[1:]})", 0.5))
    styles.shape(NO_PEN, QBrush(RED), 1.0, 1.0)
    assert list(styles.names) == ["fill:var(--ff0000);fill-opacity:.5"]
