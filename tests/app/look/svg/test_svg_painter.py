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
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainterPath, QPen, QTextOption

from gradwire.app.canvas.geometry.shapes import text_width
from gradwire.app.canvas.painting.picture import PagePicture
from gradwire.app.look.icons import draw_icon
from gradwire.app.look.svg.svg_painter import SvgPainter, document, path_data
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
