"""Examples in the README and the documents match the program's behaviour."""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import inspect
import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import gradwire as gw
from gradwire.app.cli import command_line
from gradwire.blocks.names import (
    arithmetic,
    creation,
    elementwise,
    joining,
    linear,
    losses,
    picking,
    reductions,
    shapes,
)
from gradwire.blocks.names.entry import MEANINGS
from gradwire.blocks.names.table import names
from gradwire.engine.advice.linter import RULES
from gradwire.engine.autodiff.backward import backward_pass, ones
from gradwire.engine.base.tensor_spec import DTYPES
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.blocktypes.expression import constant
from gradwire.engine.blocktypes.library import Plugin, library
from gradwire.engine.blocktypes.operation import Operation
from gradwire.engine.blocktypes.plan import make_plan, run
from gradwire.engine.files.files import dumps, loads
from gradwire.engine.training.plan_reading import plan_of
from tests.test_documents import CONTRIBUTING, PAGES, name_of

ROOT = Path(__file__).parent.parent
LAWS = "tests/blocks/contract/test_every_block.py"


@pytest.fixture(autouse=True)
def _own_types_go() -> Iterator[None]:
    """The library is that of the whole process: the types that an example declares go with it."""
    before = set(library.plugins)
    yield
    for name in set(library.plugins) - before:
        library.put_plugin(Plugin(name))
        del library.plugins[name]


def blocks_of(name: str, language: str) -> list[str]:
    """Returns the fenced blocks of one language in a document."""
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / name).read_text(), re.DOTALL)


def test_the_readme_is_one_screen() -> None:
    text = (ROOT / "README.md").read_text()
    assert len(text.splitlines()) <= 60
    assert len(text.split()) <= 500


DOCUMENTS = sorted(str(path.relative_to(ROOT)) for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
# Commands, and behind them what they print, if the document shows that.
SHELL = r"```sh\n(.*?)```(?:\n\n```text\n(.*?)```)?"
# What these do has tests of its own: the make targets are this test run and the set-up, the rest is for Windows.
OTHERWISE_TESTED = {"make run", "make test", *(line for line in blocks_of("docs/install.md", "bat")[0].splitlines())}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_link_leads_somewhere(name: str) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)", (ROOT / name).read_text())
    for target in targets:
        assert "://" in target or (ROOT / name).parent.joinpath(target).exists(), target


@pytest.mark.parametrize("name", [*DOCUMENTS, *map(name_of, PAGES)])
def test_every_block_of_code_is_of_a_kind_that_is_run(name: str) -> None:
    kinds = set(re.findall(r"^```(.*)$", (ROOT / name).read_text("utf-8"), re.MULTILINE)[::2])
    # JSON is read below, and as the whole of a file by the test of the format. `bash` marks what changes the settings
    # of git or of the shell: the tests of diff and of completion run it in a home of their own.
    assert kinds <= {"python", "sh", "bat", "json", "text", "bash"}
    if "python" in kinds:
        assert name in {
            "README.md",
            "CONTRIBUTING.md",
            "docs/python.md",
            "docs/training.md",
            "docs/rooms/blocks.md",
            "docs/rooms/names.md",
            *map(name_of, CONTRIBUTING),
        }
    if "sh" in kinds:
        assert name in DOCUMENTS


@pytest.mark.parametrize("name", [name for name in DOCUMENTS if blocks_of(name, "sh")])
def test_commands_of_the_shell_work(name: str, tmp_path: Path) -> None:
    examples = ROOT / "assets" / "examples"
    shutil.copytree(examples, tmp_path / "assets" / "examples")
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    for lines, shown in re.findall(SHELL, (ROOT / name).read_text("utf-8"), re.DOTALL):
        printed = ""
        for line in lines.splitlines():
            command = line.split("#")[0].strip()
            if command and command not in OTHERWISE_TESTED:
                done = subprocess.run(
                    command,
                    shell=True,
                    cwd=tmp_path,
                    env=environment,
                    capture_output=True,
                    encoding="utf-8",
                    check=False,
                )
                assert done.returncode == 0, done.stderr
                printed += done.stdout
        if shown:
            assert without_remainders(printed) == without_remainders(shown)


def without_remainders(text: str) -> str:
    """A text without the remainders of cancelled sums: they are rounding errors, and differ between processors."""
    return re.sub(r"-?\d[.\d]*e-1[5-9] *", "~0 ", text)


def test_documents_print_no_templates() -> None:
    # The rooms show developers how a declaration is written.
    for path in [*(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "blocks").glob("*.md")]:
        assert not re.search(r"\{\w+![rs]\}", path.read_text("utf-8")), path


