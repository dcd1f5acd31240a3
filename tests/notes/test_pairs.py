"""Examples in pairs: with its stops switched off the one is the other."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.notes.facts import of

RECORDED = json.loads((Path(__file__).parent.parent / "golden" / "gallery.json").read_text())
# Files with stops, and the same files without them.
PAIRS = {
    "td_semi": "td_residual",
    "pg_stop": "pg_nostop",
    "gan_stop": "gan_nostop",
    "rnn20_tbptt5": "rnn20",
    "em_Q_stop": "em_Q_nostop",
    "cd1_stop": "cd1_nostop",
    "adv_raw_stop": "adv_raw_nostop",
}


@pytest.mark.parametrize("stopped", PAIRS)
def test_with_its_stops_switched_off_it_is_the_other_example(stopped: str) -> None:
    for name, expected in RECORDED[PAIRS[stopped]]["grads"].items():
        np.testing.assert_allclose(of(stopped).off().gradient(f"{name}.y"), expected, rtol=1e-11)
