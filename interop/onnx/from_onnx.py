"""A file of ONNX as a graph: the way into this room."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.graph.graph import Graph
from gradwire.interop.models.graphs import Found, Model, model_of
from gradwire.interop.models.inputs import Drawn, FreeSize, Given, Inputs
from gradwire.interop.models.names import block_name, listed
from gradwire.interop.models.tensors import made
from gradwire.interop.onnx.file import ModelFile
from gradwire.interop.onnx.program import Program, Sizes
from gradwire.interop.onnx.reading import Reading

NO_STOPS: Final = "An ONNX file does not say where gradients are stopped (detach, no_grad): here they flow everywhere."


def from_onnx(path: str | Path | bytes, inputs: Mapping[str, Given] | None = None, *, train: bool = True) -> Graph:
    """Returns the graph of an ONNX model; no library of ONNX is needed, and nothing of the file runs.

    Weights become Variables, without `train` constants; `inputs` give the numbers of the inputs by name; the others are
    drawn. A scalar output is the Loss. Each block keeps the name of its node.
    Raises: ModelRefusal, with what to do, for what cannot come in.
    """
    return read_onnx(path, inputs, train=train).graph


def read_onnx(
    path: str | Path | bytes,
    inputs: Mapping[str, Given] | None = None,
    loss: str | None = None,
    sizes: Mapping[str, int] | None = None,
    drawn: Drawn | None = None,
    *,
    train: bool = True,
) -> Model:
    """Returns the same with notices; `loss` names the output whose sum is the loss.

    `sizes` chooses free sizes by their symbols, and `drawn` says how inputs are filled that nobody gives.
    Raises: ModelRefusal for what cannot come in.
    """
    return model_of(found_in(read_program(path, inputs, sizes, drawn, train=train)), loss)


def read_program(
    path: str | Path | bytes,
    inputs: Mapping[str, Given] | None = None,
    sizes: Mapping[str, int] | None = None,
    drawn: Drawn | None = None,
    *,
    train: bool = True,
) -> Reading:
    """Returns the results and leaves of a model as expressions; see `read_onnx`.

    Raises: ModelRefusal for what cannot come in.
    """
    return Reading(Program(ModelFile(path)), Inputs(Sizes(sizes), dict(inputs or {}), drawn or Drawn()), train)


def free_sizes(path: str | Path | bytes) -> list[FreeSize]:
    """Returns the sizes that a model leaves open, in the order of its inputs; its weights are not read.

    Raises: ModelRefusal for what cannot come in.
    """
    program = Program(ModelFile(path))
    found: dict[str, list[tuple[str, int]]] = {}
    for value in program.given_inputs():
        for place, axis in enumerate(program.axes_of(value)[0] or ()):
            if axis.number is None:
                found.setdefault(axis.symbol, []).append((value.name, place))
    return [FreeSize(symbol, Sizes.default, tuple(axes)) for symbol, axes in found.items()]


def found_in(reading: Reading) -> Found:
    """Returns what a model became, with its notices."""
    producer = reading.program.producer
    notices = [*reading.notices, NO_STOPS]
    if reading.merged:
        notices.append(f"{listed(reading.merged)}: merged in the file with equal weights; here Variables of their own.")
    if producer:
        notices.append(f"Written by {producer}.")
    outputs: dict[str, Expression] = {}
    for name, item in reading.outputs.items():
        outputs[name] = item if isinstance(item, Expression) else made("Constant", value=item, name=block_name(name))
    leaves = {**reading.inputs.made, **reading.variables}
    return Found(reading.program.file.name, outputs, leaves, reading.origins, tuple(notices))
