"""The texts about a gradient compared with central differences."""

from __future__ import annotations

from gradwire.app.base.translation import grouped, tr, tr_count
from gradwire.app.look.numbers import fmt, index_text
from gradwire.engine.explain.checks.element_check import PlaceCheck, Verdict

_WORST_FIRST = (Verdict.DIFFERS, Verdict.MEANT, Verdict.KINK, Verdict.JUMP, Verdict.UNKNOWN)
TOKENS = {
    Verdict.AGREES: "ok",
    Verdict.MEANT: "text.secondary",
    Verdict.KINK: "warn",
    Verdict.JUMP: "warn",
    Verdict.DIFFERS: "error",
    Verdict.UNKNOWN: "alarm",
}
_WORDS = {
    Verdict.AGREES: "agrees",
    Verdict.KINK: "kink",
    Verdict.JUMP: "jump",
    Verdict.DIFFERS: "differs",
    Verdict.MEANT: "differs on purpose",
    Verdict.UNKNOWN: "not finite",
}
# The sentences for a check of a single element, and for the share of several ones.
_ONE = {
    Verdict.DIFFERS: "It differs from its central difference.",
    Verdict.MEANT: "It differs on purpose: a page has a gradient of its own.",
    Verdict.KINK: "It is within {step} of a kink.",
    Verdict.JUMP: "It is within {step} of a jump.",
    Verdict.UNKNOWN: "It is not finite.",
}
_SEVERAL = {
    Verdict.DIFFERS: "{count} of {all} elements differ from central differences.",
    Verdict.MEANT: "{count} of {all} elements differ on purpose: a page has a gradient of its own.",
    Verdict.KINK: "{count} of {all} elements are within {step} of a kink.",
    Verdict.JUMP: "{count} of {all} elements are within {step} of a jump.",
    Verdict.UNKNOWN: "{count} of {all} elements are not finite.",
}


def verdict_text(verdict: Verdict) -> str:
    """Returns a verdict in a word or two."""
    return tr(_WORDS[verdict])


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
    parts = [_share(check, verdict, count) for verdict in _WORST_FIRST if check.count(verdict)]
    if not parts:
        parts = [_all_agree(count)]
    if check.size > count:
        parts.append(tr("These are the first of {size}.", size=grouped(check.size)))
    return " ".join(parts)


def _share(check: PlaceCheck, verdict: Verdict, count: int) -> str:
    """Returns how many of the elements have a verdict; for a single element, only the verdict."""
    found = [element for element in check.elements if element.verdict is verdict]
    step = fmt(max(element.step for element in found))
    return tr(_ONE[verdict], step=step) if count == 1 else tr(_SEVERAL[verdict], count=len(found), all=count, step=step)


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
