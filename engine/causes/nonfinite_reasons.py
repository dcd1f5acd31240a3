"""Reasons why a step makes NaN or infinity from finite numbers, as clauses with the element's numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradwire.engine.autodiff.backward import Edge, apply_rule, ones
from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Application, Expression, constant, place_of
from gradwire.engine.blocktypes.operation import Operation
from gradwire.engine.blocktypes.plan import Results, make_plan, run
from gradwire.engine.causes.broken_elements import Mask, reached
from gradwire.engine.causes.linear_steps import run_application

Index = tuple[int, ...]

# Small numbers to add under a root or a logarithm, by the bytes of the dtype.
_SMALL = {8: 1e-8, 4: 1e-6}
_OPERATORS = {" * ": " × ", " ** ": " ^ "}
_CALL = re.compile(r"np\.(\w+)\(\{x\}\)")


def number_text(number: float | np.generic | Array, digits: int = 6) -> str:
    """Returns a number with at most six digits: `0.1`, `1e200`, `-inf`, `NaN`."""
    text = f"{float(number):.{digits}g}".replace("e+", "e")
    return "NaN" if text == "nan" else text


# So many digits are tried until a sentence with them is true.
_DIGITS = (6, 9, 12, 15, 17)


def true_texts(numbers: Sequence[Any], holds: Callable[[list[Any]], bool]) -> list[str]:
    """Returns numbers as texts with as many digits as it takes until a statement about what is written holds.

    Any: NumPy's scalars.
    """
    texts = [number_text(number) for number in numbers]
    for digits in _DIGITS:
        texts = [number_text(number, digits) for number in numbers]
        with np.errstate(all="ignore"):
            if holds([np.asarray(number).dtype.type(text) for number, text in zip(numbers, texts, strict=True)]):
                return texts
    return texts


def first_broken(array: Array) -> Index:
    """Returns the index of the first element that is NaN or infinite; there must be one."""
    place = int(np.argmin(np.isfinite(array)))
    return tuple(int(number) for number in np.unravel_index(place, array.shape))


def step_reason(application: Application, output: Expression, index: Index, results: Results) -> str:
    """Returns the reason why an application makes a non-finite element from finite inputs.

    Empty if the block's name is all that can be said.
    """
    result = _known(results[output])[index]
    arrays = [_known(results[item]) for item in application.inputs if item is not None]
    if application.type.by_element:
        return _calculated(application, _element(arrays, output.shape, index), result)
    if any(array.size == 0 for array in arrays):
        return "it has no elements to work with"
    if any(array.dtype.kind == "f" and not np.isfinite(array).all() for array in arrays):
        return _infinite_operands(application, output, index, results) if np.isnan(result) else ""
    if application.type.sums_products or application.type.role is Role.LOSS:
        if np.isnan(result):
            return f"inf and -inf are among its terms, {_too_large(result)}"
        return f"its terms add up to {number_text(result)}, {_too_large(result)}"
    return ""


def received_reason(edge: Edge, made: Expression, arriving: Expression, results: Results) -> str:
    """Returns the reason why a rule breaks that receives NaN or infinity from its block.

    `made` is the first broken result of a step of the rule.
    """
    application, step = edge.application, made.application
    array = _known(results[made])
    index = first_broken(np.where(np.isnan(array), array, 0) if np.isnan(array).any() else array)
    for item in step.inputs:
        if item is None or not item.spec.is_differentiable or not np.isnan(_known(results[item])).any():
            continue
        if application.type.by_element and array.shape == arriving.shape:
            given = number_text(_known(results[arriving])[index])
            return f"{_named(edge, item)} is NaN there, and {given} × NaN = NaN"
        return f"{_named(edge, item)} is NaN already"
    found = step_reason(step, made, index, results)
    if found:
        return f"in its derivative {found}"
    name = "its gradient rule" if step.type.is_part else step.type.name
    return f"in its derivative, a step of {name} makes {number_text(array[index])}"


def _named(edge: Edge, item: Expression) -> str:
    """Returns the words for a tensor that a rule uses."""
    application = edge.application
    place = place_of(item, application.inputs)
    if place is None:
        return "its derivative" if place_of(item, application.outputs) is None else "its value"
    return f"its input {application.type.input_names(len(application.inputs))[place]}"


def _infinite_operands(application: Application, output: Expression, index: Index, results: Results) -> str:
    """Returns which infinities among the operands of an element make it NaN, as far as a trial without them says so."""
    arrays = [None if item is None else results[item] for item in application.inputs]
    place = output.index
    if _is_nan_with(application, [_changed(array, np.isinf, 1) for array in arrays], place, index):
        return ""
    if application.type.sums_products or application.type.role is Role.LOSS:
        if not _is_nan_with(application, [_changed(array, _is_zero, 1) for array in arrays], place, index):
            return "0 × inf is among its terms"
        with_sizes = [array if array is None or array.dtype.kind != "f" else np.abs(array) for array in arrays]
        if not _is_nan_with(application, with_sizes, place, index):
            return "inf and -inf are among its terms"
    positive, negative, finite = (
        bool(reached(application, arrays, _places(arrays, test))[place][index])
        for test in (np.isposinf, np.isneginf, np.isfinite)
    )
    return _OPERANDS.get((positive, negative, finite), "")


_OPERANDS = {
    (True, False, False): "all its inputs are inf",
    (False, True, False): "all its inputs are -inf",
    (True, True, False): "inf and -inf are among its inputs",
    (True, True, True): "inf and -inf are among its inputs",
    (True, False, True): "inf is among its inputs",
    (False, True, True): "-inf is among its inputs",
}


def _places(arrays: Sequence[Array | None], test: Callable[[Array], Mask]) -> dict[int, Mask]:
    found = {slot: test(array) for slot, array in enumerate(arrays) if array is not None and array.dtype.kind == "f"}
    return {slot: mark for slot, mark in found.items() if mark.any()}


def _changed(array: Array | None, test: Callable[[Array], Mask], number: float) -> Array | None:
    """Returns an array with another number where a test holds."""
    if array is None or array.dtype.kind != "f":
        return array
    return np.where(test(array), array.dtype.type(number), array)


def _is_zero(array: Array) -> Mask:
    found: Mask = array == 0
    return found


def _is_nan_with(application: Application, arrays: Sequence[Array | None], place: int, index: Index) -> bool:
    """Returns whether an element is NaN with other inputs too."""
    return bool(np.isnan(run_application(application, arrays)[place][index]))


def derivative_reason(edge: Edge, part: Expression, arriving: Expression, cause: Application, results: Results) -> str:
    """Returns the reason why an application turns a finite gradient into a non-finite one.

    `part` is the result of its rule, not yet summed to the shape of the input; `cause` is the step that breaks it.
    """
    application, output = edge.application, edge.application.outputs[0]
    broken = _known(results[part])
    if application.type.by_element and part.shape == output.shape:
        index = first_broken(broken)
        arrays = [_known(results[item]) for item in application.inputs if item is not None]
        numbers = _element(arrays, output.shape, index)
        found = _multiplied(edge, numbers, _known(results[arriving])[index], broken[index])
        if found:
            return found
    if cause is application:
        return f"its value is {number_text(_first(output, results))} already"
    made = next((item for item in cause.outputs if not np.isfinite(_known(results[item])).all()), part)
    step = step_reason(cause, made, first_broken(_known(results[made])), results)
    if not step:
        name = "its gradient rule" if cause.type.is_part else cause.type.name
        return f"in its derivative, a step of {name} makes {number_text(_first(made, results))}"
    value = _known(results[output])
    if value.size == 1 and np.isfinite(value).all():
        return f"its value is {number_text(value.reshape(()))}, and in its derivative {step}"
    return f"in its derivative {step}"


def _multiplied(edge: Edge, numbers: list[Any], arriving: Any, result: Any) -> str:
    """Returns the chain rule at one element: incoming gradient times derivative. Any: NumPy's scalars."""
    slope = _slope(edge, numbers)
    if np.isfinite(slope):
        if not np.isinf(result):
            return ""
        left, right = true_texts([arriving, slope], lambda told: bool(np.isinf(np.multiply(*told))))
        return f"{left} × {right} = {number_text(result)}, {_too_large(result)}"
    block_type, text = edge.application.type, number_text(slope)
    texts = true_texts(numbers, lambda told: number_text(_slope(edge, told)) == text)
    call = _CALL.fullmatch(_template(block_type))
    if call:
        found = f"{call[1]}'({texts[0]}) = {text}"
    else:
        name = block_type.input_names(len(numbers))[edge.slot]
        found = f"the derivative of {_spelled(block_type, texts)} by {name} is {text}"
    return f"{found}, and 0 × {text} = NaN" if arriving == 0 and np.isinf(slope) else found


