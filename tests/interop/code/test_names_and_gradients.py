"""Names, classes and requests for gradients in programs beside their numbers, and what is refused in which words."""

from __future__ import annotations

import ast

import numpy as np
import pytest

import gradwire as gw
from gradwire.interop.code.from_code import read_code
from gradwire.interop.code.modules import canonical, constant_of, framework_of, root_of
from gradwire.interop.code.refusals import CodeRefusal
from tests.interop.code.test_lines_of_programs import HEADS, X, y_of

NET = """class Net(nn.Module):
    def __init__(self, k=2.0):
        super().__init__()
        self.k, self.layers = k, nn.ModuleList([nn.Linear(3, 2)])
    def forward(self, a):
        return self.k * a
    def more(self, a, b=1.0):
        return self(a) + b
"""


@pytest.mark.parametrize(
    ("framework", "text", "wanted"),
    [
        # Gradients of functions.
        ("jax", "y = jax.grad(lambda a: jnp.sum(a ** 3))(x)", 3 * X**2),
        ("jax", "y = jax.grad(lambda a, b: jnp.sum(a * b ** 2), argnums=1)(x, 2 * x)", 4 * X**2),
        ("jax", "y = jax.grad(lambda a, b: jnp.sum(a * b ** 2), 1)(x, 2 * x)", 4 * X**2),
        ("jax", "y = jax.grad(lambda a, b: jnp.sum(a * b ** 2), -1)(x, 2 * x)", 4 * X**2),
        ("jax", "a, b = jax.grad(lambda a, b: jnp.sum(a * b), argnums=(0, 1))(x, jnp.ones((2, 3)))\ny = a + 10 * b",
         1 + 10 * X),
        ("jax", "v, g = jax.value_and_grad(lambda a: jnp.sum(a ** 2))(x)\ny = v + g", np.sum(X**2) + 2 * X),
        ("jax", "(v, k), g = jax.value_and_grad(lambda a: (jnp.sum(a ** 2), a), has_aux=True)(x)\ny = v + g + k",
         np.sum(X**2) + 3 * X),
        ("jax", "g, k = jax.grad(lambda a: (jnp.sum(a ** 2), 5 * a), has_aux=True)(x)\ny = g + k", 7 * X),
        ("jax", "@jax.grad\ndef g(a):\n    return jnp.sum(a ** 2)\ny = g(x)", 2 * X),
        ("jax", "g = jax.grad(lambda p: jnp.sum(p['a'] * p['b'][0]))({'a': x, 'b': [jnp.ones(3)]})\n"
         "y = g['a'] + g['b'][0]", 1 + np.tile(X.sum(axis=0), (2, 1))),
        ("jax", "y = jax.grad(lambda a: a ** 3)(2.0) * x", 12 * X),
        ("jax", "y = jax.grad(jax.grad(lambda a: a ** 3))(2.0) * x", 12 * X),
        ("tf", "with tf.GradientTape() as t:\n    t.watch(x)\n    z = x ** 2\ny = t.gradient(z, x)", 2 * X),
        ("tf", "with tf.GradientTape() as t:\n    t.watch([x])\n    z = x ** 2\na, b = t.gradient(z, [x, x])\n"
         "y = a + b",
         4 * X),
        ("tf", "with tf.GradientTape() as t:\n    z = x ** 2\ny = t.gradient(target=z, sources={'a': x})['a']", 2 * X),
        ("tf", "z = x ** 2\ny = tf.gradients(z, x, grad_ys=tf.fill([2, 3], 3.0))", 6 * X),
        ("torch", "x.requires_grad_()\n(y,) = torch.autograd.grad((x ** 2).sum(), x)", 2 * X),
        ("torch", "x.requires_grad_()\n(y,) = torch.autograd.grad(outputs=[(x ** 2).sum()], inputs=[x])", 2 * X),
        ("torch", "x.requires_grad_()\ny, = torch.autograd.grad(x ** 2, x, torch.full((2, 3), 3.0))", 6 * X),
        ("torch", "x.requires_grad_()\ny, = torch.autograd.grad(x ** 2, x, [torch.full((2, 3), 3.0)])", 6 * X),
        ("torch", "x.requires_grad_()\n(x ** 2).sum().backward()\ny = x.grad", 2 * X),
        ("torch", "x.requires_grad_()\n(x ** 2).backward(gradient=torch.full((2, 3), 3.0))\ny = x.grad", 6 * X),
        ("torch", "x.requires_grad_()\ntorch.autograd.backward((x ** 2).sum())\ny = x.grad", 2 * X),
        ("torch", "x.requires_grad_()\n(x ** 2).sum().backward()\nx.data -= 0.1 * x.grad\ny = x", X),
        # Names.
        ("np", "a, b = [x, 2 * x]\ny = a + b", 3 * X),
        ("np", "a, *b, c = [1.0, 2.0, 3.0, 4.0]\ny = x * a + b[0] * b[1] + len(b) + c", X + 12),
        ("np", "*a, b = [1.0, 2.0, 3.0]\ny = x * a[1] + b", 2 * X + 3),
        ("np", "a, *b = [1.0]\ny = x * a + len(b)", X),
        ("np", "[a, (b, c)] = [x, (1.0, 2.0)]\ny = a * c + b", 2 * X + 1),
        ("np", "a = {'k': x}\na['m'] = 2 * x\ny = a['k'] + a['m']", 3 * X),
        ("np", "a = [x, 1.0]\na[1] = x\na[0] = 2 * x\ny = a[0] + a[1]", 3 * X),
        ("np", "a: float = 2.0\nb: int\ny = a * x", 2 * X),
        ("np", "y = x\nfor k in range(5):\n    if k == 1:\n        continue\n    if k == 3:\n        break\n"
         "    y = y + k",
         X + 2),
        ("np", "y = x\nfor k in range(2):\n    y = y + k\nelse:\n    y = 2 * y", 2 * X + 2),
        ("np", "y = x\nfor k in range(2):\n    break\nelse:\n    y = 2 * y", X),
        ("np", "def f(a, *b, c=1.0, **d):\n    return a + sum(b) + c + d['e']\ny = f(x, 2.0, 3.0, e=4.0)", X + 10),
        ("np", "def f(a, /, b=2.0):\n    return a * b\ny = f(x) + f(x, b=3.0) + f(*[x, 4.0]) + f(x, **{'b': 5.0})",
         14 * X),
        ("np", "def f():\n    pass\ny = x if f() is None else 2 * x", X),
        ("np", "y = [a * b for a in [x, 2 * x] for b in (1, 3) if b > 1][1]", 6 * X),
        ("np", "y = {k: k * x for k in (1, 2)}[2]", 2 * X),
        ("np", "y = x if x.shape == (2, 3) and not x.ndim != 2 else 2 * x", X),
        ("np", "y = x * ((1 and 3) + (0 or 4) + (2 or 5))", 9 * X),
        ("np", "y = x * (1 < 2 < 3) + (1 < 3 < 2)", X),
        ("np", "y = ((0 < x) < (x < 1)) * 1.0", ((X > 0) < (X < 1)) * 1.0),
        ("np", "y = (0 < x < 1) * 1.0 if False else x", X),
        ("np", "y = x * ('a' in 'abc') + ('b' + 'c' == 'bc') + ([1] + [2])[1] + ([3] * 2)[1] + ((1,) + (4,))[1]",
         X + 1 + 2 + 3 + 4),
        ("np", "y = -x + +x - ~(x > 0)", -1.0 * (X <= 0)),
        ("np", "y = x.T.T + x.size + x.ndim", X + 8),
        # Classes.
        ("torch", f"{NET}y = Net()(x) + Net(3.0).forward(x)", 5 * X),
        ("torch", f"{NET}y = Net(k=4.0).more(x) + Net().more(x, b=2.0)", 6 * X + 3),
        ("torch", f"{NET}n = Net().eval().to('cpu')\nn.k = 5.0\ny = n(x) + len(list(n.parameters()))", 5 * X + 2),
        ("torch", f"{NET}y = x * hasattr(Net(), 'k') + hasattr(Net(), 'm') + isinstance(Net(), Net)", X + 1),
        ("tf", "y = tf.keras.Sequential([tf.keras.layers.ReLU(), tf.keras.layers.Activation('tanh')])(x)",
         np.tanh(np.maximum(X, 0))),
        ("tf", "y = tf.keras.Sequential([tf.keras.Input(shape=(3,)), tf.keras.layers.ReLU()])(x)", np.maximum(X, 0)),
        ("torch", "s = nn.Sequential()\ns.append(nn.Tanh())\ny = s(x) + len(list(s.parameters()))", np.tanh(X)),
        ("torch", "l = nn.Linear(3, 3, bias=False)\ny = l(x) - x @ l.weight.T + isinstance(l, nn.Linear)",
         np.ones((2, 3))),
    ],
)  # fmt: skip
def test_a_program_is_its_numbers(framework: str, text: str, wanted: np.ndarray) -> None:
    np.testing.assert_allclose(y_of(framework, text), np.asarray(wanted, float), rtol=2e-6, atol=1e-6)


