"""Reports of why parameters do not learn: heads, groups and their order, and what counts as sound."""

from __future__ import annotations

import pytest

from gradwire.interop.why.finding import Finding, Report, Spot, State, of_one_cause, report_of


def finding(parameter: str, status: State = State.BLOCKED, reason: str = "why", where: str = "m.py:1") -> Finding:
    return Finding(parameter, status, "", reason, Spot(where))


@pytest.mark.parametrize(
    ("findings", "parameters", "head", "ok"),
    [
        ([], 3, "Every gradient flows, to 3 parameters.", True), ([], 1, "Every gradient flows, to 1 parameter.", True),
        ([], 0, "There is no parameter that is to be trained.", False),
        ([finding("a")], 3, "1 of 3 parameters does not learn as it should:", False),
        ([finding("a"), finding("b")], 3, "2 of 3 parameters do not learn as they should:", False),
        ([finding("a"), finding("a", State.ZERO)], 1, "1 of 1 parameter does not learn as it should:", False),
        ([finding("a", State.AT_REST)], 3,
         "Nothing is wrong, though 1 of 3 parameters receives a gradient of 0 now:", True),
        ([finding("a", State.ZERO_AT_FIRST), finding("b", State.HARMLESS)], 3,
         "Nothing is wrong, though 2 of 3 parameters receive a gradient of 0 now:", True),
        ([finding("a", State.FROZEN)], 3, "Every gradient flows, to 3 parameters.", True),
        ([finding("a"), finding("b", State.AT_REST)], 3, "1 of 3 parameters does not learn as it should:", False),
        ([finding("loss", State.NONFINITE)], 2,
         "The loss is not a finite number. Every gradient flows, to 2 parameters.", False),
        ([finding("loss", State.CROSSED_SHAPES), finding("a")], 2,
         "The loss compares shapes that do not fit. 1 of 2 parameters does not learn as it should:", False),
        ([finding("model", State.FAILED)], 2, "There are no gradients.", False),
    ],
)  # fmt: skip
def test_a_head_counts_what_does_not_learn(findings: list[Finding], parameters: int, head: str, ok: bool) -> None:
    report = Report(tuple(findings), parameters)
    assert (report.head, report.ok) == (head, ok)
    assert str(report).splitlines()[0] == head


def test_groups_of_one_cause_name_six_parameters_and_are_numbered_from_1() -> None:
    many = [finding(f"p{number}") for number in range(8)]
    six = [finding(f"q{number}", State.ZERO, "zero") for number in range(6)]
    report = Report((*many, *six), 20, ("assumed",))
    titles = [group.title for group in report.groups()]
    assert titles[0].startswith("p0, p1, p2, p3, p4, p5 and 2 more: ") and titles[1].startswith(
        "q0, q1, q2, q3, q4, q5: "
    )
    lines = str(report).splitlines()
    assert [line for line in lines if line[:1].isdigit()][1:] == [f"1. {titles[0]}", f"2. {titles[1]}"]
    assert lines.count("   m.py:1") == 2 and "   why" in lines and lines[-1] == "Note: assumed"
    assert repr(report) == str(report)


def test_causes_come_by_the_loss_their_state_and_their_number() -> None:
    few, many = [finding("a", reason="few")], [finding(name, reason="many") for name in "bc"]
    loss, worse = finding("loss", State.UNUSED), finding("d", State.FAILED)
    report = report_of([*few, finding("e", State.UNUSED), *many, worse, loss], 9, ["", "said"])
    assert [item.parameter for item in report.findings] == ["loss", "d", "b", "c", "a", "e"] or [
        item.parameter for item in report.findings
    ] == ["e", "loss", "d", "b", "c", "a"]
    assert report.notes == ("said",)
    assert [len(group) for group in of_one_cause([*few, *many, *few])] == [2, 2]


def test_sizes_in_eval_mode_are_one_note() -> None:
    unusual = [finding(name, State.IN_EVAL, "It is in eval mode.") for name in "ab"]
    report = report_of([*unusual, finding("c")], 3, ["more"])
    assert [item.parameter for item in report.findings] == ["c"]
    assert report.notes == ("2 gradients are far smaller or larger than others. It is in eval mode.", "more")
