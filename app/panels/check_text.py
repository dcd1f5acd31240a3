"""What is said of a gradient that was compared with central differences."""

from __future__ import annotations

from app.look.numbers import fmt
from app.words import grouped, tr, tr_count
from engine.element_check import ElementCheck, PlaceCheck, Verdict


def verdict_text(verdict: Verdict) -> str:
    """A verdict in a word or two."""
    words = {Verdict.AGREES: tr("agrees"), Verdict.KINK: tr("kink"), Verdict.DIFFERS: tr("differs")}
    return words.get(verdict, tr("not finite"))


def look_of(check: PlaceCheck) -> tuple[str, str]:
    """The icon of the outcome and the token of its colour: well, worth a look, or wrong."""
    if check.count(Verdict.DIFFERS):
        return "error", "error"
    return ("check-circle", "ok") if check.count(Verdict.AGREES) == len(check.elements) else ("warn", "warn")


def outcome(check: PlaceCheck) -> str:
    """What the comparison came to, the worst first."""
    count, kinks = len(check.elements), check.count(Verdict.KINK)
    parts = []
    if wrong := check.count(Verdict.DIFFERS):
        parts.append(tr("{count} of {all} elements differ from central differences.", count=wrong, all=count))
    if kinks:
        step = fmt(max(element.step for element in check.elements if element.verdict is Verdict.KINK))
        parts.append(tr("{count} of {all} elements lie within {step} of a kink.", count=kinks, all=count, step=step))
    if unknown := check.count(Verdict.UNKNOWN):
        parts.append(tr("{count} of {all} elements are not finite.", count=unknown, all=count))
    if not parts:
        parts.append(
            tr_count(
                "It agrees with its central difference.",
                "All {count} elements agree with central differences.",
                count,
            )
        )
    if check.size > count:
        parts.append(tr("These are the first of {size}.", size=grouped(check.size)))
    return " ".join(parts)


def withheld(check: PlaceCheck) -> str:
    """What StopGradients keep from the element that loses most; "" if they keep nothing."""
    if not check.is_withheld:
        return ""
    most = max(check.elements, key=lambda element: abs(element.withheld))
    return tr(
        "That is with StopGradient frozen. The true slope{at} is {true}, not {gradient}: it keeps back {rest}.",
        at=tr(" at {index}", index=index_text(most)) if most.index else "",
        true=fmt(most.true),
        gradient=fmt(most.gradient),
        rest=fmt(most.withheld),
    )


def index_text(element: ElementCheck) -> str:
    """Where an element stands: `[2]`, `[0, 1]`; of a scalar `[]`."""
    return f"[{', '.join(map(str, element.index))}]"
