"""Plug-ins: packages that add block types. The user installs them and enables their code by hand.

A package declares an entry point of the group `gradwire.blocks`: its name is the first part of the names of its block
types (`shrinkage.SoftThreshold`), its value the module that defines them. No file can enable or load one. A plug-in
that fails, during its import or later, is disabled until the user enables it again. One whose import ended the program
is disabled at the next start.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from gradwire.engine.base.atomic_writes import replace_content
from gradwire.engine.base.errors import PluginError, UsageError, told
from gradwire.engine.base.processes.own_records import OddRecordError, put_aside, read_record
from gradwire.engine.base.system_reasons import reason_of
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.blocktypes.library import Library, Plugin
from gradwire.engine.blocktypes.target import Target
from gradwire.engine.graph.graph import NAME
from gradwire.engine.plugins.import_marks import left_behind, marked
from gradwire.engine.plugins.plugin_lists import enabled_path, faults_path, folder
from gradwire.engine.plugins.plugin_types import guarded, line_to_write, own_targets, own_types
from gradwire.engine.plugins.safe_mode import is_safe

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "gradwire.blocks"
ENDED = "it ended the program, or held it up, while it was imported"


class Loaded(NamedTuple):
    """Result of importing a plug-in: its block types and targets, or the reason for their absence."""

    types: tuple[BlockType, ...] = ()
    fault: str = ""
    targets: tuple[Target, ...] = ()


def load_plugins(library: Library) -> None:
    """Adds the block types of all enabled plug-ins, if their code may run in this process.

    A plug-in that cannot be imported, or whose types do not fit, adds none and is disabled; the library records the
    reason, and the program continues. In safe mode it loads none.
    """
    if is_safe():
        return
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
    """Imports a plug-in in this process; returns its block types."""
    entry = next((entry for entry in _entries() if entry.name == name), None)
    return Loaded(fault="it is not installed") if entry is None else _loaded(entry)


def installed_plugins(library: Library) -> list[Plugin]:
    """Returns all installed plug-ins with their known state."""
    enabled, faults = enabled_names(), known_faults()
    found = []
    for entry in _entries():
        known = library.plugins.get(entry.name, Plugin(entry.name))
        fault = known.fault or ("" if entry.name in enabled else faults.get(entry.name, ""))
        found.append(_plugin(entry, entry.name in enabled, Loaded(fault=fault), known.types))
    return found


def enabled_names() -> list[str]:
    """Returns the names of the plug-ins that the user has enabled."""
    return [line.strip() for line in _lines(enabled_path()) if line.strip()]


def known_faults() -> dict[str, str]:
    """Maps the names of plug-ins that were disabled after a failure to the reasons."""
    found = (line.partition("\t") for line in _lines(faults_path()))
    return {name: fault for name, _, fault in found if fault}


def put_odd_lists_aside() -> tuple[Path, ...]:
    """Puts aside lists of plug-ins that cannot be read, and returns their new paths; no plug-in is enabled then."""
    moved = []
    for path in (enabled_path(), faults_path()):
        try:
            read_record(path)
        except OddRecordError:
            moved.append(put_aside(path, folder() / "put-aside"))
        except OSError:
            continue
    return tuple(path for path in moved if path is not None)


def check_installed(name: str) -> None:
    """Checks that a plug-in of that name is installed.

    Raises: UsageError if none is.
    """
    installed = [entry.name for entry in _entries()]
    if name not in installed:
        there_are = f"there are: {', '.join(installed)}" if installed else "none are installed"
        raise UsageError(f'there is no plug-in "{name}"; {there_are}')


def set_enabled(name: str, is_enabled: bool) -> None:
    """Enables or disables a plug-in and deletes the reason of an earlier failure.

    Raises: UsageError if none of that name is installed, or the list of the enabled ones cannot be written.
    """
    if is_enabled:
        check_installed(name)
    _write_faults({key: fault for key, fault in known_faults().items() if key != name})
    _write_enabled({item for item in enabled_names() if item != name}.union([name] if is_enabled else []))


def disable_plugin(name: str, fault: str) -> Plugin:
    """Disables a plug-in that has failed and stores the reason until the user enables it again.

    If the files cannot be written, it fails again at the next start, and is reported again.
    """
    with contextlib.suppress(UsageError):
        _write_faults({**known_faults(), name: fault})
        _write_enabled(set(enabled_names()).difference([name]))
    entry = next((entry for entry in _entries() if entry.name == name), None)
    return Plugin(name, fault=fault) if entry is None else _plugin(entry, False, Loaded(fault=fault))


def fault_at(path: str, sentence: str) -> str:
    """Returns the fault of a plug-in whose block at a path has failed; "" stands for no particular block."""
    where = f"its block {path} has failed" if path else "a block has failed"
    return f"{where}: {sentence.rstrip('.')}"


def plugin_named(name: str, loaded: Loaded) -> Plugin:
    """Returns an enabled plug-in with the result of its import."""
    entry = next((entry for entry in _entries() if entry.name == name), None)
    types = tuple(item.name for item in loaded.types)
    if entry is None:
        return Plugin(name, types=types, fault=loaded.fault, targets=loaded.targets)
    return _plugin(entry, True, loaded)


def _ended(library: Library) -> set[str]:
    """Disables the plug-ins whose imports ended the program, and returns their names."""
    marks = left_behind(folder())
    # Helper processes start together with the program; the program itself must find the marks, too.
    if marks and not _is_helper():
        for name in set(marks.values()).intersection(enabled_names()):
            library.put_plugin(disable_plugin(name, ENDED)._replace(is_enabled=True))
        for mark in marks:
            mark.unlink(missing_ok=True)
    return set(marks.values())


def _loaded_in_sight(entry: EntryPoint) -> Loaded:
    """Calls `_loaded` under a mark that names the plug-in if it ends the program."""
    with contextlib.nullcontext() if _is_helper() else marked(folder(), entry.name):
        return _loaded(entry)


def _loaded(entry: EntryPoint) -> Loaded:
    if NAME.fullmatch(entry.name) is None:
        return Loaded(fault="its name must be a letter, then letters, digits and underscores")
    try:
        with _nothing_printed():
            module = guarded(entry.load)()
            return Loaded(tuple(own_types(entry.name, module)), targets=own_targets(module))
    except PluginError as error:
        return Loaded(fault=str(error))
    except ImportError as error:
        line = line_to_write(error)
        return Loaded(
            fault=f"it imports {error.name}, which plug-ins no longer can; write: {line}" if line else told(error)
        )
    except Exception as error:  # Code of others may raise anything; the program has to start.
        return Loaded(fault=told(error))


@contextlib.contextmanager
def _nothing_printed() -> Iterator[None]:
    """Redirects standard output to standard error, even for writes by native code: results go to standard output."""
    try:
        sys.stdout.flush()
        kept = os.dup(1)
    except (OSError, AttributeError, ValueError):  # There is no standard output, as in a program without a console.
        yield
        return
    try:
        os.dup2(2, 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def _plugin(entry: EntryPoint, is_enabled: bool, loaded: Loaded, types: tuple[str, ...] = ()) -> Plugin:
    names = types or tuple(item.name for item in loaded.types)
    return Plugin(entry.name, _origin(entry), is_enabled, _place(entry), names, loaded.fault, loaded.targets)


def _write_enabled(names: Collection[str]) -> None:
    _write(enabled_path(), sorted(names))


def _write_faults(faults: Mapping[str, str]) -> None:
    if faults or faults_path().exists():
        _write(faults_path(), [f"{name}\t{fault}" for name, fault in sorted(faults.items())])


def _write(path: Path, lines: Iterable[str]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_content(str(path), "".join(f"{line}\n" for line in lines).encode())
    except OSError as error:
        raise UsageError(f"the list of enabled plug-ins cannot be written: {reason_of(error)}") from error


def _lines(path: Path) -> list[str]:
    try:
        return read_record(path).split("\n")
    except (OSError, OddRecordError):
        return []


def _is_helper() -> bool:
    """Returns whether the program, not a user, started this process, which may end at any moment."""
    return sys.argv[:1] == ["-c"]


def _entries() -> list[EntryPoint]:
    """Returns one entry point per name, sorted by name; of two with one name, the first that Python finds."""
    from importlib.metadata import entry_points  # imports parsers of mail; most users have no plug-ins

    found: dict[str, EntryPoint] = {}
    for entry in entry_points(group=GROUP):
        found.setdefault(entry.name, entry)
    return sorted(found.values(), key=lambda entry: entry.name)


def _origin(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist is not None else entry.value


def _place(entry: EntryPoint) -> str:
    """Returns the module and its location, found without importing it."""
    if entry.dist is None:
        return entry.module
    return f"{entry.module}, {entry.dist.locate_file(entry.module.partition('.')[0])}"