def test_lines_of_code_in_the_reference_are_python_without_placeholders() -> None:
    pages = list((ROOT / "docs" / "blocks").glob("*.md"))
    lines = [line for page in pages for block in fenced(page, "python") for line in block.splitlines()]
    assert len(lines) > 1000
    for line in lines:
        # A name in braces would be a set.
        assert not any(isinstance(node, ast.Set) for node in ast.walk(ast.parse(line))), line


def fenced(path: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", path.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def printed_by(document: str, folder: Path) -> list[str]:
    """Runs the Python of a document in a folder, and returns the lines that it prints."""
    code = "".join(blocks_of(document, "python"))
    before, output = os.getcwd(), io.StringIO()
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(output):
            exec(compile(code, document, "exec"), {})
    finally:
        os.chdir(before)
    return output.getvalue().splitlines()


def test_the_python_in_the_readme_prints_what_stands_beside_it(tmp_path: Path) -> None:
    (code,) = blocks_of("README.md", "python")
    assert len([line for line in code.splitlines() if line]) <= 8
    assert printed_by("README.md", tmp_path) == re.findall(r"  # (.+)", code)


def test_the_python_in_the_documents_runs_as_it_says(tmp_path: Path) -> None:
    lines = printed_by("docs/python.md", tmp_path)
    assert lines[0].startswith("2.4049")
    assert lines[0].endswith("blocked")
    told = [
        "[4.5, 1.125, 0.28125]",
        "[0.525 1.05 ]",
        "main/m.y: Every path to the loss is blocked by main/stop.",
        "[0.5]",
    ]
    assert [line for line in lines if line in told] == told
    assert lines[-1] == "(2, 8)"
    assert (tmp_path / "softmax.graph").exists()


def test_every_name_of_python_is_shown_by_an_example_that_runs() -> None:
    code = "".join(blocks_of("docs/python.md", "python"))
    shown = set(re.findall(r"\bgw\.(\w+)", code))
    modules = {arithmetic, creation, elementwise, joining, linear, losses, picking, reductions, shapes}
    entries = [item for item in MEANINGS if sys.modules[item.function.__module__] in modules]
    declared = {item.name for item in entries if item.name.isidentifier() and not item.name.startswith("_")}
    assert len(declared) > 100
    assert declared - shown == {"bool"}, "x.bool() is a method alone"
    assert set(gw.__all__) <= set(re.findall(r"\bgw\.(\w+)", (ROOT / "docs/python.md").read_text("utf-8")))


def test_every_name_of_python_has_a_docstring() -> None:
    for name in dir(gw):
        assert name in DTYPES or inspect.getdoc(getattr(gw, name)), name
    for name, meaning in names().methods():
        assert meaning.summary.endswith("."), name


def test_the_python_about_training_prints_what_it_says(tmp_path: Path) -> None:
    code = "".join(blocks_of("docs/training.md", "python"))
    assert printed_by("docs/training.md", tmp_path) == re.findall(r"  # (.+)", code)


def test_the_plan_in_the_page_of_training_is_read_as_it_says() -> None:
    (text,) = blocks_of("docs/training.md", "json")
    w, c, a = (gw.Variable(1.0, name=name) for name in "wca")
    target, mixed = gw.Variable(1.0, name="target"), gw.Multiply(a, 2.0, name="mixed")
    losses = gw.Loss(w * c, name="L_D"), gw.Loss(mixed * target, name="L_G")
    accuracy = gw.Accuracy(gw.Input(np.array([1])), gw.Input([[0.0, 1.0]]), name="accuracy")
    plan = plan_of(dataclasses.replace(gw.graph(*losses, accuracy), training=json.loads(text)))
    assert [(step.name, step.times, step.every) for step in plan.steps] == [("D", 2, 1), ("G", 1, 1), ("slow", 1, 10)]


def test_the_commands_in_the_documents_are_those_of_the_program(capsys: pytest.CaptureFixture[str]) -> None:
    named = set(re.findall(r"`gradwire (\w+)", (ROOT / "docs" / "command-line.md").read_text()))
    with pytest.raises(SystemExit):
        command_line.main(["--help"])
    listed = set(re.findall(r"^ {4}(\w+) ", capsys.readouterr().out, re.MULTILINE))
    assert named == listed


def test_the_library_is_as_large_as_the_documents_say_and_has_all_recorded_operations() -> None:
    (number,) = re.findall(r"There are (\d+) types of blocks", (ROOT / "docs" / "python.md").read_text())
    parts = {item.name for item in library if item.category == "Gradient parts"}
    assert len(parts) >= 30
    # Nobody but gradient rules meets a part.
    assert int(number) == len(library) - len(parts)
    assert parts.isdisjoint(item.name for item in library.for_users())
    recorded = {path.stem for path in (ROOT / "tests" / "golden" / "cases").glob("*.json")}
    assert len(recorded) > 200
    assert recorded <= {item.name for item in library}


def defined_by(code: str) -> dict[str, object]:
    """The names that a piece of a document defines; the functions of block types are looked up in its module."""
    module = ModuleType("documented")
    sys.modules["documented"] = module
    exec(compile(code, "documented", "exec"), vars(module))
    return vars(module)


def test_the_block_in_the_contributing_document_works_and_is_the_one_of_the_library() -> None:
    (code,) = blocks_of("CONTRIBUTING.md", "python")
    square = defined_by(code)["Square"]
    assert isinstance(square, BlockType)
    own = library["Square"]
    assert (square.formula, square.gradient_formula, square.help) == (own.formula, own.gradient_formula, own.help)
    x = np.array([2.0, -3.0])
    assert square(x).tolist() == own(x).tolist() == [4, 9]
    assert square.rule is not None
    assert square.rule(1.0, x, x * x).tolist() == [4, -6]


@pytest.mark.long
def test_the_blocks_in_the_documents_are_typed(tmp_path: Path) -> None:
    for number, name in enumerate(("CONTRIBUTING.md", "docs/rooms/blocks.md")):
        # Arithmetic on arrays of unknown dtype is Any, as in the settings for blocks.
        code = ["# mypy: no-warn-return-any", *blocks_of(name, "python")]
        (tmp_path / f"block_{number}.py").write_text("\n".join(code))
    # With the settings of the checkout, whose cache has NumPy and Gradwire.
    command = [sys.executable, "-m", "mypy", "--no-error-summary"]
    done = subprocess.run([*command, *tmp_path.glob("*.py")], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and not done.stdout, done.stdout + done.stderr


@cache
def collected(chosen: str) -> str:
    """Returns the list of the laws of blocks that an expression selects."""
    options = ["-o", "addopts=--import-mode=importlib", "--collect-only", "-q"]
    command = [sys.executable, "-m", "pytest", *options, LAWS, "-k", chosen]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


@pytest.mark.long
@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "docs/rooms/blocks.md"])
def test_the_command_for_a_new_block_selects_every_law_for_it(name: str) -> None:
    ((selection, own),) = re.findall(r'`pytest tests/blocks -k "((\w+) or types)"`', (ROOT / name).read_text())
    listed = collected(selection.replace(own, "Square"))
    tree = ast.parse((ROOT / LAWS).read_text())
    functions = [item for item in tree.body if isinstance(item, ast.FunctionDef) and item.name.startswith("test_")]
    laws = [item.name for item in functions if item.args.args and item.args.args[0].arg == "block_type"]
    assert len(laws) > 10
    assert [law for law in laws if not re.search(rf"::{law}\[((\w+-)?Square|types)\]", listed)] == []


