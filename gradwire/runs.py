"""Runs of graphs and expressions for scripts: values, gradients, statuses, and reasons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import Any, Literal, overload

import numpy as np

from gradwire.engine.autodiff.expand import Link, PortName, expand
from gradwire.engine.autodiff.graph_from_expressions import has_loss, trace
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.errors import GradwireError, NameUnknownError
from gradwire.engine.base.nearest import nearest
from gradwire.engine.base.tensor_spec import Array, as_array
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.held import holding
from gradwire.engine.blocktypes.library import library
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.evaluation.snapshot import PortResult, Snapshot, WireResult
from gradwire.engine.explain.wire_table import loss_line, status_text, wire_table
from gradwire.engine.graph.block_parameters import value_of, with_parameters
from gradwire.engine.graph.graph import Graph

# A notebook or a prompt shows so many wires of a run.
_WIRES_SHOWN = 40

Folder = str | PathLike[str] | None


class AnyRun:
    """One evaluation, in which values may be missing. Ports are given as expressions, or by name.

    `x.y` or `main/x.y` is the output y of a block x; `x` is enough for a block with one output. `notes` has a line for
    each file of data that was read.
    """

    graph: Graph
    evaluation: Evaluation
    snapshot: Snapshot
    notes: tuple[str, ...]

    def __init__(
        self,
        graph: Graph,
        evaluation: Evaluation,
        ports: Mapping[Expression, PortName],
        notes: Iterable[str] = (),
        ignored_stops: frozenset[str] | None = frozenset(),
    ) -> None:
        self.graph, self.evaluation, self.snapshot, self._ports = graph, evaluation, evaluation.snapshot, ports
        self.notes, self._ignored_stops = tuple(notes), ignored_stops

    @property
    def ok(self) -> bool:
        """True if no block has an error."""
        return not self.snapshot.has_errors

    @property
    def loss(self) -> Array | None:
        """The value of the loss; None if there is none, or an error hides it."""
        return None if self.snapshot.loss is None else self.snapshot.loss.value

    @property
    def problems(self) -> list[str]:
        """Everything worth saying, one sentence each."""
        return [f"{problem.severity}: {problem.at}: {problem.message}" for problem in self.snapshot.problems]

    @property
    def wires(self) -> list[dict[str, Any]]:  # Any: names, shapes, arrays
        """One row for each wire, as `pandas.DataFrame` takes them: its ends, spec, value, gradient, status, reason."""
        return [self._row(link, wire) for link, wire in self.snapshot.wires.items()]

    def port(self, port: Expression | str) -> PortResult:
        """Returns all about one output port.

        Raises: NameUnknownError, with the nearest names, if there is no such port.
        """
        return self.snapshot.ports[self._name(port)]

    def value(self, port: Expression | str) -> Array | None:
        """Returns the value; None where an error hides it."""
        return self.port(port).value

    def gradient(self, port: Expression | str) -> Array | None:
        """Returns the gradient, summed over the wires: zeros where none flows, None where none can exist."""
        return self.port(port).gradient

    def status(self, port: Expression | str) -> Status:
        """Returns the status of the gradient."""
        return self.port(port).status

    def wire(self, source: Expression | str, target: str) -> WireResult:
        """Returns all about one wire; `target` is an input port by name: `stop.x`.

        Raises: NameUnknownError, with those that there are, if there is no such wire.
        """
        name = self._name(source)
        path, _, port = self._full(target).rpartition(".")
        link = Link(name, PortName(path, port))
        if link not in self.snapshot.wires:
            ends = ", ".join(str(item.target) for item in self.snapshot.wires if item.source == name)
            there_are = f"its wires lead to {ends}" if ends else "it has no wires"
            raise NameUnknownError(f"There is no wire from {link.source} to {link.target}; {there_are}.")
        return self.snapshot.wires[link]

    def why(self, port: Expression | str, target: str | None = None) -> str:
        """Returns why the gradient of a port, or of its wire to `target`, is what it is, in one or two sentences."""
        from gradwire.app.look.statuses import LOOKS  # words of the window, which need no Qt

        name = self._name(port)
        found = self.port(port) if target is None else self.wire(port, target)
        where = f"{name}" if target is None else f"{name} -> {self._full(target)}"
        if found.origin is not None and found.origin.sentence:
            return f"{where}: {found.origin.sentence}"
        if found.status is Status.ZERO and found.zero is not None:
            return f"{where}: {LOOKS[found.status].sentence.rstrip('.')}: {_clauses(found)}."
        if found.status is Status.UNKNOWN:
            return f"{where}: {self._error_before(name) or LOOKS[found.status].sentence}"
        if said := LOOKS[found.status].sentence.format(by=", ".join(found.by)):
            return f"{where}: {said}"
        own = found.own if isinstance(found, WireResult) else None
        by = "" if own is None else f" It is that of the own gradient of {own}."
        return f"{where}: The gradient flows; its length is {_length(found.gradient):.6g}.{by}"

    def __repr__(self) -> str:
        table = f"{loss_line(self.snapshot)}\n\n{wire_table(self.snapshot, at_most=_WIRES_SHOWN)}"
        return "\n".join([*self.notes, table])

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:  # Any: as notebooks have it
        from gradwire.notebooks import mimebundle  # which asks this module for graphs

        return mimebundle(self.evaluation.graph, include, exclude, self._ignored_stops)

    def _repr_svg_(self) -> str:
        from gradwire.app.cli.rendering import svg_text  # loads Qt, which scripts do without

        return svg_text(self.evaluation.graph, ignored_stops=self._ignored_stops)

    def _row(self, link: Link, wire: WireResult) -> dict[str, Any]:
        source = self.snapshot.ports.get(link.source)
        value, gradient = None if source is None else source.value, wire.gradient
        return {
            "source": str(link.source),
            "target": str(link.target),
            "shape": None if value is None else value.shape,
            "dtype": None if value is None else value.dtype.name,
            "value": value,
            "gradient": gradient,
            "length": None if gradient is None else _length(gradient),
            "status": str(wire.status),
            "rule": None if wire.own is None else "own",
            "reason": status_text(wire),
        }

    def _full(self, name: str) -> str:
        """Returns a name with its page, the first one where none is said."""
        first = self.graph.pages[0].name
        return name if name.startswith(tuple(f"{page.name}/" for page in self.graph.pages)) else f"{first}/{name}"

    def _name(self, port: Expression | str) -> PortName:
        if isinstance(port, Expression):
            if port not in self._ports:
                raise NameUnknownError("That expression is not part of this run.")
            return self._ports[port]
        if not isinstance(port, str):
            raise GradwireError(f"Give an expression or the name of a port, not {type(port).__name__}.")
        full = self._full(port)
        path, _, output = full.rpartition(".")
        if PortName(path, output) in self.snapshot.ports:
            return PortName(path, output)
        outputs = [item for item in self.snapshot.ports if item.path == full]
        if len(outputs) == 1:
            return outputs[0]
        if outputs:
            raise NameUnknownError(f"{port} has several outputs: {', '.join(map(str, outputs))}.")
        known = {str(item).removeprefix(f"{self.graph.pages[0].name}/") for item in self.snapshot.ports}
        near = nearest(port, {*known, *(item.rpartition(".")[0] for item in known)})
        raise NameUnknownError(f"There is no port {port}{'; the nearest are ' if near else ''}{', '.join(near)}.")

    def _error_before(self, name: PortName) -> str:
        """Returns the error at a block or at one before it, or an empty text."""
        errors = {problem.at: problem.message for problem in self.snapshot.problems if problem.severity == "error"}
        seen, waiting = set[str](), [name.path]
        while waiting:
            path = waiting.pop()
            if path in errors:
                return f"{path}: {errors[path]}"
            if path not in seen:
                seen.add(path)
                waiting += [link.source.path for link in self.snapshot.wires if link.target.path == path]
        return next((f"{at}: {message}" for at, message in errors.items()), "")


class Run(AnyRun):
    """One evaluation, whose loss and values are arrays; asking for one that is missing raises a sentence.

    `x.y` or `main/x.y` is the output y of a block x; `x` is enough for a block with one output. `notes` has a line for
    each file of data that was read.
    """

    @property
    def loss(self) -> Array:
        """The value of the loss.

        Raises: GradwireError if there is none, or an error hides it.
        """
        found = super().loss
        if found is None:
            raise GradwireError(self._first_error() or "This graph has no Loss; wire one, or write gw.Loss(x).")
        return found

    def value(self, port: Expression | str) -> Array:
        """Returns the value.

        Raises: GradwireError if an error hides it, NameUnknownError if there is no such port.
        """
        found = super().value(port)
        if found is None:
            raise GradwireError(self.why(port))
        return found

    def gradient(self, port: Expression | str) -> Array:
        """Returns the gradient, summed over the wires: zeros where none flows.

        Raises: GradwireError if none can exist, as without a Loss, NameUnknownError if there is no such port.
        """
        found = super().gradient(port)
        if found is None:
            raise GradwireError(self.why(port))
        return found

    def _first_error(self) -> str:
        errors = (item for item in self.snapshot.problems if item.severity == "error")
        return next((f"{item.at}: {item.message}" for item in errors), "")

    def _refuse_missing(self, targets: Iterable[Expression]) -> None:
        """Raises: GradwireError with the first error, if that hides the loss or a target."""
        is_loss_missing = super().loss is None
        if not self.ok and (is_loss_missing or any(super(Run, self).value(item) is None for item in targets)):
            raise GradwireError(self._first_error())


Feed = Mapping[str, object] | Mapping[Expression, object]


@overload
def evaluate(
    *targets: Expression | Graph,
    feed: Feed | None = None,
    without: str | Iterable[str] = (),
    ignore_stop: bool = False,
    folder: Folder = None,
    strict: Literal[True] = True,
) -> Run: ...


@overload
def evaluate(
    *targets: Expression | Graph,
    feed: Feed | None = None,
    without: str | Iterable[str] = (),
    ignore_stop: bool = False,
    folder: Folder = None,
    strict: Literal[False],
) -> AnyRun: ...


@holding(is_on=False)
def evaluate(
    *targets: Expression | Graph,
    feed: Feed | None = None,
    without: str | Iterable[str] = (),
    ignore_stop: bool = False,
    folder: Folder = None,
    strict: bool = True,
) -> AnyRun:
    """Evaluates and differentiates a graph, or expressions; without a Loss the sum of the expressions is the loss.

    `feed` gives Inputs, Variables and Constants other values for this run, by name. `without` names StopGradients that
    this run ignores; with `ignore_stop` it ignores all. `folder` holds files that the Data blocks of a graph may read.
    With `strict=False` a run with problems is returned, in which loss and values may be None.
    Raises: GradwireError, with the block's sentence, if an error hides the loss or a target; FileError if a file of
    data may not be read, or holds no examples.
    """
    whole, ports, asked = _graph_of(targets)
    given, notes = _with_files(_fed(whole, feed or {}, ports), folder)
    names = [without] if isinstance(without, str) else list(without)
    ignored = None if ignore_stop else frozenset(_stop(given, name) for name in names)
    evaluation = run_graph(given, ignored)
    if not strict:
        return AnyRun(whole, evaluation, ports, notes, ignored)
    run = Run(whole, evaluation, ports, notes, ignored)
    run._refuse_missing(asked)
    return run


def _graph_of(
    targets: tuple[Expression | Graph, ...],
) -> tuple[Graph, Mapping[Expression, PortName], list[Expression]]:
    """Returns the graph of the targets, the ports of its expressions, and those that are asked for."""
    if len(targets) == 1 and isinstance(targets[0], Graph):
        return targets[0], {}, []
    expressions = with_loss(targets)
    traced = trace(expressions)
    return traced.graph, traced.ports, expressions


def graph_of(target: Graph | Expression) -> Graph:
    """Returns a graph, or that of an expression, whose sum is the loss if it has none."""
    return target if isinstance(target, Graph) else trace(with_loss([target])).graph


def with_loss(targets: Iterable[Any]) -> list[Expression]:
    """Returns the expressions, and without a Loss among their sources one for each differentiable one."""
    expressions = [expression_of(target) for target in targets]
    losses = [] if has_loss(expressions) else [item for item in expressions if item.spec.is_differentiable]
    return expressions + [library["Loss"](item) for item in losses]


def expression_of(target: Any) -> Expression:  # Any: scripts may pass anything
    """Returns what a script passed, if it is an expression.

    Raises: GradwireError if it is something else.
    """
    if isinstance(target, Expression):
        return target
    hint = "; of a list each by itself: *items" if isinstance(target, list | tuple) else ""
    raise GradwireError(f"Give expressions or one graph, not {type(target).__name__}{hint}.")


def _with_files(whole: Graph, folder: Folder) -> tuple[Graph, list[str]]:
    """Returns a graph with the content of files of data, and a line about each."""
    if folder is None:
        return whole, []
    from gradwire.engine.files.given_files import with_files  # readers of tables and archives

    return with_files(whole, folder)


def _fed(graph: Graph, feed: Mapping[Any, object], ports: Mapping[Expression, PortName]) -> Graph:
    """Returns the graph with other values for sources.

    Raises: GradwireError for a block that is not there, holds no value, or cannot hold this one.
    """
    from gradwire.app.base.feed_values import converted  # words of the commands, which need no Qt

    for key, value in feed.items():
        if isinstance(key, Expression) and key not in ports:
            raise NameUnknownError("feed: an expression is not part of this graph.")
        name = ports[key].path if isinstance(key, Expression) else _block_named(graph, str(key), "feed")
        block = graph.block(name)
        block_type = library.get(block.type)
        if block_type is None or "value" not in block_type.parameters:
            raise GradwireError(f"feed: {name} is a {block.type}; only an Input, Variable or Constant takes a value.")
        saved, array = value_of(block), as_array(value)
        fed = converted(array, array.dtype if saved is None else saved.dtype)
        graph = with_parameters(graph, name, {"value": block_type.parameters["value"].normalize(fed)})
    return graph


def _block_named(graph: Graph, name: str, what: str) -> str:
    """Returns the path of a block by its name, with or without its page.

    Raises: NameUnknownError, with the nearest names, if there is none.
    """
    known = [f"{page.name}/{block}" for page in graph.pages for block in page.blocks]
    full = name if name in known else f"{graph.pages[0].name}/{name}"
    if full not in known:
        near = nearest(name, {*known, *(item.partition("/")[2] for item in known)})
        hint = f"; the nearest are {', '.join(near)}" if near else ""
        raise NameUnknownError(f"{what}: There is no block {name}{hint}.")
    return full


def _stop(graph: Graph, name: str) -> str:
    """Returns the path of a StopGradient by its name.

    Raises: NameUnknownError, with those that there are, for any other block.
    """
    stops = [path for path, item in expand(graph).instances.items() if item.role is Role.STOP]
    full = name if name in stops else f"{graph.pages[0].name}/{name}"
    if full not in stops:
        there_are = f"there are: {', '.join(stops)}" if stops else "there are none"
        raise NameUnknownError(f"without: There is no StopGradient {name}; {there_are}.")
    return full


def _clauses(found: PortResult | WireResult) -> str:
    assert found.zero is not None
    clause = found.zero.cause.clause.format(block=found.zero.at)
    if found.zero.upstream is None:
        return clause
    cause, at = found.zero.upstream
    return f"{clause}, which receives nothing itself: {cause.clause.format(block=at)}"


def _length(array: Array | None) -> float:
    return 0.0 if array is None else float(np.sqrt(np.sum(np.square(array, dtype=np.float64))))
