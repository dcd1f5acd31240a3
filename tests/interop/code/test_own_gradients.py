"""Gradients that programs say themselves: pages with gradients of their own, as the libraries mean them."""

from __future__ import annotations

import contextlib
import random
import re
from collections.abc import Callable

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.export.export import export
from gradwire.interop.code.from_code import read_code
from gradwire.interop.code.refusals import CodeRefusal
from tests.engine.own_gradients import graph_of
from tests.own_gradient_programs import COUNT, KINDS, program
from tests.sweeps import long

Array = np.ndarray


@pytest.mark.parametrize("target", ["tensorflow", "torch", "jax"])
@pytest.mark.parametrize("seed", [seed if seed < len(KINDS) else long(seed) for seed in range(COUNT)])
def test_programs_with_own_gradients_read_back(seed: int, target: str) -> None:
    graph = graph_of(program(seed))
    expected, found = gw.evaluate(graph), gw.evaluate(gw.from_code(export(graph, target)))
    np.testing.assert_allclose(found.loss, expected.loss, rtol=1e-9)
    for name in program(seed).inputs:
        wanted = expected.port(f"{name}.y").gradient
        np.testing.assert_allclose(found.gradient(f"{name}.y"), wanted, rtol=1e-9, atol=1e-12)


def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


LOG1PEXP = """\
import tensorflow as tf
@tf.custom_gradient
def log1pexp(x):
    e = tf.exp(x)
    def grad(upstream):
        return upstream * (1 - 1 / (1 + e))
    return tf.math.log(1 + e), grad
x = tf.constant([-1.0, 0.0, 2.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = log1pexp(x)
dy = tape.gradient(y, x)
"""
CLIPPED = """\
import tensorflow as tf
@tf.custom_gradient
def clip_gradients(y):
  def backward(dy):
    return tf.clip_by_norm(dy, 0.5)
  return y, backward
x = tf.Variable(2.0)
with tf.GradientTape() as t:
  output = clip_gradients(x * x)
print(t.gradient(output, x))
"""
LAMBDA = """\
import tensorflow as tf
@tf.custom_gradient
def reverse(x, scale):
    return tf.identity(x), lambda dy: (-scale * dy, None)
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as t:
    loss = tf.reduce_sum(reverse(x, 3.0) ** 2)
g = t.gradient(loss, x)
"""
LAYER = """\
import tensorflow as tf
class Reverse(tf.keras.layers.Layer):
    def __init__(self, scale):
        super().__init__()
        self.scale = scale
    def call(self, x):
        @tf.custom_gradient
        def _reverse(x):
            def grad(dy):
                return -self.scale * dy
            return tf.identity(x), grad
        return _reverse(x)
layer = Reverse(0.5)
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as t:
    loss = tf.reduce_sum(layer(x) ** 2)
g = t.gradient(loss, x)
"""
BOUNDS = """\
from functools import partial
import jax
import jax.numpy as jnp
@jax.custom_vjp
def clip_gradient(lo, hi, x):
  return x  # identity function
def clip_gradient_fwd(lo, hi, x):
  return x, (lo, hi)  # save bounds as residuals
def clip_gradient_bwd(res, g):
  lo, hi = res
  return (None, None, jnp.clip(g, lo, hi))  # use None to indicate zero cotangents for lo and hi
clip_gradient.defvjp(clip_gradient_fwd, clip_gradient_bwd)
x = jnp.array([0.2, 3.0])
def f(x):
    return jnp.sum(clip_gradient(-0.75, 0.75, jnp.sin(x)))
g = jax.grad(f)(x)
"""
RESIDUALS = """\
import jax
import jax.numpy as jnp
from jax import custom_vjp
@custom_vjp
def f(x, y):
  return jnp.sin(x) * y
def f_fwd(x, y):
  return f(x, y), (jnp.cos(x), jnp.sin(x), y)
def f_bwd(res, g):
  cos_x, sin_x, y = res
  return (cos_x * g * y, sin_x * g)
f.defvjp(f_fwd, f_bwd)
x = jnp.array(0.5)
print(jax.grad(f)(x, 2.0))
"""
FIXED = """\
from functools import partial
import jax, jax.numpy as jnp
@partial(jax.custom_vjp, nondiff_argnums=(0,))
def app(f, x):
    return f(x)
def app_fwd(f, x):
    return f(x), x
def app_bwd(f, x, g):
    return (5 * g,)
app.defvjp(app_fwd, app_bwd)
x = jnp.array([1.0, 2.0])
g = jax.grad(lambda x: jnp.sum(app(lambda y: y ** 3, x)))(x)
"""
DICTIONARY = """\
import jax, jax.numpy as jnp
@jax.custom_vjp
def layer(params, x):
    return jnp.tanh(params["w"] * x + params["b"])
def layer_fwd(params, x):
    y = layer(params, x)
    return y, (params, x, y)
def layer_bwd(res, g):
    params, x, y = res
    h = g * (1 - y ** 2)
    return {"w": h * x, "b": h}, h * params["w"]
layer.defvjp(layer_fwd, layer_bwd)
params = {"w": jnp.array([3.0, 3.0]), "b": jnp.array([1.0, 1.0])}
x = jnp.array([0.3, 0.4])
g = jax.grad(lambda x: jnp.sum(layer(params, x)))(x)
"""
STRAIGHT_THROUGH = """\
import jax, jax.numpy as jnp
@jax.custom_gradient
def straight_through(x):
    return jnp.round(x), lambda g: (g,)
x = jnp.array([0.3, 1.6])
g = jax.grad(lambda x: jnp.sum(straight_through(x) ** 2))(x)
"""
SAVED_RESULT = """\
import torch
from torch.autograd import Function
class Exp(Function):
    @staticmethod
    def forward(ctx, i):
        result = i.exp()
        ctx.save_for_backward(result)
        return result
    @staticmethod
    def backward(ctx, grad_output):
        result, = ctx.saved_tensors
        return grad_output * result
x = torch.tensor([0.5, 1.0], requires_grad=True)
output = Exp.apply(x)
output.sum().backward()
"""
LEGENDRE = """\
import torch
class LegendrePolynomial3(torch.autograd.Function):
    @staticmethod
    def forward(ctx, input):
        ctx.save_for_backward(input)
        return 0.5 * (5 * input ** 3 - 3 * input)
    @staticmethod
    def backward(ctx, grad_output):
        input, = ctx.saved_tensors
        return grad_output * 1.5 * (5 * input ** 2 - 1)
x = torch.tensor([0.5, 1.0], requires_grad=True)
P3 = LegendrePolynomial3.apply
loss = P3(x).sum()
loss.backward()
"""
REVERSAL = """\
import torch
import torch.nn as nn
class GradReverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, alpha):
        ctx.alpha = alpha
        return x.view_as(x)
    @staticmethod
    def backward(ctx, grad_output):
        output = grad_output.neg() * ctx.alpha
        return output, None
def grad_reverse(x, alpha=0.1):
    return GradReverse.apply(x, alpha)
class Net(nn.Module):
    def forward(self, x):
        return grad_reverse(x, 2.0)
x = torch.tensor([-0.5, 1.0], requires_grad=True)
loss = (Net()(x) ** 2).sum()
loss.backward()
"""
BINARY = """\
import torch
class STEFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, input):
        return (input > 0).float()
    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.clamp(-1, 1)
x = torch.tensor([-0.5, 1.0], requires_grad=True)
loss = STEFunction.apply(x).mul(3).sum()
loss.backward()
"""
LINEAR = """\
import torch
class LinearFunction(torch.autograd.Function):
    @staticmethod
    def forward(input, weight, bias):
        output = input.mm(weight.t())
        if bias is not None:
            output += bias.unsqueeze(0).expand_as(output)
        return output
    @staticmethod
    def setup_context(ctx, inputs, output):
        input, weight, bias = inputs
        ctx.save_for_backward(input, weight, bias)
    @staticmethod
    def backward(ctx, grad_output):
        input, weight, bias = ctx.saved_tensors
        grad_input = grad_weight = grad_bias = None
        if ctx.needs_input_grad[0]:
            grad_input = grad_output.mm(weight)
        if ctx.needs_input_grad[1]:
            grad_weight = grad_output.t().mm(input)
        if bias is not None and ctx.needs_input_grad[2]:
            grad_bias = grad_output.sum(0)
        return grad_input, grad_weight, grad_bias
x = torch.tensor([[-0.5, 1.0], [1.0, 2.0]], requires_grad=True)
w = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], requires_grad=True)
b = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
loss = LinearFunction.apply(x, w, b).sum()
loss.backward()
"""
AROUND = """\
import tensorflow as tf
w = tf.Variable([2.0, 2.0])
c = w * w
@tf.custom_gradient
def f(x):
    z = x * c
    return tf.exp(z), lambda dy: dy * z
x = tf.Variable([0.5, 1.0])
with tf.GradientTape() as t:
    loss = tf.reduce_sum(f(x) * f(2 * x))
g = t.gradient(loss, x)
"""
MASKED = """\
import torch
class MyReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, input):
        ctx.save_for_backward(input)
        return input.clamp(min=0)
    @staticmethod
    def backward(ctx, grad_output):
        input, = ctx.saved_tensors
        grad_input = grad_output.clone()
        grad_input[input < 0] = 0
        return grad_input
x = torch.tensor([-0.5, 1.0], requires_grad=True)
loss = MyReLU.apply(x).pow(2).sum()
loss.backward()
"""
# The programs, with the gradients of x by the rules that they say.
WRITTEN = [
    (LOG1PEXP, sigmoid),
    (CLIPPED, lambda x: x),
    (LAMBDA, lambda x: -6 * x),
    (LAYER, lambda x: -x),
    (BOUNDS, lambda x: 0.75 * np.cos(x)),
    (RESIDUALS, lambda x: 2 * np.cos(x)),
    (FIXED, lambda x: np.full_like(x, 5)),
    (DICTIONARY, lambda x: 3 * (1 - np.tanh(3 * x + 1) ** 2)),
    (STRAIGHT_THROUGH, lambda x: 2 * np.round(x)),
    (SAVED_RESULT, np.exp),
    (LEGENDRE, lambda x: 1.5 * (5 * x**2 - 1)),
    (REVERSAL, lambda x: -4 * x),
    (BINARY, np.ones_like),
    (MASKED, lambda x: 2 * np.maximum(x, 0)),
    (LINEAR, lambda x: np.array([[9, 12]] * len(x))),
    (AROUND, lambda x: 4 * x * np.exp(8 * x) + 16 * x * np.exp(4 * x)),
]


