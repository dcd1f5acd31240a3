"""A graph with one of everything, and random edits for laws that hold for all edits."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from gradwire.engine.base.errors import EditError
from gradwire.engine.edits import edits, wire_edits
from gradwire.engine.graph.graph import Block, Frame, Graph, Note, Page, Port, Wire
from tests.recorded import make_graph

ADDED = ["Input", "Add", "AddN", "Concat", "Gradients", "StopGradient", "Reroute", "Loss", "PageInput", "PageOutput"]
OUTPUTS = ["y", "z", "g_0", "g_1", "port", "port_1", "out"]
INPUTS = ["x", "y", "values_0", "values_1", "values_2", "xs_0", "xs_1", "weights", "a", "port", "port_1"]


def port(text: str) -> Port:
    """Returns a port from `block.port`."""
    return Port(*text.split(".", 1))


def wire(source: str, target: str) -> Wire:
    """Returns a wire from two ports written `block.port`."""
    return Wire(port(source), port(target))


def page_from(name: str, blocks: list[Block], *ends: tuple[str, str], **rest: object) -> Page:
    """Returns a page from blocks and wires written `block.port`."""
    made = make_graph(blocks, list(ends)).pages[0]
    return Page(name, made.blocks, made.wires, **rest)  # type: ignore[arg-type]  # rest are fields of Page


def source(name: str, at: tuple[int, int] | None = None) -> Block:
    """Returns an Input block of value 2."""
    value = np.array(2.0)
    value.setflags(write=False)
    return Block(name, "Input", at=at, parameters={"value": value})


def numbers(page: Page, block_id: str, stem: str) -> list[int]:
    """Returns the numbers of the wired ports of a variadic input."""
    found = [re.fullmatch(rf"{stem}_(\d+)", target.name) for target in page.wires if target.block == block_id]
    return sorted(int(match[1]) for match in found if match)


def sources_of(graph: Graph, block_id: str, stem: str) -> list[str]:
    """Returns the sources of `stem_0`, `stem_1` ... of a block of the page main, in order."""
    page = graph.page("main")
    return [str(page.wires[Port(block_id, f"{stem}_{n}")].source) for n in numbers(page, block_id, stem)]


def rich_graph() -> Graph:
    """Returns two pages, one using the other, with numbered ports, stops, frames, notes, loss and checks."""
    half = page_from(
        "half",
        [
            Block("a", "PageInput", parameters={"name": "a"}),
            Block("twice", "Add"),
            Block("out", "PageOutput", parameters={"name": "out"}),
        ],
        ("a.y", "twice.x"),
        ("a.y", "twice.y"),
        ("twice.z", "out.x"),
    )
    main = page_from(
        "main",
        [
            source("x", (0, 0)),
            source("w", (0, 96)),
            Block("use", "Page", parameters={"page": "half"}),
            Block("sum", "AddN", at=(200, 0)),
            Block("grads", "Gradients", parameters={"stop_gradients": ("use.out", "w.y")}),
            Block("again", "AddN"),
            Block("loss", "Loss", is_muted=True),
        ],
        ("x.y", "use.a"),
        ("use.out", "sum.values_0"),
        ("w.y", "sum.values_1"),
        ("x.y", "sum.values_2"),
        ("sum.z", "grads.y"),
        ("x.y", "grads.xs_0"),
        ("w.y", "grads.xs_1"),
        ("grads.g_0", "again.values_0"),
        ("grads.g_1", "again.values_1"),
        ("again.z", "loss.x"),
        frames=(Frame("inner", "Sum", ("sum",)), Frame("outer", "All", ("x", "w"), ("inner",))),
        notes=(Note("why", "Why?", (0, 0)),),
    )
    checks = (
        {"at": "main/use/twice.z", "finite": True},
        {"wire": ("main/x.y", "main/sum.values_2"), "status": "flow"},
        {"at": "main/x.y", "gradient_equals": "main/w.y", "loss": "main/loss", "other_loss": "main/loss"},
    )
    return Graph((main, half), "main/loss", checks)


@dataclass(frozen=True)
class Step:
    """One random edit; its numbers choose among the contents of any graph."""

    kind: str
    a: int
    b: int
    c: int

    def __call__(self, graph: Graph) -> Graph:
        """Returns the edited graph, or the same one if the edit is impossible."""
        try:
            return KINDS[self.kind](graph, self)
        except EditError:
            return graph

    def page(self, graph: Graph) -> Page:
        return graph.pages[self.a % len(graph.pages)]

    def block(self, graph: Graph, number: int) -> str:
        ids = list(self.page(graph).blocks) or ["nobody"]
        return ids[number % len(ids)]

    def block_of_type(self, graph: Graph, name: str) -> str:
        ids = [block.id for block in self.page(graph).blocks.values() if block.type == name] or ["nobody"]
        return ids[self.b % len(ids)]


def _add(graph: Graph, step: Step) -> Graph:
    name, given = ADDED[step.b % len(ADDED)], None
    if name in ("PageInput", "PageOutput"):
        given = {"name": f"port_{step.c % 3}"}
    return edits.add_block(graph, step.page(graph).name, name, at=(step.b, step.c), parameters=given)[0]


def _use(graph: Graph, step: Step) -> Graph:
    used = graph.pages[step.b % len(graph.pages)].name
    return edits.add_block(graph, step.page(graph).name, "Page", parameters={"page": used})[0]


def _remove(graph: Graph, step: Step) -> Graph:
    return edits.remove_blocks(graph, step.page(graph).name, {step.block(graph, step.b), step.block(graph, step.c)})


def _connect(graph: Graph, step: Step) -> Graph:
    """Tries pairs of ports from a random start until one can be connected."""
    start, goal = step.block(graph, step.b), step.block(graph, step.c)
    for number in range(len(OUTPUTS) * len(INPUTS)):
        output = OUTPUTS[(step.b + number) % len(OUTPUTS)]
        name = INPUTS[(step.c + number // len(OUTPUTS)) % len(INPUTS)]
        try:
            return edits.connect(graph, step.page(graph).name, Port(start, output), Port(goal, name))
        except EditError:
            continue
    return graph


def _disconnect(graph: Graph, step: Step) -> Graph:
    targets = list(step.page(graph).wires) or [Port("nobody", "x")]
    return edits.disconnect(graph, step.page(graph).name, targets[step.b % len(targets)])


def _set_name(graph: Graph, step: Step) -> Graph:
    return edits.set_parameter(graph, step.page(graph).name, step.block(graph, step.b), "name", f"port_{step.c % 3}")


def _set_value(graph: Graph, step: Step) -> Graph:
    return edits.set_parameter(graph, step.page(graph).name, step.block(graph, step.b), "value", float(step.c))


def _stop(graph: Graph, step: Step) -> Graph:
    stops = [f"{step.block(graph, step.c)}.y", f"{step.block(graph, step.b)}.g_{step.c % 3}"]
    block_id = step.block_of_type(graph, "Gradients")
    return edits.set_parameter(graph, step.page(graph).name, block_id, "stop_gradients", stops)


def _rename(graph: Graph, step: Step) -> Graph:
    return edits.rename_block(graph, step.page(graph).name, step.block(graph, step.b), f"new_{step.c % 9}")


def _paste(graph: Graph, step: Step) -> Graph:
    chosen = {step.block(graph, number) for number in (step.b, step.c, step.b + step.c)}
    fragment = edits.copy_blocks(graph, step.page(graph).name, chosen)
    return edits.paste(graph, graph.pages[step.c % len(graph.pages)].name, fragment, (16, 16))[0]


def _frame(graph: Graph, step: Step) -> Graph:
    chosen = {step.block(graph, step.b), step.block(graph, step.c)}
    return edits.add_frame(graph, step.page(graph).name, "T", sorted(chosen))[0]


def _chosen(graph: Graph, step: Step) -> set[str]:
    return {step.block(graph, step.b), step.block(graph, step.c)}


def _insert(graph: Graph, step: Step) -> Graph:
    wires = list(step.page(graph).wires.values()) or [wire("nobody.y", "nobody.x")]
    return wire_edits.insert_block(graph, step.page(graph).name, step.block(graph, step.b), wires[step.c % len(wires)])


def _put_into_frame(graph: Graph, step: Step) -> Graph:
    frames = [None, *(frame.id for frame in step.page(graph).frames)]
    target, moved = frames[step.b % len(frames)], frames[step.c % len(frames)]
    held = [] if moved is None else [moved]
    return edits.put_into_frame(graph, step.page(graph).name, target, _chosen(graph, step), held)


def _set_loss(graph: Graph, step: Step) -> Graph:
    return edits.set_loss(graph, f"{step.page(graph).name}/{step.block_of_type(graph, 'Loss')}")


KINDS: dict[str, Callable[[Graph, Step], Graph]] = {
    "add": _add,
    "use": _use,
    "remove": _remove,
    "connect": _connect,
    "connect more": _connect,
    "disconnect": _disconnect,
    "set name": _set_name,
    "set value": _set_value,
    "stop": _stop,
    "rename": _rename,
    "paste": _paste,
    "frame": _frame,
    "set loss": _set_loss,
    "detach": lambda graph, step: wire_edits.detach_blocks(graph, step.page(graph).name, _chosen(graph, step)),
    "bypass": lambda graph, step: wire_edits.bypass_blocks(graph, step.page(graph).name, _chosen(graph, step))[0],
    "dissolve": lambda graph, step: wire_edits.dissolve_blocks(graph, step.page(graph).name, _chosen(graph, step))[0],
    "insert": _insert,
    "put into frame": _put_into_frame,
    "mute": lambda graph, step: edits.set_muted(
        graph, step.page(graph).name, step.block(graph, step.b), bool(step.c % 2)
    ),
    "move": lambda graph, step: edits.move_blocks(
        graph, step.page(graph).name, {step.block(graph, step.b): (step.c, step.a)}
    ),
    "add page": lambda graph, step: edits.add_page(graph, f"sheet_{step.c % 4}")[0],
    "remove page": lambda graph, step: edits.remove_page(graph, step.page(graph).name),
    "rename page": lambda graph, step: edits.rename_page(graph, step.page(graph).name, f"sheet_{step.c % 4}"),
}

_NUMBERS = st.integers(0, 60)
STEPS = st.builds(Step, st.sampled_from(sorted(KINDS)), _NUMBERS, _NUMBERS, _NUMBERS)
SEQUENCES = st.lists(STEPS, min_size=1, max_size=30)


def after(steps: list[Step]) -> Graph:
    """Returns the rich graph after some random edits."""
    graph = rich_graph()
    for step in steps:
        graph = step(graph)
    return graph
