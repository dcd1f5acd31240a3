"""Files that PyTorch 2.13 has saved, with the numbers and gradients that it gives."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

import gradwire as gw
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression
from gradwire.interop.pt2.archive import Archive
from gradwire.interop.pt2.program import Program
from gradwire.interop.pt2.reading import Reading
from gradwire.interop.pt2.weights import read_weights

FOLDER = Path(__file__).parents[2] / "data" / "pt2"


class Recorded:
    """The files of one archive, by name."""

    def __init__(self, name: str) -> None:
        self._zip = zipfile.ZipFile(FOLDER / f"{name}.zip")

    @property
    def names(self) -> list[str]:
        return sorted(name.removesuffix(".pt2") for name in self._zip.namelist() if name.endswith(".pt2"))

    def model(self, name: str) -> bytes:
        return self._zip.read(f"{name}.pt2")

    def numbers(self, name: str) -> dict[str, Array]:
        with np.load(io.BytesIO(self._zip.read(f"{name}.npz"))) as found:
            return {key: found[key] for key in found}

    def rows(self) -> list[Mapping[str, Any]]:
        rows: list[Mapping[str, Any]] = json.loads(self._zip.read("index.json"))
        return rows


def input_names(model: bytes) -> list[str]:
    """Returns the names of a program's inputs, in its order."""
    specs = Program(Archive(model)).inputs
    return [spec["user_input"]["arg"]["as_tensor"]["name"] for spec in specs if "user_input" in spec]


def beginning(numbers: Mapping[str, Array], prefix: str) -> dict[str, Array]:
    """Returns the arrays whose names begin with a prefix, without it."""
    return {key.removeprefix(prefix): array for key, array in numbers.items() if key.startswith(prefix)}


def assert_near(found: Any, wanted: Array, share: float, what: str) -> None:
    """Asserts that arrays agree within a share of the largest number."""
    assert np.shape(found) == wanted.shape, what
    room = share * max(1.0, float(np.abs(np.asarray(wanted, float)).max(initial=0)))
    np.testing.assert_allclose(np.asarray(found, float), np.asarray(wanted, float), rtol=0, atol=room, err_msg=what)


def compare(name: str, recorded: Recorded) -> None:
    """Compares the value and the gradients of a program of one tensor with those that PyTorch gives."""
    numbers = recorded.numbers(name)
    archive, leaves = Archive(recorded.model(name)), input_names(recorded.model(name))
    given = dict(zip(leaves, beginning(numbers, "in_").values(), strict=True))
    reading = Reading(Program(archive), read_weights(archive), given)
    reading.run()
    output, wanted = reading.outputs[0], numbers["out"]
    if not isinstance(output, Expression):
        assert_near(output, wanted, 1e-6, name)
        return
    weights = numbers["w"].reshape(wanted.shape).astype(output.dtype)
    run = gw.evaluate(gw.Loss(output, gw.Constant(weights), name="L"))
    assert_near(run.value(output), wanted, 2e-5, name)
    gradients = beginning(numbers, "g_")
    for leaf, key in zip(leaves, beginning(numbers, "in_"), strict=True):
        if key in gradients:
            assert_near(run.gradient(reading.leaves[leaf]), gradients[key], 1e-4, f"{name}, {leaf}")
