"""Training that a graph's file keeps: where it stands, and the values before its first round."""

from __future__ import annotations

import contextlib
import os
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from os import PathLike, fspath
from typing import NamedTuple, TypeVar

import numpy as np

from gradwire.engine.base import schema
from gradwire.engine.base.errors import FileError
from gradwire.engine.base.limits import LIMITS, MIB
from gradwire.engine.base.reading_time import reading_time
from gradwire.engine.base.schema import JsonFault, shown
from gradwire.engine.base.tensor_spec import Array, spec_of
from gradwire.engine.edits.training_edits import set_values
from gradwire.engine.files.disk import Stamp, read_file, write_file
from gradwire.engine.files.files import load, save
from gradwire.engine.files.json_fields import Record, as_record, required
from gradwire.engine.files.outputs import NEW_STATE_BESIDE, STATE_BESIDE
from gradwire.engine.graph.block_parameters import value_of
from gradwire.engine.graph.graph import Graph, same_value
from gradwire.engine.training.state import MOST_ARRAYS, State, counts_of, state_from_bytes

STATE, INITIAL = "state", "initial"
# What rules remember, and values of before, stand in the graph's file up to this size. Units: bytes.
MOST = 8 * MIB
_CRC = re.compile("[0-9a-f]{8}")
Written = TypeVar("Written")


class Kept(NamedTuple):
    """Graph to be saved, and the content of the file beside it, if it needs one."""

    graph: Graph
    beside: bytes | None = None


def save_kept(
    graph: Graph,
    path: str | PathLike[str],
    state: State | None,
    initial: Mapping[str, Array],
    over: Stamp | None = None,
) -> Stamp:
    """Saves a graph with its state, as `files.save` does, and writes beside it what is too large for the file.

    Raises: FileError if it cannot be written, FileChangedError if the path holds anything but `over`.
    """
    kept = with_state(graph, state, initial)
    return write_kept(kept.beside, path, lambda: save(kept.graph, path, over))


def write_kept(beside: bytes | None, path: str | PathLike[str], write: Callable[[], Written]) -> Written:
    """Writes a graph's file by `write`, and what lies beside it; a state that the graph of before had there goes.

    A crash at any time leaves a graph with its state: the new one lies under a name of its own until the graph is
    written, and is found there too.
    Raises: what `write` raises, and FileError.
    """
    before, new = _states_of(path), _paths_beside(path)[1]
    if beside is not None:
        write_file(new, beside)
    try:
        written = write()
    except BaseException:
        if beside is not None:
            _remove(new)
        raise
    if beside is not None:
        # Where the name is taken by something else, the state stays under the new one.
        with contextlib.suppress(OSError):
            os.replace(new, path_beside(path))
    else:
        for name in before:
            _remove(name)
    return written


def _states_of(path: str | PathLike[str]) -> list[str]:
    """Returns the files beside a graph's file that hold its state; others of that name belong to somebody else."""
    names = [name for name in _paths_beside(path) if os.path.exists(name)]
    try:
        record = (load(path).graph.training or {}).get(STATE) if names else None
        wanted = _checksum(record.get("checksum")) if isinstance(record, Mapping) and "memory" not in record else None
        return [name for name in names if zlib.crc32(read_file(name, LIMITS.tensors_bytes)[0]) == wanted]
    except FileError:
        return []


def _remove(path: str) -> None:
    with contextlib.suppress(OSError):
        os.unlink(path)


def _paths_beside(path: str | PathLike[str]) -> tuple[str, str]:
    """Returns where a state may lie beside a graph's file: in its place, or where a save has not come to its end."""
    return path_beside(path), f"{fspath(path)}{NEW_STATE_BESIDE}"


def has_state(graph: Graph) -> bool:
    """Returns whether a graph says where its training stands."""
    return STATE in (graph.training or {})


def path_beside(path: str | PathLike[str]) -> str:
    """Returns the path of the file with a state that is too large for the graph's file."""
    return f"{fspath(path)}{STATE_BESIDE}"


def with_state(graph: Graph, state: State | None, initial: Mapping[str, Array], most: int | None = None) -> Kept:
    """Returns a graph that keeps a state, None for none, and values of before the training where they differ.

    The state decides the values of its variables. A memory above `most` bytes, else MOST, lies beside.
    """
    if state is None:
        return Kept(_with(graph, None, initial))
    graph = set_values(graph, state.variables)
    record: dict[str, object] = {"step": state.round, "checksum": f"{state.checksum():08x}"}
    if sum(array.nbytes for array in state.memory.values()) > (MOST if most is None else most):
        return Kept(_with(graph, record, initial), state.to_bytes())
    memory: dict[str, dict[str, list[Array]]] = {}
    for (step, variable, _), array in sorted(state.memory.items()):
        memory.setdefault(step, {}).setdefault(variable, []).append(array)
    record |= {"variables": sorted(state.variables), "updates": dict(state.updates), "memory": memory}
    return Kept(_with(graph, record, initial))


def without_state(graph: Graph) -> Graph:
    """Returns a graph that keeps nothing of its training but the values of its Variables."""
    return _with(graph, None, {})


def trained_values(graph: Graph, values: Mapping[str, Array]) -> Graph:
    """Returns a graph with values that its training has reached, without the state of other values."""
    plan = graph.training
    if plan is not None and STATE in plan:
        graph = replace(graph, training={name: item for name, item in plan.items() if name != STATE} or None)
    return set_values(graph, values)