@pytest.mark.parametrize(
    ("framework", "text", "said"),
    [
        ("jax", "y = jax.hessian(lambda a: a)(x)", "jax.hessian has no block; ask for the gradient of "
         "one number with jax.grad"),
        ("jax", "y = jax.grad(lambda a: jnp.sum(a), argnums=1)(x)", "there is no argument 1 to "
         "differentiate"),
        ("jax", "y = jax.grad(lambda a: jnp.sum(a), argnums=-2)(x)", "there is no argument -2 to "
         "differentiate"),
        ("tf", "with tf.GradientTape() as t:\n    z = x\ny = t.gradient(z, None)", "line 5, column 5: this asks for a "
         "gradient with respect to nothing"),
        ("tf", "with tf.GradientTape() as t:\n    z = x\ny = t.jacobian(z, x)",
         "line 5, column 5: jacobian has no block; "
         "ask for the gradient of one number"),
        ("np", "a, b = [1.0, 2.0, 3.0]", "line 3, column 1: 2 names need as many values, not 3"),
        ("np", "a, b, *c = [1.0]", "line 3, column 1: 2 names need as many values, not 1"),
        ("np", "x.foo = 3", 'line 3, column 1: "x.foo" cannot be given a value here'),
        ("np", "x[0] = 3", 'line 3, column 1: "x[0]" writes into a tensor; make the new one with where, stack or '
         "concatenate"),
        ("np", "a = [1]\na[3] = 3", 'line 4, column 1: "a[3]" is beyond the end, or no key'),
        ("np", "a = [1]\ny = a[1] * x", 'line 4, column 5: "a[1]" is beyond the end, or no key'),
        ("np", "a = {[1]: 2}", 'line 3, column 6: "[1]" is no key here'),
        ("np", "y = x << 2", '"x << 2" has an operator that is not read here'),
        ("np", "y = 2j * x", "2j is no number here"),
        ("np", "y = x if x.sum() > 0 else 2 * x", 'line 3, column 10: "x.sum() > 0" depends on numbers, which nobody '
         "knows while a program is read; choose with where"),
        ("np", "y = 1 < 'a'", '"1 < \'a\'" compares what cannot be compared'),
        ("np", "for a in 3:\n    pass", 'line 3, column 10: "3" has no items'),
        ("np", "y = [0] * 10001", "a list would have too many items"),
        ("np", "y = [0] * 5000 + [0] * 5001", "a list would have too many items"),
        ("np", "while x:\n    pass",
         "line 3, column 1: while goes on as long as numbers say, which are not known while a "
         "program is read; use for"),
        ("np", "with open_it():\n    pass", "line 3, column 6: open_it is not known here"),
        ("np", "with 3:\n    pass", 'line 3, column 6: "with 3" is not read here'),
        ("np", "try:\n    pass\nfinally:\n    pass", 'line 3, column 1: "try" is not read here'),
        ("np", "break", "line 3, column 1: return, break and continue stand in functions and loops"),
        ("torch", "class A(nn.Linear):\n    pass",
         "line 3, column 9: a class that inherits nn.Linear is not read here"),
        ("torch", "class A:\n    pass\ny = A(3)", "line 5, column 5: A takes no arguments"),
        ("torch", "class A:\n    pass\ny = A()(x)", "line 5, column 5: A has no forward, which would say what a call "
         "gives"),
        ("torch", "class A:\n    pass\ny = A().foo(x)", "line 5, column 5: A().foo is not known here"),
        ("torch", "class A(torch.autograd.Function):\n    pass\ny = A.apply(x)",
         "line 3, column 1: A has no forward or "
         "no backward, which say its value and its gradient"),
        ("torch", "class A(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, a):\n        return a\n"
         "y = A.apply(x)", "line 3, column 1: A has no forward or no backward, which say its value and its gradient"),
        ("jax", "@jax.custom_jvp\ndef f(a):\n    return a\ny = f(x)",
         "line 3, column 2: jax.custom_jvp gives a gradient "
         "forward, which has no block; give it backward, by custom_vjp"),
        ("jax", "@jax.custom_vjp\ndef f(a):\n    return a\ny = f(x)",
         "line 6, column 5: f has no gradient yet; f.defvjp "
         "says it"),
        ("jax", "@jax.custom_vjp\ndef f(a):\n    return a\nf.defvjp(f)",
         "line 6, column 1: defvjp takes two functions: "
         "forward and backward"),
        ("tf", "f = tf.custom_gradient(3)", "a gradient of its own is said for one function of the "
         "program"),
        ("tf", "f = tf.grad_pass_through(tf.round, 3)", "grad_pass_through takes one function"),
    ],
)  # fmt: skip
def test_what_is_not_read_is_said_with_its_place(framework: str, text: str, said: str) -> None:
    with pytest.raises(CodeRefusal) as found:
        gw.from_code(HEADS[framework] + text)
    assert str(found.value) == (said if said.startswith("line ") else f"line 3, column 5: {said}")


