"""Cheap results that later regions compute again: which ones, from what, and what is left of the first region."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.engine.executors.ufunc_loops import Call, Strided
from gradwire.engine.step_compiler.fusion import Region, with_regions
from gradwire.engine.step_compiler.recomputation import with_repeats
from tests.engine.step_compiler.test_fusion import C, Calls, R, reversed_


class Plan(Calls):
    """Calls on rows; a total between them ends a region."""

    def row(self, name: str) -> Strided:
        return self.new(name, C)

    def rows(self, name: str, ufunc: np.ufunc, *operands: Strided) -> Strided:
        return self.call(ufunc, *operands, self.new(name, R, C))

    def total(self, name: str, x: Strided) -> Strided:
        return self.sum(np.add, x, self.new(name, C))

    def regions(self, *lasting: Strided) -> list[str]:
        """Returns what each region computes, in order; what is repeated has the name of its function."""
        found = []
        for work in with_repeats(with_regions(self.list), self.list, {item.buffer for item in lasting}):
            if isinstance(work, Region):
                found.append(" ".join(map(self._name, work.calls)))
                read = {item.buffer for call in work.calls for item in call.operands[:-1]}
                made = {call.operands[-1].buffer for call in work.calls}
                assert len(work.calls) == len(work.walks)
                self.read_by_last = {self.names[item] for item in read - made if item in self.names}
        return found

    def _name(self, call: Call) -> str:
        assert not isinstance(call.loop, str)
        return self.names.get(call.operands[-1].buffer, call.loop[0].__name__)


def begun(ufunc: np.ufunc = np.multiply) -> tuple[Plan, Strided, Strided, Strided]:
    """Returns calls whose first region makes `half` of a source and its total, and what they are made of."""
    plan = Plan()
    x, factor = plan.new("x", R, C), plan.row("factor")
    half = plan.rows("half", ufunc, x, factor)
    return plan, x, half, plan.total("total", half)


@pytest.mark.parametrize(
    ("ufunc", "again"),
    [(np.multiply, "multiply "), (np.add, "add "), (np.maximum, "maximum "), (np.divide, "divide "), (np.power, ""),
     (np.arctan2, "")],
)  # fmt: skip
def test_cheap_results_are_made_again_from_what_stays(ufunc: np.ufunc, again: str) -> None:
    plan, x, half, total = begun(ufunc)
    plan.rows("z", np.multiply, half, total)
    assert plan.regions(x) == ["half total", f"{again}z"]
    assert plan.read_by_last == ({"x", "factor", "total"} if again else {"half", "total"})


def test_what_may_be_written_over_is_read_again_only_where_it_is_read_anyway() -> None:
    plan, _, half, total = begun()
    plan.rows("z", np.multiply, half, total)
    assert plan.regions() == ["half total", "z"]
    plan, x, half, total = begun()
    z = plan.rows("z", np.multiply, half, total)
    plan.rows("w", np.add, z, x)
    assert plan.regions() == ["half total", "multiply z w"]


@pytest.mark.parametrize(
    ("read", "lasting", "again"),
    [("", "xy", ""), ("", "x", ""), ("x", "y", "multiply "), ("y", "x", "multiply "), ("x", "x", ""), ("x", "", ""),
     ("xy", "", "multiply ")],
)  # fmt: skip
def test_of_two_tensors_one_may_be_read_for_it_alone(read: str, lasting: str, again: str) -> None:
    plan = Plan()
    tensors = {"x": plan.new("x", R, C), "y": plan.new("y", R, 1)}
    both = plan.rows("both", np.multiply, *tensors.values())
    z = plan.rows("z", np.multiply, both, plan.total("total", both))
    for name in read:
        z = plan.rows(f"w{name}", np.add, z, tensors[name])
    found = plan.regions(*(tensors[name] for name in lasting))
    assert found == ["both total", f"{again}z{''.join(f' w{name}' for name in read)}"]


def test_results_that_stay_or_are_summed_are_not_made_again() -> None:
    plan, x, half, total = begun()
    plan.rows("z", np.multiply, half, total)
    assert plan.regions(x, half) == ["half total", "z"]


def test_a_result_that_only_later_regions_read_leaves_its_own() -> None:
    plan = Plan()
    x, factor = plan.new("x", R, C), plan.row("factor")
    other = plan.rows("other", np.multiply, x, factor)
    half = plan.rows("half", np.add, x, factor)
    total = plan.total("total", other)
    plan.rows("z", np.multiply, half, total)
    assert plan.regions(x) == ["other total", "add z"]


def test_every_later_reader_has_to_fit() -> None:
    plan, x, half, total = begun()
    z = plan.rows("z", np.multiply, half, total)
    last = plan.total("last", z)
    plan.rows("w", np.multiply, half, last)
    assert plan.regions(x) == ["half total", "multiply z last", "multiply w"]
    plan, x, half, total = begun()
    z = plan.rows("z", np.multiply, half, total)
    last = plan.total("last", z)
    plan.rows("w", np.multiply, reversed_(half), last)
    assert plan.regions(x) == ["half total", "z last", "w"]


def test_results_of_results_are_made_again_too() -> None:
    plan = Plan()
    x, factor = plan.new("x", R, C), plan.row("factor")
    half = plan.rows("half", np.multiply, x, factor)
    more = plan.rows("more", np.add, half, factor)
    total = plan.total("total", more)
    z = plan.rows("z", np.multiply, more, total)
    plan.rows("v", np.add, z, plan.rows("w", np.multiply, half, total))
    assert plan.regions(x) == ["half more total", "multiply add z w v"]
