"""The stub of the public face: editors and type checkers know every block function by it."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path

import gradwire as gw
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.blocktypes.library import library
from scripts.make_name_stubs import METHODS
from scripts.make_stub import ROOT, STUB, methods, stub
from tests.blocks.contract.contract import in_one_test

TREE = ast.parse(STUB.read_text(encoding="utf-8"))
FORMS: dict[str, list[ast.FunctionDef]] = {}
for _node in TREE.body:
    if isinstance(_node, ast.FunctionDef):
        FORMS.setdefault(_node.name, []).append(_node)
ONLY_BLOCKS = [item for item in library.for_users() if item.name not in gw.__all__]
PROGRAM = """\
import numpy as np
import gradwire as gw

x = gw.Variable([1.0, 2.0])
m: gw.Expression = gw.ReduceMax(x, axis=[0], keepdims=True, name="m")
z: gw.Expression = gw.Add(np.ones(2), x)
mean, variance = gw.Moments(z, axes=0)
array: np.ndarray = gw.Softmax(np.array([1.0, 2.0]))
run = gw.evaluate(gw.Loss(gw.AddN(m, z, 2.0)))
gw.ReduceMax(x, axes=0)  # error: no such parameter
gw.ReduceMax(x, keepdims="yes")  # error: no truth value
gw.ReduceMaxx(x)  # error: no such block
gw.Loss(x, reduction="average")  # error: no such choice
text: str = gw.Exp(x)  # error: an expression is no text
gw.Exp(x=x)  # error: ports go by position
total: gw.Expression = x.sum(dim=0, keepdim=True).clamp(min=0) + gw.softmax(x, axis=-1)[0] // 2
numbers: np.ndarray = gw.exp(np.ones(3))
x.sofmax()  # error: no such method
gw.softmax(x, dimension=0)  # error: no such argument
"""


def test_the_committed_stub_is_the_one_made_now() -> None:
    assert STUB.read_text(encoding="utf-8") == stub(), "stale: run make reference"
    assert METHODS.read_text(encoding="utf-8") == methods(), "stale: run make reference"


def test_it_has_every_name_of_the_face() -> None:
    named = {node.name for node in TREE.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    named |= {ast.unparse(node.target) for node in TREE.body if isinstance(node, ast.AnnAssign)}
    imported = {item.asname for node in TREE.body if isinstance(node, ast.ImportFrom) for item in node.names}
    assert set(dir(gw)) <= named | imported


@in_one_test(ONLY_BLOCKS)
def test_a_block_function_has_the_ports_parameters_and_summary_of_its_type(block_type: BlockType) -> None:
    for form in FORMS[block_type.name]:
        keywords = {item.arg: value for item, value in zip(form.args.kwonlyargs, form.args.kw_defaults, strict=True)}
        declared = [
            item for item in inspect.signature(block_type).parameters.values() if item.kind is item.KEYWORD_ONLY
        ]
        assert {name: value is None for name, value in keywords.items()} == {
            item.name: item.default is item.empty for item in declared
        }
        ports = [item.arg for item in form.args.posonlyargs if not re.fullmatch(r"\w+_[01]", item.arg)]
        ports += [form.args.vararg.arg] if form.args.vararg else []
        assert ports == [port.name for port in block_type.inputs]
    assert ast.get_docstring(FORMS[block_type.name][0], clean=False) == block_type.summary


def test_mypy_accepts_a_right_program_and_finds_each_mistake(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    (sample := tmp_path / "sample.py").write_text(
        (ROOT / "README.md").read_text("utf-8").split("```python\n")[1].split("```")[0]
    )
    # With the settings of the checkout, whose cache has NumPy and Gradwire.
    command = [sys.executable, "-m", "mypy", "--no-error-summary", str(path), str(sample)]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    assert "sample.py" not in found
    wrong = [number for number, line in enumerate(PROGRAM.splitlines(), 1) if "# error" in line]
    assert sorted(set(map(int, re.findall(r"program\.py:(\d+): error", found)))) == wrong, found
