"""What the lens of stops says of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.canvas.labels import value_text
from app.lenses.rows import TableRow
from app.live.readings import Reading
from app.live.stop_questions import ChangeReading, StopAnswer
from app.look.numbers import fmt
from app.words import grouped, tr, tr_count
from engine.expand import Link, PortName
from engine.plain_text import plain
from engine.stop_effects import StopEffect, Verdict

ELEMENTS = 4
BLOCKS_NAMED = 3
_USELESS = {Verdict.MUTED, Verdict.UNUSED, Verdict.NO_PATH, Verdict.BLOCKED_AHEAD, Verdict.BLOCKED_BEHIND}


def place_text(place: PortName | Link) -> str:
    """A port or wire by the names that the canvas shows: `x.y`, `x → e.x`."""
    if isinstance(place, Link):
        return f"{_short(place.source.path)} → {_short(place.target.path)}.{plain(place.target.port)}"
    return f"{_short(place.path)}.{plain(place.port)}"


def stop_text(path: str) -> str:
    """A block by its name, with the page before it."""
    return path.replace("/", " / ")


def _short(path: str) -> str:
    return path.rpartition("/")[2]


def verdict_icon(verdict: Verdict) -> str:
    """The icon of a verdict."""
    if verdict is Verdict.CHANGES:
        return "stopgrad"
    return "warn" if verdict in _USELESS else "info"


def verdict_text(answer: StopAnswer) -> str:
    """What a stop does, in a sentence or two."""
    effect = answer.effect
    sentences = {
        Verdict.MUTED: tr("Muted: it stops nothing."),
        Verdict.UNUSED: tr("Nothing uses it: it stops nothing."),
        Verdict.NO_PATH: tr("The loss does not depend on it: it stops nothing."),
        Verdict.UNKNOWN: tr("What arrives here is not known, or cannot have a gradient."),
        Verdict.BLOCKED_AHEAD: tr("Redundant: already blocked by {blocks}.", blocks=_listed(effect.by)),
        Verdict.BLOCKED_BEHIND: tr("Redundant: {blocks} behind it blocks everything.", blocks=_listed(effect.by)),
        Verdict.NOTHING_ARRIVES: tr("Changes nothing now: what arrives is exactly 0 on every path."),
        Verdict.CHANGES_NOTHING: tr("Changes nothing: largest difference {amount}.", amount=fmt(answer.largest)),
        Verdict.CANCELS: _cancels(answer),
        Verdict.CHANGES: _changes(answer),
    }
    return sentences[effect.verdict]


def _listed(paths: Sequence[str]) -> str:
    named = [_short(path) for path in paths[:BLOCKS_NAMED]]
    more = len(paths) - len(named)
    return ", ".join(named) + (tr(" and {count} more", count=more) if more else "")


def _cancels(answer: StopAnswer) -> str:
    said = tr(
        "No effect on these gradients (path sum cancels): largest difference {amount}.", amount=fmt(answer.largest)
    )
    return said + " " + _paths(answer.effect)


def _changes(answer: StopAnswer) -> str:
    count = answer.wires + answer.ports
    parts = []
    if count:
        said = tr_count("Changes {count} gradient", "Changes {count} gradients", count)
        parts.append(tr("{changes}, by at most {amount}.", changes=said, amount=fmt(answer.largest)))
    if answer.effect.has_other_values:
        parts.append(tr("Values change too: a Gradients block differentiates through it."))
    return " ".join([*parts, *_variables(answer.effect), _paths(answer.effect)]).strip()


def _variables(effect: StopEffect) -> Iterator[str]:
    """Which variables are trained otherwise: what a stop is there for."""
    if effect.variables:
        yield tr("Variables among them: {names}.", names=_listed(effect.variables))
    elif effect.variables is not None:
        yield tr("No variable is among them.")


def _paths(effect: StopEffect) -> str:
    if not effect.paths:
        return ""
    removed, paths = grouped(effect.removed), grouped(effect.paths)
    return tr("Paths to the loss that it removes: {removed} of {paths}.", removed=removed, paths=paths)


def stop_headings() -> tuple[str, ...]:
    """What stands above the columns of the list of stops."""
    return tr("StopGradient"), tr("Wires"), tr("What it does")


def stop_row(key: str | Link, answer: StopAnswer | None) -> TableRow:
    """The row of a stop; what it does may not be known yet."""
    name = stop_text(key) if isinstance(key, str) else tr("Stop here: {wire}", wire=place_text(key))
    if answer is None:
        return TableRow(key, (name, "", tr("…")), ("text.secondary",), "clock")
    verdict = answer.effect.verdict
    tokens = ("warn" if verdict in _USELESS else "text.primary", "text.primary")
    wires = grouped(answer.wires) if verdict not in _USELESS else ""
    said = verdict_text(answer)
    return TableRow(key, (name, wires, said), tokens, verdict_icon(verdict), f"{name}\n{said}")


def change_headings(is_preview: bool) -> tuple[str, ...]:
    """What stands above the columns of the list of changes."""
    after = tr("With the stop") if is_preview else tr("Without it")
    return tr("Gradient of"), "Δ", tr("Now"), after, tr("largest |Δ|")


def change_row(change: ChangeReading) -> TableRow:
    """The row of a gradient that differs."""
    texts = (
        place_text(change.place), _amount(change.difference), _amount(change.before), _amount(change.after),
        fmt(change.largest),
    )  # fmt: skip
    token = "text.tertiary" if change.is_rounding else "text.primary"
    tip = tr("No more than rounding") if change.is_rounding else ""
    return TableRow(change.place, texts, (token,), "route" if isinstance(change.place, Link) else "grad", tip)


def _amount(reading: Reading) -> str:
    return value_text(reading, ELEMENTS)
