"""Lines of programs beside their numbers: what makes tensors, functions of functions, Python's own, and refusals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import gradwire as gw
from gradwire.interop.code.choices import Choices
from gradwire.interop.code.from_code import read_code
from gradwire.interop.code.refusals import CodeRefusal
from gradwire.interop.code.source_text import is_program, parsed, plain_source, program
from gradwire.interop.code.torch_pairs import pair_of

X = np.array([[0.5, -1.0, 2.0], [1.5, 0.25, -0.5]])
HEADS = {
    "np": "import numpy as np\nx = np.array([[0.5, -1.0, 2.0], [1.5, 0.25, -0.5]])\n",
    "torch": "import torch, torch.nn as nn\nx = torch.tensor([[0.5, -1.0, 2.0], [1.5, 0.25, -0.5]])\n",
    "tf": "import tensorflow as tf\nx = tf.constant([[0.5, -1.0, 2.0], [1.5, 0.25, -0.5]])\n",
    "jax": "import jax, jax.numpy as jnp\nx = jnp.array([[0.5, -1.0, 2.0], [1.5, 0.25, -0.5]])\n",
}


def y_of(framework: str, text: str) -> np.ndarray:
    """Returns the numbers of y."""
    return np.asarray(gw.evaluate(gw.from_code(f"{HEADS[framework]}{text}\nresult = 1.0 * y\n")).value("result.z"))


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def old(seed: int) -> np.random.RandomState:
    return np.random.RandomState(seed)


@pytest.mark.parametrize(
    ("framework", "text", "wanted"),
    [
        ("np", "y = np.random.randn(2, 3)", rng().standard_normal((2, 3))),
        ("np", "np.random.seed(4)\ny = np.random.rand(2)", old(4).random_sample(2)),
        ("np", "np.random.seed(4)\ny = np.random.random(size=2)", old(4).random_sample(2)),
        ("np", "np.random.seed(4)\ny = np.random.standard_normal((2, 2))", old(4).standard_normal((2, 2))),
        ("np", "np.random.seed(4)\ny = np.random.normal(1, 2, 3)", old(4).normal(1, 2, 3)),
        ("np", "np.random.seed(4)\ny = np.random.uniform(1, 2, size=3)", old(4).uniform(1, 2, 3)),
        ("np", "np.random.seed(4)\ny = np.random.randint(0, 9, 3)", old(4).randint(0, 9, 3)),
        ("np", f"np.random.seed({2**32 + 4})\ny = np.random.rand(2)", old(4).random_sample(2)),
        ("np", "r = np.random.RandomState(5)\ny = r.randn(2)", old(5).randn(2)),
        ("np", "r = np.random.default_rng(5)\ny = r.integers(9, size=3)", rng(5).integers(0, 9, 3)),
        ("np", "r = np.random.default_rng(seed=5)\ny = r.uniform(1, 2, 2) + r.random(2)",
         (lambda it: it.uniform(1, 2, 2) + it.random(2))(rng(5))),
        ("torch", "torch.manual_seed(5)\ny = torch.rand(2)", old(5).random_sample(2)),
        ("torch", "y = torch.randn_like(x)", rng().standard_normal((2, 3))),
        ("torch", "y = torch.normal(1.0, 2.0, size=(3,))", rng().normal(1, 2, 3)),
        ("torch", "y = torch.randint(0, 9, (3,))", rng().integers(0, 9, 3)),
        ("tf", "y = tf.random.normal((2, 2), 1.0, stddev=2.0)", rng().normal(1, 2, (2, 2))),
        ("tf", "y = tf.random.uniform(shape=(3,), minval=1, maxval=3)", rng().uniform(1, 3, 3)),
        ("tf", "y = tf.random.uniform([3])", rng().uniform(0, 1, 3)),
        ("tf", "y = tf.random.normal([3], mean=4.0)", rng().normal(4, 1, 3)),
        ("jax", "k = jax.random.PRNGKey(5)\ny = jax.random.normal(k, (3,))", rng(5).standard_normal(3)),
        ("jax", "y = jax.random.uniform(jax.random.key(5), (3,))", rng(5).random(3)),
        ("jax", "y = jax.random.normal(key=jax.random.PRNGKey(5), shape=(3,))", rng(5).standard_normal(3)),
        ("jax", "a, b = jax.random.split(jax.random.PRNGKey(5))\ny = jax.random.normal(b, (2,))",
         rng(7).standard_normal(2)),
        ("jax", "k = jax.random.split(jax.random.PRNGKey(5), 3)\ny = jax.random.normal(k[2], (2,)) + len(k)",
         rng(8).standard_normal(2) + 3),
        ("jax", "k = jax.random.split(jax.random.PRNGKey(5), num=1)\ny = jax.random.normal(k[0], (2,)) + len(k)",
         rng(6).standard_normal(2) + 1),
        ("jax", "k = jax.random.fold_in(jax.random.PRNGKey(5), 3)\ny = jax.random.normal(k, (2,))",
         rng(5).standard_normal(2)),
    ],
)  # fmt: skip
def test_drawn_numbers_are_those_of_a_seed(framework: str, text: str, wanted: np.ndarray) -> None:
    np.testing.assert_allclose(y_of(framework, text), wanted, rtol=1e-6)


@pytest.mark.parametrize(
    ("framework", "text", "wanted"),
    [
        ("torch", "y = torch.empty(2, 3)", np.zeros((2, 3))),
        ("torch", "y = torch.zeros(2, 3, dtype=torch.float64, device='cpu')", np.zeros((2, 3))),
        ("torch", "y = torch.LongTensor([1, 2]) * 2", [2, 4]),
        ("torch", "y = torch.tensor(data=[1.0, 2.0])", [1, 2]),
        ("torch", "y = torch.tensor([1.0, 2.0]).to(torch.int64)", [1, 2]),
        ("np", "y = np.array(object=[1.0, 2.0])", [1, 2]),
        ("np", "y = np.array([1.7, 2.2], dtype=np.float32).astype(int)", [1, 2]),
        ("np", "y = np.array(range(3)) + 0.5", [0.5, 1.5, 2.5]),
        ("np", "y = np.array([x[0, 0], 2.0])", [0.5, 2]),
        ("np", "y = np.zeros((2, 3), float) + np.full((2, 3), 7, int)", np.full((2, 3), 7)),
        ("np", "y = np.full(3, 2.5, dtype='float32')", [2.5, 2.5, 2.5]),
        ("np", "y = np.ones(3, 'float32') * 2", [2, 2, 2]),
        ("tf", "y = tf.constant(2.0, shape=(2, 3))", np.full((2, 3), 2.0)),
        ("tf", "y = tf.constant([1.0, 2.0, 3.0, 4.0], shape=(2, 2))", [[1, 2], [3, 4]]),
        ("tf", "y = tf.Variable(initial_value=[1.0, 2.0])", [1, 2]),
        ("tf", "y = tf.fill([2], 3.0) + tf.eye(2)", [[4, 3], [3, 4]]),
        ("tf", "y = tf.cast(x, tf.int32)", X.astype(int)),
        ("np", "np.random.seed(4)\ny = np.random.normal(1, 2, (2, 2))", old(4).normal(1, 2, (2, 2))),
        ("np", "np.random.seed(4)\ny = np.random.uniform(1, 2) * x", old(4).uniform(1, 2) * X),
        ("np", "def g(a):\n    return a + 1\ndef f(a):\n    return g(g(a))\ny = x\nfor k in range(60):\n    y = f(y)",
         X + 120),
        # Functions of functions.
        ("jax", "y = jax.vmap(lambda a: a * a.sum())(x)", X * X.sum(axis=1, keepdims=True)),
        ("jax", "y = jax.vmap(lambda a, b: a + b[0], in_axes=(0, None))(x, x)", X + X[0]),
        ("jax", "y = jax.vmap(lambda a, b: a * b, (0, 0))(x, 2 * x)", 2 * X * X),
        ("jax", "y = jax.lax.fori_loop(1, 4, lambda i, a: a * i, x)", 6 * X),
        ("jax", "y = jax.lax.fori_loop(2, 2, lambda i, a: a * i, x)", X),
        ("jax", "c, y = jax.lax.scan(lambda c, a: (c + a, c), jnp.zeros(3), x)", [[0, 0, 0], X[0]]),
        ("jax", "y, _ = jax.lax.scan(lambda c, a: (c + a, None), jnp.zeros(3), x)", X.sum(axis=0)),
        ("jax", "y, _ = jax.lax.scan(lambda c, _: (2 * c, None), x, None, length=3)", 8 * X),
        ("jax", "from functools import partial\nf = partial(lambda a, b, c=1: a - b * c, x, c=3)\ny = f(2.0)", X - 6),
        ("jax", "f = jax.jit(lambda a: a + 1)\ny = f(x)", X + 1),
        ("jax", "t = jax.tree_map(lambda a, b: a + b, {'p': x, 'q': [x]}, {'p': x, 'q': [2 * x]})\n"
         "y = t['p'] * t['q'][0]",
         6 * X * X),
        ("tf", "@tf.function(jit_compile=True)\ndef f(a):\n    return a + 1\ny = f(x)", X + 1),
        # Python's own functions.
        ("np", "y = sum([x, 2 * x], x)", 4 * X),
        ("np", "y = sum([x, x], start=1.0)", 2 * X + 1),
        ("np", "y = sum(x)", X.sum(axis=0)),
        ("np", "y = x * sum(n for n in range(2, 9, 3))", 15 * X),
        ("np", "y = np.array([max(x[0, 0], x[1, 1], 0.1), min(x[0, 0], 0.25)])", [0.5, 0.25]),
        ("np", "y = x * max([3, -4], key=abs) + min((5, 2, 7))", -4 * X + 2),
        ("np", "y = x * sorted([3, 1, 2])[0] + sorted([3, 1, 2], reverse=True)[0]", X + 3),
        ("np", "y = x * sorted([-3, 1, 2], key=abs)[2]", -3 * X),
        ("np", "y = x * list(reversed([1, 2, 3]))[0] + tuple([4])[0]", 3 * X + 4),
        ("np", "y = x * [a * b for a, b in zip([1, 2], [3, 4, 5])][1]", 8 * X),
        ("np", "y = x * dict([('a', 2)], b=3)['b'] + len({'a': 1})", 3 * X + 1),
        ("np", "y = x * isinstance(3, int) + isinstance(2.0, (int, str)) + isinstance('a', str)", X + 1),
        ("np", "y = x * isinstance(x, np.ndarray)", X),
        ("np", "y = x * int('3') + float('0.5') + bool(0) + int()", 3 * X + 0.5),
        ("np", "y = x * abs(-2) + round(2.6) + pow(2, 3)", 2 * X + 11),
        ("np", "y = round(x) + abs(x)", np.round(X) + np.abs(X)),
        ("np", "y = x * len('abc') + len([1, 2]) + len(x)", 3 * X + 4),
        ("np", "y = x * len('a-b-c'.split('-')) + 'abc'.find('c') + 'aab'.count('a')", 3 * X + 4),
        ("np", "y = x * (2 if f'{3:02d}' == '03' else 5)", 2 * X),
        ("np", "y = x * (2 if '%d-%s' % (3, 'a') == '3-a' else 5)", 2 * X),
        ("np", "y = x * (2 if '-'.join(['a', 'b']) == 'a-b' else 5)", 2 * X),
        ("np", "y = x * (2 if '{}{}'.format(1, 'b').upper() == '1B' else 5)", 2 * X),
        ("np", "y = x * (2 if 'abc'.startswith('ab') and not 'abc'.endswith('b') else 5)", 2 * X),
        ("np", "a = [1]\na.append(2)\na.extend([3])\na.insert(0, 9)\ny = x * a[0] + a.index(3) + a.count(1)",
         9 * X + 4),
        ("np", "d = {'a': 1}\nd.update(b=5)\ny = x * d.get('b') + d.get('c', 2) + len(d.items())", 5 * X + 4),
        ("np", "g = x.copy()\ng[x < 0] = 0\ny = g", np.maximum(X, 0)),
        # Methods of tensors.
        ("torch", "y = x.view_as(torch.zeros(3, 2))", X.reshape(3, 2)),
        ("torch", "y = torch.ones(1, 3).expand_as(x)", np.ones((2, 3))),
        ("torch", "y = x * x.size(-1) + x.dim() + x.size()[0]", 3 * X + 4),
        ("torch", "y = x * x[0, 2].item() + x.sum().item()", 2 * X + X.sum()),
        ("torch", "y = torch.tensor([x[1, 0].item()])", [1.5]),
        ("np", "y = x.item(4) * x + x.item((0, 2)) + x.item(-1)", 0.25 * X + 2 - 0.5),
        ("torch", "v, k = torch.sort(x, dim=1, descending=True)\ny = v + k",
         -np.sort(-X, axis=1) + np.argsort(-X, axis=1)),
        ("torch", "v, k = x.sort(dim=0)\ny = v + k", np.sort(X, axis=0) + np.argsort(X, axis=0)),
        ("torch", "v, k = x.topk(2)\ny = v + k", [[4, 0.5], [1.5, 1.25]]),
        ("torch", "v, k = torch.topk(x, k=1, largest=False)\ny = v + k", [[-1 + 1], [-0.5 + 2]]),
        ("torch", "y = x.max(dim=1, keepdim=True).values", X.max(axis=1, keepdims=True)),
        ("torch", "y = x.min(1).indices", X.argmin(axis=1)),
        ("np", "y = np.add.reduce(x) + np.maximum.reduce(x)", X.sum(axis=0) + X.max(axis=0)),
        ("np", "y = np.multiply.reduce(x, axis=1)", X.prod(axis=1)),
        ("np", "y = x * np.pi + np.e", np.pi * X + np.e),
        ("np", "import math\ny = x * math.sqrt(4) + math.floor(2.5) + math.tau", 2 * X + 2 + 2 * np.pi),
        ("np", "y = x[:, np.newaxis]", X[:, None]),
        # Layers.
        ("torch", "y = nn.Sequential(nn.Flatten(), nn.Identity())(x.reshape(2, 3, 1))", X),
        ("torch", "y = nn.Dropout(0.5)(x)", X),
        ("torch", "y = nn.LayerNorm(3, eps=0.5)(x)",
         (X - X.mean(axis=1, keepdims=True)) / np.sqrt(X.var(axis=1, keepdims=True) + 0.5)),
        ("torch", "y = nn.BatchNorm1d(3, 0.5)(x)", (X - X.mean(axis=0)) / np.sqrt(X.var(axis=0) + 0.5)),
        ("torch", "y = nn.ReLU(inplace=True)(x)", np.maximum(X, 0)),
        ("tf", "y = tf.keras.layers.Activation('relu')(x)", np.maximum(X, 0)),
        ("tf", "y = tf.keras.layers.Activation(tf.tanh)(x)", np.tanh(X)),
        ("tf", "y = tf.keras.layers.Activation('linear')(x)", X),
        ("tf", "y = tf.keras.layers.ReLU(name='r')(x)", np.maximum(X, 0)),
        ("tf", "y = tf.keras.losses.MeanSquaredError()(x, 0 * x)", np.mean(X**2)),
        ("tf", "y = tf.keras.losses.MeanSquaredError(reduction='sum')(x, 0 * x)", np.sum(np.mean(X**2, axis=1))),
        ("tf", "y = tf.keras.losses.MeanSquaredError(reduction='none')(x, 0 * x)", np.mean(X**2, axis=1)),
        ("tf", "y = tf.keras.losses.MeanAbsoluteError(reduction=None)(x, 0 * x)", np.mean(np.abs(X), axis=1)),
        ("tf", "y = tf.keras.layers.Flatten()(tf.reshape(x, (2, 3, 1)))", X),
    ],
)  # fmt: skip
def test_a_line_is_its_numbers(framework: str, text: str, wanted: Sequence[object] | np.ndarray) -> None:
    found = y_of(framework, text)
    assert found.shape == np.shape(np.asarray(wanted))
    np.testing.assert_allclose(found, np.asarray(wanted, float), rtol=2e-6, atol=1e-6)


@pytest.mark.parametrize(
    ("framework", "text", "said"),
    [
        ("np", "np.random.seed('a')", "line 3, column 1: a seed is a whole number"),
        ("np", "y = np.random.laplace(size=3)", "np.random.laplace is not known here; randn, rand, "
         "normal, uniform and randint are"),
        ("np", "y = np.array('a')", "a tensor is made of numbers in lists"),
        ("np", "y = np.array(None)", "a tensor is made of numbers in lists"),
        ("np", "y = np.zeros(3, dtype='complex64')", "complex64 is no dtype here; use one of float16, "
         "float32, float64, int8, int16, int32, int64, uint8, bool"),
        ("torch", "y = nn.Linear(0, 3)(x)", "the sizes of a layer are whole numbers above 0, not those "
         'of "nn.Linear(0, 3)"'),
        ("torch", "y = nn.Linear(True, 3)(x)", "the sizes of a layer are whole numbers above 0, not "
         'those of "nn.Linear(True, 3)"'),
        ("torch", "y = nn.Linear(10**5, 10**5)(x)", "a layer of these sizes is larger than a tensor "
         "may be"),
        ("tf", "y = tf.keras.layers.Dense(3)(1.0)", "a dense layer takes a vector or rows, not a "
         "single number"),
        ("tf", "y = tf.keras.layers.Activation(3)(x)", "an activation is a name or a function"),
        ("jax", "y = jax.vmap(lambda a: a, 1)(x)", "vmap is read along the first axis only"),
        ("jax", "y = jax.vmap(lambda a: a, (0, 0))(x)", "vmap is read along the first axis only"),
        ("jax", "y = jax.vmap(lambda a, b: a)(x, x[0])", "vmap needs the same number of rows in all "
         "arguments, at most 1000"),
        ("jax", "y = jax.lax.fori_loop(0, 1001, lambda i, a: a, x)", "a loop of 1,001 rounds is too "
         "long; at most 1,000 are unrolled"),
        ("jax", "y = jax.lax.fori_loop(0, 2.0, lambda i, a: a, x)", "fori_loop is read with two whole "
         "numbers, a function and a start"),
        ("jax", "y = jax.lax.scan(lambda c, a: (c, a), x, None, length=1001)", "a scan over 1,001 rows "
         "is not read; at most 1,000 are unrolled"),
        ("jax", "y = jax.lax.scan(lambda c, a: (c, a), x, None)", "a scan over 0 rows is not read; at "
         "most 1,000 are unrolled"),
        ("jax", "y = jax.lax.scan(lambda c, a: c, x[0], x)", "the function of a scan gives what it "
         "carries on, and what it collects"),
        ("jax", "y = jax.random.split(jax.random.PRNGKey(0), 0)", "a key is split into a few others"),
        ("np", "y = len(x.sum())", "a single number has no length"),
        ("np", "y = int('a')", "int takes a number"),
        ("np", "y = round(x, 2)", "a tensor is rounded to whole numbers alone"),
        ("np", "y = sum([1], stop=3)", "sum is not read with stop"),
        ("np", "y = zip([1], [2, 3], strict=True)", "the arguments do not fit"),
        ("np", "y = sorted([x.sum(), x.max()])", '"sorted([x.sum(), x.max()])" compares what the '
         "program does not say"),
        ("np", "y = hasattr(x, 'a')", '"hasattr(x, \'a\')" asks for what nobody knows while a program is '
         "read"),
        ("np", "y = x.item(6)", '"x.item(6)" is beyond the end'),
        ("np", "y = x.item(-7)", '"x.item(-7)" is beyond the end'),
        ("np", "y = x.frobnicate()", "x.frobnicate is not known here"),
        ("torch", "y = x.topk(1, dim=0)", "topk is read along the last axis"),
        ("np", "def f(a, b):\n    return a\ny = f(x)", "line 5, column 5: f needs its argument b"),
        ("np", "def f(a):\n    return a\ny = f(x, x)", "line 5, column 5: f takes 1 arguments, not 2"),
        ("np", "def f(a):\n    return a\ny = f(x, b=x)", "line 5, column 5: f takes no argument b"),
        ("np", "y = x(3)", "x is no function that is known here"),
        ("np", "y = np.exp(**x)", 'line 3, column 14: "x" is no dictionary of arguments'),
        ("np", "y = np.exp(x, x, x, x)", "np.exp takes at most 1 arguments by position, not 4"),
    ],
)  # fmt: skip
def test_what_is_not_read_is_said_with_its_place(framework: str, text: str, said: str) -> None:
    with pytest.raises(CodeRefusal) as found:
        gw.from_code(HEADS[framework] + text)
    assert str(found.value) == (said if said.startswith("line ") else f"line 3, column 5: {said}")


@pytest.mark.parametrize(
    ("text", "source"),
    [
        (">>> x = 1\n1\n>>> for i in y:\n...     z\n", "x = 1\n\nfor i in y:\n    z"),
        ("In [3]: x = 1\nOut[3]: 1\n", "x = 1\n"),
        ("%matplotlib inline\nx = 1\n!pip install a\n```python\ny = 2", "\nx = 1\n\n\ny = 2"),
        ("  x = 1\n  y = 2", "x = 1\ny = 2"),
        ("y = x² · 2 − “a” ÷ √(x) ≤ 3", 'y = x**2 * 2 - "a" / sqrt(x) <= 3'),
        ("x\t=\N{NO-BREAK SPACE}1", "x    = 1"),
    ],
)
def test_what_was_typed_is_left_of_a_copied_text(text: str, source: str) -> None:
    assert plain_source(text) == source


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("x = 1\ny = = 2\n", 2, 5, '"y = = 2" is no formula, and no line of a program'),
        ("x = (", 1, 5, '"(" is never closed in "x = ("'),
        ("if x:\n", 1, 6, '"if x:" is no formula, and no line of a program'),
        (f"{'a' * 50} = = 2", 1, 54, f'"{"a" * 40}" is no formula, and no line of a program'),
    ],
)
def test_what_is_no_python_is_shown_with_its_line(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(CodeRefusal) as found:
        parsed(text)
    assert (found.value.line, found.value.column, found.value.message) == (line, column, message)


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        *[(text, True) for text in ("y = x + 1", "sin(x)", "x = 1\ny = = 2", ">>> 3 4", "import torch\n3 4")],
        *[(text, True) for text in ("def f(x):\n 3 4", "for i in x:\n  a")],
        *[(text, False) for text in ("x", "[1, 2]", "1 + 2", "3 4", "x < 3", "a" * (2**20 + 1) + "()")],
    ],
)
def test_a_program_calls_computes_or_assigns(text: str, is_so: bool) -> None:
    assert is_program(text) is is_so


def test_a_text_may_be_as_long_as_a_mebibyte() -> None:
    assert parsed("x = 1 #" + "a" * (2**20 - 7)).body
    with pytest.raises(CodeRefusal, match="the text is longer than 1 MiB"):
        parsed("x = 1 #" + "a" * (2**20 - 6))
    assert program("x = 1").backward_line is None


def test_functions_that_give_pairs_are_those_of_an_axis() -> None:
    tensor = gw.Input([1.0])
    for name, args, keywords, has_pair in [
        ("torch.max", [tensor, 0], {}, True), ("max", [tensor], {"dim": 0}, True), ("max", [tensor], {}, False),
        ("torch.min", [tensor, tensor], {}, False), ("torch.sort", [tensor], {}, True), ("topk", [tensor, 2], {}, True),
        ("torch.exp", [tensor], {}, False),
    ]:  # fmt: skip
        assert (pair_of(name, args, keywords) is not None) is has_pair, (name, keywords)


@pytest.mark.parametrize(
    ("name", "sizes", "labels", "first", "count"),
    [
        ("x", [], False, [(3,), (3, 3), (), (3, 3, 3), (3, 3, 3, 3)], 11),
        ("W", [], False, [(3, 3), (3,), (), (3, 3, 3), (3, 3, 3, 3)], 11),
        ("logits", [], False, [(3, 3), (3,), (), (3, 3, 3), (3, 3, 3, 3)], 11),
        ("labels", [], True, [(3,), (3,), (3, 3), (), (3, 3, 3)], 11),
    ],
)
def test_the_likeliest_shape_of_a_name_comes_first(
    name: str, sizes: list[int], labels: bool, first: list[tuple[int, ...]], count: int
) -> None:
    found = Choices({}, sizes, labels)
    found.unbound(name)
    assert found.counts[name] == count
    shapes = [Choices({name: place}, sizes, labels).unbound(name).shape for place in range(5)]
    assert shapes == first
    kinds = [Choices({name: place}, sizes, labels).unbound(name).dtype.kind for place in range(count)]
    assert kinds == (["i", *"fffff", *"ii", *"bbb"] if labels else [*"fffff", *"iii", *"bbb"])
    # Beyond the last alternative the last one is taken.
    assert Choices({name: 99}, sizes, labels).unbound(name).dtype.kind == "b"


def test_sizes_that_a_program_says_are_shapes_of_a_name_too() -> None:
    shapes = {Choices({"x": place}, [7]).unbound("x").shape for place in range(40)}
    assert {(7,), (3, 7), (7, 3), (7, 7), (3, 3, 7), (3, 7, 7), (3, 3, 7, 3)} <= shapes


def test_notices_tell_what_was_drawn_and_left_out() -> None:
    notices = read_code("import torch.nn as nn, torch\ny = nn.Dropout(0.5)(torch.randn(2, 3))").notices
    assert {"line 2 leaves dropout out, as in evaluation", "line 2 draws numbers, here with seed 0"} <= {*notices}


def test_numbers_of_a_name_are_the_same_in_every_text() -> None:
    first, again, other = (Choices({}, []).unbound(name) for name in ("x", "x", "z"))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)
    many = Choices({"x": 4}, []).unbound("x")
    assert many.shape == (3, 3, 3, 3) and many.min() >= 0.1 and many.max() <= 1
    np.testing.assert_array_equal(many, np.round(many, 2))
    assert np.abs(many - np.round(many, 1)).max() > 0.01
    assert {*Choices({"x": 7}, []).unbound("x").ravel().tolist()} <= {0, 1}
