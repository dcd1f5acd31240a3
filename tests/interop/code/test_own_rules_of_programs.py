"""Gradients that programs say themselves, classes and arguments, line by line beside their numbers."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw
from gradwire.interop.code.refusals import CodeRefusal
from tests.interop.code.test_lines_of_programs import HEADS, X, y_of

ONE = np.ones((2, 3))
TIMES = """class Times(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, k, b=None):
        ctx.k = k
        ctx.save_for_backward(a)
        ctx.mark_non_differentiable()
        return a * k
    @staticmethod
    def backward(ctx, g):
        a, = ctx.saved_tensors
        return (10 * ctx.k * g + a) if ctx.needs_input_grad[0] else None, None
x.requires_grad_()
"""
SET_UP = """class Times(torch.autograd.Function):
    @staticmethod
    def forward(a, k):
        return a * k, a + k
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.k = inputs[1]
        ctx.save_for_backward(inputs[0], output[1])
    @staticmethod
    def backward(ctx, g, h):
        a, s = ctx.saved_tensors
        return ctx.k * g + 10 * h + s - a, None
x.requires_grad_()
"""
VJP = """@jax.custom_vjp
def f(a, b):
    return a * b
def fwd(a, b):
    return a * b, (a, b)
def bwd(kept, g):
    a, b = kept
    return 10 * g * b, 100 * g * a
f.defvjp(fwd, bwd)
"""
FIXED = """@functools.partial(jax.custom_vjp, nondiff_argnums=({places}))
def f(k, a, m):
    return k * a + m
def fwd(k, a, m):
    return k * a + m, a
def bwd(k, {second}kept, g):
    return {parts}
