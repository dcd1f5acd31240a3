"""Noise that a block draws once, or anew in each step of a training."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from gradwire.engine.base.counter_random import generator
from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.draw import Draw, Moment, Parameters, Writer
from gradwire.engine.blocktypes.expression import Expression

# "run": the numbers of the seed, in each run the same. "step": in training, others in each step and repetition.
Every = Literal["run", "step"]
# Makes noise of a shape; the parameter dtype is that of the numbers.
Noise = Callable[[tuple[int, ...], np.random.Generator, Parameters], Array]


def generator_of(seed: int, every: str) -> np.random.Generator:
    """Returns the generator of a block outside of training."""
    return np.random.default_rng(seed) if every == "run" else generator("noise", seed)


def drawn_by_step(
    noise: Noise,
    apply: Callable[..., Sequence[Expression]] | None = None,
    specs: Callable[[Sequence[TensorSpec], Parameters], Sequence[TensorSpec]] = lambda outputs, _: outputs,
    in_test: Parameters | None = None,
) -> Draw:
    """Returns how a block whose parameter `every` is "step" draws: by seeds, path, step, repetition and round."""

    def writer(given: Parameters, path: str) -> Writer:
        def write(moment: Moment, targets: Sequence[Array]) -> None:
            place = (moment.seed, path, moment.step, moment.repetition, moment.round)
            kind = targets[0].dtype.name
            numbers = noise(targets[0].shape, generator("noise", *place, given["seed"]), {**given, "dtype": kind})
            np.copyto(targets[0], numbers, "same_kind")

        return write

    return Draw(lambda given: bool(given["every"] == "step"), writer, specs, apply, in_test=in_test or {})
