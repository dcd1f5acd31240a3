"""Derivation of a gradient: the chain rule with numbers, as Markdown or LaTeX."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gradwire.engine.autodiff.expand import Instance, Link, PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.norms import norm_of
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.explain.paths import steps_along
from gradwire.engine.graph.graph import Block

# Shape and norm describe larger tensors.
ELEMENTS_WRITTEN = 12


@dataclass(frozen=True)
class Style:
    """Markup of a sheet: its heading, names in a monospaced font, and numbered steps with their lines."""

    heading: str
    name: Callable[[str], str]
    text: Callable[[str], str]
    partial: str
    step: str
    line: str
    begin_lines: str = ""
    end_lines: str = ""
    begin: str = ""
    end: str = ""

    def derivative(self, name: str) -> str:
        """Returns the derivative of the loss with respect to a name."""
        return self.partial.format(self.name(name))


def _escaped(text: str) -> str:
    """Returns a text escaped for LaTeX."""
    signs = {"→": r"$\to$", "∂": r"$\partial$", "Σ": r"$\Sigma$", "\\": r"\textbackslash{}", "~": r"\textasciitilde{}"}
    return re.sub(r"[\\~→∂Σ]|[_&%$#{}^]", lambda found: signs.get(found[0], f"\\{found[0]}"), plain(text))


def _quoted(text: str) -> str:
    """Returns a name as Markdown code; a backquote inside would end the code."""
    quoted = plain(text).replace("`", "'")
    return f"`{quoted}`"


MARKDOWN = Style("# {}\n", _quoted, str, "∂L/∂{}", "{}. {}", "   - {}")
LATEX = Style(
    "\\section*{{{}}}\n", lambda text: rf"\texttt{{{_escaped(text)}}}", _escaped, r"$\partial L/\partial\,${}",
    "\\item % {}\n{}", "  \\item {}", "\\begin{itemize}", "\\end{itemize}", "\\begin{enumerate}", "\\end{enumerate}",
)  # fmt: skip


def derivation(
    run: Evaluation,
    place: PortName | Link,
    path: tuple[int, ...] | None = None,
    is_cut: bool = False,
    style: Style = MARKDOWN,
) -> str:
    """Returns the sheet for the whole gradient of a place, or for the one path with these choices.

    `is_cut` selects the paths that a StopGradient cuts. "" if the place or the path is not there.
    """
    stages = list(_whole(run, place) if path is None else _along(run, place, path, is_cut))
    result = _result(run, place, path, stages)
    if result is None:
        return ""
    writer = _Writer(run, style)
    lines = [writer.heading(place, path), *writer.start()]
    lines += [style.begin] if style.begin and stages else []
    for number, stage in enumerate(stages, 1):
        lines += writer.stage(number, stage)
    lines += [style.end] if style.end and stages else []
    return "\n".join([*lines, "", writer.result(result, path is None, is_cut), ""])


class _Sum(NamedTuple):
    """Gradient with its terms; no terms if there is only one. `name` is "" along one path."""

    name: str
    parts: tuple[Array, ...]
    total: Array


@dataclass(frozen=True)
class _Stage:
    """One block in reverse order: the gradients of its outputs, and the gradients it sends along wires.

    `is_withheld` marks gradients that would flow only without a StopGradient.
    """

    block: str
    arriving: tuple[_Sum, ...]
    back: tuple[tuple[Link, Array | None], ...]
    is_withheld: bool = False


# The whole gradient


def _whole(run: Evaluation, place: PortName | Link) -> Iterator[_Stage]:
    links = run.lowered.inferred.expanded.links
    arriving: dict[str, list[Link]] = {}
    for link in _between(run, links, place):
        arriving.setdefault(link.target.path, []).append(link)
    sums = _sums(run)
    for path in reversed(list(run.lowered.inferred.expanded.instances)):
        if path in arriving:
            back = tuple((link, run.snapshot.wires[link].gradient) for link in sorted(arriving[path]))
            yield _Stage(path, tuple(sums.get(path, ())), back)


def _between(run: Evaluation, links: Sequence[Link], place: PortName | Link) -> set[Link]:
    """Returns the wires between a place and the losses."""
    first = place.target.path if isinstance(place, Link) else None
    after: set[str] = {first} if first else set()
    forward = {place} if isinstance(place, Link) else set()
    order = {path: row for row, path in enumerate(run.lowered.inferred.expanded.instances)}
    for link in sorted(links, key=lambda item: order[item.target.path]):
        if link.source.path in after or link.source == place:
            forward.add(link)
            after.add(link.target.path)
    ends, found = set(run.lowered.inferred.losses), set[Link]()
    for link in sorted(forward, key=lambda item: -order[item.target.path]):
        if link.target.path in ends:
            found.add(link)
            ends.add(link.source.path)
    return found


def _sums(run: Evaluation) -> dict[str, list[_Sum]]:
    """Returns the gradients of each block's outputs as sums over wires and inner parts."""
    wires: dict[PortName, list[Array | None]] = {}
    for link in sorted(run.snapshot.wires):
        wires.setdefault(link.source, []).append(run.snapshot.wires[link].gradient)
    found: dict[str, list[_Sum]] = {}
    for name, port in run.snapshot.ports.items():
        if port.gradient is not None and port.status is not Status.NO_PATH:
            parts = [*wires.get(name, ()), *(part.gradient for part in port.inner)]
            known = tuple(part for part in parts if part is not None)
            item = _Sum(_port_text(name), known if len(known) > 1 else (), port.gradient)
            found.setdefault(name.path, []).append(item)
    return found