@pytest.mark.parametrize(("text", "gradient"), WRITTEN)
def test_rules_as_people_write_them(text: str, gradient: Callable[[Array], Array]) -> None:
    run = gw.evaluate(gw.from_code(text))
    assert [page.gradient for page in run.graph.pages].count(None) == 2
    np.testing.assert_allclose(run.gradient("x.y"), gradient(run.value("x.y")), rtol=1e-12)


def test_the_gradient_reads_inputs_and_outputs_and_computes_the_rest_again() -> None:
    pages = {page.name: page for page in gw.from_code(LOG1PEXP).pages}
    assert pages["log1pexp"].gradient == "log1pexp_gradient"
    assert set(pages["log1pexp"].blocks) == {"x", "e", "Constant", "Add", "Log", "y"}
    assert {"x", "d_y", "e", "d_x"} < set(pages["log1pexp_gradient"].blocks)
    saved = {page.name: page for page in gw.from_code(SAVED_RESULT).pages}["Exp_gradient"]
    assert {block.type for block in saved.blocks.values()} == {"PageInput", "Multiply", "PageOutput"}
    assert set(saved.blocks) >= {"y", "d_y", "d_i"}


def test_uses_with_the_same_shapes_share_a_page_and_the_second_derivative_is_that_of_the_rule() -> None:
    graph = gw.from_code(
        f"{LAMBDA}\nwith tf.GradientTape() as outer:\n    with tf.GradientTape() as inner:\n"
        "        y = tf.reduce_sum(reverse(x, 3.0) ** 2 + reverse(2 * x, 3.0))\n"
        "    slope = tf.reduce_sum(inner.gradient(y, x))\ncurve = outer.gradient(slope, x)"
    )
    assert len(graph.pages) == 3
    run = gw.evaluate(graph)
    # The rule's own blocks, -3 d_y with d_y = 2 y, are differentiated: back through y, which is reversed again.
    np.testing.assert_allclose(run.gradient("x.y"), [18, 18])


