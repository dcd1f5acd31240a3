"""The table of PyTorch's operations: declared here, or known from the table of names."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, Final, TypeVar

from gradwire.blocks.names.table import Spoken, names

# Operations take expressions, arrays and numbers by the names of the schema, and return as many results as it has.
Operation = Callable[..., Any]
Declared = TypeVar("Declared", bound=Operation)
DECLARED: Final[dict[str, Operation]] = {}
_MODULES: Final = (
    "arithmetic", "borders", "boxes", "convolutions", "creation", "grids", "layers", "losses", "places", "pools",
    "products", "recurrent", "reductions", "shapes",
)  # fmt: skip
# Arguments that say where and how a tensor lies in PyTorch's memory.
_OF_MEMORY: Final = frozenset(
    (
        "copy",
        "cudnn_enable",
        "cudnn_enabled",
        "device",
        "implicit",
        "layout",
        "memory_format",
        "non_blocking",
        "pin_memory",
    )
)


def operation(*targets: str) -> Callable[[Declared], Declared]:
    """Declares what operations are: `add.Tensor` is `aten.add.Tensor`."""

    def declare(made: Declared) -> Declared:
        for target in targets:
            assert target not in DECLARED, target
            DECLARED[target] = made
        return made

    return declare


def find(target: str) -> Operation | None:
    """Returns an operation by its name in the file, `aten.add.Tensor`; None if there are no blocks for it."""
    _declare_all()
    known = DECLARED.get(target.removeprefix("aten."))
    if known is not None:
        return _without_memory(known)
    parts = target.split(".")
    if parts[0] != "aten" or len(parts) != 3:
        return None
    spoken = _spoken(parts[1].removesuffix("_"))
    return None if spoken is None else _without_memory(_by_name(spoken))


@cache
def _declare_all() -> None:
    for module in _MODULES:
        import_module(f"gradwire.interop.aten.{module}")


def _spoken(name: str) -> Spoken | None:
    table = names()
    return table.find(f"torch.{name}") or table.find(f"F.{name}")


def _by_name(spoken: Spoken) -> Operation:
    def called(**arguments: Any) -> Any:
        given = {name: value for name, value in arguments.items() if value is not None}
        first = [given.pop("self")] if "self" in given else []
        return spoken(*first, **given)

    return called


def _without_memory(made: Operation) -> Operation:
    def called(**arguments: Any) -> Any:
        return made(**{name: value for name, value in arguments.items() if name not in _OF_MEMORY})

    return called
