"""Answers to the questions of step mode: outlines without arrays, and the numbers of one step."""

from __future__ import annotations

import pytest

from gradwire.app.features.steps.step_questions import StepQuestion, StepsQuestion
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.explain.back_steps import back_steps
from tests.gallery import example


@pytest.fixture(scope="module")
def run() -> Evaluation:
    return run_graph(example("softmax_stable"))


@pytest.mark.parametrize(("is_forward", "count"), [(False, 8), (True, 9)])
def test_only_steps_that_are_there_have_numbers(run: Evaluation, is_forward: bool, count: int) -> None:
    found = [StepQuestion(is_forward, number).answer(run) for number in (-1, 0, 1, count, count + 1)]
    assert [answer is not None for answer in found] == [False, False, True, True, False]


def test_an_outline_has_both_ways_and_no_arrays(run: Evaluation) -> None:
    outline = StepsQuestion().answer(run)
    assert outline.forward == tuple(f"main/{name}" for name in ("w", "x", "m", "stop", "z", "e", "s", "p", "loss"))
    assert [step.path for step in outline.backward] == [step.path for step in back_steps(run)]
    for step in outline.backward:
        assert all(part.gradient is part.withheld is None for part in step.parts)
        assert all(port.value is port.gradient is None and port.inner == () for port in step.arrives.values())


def test_each_step_asks_about_the_next_one_and_has_its_parts(run: Evaluation) -> None:
    steps = back_steps(run)
    for step in steps:
        answer = StepQuestion(False, step.number).answer(run)
        assert answer is not None and [item.part.link for item in answer.sent] == [part.link for part in step.parts]
        assert answer.arrives.keys() == {name for name, port in step.arrives.items() if port.gradient is not None}
        for item, part in zip(answer.sent, step.parts, strict=True):
            assert (item.gradient is None) is (part.gradient is None)
            assert (item.withheld is None) is (part.withheld is None)
            # Only what carries a gradient has a rule and a sum.
            assert (item.rule is not None, item.so_far is not None) == (part.is_carried, part.is_carried)
        number = None if answer.ahead is None else answer.ahead.number
        expected = {1: 1.405, 2: -1.126, 3: 0.279, 4: 0.279}.get(step.number)
        assert number == (None if expected is None else pytest.approx(expected, abs=1e-3))


def test_sums_so_far_are_of_the_parts_that_have_come(run: Evaluation) -> None:
    """Exp gets 0.468, 0.937 and 1.405 from Divide, then −1.126 for each of them from ReduceSum."""
    first, second = (StepQuestion(False, number).answer(run) for number in (2, 3))
    assert first is not None and second is not None
    of_exp, whole = first.sent[0].so_far, second.sent[0].so_far
    assert of_exp is not None and whole is not None
    assert of_exp.first == pytest.approx((0.4683, 0.9366, 1.4049), abs=1e-4)
    assert whole.first == pytest.approx([number - 1.12625 for number in of_exp.first], abs=1e-4)
