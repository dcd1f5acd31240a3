"""Weights for an open input: the shape that what arrives beside it asks for, with sizes that may be chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.infer import Inferred
from gradwire.engine.base.errors import GradwireError
from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.blocktypes.block_type import BlockType, Role
from gradwire.engine.blocktypes.library import library
from gradwire.engine.graph.block_parameters import can_start
from gradwire.engine.graph.graph import Graph, Page, Port

# A size that may be chosen stands for these two: large primes, which no tensor has by chance.
_PROBES = (1_009, 1_013)
# Size of a window of filters, and of an axis that is left open.
WINDOW, USUAL = 3, 8


class Weights(NamedTuple):
    """Weights that an input takes: their shape, None for each size that may be chosen, and the next seed."""

    shape: tuple[int | None, ...]
    dtype: str
    seed: int

    @property
    def text(self) -> str:
        """Shape as a text: `2 × [ ]`."""
        return " × ".join("[ ]" if size is None else str(size) for size in self.shape)

    def of_size(self, size: int | None) -> Weights:
        """Returns the weights with a size in place of the open ones; None leaves them open."""
        return (
            self if size is None else self._replace(shape=tuple(size if item is None else item for item in self.shape))
        )

    def parameters(self) -> dict[str, object]:
        """Returns the parameters of a Variable; open sizes become the usual one, and a vector begins with zeros."""
        shape = tuple(USUAL if size is None else size for size in self.shape)
        start: dict[str, object] = (
            {"kind": "glorot_uniform", "seed": self.seed} if len(shape) > 1 else {"kind": "zeros"}
        )
        if self.dtype != "float64":
            start["dtype"] = self.dtype
        return {"shape": shape, "start": start}


def weights_for(graph: Graph, page: Page, prefix: str, inferred: Inferred, port: Port) -> Weights | None:
    """Returns the weights that an open input takes, given what arrives at the others; None if nothing says so.

    `prefix` is the path of the page. A shape counts if the block can be inferred with it.
    """
    block = page.blocks.get(port.block)
    block_type = None if block is None else library.get(block.type)
    if block is None or block_type is None or block_type.role is not Role.ORDINARY or block_type.infer is None:
        return None
    names = [item.name for item in block_type.inputs if not item.variadic]
    if port.name not in names or port in page.wires:
        return None
    arriving = {name: _arriving(page, prefix, inferred, Port(block.id, name)) for name in names}
    partner = next((spec for spec in arriving.values() if spec is not None), None)
    if partner is None or partner.dtype.kind != "f":
        return None
    try:
        parameters = block_type.normalize(block.parameters)
    except GradwireError:
        return None
    for shape in _candidates(block_type, partner):
        if all(_fits(block_type, arriving, parameters, port.name, shape, partner, probe) for probe in _PROBES):
            return Weights(shape, partner.dtype.name, _variables(graph))
    return None


def _arriving(page: Page, prefix: str, inferred: Inferred, port: Port) -> TensorSpec | None:
    wire = page.wires.get(port)
    return None if wire is None else inferred.specs.get(PortName(f"{prefix}/{wire.source.block}", wire.source.name))


def _candidates(block_type: BlockType, partner: TensorSpec) -> Iterator[tuple[int | None, ...]]:
    """Yields shapes that weights beside a tensor have: matrices, filters, then a number for each feature."""
    if not partner.shape:
        return
    last = partner.shape[-1]
    # Element by element sizes of 1 would fit anything.
    if not block_type.by_element:
        yield last, None
        yield None, last
        yield from [(None, partner.shape[-2])] if partner.ndim > 1 else []
        yield from ((*[WINDOW] * axes, last, None) for axes in (1, 2, 3))
    yield (last,)


def _fits(
    block_type: BlockType,
    arriving: Mapping[str, TensorSpec | None],
    parameters: Mapping[str, Any],
    name: str,
    shape: Sequence[int | None],
    partner: TensorSpec,
    probe: int,
) -> bool:
    """Returns whether the block can be inferred with weights whose open sizes are a probe."""
    whole = tuple(probe if size is None else size for size in shape)
    specs = {**arriving, name: TensorSpec(whole, partner.dtype)}
    try:
        block_type.infer_outputs(list(specs.values()), parameters)
    except GradwireError:
        return False
    return True


def _variables(graph: Graph) -> int:
    return sum(can_start(block) for page in graph.pages for block in page.blocks.values())
