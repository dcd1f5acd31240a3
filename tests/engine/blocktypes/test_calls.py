"""Calls of block types: lists and single inputs, dtypes, several outputs, shapes that repeat, and memory."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest

from gradwire.engine.base import memory
from gradwire.engine.base.errors import CallError, DtypeError, OutOfMemoryError, ParameterError, ShapeError
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import block
from gradwire.engine.blocktypes.expression import Expression, constant
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.operation import arrange_inputs
from gradwire.engine.blocktypes.plan import HEAVY, HeavyCalls, make_plan, result_of, run
from gradwire.engine.blocktypes.primitives import BroadcastTo, SumTo
from gradwire.engine.blocktypes.update_rule import RuleTypes


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


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda x: np.add.reduce(x), "add"),
        (lambda x: np.multiply.outer(np.ones(2), x), "multiply"),
        (lambda x: np.add(np.ones(2), x, where=np.ones(2, bool)), "add"),
        (lambda x: np.sinh(x), "sinh"),
        (lambda x: np.concatenate([x, x]), "concatenate"),
    ],
)
def test_functions_of_arrays_are_refused_by_name(call: Callable[[Expression], object], name: str) -> None:
    with pytest.raises(CallError, match=f"NumPy's {name} takes arrays"):
        call(constant(np.ones(2)))


@pytest.mark.parametrize("number", [float, int, bool])
def test_an_expression_is_no_number(number: Callable[[Expression], object]) -> None:
    with pytest.raises(CallError):
        number(constant(np.array(1.0)))


def test_the_arguments_of_a_rule_are_one_for_each_port() -> None:
    found = {name: arrange_inputs(library[name], [1, 2, 3]) for name in ("AddN", "Gradients", "Where")}
    assert found == {"AddN": [[1, 2, 3]], "Gradients": [1, [2, 3]], "Where": [1, 2, 3]}
    assert arrange_inputs(library["AddN"], []) == [[]]


def test_a_function_declares_ports_parameters_and_help() -> None:
    def Blend(a: Array, b: Array | None = None, *others: Array, share: float = 0.5, times: int) -> Array:
        """Mixes.

        Twice.
        """
        return a

    declared = block("Tests")(Blend)
    assert [(port.name, port.optional, port.variadic) for port in declared.inputs] == [
        ("a", False, False), ("b", True, False), ("others", False, True),
    ]  # fmt: skip
    assert [(name, item.default) for name, item in declared.parameters.items() if name == "share"] == [("share", 0.5)]
    assert (declared.summary, declared.help) == ("Mixes.", "Mixes.\n\nTwice.")
    assert declared.port_at(1).name == "b" and {declared.port_at(n).name for n in (2, 3, 9)} == {"others"}


def test_annotations_may_be_types_themselves() -> None:
    def Power(x: Array, *, times: int) -> Array:
        return x

    Power.__annotations__ = {"times": int}
    assert block("Tests")(Power).normalize({"times": 2}) == {"times": 2}


def test_what_keeps_shapes_works_by_element_unless_it_says_otherwise() -> None:
    def Same(x: Array) -> Array:
        return x

    kinds = [block("Tests"), block("Tests", infer=None), block("Tests", infer=None, by_element=True)]
    assert [kind(Same).by_element for kind in kinds] == [True, False, True]


def test_only_one_list_of_tensors_is_a_list_of_inputs() -> None:
    add = library["AddN"]
    assert add(np.ones((2, 3))).shape == (2, 3)
    assert (add([np.ones(2), np.ones(2)], np.ones((2, 2))) == 2).all()
    assert add([1.0, 2.0]).shape == (2,)
    assert library["Exp"]([np.ones(2), np.ones(2)]).shape == (2, 2)


def test_kinds_of_rules_come_from_the_module_that_is_announced() -> None:
    rules = RuleTypes()
    assert list(rules) == []
    rules.announce("gradwire.no_such_module")
    with pytest.raises(ModuleNotFoundError):
        len(rules)


def test_numbers_and_lists_beside_arrays_take_their_dtype() -> None:
    x = np.ones(2, np.float32)
    found = library["Multiply"](x, 2)
    assert (found == [2, 2]).all() and found.dtype == np.float32
    assert library["Multiply"](2, x).dtype == np.float32
    assert isinstance(library["Exp"]([0.0, 0.0]), np.ndarray)
    assert library["Where"](np.array([True, False]), x, 2).dtype == np.float32


def test_results_lie_in_the_order_of_c_unless_they_are_views() -> None:
    x = np.arange(6.0).reshape(2, 3)
    view, new = result_of(x.T), result_of(np.asfortranarray(x))
    assert np.shares_memory(view, x) and new.flags.c_contiguous
    assert not view.flags.writeable and not new.flags.writeable
    with pytest.raises(TypeError, match="dtype <U1"):
        result_of(np.array("x"))


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
    (joined,) = make_plan([library["Concat"](constant(x), constant(x), axis=0)]).steps[2:]
    for step, arguments in ((exp, [x]), (joined, [x, x])):
        with pytest.raises(OutOfMemoryError):
            call(step, arguments)


@pytest.mark.parametrize("size", [HEAVY // 2, HEAVY * 3 // 4])
def test_what_is_checked_is_counted(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """Each step is just heavy, as 32 KiB go in and 32 KiB come out, or more. One result and a half fit."""
    x = constant(np.ones(size // 8))
    monkeypatch.setattr(memory, "limit", lambda: size * 3 // 2)
    exp = library["Exp"]
    assert not run(make_plan([exp(x)])).failures
    assert list(run(make_plan([exp(exp(x))])).failures.values())


def test_the_second_pass_is_timed_apart() -> None:
    x = constant(np.ones(3))
    exp = library["Exp"](x)
    plan = make_plan([exp], then=[library["Exp"](exp)])
    began = time.perf_counter()
    results = run(plan, {plan.slots[x]: np.zeros(3)})
    assert (results[exp] == 1).all() and plan.forward == 2
    assert 0 < results.passes.forward < time.perf_counter() - began > results.passes.backward > 0
    assert (len(results.values), run(make_plan([])).values) == (3, [])
