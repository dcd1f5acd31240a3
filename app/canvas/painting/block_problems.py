"""The problems of one block, as far as the block shows them."""

from __future__ import annotations

from gradwire.app.canvas.geometry.page_arrays import PageArrays
from gradwire.engine.base.problems import Problem


def has_severity(arrays: PageArrays, block_id: str, severity: str) -> bool:
    """Returns whether a block has a problem of a severity."""
    return any(problem.severity == severity for problem in arrays.problems_of(block_id))


def has_warning(arrays: PageArrays, block_id: str) -> bool:
    """Returns whether a badge warns; the hint in the body tells of an open input already."""
    return any(problem.severity == "warning" for problem in _told(arrays, block_id))


def notice(arrays: PageArrays, block_id: str) -> Problem | None:
    """Returns the problem that a body tells instead of its value: an error, a birth of NaN, a warning."""
    found = _told(arrays, block_id)
    return next((item for severity in ("error", "warning") for item in found if item.severity == severity), None)


def told_in_body(arrays: PageArrays, block_id: str) -> Problem | None:
    """Returns the problem that a body tells in words; where NaN or infinity arises a tag says so, beside the values."""
    found = notice(arrays, block_id)
    return None if found is None or found.code == "nonfinite" else found


def _told(arrays: PageArrays, block_id: str) -> list[Problem]:
    return [problem for problem in arrays.problems_of(block_id) if problem.code != "missing_input"]
