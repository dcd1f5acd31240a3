"""Any edits, undos and rests in a row: the rows of a page name all that changed, and never fit other tables."""

from __future__ import annotations

import contextlib
import random

import pytest

from gradwire.app.base.examples import example_names, example_path
from gradwire.app.live.process import worker as worker_module
from gradwire.app.live.process.worker import Worker
from gradwire.engine.base.errors import EditError
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph
from tests.app.canvas.geometry.test_result_rows import changed_names, truly_changed
from tests.app.live.test_worker import Window
from tests.engine.random_edits import EDITS
from tests.torture.support.counts import count


@pytest.mark.parametrize("seed", range(count(1, 3000)))
def test_after_any_edits_undos_and_rests_all_that_changed_is_named(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_module, "SOON", -1.0)  # every graph is told first without its causes
    choose = random.Random(seed)
    worker = Worker(is_quick=True)
    window, past = Window(worker), [load(example_path(choose.choice(example_names()))).graph]
    place, shown = 0, window.show(past[0])
    for _ in range(12):
        place = stepped(past, place, choose)
        if choose.random() < 0.6:
            worker.prepare()
        rests = worker.owes_causes and choose.random() < 0.4
        before, shown = shown, window.rest() if rests else window.show(past[place])
        assert changed_names(before, shown) >= truly_changed(before, shown)


def stepped(past: list[Graph], place: int, choose: random.Random) -> int:
    """Edits, undoes or redoes; returns the new place in the past."""
    kind = choose.choice(["edit", "undo", "redo", "stay"])
    if kind == "edit":
        with contextlib.suppress(EditError):
            past[place + 1 :] = [EDITS[choose.choice(list(EDITS))](past[place], choose)]
    return max(place - 1, 0) if kind == "undo" else min(place + (kind != "stay"), len(past) - 1)
