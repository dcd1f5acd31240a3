"""Words for what a loop shows: the gradient by round, and the rounds before which a stop stands."""

from __future__ import annotations

from collections.abc import Sequence

from gradwire.app.base.translation import tr
from gradwire.app.canvas.geometry.loop_norms import LoopNorms
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.live.explanation.sentences import own_gradient_sentence, stopped_sentence
from gradwire.app.look.numbers import fmt
from gradwire.engine.base.untrusted_text import plain

# So many rounds with stops are named, then the last one.
NAMED = 4


def block_remarks(mirror: Mirror, block_id: str) -> tuple[str, ...]:
    """Returns what card and voice say of a block besides its type and ports: rounds, stops, and an own gradient."""
    block, session = mirror.blocks[mirror.rows[block_id]], mirror.session
    instance = session.inferred.expanded.instances.get(f"{session.prefix}/{block_id}")
    own = own_gradient_sentence(session.graph, block)
    return tuple(filter(None, [loop_words(mirror.loops.norms(block)), stopped_sentence(instance), own]))


def loop_words(found: LoopNorms | None) -> str:
    """Returns the norms of the first and the last round of a loop, and its stops; "" where there are none."""
    if found is None or not found.has_path:
        return ""
    names, first, last = ", ".join(map(plain, found.names)), fmt(float(found.norms[0])), fmt(float(found.norms[-1]))
    if found.norms.size == 1:
        return tr("|∂L| of {names}: {first} at round 0", names=names, first=first)
    words = tr("|∂L| of {names} by round: {first} at round 0 … {last} at round {number}")
    said = words.format(names=names, first=first, last=last, number=found.norms.size - 1)
    return f"{said}; {_stop_words(found.stops)}" if found.stops else said


def _stop_words(stops: Sequence[int]) -> str:
    if len(stops) == 1:
        return tr("blocked at round {number}", number=stops[0])
    shown = ", ".join(map(str, stops[:NAMED]))
    if len(stops) > NAMED:
        shown += f" … {stops[-1]}" if len(stops) > NAMED + 1 else f", {stops[-1]}"
    return tr("blocked at rounds {numbers}", numbers=shown)
