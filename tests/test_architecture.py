"""Architecture: imports point one way, and the headless parts load no Qt."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import grimp
import pytest

from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.library import library
from hatch_build import link_parts

ROOT = Path(__file__).parent.parent


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


@pytest.mark.long
def test_the_import_contract_holds() -> None:
    # The linter follows files; a checkout may lack the link to a part that is new.
    link_parts(ROOT)
    done = run(str(Path(sys.executable).with_name("lint-imports")), "--no-cache")
    assert done.returncode == 0, done.stdout
    assert "7 kept, 0 broken" in done.stdout


@cache
def imports() -> grimp.ImportGraph:
    """Returns all imports of the package."""
    link_parts(ROOT)
    return grimp.build_graph("gradwire", cache_dir=None)


def users_of(graph: grimp.ImportGraph, module: str) -> set[str]:
    """Returns the features, and the other rooms of the app, that import a module."""
    found = [name.split(".") for name in graph.find_modules_that_directly_import(module)]
    return {".".join(parts[1 : 4 if parts[2:3] == ["features"] else 3]) for parts in found}


def misplaced(graph: grimp.ImportGraph) -> set[str]:
    """Returns what lies below all features, and one of them alone uses."""
    below = [name for name in graph.modules if name.startswith(("gradwire.app.live.", "gradwire.app.kit."))]
    users = {name: users_of(graph, name) for name in below}
    return {name for name, found in users.items() if len(found) == 1 and "features" in next(iter(found))}


def test_live_and_kit_have_nothing_that_one_feature_alone_uses() -> None:
    assert len(imports().modules) > 1000
    assert misplaced(imports()) == set()


def test_what_one_feature_alone_uses_is_noticed() -> None:
    graph, live, feature = grimp.ImportGraph(), "gradwire.app.live.desk", "gradwire.app.features.training.lens"
    graph.add_import(importer=feature, imported=live)
    graph.add_import(importer="gradwire.app.features.training.charts", imported=live)
    assert misplaced(graph) == {live}
    graph.add_import(importer="gradwire.app.live.session", imported=live)
    assert misplaced(graph) == set()


# What is left of circles of modules, imports for types alone included: pieces of three classes that were cut for their
# size. Nothing may be added here.
CIRCLES = {
    "gradwire.engine.export.program_lines": 2,
    "gradwire.interop.code.calls": 10,
    "gradwire.interop.onnx.reading": 2,
}


def circles(graph: grimp.ImportGraph) -> list[set[str]]:
    """Returns the sets of modules that import each other, by whatever way (Tarjan's strongly connected components)."""
    found, path, lowest = list[set[str]](), list[str](), dict[str, int]()

    def visit(module: str) -> int:
        lowest[module] = place = len(path)
        path.append(module)
        for other in graph.find_modules_directly_imported_by(module):
            lowest[module] = min(lowest[module], lowest[other] if other in lowest else visit(other))
        if lowest[module] == place:
            found.append(set(path[place:]))
            lowest.update(dict.fromkeys(path[place:], len(graph.modules)))
            del path[place:]
        return lowest[module]

    for module in graph.modules:
        if module not in lowest:
            visit(module)
    return [circle for circle in found if len(circle) > 1]


def test_no_modules_import_each_other_in_a_circle() -> None:
    whole = imports()
    sizes = {name: len(circle) for circle in circles(whole) for name in circle & CIRCLES.keys()}
    assert len(circles(whole)) == len(CIRCLES) and sizes == CIRCLES, circles(whole)
    at_run_time = grimp.build_graph("gradwire", cache_dir=None, exclude_type_checking_imports=True)
    assert circles(at_run_time) == []


def test_a_circle_is_noticed() -> None:
    graph = grimp.ImportGraph()
    for one, other in ("ab", "bc", "ca", "cd", "de", "ed", "ef"):
        graph.add_import(importer=one, imported=other)
    assert sorted(map(sorted, circles(graph))) == [["a", "b", "c"], ["d", "e"]]


@pytest.mark.parametrize("unwanted", ["PySide6", "shiboken6", "scipy"])
def test_engine_and_blocks_load_only_what_they_need(unwanted: str) -> None:
    done = run(sys.executable, "-c", f"import sys, gradwire; sys.exit({unwanted!r} in sys.modules)")
    assert done.returncode == 0, done.stderr


def imported(text: str) -> set[str]:
    """Returns the modules that a text imports, wherever in it."""
    nodes = list(ast.walk(ast.parse(text)))
    plain = {item.name for node in nodes if isinstance(node, ast.Import) for item in node.names}
    return plain | {
        f"{node.module}.{item.name}" for node in nodes if isinstance(node, ast.ImportFrom) for item in node.names
    }


# What may be an import: it begins a line, and may go on in parentheses.
IMPORT = re.compile(r"^\s*(?:from|import)\s[^\n(]*(?:\([^)]*\))?", re.MULTILINE)


def imports_of(files: list[Path], *unwanted: str) -> list[str]:
    """Returns which files import modules below those that are `unwanted`, each with a dot at its end."""
    assert files, "the files are not where this module looks"
    words = re.compile(rf"\b(?:{'|'.join(name.rstrip('.').rpartition('.')[2] for name in unwanted)})\b")
    texts = {file: file.read_text() for file in files}
    # To parse all files takes long, and most mention no such name.
    return [
        f"{file.relative_to(ROOT)} imports {name}"
        for file, text in texts.items()
        if any(words.search(statement) for statement in IMPORT.findall(text))
        for name in sorted(imported(text))
        if f"{name}.".startswith(unwanted)
    ]


@pytest.mark.parametrize(
    "planted",
    ["import tests.recorded", "    from tests import recorded", "from tests.app import (\n    a,\n    b,\n)",
     "from x import y\nimport z, tests"],
)  # fmt: skip
def test_a_planted_import_is_noticed(planted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    file = tmp_path / "planted.py"
    file.write_text(f"def work():\n{planted}\n" if planted.startswith(" ") else planted)
    assert imports_of([file], "tests.")
    assert not imports_of([file], "scripts.")


SHARED_TESTS = ("gallery", "random_graphs", "recorded", "sweeps", "test_laws")


@pytest.mark.parametrize("folder", ["engine", "blocks", "interop"])
def test_the_tests_of_the_headless_parts_import_nothing_of_the_app(folder: str) -> None:
    shared = [ROOT / "tests" / f"{name}.py" for name in SHARED_TESTS]
    tests = [*(ROOT / "tests" / folder).rglob("*.py")]
    assert len(tests) > (20 if folder != "interop" else 1)
    assert imports_of([*tests, *shared], "gradwire.app.", "tests.app.", "PySide6.", "pytestqt.") == []


def test_only_their_own_test_imports_the_benchmarks() -> None:
    tests = [file for file in (ROOT / "tests").rglob("*.py") if file.name != "test_benchmarks.py"]
    assert len(tests) > 300
    assert imports_of(tests, "benchmarks.") == []


def test_the_product_imports_no_tool_script_or_test() -> None:
    files = [
        file for part in ("app", "interop", "blocks", "engine", "gradwire") for file in (ROOT / part).rglob("*.py")
    ]
    assert imports_of(files, "tools.", "scripts.", "tests.", "benchmarks.") == []


def test_nothing_committed_reads_from_outside_the_project() -> None:
    folders = ("engine", "blocks", "interop", "gradwire", "app", "tests", "benchmarks", "scripts", "tools", "examples")
    found = {folder: list((ROOT / folder).rglob("*.py")) for folder in folders}
    assert all(found.values())
    files = [path for paths in found.values() for path in paths]
    assert len(files) > 800
    outside = "../" + "shared"
    assert not [path for path in files if outside in path.read_text()]


def block_types_named_in(source: str) -> list[str]:
    """Returns the block types that code names: as a whole text, as an attribute, or by a compound name inside a text.

    Docstrings, categories and formulas of declarations count for nothing. Messages may name a type that carries out a
    role of the engine, such as StopGradient, for the user reads it there.
    """
    importlib.import_module("gradwire.blocks")
    names = {item.name for item in library if not item.from_plugin}
    in_messages = {item.name for item in library if item.role is not Role.ORDINARY}
    tree = ast.parse(source)
    prose = prose_in(tree)
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in names and ast.unparse(node.value) != "ast":
            found.append(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in prose:
            compound = set(re.findall(r"\b(?:[A-Z][a-z0-9]+){2,}\b", node.value)) & names - in_messages
            found += sorted(compound | ({node.value} & names))
    return found


def prose_in(tree: ast.Module) -> set[ast.expr]:
    """Returns the docstrings, and the categories and formulas of the types that a file declares."""
    found: set[ast.expr] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            found |= {node.body[0].value} if node.body and isinstance(node.body[0], ast.Expr) else set()
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "block":
            found |= {*node.args, *(item.value for item in node.keywords if (item.arg or "").endswith("formula"))}
    return found


def test_the_engine_knows_no_particular_block() -> None:
    """The few that it builds with are functions of `engine/primitives`; advice alone is about particular blocks."""
    files = [path for path in (ROOT / "engine").rglob("*.py") if "advice" not in path.parts]
    assert len(files) > 100
    assert {path.name: named for path in files if (named := block_types_named_in(path.read_text()))} == {}


@pytest.mark.parametrize(
    "planted",
    [
        'def f(item): return item.type.name == "Softmax"',
        'from gradwire.engine.blocktypes.library import library\nx = library["Loss"]',
        "import gradwire\ny = gradwire.Exp",
        'KINDS = {"Variable", "Input"}',
        'print(f"use {1} ReduceMean instead")',
        '@block("Shape")\ndef F(x): return x if name == "Where" else None',
    ],
)
def test_a_planted_name_of_a_block_is_found(planted: str) -> None:
    assert block_types_named_in(planted)


def test_prose_may_mention_blocks() -> None:
    assert not block_types_named_in('"""Softmax, ReduceMean."""\n@block("Shape", formula="SumTo")\ndef F(x): ...')


def test_qt_keeps_its_references_to_none() -> None:
    """PySide6 6.12.0 on Python older than 3.12 loses a reference with nearly every call, and ends the process."""
    script = (
        "import sys\nfrom PySide6.QtCore import QObject\nthing = QObject()\nbefore = sys.getrefcount(None)\n"
        "for _ in range(1000):\n    thing.setObjectName('a')\n    thing.setParent(None)\n"
        "lost = before - sys.getrefcount(None)\nsys.exit(abs(lost) > 100)"
    )
    done = run(sys.executable, "-c", script)
    if "cannot open shared object file" in done.stderr:
        pytest.skip("a system library that Qt needs is missing; the headless program does without")
    assert done.returncode == 0, done.stderr
