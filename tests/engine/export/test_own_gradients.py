"""Pages with gradients of their own as programs."""

from __future__ import annotations

import pytest

from gradwire.engine.export.export import export
from tests.engine.own_gradients import graph_of, of_cube
from tests.engine.programs import deviation
from tests.own_gradient_programs import COUNT, KINDS, program
from tests.sweeps import long


@pytest.mark.parametrize("seed", [seed if seed < len(KINDS) else long(seed) for seed in range(COUNT)])
def test_the_numpy_program_has_the_numbers_of_gradwire(seed: int) -> None:
    assert deviation(graph_of(program(seed))) < 1e-12


def test_tensorflow_has_the_rule_as_a_custom_gradient() -> None:
    assert '''
@tf.custom_gradient
def own_gradient_of_cube(x, y, cube_gradient_seven):
    """The outputs of page cube, with the gradient of page cube_gradient."""

    def backward(d_y):
        return (x * d_y) * cube_gradient_seven, None, None

    return tf.identity(y), backward
''' in export(of_cube(), "tensorflow")


def test_pytorch_has_the_rule_as_a_function_of_autograd() -> None:
    assert '''
class OwnGradientOfCube(torch.autograd.Function):
    """The outputs of page cube, with the gradient of page cube_gradient."""

    @staticmethod
    def forward(context, x, y, cube_gradient_seven):
        context.save_for_backward(x, y, cube_gradient_seven)
        return y.clone()

    @staticmethod
    def backward(context, d_y):
        (x, y, cube_gradient_seven,) = context.saved_tensors
        return (x * d_y) * cube_gradient_seven, None, None
''' in export(of_cube(), "torch")


def test_jax_has_the_rule_as_a_custom_vjp() -> None:
    assert '''
@jax.custom_vjp
def own_gradient_of_cube(x, y, cube_gradient_seven):
    """The outputs of page cube, with the gradient of page cube_gradient."""
    return y


def own_gradient_of_cube_forward(x, y, cube_gradient_seven):
    return y, (x, y, cube_gradient_seven,)


def own_gradient_of_cube_backward(kept, gradients):
    (x, y, cube_gradient_seven,) = kept
    d_y = gradients
    return (x * d_y) * cube_gradient_seven, None, None


own_gradient_of_cube.defvjp(own_gradient_of_cube_forward, own_gradient_of_cube_backward)
''' in export(of_cube(), "jax")


def test_a_page_of_one_output_is_one_name_in_the_line_that_calls_its_function() -> None:
    for target, name in (("tensorflow", "own_gradient_of_cube"), ("torch", "OwnGradientOfCube.apply")):
        lines = [line.strip() for line in export(of_cube(), target).splitlines()]
        assert f"cube = {name}(x, cube_y, cube_gradient_seven)" in lines
