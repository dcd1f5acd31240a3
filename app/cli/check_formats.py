"""The formats of `gradwire check`: text, JSON lines, annotations of GitHub, JUnit XML and SARIF."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from xml.etree import ElementTree

from gradwire.app.base.results_json import Json, finding_json, numbers_json, problems_json
from gradwire.app.base.terminal import say, say_text, sent
from gradwire.app.cli.check_report import (
    Remark,
    Report,
    TriedFix,
    contract_sentence,
    failures_of,
    meant_sentences,
    mismatch_sentences,
    remarks,
)
from gradwire.app.cli.fail_on import failure_sentence
from gradwire.app.cli.graph_files import Fault, named, print_error, print_fault, print_json, print_problems
from gradwire.app.cli.sarif import sarif
from gradwire.engine.base.problems import listed
from gradwire.engine.base.untrusted_text import LONGEST_PARAGRAPH, plain
from gradwire.engine.explain.checks.check import Mismatch

Reports = Iterable[Report | Fault]
LEVELS = {"error": "error", "warning": "warning", "info": "notice"}


def print_text(reports: Reports, is_quiet: bool) -> None:
    """Prints sentences for people, errors to standard error."""
    for report in reports:
        if isinstance(report, Fault):
            print_fault(report, as_json=False)
        else:
            _print_report(report, is_quiet)


def _print_report(report: Report, is_quiet: bool) -> None:
    file, compared, contracts = report.file, report.compared, report.contracts
    print_problems(file, report.loaded, report.snapshot.problems, is_quiet)
    agree = compared.elements - len(compared.mismatches) - len(compared.meant)
    skipped = f", {compared.skipped} skipped (kink, tie, NaN or infinity)" if compared.skipped else ""
    rest = f"; {compared.left_out} wires were left out, for this graph is heavy" if compared.left_out else ""
    counts = f"{agree} of {compared.elements} gradient elements on {compared.wires} wires"
    say(f"{named(file)}: {counts} agree{skipped}{rest}")
    for at, sentence in meant_sentences(compared):
        say(f"{named(file)}: {at} {sentence}")
    if contracts:
        say(f"{named(file)}: {sum(item.holds for item in contracts)} of {len(contracts)} checks of the file hold")
    for failure in failures_of(report):
        print_error(file, failure.message)
    for fix in report.tried:
        say(f"fix: {named(fix.at)}: {fix.sentence}")


def print_json_lines(reports: Reports, is_quiet: bool) -> None:
    """Prints one JSON object a line and file."""
    for report in reports:
        if isinstance(report, Fault):
            print_fault(report, as_json=True)
        else:
            print_json(_json(report))


def _json(report: Report) -> Json:
    compared = report.compared
    found: Json = {"mismatches": list(map(_mismatch_json, compared.mismatches))}
    if compared.meant:
        found["on_purpose"] = list(map(_mismatch_json, compared.meant))
    counts = {"wires": compared.wires, "elements": compared.elements, "skipped": compared.skipped}
    counts |= {"left_out": compared.left_out} if compared.left_out else {}
    checks = [
        {"title": item.title, "at": item.place, "ok": item.holds, "message": item.message} for item in report.contracts
    ]
    return {
        "file": report.file,
        "ok": report.is_fine,
        "problems": problems_json(report.snapshot.problems),
        "gradient_check": {**counts, **found},
        "checks": checks,
        "advice": [finding_json(finding) for finding in report.advice],
        **({"failed_on": report.failed_on} if report.failed_on else {}),
        **({"tried_fixes": [_tried_json(fix) for fix in report.tried]} if report.tried else {}),
    }


def _mismatch_json(item: Mismatch) -> Json:
    return {
        "from": str(item.link.source),
        "to": str(item.link.target),
        "index": list(item.index),
        "gradient": item.gradient,
        "difference": item.difference,
        **({} if item.by is None else {"by": item.by.path, "reason": item.by.reason}),
        **({"by": item.own} if item.own else {}),
    }


def _tried_json(fix: TriedFix) -> Json:
    rounds = fix.rounds
    losses = None
    if rounds is not None:
        series = {"without": numbers_json(rounds.before), "with": numbers_json(rounds.after)}
        losses = {"rounds": rounds.rounds, **series}
    return {"at": fix.at, "fix": fix.text, "losses": losses}


def print_github(reports: Reports, is_quiet: bool) -> None:
    """Prints workflow commands, which GitHub shows beside the lines of a pull request."""
    for report in reports:
        for remark in _heard(report, is_quiet):
            place = {"file": report.file, "line": str(remark.line), "col": str(remark.column)}
            shown = place if remark.line else {"file": report.file}
            properties = {**shown, "title": f"gradwire {remark.rule}"}
            written = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
            say(f"{sent('::')}{LEVELS[remark.severity]} {written}::{_data(remark.message)}")


def _heard(report: Report | Fault, is_quiet: bool) -> Iterator[Remark]:
    return (remark for remark in remarks(report) if remark.severity == "error" or not is_quiet)


def _data(text: str) -> str:
    """Returns the message of a workflow command, whose signs of its own are escaped."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def print_junit(reports: Reports, is_quiet: bool) -> None:
    """Prints JUnit XML: a suite for each file, with a case for the graph, its gradients and each of its checks."""
    root = ElementTree.Element("testsuites", name="gradwire check")
    for report in reports:
        root.append(_suite(report, is_quiet))
    for key in ("tests", "failures", "errors"):
        root.set(key, str(sum(int(suite.get(key, "0")) for suite in root)))
    ElementTree.indent(root)
    # Letters beyond ASCII become references, whatever the output can show.
    say_text(ElementTree.tostring(root, encoding="us-ascii", xml_declaration=True).decode())


