"""What can be read of a living page from outside, beside what the engine says of the same graph."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.graph.graph import Graph
from tests.pages.browser import Browser

# The table, as a reader of the page finds it.
ROWS = """return [...document.querySelectorAll('details tr[data-wire]')].map(row => ({...row.dataset}))"""
SWITCHES = """return [...document.querySelectorAll('[role=switch]')].map(node => node.getAttribute('aria-label'))"""
NEAR = 1e-9


class WireSeen(NamedTuple):
    """A row of the table: status, and the numbers that are known."""

    status: str
    value: list[float] | None
    gradient: list[float] | None


def seen(browser: Browser) -> dict[str, WireSeen]:
    """Returns the rows of the table, which this opens, by their wires."""
    browser.run("document.querySelector('details').open = true")
    browser.frames()
    return {
        row["wire"]: WireSeen(row["status"], numbers(row, "value"), numbers(row, "gradient"))
        for row in browser.run(ROWS)
    }


def numbers(row: Mapping[str, str], name: str) -> list[float] | None:
    """Returns the numbers of an attribute; None where it is not there."""
    return [float(item) for item in json.loads(row[name])] if name in row else None


def expected(graph: Graph, opened: frozenset[str] = frozenset()) -> dict[str, tuple[str, Array | None, Array | None]]:
    """Returns status, value and gradient of each wire, as the command prints them."""
    run = run_graph(graph, opened)
    found = {}
    for link, result in run.snapshot.wires.items():
        value, gradient = run.snapshot.ports[link.source].value, result.gradient
        found[f"{link.source}>{link.target}"] = (str(result.status), array_of(value), array_of(gradient))
    return found


def array_of(item: Any) -> Array | None:  # Any: an array, or a function that returns it
    """Returns an array that may come later."""
    found: Array | None = item() if callable(item) else item
    return found


def faults(browser: Browser, graph: Graph, opened: frozenset[str] = frozenset()) -> list[str]:
    """Returns what the page says otherwise than the engine; `?` counts as nothing said."""
    rows, wanted = seen(browser), expected(graph, opened)
    wrong = [] if list(rows) == list(wanted) else [f"{len(rows)} rows for {len(wanted)} wires"]
    for key, row in rows.items():
        status, value, gradient = wanted[key]
        if row.status != status:
            wrong.append(f"{key}: {row.status}, not {status}")
        elif not are_close(row.value, value) or not (status == "zero" or are_close(row.gradient, gradient)):
            wrong.append(f"{key}: {row}")
    return wrong


def are_close(found: list[float] | None, expected: Array | None) -> bool:
    """Returns whether the first 64 numbers agree within 1e-9 of the largest."""
    if found is None or expected is None:
        return found is None and expected is None
    wanted = expected.astype(float).ravel()
    share = NEAR if expected.dtype != np.float32 else 1e-5
    top = np.max(np.abs(wanted[np.isfinite(wanted)]), initial=0)
    return bool(np.allclose(found, wanted[:64], rtol=0, atol=share * top, equal_nan=True))
