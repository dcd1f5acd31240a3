"""State of a training: variables, what the rules remember, and how far it has come; as an NPZ file too."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import PathLike
from typing import TypeVar

import numpy as np

from gradwire.engine.base.errors import FileError, GradwireError
from gradwire.engine.base.limits import LIMITS
from gradwire.engine.base.tensor_spec import Array, spec_of
from gradwire.engine.files.disk import read_file

K = TypeVar("K")
_FACTS = "training.json"
_FORMAT = "gradwire.training"
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

    Raises: FileError if it is no state of a training, or is damaged.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(item.file_size for item in archive.infolist()) > LIMITS.tensors_bytes:
                raise FileError(f"{name} holds more than a state may.")
            facts = json.loads(archive.read(_FACTS))
            if facts["format"] != _FORMAT or facts["version"] != 1:
                raise ValueError("another format")
            names = [str(item) for item in facts["variables"]]
            keys = [(str(step), str(variable), int(number)) for step, variable, number in facts["memory"]]
            arrays = [
                np.load(io.BytesIO(archive.read(f"{number}.npy")), allow_pickle=False)
                for number in range(len(names) + len(keys))
            ]
            updates = {str(step): int(count) for step, count in facts["updates"].items()}
            done = int(facts["round"])
    except FileError:
        raise
    except Exception as error:  # whatever a broken or foreign archive brings about
        raise FileError(f"{name} is no state of a training, or is damaged.") from error
    variables = dict(zip(names, arrays, strict=False))
    return State(done, variables, dict(zip(keys, arrays[len(names) :], strict=True)), updates)


def _taken(old: Mapping[K, Array], new: Mapping[K, Array]) -> dict[K, Array]:
    """Returns the old arrays, those of the new ones instead that have the same shape and dtype."""
    return {
        key: new[key] if key in new and spec_of(new[key]) == spec_of(array) else array for key, array in old.items()
    }


def _row(names: Mapping[str, object]) -> str:
    return ", ".join(names) or "none"
