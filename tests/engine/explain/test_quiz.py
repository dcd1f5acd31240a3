from __future__ import annotations

import numpy as np
import pytest

from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.explain.back_steps import back_steps
from gradwire.engine.explain.quiz import QuizQuestion, Verdict, judge, quiz_question_of
from tests.gallery import example


@pytest.mark.parametrize(
    ("answer", "number", "verdict"),
    [
        ("-0.311", -0.311, Verdict.RIGHT),
        ("−0,3", -0.311, Verdict.RIGHT),
        ("-0.28", -0.311, Verdict.RIGHT_SIGN),
        ("0.311", -0.311, Verdict.WRONG),
        ("+", 2.0, Verdict.RIGHT),
        ("−", 2.0, Verdict.WRONG),
        ("-", -1e-9, Verdict.RIGHT),
        ("0", 0.0, Verdict.RIGHT),
        ("0", -1.7e-16, Verdict.RIGHT),
        ("+", 0.0, Verdict.WRONG),
        ("much", 1.0, None),
        ("nan", 1.0, Verdict.WRONG),
        ("", 1.0, None),
    ],
)
def test_an_answer_is_right_within_five_percent_or_by_its_sign(
    answer: str, number: float, verdict: Verdict | None
) -> None:
    assert judge(answer, number) is verdict


def test_the_largest_element_is_asked_for_and_a_stop_gradient_asks_nothing() -> None:
    steps = back_steps(run_graph(example("softmax_stable")))
    question = quiz_question_of(steps[2])
    # The gradient ∂L/∂x of Divide is w / Σ e: 1, 2, 3 over 2.135335.
    assert isinstance(question, QuizQuestion) and (question.port, question.index) == ("x", (2,))
    np.testing.assert_allclose(question.number, 3 / (np.exp(-2) + 2), rtol=1e-12)
    assert quiz_question_of(steps[0]) is None and quiz_question_of(steps[6]) is None
