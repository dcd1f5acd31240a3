"""Lines of exported programs: which blocks have one of their own, and what stands inside the lines of others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.base.errors import ExportError
from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.blocktypes.expression import Expression, constant, topological_order
from gradwire.engine.blocktypes.primitives import Identity
from gradwire.engine.blocktypes.spelling import Spelling
from gradwire.engine.export.export import TARGETS, export
from gradwire.engine.export.program_lines import Lines
from gradwire.engine.export.program_text import FreeNames

PAIR = TensorSpec((2,), np.dtype(float))


class Written:
    """Lines for a target, and the names that two given tensors have in them."""

    def __init__(self, target: str = "numpy", spec: TensorSpec = PAIR) -> None:
        self.lines = Lines(TARGETS[target], FreeNames())
        self.x, self.y = self.lines.hold(spec, "x"), self.lines.hold(spec, "y")

    def of(self, *kept: Expression, **wanted: Expression) -> list[str]:
        """Writes some outputs; returns their lines, and behind these the texts of what is kept."""
        order = topological_order([*kept, *wanted.values()], {self.x.application, self.y.application})
        self.lines.write(order, {item: name for name, item in wanted.items()}, kept)
        return [*self.lines.take_lines(), *(self.lines.texts[item] for item in kept)]


def apply(name: str, *inputs: Expression | None, **parameters: Any) -> Expression:
    (found,) = all_of(name, *inputs, **parameters)
    return found


def all_of(name: str, *inputs: Expression | None, **parameters: Any) -> Sequence[Expression]:
    found = getattr(gw, name)(*inputs, **parameters)
    return found if isinstance(found, Sequence) else [found]


def test_what_is_used_once_stands_inside_the_line_that_uses_it() -> None:
    written = Written()
    assert written.of(apply("Sin", apply("Exp", written.x))) == ["np.sin(np.exp(x))"]
    assert written.lines.take_lines() == []


def test_what_is_used_twice_has_a_line() -> None:
    written = Written()
    e = apply("Exp", written.x)
    assert written.of(e * e) == ["part = np.exp(x)", "part * part"]
    twice = Written()
    e = apply("Exp", twice.x)
    assert twice.of(e, apply("Sin", e)) == ["part = np.exp(x)", "part", "np.sin(part)"]


def test_what_is_wanted_has_a_line_by_its_name() -> None:
    written = Written()
    e = apply("Exp", written.x)
    assert written.of(e=e, s=apply("Sin", e)) == ["e = np.exp(x)", "s = np.sin(e)"]
    # A name that has been taken already goes to none but the expression that it was taken for.
    given = Written()
    e, name = apply("Exp", given.x), given.lines.names.take("e")
    given.lines.write([e.application], {e: "e"}, (), given={e: name})
    assert given.lines.take_lines() == ["e = np.exp(x)"]


def nested(count: int) -> str:
    return "np.sin(" * count + "x" + ")" * count


def test_a_text_of_more_than_100_letters_has_a_line() -> None:
    # Each sine adds eight letters to the one of x, so twelve make 97.
    for count, lines in ((12, [nested(12)]), (13, [f"part = {nested(13)}", "part"])):
        written = Written()
        found = written.x
        for _ in range(count):
            found = apply("Sin", found)
        assert written.of(found) == lines


def test_operands_stand_in_brackets_among_signs_and_without_between_commas() -> None:
    written = Written()
    x, y = written.x, written.y
    assert written.of((x + y) * apply("Atan2", x + y, -y)) == ["(x + y) * np.arctan2(x + y, -y)"]


def test_a_plain_number_stands_beside_a_tensor_and_as_an_array_where_there_is_none() -> None:
    written = Written()
    two, three = constant(2.0), constant(3.0)
    assert written.of(written.x * two) == ["x * 2.0"]
    assert written.of(two + three) == ["np.array(2.0) + np.array(3.0)"]
    assert written.of(constant(np.array([1.0, 3.0])) + two) == ["np.array([1.0, 3.0]) + 2.0"]
    assert written.of(apply("Atan2", written.x, two)) == ["np.arctan2(x, np.array(2.0))"]


def test_a_number_used_twice_has_no_line_but_an_array_has() -> None:
    two, pair = constant(2.0), constant(np.array([1.0, 2.0]))
    written = Written()
    assert written.of((written.x * two) - two) == ["(x * 2.0) - 2.0"]
    assert written.of((written.x * pair) - pair) == ["constant = np.array([1.0, 2.0])", "(x * constant) - constant"]
    once = Written()
    assert once.of(once.x * pair) == ["x * np.array([1.0, 2.0])"]


def test_a_long_array_has_a_line_though_it_is_used_once() -> None:
    row = constant(np.arange(40.0))
    written = Written(spec=TensorSpec((40,), np.dtype(float)))
    line, text = written.of(written.x * row)
    assert line.startswith("constant = np.array([0.0, 1.0, ") and text == "x * constant"


def test_a_constant_that_is_wanted_has_its_name() -> None:
    assert Written().of(c=constant(2.0)) == ["c = np.array(2.0)"]
    assert Written("torch").of(c=constant(2.0)) == ["c = torch.tensor(np.array(2.0))"]


def test_what_passes_a_tensor_on_has_a_line_only_where_it_is_wanted_or_saves_one() -> None:
    written = Written()
    passed = Identity(written.x)
    assert written.of(passed) == ["x"]
    assert Written.of(written, passed * passed) == ["x * x"]
    named = Written()
    assert named.of(y=Identity(named.x)) == ["y_2 = x"]
    shared = Written()
    passed = Identity(apply("Exp", shared.x))
    assert shared.of(passed * passed) == ["part = np.exp(x)", "part * part"]
    once = Written()
    assert once.of(apply("Sin", Identity(apply("Exp", once.x)))) == ["np.sin(np.exp(x))"]


def test_a_stop_has_a_line_and_says_so() -> None:
    written = Written()
    stopped = apply("StopGradient", written.x)
    assert written.of(stopped + 1.0) == ["part = x  # for the gradient a constant", "part + 1.0"]


def test_several_outputs_are_assigned_together() -> None:
    written = Written()
    assert written.of(*all_of("Unstack", written.x)) == ["part, part_2 = np.moveaxis(x, 0, 0)", "part", "part_2"]
    single = Written(spec=TensorSpec((1,), np.dtype(float)))
    (only,) = all_of("Unstack", single.x)
    assert single.of(a=only) == ["a, = np.moveaxis(x, 0, 0)"]


def test_an_expression_inside_others_gets_a_line_when_it_is_asked_for_its_name() -> None:
    written = Written()
    e = apply("Exp", written.x)
    written.of(e)
    assert written.lines.name(e, "e") == "e" == written.lines.name(e, "other")
    assert written.lines.take_lines() == ["e = np.exp(x)"]


def test_functions_beside_the_program_receive_parameters_that_are_not_the_usual_ones() -> None:
    written = Written()
    usual, other = all_of("TopK", written.x, k=1), all_of("TopK", written.x, k=2)
    assert written.of(usual[0], other[0])[:2] == ["part, part_2 = top_k(x)", "part_3, part_4 = top_k(x, k=2)"]


def test_an_input_without_a_wire_is_none_in_a_call() -> None:
    written = Written()
    application = apply("Exp", written.x).application
    assert written.lines.function_call(application, [None, "x"]) == "exp(None, x)"


@pytest.mark.parametrize(
    ("target", "name", "text"),
    [
        ("jax", "Floor", "jnp.floor(jax.lax.stop_gradient(jnp.sin(x)))"),
        ("jax", "Exp", "jnp.exp(jnp.sin(x))"),
        ("jax", "IsNan", "jnp.isnan(jnp.sin(x))"),
        ("numpy", "Floor", "np.floor(np.sin(x))"),
    ],
)
def test_a_library_sends_no_zeros_through_what_has_no_gradient(target: str, name: str, text: str) -> None:
    written = Written(target)
    assert written.of(apply(name, apply("Sin", written.x))) == [text]


def test_what_is_a_constant_already_is_not_made_one() -> None:
    written = Written("jax")
    assert written.of(apply("Floor", constant(1.5))) == ["jnp.floor(jnp.array(np.array(1.5)))"]
    stopped = apply("StopGradient", written.x)
    assert written.of(apply("Floor", stopped))[-1] == "jnp.floor(part)"


def test_a_block_has_the_remark_of_its_library_and_the_first_sum_that_on_zeros() -> None:
    x = gw.Variable(np.array([[3.0, 4.0]]), name="x")
    graph = gw.graph(gw.Loss(gw.Norm(x, name="n") + gw.ReduceSum(gw.MatMul(gw.Transpose(x), x, name="m")), name="L"))
    zeros = "here and below a zero that is a sum may have the other sign"
    lines = [line.strip().partition("  # ") for line in export(graph, "jax").splitlines()]
    remarks = {line.partition(" = ")[0]: remark for line, _, remark in lines if remark and " = " in line}
    note = "of zeros the gradient is NaN, in Gradwire 0 if the incoming gradient is 0"
    assert remarks in ({"n": note, "m": zeros}, {"n": f"{note}; {zeros}"})


def test_a_line_of_a_plug_in_that_is_no_python_is_a_fault_of_the_plug_in(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = gw.graph(gw.Loss(gw.Exp(gw.Variable(1.0, name="x"), name="e"), name="L"))
    monkeypatch.setattr(gw.Exp, "spelling", Spelling("np.exp({x}"))
    monkeypatch.setattr(gw.Exp, "plugin", "clouds")
    with pytest.raises(ExportError, match=r"main/e: Its line cannot be written"):
        export(graph, "numpy")
