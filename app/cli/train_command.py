"""The command `gradwire train`."""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Mapping

from gradwire.app.base.feed_values import feed
from gradwire.app.base.results_json import Json, problems_json
from gradwire.app.base.terminal import say
from gradwire.app.cli.colour import BOLD, GREEN, RED, coloured
from gradwire.app.cli.graph_files import (
    FINE,
    PROBLEMS,
    Fault,
    named,
    print_error,
    print_fault,
    print_json,
    read,
    read_apart,
    report_unreadable,
    with_allowed_data,
)
from gradwire.app.cli.ignored_stops import stops_named
from gradwire.app.cli.progress import progress
from gradwire.app.cli.training.beginnings import begin
from gradwire.app.cli.training.outputs import Ending, TrainingOutputs, gentle_ending
from gradwire.engine.base.errors import FileError, GradwireError, UsageError
from gradwire.engine.files.files import Loaded
from gradwire.engine.files.json_places import fault_at, offset_of
from gradwire.engine.files.json_text import JsonFault
from gradwire.engine.training.checks import Outcome
from gradwire.engine.training.kept_state import initial_of, reset_values
from gradwire.engine.training.round import Round
from gradwire.engine.training.run import TrainingRun, ended, plan_fault
from gradwire.engine.training.trainer import TrainingStopped

# Rounds that a table shows where nothing else is asked for.
SHOWN = 20


def train(options: argparse.Namespace) -> int:
    """Trains a graph by its plan; returns 1 if a number overflows, a check fails, or the plan is wrong."""
    try:
        loaded, run = _begun(options)
        outputs = TrainingOutputs(options, loaded.graph, run)
        outputs.check_room()
    except JsonFault as fault:
        return _refused(options, fault, loaded=read(options.file) if options.file != "-" else None)
    except (FileError, UsageError) as error:
        return report_unreadable(options.file, error, options.json)
    except GradwireError as error:
        report_unreadable(options.file, error, options.json)
        return PROBLEMS
    return _trained(options, run, outputs)


def _begun(options: argparse.Namespace) -> tuple[Loaded, TrainingRun]:
    loaded = read_apart(options)
    graph = with_allowed_data(loaded.graph, options.file, options.allow_data)
    if options.reset:
        graph = reset_values(graph, initial_of(graph))
    for given in options.set:
        graph = feed(graph, given, "--set")
    stops = stops_named(options.without, graph, "--without ")
    run = TrainingRun(graph, seed=options.seed, threads=options.threads, ignored_stops=stops, until=options.until)
    begin(options, graph if options.reset else loaded.graph, run)
    return loaded, run


def _refused(options: argparse.Namespace, fault: JsonFault, loaded: Loaded | None) -> int:
    """Says what is wrong in the plan, and where in the file."""
    if not fault.path:
        # The plan has a path; a condition of the command has none.
        return report_unreadable(options.file, UsageError(f"--until: {ended(fault.message)}"), options.json)
    sentence = plan_fault(fault)
    error = FileError(sentence)
    if loaded is not None:
        error = fault_at(loaded.text, offset_of(loaded.text, fault.path), sentence)
    return print_fault(Fault(options.file, PROBLEMS, error.line, error.column, str(error)), options.json)


def _trained(options: argparse.Namespace, run: TrainingRun, outputs: TrainingOutputs) -> int:
    if not options.json:
        _print_beginning(options, run)
    began, first, stopped = time.perf_counter(), run.trainer.round, None
    with gentle_ending() as ending:
        try:
            with progress(f"Training {options.file}", options.quiet or not options.json):
                _run_rounds(options, run, outputs, ending)
        except TrainingStopped as error:
            stopped = error
        except OSError:  # Nobody reads what is printed any more; what was reached is kept all the same.
            outputs.write()
            raise
        pace = (run.trainer.round - first) / max(time.perf_counter() - began, 1e-9)
        outputs.write()
    if ending.signal:
        return _interrupted(options, run, outputs, ending)
    outcomes = run.outcomes()
    is_fine = stopped is None and all(outcome.is_met is not False for outcome in outcomes)
    if options.json:
        print_json(_end(run, stopped, outcomes, is_fine, pace))
    else:
        _print_end(options, run, stopped, outcomes, pace)
    return FINE if is_fine else PROBLEMS


def _interrupted(options: argparse.Namespace, run: TrainingRun, outputs: TrainingOutputs, ending: Ending) -> int:
    """Says how far a training has come that a signal ended, and what was written."""
    if options.json:
        at = {"step": run.trainer.round, "signal": ending.name}
        print_json({"ok": False, "interrupted": at, "state_crc32": f"{run.trainer.checksum():08x}"})
    written = f" {outputs.names} written; --resume goes on from there." if outputs.names else " Nothing was written."
    say(f"gradwire: {ending.name} after {run.trainer.round:,} rounds.{written}", sys.stderr)
    return 128 + ending.signal


