"""Codes of zeros in one step of a gradient: inherited, made by a factor, cancelled, too small, or fed by nothing."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.causes import linear_steps
from gradwire.engine.causes.linear_steps import LinearStep
from gradwire.engine.causes.zero_steps import ZeroStep
from tests.engine.cause_graphs import applied

LOCAL, UNFED = Cause.FLAT, Cause.NOT_SELECTED
CODES = {Cause.UNDERFLOW: 7, Cause.CANCELLED: 8, LOCAL: 9, UNFED: 11}
L, U, C, N = CODES[LOCAL], CODES[Cause.UNDERFLOW], CODES[Cause.CANCELLED], CODES[UNFED]
TINY = 1e-200


def codes(
    kind: str, arrays: list[object], carried: dict[int, object], zeros: object, **parameters: object
) -> list[int]:
    """Returns the codes of the zeros; of codes that are inherited, the larger one has precedence."""
    given = [np.asarray(item) for item in arrays]
    application = applied(kind, *given, **parameters)
    incoming = {slot: None if item is None else np.asarray(item, np.uint8) for slot, item in carried.items()}

    def order(found: Iterable[int]) -> list[int]:
        return sorted(found, reverse=True)

    step = ZeroStep(
        LinearStep(application, given, list(carried)), incoming, lambda cause: np.uint8(CODES[cause]), order,
        lambda: LOCAL, UNFED,
    )  # fmt: skip
    found: Array = step.codes(0, np.asarray(zeros, bool))
    return found.ravel().tolist()


@pytest.mark.parametrize(
    ("kind", "gradient", "factor", "carried", "expected"),
    [
        # An incoming zero comes first, then a zero factor; without both, a product is too small.
        ("Multiply", [0.0, 3.0, TINY, 3.0], [0.0, 0.0, TINY, 4.0], [2, 0, 0, 0], [2, L, U, 0]),
        ("Multiply", [5.0, 3.0, TINY, 3.0], [0.0, 0.0, TINY, 4.0], None, [L, L, U, 0]),
        ("Divide", [0.0, 3.0, TINY, 3.0], [2.0, np.inf, 1e200, 4.0], [3, 0, 0, 0], [3, L, U, 0]),
    ],
)
def test_a_product_has_the_code_of_its_incoming_zero_or_of_its_factor(
    kind: str, gradient: list[float], factor: list[float], carried: list[int] | None, expected: list[int]
) -> None:
    assert codes(kind, [gradient, factor], {0: carried}, [1, 1, 1, 0]) == expected


def test_only_marked_elements_get_codes() -> None:
    assert codes("Multiply", [[0.0, 0.0], [1.0, 1.0]], {0: [2, 2]}, [0, 1]) == [0, 2]
    assert codes("Add", [[0.0, 0.0], [0.0, 0.0]], {0: [2, 2], 1: [3, 3]}, [0, 1]) == [0, 3]


def test_a_sum_cancels_or_inherits() -> None:
    # Terms 5 - 5, 0 - 0 with both codes, 0 - 0 with one code each, and 4 - 0.
    arrays: list[object] = [[5.0, 0.0, 0.0, 4.0], [5.0, 0.0, 0.0, 0.0]]
    assert codes("Subtract", arrays, {0: [0, 2, 3, 0], 1: [0, 3, 2, 2]}, [1, 1, 1, 0]) == [C, 3, 3, 0]
    assert codes("Subtract", arrays, {0: None, 1: None}, [1, 0, 0, 0]) == [C, 0, 0, 0]


@pytest.mark.parametrize(
    ("gradient", "weights", "carried", "expected"),
    [
        ([2.0, 3.0], [[3.0], [-2.0]], None, C),
        ([2.0, 3.0], [[0.0], [0.0]], None, L),
        # A term that is not zero cancels nothing alone: its product was too small.
        ([TINY, 3.0], [[TINY], [0.0]], None, U),
        ([0.0, 0.0], [[3.0], [2.0]], [2, 3], 3),
        ([0.0, 0.0], [[3.0], [2.0]], [2, 2], 2),
        # A zero with a factor beside one without: the element that lives meets a zero factor.
        ([0.0, 3.0], [[3.0], [0.0]], [2, 0], L),
        ([2.0, 3.0, 0.0], [[3.0], [-2.0], [1.0]], [0, 0, 2], C),
    ],
)
def test_a_product_of_matrices_has_the_code_of_what_its_terms_are(
    gradient: list[float], weights: list[list[float]], carried: list[int] | None, expected: int
) -> None:
    incoming = None if carried is None else [carried]
    assert codes("MatMul", [[gradient], weights], {0: incoming}, [[1]]) == [expected]


def test_what_nothing_feeds_has_no_path() -> None:
    arrays: list[object] = [[1.0, 2.0]]
    assert codes("Pad", arrays, {0: None}, [1, 0, 0, 1], paddings=[[1, 1]]) == [N, 0, 0, N]
    assert codes("Pad", [[0.0, 2.0]], {0: [2, 0]}, [1, 1, 0, 1], paddings=[[1, 1]]) == [N, 2, 0, N]
    assert codes("Pad", [[0.0, 0.0]], {0: [2, 3]}, [1, 1, 1, 1], paddings=[[1, 1]]) == [N, 2, 3, N]


def test_a_product_of_matrices_is_asked_with_one_run_and_a_choice_with_two(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[object] = []
    usual = linear_steps.run_application
    monkeypatch.setattr(linear_steps, "run_application", lambda *given: runs.append(given) or usual(*given))
    for kind, arrays, slot, count in (
        ("MatMul", [np.ones((2, 2)), np.ones((2, 2))], 0, 1), ("Where", [np.array([True]), *np.ones((2, 1))], 1, 2),
        ("Transpose", [np.ones((2, 2))], 0, 1),
    ):  # fmt: skip
        application = applied(kind, *arrays)
        runs.clear()
        LinearStep(application, arrays, [slot]).feeds({slot: np.asarray(True)})
        assert len(runs) == count
