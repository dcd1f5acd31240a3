"""Gradients that programs say themselves: pages with gradients of their own, as the libraries mean them."""

from __future__ import annotations

import contextlib
import json
import random
import re
from pathlib import Path

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.export.export import export
from gradwire.interop.code.from_code import read_code
from gradwire.interop.code.refusals import CodeRefusal
from tests.engine.own_gradients import graph_of
from tests.own_gradient_programs import COUNT, KINDS, program
from tests.sweeps import long

# Programs as people write them, with the gradients of x that TensorFlow 2.21, PyTorch and JAX find.
RULES = Path(__file__).parents[2] / "data" / "rules"
RECORDED = json.loads((RULES / "gradients.json").read_text(encoding="utf-8"))


def written(name: str) -> str:
    return (RULES / f"{name}.txt").read_text(encoding="utf-8")


LOG1PEXP, SAVED_RESULT, LAMBDA = written("tf_log1pexp"), written("torch_saved_result"), written("tf_lambda")


@pytest.mark.parametrize("target", ["tensorflow", "torch", "jax"])
@pytest.mark.parametrize("seed", [seed if seed < len(KINDS) else long(seed) for seed in range(COUNT)])
def test_programs_with_own_gradients_read_back(seed: int, target: str) -> None:
    graph = graph_of(program(seed))
    expected, found = gw.evaluate(graph), gw.evaluate(gw.from_code(export(graph, target)))
    np.testing.assert_allclose(found.loss, expected.loss, rtol=1e-9)
    for name in program(seed).inputs:
        wanted = expected.port(f"{name}.y").gradient
        np.testing.assert_allclose(found.gradient(f"{name}.y"), wanted, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", RECORDED)
def test_rules_as_people_write_them(name: str) -> None:
    run = gw.evaluate(gw.from_code(written(name)))
    assert any(page.gradient is not None for page in run.graph.pages)
    np.testing.assert_allclose(run.gradient("x.y"), RECORDED[name], rtol=1e-5, atol=1e-12)


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
    texts = list(map(written, RECORDED))
    numbers, others = random.Random(seed), [word for text in texts for word in WORDS.findall(text)]
    for _ in range(40):
        words = WORDS.findall(numbers.choice(texts))
        for _ in range(numbers.randint(1, 4)):
            words[numbers.randrange(len(words))] = numbers.choice([*others, "", "None", "-1", "()", "{}", "10**9", "x"])
        with contextlib.suppress(CodeRefusal):
            gw.evaluate(gw.from_code("".join(words)))
