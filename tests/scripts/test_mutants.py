"""Planted mistakes: each is one change of meaning at one place, drawn by its seed."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from scripts.mutants import _pytest, bracketed, drawn, folders_of_tests, mutants, rooms

ROOT = Path(__file__).parents[2]
SOURCE = """LIMIT = 4


def share(part, whole, names=()):
    if whole and part < 3:
        return part / whole
    return [name for name in names if name] or f"{part}" % whole
"""


def planted() -> dict[str, list[str]]:
    """The changed lines of all mistakes, by their kinds."""
    found: dict[str, list[str]] = {}
    for item in map(bracketed, mutants("share.py", SOURCE)):
        lines = item.planted(SOURCE).splitlines()
        changed = [line.strip() for line, before in zip(lines, SOURCE.splitlines(), strict=True) if line != before]
        found.setdefault(item.kind, []).extend(changed)
    return found


def test_each_kind_of_mistake_is_planted_where_it_fits() -> None:
    assert planted() == {
        "the wrong branch": ["if (not (whole and part < 3)):"],
        "a dropped condition": [
            "if (part < 3):",
            "if (whole):",
            "return (f'{part}' % whole)",
            "return ([name for name in names if name])",
            'return [name for name in names if (True)] or f"{part}" % whole',
        ],
        "off by one": ["if whole and (part <= 3):", "if whole and part < (4):"],
        "swapped operands": ["if whole and (3 < part):", "return (whole / part)"],
        "a constant nine times as large": ["if whole and part < (27):"],
    }


@pytest.mark.parametrize(
    "line",
    [
        'raise ValueError("two" if count == 2 else "many")',
        'return f"{count} value{3 if names else 4}"',
        "lru_cache(maxsize=8)(print)",
        "return 1e-9",
        "return max(2, WORK // (4 * count))",
        "return abs(count - names) + np.abs(names - count)",
        "names.setContentsMargins(4, count + 4, 4, 4)",
    ],
    ids=["an error", "wording", "a cache", "a tolerance", "effort", "a distance", "a margin"],
)
def test_what_no_test_can_tell_from_the_right_code_is_no_mistake(line: str) -> None:
    assert list(mutants("share.py", f"def share(count, names):\n    {line}\n")) == []


def test_a_large_bound_is_not_drawn_off_by_one() -> None:
    found = mutants("share.py", "def share(count):\n    return min(count, 4096)\n")
    assert [item.kind for item in found] == ["a constant nine times as large"]


def test_a_seed_draws_the_same_mistakes_on_different_lines() -> None:
    source = (ROOT / "engine" / "graph" / "graph.py").read_text(encoding="utf-8")
    found = list(mutants("engine/graph/graph.py", source))
    chosen = drawn(found, 10, "1")
    assert chosen == drawn(found, 10, "1") != drawn(found, 10, "2")
    assert len({item.start[0] for item in chosen}) == 10
    for item in chosen:
        assert ast.dump(ast.parse(bracketed(item).planted(source))) != ast.dump(ast.parse(source))


@pytest.mark.parametrize("room", ["app/canvas", "blocks", "engine/graph", "interop/code"])
def test_rooms_have_folders_of_tests(room: str) -> None:
    assert room in rooms(ROOT)
    assert f"tests/{room}" in folders_of_tests(room, ROOT)


@pytest.mark.long
def test_a_test_that_waits_in_vain_finds_its_mistake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "test_wait.py").write_text("import time\n\n\ndef test_wait():\n    time.sleep(500)\n")
    (tmp_path / "test_go.py").write_text("def test_go():\n    pass\n")
    monkeypatch.setattr("scripts.mutants.COPY", tmp_path)
    monkeypatch.setattr("scripts.mutants.LONGEST_TEST", 1)
    assert [_pytest([name], 60.0) for name in ("test_go.py", "test_wait.py")] == [True, False]
