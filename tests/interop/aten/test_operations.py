"""PyTorch's operations one by one: values and gradients of programs that PyTorch has saved and run."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from gradwire import HOME
from gradwire.engine.blocktypes.library import library
from gradwire.interop.aten.tensors import together
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.pt2.archive import Archive
from gradwire.interop.pt2.program import Program
from gradwire.interop.pt2.reading import Reading
from gradwire.interop.pt2.weights import read_weights
from tests.interop.pt2.recorded import Recorded, compare
from tests.sweeps import a_third_of

OPERATIONS = Recorded("operations")
PARTS = 8
# No block does what these do.
REFUSED = {"median", "sinc"}


@pytest.mark.parametrize("part", a_third_of(range(PARTS)))
def test_values_and_gradients_are_those_of_pytorch(part: int) -> None:
    names = [name for name in OPERATIONS.names if name not in REFUSED]
    assert len(names) > 250
    for name in names[part::PARTS]:
        compare(name, OPERATIONS)


def test_what_has_no_block_is_named_with_the_number_of_its_nodes() -> None:
    for name in REFUSED:
        program = Program(Archive(OPERATIONS.model(name)))
        with pytest.raises(ModelRefusal, match=r"it needs operations without blocks: aten\.\w+\.\w+ \(1 node\)"):
            Reading(program, read_weights(program.archive), {}).run()


def blocks_named_in(folder: Path) -> set[str]:
    """Returns names of blocks in the source: one that is missing would show only where its operation is used."""
    texts = [path.read_text(encoding="utf-8") for path in folder.glob("*.py")]
    return {name for text in texts for name in re.findall(r'made\(\s*"(\w+)"', text)}


def test_every_operation_is_made_of_blocks_that_there_are() -> None:
    named = blocks_named_in(Path(HOME / "interop" / "aten"))
    assert len(named) > 80
    assert {name for name in named if library.get(name) is None} == set()


def test_dtypes_are_those_of_pytorch() -> None:
    # Within a category a tensor without axes does not decide; a float beside integers is float32.
    long, half = np.ones(2, np.int64), np.ones((), np.float16)
    single, double = np.ones(2, np.float32), np.ones((), np.float64)
    assert [item.dtype.name for item in together(single, double)] == ["float32", "float32"]
    assert [item.dtype.name for item in together(long, half)] == ["float16", "float16"]
    assert [item.dtype.name for item in together(long, 0.5)] == ["float32", "float32"]
    assert [item.dtype.name for item in together(long, 2)] == ["int64", "int64"]
    assert [item.dtype.name for item in together(np.ones(2, bool), long)] == ["int64", "int64"]
