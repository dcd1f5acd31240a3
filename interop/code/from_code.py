"""A formula or a program as a graph: the way into this room."""

from __future__ import annotations

import ast
import heapq
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from gradwire.engine.autodiff.graph_from_expressions import trace
from gradwire.engine.base.errors import ParameterError
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.library import library
from gradwire.engine.graph.graph import Graph
from gradwire.interop.code.block_names import block_names
from gradwire.interop.code.choices import Choices
from gradwire.interop.code.layer_lines import layer_lines, layers_of
from gradwire.interop.code.machine import Machine
from gradwire.interop.code.modules import framework_of
from gradwire.interop.code.refusals import CodeRefusal
from gradwire.interop.code.source_text import LONGEST, Program, program
from gradwire.interop.code.statements import Statements
from gradwire.interop.typed.tensor_text import read_source

# Readings that are tried before the first refusal is told.
_MOST_TRIES: Final = 400


@dataclass(frozen=True)
class Read:
    """What a text became, with a line for each thing that it does not say or that was left out."""

    graph: Graph
    notices: tuple[str, ...] = ()
    refused: tuple[CodeRefusal, ...] = ()


def from_code(text: str, is_lenient: bool = False) -> Graph:
    """Returns the graph of a formula, or of lines of NumPy, PyTorch, TensorFlow, JAX or Keras; nothing of it is run.

    Blocks have the names of the text, and names that it does not bind become Inputs. A lenient reading leaves out what
    has no block.
    Raises: CodeRefusal, with line and column, for what has no block.
    """
    return read_code(text, is_lenient).graph


def read_code(text: str, is_lenient: bool = False) -> Read:
    """Returns the graph of a text with notices; a lenient reading leaves out what has no block, and says so.

    Raises: CodeRefusal for a text that is no program, and for one that cannot be read unless the reading is lenient.
    """
    printed = _printed(text)
    if printed is not None:
        return Read(trace([printed]).graph)
    lines = layer_lines(text)
    if lines:
        return Read(trace(layers_of(lines)).graph)
    given = program(text)
    read = _read(given, is_lenient, folds=True)
    if not read.graph.pages[0].wires:
        # All was numbers: read as blocks the work is seen.
        read = _read(given, is_lenient, folds=False)
    if not read.graph.pages[0].blocks:
        raise read.refused[0] if read.refused else CodeRefusal("the text computes nothing")
    return read


def _printed(text: str) -> Expression | None:
    """Returns the source of a tensor as frameworks print it, a Variable if it trains; None for another text."""
    if len(text) > LONGEST:
        return None
    try:
        array, trains = read_source(text.strip())
    except ParameterError:
        return None
    made: Expression = library["Variable" if trains else "Input"](value=array)
    return made


def _read(given: Program, is_lenient: bool, folds: bool) -> Read:
    """Reads a program with the likeliest choices that suit it: best first, by how far a reading came."""
    sizes = _sizes_in(given.tree)
    framework = framework_of(given.tree)
    waiting: list[tuple[int, int, int, dict[Hashable, int]]] = [(0, 0, 0, {})]
    seen: set[frozenset[tuple[Hashable, int]]] = set()
    first: CodeRefusal | None = None
    for _ in range(_MOST_TRIES):
        if not waiting:
            break
        taken = heapq.heappop(waiting)[3]
        machine = Machine(framework, Choices(taken, sizes, framework == "torch"), folds)
        statements = Statements(machine, given, is_lenient)
        try:
            with np.errstate(all="ignore"):
                statements.run()
                return _finished(machine, statements, given)
        except CodeRefusal as error:
            first = first or error
            if not error.blamed:
                raise
            for key in error.blamed:
                following = {**taken, key: taken.get(key, 0) + 1}
                mark = frozenset(following.items())
                if mark not in seen and following[key] < machine.choices.counts.get(key, 1):
                    seen.add(mark)
                    heapq.heappush(waiting, (-machine.steps, sum(following.values()), len(seen), following))
    assert first is not None
    raise first


def _sizes_in(tree: ast.Module) -> list[int]:
    """Returns the whole numbers of a program that can be sizes, without repetition."""
    found = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    return list(dict.fromkeys(item for item in found if type(item) is int and 1 <= item <= 1024))[:6]


def _finished(machine: Machine, statements: Statements, given: Program) -> Read:
    made = [loss for _, loss, _ in machine.losses]
    last = machine.outermost.names.get("loss")
    if given.is_exported and not made and isinstance(last, Expression):
        made = [library["Loss"](last)]
    roots = [
        *_values(machine.outermost.names.values()),
        *machine.shown,
        *(expression for _, expression, is_source in machine.named if is_source),
        *made,
    ]
    for application, name in block_names(machine.named).items():
        application.name = name
    # Functions may keep tensors of their own pages.
    traced = trace(item for item in roots if not machine.is_from_inside(item.application))
    graph = _with_asked_inputs(
        traced.graph, [traced.ports[item].path.partition("/")[2] for item in machine.asked if item in traced.ports]
    )
    if given.backward_line is not None:
        passed = f"line {given.backward_line} begins gradients by hand; here the blocks of the lines above give them"
        machine.notices.append(passed)
    is_summed = all(is_backward for _, _, is_backward in machine.losses)
    if len(made) > 1 and not is_summed:
        graph = replace(graph, loss=traced.ports[made[-1]].path)
    return Read(graph, tuple(dict.fromkeys(machine.notices)), tuple(statements.refused))


def _values(items: Iterable[object]) -> Iterable[Expression]:
    for item in items:
        if isinstance(item, Expression):
            yield item
        elif isinstance(item, list | tuple):
            yield from _values(item)


def _with_asked_inputs(graph: Graph, asked: Sequence[str]) -> Graph:
    """Returns a graph where constants of which the program asks for the gradient are Inputs."""
    page, *others = graph.pages
    blocks = dict(page.blocks)
    for name in asked:
        if blocks[name].type == "Constant":
            blocks[name] = replace(blocks[name], type="Input")
    return replace(graph, pages=(replace(page, blocks=blocks), *others))
