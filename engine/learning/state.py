"""State of a training: variables, what the rules remember, and how far it has come; as an NPZ file too."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike

import numpy as np

from gradwire.engine.base.errors import FileError, GradwireError
from gradwire.engine.base.limits import LIMITS
from gradwire.engine.base.tensor_spec import Array, spec_of
from gradwire.engine.files.disk import read_file, write_file

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

    def to_bytes(self) -> bytes:
        """Returns the state as an NPZ file; equal states give equal bytes."""
        arrays = {**self.variables, **self._named()}
        facts = {
            "format": _FORMAT,
            "version": 1,
            "round": self.round,
            "updates": dict(self.updates),
            "arrays": [*arrays],
        }
        written = io.BytesIO()
        with zipfile.ZipFile(written, "w", zipfile.ZIP_STORED) as archive:
            archive.writestr(zipfile.ZipInfo(_FACTS, _TIME), json.dumps(facts))
            for number, array in enumerate(arrays.values()):
                content = io.BytesIO()
                np.save(content, array, allow_pickle=False)
                archive.writestr(zipfile.ZipInfo(f"{number}.npy", _TIME), content.getvalue())
        return written.getvalue()

    def _named(self) -> dict[str, Array]:
        return {f"{name} of {step}, memory {number}": array for (step, name, number), array in self.memory.items()}


def save_state(state: State, path: str | PathLike[str]) -> None:
    """Writes a state atomically.

    Raises: FileError if it cannot be written.
    """
    write_file(path, state.to_bytes())


def load_state(path: str | PathLike[str], like: State) -> State:
    """Returns the state in a file, with the names of a state of the same graph and plan.

    Raises: FileError if it cannot be read or is no state of a training; GradwireError if it belongs to another one.
    """
    content, _ = read_file(path, LIMITS.tensors_bytes)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(item.file_size for item in archive.infolist()) > LIMITS.tensors_bytes:
                raise FileError(f'"{path}" holds more than a state may.')
            facts = json.loads(archive.read(_FACTS))
            if facts["format"] != _FORMAT or facts["version"] != 1:
                raise ValueError("another format")
            read = {
                str(name): np.load(io.BytesIO(archive.read(f"{number}.npy")), allow_pickle=False)
                for number, name in enumerate(facts["arrays"])
            }
            updates = {str(name): int(count) for name, count in facts["updates"].items()}
            done = int(facts["round"])
    except FileError:
        raise
    except Exception as error:  # whatever a broken or foreign archive brings about
        raise FileError(f'"{path}" is no state of a training, or is damaged.') from error
    keys = dict(zip(like._named(), like.memory, strict=True))
    memory = {keys.get(name, ("", name, 0)): array for name, array in read.items() if name not in like.variables}
    variables = {name: array for name, array in read.items() if name in like.variables}
    return State(done, variables, memory, updates)


def _row(names: Mapping[str, object]) -> str:
    return ", ".join(names) or "none"
