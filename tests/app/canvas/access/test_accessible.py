"""The view of a screen reader: the canvas's tree in Qt's interface, focus, actions and the live region."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleActionInterface, QAccessibleEvent, QAccessibleInterface
from PySide6.QtTest import QTest
from shiboken6 import isValid

from gradwire.app.canvas.access import live_region
from gradwire.app.canvas.access.accessible import Node
from gradwire.app.canvas.access.name_changes import NameChanges
from gradwire.app.live.selection import Selection
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Block, Graph, Page
from tests.app.window.driver import Driver, Key
from tests.app.window.graphs import annotated, chain

Name, Role = QAccessible.Text.Name, QAccessible.Role
ROOT = Path(__file__).parents[4]


@pytest.fixture(autouse=True)
def _screen_reader() -> Iterator[None]:
    QAccessible.setActive(True)
    yield
    QAccessible.setActive(False)


@pytest.fixture
def here(user: Driver) -> Driver:
    user.show(annotated())
    return user


def canvas_of(user: Driver) -> QAccessibleInterface:
    return QAccessible.queryAccessibleInterface(user.canvas)


def page_of(user: Driver) -> QAccessibleInterface:
    return canvas_of(user).child(0)


def below(thing: QAccessibleInterface) -> list[QAccessibleInterface]:
    return [thing.child(index) for index in range(thing.childCount())]


def everything(thing: QAccessibleInterface) -> Iterator[QAccessibleInterface]:
    yield thing
    for child in below(thing):
        yield from everything(child)


def named(user: Driver, start: str) -> QAccessibleInterface:
    return next(item for item in everything(page_of(user)) if item.text(Name).startswith(start))


def test_the_canvas_holds_the_page_and_that_the_blocks(here: Driver) -> None:
    canvas = canvas_of(here)
    assert canvas.role() == Role.Canvas and canvas.text(Name) == "Canvas"
    page = canvas.child(0)
    assert page.role() == Role.Tree
    assert page.text(Name) == "Page main, 6 blocks, 3 wires"
    names = [item.text(Name).split(",")[0] for item in below(page)]
    assert {"x", "Exp e", "ReduceSum s", "Loss", "c", "Tanh t", "Frame Spare", "Note: Remember"} <= set(names)


def test_blocks_hold_ports_and_outputs_the_wires_that_leave(here: Driver) -> None:
    block = named(here, "Exp e")
    ports = below(block)
    assert [port.text(Name).split(",")[0] for port in ports] == ["Input x of Exp e", "Output y of Exp e"]
    assert [port.role() for port in ports] == [Role.Button, Role.Button]
    assert not ports[0].childCount()
    assert [wire.text(Name).split(":")[0] for wire in below(ports[1])] == ["Wire from Exp e to ReduceSum s x"]


def test_every_wire_of_the_page_is_in_the_tree_once(here: Driver) -> None:
    names = [item.text(Name) for item in everything(page_of(here)) if item.text(Name).startswith("Wire")]
    assert len(names) == len(set(names)) == len(here.page.wires)


def test_parents_and_children_agree(here: Driver) -> None:
    for item in everything(page_of(here)):
        for index, child in enumerate(below(item)):
            assert child.parent() is item
            assert item.indexOfChild(child) == index
    assert page_of(here).parent() is canvas_of(here)
    assert canvas_of(here).indexOfChild(page_of(here)) == 0
    assert page_of(here).child(1000) is None and page_of(here).child(-1) is None


def test_the_canvas_is_found_below_its_parent(here: Driver) -> None:
    parent = canvas_of(here).parent()
    assert parent.indexOfChild(canvas_of(here)) >= 0


def test_qt_reads_the_tree_from_its_side(here: Driver) -> None:
    # Qt's own description reads name, role, children, state and rectangle through the virtual functions.
    text = repr(named(here, "Exp e"))
    assert 'name="Exp e, math, 1 input, 1 output"' in text and "TreeItem" in text and "childc=2" in text


def test_rectangles_are_those_on_the_screen(here: Driver) -> None:
    block = named(here, "Exp e")
    seen = here.canvas.camera.rect_to_view(here.canvas.mirror.rect("e")).toRect()
    assert block.rect() == seen.translated(here.canvas.mapToGlobal(QPoint()))
    here.canvas.viewport.pan(40, 20)
    assert block.rect() == seen.translated(here.canvas.mapToGlobal(QPoint())).translated(40, 20)


def test_what_is_at_a_point_is_found(here: Driver) -> None:
    def at(scene: object) -> str:
        view = here.canvas.mapToGlobal(here.points.view(scene).toPoint())
        return str(canvas_of(here).childAt(view.x(), view.y()).text(Name))

    assert at(here.points.title("e")).startswith("Exp e, math")
    assert at(here.points.port("e.x")).startswith("Input x of Exp e")
    assert at(here.points.on_wire(here.wire("s.x"))).startswith("Wire from Exp e")
    assert at(here.points.empty()).startswith("Page main")
    assert canvas_of(here).childAt(-5000, -5000) is None


def test_selected_and_focused_are_told(here: Driver) -> None:
    here.canvas.setFocus(Qt.FocusReason.TabFocusReason)
    here.ctrl(Key.Key_Home)
    block = named(here, "x, source")
    assert block.state().selected and block.state().focused and block.state().focusable
    assert block.text(Name).endswith("selected")
    assert canvas_of(here).focusChild() is block
    other = named(here, "Exp e")
    assert not other.state().selected and not other.state().focused
    here.session.select(Selection(frozenset(["e"])))
    assert other.state().selected and not block.state().selected


def test_walking_tells_qt_where_the_focus_is(here: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    def note(event: QAccessibleEvent) -> None:
        if event.type() == QAccessible.Event.Focus:
            told.append(event.accessibleInterface().text(Name))

    canvas_of(here)
    here.canvas.setFocus(Qt.FocusReason.TabFocusReason)
    monkeypatch.setattr(QAccessible, "updateAccessibility", note)
    here.ctrl(Key.Key_Home)
    here.key(Key.Key_Right)
    here.key(Key.Key_Right)
    here.key(Key.Key_Return)
    heads = [text.split(",")[0].split(":")[0] for text in dict.fromkeys(told)]
    assert heads == ["x", "Wire from x to Exp e x", "Exp e", "Output y of Exp e"]


def test_a_gone_block_is_not_valid_and_still_answers(here: Driver) -> None:
    block = named(here, "Exp e")
    (port, *_), wire = below(block), named(here, "Wire from Exp e")
    here.hand.click(here.points.title("e"))
    here.key(Key.Key_Delete)
    for item in (block, port, wire):
        assert not item.isValid()
        assert item.text(Name) == "" and item.childCount() == 0 and item.child(0) is None
        assert item.state().invalid and item.rect().isNull() and item.childAt(0, 0) is None
        item.actionInterface().doAction(QAccessibleActionInterface.setFocusAction())
    here.undo()
    assert block.isValid() and block.text(Name).startswith("Exp e")


def test_another_document_has_objects_of_its_own(here: Driver) -> None:
    old = named(here, "Exp e")
    here.show(chain())
    assert not isValid(old)
    assert named(here, "Exp e").isValid()


def test_a_port_can_be_pressed_to_draw_a_wire(here: Driver) -> None:
    actions = named(here, "Output y of c").actionInterface()
    assert QAccessibleActionInterface.pressAction() in actions.actionNames()
    actions.doAction(QAccessibleActionInterface.pressAction())
    here.key(Key.Key_Right)
    here.key(Key.Key_Return)
    assert "c.y > t.x" in here.wires()


def test_a_block_can_be_focused_and_its_menu_opened(here: Driver) -> None:
    actions = named(here, "Exp e").actionInterface()
    assert QAccessibleActionInterface.pressAction() not in actions.actionNames()
    actions.doAction(QAccessibleActionInterface.setFocusAction())
    assert here.selection.blocks == {"e"} and here.canvas.hasFocus()
    actions.doAction(QAccessibleActionInterface.showMenuAction())
    assert "mute" in {item.objectName() for item in here.popups.menu().actions()}
    QTest.keyClick(here.popups.menu(), Key.Key_Escape)
    assert page_of(here).actionInterface() is None


@pytest.mark.long
def test_of_10000_blocks_only_those_asked_for_are_made(user: Driver) -> None:
    blocks = {f"c{n}": Block(f"c{n}", "Tanh", at=(n % 100 * 200, n // 100 * 200)) for n in range(10_000)}
    user.show(Graph((Page("main", blocks),)))
    page = page_of(user)
    assert page.childCount() == 10_000
    # Without wires they come by columns, of a hundred each.
    assert page.child(7000).text(Name).startswith("Tanh c70,")
    assert sum(type(item) is Node for item in gc.get_objects()) < 20


def test_the_end_of_a_run_is_announced_with_the_loss(user: Driver) -> None:
    with user.qtbot.waitSignal(user.window.parts.viewing.live_region.said) as heard:
        user.show(chain())
    # exp(1) + exp(2) + exp(3) = 30.19
    assert heard.args == ["Computed, L 30.19", False]


def test_nan_is_announced_at_once_with_its_block_and_wire(user: Driver) -> None:
    user.show(chain())
    said: list[tuple[str, bool]] = []
    user.window.parts.viewing.live_region.said.connect(lambda *args: said.append(args))
    value = np.array([np.nan, 1.0, 2.0])
    user.session.apply("Set", edits.set_parameter, "main", "x", "value", value)
    assert said == [("NaN in x, wire 1", True)]
    user.session.apply("Set", edits.set_parameter, "main", "x", "value", value * 2)
    assert len(said) == 1


def test_announcements_reach_qt_with_their_politeness(user: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[str, object]] = []
    monkeypatch.setattr(
        QAccessible, "updateAccessibility", lambda event: told.append((event.message(), event.politeness()))
    )
    live_region.announce(user.canvas, "calm", False)
    live_region.announce(user.canvas, "now", True)
    levels = QAccessible.AnnouncementPoliteness
    assert told == [("calm", levels.Polite), ("now", levels.Assertive)]


def names_changed(user: Driver, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Returns the names that Qt is told of from now on."""
    told: list[str] = []

    def note(event: QAccessibleEvent) -> None:
        if event.type() == QAccessible.Event.NameChanged and isinstance(event.accessibleInterface(), Node):
            told.append(event.accessibleInterface().text(Name))

    monkeypatch.setattr(QAccessible, "updateAccessibility", note)
    return told


