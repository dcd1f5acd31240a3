"""`gradwire check --format`: each format as its standard wants it, with every failure and its place."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from gradwire.engine.advice.linter import RULE_OF
from tests.app.cli.graphs import ADVISED, SOFTMAX, called, failing

COMMAND = re.compile(r"::(error|warning|notice) ([^:]*)::(.*)")


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    broken = tmp_path / "odd, name: 100%.graph"
    broken.write_text("{")
    return [str(failing(tmp_path / "failing.graph")), str(broken), ADVISED]


def unescaped(text: str) -> str:
    return unquote(text)


def commands(text: str) -> list[tuple[str, dict[str, str], str]]:
    """Reads workflow commands as the runner does."""
    found = []
    for line in text.splitlines():
        matched = COMMAND.fullmatch(line)
        assert matched, line
        properties = dict(item.split("=", 1) for item in matched[2].split(","))
        found.append((matched[1], {key: unescaped(value) for key, value in properties.items()}, unescaped(matched[3])))
    return found


def test_github_shows_each_finding_at_its_line(capsys: pytest.CaptureFixture[str], files: list[str]) -> None:
    outcome = called(capsys, "check", "--format", "github", *files)
    assert (outcome.code, outcome.err) == (2, "")
    found = commands(outcome.out)
    titles = {(level, place["title"].removeprefix("gradwire ")) for level, place, _ in found}
    assert titles >= {
        ("error", "unknown_type"),
        ("error", "failed_check"),
        ("error", "unreadable"),
        ("warning", "nonfinite"),
        ("notice", "max_not_stopped"),
    }
    lines = Path(files[0]).read_text().splitlines()
    (place,) = (place for _, place, _ in found if place["title"].endswith("unknown_type"))
    assert place["file"] == files[0]
    assert '"id": "bad"' in "".join(lines[int(place["line"]) - 1 :][:2])


def test_github_escapes_what_would_end_a_property_or_a_message(
    capsys: pytest.CaptureFixture[str], files: list[str]
) -> None:
    outcome = called(capsys, "check", "--format", "github", *files)
    assert "file=" + files[1].replace("%", "%25").replace(":", "%3A").replace(",", "%2C") in outcome.out
    assert "100%25 finite, always: yes" in outcome.out
    assert {place["file"] for _, place, _ in commands(outcome.out)} == set(files)


def test_junit_counts_its_cases_and_names_each_failure(capsys: pytest.CaptureFixture[str], files: list[str]) -> None:
    outcome = called(capsys, "check", "--format", "junit", *files, SOFTMAX)
    assert outcome.code == 2
    root = ElementTree.fromstring(outcome.out)
    assert root.tag == "testsuites"
    assert [suite.get("name") for suite in root] == [*files, SOFTMAX]
    for suite in root:
        assert suite.tag == "testsuite"
        assert int(suite.get("tests", "")) == len(suite.findall("testcase"))
        assert int(suite.get("failures", "")) == len(suite.findall("testcase/failure"))
        assert int(suite.get("errors", "")) == len(suite.findall("testcase/error"))
        assert all(case.get("name") and case.get("classname") for case in suite.findall("testcase"))
    counts = [(int(suite.get("failures", "")), int(suite.get("errors", ""))) for suite in root]
    assert counts == [(2, 0), (0, 1), (0, 0), (0, 0)]
    assert root.get("failures") == "2" and root.get("errors") == "1"
    messages = [failure.get("message", "") for failure in root.iter("failure")]
    assert any("Teleport" in message for message in messages)
    assert any("100% finite" in message for message in messages)


def checked_sarif(text: str) -> Any:
    """Reads SARIF and checks what sections 3.13 to 3.30 of the standard require."""
    document = json.loads(text)
    assert document["version"] == "2.1.0"
    assert document["$schema"].endswith("sarif-2.1.0.json")
    (run,) = document["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "gradwire"
    rules = [rule["id"] for rule in driver["rules"]]
    assert len(rules) == len(set(rules))
    assert all(rule["shortDescription"]["text"] for rule in driver["rules"])
    for result in run["results"]:
        assert result["message"]["text"]
        assert result["level"] in ("none", "note", "warning", "error")
        assert rules[result["ruleIndex"]] == result["ruleId"]
        for location in result["locations"]:
            physical = location["physicalLocation"]
            assert re.fullmatch(r"[!#-;=?-\[\]_a-z~]+", physical["artifactLocation"]["uri"])
            assert all(number >= 1 for number in physical.get("region", {"startLine": 1}).values())
    return run


def test_sarif_has_what_the_standard_requires(capsys: pytest.CaptureFixture[str], files: list[str]) -> None:
    outcome = called(capsys, "check", "--format", "sarif", *files)
    assert outcome.code == 2
    run = checked_sarif(outcome.out)
    found = {(item["ruleId"], item["level"]) for item in run["results"]}
    assert found >= {("unknown_type", "error"), ("unreadable", "error"), ("max_not_stopped", "note")}
    (advice,) = (rule for rule in run["tool"]["driver"]["rules"] if rule["id"] in RULE_OF)
    assert advice["fullDescription"]["text"] == RULE_OF["max_not_stopped"].why


def test_sarif_of_a_fine_file_has_an_empty_list_of_results(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcome = called(capsys, "check", "--quiet", "--format", "sarif", ADVISED)
    assert outcome.code == 0
    assert checked_sarif(outcome.out)["results"] == []


def test_sarif_keeps_relative_paths_relative(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a b").mkdir()
    failing(tmp_path / "a b" / "ü.graph")
    monkeypatch.chdir(tmp_path)
    run = checked_sarif(called(capsys, "check", "--format", "sarif", Path("a b") / "ü.graph").out)
    uris = {item["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for item in run["results"]}
    assert uris == {"a%20b/%C3%BC.graph"}


def test_the_format_json_is_the_option_json(capsys: pytest.CaptureFixture[str], files: list[str]) -> None:
    one, other = (called(capsys, "check", *words, *files) for words in (["--json"], ["--format", "json"]))
    assert one == other
    assert [json.loads(line)["ok"] for line in one.out.splitlines()] == [False, False, True]
    assert called(capsys, "check", "--json", "--format", "junit", *files).code == 2
