"""Noise that a block draws once, or anew in each step of a training."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from gradwire.engine.base.counter_random import generator, key_of
from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.draw import Draw, Moment, Parameters, Recipe, Writer
from gradwire.engine.blocktypes.expression import Expression

# "run": the numbers of the seed, in each run the same. "step": in training, others in each step and repetition.
Every = Literal["run", "step"]
# Makes noise of a shape; the parameter dtype is that of the numbers. The name in quotes spares importing NumPy's part.
Noise = Callable[[tuple[int, ...], "np.random.Generator", Parameters], Array]


def generator_of(seed: int, every: str) -> np.random.Generator:
    """Returns the generator of a block outside of training."""
    return np.random.default_rng(seed) if every == "run" else generator("noise", seed)


def seed_at(seed: int, moment: Moment, path: str) -> int:
    """Returns the seed with which a block at a path, whose seed is given, draws the numbers of a moment."""
    place = (moment.seed, path, moment.step, moment.repetition, moment.round, seed)
    # A parameter has 63 bits and a sign.
    return key_of("noise", *place) >> 65


def drawn_by_step(
    noise: Noise,
    apply: Callable[..., Sequence[Expression]] | None = None,
    specs: Callable[[Sequence[TensorSpec], Parameters], Sequence[TensorSpec]] = lambda outputs, _: outputs,
    in_test: Parameters | None = None,
    kind: str = "",
) -> Draw:
    """Returns how a block whose parameter `every` is "step" draws: by seeds, path, step, repetition and round.

    `kind` is the noise in the words of a recipe; uniform noise is below 1 in its dtype, too.
    """

    def changes(given: Parameters) -> bool:
        return bool(given["every"] == "step")

    def writer(given: Parameters, path: str) -> Writer:
        def write(moment: Moment, targets: Sequence[Array]) -> None:
            kind = targets[0].dtype.name
            rng = generator_of(seed_at(given["seed"], moment, path), "step")
            numbers = noise(targets[0].shape, rng, {**given, "dtype": kind})
            np.copyto(targets[0], numbers, "same_kind")

        return write

    def at(given: Parameters, moment: Moment, path: str) -> Parameters:
        return {"seed": seed_at(given["seed"], moment, path)} if changes(given) else {}

    def recipe(given: Parameters) -> Recipe | None:
        return Recipe(kind, given["seed"]) if kind else None

    return Draw(changes, writer, specs, apply, at=at, in_test=in_test or {}, recipe=recipe)
