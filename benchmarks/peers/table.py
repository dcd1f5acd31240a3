"""The results of a run as Markdown: the progress towards the goals, and every time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from benchmarks.peers.goals import GOALS, Goal
from benchmarks.peers.processes import LIMIT, TITLES, Outcome

Outcomes = Mapping[tuple[str, str], Outcome]
# The cases by their names here, and their titles in the table.
ROWS = {
    "softmax_10": "stable softmax, 10 elements",
    "softmax_1000": "stable softmax, 1,000",
    "softmax_1000000": "stable softmax, 1,000,000",
    "chain_16": "chain of 1,000 steps, 16 elements",
    "chain_1000000": "chain of 1,000 steps, 1,000,000",
    "mlp_32": "MLP 784-128-64-10, a step of SGD, batch 32",
    "mlp_256": "the same, batch 256",
    "cnn_32": "CNN, batch 32, loss and gradients",
    "transformer_16": "transformer layer, 16 x 32, loss and gradients",
    "transformer_128": "the same, 128 x 256",
    "lstm_1000": "LSTM of 1,000 steps, loss and gradients",
    "scan_1000": "the same as one Scan",
    "graph_gradients": "5,000 blocks, gradients of the inputs",
    "graph_wires": "5,000 blocks, every wire",
    "graph_leaf": "one leaf changed, 1 % affected, every wire",
    "graph_edit": "one block edited, every wire",
}


def goals_table(outcomes: Outcomes) -> Iterator[str]:
    """Yields a row for each goal."""
    yield "| case | ours | beside | ratio | goal | reached |"
    yield "|---|---|---|---|---|---|"
    for goal in GOALS:
        if (goal.case, goal.engine) in outcomes:
            yield _goal_row(goal, outcomes)


def times_table(outcomes: Outcomes) -> Iterator[str]:
    """Yields a row for each case, with a column for each framework."""
    cases = list(dict.fromkeys(case for case, _ in outcomes))
    frameworks = list(dict.fromkeys(framework for _, framework in outcomes))
    yield "| | " + " | ".join(TITLES[name] for name in frameworks) + " |"
    yield "|---" * (len(frameworks) + 1) + "|"
    for case in cases:
        yield "| " + " | ".join([ROWS[case], *(_time(outcomes[case, name]) for name in frameworks)]) + " |"


def remarks(outcomes: Outcomes) -> Iterator[str]:
    """Yields remarks beside the tables: failures, and more than one busy processor."""
    for (case, framework), outcome in outcomes.items():
        if outcome.reason:
            yield f"- {TITLES[framework]}, {ROWS[case]}: {outcome.reason}"
        elif outcome.numbers and (outcome.numbers["cores"] or 0) > 1.1:
            yield f"- {TITLES[framework]}, {ROWS[case]}: used {outcome.numbers['cores']:.1f} processors all the same."


def _goal_row(goal: Goal, outcomes: Outcomes) -> str:
    mine = outcomes[goal.case, goal.engine]
    label = ROWS[goal.case] + ("" if goal.engine == "ours" else f" ({TITLES[goal.engine]})")
    if mine.numbers is None:
        return f"| {label} | {_time(mine)} | | | | no |"
    found = mine.numbers[goal.what]
    if goal.peer is None:
        wanted = seconds_text(goal.limit) if goal.what == "seconds" else f"{goal.limit:g} MB"
        own = seconds_text(found) if goal.what == "seconds" else f"{found:.0f} MB"
        return f"| {label} | {own} | | {found / goal.limit:.2f} | {wanted} | {_verdict(found, goal.limit)} |"
    theirs = outcomes.get((goal.case, goal.peer), Outcome(None, "not installed"))
    beside = f"{TITLES[goal.peer]} {_time(theirs)}"
    if theirs.numbers is None:
        return f"| {label} | {seconds_text(found)} | {beside} | | {goal.limit:.3g} | |"
    ratio = found / theirs.numbers["seconds"]
    judged = f"{ratio:.3g} | {goal.limit:.3g} | {_verdict(ratio, goal.limit)}"
    return f"| {label} | {seconds_text(found)} | {beside} | {judged} |"


def _verdict(found: float, limit: float) -> str:
    return "yes" if found <= limit else "no"


def _time(outcome: Outcome) -> str:
    if outcome.numbers is not None:
        return seconds_text(outcome.numbers["seconds"])
    return "–" if outcome.reason else f"not ready after {LIMIT} s"


def seconds_text(seconds: float) -> str:
    """Returns a time with three digits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"


def joined(*parts: Sequence[str]) -> str:
    """Returns the parts, separated by empty lines."""
    return "\n\n".join("\n".join(part) for part in parts if part)