f.defvjp(fwd, bwd)
"""


@pytest.mark.parametrize(
    ("framework", "text", "wanted"),
    [
        # TensorFlow: one gradient for each result, and none for the object of a method.
        ("tf", "@tf.custom_gradient\ndef f(a):\n    return a * 2, lambda g: 7 * g\n"
         "with tf.GradientTape() as t:\n    t.watch(x)\n    z = f(x)\ny = t.gradient(z, x) + z", 7 + 2 * X),
        ("tf", "@tf.custom_gradient\ndef f(a, b):\n    def back(g):\n        return g * 3, g * 5\n"
         "    return a + b, back\n"
         "with tf.GradientTape() as t:\n    t.watch(x)\n    z = f(x, 2 * x)\ny = t.gradient(z, x)", 13 * ONE),
        ("tf", "@tf.custom_gradient\ndef f(a):\n    return (2 * a, a + 1), lambda g, h: g + 10 * h\n"
         "with tf.GradientTape() as t:\n    t.watch(x)\n    p, q = f(x)\n    z = p + 100 * q\ny = t.gradient(z, x)",
         1001 * ONE),
        ("tf", "class A:\n    @tf.custom_gradient\n    def f(self, a):\n        return a * 2, lambda g: 7 * g\n"
         "with tf.GradientTape() as t:\n    t.watch(x)\n    z = A().f(x)\ny = t.gradient(z, x)", 7 * ONE),
        ("tf", "class M:\n    def __call__(self, a):\n        return 2 * a\n@tf.custom_gradient\ndef f(a, m):\n"
         "    return m(a), lambda g: (7 * g, None)\nwith tf.GradientTape() as t:\n    t.watch(x)\n    z = f(x, M())\n"
         "y = t.gradient(z, x)", 7 * ONE),
        ("tf", "f = tf.grad_pass_through(lambda a: a * 5)\nwith tf.GradientTape() as t:\n    t.watch(x)\n    z = f(x)\n"
         "y = t.gradient(z, x) + z", 1 + 5 * X),
        # JAX: the gradient is structured as the result.
        ("jax", "@jax.custom_gradient\ndef f(a):\n    return (2 * a, a), lambda g: g[0] + 10 * g[1]\n"
         "y = jax.grad(lambda a: jnp.sum(f(a)[0] + 100 * f(a)[1]))(x)", 1001 * ONE),
        ("jax", f"{VJP}y = jax.grad(lambda a: jnp.sum(f(a, 3 * x)))(x)", 30 * X),
        ("jax", f"{VJP}a, b = jax.grad(lambda a, b: jnp.sum(f(a, b)), (0, 1))(x, 2 * x)\ny = a + b", 20 * X + 100 * X),
        ("jax", f"{VJP}y = f(a=x, b=3 * x)", 3 * X**2),
        ("jax", f"{VJP}y = jax.grad(lambda a: jnp.sum(f(b=a, a=2 * x)))(x)", 200 * X),
        ("jax", VJP.replace("(fwd, bwd)", "(fwd=fwd, bwd=bwd)")
         + "y = jax.grad(lambda a: jnp.sum(f(a, x)))(x)", 10 * X),
        ("jax", VJP.replace("(fwd, bwd)", "(fwd, bwd=bwd)") + "y = jax.grad(lambda a: jnp.sum(f(a, x)))(x)", 10 * X),
        ("jax", "import functools\n" + FIXED.format(places="0,", second="", parts="5 * g, 7 * g")
         + "y = jax.grad(lambda a: jnp.sum(f(2.0, a, 3 * a)))(x)", (5 + 21) * ONE),
        ("jax", "import functools\n" + FIXED.format(places="0, 2", second="m, ", parts="k * m * g,")
         + "y = jax.grad(lambda a: jnp.sum(f(2.0, a, 4.0)))(x)", 8 * ONE),
        ("jax", "import functools\n" + FIXED.format(places="2, 0", second="m, ", parts="k * m * g,")
         + "y = f(2.0, x, 4.0)", 2 * X + 4),
        ("jax", "import functools\n" + FIXED.format(places="0,", second="", parts="5 * g, 7 * g").replace(
            "nondiff_argnums=(0,)", "nondiff_argnums=0")
         + "y = jax.grad(lambda a: jnp.sum(f(2.0, a, a)))(x)", 12 * ONE),
        ("jax", "import functools\n" + FIXED.format(places="0,", second="", parts="5 * g, 7 * g").replace(
            "nondiff_argnums=(0,)", "nondiff_argnames=('k',)")
         + "y = jax.grad(lambda a: jnp.sum(f(2.0, a, a)))(x)", 12 * ONE),
        ("jax", VJP.replace("b):", "b=2.0):") + "y = f(x)", 2 * X),
        ("jax", VJP.replace("b):", "b=2.0):") + "y = f(a=x)", 2 * X),
        # PyTorch: the context passes tensors and settings on.
        ("torch", f"{TIMES}y, = torch.autograd.grad(Times.apply(x, 3.0).sum(), x)", 30 + X),
        ("torch", f"{TIMES}y = Times.apply(x, 3.0)", 3 * X),
        ("torch", f"{SET_UP}p, q = Times.apply(x, 3.0)\ny, = torch.autograd.grad((p + 100 * q).sum(), x)",
         3 + 1000 + 3 * ONE),
        ("torch", f"{SET_UP}p, q = Times.apply(x, 3.0)\ny = p + 100 * q", 3 * X + 100 * (X + 3)),
    ],
)  # fmt: skip
def test_a_rule_gives_the_gradient_that_it_says(framework: str, text: str, wanted: np.ndarray) -> None:
    np.testing.assert_allclose(y_of(framework, text), wanted, rtol=2e-6, atol=1e-6)


NET = """class Inner(nn.Module):
    scale = 3.0
    def __init__(self):
        super().__init__()
        self.a = nn.Parameter(torch.tensor([1.0, 2.0, 3.0]))
    def forward(self, z):
        return self.a * z
class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.many, self.named = Inner(), [Inner(), nn.Linear(3, 2)], {'k': Inner()}
        self.again = self.one
    @staticmethod
    def fixed(z):
        return 2 * z
    def forward(self, z):
        return self.one(z)
