"""Which gradients count as changed by a stop: what differs by more than rounding, in any of the first elements."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.readings.notes import first_of
from gradwire.app.live.readings.readings import PlaceReading, reading_of
from gradwire.app.live.readings.stop_changes import changed_ports, changed_wires, differs
from gradwire.app.live.session import Session
from gradwire.engine.autodiff.status import Status
from tests.app.canvas.pages import chain, wired, with_block

NAN, INF = float("nan"), float("inf")


def place(gradient: object, status: Status = Status.FLOW) -> PlaceReading:
    back = None if gradient is None else reading_of(np.array(gradient, float))
    return PlaceReading(reading_of(np.array(1.0)), back, status, (), None)


@pytest.mark.parametrize(
    ("one", "other", "changes"),
    [
        (1.0, 1.0, False),
        (1.0, -1.0, True),
        (0.0, 0.0, False),
        (0.0, 1e-300, True),
        # A thousand-millionth of the number is rounding.
        (1.0, 1 + 0.9e-9, False),
        (1.0, 1 + 1.2e-9, True),
        (-250.0, -250 * (1 + 0.9e-9), False),
        (-250.0, -250 * (1 + 1.2e-9), True),
        # So is a millionth of a millionth of the norm, beside larger elements.
        ([1.0, 0.0], [1.0, 0.9e-12], False),
        ([1.0, 0.0], [1.0, 1.2e-12], True),
        ([100.0, 0.0], [100.0, 0.9e-10], False),
        ([100.0, 0.0], [100.0, 1.2e-10], True),
        # Elements beyond those that are kept are seen by their norm.
        ([1.0] * 20, [1.0] * 19 + [1.0 + 1e-12], False),
        ([1.0] * 20, [1.0] * 19 + [1.1], True),
        # What is not finite is the same as its like alone.
        (NAN, NAN, False),
        (INF, INF, False),
        (INF, -INF, True),
        (NAN, 1.0, True),
        ([INF, 1.0], [INF, 1.0], False),
        ([INF, 1.0], [INF, 2.0], True),
        ([NAN, 1.0], [NAN, 2.0], True),
        # Beside it there is no scale, so nothing is rounding but a share of the number itself.
        ([INF, 0.0], [INF, 5e-13], True),
        ([NAN, 0.0], [NAN, 5e-13], True),
        ([2.0, NAN], [2.0, NAN], False),
        ([2.0, NAN], [3.0, NAN], True),
        ([INF, 1.0], [INF, 1 + 0.9e-9], False),
        (None, None, False),
        (None, 1.0, True),
    ],
)
def test_a_gradient_changes_beyond_rounding_whichever_comes_first(one: object, other: object, changes: bool) -> None:
    assert differs(place(one), place(other)) is differs(place(other), place(one)) is changes


def test_another_status_is_a_change() -> None:
    assert differs(place(0.0, Status.BLOCKED), place(0.0, Status.ZERO))
    assert not differs(place(0.0, Status.ZERO), place(0.0, Status.ZERO))


def test_of_a_page_those_wires_and_ports_change_whose_gradient_does(qtbot: QtBot) -> None:
    """L = sum(exp(x) stop(t(x))): without the stop x gets more, and what is behind the product the same."""
    graph = with_block(with_block(chain(1.0, 2.0), "t", "Tanh", (240, 200)), "stop", "StopGradient", (480, 200))
    graph = with_block(graph, "m", "Multiply", (720, 200))
    graph = wired(graph, "x.y > t.x", "t.y > stop.x", "e.y > m.x", "stop.y > m.y", "m.z > s.x")
    session = Session(graph, InlineEvaluator)
    assert session.results is not None and changed_wires(session.results) == []
    names = [session.port_name(port) for port in [*{wire.source for wire in session.page.wires.values()}]]
    assert changed_ports(session.results, names) == []
    session.runs.set_ignores_stops(True)
    qtbot.waitUntil(lambda: session.results is not None and session.results.compared is not None)
    results = session.results
    assert results is not None
    found = {str(link.target) for link in changed_wires(results)}
    assert found == {"main/t.x", "main/stop.x"}
    assert {str(name) for name in changed_ports(results, names)} == {"main/x.y", "main/t.y"}
    session.close()
    assert changed_ports(results, []) == []
    swapped = dataclasses.replace(results, compared=None)
    assert changed_wires(swapped) == [] and changed_ports(swapped, names) == []
    session.close()


@pytest.mark.parametrize("shape", [(3,), (40,), (5, 7), (30, 2), (2, 3, 4), (0, 3), ()])
def test_the_first_elements_are_those_in_the_order_of_rows(shape: tuple[int, ...]) -> None:
    plain = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    for array in (plain, plain.T, plain[::-1] if shape else plain, np.asfortranarray(plain)):
        assert first_of(array).tolist() == array.ravel()[:16].tolist()