REFUSED = [
    ("@tf.custom_gradient\ndef f(x):\n    return x\ny = f(tf.ones(3))", "line 2, column 1: f returns its value and"),
    (
        "@tf.custom_gradient\ndef f(x, y):\n    return x * y, lambda dy: dy\nz = f(tf.ones(3), tf.ones(3))",
        "line 2, column 1: the gradient of f gives 1 parts for 2 arguments",
    ),
    (
        "@tf.custom_gradient\ndef f(x):\n    return x, lambda dy: tf.reduce_sum(dy)\nz = f(tf.ones(3))",
        "line 2, column 1: the gradient of f for x is float64[], but x is float64[3]",
    ),
    ("@jax.custom_vjp\ndef f(x):\n    return x\ny = f(jnp.ones(3))", "line 4, column 5: f has no gradient yet"),
    ("@jax.custom_jvp\ndef f(x):\n    return x", "line 1, column 2: jax.custom_jvp gives a gradient forward"),
    (
        "@jax.custom_vjp\ndef f(x):\n    return x\ndef g(x):\n    return x\nf.defvjp(g, g)\ny = f(jnp.ones(3))",
        "line 4, column 1: the forward function of f returns its value and",
    ),
    ("@jax.custom_vjp\ndef f(x):\n    return x\nf.defvjp(f)", "line 4, column 1: defvjp takes two functions"),
    ("y = tf.custom_gradient(3)", "line 1, column 5: a gradient of its own is said for one function"),
    ("class F(torch.autograd.Function):\n    pass", "line 1, column 1: F has no forward or no backward"),
    (f"{SAVED_RESULT}\nExp()", "line 17, column 1: Exp is applied by Exp.apply"),
    (
        SAVED_RESULT.replace("grad_output * result", "torch.unheard(grad_output)"),
        "line 12, column 16: torch.unheard is not known",
    ),
    (SAVED_RESULT.replace("apply(x)", "apply(None)"), "line 14, column 10: Exp is given no tensor"),
    (
        "kept = []\n@tf.custom_gradient\ndef f(x):\n    kept.append(tf.exp(x))\n    return x, lambda dy: dy\n"
        "y = f(tf.ones(3)) + kept[0]",
        "otherwise than as its result",
    ),
    ("@tf.custom_gradient\ndef f(x):\n    return f(x)\ny = f(tf.ones(3))", "calls itself too often"),
]


