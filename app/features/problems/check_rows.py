"""The rows of the checks of a graph in the list of problems."""

from __future__ import annotations

from gradwire.app.base.translation import listed, tr, tr_sentence
from gradwire.app.features.problems.checks import Checks
from gradwire.app.features.problems.problem_rows import CHECKS, DIFFERS, PASSES, QUIET, Row
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.explain.contracts import Check, CheckResult, is_recorded, kind_of

# So many changed blocks are named.
NAMED = 2


def check_rows(checks: Checks, are_all_wanted: bool) -> list[Row]:
    """Returns a row for each check that fails, and one for all that were tried; then each of the others, if wanted."""
    tried = [(number, item.check, item.result) for number, item in enumerate(checks.tried)]
    has_changed = any(result is not None and not result.holds and is_recorded(check) for _, check, result in tried)
    record = _record_text(checks) if has_changed else ""
    rows = [_row(number, check, result, record) for number, check, result in tried if result is not None]
    holding, differing = ([row for row in rows if row.code == code] for code in (PASSES, DIFFERS))
    failing = [row for row in rows if row.code not in QUIET]
    if not rows:
        return []
    said = tr("{holding} of {count} checks pass", holding=len(holding), count=len(rows))
    head = Row("info", said, record if differing else "", "", CHECKS)
    return [*failing, head, *[*differing, *holding] * are_all_wanted]


def _row(number: int, check: Check, result: CheckResult, record: str) -> Row:
    """Returns the row of a check; `record` says why recorded numbers differ."""
    title, place, found = check_title(check), place_in(check), tr_sentence(result.message)
    at = "" if place is None else (place.source if isinstance(place, Link) else place).path
    link = place if isinstance(place, Link) else None
    if result.holds:
        return Row("info", title, tr("This check passes."), at, PASSES, check=number, link=link)
    if is_recorded(check):
        return Row("info", title, f"{record}. {found}", at, DIFFERS, check=number, link=link)
    return Row("error", tr("Check fails: {check}", check=title), found, at, "check", check=number, link=link)


def place_in(check: Check) -> PortName | Link | None:
    """Returns the place of a check; None if it names none."""
    ends = check.get("wire", (check.get("at"),))
    if not isinstance(ends, list | tuple):
        return None
    names = [PortName(*end.rsplit(".", 1)) for end in ends if isinstance(end, str) and "." in end]
    if len(names) == 2:
        return Link(*names)
    return names[0] if names else None


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


def _record_text(checks: Checks) -> str:
    """Returns that the run differs from the recorded one, and which blocks the user has changed since."""
    names = checks.changed_blocks
    if not names:
        return tr("Differs from the recorded run")
    return tr("Differs from the recorded run, you changed {names}", names=listed(list(map(plain, names)), NAMED))
