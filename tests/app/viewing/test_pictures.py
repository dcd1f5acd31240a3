"""Pictures of the page and of the selection: files and the clipboard."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QDialog, QFileDialog, QPushButton, QRadioButton

from gradwire.app.live.selection import Selection
from gradwire.app.look.theme import theme
from gradwire.app.shell.documents.exports.pictures import drawing, to_draw
from tests.app.window.driver import LEFT, Driver
from tests.sweeps import a_third_of


@pytest.fixture
def choose(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The file that the next dialog returns, without its ending."""
    path = tmp_path / "picture"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(path), ""))
    return path


def answer(user: Driver, *choices: str, button: str = "picture_save") -> None:
    user.trigger("save_picture")
    dialog = user.child(QDialog, "picture_dialog")
    for name in choices:
        found = dialog.findChild(QRadioButton, f"picture_{name}")
        assert isinstance(found, QRadioButton)
        found.click()
    pressed = dialog.findChild(QPushButton, button)
    assert isinstance(pressed, QPushButton)
    user.qtbot.mouseClick(pressed, LEFT)
    user.settle()


@pytest.mark.parametrize(("suffix", "start"), a_third_of([("svg", b"<?xm"), ("png", b"\x89PNG"), ("pdf", b"%PDF")]))
def test_the_dialog_saves_in_each_format(here: Driver, choose: Path, suffix: str, start: bytes) -> None:
    answer(here, f"format_{suffix}")
    content = choose.with_suffix(f".{suffix}").read_bytes()
    assert content[:4] == start
    assert len(content) > 1000


def test_a_png_has_two_pixels_a_px_of_the_page(here: Driver, choose: Path) -> None:
    answer(here, "format_png", "what_page")
    image = QImage(str(choose.with_suffix(".png")))
    assert image.size() == drawing(here.canvas, None).size * 2


@pytest.mark.parametrize("name", ["dark", "light"])
def test_the_picture_is_in_the_theme_that_was_chosen(here: Driver, choose: Path, name: str) -> None:
    answer(here, "format_png", f"theme_{name}")
    image = QImage(str(choose.with_suffix(".png")))
    assert image.pixelColor(2, 2) == theme(name).color("bg.canvas")


def test_cancel_saves_nothing(here: Driver, choose: Path) -> None:
    answer(here, button="picture_cancel")
    assert list(choose.parent.glob("picture*")) == []


def test_without_a_selection_only_the_page_can_be_chosen(here: Driver) -> None:
    here.session.select(Selection())
    here.trigger("save_picture")
    dialog = here.child(QDialog, "picture_dialog")
    assert not here.child(QRadioButton, "picture_what_selection").isEnabled()
    dialog.reject()
    here.settle()


def test_a_selection_is_drawn_without_the_rest(here: Driver, choose: Path) -> None:
    here.session.select(Selection(frozenset(["e", "s"])))
    answer(here, "format_svg", "what_selection")
    text = choose.with_suffix(".svg").read_text(encoding="utf-8")
    assert ">Exp<" in text
    assert ">Loss<" not in text
    assert ">Tanh<" not in text


def test_the_wires_between_selected_blocks_belong_to_them(here: Driver) -> None:
    chosen = to_draw(here.page, Selection(frozenset(["e", "s"])))
    assert chosen.wires == {here.wire("s.x")}


def test_a_selected_frame_brings_its_blocks(here: Driver) -> None:
    assert to_draw(here.page, Selection(frames=frozenset(["spare"]))).blocks == {"c", "t"}


def test_copy_as_image_puts_the_selection_on_the_clipboard(here: Driver) -> None:
    here.session.select(Selection(frozenset(["e"])))
    here.trigger("copy_image")
    image = QGuiApplication.clipboard().image()
    rect = here.canvas.mirror.rect("e")
    assert abs(image.width() - 2 * (rect.width() + 64)) <= 4
    assert abs(image.height() - 2 * (rect.height() + 64)) <= 4


def test_a_selection_leaves_no_marks_in_the_picture(here: Driver) -> None:
    plain = drawing(here.canvas, None).image(theme("dark"))
    here.session.select(Selection(frozenset(["e"])))
    assert drawing(here.canvas, None).image(theme("dark")) == plain


def test_a_file_that_cannot_be_written_is_said(here: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(here.window.parts.documents.context.messages, "complain", lambda *texts: said.append(texts))
    said: list[object] = []
    assert not here.window.parts.documents.pictures.save(tmp_path / "none" / "a.png", "dark")
    assert len(said) == 1
