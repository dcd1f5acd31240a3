"""The framework PyTorch in eager mode: it records while it computes."""

from __future__ import annotations

import operator
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812  # its usual name

from benchmarks.peers.case import Case, Mode, Prepared, unwatched

NAME, VERSION = "PyTorch", torch.__version__
torch.set_num_threads(1)


class Ops:
    """The operations by their names in PyTorch."""

    number = float
    add, subtract, multiply, divide = torch.add, torch.subtract, torch.multiply, torch.divide
    negative, tanh, sin, sigmoid, exp, relu = torch.neg, torch.tanh, torch.sin, torch.sigmoid, torch.exp, torch.relu
    maximum, total, largest, matmul, reshape = torch.maximum, torch.sum, torch.max, torch.matmul, torch.reshape
    stop, identity, plus_bias = torch.detach, torch.clone, operator.add
    transpose, split, gelu = torch.permute, torch.chunk, F.gelu

    @staticmethod
    def softmax(x: Any) -> Any:
        return torch.softmax(x, -1)

    @staticmethod
    def normalize(x: Any, gamma: Any, beta: Any) -> Any:
        return F.layer_norm(x, gamma.shape, gamma, beta, 0.001)

    @staticmethod
    def convolve(x: Any, filters: Any) -> Any:
        y = F.conv2d(x.permute(0, 3, 1, 2), filters.permute(3, 2, 0, 1), padding=1)
        return y.permute(0, 2, 3, 1)

    @staticmethod
    def pool(x: Any) -> Any:
        return F.max_pool2d(x.permute(0, 3, 1, 2), 2).permute(0, 2, 3, 1)

    @staticmethod
    def cross_entropy(logits: Any, labels: Any) -> Any:
        return F.cross_entropy(logits, labels)


def prepare(case: Case) -> Prepared:
    """Returns the case as a function that runs block by block; nothing can be prepared."""
    traced = case.inputs if case.mode.sees_all else case.wanted
    leaves = {name: torch.tensor(array, requires_grad=name in traced) for name, array in case.inputs.items()}
    if case.changed is not None:
        leaves[case.changed[0]] = torch.tensor(case.changed[1], requires_grad=True)
    wanted = [leaves[name] for name in case.wanted]
    loss_of = case.final.loss

    def gradients() -> Any:
        loss = loss_of(Ops, leaves, unwatched)
        return loss, torch.autograd.grad(loss, wanted)

    def step() -> Any:
        loss, found = gradients()
        with torch.no_grad():
            torch._foreach_add_(wanted, found, alpha=-case.rate)
        return loss, wanted

    def every_wire() -> Any:
        seen: list[Any] = []
        loss = loss_of(Ops, leaves, lambda wire: seen.append(wire) or wire)
        return seen, torch.autograd.grad(loss, seen, allow_unused=True)

    if case.mode.sees_all:
        return Prepared(every_wire, _stacked)
    action = step if case.mode is Mode.STEP else gradients
    return Prepared(action, lambda found: [item.detach().numpy().copy() for item in (found[0], *found[1])])


def _stacked(found: Any) -> Any:
    values, gradients = found
    known = [torch.zeros_like(value) if g is None else g for value, g in zip(values, gradients, strict=True)]
    return [torch.stack([value.detach() for value in values]).numpy(), torch.stack(known).numpy()]
