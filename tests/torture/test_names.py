"""Hostile names: pictures and terminals show them as letters, and programs hold them only as names or texts."""

from __future__ import annotations

import ast
import contextlib
import itertools
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from gradwire.app.base.examples import example_names, example_path
from gradwire.app.canvas.painting.picture import PagePicture
from gradwire.app.cli import command_line
from gradwire.app.look.theme import theme
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.errors import ExportError
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.explain.derivation import derivation
from gradwire.engine.export.export import TARGETS, export
from gradwire.engine.files.files import dumps, load, loads
from gradwire.engine.graph.graph import Block, Frame, Graph, Note, Page, Port, Wire
from tests.engine.programs import run_program
from tests.torture.support.counts import count
from tests.torture.support.hostile_names import hostile_ids, hostile_texts, unseen

NAMES = count(40, 2_000)
MODULES = {"np", "scipy", "tf", "torch", "jax", "jnp", "math", "base64", "functools", "itertools", "string"}
# Names that our own functions beside a program may call.
BUILTINS = {
    "all", "any", "bool", "dict", "divmod", "enumerate", "float", "frozenset", "int", "isinstance", "len",
    "list", "map", "max", "min", "print", "range", "reversed", "round", "set", "slice", "sorted", "str", "sum",
    "super", "tuple", "zip", "abs", "ValueError", "TypeError", "property", "staticmethod", "classmethod",
    "object", "NotImplemented", "complex", "iter", "next", "filter", "type", "callable", "repr",
}  # fmt: skip
SVG_TAGS = {
    "svg", "g", "path", "rect", "text", "title", "desc", "defs", "polyline", "polygon", "circle", "ellipse",
    "line", "image", "linearGradient", "radialGradient", "stop", "clipPath", "use", "pattern", "mask",
    "symbol", "style",
}  # fmt: skip
KINDS = {
    "Module", "Expr", "Assign", "AugAssign", "AnnAssign", "For", "While", "If", "With", "withitem", "Return",
    "Raise", "Import", "ImportFrom", "alias", "FunctionDef", "ClassDef", "arguments", "arg", "Lambda", "Yield",
    "Pass", "Continue", "Break", "Name", "Attribute", "Constant", "Call", "keyword", "Subscript", "Slice",
    "Starred", "Tuple", "List", "Dict", "Set", "ListComp", "SetComp", "DictComp", "GeneratorExp",
    "comprehension", "IfExp", "JoinedStr", "FormattedValue", "BinOp", "UnaryOp", "BoolOp", "Compare",
    "NamedExpr", "Load", "Store", "Add", "Sub", "Mult", "Div", "FloorDiv", "Mod", "Pow", "MatMult", "BitAnd",
    "BitOr", "BitXor", "LShift", "RShift", "Invert", "Not", "UAdd", "USub", "And", "Or", "Eq", "NotEq", "Lt",
    "LtE", "Gt", "GtE", "Is", "IsNot", "In", "NotIn",
}  # fmt: skip


def check_program(source: str) -> None:
    """Checks that a program has only expected nodes, calls into expected modules, and defined names."""
    tree = ast.parse(source)
    assert not unseen(source, also="\n")
    nodes = list(ast.walk(tree))
    assert {type(node).__name__ for node in nodes} <= KINDS
    bound = set(bound_names(nodes))
    assert not bound & (MODULES | BUILTINS) - imported_names(nodes), "something hides what programs use"
    loaded = {node.id for node in nodes if isinstance(node, ast.Name)}
    assert loaded <= bound | BUILTINS
    for node in nodes:
        if isinstance(node, ast.Attribute):
            is_own = isinstance(node.value, ast.Name) and node.value.id == "self"
            assert is_own or not node.attr.startswith("_"), node.attr
        if isinstance(node, ast.Import):
            assert {item.name.partition(".")[0] for item in node.names} <= {
                "numpy", "scipy", "tensorflow", "torch", "jax", "math", "base64", "functools", "itertools", "string",
            }  # fmt: skip
        if isinstance(node, ast.ImportFrom):
            assert [node.module, *(item.name for item in node.names)] == ["typing", "NamedTuple"]


