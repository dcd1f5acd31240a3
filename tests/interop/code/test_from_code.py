"""What programs mean: names, leaves, gradients, regions without gradients, loops, and what is refused."""

from __future__ import annotations

import ast
import contextlib
import random
import re
from pathlib import Path

import numpy as np
import pytest

import gradwire as gw
from gradwire.interop.code.choices import Choices
from gradwire.interop.code.from_code import read_code
from gradwire.interop.code.machine import Machine
from gradwire.interop.code.refusals import CodeRefusal
from gradwire.interop.code.source_text import is_program, parsed

SNIPPETS = Path(__file__).parents[2] / "data" / "snippets"


def types(text: str) -> dict[str, str]:
    return {block.id: block.type for block in gw.from_code(text).pages[0].blocks.values()}


def test_a_formula_becomes_blocks_with_its_names() -> None:
    found = types("p = softmax(x - stop(max(x)))")
    assert found == {
        "x": "Input",
        "ReduceMax": "ReduceMax",
        "StopGradient": "StopGradient",
        "Subtract": "Subtract",
        "p": "Softmax",
    }


@pytest.mark.parametrize(
    ("short", "text"),
    [("softmax(W x + b)", "softmax(W @ x + b)"), ("h = tanh(W1 x + U2 A y)", "h = tanh(W1 @ x + U2 @ A @ y)")],
)
def test_a_matrix_beside_a_name_is_their_product_as_in_a_formula(short: str, text: str) -> None:
    assert read_code(short).graph == read_code(text).graph and is_program(short)


@pytest.mark.parametrize("text", ["L2 norm", "K means", "a b + c", "A b +", "x = 1\ny = W x + b"])
def test_words_and_lines_are_no_products(text: str) -> None:
    with pytest.raises(CodeRefusal):
        parsed(text)


def test_names_that_nothing_binds_are_inputs_that_fit() -> None:
    run = gw.evaluate(gw.from_code("y = W @ x + b"))
    assert run.value("y.z").shape == run.value("b.y").shape == (3,)
    assert run.value("W.y").shape == (3, 3)


def test_a_size_that_the_program_says_gives_an_input_its_shape() -> None:
    graph = gw.from_code("import torch.nn as nn\nlayer = nn.Linear(4, 8)\ny = torch.tanh(layer(x))")
    run = gw.evaluate(graph)
    assert run.value("x.y").shape[-1] == 4
    assert run.value("y.y").shape[-1] == 8
    assert run.graph.pages[0].blocks["layer_weight"].type == "Variable"


def test_whole_numbers_stay_whole_where_an_index_needs_them() -> None:
    graph = gw.from_code("import numpy as np\nx = np.array([1, 2, 3])\nk = np.array([2, 0])\ny = np.take(x, k) / 2")
    run = gw.evaluate(graph)
    assert run.value("x.y").dtype == np.float64
    assert run.value("k.y").dtype == np.int64
    np.testing.assert_array_equal(run.value("y.z"), [1.5, 0.5])


def test_backward_adds_up_the_losses_and_a_tape_chooses_the_last() -> None:
    text = "x = torch.tensor([1.0, 2.0], requires_grad=True)\n(x * x).sum().backward()\nx.sum().backward()"
    np.testing.assert_array_equal(gw.evaluate(gw.from_code(text)).gradient("x.y"), [3, 5])
    text = (
        "x = tf.Variable([1.0, 2.0])\nwith tf.GradientTape(persistent=True) as tape:\n    a = tf.reduce_sum(x * x)\n"
        "    b = tf.reduce_sum(x)\nga = tape.gradient(a, x)\ngb = tape.gradient(b, x)"
    )
    np.testing.assert_array_equal(gw.evaluate(gw.from_code(text)).gradient("x.y"), [1, 1])


def test_a_gradient_that_is_computed_with_becomes_a_block() -> None:
    # d/dx of sum((d/dx x^3)^2) = d/dx 9 x^4 = 36 x^3.
    text = (
        "x = tf.Variable([1.0, 2.0])\nwith tf.GradientTape() as outer:\n    with tf.GradientTape() as tape:\n"
        "        y = tf.reduce_sum(x ** 3)\n    g = tape.gradient(y, x)\n    penalty = tf.reduce_sum(g ** 2)\n"
        "gg = outer.gradient(penalty, x)"
    )
    np.testing.assert_allclose(gw.evaluate(gw.from_code(text)).gradient("x.y"), [36, 288])


