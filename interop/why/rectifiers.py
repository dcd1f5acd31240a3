"""Parameters of which a part does not learn, because a rectifier passes nothing of some units."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gradwire.engine.advice.linter import RULE_OF, lint
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.interop.why.dataflow import Dataflow
from gradwire.interop.why.finding import Finding, State
from gradwire.interop.why.reasons import Words

RULE: Final = "dead_units"
_SAYS: Final = " passes nothing for "


def dead_rectifiers(run: Evaluation, flow: Dataflow, words: Words) -> Iterator[Finding]:
    """Yields a finding for the parameters that are nearest before each rectifier with dead units."""
    for item in lint(run, [RULE_OF[RULE]]):
        _, verb, numbers = item.message.partition(_SAYS)
        reason = f"{words.named(item.at)}{verb}{numbers}" if verb else item.message
        for path in _nearest(flow, item.at):
            yield Finding(words.parameter(path), State.DEAD_UNITS, RULE, reason, words.spot(item.at))


def _nearest(flow: Dataflow, path: str) -> list[str]:
    """Returns the Variables from which the fewest blocks lead to a block."""
    level, seen = [path], {path}
    while level:
        found = [item for item in level if (kind := flow.instances[item].type) is not None and kind.is_variable]
        if found:
            return found
        level = [*dict.fromkeys(port.path for item in level for port in flow.inputs(item) if port.path not in seen)]
        seen.update(level)
    return []
