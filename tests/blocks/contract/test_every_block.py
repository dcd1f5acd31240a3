"""The contract of every block type. A new type is tested by existing; what it cannot tell is asked for by name.

Wherever numbers are only compared with the same computation in another order, float64 agrees to 1e-12 of the largest.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import numpy as np
import pytest

from gradwire.engine.autodiff.backward import apply_rule, backward_pass
from gradwire.engine.base.errors import BlockError
from gradwire.engine.base.tensor_spec import Array, spec_of
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.blocktypes.expression import Expression, constant
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.parameters import Parameter
from gradwire.engine.blocktypes.plan import make_plan, run
from tests.blocks.contract.contract import (
    OF_FLOATS,
    TYPES,
    WITH_RULE,
    assert_close,
    every_rule,
    every_type_of_floats,
    for_drawn_samples,
    for_samples,
    in_one_test,
)
from tests.blocks.contract.differences import (
    IN_DOUBLE,
    applied,
    called,
    computed,
    faults_of_gradient,
    first_gradients,
    measure_of,
    random_like,
    rule_on_arrays,
    value_of,
)
from tests.blocks.contract.garbage import arguments_of_any_kind, nearly_valid_arguments
from tests.blocks.contract.pinned import (
    PORTS_WITHOUT_GRADIENT,
)
from tests.blocks.contract.singular_points import MAY_BE_NAN, NAN_IN_RECORDS, faults_at_singular_points, recorded_nan
from tests.blocks.samplers.samples import RANGES, SAMPLERS, Sample, samples

OF_FLOATS_WITH_RULE = [item for item in OF_FLOATS if item.rule is not None]
SHARING_FLOATS = [item for item in OF_FLOATS if any(port.accepts.shared for port in item.inputs)]
PYTHON_NAMES = re.compile(r"None|True|False|Traceback|Error\b|dtype\(|\(\d+,|__|ndarray|<class|\btuple\b|np\.")


@in_one_test(TYPES)
def test_inferred_specs_are_the_actual_ones(block_type: BlockType) -> None:
    def check(sample: Sample) -> None:
        item = applied(block_type, sample)
        actual = [spec_of(array) for array in computed(item.application.outputs)({})]
        assert actual == [output.spec for output in item.application.outputs]

    for_drawn_samples(samples(block_type, smallest=0), check, 10)


@in_one_test(WITH_RULE)
def test_specs_inside_gradients_are_the_actual_ones(block_type: BlockType) -> None:
    def check(sample: Sample) -> None:
        check_every_step(list(backward_pass(applied(block_type, sample).seeds).totals.values()))

    for_drawn_samples(samples(block_type, smallest=0), check, 8)


def check_every_step(targets: list[Expression]) -> None:
    plan = make_plan(targets)
    results = run(plan)
    assert not results.failures
    for expression in plan.slots:
        assert spec_of(results[expression]) == expression.spec, f"a step of {expression.application.type.name}"


@in_one_test(TYPES)
def test_what_does_not_fit_is_refused_in_a_sentence(block_type: BlockType) -> None:
    def check(call: tuple[list[Array | None], dict[str, Any]]) -> None:
        arrays, parameters = call
        leaves = [None if array is None else constant(array) for array in arrays]
        try:
            complete = block_type.normalize(parameters)
            application = block_type.apply(leaves, complete)
        except BlockError as error:
            return check_sentence(error)
        seeds = {output: constant(np.ones(output.shape, output.dtype)) for output in application.outputs}
        totals = backward_pass({output: seed for output, seed in seeds.items() if output.spec.is_differentiable}).totals
        results = run(make_plan([*application.outputs, *totals.values()]))
        for error in results.failures.values():
            check_sentence(error)
        for expression in results.plan.slots:
            assert results[expression] is None or spec_of(results[expression]) == expression.spec
        return None

    count = 4 + 2 * len(block_type.parameters)
    for_samples(partial(nearly_valid_arguments, block_type), check, count)
    for_samples(partial(arguments_of_any_kind, block_type), check, count)


@in_one_test(TYPES)
def test_parameters_of_the_wrong_kind_are_refused_in_a_sentence(block_type: BlockType) -> None:
    for name, parameter in block_type.parameters.items():
        for value in ("text", 1.5, None, True, [1], [[1, 2]], float("nan"), 10**30, -1):
            refusal = refusal_of(parameter, value)
            if refusal is not None:
                assert name in str(refusal)
                check_sentence(refusal)


def refusal_of(parameter: Parameter, value: object) -> BlockError | None:
    try:
        parameter.normalize(value)
    except BlockError as error:
        return error
    return None


def check_sentence(error: BlockError) -> None:
    assert re.search(r"\w+ \w+", str(error))
    assert not PYTHON_NAMES.search(str(error)), str(error)


@every_type_of_floats
def test_gradients_equal_central_differences_unless_cut_by_definition(block_type: BlockType) -> None:
    def check(sample: Sample) -> None:
        item = applied(block_type, sample)
        faults = faults_of_gradient(item.seeds, item.float_leaves, sample.seed)
        if block_type.differentiable == "cut":
            assert faults, "its output does not change: declare it as differentiable='never'"
            assert not set(backward_pass(item.seeds).totals) & set(item.float_leaves)
        else:
            hint = "" if block_type.rule else "; without a rule declare it as differentiable='cut'"
            assert not faults, f"{faults}{hint}\n{sample}"

    for_samples(samples(block_type, "float64"), check)


def test_every_sampler_belongs_to_a_type() -> None:
    assert set(SAMPLERS) | set(RANGES) <= {item.name for item in TYPES}


@in_one_test(TYPES)
def test_it_has_a_gradient_rule_exactly_if_it_declares_that_it_is_differentiable(block_type: BlockType) -> None:
    is_promised = block_type.differentiable in ("once", "twice")
    hint = "without a rule declare it as differentiable='never', or 'cut' where its output changes with an input"
    assert (block_type.rule is not None) == is_promised, hint


@every_rule
def test_second_derivatives_equal_central_differences_where_they_are_promised(block_type: BlockType) -> None:
    faults: list[str] = []

    def check(sample: Sample) -> None:
        item = applied(block_type, sample)
        rng = np.random.default_rng(sample.seed + 1)
        seeds = {gradient: random_like(gradient, rng) for gradient in first_gradients(item)}
        leaves = [*item.float_leaves, *item.seeds.values()]
        faults.extend(f"{fault}\n{sample}" for fault in faults_of_gradient(seeds, leaves, sample.seed + 2))

    for_samples(samples(block_type, "float64"), check)
    if block_type.differentiable == "once":
        assert faults, "every second derivative is right: declare it as differentiable='twice'"
    else:
        assert not faults, faults[0]


@pytest.mark.parametrize("name", sorted(PORTS_WITHOUT_GRADIENT))
def test_nothing_passes_to_the_ports_that_are_pinned_as_without_gradient(name: str) -> None:
    def check(sample: Sample) -> None:
        item = applied(library[name], sample)
        parts = apply_rule(item.application, item.arriving)
        names = library[name].input_names(len(parts))
        assert {port for port, part in zip(names, parts, strict=True) if part is None} == PORTS_WITHOUT_GRADIENT[name]

    for_samples(samples(library[name], "float64"), check, 4)


@pytest.mark.long
@in_one_test(OF_FLOATS_WITH_RULE)
def test_a_gradient_of_zero_stays_zero_at_singular_points(block_type: BlockType) -> None:
    faults: list[str] = []
    for_samples(
        samples(block_type, "float64"), lambda item: faults.extend(faults_at_singular_points(block_type, item)), 5
    )
    if block_type.name in MAY_BE_NAN:
        assert faults, "it makes no NaN any more: take it out of the names that may"
    else:
        assert not faults, faults[0]


@pytest.mark.parametrize("name", sorted(NAN_IN_RECORDS))
def test_tensorflow_recorded_the_nan_of_the_types_that_are_marked_so(name: str) -> None:
    assert recorded_nan(name)


@in_one_test(WITH_RULE)
def test_gradients_are_linear_in_what_arrives(block_type: BlockType) -> None:
    def check(sample: Sample) -> None:
        item = applied(block_type, sample)
        compute = computed(first_gradients(item))
        rng = np.random.default_rng(sample.seed + 1)
        first = {seed: value_of(seed) for seed in item.seeds.values()}
        second = {seed: value_of(random_like(seed, rng)) for seed in first}
        combined = compute({seed: first[seed] + 2 * second[seed] for seed in first})
        room = 1e-12 if measure_of(first) is IN_DOUBLE else 1e-5
        for a, b, both in zip(compute(first), compute(second), combined, strict=True):
            # Gradients may cancel to nothing, so the room is that of the numbers that arrive, which are about 1.
            np.testing.assert_allclose(both, a + 2 * b, rtol=room, atol=room)

    for_samples(samples(block_type, "float64"), check, 4)


@in_one_test(TYPES)
def test_inputs_stay_as_they_are(block_type: BlockType) -> None:
    def check(sample: Sample) -> None:
        writable = [None if array is None else array.copy() for array in sample.inputs]
        outputs = called(block_type, writable, sample.parameters)
        gradients = [np.ones_like(output) for output in outputs]
        kept = [array.copy() for array in outputs]
        if block_type.rule is not None:
            rule_on_arrays(block_type, writable, sample.parameters, gradients, outputs)
        for before, after in zip([*sample.inputs, *kept], [*writable, *outputs], strict=True):
            assert before is None or before.tobytes() == after.tobytes()
        assert all((gradient == 1).all() for gradient in gradients)

    for_samples(samples(block_type), check, 6)


@in_one_test(TYPES)
def test_protected_inputs_are_accepted(block_type: BlockType) -> None:
    def check(sample: Sample) -> None:
        protected = [None if array is None else array.copy() for array in sample.inputs]
        for array in protected:
            if array is not None:
                array.setflags(write=False)
        called(block_type, protected, sample.parameters)

    for_samples(samples(block_type), check, 4)


@pytest.mark.long
@in_one_test(TYPES)
def test_the_memory_layout_of_inputs_does_not_matter(block_type: BlockType) -> None:
    def check(sample: Sample) -> None:
        for arrangement in ("strided", "backwards", "transposed", "repeated"):
            arranged = [None if array is None else arranged_as(arrangement, array) for array in sample.inputs]
            plain = [None if array is None else np.array(array, order="C") for array in arranged]
            for a, b in zip(outcome(block_type, arranged, sample), outcome(block_type, plain, sample), strict=True):
                assert_close(a, b) if isinstance(a, np.ndarray) else None

    for_samples(samples(block_type), check, 6)


def arranged_as(arrangement: str, array: Array) -> Array:
    if arrangement == "repeated" or array.ndim == 0:
        return np.broadcast_to(array.flat[0], array.shape) if array.size else array
    if arrangement == "strided":
        return np.repeat(array, 2, axis=-1)[..., ::2]
    if arrangement == "backwards":
        return array[..., ::-1].copy()[..., ::-1]
    return array.T.copy().T


def outcome(block_type: BlockType, inputs: list[Array | None], sample: Sample) -> list[Any]:
    """Returns the outputs, or the sentence with which the block refuses the values."""
    try:
        return called(block_type, inputs, sample.parameters)
    except BlockError as error:
        return [str(error)]


@in_one_test(WITH_RULE)
def test_a_rule_gives_the_same_for_arrays_as_for_expressions(block_type: BlockType) -> None:
    def check(sample: Sample) -> None:
        item = applied(block_type, sample)
        gradients = [
            value_of(item.seeds[output]) if output in item.seeds else np.zeros(output.shape, output.dtype)
            for output in item.application.outputs
        ]
        parts = apply_rule(item.application, item.arriving)
        on_arrays = rule_on_arrays(block_type, sample.inputs, sample.parameters, gradients)
        for part, array in zip(parts, on_arrays, strict=True):
            assert (part is None) == (array is None)
            if part is not None:
                expected = computed([part])({})[0]
                assert (np.shape(array), np.asarray(array).dtype) == (expected.shape, expected.dtype)
                np.testing.assert_array_equal(array, expected)

    for_samples(samples(block_type, "float64"), check, 6)


@in_one_test(SHARING_FLOATS)
def test_floats_keep_their_precision(block_type: BlockType) -> None:
    for dtype in ("float16", "float32"):
        for_samples(samples(block_type, dtype), partial(check_precision, block_type, dtype), 5)


def check_precision(block_type: BlockType, dtype: str, sample: Sample) -> None:
    outputs = called(block_type, sample.inputs, sample.parameters)
    assert {array.dtype.name for array in outputs if array.dtype.kind == "f"} <= {dtype}
    if block_type.rule is not None:
        gradients = [np.ones_like(output) for output in outputs]
        parts = rule_on_arrays(block_type, sample.inputs, sample.parameters, gradients, outputs)
        for array, part in zip(sample.inputs, parts, strict=True):
            assert part is None or array is None or array.dtype.kind != "f" or part.dtype == array.dtype
