"""State of a training: variables, what the rules remember, and how far it has come; as an NPZ file too."""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import PathLike
from typing import NamedTuple, TypeVar

import numpy as np

from gradwire.engine.base import schema
from gradwire.engine.base.errors import FileError, GradwireError
from gradwire.engine.base.limits import LIMITS, MIB
from gradwire.engine.base.reading_time import TookTooLong, in_time, reading_time
from gradwire.engine.base.schema import JsonFault
from gradwire.engine.base.tensor_spec import Array, spec_of
from gradwire.engine.files.data_arrays import read_npy
from gradwire.engine.files.disk import read_file
from gradwire.engine.files.json_fields import Record, as_record, required
from gradwire.engine.files.json_text import decoded, parse

K = TypeVar("K")
T = TypeVar("T")
_FACTS = "training.json"
_FORMAT = "gradwire.training"
# What a state may say of itself, and how many arrays it may have. Units: bytes; arrays.
MOST_FACTS, MOST_ARRAYS = 16 * MIB, 200_000
# The time of every entry, so that equal states give equal bytes.
_TIME = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class State:
    """Variables by name, memory by step, variable and number, rounds done, and updates made by each step."""

    round: int
    variables: Mapping[str, Array]
    memory: Mapping[tuple[str, str, int], Array]
    updates: Mapping[str, int]

    def check_fits(self, other: State) -> None:
        """Raises: GradwireError, naming the first difference, if the other has other variables, steps or memory."""
        if self.updates.keys() != other.updates.keys():
            raise GradwireError(f"The state has the steps {_row(self.updates)}, the plan {_row(other.updates)}.")
        for mine, others in ((self.variables, other.variables), (self._named(), other._named())):
            if mine.keys() != others.keys():
                name = sorted(mine.keys() ^ others.keys())[0]
                raise GradwireError(f"{name} is only in {'the state' if name in mine else 'the graph and its plan'}.")
            for name, array in mine.items():
                if array.shape != others[name].shape or array.dtype != others[name].dtype:
                    raise GradwireError(
                        f"{name} is {spec_of(array)} in the state, but {spec_of(others[name])} in the graph."
                    )

    def fitted_to(self, other: State, is_kept: Callable[[str], bool] = lambda _: True) -> State:
        """Returns the other state with all that fits of this one; `is_kept` says whose variables are taken."""
        mine = {name: array for name, array in self.variables.items() if is_kept(name)}
        updates = {name: self.updates.get(name, count) for name, count in other.updates.items()}
        return State(self.round, _taken(other.variables, mine), _taken(other.memory, self.memory), updates)

    def checksum(self) -> int:
        """Returns the CRC-32 of the state; equal states have the same, in whatever order their parts are."""
        return zlib.crc32(self.to_bytes())

    def to_bytes(self) -> bytes:
        """Returns the state as an NPZ file; equal states give equal bytes."""
        variables, memory = dict(sorted(self.variables.items())), dict(sorted(self.memory.items()))
        facts = {
            "format": _FORMAT,
            "version": 1,
            "round": self.round,
            "updates": dict(sorted(self.updates.items())),
            "variables": [*variables],
            "memory": [*memory],
        }
        written = io.BytesIO()
        with zipfile.ZipFile(written, "w", zipfile.ZIP_STORED) as archive:
            archive.writestr(zipfile.ZipInfo(_FACTS, _TIME), json.dumps(facts))
            for number, array in enumerate((*variables.values(), *memory.values())):
                content = io.BytesIO()
                np.save(content, array, allow_pickle=False)
                archive.writestr(zipfile.ZipInfo(f"{number}.npy", _TIME), content.getvalue())
        return written.getvalue()

    def _named(self) -> dict[str, Array]:
        return {f"{name} of {step}, memory {number}": array for (step, name, number), array in self.memory.items()}


def load_state(path: str | PathLike[str]) -> State:
    """Returns the state in a file.

    Raises: FileError if it cannot be read or is no state of a training.
    """
    content, _ = read_file(path, LIMITS.tensors_bytes)
    return state_from_bytes(content, f'"{path}"')


