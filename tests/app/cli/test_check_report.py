"""One report of `gradwire check`, made by hand so that it has everything, in each format, word for word."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from gradwire.app.cli.check_formats import FORMATS
from gradwire.app.cli.check_report import Report, TriedFix, remarks
from gradwire.app.cli.graph_files import Fault
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.base.problems import Problem
from gradwire.engine.causes.deviations import Deviating
from gradwire.engine.evaluation.snapshot import Snapshot
from gradwire.engine.explain.checks.check import GradientCheck, Mismatch
from gradwire.engine.explain.contracts import CheckResult
from gradwire.engine.files.files import load
from gradwire.engine.training.side_by_side import SideBySide
from tests.app.cli.graphs import written

IN = Link(PortName("main/x", "y"), PortName("main/p", "x"))
WIRE = "main/x.y -> main/p.x"
OUT = Link(PortName("main/p", "y"), PortName("main/loss", "x"))
BY = SimpleNamespace(path="main/p", reason="is taken for the identity", elsewhere="PyTorch and JAX do the same.")
KNOWN = cast(Deviating, BY)  # what a report says of a block whose rule deviates
FAULTS = {2: Fault("b.graph", 2, 3, 4, "It is no graph."), 1: Fault("b.graph", 1, 0, 0, "It is odd.")}


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Report:
    monkeypatch.chdir(tmp_path)
    loaded = load(written(Path("a.graph"), [{"id": "x", "type": "Exp"}, {"id": "p", "type": "Exp"}]))
    problems = (
        Problem("error", "main/p", "shape", "It is odd."),
        Problem("warning", "", "lint_dead_units", "All is dead."),
        Problem("info", "main/x", "tie", "2 are equal."),
    )
    mismatches = (
        Mismatch(IN, (0, 1), 2.0, 3.0),
        Mismatch(IN, (0,), 1.0, 4.0, KNOWN),
        Mismatch(OUT, (), 1.0, 5.0, KNOWN),
    )
    meant = (
        Mismatch(OUT, (7,), 9.0, 100.0, own="main/p"),  # larger, but not of the wire into the page
        Mismatch(IN, (2,), 7.0, 3.0, own="main/p"),
        Mismatch(IN, (3,), -14.0, 12.0, own="main/p"),
        Mismatch(OUT, (4,), 1.0, 2.0, own="main/q"),
    )
    contracts = (
        CheckResult("fine", True, "", "main/x.y"),
        CheckResult("x is 1", False, "It is 2.", "main/x.y"),
        CheckResult("main/x.y -> main/p.x flows", False, "It is blocked.", "main/x.y -> main/p.x"),
        CheckResult("odd", False, "It says nothing.", "page"),
    )
    failed = {"nan": ["main/x.y -> main/p.x", "main/p.y"], "no_loss": [""]}
    tried = (TriedFix("main/p", "Remove it", SideBySide(5, (4.0, 3.0), (2.0, 1.0))), TriedFix("main/x", "Add it", None))
    return Report(
        "a.graph",
        loaded,
        Snapshot(None, {}, {}, problems),
        GradientCheck(3, 20, 6, mismatches, meant, 2),
        contracts,
        (),
        failed,
        tried,
    )


def printed(capsys: pytest.CaptureFixture[str], name: str, *reports: Report | Fault, is_quiet: bool = False) -> str:
    FORMATS[name](reports, is_quiet)
    out, err = capsys.readouterr()
    return re.sub("^gradwire: ", "! ", err, flags=re.MULTILINE) + out


ALONE = "the gradient of element [0, 1] of main/x.y -> main/p.x is 2, but the difference quotient 3."
TOGETHER = (
    "main/p is taken for the identity. So 2 of 20 elements differ from their difference quotients. "
    "PyTorch and JAX do the same."
)
MEANT = [
    "differs on purpose, by its own gradient: the gradient of element [3] of main/x.y -> main/p.x is -14, "
    "but the difference quotient 12.",
    "differs on purpose, by its own gradient: the gradient of element [4] of main/p.y -> main/loss.x is 1, "
    "but the difference quotient 2.",
]
FAILED = ["x is 1 (main/x.y): It is 2.", "main/x.y -> main/p.x flows: It is blocked.", "odd (page): It says nothing."]
CONDITIONS = ["--fail-on nan: main/x.y -> main/p.x and 1 more.", "--fail-on no_loss: the file as a whole."]
TRIED = [
    "Remove it: in 5 rounds the loss goes from 2 to 1, without the fix from 4 to 3.",
    "Add it: no training could be run to compare.",
]


def test_text_says_each_finding_once_errors_to_standard_error(
    report: Report, capsys: pytest.CaptureFixture[str]
) -> None:
    line = next(number for number, text in enumerate(Path("a.graph").read_text().splitlines(), 1) if '"p"' in text) - 1
    errors = [f"a.graph:{line}:5: main/p: It is odd.", f"a.graph: {ALONE}", f"a.graph: {TOGETHER}"]
    errors += [f"a.graph: {sentence}" for sentence in (*FAILED, *CONDITIONS)]
    shown = ["warning: All is dead. [dead_units]", "info: main/x: 2 are equal."]
    counts = "13 of 20 gradient elements on 3 wires agree, 6 skipped (kink, tie, NaN or infinity)"
    said = [f"a.graph: {counts}; 2 wires were left out, for this graph is heavy"]
    said += [f"a.graph: main/{name} {sentence}" for name, sentence in zip("pq", MEANT, strict=True)]
    said += ["a.graph: 1 of 4 checks of the file hold", f"fix: main/p: {TRIED[0]}", f"fix: main/x: {TRIED[1]}"]
    errors = [f"! {sentence}" for sentence in errors]
    assert printed(capsys, "text", report).splitlines() == errors + shown + said
    assert printed(capsys, "text", report, is_quiet=True).splitlines() == errors + said
    assert printed(capsys, "text", *FAULTS.values()) == "! b.graph:3:4: It is no graph.\n! b.graph: It is odd.\n"


def test_text_counts_nothing_that_is_not_there(report: Report, capsys: pytest.CaptureFixture[str]) -> None:
    bare = Report("a", report.loaded, Snapshot(None, {}, {}, ()), GradientCheck(1, 2, 0, ()), (), (), {})
    assert printed(capsys, "text", bare) == "a: 2 of 2 gradient elements on 1 wires agree\n"


def test_json_has_both_numbers_of_each_element_and_its_reason(
    report: Report, capsys: pytest.CaptureFixture[str]
) -> None:
    found = json.loads(printed(capsys, "json", report))
    check = found.pop("gradient_check")
    assert found == {
        "file": "a.graph",
        "ok": False,
        "problems": [
            {"severity": "error", "at": "main/p", "code": "shape", "message": "It is odd."},
            {"severity": "warning", "at": "", "code": "lint_dead_units", "message": "All is dead."},
            {"severity": "info", "at": "main/x", "code": "tie", "message": "2 are equal."},
        ],
        "checks": [
            {"title": "fine", "at": "main/x.y", "ok": True, "message": ""},
            {"title": "x is 1", "at": "main/x.y", "ok": False, "message": "It is 2."},
            {
                "title": FAILED[1].partition(":")[0],
                "at": "main/x.y -> main/p.x",
                "ok": False,
                "message": "It is blocked.",
            },
            {"title": "odd", "at": "page", "ok": False, "message": "It says nothing."},
        ],
        "advice": [],
        "failed_on": {"nan": [WIRE, "main/p.y"], "no_loss": [""]},
        "tried_fixes": [
            {"at": "main/p", "fix": "Remove it", "losses": {"rounds": 5, "without": [4, 3], "with": [2, 1]}},
            {"at": "main/x", "fix": "Add it", "losses": None},
        ],
    }
    ends, out = {"from": "main/x.y", "to": "main/p.x"}, {"from": "main/p.y", "to": "main/loss.x"}
    by, own = {"by": "main/p", "reason": "is taken for the identity"}, {"by": "main/p"}
    assert check == {
        "wires": 3,
        "elements": 20,
        "skipped": 6,
        "left_out": 2,
        "mismatches": [
            {**ends, "index": [0, 1], "gradient": 2, "difference": 3},
            {**ends, "index": [0], "gradient": 1, "difference": 4, **by},
            {**out, "index": [], "gradient": 1, "difference": 5, **by},
        ],
        "on_purpose": [
            {**out, "index": [7], "gradient": 9, "difference": 100, **own},
            {**ends, "index": [2], "gradient": 7, "difference": 3, **own},
            {**ends, "index": [3], "gradient": -14, "difference": 12, **own},
            {**out, "index": [4], "gradient": 1, "difference": 2, "by": "main/q"},
        ],
    }
    bare = Report("a", report.loaded, Snapshot(None, {}, {}, ()), GradientCheck(1, 2, 0, ()), (), (), {})
    assert json.loads(printed(capsys, "json", bare)) == {
        "file": "a",
        "ok": True,
        "problems": [],
        "gradient_check": {"wires": 1, "elements": 2, "skipped": 0, "mismatches": []},
        "checks": [],
        "advice": [],
    }


def test_each_remark_has_its_rule_and_the_block_where_it_is_shown(report: Report) -> None:
    assert [(item.rule, item.severity, item.at) for item in remarks(report)] == [
        ("shape", "error", "main/p"),
        ("dead_units", "warning", ""),
        ("tie", "info", "main/x"),
        ("gradient_mismatch", "error", "main/p"),
        ("gradient_mismatch", "error", "main/p"),
        ("failed_check", "error", "main/x"),
        ("failed_check", "error", "main/p"),
        ("failed_check", "error", "page"),
        ("fail_on_nan", "error", "main/p"),
        ("fail_on_no_loss", "error", ""),
        ("own_gradient", "info", "main/p"),
        ("own_gradient", "info", "main/q"),
    ]
    assert {(item.line > 0, item.column) for item in remarks(report) if item.at == "main/p"} == {(True, 5)}
    assert {(item.line, item.column) for item in remarks(report) if item.at in ("", "main/q")} == {(0, 0)}
    assert [(item.rule, item.line, item.column) for code in (2, 1) for item in remarks(FAULTS[code])] == [
        ("unreadable", 3, 4),
        ("fault", 0, 0),
    ]


def test_only_what_is_wrong_makes_a_report_fail(report: Report) -> None:
    def fine(contracts: Any = (), **parts: Any) -> bool:
        compared = GradientCheck(1, 1, 0, parts.get("mismatches", ()), parts.get("meant", ()))
        snapshot = Snapshot(None, {}, {}, parts.get("problems", ()))
        return Report("a", report.loaded, snapshot, compared, contracts, (), parts.get("failed", {})).is_fine

    error, *notices = report.snapshot.problems
    assert fine(report.contracts[:1], problems=tuple(notices), meant=report.compared.meant)
    assert not fine(report.contracts[1:2])
    assert not fine(problems=(error,))
    assert not fine(mismatches=report.compared.mismatches)
    assert not fine(failed={"nan": ["main/x.y"]})


def test_github_has_a_place_only_where_the_line_is_known(report: Report, capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "github", report, *FAULTS.values()).splitlines()
    assert lines[1] == "::warning file=a.graph,title=gradwire dead_units::All is dead."
    assert re.fullmatch(r"::notice file=a.graph,line=\d+,col=5,title=gradwire tie::main/x: 2 are equal.", lines[2])
    assert lines[-2:] == [
        "::error file=b.graph,line=3,col=4,title=gradwire unreadable::It is no graph.",
        "::error file=b.graph,title=gradwire fault::It is odd.",
    ]
    quiet = printed(capsys, "github", report, is_quiet=True).splitlines()
    assert quiet == [line for line in lines[:-2] if line.startswith("::error")]
    assert len(quiet) == 8


def test_junit_has_a_case_for_the_graph_its_gradients_and_each_check(
    report: Report, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = '<testsuite name="{}" tests="{}" failures="{}" errors="{}">'
    case = '<testcase classname="a.graph" name="{}" />'
    failed = '<testcase classname="a.graph" name="{}"><failure message="{}" type="{}">{}</failure></testcase>'

    def flat(text: str) -> str:
        return re.sub(r"\n\s*(?=<)|&gt;", lambda found: ">" if found[0] == "&gt;" else "", text)

    cases = [
        failed.format("problems", "main/p: It is odd.", "problems", "main/p: It is odd."),
        failed.format("gradients", ALONE, "gradients", f"{ALONE}\n{TOGETHER}"),
        case.format("check 1: fine"),
        failed.format("check 2: x is 1", FAILED[0], "check 2", FAILED[0]),
        failed.format("check 3: main/x.y -> main/p.x flows", FAILED[1], "check 3", FAILED[1]),
        failed.format("check 4: odd", FAILED[2], "check 4", FAILED[2]),
        *(
            failed.format(f"fail-on {name}", text, f"fail-on {name}", text)
            for name, text in zip(("nan", "no_loss"), CONDITIONS, strict=True)
        ),
    ]
    notices = "\n".join(["All is dead.", "main/x: 2 are equal.", f"main/p: {MEANT[0]}", f"main/q: {MEANT[1]}"])
    fault = '<testcase classname="b.graph" name="readable"><error message="{0}" type="readable">{0}</error></testcase>'
    both = printed(capsys, "junit", report, FAULTS[2])
    assert flat(both) == flat(
        "<?xml version='1.0' encoding='us-ascii'?>\n"
        '<testsuites name="gradwire check" tests="9" failures="7" errors="1">'
        + suite.format("a.graph", 8, 7, 0)
        + "".join(cases)
        + f"<system-out>{notices}</system-out></testsuite>"
        + suite.format("b.graph", 1, 0, 1)
        + fault.format("It is no graph.")
        + "</testsuite></testsuites>\n"
    )
    assert "system-out" not in printed(capsys, "junit", report, is_quiet=True)


def test_sarif_points_at_lines_and_blocks_as_far_as_they_are_known(
    report: Report, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [Fault("-", 2, 1, 0, "It is odd."), Fault("/a b/c.graph", 1, 0, 0, "It is odd.")]
    (run,) = json.loads(printed(capsys, "sarif", report, *FAULTS.values(), *files))["runs"]
    first, second, third, *_ = run["results"]
    (place,) = first["locations"]
    assert place["logicalLocations"] == [{"fullyQualifiedName": "main/p"}]
    assert place["physicalLocation"]["region"]["startColumn"] == 5
    assert second["locations"] == [{"physicalLocation": {"artifactLocation": {"uri": "a.graph"}}}]
    assert [item["level"] for item in (first, second, third)] == ["error", "warning", "note"]
    assert [item["locations"][0]["physicalLocation"] for item in run["results"][-4:]] == [
        {"artifactLocation": {"uri": "b.graph"}, "region": {"startLine": 3, "startColumn": 4}},
        {"artifactLocation": {"uri": "b.graph"}},
        {"artifactLocation": {"uri": "stdin"}, "region": {"startLine": 1, "startColumn": 1}},
        {"artifactLocation": {"uri": "file:///a%20b/c.graph"}},
    ]
    rules = run["tool"]["driver"]["rules"]
    titles = {rule["id"]: rule["shortDescription"]["text"] for rule in rules}
    assert (titles["unreadable"], titles["own_gradient"]) == ("A file that cannot be read", "Own gradient")
    assert ["fullDescription" in rule for rule in rules[:2]] == [False, True]
