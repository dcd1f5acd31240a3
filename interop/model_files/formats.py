"""The formats of models, by the endings of their files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from gradwire.engine.files.other_formats import other_format
from gradwire.interop.models.graphs import Model
from gradwire.interop.models.inputs import Drawn, FreeSize, Given
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.onnx import from_onnx
from gradwire.interop.pt2 import free_sizes as pt2_sizes
from gradwire.interop.pt2 import from_pt2


def read_model(
    path: Path,
    inputs: Mapping[str, Given] | None = None,
    loss: str | None = None,
    sizes: Mapping[str, int] | None = None,
    drawn: Drawn | None = None,
) -> Model:
    """Returns the graph of a model with its notices; see `read_pt2` and `read_onnx`.

    Raises: ModelRefusal for what cannot come in.
    """
    if path.is_dir() and (clause := other_format(path)):
        raise ModelRefusal(f"{path.name}: {clause}.")
    read = from_onnx.read_onnx if _is_onnx(path) else from_pt2.read_pt2
    return read(path, inputs, loss, sizes, drawn)


def free_sizes(path: Path) -> list[FreeSize]:
    """Returns the sizes that a model leaves open, in the order of its inputs; its weights are not read.

    Raises: ModelRefusal for what cannot come in.
    """
    return from_onnx.free_sizes(path) if _is_onnx(path) else pt2_sizes.free_sizes(path)


def _is_onnx(path: Path) -> bool:
    return path.suffix.casefold() == ".onnx"
