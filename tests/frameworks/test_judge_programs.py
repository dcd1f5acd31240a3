"""Random graphs of one block each, with numbers that often tie: programs of every target against Gradwire."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from gradwire.engine.autodiff.infer import infer_specs
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.export.export import TARGETS, export
from gradwire.engine.graph.graph import Block, Graph
from tests.frameworks.installed import INSTALLED
from tests.frameworks.random_models import ELEMENTWISE, OTHERS, Model
from tests.frameworks.test_judge_graphs import disagreements
from tests.recorded import make_graph

SEEDS = range(8)
# TensorFlow and JAX step in float32 from number to number, Gradwire multiplies as NumPy does.
ROUNDED = {"Range", "LinSpace"}
ASKED = [
    (target, item)
    for target in TARGETS
    if target == "numpy" or target in INSTALLED
    for item in [*ELEMENTWISE, *OTHERS]
    if item.name not in ROUNDED
]


def weighted(block_type: BlockType, seed: int) -> Graph | None:
    """Returns a graph of one block, each output of which is weighted by numbers of its own; None if it has none."""
    model = Model(seed)
    values, parameters = model.draw_call(block_type)
    ports = block_type.input_names(len(values))
    given = {f"i_{port}": value for port, value in zip(ports, values, strict=False) if value is not None}
    blocks = [Block(name, "Input", parameters={"value": value}) for name, value in given.items()]
    blocks.append(Block("b", block_type.name, parameters=parameters))
    wires = [(f"{name}.y", f"b.{name.removeprefix('i_')}") for name in given]
    specs = infer_specs(make_graph(blocks, wires)).specs
    ends = {name.port: spec for name, spec in specs.items() if name.path == "main/b" and spec.is_differentiable}
    for port, spec in ends.items():
        value = model.numbers.uniform(0.5, 2, spec.shape).astype(spec.dtype)
        blocks += [Block(f"w_{port}", "Input", parameters={"value": value}), Block(f"m_{port}", "Multiply")]
        blocks.append(Block(f"loss_{port}", "Loss"))
        wires += [(f"b.{port}", f"m_{port}.x"), (f"w_{port}.y", f"m_{port}.y"), (f"m_{port}.z", f"loss_{port}.x")]
    graph = make_graph(blocks, wires)
    with np.errstate(all="ignore"):
        return graph if ends and not run_graph(graph).snapshot.has_errors else None


@pytest.mark.parametrize(("target", "block_type"), ASKED, ids=[f"{target}-{item.name}" for target, item in ASKED])
def test_a_line_gives_our_value_and_gradient_or_says_what_it_gives_instead(
    target: str, block_type: BlockType, counted: Callable[[str, int], None]
) -> None:
    graphs = [graph for seed in SEEDS if (graph := weighted(block_type, seed)) is not None]
    for graph in graphs:
        source = export(graph, target)
        note = block_type.spelling.notes.get(target, "")
        is_noted = bool(note) and note in source
        if is_same(source, may_fail="is an error" in note):
            counted(f"{target}: lines that agree", 1)
        else:
            assert is_noted, disagreements(source)
            counted(f"{target}: lines that say what they give instead", 1)


def is_same(source: str, may_fail: bool) -> bool:
    """Returns whether a program gives our numbers; one that says so may end with an error."""
    try:
        return not disagreements(source)
    except Exception:
        if may_fail:
            return False
        raise
