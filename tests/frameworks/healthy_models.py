"""Models without a mistake: everything that training is to move receives a gradient that is not zero."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

Case = tuple[Callable[..., Tensor], tuple[Any, ...]]
CASES: dict[str, Callable[[], Case]] = {}
X, Y = torch.randn(8, 10, generator=torch.Generator().manual_seed(0)), torch.arange(8) % 3
WORDS = torch.arange(14).reshape(2, 7)


def healthy(make: Callable[[], Case]) -> Callable[[], Case]:
    CASES[make.__name__] = make
    return make


def loss_of(model: nn.Module) -> Callable[[Tensor, Tensor], Tensor]:
    return lambda x, labels: functional.cross_entropy(model(x), labels)


@healthy
def perceptron() -> Case:
    return loss_of(nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 3))), (X, Y)


@healthy
def probabilities_without_a_loss() -> Case:
    return nn.Sequential(nn.Linear(10, 32), nn.Tanh(), nn.Linear(32, 3), nn.Softmax(1)), (X,)


@healthy
def active_dropout() -> Case:
    return loss_of(nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Dropout(0.5), nn.Linear(32, 3))), (X, Y)


@healthy
def convolutions_before_normalisations() -> Case:
    layers = [nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 4, 3), nn.BatchNorm2d(4)]
    pictures = torch.randn(2, 3, 16, 16, generator=torch.Generator().manual_seed(0))
    return loss_of(nn.Sequential(*layers, nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 3))), (
        pictures,
        Y[:2],
    )


class Recurrent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.table, self.cells, self.last = nn.Embedding(50, 8), nn.LSTM(8, 16, batch_first=True), nn.Linear(16, 3)

    def forward(self, words: Tensor, labels: Tensor) -> Tensor:
        states, _ = self.cells(self.table(words))
        return functional.cross_entropy(self.last(states[:, -1]), labels)


@healthy
def recurrent() -> Case:
    return Recurrent(), (WORDS, Y[:2])


class Transformer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        layer = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True)
        self.table, self.layers, self.last = nn.Embedding(50, 16), nn.TransformerEncoder(layer, 2), nn.Linear(16, 50)

    def forward(self, words: Tensor) -> Tensor:
        mask = nn.Transformer.generate_square_subsequent_mask(7)
        found = self.last(self.layers(self.table(words), mask=mask))
        return functional.cross_entropy(found[:, :-1].flatten(0, 1), words[:, 1:].flatten())


@healthy
def transformer() -> Case:
    return Transformer(), (WORDS,)


class Variational(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.code, self.mean, self.spread, self.last = *(nn.Linear(10, 4) for _ in range(3)), nn.Linear(4, 10)

    def forward(self, x: Tensor) -> Tensor:
        mean, spread = self.mean(x), self.spread(x)
        drawn = mean + torch.randn_like(mean) * spread.exp() + self.code(x)
        return functional.mse_loss(self.last(drawn), x) - (1 + spread - mean.square() - spread.exp()).mean()


@healthy
def variational() -> Case:
    return Variational(), (X,)


class Bootstrapped(nn.Module):
    """Q-learning with a frozen target network."""

    def __init__(self) -> None:
        super().__init__()
        self.values, self.target = nn.Linear(10, 3), nn.Linear(10, 3).requires_grad_(False)

    def forward(self, x: Tensor, action: Tensor) -> Tensor:
        with torch.no_grad():
            wanted = 1 + 0.9 * self.target(x).max(1).values
        return functional.smooth_l1_loss(self.values(x).gather(1, action[:, None])[:, 0], wanted)


@healthy
def bootstrapped() -> Case:
    return Bootstrapped(), (X, Y)


class _Round(torch.autograd.Function):
    @staticmethod
    def forward(_: Any, x: Tensor) -> Tensor:
        return x.round()

    @staticmethod
    def backward(_: Any, g: Tensor) -> Tensor:
        return g


class StraightThrough(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second, self.last = nn.Linear(10, 4), nn.Linear(10, 4), nn.Linear(4, 3)

    def forward(self, x: Tensor, labels: Tensor) -> Tensor:
        soft = torch.sigmoid(self.first(x))
        hard = soft + (soft.round() - soft).detach() + _Round.apply(self.second(x))
        return functional.cross_entropy(self.last(hard), labels)


@healthy
def straight_through() -> Case:
    return StraightThrough(), (X, Y)


class Deciding(nn.Module):
    """A program that logs numbers, and decides by them."""

    def __init__(self) -> None:
        super().__init__()
        self.last = nn.Linear(10, 3)

    def forward(self, x: Tensor, labels: Tensor) -> Tensor:
        found = self.last(x - x.max(1, keepdim=True).values.detach())
        share = (found.argmax(1) == labels).float().mean().item()
        if found.sum() > 0 or share < 2:
            found = found * 2
        return functional.cross_entropy(found, labels)


@healthy
def deciding() -> Case:
    return Deciding(), (X, Y)


@healthy
def checkpointed() -> Case:
    first, last = nn.Linear(10, 32), nn.Linear(32, 3)
    call = functools.partial(checkpoint, lambda x: first(x).tanh(), use_reentrant=False)
    return lambda x, labels: functional.cross_entropy(last(call(x)), labels), (X, Y)


@healthy
def function_of_a_leaf() -> Case:
    weights = torch.ones(10, 3).requires_grad_()
    return lambda x, labels: functional.cross_entropy(x @ weights, labels), (X, Y)


@healthy
def function_of_its_arguments() -> Case:
    return lambda w, x: (x @ w).square().mean(), (torch.ones(10, requires_grad=True), X)


@healthy
def large_numbers() -> Case:
    model = nn.Linear(10, 1)
    return lambda x, y: functional.mse_loss(model(x)[:, 0], y), (X * 50, torch.arange(8) * 300.0)
