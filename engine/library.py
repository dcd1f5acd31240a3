"""The library: every block type by its name. It is filled while `blocks` is imported and frozen afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import ModuleType

from engine import primitives
from engine.block_type import BlockType
from engine.errors import NameUnknownError

# The packages whose code is part of the program.
OURS = ("engine", "blocks")


class Library:
    """Block types by name, in the order of their categories and then of their names."""

    def __init__(self) -> None:
        self._types: dict[str, BlockType] = {}
        self._is_frozen = False
        self.add_module(primitives)

    def add_module(self, module: ModuleType) -> None:
        """Adds every block type that a module defines.

        Raises: ValueError for a second type of the same name, and once the library is frozen.
        """
        for item in vars(module).values():
            if isinstance(item, BlockType):
                self._add(item)

    def add_plugin(self, name: str, module: ModuleType) -> list[str]:
        """Adds the block types that a plug-in's module defines, called `name.Type`, and gives these names.

        Raises: ValueError if it defines none.
        """
        package = module.__name__.partition(".")[0]
        own = [item for item in vars(module).values() if _is_of(item, package)]
        if not own:
            raise ValueError("it defines no block type")
        for item in own:
            item.name, item.is_foreign = f"{name}.{item.function.__name__}", True
            self._add(item)
        return [item.name for item in own]

    def distrust_plugins(self) -> None:
        """From here on the code of plug-ins is not asked for specs in this process: it may hang or end it.

        What their blocks give is then as unknown as where values decide, until a run has found it.
        """
        for item in self._types.values():
            if item.is_foreign and item.infer is not None and not _is_ours(item.infer):
                item.infer = None

    def freeze(self) -> None:
        """Ends filling."""
        self._is_frozen = True

    def get(self, name: str) -> BlockType | None:
        """The block type of that name, or None."""
        return self._types.get(name)

    def __getitem__(self, name: str) -> BlockType:
        """The block type of that name.

        Raises: NameUnknownError, with the nearest names, if there is none.
        """
        found = self._types.get(name)
        if found is None:
            near = self.nearest(name)
            hint = f"; the nearest are {', '.join(near)}" if near else ""
            raise NameUnknownError(f'There is no block type "{name}"{hint}.')
        return found

    def __contains__(self, name: str) -> bool:
        return name in self._types

    def __iter__(self) -> Iterator[BlockType]:
        return iter(sorted(self._types.values(), key=lambda item: (item.category, item.name)))

    def __len__(self) -> int:
        return len(self._types)

    def nearest(self, name: str) -> list[str]:
        """At most three names that look like `name`."""
        return nearest(name, self._types)

    def _add(self, block_type: BlockType) -> None:
        known = self._types.get(block_type.name)
        if known is block_type:
            return
        if known is not None or self._is_frozen:
            raise ValueError(f"{block_type.name} cannot be added: the name is taken or the library is frozen")
        self._types[block_type.name] = block_type


def _is_ours(function: Callable[..., object]) -> bool:
    return function.__module__.partition(".")[0] in OURS


def _is_of(item: object, package: str) -> bool:
    """Whether this is a block type that a package defines itself, not one of ours that it uses."""
    return isinstance(item, BlockType) and item.function.__module__.partition(".")[0] == package


def nearest(name: str, names: Iterable[str]) -> list[str]:
    """At most three of `names` that look like `name`, the most similar first; capitals do not count."""
    import difflib  # only wrong names pay for it

    by_lower = {item.lower(): item for item in names}
    return [by_lower[item] for item in difflib.get_close_matches(name.lower(), by_lower, cutoff=0.6)]


library = Library()
