"""Conditions of the reader of programs, each on both sides: branches, loops, masks, names, folded numbers, limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

import gradwire as gw
from gradwire.interop.code.from_code import read_code
from gradwire.interop.code.refusals import CodeRefusal
from tests.interop.code.test_lines_of_programs import HEADS, X, y_of


def types_of(framework: str, text: str) -> Counter[str]:
    """Returns how many blocks of each type a program has."""
    graph = gw.from_code(HEADS[framework] + text)
    return Counter(block.type for page in graph.pages for block in page.blocks.values())


LOOP = (
    "y = x\nfor i in range(6):\n    if i == 1:\n        continue\n    if i == {last}:\n        break\n    y = y + i\n"
)


@pytest.mark.parametrize(
    ("framework", "text", "wanted"),
    [
        ("np", LOOP.format(last=4) + "else:\n    y = 0 * y", X + 5),
        ("np", LOOP.format(last=9) + "else:\n    y = 2 * y", 2 * (X + 14)),
        ("np", "y: float\ny = x\ny += 2\ny -= 1\ny /= 2\ny **= 2", ((X + 1) / 2) ** 2),
        ("np", "from numpy import *\nfrom math import sqrt as s\ny = x * s(9)", 3 * X),
        ("np", "import numpy.linalg as la\ny = la.norm(x)", np.sqrt(np.sum(X * X))),
        ("np", "a = b = x + 1\ny = a * b", (X + 1) ** 2),
        ("np", "class A:\n    k = 3\n    def f(self, a):\n        return a * self.k\ny = A().f(x)", 3 * X),
        ("np", "def f(a, /, b, *c, d=4, **e):\n    return a * b + c[1] + d + e['g']\ny = f(x, 2, 5, 6, g=7)",
         2 * X + 17),
        ("np", "k = 5\ndef f(a, b=k, *, c=k + 1):\n    return a + b * c\nk = 0\ny = f(x) + f(x, c=2)", 2 * X + 40),
        ("np", "def f(a):\n    a = a + 1\n    return\ny = x if f(x) is None else 2 * x", X),
        ("np", "y = x * (1 if 2 in [1, 2] else 5) + (1 if 3 not in (1, 2) else 5) + (1 if None is None else 5)",
         X + 2),
        ("np", "y = x * (0 or 3) + (2 and 4) + (0 and 9) + (7 or 9)", 3 * X + 11),
        ("np", "y = x * (1 if 1 < 2 < 3 else 5) + (5 if 1 < 3 < 3 else 2)", X + 2),
        ("np", "y = x * (1 if 2 <= 2 <= 2 >= 2 else 5) + (5 if 2 > 2 else 0) + (5 if 2 != 2 else 0)", X),
        ("np", "y = (0 < x) & (x < 1)", (X > 0) & (X < 1)),
        ("np", "y = (0 < x + 0) | (x + 0 <= -1)", (X > 0) | (X <= -1)),
        ("np", "y = -(+x) + (~(x > 0))", -X + (X <= 0)),
        ("np", "f = [lambda a, k=k: a * k for k in (2, 3)]\ny = f[0](x) + f[1](x)", 5 * X),
        ("np", "f = [lambda a: a * k for k in (2, 3)]\ny = f[0](x) + f[1](x)", 6 * X),
        ("np", "y = x * sum([a * b for a in [1, 2, 3] if a > 1 if a < 3 for b in (4, 5) if b != 4])", 10 * X),
        ("np", "y = x * {a: b for a, b in [(1, 2), (3, 4)]}[3] + len({1, 2})", 4 * X + 2),
        ("np", "y = x * len({**{'a': 1}, 'b': 2}) + (n := 3) + n", 2 * X + 6),
        ("np", "a, (b, *c) = 1, [2, 3, 4]\ny = x * a + b + c[1]", X + 6),
        ("np", "y = np.stack([*x, x[0]])", [X[0], X[1], X[0]]),
        ("np", "y = x * ([1, 2] + [3])[2] + ((4,) * 2)[1]", 3 * X + 4),
        ("np", "y = x[1, ::2] + x[-1][[0, 2]]", X[1, ::2] * 2),
        ("np", "y = x[..., None].T", X[..., None].T),
        ("np", "y = x * x.size + x.ndim + x.shape[1] + x.itemsize", 6 * X + 13),
        ("torch", "y = x * x.numel() + x.mT.T", 7 * X),
        ("np", "y = x * (1 if x.shape == (2, 3) else 2) + (1 if x.dtype == np.float64 else 2)", X + 1),
        ("np", "y = (x + 0).T.shape[0] * (x + 0)", 3 * X),
        ("np", "y = x\nwith np.errstate(all='ignore'):\n    y = x + 1", X + 1),
        ("np", "y = x * list(range(7, 1, -2))[1] + [i + a for i, a in enumerate([4, 5], start=2)][1]", 5 * X + 8),
        ("np", "y = x * [i for i, _ in enumerate('ab', 5)][1] + list(map(lambda a, b: a - b, [9, 8], [1]))[0]",
         6 * X + 8),
        ("np", "y = x * isinstance([1], list) + isinstance(1, (str, float)) + isinstance(True, bool)", X + 1),
        ("np", "y = x * min([3, -4], key=abs) + max(2, 7, 1)", 3 * X + 7),
        ("np", "y = max(x) + min(x)", X.max() + X.min()),
        ("np", "y = pow(x, 2) + pow(2, 3) + int(2.9) + bool([]) + float()", X**2 + 10),
        ("torch", "y = x.detach().cpu().numpy()", X),
        ("torch", "y = x.to('cpu').to(torch.int32) + x.type(torch.int32)", 2 * X.astype(int)),
        ("np", "np.logaddexp.reduce(x)\ny = np.logaddexp.reduce(x) + np.minimum.reduce(x)",
         np.logaddexp.reduce(X) + X.min(axis=0)),
        ("np", "g = x.copy()\ng[x > 1] = x.max()\ny = g", np.where(X > 1, 2, X)),
        ("np", "g = x.copy()\ng[g < 0] = 7.5\ny = g", np.where(X < 0, 7.5, X)),
    ],
)  # fmt: skip
def test_a_program_is_its_numbers(framework: str, text: str, wanted: Sequence[object] | np.ndarray) -> None:
    found = y_of(framework, text)
    assert found.shape == np.shape(wanted)
    np.testing.assert_allclose(found, np.asarray(wanted, float), rtol=2e-6, atol=1e-6)


@pytest.mark.parametrize(
    ("framework", "text", "said"),
    [
        ("np", "break", "return, break and continue stand in functions and loops"),
        ("np", "return x", "return, break and continue stand in functions and loops"),
        ("np", "while x:\n    pass", "use for"),
        ("np", "class A(dict):\n    pass", "a class that inherits dict is not read here"),
        ("np", "class A(np.ndarray):\n    pass", "a class that inherits np.ndarray is not read here"),
        ("np", "with x:\n    y = x", '"with x" is not read here'),
        ("np", "try:\n    y = x\nfinally:\n    pass", '"try" is not read here'),
        ("np", "if x > 0:\n    y = x", '"x > 0" depends on numbers'),
        ("np", "y = not x", '"x" depends on numbers'),
        ("np", "y = x and 1", '"x" depends on numbers'),
        ("np", "y = 2j", "2j is no number here"),
        ("np", "y = await x", '"await x" is not read here'),
        ("np", "y = {x: 1}", '"x" is no key here'),
        ("np", "y = x.__class__", "__class__ is not read here"),
        ("np", "y = [1, 2][2]", '"[1, 2][2]" is beyond the end, or no key'),
        ("np", "y = {'a': 1}['b']", "is beyond the end, or no key"),
        ("np", "y = 1 < 'a'", "compares what cannot be compared"),
        ("np", "y = [0] * 10001", "a list would have too many items"),
        ("np", "a = [0] * 5001\ny = a + a[:5000]", "a list would have too many items"),
        ("np", "a = [0] * 10000\na.extend([1])", "a list would have too many items"),
        ("np", "for i in range(10001):\n    pass", "a loop of 10,001 rounds is too long; at most 10,000 are unrolled"),
        ("np", "for i in np.zeros(10001):\n    pass", "there are 10,001 rows; at most 10,000 are read one by one"),
        ("np", "for i in x.sum():\n    pass", "a single number has no items"),
        ("np", "for i in 3:\n    pass", '"3" has no items'),
        ("np", "y = np.array([1.0, 2.0]) + np.array([1.0, 2.0, 3.0])", "the shapes do not fit: [2], [3]"),
        ("np", "y = range(2.0)", "a range goes over whole numbers that the program says"),
        ("np", "y = range()", "a range goes over whole numbers that the program says"),
        ("np", "y = list([1], key=3)", "list is not read with key"),
        ("np", "y = max([1, 2], default=3)", "max is not read with default"),
        ("np", "y = isinstance(x, A)", "asks for a class that nobody knows"),
        ("np", "def f(a):\n    return f(a)\ny = f(x)", "f calls itself too often"),
        ("np", "y = 3\nz = y(2)", "y is no function that is known here"),
        ("torch", "x[0] = 1", '"x[0]" writes into a tensor'),
        ("torch", "x.zero_()", "x.zero_ changes a tensor in place; write the new value under a new name"),
        ("np", "y = [x, x]\nz = y + x", "a list of tensors is no tensor; make one with stack"),
        ("np", "y = np.exp(['a'])", "no tensor"),
        ("np", "y = np.expx(x)", "np.expx is not known here"),
        ("np", "y = x << 2", '"x << 2" has an operator that is not read here'),
        ("tf", "with tf.GradientTape() as t:\n    y = x * x\nj = t.jacobian(y, x)", "jacobian has no block"),
    ],
)  # fmt: skip
def test_what_is_beyond_a_bound_is_refused(framework: str, text: str, said: str) -> None:
    with pytest.raises(CodeRefusal) as found:
        gw.from_code(HEADS[framework] + text)
    assert said in str(found.value)


@pytest.mark.parametrize(
    "text",
    [
        "y = x * len([0] * 10000)",
        "a = [0] * 5000\ny = x * len(a + a)",
        "y = x\nfor i in range(10000):\n    pass",
        "y = x * sum([1 for i in range(10000)])",
        "def f(a, n):\n    return a if n == 0 else f(a, n - 1)\ny = f(x, 59)",
    ],
)
def test_what_is_at_a_bound_is_read(text: str) -> None:
    assert y_of("np", text).shape == (2, 3)


def test_a_function_calls_itself_sixty_times_at_most() -> None:
    text = "def f(a, n):\n    return a if n == 0 else f(a, n - 1)\n"
    np.testing.assert_array_equal(y_of("np", f"{text}y = f(x, 59)"), X)
    with pytest.raises(CodeRefusal, match="f calls itself too often"):
        y_of("np", f"{text}y = f(x, 60)")


JAX = """import jax, jax.numpy as jnp
w = jnp.array([1.0, 2.0])
def loss(w):
    return jnp.sum(w * w)
