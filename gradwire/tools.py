"""The work of the commands, for scripts: checks, advice, programs, pictures; and blocks and data of one's own."""

from __future__ import annotations

import math
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import PathLike, path
from pathlib import Path
from typing import Any, Literal, overload

from gradwire.engine.base.errors import GradwireError, PluginError
from gradwire.engine.base.problems import Problem
from gradwire.engine.base.processes.python_process import child_command
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.blocktypes.block_type import block as _declared
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.held import holding
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.update_rule import RULES, UpdateRule
from gradwire.engine.graph.block_parameters import with_parameters
from gradwire.engine.graph.graph import Graph
from gradwire.runs import graph_of

# The title of a page whose graph has no name.
TITLE = "Gradwire"

Target = Graph | Expression
Framework = Literal["numpy", "tensorflow", "torch", "jax"]


@dataclass(frozen=True)
class Check:
    """Everything that `check` finds, each as one sentence; `advice` and warnings alone do not make it fail."""

    problems: tuple[str, ...]
    mismatches: tuple[str, ...]
    failed: tuple[str, ...]
    advice: tuple[str, ...]
    has_errors: bool

    @property
    def ok(self) -> bool:
        """True if no block has an error, all gradients equal difference quotients, and the graph's checks hold."""
        return not (self.has_errors or self.mismatches or self.failed)

    def __repr__(self) -> str:
        found = (*self.problems, *self.mismatches, *self.failed, *self.advice)
        return "\n".join(["ok" if self.ok else "failed", *found])


@holding(is_on=False)
def check(target: Target) -> Check:
    """Checks a graph as `gradwire check` does: its run, gradients by differences, its own checks, and advice."""
    from gradwire.app.cli.check_report import (
        contract_sentence,
        meant_sentences,
        mismatch_sentences,
    )  # words of the command
    from gradwire.engine.evaluation.evaluate import run_graph
    from gradwire.engine.explain.checks.check import check_gradients
    from gradwire.engine.explain.contracts import run_checks

    whole = graph_of(target)
    run = run_graph(whole)
    compared = check_gradients(whole)
    contracts = (item for item in run_checks(whole, run.snapshot) if not item.holds)
    return Check(
        (
            *map(_sentence, run.snapshot.problems),
            *(f"info: {at}: {sentence}" for at, sentence in meant_sentences(compared)),
        ),
        tuple(f"error: {at}: {sentence}" for at, sentence in mismatch_sentences(compared)),
        tuple(f"error: {contract_sentence(item)}" for item in contracts),
        tuple(advice(whole)),
        run.snapshot.has_errors,
    )


@holding(is_on=False)
def advice(target: Target) -> list[str]:
    """Returns advice about common mistakes with gradients, one sentence each, with the fix where there is one."""
    from gradwire.engine.advice.advice import advise  # tries fixes, which scripts seldom need
    from gradwire.engine.evaluation.evaluate import run_graph

    found = advise(run_graph(graph_of(target)), seconds=math.inf).findings
    return [_sentence(item.problem) + (f" Fix: {item.fix.text}." if item.fix else "") for item in found]


def _sentence(problem: Problem) -> str:
    return f"{problem.severity}: {problem.at}: {problem.message}"


@holding(is_on=False)
def export(target: Target, to: Framework = "torch", output: str | PathLike[str] | None = None) -> str:
    """Returns a graph as a program for numpy, tensorflow, torch or jax, and writes it if `output` names a file.

    Raises: ExportError for a graph with errors, and for blocks that the framework has no line for, by their names.
    """
    from gradwire.engine.export.export import export as program_of
    from gradwire.engine.export.export import targets  # all targets
    from gradwire.engine.files.outputs import PROGRAM, Output

    if to not in targets():
        raise GradwireError(f"There is no target {to}; there are: {', '.join(targets())}.")
    program = program_of(graph_of(target), to)
    if output is not None:
        Output(output, PROGRAM).write(program.encode("utf-8", "backslashreplace"))
    return program


