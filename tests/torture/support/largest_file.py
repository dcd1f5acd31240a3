"""A file with as many blocks and wires as one may hold is read, written and inferred. Started as a process."""

from __future__ import annotations

import sys

import blocks  # noqa: F401  # fills the library
from engine.files import dumps, loads
from engine.graph import Block, Graph, Page, Port, Wire
from engine.infer import infer_specs
from engine.limits import LIMITS
from tests.torture.stages import limit_recursion, stage


def largest_graph(count: int, inputs: int) -> Graph:
    """Sums of the `inputs` blocks before them, one after the other."""
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


if __name__ == "__main__":
    main(int(sys.argv[1]))
