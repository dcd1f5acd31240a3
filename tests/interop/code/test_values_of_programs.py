"""Values that a reader of programs computes itself: texts, lists, seeds, parts of objects, and loops that train."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.interop.code.from_code import read_code
from gradwire.interop.code.refusals import CodeRefusal
from gradwire.interop.code.texts import formatted, has_unread, is_known, joined, method, percent
from tests.interop.code.test_lines_of_programs import HEADS, X, old, rng, y_of


@pytest.mark.parametrize(
    ("name", "text", "args", "found"),
    [
        ("upper", "ab", (), "AB"),
        ("strip", " a ", (), "a"),
        ("replace", "aba", ("a", "c"), "cbc"),
        ("split", "a b", (), ["a", "b"]),
        ("startswith", "ab", ("a",), True),
        ("endswith", "ab", ("a",), False),
        ("find", "ab", ("b",), 1),
        ("count", "aba", ("a",), 2),
        ("join", ", ", (["a", "b", "c"],), "a, b, c"),
        ("join", ", ", (["a"],), "a"),
        ("join", ", ", ([],), ""),
        ("format", "{} is {:.2f}", ("a", 1.5), "a is 1.50"),
        ("format", "{{}} {0:>9d}", (1,), None),
        ("format", "{0.real}", (1,), None),
        ("format", "{:99999d}", (1,), None),
        ("title", "ab", (), None),
        ("zfill", "ab", (9,), None),
        ("find", "ab", (1,), None),
        ("join", ", ", ("ab",), None),
        ("join", ", ", (["a"], ["b"]), None),
        ("upper", "ab", (1,), None),
        ("format", "{}", (), None),
    ],
)
def test_methods_of_texts(name: str, text: str, args: tuple[Any, ...], found: object) -> None:
    result = method(text, name, [*args], {})
    if found is None:
        assert has_unread(result)
    else:
        assert result == found and not has_unread(result)
    assert has_unread(method(percent("%x", 1), name, [*args], {}))


def test_long_and_unknown_texts_are_not_known() -> None:
    assert joined(["a" * 600, "b" * 400]) == "a" * 600 + "b" * 400
    assert is_known(joined(["a" * 1000])) and not is_known(joined(["a" * 1001]))
    assert not is_known(joined(["a", percent("%x", 1)])) and joined([1, "a", 2.5]) == "1a2.5"
    assert has_unread(["a", ["b", percent("%x", 1)]]) and not has_unread(["a", ["b"]])
    assert has_unread({percent("%x", 1): 1}) and not has_unread({"a": 1})


@pytest.mark.parametrize(
    ("text", "operand", "found"),
    [
        ("%d %%", 3, "3 %"),
        ("%s and %s", ("a", 1), "a and 1"),
        ("%.2f", 1.256, "1.26"),
        ("%05d", 42, "00042"),
        ("%d", (1, 2), None),
        ("%d", "a", None),
        ("%x", 1, None),
        ("%100d", 1, None),
        ("%s", [1], None),
    ],
)
def test_texts_with_percent_signs(text: str, operand: Any, found: str | None) -> None:
    result = percent(text, operand)
    assert result == found if found is not None else not is_known(result)


@pytest.mark.parametrize(
    ("value", "form", "found"),
    [(1.5, ".2f", "1.50"), (3, "03d", "003"), ("a", "", "a"), (0.25, ".0%", "25%"), (3, "100d", None), ("a", "d", None),
     (3, ">5", None), (1.5, ".123f", None), ([1], "", None)],
)  # fmt: skip
def test_numbers_are_written_in_forms(value: Any, form: str, found: str | None) -> None:
    result = formatted(value, form)
    assert result == found if found is not None else not is_known(result)


@pytest.mark.parametrize(
    ("framework", "text", "wanted"),
    [
        ("np", "y = x * ([1] * 3)[2] + len([2] * 0) + len([2] * -1)", X),
        ("np", "y = x + len([0.0] * 5000 + [1.0] * 5000)", X + 10_000),
        ("np", "y = x + len([0.0] * 10000)", X + 10_000),
        ("np", "y = x + len((1, 2) + (3,)) + ((1, 2) + (3,))[2]", X + 6),
        ("np", "y = +x + (-2) + (+3) + (not 0)", X - 2 + 3 + 1),
        ("np", "y = -(x > 0).astype(float) + ~np.array([True, False, True])",
         np.array([0, 1, 0]) - (X > 0).astype(float)),
        ("np", "y = x ** 2 + x ** 3 + x ** 2.0 + x ** True", 2 * X**2 + X**3 + X),
        ("np", "np.random.seed(4294967299)\ny = np.random.rand(2)", old(3).random_sample(2)),
        ("np", f"r = np.random.RandomState({2**32 + 3})\ny = r.rand(2)", old(3).random_sample(2)),
        ("np", "r = np.random.RandomState()\ny = r.rand(2)", old(0).random_sample(2)),
        ("np", "r = np.random.default_rng(-3)\ny = r.random(2)", rng(0).random(2)),
        ("np", "r = np.random.default_rng()\ny = r.random(2)", rng(0).random(2)),
        ("np", "r = np.random.default_rng(7)\ny = r.random(2)", rng(7).random(2)),
        ("jax", "a, b = jax.random.split(jax.random.PRNGKey(4))\ny = jax.random.normal(b, (2,))",
         rng(6).standard_normal(2)),
        ("jax", "k = jax.random.split(jax.random.PRNGKey(4), 3)\ny = jax.random.normal(k[0], (2,)) + len(k)",
         rng(5).standard_normal(2) + 3),
        ("jax", "k = jax.random.split(jax.random.PRNGKey(4), num=1)\ny = jax.random.uniform(k[0], (2,)) + len(k)",
         rng(5).random(2) + 1),
        ("np", "y = np.zeros((2, 3)) + x", X),
        ("np", "y = np.zeros((2, 3), int) + x", X),
        ("np", "y = np.zeros(3, dtype=np.float32) + 1", np.ones(3)),
        ("np", "y = np.full((2,), 7, float) + np.full(2, 1)", [8, 8]),
        ("np", "y = np.ones((2, 1), np.float64) * np.eye(2, 2)", np.eye(2)),
        ("np", "y = np.eye(2) + np.identity(2, float)", 2 * np.eye(2)),
        ("torch", "y = torch.zeros(2, 3) + x + torch.ones(2, 1) + torch.full((3,), 2.0)", X + 3),
        ("torch", "y = torch.eye(2) + torch.zeros((2, 2))", np.eye(2)),
        ("tf", "y = tf.zeros([2, 3], tf.float64) + x + tf.fill([2, 1], 3.0)", X + 3),
        ("np", "y = np.array([[1, 2], [3, 4]]).T + np.array([1, 2]).shape[0]", [[3, 5], [4, 6]]),
        ("torch", "y = torch.tensor([[[1.0, 2.0], [3.0, 4.0]]]).mT", [[[1, 3], [2, 4]]]),
        ("np", "y = np.array([x[0], x[1], x[0] + 1])", [X[0], X[1], X[0] + 1]),
        ("np", "y = np.array(range(3)) + np.array([True, False, True])", [1, 1, 3]),
        ("np", "d = {'a': 1, 'b': [2, 3]}\ny = x * d['b'][-1] + 'abc'.find('c') + (1, 2, 3)[1:][0]", 3 * X + 4),
        ("np", "y = x * range(2, 9, 3)[1] + len('abc'[1:])", 5 * X + 2),
        ("np", "class A:\n    b = 2\n    def f(self): return self.b\na = A()\na.b = 5\ny = x * a.f() + A.b", 5 * X + 2),
        ("np", "y = x * np.pi / np.pi + np.e - np.e", X),
        ("np", "y = x.T.T + x.shape[0] * x.ndim + np.array([1.0, 2.0]).ndim", X + 5),
    ],
)  # fmt: skip
def test_a_program_is_its_numbers(framework: str, text: str, wanted: Sequence[object] | np.ndarray) -> None:
    np.testing.assert_allclose(y_of(framework, text), np.asarray(wanted, float), rtol=1e-6)


@pytest.mark.parametrize(
    ("framework", "text", "said"),
    [
        ("np", "y = [0.0] * 5000 + [1.0] * 5001", "too many items"),
        ("np", "y = [0.0] * 10001", "too many items"),
        ("np", "y = (1, 2) * 5001", "too many items"),
        ("np", "np.random.seed(1.5)", "a seed is a whole number"),
        ("np", "y = x.__class__", "is not read here"),
        ("np", "y = np.array({1: 2})", "a tensor is made of numbers in lists"),
        ("np", "y = np.array('abc')", "a tensor is made of numbers in lists"),
        ("np", "f = lambda a, b: a\ny = f(x, 1, 2)", "takes 2 arguments, not 3"),
        ("jax", "a = jax.random.split(jax.random.PRNGKey(0), 0)", "split into a few others"),
        ("jax", "a = jax.random.split(jax.random.PRNGKey(0), 1001)", "split into a few others"),
        ("jax", "a = jax.random.split(jax.random.PRNGKey(0), 1.0)", "split into a few others"),
        ("np", "while True:\n    pass", "while goes on as long as numbers say"),
        ("np", "y = 3[0]", "is not read here"),
        ("np", "def f(a):\n    return f(a)\ny = f(x)", "calls itself too often"),
        ("torch", "class F(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, a):\n        return a\n"
         "y = F.apply(x)", "has no forward or no backward"),
        ("torch", "class F(torch.autograd.Function):\n    @staticmethod\n    def backward(ctx, g):\n        return g\n"
         "y = F.apply(x)", "has no forward or no backward"),
        ("np", "y = np.random.zipf(2.0)", "is not known here"),
    ],
)  # fmt: skip
def test_what_is_not_read_is_said(framework: str, text: str, said: str) -> None:
    with pytest.raises(CodeRefusal, match=said):
        read_code(HEADS[framework] + text)


TRAINING = (
    "w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)\nopt = torch.optim.SGD([w], lr=0.1)\n"
    "for step in range({rounds}):\n    loss = ((x * w) ** 2).sum()\n    opt.zero_grad()\n    loss.backward()\n"
    "    opt.step()\n"
)
BY_HAND = (
    "w = jnp.array([1.0, 2.0, 3.0])\nloss = lambda w: jnp.sum((x * w) ** 2)\n"
    "for step in range({rounds}):\n    g = jax.grad(loss)(w)\n    w = w - 0.1 * g\n"
)


@pytest.mark.parametrize(
    ("framework", "text", "rounds", "is_first_alone"),
    [("torch", TRAINING, 3, True), ("torch", TRAINING, 100, True), ("jax", BY_HAND, 12, False),
     ("jax", BY_HAND, 13, True), ("jax", BY_HAND, 1, False)],
)  # fmt: skip
def test_of_a_loop_that_trains_the_first_round_is_read_or_all_of_a_few(
    framework: str, text: str, rounds: int, is_first_alone: bool
) -> None:
    found = read_code(HEADS[framework] + text.format(rounds=rounds))
    assert any("begins a loop that trains; its first round is read" in item for item in found.notices) is is_first_alone
    if not is_first_alone:
        blocks = [block for page in found.graph.pages for block in page.blocks.values()]
        assert sum(block.type == "Gradients" for block in blocks) == rounds


def test_a_loop_that_moves_nothing_is_no_training() -> None:
    text = "g = 0.0\nfor step in range(13):\n    g = g + jax.grad(lambda w: jnp.sum((x * w) ** 2))(2.0)\n"
    found = read_code(HEADS["jax"] + "grads = []\nfor step in range(13):\n    y = x + step\n")
    assert not any("first round" in item for item in found.notices)
    assert read_code(HEADS["jax"] + text).graph.pages


@pytest.mark.parametrize(("depth", "is_read"), [(1, True), (20, True), (2000, False)])
def test_functions_call_themselves_a_few_times(depth: int, is_read: bool) -> None:
    text = f"def f(a, n):\n    return a if n == 0 else f(a + 1, n - 1)\ny = f(x, {depth})"
    if is_read:
        np.testing.assert_allclose(y_of("np", text), X + depth)
    else:
        with pytest.raises(CodeRefusal):
            gw.from_code(HEADS["np"] + text)
