"""The command `gradwire run`."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from functools import partial

from gradwire.app.base.feed_values import feed
from gradwire.app.base.results_json import snapshot_json
from gradwire.app.base.terminal import say, say_text
from gradwire.app.cli.colour import BOLD, CODES, coloured, has_colour
from gradwire.app.cli.fail_on import failure_sentence, failures
from gradwire.app.cli.graph_files import (
    FINE,
    PROBLEMS,
    Fault,
    guarded,
    named,
    print_error,
    print_fault,
    print_json,
    print_problems,
    read,
    with_allowed_data,
)
from gradwire.app.cli.ignored_stops import ignored_stops
from gradwire.app.cli.plugin_notices import disable_faulty
from gradwire.app.cli.progress import progress
from gradwire.app.look.statuses import LOOKS
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.evaluation.snapshot import Snapshot, WireResult
from gradwire.engine.explain.wire_table import loss_line, status_text, wire_table
from gradwire.engine.files.files import Loaded


def run(options: argparse.Namespace) -> int:
    """Evaluates and differentiates each file."""
    return max([_run_guarded(file, options) for file in options.files])


def _run_guarded(file: str, options: argparse.Namespace) -> int:
    code = guarded(file, partial(_run_file, file, options))
    return print_fault(code, options.json) if isinstance(code, Fault) else code


def _run_file(file: str, options: argparse.Namespace) -> int:
    with progress(f"Evaluating {file}", options.quiet):
        loaded, snapshot = _evaluated(file, options)
    failed = failures(options.fail_on, snapshot)
    if options.json:
        print_json(snapshot_json(file, snapshot) | ({"failed_on": failed} if options.fail_on else {}))
    else:
        say(f"{named(file)}: {loss_line(snapshot)}")
        say_text(f"\n{_coloured_table(snapshot)}")
        print_problems(file, loaded, snapshot.problems, options.quiet)
        for name, places in failed.items():
            print_error(file, failure_sentence(name, places))
    disable_faulty(snapshot.problems)
    return PROBLEMS if snapshot.has_errors or failed else FINE


def _evaluated(file: str, options: argparse.Namespace) -> tuple[Loaded, Snapshot]:
    """Returns a file and its results, with the options for values, loss and stops."""
    loaded = read(file)
    graph = with_allowed_data(loaded.graph, file, options.allow_data, options.quiet)
    for given in options.feed:
        graph = feed(graph, given)
    if options.loss is not None:
        graph = dataclasses.replace(graph, loss=options.loss)
    snapshot = evaluate(graph, ignored_stops(options, graph))
    return loaded, dataclasses.replace(snapshot, problems=(*loaded.notices, *snapshot.problems))


def _coloured_table(snapshot: Snapshot) -> str:
    """Returns the table of wires with a colour for each status that deserves attention."""
    heading, *rows = wire_table(snapshot).split("\n")
    if not has_colour(sys.stdout):
        return "\n".join([heading, *rows])
    shown = (_coloured_row(row, wire) for row, wire in zip(rows, snapshot.wires.values(), strict=True))
    return "\n".join([coloured(heading, BOLD, sys.stdout), *shown])


def _coloured_row(row: str, wire: WireResult) -> str:
    status = status_text(wire)
    colour = CODES.get(LOOKS[wire.status].terminal, "")
    return row.removesuffix(status) + coloured(status, colour, sys.stdout) if row.endswith(status) else row
