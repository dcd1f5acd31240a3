"""A formula or a program as a graph: the way into this room."""

from __future__ import annotations

import ast
import heapq
import re
import unicodedata
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from gradwire.engine.autodiff.graph_from_expressions import trace
from gradwire.engine.base.errors import ParameterError
from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.blocktypes.library import library
from gradwire.engine.graph.graph import NAME, Graph
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
_LONGEST_NAME: Final = 60
_SOURCES: Final = ("Input", "Constant", "Variable")


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
        statements = Statements(machine, given.stopped_lines, is_lenient)
        try:
            with np.errstate(all="ignore"):
                statements.run(given.tree)
                return _finished(machine, statements, given.is_exported)
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


def _finished(machine: Machine, statements: Statements, is_exported: bool) -> Read:
    made = [loss for _, loss, _ in machine.losses]
    last = machine.outermost.names.get("loss")
    if is_exported and not made and isinstance(last, Expression):
        made = [library["Loss"](last)]
    roots = [
        *_values(machine.outermost.names.values()),
        *machine.shown,
        *(expression for _, expression, is_source in machine.named if is_source),
        *made,
    ]
    _give_names(machine)
    traced = trace(roots)
    graph = _with_asked_inputs(
        traced.graph, [traced.ports[item].path.partition("/")[2] for item in machine.asked if item in traced.ports]
    )
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
    (page,) = graph.pages
    blocks = dict(page.blocks)
    for name in asked:
        if blocks[name].type == "Constant":
            blocks[name] = replace(blocks[name], type="Input")
    return replace(graph, pages=(replace(page, blocks=blocks),))


# Names


def _give_names(machine: Machine) -> None:
    """Gives blocks the names of the program: sources first, then the last value of each name, then others by number."""
    taken: set[str] = set()
    named: set[Application] = set()
    whole = [(name, item) for name, item, is_outer in machine.named if is_outer]
    inner = [(name, item) for name, item, is_outer in machine.named if not is_outer]
    sources = [(name, item) for name, item in [*whole, *inner] if item.application.type.name in _SOURCES]
    last = [
        (name, item) for name, item in dict(whole).items() if _plain_name(name) not in map(_plain_name, dict(sources))
    ]
    for name, item in [*sources, *last, *whole, *inner]:
        if item.application not in named and len(item.application.outputs) == 1:
            item.application.name = _free(_plain_name(name), taken)
            named.add(item.application)


def _free(stem: str, taken: set[str]) -> str:
    name, number = stem, 1
    while name in taken:
        name, number = f"{stem}_{number}", number + 1
    taken.add(name)
    return name


def _plain_name(name: str) -> str:
    """Returns a name as blocks may have it: Greek letters by their names, signs as underscores."""
    spelled = "".join(_spelled(letter) for letter in unicodedata.normalize("NFKD", name))
    text = re.sub(r"_+", "_", spelled).strip("_")[:_LONGEST_NAME]
    return text if NAME.fullmatch(text) else f"b_{text}"[:_LONGEST_NAME].rstrip("_") or "b"


def _spelled(letter: str) -> str:
    if letter.isascii():
        return letter if letter.isalnum() else "_"
    words = unicodedata.name(letter, "").split()
    return words[-1].lower() if "LETTER" in words else ""