"""


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        # Two of Inner's own, one under two names, and the weight and bias of a layer.
        (f"{NET}y = x * len(list(Outer().parameters()))", 5 * X),
        (f"{NET}y = x * len(Outer().named_parameters())", 5 * X),
        (f"{NET}y = x * len(list(nn.Linear(3, 2, bias=False).parameters()))", X),
        (f"{NET}y = Outer()(x) + Outer().fixed(x)", X * [1, 2, 3] + 2 * X),
        (f"{NET}y = Outer().forward(x) * Inner().scale", 3 * X * [1, 2, 3]),
        (f"{NET}n = Inner()\nn.scale = 4.0\ny = n(x) * n.scale + Inner.scale", 4 * X * [1, 2, 3] + 3),
        (f"{NET}n = Outer().train().double()\nn.zero_grad()\ny = n(x)", X * [1, 2, 3]),
        (f"{NET}y = Inner()(x) + hasattr(Inner(), 'scale') + hasattr(Inner(), 'a') + hasattr(Inner(), 'parameters')",
         X * [1, 2, 3] + 3),
        (f"{NET}y = x * hasattr(Inner(), 'b')", 0 * X),
        (f"{NET}f = lambda z: z + 1\nn = Inner()\nn.f = f\ny = n.f(x)", X + 1),
        ("class A:\n    def __init__(self, k, m=2.0):\n        self.k, self.m = k, m\n"
         "    def __call__(self, z):\n        return self.k * z + self.m\ny = A(3.0)(x) + A(4.0, m=0.5)(x)",
         7 * X + 2.5),
        ("class A(nn.Module):\n    def call(self, z):\n        return 5 * z\n    def forward(self, z):\n"
         "        return 3 * z\ny = A()(x)", 3 * X),
        ("s = nn.Sequential()\ns.add_module('t', nn.Tanh())\ny = s(x)", np.tanh(X)),
    ],
)  # fmt: skip
def test_classes_have_methods_attributes_and_parameters(text: str, wanted: np.ndarray) -> None:
    np.testing.assert_allclose(y_of("torch", text), np.asarray(wanted, float), rtol=2e-6, atol=1e-6)


@pytest.mark.parametrize(
    ("framework", "text", "wanted"),
    [
        # A truth is no number that becomes an Input, nor is a class of Python's.
        ("np", "flag = True\ny = x if flag else 2 * x", X),
        ("np", "kind = float\ny = x.astype(kind)", X),
        ("np", "y = np.zeros(2, 'double') + np.ones(2, 'half')", [1, 1]),
        ("np", "y = np.ones((2,), 'bool_') * 3.0", [3, 3]),
        ("np", "y = np.array([1.0, 2.0], 'int_') * 2", [2, 4]),
        # Arguments.
        ("np", "def f(a, b=2.0, *, c=3.0):\n    return a * b + c\ny = f(x) + f(x, c=1.0) + f(b=1.0, a=x)", 5 * X + 7),
        ("np", "def f(a, b, c=3.0):\n    return a * b + c\ny = f(x, 2.0) + f(x, 1.0, 0.0)", 3 * X + 3),
        ("np", "k = 5.0\ndef f(a, b=k):\n    return a * b\nk = 7.0\ny = f(x)", 5 * X),
        ("np", "y = np.add.reduce(x) + np.maximum.reduce(x, axis=0)", X.sum(0) + X.max(0)),
        ("np", "y = np.multiply.reduce(x, axis=1)", X.prod(1)),
        ("torch", "y = x.view_as(torch.zeros(3, 2))", X.reshape(3, 2)),
        ("torch", "y = x[0].expand_as(x)", np.tile(X[0], (2, 1))),
        ("torch", "y = x * x.size(0) + x.dim() + x.size()[1] + x.size(-1)", 2 * X + 2 + 3 + 3),
        ("torch", "x.requires_grad_()\ny, = torch.autograd.grad((x.numpy() * x).sum(), x)", X),
        ("torch", "k = torch.tensor([2.0, 3.0, 4.0]).numpy()\ny = x * k", X * [2, 3, 4]),
        ("torch", "v, p = torch.topk(x, 2, dim=1)\ny = v + 10 * p", [[2 + 20, 0.5], [1.5, 0.25 + 10]]),
        ("torch", "v, p = x.topk(1, -1, largest=False)\ny = v + 10 * p", [[-1 + 10], [-0.5 + 20]]),
        ("torch", "y = x * x[0, 1].item() + x.sum().item()", -X + X.sum()),
        ("np", "y = x * x.item(4) + x.item(-1) + x.item(0, 2) + x.item(5)", 0.25 * X - 0.5 + 2 - 0.5),
        ("np", "a = [1.0]\na.extend([2.0, 3.0])\na.insert(0, 9.0)\ny = x * a[0] + a.index(3.0) + a.count(2.0)",
         9 * X + 4),
        ("np", "d = {'k': 2.0}\nd.update({'m': 3.0})\ny = x * d.get('k') + d.get('z', 5.0) + sum(d.values())",
         2 * X + 10),
        ("np", "y = sum(k * x for k in {1: 2, 3: 4}.keys()) + len({1: 2}.items())", 4 * X + 1),
        ("tf", "y = tf.exp(x, name='z')", np.exp(X)),
        # Gradients of functions whose arguments are numbers or structures.
        ("jax", "y = jax.grad(lambda a, b: a * b ** 2, argnums=(0, 1))(2.0, 3.0)[1] * x", 12 * X),
        ("jax", "y = jax.grad(lambda p, k: jnp.sum(p[0] * p[1]) * k, argnums=0)([x, 2 * x], 3.0)[0]", 6 * X),
        ("jax", "y = jax.grad(lambda a, b: jnp.sum(a * b))(x, x)", X),
        ("jax", "y = jax.value_and_grad(lambda a: jnp.sum(a), argnums=(0,))(x)[1][0]", ONE),
        ("jax", "y = jax.value_and_grad(lambda a: (jnp.sum(a ** 2), 3.0), has_aux=True)(x)[0][1] * x", 3 * X),
        ("tf", "with tf.GradientTape() as t:\n    t.watch(x)\n    z = x ** 2\n"
         "y = t.gradient(z, x, output_gradients=3 * tf.ones((2, 3)))", 6 * X),
        ("tf", "with tf.GradientTape() as t:\n    t.watch(x)\n    z = x ** 2\ny = t.gradient([z], [x])[0]", 2 * X),
        ("torch", "x.requires_grad_()\na = (x ** 2).sum()\na.backward()\nb = (3 * x).sum()\nb.backward()\ny = x.grad",
         3 * ONE),
    ],
)  # fmt: skip
def test_a_line_is_its_numbers(framework: str, text: str, wanted: np.ndarray) -> None:
    np.testing.assert_allclose(y_of(framework, text), np.asarray(wanted, float), rtol=2e-6, atol=1e-6)


@pytest.mark.parametrize(
    ("framework", "text", "said"),
    [
        ("jax", "y = jax.grad(lambda a, b: jnp.sum(a * b ** 2), (0, 1))(x, x)[0]",
         "one tensor is given for two arguments that are differentiated"),
        ("torch", "x.requires_grad_()\nz = x ** 2\nw, = torch.autograd.grad(z, x, grad_outputs=x)\ny = 2 * w",
         "the weights of this gradient depend on what is differentiated"),
        ("jax", f"{VJP.replace('f.defvjp(fwd, bwd)', 'f.defvjp(fwd)')}", "defvjp takes two functions"),
        ("tf", "f = tf.grad_pass_through(tf.round, name='a')", "grad_pass_through takes one function"),
        ("tf", "f = tf.grad_pass_through()", "grad_pass_through takes one function"),
        ("tf", "@tf.custom_gradient\ndef f(a):\n    return a, 3\ny = f(x)", "f returns its value and the function"),
        ("tf", "@tf.custom_gradient\ndef f(a):\n    return a, a, a\ny = f(x)", "f returns its value and the function"),
        ("torch", "y = isinstance(nn.Linear(3, 3), nn._Hidden)", "asks for a class that nobody knows"),
        ("torch", f"{NET}y = isinstance(Inner(), Outer)", "asks for a class that nobody knows"),
        ("np", "def f(a):\n    return a\ny = f(x, x)", "f takes 1 arguments, not 2"),
        ("np", "def f(a):\n    return a\ny = f(x, b=x)", "f takes no argument b"),
        ("np", "def f(a, b):\n    return a\ny = f(x)", "f needs its argument b"),
        ("torch", "v, p = torch.topk(x, 1, dim=0)", "topk is read along the last axis"),
        ("np", "y = x.item(6)", "is beyond the end"),
        ("np", "y = x.item(-7)", "is beyond the end"),
        ("np", "y = np.sum(**x)", "is no dictionary of arguments"),
        ("np", "a = [0] * 10000\na.extend([1])", "a list would have too many items"),
        ("np", "y = np.meen(x)", "np.meen is not known here; similar names:"),
        ("np", "y = x.foo()", "x.foo is not known here"),
        ("torch", "s = nn.Sequential()\ny = s.foo(nn.Tanh())", "s.foo is not known here"),
        ("np", "y = (3)(x)", "3 is no function that is known here"),
    ],
)  # fmt: skip
def test_what_has_no_rule_is_refused(framework: str, text: str, said: str) -> None:
    with pytest.raises(CodeRefusal) as found:
        gw.from_code(HEADS[framework] + text)
    assert said in str(found.value)


def blocks_of(framework: str, text: str) -> dict[str, str]:
    """Returns the types of the blocks behind those of x, by their names."""
    (page,) = gw.from_code(HEADS[framework] + text).pages
    return {name: block.type for name, block in page.blocks.items()}


def test_numbers_with_a_dtype_are_a_source_and_a_tensor_of_that_dtype_stays_as_it_is() -> None:
    assert blocks_of("np", "y = np.float32([1.0, 2.0])\nz = np.exp(y)") == {"x": "Input", "y": "Input", "z": "Exp"}
    assert "Cast" not in blocks_of("torch", "y = torch.tensor(x * x, dtype=torch.float64)").values()
    assert "Cast" in blocks_of("torch", "y = torch.tensor(x * x, dtype=torch.float32)").values()
    assert "Cast" in blocks_of("np", "y = np.float32(x * x)").values()


def test_arguments_that_are_differentiated_have_the_names_of_the_call_or_of_the_function() -> None:
    found = blocks_of("jax", "w = 2.0\ny = jax.grad(lambda a, b: a * b ** 2, argnums=(0, 1))(w, 3.0)")
    assert {"w", "b"} <= set(found) and not {"a", "x1"} & set(found)
    found = blocks_of("jax", "y = jax.grad(lambda *p: p[0] * p[1] ** 2, argnums=(0, 1))(2.0, 3.0)")
    assert {"x0", "x1"} <= set(found)
    found = blocks_of("jax", "y = jax.grad(lambda p: p[0] * p['k'] if False else p[0] * p[1])([2.0, 3.0])")
    assert {"p_0", "p_1"} <= set(found)


def test_weights_of_layers_are_drawn_by_seeds_from_1_on() -> None:
    run = gw.evaluate(gw.from_code(HEADS["torch"] + "a = nn.Linear(3, 2)\ny = a(x)"))
    for seed, (name, shape) in enumerate((("a_weight", (2, 3)), ("a_bias", (2,))), 1):
        wanted = np.random.default_rng(seed).uniform(-1, 1, shape) / np.sqrt(3)
        np.testing.assert_allclose(run.value(f"{name}.y"), wanted, atol=1e-4)
