"""Promises of SECURITY.md have tests, and readers find the document."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_every_promise_names_a_test_that_exists() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    promises = text.split("## What is promised")[1].split("\n## ")[0]
    rows = [line for line in promises.split("\n") if line.startswith("| ") and "tests/" in line]
    assert len(rows) == len([line for line in promises.split("\n") if line.startswith("| ")]) - 1
    for name in re.findall(r"`(tests/[^`]+)`", promises):
        assert (ROOT / name).is_file(), name


def test_the_readme_leads_to_it() -> None:
    assert "(SECURITY.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
