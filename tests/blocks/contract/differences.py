"""Central differences of expressions, and block types applied to samples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gradwire.blocks.products import MatrixTranspose
from gradwire.blocks.sources import Variable
from gradwire.engine.autodiff.backward import backward_pass
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import BlockType, arrange_inputs
from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.blocktypes.plan import make_plan, run
from gradwire.engine.blocktypes.primitives import Identity
from tests.blocks.contract.pinned import PORTS_WITHOUT_GRADIENT, SYMMETRIC, WITHOUT_GRADIENT
from tests.blocks.samplers.samples import Sample


class Measure(NamedTuple):
    """The step of central differences, and their tolerances: of the terms, and of the values."""

    step: float
    of_terms: float
    of_values: float


# The step is the cube root of the rounding, which is then off by the same as cutting the series: its square.
IN_DOUBLE = Measure(float(np.cbrt(np.finfo(np.float64).eps)), 1e-5, 1e-9)
IN_SINGLE = Measure(float(np.cbrt(np.finfo(np.float32).eps)), 2e-3, 5e-4)


def measure_of(expressions: Iterable[Expression]) -> Measure:
    """Returns that of single precision if anything has it, as for types that give float32 whatever they take."""
    return IN_SINGLE if any(item.dtype == np.float32 for item in expressions) else IN_DOUBLE


@dataclass(frozen=True)
class Applied:
    """A block type applied to a sample: variables as inputs, and a variable as the gradient of each float output."""

    application: Application
    leaves: tuple[Expression | None, ...]
    seeds: dict[Expression, Expression]

    @property
    def float_leaves(self) -> list[Expression]:
        """The inputs that can have a gradient."""
        block_type = self.application.type
        without = PORTS_WITHOUT_GRADIENT.get(block_type.name, set())
        ports = zip(block_type.input_names(len(self.leaves)), self.leaves, strict=True)
        return [
            leaf for name, leaf in ports if leaf is not None and leaf.spec.is_differentiable and name not in without
        ]

    @property
    def arriving(self) -> list[Expression | None]:
        """The gradient of each output, as the engine hands it to a rule."""
        return [self.seeds.get(output) for output in self.application.outputs]


def applied(block_type: BlockType, sample: Sample) -> Applied:
    """Returns the type applied to variables that hold the sample's inputs."""
    leaves = tuple(None if item is None else Variable(value=item) for item in sample.inputs)
    named = zip(block_type.input_names(len(leaves)), leaves, strict=True)
    arguments = [_symmetric(leaf) if name in SYMMETRIC.get(block_type.name, ()) else leaf for name, leaf in named]
    application = block_type.apply(arguments, block_type.normalize(sample.parameters))
    rng = np.random.default_rng(sample.seed)
    names = block_type.output_names(len(application.outputs))
    silent = WITHOUT_GRADIENT.get(block_type.name, set())
    seeds = {
        item: random_like(item, rng)
        for name, item in zip(names, application.outputs, strict=True)
        if item.spec.is_differentiable and name not in silent
    }
    return Applied(application, leaves, seeds)


def _symmetric(matrix: Expression | None) -> Expression | None:
    return None if matrix is None else (matrix + MatrixTranspose(matrix)) * 0.5


def random_like(expression: Expression, rng: np.random.Generator) -> Expression:
    """Returns a variable of the same spec with numbers between 0.5 and 1 of either sign."""
    variable: Expression = Variable(value=direction(expression, rng))
    return variable


def direction(expression: Expression, rng: np.random.Generator) -> Array:
    """Numbers between 0.5 and 1 of either sign, so that every element counts."""
    numbers = rng.uniform(0.5, 1, expression.shape) * rng.choice([-1.0, 1.0], expression.shape)
    return np.asarray(numbers, expression.dtype)


def computed(targets: Sequence[Expression]) -> Callable[[Mapping[Expression, Array]], list[Array]]:
    """Returns a function from values of some expressions to the values of `targets`; it raises what a step raises."""
    plan = make_plan(targets)

    def compute(values: Mapping[Expression, Array]) -> list[Array]:
        known = {plan.slots[item]: value for item, value in values.items() if item in plan.slots}
        results = run(plan, known)
        for error in results.failures.values():
            raise error
        return [results[target] for target in targets]

    return compute


