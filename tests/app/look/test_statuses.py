"""The glyph, the colour and the words of every status and cause, which stand in one table."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from gradwire.app.look.status_glyphs import draw_mark
from gradwire.app.look.status_texts import cause_clause, cause_word
from gradwire.app.look.statuses import LOOKS, MARKS, TIE
from gradwire.app.look.theme import theme, tokens
from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.cause import Cause

SIDE = 16
ROOT = Path(__file__).resolve().parents[3]
DRAWN = (*(status for status in Status if status is not Status.NO_GRADIENT_DTYPE), *Cause, TIE)
COLOURS = set(tokens()["themes"]["dark"]["color"])
TABLE = "app/look/statuses.py"
NAMING = re.compile(rf"\b(Status|Cause)\.|[\"'](?:{'|'.join({*Status, *Cause} - {'flow', 'flat'})})[\"']")


def picture(mark: str) -> np.ndarray:
    image = QImage(SIDE, SIDE, QImage.Format.Format_Grayscale8)
    image.fill(QColor("#000000"))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    draw_mark(painter, QPointF(3, 8), QColor("#ffffff"), mark)
    painter.end()
    return np.frombuffer(image.constBits(), np.uint8).reshape(SIDE, SIDE).astype(int)


def test_no_two_glyphs_look_alike(qtbot: QtBot) -> None:
    pictures = {mark: picture(mark) for mark in DRAWN}
    for one, other in itertools.combinations(pictures, 2):
        assert (np.abs(pictures[one] - pictures[other]) > 100).sum() >= 8, (one, other)


def test_a_glyph_stays_within_its_ten_px(qtbot: QtBot) -> None:
    for mark in DRAWN:
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
        for mark in DRAWN:
            a, b = luminance(look.color(MARKS[mark].token)), luminance(look.color("bg.canvas"))
            assert (max(a, b) + 0.05) / (min(a, b) + 0.05) >= 3, (look, mark)


def test_every_status_has_words_and_a_colour_of_the_design() -> None:
    assert list(LOOKS) != [] and set(LOOKS) == set(Status)
    for status, look in LOOKS.items():
        assert look.word and look.name and look.spoken and look.help, status
        assert {look.token, *(stroke.token for stroke in look.strokes)} <= COLOURS, status
        assert (look.label == "") == (look.sentence == "") == (not look.strokes) == (status is Status.FLOW)


def test_no_other_place_puts_a_status_or_a_cause_into_words_glyphs_or_colours() -> None:
    files = [file for room in ("app", "engine") for file in sorted((ROOT / room).rglob("*.py"))]
    files += sorted((ROOT / "gradwire").glob("*.py"))
    assert len(files) > 400, "the rooms are not where this module looks"
    texts = {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8") for file in files}
    # Only files that name one are parsed: the others take most of the time.
    naming = {name: text for name, text in texts.items() if name != TABLE and NAMING.search(text)}
    assert len(naming) > 40
    assert not {f"{name}:{line}" for name, text in naming.items() for line in places(ast.parse(text))}


@pytest.mark.parametrize(
    "source",
    [
        'WORDS = {Status.ZERO: "zero", Status.FLOW: "flows"}',
        'WORDS = {Cause.FLAT: tr("{block} is flat", block=block)}',
        'WORDS = {"zero": tr("sums to zero"), "blocked": tr("blocked by StopGradient")}',
        'WORDS = (("zero", tr("sums to zero")), ("blocked", tr("blocked by StopGradient")))',
        'entries = ((Status.BLOCKED, tr("blocked")), (Status.ZERO, "≈ 0"))',
        'def word(status):\n    if status is Status.NO_PATH:\n        return tr("no path")',
        'def word(status):\n    return "?" if status == Status.UNKNOWN else ""',
        'token = "alarm.bg" if status is Status.NONFINITE else "bg.canvas"',
        'def word(status):\n    match status:\n        case Status.ZERO:\n            return "zero"',
        'def word(status):\n    if status is Status.ZERO:\n        return f"{block}: about zero"',
        'def words(status):\n    if status is Status.ZERO:\n        yield Step(at, tr("{at} is zero", at=at))',
    ],
)
def test_such_a_place_is_found(source: str) -> None:
    assert list(places(ast.parse(source)))


@pytest.mark.parametrize(
    "source",
    [
        "RANKS = {Status.ZERO: 1, Status.FLOW: 2}",
        "SAYING = {Status.ZERO: _zero, Status.FLOW: _flow}",
        "def word(status):\n    if status is Status.ZERO:\n        return status_label(status)",
        'HEADINGS = {"blocks": tr("Blocks"), "wires": tr("Wires")}',
    ],
)
def test_other_tables_and_branches_are_none(source: str) -> None:
    assert not list(places(ast.parse(source)))


def places(tree: ast.AST) -> Iterator[int]:
    """Yields the lines of tables and branches that give a status or cause a text, by its name or its key."""
    for node in ast.walk(tree):
        pairs = _pairs(node)
        if any(_names_one(key) and _has_text(value) for key, value in pairs):
            yield next(item.lineno for item in ast.walk(node) if hasattr(item, "lineno"))


def _pairs(node: ast.AST) -> list[tuple[ast.AST, ast.AST]]:
    """Returns the keys of a table with their values, or the conditions of a branch with what follows."""
    if isinstance(node, ast.Dict):
        return [(key, value) for key, value in zip(node.keys, node.values, strict=True) if key is not None]
    if isinstance(node, ast.Tuple | ast.List) and len(node.elts) == 2:
        return [(node.elts[0], node.elts[1])]
    if isinstance(node, ast.IfExp):
        return [(node.test, node.body), (node.test, node.orelse)]
    if isinstance(node, ast.If):
        return [(node.test, value) for value in _given(node.body)]
    if isinstance(node, ast.match_case):
        return [(node.pattern, value) for value in _given(node.body)]
    return []


def _given(body: list[ast.stmt]) -> list[ast.AST]:
    """Returns the values that the statements of a branch return or yield."""
    known = (item.value for item in body if isinstance(item, ast.Return | ast.Expr))
    given = (item.value if isinstance(item, ast.Yield) else item for item in known)
    return [item for item in given if item is not None]


def _names_one(key: ast.AST) -> bool:
    """Returns whether a key is a status or cause, or a condition compares with one."""
    if isinstance(key, ast.Constant):
        return key.value in {*Status, *Cause} and key.value not in ("flow", "flat")
    names = (item.value for item in ast.walk(key) if isinstance(item, ast.Attribute))
    return any(isinstance(item, ast.Name) and item.id in ("Status", "Cause") for item in names)


def _has_text(value: ast.AST) -> bool:
    """Returns whether a value is a text, translated or not, or a record with one, or the token of a colour."""
    parts = [value, *value.elts] if isinstance(value, ast.Tuple) else [value]
    # A fix has the name of an edit.
    parts += value.args if isinstance(value, ast.Call) and ast.unparse(value.func) != "Fix" else []
    return any(
        (isinstance(part, ast.Constant) and isinstance(part.value, str) and bool(part.value))
        or (isinstance(part, ast.JoinedStr) and any(map(_is_word, part.values)))
        or (isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in ("tr", "tr_count"))
        for part in parts
    )


def _is_word(part: ast.AST) -> bool:
    return isinstance(part, ast.Constant) and any(map(str.islower, str(part.value)))
