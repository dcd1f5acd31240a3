"""The words in place of a gradient's number."""

from __future__ import annotations

import pytest

from gradwire.app.look.status_texts import status_label
from gradwire.engine.autodiff.status import Status


@pytest.mark.parametrize(
    ("status", "norm", "label"),
    [
        (Status.ZERO, 0.0, "0"),
        (Status.ZERO, 1e-17, "≈ 0"),
        (Status.ZERO, None, "≈ 0"),
        (Status.BLOCKED, None, "0 blocked"),
        (Status.BLOCKED, 3.0, "0 blocked"),
        (Status.FLOW, 2.0, ""),
    ],
)
def test_a_zero_is_exact_or_about_zero(status: Status, norm: float | None, label: str) -> None:
    assert status_label(status, norm) == label
