"""Answers to console lines: Python's own words, and nothing that could change the graph."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from gradwire.app.features.console.console_line import (
    OUTPUT_LETTERS,
    OUTPUT_LINES,
    ConsoleAnswer,
    ConsoleLine,
    Namespace,
)
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.graph.graph import Block, Graph
from tests.engine.edit_sequences import source
from tests.recorded import make_graph


def squared() -> Graph:
    """Returns loss = sum of x * x at x = 2, with a list among the unknown keys."""
    blocks = [source("x"), Block("m", "Multiply", extra={"notes": [1, {"a": 2}]}), Block("loss", "Loss")]
    return make_graph(blocks, [("x.y", "m.x"), ("x.y", "m.y"), ("m.z", "loss.x")])


@pytest.fixture(scope="module")
def run() -> Evaluation:
    return run_graph(squared())


@pytest.fixture
def names() -> Namespace:
    return Namespace()


def said(names: Namespace, text: str, run: Evaluation | None, hidden: str = "") -> str:
    answer = names.answer(ConsoleLine(1, text, hidden), run)
    assert not answer.error, answer
    return answer.output


def failed(names: Namespace, text: str, run: Evaluation | None, hidden: str = "") -> ConsoleAnswer:
    answer = names.answer(ConsoleLine(1, text, hidden), run)
    assert answer.error
    return answer


@pytest.mark.parametrize(
    ("text", "output"),
    [
        ("1 + 1", "2"),
        ("'a'", "'a'"),
        ("None", ""),
        ("a = 1", ""),
        ("a = 1; a + 1", "2"),
        ("print('x'); 3", "x\n3"),
        ("for i in range(2): print(i)", "0\n1"),
        ("# nothing", ""),
        ("np.array([1.5, 2])", "array([1.5, 2. ])"),
        ('value("main/x.y")', "array(2.)"),
        ('value("main/m.z")', "array(4.)"),
        ('value("main/m.x")', "array(2.)"),
        ('grad("main/x.y")', "array(4.)"),
        ('grad("main/x.y", "main/m.x")', "array(2.)"),
        ('grad("main/m.x")', "array(2.)"),
        ("len(graph.page('main').blocks)", "3"),
        ("graph.page('main').blocks['m'].type", "'Multiply'"),
    ],
)
def test_the_answer_is_what_python_writes(names: Namespace, run: Evaluation, text: str, output: str) -> None:
    assert said(names, text, run) == output


def test_names_are_kept_from_line_to_line_and_from_run_to_run(names: Namespace, run: Evaluation) -> None:
    said(names, "a = 3", run)
    said(names, "f = lambda: float(value('main/x.y')) * a", run)
    assert said(names, "f()", run_graph(squared())) == "6.0"
    said(names, "graph = 1", run)
    assert said(names, "graph", run_graph(squared())) == "1"
    assert said(names, "del graph; type(graph).__name__", run) == "'Graph'"
    assert said(names, "2 + 3", run) == "5" and said(names, "_ * 2", run) == "10"


def test_an_older_run_is_not_kept(names: Namespace) -> None:
    older = run_graph(squared())
    newer = run_graph(make_graph([dataclasses.replace(source("x"), parameters={"value": np.array(5.0)})], []))
    said(names, "f = value", older)
    assert said(names, "f('main/x.y')", newer) == "array(5.)"


@pytest.mark.parametrize(
    ("text", "error", "message", "column"),
    [
        ("1 / 0", "ZeroDivisionError", "division by zero", 0),
        ("{}['a']", "KeyError", "'a'", 0),
        ("np.sin(", "SyntaxError", "'(' was never closed", 7),
        ("x = = 1", "SyntaxError", "invalid syntax", 5),
        ("raise ValueError('a\\nb')", "ValueError", "a b", 0),
        ("eval('1 +')", "SyntaxError", "invalid syntax", 0),
        ("raise SystemExit(3)", "SystemExit", "3", 0),
        ("raise type('E', (Exception,), {'__str__': lambda self: 1 / 0})", "E", "", 0),
        ('value("main/y.y")', "NameUnknownError",
         'There is no port "main/y.y" in this run; the nearest name is "main/x.y".', 0),
        ('grad("main/x.y", "main/loss.x")', "NameUnknownError",
         'There is no wire from "main/x.y" to "main/loss.x" in this run.', 0),
    ],
)  # fmt: skip
def test_an_error_is_its_type_and_its_message(
    names: Namespace, run: Evaluation, text: str, error: str, message: str, column: int
) -> None:
    answer = failed(names, text, run)
    assert (answer.error, answer.message, answer.column) == (error, message, column)


@pytest.mark.parametrize(
    "text",
    [
        "graph.loss = 'main/x'",
        "graph.pages[0].blocks['a'] = 1",
        "graph.page('main').blocks['x'].parameters['value'] = 1",
        "graph.page('main').blocks['x'].parameters['value'][...] = 1",
        "graph.page('main').wires.clear()",
        "graph.page('main').blocks['m'].extra['notes'][1]['a'] = 1",
        "del graph.page('main').blocks['x']",
    ],
)
def test_nothing_in_the_graph_can_be_written_to(names: Namespace, run: Evaluation, text: str) -> None:
    assert failed(names, text, run).error in ("TypeError", "ValueError", "AttributeError", "FrozenInstanceError")
    assert run.graph == squared()


def test_tensors_are_copies(names: Namespace, run: Evaluation) -> None:
    said(names, "a = value('main/x.y'); a[...] = 7; b = grad('main/x.y'); b[...] = 7", run)
    assert said(names, "float(a), float(value('main/x.y')), float(grad('main/x.y'))", run) == "(7.0, 2.0, 4.0)"


def test_what_is_done_to_numpy_stays_in_the_console(names: Namespace, run: Evaluation) -> None:
    said(names, "np.pi = 3; np.exp = np.log", run)
    said(names, "np.seterr(all='raise')", run)
    assert np.pi > 3.14 and np.exp(0.0) == 1 and np.geterr()["divide"] != "raise"


def test_a_warning_of_numpy_is_a_line_of_the_answer(names: Namespace, run: Evaluation) -> None:
    assert said(names, "np.log(0.0)", run) == "np.float64(-inf)\nRuntimeWarning: divide by zero encountered in log"


def test_long_output_is_cut(names: Namespace, run: Evaluation) -> None:
    answer = names.answer(ConsoleLine(1, "print('a' * 30000)"), run)
    assert (len(answer.output), answer.more) == (OUTPUT_LETTERS, 30001 - OUTPUT_LETTERS)
    answer = names.answer(ConsoleLine(1, "for i in range(1000): print(i)"), run)
    assert len(answer.output.splitlines()) == OUTPUT_LINES and answer.more > 0


def test_hidden_gradients_are_not_told(names: Namespace, run: Evaluation) -> None:
    assert failed(names, "grad('main/x.y')", run, "It is hidden.").message == "It is hidden."
    assert said(names, "value('main/x.y')", run, "It is hidden.") == "array(2.)"
    assert said(names, "grad('main/x.y')", run) == "array(4.)"


def test_before_a_run_python_answers_and_tensors_are_unknown(names: Namespace) -> None:
    assert said(names, "1 + 1", None) == "2"
    assert failed(names, "value('main/x.y')", None).message == "Nothing has been computed yet."


def test_a_value_that_an_error_hides_is_said_to_be_missing(names: Namespace) -> None:
    broken = run_graph(make_graph([Block("e", "Exp"), Block("loss", "Loss")], [("e.y", "loss.x")]))
    assert failed(names, "value('main/e.y')", broken).message.startswith('"main/e.y" has no value')
    assert failed(names, "grad('main/e.y')", broken).message == '"main/e.y" has no gradient in this run.'
