"""Steps that take long are announced while they run; light ones are not."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.blocks.elementwise import Exp, Log
from gradwire.engine.blocktypes.expression import constant
from gradwire.engine.blocktypes.plan import make_plan
from gradwire.engine.blocktypes.progress import BlockWatch
from gradwire.engine.executors import step_layout
from gradwire.engine.executors.arena import Arena


# A step weighs as much as the bytes that come in and go out: 64 and 64.
@pytest.mark.parametrize(("bound", "told"), [(129, []), (128, ["main/e", ""]), (127, ["main/e", ""])])
def test_a_heavy_step_is_announced_in_each_run(monkeypatch: pytest.MonkeyPatch, bound: int, told: list[str]) -> None:
    monkeypatch.setattr(step_layout, "_WATCHED", bound)
    x, w = constant(np.ones(8)), constant(np.ones(2))
    heavy, light = Exp(x), Log(w)
    heard: list[str] = []
    owners = {heavy.application: "main/e", light.application: "main/l"}
    plan = make_plan([heavy, light])
    arena = Arena(plan, BlockWatch(owners, lambda: [], heard.append))
    assert heard == told
    heard.clear()
    arena.run({plan.slots[x]: np.zeros(8)})
    assert heard == told
    heard.clear()
    arena.run({plan.slots[w]: np.full(2, 2.0)})
    assert not heard