for i in range({rounds}):
    w = w - 0.1 * jax.grad(loss)(w)
"""


def test_a_few_rounds_of_training_are_read_and_of_many_the_first() -> None:
    few, many = read_code(JAX.format(rounds=12)), read_code(JAX.format(rounds=13))
    said = "line 5 begins a loop that trains; its first round is read"
    assert said not in few.notices and said in many.notices


def test_a_region_without_gradients_stops_what_it_computes_and_leaves_sources_alone() -> None:
    text = "a = x * 2\nwith torch.no_grad():\n    b = x * 3\n    c = torch.ones(3)\ny = a + b + c"
    assert types_of("torch", text)["StopGradient"] == 1
    assert types_of("torch", text.replace("torch.no_grad", "torch.enable_grad"))["StopGradient"] == 0
    assert types_of("torch", "@torch.no_grad()\ndef f(a):\n    return a * 2\ny = f(x)")["StopGradient"] == 1
    assert types_of("torch", "with torch.no_grad():\n    k = 3\n    b = [x * k]\ny = b[0]")["StopGradient"] == 1


def test_a_call_with_the_same_tensors_in_one_place_is_one_block() -> None:
    text = "def f(a):\n    return np.exp(a)\ny = f(x) + f(x)"
    assert types_of("np", text)["Exp"] == 1
    assert types_of("np", "def f(a):\n    return np.exp(a)\ny = f(x) + f(2 * x)")["Exp"] == 2


def test_a_square_is_a_block_of_its_own_and_other_powers_are_not() -> None:
    for exponent, name in (("2", "Square"), ("2.0", "Square"), ("3", "Pow"), ("True", "Pow")):
        assert types_of("np", f"x = x + 0\ny = x ** {exponent}")[name] == 1, exponent


def test_a_caret_is_a_power_in_a_formula_alone() -> None:
    run = gw.evaluate(gw.from_code("x = [1.0, 2.0, 3.0]\ny = x^3\nresult = 1.0 * y"))
    np.testing.assert_allclose(run.value("result.z"), [1, 8, 27])
    assert types_of("np", "y = (x > 0) ^ (x > 1)")["LogicalXor"] == 1
