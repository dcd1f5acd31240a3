"""The findings that `--fail-on` turns into a failure."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from gradwire.app.cli.parser import did_you_mean

if TYPE_CHECKING:
    from gradwire.engine.base.tensor_spec import Array
    from gradwire.engine.evaluation.snapshot import Snapshot

NUMBERS = ("nan", "inf", "nonfinite")
STATUSES = ("blocked", "non_differentiable", "no_path", "zero", "unknown")
SEVERITIES = ("error", "warning", "info")
# Problem codes under the word that a user would choose.
CODES = {"disconnected": "missing_input", "unused_stop": "stop_unused", "no_loss": "no_loss", "tie": "tie"}
CONDITIONS = (*NUMBERS, *STATUSES, *SEVERITIES, *CODES)


def conditions(text: str) -> list[str]:
    """Returns the conditions that a list with commas names, for argparse.

    Raises: ArgumentTypeError that lists the possible ones.
    """
    names = [item.strip().replace("-", "_") for item in text.split(",") if item.strip()]
    for name in names:
        if name not in CONDITIONS:
            hint = did_you_mean(name, CONDITIONS) or "."
            raise argparse.ArgumentTypeError(f'"{name}" is no condition{hint} Possible are: {", ".join(CONDITIONS)}')
    return list(dict.fromkeys(names))


def failures(names: Sequence[str], snapshot: Snapshot) -> dict[str, list[str]]:
    """Maps each condition that holds to the places where it holds."""
    found = {name: list(_places(name, snapshot)) for name in names}
    return {name: places for name, places in found.items() if places}


def failure_sentence(name: str, places: Sequence[str]) -> str:
    """Returns a sentence about a condition that holds."""
    more = f" and {len(places) - 1} more" if len(places) > 1 else ""
    return f"--fail-on {name}: {places[0] or 'the file as a whole'}{more}."


def _places(name: str, snapshot: Snapshot) -> Iterator[str]:
    if name in NUMBERS:
        yield from _places_of_numbers(name, snapshot)
    elif name in STATUSES:
        yield from (
            f"{link.source} -> {link.target}" for link, wire in snapshot.wires.items() if str(wire.status) == name
        )
    else:
        for problem in snapshot.problems:
            if name in (problem.severity, problem.code) or CODES.get(name) == problem.code:
                yield problem.at


def _places_of_numbers(name: str, snapshot: Snapshot) -> Iterator[str]:
    for port, result in snapshot.ports.items():
        # Infinities that are meant, such as those of a mask, are no failure.
        is_meant = result.origin is not None and result.origin.is_meant
        if _has(name, result.gradient) or (not is_meant and _has(name, result.value)):
            yield str(port)
    for link, wire in snapshot.wires.items():
        if _has(name, wire.gradient):
            yield f"{link.source} -> {link.target}"


def _has(name: str, array: Array | None) -> bool:
    """Returns whether an array has an element of that kind."""
    import numpy as np  # A parser of arguments does without.

    if array is None or array.dtype.kind != "f":
        return False
    test = {"nan": np.isnan, "inf": np.isinf}.get(name, lambda numbers: ~np.isfinite(numbers))
    return bool(test(array).any())
