"""The chain rule with numbers: how the gradient of a port or wire comes about, as Markdown or LaTeX."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from engine.block_type import Role
from engine.evaluate import Evaluation
from engine.expand import Instance, Link, PortName
from engine.graph import Block
from engine.paths import steps_along
from engine.plain_text import plain
from engine.status import Status
from engine.tensor_spec import Array

# Larger tensors are described by shape and norm.
ELEMENTS_WRITTEN = 12


@dataclass(frozen=True)
class Style:
    """How a sheet is written: a heading, a name in the font of programs, and the numbered steps with their lines."""

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
        """The derivative of the loss by something."""
        return self.partial.format(self.name(name))


def _escaped(text: str) -> str:
    """A text as LaTeX prints it."""
    signs = {"→": r"$\to$", "∂": r"$\partial$", "Σ": r"$\Sigma$", "\\": r"\textbackslash{}", "~": r"\textasciitilde{}"}
    return re.sub(r"[\\~→∂Σ]|[_&%$#{}^]", lambda found: signs.get(found[0], f"\\{found[0]}"), plain(text))


def _quoted(text: str) -> str:
    """A name as Markdown prints it in the font of programs; a backquote would end it."""
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
    """The sheet for the whole gradient of a place, or for one of its paths: that with these choices.

    `is_cut` says that the path is one that a StopGradient cuts. "" if the place or the path is not there.
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
    """A gradient with the parts that add up to it; nothing where there is only one. `name` is "" along one path."""

    name: str
    parts: tuple[Array, ...]
    total: Array


@dataclass(frozen=True)
class _Stage:
    """One block on the way back: what arrives at its outputs, and what goes back along wires.

    `is_withheld` says that this only would go back, without a StopGradient.
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
    """The wires between a place and the losses."""
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
    """What arrives at the outputs of each block, as the sum over wires and inner parts."""
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
    """Writes the parts of a sheet in one style."""

    def __init__(self, run: Evaluation, style: Style) -> None:
        self._run, self._style = run, style
        self._instances = run.lowered.inferred.expanded.instances

    def heading(self, place: PortName | Link, path: tuple[int, ...] | None) -> str:
        """What is derived."""
        name = self._style.derivative(_place_text(place))
        return self._style.heading.format(name if path is None else f"{name} along one path")

    def start(self) -> list[str]:
        """The loss."""
        loss = self._run.snapshot.loss
        value = "?" if loss is None or loss.value is None else _amount(loss.value)
        return [f"The loss is L = {value}; the chain rule is followed back from it, block by block.", ""]

    def stage(self, number: int, stage: _Stage) -> Iterator[str]:
        """One block with its formulas and numbers."""
        style, instance = self._style, self._instances[stage.block]
        yield style.step.format(number, self._title(instance.block, instance))
        if style.begin_lines:
            yield style.begin_lines
        for line in self._lines(stage, instance):
            yield style.line.format(line)
        if style.end_lines:
            yield style.end_lines

    def result(self, result: _Sum, is_whole: bool, is_cut: bool) -> str:
        """What the steps come to."""
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
            yield f"arrives: {name}{style.text(_sum_text(item))}"
        if instance.role is Role.STOP and not instance.is_muted:
            yield "treated as a constant because it is a StopGradient: what arrives is withheld"
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
    """A tensor in a line: its numbers in six digits if there are few, else its shape and norm."""
    if array.size > ELEMENTS_WRITTEN:
        with np.errstate(all="ignore"):
            return f"shape {list(array.shape)}, norm {float(np.linalg.norm(array.astype(float))):.6g}"
    return _nested(array.tolist())


def _nested(numbers: object) -> str:
    if isinstance(numbers, list):
        return f"[{', '.join(map(_nested, numbers))}]"
    return f"{numbers:.6g}" if isinstance(numbers, float) else str(numbers)
