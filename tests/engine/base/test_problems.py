"""Lists of problems stay short."""

from __future__ import annotations

from gradwire.engine.base.problems import LISTED, MORE, Problem, Severity, listed


def problems(severity: Severity, count: int) -> list[Problem]:
    return [Problem(severity, f"main/{severity}{number}", "tie", "Equal.") for number in range(count)]


def test_a_hundred_problems_are_listed_as_they_are() -> None:
    found = problems("info", LISTED)
    assert listed(found) == tuple(found)


def test_one_more_is_counted() -> None:
    *shown, more = listed(problems("info", LISTED + 1))
    assert len(shown) == LISTED
    assert (more.severity, more.at, more.code) == ("info", "", MORE)
    assert more.message == "Further problems that are not listed: 1."


def test_the_gravest_stay_in_their_order() -> None:
    found = [*problems("info", 60), *problems("error", 30), *problems("warning", 60)]
    *shown, more = listed(found)
    assert shown == [*found[:10], *found[60:]]
    assert (more.severity, more.message) == ("info", "Further problems that are not listed: 50.")