def test_what_leaves_a_region_without_gradients_is_stopped_once() -> None:
    text = (
        "x = torch.tensor([2.0], requires_grad=True)\nwith torch.no_grad():\n    a = x * x\n    b = a + 1\n"
        "loss = (b * x).sum()\nloss.backward()"
    )
    run = gw.evaluate(gw.from_code(text))
    np.testing.assert_array_equal(run.gradient("x.y"), [5])
    stops = [block for block in run.graph.pages[0].blocks.values() if block.type == "StopGradient"]
    assert len(stops) == 2


def test_a_step_of_training_is_passed_over_with_a_notice() -> None:
    text = (
        "w = torch.tensor([1.0, 2.0], requires_grad=True)\noptimizer = torch.optim.SGD([w], lr=0.1)\n"
        "for step in range(100):\n    optimizer.zero_grad()\n    loss = (w ** 2).sum()\n    loss.backward()\n"
        "    optimizer.step()\n    print(step, loss.item())"
    )
    read = read_code(text)
    assert "line 3 begins a loop that trains; its first round is read" in read.notices
    np.testing.assert_array_equal(gw.evaluate(read.graph).gradient("w.y"), [2, 4])


def test_loops_are_unrolled_and_the_last_value_keeps_the_name() -> None:
    text = "v = np.array([0.5])\nfor k in range(3):\n    v = np.tanh(v) * (k + 1)"
    run = gw.evaluate(gw.from_code(text))
    expected = np.array([0.5])
    for k in range(3):
        expected = np.tanh(expected) * (k + 1)
    assert [block.type for block in run.graph.pages[0].blocks.values()].count("Tanh") == 3
    np.testing.assert_allclose(run.value("v_3.z"), expected)


def test_a_call_that_is_repeated_is_shown_once() -> None:
    text = "def f(x):\n    return jnp.sum(x ** 2)\nx = jnp.array([1.0, 2.0])\ny = f(x)\ng = jax.grad(f)(x)"
    assert list(types(text).values()).count("ReduceSum") == 1


def test_numbers_alone_become_blocks_too() -> None:
    assert "Softmax" in types("softmax([1, 2, 3])").values()
    assert "Tanh" in types("y = np.tanh(0.5)").values()
    assert types("x = 2\ny = x ** 2 + 3 * x")["x"] == "Input"
    assert list(types("n = 2\nx = 0.5\nfor i in range(n):\n    x = x * x").values()).count("Multiply") == 2


def test_drawn_numbers_are_those_of_numpy_and_named() -> None:
    run = gw.evaluate(gw.from_code("np.random.seed(3)\nx = np.random.randn(2)\ny = x * 2"))
    np.testing.assert_array_equal(run.value("x.y"), np.random.RandomState(3).randn(2))
    run = gw.evaluate(gw.from_code("rng = np.random.default_rng(3)\nx = rng.normal(size=2)\ny = x * 2"))
    np.testing.assert_array_equal(run.value("x.y"), np.random.default_rng(3).normal(size=2))


def test_a_lenient_reading_leaves_out_what_has_no_block() -> None:
    read = read_code("import numpy as np\na = np.array([1.0, 2.0])\nb = np.linalg.lstsq(a, a)[0]\nc = b * a", True)
    assert [error.line for error in read.refused] == [3]
    blocks = read.graph.pages[0].blocks
    assert (blocks["b"].type, blocks["c"].type) == ("Input", "Multiply")


REFUSED = [
    ("x = foo(3)", "foo is not known"),
    ("import os\nos.system('echo')", "line 2, column 1: os.system is not known"),
    ("__import__('os').system('x')", "not known"),
    ("x = (1).__class__", "__class__ is not read"),
    ("eval('1')", "eval is not known"),
    ("w.__init__", "__init__ is not read"),
    ("open('/etc/passwd').read()", "open is not known"),
    ("x = np.zeros((10**6, 10**6))", "would have 1,000,000,000,000 numbers"),
    ("x = 9**9**9", "too large"),
    ("x = np.maximum(np.ones((10**6, 1)), np.ones(10**6))", "would have 1,000,000,000,000 numbers"),
    ("x = [0] * 10**9", "too many items"),
    ("x = [1] * 9000\nx = x + x", "too many items"),
    ("x = [1] * 9000\nx.extend(x)", "too many items"),
    ("for i in range(10**9):\n    x = i", "too long"),
    ("x = np.ones(3)\nfor i in range(9):\n    x = np.concatenate([x] * 1000)", "larger than"),
    ("def f(x):\n    return f(x)\ny = f(np.ones(3))", "calls itself too often"),
    ("while True:\n    pass", "while"),
    ("x = np.ones(3)\nif x.sum() > 0:\n    y = x", "depends on numbers"),
    ("class A(Base):\n    pass", "inherits Base"),
    ("class A:\n    x = 1\ny = A()(np.ones(3))", "has no forward"),
    ("x = np.ones(3)\nx[0] = 2", "writes into a tensor"),
    ("y = np.ones(3) @ np.ones(4)", "do not fit"),
    ("x = (", "is never closed"),
    ("x = " + "(" * 500 + "1" + ")" * 500, "no formula"),
    ("return 3", "return"),
    ("", "computes nothing"),
    ("import numpy as np", "computes nothing"),
    ("y = [f(i) for i in range(3)]", "f is not known"),
    ("with open('x') as f:\n    pass", "open is not known"),
]


