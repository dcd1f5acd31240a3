"""The storyboard of the film: twelve seconds in which a slider moves, a stop is lifted, and a NaN is mended."""

from __future__ import annotations

from scripts.film.acts import Scene, click, drag, move, press, rest
from scripts.film.places import knob, widget, wire_end

# Texts stay readable when the film is shown in a column of 900 px. Units: px.
SIZE = (1120, 752)

SCENES = (
    Scene(
        "Drag an input: every value and every gradient follows.",
        (
            *move(knob("x", 0, 1.0), 0.4),
            *drag((knob("x", 0, 4.1), 1.3), (knob("x", 0, 2.2), 0.8), pause=0.1),
        ),
        example="softmax_stable",
        chosen=frozenset({"x"}),
    ),
    Scene(
        "Point at a wire: its card says why the gradient is 0.",
        (*move(wire_end("stop.x", 118), 0.5), *rest(1.8)),
    ),
    Scene(
        "Ignore StopGradient: 0 becomes ≈ 0, and the gradient of x stays the same.",
        (*click(widget("stop_switch", 0.85), 0.5, pause=1.2), *press(pause=0.4)),
    ),
    Scene(
        "A NaN? One click leads to where it comes from.",
        (*rest(0.3), *click(widget("status_action", 0.84), 0.6, pause=1.3)),
        example="where_bad",
    ),
    Scene(
        "One more applies the fix: every gradient is finite.",
        (*click(widget("why_fix_0", 0.9), 0.5, pause=0.44), *click(widget("status_zoom"), 0.5, pause=1.0)),
    ),
)
