"""Stories of elements that are not finite: who made each of them, and who made it NaN."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.blocktypes.expression import constant
from gradwire.engine.blocktypes.library import library
from gradwire.engine.causes import broken_elements
from gradwire.engine.causes.broken_elements import BrokenElements, absorbs_like_large_numbers, reached
from gradwire.engine.evaluation.evaluate import run_graph
from tests.engine.cause_graphs import Line, x

INF, NAN = np.inf, np.nan


def told(line: Line, port: str) -> dict[str, list[int]]:
    """Returns the flat places of each story in a port: `x` for an infinity that x made, `x>d` for a NaN of it by d."""
    run = run_graph(line.graph())
    elements, slots = BrokenElements(run.results, run.facts), run.results.plan.slots
    names = [run.lowered.owners[step.application].removeprefix("main/") for step in run.results.plan.steps]
    slot = slots[run.lowered.ports[PortName(*f"main/{port}".split("."))]]
    shape = np.shape(run.results.values[slot])
    assert all(elements.marks(slot, story).shape == shape for story in elements.stories(slot))
    return {
        names[story.made] + ("" if story.nan is None else f">{names[story.nan]}"): np.flatnonzero(
            elements.marks(slot, story)
        ).tolist()
        for story in elements.stories(slot)
    }


ALL = [1.0, INF, -INF, NAN]


def two() -> Line:
    return x([INF, 1.0, 2.0, -INF]).source("w", [-INF, NAN, INF, -INF])


def large() -> Line:
    return x([1.0, 800.0]).source("w", [800.0, -800.0]).then("e", "Exp").on("w.y").then("f", "Exp")


STORIES: dict[str, tuple[Line, str, dict[str, list[int]]]] = {
    "a source": (x(ALL), "x.y", {"x": [1, 2], "x>x": [3]}),
    "passed on": (x(ALL).then("t", "Negative"), "t.y", {"x": [1, 2], "x>x": [3]}),
    "taken up where it is low": (x(ALL).then("e", "Exp"), "e.y", {"x": [1], "x>x": [3]}),
    "taken up everywhere": (x([INF, -INF, 0.0]).then("t", "Tanh"), "t.y", {}),
    "made NaN": (x(ALL).then("d", "Subtract", "x.y"), "d.z", {"x>d": [1, 2], "x>x": [3]}),
    "made of finite numbers": (x([0.0, -1.0, 1.0]).then("l", "Log"), "l.y", {"l": [0], "l>l": [1]}),
    "the sum of two": (two().then("a", "Add", "w.y"), "a.z", {"x>a": [0], "w>w": [1], "w": [2], "x": [3]}),
    "the larger of two": (two().then("m", "Maximum", "w.y"), "m.z", {"x": [0, 3], "w>w": [1], "w": [2]}),
    "rows": (
        x([[3.0, NAN, 1.0], [1.0, 2.0, INF]]).then("p", "Softmax"),
        "p.y", {"x>x": [0, 1, 2], "x>p": [3, 4, 5]},
    ),
    "one of each row": (
        x([[3.0, NAN, 1.0], [1.0, 2.0, INF]]).then("m", "ReduceMax", axis=[1]), "m.y", {"x>x": [0], "x": [1]},
    ),
    "sorted, with NaN as the largest": (
        x([[3.0, NAN, 1.0], [1.0, 2.0, INF]]).then("s", "Sort"), "s.y", {"x>x": [2], "x": [5]},
    ),
    "moved": (x(ALL).then("t", "Reverse", axis=[0]), "t.y", {"x": [1, 2], "x>x": [0]}),
    "joined": (two().then("c", "Concat", "w.y", axis=0), "c.y", {"x": [0, 3], "w": [4, 6, 7], "w>w": [5]}),
    "one, repeated": (x([NAN]).source("w", [[1.0]]).then("a", "Add", "w.y"), "a.z", {"x>x": [0]}),
    "two overflows": (large().then("a", "Add", "e.y"), "a.z", {"f": [0], "e": [1]}),
    "a quotient of overflows": (
        large().on("e.y").then("q", "Divide", "e.y").then("s", "ReduceSum"), "s.y", {"e>q": [0]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", STORIES)
def test_each_element_has_the_story_of_the_input_that_reaches_it(name: str) -> None:
    line, port, expected = STORIES[name]
    assert told(line, port) == expected


def test_one_story_is_told_of_all_elements_of_a_large_tensor(monkeypatch: pytest.MonkeyPatch) -> None:
    line = two().then("a", "Add", "w.y")
    monkeypatch.setattr(broken_elements, "LARGEST", 4)
    assert len(told(line, "a.z")) == 4
    monkeypatch.setattr(broken_elements, "LARGEST", 3)
    # NaN has precedence.
    assert told(line, "a.z") == {"w>w": [0, 1, 2, 3]}


def test_twelve_stories_are_told_apart_at_one_step() -> None:
    def line(count: int) -> Line:
        found = Line()
        for number in range(count):
            found.source(f"s{number}", np.where(np.arange(count) == number, INF, 1.0))
        return found.on("s0.y").then("a", "AddN", *(f"s{number}.y" for number in range(1, count)))

    assert told(line(12), "a.z") == {f"s{number}": [number] for number in range(12)}
    expected = {f"s{number}": [number] for number in range(11)} | {"s11": [11, 12, 13]}
    assert told(line(14), "a.z") == expected


def applied(kind: str, *arrays: Any, **parameters: Any) -> tuple[Any, list[Any]]:
    given = [np.asarray(item) for item in arrays]
    return library[kind].apply([constant(item) for item in given], library[kind].normalize(parameters)), given


@pytest.mark.parametrize(
    ("kind", "arrays", "parameters", "marks", "expected"),
    [
        ("Add", [[1.0, 2.0], [3.0, 4.0]], {}, {0: [True, False]}, [True, False]),
        ("MatMul", [np.eye(2), np.eye(2)], {}, {1: [[False, True], [False, False]]}, [[False, True], [False, True]]),
        ("Where", [[True, False], [1.0, 2.0], [3.0, 4.0]], {}, {1: [True, True]}, [True, False]),
        ("Where", [[True, False], [1.0, 2.0], [3.0, 4.0]], {}, {2: [True, True]}, [False, True]),
        # What gives whole numbers cannot say what reached it.
        ("ArgMax", [[1.0, 2.0]], {}, {0: [False, False]}, True),
        (
            "Softmax",
            [[[1.0, 2.0], [3.0, 4.0]]],
            {},
            {0: [[False, True], [False, False]]},
            [[True, True], [False, False]],
        ),
    ],
)
def test_marks_reach_what_they_are_calculated_into(
    kind: str, arrays: list[Any], parameters: dict[str, Any], marks: dict[int, Any], expected: Any
) -> None:
    application, given = applied(kind, *arrays, **parameters)
    (found,) = reached(application, given, {slot: np.array(mark) for slot, mark in marks.items()})
    assert found.tolist() == expected


@pytest.mark.parametrize(
    ("kind", "arrays", "parameters", "absorbs"),
    [
        ("Exp", [[-INF, 1.0]], {}, True),
        ("Tanh", [[-INF, INF]], {}, True),
        ("Softmax", [[-INF, 1.0, 2.0]], {}, True),
        ("Maximum", [[-INF, 1.0], [2.0, 2.0]], {}, True),
        ("Reciprocal", [[INF, 1.0]], {}, False),
        ("ReduceMax", [[-INF, 1.0, 3.0]], {}, True),
        ("TopK", [[-INF, 5.0, 7.0]], {"k": 2}, True),
        ("Sin", [[INF, 1.0]], {}, True),
        ("IsFinite", [[INF, 1.0]], {}, False),
    ],
)
def test_an_infinity_is_taken_up_where_the_largest_number_does_the_same(
    kind: str, arrays: list[Any], parameters: dict[str, Any], absorbs: bool
) -> None:
    application, given = applied(kind, *arrays, **parameters)
    with np.errstate(all="ignore"):
        found = application.type.function(*given, **application.parameters)
    outputs = list(found) if isinstance(found, tuple) else [found]
    assert absorbs_like_large_numbers(application, given, outputs) is absorbs
