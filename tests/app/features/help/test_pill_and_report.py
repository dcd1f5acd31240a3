"""The pill of steps, the key to wires, and pieces of a report, each alone. Units: px."""

from __future__ import annotations

import dataclasses
import platform
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage, QPainter, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QLayout, QWidget
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.features.help import report_text as module
from gradwire.app.features.help import step_pill
from gradwire.app.features.help.report_text import report_text
from gradwire.app.features.help.step_pill import StepPill
from gradwire.app.features.help.wire_help import WireHelp, mark_sentences
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.status_glyphs import draw_mark
from gradwire.app.look.statuses import LOOKS, MARKS
from gradwire.engine.blocktypes.library import library
from gradwire.engine.graph.graph import Frame, Graph, Note
from tests.app.drawn_shapes import recorded

DARK = Appearance("dark")
NAMES = ("See it", "Understand it", "Mend it")


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(900, 600)
    return made


@pytest.fixture
def spoken(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool]]:
    found: list[tuple[str, bool]] = []
    monkeypatch.setattr(step_pill, "announce", lambda _, said, is_urgent: found.append((said, is_urgent)))
    return found


def parts(pill: StepPill, kind: str) -> list[QLabel]:
    found = [pill.findChild(QLabel, f"step_{kind}_{place}") for place in range(len(NAMES))]
    return [item for item in found if isinstance(item, QLabel)]


@pytest.mark.parametrize(("step", "numbers"), [(0, ["1", "2", "3"]), (1, ["✓", "2", "3"]), (2, ["✓", "✓", "3"])])
def test_steps_before_the_current_one_are_ticked_off(
    parent: QWidget, spoken: list[tuple[str, bool]], step: int, numbers: list[str]
) -> None:
    pill, css = StepPill(NAMES, DARK, parent), DARK.theme.css
    assert pill.isHidden()
    pill.show_step(step)
    said = f"Step {step + 1} of 3: {NAMES[step]}"
    assert (pill.accessibleName(), pill.isHidden(), spoken) == (said, False, [(said, False)])
    assert [label.text() for label in parts(pill, "number")] == numbers
    for place, (number, text) in enumerate(zip(parts(pill, "number"), parts(pill, "text"), strict=True)):
        ground, ink, edge = (
            ("ok.bg", "ok", "ok") if place < step
            else ("accent", "text.on-accent", "accent") if place == step
            else ("bg.raised", "text.secondary", "border.default")
        )  # fmt: skip
        style = number.styleSheet()
        assert f"color: {css(ink)}; background: {css(ground)}; border: 1px solid {css(edge)}; " in style
        assert "border-radius: 9px;" in style
        assert text.styleSheet() == f"color: {css('text.primary' if place <= step else 'text.secondary')};"
    assert len(pill.findChildren(QWidget, "step_line")) == 2


def test_a_step_is_said_when_it_is_new_or_comes_back(parent: QWidget, spoken: list[tuple[str, bool]]) -> None:
    pill = StepPill(NAMES, DARK, parent)
    for step in (0, 0, 1, 1):
        pill.show_step(step)
    assert [said.partition(":")[0] for said, _ in spoken] == ["Step 1 of 3", "Step 2 of 3"]
    pill.hide()
    pill.show_step(1)
    assert len(spoken) == 3


def test_without_room_only_the_current_name_is_there(parent: QWidget) -> None:
    pill = StepPill(NAMES, DARK, parent)
    pill.show_step(1)
    pill.fit(900)
    wide = pill.sizeHint().width()
    assert wide == pill.width()
    for room, are_shown in ((wide, [True] * 3), (wide - 1, [False, True, False]), (wide, [True] * 3)):
        pill.fit(room)
        assert [not label.isHidden() for label in parts(pill, "text")] == are_shown
        assert pill.width() == pill.sizeHint().width() <= room


def test_its_ends_are_half_as_round_as_it_is_high(parent: QWidget) -> None:
    pill = StepPill(NAMES, DARK, parent)
    parent.show()
    pill.show_step(0)
    for height in (40, 50):
        pill.resize(300, height)
        assert f"border-radius: {height // 2}px; }}" in pill.styleSheet()
    painted: list[bool] = []
    pill._paint = lambda *_: painted.append(True)  # type: ignore[method-assign]
    for old, is_new in ((pill.size(), False), (pill.size().grownBy(pill.contentsMargins() + 1), True)):  # type: ignore[operator]
        painted.clear()
        pill.resizeEvent(QResizeEvent(pill.size(), old))
        assert bool(painted) is is_new


