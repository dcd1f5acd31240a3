"""The way in: why the parameters of a module, a function, a saved model or a graph do not learn."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph
from gradwire.interop.models.graphs import model_of
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.pt2.from_pt2 import found_in, read_program
from gradwire.interop.why.assumed_loss import choose_loss
from gradwire.interop.why.dead_units import dead_units
from gradwire.interop.why.finding import Report, report_of
from gradwire.interop.why.live import why_module
from gradwire.interop.why.of_run import RunFindings


def why(target: Any, *arguments: Any, **keywords: Any) -> Report:
    """Returns what keeps parameters from learning: each one whose gradient is zero, blocked, broken or far too large.

    `target` is a module or function with its arguments, an exported program, a `.pt2` or `.graph` file, a graph, or a
    finished run.
    Raises: ModelRefusal, with what to do, for what cannot come in or has no loss.
    """
    if isinstance(target, Evaluation):
        return why_run(target)
    if isinstance(target, Graph):
        return why_run(run_graph(target))
    if isinstance(target, str | PathLike) and Path(target).suffix != ".pt2":
        return why_run(run_graph(load(target).graph))
    if isinstance(target, bytes | str | PathLike):
        reading = read_program(target if isinstance(target, bytes) else Path(target))
        note = choose_loss(reading)
        model = model_of(found_in(reading))
        lost = [line for line in model.notices if "autograd.Function" in line]
        return why_run(run_graph(model.graph), note, *lost)
    return why_module(target, *arguments, **keywords)


def why_run(run: Evaluation, *notes: str) -> Report:
    """Returns the same of a finished run.

    Raises: ModelRefusal if its graph has no Loss.
    """
    if run.loss is None:
        raise ModelRefusal("The graph has no Loss, so nothing has a gradient; wire one, or write gw.Loss(x).")
    found = RunFindings(run)
    gradients = {name: found.gradient(name) for name in found.trainable}
    return report_of(found.findings(), len(found.trainable), (*notes, *dead_units(gradients)))
