"""Layers and gradients of PyTorch, Keras and JAX beside their formulas with the weights that were read."""

from __future__ import annotations

import ast

import numpy as np
import pytest

import gradwire as gw
from gradwire.interop.code import refusals

HEAD = """import torch
import torch.nn as nn
import torch.nn.functional as F
x = torch.tensor([[0.5, -1.0, 2.0], [1.5, 0.25, -0.5]], requires_grad=True)
"""
X = np.array([[0.5, -1.0, 2.0], [1.5, 0.25, -0.5]])


def run_of(text: str) -> gw.Run:
    return gw.evaluate(gw.from_code(HEAD + text + "\nresult = 1.0 * y\n"))


def test_linear_layers_multiply_by_their_weight_turned_and_add_the_bias() -> None:
    run = run_of("a = nn.Linear(3, 2)\nb = nn.Linear(2, 4, bias=False)\ny = b(torch.tanh(a(x)))")
    weight, bias, last = (np.asarray(run.value(f"{name}.y")) for name in ("a_weight", "a_bias", "b_weight"))
    assert (weight.shape, bias.shape, last.shape) == ((2, 3), (2,), (4, 2))
    np.testing.assert_allclose(run.value("result.z"), np.tanh(X @ weight.T + bias) @ last.T, rtol=1e-5)
    for drawn, inputs in ((weight, 3), (bias, 3), (last, 2)):
        assert np.abs(drawn).max() <= 1 / np.sqrt(inputs)


