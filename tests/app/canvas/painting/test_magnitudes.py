"""The size of a gradient on the scale of its page, for one wire and for many at once."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.app.canvas.painting.magnitudes import magnitude, magnitudes
from tests.app.canvas.pages import chain, mirror_of

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.parametrize(
    ("top", "span", "norms", "expected"),
    [
        (1.0, 10.0, (1.0, 1e-5, 1e-8), (1.0, 0.5, 0.2)),
        (1e-10, 10.0, (1e-10, 1e-15, 0.0), (1.0, 0.5, 0.0)),
        (1.0, 300.0, (1e-150, 1e-240, 1e-299), (0.5, 0.2, 1 / 300)),
        (1.0, 2.0, (100.0, 0.1, 1e-4), (1.0, 0.5, 0.0)),
    ],
)
def test_a_norm_stands_on_the_scale_of_its_page(top: float, span: float, norms: tuple, expected: tuple) -> None:
    mirror = mirror_of(chain())
    mirror.top, mirror.span, mirror.wire_norm = top, span, np.array(norms)
    assert magnitudes(mirror, np.arange(3)) == pytest.approx(expected)
    assert [magnitude(mirror, row) for row in range(3)] == pytest.approx(expected)