def mending_number(application: Application, index: Index, results: Results) -> float | None:
    """Returns a small number that keeps a block of one tensor finite, with its derivative, where its input is 0."""
    arrays = [None if item is None else results[item] for item in application.inputs]
    is_fitting = application.type.by_element and application.type.rule is not None
    array = arrays[0] if len(arrays) == 1 and is_fitting else None
    if array is None or array[index] != 0:
        return None
    number = _SMALL.get(array.dtype.itemsize, 1e-3)
    numbers = [array.dtype.type(number)]
    with np.errstate(all="ignore"):
        found = [run_application(application, numbers)[0], _slope(Edge(application, 0), numbers)]
    return number if all(np.isfinite(item).all() for item in found) else None


def _slope(edge: Edge, numbers: list[Any]) -> Any:
    """Returns the derivative of an elementwise block with respect to one input, at one element."""
    application = edge.application
    inputs = [constant(number) for number in map(np.asarray, numbers)]
    specs = [TensorSpec((), output.dtype) for output in application.outputs]
    at_element = Application(application.type, tuple(inputs), application.parameters, specs)
    part = apply_rule(at_element, [ones(spec) for spec in specs])[edge.slot]
    assert part is not None
    return _known(run(make_plan([part]))[part]).reshape(())[()]


def _calculated(application: Application, numbers: list[Any], result: Any) -> str:
    """Returns the calculation with its numbers: `0 / 0 = NaN`; for one that is too large, the limit."""
    found = f"{spelled(application, numbers, result)} = {number_text(result)}"
    limit = largest_argument(application, numbers, result)
    if limit is not None:
        above = f"{_told(application, numbers, result)[0]} > {limit:.2f}"
        return f"{found}, since {above}, the largest argument in {result.dtype.name}"
    if application.type.is_arithmetic and np.isinf(result) and all(numbers) and np.isfinite(numbers).all():
        return f"{found}, {_too_large(result)}"
    return found


