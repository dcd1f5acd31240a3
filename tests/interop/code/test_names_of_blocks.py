"""Names that blocks have after those of a program, and what may be given a value."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw
from gradwire.interop.code.block_names import block_names, plain_name
from gradwire.interop.code.from_code import read_code
from gradwire.interop.code.own_pages import leaves, mapped
from gradwire.interop.code.refusals import CodeRefusal
from tests.interop.code.test_lines_of_programs import HEADS, X, y_of


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("w", "w"),
        ("w_1", "w_1"),
        ("_w__x_", "w_x"),
        ("w.x-y", "w_x_y"),
        ("α", "alpha"),
        ("Δx", "deltax"),
        ("é", "e"),
        ("1w", "b_1w"),
        ("", "b"),
        ("__", "b"),
        ("a" * 60, "a" * 60),
        ("a" * 61, "a" * 60),
        ("1" * 60, "b_" + "1" * 58),
        ("x²", "x2"),
    ],
)
def test_names_are_plain_letters(name: str, plain: str) -> None:
    assert plain_name(name) == plain


def test_sources_come_first_then_the_last_value_of_each_name_then_others_by_number() -> None:
    x, y = gw.Input(np.ones(2)), gw.Variable(np.ones(2))
    first, second, third, inner = gw.Exp(x), gw.Sin(x), gw.Cos(y), gw.Tanh(y)
    named = [("a", first, True), ("x", x, True), ("a", second, True), ("x", third, True), ("a", inner, False),
             ("y", y, False), ("a", second, False)]  # fmt: skip
    found = {item.type.name: name for item, name in block_names(named).items()}
    assert found == {"Input": "x", "Variable": "y", "Sin": "a", "Exp": "a_1", "Cos": "x_1", "Tanh": "a_2"}
    taken = block_names(named, ["a", "x", "x_1"])
    assert {item.type.name: name for item, name in taken.items()} == {
        "Input": "x_2", "Variable": "y", "Sin": "a_1", "Exp": "a_2", "Cos": "x_3", "Tanh": "a_3",
    }  # fmt: skip
    parts = gw.Split(x, num_or_size_splits=2)
    assert block_names([("p", parts[0], True)]) == {}


@pytest.mark.parametrize(
    ("framework", "text", "wanted"),
    [
        ("np", "a, *b, c = 1, 2, 3, 4\ny = x * b[1] + a + c + len(b)", 3 * X + 7),
        ("np", "*b, c = 1, 2\ny = x + len(b) + c", X + 3),
        ("np", "a, *b = (1,)\ny = x + len(b) + a", X + 1),
        ("np", "[a, b], c = (1, 2), 3\ny = x + a + 10 * b + 100 * c", X + 321),
        ("np", "for i, (a, b) in enumerate([(1, 2), (3, 4)]):\n    x = x + i * a * b\ny = x", X + 12),
        ("np", "d = {}\nd['a'] = 2\nl = [1, 2]\nl[1] = 5\nl[-2] = 7\ny = x * d['a'] + l[0] + l[1]", 2 * X + 12),
        ("np", "class A:\n    pass\na = A()\na.w = x\ny = a.w + 1", X + 1),
        ("np", "y = x.size + x", X + 6),
        ("jax", "y = x.size + x", X + 6),
        ("torch", "y = x.size(0) + x + x.size()[1]", X + 5),
        ("np", "y = np.array([[1.0, 2.0]]).T * np.ones((1, 2))", [[1, 1], [2, 2]]),
        ("jax", "y = jax.vmap(lambda a: a * 2)(x)", 2 * X),
        ("jax", "y = jax.vmap(lambda a, b: a * b)(x, jnp.array([2.0, 3.0]))", X * [[2], [3]]),
        ("jax", "y = jax.lax.fori_loop(0, 3, lambda i, a: a + i, x)", X + 3),
        ("jax", "y = jax.lax.fori_loop(2, 2, lambda i, a: a + i, x)", X),
        ("jax", "c, y = jax.lax.scan(lambda c, a: (c + a, c * 1.0), jnp.zeros(3), x)", [[0, 0, 0], X[0]]),
    ],
)
def test_values_go_to_their_names(framework: str, text: str, wanted: object) -> None:
    np.testing.assert_allclose(y_of(framework, text), np.asarray(wanted, float), rtol=1e-6)


@pytest.mark.parametrize(
    ("framework", "text", "said"),
    [
        ("np", "a, b = 1, 2, 3", "2 names need as many values, not 3"),
        ("np", "a, b, c = 1, 2", "3 names need as many values, not 2"),
        ("np", "a, *b, c = (1,)", "2 names need as many values, not 1"),
        ("np", "x.other = 1", "cannot be given a value here"),
        ("np", "l = [1]\nl[1] = 2", "is beyond the end, or no key"),
        ("np", "l = (1, 2)\nl[0] = 2", "writes into a tensor"),
        ("np", "d = {}\nd[[1]] = 2", "is beyond the end, or no key"),
        ("jax", "y = jax.vmap(lambda a, b: a * b)(x, jnp.ones(3))", "the same number of rows"),
        ("jax", "y = jax.vmap(lambda a: a)(jnp.ones((1001, 1)))", "the same number of rows"),
        ("jax", "y = jax.vmap(lambda a: a)(jnp.ones((0, 1)))", "the same number of rows"),
        ("jax", "y = jax.lax.fori_loop(0, 1001, lambda i, a: a, x)", "1,001 rounds is too long"),
        ("jax", "y = jax.lax.scan(lambda c, a: (c, a), 0.0, jnp.ones((0, 3)))", "a scan over 0 rows is not read"),
        (
            "jax",
            "y = jax.lax.scan(lambda c, a: (c, a), 0.0, jnp.ones((1001, 1)))",
            "a scan over 1,001 rows is not read",
        ),
    ],
)
def test_what_cannot_be_given_is_said(framework: str, text: str, said: str) -> None:
    with pytest.raises(CodeRefusal, match=said):
        read_code(HEADS[framework] + text)


@pytest.mark.parametrize(
    ("framework", "text", "wanted"),
    [
        ("np", "y = x * (1 if [1, 2] == [1, 2] else 5) + (5 if [1] == [2] else 0)", X),
        ("np", "y = x * (1 if 'a' == 'a' else 5) + (5 if 'a' == 'b' else 0) + (5 if 'a' is None else 0)", X),
        ("np", "y = x * (1 if x is not None else 5) + (5 if x == None else 0) + (5 if None == x else 0)", X),
        ("np", "y = x * (1 if None != x else 5) + (0 if x != None else 5)", X),
        ("np", "y = (x == 2.0) + 2 * (2.0 != x)", (X == 2) + 2 * (X != 2)),
        ("np", "y = x[[1, 0]] + x[[0, 1], [1, 2]].sum()", X[[1, 0]] + X[0, 1] + X[1, 2]),
        ("np", "y = x[:, [0, 2]] + x[(1, 2)]", X[:, [0, 2]] + X[1, 2]),
        ("np", "y = x + abs(-3) + round(2.567, 1) + round(2.5)", X + 3 + 2.6 + 2),
        ("np", "y = x + sum([1, 2]) + sum([1, 2], 5) + len(list(zip([1, 2], [3]))) + sorted([3, 1])[0]", X + 13),
        ("np", "y = x + sum(reversed([1, 2])) + any([0, 1]) + all([0, 1]) + len(tuple(range(3)))", X + 7),
        ("np", "d = {'w': np.array([1.0, 2.0, 3.0]), 'k': 2}\ny = x * d['w'] + d['k']", X * [1, 2, 3] + 2),
        ("np", "d = {'w': np.array([1.0, 2.0, 3.0]), 'b': np.array(1.0)}\ny = x * d['w'] + d['b']", X * [1, 2, 3] + 1),
        ("np", "y = np.concatenate([np.array([1.0, 2.0]), np.array([3.0])]) + x", X + np.array([1, 2, 3])),
        ("jax", "g = jax.grad(lambda a, b: jnp.sum(a * b * b), argnums=1)(x, 3.0)\ny = x + g", X + 6 * X.sum()),
        ("jax", "g = jax.grad(lambda p: jnp.sum(x * p['w'] + p['b'][0]))({'w': 2.0, 'b': [1.0, 5.0]})\n"
         "y = x + g['w'] + g['b'][0] + g['b'][1]", X + X.sum() + 6),
        ("jax", "v, g = jax.value_and_grad(lambda a: jnp.sum(a ** 2))(x)\ny = g + v", 2 * X + (X**2).sum()),
        ("jax", "g = jax.grad(lambda a: jnp.sum(jax.grad(lambda b: jnp.sum(b ** 3))(a)))(x)\ny = g + 0", 6 * X),
        ("tf", "with tf.GradientTape() as tape:\n    tape.watch(x)\n    z = tf.reduce_sum(x ** 2)\n"
         "y = tape.gradient(z, x) + 0", 2 * X),
        ("torch", "w = x.clone().detach().requires_grad_(True)\nz = (w ** 2).sum()\n"
         "y = torch.autograd.grad(z, w)[0] + 0",
         2 * X),
    ],
)  # fmt: skip
def test_comparisons_items_and_gradients_are_numbers(framework: str, text: str, wanted: object) -> None:
    np.testing.assert_allclose(y_of(framework, text), np.asarray(wanted, float), rtol=1e-6)


def test_numbers_with_a_gradient_are_variables_and_sources_have_names() -> None:
    def types(text: str) -> dict[str, str]:
        blocks = read_code(HEADS["torch"] + text).graph.pages[0].blocks
        return {name: block.type for name, block in blocks.items() if not block.type.startswith("Mul")}

    assert types("w = torch.rand(3, requires_grad=True)\ny = x * w")["w"] == "Variable"
    assert types("w = torch.rand(3)\ny = x * w")["w"] == "Input"
    assert types("w = torch.ones(3, requires_grad=True)\ny = x * w")["w"] == "Variable"
    named = read_code(HEADS["jax"] + "w = jnp.ones(3)\ng = jax.grad(lambda a: jnp.sum(a * x))(w)\n").graph
    assert "w" in named.pages[0].blocks
    other = read_code(HEADS["jax"] + "g = jax.grad(lambda a, b: jnp.sum(a * b))(2.0, 3.0)\n").graph
    assert {"a"} <= set(other.pages[0].blocks)


def test_leaves_are_what_lists_tuples_and_dictionaries_hold() -> None:
    held = [1, (2, [3]), {"a": 4, "b": (5,)}]
    assert leaves(held) == [1, 2, 3, 4, 5] and leaves(7) == [7] and leaves([]) == []
    changed = mapped(held, lambda item: 10 * item)
    assert changed == [10, (20, [30]), {"a": 40, "b": (50,)}]
    assert isinstance(changed, list) and isinstance(changed[1], tuple) and isinstance(changed[1][1], list)
    assert mapped((1,), str) == ("1",) and mapped([], str) == [] and mapped(1, str) == "1"
