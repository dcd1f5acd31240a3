"""The conditions of `--fail-on`, each on and off, on results made by hand."""

from __future__ import annotations

import argparse

import numpy as np
import pytest

from gradwire.app.cli.fail_on import CONDITIONS, conditions, failure_sentence, failures
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.problems import Problem
from gradwire.engine.causes.births import Origin
from gradwire.engine.evaluation.snapshot import PortResult, Snapshot, WireResult

PORTS = {name: PortName("main/x", name) for name in "abcdefgh"}
FINE, NAN, INF = np.ones(2), np.array([1.0, np.nan]), np.array([-np.inf, 1.0])
MEANT, MADE = Origin(None, None, is_meant=True), Origin(None, None)


def snapshot() -> Snapshot:
    ports = {
        PORTS["a"]: PortResult(value=FINE, gradient=FINE),
        PORTS["b"]: PortResult(value=NAN, gradient=FINE),
        PORTS["c"]: PortResult(value=INF, gradient=FINE),
        PORTS["d"]: PortResult(value=FINE, gradient=NAN),
        PORTS["e"]: PortResult(value=np.array([1, 2]), gradient=None),
        PORTS["f"]: PortResult(value=INF, gradient=FINE, origin=MEANT),
        PORTS["g"]: PortResult(value=INF, gradient=INF, origin=MADE),
        PORTS["h"]: PortResult(value=INF, gradient=INF, origin=MEANT),
    }
    wires = {
        Link(PORTS["a"], PORTS["f"]): WireResult(gradient=INF, status=Status.BLOCKED),
        Link(PORTS["b"], PORTS["g"]): WireResult(gradient=None, status=Status.NO_PATH),
    }
    problems = (
        Problem("error", "main/e", "shape", "It is odd."),
        Problem("info", "main/t", "tie", "2 are equal."),
        Problem("warning", "main/w", "missing_input", "It has none."),
        Problem("info", "main/s", "stop_unused", "It is unused."),
        Problem("error", "", "no_loss", "There is none."),
    )
    return Snapshot(None, ports, wires, problems)


@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("nan", ["main/x.b", "main/x.d"]),
        ("inf", ["main/x.c", "main/x.g", "main/x.h", "main/x.a -> main/x.f"]),
        ("nonfinite", ["main/x.b", "main/x.c", "main/x.d", "main/x.g", "main/x.h", "main/x.a -> main/x.f"]),
        ("blocked", ["main/x.a -> main/x.f"]),
        ("no_path", ["main/x.b -> main/x.g"]),
        ("error", ["main/e", ""]),
        ("warning", ["main/w"]),
        ("info", ["main/t", "main/s"]),
        ("tie", ["main/t"]),
        ("disconnected", ["main/w"]),
        ("unused_stop", ["main/s"]),
        ("no_loss", [""]),
    ],
)
def test_a_condition_holds_where_it_says(name: str, places: list[str]) -> None:
    assert failures([name, "unknown"], snapshot()) == {name: places}


@pytest.mark.parametrize("name", CONDITIONS)
def test_no_condition_holds_of_results_that_are_fine(name: str) -> None:
    port, target = PORTS["a"], PORTS["f"]
    wires = {Link(port, target): WireResult(gradient=FINE, status=Status.FLOW)}
    assert failures([name], Snapshot(None, {port: PortResult(value=FINE, gradient=FINE)}, wires, ())) == {}


@pytest.mark.parametrize(
    ("places", "sentence"),
    [
        (["main/x"], "--fail-on nan: main/x."),
        (["main/x", "main/y"], "--fail-on nan: main/x and 1 more."),
        (["main/x", "main/y", "main/z"], "--fail-on nan: main/x and 2 more."),
        (["", "main/y"], "--fail-on nan: the file as a whole and 1 more."),
    ],
)
def test_a_sentence_names_the_first_place_and_counts_the_others(places: list[str], sentence: str) -> None:
    assert failure_sentence("nan", places) == sentence


def test_a_list_may_have_spaces_dashes_and_repetitions() -> None:
    assert conditions(" nan, no-path,,nan,tie ") == ["nan", "no_path", "tie"]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("nan,chaos", '"chaos" is no condition. Possible are: nan, inf'),
        ("blokced", '"blokced" is no condition; did you mean blocked[?] Possible are: nan, inf'),
    ],
)
def test_an_unknown_condition_is_named_with_those_that_exist(given: str, sentence: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match=sentence):
        conditions(given)
