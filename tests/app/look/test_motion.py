from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from gradwire.app.look.motion import moves, set_moves


@pytest.fixture(autouse=True)
def _as_the_system(qapp: QApplication) -> Iterator[None]:
    yield
    set_moves(None)


def test_where_nobody_sees_it_nothing_moves() -> None:
    assert not moves()


def test_movement_can_be_wanted_and_forbidden() -> None:
    set_moves(True)
    assert moves()
    set_moves(False)
    assert not moves()
