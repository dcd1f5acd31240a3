"""Settings of layers, by place and by name; values taken apart; parts of objects; copies that are written into."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import gradwire as gw
from gradwire.interop.code.from_code import read_code
from gradwire.interop.code.layer_lines import layer_lines
from gradwire.interop.code.refusals import CodeRefusal
from tests.interop.code.test_conditions_of_programs import types_of
from tests.interop.code.test_lines_of_programs import HEADS, X, y_of

CLASS = (
    "class A(nn.Module):\n    def __init__(self, k=2):\n        super().__init__()\n        self.k, self.s = k, [k]\n"
)
CUBE = "p = torch.arange(24.0).reshape(2, 3, 4)\n"


@pytest.mark.parametrize(
    ("framework", "text", "wanted"),
    [
        ("torch", CUBE + "y = nn.Flatten()(p)", np.arange(24.0).reshape(2, 12)),
        ("torch", CUBE + "y = nn.Flatten(0)(p)", np.arange(24.0)),
        ("torch", CUBE + "y = nn.Flatten(0, 1)(p)", np.arange(24.0).reshape(6, 4)),
        ("torch", CUBE + "y = nn.Flatten(start_dim=0, end_dim=-2)(p)", np.arange(24.0).reshape(6, 4)),
        ("torch", CUBE + "y = nn.Flatten(end_dim=1)(p)", np.arange(24.0).reshape(2, 3, 4)),
        ("torch", CLASS + "    def forward(self, a):\n        return a * self.k + self.s[0]\ny = A()(x) + A(k=5)(x)",
         7 * X + 7),
        ("torch", CLASS + "    @staticmethod\n    def f(a):\n        return a + 1\n    def forward(self, a):\n"
         "        return self.f(a) * self.k\nm = A(3)\nm.k = 4\ny = m(x) + m.forward(x)", 8 * (X + 1)),
        ("torch", CLASS + "    def __call__(self, a):\n        return a - self.k\ny = A()(x)", X - 2),
        ("np", "(a, b), *c = (1, 2), 3, 4\ny = x * a + b + len(c) + c[1]", X + 8),
        ("np", "*a, b = [1, 2, 3]\ny = x * len(a) + b", 2 * X + 3),
        ("np", "a, *b, c = [1, 2]\ny = x * (a + c) + len(b)", 3 * X),
        ("np", "a, b = x\ny = a - b", X[0] - X[1]),
        ("np", "d = {}\nd['a'] = x\nd['a'] += 1\ny = d['a']", X + 1),
        ("np", "a = [1, 2]\na[-1] = x\ny = a[1]", X),
        ("np", "g = np.zeros_like(x)\ng[x > 0] = 3\ny = g + 1", np.where(X > 0, 4, 1)),
        ("np", "g = x.copy()\ng[x > 0] = 3\ng[x < 0] = 5\ny = g", np.where(X > 0, 3, 5)),
        ("np", "p = {'w': np.ones(3), 'b': np.zeros(3)}\ny = x * p['w'] + p['b']", X),
        ("tf", "m = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.ReLU()])\ny = m(x)",
         np.maximum(X, 0)),
        ("tf", "y = tf.keras.layers.LeakyReLU(0.5)(x)", np.where(X > 0, X, 0.5 * X)),
        ("torch", "m = nn.Sequential()\ny = m(x)", X),
        ("torch", "m = nn.Sequential([nn.ReLU()])\ny = m(x)", np.maximum(X, 0)),
        ("torch", "y = nn.Softmax(1)(x)", np.exp(X) / np.exp(X).sum(axis=1, keepdims=True)),
        ("torch", "y = nn.Identity(54, unused=3)(x)", X),
        ("torch", "y = nn.BatchNorm1d(num_features=3, eps=1.0)(x)", (X - X.mean(axis=0)) / np.sqrt(X.var(axis=0) + 1)),
    ],
)  # fmt: skip
def test_a_setting_counts_by_place_and_by_name(
    framework: str, text: str, wanted: Sequence[object] | np.ndarray
) -> None:
    found = y_of(framework, text)
    assert found.shape == np.shape(wanted)
    np.testing.assert_allclose(found, np.asarray(wanted, float), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("text", ["1, 0, 1, 2", "stride=1, padding=0, dilation=1, groups=2", "1, groups=2"])
@pytest.mark.parametrize("bias", [True, False])
def test_a_convolution_takes_its_groups_and_bias_by_place(text: str, bias: bool) -> None:
    more = f", {bias}" if text == "1, 0, 1, 2" else f", bias={bias}"
    head = f"{HEADS['torch']}p = torch.ones(1, 4, 3, 3)\nc = nn.Conv2d(4, 6, 2, {text}{more})\n"
    run = gw.evaluate(gw.from_code(f"{head}y = c(p)\nresult = 1.0 * y\n"))
    weight = np.asarray(run.value("c_weight.y"))
    assert weight.shape == (6, 2, 2, 2) and np.abs(weight).max() <= 1 / np.sqrt(8)
    wanted = weight.sum(axis=(1, 2, 3)) + (np.asarray(run.value("c_bias.y")) if bias else 0)
    np.testing.assert_allclose(run.value("result.z")[0, :, 0, 0], wanted, rtol=1e-5)


@pytest.mark.parametrize("shape", ["2", "2, 3", "stride=2", "padding=1", "stride=(1, 2), dilation=2"])
def test_a_convolution_has_windows_as_its_settings_say(shape: str) -> None:
    how = {"2": (2, 0, 1), "2, 3": (2, 3, 1), "stride=2": (2, 0, 1), "padding=1": (1, 1, 1)}.get(shape)
    found = y_of("torch", f"p = torch.ones(1, 1, 7, 9)\ny = nn.Conv2d(1, 1, 3, {shape})(p)").shape
    if how is None:
        assert found == (1, 1, 3, 3)
    else:
        step, more, gap = how
        assert found == (1, 1, *((size + 2 * more - gap * 2 - 1) // step + 1 for size in (7, 9)))


def test_dense_layers_are_drawn_within_their_bound_and_once() -> None:
    text = "d = tf.keras.layers.Dense(5, 'tanh')\ny = d(x) + d(2 * x)"
    run = gw.evaluate(gw.from_code(f"{HEADS['tf']}{text}\nresult = 1.0 * y\n"))
    assert types_of("tf", text)["Variable"] == 2
    kernels = [block.parameters["value"] for block in run.graph.pages[0].blocks.values() if block.type == "Variable"]
    kernel = next(np.asarray(item) for item in kernels if np.ndim(item) == 2)
    assert kernel.shape == (3, 5) and np.abs(kernel).max() <= np.sqrt(6 / 8)
    np.testing.assert_allclose(run.value("result.z"), np.tanh(X @ kernel) + np.tanh(2 * X @ kernel), rtol=1e-5)
    for more, count in ((", use_bias=False", 1), ("", 2)):
        assert types_of("tf", f"y = tf.keras.layers.Dense(5{more})(x)")["Variable"] == count
        assert types_of("tf", f"y = tf.keras.layers.Dense(units=5{more})(x)")["Variable"] == count


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a, b = 1, 2, 3", "2 names need as many values, not 3"),
        ("a, *b, c = [1]", "2 names need as many values, not 1"),
        ("a = {}\na[0][1] = 2", "beyond the end, or no key"), ("a = [1]\na[1] = 2", "beyond the end, or no key"),
        ("x.shape = (6,)", '"x.shape" cannot be given a value here'),
        ("g = x.copy()\nh = g\ng[x > 0] = 1", "writes into a tensor"),
        ("g = x.copy()\ng[x[0] > 0] = 1", "writes into a tensor"),
        ("g = x.copy()\ng[x > 0] = x", "writes into a tensor"),
        ("g = x.copy()\ng[0] = 1", "writes into a tensor"),
        ("g = x + 1\ng[x > 0] = 1", "writes into a tensor"),
    ],
)  # fmt: skip
def test_what_cannot_be_given_a_value_is_said(text: str, said: str) -> None:
    with pytest.raises(CodeRefusal) as found:
        gw.from_code(HEADS["np"] + text)
    assert said in str(found.value)


@pytest.mark.parametrize(
    ("text", "count"),
    [("dense 8 tanh", 1), ("dense 8, dropout 0.5 -> dense 3", 3), ("dense 8\ndense 3;dense 2 | dense 1", 4),
     ("dense 8, frobnicate 3", 0), ("", 0), (", dense 8 ,", 1)],
)  # fmt: skip
def test_layers_in_a_few_words_are_all_layers_or_none(text: str, count: int) -> None:
    assert len(layer_lines(text)) == count


def test_a_notice_tells_of_each_line_that_leaves_dropout_out() -> None:
    notices = read_code(HEADS["torch"] + "a = nn.Dropout(0.5)\nb = nn.Dropout()\ny = b(a(x))").notices
    assert [line for line in notices if "dropout" in line] == [
        f"line {number} leaves dropout out, as in evaluation" for number in (3, 4)
    ]
