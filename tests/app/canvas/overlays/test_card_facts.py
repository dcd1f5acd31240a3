"""Facts on hover cards, with numbers worked out by hand."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.overlays.cards.card_facts import CardFacts, Row, facts_of
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph, Port, Wire
from tests.app.canvas.pages import EXAMPLE_NAMES, MAIN, chain, example, mirror_of, wired, with_block
from tests.engine.cause_graphs import x

pytestmark = pytest.mark.usefixtures("qapp")


def facts(mirror: Mirror, target: Target) -> CardFacts:
    found = facts_of(mirror, target)
    assert found is not None
    return found


def of_wire(mirror: Mirror, target: str) -> CardFacts:
    return facts(mirror, Target(wire=mirror.session.page.wires[Port(*target.split("."))]))


def of_output(mirror: Mirror, port: str) -> CardFacts:
    return facts(mirror, Target(port=(Port(*port.split(".")), False)))


def cells(found: CardFacts, label: str) -> tuple[str, ...]:
    (row,) = [row for row in found.rows if row.label == label]
    return row.cells


def fork() -> Graph:
    """L = Σ x·x, written as a product of x with itself: x gets 2x, x along each of its two wires."""
    graph = with_block(Graph(), "x", "Input", (0, 0), value=np.array([1.0, -2.0]))
    graph = with_block(graph, "m", "Multiply", (240, 0))
    graph = with_block(graph, "loss", "Loss", (480, 0))
    return wired(graph, "x.y > m.x", "x.y > m.y", "m.z > loss.x")


def test_a_wire_has_its_ends_shape_dtype_value_gradient_and_norm() -> None:
    found = of_wire(mirror_of(chain(1.0, 2.0)), "s.x")
    assert (found.title, found.right) == ("e.y → s.x", "[2] float64")
    assert cells(found, "value") == ("2.718", "7.389")
    assert cells(found, "∂L") == ("+1", "+1")
    assert found.foot == "size 1.414"


def test_a_wire_has_the_local_formula_of_the_block_it_enters() -> None:
    assert "bar x" in of_wire(mirror_of(chain()), "e.x").formula


def test_of_several_inputs_the_formula_is_that_of_the_right_one() -> None:
    mirror = mirror_of(fork())
    assert of_wire(mirror, "m.x").formula.startswith(r"\bar x")
    assert of_wire(mirror, "m.y").formula != of_wire(mirror, "m.x").formula


def test_the_parts_of_a_port_are_signed() -> None:
    found = of_output(mirror_of(fork()), "x.y")
    assert cells(found, "→ m.x") == ("+1", "−2")
    assert cells(found, "∂L total") == ("+2", "−4")


def parts_and_total(found: CardFacts) -> tuple[np.ndarray, np.ndarray]:
    parts = [row.amounts for row in found.rows if row.label.startswith(("→", "inside"))]
    (total,) = [row.amounts for row in found.rows if row.is_total]
    return np.sum(parts, axis=0), np.array(total)


@pytest.mark.parametrize("name", EXAMPLE_NAMES)
def test_the_parts_of_every_port_add_up_to_its_total(name: str) -> None:
    mirror = mirror_of(example(name))
    for wire in mirror.session.page.wires.values():
        parts, total = parts_and_total(of_output(mirror, str(wire.source)))
        np.testing.assert_allclose(parts, total, rtol=1e-12, atol=1e-15)


def test_what_a_gradients_block_sends_back_without_a_wire_is_a_part_too() -> None:
    """∂/∂x of Σ x³ is 3x², and the loss is its sum: x gets 6x, all of it through the Gradients block."""
    graph = with_block(Graph(), "x", "Input", (0, 0), value=np.array([1.0, 2.0]))
    graph = with_block(graph, "p", "Multiply", (200, 0))
    graph = with_block(graph, "q", "Multiply", (400, 0))
    graph = with_block(graph, "s", "ReduceSum", (600, 0))
    graph = with_block(graph, "g", "Gradients", (800, 0))
    graph = with_block(graph, "loss", "Loss", (1000, 0))
    wires = ("x.y > p.x", "x.y > p.y", "p.z > q.x", "x.y > q.y", "q.z > s.x", "s.y > g.y", "x.y > g.xs_0")
    mirror = mirror_of(wired(graph, *wires, "g.g_0 > loss.x"))
    found = of_output(mirror, "x.y")
    assert any(row.label == "inside g" for row in found.rows)
    parts, total = parts_and_total(found)
    np.testing.assert_allclose(parts, total, rtol=1e-12)
    np.testing.assert_allclose(total, [6.0, 12.0], rtol=1e-12)


def test_more_than_four_elements_are_added_up_with_their_sign() -> None:
    mirror = mirror_of(chain(*[0.0] * 20))
    found = of_output(mirror, "x.y")
    assert cells(found, "∂L total") == ("Σ +20",)


def test_a_blocked_wire_says_what_blocks_it() -> None:
    mirror = mirror_of(example("softmax_stable"))
    (wire,) = [wire for wire in mirror.session.page.wires.values() if str(wire.target).startswith("stop.")]
    found = facts(mirror, Target(wire=wire))
    assert cells(found, "∂L") == ("0 blocked",)
    assert any("stop" in sentence for sentence in found.sentences)


def test_an_input_without_a_wire_says_that_nothing_is_connected() -> None:
    mirror = mirror_of(with_block(Graph(), "e", "Exp", (0, 0)))
    found = facts(mirror, Target(port=(Port("e", "x"), True)))
    assert any("Nothing is connected" in sentence for sentence in found.sentences)


def test_a_block_says_what_it_does_and_what_is_wrong() -> None:
    mirror = mirror_of(with_block(Graph(), "e", "Exp", (0, 0)))
    found = facts(mirror, Target(block="e"))
    assert found.title.startswith("Exp")
    assert found.sentences[0] == "The exponential function."
    assert found.formula
    assert len(found.sentences) > 1


def test_names_of_users_stay_as_they_are() -> None:
    graph = edits.set_label(chain(), MAIN, "e", "<b>bold</b>")
    assert "<b>bold</b>" in facts(mirror_of(graph), Target(block="e")).title


def test_what_is_gone_has_no_facts() -> None:
    mirror = mirror_of(chain())
    assert facts_of(mirror, Target(block="nothing")) is None
    assert facts_of(mirror, Target(port=(Port("e", "nothing"), True))) is None
    assert facts_of(mirror, Target()) is None


def test_before_the_first_run_a_wire_says_that_nothing_is_known() -> None:
    mirror = mirror_of(chain())
    mirror.session.runs.results = None
    assert of_wire(mirror, "e.x").sentences == ("This wire is not computed yet.",)


def test_the_text_holds_everything() -> None:
    found = CardFacts("a", "b", foot="size 1", sentences=("Why.",))
    assert dataclasses.replace(found).text == "a b\nsize 1\nWhy."


def test_the_card_of_a_stop_gradient_has_the_warning_that_its_body_has_no_room_for() -> None:
    graph = wired(with_block(chain(), "stop", "StopGradient", (240, 240)), "x.y > stop.x")
    found = facts(mirror_of(graph), Target(block="stop"))
    assert "Nothing uses this StopGradient, so it has no effect." in found.sentences


def test_a_card_has_one_line_on_the_cause_of_zeros_and_one_on_a_tie() -> None:
    zero = mirror_of(x([1.0, 2.0]).then("e", "Exp").then("s", "Sign").loss())
    assert of_wire(zero, "e.x").sentences == ('0 because the gradient rule of Sign "s" is 0.',)
    tied = mirror_of(x([3.0, 3.0, 1.0]).then("m", "ReduceMax").loss())
    expected = ('1 of 3 elements is 0: not selected by ReduceMax "m".', "2 equal maxima share the gradient.")
    assert of_output(tied, "x.y").sentences == of_wire(tied, "m.x").sentences == expected


def test_the_used_loss_explains_its_seed_and_other_blocks_do_not() -> None:
    mirror, seed = mirror_of(fork()), "Seed: backpropagation starts at the loss with ∂L/∂L = 1."
    assert seed in facts(mirror, Target(block="loss")).sentences
    assert seed not in facts(mirror, Target(block="m")).sentences


@pytest.mark.parametrize(
    ("parts", "stacks"),
    [
        ([], ()),
        ([(1.0, 2.0)], ()),
        ([(1.0, 2.0), (3.0, 4.0)], ((1.0, 3.0), (2.0, 4.0))),
        ([(1.0,), (3.0, 4.0)], ()),
        ([(1.0,), (float("nan"),)], ()),
        ([(float("inf"),), (1.0,)], ()),
        ([(1.0,), (2.0,), (-3.0,)], ((1.0, 2.0, -3.0),)),
    ],
)
def test_parts_are_stacked_where_there_are_several_of_one_size(
    parts: list[tuple[float, ...]], stacks: tuple[tuple[float, ...], ...]
) -> None:
    rows = [Row("→", ("?",), amounts=(9.0,) * 2), *(Row("→", ("?",), amounts=item, is_part=True) for item in parts)]
    assert CardFacts("a", "b", tuple(rows)).stacks == stacks


def test_a_card_as_text_has_a_line_for_each_of_its_parts() -> None:
    rows = (Row("value", ("1", "2")), Row("∂L", ("0 blocked",)))
    found = CardFacts("x", "[2] float64", rows, r"\bar x", "size 1", ("One.", "Two."))
    assert found.text == "x [2] float64\nvalue 1 2\n∂L 0 blocked\nsize 1\nOne.\nTwo."
    assert CardFacts("x", "", sentences=("One.",)).text == "x \nOne."


def test_a_card_of_what_is_gone_has_no_facts() -> None:
    mirror = mirror_of(chain(1.0))
    gone = Port("gone", "y")
    for target in (
        Target(),
        Target(block="gone"),
        Target(port=(gone, False)),
        Target(port=(Port("e", "y"), True)),
        Target(wire=Wire(gone, Port("e", "x"))),
    ):
        assert facts_of(mirror, target) is None
    assert facts_of(mirror, Target(block="e")) is not None


@pytest.mark.parametrize(
    ("count", "cells_of", "has_range"),
    [(1, 1, False), (4, 4, False), (5, 1, False), (8, 1, False), (9, 1, True)],
)
def test_up_to_four_numbers_have_cells_and_up_to_eight_are_listed(count: int, cells_of: int, has_range: bool) -> None:
    mirror = mirror_of(chain(*np.arange(1.0, count + 1)))
    found = of_output(mirror, "x.y")
    assert len(cells(found, "value")) == cells_of == len(cells(found, "∂L total"))
    assert ("range" in [row.label for row in found.rows]) is has_range
    if has_range:
        assert cells(found, "range") == ("1 … 9",)
        assert cells(found, "∂L total")[0].startswith("Σ +")
    elif cells_of == 1 and count > 1:
        (total,) = cells(found, "∂L total")
        assert "   Σ +" in total and not total.startswith("Σ")
    (row,) = [row for row in found.rows if row.is_total]
    assert len(row.amounts) == (count if count <= 4 else 1)


@pytest.mark.parametrize(
    ("kind", "port", "sentence"),
    [
        ("Exp", "x", "Nothing is connected."),
        ("Loss", "weights", "Nothing is connected; it may stay so."),
        ("Loss", "x", "Nothing is connected."),
    ],
)
def test_a_free_input_says_whether_it_may_stay_so(kind: str, port: str, sentence: str) -> None:
    mirror = mirror_of(with_block(Graph(), "k", kind, (0, 0)))
    found = facts(mirror, Target(port=(Port("k", port), True)))
    assert (found.title, found.right, found.sentences[0]) == (f"k.{port}", "input", sentence)
    assert found.sentences[1].startswith("Accepts ")
