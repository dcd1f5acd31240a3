"""Values that change from round to round of a training, as a block type declares them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from gradwire.engine.base.tensor_spec import Array, TensorSpec

# Any: parameters are as their kinds decide.
Parameters = Mapping[str, Any]


class Moment(NamedTuple):
    """Place in a training: its seed, the name of a step, the repetition of the step, and the round."""

    seed: int = 0
    step: str = ""
    repetition: int = 0
    round: int = 0


# Writes the numbers of a moment into arrays.
Writer = Callable[[Moment, Sequence[Array]], None]


class Recipe(NamedTuple):
    """What a block draws, for programs that draw it without NumPy.

    `kind` is `uniform` or `normal` for noise of a seed, or `rows`: those of the arrays of a set named `name`, `batch`
    of them in each round. An epoch shuffles the rows by the seed; with None they stay in order.
    """

    kind: str
    seed: int | None = None
    arrays: Sequence[Array] = ()
    batch: int = 0
    name: str = ""


@dataclass(frozen=True)
class Draw:
    """Way in which a block type draws its numbers anew in training; each is a function of parameters and moment.

    `changes` says whether parameters ask for it, `specs` gives the numbers that a block with these outputs draws, and
    `writer` opens a block at a path. `apply` makes the outputs from the numbers and the inputs; without it the numbers
    are the outputs. If `is_of_round`, the numbers are the same for all steps and repetitions of a round. `at` gives
    the parameters with which the block at a path shows the numbers of a moment outside of training.
    `in_test` has the parameters that differ where rows are tested, and `is_of_rows` says that they choose such rows.
    `facts` counts rows and batches. `recipe` gives what is drawn in words, None where only `writer` can draw it.
    """

    changes: Callable[[Parameters], bool]
    writer: Callable[[Parameters, str], Writer]
    specs: Callable[[Sequence[TensorSpec], Parameters], Sequence[TensorSpec]] = lambda outputs, _: outputs
    apply: Callable[..., Sequence[Any]] | None = None  # Any: expressions, which know nothing of types
    is_of_round: bool = False
    is_of_rows: bool = False
    at: Callable[[Parameters, Moment, str], Parameters] = lambda *_: {}
    in_test: Parameters = field(default_factory=dict)
    facts: Callable[[Parameters], Mapping[str, int]] | None = None
    recipe: Callable[[Parameters], Recipe | None] = lambda _: None
