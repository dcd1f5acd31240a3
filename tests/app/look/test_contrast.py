"""The contrast of every pair of overlapping colours, in all themes and for colour-blind eyes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtGui import QColor

from gradwire.app.look.theme import Theme, theme, tokens
from gradwire.app.look.wire_pens import status_pens
from gradwire.engine.autodiff.status import Status
from tests.app.look.test_theme import contrast

pytestmark = pytest.mark.usefixtures("qapp")

ALL = pytest.mark.parametrize(
    "dress",
    [theme("dark"), theme("light"), theme("dark", True), theme("light", True)],
    ids=["dark", "light", "dark in high contrast", "light in high contrast"],
)
GROUNDS = ("bg.canvas", "bg.app", "bg.raised", "bg.header", "bg.sunken", "bg.overlay", "bg.frame", "bg.chrome")
# WCAG 2.1 AA: text has 4.5 to 1.
TEXTS = {
    "text.primary": (*GROUNDS, "bg.hover", "bg.selected"),
    "text.secondary": (*GROUNDS, "bg.hover", "bg.selected"),
    "text.tertiary": (*GROUNDS, "bg.hover", "bg.selected", "accent.soft", "warn.bg"),
    "value": GROUNDS,
    "grad.text": (*GROUNDS, "grad.soft"),
    "accent": GROUNDS,
    "error": (*GROUNDS, "error.bg"),
    "warn": (*GROUNDS, "warn.bg"),
    "ok": (*GROUNDS, "ok.bg"),
    "alarm": (*GROUNDS, "alarm.bg"),
    "wire.zero": ("bg.canvas", "bg.frame"),
    "stop": ("stop.fill", "bg.canvas"),
    "text.on-accent": ("accent",),
}
# WCAG 2.1 AA: graphics that users must see have 3 to 1.
GRAPHICS = {
    "wire.value": ("bg.canvas", "bg.frame"),
    "wire.nopath": ("bg.canvas", "bg.frame"),
    "border.strong": ("bg.app", "bg.sunken", "bg.raised"),
    "focus": GROUNDS,
    "grad.seed": ("bg.canvas", "bg.raised"),
}
# Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", 2009,
# severity 1, on linear sRGB.
EYES = {
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
TO_LMS = [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
          [0.0883024619, 0.2817188376, 0.6299787005]]  # fmt: skip
TO_LAB = [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
          [0.0259040371, 0.7827717662, -0.8086757660]]  # fmt: skip


def pairs(dress: Theme) -> Iterator[tuple[str, str, float]]:
    """Yields each pair of overlapping colours with its least contrast."""
    for least, table in ((4.5, TEXTS), (3.0, GRAPHICS)):
        for token, grounds in table.items():
            yield from ((token, ground, least) for ground in grounds)
    names = tokens()["themes"][dress.name]["color"]
    for token in names:
        if token.startswith(("cat.", "dtype.")):
            yield from ((token, ground, 3.0) for ground in ("bg.canvas", "bg.raised", "bg.header", "bg.app"))


@ALL
def test_every_pair_of_the_design_has_its_contrast(dress: Theme) -> None:
    found = {
        (token, ground): contrast(dress.color(token), dress.color(ground)) / least
        for token, ground, least in pairs(dress)
    }
    assert len(found) > 150
    assert not {pair: round(ratio, 2) for pair, ratio in found.items() if ratio < 1}


@ALL
def test_every_colour_of_the_ramp_is_seen_on_canvas_and_frame(dress: Theme) -> None:
    shades = [dress.ramp(t) for t in np.linspace(0, 1, 101)]
    for ground in ("bg.canvas", "bg.frame"):
        assert min(contrast(shade, dress.color(ground)) for shade in shades) >= 3


def oklab(color: QColor, eye: str) -> np.ndarray:
    rgb = np.array([color.redF(), color.greenF(), color.blueF()])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return np.array(TO_LAB) @ np.cbrt(np.array(TO_LMS) @ np.clip(np.array(EYES[eye]) @ linear, 0, 1))


@ALL
@pytest.mark.parametrize("eye", EYES)
def test_value_and_gradient_differ_for_every_kind_of_colour_vision(eye: str, dress: Theme) -> None:
    value, gradient = (oklab(dress.color(token), eye) for token in ("value", "grad.text"))
    assert np.linalg.norm(value - gradient) >= 0.20


@ALL
def test_the_kinds_of_zero_are_told_apart_without_any_colour(dress: Theme) -> None:
    kinds = (Status.ZERO, Status.BLOCKED, Status.NON_DIFFERENTIABLE, Status.NO_PATH, Status.NONFINITE)
    shapes = {
        kind: tuple((pen.widthF(), tuple(pen.dashPattern())) for pen in status_pens(dress, kind)) for kind in kinds
    }
    assert all(shapes[one] != shapes[other] for one, other in itertools.combinations(kinds, 2))