def bound_names(nodes: Sequence[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
    yield from imported_names(nodes)


def imported_names(nodes: Sequence[ast.AST]) -> set[str]:
    lines = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    return {(item.asname or item.name).partition(".")[0] for line in lines for item in line.names}


def graph_called(ids: Sequence[str], texts: Sequence[str], has_loss: bool) -> Graph:
    """Returns a small graph with these names, labels, names of page ports, and messages.

    The ids must be ten different ones.
    """
    x, w, exp, guard, use, product, rest, loss, inner_in, inner_out = ids[:10]
    text = itertools.cycle(texts)
    value = {"value": np.array([0.5, 1.0, 2.0])}
    ports = [f"in {next(text)}"[:200], f"{next(text)}"[:200] or "o", f"second {next(text)}"[:200]]
    blocks = [
        Block(x, "Input", label=next(text), parameters=value),
        Block(w, "Variable", label=next(text), parameters=value),
        Block(exp, "Exp", label=next(text)),
        Block(guard, "CheckNumerics", parameters={"message": next(text)}) if has_loss else Block(guard, "Tanh"),
        Block(use, "Page", label=next(text), parameters={"page": "p"}),
        Block(product, "Multiply", label=next(text)),
        Block(rest, "Softmax", label=next(text)),
        *([Block(loss, "Loss", label=next(text))] if has_loss else []),
    ]
    inner = Page(
        "p",
        {
            inner_in: Block(inner_in, "PageInput", parameters={"name": ports[0], **value}),
            inner_out: Block(inner_out, "PageOutput", parameters={"name": ports[1]}),
            x: Block(x, "PageOutput", parameters={"name": ports[2]}),
        },
        wires((f"{inner_in}.y", (inner_out, "x")), (f"{inner_in}.y", (x, "x"))),
    )
    ends = [(f"{w}.y", (exp, "x")), (f"{x}.y", (guard, "x")), (f"{exp}.y", (use, ports[0])), (f"{x}.y", (rest, "x"))]
    main_wires = wires(*ends, (f"{rest}.y", (product, "x")))
    main_wires[Port(product, "y")] = Wire(Port(use, ports[1]), Port(product, "y"))
    if has_loss:
        main_wires |= wires((f"{product}.z", (loss, "x")))
    frames, notes = (Frame("f", title=next(text), blocks=(x,)),), (Note("n", text=next(text), at=(0, 900)),)
    return Graph((Page("main", {item.id: item for item in blocks}, main_wires, frames=frames, notes=notes), inner))


def wires(*ends: tuple[str, tuple[str, str]]) -> dict[Port, Wire]:
    made = [Wire(Port(*source.split(".")), Port(*target)) for source, target in ends]
    return {wire.target: wire for wire in made}


def hostile_graphs() -> Iterator[Graph]:
    """Yields graphs, read back from a file, until all names have been used once."""
    ids, texts = hostile_ids(NAMES, 1), hostile_texts(NAMES, 2)
    for number, start in enumerate(range(0, NAMES - 9, 10)):
        made = graph_called(ids[start : start + 10], texts[start : start + 10], has_loss=number % 2 == 0)
        yield loads(dumps(made)).graph


def programs(graph: Graph) -> Iterator[str]:
    for framework in TARGETS:
        # Some frameworks have no line for a block.
        with contextlib.suppress(ExportError):
            yield export(graph, framework)


@pytest.mark.parametrize("name", random.Random(0).sample(example_names(), min(len(example_names()), count(6, 1_000))))
def test_programs_of_the_gallery_have_expected_nodes_only(name: str) -> None:
    for source in programs(load(example_path(name)).graph):
        check_program(source)


def test_names_come_into_programs_as_names_or_texts_only() -> None:
    tried = 0
    for graph in hostile_graphs():
        for source in programs(graph):
            check_program(source)
            tried += 1
    assert tried >= 3 * (NAMES // 10)


def test_programs_with_hostile_names_give_the_same_numbers() -> None:
    for graph in itertools.islice(hostile_graphs(), count(4, 40)):
        ran = run_program(export(graph, "numpy"))
        assert ran["largest"] < 1e-12
        assert not unseen(ran["printed"], also="\n")


def test_no_name_leaves_its_line_in_a_derivation() -> None:
    for graph in hostile_graphs():
        run = run_graph(graph)
        x = next(iter(graph.pages[0].blocks))
        for is_latex in (False, True):
            sheet = derivation(run, PortName(f"main/{x}", "y"), None, is_latex)
            assert not unseen(sheet, also="\n")


def test_pictures_show_names_as_letters(qtbot: QtBot) -> None:
    texts: list[str] = []
    for graph in hostile_graphs():
        picture = PagePicture(graph)
        drawn = ElementTree.fromstring(picture.svg(theme("light"), "<b>\u202e&\0"))
        picture.close()
        assert {item.tag.partition("}")[2] for item in drawn.iter()} <= SVG_TAGS
        texts += [item.text or "" for item in drawn.iter() if item.tag.endswith("}text")]
    assert len(texts) > NAMES // 2
    for text in texts:
        # Qt adds joiners to texts that it shortens.
        assert not unseen(text, also="\n\t\u200c\u200d"), repr(text)
        assert "\u0301" * 8 not in text


def test_terminals_are_told_nothing_but_letters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number, graph in enumerate(itertools.islice(hostile_graphs(), count(4, 200))):
        path = tmp_path / f"{number}\x1b[2J\u202e\n.graph"
        path.write_text(dumps(graph), encoding="utf-8")
        for arguments in (["run"], ["run", "--json"], ["check"], ["export", "--to", "torch"]):
            command_line.main([arguments[0], str(path), *arguments[1:]])
            told = capsys.readouterr()
            assert not unseen(told.out + told.err, also="\n"), arguments
            assert "went wrong inside" not in told.err
            if arguments[-1] == "--json":
                assert json.loads(told.out)["file"] == str(path)
