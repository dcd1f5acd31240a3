"""Names of the series of a training."""

from __future__ import annotations

from gradwire.app.live.readings.series import numbers_beside, numbers_of
from gradwire.engine.training.probe import Measured
from gradwire.engine.training.round import Round, Sizes


def test_every_number_of_a_round_and_of_a_probe_has_a_series_of_its_own() -> None:
    done = Round(3, {"L": 1.0}, {"main/a.y": 2.0}, {"L": 3.0, "main/a.y": 4.0}, {"main/w": Sizes(5.0, 6.0)}, {"L": 7.0})
    names = ["L", "main/a.y", "test L", "test main/a.y", "rate L", "|∂L| main/w", "step main/w"]
    assert numbers_of(done) == dict(zip(names, [1.0, 2.0, 3.0, 4.0, 7.0, 5.0, 6.0], strict=True))
    beside = numbers_beside(Measured({"main/L.x": 1.0}, {"main/r": 2.0}, {"main/t": 3.0}))
    assert beside == {"|∂L| main/L.x": 1.0, "dead main/r": 2.0, "saturated main/t": 3.0}
