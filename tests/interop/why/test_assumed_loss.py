"""The loss of a model that returns several tensors, or none that is a number."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw
from gradwire.interop.why.assumed_loss import ASSUMED, NO_FLOATS, Spec, assumed_loss, loss_note, loss_places

SCALAR, VECTOR, WHOLE, OTHER = ((), True), ((3,), True), ((), False), None
WHOLE_NUMBER = gw.Cast(gw.Constant(1.0), dtype="int32")
CHOSEN = "Of several outputs the only single number is the loss."


@pytest.mark.parametrize(
    ("specs", "places", "note"),
    [
        ([SCALAR], [0], ""),
        ([VECTOR], [0], ASSUMED),
        ([WHOLE], [], NO_FLOATS),
        ([OTHER], [], NO_FLOATS),
        ([], [], NO_FLOATS),
        ([VECTOR, SCALAR], [1], CHOSEN),
        ([OTHER, SCALAR], [1], CHOSEN),
        ([WHOLE, VECTOR], [1], ASSUMED),
        ([SCALAR, SCALAR], [0, 1], ASSUMED),
        ([SCALAR, VECTOR, SCALAR], [0, 1, 2], ASSUMED),
        ([VECTOR, OTHER, WHOLE, VECTOR], [0, 3], ASSUMED),
    ],
)
def test_the_only_number_is_the_loss_or_else_all_floats_are(specs: list[Spec], places: list[int], note: str) -> None:
    assert (loss_places(specs), loss_note(specs)) == (places, note)


def test_an_assumed_loss_is_a_mean_with_weights_near_1() -> None:
    """The weights of an output are 1 + sin(i) / 2."""
    a, b = gw.Variable([[1.0, 2.0]], name="a"), gw.Variable(3.0, name="b")
    loss, note = assumed_loss([a, b, WHOLE_NUMBER, "text", b])
    assert loss is not None and note == ASSUMED
    run = gw.evaluate(loss)
    assert float(run.loss) == pytest.approx((1 + 2 * (1 + np.sin(1) / 2) + 3 + 3) / 4)
    np.testing.assert_allclose(run.gradient("a"), [[1 / 4, (1 + np.sin(1) / 2) / 4]])
    assert run.gradient("b") == pytest.approx(2 / 4)


def test_a_single_number_is_the_loss_itself() -> None:
    item = gw.Variable(3.0)
    assert assumed_loss([item]) == (item, "")
    assert assumed_loss([gw.Variable([1.0]), item]) == (item, CHOSEN)
    assert assumed_loss([WHOLE_NUMBER, "text"]) == (None, "")
    one, _ = assumed_loss([gw.Variable([4.0])])
    assert one is not None and float(gw.evaluate(one).loss) == 4
    empty, _ = assumed_loss([gw.Constant(np.zeros((0, 2)))])
    assert empty is not None and float(gw.evaluate(empty).loss) == 0
