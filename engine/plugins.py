"""Plug-ins: packages that add block types. They are code that the user installed and enabled by hand.

A package declares an entry point of the group `gradwire.blocks`: its name is the first part of the names of its block
types (`shrinkage.SoftThreshold`), its value the module that defines them. No file can enable or load one. One that
ended the program while it was imported is disabled at the next start.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import os
import sys
from collections.abc import Collection, Container
from dataclasses import dataclass
from pathlib import Path

from engine.errors import UsageError, told
from engine.graph import NAME
from engine.import_marks import left_behind, marked
from engine.library import Library

GROUP = "gradwire.blocks"


@dataclass(frozen=True)
class Plugin:
    """An installed plug-in: where it comes from, and either the block types that it added or why it added none.

    `origin` is the distribution with its version, `place` the module with the path that it is installed at.
    """

    name: str
    origin: str
    is_enabled: bool
    place: str = ""
    types: tuple[str, ...] = ()
    fault: str = ""


def load_plugins(library: Library) -> list[Plugin]:
    """Adds the block types of all enabled plug-ins, and gives these.

    One that cannot be imported, or whose types do not fit, adds none; `fault` says why, and the program goes on.
    """
    marks = left_behind(_list_path().parent)
    enabled, ended = enabled_names(), set(marks.values())
    found = [_load(entry, library, ended) for entry in _entries() if entry.name in enabled] if enabled else []
    # Processes of the program's own start together with it: it shall find the marks too.
    if not _is_helper():
        _disable(ended.intersection(enabled))
        for mark in marks:
            mark.unlink(missing_ok=True)
    return found


def installed_plugins(loaded: list[Plugin]) -> list[Plugin]:
    """All plug-ins that are installed, those in `loaded` with what became of them."""
    known = {plugin.name: plugin for plugin in loaded}
    return [known.get(entry.name) or _plugin(entry, False) for entry in _entries()]


def enabled_names() -> list[str]:
    """The names of the plug-ins that the user has enabled."""
    try:
        lines = _list_path().read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []
    return [line.strip() for line in lines if line.strip()]


def set_enabled(name: str, is_enabled: bool) -> None:
    """Enables or disables a plug-in from the next start on.

    Raises: UsageError if none of that name is installed, or the list of the enabled ones cannot be written.
    """
    installed = [entry.name for entry in _entries()]
    if name not in installed and is_enabled:
        there_are = f"there are: {', '.join(installed)}" if installed else "none are installed"
        raise UsageError(f'there is no plug-in "{name}"; {there_are}')
    _write({item for item in enabled_names() if item != name}.union([name] if is_enabled else []))


def _load(entry: importlib.metadata.EntryPoint, library: Library, ended: Container[str]) -> Plugin:
    if NAME.fullmatch(entry.name) is None:
        return _plugin(entry, True, fault="its name must be a letter, then letters, digits and underscores")
    if entry.name in ended:
        fault = "it ended the program, or held it up, while it was imported; it is disabled now"
        return _plugin(entry, False, fault=fault)
    try:
        with contextlib.nullcontext() if _is_helper() else marked(_list_path().parent, entry.name):
            types = library.add_plugin(entry.name, entry.load())
    except (Exception, SystemExit) as error:  # code of others: whatever it raises, the program has to start
        return _plugin(entry, True, fault=told(error))
    return _plugin(entry, True, tuple(types))


def _plugin(
    entry: importlib.metadata.EntryPoint, is_enabled: bool, types: tuple[str, ...] = (), fault: str = ""
) -> Plugin:
    return Plugin(entry.name, _origin(entry), is_enabled, _place(entry), types, fault)


def _disable(names: Collection[str]) -> None:
    # Where the list cannot be written, the marks stay, and with them what they tell.
    if names:
        with contextlib.suppress(UsageError):
            _write(set(enabled_names()).difference(names))


def _write(names: Collection[str]) -> None:
    path = _list_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{item}\n" for item in sorted(names)), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"the list of enabled plug-ins cannot be written: {error.strerror or error}") from error


def _is_helper() -> bool:
    """Whether the program has started this process, which it may end at any moment, and not a user."""
    return sys.argv[:1] == ["-c"]


def _entries() -> list[importlib.metadata.EntryPoint]:
    """One entry point for each name, in the order of names; of two the first that Python finds."""
    found: dict[str, importlib.metadata.EntryPoint] = {}
    for entry in importlib.metadata.entry_points(group=GROUP):
        found.setdefault(entry.name, entry)
    return sorted(found.values(), key=lambda entry: entry.name)


def _origin(entry: importlib.metadata.EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist is not None else entry.value


def _place(entry: importlib.metadata.EntryPoint) -> str:
    """The module and where it lies, found without importing anything of it."""
    if entry.dist is None:
        return entry.module
    return f"{entry.module}, {entry.dist.locate_file(entry.module.partition('.')[0])}"


def _list_path() -> Path:
    """Where the names of the enabled plug-ins are kept, a line each."""
    given = os.environ.get("APPDATA" if sys.platform == "win32" else "XDG_CONFIG_HOME")
    return (Path(given) if given else Path.home() / ".config") / "gradwire" / "plugins.txt"
