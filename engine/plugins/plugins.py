"""Plug-ins: packages that add block types. They are code that the user installed and enabled by hand.

A package declares an entry point of the group `gradwire.blocks`: its name is the first part of the names of its block
types (`shrinkage.SoftThreshold`), its value the module that defines them. No file can enable or load one. One that
fails, while it is imported or later, is disabled until it is enabled by hand again; one that ended the program while it
was imported is disabled at the next start.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import os
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from engine.block_type import BlockType
from engine.errors import PluginError, UsageError, told
from engine.graph import NAME
from engine.import_marks import left_behind, marked
from engine.library import Library, Plugin
from engine.plugin_types import guarded, own_types

GROUP = "gradwire.blocks"
ENDED = "it ended the program, or held it up, while it was imported"


class Loaded(NamedTuple):
    """What the import of a plug-in gave: its block types, or why there are none."""

    types: tuple[BlockType, ...] = ()
    fault: str = ""


def load_plugins(library: Library) -> None:
    """Adds the block types of all enabled plug-ins, if their code may run in this process.

    One that cannot be imported, or whose types do not fit, adds none and is disabled; the library says why, and the
    program goes on.
    """
    for name, fault in known_faults().items():
        library.put_plugin(Plugin(name, fault=fault))
    ended = _ended(library)
    enabled = set() if library.keeps_code_out else set(enabled_names()).difference(ended)
    for entry in _entries() if enabled else ():
        if entry.name in enabled:
            found = _loaded_in_sight(entry)
            if found.fault and not _is_helper():
                disable_plugin(entry.name, found.fault)
            library.put_plugin(_plugin(entry, True, found), found.types)


def import_plugin(name: str) -> Loaded:
    """The block types of a plug-in: its code runs now, in this process."""
    entry = next((entry for entry in _entries() if entry.name == name), None)
    return Loaded(fault="it is not installed") if entry is None else _loaded(entry)


def installed_plugins(library: Library) -> list[Plugin]:
    """All plug-ins that are installed, with what has become of them as far as it is known."""
    enabled, faults = enabled_names(), known_faults()
    found = []
    for entry in _entries():
        known = library.plugins.get(entry.name, Plugin(entry.name))
        fault = known.fault or ("" if entry.name in enabled else faults.get(entry.name, ""))
        found.append(_plugin(entry, entry.name in enabled, Loaded(fault=fault), known.types))
    return found


def enabled_names() -> list[str]:
    """The names of the plug-ins that the user has enabled."""
    return [line.strip() for line in _lines(_enabled_path()) if line.strip()]


def known_faults() -> dict[str, str]:
    """Why plug-ins were disabled that had been enabled, by name."""
    found = (line.partition("\t") for line in _lines(_faults_path()))
    return {name: fault for name, _, fault in found if fault}


def check_installed(name: str) -> None:
    """Passes if a plug-in of that name is installed.

    Raises: UsageError if none is.
    """
    installed = [entry.name for entry in _entries()]
    if name not in installed:
        there_are = f"there are: {', '.join(installed)}" if installed else "none are installed"
        raise UsageError(f'there is no plug-in "{name}"; {there_are}')


def set_enabled(name: str, is_enabled: bool) -> None:
    """Enables or disables a plug-in, and forgets why it was disabled.

    Raises: UsageError if none of that name is installed, or the list of the enabled ones cannot be written.
    """
    if is_enabled:
        check_installed(name)
    _write_faults({key: fault for key, fault in known_faults().items() if key != name})
    _write_enabled({item for item in enabled_names() if item != name}.union([name] if is_enabled else []))


def disable_plugin(name: str, fault: str) -> Plugin:
    """Disables a plug-in that has failed, and keeps the reason until it is enabled again.

    Where neither can be written it fails again at the next start, and is reported again.
    """
    with contextlib.suppress(UsageError):
        _write_faults({**known_faults(), name: fault})
        _write_enabled(set(enabled_names()).difference([name]))
    entry = next((entry for entry in _entries() if entry.name == name), None)
    return Plugin(name, fault=fault) if entry is None else _plugin(entry, False, Loaded(fault=fault))


def fault_at(path: str, sentence: str) -> str:
    """What is told of a plug-in whose block at a path has failed; "" is none in particular."""
    where = f"its block {path} has failed" if path else "a block has failed"
    return f"{where}: {sentence.rstrip('.')}"


def plugin_named(name: str, loaded: Loaded) -> Plugin:
    """An installed plug-in that is enabled, with what its import gave."""
    entry = next((entry for entry in _entries() if entry.name == name), None)
    types = tuple(item.name for item in loaded.types)
    return Plugin(name, types=types, fault=loaded.fault) if entry is None else _plugin(entry, True, loaded)


def _ended(library: Library) -> set[str]:
    """The plug-ins that ended the program while they were imported; they are disabled."""
    marks = left_behind(_folder())
    # Processes of the program's own start together with it: it shall find the marks too.
    if marks and not _is_helper():
        for name in set(marks.values()).intersection(enabled_names()):
            library.put_plugin(replace(disable_plugin(name, ENDED), is_enabled=True))
        for mark in marks:
            mark.unlink(missing_ok=True)
    return set(marks.values())


def _loaded_in_sight(entry: importlib.metadata.EntryPoint) -> Loaded:
    """The same as `_loaded`, with a mark that tells who ended the program if it ends now."""
    with contextlib.nullcontext() if _is_helper() else marked(_folder(), entry.name):
        return _loaded(entry)


def _loaded(entry: importlib.metadata.EntryPoint) -> Loaded:
    if NAME.fullmatch(entry.name) is None:
        return Loaded(fault="its name must be a letter, then letters, digits and underscores")
    try:
        with _nothing_printed():
            return Loaded(tuple(own_types(entry.name, guarded(entry.load)())))
    except PluginError as error:
        return Loaded(fault=str(error))
    except Exception as error:  # code of others: whatever it raises, the program has to start
        return Loaded(fault=told(error))


@contextlib.contextmanager
def _nothing_printed() -> Iterator[None]:
    """What is written to standard output meanwhile, by whatever means, goes to standard error: results stand there."""
    try:
        sys.stdout.flush()
        kept = os.dup(1)
    except (OSError, AttributeError, ValueError):  # there is none, as in a program without a console
        yield
        return
    try:
        os.dup2(2, 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def _plugin(
    entry: importlib.metadata.EntryPoint, is_enabled: bool, loaded: Loaded, types: tuple[str, ...] = ()
) -> Plugin:
    names = types or tuple(item.name for item in loaded.types)
    return Plugin(entry.name, _origin(entry), is_enabled, _place(entry), names, loaded.fault)


def _write_enabled(names: Collection[str]) -> None:
    _write(_enabled_path(), sorted(names))


def _write_faults(faults: Mapping[str, str]) -> None:
    if faults or _faults_path().exists():
        _write(_faults_path(), [f"{name}\t{fault}" for name, fault in sorted(faults.items())])


def _write(path: Path, lines: Iterable[str]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"the list of enabled plug-ins cannot be written: {error.strerror or error}") from error


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError):
        return []


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


def _folder() -> Path:
    """Where it is kept which plug-ins are enabled."""
    given = os.environ.get("APPDATA" if sys.platform == "win32" else "XDG_CONFIG_HOME")
    return (Path(given) if given else Path.home() / ".config") / "gradwire"


def _enabled_path() -> Path:
    """The names of the plug-ins that are enabled, a line each."""
    return _folder() / "plugins.txt"


def _faults_path() -> Path:
    """The names of those that were disabled because they failed, a line each, with the reason behind a tab."""
    return _folder() / "plugins-failed.txt"