def faults_of_gradient(seeds: dict[Expression, Expression], leaves: Sequence[Expression], seed: int) -> list[str]:
    """Returns the differences between the gradient of the sum of seed times target and central differences, in words.

    Each leaf moves alone, along a random direction: a leaf that no gradient reaches must not change the sum.
    """
    totals = backward_pass(seeds).totals
    targets = list(seeds)
    compute, rng = computed(targets), np.random.default_rng(seed)
    found, measure = [], measure_of([*seeds, *leaves])
    reached = [leaf for leaf in leaves if leaf in totals]
    gradients = dict(zip(reached, computed([totals[leaf] for leaf in reached])({}), strict=True))
    weights = [value_of(item) for item in seeds.values()]
    for index, leaf in enumerate(leaves):
        start, along = value_of(leaf), direction(leaf, rng)
        step = measure.step * max(1.0, float(np.abs(start).max(initial=0)))
        after, before = (compute({leaf: start + sign * step * along}) for sign in (1, -1))
        measured = [w * (a - b) / (2 * step) for w, a, b in zip(weights, after, before, strict=True)]
        part = gradients[leaf] * along if leaf in gradients else np.zeros(())
        rounding = sum(float(np.abs(w * a).sum()) for w, a in zip(weights, after, strict=True))
        found += compared(index, part, measured, rounding, measure)
    return found


def compared(index: int, part: Array, measured: list[Array], rounding: float, measure: Measure) -> list[str]:
    """Returns nothing, or the two slopes.

    Tolerance: central differences with this step are off by about 4e-11 of the values (rounding) and of the third
    derivative (truncation); third derivatives up to 1e5 times the first are allowed for: 1e-5 of the terms. In single
    precision both are 2e-5, and third derivatives up to 100 times the first are allowed for.
    """
    rule, difference = float(part.sum()), float(sum(item.sum() for item in measured))
    terms = float(np.abs(part).sum()) + sum(float(np.abs(item).sum()) for item in measured)
    if abs(rule - difference) <= measure.of_terms * terms + measure.of_values * (1 + rounding):
        return []
    return [f"input {index}: the rule gives {rule!r}, central differences {difference!r}"]


def value_of(variable: Expression) -> Array:
    """Returns the array that a variable holds."""
    value: Array = variable.application.parameters["value"]
    return value


def first_gradients(item: Applied) -> list[Expression]:
    """Returns the gradient of each input that gets one, each an expression of its own."""
    totals = backward_pass(item.seeds).totals
    return [Identity(totals[leaf]) for leaf in item.float_leaves if leaf in totals]


def called(block_type: BlockType, inputs: Sequence[Array | None], parameters: Mapping[str, Any]) -> list[Array]:
    """Returns the outputs of a type for arrays, also a single one in a list."""
    with np.errstate(all="ignore"):
        is_source = all(item is None for item in inputs)
        call = block_type.function if is_source else block_type
        result = call(*inputs, **block_type.normalize(parameters))
    return [np.asarray(item) for item in (result if isinstance(result, tuple) else (result,))]


def rule_on_arrays(
    block_type: BlockType,
    inputs: Sequence[Array | None],
    parameters: Mapping[str, Any],
    gradients: Sequence[Array],
    outputs: list[Array] | None = None,
) -> list[Any]:
    """Returns the gradients that the rule makes of arrays, flat: one entry an input; computes unknown outputs."""
    outputs = called(block_type, inputs, parameters) if outputs is None else outputs
    is_variadic = any(port.variadic for port in block_type.outputs)
    g: Any = tuple(gradients) if is_variadic or len(outputs) > 1 else gradients[0]
    ys: list[Any] = [tuple(outputs)] if is_variadic else outputs
    assert block_type.rule is not None
    arranged = arrange_inputs(block_type, inputs)
    with np.errstate(all="ignore"):
        result = block_type.rule(g, *arranged, *ys, **block_type.normalize(parameters))
    flat: list[Any] = []
    for part in result if isinstance(result, tuple) else (result,):
        flat.extend(part) if isinstance(part, list) else flat.append(part)
    return flat