@pytest.mark.parametrize(("text", "said"), REFUSED, ids=lambda item: item[:30].replace("\n", " "))
def test_what_has_no_block_is_refused_by_a_sentence(text: str, said: str) -> None:
    with pytest.raises(CodeRefusal, match=re.escape(said)):
        gw.from_code(text)


def test_a_class_of_layers_is_a_module_with_variables() -> None:
    text = (
        "class Net(nn.Module):\n    def __init__(self, size):\n        super().__init__()\n"
        "        self.first = nn.Linear(2, size)\n    def forward(self, x):\n        return torch.relu(self.first(x))\n"
        "net = Net(3)\nloss = net(torch.ones(4, 2)).sum()\nloss.backward()\n"
        "for p in net.parameters():\n    print(p.grad)"
    )
    run = gw.evaluate(gw.from_code(text))
    weight, bias = run.value("first_weight.y"), run.value("first_bias.y")
    reached = (np.ones((4, 2)) @ weight.T + bias > 0).sum(0)
    np.testing.assert_array_equal(run.gradient("first_bias.y"), reached)


def test_a_static_method_does_not_get_the_object() -> None:
    text = (
        "class Net(nn.Module):\n    @staticmethod\n    def twice(x, k=2):\n        return k * x\n"
        "    def forward(self, x):\n        return self.twice(x) + Net.twice(x, 3)\ny = Net()(torch.ones(2))"
    )
    np.testing.assert_array_equal(gw.evaluate(gw.from_code(text)).value("y.z"), [5, 5])


def test_max_along_an_axis_is_a_pair_in_pytorch_and_the_values_in_numpy() -> None:
    text = "x = torch.tensor([[1.0, 5.0], [3.0, 2.0]], requires_grad=True)\nv, i = x.max(dim=1)\nv.sum().backward()"
    run = gw.evaluate(gw.from_code(text))
    np.testing.assert_array_equal(run.value("i.y"), [1, 0])
    np.testing.assert_array_equal(run.gradient("x.y"), [[0, 1], [1, 0]])
    run = gw.evaluate(gw.from_code("x = np.array([[1.0, 5.0], [3.0, 2.0]])\nv = x.max(axis=1)"))
    np.testing.assert_array_equal(run.value("v.y"), [5, 3])


def test_a_few_steps_of_a_functional_loop_are_all_read() -> None:
    text = "f = lambda x: (x - 2.0) ** 2\nx = 0.0\nfor _ in range(3):\n    x = x - jax.grad(f)(x) / 4"
    run = gw.evaluate(gw.from_code(text))
    assert any(np.all(port.value == 1.75) for port in run.snapshot.ports.values())


def test_signs_of_books_are_read() -> None:
    run = gw.evaluate(gw.from_code("y = x² − 2·x"))
    x = run.value("x.y")
    np.testing.assert_allclose(run.value("y.z"), x**2 - 2 * x)


def test_layers_of_pictures_keep_pytorchs_order_of_axes() -> None:
    text = (
        "conv = nn.Conv2d(3, 4, kernel_size=3, padding=1)\nbn = nn.BatchNorm2d(4)\nx = torch.randn(2, 3, 5, 5)\n"
        "y = bn(conv(x))"
    )
    run = gw.evaluate(gw.from_code(text))
    assert run.value("conv_weight.y").shape == (4, 3, 3, 3)
    y = run.value("y.y")
    assert y.shape == (2, 4, 5, 5)
    np.testing.assert_allclose(y.mean((0, 2, 3)), 0, atol=1e-12)
    np.testing.assert_allclose(y.var((0, 2, 3)), 1, rtol=1e-3)


