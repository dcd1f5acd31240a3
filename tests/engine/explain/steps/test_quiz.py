from __future__ import annotations

import numpy as np
import pytest

from gradwire.engine.autodiff.status import Status
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.explain.back_steps import back_steps
from gradwire.engine.explain.quiz import QuizQuestion, is_sign_of, quiz_question_of
from tests.engine.cause_graphs import x
from tests.gallery import example


@pytest.mark.parametrize(
    ("number", "sign"), [(2.0, 1), (-1e-9, -1), (1e-300, 1), (0.0, 0), (-0.0, 0), (float("inf"), 1)]
)
def test_one_sign_of_three_is_right(number: float, sign: int) -> None:
    assert [is_sign_of(guess, number) for guess in (-1, 0, 1)] == [guess == sign for guess in (-1, 0, 1)]


def test_what_rounding_alone_can_have_made_is_zero() -> None:
    """A softmax with equal weights: its gradients cancel, and what is left of them is rounding."""
    found = back_steps(run_graph(x([0.1, 0.2, 0.4]).then("p", "Softmax").loss()))[1]
    assert found.parts[0].status is Status.ZERO and np.any(found.parts[0].gradient)
    question = quiz_question_of(found)
    assert question is not None and question.number == 0


def test_the_largest_element_is_asked_for_and_a_stop_gradient_asks_nothing() -> None:
    steps = back_steps(run_graph(example("softmax_stable")))
    question = quiz_question_of(steps[1])
    # The gradient ∂L/∂x of Divide is w / Σ e: 1, 2, 3 over 2.135335.
    assert isinstance(question, QuizQuestion) and (question.link.target.port, question.index) == ("x", (2,))
    np.testing.assert_allclose(question.number, 3 / (np.exp(-2) + 2), rtol=1e-12)
    assert quiz_question_of(steps[5]) is None and quiz_question_of(steps[7]) is None