def _suite(report: Report | Fault, is_quiet: bool) -> ElementTree.Element:
    suite = ElementTree.Element("testsuite", name=_xml(report.file))
    cases = dict(_fault_cases(report) if isinstance(report, Fault) else _cases(report))
    for (name, kind), sentences in cases.items():
        case = ElementTree.SubElement(suite, "testcase", classname=_xml(report.file), name=_xml(name))
        for sentence in sentences[:1]:
            told = ElementTree.SubElement(case, kind, message=_xml(sentence), type=name.partition(":")[0])
            told.text = "\n".join(map(_xml, sentences))
    notices = [remark.message for remark in remarks(report) if remark.severity != "error"]
    if notices and not is_quiet:
        ElementTree.SubElement(suite, "system-out").text = "\n".join(map(_xml, notices))
    counted = {"tests": "testcase", "failures": "testcase/failure", "errors": "testcase/error"}
    for key, path in counted.items():
        suite.set(key, str(len(suite.findall(path))))
    return suite


def _fault_cases(fault: Fault) -> Iterator[tuple[tuple[str, str], list[str]]]:
    yield ("readable", "error"), [fault.message]


def _cases(report: Report) -> Iterator[tuple[tuple[str, str], list[str]]]:
    """Yields the name of each case, the element that says that it failed, and the sentences why, none if it holds."""
    errors = [item for item in listed(report.snapshot.problems) if item.severity == "error"]
    yield ("problems", "failure"), [f"{item.at}: {item.message}" if item.at else item.message for item in errors]
    yield ("gradients", "failure"), [sentence for _, sentence in mismatch_sentences(report.compared)]
    for number, contract in enumerate(report.contracts, start=1):
        yield (f"check {number}: {contract.title}", "failure"), [] if contract.holds else [contract_sentence(contract)]
    for name, places in report.failed_on.items():
        yield (f"fail-on {name}", "failure"), [failure_sentence(name, list(places))]


def _xml(text: str) -> str:
    """Returns a text as one line, without the characters that XML forbids."""
    return plain(text, LONGEST_PARAGRAPH)


def print_sarif(reports: Reports, is_quiet: bool) -> None:
    """Prints SARIF 2.1.0: one run with the results of all files."""
    print_json(sarif([(report.file, remark) for report in reports for remark in _heard(report, is_quiet)]))


FORMATS: Mapping[str, Callable[[Reports, bool], None]] = {
    "text": print_text,
    "json": print_json_lines,
    "github": print_github,
    "junit": print_junit,
    "sarif": print_sarif,
}
