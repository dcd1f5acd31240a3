"""The texts of the lens of stops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gradwire.app.base.translation import grouped, listed, tr, tr_count
from gradwire.app.canvas.painting.labels.label_texts import value_text
from gradwire.app.features.stops.stop_questions import ChangeReading, StopAnswer
from gradwire.app.kit.lens.place_text import place_text
from gradwire.app.kit.lens.rows import TableRow
from gradwire.app.live.readings.readings import Reading
from gradwire.app.look.numbers import fmt
from gradwire.engine.autodiff.expand import Link
from gradwire.engine.explain.stop_effects import StopEffect, Verdict
from gradwire.engine.graph.paths import name_in_rounds

ELEMENTS = 4
_USELESS = {Verdict.MUTED, Verdict.UNUSED, Verdict.NO_PATH, Verdict.BLOCKED_AHEAD, Verdict.BLOCKED_BEHIND}


def verdict_icon(verdict: Verdict) -> str:
    """Returns the icon of a verdict."""
    if verdict is Verdict.CHANGES:
        return "stopgrad"
    return "warn" if verdict in _USELESS else "info"


def verdict_text(answer: StopAnswer) -> str:
    """Returns the effect of a stop in a sentence or two."""
    effect = answer.effect
    sentences = {
        Verdict.MUTED: tr("Muted: it has no effect."),
        Verdict.UNUSED: tr("Nothing uses its output, so it has no effect."),
        Verdict.NO_PATH: tr("The loss does not depend on it, so it has no effect."),
        Verdict.UNKNOWN: tr("The incoming gradient is unknown, or this value cannot have one."),
        Verdict.BLOCKED_AHEAD: tr("Redundant: already blocked by {blocks}.", blocks=_listed(effect.by)),
        Verdict.BLOCKED_BEHIND: _blocked_behind(answer),
        Verdict.NOTHING_ARRIVES: tr("Changes nothing now: the incoming gradient is exactly 0 on every path."),
        Verdict.CHANGES_NOTHING: tr("Changes no gradient. Largest difference: {amount}.", amount=fmt(answer.largest)),
        Verdict.CANCELS: _cancels(answer),
        Verdict.CHANGES: _changes(answer),
    }
    return sentences[effect.verdict]


def _blocked_behind(answer: StopAnswer) -> str:
    """Returns that no source behind a stop would receive anything, and which gradients change all the same."""
    blocks, count = _listed(answer.effect.by), answer.wires + answer.ports
    said = tr("Redundant for all sources: {blocks} behind it blocks every path.", blocks=blocks)
    changed = tr_count(
        "Only {count} gradient between them changes.", "Only {count} gradients between them change.", count
    )
    return f"{said} {changed}" if count else said


def _listed(paths: Sequence[str]) -> str:
    return listed(list(map(name_in_rounds, paths)))


def _cancels(answer: StopAnswer) -> str:
    amount, paths = fmt(answer.largest), _paths(answer.effect)
    said = tr("Changes no gradient: the stopped contributions cancel. Largest difference: {amount}.", amount=amount)
    return f"{said} {paths}"


def _changes(answer: StopAnswer) -> str:
    count = answer.wires + answer.ports
    said = tr_count("Changes {count} gradient", "Changes {count} gradients", count)
    parts = [tr("{changes}, by at most {amount}.", changes=said, amount=fmt(answer.largest))] if count else []
    if answer.effect.has_other_values:
        parts.append(tr("Values change too: a Gradients block differentiates through it."))
    return " ".join([*parts, *_variables(answer.effect), _paths(answer.effect)]).strip()


def _variables(effect: StopEffect) -> Iterator[str]:
    """Yields a sentence on the variables whose training changes, which is the purpose of a stop."""
    if effect.variables:
        yield tr("Variables among them: {names}.", names=_listed(effect.variables))
    elif effect.variables is not None:
        yield tr("None of them is a variable.")


def _paths(effect: StopEffect) -> str:
    if not effect.paths:
        return ""
    removed, paths = grouped(effect.removed), grouped(effect.paths)
    return tr("It blocks {removed} of {paths} paths to the loss.", removed=removed, paths=paths)


def stop_headings() -> tuple[str, ...]:
    """Returns the headings of the list of stops."""
    return tr("StopGradient"), tr("Wires"), tr("What it does")


def stop_row(key: str | Link, answer: StopAnswer | None) -> TableRow:
    """Returns the row of a stop; its effect may still be unknown."""
    name = key.replace("/", " / ") if isinstance(key, str) else tr("Stop here: {wire}", wire=place_text(key))
    if answer is None:
        return TableRow(key, (name, "", tr("…")), ("text.secondary",), "clock")
    verdict = answer.effect.verdict
    tokens = ("warn" if verdict in _USELESS else "text.primary", "text.primary")
    wires = grouped(answer.wires) if verdict not in _USELESS else ""
    said = verdict_text(answer)
    return TableRow(key, (name, wires, said), tokens, verdict_icon(verdict), f"{name}\n{said}")


def change_headings(is_preview: bool) -> tuple[str, ...]:
    """Returns the headings of the list of changes."""
    after = tr("With the stop") if is_preview else tr("Without it")
    return tr("Gradient of"), "Δ", tr("Now"), after, tr("largest |Δ|")


def change_row(change: ChangeReading) -> TableRow:
    """Returns the row of a changed gradient."""
    texts = (
        place_text(change.place), _amount(change.difference), _amount(change.before), _amount(change.after),
        fmt(change.largest),
    )  # fmt: skip
    token = "text.tertiary" if change.is_rounding else "text.primary"
    tip = tr("Rounding error only") if change.is_rounding else ""
    return TableRow(change.place, texts, (token,), "route" if isinstance(change.place, Link) else "grad", tip)


def _amount(reading: Reading) -> str:
    return value_text(reading, ELEMENTS)
