"""What the README and the documents show is what the program does."""

from __future__ import annotations

import contextlib
import inspect
import io
import os
import re
from pathlib import Path

import numpy as np
import pytest

from app import command_line
from engine.block_type import NUMBER, BlockType, block
from engine.expression import constant
from engine.files import dumps, loads
from engine.gradients import ones, walk_back
from engine.library import library
from engine.plan import make_plan, run
from engine.spelling import Spelling
from engine.tensor_spec import Array

ROOT = Path(__file__).parent.parent


def blocks_of(name: str, language: str) -> list[str]:
    """The fenced blocks of one language in a document."""
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / name).read_text(), re.DOTALL)


def test_the_table_in_the_readme_is_the_one_printed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    command_line.main(["run", "assets/examples/softmax_stable.graph"])
    # What is left of a cancelled sum differs between processors: only that it is a rounding error is promised.
    shown, printed = (
        re.sub(r"-?\d[.\d]*e-1[5-9] *", "~0 ", text)
        for text in ((ROOT / "README.md").read_text(), capsys.readouterr().out)
    )
    assert f"```\n{printed}```" in shown


def test_the_python_in_the_readme_runs_as_it_says(tmp_path: Path) -> None:
    (code,) = blocks_of("README.md", "python")
    before, output = os.getcwd(), io.StringIO()
    os.chdir(tmp_path)
    try:
        with contextlib.redirect_stdout(output):
            exec(compile(code, "README.md", "exec"), {})
    finally:
        os.chdir(before)
    lines = output.getvalue().splitlines()
    assert lines[0].startswith("2.4049")
    assert lines[0].endswith("blocked")
    assert lines[-2:] == ["[4.5, 1.125, 0.28125]", "[0.525 1.05 ]"]
    assert (tmp_path / "softmax.graph").exists()


def test_the_commands_in_the_readme_are_those_of_the_program(capsys: pytest.CaptureFixture[str]) -> None:
    named = set(re.findall(r"`gradwire (\w+)", (ROOT / "README.md").read_text()))
    with pytest.raises(SystemExit):
        command_line.main(["--help"])
    listed = set(re.findall(r"^ {4}(\w+) ", capsys.readouterr().out, re.MULTILINE))
    assert named == listed


def test_the_library_is_as_large_as_the_readme_says_and_has_all_recorded_operations() -> None:
    (number,) = re.findall(r"more than (\d+) types of blocks", (ROOT / "README.md").read_text())
    assert len(library) > int(number)
    assert {path.stem for path in (ROOT / "tests" / "golden" / "cases").glob("*.json")} <= {
        item.name for item in library
    }


def test_the_block_in_the_architecture_document_works() -> None:
    (code,) = blocks_of("docs/architecture.md", "python")
    names = {"block": block, "NUMBER": NUMBER, "Spelling": Spelling, "Array": Array}
    exec(compile(code, "architecture.md", "exec"), names)
    grow = names["Grow"]
    assert isinstance(grow, BlockType)
    assert grow(np.array(2.0), np.array(3.0)) == 8
    x, y = constant(np.array(2.0)), constant(np.array(3.0))
    z = grow(x, y)
    totals = walk_back({z: ones(z.spec)}).totals
    results = run(make_plan([totals[x], totals[y]]))
    assert [results[totals[x]], results[totals[y]]] == [4, 2]


def test_the_gradient_parts_without_a_rule_are_those_in_the_architecture_document() -> None:
    ends = {item.name for item in library if item.category == "Gradient parts" and item.rule is None}
    text = (ROOT / "docs" / "architecture.md").read_text()
    assert set(re.findall(r"exceptions are (\w+),.* and (\w+),", text)[0]) == ends


def test_the_keywords_in_the_architecture_document_are_those_of_a_declaration() -> None:
    section = (ROOT / "docs" / "architecture.md").read_text().split("## Blocks\n")[1].split("## Invariants")[0]
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", section, re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"\w+", row)}
    declared = set(inspect.signature(BlockType).parameters) - {"function", "category"}
    assert named == declared


def test_the_file_in_the_format_document_is_canonical() -> None:
    text = blocks_of("docs/file-format.md", "json")[0]
    assert dumps(loads(text).graph) == text


def test_every_module_of_the_engine_is_in_the_architecture_document() -> None:
    named = set(re.findall(r"`(\w+)`", (ROOT / "docs" / "architecture.md").read_text()))
    modules = {path.stem for path in (ROOT / "engine").glob("*.py")} - {"__init__"}
    assert modules <= named