def _run_rounds(options: argparse.Namespace, run: TrainingRun, outputs: TrainingOutputs, ending: Ending) -> None:
    rounds = run.plan.until.steps if options.steps is None else options.steps
    every = options.every or (1 if options.json else max(1, (rounds or SHOWN * 50) // SHOWN))
    last = None
    for done in run.rounds(options.steps, measures=options.norms):
        last = done
        # Rounds that test are rare, and shown unless only each K-th is asked for.
        if done.n % every == 0 or (done.test and not options.every):
            _print_round(options, done)
            last = None
        outputs.write_if_due()
        if ending.signal:
            break
    if last is not None and not options.json:
        _print_round(options, last)


def _print_round(options: argparse.Namespace, done: Round) -> None:
    if options.json:
        metrics = {"metrics": {port: _number(value) for port, value in done.metrics.items()}} if done.metrics else {}
        test = {"test": {name: _number(value) for name, value in done.test.items()}} if done.test else {}
        losses = {name: _number(loss) for name, loss in done.losses.items()}
        norms = {"norms": {name: _number(item.gradient) for name, item in done.sizes.items()}} if done.sizes else {}
        print_json({"step": done.n, "losses": losses, **metrics, **test, **norms})
    else:
        numbers = {**done.losses, **done.metrics, **{f"test {name}": value for name, value in done.test.items()}}
        say("  ".join([f"{done.n:>8,}", *(f"{name} {value:<12.6g}" for name, value in numbers.items())]).rstrip())


def _number(value: float) -> float | str:
    """Returns a number as JSON has it; others are texts, as in files."""
    return value if math.isfinite(value) else str(value)


def _print_beginning(options: argparse.Namespace, run: TrainingRun) -> None:
    say(f"{named(options.file)}:")
    for row in run.rows:
        say(f"step {row.step}: {row.text}")
    for path, counts in run.trainer.steps[0].batches.items():
        say(f"data {path}: {_batches_text(counts)}")
    for problem in run.problems:
        say(f"{problem.severity}: {problem.message}")
    say()
    say(coloured(f"{'round':>8}", BOLD, sys.stdout))


def _batches_text(counts: Mapping[str, int]) -> str:
    epoch = f"{counts['batches']:,} batches of {counts['batch']:,} rows an epoch"
    rest = f"; {counts['waiting']:,} of {counts['rows']:,} rows wait" if counts["waiting"] else ""
    return epoch + rest


def _end(
    run: TrainingRun, stopped: TrainingStopped | None, outcomes: list[Outcome], is_fine: bool, pace: float
) -> Json:
    found: Json = {"ok": is_fine}
    if stopped is not None:
        found["stopped"] = {"step": stopped.n, "in": stopped.step, "at": stopped.at, "message": str(stopped)}
    found["rounds"] = run.trainer.round
    if run.ended_by is not None:
        n, reason = run.ended_by
        found["ended"] = {"step": n, "message": _ended_text(n, reason)}
    found["trains"] = {row.step: list(row.trains) for row in run.rows}
    if run.trainer.steps[0].batches:
        found["data"] = {path: dict(counts) for path, counts in run.trainer.steps[0].batches.items()}
    found["problems"] = problems_json(run.problems)
    found["checks"] = [{"title": item.title, "ok": item.is_met, "message": item.sentence} for item in outcomes]
    found["steps_per_second"] = round(pace, 1)
    found["state_crc32"] = f"{run.trainer.checksum():08x}"
    return found


def _print_end(
    options: argparse.Namespace,
    run: TrainingRun,
    stopped: TrainingStopped | None,
    outcomes: list[Outcome],
    pace: float,
) -> None:
    say()
    say(f"{run.trainer.round:,} rounds, {pace:,.0f} a second; state {run.trainer.checksum():08x}")
    for outcome in outcomes:
        word = coloured("ok", GREEN, sys.stdout) if outcome.is_met else coloured("failed", RED, sys.stdout)
        word = "not judged" if outcome.is_met is None else word
        say(f"check {outcome.title}: {word}; {outcome.sentence}")
    if run.ended_by is not None:
        say(_ended_text(*run.ended_by))
    if stopped is not None:
        print_error(options.file, str(stopped))


def _ended_text(n: int, reason: str) -> str:
    return f"Ended at round {n:,}: {reason}."
