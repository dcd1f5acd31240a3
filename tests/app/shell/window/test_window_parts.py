"""What the parts of a window do of which only the neighbours are noted; sizes of their rows in px."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.geometry.target import Target
from gradwire.app.features.search.search_popup import CORNER, SIZE
from gradwire.app.live.selection import Selection
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import font
from gradwire.app.shell.commands.window_bars import WindowBars
from gradwire.app.shell.window import accessibility
from gradwire.app.shell.window.editor import Editor
from gradwire.app.shell.window.panel_texts import PanelTexts
from gradwire.app.shell.window.window_layout import WindowLayout
from gradwire.engine.graph.graph import Block, Frame, Graph, Note, Page
from tests.app.drawn_shapes import room_of
from tests.app.shell.noting import Noting, noted

DARK = Appearance("dark")


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


# The status line


@pytest.mark.parametrize(
    ("what", "at", "wires", "calls"),
    [
        ("loss", "", "", ["editor.add_loss()"]),
        ("variable", "", "", ["canvas.page_actions.add_block('Variable', editor.middle)"]),
        ("fix", "main/e", "", ["panels.show_lens('problems')", "panels.problems.show_first()"]),
        ("why", "main/e", "vw", ["viewing.go_to_wire('v')", "panels.show_why()"]),
        ("why", "main/e", "", ["viewing.go_to('main/e')"]),
        ("go_to", "main/e", "vw", ["viewing.go_to('main/e')"]),
        ("go_to", "", "vw", []),
    ],
)
def test_the_button_of_the_status_line_does_what_it_says(what: str, at: str, wires: str, calls: list[str]) -> None:
    for results in (SimpleNamespace(nonfinite_wires=wires), None):
        if results is None and wires:
            continue
        parts, found = noted(session=SimpleNamespace(results=results))
        parts.panels.problems.gravest = SimpleNamespace(at=at) if at else None
        WindowBars._act_on_sentence(SimpleNamespace(_parts=parts), what)  # type: ignore[arg-type]
        assert found == calls


@pytest.mark.parametrize(
    ("what", "calls"),
    [
        ("pause", ["session.runs.set_live(False)"]),
        ("try_again", ["session.evaluate()"]),
        ("data_once", ["allow(False)"]),
        ("data_always", ["allow(True)"]),
        ("data_again", ["session.data.try_again()"]),
        ("data_see", ["session.data.see()"]),
        ("data_change", ["change()"]),
        ("fix_all", ["documents.repairing.fix_all()"]),
        ("show_problems", ["documents.repairing.show()"]),
        ("reload", []),
    ],
)
def test_each_answer_to_what_is_said_of_the_document_is_carried_out(what: str, calls: list[str]) -> None:
    parts, found = noted()
    wiring: Any = SimpleNamespace(
        _parts=parts, _allow_data=Noting(found, "allow"), _change_reading=Noting(found, "change")
    )
    WindowBars._act_on_sentence(wiring, what)
    assert found == calls


def test_the_search_opens_below_its_field_at_its_right_end() -> None:
    parts, found = noted(layout=SimpleNamespace(shows_welcome=False))
    parts.editor.placer.popup.usual_width = SIZE.width()
    field = SimpleNamespace(mapToGlobal=lambda at: at + QPoint(1000, 10), width=lambda: 196, height=lambda: 28)
    WindowBars._open_search(SimpleNamespace(_parts=parts, top=SimpleNamespace(search=field)), "do")  # type: ignore[arg-type]
    at = QPoint(1000 + 196 - SIZE.width(), 10 + 28 + 4) + CORNER
    assert found == [f"editor.placer.search_at({at!r}, 'do')"]


def test_the_search_of_the_empty_page_lies_over_its_field() -> None:
    field = SimpleNamespace(mapToGlobal=lambda at: at + QPoint(363, 176), size=lambda: QSize(640, 52))
    parts, found = noted(layout=SimpleNamespace(shows_welcome=True, welcome=SimpleNamespace(field=field)))
    wiring: Any = SimpleNamespace(_parts=parts)
    wiring._search_over_field = lambda *asked: WindowBars._search_over_field(wiring, *asked)
    WindowBars._open_search(wiring, "do")
    assert found == [f"editor.placer.search_over({QRect(363, 176, 640, 52)!r}, '', 'do')"]


@pytest.mark.parametrize(
    ("has_document", "welcome", "calls"),
    [
        (False, True, ["documents.opening.new()"]),
        (True, True, ["layout.show_document()"]),
        (True, False, []),
    ],
)
def test_what_is_added_is_shown_on_its_page(has_document: bool, welcome: bool, calls: list[str]) -> None:
    found = list[str]()
    layout = SimpleNamespace(shows_welcome=welcome, show_document=lambda: found.append("layout.show_document()"))
    opening = SimpleNamespace(new=lambda: found.append("documents.opening.new()"))
    documents = SimpleNamespace(opening=opening)
    parts = SimpleNamespace(has_document=has_document, layout=layout, documents=documents)
    WindowBars._show_page(SimpleNamespace(_parts=parts))  # type: ignore[arg-type]
    assert found == calls


@pytest.mark.parametrize(
    ("key", "applies", "calls"),
    [
        ("contrast", 1, ["layout.refreshing.now()"]),
        ("theme", 0, ["frame.appearance.choose('dark')", "layout.refreshing.now()"]),
        ("tips", 0, []),
        ("text_scale", 1, ["layout.refreshing.now()"]),
    ],
)
def test_settings_of_looks_are_followed(
    monkeypatch: pytest.MonkeyPatch, key: str, applies: int, calls: list[str]
) -> None:
    applied, (parts, found) = list[int](), noted()
    monkeypatch.setattr(accessibility, "apply", lambda *_: applied.append(1))
    monkeypatch.setattr(accessibility, "theme", lambda _: "dark")
    WindowBars._take_setting(SimpleNamespace(_parts=parts, texts=None), key)  # type: ignore[arg-type]
    assert (len(applied), found) == (applies, calls)


@pytest.mark.parametrize(
    ("has_document", "welcome", "is_saved", "title", "is_modified"),
    [
        (True, False, False, "a", True),
        (True, False, True, "a", False),
        (True, True, False, "Gradwire", False),
        (False, False, False, "Gradwire", False),
    ],
)
def test_a_window_has_the_title_of_its_document(
    has_document: bool, welcome: bool, is_saved: bool, title: str, is_modified: bool, parent: QWidget
) -> None:
    layout = SimpleNamespace(shows_welcome=welcome)
    session = SimpleNamespace(document=SimpleNamespace(is_saved=is_saved))
    parts, found = noted(
        has_document=has_document, layout=layout, session=session,
        document=SimpleNamespace(name="a"), frame=parent,
    )  # fmt: skip
    wiring: Any = SimpleNamespace(_parts=parts, commands=Noting(found, "commands"), top=Noting(found, "top"))
    WindowBars._show_state(wiring)
    assert found == ["commands.refresh()", "top.refresh()"]
    assert parent.windowTitle().startswith(title) and parent.isWindowModified() is is_modified


@pytest.mark.parametrize(("news", "calls"), [((), 0), ((("f", "c"), ("g", "d")), 2)])
def test_the_reading_of_the_newest_file_is_changed_at_its_block(news: Any, calls: int) -> None:
    items = tuple((SimpleNamespace(block=name), content) for name, content in news)
    parts, found = noted(session=SimpleNamespace(data=SimpleNamespace(news=items)))
    WindowBars._change_reading(SimpleNamespace(_parts=parts))  # type: ignore[arg-type]
    assert found == ["viewing.go_to('f')", "panels.edit_parameter('separator')"][:calls]


# The arrangement


@pytest.mark.parametrize(
    ("welcome", "alone", "status"),
    [(False, False, True), (True, False, False), (False, True, False), (True, True, False)],
)
def test_the_status_line_is_there_with_a_document_that_is_not_alone(welcome: bool, alone: bool, status: bool) -> None:
    found = list[str]()
    made: Any = SimpleNamespace(
        _panels=Noting(found, "panels"), status=Noting(found, "status"), tabs=Noting(found, "tabs"),
        shows_welcome=welcome, shows_only_canvas=alone,
    )  # fmt: skip
    WindowLayout._show_panels(made, True)
    assert found == ["panels.show(True)", f"status.setVisible({status})", f"tabs.set_wanted({not alone})"]


def test_the_page_alone_hides_the_bar_and_brings_it_back() -> None:
    found = list[str]()
    made: Any = SimpleNamespace(
        _show_panels=Noting(found, "panels"), _bar=Noting(found, "bar"), presented=Noting(found, "presented"),
        shows_only_canvas=False,
    )  # fmt: skip
    made.toggle_only_canvas = lambda: WindowLayout.toggle_only_canvas(made)
    assert not WindowLayout.leave_only_canvas(made) and found == []
    made.toggle_only_canvas()
    assert found == ["panels(False)", "bar.setVisible(False)", "presented.emit(True)"] and made.shows_only_canvas
    assert WindowLayout.leave_only_canvas(made)
    assert found[3:] == ["panels(True)", "bar.setVisible(True)", "presented.emit(False)"]
    made._bar = None
    made.toggle_only_canvas()
    assert found[6:] == ["panels(False)", "presented.emit(True)"]


def test_the_layout_of_pages_has_no_gaps(user: Any) -> None:
    parts = user.window.parts
    layout = parts.layout._editor_page.layout()
    assert isinstance(layout, QVBoxLayout) and room_of(layout) == "0 · 0"
    assert [layout.stretch(row) for row in range(4)] == [0, 0, 1, 0]


# Edits of the selection


def editor(page: Page, **chosen: str) -> tuple[Editor, list[str]]:
    """An editor of a page with some things selected, and what it asks of its canvas and its session."""
    found, made = list[str](), Editor.__new__(Editor)
    selection = Selection(**{name: frozenset(names) for name, names in chosen.items()})  # type: ignore[arg-type]
    session = SimpleNamespace(page=page, page_name=page.name, selection=selection, graph=Graph((page,)))
    session.apply = lambda text, edit, *given, **_: found.append(f"{text}: {edit.__name__}{given!r}")
    made._canvas = SimpleNamespace(session=session, page_actions=Noting(found, "page_actions"))  # type: ignore[assignment]
    return made, found


@pytest.mark.parametrize(
    ("chosen", "target"),
    [
        ({"blocks": "ba", "frames": "f", "notes": "n"}, Target(block="a")),
        ({"frames": "gf", "notes": "n"}, Target(frame="f")),
        ({"notes": "nm"}, Target(note="m")),
        ({}, None),
    ],
)
def test_the_first_of_what_is_selected_is_renamed(chosen: dict[str, str], target: Target | None) -> None:
    made, found = editor(Page("main"), **chosen)
    made.rename()
    assert found == ([] if target is None else [f"page_actions.field.open({target!r})"])


def test_a_step_moves_what_is_selected_and_all_that_frames_hold() -> None:
    blocks = {name: Block(name, "Exp", at=(n * 100, 0)) for n, name in enumerate("abcd")}
    frames = (Frame("f", "", ("b",), frames=("h",)), Frame("g", "", ("c",)), Frame("h", "", ("d",)))
    page = Page("main", blocks, frames=frames, notes=(Note("n", "", at=(5, 6)), Note("m", "", at=(7, 8))))
    made, _ = editor(page, blocks="a", frames="f", notes="n")
    found = []
    made._canvas.session.apply = lambda text, edit, *given, **_: found.append((text, edit(Graph((page,)), *given)))
    made.nudge(16, -1)
    ((text, graph),) = found
    now = graph.page("main")
    assert text == "Move"
    assert {name: block.at for name, block in now.blocks.items()} == {
        "a": (16, -1), "b": (116, -1), "c": (200, 0), "d": (316, -1),
    }  # fmt: skip
    assert [note.at for note in now.notes] == [(21, 5), (7, 8)]


@pytest.mark.parametrize(
    ("states", "texts", "is_on"),
    [
        ((False, False), ("Mute", "Collapse"), True),
        ((True, False), ("Mute", "Collapse"), True),
        ((True, True), ("Unmute", "Expand"), False),
    ],
)
def test_a_switch_of_several_blocks_is_ended_only_where_it_is_on_for_all(
    states: tuple[bool, bool], texts: tuple[str, str], is_on: bool
) -> None:
    blocks = {name: Block(name, "Exp", is_muted=on, is_collapsed=on) for name, on in zip("ab", states, strict=True)}
    made, found = editor(Page("main", blocks), blocks="bag")
    made.toggle_muted()
    made.toggle_collapsed()
    given = f"('main', ['a', 'b'], {is_on})"
    assert found == [f"{texts[0]}: set_muted{given}", f"{texts[1]}: set_collapsed{given}"]


# Sizes of texts


@pytest.mark.parametrize(("scale", "px", "height"), [(1.5, 18, 36), (0.02, 1, 0), (2.0, 24, 48)])
def test_texts_and_heights_have_the_scale_and_no_text_vanishes(
    parent: QWidget, scale: float, px: int, height: int
) -> None:
    label = QLabel("text", parent)
    label.setFont(font("ui", 12))
    label.setFixedHeight(24)
    texts = PanelTexts(parent)
    texts.set_scale(scale)
    assert label.font().pixelSize() == px and label.maximumHeight() == height
    texts.set_scale(1.0)
    assert (label.font().pixelSize(), label.maximumHeight(), label.minimumHeight()) == (12, 24, 24)
    texts.set_scale(scale)
    late = QLabel("late", parent)
    late.setFont(font("ui", 10))
    late.ensurePolished()
    parent.show()
    assert late.font().pixelSize() == max(1, round(10 * scale))