@pytest.mark.parametrize(("text", "said"), REFUSED)
def test_rules_that_cannot_be_read_are_refused_with_their_place(text: str, said: str) -> None:
    with pytest.raises(CodeRefusal, match=re.escape(said)):
        read_code(text)


def test_a_copy_is_written_through_a_mask_but_no_tensor_with_another_name() -> None:
    text = "x = np.array([-1.0, 2.0])\ny = x.copy()\n{}y[x < 0] = 5"
    run = gw.evaluate(gw.from_code(text.format("")))
    np.testing.assert_array_equal(run.value("y.z"), [5, 2])
    for between in ("z = y\n", "y = x\n", "z = [y]\n"):
        with pytest.raises(CodeRefusal, match="writes into a tensor"):
            gw.from_code(text.format(between))


def test_what_the_blocks_do_not_say_is_a_notice() -> None:
    text = SAVED_RESULT.replace("grad_output * result", "grad_output * Exp.apply(result)")
    (notice,) = read_code(text).notices
    assert notice == "line 12 uses Exp in its own gradient, where it has the gradient of its blocks"
    (notice,) = read_code(export(graph_of(program(0)), "numpy")).notices
    assert re.fullmatch("line \\d+ begins gradients by hand; here the blocks of the lines above give them", notice)


WORDS = re.compile(r"\w+|\s+|.")


@pytest.mark.parametrize("seed", [0, *map(long, range(1, 20))])
def test_any_mutation_of_a_rule_is_read_or_refused(seed: int) -> None:
    texts = [text for text, _ in WRITTEN]
    numbers, others = random.Random(seed), [word for text in texts for word in WORDS.findall(text)]
    for _ in range(40):
        words = WORDS.findall(numbers.choice(texts))
        for _ in range(numbers.randint(1, 4)):
            words[numbers.randrange(len(words))] = numbers.choice([*others, "", "None", "-1", "()", "{}", "10**9", "x"])
        with contextlib.suppress(CodeRefusal):
            gw.evaluate(gw.from_code("".join(words)))
