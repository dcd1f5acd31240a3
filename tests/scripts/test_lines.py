"""Lines of code: what counts, and what is said of a room above its budget."""

from __future__ import annotations

import pytest

from scripts.lines import budgets, code_lines, report, rooms

SOURCE = '''"""A module."""

from __future__ import annotations

import os  # the system
from pathlib import (
    Path,
)


class Room:
    """Four walls."""

    # Units: metres.
    height = 2.5

    def area(self, width: float) -> float:
        """Returns the area.

        Units: square metres.
        """
        import math

        text = """two
lines"""
        return math.prod([
            width,
            width,
        ])
'''


def test_imports_docstrings_comments_and_blank_lines_are_free() -> None:
    counted = ["class Room", "height", "def area", "text", "lines", "return", "width", "width", "])"]
    assert code_lines(SOURCE) == len(counted)


@pytest.mark.parametrize("text", ["", "# nothing\n", '"""Nothing."""\n', "import os\n"])
def test_nothing_is_no_line(text: str) -> None:
    assert code_lines(text) == 0


def test_a_room_above_its_budget_without_one_or_gone_is_named() -> None:
    table, faults = report({"app/live": 10, "app/new": 1, "engine": 5}, {"app/live": 9, "engine": 5, "app/gone": 7})
    assert [fault.split()[0] for fault in faults] == ["app/live", "app/new", "app/gone"]
    assert table.splitlines()[-1].split() == ["in", "all", "16", "21"]


def test_every_room_has_a_budget() -> None:
    assert set(rooms()) == set(budgets())
