"""What a StopGradient does, in a sentence or two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gradwire.app.base.translation import grouped, listed, tr, tr_count
from gradwire.app.features.compare.stop_questions import StopAnswer
from gradwire.app.look.numbers import fmt
from gradwire.engine.explain.stop_effects import StopEffect, Verdict
from gradwire.engine.graph.paths import name_in_rounds


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
