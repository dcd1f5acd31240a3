"""The place that is looked at first: the first problem of the page, else its Loss, else its first block."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from gradwire.app.canvas.geometry.view.first_look import first_look
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph, Page
from tests.app.canvas.pages import MAIN, chain, mirror_of, wired, with_block

NAN = wired(with_block(chain(), "log", "Log", (240, 300)), "x.y > log.x")
OPEN = with_block(chain(), "open", "Exp", (240, 300))
TIE = wired(with_block(chain(2.0, 2.0), "top", "ReduceMax", (240, 300)), "x.y > top.x")
TWO = wired(with_block(chain(), "other", "Loss", (960, 300)), "s.y > other.x")
ELSEWHERE = Page("other", {"e": with_block(Graph(), "e", "Exp", (0, 0)).page(MAIN).blocks["e"]}, {})


def of(numbers: tuple[float, ...], graph: Graph) -> Graph:
    return edits.set_parameter(graph, MAIN, "x", "value", np.array(numbers))


@pytest.mark.parametrize(
    ("graph", "block"),
    [
        (chain(), "loss"),
        # A warning and an error come before the Loss, a notice and a problem of another page do not.
        (of((-1.0, 1.0), NAN), "log"),
        (OPEN, "open"),
        (TIE, "loss"),
        (dataclasses.replace(chain(), pages=(*chain().pages, ELSEWHERE)), "loss"),
        (TWO, "loss"),
        (edits.set_loss(TWO, f"{MAIN}/other"), "other"),
        (edits.set_loss(TWO, f"{MAIN}/loss"), "loss"),
    ],
)
def test_the_block_that_matters_is_looked_at_first(graph: Graph, block: str) -> None:
    mirror = mirror_of(graph)
    assert first_look(mirror) == mirror.rect(block).center()


def test_a_page_without_a_loss_is_looked_at_from_its_corner() -> None:
    graph = wired(
        with_block(with_block(Graph(), "x", "Input", (40, 70), value=np.array(1.0)), "e", "Exp", (300, -80)),
        "x.y > e.x",
    )
    mirror = mirror_of(graph)
    found = first_look(mirror)
    assert (found.x(), found.y()) == (mirror.rect("x").left(), mirror.rect("e").top())