@pytest.mark.parametrize(("size", "shape"), [("2", (2, 2)), ("(1, 2)", (1, 2)), ("(2, 1)", (2, 1)), ("[2, 2]", (2, 2))])
@pytest.mark.parametrize("groups", [1, 2])
def test_convolutions_of_pictures_sum_their_windows(size: str, shape: tuple[int, int], groups: int) -> None:
    text = f"p = torch.arange(48.0).reshape(1, 4, 3, 4)\nc = nn.Conv2d(4, 2, {size}, groups={groups})\ny = c(p)"
    run = run_of(text)
    weight, bias = np.asarray(run.value("c_weight.y")), np.asarray(run.value("c_bias.y"))
    assert weight.shape == (2, 4 // groups, *shape)
    picture = np.arange(48.0).reshape(4, 3, 4)
    rows, columns = 3 - shape[0] + 1, 4 - shape[1] + 1
    wanted = np.zeros((1, 2, rows, columns)) + bias[None, :, None, None]
    for out in range(2):
        own = picture if groups == 1 else picture[2 * out : 2 * out + 2]
        for row, column in np.ndindex(rows, columns):
            window = own[:, row : row + shape[0], column : column + shape[1]]
            wanted[0, out, row, column] += np.sum(window * weight[out])
    np.testing.assert_allclose(run.value("result.z"), wanted, rtol=1e-4)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("y = nn.ReLU()(x)", np.maximum(X, 0)), ("y = F.relu(x)", np.maximum(X, 0)),
        ("y = nn.LeakyReLU(0.2)(x)", np.where(X > 0, X, 0.2 * X)), ("y = nn.Sigmoid()(x)", 1 / (1 + np.exp(-X))),
        ("y = F.softmax(x, dim=1)", np.exp(X) / np.exp(X).sum(axis=1, keepdims=True)),
        ("y = nn.Softmax(dim=0)(x)", np.exp(X) / np.exp(X).sum(axis=0)),
        ("y = F.mse_loss(x, torch.zeros(2, 3))", np.mean(X**2)),
        ("y = nn.MSELoss(reduction='sum')(x, torch.zeros(2, 3))", np.sum(X**2)),
        ("y = nn.L1Loss()(x, torch.zeros(2, 3))", np.mean(np.abs(X))),
        ("y = F.cross_entropy(x, torch.tensor([2, 0]))",
         np.mean(np.log(np.exp(X).sum(axis=1)) - X[[0, 1], [2, 0]])),
        ("y = F.layer_norm(x, (3,))",
         (X - X.mean(axis=1, keepdims=True)) / np.sqrt(X.var(axis=1, keepdims=True) + 1e-5)),
        ("y = nn.Flatten()(x.reshape(2, 3, 1))", X),
        ("y = nn.Sequential(nn.Tanh(), nn.ReLU())(x)", np.maximum(np.tanh(X), 0)),
        ("y = x.max(dim=1).values", X.max(axis=1)), ("y = x.max(dim=1)[0]", X.max(axis=1)),
        ("y = torch.max(x, dim=0).indices * 1.0", X.argmax(axis=0)),
        ("v, k = x.min(dim=1)\ny = v + k", X.min(axis=1) + X.argmin(axis=1)),
        ("y = x.view(3, 2)", X.reshape(3, 2)), ("y = x.permute(1, 0)", X.T), ("y = x.unsqueeze(0).squeeze()", X),
        ("y = torch.cat([x, x], dim=1)", np.concatenate([X, X], axis=1)), ("y = torch.stack((x, x))", np.stack([X, X])),
        ("y = x.norm()", np.linalg.norm(X)), ("y = x.sum(dim=1, keepdim=True)", X.sum(axis=1, keepdims=True)),
        ("y = x.std()", X.std(ddof=1)), ("y = x.var(dim=0, unbiased=False)", X.var(axis=0)),
        ("y = x.mean(-1)", X.mean(axis=-1)),
        ("y = torch.max(x)", X.max()), ("y = torch.max(x, -x)", np.abs(X)), ("y = torch.min(x, 0)[0]", X.min(axis=0)),
        ("y = torch.min(x, dim=1).values", X.min(axis=1)), ("y = x.min()", X.min()),
        ("y = nn.Sequential(*[nn.Tanh(), nn.ReLU()])(x)", np.maximum(np.tanh(X), 0)),
        ("y = nn.Sequential(nn.Tanh())(x)", np.tanh(X)), ("y = torch.zeros(2, 3, dtype=torch.int64) + x", X),
        ("y = torch.full((2, 3), 2.0) * x", 2 * X), ("y = torch.eye(2) @ x", X), ("y = torch.ones_like(x) + x", X + 1),
        ("y = torch.arange(3) * x", np.arange(3) * X), ("y = torch.linspace(0, 1, 3) * x", np.array([0, 0.5, 1]) * X),
        ("y = x.clamp(min=0)", np.maximum(X, 0)), ("y = x.clamp(-0.5, 1)", np.clip(X, -0.5, 1)),
        ("y = x.exp().log()", X),
        ("y = (x ** 2).sum().sqrt()", np.linalg.norm(X)), ("y = x.t() @ x", X.T @ X),
        ("y = x.detach() + x.data", 2 * X),
        ("y = torch.einsum('ij,kj->ik', x, x)", X @ X.T), ("y = x[:, None] - x[None]", X[:, None] - X[None]),
        ("y = x.masked_fill(x < 0, 0.0)", np.maximum(X, 0)), ("y = torch.where(x > 0, x, -x)", np.abs(X)),
        ("y = x.expand(4, 2, 3)", np.broadcast_to(X, (4, 2, 3))),
    ],
)  # fmt: skip
def test_a_line_of_pytorch_is_its_formula(text: str, wanted: np.ndarray) -> None:
    found = np.asarray(run_of(text).value("result.z"))
    assert found.shape == np.shape(wanted)
    np.testing.assert_allclose(found, wanted, rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("(y,) = torch.autograd.grad((x ** 2).sum(), x)", 2 * X),
        ("y = torch.autograd.grad([(x ** 3).sum()], [x])[0]", 3 * X**2),
    ],
)  # fmt: skip
def test_a_gradient_that_is_asked_for_is_a_block(text: str, wanted: np.ndarray) -> None:
    np.testing.assert_allclose(run_of(text).value("result.z"), wanted, rtol=1e-5)


def test_a_refusal_shows_at_most_forty_letters_of_the_program() -> None:
    for length, shown in ((20, "a" * 20), (40, "a" * 40), (41, "a" * 39 + "…")):
        assert refusals.shown(ast.parse("a" * length).body[0]) == shown
