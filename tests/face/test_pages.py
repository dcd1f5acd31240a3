"""Functions of scripts as pages, with gradients of their own."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.files.file_reading import loads
from gradwire.engine.files.file_writing import dumps


@gw.page
def clip(x):
    """The tensor, whose gradient is clipped."""
    return x


@clip.gradient
def clip_gradient(d_y):
    return gw.ClipByValue(d_y, -1.0, 1.0)


@gw.page
def both(x, factor):
    return x * factor, clip(x)


@both.gradient
def both_gradient(factor, d_y0, d_y1):
    return d_y0 * factor + d_y1, None


@gw.page
def cube(x):
    return x * x * x


def test_a_function_with_a_gradient_is_a_page_with_its_own_gradient() -> None:
    run = gw.evaluate(gw.Square(clip(gw.Input([0.5, -1.5, 3.0], name="x"))))
    assert run.gradient("x").tolist() == [1, -1, 1]
    assert run.graph.gradients == {"clip": "clip_gradient"}
    assert loads(dumps(run.graph)).graph == run.graph


def test_several_outputs_and_pages_inside_pages() -> None:
    x, factor = gw.Input(3.0, name="x"), gw.Input(2.0, name="factor")
    product, passed = both(x, factor)
    run = gw.evaluate(product + passed * passed)
    assert run.gradient("x") == 1 * 2 + 2 * 3
    assert run.status("factor") == "blocked"
    assert [page.name for page in run.graph.pages] == ["main", "clip_gradient", "clip", "both_gradient", "both"]


def test_a_page_is_there_once_for_all_of_its_uses() -> None:
    x = gw.Input([1.0, -2.0], name="x")
    run = gw.evaluate(cube(x) + cube(cube(x)))
    assert [page.name for page in run.graph.pages] == ["main", "cube"]
    assert run.gradient("x").tolist() == [3 + 9, 12 + 9 * 256]


def test_the_gradient_may_give_a_dictionary() -> None:
    @gw.page
    def scaled(x, k):
        return x * k

    @scaled.gradient
    def scaled_gradient(x, d_y):
        return {"k": d_y * x}

    run = gw.evaluate(scaled(gw.Input(3.0, name="x"), gw.Input(2.0, name="k")))
    assert (run.gradient("k"), run.status("x")) == (3, "blocked")


def test_the_second_derivative_is_that_of_the_gradient() -> None:
    @gw.page
    def squared(x):
        return x * x

    @squared.gradient
    def squared_gradient(x, d_y):
        return d_y * x * x * x

    x = gw.Input(2.0, name="x")
    (slope,) = gw.Gradients(squared(x), x)
    run = gw.evaluate(gw.Loss(slope))
    assert (run.value(slope), run.gradient("x")) == (8, 12)


def test_functions_that_do_not_fit_are_told_in_a_sentence() -> None:
    x, outer = gw.Input(np.ones(2), name="x"), gw.Input(np.ones(2), name="outer")

    @gw.page
    def reads(x):
        return x * outer

    @gw.page
    def plain(x):
        return x * 2.0

    with pytest.raises(gw.GradwireError, match="reads reads outer; give it as an argument"):
        reads(x)
    with pytest.raises(gw.GradwireError, match="plain takes 1 inputs, not 2"):
        plain(x, x)
    plain.gradient(lambda d_y: (d_y, d_y))
    with pytest.raises(gw.GradwireError, match="the gradient of plain gives 2 parts for 1 inputs"):
        plain(x)
    plain.gradient(lambda z: z)
    with pytest.raises(gw.GradwireError, match="the gradient of plain may read x, y, d_y, not z"):
        plain(x)