def test_qt_is_told_of_the_names_that_a_result_changes(user: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    user.show(chain())
    assert list(everything(page_of(user)))
    told = [item.text(Name) for item in everything(page_of(user))]
    heard = names_changed(user, monkeypatch)
    user.session.apply("Set", edits.set_parameter, "main", "x", "value", np.array([0.0, 0.0, 0.0]))
    expected = {
        "Wire from x to Exp e x: value 0, 0, 0; gradient 1, 1, 1",
        "Loss, loss, 2 inputs, 1 output, value 3",
    }
    # A page is read in slices: what was read just before the result comes with the next reading.
    user.qtbot.waitUntil(lambda: expected <= set(heard))
    # The wires after the sum, and what is not connected, say what they said.
    assert not set(heard) & set(told)


def test_many_results_are_told_at_once(user: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    user.show(chain())
    assert [item.text(Name) for item in everything(page_of(user))]
    heard = names_changed(user, monkeypatch)
    for number in range(5):
        user.session.apply("Set", edits.set_parameter, "main", "x", "value", np.full(3, float(number)))
    user.qtbot.waitUntil(lambda: any(text.startswith("Wire from x") for text in heard))
    assert [text for text in heard if text.startswith("Wire from x")] == [
        "Wire from x to Exp e x: value 4, 4, 4; gradient 54.60, 54.60, 54.60"
    ]


def test_without_a_screen_reader_nothing_is_compared(user: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    user.show(chain())
    changes = user.canvas.findChild(NameChanges)
    assert changes is not None
    timers = changes.findChildren(QTimer)
    user.qtbot.waitUntil(lambda: not any(timer.isActive() for timer in timers))
    QAccessible.setActive(False)
    heard = names_changed(user, monkeypatch)
    user.session.apply("Set", edits.set_parameter, "main", "x", "value", np.zeros(3))
    assert not heard and not any(timer.isActive() for timer in timers)


def test_blocks_come_in_the_order_of_evaluation(user: Driver) -> None:
    graph = edits.move_blocks(chain(), "main", {"x": (900, 900), "loss": (-900, -900)})
    user.show(graph)
    names = [item.text(Name).split(",")[0] for item in below(page_of(user))]
    assert [name for name in names if name not in ("c", "Tanh t")] == ["x", "Exp e", "ReduceSum s", "Loss"]


def said_by(user: Driver) -> list[tuple[str, bool]]:
    """Returns what is announced from now on, the ends of runs left out."""
    said: list[tuple[str, bool]] = []

    def note(text: str, is_urgent: bool) -> None:
        said.extend([(text, is_urgent)] * (not text.startswith("Computed")))

    user.window.parts.viewing.live_region.said.connect(note)
    return said


@pytest.mark.long
def test_adding_and_connecting_are_announced_calmly(user: Driver) -> None:
    user.show(chain())
    said = said_by(user)
    user.hand.click(user.points.title("c"))
    user.key(Key.Key_Tab)
    user.popups.search("sin")
    assert said[0] == ("Sin added. Connected c to Sin x", False)
    user.undo()
    assert said[1] == ("Sin deleted", False)
    user.session.apply("Cut", edits.disconnect, "main", user.wire("e.x"))
    user.settle()
    assert said[2] == ("Disconnected x to e x", False)


def test_switching_stops_is_announced_calmly(user: Driver) -> None:
    user.show(chain())
    said = said_by(user)
    user.session.runs.set_ignores_stops(True)
    assert ("StopGradient off: wires that change say both gradients", False) in said
    user.session.runs.set_ignores_stops(False)
    assert ("StopGradient on", False) in said
    user.session.apply("Mute", edits.set_muted, "main", ["e"], True)
    user.settle()
    assert ("Exp e muted", False) in said


PROGRAM = """
import sys
from pathlib import Path
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication
import gradwire.blocks
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.look.appearance import Appearance
from gradwire.app.start.main_window import MainWindow
from gradwire.app.base.settings import Settings
application = QApplication([])
QAccessible.setActive(True)
window = MainWindow(Settings(Path(sys.argv[1]) / "s.ini"), Appearance("dark"), InlineEvaluator)
window.show()
window.parts.documents.opening.open(Path("assets/examples/softmax_stable.graph"))
def walk(item):
    QAccessible.uniqueId(item)
    for index in range(item.childCount()):
        child = item.child(index)
        if child is not None:
            walk(child)
walk(QAccessible.queryAccessibleInterface(window))
print("walked")
"""


@pytest.mark.long
def test_the_program_ends_well_with_the_tree_in_use(tmp_path: Path) -> None:
    command = [sys.executable, "-X", "faulthandler", "-c", PROGRAM, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, timeout=60)
    assert done.returncode == 0 and "walked" in done.stdout, done.stderr
