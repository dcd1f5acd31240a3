"""Checks of a training: each kind on both sides of its limit, its sentence, and what a file may say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.edits import edits
from gradwire.engine.files.json_text import JsonFault
from gradwire.engine.graph.graph import Graph, Port
from gradwire.engine.training.checks import (
    Outcome,
    TrainingCheck,
    compare,
    compare_monotone,
    compare_trained,
    read_check,
    value_of,
)
from gradwire.engine.training.contract import Row


def check(
    kind: str = "value", wanted: object = None, after: int = 3, rtol: float = 1e-9, atol: float = 1e-12
) -> TrainingCheck:
    return TrainingCheck("title", kind, after, "main/w.y", wanted, None, False, rtol, atol)


def outcome(made: TrainingCheck, value: object, plain: object = 0.0) -> Outcome:
    return compare(made, np.asarray(value, float), lambda: np.asarray(plain, float))


@pytest.mark.parametrize(
    ("kind", "value", "is_met"),
    [
        ("below", 1.9999, True),
        ("below", 2.0, False),
        ("above", 2.0001, True),
        ("above", 2.0, False),
        ("below", [1.0, 1.5], True),
        ("below", [1.0, 2.5], False),
        ("above", [3.0, 1.5], False),
        ("above", np.nan, False),
    ],
)
def test_a_limit_itself_is_neither_below_nor_above(kind: str, value: object, is_met: bool) -> None:
    found = outcome(check(kind, 2.0), value)
    assert (found.title, found.is_met) == ("title", is_met)
    if np.ndim(value) == 0 and np.isfinite(value):  # type: ignore[call-overload]
        assert found.sentence == f"main/w.y is {value:.12g}, wanted {kind} 2"


@pytest.mark.parametrize(
    ("value", "is_met"),
    [(100.0, True), (111.0, True), (89.0, True), (111.1, False), (88.9, False), ([100.0], False), (np.nan, False)],
)
def test_a_value_may_differ_by_a_share_and_a_rest(value: object, is_met: bool) -> None:
    """10 % of the wanted 100, and 1."""
    assert outcome(check("value", 100.0, rtol=0.1, atol=1.0), value).is_met is is_met


def test_a_value_that_is_no_number_is_met_by_its_like() -> None:
    assert outcome(check("value", np.nan), np.nan).is_met and not outcome(check("value", np.nan), 1.0).is_met
    sentence = outcome(check("value", [1.0, 2.0]), [1.0, 2.5]).sentence
    assert sentence == "main/w.y is [1.  2.5], wanted [1. 2.]"


@pytest.mark.parametrize(
    ("value", "plain", "share", "is_met"),
    [
        # Of the training with its stop, the largest number is 20: 5 % of that is 1.
        ([10.0, 20.0], [10.0, 20.0], 0.05, False),
        ([10.9, 20.0], [10.0, 20.0], 0.05, False),
        ([11.1, 20.0], [10.0, 20.0], 0.05, True),
        ([10.0, -18.9], [10.0, -20.0], 0.05, True),
        ([10.0, -19.1], [10.0, -20.0], 0.05, False),
        ([10.0], [10.0, 20.0], 0.05, True),
        ([np.nan], [np.nan], 0.05, False),
        # What is not finite has no share: the largest number is 20.
        ([np.nan, 20.9], [np.nan, 20.0], 0.05, False),
        ([np.inf, 21.1], [np.inf, 20.0], 0.05, True),
        ([np.inf, 20.0], [-np.inf, 20.0], 0.05, True),
        # Without a share it is the tolerance.
        ([1.0 + 1e-8], [1.0], None, True),
        ([1.0 + 1e-10], [1.0], None, False),
    ],
)
def test_what_differs_does_so_by_a_share_of_the_largest_number(
    value: object, plain: object, share: object, is_met: bool
) -> None:
    found = outcome(check("differs", share), value, plain)
    assert found.is_met is is_met and " and " in found.sentence


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({0: 1.0, 1: 1.0, 2: 5.0, 3: 5.0}, "it never falls"),
        ({0: -100.0, 1: -110.9, 2: 0.0}, "it never falls"),
        ({0: -100.0, 1: -111.1, 2: 0.0}, "it falls in round 1, from -100 to -111.1"),
        ({0: 10.0, 1: 8.1, 2: 6.4, 3: 4.7}, "it falls in round 3, from 6.4 to 4.7"),
        # After three rounds it may fall.
        ({0: 1.0, 1: 1.0, 2: 2.0, 3: 3.0, 4: -99.0}, "it never falls"),
        ({3: 9.0, 4: 1.0}, "it never falls"),
    ],
)
def test_a_number_falls_by_more_than_a_share_and_a_rest(values: dict[int, float], sentence: str) -> None:
    """10 % of the number before, and 1."""
    found = compare_monotone(check("monotone", rtol=0.1, atol=1.0), values)
    assert found == Outcome("title", sentence == "it never falls", f"main/w.y: {sentence}")


@pytest.mark.parametrize(
    ("trained", "sentence"),
    [
        (("a", "b"), "exactly these"),
        (("b", "a"), "exactly these"),
        (("a", "b", "d", "c"), "also c, d"),
        (("b",), "not a"),
        (("c",), "also c; not a, b"),
        ((), "not a, b"),
    ],
)
def test_who_is_trained_is_told_by_name(trained: tuple[str, ...], sentence: str) -> None:
    made = TrainingCheck("title", "trains", 0, "D", ("a", "b"), None, False, 0, 0)
    rows = [Row("G", ("x",), (), {}), Row("D", trained, (), {})]
    assert compare_trained(made, rows) == Outcome("title", sentence == "exactly these", f"step D trains {sentence}")


# What a file may say


def line() -> Graph:
    x, _ = gw.Data(set="line", n=40, test=0.25, name="data")
    w = gw.Variable(2.0, name="w")
    return gw.graph(gw.Loss(gw.ReduceMean(x * gw.StopGradient(w, name="stop") * w, name="m"), name="L"))


def read(**record: Any) -> TrainingCheck:
    return read_check(record, line(), ["D"])


AT = {"after": 4, "at": "main/w.y"}


def test_a_check_is_read_with_its_defaults() -> None:
    plain = read(**AT, below=3)
    assert plain == TrainingCheck("below main/w.y", "below", 4, "main/w.y", 3.0, None, False, 1e-9, 1e-12)
    given = read(**AT, above=-1.5, title="High", run_without="main/stop", part="test", rtol=0.5, atol=0)
    assert given == TrainingCheck("High", "above", 4, "main/w.y", -1.5, "main/stop", True, 0.5, 0.0)
    assert not read(**AT, below=3, part="train").is_test
    assert read(step="D", trains=["main/w"]) == TrainingCheck(
        "trains D", "trains", 0, "D", ("main/w",), None, False, 1e-9, 1e-12
    )
    rising = read(monotone="main/L.y", until=7)
    assert (rising.title, rising.after, rising.at, rising.wanted) == ("monotone main/L.y", 7, "main/L.y", None)
    assert (read(**AT, differs=True).wanted, read(**AT, differs=0.5).wanted) == (None, 0.5)


@pytest.mark.parametrize(
    ("record", "path", "said"),
    [
        ({**AT}, (), "a check has one of .*, not 0"),
        ({**AT, "below": 1, "above": 0}, (), "not 2"),
        ({**AT, "below": 1, "wanted": 0}, ("wanted",), "is no key of a check"),
        ({**AT, "below": "low"}, ("below",), ""),
        ({**AT, "differs": "much"}, ("differs",), ""),
        ({"below": 1, "at": "main/w.y"}, (), "after"),
        ({"below": 1, "after": 1}, (), "at"),
        ({"monotone": "main/L.y"}, (), "until"),
        ({"monotone": "main/L.y", "after": 3}, (), "until"),
        ({"step": "E", "trains": ["main/w"]}, ("step",), "is no step of the plan; there are D"),
        ({"step": 3, "trains": ["main/w"]}, ("step",), "is no step"),
        ({"step": "D", "trains": ["main/L"]}, ("trains", 0), ""),
        ({**AT, "below": 1, "part": "rest"}, ("part",), ""),
        ({**AT, "below": 1, "rtol": -1}, ("rtol",), ""),
        ({**AT, "below": 1, "run_without": "main/w"}, ("run_without",), "no StopGradient"),
        ({**AT, "below": 1, "after": -1}, ("after",), ""),
    ],
)
def test_a_wrong_check_is_refused_at_its_place(record: dict[str, Any], path: tuple[object, ...], said: str) -> None:
    with pytest.raises(JsonFault, match=said or ".") as caught:
        read(**record)
    assert caught.value.path[: len(path)] == path


def test_rows_held_back_are_measured_only_where_there_are_some() -> None:
    graph = line()
    made = read_check({"after": 0, "at": "main/m.y", "below": 9, "part": "test"}, graph, [])
    plain = read_check({"after": 0, "at": "main/m.y", "below": 9}, graph, [])
    assert value_of(made, graph) != value_of(plain, graph)
    bare = gw.graph(gw.Loss(gw.Variable(1.0, name="w"), name="L"))
    with pytest.raises(JsonFault, match="no Data block holds back rows"):
        read_check({**AT, "below": 1, "part": "test"}, bare, [])
    assert not read_check({**AT, "below": 1, "part": "train"}, bare, []).is_test


def test_a_value_that_is_not_there_meets_no_check() -> None:
    graph = edits.disconnect(line(), "main", Port("L", "x"))
    made = read_check({"after": 0, "at": "main/L.y", "below": 9}, graph, [])
    assert np.isnan(value_of(made, graph)) and not compare(made, value_of(made, graph), lambda: np.zeros(())).is_met
