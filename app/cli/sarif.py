"""SARIF 2.1.0, the static analysis results interchange format of OASIS, which code hosts read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

import gradwire
from gradwire.app.base.results_json import Json
from gradwire.app.cli.check_report import CHECK_RULE, FAULT_RULE, GRADIENT_RULE, UNREADABLE_RULE, Remark
from gradwire.engine.advice.linter import RULE_OF

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {"error": "error", "warning": "warning", "info": "note"}
TITLES = {
    UNREADABLE_RULE: "A file that cannot be read",
    FAULT_RULE: "A mistake inside Gradwire or a plug-in",
    GRADIENT_RULE: "A gradient that differs from central differences",
    CHECK_RULE: "A check of the file that does not hold",
}


def sarif(found: Sequence[tuple[str, Remark]]) -> Json:
    """Returns the document for the remarks on files, in their order."""
    rules = list(dict.fromkeys(remark.rule for _, remark in found))
    driver = {"name": "gradwire", "version": gradwire.__version__, "rules": [_rule(name) for name in rules]}
    results = [_result(file, remark, rules.index(remark.rule)) for file, remark in found]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(name: str) -> Json:
    """Returns the description of a rule of advice, or of a problem code."""
    rule = RULE_OF.get(name)
    title = TITLES.get(name, name.replace("_", " ").capitalize()) if rule is None else rule.title
    described: Json = {"id": name, "shortDescription": {"text": title}}
    return described if rule is None else {**described, "fullDescription": {"text": rule.why}}


def _result(file: str, remark: Remark, rule: int) -> Json:
    return {
        "ruleId": remark.rule,
        "ruleIndex": rule,
        "level": LEVELS[remark.severity],
        "message": {"text": remark.message},
        "locations": [_location(file, remark)],
    }


def _location(file: str, remark: Remark) -> Json:
    place: Json = {"artifactLocation": {"uri": _uri(file)}}
    if remark.line:
        place["region"] = {"startLine": remark.line, "startColumn": max(remark.column, 1)}
    found: Json = {"physicalLocation": place}
    if remark.at:
        found["logicalLocations"] = [{"fullyQualifiedName": remark.at}]
    return found


def _uri(file: str) -> str:
    """Returns the URI of a file: relative, as hosts want it, if the path is."""
    if file == "-":
        return "stdin"
    path = Path(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
