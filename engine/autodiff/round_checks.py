"""Checks of the specs that enter and leave the rounds of a loop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gradwire.engine.autodiff.instances import Instance, PortName
from gradwire.engine.base.errors import BlockError, DtypeError, ShapeError
from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.graph.graph import Graph
from gradwire.engine.graph.loops import carried_names, loop_of
from gradwire.engine.graph.ports import page_ports, used_page


def check_helper(instance: Instance, known: Sequence[TensorSpec | None]) -> None:
    """Checks the input of a helper that takes a tensor apart.

    Raises: ShapeError if the tensor has not one element of axis 0 for each round.
    """
    loop, spec = loop_of(instance.block), known[0]
    if instance.type is None or not instance.type.outputs[0].variadic or loop is None or spec is None:
        return
    if spec.shape[:1] != (loop.times,):
        assert instance.port is not None
        raise ShapeError(
            f"{instance.port.port} has shape {list(spec.shape)}, but axis 0 must have size {loop.times:,}, one element "
            "for each round"
        )


def check_round(
    instance: Instance, outputs: Mapping[str, TensorSpec | None], specs: Mapping[PortName, TensorSpec], graph: Graph
) -> None:
    """Checks that a round gives what it carries as it got it.

    Raises: ShapeError or DtypeError for an output of another spec than the input of its name.
    """
    page = used_page(graph, instance.block)
    assert page is not None
    blocks = {port.name: port.block.id for port in page_ports(page, Role.PAGE_INPUT)}
    for name in carried_names(page):
        before, after = specs.get(PortName(f"{instance.path}/{blocks[name]}", "y")), outputs[name]
        if before is not None and after is not None and before != after:
            kind: type[BlockError] = ShapeError if before.dtype == after.dtype else DtypeError
            raise kind(
                f"{name} is carried from round to round, so it must not change its shape or dtype: it goes in as "
                f"{before} and comes out as {after}"
            )


def element_of(spec: TensorSpec | None) -> TensorSpec | None:
    """Returns the spec of what one round gets of a tensor; None if the tensor has no axis."""
    return None if spec is None or not spec.shape else TensorSpec(spec.shape[1:], spec.dtype)


def collected(spec: TensorSpec | None, times: int) -> TensorSpec | None:
    """Returns the spec of the results of all rounds together."""
    return None if spec is None else TensorSpec((times, *spec.shape), spec.dtype)
