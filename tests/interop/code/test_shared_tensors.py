"""A gradient with respect to one argument leaves all else as it is, though it be computed from the same tensor."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.base.errors import GradwireError

X = np.array([1.0, 2.0])
START = "import jax, jax.numpy as jnp\nx = jnp.array([1., 2.])\nfirst = jax.grad(lambda a: jnp.sum(a**2))(x)\n"


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        # d/da of a b, with b = 2 x held: 2 x.
        ("jax.grad(lambda a, b: jnp.sum(a * b), 0)(x, 2 * x)", 2 * X),
        ("jax.grad(lambda a, b: jnp.sum(a * b))(x, b=2 * x)", 2 * X),
        ("jax.grad(lambda a, b: jnp.sum(a * a * b), 0)(x, x)", 2 * X * X),
        # What a function reads around it is held as well.
        ("jax.grad(lambda w: jnp.sum(w * x))(x)", X),
        ("jax.grad(partial(lambda b, w: jnp.sum(w * w * b), x))(x)", 2 * X * X),
        # 2 w v at w = v, then d/dv of 2 v^2: the gradient that a program computes with reads v twice.
        ("jax.grad(lambda v: jnp.sum(jax.grad(lambda w: jnp.sum(w * w * v))(v)))(x)", 4 * X),
        # Of one argument each tensor stands for itself too.
        ("jax.grad(lambda p: jnp.sum(p['a'] * p['b']))({'a': x, 'b': 2 * x})['a']", 2 * X),
        # d/da of a b with b = 2 a: each stands for itself.
        ("jax.grad(lambda a, b: jnp.sum(a * b), (0, 1))(x, 2 * x)[0]", 2 * X),
    ],
)
def test_an_argument_is_differentiated_alone(line: str, wanted: np.ndarray) -> None:
    graph = gw.from_code(f"from functools import partial\n{START}y = {line}\nz = jnp.sum(y * jnp.array([3., 5.]))\n")
    assert gw.evaluate(graph).value("z.y") == wanted @ [3, 5]


WEIGHED = {
    "tensorflow": "import tensorflow as tf\nx = tf.Variable([1., 2.])\ng = tf.gradients(x**2, x, grad_ys=3*x)\n",
    "torch": """import torch
x = torch.tensor([1., 2.], requires_grad=True)
torch.autograd.grad(x**2, x, grad_outputs=3 * x)
""",
    "torch, backward": """import torch
x = torch.tensor([1., 2.], requires_grad=True)
(x**2).backward(3 * x)
""",
}


@pytest.mark.parametrize("program", WEIGHED)
def test_weights_are_numbers_though_they_are_computed_from_the_same_tensor(program: str) -> None:
    # By hand: 2 x times the weight 3 x, whose own derivative does not count.
    np.testing.assert_array_equal(gw.evaluate(gw.from_code(WEIGHED[program])).gradient("x.y"), 6 * X * X)


def test_what_would_be_a_wrong_second_gradient_is_refused() -> None:
    program = """import torch
x = torch.tensor([1., 2.], requires_grad=True)
(g,) = torch.autograd.grad(x**2, x, grad_outputs=3 * x, create_graph=True)
(g * g).sum().backward()
"""
    with pytest.raises(GradwireError, match="the weights of this gradient depend on what is differentiated"):
        gw.from_code(program)
    with pytest.raises(GradwireError, match="one tensor is given for two arguments that are differentiated"):
        gw.from_code(f"{START}jax.grad(lambda p: jnp.sum(p[0] * p[1]))([x, x])\n")
    with pytest.raises(GradwireError, match="one tensor is given for two arguments that are differentiated"):
        gw.from_code(f"{START}jax.grad(lambda a, b: jnp.sum(a * b), (0, 1))(x, x)\n")
