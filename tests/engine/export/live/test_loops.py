"""The script's loops give the numbers of the blocks' own functions, for every loop that a page may have."""

from __future__ import annotations

import base64
from typing import NamedTuple

import numpy as np
import pytest

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.plan import make_plan, run
from gradwire.engine.export.live.laid_plan import LaidPlan
from gradwire.engine.export.live.loops import DTYPES, INTEGER, ONE, TWO, PlayableRecordings
from tests.blocks.contract.contract import TYPES
from tests.engine.executors.kinds import applications
from tests.pages.javascript import played

PLAY = """
return given.map(job => {
  const bytes = Uint8Array.from(atob(job.memory), c => c.charCodeAt(0)), machine = new Machine(bytes.length);
  machine.bytes.set(bytes);
  for (const call of machine.bind(job.rows, job.loops)) call();
  return job.guards.some(at => !machine.bytes[at]) ? null : job.views.map(view => plain(machine.get(view)));
});"""


class Job(NamedTuple):
    """A plan as the script gets it, and what its slots hold."""

    name: str
    given: dict[str, object]
    expected: list[Array]
    loops: list[tuple[str, ...]]


def jobs(samples: int) -> list[Job]:
    """Returns plans of all block types whose functions the script can run."""
    found = []
    for block_type in sorted(TYPES, key=lambda item: item.name):
        if not block_type.inputs or not block_type.outputs:
            continue
        for _, application in zip(range(samples), applications(block_type), strict=False):
            plan = make_plan(application.outputs)
            results = run(plan)
            if results.failures:
                continue
            laid = LaidPlan(plan, results.values, PlayableRecordings())
            arrays = [array for array in results.values if array is not None]
            if laid.called or not laid.loops or not DTYPES.issuperset(array.dtype.name for array in arrays):
                continue
            numbers = {key: number for number, key in enumerate(dict.fromkeys(laid.loops))}
            given = {
                "loops": list(numbers),
                "rows": laid.rows(numbers),
                "memory": base64.b64encode(laid.memory).decode(),
                "views": [laid.view(slot) for slot in range(len(plan.slots))],
                "guards": [offset for offset, _ in laid.guards],
            }
            found.append(Job(block_type.name, given, arrays, list(numbers)))
    return found


@pytest.mark.parametrize("samples", [2, pytest.param(30, marks=pytest.mark.long)])
def test_the_script_has_the_numbers_of_the_blocks(samples: int) -> None:
    tried = jobs(samples)
    assert len({loop for job in tried for loop in job.loops}) > 120
    found = played(("engine",), PLAY, [job.given for job in tried])
    assert not [job.name for job, arrays in zip(tried, found, strict=True) if arrays and not are_close(job, arrays)]
    assert sum(arrays is None for arrays in found) < len(found) / 20


def are_close(job: Job, arrays: list[list[float | str]]) -> bool:
    """Returns whether all slots agree up to the last places: functions are the browser's own."""
    for found, expected in zip(arrays, job.expected, strict=True):
        wanted = expected.astype(float).ravel()
        top = np.max(np.abs(wanted[np.isfinite(wanted)]), initial=0)
        share = 1e-12 if expected.dtype != np.float32 else 2e-6
        numbers = np.array([float(item) for item in found])
        if not np.allclose(numbers, wanted, rtol=share, atol=share * top, equal_nan=True):
            return False
    return True


def test_the_lists_are_those_of_the_script() -> None:
    body = "return [given.filter(name => function1(name, 'float64', 'float64')), Object.keys(ONE), Object.keys(TWO)]"
    known, *tables = played(("engine",), body, sorted(ONE))
    assert set(known) == ONE
    assert ONE.issuperset(tables[0])
    assert set(tables[1]) == TWO
    assert INTEGER - {"invert"} <= ONE | TWO


def test_an_instruction_outside_of_the_memory_is_refused() -> None:
    body = (
        "try { new Machine(64).bind(given, [['copy_8', 'uint64', 'uint64']]); } catch (error) { return error.message }"
    )
    inside, outside = [0, [8, 8, 8], 2, 0, 1, 0, 0], [0, [9, 8, 8], 2, 0, 1, 0, 0]
    assert played(("engine",), body + "return ''", [inside]) == ""
    assert "leaves the memory" in played(("engine",), body, [outside])
