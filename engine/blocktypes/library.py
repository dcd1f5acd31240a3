"""Library of all block types by name; the import of `blocks` fills it and then freezes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import ModuleType

from gradwire.engine.base.errors import NameUnknownError
from gradwire.engine.base.nearest import nearest
from gradwire.engine.blocktypes import primitives
from gradwire.engine.blocktypes.block_type import BlockType, Role


@dataclass(frozen=True)
class Plugin:
    """Installed plug-in: its origin, and either the block types that it added or the reason for their absence.

    `origin` is the distribution with its version, `place` the module with the path that it is installed at.
    """

    name: str
    origin: str = ""
    is_enabled: bool = False
    place: str = ""
    types: tuple[str, ...] = ()
    fault: str = ""


class Library:
    """Block types by name, sorted by category and name.

    `plugins` has the enabled plug-ins and those that were disabled because they failed. With `keeps_code_out` only
    descriptions represent their block types: none of their code, which may hang or end the process, runs here.
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
        """Records the state of a plug-in and replaces its block types."""
        self._types = {name: item for name, item in self._types.items() if item.plugin != plugin.name}
        self._types.update((item.name, item) for item in types)
        self.plugins[plugin.name] = plugin

    def freeze(self) -> None:
        """Freezes the library; only plug-ins still come and go."""
        self._is_frozen = True

    def get(self, name: str) -> BlockType | None:
        """Returns the block type of that name, or None."""
        return self._types.get(name)

    def __getitem__(self, name: str) -> BlockType:
        """Returns the block type of that name.

        Raises: NameUnknownError, with the nearest names, if there is none.
        """
        found = self._types.get(name)
        if found is None:
            raise self._unknown(name)
        return found

    def for_user(self, name: str) -> BlockType:
        """Returns the type that a user names; the parts of gradient rules are unknown.

        Raises: NameUnknownError, with the nearest names, if there is none.
        """
        found = self[name]
        if found.is_part:
            raise self._unknown(name)
        return found

    def _unknown(self, name: str) -> NameUnknownError:
        near = self.nearest(name)
        hint = f"; the nearest are {', '.join(near)}" if near else ""
        return NameUnknownError(f'There is no block type "{name}"{hint}.')

    def with_role(self, role: Role) -> BlockType:
        """Returns the block type that carries out a role which only one type has.

        Raises: NameUnknownError if there is none.
        """
        for item in self._types.values():
            if item.role is role and not item.from_plugin:
                return item
        raise NameUnknownError(f"There is no block type for the role {role.value}.")

    def __contains__(self, name: str) -> bool:
        return name in self._types

    def __iter__(self) -> Iterator[BlockType]:
        return iter(sorted(self._types.values(), key=lambda item: (item.category, item.name)))

    def for_users(self) -> list[BlockType]:
        """Returns the types that users meet, in the same order: all but the parts of gradient rules."""
        return [item for item in self if not item.is_part]

    def __len__(self) -> int:
        return len(self._types)

    def nearest(self, name: str) -> list[str]:
        """Returns at most three names that look like `name`."""
        return nearest(name, [item.name for item in self.for_users()])

    def _add(self, block_type: BlockType) -> None:
        known = self._types.get(block_type.name)
        if known is block_type:
            return
        if known is not None or self._is_frozen:
            raise ValueError(f"{block_type.name} cannot be added: the name is taken or the library is frozen")
        self._types[block_type.name] = block_type


library = Library()
