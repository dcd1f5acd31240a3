"""Spoken sentences of a page: those of the design, and one for every status."""

from __future__ import annotations

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.access.sentences import (
    block_sentence,
    frame_sentence,
    note_sentence,
    page_sentence,
    port_sentence,
    setting_words,
    shape_words,
    value_words,
    wire_sentence,
)
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.input.arrow_navigation import Socket
from gradwire.app.features.wires.wire_rows import row_of
from gradwire.app.live.readings.readings import reading_of
from gradwire.app.live.session import Selection
from gradwire.engine.edits import annotations, edits
from gradwire.engine.graph.graph import Graph, Port
from tests.app.canvas.pages import EXAMPLE_NAMES, MAIN, chain, example, mirror_of, wired, with_block
from tests.engine.cause_graphs import x

pytestmark = pytest.mark.usefixtures("qapp")


def design() -> Graph:
    """The softmax of the design: x = [1, 2, 3, 3], its maximum behind a StopGradient, d = x - m."""
    graph = with_block(Graph(), "x", "Input", (0, 0), value=np.array([1.0, 2.0, 3.0, 3.0]))
    graph = with_block(graph, "ReduceMax", "ReduceMax", (240, 0))
    graph = with_block(graph, "StopGradient", "StopGradient", (480, 0))
    graph = with_block(graph, "d", "Subtract", (720, 0))
    graph = with_block(graph, "Loss", "Loss", (960, 0))
    return wired(
        graph, "x.y > ReduceMax.x", "ReduceMax.y > StopGradient.x", "x.y > d.x", "StopGradient.y > d.y", "d.z > Loss.x"
    )


def wire_of(mirror: Mirror, target: str) -> str:
    return wire_sentence(mirror, mirror.session.page.wires[Port(*target.split("."))])


def test_a_block_says_what_the_design_says() -> None:
    sentence = block_sentence(mirror_of(design()), "d", Selection(frozenset(["d"])))
    assert sentence == "Subtract d, math, 2 inputs, 1 output, selected"


def test_a_wire_says_what_the_design_says() -> None:
    assert wire_of(mirror_of(design()), "ReduceMax.x") == (
        "Wire from x to ReduceMax x: value 1, 2, 3, 3; gradient 0, blocked by StopGradient"
    )


def test_a_block_that_is_not_selected_does_not_say_so() -> None:
    assert block_sentence(mirror_of(design()), "d", Selection()) == "Subtract d, math, 2 inputs, 1 output"


def test_a_muted_and_collapsed_block_says_so() -> None:
    graph = edits.set_collapsed(edits.set_muted(chain(), MAIN, ["e"], True), MAIN, ["e"], True)
    assert block_sentence(mirror_of(graph), "e", Selection()).endswith("1 output, muted, collapsed")


def test_a_block_says_what_is_wrong_with_it() -> None:
    mirror = mirror_of(with_block(Graph(), "e", "Exp", (0, 0)))
    assert mirror.problems["e"][0].message in block_sentence(mirror, "e", Selection())


def test_a_page_says_its_size() -> None:
    assert page_sentence(mirror_of(chain())) == "Page main, 4 blocks, 3 wires"


def test_a_port_says_its_side_shape_wires_and_the_sum_of_their_gradients() -> None:
    mirror = mirror_of(design())
    # d = x - max(x) behind a stop: every element of x counts once, and the maximum adds nothing.
    assert port_sentence(mirror, Socket(Port("x", "y"), False)) == (
        "Output y of x, 4, float64, 2 wires, sum over its wires: gradient 1, 1, 1, 1"
    )
    assert port_sentence(mirror, Socket(Port("d", "y"), True)) == (
        "Input y of Subtract d, scalar, float64, from StopGradient"
    )


def test_a_free_port_says_so() -> None:
    mirror = mirror_of(with_block(Graph(), "Exp", "Exp", (0, 0)))
    assert port_sentence(mirror, Socket(Port("Exp", "x"), True)) == "Input x of Exp, shape not known, free"


def test_a_large_value_is_said_by_shape_and_range() -> None:
    graph = with_block(Graph(), "x", "Input", (0, 0), value=np.arange(12.0).reshape(3, 4))
    graph = wired(with_block(graph, "e", "Negative", (240, 0)), "x.y > e.x")
    assert "value 3 by 4, from 0 to 11; no path to the loss" in wire_of(mirror_of(graph), "e.x")


def test_a_wire_of_nan_says_how_many() -> None:
    assert "NaN" in wire_of(mirror_of(chain(float("nan"), 1.0)), "e.x")


def test_a_flowing_gradient_is_said_in_numbers() -> None:
    assert wire_of(mirror_of(chain(0.0, 0.0)), "s.x") == "Wire from Exp e to ReduceSum s x: value 1, 1; gradient 1, 1"