# One path


def _along(run: Evaluation, place: PortName | Link, path: tuple[int, ...], is_cut: bool) -> Iterator[_Stage]:
    instances, is_withheld = run.lowered.inferred.expanded.instances, False
    for step in steps_along(run, place, path, is_cut):
        is_withheld = is_withheld or instances[step.block].role is Role.STOP
        arriving = () if step.arriving is None else (_Sum("", (), step.arriving),)
        yield _Stage(step.block, arriving, () if step.link is None else ((step.link, step.back),), is_withheld)


def _result(
    run: Evaluation, place: PortName | Link, path: tuple[int, ...] | None, stages: Sequence[_Stage]
) -> _Sum | None:
    name = _place_text(place)
    if path is not None:
        amount = stages[-1].back[-1][1] if stages and stages[-1].back else None
        return None if amount is None else _Sum(name, (), amount)
    if isinstance(place, PortName):
        return next((item for item in _sums(run).get(place.path, ()) if item.name == name), None)
    wire = run.snapshot.wires.get(place)
    return None if wire is None or wire.gradient is None else _Sum(name, (), wire.gradient)


# Writing


class _Writer:
    """Writer of the parts of a sheet in one style."""

    def __init__(self, run: Evaluation, style: Style) -> None:
        self._run, self._style = run, style
        self._instances = run.lowered.inferred.expanded.instances

    def heading(self, place: PortName | Link, path: tuple[int, ...] | None) -> str:
        """Returns the heading: the gradient that the sheet derives."""
        name = self._style.derivative(_place_text(place))
        return self._style.heading.format(name if path is None else f"{name} along one path")

    def start(self) -> list[str]:
        """Returns the lines about the loss."""
        loss = self._run.snapshot.loss
        value = "?" if loss is None or loss.value is None else _amount(loss.value)
        return [f"The loss is L = {value}; the chain rule is followed back from it, block by block.", ""]

    def stage(self, number: int, stage: _Stage) -> Iterator[str]:
        """Yields the lines of one block, with its formulas and numbers."""
        style, instance = self._style, self._instances[stage.block]
        yield style.step.format(number, self._title(instance.block, instance))
        if style.begin_lines:
            yield style.begin_lines
        for line in self._lines(stage, instance):
            yield style.line.format(line)
        if style.end_lines:
            yield style.end_lines

    def result(self, result: _Sum, is_whole: bool, is_cut: bool) -> str:
        """Returns the final line with the result of the steps."""
        name, text = self._style.derivative(result.name), self._style.text(_sum_text(result))
        if is_whole:
            return f"Result: {name} = {text}"
        if is_cut:
            return f"Result: this path adds nothing to {name}; without StopGradient it would add {text}"
        return f"Result: this path adds {text} to {name}"

    def _title(self, block: Block, instance: Instance) -> str:
        formula = instance.type.formula if instance.type is not None else ""
        title = f"{self._style.name(_short(instance.path))} ({self._style.text(block.type)})"
        return f"{title}: ${formula}$" if formula else title

    def _lines(self, stage: _Stage, instance: Instance) -> Iterator[str]:
        style = self._style
        for item in stage.arriving:
            name = f"{style.derivative(item.name)} = " if item.name else ""
            yield f"incoming: {name}{style.text(_sum_text(item))}"
        if instance.role is Role.STOP and not instance.is_muted:
            yield "StopGradient is treated as a constant: the incoming gradient is withheld"
        elif instance.rule is not None:
            yield f"rule: its own gradient, given by page {style.name(instance.rule.backward)}"
        elif instance.type is not None and instance.type.gradient_formula:
            yield f"rule: ${instance.type.gradient_formula}$"
        for link, back in stage.back:
            amount = "?" if back is None else _amount(back)
            wire = f"{_port_text(link.source)} → {_short(link.target.path)}.{link.target.port}"
            text = f"0; without StopGradient {amount}" if stage.is_withheld else amount
            yield f"back along {style.name(wire)}: {style.text(text)}"


def _short(path: str) -> str:
    return path.rpartition("/")[2]


def _port_text(name: PortName) -> str:
    return f"{_short(name.path)}.{name.port}"


def _place_text(place: PortName | Link) -> str:
    if isinstance(place, Link):
        return f"{_port_text(place.source)} → {_port_text(place.target)}"
    return _port_text(place)


def _sum_text(item: _Sum) -> str:
    added = " + ".join(_amount(part) for part in item.parts)
    return f"{added} = {_amount(item.total)}" if item.parts else _amount(item.total)


def _amount(array: Array) -> str:
    """Returns a tensor in one line: few numbers with six digits, otherwise shape and norm."""
    if array.size > ELEMENTS_WRITTEN:
        with np.errstate(all="ignore"):
            return f"shape {list(array.shape)}, norm {norm_of(array):.6g}"
    return _nested(array.tolist())


def _nested(numbers: object) -> str:
    if isinstance(numbers, list):
        return f"[{', '.join(map(_nested, numbers))}]"
    return f"{numbers:.6g}" if isinstance(numbers, float) else str(numbers)
