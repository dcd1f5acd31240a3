"""The side of training that computes: its news, with a clock that the test turns."""

from __future__ import annotations

import itertools

import pytest

from gradwire.app.features.training import training_service
from gradwire.app.features.training.orders import Begin, Go, News, Planned
from gradwire.app.features.training.training_service import TrainingService
from gradwire.app.live.process.orders import Desk
from tests.app.features.training.test_training_desk import parabola


def told(monkeypatch: pytest.MonkeyPatch, tick: float, order: Go) -> list[News]:
    """Returns the news of an order where each look at the clock takes so long. Units: seconds."""
    return [item for _, item in timed(monkeypatch, tick, order)]


def timed(monkeypatch: pytest.MonkeyPatch, tick: float, order: Go) -> list[tuple[float, News]]:
    """Returns the same with the time of each."""
    found: list[tuple[float, News | Planned]] = []
    clock = itertools.count()
    monkeypatch.setattr(training_service.time, "perf_counter", lambda: tick * next(clock))
    monkeypatch.setattr(training_service.time, "sleep", lambda _: None)
    service = TrainingService(Desk(lambda item: found.append((tick * next(clock), item))))
    service.take(Begin(parabola(None)))
    service.take(order)
    return [(at, item) for at, item in found if isinstance(item, News)]


@pytest.mark.parametrize("limit", [1.0, 10.0, 100.0])
def test_a_limited_training_is_never_faster_than_its_limit(monkeypatch: pytest.MonkeyPatch, limit: float) -> None:
    (began, _), *others = timed(monkeypatch, 0.003, Go(20, limit))
    for at, news in others:
        # The newest round has its time, too, before the next one begins.
        assert news.round - 1 <= limit * (at - began)
    assert others[-1][1].round == 20 and others[-1][0] - began == pytest.approx(19 / limit, rel=0.2, abs=0.15)


def test_news_have_the_numbers_with_which_the_next_round_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    for pace in (None, 50.0):
        news = [item for item in told(monkeypatch, 0.01, Go(30, pace)) if not item.is_ready]
        assert len(news) > 3
        for item in news:
            # The distance to 3 is 2 x 0.8^n, and the loss its square.
            assert item.numbers["down"] == pytest.approx(4 * 0.64**item.round, rel=1e-12)
            assert item.numbers["|∂L| main/w"] == pytest.approx(4 * 0.8**item.round, rel=1e-12)
            assert 3 - float(item.variables["main/w"]) == pytest.approx(2 * 0.8**item.round, rel=1e-12)
            assert item.state is not None
            assert item.state.round == item.round
        logged = [n for item in news for n in item.chunk.rounds.get("down", [])]
        assert logged == list(range(30))
