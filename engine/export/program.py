"""Graphs as programs for NumPy, TensorFlow, PyTorch and JAX: readable, alone on their feet, and checking themselves.

A program holds the inputs, computes the loss and the gradients of all inputs, and prints how far its numbers are from
those that Gradwire found. The NumPy program has its backward pass written out, the others have that of the framework.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass

from engine.block_type import Role
from engine.errors import ExportError
from engine.evaluate import run_graph
from engine.expression import Expression, applications_before
from engine.graph import Graph
from engine.lower import Lowered
from engine.plain_text import source_escaped
from engine.program_lines import Dialect, Lines
from engine.program_text import FreeNames, array_text, identifier, text_literal
from engine.snapshot import PortResult
from engine.tensor_spec import Array

NUMPY = Dialect("numpy", "NumPy", "{}", has_functions=True)
TENSORFLOW = Dialect("tensorflow", "TensorFlow", "tf.constant({})")
TORCH = Dialect("torch", "PyTorch", "torch.tensor({})")
JAX = Dialect("jax", "JAX", "jnp.array({})")
DIALECTS = {item.key: item for item in (NUMPY, TENSORFLOW, TORCH, JAX)}
_COMPARISON = '''

def deviation(a, b):
    """The largest difference between two arrays; NaN equals NaN."""
    a, b = np.asarray(a), np.asarray(b)
    is_same = (a == b) | ((a != a) & (b != b))
    return float(np.max(np.where(is_same, 0.0, np.abs(np.subtract(a, b, dtype=np.float64))), initial=0.0))


for name, value in found.items():
    print(f"{name} = {value}")
largest = max((deviation(found[name], expected[name]) for name in expected), default=0.0)
print(f"largest deviation from the numbers of Gradwire: {largest:.3g}")
'''


def export(graph: Graph, framework: str) -> str:
    """The source of a program for `framework`: numpy, tensorflow, torch or jax.

    Raises: ExportError for a graph with errors, and for blocks that the framework has no line for, by their names.
    """
    program = _Program(graph, DIALECTS[framework])
    return program.assemble(_BODIES[framework](program))


@dataclass(frozen=True, eq=False)
class _Leaf:
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
        """Why it has the gradient it has, for a comment."""
        return self.result.status.value + (f" by {', '.join(self.result.by)}" if self.result.by else "")


class _Program:
    """A graph on its way to a program; the methods that write lines are called in the order of the program."""

    def __init__(self, graph: Graph, dialect: Dialect) -> None:
        run = run_graph(graph)
        self._snapshot = run.snapshot
        errors = [item for item in self._snapshot.problems if item.severity == "error"]
        if errors:
            sentence = f"only a graph without errors can be exported; {errors[0].at}: {errors[0].message}"
            raise ExportError(sentence, errors[0].plugin)
        self.lowered: Lowered = run.lowered
        self.names = FreeNames()
        self.lines = Lines(dialect, self.names)
        # Whatever the blocks are called, the loss is called so at the end.
        self.names.take("loss")
        self._wanted = self._wanted_names()
        self.leaves = self._find_leaves()

    @property
    def differentiable(self) -> list[_Leaf]:
        """The leaves that have a gradient."""
        return [leaf for leaf in self.leaves if leaf.expression.spec.is_differentiable]

    @property
    def reached(self) -> list[_Leaf]:
        """Those of them that a gradient reaches."""
        return [leaf for leaf in self.differentiable if leaf.expression in self.lowered.backward.totals]

    def forward(self) -> list[str]:
        """The lines of all blocks but the leaves.

        Raises: ExportError for blocks that the framework has no line for.
        """
        held = {leaf.expression.application for leaf in self.leaves}
        order = applications_before(self.lowered.ports.values(), known=held)
        self.lines.write(order, self._wanted, self.lowered.ports.values(), given=self._given_names())
        self._check_refused()
        return self.lines.take_lines()

    def loss(self) -> str:
        """The text of the loss, several of them added up."""
        return " + ".join(self.lines.texts[item] for item in self.lowered.losses)

    def backward(self) -> list[str]:
        """The gradients of all differentiable leaves, written out."""
        backward = self.lowered.backward
        known = set(applications_before(self.lowered.ports.values()))
        targets = [backward.totals[leaf.expression] for leaf in self.reached]
        named: dict[Expression, str] = {}
        for expression in self.lowered.ports.values():
            total = backward.totals.get(expression)
            if total is not None and total.application not in known:
                named.setdefault(total, f"g_{self.lines.texts[expression]}")
        own = {backward.totals[leaf.expression]: leaf.gradient for leaf in reversed(self.reached)}
        order = applications_before(targets, known)
        self.lines.write(order, {**named, **own}, targets, given=own)
        self._check_refused()
        written = self.lines.take_lines()
        for leaf in self.reached:
            text = self.lines.texts[backward.totals[leaf.expression]]
            written += [f"{leaf.gradient} = {text}"] if text != leaf.gradient else []
        return written + self.cut_off("np.zeros_like({})")

    def cut_off(self, zeros: str) -> list[str]:
        """A zero for each differentiable leaf that no gradient reaches, and why none does."""
        rest = [leaf for leaf in self.differentiable if leaf not in self.reached]
        return [f"{leaf.gradient} = {zeros.format(leaf.name)}  # {leaf.why}" for leaf in rest]

    def comparison(self, as_array: str) -> list[str]:
        """What was found beside what Gradwire found; `as_array` makes a NumPy array of a tensor."""
        found = self._found()
        return [
            "# What Gradwire found.",
            "expected = {",
            *(f"    {text_literal(label)}: {array_text(array)}," for label, _, array in found),
            "}",
            "found = {",
            *(f"    {text_literal(label)}: {as_array.format(text)}," for label, text, _ in found),
            "}",
            *_COMPARISON.rstrip("\n").split("\n"),
        ]

    def assemble(self, body: list[str]) -> str:
        """The whole program around its body."""
        title = self.lines.dialect.title
        text = "\n\n\n".join([*self.lines.functions.definitions, "\n".join(body)])
        imports = {"import numpy as np", *self.lines.functions.imports, *_needed_imports(text)}
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
            ports = [(name, item) for name, item in self.lowered.ports.items() if item in self._wanted]
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
        """What each port is to be called: after its block, with the port where a block has several."""
        wanted = {}
        for port, expression in self.lowered.ports.items():
            instance = self.lowered.inferred.expanded.instances[port.path]
            if instance.role is not Role.REROUTE:
                name = "_".join(port.path.split("/")[1:])
                is_one = len(self.lowered.inferred.outputs[port.path]) == 1
                wanted[expression] = identifier(name if is_one else f"{name}_{port.port}")
        return wanted

    def _given_names(self) -> dict[Expression, str]:
        losses = self.lowered.losses
        return {losses[0]: "loss"} if len(losses) == 1 and self._wanted.get(losses[0]) == "loss" else {}

    def _find_leaves(self) -> list[_Leaf]:
        found = []
        for port, expression in self.lowered.ports.items():
            application = expression.application
            if application.type.role is Role.SOURCE and "value" in application.parameters:
                name = self.names.take(self._wanted.pop(expression))
                self.lines.texts[expression] = name
                found.append((name, expression, self._snapshot.ports[port]))
        # However the blocks are called, each gradient has a name of its own.
        return [_Leaf(name, self.names.take(f"g_{name}"), item, result) for name, item, result in found]

    def _check_refused(self) -> None:
        for application, error in self.lines.failed.items():
            raise ExportError(f"{self.lowered.owners.get(application, 'a gradient')}: {error.sentence}", error.plugin)
        refused = self.lines.refused
        if refused:
            named = "; ".join(
                f"{block_type.name} ({', '.join(self.lowered.owners.get(item, 'a gradient') for item in items)})"
                for block_type, items in refused.items()
            )
            title = self.lines.dialect.title
            raise ExportError(f"{title} has no line for {named}; export to NumPy, which has all blocks")


def _numpy_body(program: _Program) -> list[str]:
    leaves = [f"{leaf.name} = {leaf.line}" for leaf in program.leaves]
    forward = program.forward()
    body = ["# NaN and infinity are results here, not accidents.", 'np.seterr(all="ignore")', ""]
    body += ["# Inputs", *leaves, "", "# Forward", *forward, *_loss_line(program), ""]
    if program.lowered.losses:
        body += ["# Backward", *program.backward(), ""]
    return [*body, *program.comparison("{}")]


def _tensorflow_body(program: _Program) -> list[str]:
    leaves = [f"{leaf.name} = {_tensorflow_leaf(leaf)}" for leaf in program.leaves]
    body = ["# Inputs", *leaves, "", "# Forward"]
    names = ", ".join(leaf.name for leaf in program.reached)
    forward = [*program.forward(), *_loss_line(program)]
    if names:
        body += ["with tf.GradientTape() as tape:", f"    tape.watch([{names}])", *_indented(forward), "", "# Backward"]
        body += [f"{_targets(program)} = tape.gradient(loss, [{names}])"]
    else:
        body += forward
    return [*body, *program.cut_off("tf.zeros_like({})"), "", *program.comparison("tf.convert_to_tensor({}).numpy()")]


def _tensorflow_leaf(leaf: _Leaf) -> str:
    return f"tf.{'Variable' if 'trainable' in leaf.expression.application.parameters else 'constant'}({leaf.line})"


def _torch_body(program: _Program) -> list[str]:
    reached = set(program.reached)
    body = ["# Inputs"]
    for leaf in program.leaves:
        body.append(f"{leaf.name} = torch.tensor({leaf.line}{', requires_grad=True' if leaf in reached else ''})")
    body += ["", "# Forward", *program.forward(), *_loss_line(program), ""]
    if reached:
        names = ", ".join(leaf.name for leaf in program.reached)
        body += ["# Backward", f"{_targets(program)} = torch.autograd.grad(loss, [{names}])"]
    return [*body, *program.cut_off("torch.zeros_like({})"), "", *program.comparison("{}.detach().numpy()")]


def _jax_body(program: _Program) -> list[str]:
    body = ["# As wide as in Gradwire: JAX would round to float32.", 'jax.config.update("jax_enable_x64", True)', ""]
    body += ["# Inputs", *(f"{leaf.name} = jnp.array({leaf.line})" for leaf in program.leaves), ""]
    forward = program.forward()
    if not program.reached:
        return [
            *body,
            *forward,
            *_loss_line(program),
            *program.cut_off("jnp.zeros_like({})"),
            "",
            *program.comparison("{}"),
        ]
    names = ", ".join(leaf.name for leaf in program.reached)
    compute = program.names.take("compute_loss")
    body += ["", f"def {compute}({names}):", *_indented([*forward, f"return {program.loss()}"]), "", ""]
    numbers = ", ".join(map(str, range(len(program.reached))))
    differentiated = f"jax.value_and_grad({compute}, argnums=({numbers},))"
    body += [f"loss, ({_targets(program)}) = {differentiated}({names})"]
    return [*body, *program.cut_off("jnp.zeros_like({})"), "", *program.comparison("{}")]


def _loss_line(program: _Program) -> list[str]:
    """The loss under the name that the rest of the program uses, unless its block is called so."""
    text = program.loss()
    return [f"loss = {text}"] if text not in ("", "loss") else []


def _targets(program: _Program) -> str:
    """The gradients as the left side of an assignment from a sequence."""
    names = [leaf.gradient for leaf in program.reached]
    return f"{names[0]}," if len(names) == 1 else ", ".join(names)


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


_IMPORTS = {
    "tf": "import tensorflow as tf",
    "torch": "import torch",
    "jax": "import jax",
    "jnp": "import jax.numpy as jnp",
    "math": "import math",
    "base64": "import base64",
}
# Packages whose parts have to be imported one by one.
_PART = re.compile(r"(scipy|jax\.scipy)\.[a-z]+")


def _needed_imports(text: str) -> set[str]:
    """The imports of the modules that a program uses."""
    used = {ast.unparse(node) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Attribute)}
    modules = {name.partition(".")[0] for name in used}
    return {line for name, line in _IMPORTS.items() if name in modules} | {
        f"import {name}" for name in used if _PART.fullmatch(name)
    }


_BODIES: dict[str, Callable[[_Program], list[str]]] = {
    "numpy": _numpy_body,
    "tensorflow": _tensorflow_body,
    "torch": _torch_body,
    "jax": _jax_body,
}