@holding(is_on=False)
def render(
    target: Target,
    output: str | PathLike[str],
    *,
    page: str | None = None,
    theme: Literal["dark", "light", "auto"] | None = None,
) -> None:
    """Draws a page with values and gradients into a PNG, SVG or PDF, the first page if none is named.

    A file that ends in .html becomes a page that runs in a browser, as `html` gives it. The theme of a picture is light
    unless you say otherwise; that of a page is auto, the one of the reader's system.
    Raises: GradwireError for a picture with the theme auto, FileError if the file has another ending or cannot be
    written, NameUnknownError if there is no such page.
    """
    from gradwire.app.cli.rendering import render as draw  # loads Qt, which scripts do without
    from gradwire.app.cli.rendering import render_page
    from gradwire.app.features.share.web.page_choices import PageChoices
    from gradwire.engine.files.outputs import LIVING, PICTURE, Output

    whole = graph_of(target)
    _check_theme(theme or "auto")
    if page is not None:
        whole.page(page)
    made = Output(output, PICTURE)
    if made.path.suffix.lower() == LIVING:
        render_page(whole, made, made.path.stem, PageChoices(page, theme=theme or "auto"))
    elif theme == "auto":
        raise GradwireError("The theme auto belongs to a page that runs; a picture is dark or light.")
    else:
        draw(whole, made, page, theme or "light")


@holding(is_on=False)
def html(
    target: Target,
    *,
    train: bool = False,
    embed: bool = False,
    title: str = TITLE,
    theme: Literal["dark", "light", "auto"] = "auto",
) -> str:
    """Returns a graph as one file of HTML that runs in a browser: a reader moves numbers, and all gradients follow.

    It asks nothing of the internet. With `train` readers can train it by its plan; the page holds the data for that.
    `embed` leaves title and table out, for a frame in an article. The theme auto is that of the reader's system.
    Raises: GradwireError if it is to train and cannot, or there is no such theme.
    """
    from gradwire.app.cli.rendering import living_page  # loads Qt, which scripts do without
    from gradwire.app.features.share.web.page_choices import PageChoices

    _check_theme(theme)
    made = living_page(graph_of(target), title, PageChoices(is_embedded=embed, is_trained=train, theme=theme))
    if made.untrained:
        raise GradwireError(made.untrained)
    return made.text


def _check_theme(name: str) -> None:
    if name not in ("auto", "dark", "light"):
        raise GradwireError(f"There is no theme {name}; there are: auto, dark, light.")


@overload
def diff(a: Target, b: Target, /) -> list[str]: ...


@overload
def diff(a: Expression, n: int = 1, /, axis: int = -1, *, dim: int = -1) -> Expression: ...


def diff(a: Any, *given: Any, **along: Any) -> Any:  # Any: as the overloads say
    """Returns what differs between two graphs, one line each as `gradwire diff` prints them; none if they are equal.

    `diff(x)` and `diff(x, n, axis)` are the differences of neighbours in a tensor, as NumPy's.
    """
    from gradwire.app.cli.diff_command import diff_lines  # words of the command
    from gradwire.blocks.names.table import names
    from gradwire.engine.graph.outline import outline, outline_diff

    if len(given) == 1 and isinstance(given[0], Graph | Expression):
        return list(diff_lines(outline_diff(outline(graph_of(a)), outline(graph_of(given[0])))))
    spoken = names().find("np.diff")
    assert spoken is not None
    return spoken.meaning(a, *given, **along)


def block(category: str | Callable[..., Any] = "Own", **declaration: Any) -> Any:  # Any: a block type, or a decorator
    """Declares a block type of one's own from its function, for this process: `@gw.block` or `@gw.block("Arithmetic")`.

    Arguments by position are ports, those by keyword with a type are parameters, the docstring is the help; the page of
    blocks in the documents has all keywords of the declaration. `@Name.gradient` declares its gradient rule, without
    which nothing flows back. The type is called by the module or script that declares it, `train.Shrink`, and so it is
    in a saved file: whoever opens that needs this module.
    Raises: PluginError for an invalid declaration.
    """
    if callable(category):
        return _own("Own", category, declaration)
    return lambda function: _own(str(category), function, declaration)


def _own(category: str, function: Callable[..., Any], declaration: Mapping[str, Any]) -> BlockType:
    from gradwire.engine.plugins.plugin_types import own_type  # what plug-ins need

    try:
        item = _declared(category, **declaration)(function)
        item.read_declaration()
    except TypeError:
        raise PluginError(
            f"{function.__name__}: its declaration is not understood; arguments by keyword need a type, such as "
            "rate: float = 0.1, and the page of blocks in the documents has the keywords of a declaration"
        ) from None
    library.put_own(own_type(_module_of(function), item))
    return item


