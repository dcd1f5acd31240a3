"""Samplers for the optimizers: state and gradients of one shape, sums of squares above 0."""

from __future__ import annotations

from gradwire.engine.blocktypes.library import library
from tests.blocks.samplers.samples import Maker, Range, Sample, Sampler, sampler

SQUARES = {"accum", "accum_update", "gradient_squared_accumulator", "v"}
# Above the square of the greatest mean gradient, or the variance in ApplyCenteredRMSProp would be negative.
MEAN_SQUARES = {"ms": Range(7.0, 9.0, signed=False), **dict.fromkeys(SQUARES, Range(signed=False))}
SMALL_RATES = {"alpha": 0.1, "lr": 0.1, "l1": 0.01, "l2": 0.2}


def of(name: str) -> Sampler:
    """Returns a sampler of the optimizer of this name."""
    block_type = library[name]
    state = [port.name for port in block_type.inputs if not port.variadic]
    given = {key: value for key, value in SMALL_RATES.items() if key in block_type.parameters}
    switches = [item.name for item in block_type.parameters.values() if item.kind.name == "boolean"]

    def make(maker: Maker) -> Sample:
        shape = maker.shape(max_rank=3)
        inputs = [maker.floats(shape, *MEAN_SQUARES.get(port, ())) for port in state]
        inputs += [maker.floats(shape) for _ in range(maker.size(1, 3))]
        return maker.sample(*inputs, **given, **{switch: maker.choose(True, False) for switch in switches})

    return make


for _type in library:
    if _type.category == "Optimizers":
        sampler(_type.name)(of(_type.name))
