"""Pictures of pages in files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage

from gradwire.app.base.examples import example_path
from gradwire.app.canvas.painting.picture import PagePicture, file_thumbnail, with_places
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import Theme, theme
from gradwire.engine.base.errors import FileError
from gradwire.engine.edits import edits
from gradwire.engine.files.outputs import PICTURE, Output
from gradwire.engine.graph.graph import Graph
from tests.app.canvas.pages import EXAMPLE_NAMES, MAIN, chain, example, pixels

pytestmark = pytest.mark.usefixtures("qapp")

BOTH = pytest.mark.parametrize("dress", [theme("dark"), theme("light")], ids=["dark", "light"])
LABEL = '<b>&"'


def labelled() -> Graph:
    return edits.set_label(chain(), MAIN, "x", LABEL)


@pytest.fixture
def picture() -> Iterator[PagePicture]:
    made = PagePicture(labelled())
    yield made
    made.close()


def elements(svg: bytes) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(svg).iter())


@BOTH
def test_an_svg_holds_no_raster_image_and_nothing_from_outside(picture: PagePicture, dress: Theme) -> None:
    found = elements(picture.svg(dress, "page"))
    assert not [item for item in found if item.tag.endswith("image")]
    links = [value for item in found for key, value in item.attrib.items() if key.endswith("href")]
    assert all(link.startswith("#") for link in links)
    texts = " ".join(value for item in found for value in item.attrib.values())
    assert not re.search(r"https?://|file:|url\((?!#)", texts)


@BOTH
def test_an_svg_keeps_a_label_with_signs_of_xml_as_text(picture: PagePicture, dress: Theme) -> None:
    texts = ["".join(item.itertext()).strip() for item in elements(picture.svg(dress)) if item.tag.endswith("text")]
    assert LABEL in texts


def test_an_svg_keeps_its_title(picture: PagePicture) -> None:
    titles = [item.text for item in elements(picture.svg(theme("light"), LABEL)) if item.tag.endswith("title")]
    assert titles == [LABEL]


def test_an_svg_has_the_size_of_the_page(picture: PagePicture) -> None:
    root = elements(picture.svg(theme("light")))[0]
    assert [float(item) for item in root.attrib["viewBox"].split()][2:] == [
        picture.size.width(),
        picture.size.height(),
    ]


def test_a_picture_is_the_page_with_32_px_around_it(picture: PagePicture) -> None:
    page = picture.mirror.bounds().adjusted(-32, -32, 32, 32)
    assert 0 <= picture.size.width() - page.width() < 2
    assert 0 <= picture.size.height() - page.height() < 2


def test_a_pdf_is_a_pdf_of_one_page(picture: PagePicture) -> None:
    found = picture.pdf(theme("light"), "page")
    assert found.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", found)) == 1


@pytest.mark.parametrize("ratio", [1.0, 2.0, 3.0])
def test_an_image_has_its_ratio_of_pixels_a_px(picture: PagePicture, ratio: float) -> None:
    image = picture.image(theme("dark"), ratio)
    assert (image.width(), image.height()) == (picture.size.width() * ratio, picture.size.height() * ratio)


@BOTH
@pytest.mark.parametrize("name", EXAMPLE_NAMES)
def test_every_example_can_be_drawn_on_the_theme_s_ground(name: str, dress: Theme) -> None:
    made = PagePicture(example(name))
    image = made.image(dress, 1.0)
    made.close()
    assert image.pixelColor(0, 0) == dress.color("bg.canvas")
    assert len(np.unique(np.ascontiguousarray(pixels(image)).view(np.uint32))) > 20


@pytest.mark.parametrize(
    ("ending", "start"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF"), (".PNG", b"\x89PNG")]
)
def test_the_ending_decides_the_format(picture: PagePicture, tmp_path: Path, ending: str, start: bytes) -> None:
    picture.save(Output(tmp_path / f"page{ending}", PICTURE), theme("light"))
    assert (tmp_path / f"page{ending}").read_bytes().startswith(start)


def test_a_saved_png_is_the_image(picture: PagePicture, tmp_path: Path) -> None:
    picture.save(Output(tmp_path / "page.png", PICTURE), theme("dark"))
    found = QImage(str(tmp_path / "page.png")).convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
    assert np.array_equal(pixels(found), pixels(picture.image(theme("dark"))))


def is_sentence(text: str) -> bool:
    return text.endswith(".") and "Error" not in text and "Errno" not in text


@pytest.mark.parametrize("name", ["page.jpg", "page", "page.svgz", ".png"])
def test_another_ending_is_refused_in_a_sentence(picture: PagePicture, tmp_path: Path, name: str) -> None:
    with pytest.raises(FileError) as caught:
        picture.save(Output(tmp_path / name, PICTURE), theme("dark"))
    assert is_sentence(str(caught.value)) and ".png, .svg, .pdf or .html" in str(caught.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("ending", [".png", ".svg", ".pdf"])
def test_a_place_that_cannot_be_written_is_refused_in_a_sentence(
    picture: PagePicture, tmp_path: Path, ending: str
) -> None:
    (tmp_path / f"taken{ending}").mkdir()
    for path in (tmp_path / "nowhere" / f"page{ending}", tmp_path / f"taken{ending}"):
        with pytest.raises(FileError) as caught:
            picture.save(Output(path, PICTURE), theme("dark"))
        assert is_sentence(str(caught.value)) and str(path) in str(caught.value)


def test_blocks_without_a_place_are_given_one() -> None:
    lost, _ = edits.add_block(chain(), MAIN, "Exp", id="lost")
    assert lost.page(MAIN).blocks["lost"].at is None
    assert all(block.at is not None for block in with_places(lost).page(MAIN).blocks.values())


def test_a_page_whose_blocks_all_have_places_is_left_alone() -> None:
    graph = chain()
    assert with_places(graph) is graph


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_a_thumbnail_has_the_size_asked_for(picture: PagePicture, ratio: float) -> None:
    image = picture.thumbnail(theme("dark"), 240, 120, ratio)
    assert (image.width(), image.height(), image.devicePixelRatio()) == (240 * ratio, 120 * ratio, ratio)


def test_a_thumbnail_has_curved_wires_if_the_user_wants_them(qapp: object) -> None:
    appearance, path, size = Appearance("dark"), example_path("lse_both"), QSize(264, 106)
    corners = file_thumbnail(path, size, appearance, 1.0).toImage()
    appearance.choose_curves(True)
    curves = file_thumbnail(path, size, appearance, 1.0).toImage()
    assert corners.size() == curves.size() == size
    assert corners != curves
