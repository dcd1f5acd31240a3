"""Explanations of gradients with NaN or infinity: how many elements, and the blocks where they arise."""

from __future__ import annotations

from gradwire.app.base.translation import grouped, tr, tr_count, tr_sentence
from gradwire.app.live.explanation.explanation import Explanation
from gradwire.app.live.explanation.run_facts import Facts
from gradwire.app.live.readings.amounts import broken_text
from gradwire.app.live.readings.readings import Reading
from gradwire.app.look.numbers import fmt
from gradwire.engine.causes.births import Origin


def nonfinite_texts(facts: Facts, found: Explanation) -> tuple[str, str]:
    """Returns the result as a short text, and the sentences.

    The sentences name the broken value first, then the backward step, then a hint.
    """
    short, what = _broken(found)
    births = [] if found.origin is None else [*map(tr_sentence, found.origin.sentences)]
    return short, " ".join([*(births or [what]), *_hints(facts, found.origin)])


def _hints(facts: Facts, origin: Origin | None) -> list[str]:
    """Returns a number that would keep the input of the first broken block above 0, if that mends it."""
    first = None if origin is None else origin.first
    if first is None or first.mended_by is None:
        return []
    block, number = facts.title(first.at), fmt(first.mended_by)
    return [tr("Keep the input of {block} above 0, for example by adding {number} to it.", block=block, number=number)]


def _broken(found: Explanation) -> tuple[str, str]:
    if found.gradient is not None and not found.gradient.is_finite:
        return broken_text(found.gradient), tr("The gradient has {broken}.", broken=_counted(found.gradient))
    if found.value is not None and not found.value.is_finite:
        return broken_text(found.value), tr("The value has {broken}.", broken=_counted(found.value))
    return "NaN", tr("NaN or infinity arises here.")


def _counted(item: Reading) -> str:
    """Returns how much of a tensor is not finite, in words."""
    counts = [tr("{count} NaN", count=grouped(item.nan))] if item.nan else []
    counts += [tr("{count} infinite", count=grouped(item.infinite))] if item.infinite else []
    elements = tr_count("{count} element", "{count} elements", item.size)
    return tr("{counts} of {elements}", counts=tr(" and ").join(counts), elements=elements)