def reset_values(graph: Graph, values: Mapping[str, Array]) -> Graph:
    """Returns a graph with the values of before its training, that keeps nothing else of it."""
    return without_state(set_values(graph, values))


def rounds_kept(graph: Graph) -> int:
    """Returns the number of rounds that the training which a graph keeps has done; 0 without one."""
    record = (graph.training or {}).get(STATE)
    step = record.get("step") if isinstance(record, Mapping) else None
    return step if type(step) is int and step > 0 else 0


def initial_of(graph: Graph) -> dict[str, Array]:
    """Returns the values of before the training that a graph keeps, of Variables that take them."""
    found = (graph.training or {}).get(INITIAL)
    if not isinstance(found, Mapping):
        return {}
    return {
        name: array
        for name, array in found.items()
        if isinstance(array, np.ndarray) and (now := array_of(graph, name)) is not None
        if spec_of(array) == spec_of(now)
    }


def state_of(graph: Graph, path: str | PathLike[str] | None) -> State:
    """Returns the state that a graph keeps, or that lies beside its file.

    Raises: FileError if it is lost, damaged, or belongs to other values.
    """
    try:
        record = as_record((graph.training or {}).get(STATE))
        wanted = required(record, "checksum", _checksum)
        with reading_time("The training state"):
            state = None if "memory" not in record else _state(graph, record)
    except JsonFault as fault:
        raise FileError(f"The training state in the file is damaged: {_place(fault)}{fault.message}.") from None
    if state is None:
        return _beside(graph, path, wanted)
    if state.checksum() != wanted:
        raise FileError("The training state in the file is damaged, or belongs to other values.")
    return state


def array_of(graph: Graph, name: str) -> Array | None:
    """Returns the value of a block, by `page/id`; None if there is no such block, or it has none."""
    page_name, _, block_id = name.partition("/")
    block = graph.page(page_name).blocks.get(block_id) if graph.has_page(page_name) else None
    return None if block is None else value_of(block)


def _state(graph: Graph, record: Record) -> State:
    def variable(value: object) -> tuple[str, Array]:
        name = schema.text(value)
        found = array_of(graph, name)
        if found is None:
            raise JsonFault(f"has {shown(name)}, which is no Variable")
        return name, found

    names = required(record, "variables", lambda value: schema.read_each(schema.items(value), variable))
    return State(
        required(record, "step", schema.rounds),
        dict(names),
        required(record, "memory", _memory),
        required(record, "updates", counts_of),
    )


def _memory(value: object) -> dict[tuple[str, str, int], Array]:
    steps = as_record(value)
    return {
        (step, variable, number): array
        for step in steps
        for variable, arrays in required(steps, step, lambda item: _arrays(as_record(item))).items()
        for number, array in enumerate(arrays)
    }


def _arrays(record: Record) -> dict[str, list[Array]]:
    def arrays(value: object) -> list[Array]:
        return schema.read_each(schema.counted(value, MOST_ARRAYS, "arrays"), schema.tensor)

    return {name: required(record, name, arrays) for name in record}


def _checksum(value: object) -> int:
    if not isinstance(value, str) or _CRC.fullmatch(value) is None:
        raise JsonFault(f"must be 8 hexadecimal digits, not {shown(value)}")
    return int(value, 16)


def _place(fault: JsonFault) -> str:
    """Returns where a fault lies inside the state, for a sentence; the key itself begins the message."""
    return ".".join(map(str, fault.path[:-1])) + ": " if len(fault.path) > 1 else ""


def _beside(graph: Graph, path: str | PathLike[str] | None, wanted: int) -> State:
    if path is None:
        raise FileError("The training state lies beside a file, and this graph has none.")
    contents = dict(_contents(path))
    if not contents:
        raise FileError(f"The training state {path_beside(path)} is lost, or cannot be read.")
    content = contents.get(wanted)
    if content is None:
        raise FileError(f"The training state {path_beside(path)} is damaged, or belongs to another graph.")
    state = state_from_bytes(content, path_beside(path))
    if not all(same_value(array_of(graph, name), array) for name, array in state.variables.items()):
        raise FileError(f"The training state {path_beside(path)} belongs to other values.")
    return state


def _contents(path: str | PathLike[str]) -> Iterator[tuple[int, bytes]]:
    """Yields the files with a state beside a graph's file that can be read, with their CRC-32."""
    for name in _paths_beside(path):
        with contextlib.suppress(FileError):
            content, _ = read_file(name, LIMITS.tensors_bytes)
            yield zlib.crc32(content), content


def _with(graph: Graph, record: object, initial: Mapping[str, Array]) -> Graph:
    """Returns a graph with another state, and only the values of before that differ from those of now."""
    plan = {name: item for name, item in (graph.training or {}).items() if name not in (STATE, INITIAL)}
    is_ours = graph.training is None or len(plan) < len(graph.training)
    changed = {name: array for name, array in initial.items() if not same_value(array_of(graph, name), array)}
    if changed and sum(array.nbytes for array in changed.values()) <= MOST:
        plan[INITIAL] = changed
    if record is not None:
        plan[STATE] = record
    return replace(graph, training=None if is_ours and not plan else plan)
