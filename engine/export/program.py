"""A graph on its way to a program: what all targets share, whatever library their lines are written for."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

import numpy as np

from gradwire.engine.autodiff.lowered import Lowered
from gradwire.engine.base.errors import ExportError
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.base.untrusted_text import source_escaped
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Application, Expression, topological_order
from gradwire.engine.blocktypes.target import Target
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.evaluation.snapshot import PortResult
from gradwire.engine.export.operation_lines import OperationLines
from gradwire.engine.export.program_lines import Lines
from gradwire.engine.export.program_text import CHECKED, FreeNames, array_text, identifier, text_literal
from gradwire.engine.graph.graph import Graph
from gradwire.engine.graph.paths import flat_name

# Modules that programs for every target may use.
_MODULES = {"math": "import math", "base64": "import base64"}
_COMPARISON = '''

def deviation(a, b):
    """The largest difference between two arrays; NaN equals NaN."""
    a, b = np.asarray(a), np.asarray(b)
    is_same = (a == b) | ((a != a) & (b != b))
    with np.errstate(invalid="ignore"):
        distance = np.abs(np.subtract(a, b, dtype=np.float64))
    return float(np.max(np.where(is_same, 0.0, distance), initial=0.0))


for name, value in found.items():
    print(f"{name} = {value}")
# NaN, which no comparison finds greater, counts as the largest of all.
largest = float(np.max([deviation(found[name], expected[name]) for name in expected], initial=0.0))
print(f"largest deviation from the numbers of Gradwire: {largest:.3g}")
'''


@dataclass(frozen=True, eq=False)
class Leaf:
    """A tensor that the program holds: its name and that of its gradient, and what Gradwire found for it."""

    name: str
    gradient: str
    expression: Expression
    result: PortResult

    @property
    def line(self) -> str:
        """The NumPy source of the tensor."""
        return array_text(self.expression.application.parameters["value"])

    @property
    def why(self) -> str:
        """The reason for its gradient, for a comment."""
        return self.result.status.value + (f" by {', '.join(self.result.by)}" if self.result.by else "")


class Program:
    """A graph on its way to a program; the methods that write lines are called in the order of the program."""

    def __init__(self, graph: Graph, target: Target) -> None:
        run = run_graph(graph)
        self._snapshot = run.snapshot
        errors = [item for item in self._snapshot.problems if item.severity == "error"]
        if errors:
            sentence = f"only a graph without errors can be exported; {errors[0].at}: {errors[0].message}"
            raise ExportError(sentence, errors[0].plugin)
        self.lowered: Lowered = run.lowered
        # The blocks of pages that give gradients are part of what the library differentiates.
        self._ports, _ = self.lowered.forward_ports()
        self.target = target
        self.names = FreeNames(target.imports)
        self.lines = OperationLines(target, self.names) if target.operation else Lines(target, self.names)
        # The loss has this name at the end, whatever the blocks are called.
        self.names.take("loss")
        self._wanted = self._wanted_names()
        self.leaves = self._find_leaves()

    @property
    def differentiable(self) -> list[Leaf]:
        """The leaves that have a gradient."""
        return [leaf for leaf in self.leaves if leaf.expression.spec.is_differentiable]

    @property
    def reached(self) -> list[Leaf]:
        """The differentiable leaves that a gradient reaches."""
        return [leaf for leaf in self.differentiable if leaf.expression in self.lowered.backward.totals]

    def forward(self) -> list[str]:
        """Returns the lines of all blocks but the leaves.

        Raises: ExportError for blocks that the target has no line for.
        """
        held = {leaf.expression.application for leaf in self.leaves}
        order = topological_order(self._ports, known=held)
        self.lines.write(order, self._wanted, self._ports, given=self._given_names())
        self._check_refused()
        return self.lines.take_lines()

    def loss(self) -> str:
        """Returns the text of the loss, several of them added up in the widest of their dtypes."""
        losses, cast = self.lowered.losses, self.target.cast
        widest = np.result_type(*(item.dtype for item in losses)) if losses else None
        texts = [(self.lines.texts[item], item.dtype != widest) for item in losses]
        return " + ".join(cast.format(text, widest) if is_narrow else text for text, is_narrow in texts)

    def backward(self) -> list[str]:
        """Returns the lines of the gradients of all differentiable leaves."""
        backward = self.lowered.backward
        known = {*topological_order(self._ports), *(leaf.expression.application for leaf in self.leaves)}
        targets = [backward.totals[leaf.expression] for leaf in self.reached]
        named: dict[Expression, str] = {}
        for expression in self._ports:
            total = backward.totals.get(expression)
            if total is not None and total.application not in known:
                named.setdefault(total, f"g_{self.lines.texts[expression]}")
        own = {backward.totals[leaf.expression]: leaf.gradient for leaf in reversed(self.reached)}
        order = topological_order(targets, known)
        self.lines.write(order, {**named, **own}, targets, given=own)
        self._check_refused()
        written = self.lines.take_lines()
        for leaf in self.reached:
            text = self.lines.texts[backward.totals[leaf.expression]]
            written += [f"{leaf.gradient} = {text}"] if text != leaf.gradient else []
        return written + self.cut_off(self.target.renamed("np.zeros_like({})"))

    def cut_off(self, zeros: str) -> list[str]:
        """Returns a zero for each differentiable leaf that no gradient reaches, with the reason."""
        rest = [leaf for leaf in self.differentiable if leaf not in self.reached]
        return [f"{leaf.gradient} = {zeros.format(leaf.name)}  # {leaf.why}" for leaf in rest]

    def comparison(self) -> list[str]:
        """Returns the lines that compare."""
        found, as_array = self._found(), self.target.as_array
        return [
            CHECKED,
            "expected = {",
            *(f"    {text_literal(label)}: {array_text(array)}," for label, _, array in found),
            "}",
            "found = {",
            *(f"    {text_literal(label)}: {as_array.format(text)}," for label, text, _ in found),
            "}",
            *_COMPARISON.rstrip("\n").split("\n"),
        ]

    def assemble(self, body: list[str]) -> str:
        """Returns the whole program around its body."""
        title = self.target.title
        text = "\n\n\n".join([*self.lines.functions.definitions, "\n".join(body)])
        imports = {"import numpy as np", *self.lines.functions.imports, *_needed_imports(text, self.target)}
        lines = [
            f'"""A graph of Gradwire as a program for {title}: its loss, and the gradients of its inputs."""',
            "",
            *sorted(imports),
            *["", ""][: 1 + bool(self.lines.functions.definitions)],
            text,
            "",
        ]
        return source_escaped("\n".join(lines))

    def _found(self) -> list[tuple[str, str, Array]]:
        loss = self._snapshot.loss
        if loss is None or loss.value is None:
            ports = [(name, item) for name, item in self.lowered.ports.items() if item in self.lines.texts]
            ports = [(name, item) for name, item in ports if item in self._wanted]
            # Ends of pages have no results of their own.
            values = [
                (name, item, self._snapshot.ports[name].value) for name, item in ports if name in self._snapshot.ports
            ]
            return [(str(name), self.lines.texts[item], value) for name, item, value in values if value is not None]
        gradients = [
            (f"gradient of {leaf.name}", leaf.gradient, leaf.result.gradient)
            for leaf in self.differentiable
            if leaf.result.gradient is not None
        ]
        return [("loss", "loss", loss.value), *gradients]

    def _wanted_names(self) -> dict[Expression, str]:
        """Returns a name for each port: that of its block, with the port where a block has several."""
        wanted = {}
        for port, expression in self.lowered.ports.items():
            instance = self.lowered.inferred.expanded.instances[port.path]
            if instance.role is not Role.REROUTE:
                name = flat_name(port.path)
                is_one = len(self.lowered.inferred.outputs[port.path]) == 1
                wanted[expression] = identifier(name if is_one else f"{name}_{port.port}")
        return wanted

    def _given_names(self) -> dict[Expression, str]:
        losses = self.lowered.losses
        return {losses[0]: "loss"} if len(losses) == 1 and self._wanted.get(losses[0]) == "loss" else {}

    def _find_leaves(self) -> list[Leaf]:
        found = []
        for port, expression in self.lowered.ports.items():
            application = expression.application
            if application.type.role is Role.SOURCE and "value" in application.parameters:
                name = self.names.take(self._wanted.pop(expression))
                self.lines.texts[expression] = name
                found.append((name, expression, self._snapshot.ports[port]))
        # Each gradient has a name of its own, however the blocks are called.
        return [Leaf(name, self.names.take(f"g_{name}"), item, result) for name, item, result in found]

    def _check_refused(self) -> None:
        for application, error in self.lines.failed.items():
            raise ExportError(f"{self.lowered.owners.get(application, 'a gradient')}: {error.sentence}", error.plugin)
        refused: dict[str, dict[str, None]] = {}
        for application in self.lines.refused:
            path = self.lowered.owners.get(application, "a gradient")
            refused.setdefault(self._type_name(path, application), {})[path] = None
        if refused:
            named = "; ".join(f"{name} ({', '.join(paths)})" for name, paths in refused.items())
            title = self.target.title
            raise ExportError(f"{title} has no line for {named}; export to NumPy, which has all blocks")

    def _type_name(self, path: str, application: Application) -> str:
        """Returns the type of the block that the user placed, of which the application may be an inner part."""
        instance = self.lowered.inferred.expanded.instances.get(path)
        return application.type.name if instance is None or instance.type is None else instance.type.name


def loss_line(program: Program) -> list[str]:
    """Returns the line that renames the loss as the rest of the program calls it, if needed."""
    text = program.loss()
    return [f"loss = {text}"] if text not in ("", "loss") else []


def gradient_names(program: Program) -> str:
    """Returns the gradients as the left side of an assignment from a sequence."""
    names = [leaf.gradient for leaf in program.reached]
    return f"{names[0]}," if len(names) == 1 else ", ".join(names)


def indented(lines: list[str]) -> list[str]:
    """Returns the lines as they stand inside a block of Python."""
    return [f"    {line}" for line in lines]


def _needed_imports(text: str, target: Target) -> set[str]:
    """Returns the imports of the modules that a program uses."""
    used = {_dotted(node) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Attribute)}
    modules = {name.partition(".")[0] for name in used}
    known = {**_MODULES, **target.imports}
    # The parts of some packages have to be imported one by one.
    packages = "|".join(map(re.escape, ("scipy", *target.packages)))
    parts = {name for name in used if re.fullmatch(rf"({packages})\.[a-z]+", name)}
    return {line for name, line in known.items() if name in modules} | {f"import {name}" for name in parts}


def _dotted(node: ast.expr) -> str:
    """Returns names with dots between them as source, and no text for parts of other expressions."""
    if isinstance(node, ast.Attribute):
        owner = _dotted(node.value)
        return owner and f"{owner}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""