@pytest.mark.parametrize("name", EXAMPLE_NAMES)
def test_every_block_port_and_wire_of_every_example_has_a_sentence_of_its_own(name: str) -> None:
    mirror = mirror_of(example(name))
    blocks = [block_sentence(mirror, block, Selection()) for block in mirror.ids if mirror.blocks[0].type != "Reroute"]
    wires = [wire_sentence(mirror, wire) for wire in mirror.wires]
    assert all(blocks) and all(wires)
    assert len(set(wires)) == len(wires)
    assert not [text for text in (*blocks, *wires) if "{" in text]


def test_a_zero_is_said_with_its_cause_and_a_tie_with_its_number() -> None:
    zero = mirror_of(x([1.0, 2.0]).then("e", "Exp").then("s", "Sign").loss())
    assert wire_of(zero, "e.x").endswith("gradient 0, 0, the gradient rule of Sign s is 0")
    tied = mirror_of(x([3.0, 3.0, 1.0]).then("m", "ReduceMax").loss())
    told = "1 of 3: not selected by ReduceMax m, 2 equal elements at ReduceMax m"
    assert wire_of(tied, "m.x").endswith(told)
    (wire,) = [item for item in tied.wires if str(item.target) == "m.x"]
    assert row_of(tied, wire).status == f"gradient is not zero, {told}"


def test_a_loss_says_its_value() -> None:
    # 1 + 2 + 3 + 3 - 4 * 3 = -3
    assert block_sentence(mirror_of(design()), "Loss", Selection()).endswith("1 output, value −3")


def test_a_wire_says_both_gradients_where_stops_are_compared(qtbot: QtBot) -> None:
    mirror = mirror_of(design())
    mirror.session.runs.set_ignores_stops(True)
    # Less than a frame after the first run, the second waits for its turn.
    qtbot.waitUntil(lambda: not mirror.session.runs.scheduler.is_busy)
    # Without the stop the maximum, which two elements share, loses 1 for each of the four differences.
    assert wire_of(mirror, "StopGradient.x").endswith(
        "gradient 0, blocked by StopGradient; without StopGradient gradient −4"
    )
    assert "without" not in wire_of(mirror, "Loss.x")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (2.0, "2"),
        (np.arange(8.0), "0, 1, 2, 3, 4, 5, 6, 7"),
        (np.arange(9.0), "9, from 0 to 8"),
        (np.arange(12.0).reshape(2, 6), "2 by 6, from 0 to 11"),
        (np.array([True, False]), "true, false"),
        (np.array([True] * 9), "9, from 1 to 1"),
        (np.array([np.nan] * 2 + [np.inf] * 3 + [1.0] * 4), "9, NaN in 2 of 9"),
        (np.array([np.inf] * 3 + [1.0] * 6), "9, Inf in 3 of 9"),
    ],
)
def test_a_value_is_said_by_its_elements_or_by_shape_and_range(value: object, words: str) -> None:
    assert value_words(reading_of(np.asarray(value))) == words


def test_what_is_not_known_is_said_so() -> None:
    assert value_words(None) == "not known"
    assert [shape_words(shape) for shape in ((), (4,), (32, 8), (2, 3, 4))] == ["scalar", "4", "32 by 8", "2 by 3 by 4"]


def test_choices_slices_frames_and_notes_are_said() -> None:
    graph = with_block(Graph(), "t", "Constant", (0, 0), value=np.ones((3, 2, 2)))
    graph = wired(with_block(graph, "c", "Cast", (300, 0), dtype="float32"), "t.y > c.x")
    graph, frame = annotations.add_frame(graph, MAIN, "Title", ["t", "c"])
    graph, note = annotations.add_note(graph, MAIN, "one\ntwo", (0, 500))
    mirror = mirror_of(graph)
    assert list(setting_words(mirror, "t")) == ["slice [0]"]
    assert list(setting_words(mirror, "c")) == ["dtype float32", "slice [0]"]
    assert frame_sentence(mirror, frame) == "Frame Title, 2 blocks"
    assert note_sentence(mirror, note) == "Note: one two"
    assert page_sentence(mirror_of(Graph())) == "Page main, 0 blocks, 0 wires"
    assert page_sentence(mirror_of(with_block(Graph(), "e", "Exp", (0, 0)))) == "Page main, 1 block, 0 wires"


def test_a_free_number_of_an_input_is_not_counted() -> None:
    graph = with_block(Graph(), "c", "Constant", (0, 0), value=np.ones(2))
    graph = wired(with_block(graph, "n", "AddN", (300, 0)), "c.y > n.values_0")
    assert block_sentence(mirror_of(graph), "n", Selection()).startswith("AddN n, math, 1 input, 1 output")
    assert block_sentence(mirror_of(graph), "c", Selection()) == "c, source, 1 output"


def test_a_port_with_one_wire_has_no_sum() -> None:
    mirror = mirror_of(chain(1.0, 2.0))
    assert (
        port_sentence(mirror, Socket(Port("e", "y"), False)) == "Output y of Exp e, 2, float64, 1 wire, gradient 1, 1"
    )
    assert port_sentence(mirror, Socket(Port("e", "none"), False)) == "Output none of Exp e"
