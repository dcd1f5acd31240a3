"""Bounds of programs on both sides, and what of a text is a program."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw
from gradwire.interop.code import machine
from gradwire.interop.code.from_code import read_code
from gradwire.interop.code.refusals import CodeRefusal
from gradwire.interop.code.source_text import LONGEST, is_program, parsed, program
from tests.interop.code.test_lines_of_programs import HEADS, X, y_of


def test_a_list_may_have_as_many_items_as_its_bound() -> None:
    text = "a = [0.0] * 9999\na.extend([1.0])\ny = x * len(a)"
    np.testing.assert_allclose(y_of("np", text), 10_000 * X)


def test_a_number_inside_of_a_rule_is_no_input_of_the_page() -> None:
    text = "@tf.custom_gradient\ndef f(a):\n    k = 3.0\n    return a * k, lambda g: g * k\ny = f(x)"
    graph = gw.from_code(HEADS["tf"] + text)
    inner = [block for page in graph.pages[1:] for block in page.blocks.values()]
    assert {block.type for block in inner} == {"PageInput", "Multiply", "Constant", "PageOutput"}
    assert not any(block.type == "Input" and block.id == "k" for page in graph.pages for block in page.blocks.values())


def test_steps_and_blocks_of_a_program_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "x = np.ones(3)\ny = np.exp(x)\nz = np.sin(y)"
    for name, said in (("MOST_STEPS", "takes too many steps"), ("MOST_BLOCKS", "the program needs more than")):
        least = next(count for count in range(100) if not _is_refused(monkeypatch, name, count, text))
        assert least > 0
        monkeypatch.setattr(machine, name, least - 1)
        with pytest.raises(CodeRefusal, match=said):
            read_code(text)
        monkeypatch.undo()
    # One block for each of the two functions.
    assert not _is_refused(monkeypatch, "MOST_BLOCKS", 2, text) and _is_refused(monkeypatch, "MOST_BLOCKS", 1, text)


def _is_refused(monkeypatch: pytest.MonkeyPatch, name: str, count: int, text: str) -> bool:
    with monkeypatch.context() as inner:
        inner.setattr(machine, name, count)
        try:
            read_code(text)
        except CodeRefusal:
            return True
    return False


def test_a_mistake_is_shown_by_its_line_which_is_cut_at_40_letters() -> None:
    with pytest.raises(CodeRefusal) as found:
        parsed("x = 1\ny = (\nz = 3 +* 4\nw = 5")
    assert str(found.value).startswith("line ") and found.value.line in (2, 3)
    long = "y = 3 +* 4" + " + 1" * 40
    with pytest.raises(CodeRefusal) as found:
        parsed(f"x = 1\n{long}\nz = 2")
    assert found.value.line == 2 and f'"{long[:40]}" is no formula' in str(found.value)


def test_a_text_may_be_as_long_as_its_bound() -> None:
    whole = "x = 1" + " " * (LONGEST - 5)
    assert len(parsed(whole).body) == 1 and is_program(whole)
    with pytest.raises(CodeRefusal, match="the text is longer than"):
        parsed(whole + " ")
    assert not is_program(whole + " ")


def test_an_exported_program_ends_where_it_compares_and_its_gradients_begin() -> None:
    text = "x = 1\ny = x  # for the gradient a constant\n# Backward\ng = 2\n# What Gradwire found.\nz = 3\n"
    found = program(text)
    assert (found.is_exported, found.stopped_lines, found.backward_line) == (True, {2}, 3)
    assert len(found.tree.body) == 2
    # A library is asked for the gradients: these lines are read.
    asked = program(text.replace("g = 2", "g = tape.gradient(y, x)"))
    assert asked.backward_line is None and len(asked.tree.body) == 3
    plain = program("x = 1\ny = x  # for the gradient a constant\n")
    assert (plain.is_exported, plain.stopped_lines, plain.backward_line) == (False, frozenset(), None)


@pytest.mark.parametrize(
    ("text", "is_one"),
    [("1 2 3", False), ("[1, 2]", False), ("x", False), ("x + 1", True), ("f(x)", True), ("x = 1", True),
     ("x = = 1\ny = 2", True), ("hello there", False), ("-1 + 2", False), ("def f(a):\n  return a", True)],
)  # fmt: skip
def test_a_program_computes_with_names(text: str, is_one: bool) -> None:
    assert is_program(text) is is_one