def _module_of(function: Callable[..., Any]) -> str:
    """Returns the name of the module that declares a function: of a script its file, in a notebook "notebook"."""
    name = (function.__module__ or "__main__").rpartition(".")[2]
    if name != "__main__":
        return name
    file = getattr(sys.modules["__main__"], "__file__", None)
    stem = "".join(sign if sign.isalnum() and sign.isascii() else "_" for sign in Path(file or "notebook").stem)
    return stem if stem[:1].isalpha() else f"script_{stem}"


def Data(
    *, file: str | PathLike[str] = "", folder: str | PathLike[str] | None = None, name: str | None = None, **how: Any
) -> tuple[Expression, Expression]:  # Any: the parameters of the block
    """Examples x with their labels y: a set by formula (`set="moons"`), or the rows of a file that the caller names.

    `file` is a path relative to `folder`, or to the working directory: CSV, TSV, ARFF, NPY, NPZ, IDX, a folder of PNG.
    It is read at once; a saved graph names it, and reads it where that is allowed. The help of the block has the rest.
    Raises: FileError if the file cannot be read, or holds no examples.
    """
    if file:
        how = {**how, **_content(str(file), folder, how), "set": "file"}
    outputs: tuple[Expression, Expression] = library["Data"](name=name, **how)
    return outputs


def _content(file: str, folder: str | PathLike[str] | None, how: Mapping[str, Any]) -> dict[str, object]:
    """Returns the parameters that hold a file's examples and name it."""
    from gradwire.engine.files.data_files import read_examples  # readers of tables and archives
    from gradwire.engine.files.data_kinds import DataOptions

    kinds = library["Data"].parameters
    options: dict[str, Any] = {key: kinds[key].normalize(how[key]) for key in DataOptions._fields if key in how}
    # The caller says where it lies; only the names in files must stay inside of their folder.
    inside = folder is not None or not (path.isabs(file) or file.startswith(".."))
    place, named = (folder or ".", file) if inside else path.split(file)
    found = read_examples(place, named.replace("\\", "/"), DataOptions(**options))
    return {**found.parameters, "file": named, "sha256": found.sha256}


def without_contents(graph: Graph) -> Graph:
    """Returns a graph whose Data blocks name their files without what was read from them."""
    for page in graph.pages:
        for name, item in page.blocks.items():
            if item.parameters.get("file") and item.parameters.get("inputs") is not None:
                gone: dict[str, object] = {"inputs": None, "targets": None, "held": 0}
                graph = with_parameters(graph, f"{page.name}/{name}", gone)
    return graph


def show(target: Any, *arguments: Any, **keywords: Any) -> Graph:  # Any: graphs, expressions, and PyTorch's
    """Opens the window on a graph or an expression, or a module of PyTorch with its arguments, until it is closed.

    Returns the graph as it was saved there last. Without a display it prints the wires.
    Raises: GradwireError for a module that cannot come in.
    """
    from gradwire.engine.files.files import load, save
    from gradwire.interop.torch.from_torch import from_torch  # only modules need PyTorch's operations

    is_ours = isinstance(target, Graph | Expression)
    whole = graph_of(target) if is_ours else from_torch(target, *arguments, **keywords)
    with tempfile.TemporaryDirectory(prefix="gradwire-") as folder:
        file = Path(folder) / "shown.graph"
        save(without_contents(whole), file)
        subprocess.run(child_command("gradwire.app.cli.incoming.shown_graph:show_graph", str(file)), check=False)
        return load(file).graph


def update_rule(name: str) -> Callable[..., UpdateRule]:
    """Returns the function of an update rule by the name that files use: `adamw(0.001, weight_decay=0.01)`."""
    kind = RULES[name]

    def make(rate: Any = None, **parameters: Any) -> UpdateRule:  # Any: a number, or a function of the round
        if rate is None and kind.rate is None:
            raise GradwireError(f"{name} needs a rate: {name}(0.01).")
        return kind.rule(rate, **parameters)

    make.__name__ = make.__qualname__ = name
    defaults = ", ".join(f"{key}={value!r}" for key, value in kind.defaults.items())
    make.__doc__ = f"Returns the update rule {name}; besides its rate ({kind.rate}) it has: {defaults or 'nothing'}."
    return make
