"""The choice of tests for a change: its own tests first, then importers, then the room, within a budget."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from scripts.choose_tests import READERS, changed_files, chosen, imported, module_of

ROOT = Path(__file__).parents[2]
GRAPH, LOWER = "gradwire.engine.graph.graph", "gradwire.engine.autodiff.lower"
TESTS = {
    "tests/engine/graph/test_graph.py": frozenset({GRAPH}),
    "tests/engine/graph/test_graph_names.py": frozenset[str](),
    "tests/engine/graph/test_lookup.py": frozenset[str](),
    "tests/engine/autodiff/test_lower.py": frozenset({GRAPH, LOWER}),
    "tests/app/canvas/test_canvas.py": frozenset({"tests.app.drawing"}),
    "tests/app/window/canvas/test_drag.py": frozenset[str](),
    "tests/app/drawing.py": frozenset({GRAPH}),
    "tests/app/base/test_translation.py": frozenset[str](),
}


def test_the_nearest_tests_come_first() -> None:
    assert chosen({"engine/graph/graph.py"}, TESTS, {}) == [
        "tests/engine/graph/test_graph.py",
        "tests/engine/graph/test_graph_names.py",
        "tests/engine/autodiff/test_lower.py",
        "tests/engine/graph/test_lookup.py",
    ]


def test_tests_of_the_window_belong_to_their_room_too() -> None:
    near = chosen({"app/canvas/canvas.py"}, TESTS, {})
    assert near == ["tests/app/canvas/test_canvas.py", "tests/app/window/canvas/test_drag.py"]


def test_a_helper_of_tests_asks_for_its_importers_and_its_folder() -> None:
    assert chosen({"tests/app/drawing.py"}, TESTS, {}) == ["tests/app/canvas/test_canvas.py"]


def test_a_file_without_python_asks_for_its_readers() -> None:
    assert chosen({"assets/languages/de.json"}, TESTS, {})[0] == "tests/app/base/test_translation.py"


def test_nothing_changed_asks_for_nothing() -> None:
    assert chosen(set(), TESTS, {}) == []


def test_what_is_too_dear_is_left_out_and_cheaper_tests_stay() -> None:
    costs = {"tests/engine/graph/test_graph_names.py": 50.0}
    assert chosen({"engine/graph/graph.py"}, TESTS, costs, budget=3.0) == [
        "tests/engine/graph/test_graph.py",
        "tests/engine/autodiff/test_lower.py",
        "tests/engine/graph/test_lookup.py",
    ]


def test_a_changed_test_runs_whatever_it_costs() -> None:
    path = "tests/engine/autodiff/test_lower.py"
    assert chosen({path}, TESTS, {path: 500.0}) == [path]


def test_of_several_changes_each_gets_its_nearest_tests() -> None:
    found = chosen({"engine/graph/graph.py", "engine/autodiff/lower.py"}, TESTS, {}, budget=3.0)
    assert "tests/engine/autodiff/test_lower.py" in found
    assert "tests/engine/graph/test_graph.py" in found


def test_imports_are_found_in_every_form() -> None:
    text = "import json\nfrom tests.app import drawing\nfrom tests.data import (\n    one,\n    two,\n)\n"
    wanted = {"json", "tests.app", "tests.app.drawing", "tests.data", "tests.data.one", "tests.data.two"}
    assert imported(text) == wanted


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("engine/graph/graph.py", "gradwire.engine.graph.graph"),
        ("app/canvas/__init__.py", "gradwire.app.canvas"),
        ("gradwire/face.py", "gradwire.face"),
        ("tests/recorded.py", "tests.recorded"),
    ],
)
def test_files_have_the_names_by_which_others_import_them(path: str, name: str) -> None:
    assert module_of(path) == name


def test_the_tests_of_files_without_python_exist() -> None:
    assert all((ROOT / test).exists() for tests in READERS.values() for test in tests)


def test_changes_are_those_since_the_branch_began(tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        names = ["-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *names, *arguments], cwd=tmp_path, check=True, capture_output=True)

    git("init", "--quiet", "--initial-branch", "main")
    for name in ("old", "edited", "removed"):
        (tmp_path / name).write_text("1")
    git("add", ".")
    git("commit", "--quiet", "--message", "Begin")
    git("checkout", "--quiet", "-b", "branch")
    (tmp_path / "committed").write_text("1")
    git("add", ".")
    git("commit", "--quiet", "--message", "Go on")
    (tmp_path / "edited").write_text("2")
    (tmp_path / "new").write_text("1")
    (tmp_path / "removed").unlink()
    assert changed_files(tmp_path) == {"committed", "edited", "new"}