def test_the_block_in_the_page_of_blocks_works() -> None:
    (code,) = blocks_of("docs/rooms/blocks.md", "python")
    names = defined_by(code)
    grow = names["Grow"]
    assert isinstance(grow, BlockType)
    assert grow(np.array(2.0), np.array(3.0)) == 8
    x, y = constant(np.array(2.0)), constant(np.array(3.0))
    z = grow(x, y)
    totals = backward_pass({z: ones(z.spec)}).totals
    results = run(make_plan([totals[x], totals[y]]))
    assert [results[totals[x]], results[totals[y]]] == [4, 2]


def test_the_gradient_parts_without_a_rule_are_those_in_the_page_of_blocks() -> None:
    ends = {item.name for item in library if item.category == "Gradient parts" and item.rule is None}
    text = (ROOT / "docs" / "rooms" / "blocks.md").read_text()
    assert set(re.findall(r"exceptions are (\w+) and (\w+),.* and (\w+),", text)[0]) == ends


def test_the_keywords_in_the_page_of_blocks_are_those_of_a_declaration() -> None:
    page = (ROOT / "docs" / "rooms" / "blocks.md").read_text()
    section = page.split("## Keywords of a declaration\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", section, re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"\w+", row)}
    parameters = {*inspect.signature(Operation).parameters, *inspect.signature(BlockType).parameters}
    declared = parameters - {"function", "category", "declared"}
    assert named == declared


def test_the_file_in_the_format_document_is_canonical() -> None:
    text = blocks_of("docs/file-format.md", "json")[0]
    assert dumps(loads(text).graph) == text


def test_the_tour_counts_the_rules_of_advice() -> None:
    assert f"advice: {len(RULES)} rules" in (ROOT / "docs" / "tour.md").read_text("utf-8")
