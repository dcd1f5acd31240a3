"""Programs of NumPy: Python itself carries them out, and the graph that is read has the same numbers."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw

BEGIN = """import numpy as np

x = np.array([[0.3, -1.25, 2.0], [1.1, 0.75, -0.4]])
w = np.array([0.5, -1.5, 2.5])
"""
END = "\nresult = 1.0 * y\n"

FORMULAS = """
np.zeros(3, np.float32) + x
np.ones((2, 3), dtype=int) * x
np.full((2, 3), 7, np.int64) * 0.5
np.eye(2, 3) + x
np.identity(2) @ x
np.array([1, 2, 3], dtype=np.float32) / 2
np.array([[1, 2, 3]], float) + x
np.arange(3.0) * x
x[1]
x[-1, 1:]
x[:, ::2]
x[::-1]
x[..., 0]
x[None]
x[:, None, 1:3]
x[[0, 1, 0], [2, 1, 0]]
x[x.argmax(axis=0), np.arange(3)]
x + 1 - 2 * x / 3 ** 2
-x % 2
x // 0.5
x ** 2 + 2 ** x
+x
2 - x
3 / (x + 5)
x @ x.T
x.T @ x
np.dot(x, w)
np.matmul(x, w)
x.dot(w)
np.outer(x[0], w)
np.einsum('ij,kj->ik', x, x)
np.sum(x)
x.sum(axis=0)
x.sum(1, keepdims=True)
np.mean(x, axis=-1)
x.mean()
np.max(x, axis=1)
x.min(axis=0)
np.var(x, axis=0)
np.std(x)
x.var(axis=1, ddof=1)
x.std(axis=0, ddof=1)
np.prod(x, axis=1)
np.cumsum(x, axis=1)
np.cumprod(x, axis=0)
np.sort(x, axis=1)
np.argmax(x, axis=1) * 1.0
np.argmin(x, axis=0) + 0.5
x[np.argsort(x[:, 0])]
np.where(x > 0, x, 2 * x)
np.clip(x, -0.5, 0.5)
x.clip(0, 1)
np.maximum(x, 0)
np.minimum(x, w)
np.abs(x) + abs(x)
np.sign(x) * np.sqrt(np.abs(x))
np.exp(x) + np.log1p(x * x) + np.tanh(x)
np.sin(x) * np.cos(x) - np.arctan(x)
np.expm1(x) - np.log(x * x + 1)
np.floor(x) + np.ceil(x) + np.round(x)
np.square(x) + np.reciprocal(x + 9)
np.sinh(x) / np.cosh(x)
np.logaddexp(x, w)
np.hypot(x, w)
np.arctan2(x, w)
np.power(np.abs(x), 1.5)
np.log2(x * x + 1) + np.log10(x * x + 1)
x.reshape(3, 2)
x.reshape(-1)
np.reshape(x, (1, 6))
x.ravel() + x.flatten()
np.transpose(x)
x[None].transpose(2, 0, 1)
np.swapaxes(x[None], 0, 2)
np.expand_dims(x, 1)
np.squeeze(x[:1])
np.concatenate([x, 2 * x], axis=1)
np.stack([x, x + 1])
np.hstack([x, x])
np.tile(x, (2, 1))
np.flip(x, axis=1)
np.roll(x, 1, axis=1)
np.diff(x, axis=1)
np.triu(x @ x.T) + np.tril(x @ x.T)
np.trace(x @ x.T)
np.linalg.norm(x)
np.linalg.norm(x, axis=1)
np.linalg.inv(x @ x.T)
np.linalg.det(x @ x.T)
np.linalg.solve(x @ x.T, x)
np.zeros((2, 3)) + x
np.ones_like(x) * x.shape[0]
np.full((2, 3), 7.0) - x
np.eye(2) @ x
np.arange(3) * x
np.arange(1, 7, 2) + x
np.linspace(0, 1, 3) * x
np.broadcast_to(w, (2, 3)) + x
x.astype(np.float32) * 2
np.array([1, 2, 3]) * x
np.float64(3) * x
(x > 0) * 1.0
((x > 0) & (x < 1)) * 2.0
((x < 0) | (x > 1)) * 2.0
(~(x > 0)) * 1.0
np.logical_and(x > 0, w > 0) * 1.0
(x == x) * 1.0 + (x != w) * 1.0
np.isnan(x) * 1.0
x * (len(x) + x.ndim + x.size)
x * x.shape[-1]
x if x.shape[0] == 2 else 2 * x
sum(n * n for n in range(4)) * x
x * (1 < 2 <= 2) + (3 > 4)
x * max(1, 2, 3) + min(4, 2)
x * int(2.7) + float(3) + round(2.5)
x * (7 // 2 + 7 % 4 + 2 ** 3)
x[0] if True else None
np.mean((x - w) ** 2)
np.sum(x * w, axis=-1) / np.sqrt(np.sum(w * w))
np.tensordot(x, x, axes=([1], [1]))
np.vdot(w, w) * x
np.take(x, [0, 2], axis=1)
np.split(x, 3, axis=1)[1]
np.moveaxis(x[None], 0, -1)
np.full_like(x, 2.5) * x
np.zeros(x.shape) - x
np.identity(3) * x[0]
np.meshgrid(w, w)[0]
x.T.T
np.float32(2) * x
np.any(x > 0) * 1.0
np.all(x > 0, axis=1) * 1.0
np.count_nonzero(x > 0) * 1.0
np.fmod(x, 0.4)
np.cbrt(x)
np.exp2(x)
np.multiply(x, w) - np.add(x, w) / np.subtract(x, 9)
np.true_divide(x, 2)
np.asarray(x) * np.array(2.0)
np.max(x) - np.min(x)
x.prod()
x.cumsum(axis=0)
x.argmax() * 1.0
x.round()
np.average(x, axis=0)
abs(x) + abs(-2) + abs(-1.5)
pow(x, 2) + pow(2, 3)
sum([x, 2 * x, w])
sum([1, 2, 3], 4) * x
max(2, 5, 3) * x + min([4, 1, 7])
max([1, 9, 3]) * x
len([1, 2, 3]) * x + len(x) + len('abc')
x * list(range(5))[-1] + tuple([1, 2])[1]
x * float('2.5') + int('3')
x * bool(1) + (not False)
x * any([False, True]) + all([True, False])
x + [v * 2 for v in (1, 2, 3) if v != 2][1]
x * {1: 5, 2: 7}[2]
x * dict(a=3)['a']
x + sum(a * b for a, b in zip([1, 2], [3, 4]))
x * (2 if x.ndim == 3 else 3 if x.ndim == 2 else 4)
x * len({1: 2}) + len((1, 2))
x * (3 in [1, 2, 3]) + (5 not in [1, 2])
x * (None is None)
x * 1e-1 + 0x10 + 1_000
(n := 4) * x + n
x.sum(axis=0)[1:] @ w[:2]
[x, w][1] * [x, w][0]
(x, w)[-1] + x
x.shape[0] * x.shape[1] * x
x[:, :-1] - x[:, 1:]
x[1, 2] * x[0, 0]
np.array([x[0, 0], x[1, 1], 3.0])
np.array([[1, 2], [3, 4]]) @ x
np.stack([row * 2 for row in [x[0], x[1]]])
x * 2 ** -1 + 7 // 2 * -1
1 - (1 - x) ** 2
(x > 0).sum() * 1.0
(x > 0).astype(float) * x
np.where(x > w, x, w).max(axis=0)
np.exp(-0.5 * ((x - w) / 2) ** 2) / (2 * np.sqrt(2 * np.pi))
x if not (x.ndim > 2 or len(x) == 3) else w
y, z = [x * k for k in (2, 3)]
x * sum({'a': 1, 'b': 2}.values())
x * max(enumerate([3, 9]), key=lambda p: p[1])[0]
np.add(x, w) * np.pi + np.e
x.T[0] + x[:, 0]
x - x.mean(0) + x.max(1)[:, None]
x; y = y * 2
x * (1 if 'a' < 'b' else 2)
"""

PROGRAMS = [
    """y = x\nfor n, k in enumerate([5, 6], 3):\n    y = y + n * k""",
    """y = x\nfor n, k in enumerate([5, 6], start=2):\n    y = y + n * k""",
    """y = x\nfor a, b in map(lambda a, b: (b, a), [1, 2], [3, 4]):\n    y = y + a - b""",
    """def f(a, b=2.0, *, c=1.0):
    return a * b + c
y = f(x) + f(x, 3.0) + f(x, c=5.0)""",
    """def f(a):
    def g(b):
        return a + b
    return g(2 * a)
y = f(x)""",
    """f = lambda a, k=3: a ** k
y = f(x) + f(x, 2)""",
    """y = x
for n in range(3):
    y = y * 0.5 + n""",
    """y = 0.0
for n, row in enumerate([1.0, 2.0, 4.0]):
    y = y + n * row * x""",
    """y = x
for n in range(5, 0, -2):
    y = y + n""",
    """y = x
if x.ndim == 3:
    y = 5 * x
elif x.ndim == 2:
    y = 7 * x
else:
    y = 9 * x""",
    """a, b = x, w
a, b = b, a
y = a - 2 * b""",
    """(a, b), c = (x, w), 3
y = a + b * c""",
    """a, *rest = [1.0, 2.0, 3.0]
y = a * x + rest[1]""",
    """y = x
y += 1
y *= 2
y -= w
y /= 4""",
    """d = {'a': x, 'b': 2}
y = d['a'] * d['b']""",
    """rows = [x * n for n in range(3)]
y = sum(rows)""",
    """rows = [n for n in range(6) if n % 2]
y = x * rows[1] + len(rows)""",
    """a = []
for n in range(3):
    a.append(n * x)
y = np.stack(a)""",
    """n = 3 if not x.ndim == 2 and True or False else 4
y = n * x""",
    """import math
y = x * math.sqrt(2) + math.pi * math.exp(-1)""",
    """from math import log
y = x * log(3.0)""",
    """class A:
    def __init__(self, k):
        self.k = k
    def __call__(self, a):
        return self.k * a
y = A(3)(x)""",
    """def f(*a):
    return a[0] + a[1]
y = f(x, w)""",
    """def f(n):
    return x if n == 0 else 2 * f(n - 1)
y = f(3)""",
    """for a, b in zip([1.0, 2.0], [3.0, 4.0]):
    y = a * x + b""",
    """y = x
assert y.ndim == 2
pass""",
    """m = x.max(axis=1, keepdims=True)
e = np.exp(x - m)
y = e / e.sum(axis=1, keepdims=True)""",
    """y = x
for n in reversed([1, 2, 3]):
    y = y * 2 + n""",
    """s = 'sum'
y = x * 2 if s == 'sum' else x""",
    """a = b = 3
y = a * x + b""",
    """def f(a, *, b=2, **k):
    return a * b
y = f(x, b=3)""",
    """def f(a, b):
    if b > 2:
        return a
    return -a
y = f(x, 3) + 2 * f(x, 1)""",
    """def f(a):
    s = 0
    for n in range(3):
        s = s + a * n
        if n == 1:
            break
    return s
y = f(x)""",
    """y = x
for n in range(4):
    if n % 2:
        continue
    y = y + n""",
    """total = 0
for row in x:
    total = total + row * w
y = total""",
    """def outer(a):
    k = 3
    def inner(b):
        return a * b * k
    return inner
y = outer(x)(w)""",
    """class Layer:
    scale = 2
    def __init__(self, k=3):
        self.k = k
        self.parts = [1, 2]
    def run(self, a):
        return self.scale * self.k * a + self.parts[1]
y = Layer().run(x) + Layer(k=5).run(w)""",
    """y = np.zeros((2, 3))
for k in (x, 2 * x):
    y = y + k""",
    """b, n = x.shape
y = x.reshape(n, b) * b""",
    """eps = 1e-5
y = (x - x.mean(axis=1, keepdims=True)) / np.sqrt(x.var(axis=1, keepdims=True) + eps)""",
    """def sigmoid(z):
    return 1 / (1 + np.exp(-z))
y = sigmoid(x @ w)""",
    """def relu(z):
    return np.maximum(0, z)
h = relu(x.T @ x)
y = h.sum(axis=-1)""",
    """y = None
if y is None:
    y = x * 3""",
    """xs = []
xs.append(x)
xs.extend([w, w])
y = xs[0] + xs[-1] * len(xs)""",
    """xs = [1, 2, 3]
xs[0] = 5
y = x * xs[0]""",
    """d = {'a': 1, 'b': 2}
y = x
for k, v in d.items():
    y = y + v""",
    """assert x.shape == (2, 3)
y = x * 2""",
    "y = x * w.item(2) + x.item(4) - x.item(1, 2) * w.item(-1)",
    """a = sorted([3.0, 1.0, 2.0], reverse=True)
b = sorted([3.0, -4.0, 2.0], key=abs)
y = x * a[0] + b[-1]""",
    """d = {'b': 1.0, 'a': 3.0}
y = x * sum(d[k] * (i + 1) for i, k in enumerate(sorted(d, key=lambda k: d[k])))""",
    """y = x
for k in (3, 3.5, True, 'a', [1], (1,), {}, x):
    for i, t in enumerate([int, float, bool, str, list, tuple, dict, (int, float), (np.ndarray, list)]):
        y = y + (2.0**i if isinstance(k, t) else 0.0)""",
    """p = {}
for i in range(3):
    p[f'W{i}'], p['b' + str(i)], p['c%d' % i], p['d{:02d}'.format(i)] = i, 10.0 * i, i + 0.5, i + 0.25
y = x * p['W2'] + p['b1'] - p['c0'] * p['d02']""",
    """a = 'x' + 'y'
y = x * (2 if a == 'xy' else 3) * (5 if a.upper() == 'XY' else 7) * (11 if '-'.join([a, 'z']) == 'xy-z' else 13)""",
    """k = 3
y = x * (2 if f'{k + 1:.1f}' == '4.0' else 3) * (5 if str(k) == '3' else 7) * (11 if '%s' % k in ('3', '4') else 13)""",
    """said = []
said.append(f'{x.sum():.3f}')
print('sum: ' + str(x.sum()), f'{said}', '%.3f' % x.sum(), 'sum {}'.format(x.sum()))
y = x""",
    "y = x * round(1.26, 1) * int('11', 2) + max([1.0, -5.0], key=abs) - min(3, -4, key=abs)",
    "y = sum(x * a * b for a, b in zip([1.0, 2.0], [3.0, 4.0], strict=True))",
]


def results(text: str) -> tuple[object, object]:
    """Returns the last result of a program as Python and as its graph compute it."""
    scope: dict[str, object] = {}
    exec(BEGIN + text + END, scope)
    return scope["result"], gw.evaluate(gw.from_code(BEGIN + text + END)).value("result.z")


@pytest.mark.parametrize("formula", FORMULAS.strip().splitlines(), ids=lambda item: item.replace("|", "or"))
def test_a_formula_has_the_numbers_of_numpy(formula: str) -> None:
    wanted, found = results(f"y = {formula}")
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12, strict=False)
    assert np.shape(found) == np.shape(wanted)


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_has_the_numbers_of_python(program: str) -> None:
    wanted, found = results(program)
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    "text",
    [
        "y = x if f'{x.sum()}' == '2.5' else w",
        "p = {f'{x.sum()}': x}\ny = p['2.5']",
        "p = {'a': x}\ny = p.get(str(x.sum()), w)",
        "y = x if 'a' in [str(x.sum())] else w",
        "y = x if str(x.sum()) else w",
        "y = x.item(6)",
        "y = round(x, 1)",
        "y = x * max([1.0, -5.0], default=3.0)",
        "y = x if hasattr(x, 'wires') else w",
        "y = x if isinstance(x, np.float64) else w",
        "class A:\n    pass\nclass B(A):\n    pass\ny = x if isinstance(B(), A) else w",
        "y = x * sorted([x.sum(), x.max()])[0]",
        "y = x * len(obj=[1])",
    ],
)
def test_what_nobody_knows_while_a_program_is_read_is_refused(text: str) -> None:
    with pytest.raises(gw.GradwireError, match=r"^line [5-9],"):
        gw.from_code(BEGIN + text + END)


DOUBLED = "a = 'x'\nfor i in range(60):\n    a = a + a\n"


@pytest.mark.parametrize("text", ["a", "f'{5:999999999}'", "'%999999999d' % 5", "'{:999999999}'.format(5)"])
def test_texts_are_no_way_to_fill_the_memory(text: str) -> None:
    graph = gw.from_code(f"{BEGIN}{DOUBLED}b = {text}\ny = x{END}")
    np.testing.assert_array_equal(gw.evaluate(graph).value("result.z"), [[0.3, -1.25, 2.0], [1.1, 0.75, -0.4]])
