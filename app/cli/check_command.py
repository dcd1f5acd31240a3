"""The command `gradwire check`."""

from __future__ import annotations

import argparse
import dataclasses
import math
import os
from collections.abc import Iterator, Sequence
from functools import partial

from gradwire.app.cli.check_formats import FORMATS
from gradwire.app.cli.check_report import Report, TriedFix
from gradwire.app.cli.fail_on import failures
from gradwire.app.cli.graph_files import FINE, PROBLEMS, Fault, guarded, read
from gradwire.app.cli.parser import did_you_mean
from gradwire.app.cli.plugin_notices import disable_faulty
from gradwire.app.cli.progress import progress
from gradwire.engine.advice.advice import Advice, advise
from gradwire.engine.advice.linter import RULE_OF, RULES, Rule
from gradwire.engine.base.errors import UsageError
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.explain.checks.check import check_gradients
from gradwire.engine.explain.contracts import run_checks
from gradwire.engine.graph.graph import Graph

# Environment variable with the rules of advice that `check` leaves out for good, between spaces or commas.
SILENCED = "GRADWIRE_SILENCE"


def check(options: argparse.Namespace) -> int:
    """Checks each file and prints all that is found in the format asked for; returns the largest exit code."""
    rules, codes = _heard_rules(options.silence), [FINE]
    FORMATS[options.format](_reports(options, rules, codes), options.quiet)
    return max(codes)


def _heard_rules(silenced: Sequence[str]) -> list[Rule]:
    """Returns the rules of advice that neither the command nor the user's environment silences."""
    silent = {*silenced, *os.environ.get(SILENCED, "").replace(",", " ").split()}
    unknown = sorted(silent - RULE_OF.keys())
    if unknown:
        hint = did_you_mean(unknown[0], RULE_OF) or ";"
        raise UsageError(f'There is no rule of advice "{unknown[0]}"{hint} the rules are: {", ".join(RULE_OF)}.')
    return [rule for rule in RULES if rule.name not in silent]


def _reports(options: argparse.Namespace, rules: Sequence[Rule], codes: list[int]) -> Iterator[Report | Fault]:
    """Yields the outcome for each file, whatever becomes of the others, and notes its exit code."""
    for number, file in enumerate(options.files, start=1):
        with progress(f"Checking {file} ({number} of {len(options.files)})", options.quiet):
            report = guarded(file, partial(_report, file, options, rules))
        codes.append(report.code if isinstance(report, Fault) else FINE if report.is_fine else PROBLEMS)
        yield report
        if isinstance(report, Report):
            disable_faulty(report.snapshot.problems)


def _report(file: str, options: argparse.Namespace, rules: Sequence[Rule]) -> Report:
    loaded = read(file)
    run = run_graph(loaded.graph)
    found = advise(run, rules, seconds=math.inf)
    advice, tried = found.findings, tuple(_tried(run.graph, found)) if options.try_fixes else ()
    problems = (*loaded.notices, *run.snapshot.problems, *(finding.problem for finding in advice))
    snapshot = dataclasses.replace(run.snapshot, problems=problems)
    compared, contracts = check_gradients(loaded.graph), run_checks(loaded.graph, snapshot)
    return Report(file, loaded, snapshot, compared, contracts, advice, failures(options.fail_on, snapshot), tried)


def _tried(graph: Graph, advice: Advice) -> Iterator[TriedFix]:
    """Yields what each fix would give after some rounds of training."""
    from gradwire.engine.training.side_by_side import train_both  # heavy, and seldom needed

    fixes = {(item.at, item.fix.text): item.fix for item in advice.findings if item.fix is not None}
    fixes |= {(item.at, fix.text): fix for item, fix in advice.remedies.items() if item.severity != "error"}
    for (at, text), fix in fixes.items():
        yield TriedFix(at, text, train_both(graph, fix.edit(graph)))
