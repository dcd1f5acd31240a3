"""The library: every block type by its name. It is filled while `blocks` is imported and frozen afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import ModuleType

from engine import primitives
from engine.block_type import BlockType
from engine.errors import NameUnknownError


@dataclass(frozen=True)
class Plugin:
    """An installed plug-in: where it comes from, and either the block types that it added or why it added none.

    `origin` is the distribution with its version, `place` the module with the path that it is installed at.
    """

    name: str
    origin: str = ""
    is_enabled: bool = False
    place: str = ""
    types: tuple[str, ...] = ()
    fault: str = ""


class Library:
    """Block types by name, in the order of their categories and then of their names.

    `plugins` has those that are enabled, and those that were disabled because they failed. With `keeps_code_out` their
    block types are known by description alone: in this process none of their code runs, which may hang or end it.
    """

    def __init__(self) -> None:
        self._types: dict[str, BlockType] = {}
        self._is_frozen = False
        self.plugins: dict[str, Plugin] = {}
        self.keeps_code_out = False
        self.add_module(primitives)

    def add_module(self, module: ModuleType) -> None:
        """Adds every block type that a module defines.

        Raises: ValueError for a second type of the same name, and once the library is frozen.
        """
        for item in vars(module).values():
            if isinstance(item, BlockType):
                self._add(item)

    def put_plugin(self, plugin: Plugin, types: Iterable[BlockType] = ()) -> None:
        """Notes what has become of a plug-in; its block types are these now, in place of those it had."""
        self._types = {name: item for name, item in self._types.items() if item.plugin != plugin.name}
        self._types.update((item.name, item) for item in types)
        self.plugins[plugin.name] = plugin

    def freeze(self) -> None:
        """Ends filling; only plug-ins still come and go."""
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


def nearest(name: str, names: Iterable[str]) -> list[str]:
    """At most three of `names` that look like `name`, the most similar first; capitals do not count."""
    import difflib  # only wrong names pay for it

    by_lower = {item.lower(): item for item in names}
    return [by_lower[item] for item in difflib.get_close_matches(name.lower(), by_lower, cutoff=0.6)]


library = Library()
