"""The public face of Gradwire: write a graph in Python, evaluate it, ask for values, gradients and statuses.

Every block type is a function here: `gw.ReduceMax(x, axis=0)`. Called with expressions it gives an expression, with
arrays it computes at once.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from os import PathLike
from os.path import lexists
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gradwire import layers
from gradwire.blocks.update_rules import adam, descent, momentum  # with the package, plug-ins
from gradwire.engine.autodiff.graph_from_expressions import trace as _trace
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.errors import AttributeUnknownError, BlockError, FileError, GradwireError
from gradwire.engine.base.nearest import nearest
from gradwire.engine.base.tensor_spec import Array, type_names
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.held import holding
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.update_rule import RULES, UpdateRule
from gradwire.engine.explain.checks.check import GradientCheck
from gradwire.engine.explain.checks.check import check_gradients as _check_gradients
from gradwire.engine.files.files import load as _load
from gradwire.engine.files.files import save as _save
from gradwire.engine.graph.graph import Graph
from gradwire.notebooks import show_in_notebooks
from gradwire.pages import PageFunction, page
from gradwire.runs import AnyRun, Run, evaluate, expression_of, graph_of, with_loss
from gradwire.tools import (
    Check,
    Data,
    advice,
    block,
    check,
    diff,
    export,
    html,
    render,
    show,
    update_rule,
    without_contents,
)

if TYPE_CHECKING:
    from gradwire.engine.training.state import State
    from gradwire.engine.training.trained_run import TrainedRun
    from gradwire.engine.training.training import Training
    from gradwire.reports import WhyReport

_DTYPES = frozenset(type_names)

__all__ = [
    "AnyRun",
    "Check",
    "Constant",
    "Data",
    "Expression",
    "GradwireError",
    "Graph",
    "Input",
    "PageFunction",
    "Run",
    "Status",
    "UpdateRule",
    "Variable",
    "adam",
    "advice",
    "block",
    "check",
    "check_gradients",
    "descent",
    "diff",
    "evaluate",
    "export",
    "from_code",
    "from_onnx",
    "from_pt2",
    "from_torch",
    "graph",
    "html",
    "layers",
    "linalg",
    "load",
    "momentum",
    "no_grad",
    "notices",
    "page",
    "render",
    "save",
    "show",
    "svg",
    "train",
    "training",
    "values",
    "why",
]


def Input(
    value: object, *, name: str | None = None, minimum: float | None = None, maximum: float | None = None
) -> Expression:
    """A tensor that is fed in; Python numbers become float64, NumPy arrays keep their dtype."""
    made: Expression = library["Input"](value=value, name=name, minimum=minimum, maximum=maximum)
    return made


def Constant(value: object, *, name: str | None = None) -> Expression:
    """A fixed tensor."""
    made: Expression = library["Constant"](value=value, name=name)
    return made


def Variable(
    value: object = None,
    *,
    shape: Iterable[int] | None = None,
    start: str | Mapping[str, object] | None = None,
    seed: int | None = None,
    name: str | None = None,
    trainable: bool = True,
) -> Expression:
    """A tensor that training changes: a value, or a shape and a start, from which its numbers are drawn.

    `Variable(shape=(3, 8), start="glorot_uniform", seed=1)` has the same numbers on every machine. Kinds of starts are
    zeros, ones, constant, normal, uniform, glorot_uniform, glorot_normal, he_normal and orthogonal; settings of a kind
    stand beside it: `start={"kind": "normal", "stddev": 0.1}`.
    Raises: ParameterError if it has neither a value nor a start, or the shape does not fit.
    """
    sizes = None if shape is None else tuple(shape)
    chosen = {"kind": start} if isinstance(start, str) else start
    if seed is not None:
        chosen = {**(chosen or {}), "seed": seed}
    made: Expression = library["Variable"](value=value, shape=sizes, start=chosen, name=name, trainable=trainable)
    return made


def __getattr__(name: str) -> Any:  # Any: a block type, a function, a dtype
    if name in _DTYPES:
        return np.dtype(name)
    if name.startswith("_"):
        # Tools ask every module for such names; looking for near ones takes long.
        raise AttributeUnknownError(f"Gradwire has no {name}")
    found = library.get(name)
    if found is not None:
        return found
    if name in RULES:
        return update_rule(name)
    from gradwire.blocks.names.table import names  # with all families of blocks

    spoken = names().find(name)
    if spoken is None:
        near = nearest(name, dir(sys.modules[__name__]))
        hint = f"; the nearest are {', '.join(near)}" if near else ""
        raise AttributeUnknownError(f"Gradwire has no block type or function {name}{hint}")
    if spoken.meaning.refusal:
        raise AttributeUnknownError(spoken.meaning.refusal)
    return spoken.meaning


def __dir__() -> list[str]:
    from gradwire.blocks.names.table import names

    found = {*(name for name, _ in names().functions()), *(item.name for item in library.for_users())}
    # Those of plug-ins and scripts are called by a name with a dot.
    return sorted({*__all__, *_DTYPES, *RULES, *filter(str.isidentifier, found)})


class _Linalg:
    """Functions of vectors and matrices that NumPy and PyTorch have in `linalg`."""

    def __getattr__(self, name: str) -> Any:  # Any: a function
        from gradwire.blocks.names.table import names

        for written in (f"linalg.{name}", f"np.linalg.{name}", f"torch.linalg.{name}"):
            if spoken := names().find(written):
                return spoken.meaning
        raise AttributeUnknownError(f"linalg has no function {name} here")


linalg = _Linalg()


def no_grad() -> AbstractContextManager[None]:
    """A region of a program: `with gw.no_grad():`; no gradient passes what is computed inside and used outside."""
    return holding()


def graph(*expressions: Expression) -> Graph:
    """Returns the graph of all that the expressions are computed from.

    Raises: GradwireError if something else is given.
    """
    return _trace([expression_of(item) for item in expressions]).graph


@holding(is_on=False)
def svg(target: Graph | Expression, theme: Literal["dark", "light"] = "light") -> str:
    """Returns the first page of a graph as SVG text, drawn as in the editor, with values and gradients.

    Notebooks show graphs, expressions and runs by themselves: as pages that run, or this way where none may run.
    """
    from gradwire.app.cli.rendering import svg_text  # loads Qt, which scripts do without

    return svg_text(target if isinstance(target, Graph) else graph(target), theme)


@holding(is_on=False)
def check_gradients(*targets: Expression | Graph) -> GradientCheck:
    """Compares the gradient on every wire with central differences."""
    return _check_gradients(evaluate(*targets).graph)


@holding(is_on=False)
def train(
    target: Graph | Expression,
    steps: int | None = None,
    *,
    data: Mapping[str, object] | None = None,
    until: Mapping[str, object] | None = None,
    without: str | Iterable[str] = (),
    seed: int | None = None,
    threads: int = 1,
    folder: str | PathLike[str] | None = None,
    resume: State | str | PathLike[str] | bool = True,
) -> TrainedRun:
    """Trains a graph by its plan for so many steps, or until the plan ends, and returns what has been logged.

    `data` gives Inputs other values, and Data blocks rows with their labels, `(x, y)`; `folder` holds files that Data
    blocks may read. `until` replaces that key of the plan. `without` names StopGradients to ignore. `resume` is a state
    or its file; False begins anew where the graph keeps a state of its own.
    Raises: GradwireError if anything of that is wrong, TrainingStopped before a number that is not finite is written.
    """
    from gradwire.engine.training.trained_run import train  # what the window does not need

    whole = target if isinstance(target, Graph) else graph(*with_loss([target]))
    return train(
        whole, steps, data=data, until=until, without=without, seed=seed, threads=threads, folder=folder, resume=resume
    )


@holding(is_on=False)
def training(
    target: Expression | Graph, rule: UpdateRule | None = None, *, watch: Iterable[str] = (), threads: int = 1
) -> Training:
    """Returns a graph laid out to be run step by step; after each step its variables have moved by the rule.

    Without a Loss the sum of the expression is the loss.
    `training(loss, descent(0.1)).step({"x": batch})` gives the loss, `.graph` the graph with the newest values.
    Raises: GradwireError if the graph has an error or no Loss, NameUnknownError if a watched port is not there.
    """
    from gradwire.engine.training.training import Training  # what the window does not need

    whole = target if isinstance(target, Graph) else graph(*with_loss([target]))
    return Training(whole, rule, watch=watch, threads=threads)


def load(path: str | PathLike[str]) -> Graph:
    """Returns the graph in a `.graph` file, or the example of that name: `load("softmax_stable")`.

    Raises: FileError, with line and column, if it cannot be read.
    """
    if not lexists(path):
        from gradwire.app.base.examples import example_names, example_path

        if str(path) in example_names():
            return _load(example_path(str(path))).graph
        near = nearest(str(path), example_names()) if str(path).isidentifier() else []
        if near:
            raise FileError(f"There is no file or example {path}; the nearest examples are {', '.join(near)}.")
    return _load(path).graph


def from_code(text: str, *, rest: bool = False) -> Graph:
    """Returns the graph of a formula, or of lines of NumPy, PyTorch, TensorFlow, JAX or Keras; nothing of it is run.

    `from_code("p = softmax(x - stop(max(x)))")`: blocks have the names of the text, and names that it does not bind
    become Inputs. With `rest` what has no block is left out, and what it would have named is an Input.
    Raises: GradwireError, with line and column, for what has no block.
    """
    from gradwire.interop.code.from_code import from_code as read  # scripts without it do without the table of names

    return read(text, rest)


def from_onnx(
    path: str | PathLike[str] | bytes,
    inputs: Mapping[str, Any] | None = None,  # Any: as NumPy's
    *,
    train: bool = True,
) -> Graph:
    """Returns the graph of an ONNX model; needs no library of ONNX, and runs nothing of the file.

    Weights are Variables (with `train=False` constants), scopes pages, and each block keeps the name of its node.
    `inputs` has the numbers of inputs by name; others are drawn with seed 0. A scalar output is the Loss.
    Raises: GradwireError, with what to do, for what cannot come in.
    """
    from gradwire.interop.onnx.from_onnx import from_onnx as read  # scripts without it do without ONNX's operators

    return read(path if isinstance(path, bytes) else Path(path), inputs, train=train)


def from_pt2(path: str | PathLike[str] | bytes, inputs: Mapping[str, Any] | None = None) -> Graph:  # Any: as NumPy's
    """Returns the graph of a model that `torch.export.save` has written; needs no PyTorch, and runs nothing of it.

    Parameters are Variables, modules pages, and each block keeps its line of source. `inputs` has the numbers of inputs
    by name; others are drawn with seed 0. A scalar output is the Loss.
    Raises: GradwireError, with what to do, for what cannot come in.
    """
    from gradwire.interop.pt2.from_pt2 import from_pt2 as read  # scripts without it do without PyTorch's operations

    return read(path if isinstance(path, bytes) else Path(path), inputs)


def from_torch(target: Any, *arguments: Any, check: bool = True, **keywords: Any) -> Graph:  # Any: PyTorch's
    """Returns the graph of a module, a function or an exported program of PyTorch, called with these arguments.

    `from_torch(model.eval(), x)`: parameters are Variables (`net_0_weight`), arguments Inputs, modules pages. It is
    compared with one backward pass of PyTorch, which changes nothing; `check=False` skips this.
    Raises: GradwireError, with what to do, for what cannot come in or has another gradient than in PyTorch.
    """
    from gradwire.interop.torch.from_torch import from_torch as read  # scripts without it do without its operations

    return read(target, *arguments, check=check, **keywords)


@holding(is_on=False)
def why(target: Any, *arguments: Any, **keywords: Any) -> WhyReport:  # Any: PyTorch's, graphs, runs, files
    """Returns why parameters do not learn: each whose gradient is zero, blocked, NaN, exploding, or nearly nothing.

    `print(why(model, x))` names parameters, cause and line of source, the most important first; `.findings` has records
    with `parameter`, `status`, `cause`, `where`, `sentence`, and `.ok` says that all is well. `.save("why.html")`
    writes a page of it that begins at the guilty block; a notebook shows that by itself. A module or a function of
    PyTorch comes with its arguments, a `.pt2` or `.onnx` file with its inputs by name; a graph, an expression, a run or
    a `.graph` file stand alone. Without a single number among its results a mean of them is the loss, as a note says.
    Raises: GradwireError, with what to do, for what cannot come in or has no loss.
    """
    from gradwire.interop.why.why import why as find  # scripts without it do without PyTorch's operations
    from gradwire.reports import WhyReport

    if isinstance(target, Expression):
        target = graph(*with_loss([target]))
    found = find(target.evaluation if isinstance(target, AnyRun) else target, *arguments, **keywords)
    return WhyReport(found.findings, found.parameters, found.notes, found.graph)


def notices(graph: Graph) -> list[str]:
    """Returns a line for each thing that was left out, drawn or decided when the graph came in from outside.

    Raises: GradwireError if something else is given.
    """
    if not isinstance(graph, Graph):
        raise GradwireError(f"Give a graph, not {type(graph).__name__}.")
    from gradwire.interop.models.graphs import notices_of  # what only models need

    return notices_of(graph)


def values(graph: Graph) -> dict[str, Array]:
    """Returns the numbers of all Variables, those of a start written out: what goes back into a model.

    A Variable that came in with a model has the name of its parameter there, `fc1.weight`; any other one has `page/id`.
    `model.load_state_dict({k: torch.tensor(v) for k, v in gw.values(graph).items()}, strict=False)` takes them back.
    Raises: GradwireError if something else is given, or the numbers of one are missing.
    """
    if not isinstance(graph, Graph):
        raise GradwireError(f"Give a graph, not {type(graph).__name__}.")
    from gradwire.interop.models.graphs import PARAMETER  # what only models need

    found: dict[str, Array] = {}
    for whole in graph.pages:
        for name, item in whole.blocks.items():
            path, given = f"{whole.name}/{name}", item.extra.get(PARAMETER)
            block_type = library.get(item.type)
            if block_type is None or not block_type.is_variable:
                continue
            # A copy of a Variable has its notes, too.
            key = given if isinstance(given, str) and given and given not in found else path
            try:
                found[key] = block_type.normalize(item.parameters)["value"]
            except BlockError as error:
                raise GradwireError(f"{path}: {error.sentence}") from error
    return found


def save(target: Graph | Expression, path: str | PathLike[str]) -> None:
    """Writes a `.graph` file, whole or not at all.

    Raises: FileError if it cannot be written.
    """
    _save(without_contents(target if isinstance(target, Graph) else graph(target)), path)


show_in_notebooks(graph_of, Graph, Expression)