@pytest.mark.parametrize(
    ("text", "framework"),
    [
        ("import numpy as np\nimport torch", "torch"),
        ("import numpy as np", "numpy"),
        ("x = 1", ""),
        ("from . import a", ""),
        ("import tensorflow as tf\nfrom tensorflow import keras\nkeras.a\nkeras.b\nkeras.c", "tensorflow"),
        ("from tensorflow.keras import layers", "keras"),
        ("torch.a\njnp.a\njnp.b", "jax"),
        ("import os.path", ""),
        ("gw.Input", ""),
    ],
)
def test_a_program_speaks_of_a_framework(text: str, framework: str) -> None:
    assert framework_of(ast.parse(text)) == framework


def test_modules_have_one_name_and_their_constants() -> None:
    names = ["numpy.random", "tensorflow.keras.layers", "tensorflow", "torch"]
    assert [canonical(name) for name in names] == ["np.random", "keras.layers", "tf", "torch"]
    assert [root_of(name) for name in ("np.random", "keras", "gw", "os")] == ["numpy", "keras", "", ""]
    constants = {"np.pi": np.pi, "math.e": np.e, "np.newaxis": None, "torch.long": np.dtype("int64")}
    assert {name: constant_of(name) for name in constants} == {name: (item,) for name, item in constants.items()}
    assert constant_of("os.pi") is constant_of("np.foo") is constant_of("pi") is None


def test_training_is_passed_over_with_notices() -> None:
    text = (
        HEADS["jax"]
        + "f = lambda a: jnp.sum(a ** 2)\nw = x\nfor k in range({}):\n    w = w - 0.25 * jax.grad(f)(w)\ny = w"
    )
    few = read_code(text.format(12))
    assert not any("trains" in notice for notice in few.notices)
    many = read_code(text.format(13))
    assert "line 5 begins a loop that trains; its first round is read" in many.notices
    moved = read_code(HEADS["torch"] + "x.requires_grad_()\nx.sum().backward()\nx.data -= 0.1 * x.grad")
    assert "line 5 moves a variable, which training does here" in moved.notices
