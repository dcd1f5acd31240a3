"""Regions whose results are held: one stop where a value leaves them, as with PyTorch's no_grad."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw


def stops(*targets: gw.Expression) -> int:
    return sum(block.type == "StopGradient" for block in gw.graph(*targets).pages[0].blocks.values())


def test_what_leaves_is_stopped_once_and_what_passes_through_is_not() -> None:
    x = gw.Variable([1.0, 2.0], name="x")
    with gw.no_grad():
        y = gw.exp(x) * 2.0
        z = x
    loss = gw.Loss((y * z + y).sum())
    assert stops(loss) == 1
    np.testing.assert_allclose(gw.evaluate(loss).gradient(x), 2 * np.exp([1.0, 2.0]))


def test_values_move_between_regions_without_a_stop() -> None:
    x = gw.Variable([1.0])
    with gw.no_grad():
        with gw.no_grad():
            y = x * 2.0
        z = y + 1.0
    with gw.no_grad():
        w = z * 3.0
    assert stops(w) == 0
    assert stops(w * x) == 1


def test_leaves_masks_and_stops_made_inside_stay_as_they_are() -> None:
    x = gw.Variable([1.0])
    with gw.no_grad():
        w = gw.Variable([2.0], name="w")
        mask, stopped = x > 0, x.detach()
    loss = gw.Loss(w * mask * stopped)
    assert stops(loss) == 1
    np.testing.assert_allclose(gw.evaluate(loss).gradient(w), [1.0])


def test_a_run_inside_is_a_run_like_others() -> None:
    x = gw.Variable([3.0])
    with gw.no_grad():
        run = gw.evaluate(gw.Loss(x * x))
    np.testing.assert_allclose(run.gradient(x), [6.0])
    np.testing.assert_allclose(gw.evaluate(gw.Loss(gw.Gradients(x * x * x, x)[0])).gradient(x), [18.0])


def test_it_decorates_a_function_and_ends_with_an_error() -> None:
    x = gw.Variable([3.0])

    @gw.no_grad()
    def target() -> gw.Expression:
        return x * x

    assert stops(target() * x) == 1
    with pytest.raises(ZeroDivisionError), gw.no_grad():
        raise ZeroDivisionError
    assert stops((x * x) * x) == 0
