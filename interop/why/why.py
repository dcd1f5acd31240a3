"""The way in: why the parameters of a module, a function, a saved model or a graph do not learn."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph
from gradwire.interop.models.graphs import Found, model_of
from gradwire.interop.models.inputs import Given
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.onnx import from_onnx
from gradwire.interop.pt2 import from_pt2
from gradwire.interop.why.assumed_loss import assumed_loss
from gradwire.interop.why.dead_units import dead_units
from gradwire.interop.why.finding import Report, report_of
from gradwire.interop.why.live import why_module
from gradwire.interop.why.of_run import RunFindings


def why(target: Any, *arguments: Any, **keywords: Any) -> Report:
    """Returns what keeps parameters from learning: each one whose gradient is zero, blocked, broken or far too large.

    `target` is a module or function with its arguments, an exported program, a `.pt2` or `.onnx` file with its inputs
    by name, of which those that nobody gives are drawn, a `.graph` file, a graph, or a finished run.
    Raises: ModelRefusal, with what to do, for what cannot come in or has no loss.
    """
    if isinstance(target, Evaluation):
        return why_run(target)
    if isinstance(target, Graph):
        return why_run(run_graph(target))
    if not isinstance(target, bytes | str | PathLike):
        return why_module(target, *arguments, **keywords)
    if keywords or len(arguments) > 1 or not all(isinstance(item, Mapping) for item in arguments):
        raise ModelRefusal('The inputs of a file are given by their names: gw.why("model.onnx", {"x": x}).')
    inputs = arguments[0] if arguments else None
    path = target if isinstance(target, bytes) else Path(target)
    if isinstance(path, Path) and path.suffix.casefold() not in (".pt2", ".onnx"):
        return why_run(run_graph(load(path).graph))
    is_onnx = isinstance(path, Path) and path.suffix.casefold() == ".onnx"
    found, notes = _onnx_with_loss(path, inputs) if is_onnx else _pt2_with_loss(path, inputs)
    return why_run(run_graph(model_of(found).graph), *notes)


def _pt2_with_loss(path: Path | bytes, inputs: Mapping[str, Given] | None) -> tuple[Found, list[str]]:
    """Returns what a file of PyTorch became, with its loss alone, and lines about what is assumed or missing."""
    reading = from_pt2.read_program(path, inputs)
    loss, note = assumed_loss(reading.outputs)
    reading.outputs = reading.outputs if loss is None else [loss]
    found = from_pt2.found_in(reading)
    return found, [note, *(line for line in found.notices if "autograd.Function" in line)]


def _onnx_with_loss(path: Path | bytes, inputs: Mapping[str, Given] | None) -> tuple[Found, list[str]]:
    """Returns the same of a file of ONNX."""
    reading = from_onnx.read_program(path, inputs)
    loss, note = assumed_loss([*reading.outputs.values()])
    reading.outputs = reading.outputs if loss is None else {"loss": loss}
    return from_onnx.found_in(reading), [note, from_onnx.NO_STOPS]


def why_run(run: Evaluation, *notes: str) -> Report:
    """Returns the same of a finished run.

    Raises: ModelRefusal if its graph has no Loss.
    """
    if run.loss is None:
        raise ModelRefusal("The graph has no Loss, so nothing has a gradient; wire one, or write gw.Loss(x).")
    found = RunFindings(run)
    gradients = {name: found.gradient(name) for name in found.trainable}
    findings = [*found.findings()]
    told = {item.parameter for item in findings}
    return report_of(findings, len(found.trainable), (*notes, *dead_units(gradients, told)), run.graph)
