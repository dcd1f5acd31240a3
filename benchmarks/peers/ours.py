"""Our engine with its compiled interpreter: the memory of a plan is laid out once, then it runs repeatedly."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from types import SimpleNamespace

import numpy as np

import gradwire.blocks  # noqa: F401  # fills the library
from benchmarks.peers.case import Array, Case, Mode, Prepared, unwatched
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.graph_from_expressions import trace
from gradwire.engine.autodiff.infer import infer_specs
from gradwire.engine.autodiff.lower import lower
from gradwire.engine.autodiff.lowered import Lowered
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.plan import Results, make_plan
from gradwire.engine.blocktypes.primitives import Constant
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.evaluation.rerun import Rerun
from gradwire.engine.executors.arena import Arena
from gradwire.engine.executors.chosen import EXECUTOR
from gradwire.engine.graph.graph import Graph
from gradwire.engine.step_compiler.training_plan import TrainingPlan

NAME, VERSION = f"Gradwire, {EXECUTOR}", "0.1.0"


def _mean_cross_entropy(logits: Expression, labels: Expression) -> Expression:
    return library["ReduceMean"](library["SoftmaxCrossEntropyWithLogits"](labels, logits))


# The operations by the names of our blocks.
OPS = SimpleNamespace(
    number=lambda number: Constant(value=np.float32(number)),
    convolve=lambda x, filters: library["Conv2D"](x, filters, strides=1, padding="SAME"),
    pool=lambda x: library["MaxPool2D"](x, ksize=2, strides=2, padding="VALID"),
    reshape=lambda x, shape: library["Reshape"](x, shape=shape),
    transpose=lambda x, perm: library["Transpose"](x, perm=perm),
    split=lambda x, count, axis: library["Split"](x, num_or_size_splits=count, axis=axis),
    cross_entropy=_mean_cross_entropy,
    **{
        name: library[block]
        for name, block in {
            "add": "Add",
            "subtract": "Subtract",
            "multiply": "Multiply",
            "divide": "Divide",
            "negative": "Negative",
            "sin": "Sin",
            "exp": "Exp",
            "tanh": "Tanh",
            "sigmoid": "Sigmoid",
            "softmax": "Softmax",
            "gelu": "Gelu",
            "normalize": "LayerNormalization",
            "relu": "Relu",
            "total": "ReduceSum",
            "largest": "ReduceMax",
            "stop": "StopGradient",
            "matmul": "MatMul",
            "plus_bias": "BiasAdd",
        }.items()
    },
)


def prepare(case: Case) -> Prepared:
    """Returns the case as a plan in an arena, which computes only the requested results."""
    return _every_wire(case) if case.mode.sees_all else _wanted_only(case)


def _wanted_only(case: Case, threads: int = 1) -> Prepared:
    lowered, ports = _lowered(case)
    inputs = {name: lowered.ports[ports(name)] for name in case.inputs}
    gradients = {inputs[name]: lowered.backward.totals[inputs[name]] for name in case.wanted}
    (loss,) = lowered.losses
    if case.mode is Mode.STEP:
        rule = library["ApplyGradientDescent"]
        updates = {source: rule(source, gradient, alpha=case.rate) for source, gradient in gradients.items()}
        stepped = TrainingPlan([loss], updates, threads)
        return Prepared(
            stepped.run, lambda _: [stepped[loss].copy(), *(stepped.source(item).copy() for item in updates)]
        )
    plan = TrainingPlan([loss, *gradients.values()], threads=threads)
    return Prepared(plan.run, lambda _: [plan[item].copy() for item in (loss, *gradients.values())])


def _every_wire(case: Case) -> Prepared:
    if case.edited is not None:
        return _edited(case)
    arena, lowered = _laid_out(case.graph)
    names = case.inputs if case.changed is None else case.changed[:1]
    slots = {arena.results.plan.slots[lowered.ports[_port_of_block(name)]]: name for name in names}
    fed = {slot: case.final_inputs[name] for slot, name in slots.items()}
    return Prepared(lambda: arena.run(fed), lambda _: _rows_of(arena.results, lowered))


def _edited(case: Case) -> Prepared:
    """Returns an edit and its undo in turns, each with statistics of all numbers, as in the evaluator."""
    rerun = Rerun(run_graph(case.graph))
    rerun.prepare()
    graphs = itertools.cycle([case.edited.graph, case.graph])
    return Prepared(lambda: _followed(rerun, next(graphs)), lambda run: _rows_of(run.results, run.lowered))


def _followed(rerun: Rerun, graph: Graph) -> Evaluation:
    found = rerun.update(graph)
    if found is None:
        raise ValueError("the edit was not followed")
    return found[0]


def _laid_out(graph: Graph) -> tuple[Arena, Lowered]:
    """Returns all results that an editor shows of a graph: values and gradients of all ports and wires."""
    lowered = lower(infer_specs(graph))
    backward = lowered.backward
    plan = make_plan(lowered.ports.values(), then=[*backward.totals.values(), *backward.edges.values()])
    return Arena(plan), lowered


def _rows_of(results: Results, lowered: Lowered) -> list[Array]:
    """Returns values and gradients of all blocks but the loss: the inputs first, then the graph's order."""
    (page,) = lowered.inferred.graph.pages
    ordered = sorted(page.blocks.items(), key=lambda pair: pair[1].type != "Input")
    ports = [lowered.ports[_port_of_block(name, item.type)] for name, item in ordered if name != "loss"]
    totals = [lowered.backward.totals.get(port) for port in ports]
    values = np.stack([results[port] for port in ports])
    return [values, np.stack([np.zeros_like(values[0]) if item is None else results[item] for item in totals])]


def _port_of_block(name: str, kind: str = "Input") -> PortName:
    return PortName(f"main/{name}", library[kind].output_names(1)[0])


def _lowered(case: Case) -> tuple[Lowered, Callable[[str], PortName]]:
    if case.graph is not None:
        return lower(infer_specs(case.graph)), _port_of_block
    inputs = {name: library["Input"](value=array, name=name) for name, array in case.inputs.items()}
    traced = trace([library["Loss"](case.loss(OPS, inputs, unwatched))])
    return lower(infer_specs(traced.graph)), lambda name: traced.ports[inputs[name]]
