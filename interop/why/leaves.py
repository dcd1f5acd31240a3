"""Names of tensors that a model reads: its arguments, and what it keeps in attributes, lists and closures."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import FunctionType
from typing import Any, Final

from gradwire.interop.torch.exporting import Call
from gradwire.interop.torch.versions import Torch, pytorch

# Lists in lists are looked through so far.
_DEEPEST: Final = 4


@dataclass(frozen=True)
class Place:
    """Where a tensor is kept, `layers.0.weight`, "" if nowhere; in a module it should be a parameter."""

    path: str
    is_in_module: bool


def argument_names(call: Call) -> list[str]:
    """Returns a name for each leaf of the arguments, in their order: `batch_x` for `batch["x"]`."""
    tree = pytorch().utils._pytree
    try:
        bound = inspect.signature(call.module.forward).bind(*call.arguments, **call.keywords).arguments
    except (TypeError, ValueError):
        bound = {f"argument_{place}": item for place, item in enumerate((*call.arguments, *call.keywords.values()))}
    pairs, _ = tree.tree_flatten_with_path(dict(bound))
    names = ["_".join(map(_key, path)) for path, _ in pairs]
    count = len(tree.tree_leaves((call.arguments, dict(call.keywords))))
    return names if len(names) == count else [f"argument_{place}" for place in range(count)]


def kept_at(module: Torch, wanted: Any) -> Place:
    """Returns where a module, or the function that it stands for, keeps a tensor."""
    for path, item, is_in_module in _kept(module, "", False, _DEEPEST):
        if item is wanted:
            return Place(path, is_in_module)
    return Place("", not _is_function(module))


def _is_function(module: Torch) -> bool:
    return type(module) is pytorch().nn.Module


def _kept(owner: Any, path: str, is_in_module: bool, depth: int) -> Iterator[tuple[str, Any, bool]]:
    """Yields what an object holds, with paths, and whether a module does."""
    yield path, owner, is_in_module
    is_module = isinstance(owner, pytorch().nn.Module)
    if depth > 0 or is_module:
        for key, item in _items(owner):
            inside = is_in_module or (is_module and not _is_function(owner))
            yield from _kept(item, f"{path}.{key}".lstrip("."), inside, _DEEPEST if is_module else depth - 1)


def _items(owner: Any) -> Iterable[tuple[Any, Any]]:
    if isinstance(owner, dict):
        return owner.items()
    if isinstance(owner, list | tuple):
        return enumerate(owner)
    if not isinstance(owner, pytorch().nn.Module):
        return ()
    held = vars(owner)
    own = {key: item for key, item in held.items() if not key.startswith("_") and key != "forward"}
    return {**_closure(held.get("forward")), **own, **held["_parameters"], **held["_modules"]}.items()


def _closure(function: Any) -> dict[str, Any]:
    """Returns what a function reads from outside."""
    if not isinstance(function, FunctionType):
        return {}
    outside = inspect.getclosurevars(function)
    return {**outside.globals, **outside.nonlocals}


def _key(entry: Any) -> str:
    return str(getattr(entry, "key", getattr(entry, "idx", getattr(entry, "name", entry))))