def spelled(application: Application, numbers: list[Any], result: Any) -> str:
    """Returns an element's calculation without its result: `exp(1000)`, `0 / 0`. Any: NumPy's scalars."""
    return _spelled(application.type, _told(application, numbers, result))


def largest_argument(application: Application, numbers: list[Any], result: Any) -> float | None:
    """Returns the largest argument for which a block is finite if its operand is above it, else None."""
    more = application.type.overflow_margin
    if more is None:
        return None
    limit = float(np.log(float(np.finfo(result.dtype).max)) + more)
    return limit if numbers[0] > limit else None


def _told(application: Application, numbers: list[Any], result: Any) -> list[str]:
    text = number_text(result)
    return true_texts(numbers, lambda told: number_text(run_application(application, told)[0]) == text)


def _too_large(result: Any) -> str:
    limit = np.finfo(result.dtype).max
    return f"beyond {number_text(limit)}, the largest number in {result.dtype.name}"


def _spelled(block_type: Operation, texts: list[str]) -> str:
    """Returns a block's calculation in NumPy notation: `exp(1000)`, `0 / 0`."""
    template = _template(block_type)
    if not template:
        return f"{block_type.name}({', '.join(texts)})"
    if "(" not in template:
        texts = [f"({text})" if text.startswith("-") else text for text in texts]
    written = template.format(**dict(zip(block_type.input_names(len(texts)), texts, strict=True)))
    for sign, shown in _OPERATORS.items():
        written = written.replace(sign, shown)
    return re.sub(r"\b(np|scipy\.special)\.", "", written)


def _template(block_type: Operation) -> str:
    """Returns the block's spelling if it is a plain formula of its inputs, else ""."""
    written, names = block_type.spelling.get("numpy"), {port.name for port in block_type.inputs}
    if not isinstance(written, str) or "where" in written or not set(re.findall(r"{(\w+)", written)) <= names:
        return ""
    return written


def _element(arrays: Sequence[Array], shape: Index, index: Index) -> list[Any]:
    return [np.broadcast_to(array, shape)[index] for array in arrays]


def _first(expression: Expression, results: Results) -> Any:
    """Returns the first number that is not finite."""
    array = _known(results[expression])
    return array[first_broken(array)]


def _known(array: Array | None) -> Array:
    """Returns the array, which must exist: only computed arrays, with computed inputs, can be broken."""
    assert array is not None
    return array
