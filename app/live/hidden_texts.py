"""The text that says that a gradient is hidden; others stand with what they take the place of."""

from __future__ import annotations

from gradwire.app.base.translation import tr
from gradwire.app.live.readings.hidden import Hidden


def place_hidden(why: Hidden) -> str:
    """Returns the text in place of the explanation of a gradient."""
    return {
        Hidden.AHEAD: tr("Step mode has not reached it yet."),
        Hidden.FORWARD: tr("The forward pass has only values: gradients follow in the backward pass."),
    }[why]
