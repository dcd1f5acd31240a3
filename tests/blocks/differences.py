"""Central differences of expressions, and block types applied to samples."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from blocks.sources import Variable
from engine.block_type import BlockType, Role, arrange_inputs
from engine.expression import Application, Expression
from engine.gradients import walk_back
from engine.plan import make_plan, run
from engine.primitives import Identity
from engine.tensor_spec import Array
from tests.blocks.pinned import PORTS_WITHOUT_GRADIENT
from tests.blocks.samples import Sample

STEP = float(np.cbrt(np.finfo(np.float64).eps))


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
    """The type applied to variables that hold the sample's inputs."""
    leaves = tuple(None if item is None else Variable(value=item) for item in sample.inputs)
    application = block_type.apply(leaves, block_type.normalize(sample.parameters))
    rng = np.random.default_rng(sample.seed)
    seeds = {item: random_like(item, rng) for item in application.outputs if item.spec.is_differentiable}
    return Applied(application, leaves, seeds)


def random_like(expression: Expression, rng: np.random.Generator) -> Expression:
    """A variable of the same spec with numbers between 0.5 and 1 of either sign."""
    variable: Expression = Variable(value=direction(expression, rng))
    return variable


def direction(expression: Expression, rng: np.random.Generator) -> Array:
    """Numbers between 0.5 and 1 of either sign, so that every element counts."""
    numbers = rng.uniform(0.5, 1, expression.shape) * rng.choice([-1.0, 1.0], expression.shape)
    return np.asarray(numbers, expression.dtype)


def computed(targets: Sequence[Expression]) -> Callable[[Mapping[Expression, Array]], list[Array]]:
    """A function from values of some expressions to the values of `targets`; it raises what a step raises."""
    plan = make_plan(targets)

    def compute(values: Mapping[Expression, Array]) -> list[Array]:
        known = {plan.slots[item]: value for item, value in values.items() if item in plan.slots}
        results = run(plan, known)
        for error in results.failures.values():
            raise error
        return [results[target] for target in targets]

    return compute


def faults_of_gradient(seeds: dict[Expression, Expression], leaves: Sequence[Expression], seed: int) -> list[str]:
    """Where the gradient of the sum of seed times target differs from central differences, in words.

    Each leaf moves alone, along a random direction: a leaf that no gradient reaches must not change the sum.
    """
    totals = walk_back(seeds).totals
    targets = list(seeds)
    compute, rng = computed([*targets, *seeds.values()]), np.random.default_rng(seed)
    found = []
    for index, leaf in enumerate(leaves):
        start, along = value_of(leaf), direction(leaf, rng)
        step = STEP * max(1.0, float(np.abs(start).max(initial=0)))
        after, before = (compute({leaf: start + sign * step * along})[: len(targets)] for sign in (1, -1))
        weights = [value_of(item) for item in seeds.values()]
        measured = [w * (a - b) / (2 * step) for w, a, b in zip(weights, after, before, strict=True)]
        part = computed([totals[leaf]])({})[0] * along if leaf in totals else np.zeros(())
        rounding = sum(float(np.abs(w * a).sum()) for w, a in zip(weights, after, strict=True))
        found += compared(index, part, measured, rounding)
    return found


def compared(index: int, part: Array, measured: list[Array], rounding: float) -> list[str]:
    """Nothing, or the two slopes.

    Tolerance: central differences with this step are off by about 4e-11 of the values (rounding) and of the third
    derivative (truncation); third derivatives up to 1e5 times the first are allowed for: 1e-5 of the terms.
    """
    rule, difference = float(part.sum()), float(sum(item.sum() for item in measured))
    terms = float(np.abs(part).sum()) + sum(float(np.abs(item).sum()) for item in measured)
    if abs(rule - difference) <= 1e-5 * terms + 1e-9 * (1 + rounding):
        return []
    return [f"input {index}: the rule gives {rule!r}, central differences {difference!r}"]


def value_of(variable: Expression) -> Array:
    """The array that a variable holds."""
    value: Array = variable.application.parameters["value"]
    return value


def first_gradients(item: Applied) -> list[Expression]:
    """The gradient of each input that gets one, each an expression of its own."""
    totals = walk_back(item.seeds).totals
    return [Identity(totals[leaf]) for leaf in item.float_leaves if leaf in totals]


def called(block_type: BlockType, inputs: Sequence[Array | None], parameters: Mapping[str, Any]) -> list[Array]:
    """The outputs of a type for arrays, also a single one in a list."""
    with np.errstate(all="ignore"):
        is_source = block_type.role is Role.SOURCE
        result = block_type.function(**parameters) if is_source else block_type(*inputs, **parameters)
    return [np.asarray(item) for item in (result if isinstance(result, tuple) else (result,))]


def rule_on_arrays(
    block_type: BlockType, inputs: Sequence[Array | None], parameters: Mapping[str, Any], gradients: Sequence[Array]
) -> list[Any]:
    """What the rule gives for arrays, flat: one entry an input."""
    outputs = called(block_type, inputs, parameters)
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
