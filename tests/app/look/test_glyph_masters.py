"""Masters of the set of printed digits: what the script draws from the fonts of the window."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.blocks.support.glyphs import masters
from scripts.draw_glyphs import HELD_BACK, TRAINED
from scripts.draw_glyphs import masters as draw_masters


@pytest.mark.usefixtures("qapp")
def test_every_digit_has_six_masters_of_its_height_and_they_are_what_the_script_draws() -> None:
    assert not {*TRAINED} & {*HELD_BACK}
    for name, fonts in (("x", TRAINED), ("test", HELD_BACK)):
        stored = np.rint(masters(name)[:, :, 1:-1, 1:-1] * 255)
        again = draw_masters(fonts)
        assert stored.shape == again.shape
        # Another version of Qt may smooth edges a little differently.
        assert np.abs(stored - again).mean() < 2
        rows = stored.max(axis=3) > 0
        assert ((rows.sum(axis=2) >= 24) & (rows.sum(axis=2) <= 26)).all()
    assert masters("x").shape[1] >= 6