def test_a_functional_model_of_keras_is_its_layers() -> None:
    text = (
        "from tensorflow.keras import layers, Input, Model\ninputs = Input(shape=(4,))\n"
        "h = layers.Dense(8, activation='tanh')(inputs)\noutputs = layers.Dense(1)(h)\nmodel = Model(inputs, outputs)"
    )
    run = gw.evaluate(gw.from_code(text))
    assert run.value("outputs.z").shape == (4, 1)
    with pytest.raises(CodeRefusal, match=r"line 6, column 1: model\.fit is not known here"):
        gw.from_code(f"{text}\nmodel.fit(x, y)")


WORDS = re.compile(r"\w+|\s+|.")


@pytest.mark.parametrize("seed", range(4))
def test_any_mutation_of_a_program_is_read_or_refused(seed: int) -> None:
    texts = [path.read_text(encoding="utf-8") for path in sorted(SNIPPETS.glob("*.txt"))]
    numbers, others = random.Random(seed), [word for text in texts for word in WORDS.findall(text)]
    for _ in range(60):
        words = WORDS.findall(numbers.choice(texts))
        for _ in range(numbers.randint(1, 4)):
            words[numbers.randrange(len(words))] = numbers.choice([*others, "", "None", "-1", "()", "{}", "10**9", "x"])
        with contextlib.suppress(CodeRefusal):
            gw.from_code("".join(words))


def test_the_numbers_of_a_program_are_bounded_together() -> None:
    machine, large = Machine("numpy", Choices({}, ()), folds=True), np.broadcast_to(np.zeros(1), (2**25,))
    assert machine.counted(ast.Pass(), large) is large
    machine.counted(ast.Pass(), large)
    with pytest.raises(CodeRefusal, match="take more than 512 MiB"):
        machine.counted(ast.Pass(), large)


def test_a_list_with_a_name_is_one_input() -> None:
    run = gw.evaluate(gw.from_code("x = [1.0, 2, 3]\nW = [[1, 0, 1]]\ny = np.dot(W, x) + sum(x * 2)"))
    np.testing.assert_array_equal(run.value("x.y"), [1, 2, 3])
    np.testing.assert_array_equal(run.value("y.z"), [16])
    assert [block.type for block in run.graph.pages[0].blocks.values()].count("Input") == 2


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("tensor([1.5, 2.5], grad_fn=<MulBackward0>)", "Input"),
        ("Parameter containing:\ntensor([1.5, 2.5], requires_grad=True)", "Variable"),
        ("array([1.5, 2.5])", "Input"),
        ("np.array([1.5, 2.5])", "Input"),
    ],
)
def test_a_printed_tensor_is_a_source(text: str, kind: str) -> None:
    (block,) = gw.from_code(text).pages[0].blocks.values()
    assert (block.type, block.parameters["value"].tolist()) == (kind, [1.5, 2.5])


WEIGHTED = {
    "torch": """import torch
w = torch.tensor([2.0, 3.0], requires_grad=True)
(g,) = torch.autograd.grad(w ** 2, w, grad_outputs=torch.tensor([1.0, 10.0]), create_graph=True)
total = (g * g).sum()
total.backward()
""",
    "torch, backward": """import torch
w = torch.tensor([2.0, 3.0], requires_grad=True)
(w ** 2).backward(torch.tensor([1.0, 10.0]))
total = (w.grad * w.grad).sum()
""",
    "tensorflow": """import tensorflow as tf
w = tf.Variable([2.0, 3.0])
with tf.GradientTape() as outer:
    with tf.GradientTape() as tape:
        y = w ** 2
    g = tape.gradient(y, w, output_gradients=tf.constant([1.0, 10.0]))
    total = tf.reduce_sum(g * g)
d = outer.gradient(total, w)
""",
}


@pytest.mark.parametrize("program", WEIGHTED)
def test_a_weighted_gradient_is_weighted_where_a_program_computes_with_it(program: str) -> None:
    # By hand: the gradient is 2 w v, the sum of its squares 4 w^2 v^2 over both elements.
    assert gw.evaluate(gw.from_code(WEIGHTED[program])).value("total.y") == 4 * 4 + 60 * 60


def test_a_weighted_gradient_is_weighted_in_a_rule_of_one_s_own_too() -> None:
    graph = gw.from_code("""import torch
class Odd(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x ** 3
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        (d,) = torch.autograd.grad(x ** 2, x, grad_outputs=g)
        return d
x = torch.tensor([2.0, 3.0], requires_grad=True)
loss = (Odd.apply(x) * torch.tensor([1.0, 10.0])).sum()
loss.backward()
""")
    # By hand: the rule is 2 x g, and the weights 1 and 10 arrive as g.
    np.testing.assert_array_equal(gw.evaluate(graph).gradient("x.y"), [4.0, 60.0])
