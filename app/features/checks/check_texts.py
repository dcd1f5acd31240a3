"""The texts of the lens of checks."""

from __future__ import annotations

from gradwire.app.base.translation import listed, tr, tr_sentence
from gradwire.app.features.checks.check_questions import TriedCheck
from gradwire.app.features.checks.checks import Checks
from gradwire.app.kit.lens.rows import TableRow
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.explain.contracts import Check, is_recorded, kind_of, place_of

# So many changed blocks are named.
NAMED = 2


def check_headings() -> tuple[str, ...]:
    """Returns the headings of the columns."""
    return tr("Check"), tr("Found"), tr("Place")


def check_row(number: int, row: TriedCheck, record: str) -> TableRow:
    """Returns the row of a check, identified by its number; `record` says why recorded numbers differ."""
    title, place, result = check_title(row.check), plain(place_of(row.check).replace("->", "→")), row.result
    if result is None:
        return TableRow(number, (title, tr("Not tried yet"), place), ("text.secondary",), "clock")
    if result.holds:
        return TableRow(
            number, (title, tr("Passes"), place), ("ok", "text.secondary", "text.secondary"), "check-circle"
        )
    found = tr_sentence(result.message)
    if is_recorded(row.check):
        return TableRow(number, (title, f"{record}. {found}", place), ("text.secondary",), "info")
    return TableRow(number, (title, found, place), ("error", "text.primary", "text.secondary"), "error")


def check_title(check: Check) -> str:
    """Returns the author's title of a check, else its expectation."""
    title = check.get("title")
    if isinstance(title, str) and title:
        return plain(title)
    kind = kind_of(check)
    if kind == "status":
        return tr("The status is {status}", status=check["status"])
    if kind == "finite":
        return tr("NaN or infinity") if check["finite"] is False else tr("Everything is finite")
    bounds = check.get("norm")
    if kind == "norm" and isinstance(bounds, list | tuple) and len(bounds) == 2:
        return tr("The size of the gradient is between {low} and {high}", low=bounds[0], high=bounds[1])
    if kind == "gradient_equals":
        return tr("The gradient is that of {place}", place=check["gradient_equals"])
    titles = {"value": tr("Value equals the recorded one"), "gradient": tr("Gradient equals the recorded one")}
    return titles.get(kind, tr("A check"))


def checks_summary(checks: Checks) -> str:
    """Returns how many checks pass; "" if there are none."""
    if not checks.rows:
        return ""
    if not checks.is_known:
        return tr("Checks: not tried yet")
    return tr("{holding} of {count} checks pass", holding=checks.holding, count=len(checks.rows))


def record_text(checks: Checks) -> str:
    """Returns that the run differs from the recorded one, and which blocks the user has changed since."""
    names = checks.changed_blocks
    if not names:
        return tr("Differs from the recorded run")
    return tr("Differs from the recorded run, you changed {names}", names=listed(list(map(plain, names)), NAMED))


def failure_text(checks: Checks) -> str:
    """Returns how many checks pass where a law fails; recorded numbers differ after every change of an input."""
    fails = checks.is_known and checks.holding < len(checks.rows) and not checks.differs_from_record
    return checks_summary(checks) if fails else ""
