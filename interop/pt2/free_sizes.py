"""Sizes of inputs that a program leaves open, such as that of a batch."""

from __future__ import annotations

from pathlib import Path

from gradwire.interop.models.inputs import FreeSize
from gradwire.interop.pt2.archive import Archive
from gradwire.interop.pt2.program import Program, symbol_of


def free_sizes(path: str | Path | bytes) -> list[FreeSize]:
    """Returns the sizes that a model leaves open, in the order of its inputs; its weights are not read.

    Raises: ModelRefusal for what cannot come in.
    """
    archive = Archive(path)
    try:
        return _free_sizes(Program(archive))
    except (KeyError, TypeError, AttributeError, IndexError, ValueError):
        raise archive.refusal("its graph is not what torch.export writes") from None


def _free_sizes(program: Program) -> list[FreeSize]:
    found: dict[str, list[tuple[str, int]]] = {}
    sizes: dict[str, int] = {}
    metas = program.graph["tensor_values"]
    inputs = [spec["user_input"]["arg"] for spec in program.inputs if "user_input" in spec]
    for name in (argument["as_tensor"]["name"] for argument in inputs if "as_tensor" in argument):
        for axis, item in enumerate(metas[name]["sizes"]):
            if "as_expr" in item:
                found.setdefault(symbol_of(item), []).append((name, axis))
                sizes[symbol_of(item)] = program.size(item)
    return [FreeSize(symbol, sizes[symbol], tuple(axes)) for symbol, axes in found.items()]
