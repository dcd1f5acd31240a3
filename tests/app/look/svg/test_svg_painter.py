"""Pictures as SVG: small, with classes, symbols and clips, and each text as wide as the program has it."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from fontTools.ttLib import TTFont
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainterPath, QPen, QTextOption

from gradwire.app.canvas.geometry.shapes import text_width
from gradwire.app.canvas.painting.picture import PagePicture
from gradwire.app.look.icons import draw_icon
from gradwire.app.look.svg.svg_painter import SvgPainter, document, path_data
from gradwire.app.look.svg.svg_styles import coordinate
from gradwire.app.look.theme import font, theme
from tests.gallery import example
from tests.pages.browser import chromium

pytestmark = pytest.mark.usefixtures("qapp")
SVG = "{http://www.w3.org/2000/svg}"
RED = QColor("#ff0000")


@pytest.fixture(scope="module")
def softmax() -> str:
    made = PagePicture(example("softmax_stable"))
    text = made.svg(theme("light"), "softmax").decode()
    made.close()
    return text


@pytest.fixture
def painter() -> Iterator[SvgPainter]:
    with SvgPainter() as made:
        yield made


def drawn(painter: SvgPainter) -> ElementTree.Element:
    return ElementTree.fromstring(document(painter, 100, 50, "a", "b"))


def test_a_picture_is_small(softmax: str) -> None:
    assert len(softmax.encode()) <= 40_000


def test_looks_are_classes_of_this_picture_alone(softmax: str) -> None:
    root = ElementTree.fromstring(softmax)
    assert not [item for item in root.iter() if "style" in item.attrib]
    rules = (root.findtext(f"{SVG}style") or "").split("}")
    name = next(item.get("class", "")[:6] for item in root.iter() if "class" in item.attrib)
    own = (f".{name}", f"@font-face{{font-family:{name}-own-")
    assert len(name) == 6 and all(rule.startswith(own) for rule in rules if rule)


def test_the_fonts_have_the_letters_of_the_picture_alone(softmax: str) -> None:
    fonts = [TTFont(BytesIO(b64decode(data))) for data in re.findall(r"data:font/woff;base64,([^)]*)", softmax)]
    texts = {letter for item in ElementTree.fromstring(softmax).iter(f"{SVG}text") for letter in item.text or ""}
    found = {chr(code) for item in fonts for code in item.getBestCmap()}
    assert len(fonts) == 3
    assert found == texts


def test_the_wall_of_a_stop_is_clipped_to_its_box(softmax: str) -> None:
    root = ElementTree.fromstring(softmax)
    (clip,) = root.iter(f"{SVG}clipPath")
    (walled,) = [item for item in root.iter(f"{SVG}g") if item.get("clip-path") == f"url(#{clip.get('id')})"]
    assert [(item.get("d") or "").count("M") > 5 for item in walled[0].iter(f"{SVG}path")] == [True]
    assert clip[0].get("width") == "13"


def test_an_icon_that_is_drawn_twice_stands_once(painter: SvgPainter) -> None:
    for left in (0, 40):
        draw_icon(painter, "warn", RED, QRectF(left, 0, 12, 12))
    root = drawn(painter)
    (symbol,) = root.iter(f"{SVG}symbol")
    assert [item.get("x") for item in root.iter(f"{SVG}use")] == ["0", "40"]
    assert symbol.get("viewBox") == "0 0 16 16"


def test_the_looks_of_an_icon_hold_for_its_users(painter: SvgPainter) -> None:
    """Checks what Chromium and Firefox do: rules of a scope would not hold for what a `use` copies."""
    draw_icon(painter, "warn", RED, QRectF(0, 0, 12, 12))
    root = drawn(painter)
    (user,), (symbol,) = root.iter(f"{SVG}use"), root.iter(f"{SVG}symbol")
    rules = dict(re.findall(r"(?:^|\})\.(\w+)\{([^}]*)(?=\})", next(root.iter(f"{SVG}style")).text or ""))
    told = ";".join(rules[item.get("class", "")] for item in (user, symbol))
    assert "fill:none" in told and "stroke:currentColor" in told and "color:#" in told


def test_a_path_that_is_drawn_twice_stands_once(painter: SvgPainter) -> None:
    path = QPainterPath(QPointF(0, 0))
    path.cubicTo(10, 10, 20, 20, 33.333, 44.444)
    for width in (6, 2):
        painter.strokePath(path, QPen(RED, width))
    assert [item.get("d") for item in drawn(painter).iter(f"{SVG}path")] == ["M0 0C10 10 20 20 33.3 44.4"]


@pytest.mark.parametrize(
    ("flag", "x", "anchor"),
    [
        (Qt.AlignmentFlag.AlignLeft, "10", None),
        (Qt.AlignmentFlag.AlignHCenter, "30", "middle"),
        (Qt.AlignmentFlag.AlignRight, "50", "end"),
    ],
)
def test_a_text_is_as_wide_as_in_the_program(
    painter: SvgPainter, flag: Qt.AlignmentFlag, x: str, anchor: str | None
) -> None:
    painter.setFont(font("ui", 12, 600))
    painter.drawText(QRectF(10, 0, 40, 20), flag, "Sigmoid")
    root = drawn(painter)
    (text,) = root.iter(f"{SVG}text")
    assert text.text == "Sigmoid" and text.get("x") == x
    assert float(text.get("textLength", "nan")) == pytest.approx(text_width("ui", 12, 600, "Sigmoid"), abs=0.06)
    rules = root.findtext(f"{SVG}style") or ""
    assert (f"text-anchor:{anchor}" in rules) is (anchor is not None)


def test_a_text_that_wraps_has_a_line_for_each_of_its_lines(painter: SvgPainter) -> None:
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WordWrap)
    painter.setFont(font("ui", 10))
    painter.drawText(QRectF(0, 0, 60, 60), "one two three four five six", option)
    lines = [item.text or "" for item in drawn(painter).iter(f"{SVG}text")]
    assert len(lines) > 2 and " ".join(lines) == "one two three four five six"
    assert all(text_width("ui", 10, 400, line) <= 60 for line in lines)


def test_places_are_those_of_the_page(painter: SvgPainter) -> None:
    painter.translate(10, 20)
    painter.scale(2, 2)
    painter.setPen(QPen(RED, 1.5, Qt.PenStyle.DashLine))
    painter.drawEllipse(QPointF(1, 2), 3, 3)
    root = drawn(painter)
    (group,) = root.iter(f"{SVG}g")
    (circle,) = group
    assert group.get("transform") == "translate(10 20)"
    assert (circle.get("cx"), circle.get("cy"), circle.get("r")) == ("2", "4", "6")
    rules = root.findtext(f"{SVG}style") or ""
    assert "stroke-width:3;stroke-dasharray:12 6" in rules


def test_a_path_ends_where_it_began() -> None:
    path = QPainterPath()
    path.addRect(QRectF(0, 0, 4, 2))
    assert path_data(path) == "M0 0L4 0L4 2L0 2Z"
    open_ = QPainterPath(QPointF(1, 1))
    for x, y in ((5, 1), (1, 1), (3, 3)):
        open_.lineTo(x, y)
    open_.moveTo(7, 7)
    open_.lineTo(9, 9)
    open_.lineTo(7, 7)
    assert path_data(open_) == "M1 1L5 1L1 1L3 3M7 7L9 9Z"


def written(painter: SvgPainter) -> list[str]:
    """Returns the elements, each with its declarations in place of its class."""
    said = {name: text for text, name in painter.styles.names.items()}
    elements = re.findall(r"<[^>]*>(?:[^<>]*</text>)?", painter.take())
    return [re.sub(r'class="(\w+)"', lambda found: f"[{said[found[1]]}]", item) for item in elements]


PEN = "fill:none;stroke:#ff0000;stroke-width:2"
BOTH = "fill:#ff0000;stroke:#ff0000;stroke-width:2"


def test_each_shape_is_one_element(painter: SvgPainter) -> None:
    path = QPainterPath(QPointF(1, 2))
    path.lineTo(3, 4)
    painter.setPen(QPen(RED, 2))
    painter.setBrush(RED)
    painter.fillRect(QRectF(1, 2, 3, 4), RED)
    painter.drawRect(QRectF(1, 2, 3, 4))
    painter.drawRects([QRectF(0, 0, 1, 1), QRectF(5, 5, 1, 1)])
    painter.drawRects([])
    painter.drawRoundedRect(QRectF(1, 2, 30, 40), 5, 5)
    painter.drawRoundedRect(QRectF(1, 2, 6, 40), 5, 5)
    painter.drawEllipse(QPointF(5, 6), 3, 2)
    painter.drawEllipse(QRectF(1, 2, 4, 4))
    painter.drawPolyline([QPointF(0, 0), QPointF(4, 0), QPointF(4, 3)])
    painter.drawPolygon([QPointF(0, 0), QPointF(4, 0), QPointF(4, 3)])
    painter.drawPath(path)
    painter.fillPath(path, RED)
    painter.strokePath(path, QPen(RED, 2))
    assert written(painter) == [
        '<rect [fill:#ff0000] x="1" y="2" width="3" height="4"/>',
        f'<rect [{BOTH}] x="1" y="2" width="3" height="4"/>',
        f'<path [{BOTH}] d="M0 0L1 0L1 1L0 1ZM5 5L6 5L6 6L5 6Z"/>',
        f'<rect [{BOTH}] x="1" y="2" width="30" height="40" rx="5"/>',
        f'<rect [{BOTH}] x="1" y="2" width="6" height="40" rx="3"/>',
        f'<ellipse [{BOTH}] cx="5" cy="6" rx="3" ry="2"/>',
        f'<circle [{BOTH}] cx="3" cy="4" r="2"/>',
        f'<path [{PEN}] d="M0 0L4 0L4 3"/>',
        f'<path [{BOTH}] d="M0 0L4 0L4 3Z"/>',
        f'<path [{BOTH}] d="M1 2L3 4"/>',
        '<path [fill:#ff0000] d="M1 2L3 4"/>',
        f'<path [{PEN}] d="M1 2L3 4"/>',
    ]
    assert painter.take() == ""


def test_lines_of_one_opaque_look_that_follow_each_other_are_one_path(painter: SvgPainter) -> None:
    def drawn_lines(*pens: QPen, between: bool = False, opacity: float = 1.0) -> list[str]:
        painter.setOpacity(opacity)
        painter.drawRect(QRectF(0, 0, 1, 1))
        for place, pen in enumerate(pens):
            painter.setPen(pen)
            painter.drawLine(QLineF(place, 0, place, 5))
            if between:
                painter.fillRect(QRectF(9, 9, 1, 1), RED)
        return re.findall(r' d="([^"]*)"', painter.take())

    red, blue, faint = QPen(RED, 2), QPen(QColor("#0000ff"), 2), QPen(QColor(255, 0, 0, 99), 2)
    dashed = QPen(RED, 2, Qt.PenStyle.DashLine)
    first, second, third = "M0 0L0 5", "M1 0L1 5", "M2 0L2 5"
    assert drawn_lines(red, red, red) == [first + second + third]
    assert drawn_lines(red, blue, blue) == [first, second + third]
    for pen in (faint, dashed):
        assert drawn_lines(pen, pen) == [first, second]
    assert drawn_lines(red, red, between=True) == [first, second]
    assert drawn_lines(red, red, opacity=0.5) == [first, second]
    assert drawn_lines(red, faint, red) == [first, second, third]
    painter.setOpacity(1.0)
    painter.setPen(red)
    painter.drawLines([QLineF(0, 0, 1, 1), QLineF(2, 2, 3, 3)])
    assert re.findall(r' d="([^"]*)"', painter.take()) == ["M0 0L1 1M2 2L3 3"]


def test_what_is_moved_is_a_group_and_what_is_moved_inside_of_it_is_not(painter: SvgPainter) -> None:
    box, rect = QRectF(1, 1, 2, 2), '<rect [fill:#ff0000] x="1" y="1" width="2" height="2"/>'
    painter.fillRect(box, RED)
    for _ in range(2):
        painter.save()
        painter.translate(10, 20)
        painter.fillRect(box, RED)
        painter.save()
        painter.translate(5, 5)
        painter.fillRect(box, RED)
        painter.restore()
        painter.fillRect(box, RED)
        painter.restore()
    painter.fillRect(box, RED)
    inner = '<rect [fill:#ff0000] x="6" y="6" width="2" height="2"/>'
    assert written(painter) == [rect, '<g transform="translate(10 20)">', *[rect, inner, rect] * 2, "</g>", rect]
    plain = SvgPainter(has_groups=False)
    with plain:
        plain.translate(10, 20)
        plain.fillRect(box, RED)
        assert written(plain) == ['<rect [fill:#ff0000] x="11" y="21" width="2" height="2"/>']


def test_a_clip_lasts_until_the_state_before_it_comes_back(painter: SvgPainter) -> None:
    painter.save()
    painter.translate(10, 0)
    painter.setClipRect(QRectF(0, 0, 5, 5))
    painter.setClipRect(QRectF(1, 1, 2, 2))
    painter.save()
    painter.restore()
    painter.restore()
    painter.setClipRect(QRectF(2, 2, 2, 2))
    groups = re.findall(r'<g clip-path="[^"]*">|</g>', painter.take())
    assert groups == [
        '<g clip-path="url(#clip0)">',
        '<g clip-path="url(#clip1)">',
        "</g>",
        "</g>",
        '<g clip-path="url(#clip2)">',
    ]
    assert painter.clips[0] == '<clipPath id="clip0"><rect x="10" y="0" width="5" height="5"/></clipPath>'


def test_texts_stand_on_their_base_line_by_side_and_height(painter: SvgPainter) -> None:
    used, flag = font("mono", 10), Qt.AlignmentFlag
    metrics = QFontMetricsF(used)
    painter.setFont(used)
    height, step = metrics.height(), metrics.lineSpacing()
    for flags, x, top in (
        (flag.AlignLeft | flag.AlignTop, 10.0, 20.0),
        (flag.AlignRight | flag.AlignVCenter, 110.0, 20 + (80 - height) / 2),
        (flag.AlignHCenter | flag.AlignBottom, 60.0, 100 - height),
    ):
        painter.drawText(QRectF(10, 20, 100, 80), flags, "abcd")
        (line,) = written(painter)
        assert f'x="{coordinate(x)}" y="{coordinate(top + metrics.ascent())}">abcd' in line
    painter.drawText(QRectF(10, 20, 100, 80), flag.AlignVCenter, "ab\n\ncd")
    top = 20 + (80 - height - 2 * step) / 2 + metrics.ascent()
    assert [re.findall(r'y="([^"]*)"', line)[0] for line in written(painter)] == [
        coordinate(top), coordinate(top + 2 * step),
    ]  # fmt: skip
    painter.drawText(QPointF(3, 4), "  ")
    painter.setOpacity(0.0)
    painter.drawText(QPointF(3, 4), "a")
    assert painter.take() == ""
    assert painter.letters == {("mono", 400): set("abcd")}


def test_only_longer_texts_of_the_proportional_font_tell_their_width(painter: SvgPainter) -> None:
    for kind, text, has_width in (("ui", "abc", False), ("ui", "abcd", True), ("mono", "abcd", False)):
        painter.setFont(font("ui" if kind == "ui" else "mono", 10))
        painter.drawText(QPointF(3, 4), text)
        assert ("textLength" in painter.take()) is has_width


def test_an_image_stands_at_a_point_in_its_size_or_in_a_rectangle(painter: SvgPainter) -> None:
    image = QImage(4, 2, QImage.Format.Format_RGB32)
    image.fill(RED)
    image.setDevicePixelRatio(2.0)
    painter.scale(2, 2)
    for place, box in (
        (QPointF(5, 6), 'x="10" y="12" width="4" height="2"'),
        (QRectF(5, 6, 7, 8), 'x="10" y="12" width="14" height="16"'),
    ):
        painter.drawImage(place, image)
        assert painter.take().startswith(f'<image {box} preserveAspectRatio="none" ')


def test_an_icon_is_as_large_as_it_is_seen(painter: SvgPainter) -> None:
    painter.setOpacity(0.5)
    painter.scale(2, 2)
    draw_icon(painter, "warn", RED, QRectF(1, 2, 12, 12))
    assert written(painter) == [
        '<use [color:#ff0000;opacity:.5] xlink:href="#i-warn" x="2" y="4" width="24" height="24"/>'
    ]


def test_letters_of_xml_stay_letters(painter: SvgPainter) -> None:
    painter.drawText(QPointF(0, 10), '<b> & "c"')
    (text,) = drawn(painter).iter(f"{SVG}text")
    assert text.text == '<b> & "c"'


def test_an_image_is_kept_as_it_is(painter: SvgPainter) -> None:
    image = QImage(2, 1, QImage.Format.Format_RGB32)
    image.fill(RED)
    painter.drawImage(QRectF(0, 0, 20, 10), image)
    (found,) = drawn(painter).iter(f"{SVG}image")
    assert re.match(r"data:image/png;base64,iVBOR", found.get("{http://www.w3.org/1999/xlink}href", ""))


@pytest.mark.long
def test_a_browser_draws_what_the_program_draws(softmax: str, tmp_path: Path) -> None:
    made = PagePicture(example("softmax_stable"))
    size, own = made.size, made.image(theme("light"), 1.0)
    made.close()
    (tmp_path / "page.svg").write_text(softmax, encoding="utf-8")
    with chromium() as browser:
        sides = {"width": size.width(), "height": size.height()}
        browser.command("Emulation.setDeviceMetricsOverride", **sides, deviceScaleFactor=1, mobile=False)
        browser.send("url", {"url": (tmp_path / "page.svg").as_uri()})
        browser.picture(tmp_path / "page.png")
    seen = QImage(str(tmp_path / "page.png"))
    assert (seen.width(), seen.height()) == (size.width(), size.height())
    places = [(x, y) for x in range(0, size.width(), 3) for y in range(0, size.height(), 3)]
    far = sum(abs(seen.pixelColor(*at).lightness() - own.pixelColor(*at).lightness()) > 60 for at in places)
    # Edges of letters differ, for the browser may have other fonts.
    assert far < len(places) / 100
