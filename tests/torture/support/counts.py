"""Numbers of rounds: few faults in every run of the tests, and many in `make torture`."""

from __future__ import annotations

import os

IS_FULL = os.environ.get("GRADWIRE_TORTURE") == "full"


def count(small: int, full: int) -> int:
    """Returns the number of rounds: `small` in a run of all tests, `full` in `make torture`."""
    return full if IS_FULL else small