def state_from_bytes(content: bytes, name: str) -> State:
    """Returns the state that `to_bytes` wrote; `name` is that of its file, for sentences.

    Its members are not compressed: no state takes more memory than its file has bytes.
    Raises: FileError, with the place inside, if it is no state of a training, or is damaged.
    """
    try:
        with reading_time(name), zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = _members(archive, name)
            facts = _facts_in(archive, members[_FACTS], name)
            arrays = [_array(archive, members, f"{number}.npy", name) for number in in_time(range(facts.arrays))]
    except (zipfile.BadZipFile, struct.error, zlib.error, KeyError, EOFError, ValueError) as error:
        raise FileError(f"{name} is no state of a training, or is damaged.") from error
    except (NotImplementedError, RuntimeError, OSError) as error:  # members that are encrypted, or of another version
        raise FileError(f"{name} is no state of a training, or is damaged.") from error
    count = len(facts.variables)
    variables = dict(zip(facts.variables, arrays[:count], strict=True))
    return State(facts.round, variables, dict(zip(facts.memory, arrays[count:], strict=True)), facts.updates)


class _Facts(NamedTuple):
    """What a state says of itself: its arrays are those of the variables, then those of the memory."""

    round: int
    variables: list[str]
    memory: list[tuple[str, str, int]]
    updates: dict[str, int]

    @property
    def arrays(self) -> int:
        return len(self.variables) + len(self.memory)


def _members(archive: zipfile.ZipFile, name: str) -> dict[str, zipfile.ZipInfo]:
    found = archive.infolist()
    members = {item.filename: item for item in found}
    if len(members) < len(found):
        raise FileError(f"{name} has two members of one name, or is damaged.")
    if any(item.compress_type != zipfile.ZIP_STORED for item in found):
        raise FileError(f"{name} is compressed, which no state of a training is.")
    if sum(item.file_size for item in found) > LIMITS.tensors_bytes:
        raise FileError(f"{name} holds more than a state may.")
    return members


def _facts_in(archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str) -> _Facts:
    if member.file_size > MOST_FACTS:
        raise FileError(f"{name}: {_FACTS} has {member.file_size:,} bytes, above {MOST_FACTS:,}.")
    try:
        return _facts(as_record(parse(decoded(archive.read(member), MOST_FACTS)[0])))
    except JsonFault as fault:
        place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in fault.path)
        raise FileError(f"{name}: {_FACTS}{place}: {fault.message}.") from None
    except TookTooLong:
        raise
    except FileError as fault:
        raise FileError(f"{name}: {_FACTS}: {fault.message}", fault.line, fault.column) from None


def _facts(record: Record) -> _Facts:
    required(record, "format", lambda value: schema.choice(value, (_FORMAT,)))
    required(record, "version", lambda value: schema.whole(value, 1, 1))

    def listed(read: Callable[[object], T]) -> Callable[[object], list[T]]:
        return lambda value: schema.read_each(schema.counted(value, MOST_ARRAYS, "items"), read)

    return _Facts(
        required(record, "round", schema.rounds),
        required(record, "variables", listed(schema.text)),
        required(record, "memory", listed(_key)),
        required(record, "updates", counts_of),
    )


def counts_of(value: object) -> dict[str, int]:
    """Returns the numbers of updates by step."""
    steps = as_record(value)
    return {step: required(steps, step, schema.rounds) for step in steps}


def _key(value: object) -> tuple[str, str, int]:
    parts = schema.items(value)
    if len(parts) != 3:
        raise JsonFault(f"must be a step, a Variable and a number, not {schema.shown(value)}")
    return schema.text(parts[0]), schema.text(parts[1]), schema.whole(parts[2], 0, MOST_ARRAYS)


def _array(archive: zipfile.ZipFile, members: Mapping[str, zipfile.ZipInfo], member: str, name: str) -> Array:
    if member not in members:
        raise FileError(f"{name} lacks {member}, or is damaged.")
    content = archive.read(members[member])
    return read_npy(io.BytesIO(content), len(content), f"{name}: {member}")


def _taken(old: Mapping[K, Array], new: Mapping[K, Array]) -> dict[K, Array]:
    """Returns the old arrays, those of the new ones instead that have the same shape and dtype."""
    return {
        key: new[key] if key in new and spec_of(new[key]) == spec_of(array) else array for key, array in old.items()
    }


def _row(names: Mapping[str, object]) -> str:
    return ", ".join(names) or "none"
