"""Library of all block types by name.

The import of `blocks` says where they are declared; a family is imported when one of its types is asked for, so that a
short command needs a few of them.
"""

from __future__ import annotations

import pkgutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from types import ModuleType
from typing import NamedTuple

from gradwire.engine.base.errors import NameUnknownError
from gradwire.engine.base.nearest import nearest
from gradwire.engine.blocktypes import primitives
from gradwire.engine.blocktypes.block_type import BlockType, Role
from gradwire.engine.blocktypes.target import Target


class Plugin(NamedTuple):
    """Installed plug-in: its origin, and either what it added or the reason for its absence.

    `origin` is the distribution with its version, `place` the module with the path that it is installed at.
    """

    name: str
    origin: str = ""
    is_enabled: bool = False
    place: str = ""
    types: tuple[str, ...] = ()
    fault: str = ""
    targets: tuple[Target, ...] = ()


class Library:
    """Block types by name, sorted by category and name.

    `plugins` has the enabled plug-ins and those that were disabled because they failed. With `keeps_code_out` only
    descriptions represent their block types: none of their code, which may hang or end the process, runs here.
    """

    def __init__(self) -> None:
        self._types: dict[str, BlockType] = {}
        self._package = ""
        self._families: Mapping[str, str] = {}
        self._is_whole = True
        self.plugins: dict[str, Plugin] = {}
        self.keeps_code_out = False
        self.add_module(primitives)

    def add_module(self, module: ModuleType) -> None:
        """Adds every block type that a module defines.

        Raises: ValueError for a second type of the same name.
        """
        for item in vars(module).values():
            if isinstance(item, BlockType):
                self._add(item)

    def put_plugin(self, plugin: Plugin, types: Iterable[BlockType] = ()) -> None:
        """Records the state of a plug-in and replaces its block types."""
        # In place: another thread may be adding a family.
        for item in list(self._types.values()):
            if item.plugin == plugin.name:
                del self._types[item.name]
        self._types.update((item.name, item) for item in types)
        self.plugins[plugin.name] = plugin

    def put_own(self, item: BlockType) -> None:
        """Adds a block type that a script declares, or replaces the one of that name, as when a cell runs again."""
        self._types[item.name] = item
        known = self.plugins.get(item.plugin, Plugin(item.plugin, is_enabled=True))
        self.plugins[item.plugin] = known._replace(types=tuple(dict.fromkeys((*known.types, item.name))))

    def announce(self, package: str, families: Mapping[str, str]) -> None:
        """Takes a package whose modules declare block types, and the module's name in it for each type.

        The names only save time: a type that they miss, or have at a wrong place, is found by importing all modules.
        """
        self._package, self._families, self._is_whole = package, families, False

    def load(self) -> None:
        """Imports all families that nothing has asked for yet."""
        if not self._is_whole:
            folders = sys.modules[self._package].__path__
            for name in sorted(item.name for item in pkgutil.iter_modules(folders) if not item.ispkg):
                self._load_family(name)
            # Last: another thread that asks meanwhile imports what it needs itself.
            self._is_whole = True

    def get(self, name: str) -> BlockType | None:
        """Returns the block type of that name, or None."""
        found = self._types.get(name)
        return self._sought(name) if found is None else found

    def __getitem__(self, name: str) -> BlockType:
        """Returns the block type of that name.

        Raises: NameUnknownError, with the nearest names, if there is none.
        """
        found = self.get(name)
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
        """Returns the block type that carries out a role which only one type has; no loop, but the page that it uses.

        Raises: NameUnknownError if there is none.
        """
        self.load()
        for item in self._types.values():
            if item.role is role and not item.from_plugin and not item.is_loop:
                return item
        raise NameUnknownError(f"There is no block type for the role {role.value}.")

    def __contains__(self, name: str) -> bool:
        return self.get(name) is not None

    def __iter__(self) -> Iterator[BlockType]:
        self.load()
        return iter(sorted(self._types.values(), key=lambda item: (item.category, item.name)))

    def for_users(self) -> list[BlockType]:
        """Returns the types that users meet, in the same order: all but the parts of gradient rules."""
        return [item for item in self if not item.is_part]

    def __len__(self) -> int:
        self.load()
        return len(self._types)

    def nearest(self, name: str) -> list[str]:
        """Returns at most three names that look like `name`."""
        return nearest(name, [item.name for item in self.for_users()])

    def _sought(self, name: str) -> BlockType | None:
        """Returns a type whose family may have to be imported, or None."""
        if name in self._families:
            self._load_family(self._families[name])
        if name not in self._types:
            self.load()
        return self._types.get(name)

    def _load_family(self, name: str) -> None:
        self.add_module(import_module(f"{self._package}.{name}"))

    def _add(self, block_type: BlockType) -> None:
        known = self._types.get(block_type.name)
        if known is block_type:
            return
        if known is not None:
            raise ValueError(f"{block_type.name} cannot be added: the name is taken")
        self._types[block_type.name] = block_type


library = Library()
