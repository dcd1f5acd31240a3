"""Program that reads, writes and infers a file with the maximal numbers of blocks and wires.

Started as a process.
"""

from __future__ import annotations

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.engine.autodiff.infer import infer_specs
from gradwire.engine.base.limits import LIMITS
from gradwire.engine.files.files import dumps, loads
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire
from tests.torture.support.stages import limit_recursion, stage


def largest_graph(count: int, inputs: int) -> Graph:
    """Returns a sequence of sums, each over the `inputs` blocks before it."""
    start = {f"x{index}": Block(f"x{index}", "Constant", parameters={"value": 1.0}) for index in range(inputs)}
    sums = {f"s{index}": Block(f"s{index}", "AddN") for index in range(count - inputs)}
    outputs = [*(Port(name, "y") for name in start), *(Port(name, "z") for name in sums)]
    wires: dict[Port, Wire] = {}
    for number, name in enumerate(sums):
        for index in range(inputs):
            target = Port(name, f"values_{index}")
            wires[target] = Wire(outputs[number + index], target)
    return Graph((Page("main", {**start, **sums}, wires),))


def main(count: int) -> None:
    limit_recursion()
    inputs = LIMITS.wires // LIMITS.blocks
    graph = stage("build", lambda: largest_graph(count, inputs))
    text = stage("write", lambda: dumps(graph))
    read = stage("read", lambda: loads(text)).graph
    page = read.pages[0]
    print(f"figure: the file: {len(page.blocks):,} blocks, {len(page.wires):,} wires, {len(text) / 1e6:.0f} MB")
    assert stage("write again", lambda: dumps(read)) == text
    inferred = stage("infer", lambda: infer_specs(read))
    assert len(inferred.specs) == count
