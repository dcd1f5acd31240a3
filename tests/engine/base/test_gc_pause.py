"""Pause of the garbage collector: afterwards it is as it was."""

from __future__ import annotations

import gc

import pytest

from gradwire.engine.base.gc_pause import collection_paused


@pytest.mark.parametrize("was_on", [True, False])
def test_the_collector_is_off_for_a_while_and_then_as_before(was_on: bool) -> None:
    set_before = gc.enable if gc.isenabled() else gc.disable
    try:
        (gc.enable if was_on else gc.disable)()
        with collection_paused():
            assert not gc.isenabled()
        assert gc.isenabled() == was_on
    finally:
        set_before()