def test_the_key_has_a_row_for_each_pattern_and_each_mark(parent: QWidget) -> None:
    dialog = WireHelp(DARK, parent)
    assert dialog.size().toTuple() == (920, 540)
    grids = [layout for layout in dialog.findChildren(QLayout) if isinstance(layout, QGridLayout)]
    counts = sorted(grid.rowCount() - 2 for grid in grids)
    assert counts == sorted((len(LOOKS), len(mark_sentences())))
    for grid in grids:
        rows = grid.rowCount()
        # Below all of them is the room that is left; the texts take the width.
        assert [grid.rowStretch(row) for row in range(rows)] == [0] * (rows - 1) + [1]
        assert [grid.columnStretch(column) for column in (0, 1)] == [0, 1]
        pictures = {grid.itemAtPosition(row, 0).widget().size().toTuple() for row in range(1, rows - 1)}  # type: ignore[union-attr]
        assert pictures in ({(72, 34)}, {(26, 34)})


def test_marks_are_drawn_half_as_large_again(parent: QWidget) -> None:
    """A mark of 26 x 34 begins at (4.5, 16.5)."""
    dialog = WireHelp(DARK, parent)
    marks = [item for item in dialog.findChildren(QWidget) if type(item).__name__ == "_Mark"]
    for mark, name in zip(marks, mark_sentences(), strict=True):
        with recorded(has_paths=True) as found:
            mark.grab()
        image = QImage(26, 34, QImage.Format.Format_RGB32)
        with QPainter(image) as painter, recorded(has_paths=True) as wanted:
            painter.translate(4.5, 16.5)
            painter.scale(1.5, 1.5)
            draw_mark(painter, QPointF(), DARK.theme.color(MARKS[name].token), name)
        assert found == wanted and found


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    found: list[str] = []
    monkeypatch.setattr(module, "last_lines", lambda count: found[-count:])
    return found


HEAD = "2026-01-02 03:04:05,678 INFO 1 gradwire.app: "


def test_names_of_blocks_pages_frames_and_notes_are_left_out(qtbot: QtBot, lines: list[str]) -> None:
    secrets = ("blockname", "labelname", "pagename", "frameid", "frametitle", "noteid", "notetext")
    graph = gw.graph(gw.Loss(gw.Square(gw.Input(np.array(4.0), name="blockname"))))
    (page,) = graph.pages
    blocks = {name: dataclasses.replace(block, label="labelname") for name, block in page.blocks.items()}
    frames, notes = (Frame("frameid", title="frametitle"),), (Note("noteid", "notetext"),)
    noted = dataclasses.replace(page, name="pagename", blocks=blocks, frames=frames, notes=notes)
    lines += [f"{HEAD}It says {secret} here" for secret in secrets]
    lines.append(f"{HEAD}This file secretname.graph stays out")
    named = Graph(pages=(noted,))
    found = report_text(named, Path("/home/somebody/secretname.graph"), DARK)
    assert found.count("It says") == len(secrets)
    assert not [secret for secret in (*secrets, "secretname") if secret in found]
    assert "Document: pages 1, blocks 3, wires 2\n" in found


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        ({}, "no vector instructions known"),
        (None, "no vector instructions known"),
        ({"SIMD Extensions": {"baseline": ["SSE"]}}, "SSE"),
        ({"SIMD Extensions": {"found": ["AVX2"]}}, "AVX2"),
        ({"SIMD Extensions": {"baseline": ["SSE", "SSE2"], "found": ["AVX2"]}}, "SSE SSE2 AVX2"),
    ],
)
def test_the_processor_is_told_as_numpy_knows_it(
    shown: dict[str, object] | None, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(np, "show_config", lambda **_: shown)
    assert module._processor_features() == text


@pytest.mark.parametrize(
    ("found", "text"),
    [({}, "not known"), ({"XDG_SESSION_TYPE": "x11"}, "x11"),
     ({"XDG_SESSION_TYPE": "x11", "XDG_CURRENT_DESKTOP": "Unity"}, "x11 Unity")],
)  # fmt: skip
def test_the_session_of_the_desktop_is_told(
    qtbot: QtBot, found: dict[str, str], text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_SESSION_TYPE", "XDG_CURRENT_DESKTOP"):
        monkeypatch.delenv(name, raising=False)
    for name, value in found.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(platform, "node", lambda: "")
    told = list(module._system())
    assert told[1].startswith(f"Desktop session: {text}; Qt plug-in: ") and told[2].startswith("Screen 1: ")
    assert "<host>" not in told[0]


def test_versions_plug_ins_and_notices_are_told(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    assert module._version_of("no-such-package-at-all") == "not installed"
    warned = "The executor that was wished for or installed does not run."
    for notice in ("", "No compiler."):
        monkeypatch.setattr(module, "NOTICE", notice)
        assert (warned in list(module._versions())) is bool(notice)
    enabled = [item.name for item in library.plugins.values() if item.is_enabled]
    assert module._plugins() == f"Plug-ins: {', '.join(enabled) or 'none'}"
