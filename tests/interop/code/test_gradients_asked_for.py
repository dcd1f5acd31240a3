"""Gradients as programs ask for them, seeds that are left out, and which framework a program speaks of."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import numpy as np
import pytest

import gradwire as gw
from gradwire.interop.code.choices import Choices
from gradwire.interop.code.modules import canonical, constant_of, framework_of, root_of
from gradwire.interop.code.refusals import CodeRefusal
from tests.interop.code.test_conditions_of_programs import types_of
from tests.interop.code.test_lines_of_programs import HEADS, X, old, rng, y_of

TAPE = "w = tf.Variable([1.0, 2.0])\nv = tf.Variable([3.0, 5.0])\nwith tf.GradientTape() as t:\n    l = {}\n"
BACK = "w = torch.tensor([1.0, 2.0], requires_grad=True)\nv = torch.tensor([3.0, 5.0], requires_grad=True)\nl = {}\n"
PRODUCT = "tf.reduce_sum(w * w * v)"


@pytest.mark.parametrize(
    ("framework", "text", "wanted"),
    [
        ("tf", TAPE.format(PRODUCT) + "y = t.gradient(l, w)", [6, 20]),
        ("tf", TAPE.format(PRODUCT) + "y = t.gradient(target=l, sources=v)", [1, 4]),
        ("tf", TAPE.format(PRODUCT) + "a, b = t.gradient([l], [w, v])\ny = a + b", [7, 24]),
        ("tf", TAPE.format(PRODUCT) + "d = t.gradient(l, {'a': w, 'b': [v]})\ny = d['a'] + d['b'][0]", [7, 24]),
        ("tf", TAPE.format("w * w") + "y = t.gradient(l, w, [10.0, 100.0])", [20, 400]),
        ("tf", TAPE.format("w * w") + "y = t.gradient(l, w, output_gradients=[10.0, 100.0])", [20, 400]),
        ("torch", BACK.format("(w * w * v).sum()") + "(y,) = torch.autograd.grad(l, w)", [6, 20]),
        ("torch", BACK.format("(w * w * v).sum()") + "y = torch.autograd.grad(l, inputs=(w, v))[1]", [1, 4]),
        ("torch", BACK.format("w * w") + "y = torch.autograd.grad(l, w, torch.tensor([10.0, 100.0]))[0]", [20, 400]),
        ("torch", BACK.format("w * w") + "y = torch.autograd.grad(l, [w], grad_outputs=[torch.tensor([1., 9.])])[0]",
         [2, 36]),
        ("torch", BACK.format("(w * w * v).sum()") + "l.backward()\ny = w.grad + v.grad", [7, 24]),
        ("torch", BACK.format("w * v") + "l.backward(torch.tensor([10.0, 100.0]))\ny = w.grad", [30, 500]),
        ("torch", BACK.format("w * v") + "l.backward(gradient=torch.tensor([10.0, 100.0]))\ny = w.grad", [30, 500]),
        ("torch", BACK.format("(w * v).sum()") + "torch.autograd.backward(l)\ny = v.grad", [1, 2]),
        ("jax", "y = jax.grad(lambda a: jnp.sum(a * a))(x)", 2 * X),
        ("jax", "y = jax.grad(lambda a, b: a * b, argnums=1)(*[3.0, 2.0])", 3),
        ("jax", "y = jax.grad(lambda a, b: a * b, 1)(3.0, 2.0)", 3),
        ("jax", "y = jax.grad(lambda a, b: a * b, argnums=-1)(3.0, 2.0)", 3),
        ("jax", "a, b = jax.grad(lambda a, b: a * a * b, argnums=(0, 1))(3.0, 2.0)\ny = 1 * a + 100 * b", 912),
        ("jax", "(a,) = jax.grad(lambda a, b: a * a * b, argnums=(0,))(3.0, 2.0)\ny = 1 * a", 12),
        ("jax", "v, g = jax.value_and_grad(lambda a: a * a)(3.0)\ny = 100 * v + g", 906),
        ("jax", "(v, k), g = jax.value_and_grad(lambda a: (a * a, a + 1), has_aux=True)(3.0)\ny = 100 * v + g + k",
         910),
        ("jax", "g, k = jax.grad(lambda a: (a * a, a + 1), has_aux=True)(3.0)\ny = 100 * g + k", 604),
        ("jax", "g = jax.grad(lambda p: p['a'] * p['b'][0])({'a': 3.0, 'b': [2.0]})\ny = 10 * g['a'] + g['b'][0]", 23),
        ("jax", "y = jax.grad(jax.grad(lambda a: a * a * a))(2.0)", 12),
        ("jax", "from functools import partial\n@partial(jax.grad, argnums=1)\ndef f(a, b):\n    return a * b * b\n"
         "y = f(3.0, 2.0)", 12),
        # A tensor that the function reads around it is another one than its argument.
        ("jax", "w = 1.0 * jnp.array([1.0, 2.0])\ny = jax.grad(lambda a: jnp.sum(a * w))(w)", [1, 2]),
        # Seeds that a program leaves out are 0.
        ("np", "r = np.random.RandomState()\ny = r.randn(2)", old(0).randn(2)),
        ("np", "r = np.random.default_rng()\ny = r.normal(size=2)", rng(0).normal(size=2)),
        ("np", "r = np.random.RandomState(3)\ny = r.rand(2)",
         old(3).random_sample(2)),
        ("np", "np.random.seed()\ny = np.random.rand(2)", old(0).random_sample(2)),
        ("torch", "torch.manual_seed(seed=6)\ny = torch.rand(2)", old(6).random_sample(2)),
        ("np", "y = x * (1, 2).index(2) + (3, 3).count(3)", X + 2),
        ("np", "n = 3\ny = x * (2 if f'{n}' == '3' else 5)", 2 * X),
    ],
)  # fmt: skip
def test_what_is_asked_for_is_its_numbers(framework: str, text: str, wanted: Sequence[object] | np.ndarray) -> None:
    found = y_of(framework, text)
    assert found.shape == np.shape(wanted)
    np.testing.assert_allclose(found, np.asarray(wanted, float), rtol=2e-6)


@pytest.mark.parametrize(
    ("framework", "text", "said"),
    [
        ("np", "y = np.rand(3)", "np.rand is not known here"),
        ("np", "y = np.uniform(0, 1, 3)", "np.uniform is not known here"),
        ("tf", "y = tf.normal([2])", "tf.normal is not known here"),
        ("np", "k = 3\ny = k.copy()", "k.copy is not known here"),
        ("np", "y = x.__len__()", "__len__ is not read here"),
        ("np", "n = 3\ny = x * (2 if f'{n!r}' == '3' else 5)", "compares a text that nobody knows"),
        ("jax", "y = jax.grad(lambda a: a)(*[])", "there is no argument 0 to differentiate"),
        ("jax", "y = jax.grad(lambda a: a * a, argnums=1)(3.0)", "there is no argument 1 to differentiate"),
        ("jax", "y = jax.grad(lambda a: a * a, argnums=-2)(3.0)", "there is no argument -2 to differentiate"),
        ("jax", "y = jax.grad(lambda a, b: jnp.sum(a * b), (0, 1))(x, x)", "one tensor is given for two arguments"),
        ("jax", "y = jax.hessian(lambda a: a * a)(3.0)", "jax.hessian has no block"),
        ("tf", "with tf.GradientTape() as t:\n    l = tf.reduce_sum(x)\ny = t.gradient(l)", "with respect to nothing"),
        ("np", "def f(a, n):\n    return a if n == 0 else f(a, n - 1)\nz = f(x, 0)\ny = f(x, 60)",
         "f calls itself too often"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_for_is_refused(framework: str, text: str, said: str) -> None:
    with pytest.raises(CodeRefusal) as found:
        gw.from_code(HEADS[framework] + text)
    assert said in str(found.value)


@pytest.mark.parametrize(
    ("text", "framework"),
    [
        ("y = x", ""), ("import numpy", "numpy"), ("import keras\nkeras.a", "keras"), ("tf.a(x)", "tensorflow"),
        ("import numpy as np\nnp.a\nnp.b\nimport torch", "torch"),
        ("import tensorflow as tf\nimport torch\ntorch.a\ntorch.b", "torch"),
        ("import tensorflow as tf\nimport torch\ntf.a\ntf.b", "tensorflow"),
        ("import torch\nimport keras\nkeras.a\nkeras.b", "keras"),
        ("import tensorflow as tf\nimport keras\nkeras.a\nkeras.b", "tensorflow"),
        ("from jax import numpy as jnp\njnp.a", "jax"), ("from . import a", ""), ("import os", ""),
    ],
)  # fmt: skip
def test_a_program_speaks_of_one_framework(text: str, framework: str) -> None:
    assert framework_of(ast.parse(text)) == framework


def test_modules_have_one_name_and_constants() -> None:
    for name, whole, root in [
        ("numpy", "np", "numpy"), ("numpy.linalg", "np.linalg", "numpy"), ("tensorflow.keras.layers", "keras.layers",
        "keras"), ("tf.keras", "keras", "keras"), ("tf.kerasx", "tf.kerasx", "tensorflow"),
        ("jax.numpy", "jax.numpy", "jax"), ("os.path", "os.path", ""),
    ]:  # fmt: skip
        assert (canonical(name), root_of(canonical(name))) == (whole, root)
    assert constant_of("np.pi") == (np.pi,) and constant_of("math.tau") == (2 * np.pi,)
    assert constant_of("gw.inf") == (np.inf,) and constant_of("np.newaxis") == (None,)
    assert constant_of("np.float32") == (np.dtype("float32"),) and constant_of("torch.half") == (np.dtype("float16"),)
    assert constant_of("os.pi") is constant_of("np.sin") is constant_of("pi") is None


def test_whole_numbers_of_unbound_names_are_0_and_1() -> None:
    # The eighth alternative of a name is a matrix of whole numbers.
    found = {int(item) for name in "abcdef" for item in Choices({name: 7}, []).unbound(name).ravel()}
    assert found == {0, 1}
    masks = {bool(item) for name in "abcdef" for item in Choices({name: 10}, []).unbound(name).ravel()}
    assert masks == {False, True}


def test_sources_of_a_rule_are_constants_of_its_page_and_a_rule_has_no_loss() -> None:
    text = (
        "@tf.custom_gradient\ndef f(a):\n    k = tf.constant([[2.0, 3.0, 4.0]])\n    m = [1.5, 2.5, 3.5]\n"
        "    return a * k * m, lambda g: g * k\ny = f(x)"
    )
    pages = gw.from_code(HEADS["tf"] + text).pages[1:]
    types = {block.type for page in pages for block in page.blocks.values()}
    assert "Constant" in types and not types & {"Input", "Variable", "Loss"}


def test_an_argument_of_a_gradient_is_named_as_the_call_or_the_parameter_says() -> None:
    def names(call: str) -> set[str]:
        graph = gw.from_code(f"{HEADS['jax']}w = 2.0\ndef f(a, b):\n    return a * b\ng = jax.grad(f){call}")
        return {block.id for block in graph.pages[0].blocks.values() if block.type in ("Input", "Variable")}

    assert "w" in names("(w, 3.0)") and "a" not in names("(w, 3.0)")
    assert "a" in names("(2.5, 3.0)")
    assert "a" in names("(*[2.5, 3.0])")


def test_a_loss_that_is_asked_for_twice_is_one_loss() -> None:
    assert types_of("torch", BACK.format("(w * v).sum()") + "l.backward(retain_graph=True)\nl.backward()")["Loss"] == 1
    text = BACK.format("w * v") + "l.backward(torch.tensor([1.0, 2.0]))"
    assert types_of("torch", text)["Loss"] == 1
