"""The texts about a gradient compared with central differences."""

from __future__ import annotations

from typing import NamedTuple

from gradwire.app.base.translation import grouped, tr, tr_count
from gradwire.app.look.numbers import fmt, index_text
from gradwire.engine.explain.checks.element_check import PlaceCheck, Verdict


class _Said(NamedTuple):
    """What is said of a verdict: in a word or two, with a colour, on the only element, and on some of several."""

    word: str
    token: str
    one: str = ""
    several: str = ""


# The worst first.
SAID = {
    Verdict.DIFFERS: _Said("differs", "error", "It differs from its central difference.",
                           "{count} of {all} elements differ from central differences."),
    Verdict.MEANT: _Said("differs on purpose", "text.secondary",
                         "It differs on purpose: a page has a gradient of its own.",
                         "{count} of {all} elements differ on purpose: a page has a gradient of its own."),
    Verdict.KINK: _Said("kink", "warn", "It is within {step} of a kink.",
                        "{count} of {all} elements are within {step} of a kink."),
    Verdict.JUMP: _Said("jump", "warn", "It is within {step} of a jump.",
                        "{count} of {all} elements are within {step} of a jump."),
    Verdict.UNKNOWN: _Said("not finite", "alarm", "It is not finite.", "{count} of {all} elements are not finite."),
    Verdict.AGREES: _Said("agrees", "ok"),
}  # fmt: skip


def verdict_text(verdict: Verdict) -> str:
    """Returns a verdict in a word or two."""
    return tr(SAID[verdict].word)


def look_of(check: PlaceCheck) -> tuple[str, str]:
    """Returns the icon and the colour token of the outcome: fine, a warning, or an error."""
    if check.count(Verdict.DIFFERS):
        return "error", "error"
    if check.count(Verdict.AGREES) == len(check.elements):
        return "check-circle", "ok"
    is_meant = check.count(Verdict.AGREES) + check.count(Verdict.MEANT) == len(check.elements)
    return ("info", "text.secondary") if is_meant else ("warn", "warn")


def outcome(check: PlaceCheck) -> str:
    """Returns the outcome of the comparison in sentences, worst first."""
    count = len(check.elements)
    parts = [_share(check, verdict, count) for verdict, said in SAID.items() if said.one and check.count(verdict)]
    if not parts:
        parts = [_all_agree(count)]
    if check.size > count:
        parts.append(tr("These are the first of {size}.", size=grouped(check.size)))
    return " ".join(parts)


def _share(check: PlaceCheck, verdict: Verdict, count: int) -> str:
    """Returns how many of the elements have a verdict; for a single element, only the verdict."""
    found = [element for element in check.elements if element.verdict is verdict]
    step = fmt(max(element.step for element in found))
    said = SAID[verdict]
    return tr(said.one, step=step) if count == 1 else tr(said.several, count=len(found), all=count, step=step)


def _all_agree(count: int) -> str:
    if count == 2:
        return tr("Both elements agree with central differences.")
    return tr_count(
        "It agrees with its central difference.", "All {count} elements agree with central differences.", count
    )


def withheld(check: PlaceCheck) -> str:
    """Returns the amount that StopGradients withhold from the most affected element; "" if they withhold nothing."""
    if not check.is_withheld:
        return ""
    most = max(check.elements, key=lambda element: abs(element.withheld))
    return tr(
        "This curve treats StopGradient as a constant. The true slope{at} is {true}, not {gradient}: "
        "StopGradient withholds {rest}.",
        at=tr(" at {index}", index=index_text(most.index)) if most.index else "",
        true=fmt(most.true),
        gradient=fmt(most.gradient),
        rest=fmt(most.withheld),
    )
