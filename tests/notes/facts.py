"""Facts of notes: words of a note, each beside the computation that they describe.

The words themselves are what is expected: each number that they print has to be the computed one, rounded.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property

import numpy as np

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.edits import edits, wire_edits
from gradwire.engine.evaluation.evaluate import evaluate, run_graph
from gradwire.engine.evaluation.snapshot import Snapshot, WireResult
from gradwire.engine.explain.paths import count_paths
from gradwire.engine.graph.graph import Graph, Port
from tests.gallery import example

# Sentences that only invite: what there is to see stands beside them, or is said by another example.
_INVITATION = re.compile(r"(Ask|Compare|Follow|Choose|Switch|Make|Try|Replace|Then|Type) ")
_NUMBER = re.compile(r"(?<![\w.-])-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e-?\d+)?(?!\w)")
# Shorter whole numbers are meant exactly; longer ones are rounded.
_EXACT_DIGITS = 2


# Numbers of the words in order, or whether the words are true. None: the words say nothing that could be tried.
Found = Sequence[object] | bool | None
Facts = Iterator[tuple[str, Found]]


def check_note(graph: Graph, facts: Facts) -> None:
    """Asserts that some words of the notes of a graph are true, and that no sentence and no number is left."""
    # The first line is a title.
    text = " ".join(note.text.partition("\n")[2] for page in graph.pages for note in page.notes)
    rest, quoted = text, dict(facts)
    for words in sorted(quoted, key=len, reverse=True):
        assert words in text
        check_fact(words, quoted[words])
        rest = rest.replace(words, "\0")
    sentences = re.split(r"(?<=[.!?\0]) +(?=[A-Z\0])", rest)
    assert not [item for item in sentences if "\0" not in item and not _INVITATION.match(item)]
    assert not printed_numbers(rest), rest


def check_fact(words: str, found: Found) -> None:
    """Asserts that some words are true."""
    printed = printed_numbers(words)
    if found is None:
        assert not printed, words
        return
    if isinstance(found, bool | np.bool_):
        assert found, words
        return
    numbers = [float(item) for part in found for item in np.ravel(part)]  # type: ignore[arg-type]
    assert len(printed) == len(numbers) > 0, (words, printed, numbers)
    wrong = [(text, number) for text, number in zip(printed, numbers, strict=True) if not rounds_to(number, text)]
    assert not wrong, (words, wrong)


def printed_numbers(words: str) -> list[str]:
    """Returns the numbers in some words, as printed; digits in names, such as those of `v0` and CD-1, are none."""
    return _NUMBER.findall(words)


def rounds_to(number: float, text: str) -> bool:
    """Returns whether a number is as near to a printed one as its last digit says."""
    digits, _, power = text.replace(",", "").partition("e")
    whole, _, decimals = digits.lstrip("-").partition(".")
    unit = 10.0 ** (int(power or 0) - len(decimals))
    is_exact = not decimals and not power and len(whole) <= _EXACT_DIGITS
    return abs(number - float(text.replace(",", ""))) <= unit * (1e-9 if is_exact else 0.5 + 1e-9)


class Results:
    """Results of one run of a graph, by short names of its main page."""

    snapshot: Snapshot

    @property
    def loss(self) -> float:
        assert self.snapshot.loss is not None
        return float(self.snapshot.loss.value)

    def value(self, port: str) -> np.ndarray:
        found = self.snapshot.port(f"main/{port}").value
        assert found is not None
        return found

    def gradient(self, port: str = "x.y") -> np.ndarray:
        found = self.snapshot.port(f"main/{port}").gradient
        assert found is not None
        return found

    def norm(self, *ports: str) -> float:
        """Returns the norm of the gradients of some ports together."""
        return float(np.linalg.norm([np.linalg.norm(self.gradient(port)) for port in ports]))

    def cause(self, port: str) -> Cause | None:
        zero = self.snapshot.port(f"main/{port}").zero
        return None if zero is None else zero.cause

    def status(self, port: str) -> Status:
        return self.snapshot.port(f"main/{port}").status

    def wire(self, target: str) -> WireResult:
        (found,) = (item for link, item in self.snapshot.wires.items() if str(link.target) == f"main/{target}")
        return found

    def along(self, target: str) -> np.ndarray:
        """Returns the gradient along the wire into a port."""
        found = self.wire(target).gradient
        assert found is not None
        return found


@dataclasses.dataclass(frozen=True)
class Moment(Results):
    """Results of a training after some round."""

    snapshot: Snapshot


@dataclasses.dataclass(frozen=True)
class Shown(Results):
    """Example as a user has it on the screen after some edits; `ignored` are the stops that are switched off."""

    graph: Graph
    ignored: frozenset[str] | None = frozenset()

    @cached_property
    def snapshot(self) -> Snapshot:  # type: ignore[override]
        return evaluate(self.graph, self.ignored)

    def given(self, **values: object) -> Shown:
        """Returns the example with other values of blocks."""
        return Shown(with_values(self.graph, values), self.ignored)

    def off(self, *stops: str) -> Shown:
        """Returns the example with some stops switched off; with all of them if none is named."""
        return Shown(self.graph, frozenset(f"main/{stop}" for stop in stops) or None)

    def muted(self, *blocks: str) -> Shown:
        return Shown(edits.set_muted(self.graph, "main", blocks, True), self.ignored)

    def losing(self, loss: str) -> Shown:
        """Returns the example with another Loss shown."""
        return Shown(edits.set_loss(self.graph, f"main/{loss}"), self.ignored)

    def stopped(self, target: str) -> Shown:
        """Returns the example with a StopGradient inserted in the wire into a port."""
        return self.with_block("StopGradient", target)

    def with_block(self, kind: str, target: str, **parameters: object) -> Shown:
        """Returns the example with a block inserted in the wire into a port."""
        graph, block = edits.add_block(self.graph, "main", kind, parameters=parameters)
        wire = graph.pages[0].wires[Port(*target.split("."))]
        return Shown(wire_edits.insert_block(graph, "main", block, wire), self.ignored)

    def rewired(self, source: str, target: str) -> Shown:
        graph = edits.connect(self.graph, "main", Port(*source.split(".")), Port(*target.split(".")))
        return Shown(graph, self.ignored)

    def retyped(self, kind: str, *blocks: str) -> Shown:
        """Returns the example with some blocks of another type, whose ports have the same names."""
        page = self.graph.pages[0]
        changed = {name: dataclasses.replace(page.blocks[name], type=kind) for name in blocks}
        pages = (dataclasses.replace(page, blocks={**page.blocks, **changed}), *self.graph.pages[1:])
        return Shown(dataclasses.replace(self.graph, pages=pages), self.ignored)


@cache
def of(name: str) -> Shown:
    """Returns an example as its file has it."""
    return Shown(example(name))


def with_values(graph: Graph, values: Mapping[str, object]) -> Graph:
    for name, value in values.items():
        graph = edits.set_parameter(graph, "main", name, "value", np.asarray(value, float))
    return graph


def close(first: object, second: object, rtol: float = 1e-12, atol: float = 0.0) -> bool:
    """Returns whether all numbers agree."""
    return bool(np.allclose(np.asarray(first, float), np.asarray(second, float), rtol=rtol, atol=atol))


def differ(first: object, second: object) -> bool:
    """Returns whether some number differs by a thousandth."""
    return not close(first, second, 1e-3)


def paths(shown: Shown, port: str = "x.y") -> int:
    """Returns the number of paths from a port to the loss that pass a gradient on."""
    name, end = port.split(".")
    return count_paths(run_graph(shown.graph, shown.ignored).lowered)[PortName(f"main/{name}", end)]
