"""The glyph and the words of every cause of zeros."""

from __future__ import annotations

import itertools

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from gradwire.app.look.causes import CAUSES, TIE, cause_clause, cause_word, draw_mark, mark_token
from gradwire.app.look.theme import theme
from gradwire.engine.blocktypes.cause import Cause

SIDE = 16


def picture(mark: str) -> np.ndarray:
    image = QImage(SIDE, SIDE, QImage.Format.Format_Grayscale8)
    image.fill(QColor("#000000"))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    draw_mark(painter, QPointF(3, 8), QColor("#ffffff"), mark)
    painter.end()
    return np.frombuffer(image.constBits(), np.uint8).reshape(SIDE, SIDE).astype(int)


def test_no_two_glyphs_look_alike(qtbot: QtBot) -> None:
    pictures = {mark: picture(mark) for mark in (*CAUSES, TIE)}
    for one, other in itertools.combinations(pictures, 2):
        assert (np.abs(pictures[one] - pictures[other]) > 100).sum() >= 8, (one, other)


def test_a_glyph_stays_within_its_ten_px(qtbot: QtBot) -> None:
    for mark in (*CAUSES, TIE):
        drawn = np.argwhere(picture(mark) > 40)
        assert len(drawn) > 8, mark
        assert drawn.min() >= 2, mark
        assert drawn[:, 1].max() <= 13, mark


def test_every_cause_has_a_word_and_a_clause_that_names_the_block() -> None:
    assert len({cause_word(cause) for cause in Cause}) == len(Cause)
    assert all('Exp "e"' in cause_clause(cause, 'Exp "e"') for cause in Cause)


def test_glyphs_stand_out_from_the_canvas() -> None:
    """Requires a contrast of 3:1, the least for graphics in WCAG 2.1."""

    def luminance(color: QColor) -> float:
        parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
                 for part in (color.redF(), color.greenF(), color.blueF())]  # fmt: skip
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))

    for name, is_strong in itertools.product(("dark", "light"), (False, True)):
        look = theme("dark" if name == "dark" else "light", is_strong)
        for mark in (*CAUSES, TIE):
            a, b = luminance(look.color(mark_token(mark))), luminance(look.color("bg.canvas"))
            assert (max(a, b) + 0.05) / (min(a, b) + 0.05) >= 3, (look, mark)
