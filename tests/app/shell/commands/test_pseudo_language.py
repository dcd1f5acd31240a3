"""Nothing in the window stays English: in a language that brackets every text, all words are in brackets.

English by intent are block types with their help, the names of ports and parameters, and the texts of the graph.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QPointF
from PySide6.QtWidgets import QAbstractButton, QDialog, QMenu, QWidget

from gradwire.app.base.examples import example_names, example_path, example_texts
from gradwire.app.base.translation import tr
from gradwire.app.canvas.access.sentences import block_sentence, page_sentence, port_sentence, wire_sentence
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.painting.look import Overlay
from gradwire.app.features.inspector.parameter_rows import row_name
from gradwire.app.features.search.block_help import plain_text
from gradwire.app.features.welcome.welcome import STARTS
from gradwire.app.kit.search.short_formulas import short_formula
from gradwire.app.kit.values.value_view import MODES
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.selection import Selection
from gradwire.app.shell.commands.context_menus import context_menu
from gradwire.app.start.main_window import MainWindow
from gradwire.blocks.layers.catalogue import LAYERS
from gradwire.engine.blocktypes.library import library
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph
from tests.app.painted import painted_texts
from tests.app.window.brackets import Brackets, english_words, entries_of, texts_of
from tests.app.window.driver import Driver
from tests.app.window.graphs import annotated, misfits, wired, with_block
from tests.app.window.sharing import SharedWindow
from tests.app.windows import windows

# Words that are equal in every language, by the reason.
NAMES = {
    "names of programs": {"Gradwire", "NumPy", "TensorFlow", "PyTorch", "JAX", "Python"},
    "languages in their own words": {"English", "Deutsch"},
    "kinds of files": {"CSV", "PDF", "PNG", "SVG", "npy"},
    "numbers": {"NaN", "Inf", "inf", "f32", "f64", "i32", "i64", "bool", "e6"},
    "types of values": {"float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8"},
    "values of parameters": {"none", "sum", "mean"},
}
SAME = re.compile(
    r"Qt for Python|\b(?:(?:Ctrl|Alt|Shift|Num)\+)+\S+|\bF\d+\b|\b(?:Tab|Del|Space|Backspace|Home|PgUp|PgDown)\b"
)


@cache
def english_by_intent() -> tuple[frozenset[str], tuple[str, ...]]:
    """Returns the words of the block library and of the examples, and their texts."""
    words, free = set().union(*NAMES.values()) | set(example_names()), list(STARTS)
    for item in library:
        words |= {item.name, *(port.name for port in (*item.inputs, *item.outputs)), *item.parameters}
        words |= set(english_words(" ".join([short_formula(item), *map(row_name, item.parameters)])))
        free += [item.help, item.summary, plain_text(item.help), plain_text(item.summary)]
    for layer in LAYERS.values():
        words |= {layer.name, *layer.parameters}
        free += [layer.help, layer.summary, plain_text(layer.help)]
    for name in example_names():
        free += example_texts(example_path(name))
        of_graph, in_graph = texts_of_graph(load(example_path(name)).graph)
        words |= of_graph
        free += in_graph
    return frozenset(words), tuple(free)


def texts_of_graph(graph: Graph) -> tuple[set[str], list[str]]:
    """Returns the names in a graph, and its texts."""
    words, free = set[str](), list[str]()
    for page in graph.pages:
        words |= {page.name, *page.blocks, *(block.label or "" for block in page.blocks.values())}
        free += [frame.title for frame in page.frames] + [note.text for note in page.notes]
    return words, free


class Reader:
    """A reader of a window; `english` has all texts outside brackets, each with its place."""

    def __init__(self, user: Driver, painted: list[str]) -> None:
        self.user, self._painted = user, painted
        self.english: dict[str, str] = {}
        words, free = english_by_intent()
        self._words, self._free = set(words), list(free)
        self._known: set[str] = set()

    def show(self, graph: Graph) -> None:
        """Shows a graph, whose names do not count as English."""
        self.know(graph)
        self.user.show(graph)

    def know(self, graph: Graph) -> None:
        """Names of a graph do not count as English from now on."""
        words, free = texts_of_graph(graph)
        self._words |= words
        self._free += free

    def read(self, where: str, part: QWidget | None = None) -> None:
        """Reads all widgets, or those of a part of the window, and all texts painted since the last call."""
        self.user.settle()
        for place, text in [*texts_of(part or self.user.window), *(("painted", text) for text in self._painted)]:
            self.take(f"{where}: {place}", text)
        self._painted.clear()

    def take(self, place: str, text: str) -> None:
        """Reads one text, unless it was read before."""
        if text in self._known:
            return
        self._known.add(text)
        words = {word for word in english_words(SAME.sub("", text)) if len(word) > 1} - self._words
        if words and not self._is_free(text):
            self.english.setdefault(text, place)

    def _is_free(self, text: str) -> bool:
        """Returns whether a text, or a line of a wrapped one, comes from a help page or a note."""
        part = text.partition("». ")[2] or text.strip(" …")
        is_line = " " in part or part.endswith(".")
        return any(part == whole or (is_line and part in whole) for whole in self._free)


@pytest.fixture(scope="module")
def one_window(
    tmp_path_factory: pytest.TempPathFactory, qapp: object, shared_window: SharedWindow
) -> Iterator[MainWindow]:
    """The window of all tests, in the language of brackets."""
    shared_window.close()
    brackets = Brackets()
    QCoreApplication.installTranslator(brackets)
    with windows(tmp_path_factory.mktemp("settings")) as make:
        yield make(InlineEvaluator)
    QCoreApplication.removeTranslator(brackets)


@pytest.fixture(scope="module")
def painted() -> Iterator[list[str]]:
    """The texts painted since they were last read: a picture of one is painted once for all tests."""
    with pytest.MonkeyPatch.context() as patched:
        yield painted_texts(patched)


@pytest.fixture
def reader(painted: list[str], one_window: MainWindow, user: Driver) -> Iterator[Reader]:
    """A reader of the window as it opens; at the end everything that it has read must be in brackets."""
    found = Reader(user, painted)
    # The widgets that it keeps show names of the graph of another test.
    user.window.parts.panels.inspector._rebuild()
    yield found
    user.window.parts.document.leave()
    found.read("the end", user.canvas)
    assert found.english == {}


def troubled() -> Graph:
    """Returns misfits, NaN, a loss, a StopGradient, whole numbers, truths, an empty tensor, and a muted block."""
    graph = wired(misfits(), "b.y > mm.b")
    graph = with_block(graph, "low", "Input", (0, 600), value=np.array([-1.0, 0.0, 2.0, 3.0, 4.0]))
    graph = with_block(graph, "ln", "Log", (320, 600))
    graph = with_block(graph, "stop", "StopGradient", (600, 600))
    graph = with_block(graph, "loss", "Loss", (900, 600))
    graph = with_block(graph, "whole", "Constant", (0, 800), value=np.array([1, 2, 3], dtype=np.int64))
    graph = with_block(graph, "nothing", "Constant", (0, 1000), value=np.zeros((0, 3)))
    graph = with_block(graph, "free", "Tanh", (320, 800))
    return wired(graph, "low.y > ln.x", "ln.y > stop.x", "stop.y > loss.x", "nothing.y > free.x")


def close_dialogs(user: Driver) -> None:
    for dialog in user.window.findChildren(QDialog):
        dialog.reject()
    user.window.parts.editor.placer.popup.close()
    user.settle()


def read_everything(reader: Reader) -> None:
    """Reads each wire and block with its inspector, card and sentences, and the page with every overlay."""
    user, page, mirror = reader.user, reader.user.page, reader.user.canvas.mirror
    for overlay in Overlay:
        user.canvas.page_look.set_overlay(overlay)
        reader.read(f"overlay {overlay}", user.canvas)
    reader.take("page", page_sentence(mirror))
    for wire in page.wires.values():
        user.session.select(Selection(wires=frozenset([wire])))
        user.trigger("card")
        reader.read(f"wire {wire}", user.window.parts.panels.inspector)
        reader.take("spoken", wire_sentence(mirror, wire))
        reader.take("spoken", port_sentence(mirror, (wire.source, False)))
    for block in page.blocks:
        user.session.select(Selection(frozenset([block])))
        user.trigger("card")
        reader.read(f"block {block}", user.window.parts.panels.inspector)
        reader.take("spoken", block_sentence(mirror, block, user.selection))
    user.session.select(Selection(frozenset(page.blocks)))
    reader.read("several")
    user.session.select(Selection())
    reader.read("page")


@pytest.mark.long
def test_the_welcome_page_is_translated(reader: Reader) -> None:
    reader.read("welcome")


@pytest.mark.long
def test_the_stable_softmax_is_translated_but_for_its_names(reader: Reader) -> None:
    reader.user.window.parts.documents.opening.open_example("softmax_stable")
    reader.user.canvas.viewport.zoom_to(1.5)
    read_everything(reader)


@pytest.mark.long
def test_what_is_wrong_with_a_graph_is_translated(reader: Reader) -> None:
    reader.show(troubled())
    reader.user.session.select(Selection(frozenset(["e"])))
    reader.user.trigger("mute")
    read_everything(reader)
    reader.user.session.runs.set_live(False)
    reader.user.trigger("collapse")
    read_everything(reader)


@pytest.mark.long
def test_every_view_of_a_value_is_translated(reader: Reader) -> None:
    reader.show(annotated())
    reader.user.session.select(Selection(frozenset(["e"])))
    for mode in MODES:
        view = reader.user.window.parts.panels.inspector._view  # the buttons differ from view to view
        assert view is not None
        view.set_mode(mode)
        reader.read(f"value as {mode}")
    reader.user.session.select(Selection(frozenset(["c"])))
    reader.user.trigger("edit_tensor")
    reader.read("tensor")
    close_dialogs(reader.user)


# The last two put their cards on the window.
COMMANDS = ("wires", "settings", "shortcuts", "keyboard_map", "wire_help", "about", "commands", "save_picture", "find",
            "search", "tour", "first_steps")  # fmt: skip


@pytest.mark.long
def test_what_a_command_opens_is_translated(reader: Reader) -> None:
    reader.show(annotated())
    for command in COMMANDS:
        reader.user.trigger(command)
        reader.read(command)
        for place, text in entries_of(reader.user.window.parts.editor.placer.popup):
            reader.take(f"{command}: {place}", text)
        close_dialogs(reader.user)


Deed = Callable[[Driver], object]
EDITS: dict[str, Deed] = {
    "move": lambda user: user.hand.drag(user.points.title("e"), user.points.title("e") + QPointF(64, 32)),
    "resize": lambda user: user.hand.drag(user.points.edge("e"), user.points.edge("e") + QPointF(64, 0)),
    "scrub": lambda user: user.hand.drag(user.points.knob("x", 0, 0.3), user.points.knob("x", 0, 0.8)),
    "connect": lambda user: user.hand.connect(user.points.port("c.y"), user.points.port("t.x")),
    "re-plug": lambda user: user.hand.connect(user.points.port("e.x"), user.points.port("t.x")),
    "drop": lambda user: user.hand.put_block("Log", user.points.empty()),
    "dot": lambda user: user.hand.double_click(user.points.on_wire(user.wire("s.x"))),
    **{
        command: lambda user, command=command: user.trigger(command)
        for command in ("nudge_left", "duplicate", "delete", "dissolve", "disconnect", "mute", "collapse", "add_note",
                        "add_frame", "add_loss", "arrange", "group", "add_page")
    },
}  # fmt: skip


@pytest.mark.long
def test_every_edit_has_a_name_in_the_language(reader: Reader) -> None:
    graph = annotated()
    reader.show(graph)
    for name, deed in EDITS.items():
        reader.user.session.select(Selection(frozenset(["e"])))
        reader.user.settle()
        deed(reader.user)
        reader.know(reader.user.graph)
        done = reader.user.undo_text()
        assert done, name
        reader.take(name, done)
        reader.user.canvas.page_actions.field.close_without_edit()
        reader.user.session.undo()
        assert reader.user.graph is graph, name


@pytest.mark.long
def test_every_refusal_is_in_the_language(reader: Reader) -> None:
    user = reader.user
    reader.show(misfits())
    said = user.listen()
    user.canvas.said.connect(said.append)
    user.hand.connect(user.points.port("two.y"), user.points.port("one.x"))
    user.hand.connect(user.points.port("truth.z"), user.points.port("e.x"))
    user.hand.double_click(user.points.title("e"))
    user.popups.type_inline("two")
    user.session.file.set_read_only(tr("Another Gradwire has {name} open: it is read-only here.", name="17"))
    user.session.select(Selection(frozenset(["e"])))
    user.trigger("mute")
    assert len([sentence for sentence in said if sentence]) >= 4
    for sentence in said:
        reader.take("refused", sentence)


@pytest.mark.long
def test_every_card_of_the_tour_is_translated(reader: Reader) -> None:
    reader.user.trigger("tour")
    for _ in range(8):
        reader.read("tour")
        button = reader.user.window.findChild(QAbstractButton, "tour_next")
        if button is None:
            break
        button.click()


@pytest.mark.long
def test_every_menu_is_translated(reader: Reader) -> None:
    user = reader.user
    reader.show(annotated())
    for target in (
        Target(),
        Target(block="e"),
        Target(note="note"),
        Target(frame="spare"),
        Target(wire=user.wire("e.x")),
    ):
        menu = context_menu(user.window.parts, target)
        for place, text in texts_of(menu):
            reader.take(place, text)
        menu.deleteLater()
    for menu in user.window.bars.top.findChildren(QMenu):
        menu.aboutToShow.emit()
        for place, text in texts_of(menu):
            reader.take(place, text)
