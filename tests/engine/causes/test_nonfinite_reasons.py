"""Sentences about NaN and infinity: all that is said of a graph, and what would keep a block finite."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import block
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.spelling import Spelling
from gradwire.engine.causes.nonfinite_reasons import first_broken, number_text, true_texts
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.graph.graph import Graph
from tests.engine.cause_graphs import Line, x

INF, NAN = np.inf, np.nan
LARGEST = "1.79769e308, the largest number in float64"


def said(graph: Graph) -> list[str]:
    """Returns the warnings of a run, and the sentences about the gradients of its wires, each once."""
    snapshot = run_graph(graph).snapshot
    found = [problem.message for problem in snapshot.problems if problem.code == "nonfinite"]
    births = [item.origin.backward for item in snapshot.wires.values() if item.origin is not None]
    return list(dict.fromkeys([*found, *(birth.sentence for birth in births if birth is not None)]))


def weighted(value: object) -> Line:
    return x([3.0, 1.0], "Variable").source("w", value, "Constant")


SENTENCES: dict[str, tuple[Graph, list[str]]] = {
    "its input": (
        weighted([NAN, 2.0]).then("p", "Multiply", "w.y").loss(),
        [
            'Constant "w" holds NaN at element 0.',
            'Multiply "p" makes the gradient of x NaN at element 0: its input y is NaN there, and 1 × NaN = NaN.',
        ],
    ),
    "its value": (
        x([NAN, 1.0]).then("p", "Exp").loss(),
        [
            'Input "x" holds NaN at element 0.',
            'Exp "p" makes the gradient of x NaN at element 0: its value is NaN there, and 1 × NaN = NaN.',
        ],
    ),
    "its value, of all elements": (
        x([NAN, 1.0]).then("p", "Softmax").loss(),
        [
            'Input "x" holds NaN at element 0.',
            'Softmax "p" makes the gradient of x NaN at element 0: its value is NaN already.',
        ],
    ),
    "its input, of all elements": (
        x([[3.0, 1.0]], "Variable").source("w", [[NAN], [2.0]], "Constant").then("p", "MatMul", "w.y").loss(),
        [
            'Constant "w" holds NaN at element [0, 0].',
            'MatMul "p" makes the gradient of a NaN at element [0, 0]: its input b is NaN already.',
        ],
    ),
    "an infinite factor": (
        weighted([INF, 2.0]).then("p", "Multiply", "w.y").loss(),
        [
            'Constant "w" holds inf at element 0.',
            'Multiply "p" makes the gradient of x inf at element 0: in its derivative 1 × inf = inf.',
        ],
    ),
    "infinity and zero in a rule": (
        x([INF, 1.0]).then("p", "Norm").loss(),
        ['Norm "p" makes the gradient of x NaN at element 0: in its derivative inf × 0 = NaN.'],
    ),
    "infinities of a quotient": (
        x([INF, 1.0]).then("p", "Divide", "x.y").loss(),
        [
            'Divide "p" makes NaN at element 0: inf / inf = NaN.',
            'Divide "p" makes the gradient of y NaN at element 0: in its derivative (-inf) / inf = NaN.',
        ],
    ),
    "a slope that is infinite": (
        x([4.0, 0.0]).then("f", "Rsqrt").loss(),
        [
            'Rsqrt "f" makes inf at element 1: 1 / sqrt(0) = inf.',
            'Rsqrt "f" makes the gradient of x -inf at element 1: the derivative of 1 / sqrt(0) by x is -inf.',
        ],
    ),
    "a slope that meets 0": (
        x([0.0, 1.0]).source("w", [0.0, 1.0], "Constant").then("l", "Log").then("m", "Multiply", "w.y").loss(),
        [
            'Log "l" makes -inf at element 0: log(0) = -inf. '
            'Multiply "m" then makes NaN at element 0: (-inf) × 0 = NaN.',
            "Log \"l\" makes the gradient of x NaN at element 0: log'(0) = inf, and 0 × inf = NaN.",
            'Multiply "m" makes the gradient of y -inf at element 0: in its derivative 1 × (-inf) = -inf.',
        ],
    ),
    "a number beyond the largest argument": (
        x([700.0, 710.0]).then("e", "Exp").loss(),
        [
            'Exp "e" makes inf at element 1: exp(710) = inf, since 710 > 709.78, the largest argument in float64.',
            "Exp \"e\" makes the gradient of x inf at element 1: exp'(710) = inf.",
        ],
    ),
    "terms that are too large": (
        x([1e308, 1e308]).then("l", "Cumsum").loss(),
        [f'Cumsum "l" makes inf at element 1: its terms add up to inf, beyond {LARGEST}.'],
    ),
    "infinite terms": (
        x([INF, -INF]).then("l", "ReduceSum").loss(),
        ['ReduceSum "l" makes NaN: inf and -inf are among its terms.'],
    ),
    "infinite terms of a loss": (x([INF, -INF]).loss(), ['Loss "loss" makes NaN: inf and -inf are among its terms.']),
    "terms of a loss that are too large": (
        x([1e308, 1e308]).loss(), [f'Loss "loss" makes inf: its terms add up to inf, beyond {LARGEST}.'],
    ),
    "only infinities": (
        x([INF, INF]).then("l", "LogSoftmax").loss(),
        [
            'LogSoftmax "l" makes NaN: all its inputs are inf.',
            'LogSoftmax "l" makes the gradient of x NaN at element 0: its value is NaN already.',
        ],
    ),
    "an infinity": (
        x([INF, 1.0]).then("l", "LogSoftmax").loss(),
        [
            'LogSoftmax "l" makes NaN: inf is among its inputs.',
            'LogSoftmax "l" makes the gradient of x NaN at element 0: its value is NaN already.',
        ],
    ),
    "a row of negative ones": (
        x([[1.0, 2.0], [-INF, -INF]]).then("l", "LogSoftmax").loss(),
        [
            'LogSoftmax "l" makes NaN in row 1: all its inputs are -inf.',
            'LogSoftmax "l" makes the gradient of x NaN at element [1, 0]: its value is NaN already.',
        ],
    ),
    "an infinity that another block makes of it": (
        weighted([0.0, 1.0]).on("w.y").then("l", "Log").then("n", "Reciprocal").then("m", "Multiply", "x.y").loss(),
        [
            'Log "l" makes -inf at element 0: log(0) = -inf.',
            'Reciprocal "n" makes inf at element 1: 1 / 0 = inf.',
            'Reciprocal "n" makes the gradient of x -inf at element 1: in its derivative -inf = -inf.',
            'Multiply "m" makes the gradient of y inf at element 1: in its derivative 1 × inf = inf.',
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SENTENCES)
def test_all_that_is_said_has_its_place_and_its_numbers(name: str) -> None:
    graph, sentences = SENTENCES[name]
    assert sorted(said(graph)) == sorted(sentences)


@pytest.mark.parametrize(
    ("kind", "value", "dtype", "number"),
    [
        ("Sqrt", 0, "float64", 1e-8),
        ("Sqrt", 0, "float32", 1e-6),
        ("Sqrt", 0, "float16", 1e-3),
        ("Log", 0, "float64", 1e-8),
        # Half precision cannot hold 1e6, which would be the derivative.
        ("Reciprocal", 0, "float16", None),
        ("Rsqrt", 0, "float16", 1e-3),
        ("Sqrt", -1e-9, "float64", None),
        ("Norm", 0, "float64", None),
    ],
)
def test_a_small_number_mends_a_block_that_breaks_at_0(
    kind: str, value: float, dtype: str, number: float | None
) -> None:
    origin = run_graph(x(np.array([value, value], dtype)).then("f", kind).loss()).snapshot.port("main/x.y").origin
    assert origin is not None and origin.backward is not None
    assert origin.backward.mended_by == number


@pytest.mark.parametrize(
    "spelling", [Spelling("{x} / {size}"), Spelling("np.where({x}, {x}, 1)"), Spelling(), Spelling(lambda x: x)]
)
def test_what_is_no_plain_formula_of_its_inputs_is_written_as_a_call(
    spelling: Spelling, monkeypatch: pytest.MonkeyPatch
) -> None:
    @block("Arithmetic", spelling=spelling, by_element=True)
    def Foreign(x: Array, *, size: float = 0.0) -> Array:
        """The quotient of the tensor and a number."""
        return x / size

    monkeypatch.setitem(library._types, "Foreign", Foreign)
    assert said(x([0.0]).then("f", "Foreign").loss())[0] == 'Foreign "f" makes NaN at element 0: Foreign(0) = NaN.'


@pytest.mark.parametrize(
    ("number", "text"),
    [(0.1, "0.1"), (1e200, "1e200"), (-INF, "-inf"), (NAN, "NaN"), (1 / 3, "0.333333"), (1e-7, "1e-07"), (0.0, "0")],
)
def test_numbers_have_six_digits(number: float, text: str) -> None:
    assert number_text(number) == text


def test_a_statement_gets_the_digits_that_make_it_true() -> None:
    numbers = [1.0, 1.0 + 1e-7]
    assert true_texts(numbers, lambda told: told[0] != told[1]) == ["1", "1.0000001"]
    assert true_texts(numbers, lambda told: bool(told)) == ["1", "1"]
    assert true_texts([1 / 3], lambda told: not told) == ["0.33333333333333331"]


@pytest.mark.parametrize(
    ("array", "index"), [([1.0, NAN, INF], (1,)), ([[1.0, 2.0], [-INF, NAN]], (1, 0)), (NAN, ()), ([INF, NAN], (0,))]
)
def test_the_first_broken_element_is_found(array: object, index: tuple[int, ...]) -> None:
    assert first_broken(np.asarray(array)) == index
