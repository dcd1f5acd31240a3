"""Calls of block types: lists and single inputs, dtypes, several outputs, shapes that repeat, and memory."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.engine.base import memory
from gradwire.engine.base.errors import DtypeError, OutOfMemoryError, ParameterError, ShapeError
from gradwire.engine.blocktypes.expression import Expression, constant
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.plan import HEAVY, HeavyCalls, make_plan, run
from gradwire.engine.blocktypes.primitives import BroadcastTo, SumTo


def test_a_variadic_type_takes_a_list_or_its_items() -> None:
    add = library["AddN"]
    numbers = [np.array([1.0, 2.0]), np.array([10.0, 20.0]), np.array([100.0, 200.0])]
    assert (add(numbers) == [111, 222]).all()
    assert (add(*numbers) == [111, 222]).all()


@pytest.mark.parametrize("name", ["values_0", "values_7", "values_10", "values_123456789"])
def test_numbered_ports_belong_to_a_variadic_port(name: str) -> None:
    port = library["AddN"].input_port(name)
    assert port is not None and port.name == "values"


@pytest.mark.parametrize("name", ["values_", "values_01", "values_00", "values_x", "values_²", "others_1", "_1"])
def test_other_names_belong_to_no_variadic_port(name: str) -> None:
    assert library["AddN"].input_port(name) is None


def test_inputs_of_two_dtypes_are_refused() -> None:
    with pytest.raises(DtypeError, match="x is float32 but y is int64"):
        library["Multiply"](constant(np.ones(2, np.float32)), constant(np.ones(2, np.int64)))


def test_a_type_with_two_outputs_gives_both() -> None:
    x = constant(np.array([[1.0, 3.0], [2.0, 2.0]]))
    assert len(library["Moments"](x, axes=(0,))) == 2
    assert library["Exp"](x).spec == x.spec


def test_an_array_becomes_an_expression_in_place() -> None:
    x: object = np.ones(2)
    x *= constant(np.array([2.0, 3.0]))  # type: ignore[operator]  # what an array becomes
    assert isinstance(x, Expression)
    assert (run(make_plan([x]))[x] == [2, 3]).all()


def test_tensors_have_16_axes_at_most() -> None:
    assert library["Constant"](value=np.ones((1,) * 16)).ndim == 16
    with pytest.raises(ParameterError, match="at most 16 axes, not 17"):
        library["Constant"](value=np.ones((1,) * 17))


@pytest.mark.parametrize("small", [(), (1,), (3,), (1, 3), (2, 1), (2, 3)])
def test_repeating_and_adding_up_are_inverse_to_shapes(small: tuple[int, ...]) -> None:
    x = np.ones(small)
    whole = BroadcastTo(x, shape=(2, 3))
    assert whole.shape == (2, 3)
    assert (SumTo(whole, shape=small) == 6 / x.size).all()


@pytest.mark.parametrize("small", [(2,), (2, 2), (3, 3), (1, 2, 3), (9,), (9, 3)])
def test_shapes_that_do_not_repeat_are_refused(small: tuple[int, ...]) -> None:
    with pytest.raises(ShapeError):
        SumTo(constant(np.ones((2, 3))), shape=small)
    with pytest.raises(ShapeError):
        BroadcastTo(constant(np.ones(small)), shape=(2, 3))


def test_a_view_needs_no_memory_and_a_result_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "limit", lambda: 8)
    x = np.ones(HEAVY)
    call = HeavyCalls(None)
    (reshape,), (exp,) = (
        [step for step in make_plan([made]).steps if step.application is made.application]
        for made in (library["Reshape"](constant(x), shape=(-1, 2)), library["Exp"](constant(x)))
    )
    assert call(reshape, [x]).base is x
    with pytest.raises(OutOfMemoryError):
        call(exp, [x])


def test_what_is_checked_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each step is just heavy: 32 KiB go in and 32 KiB come out. One result and a half fit."""
    size = HEAVY // 2
    x = constant(np.ones(size // 8))
    monkeypatch.setattr(memory, "limit", lambda: size * 3 // 2)
    exp = library["Exp"]
    assert not run(make_plan([exp(x)])).failures
    assert list(run(make_plan([exp(exp(x))])).failures.values())
