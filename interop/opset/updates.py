"""Updates of variables as pure functions, from the preview of ONNX's operators for training."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gradwire.interop.models.tensors import Tensor, is_tensor, made
from gradwire.interop.opset.arithmetic import number
from gradwire.interop.opset.operators import Numbers, operator

_DOMAIN = "ai.onnx.preview.training"


def _times(factor: Any, x: Tensor) -> Tensor:
    found: Tensor = made("Multiply", factor if is_tensor(factor) else number(factor, x), x)
    return found


def _plus(a: Tensor, b: Tensor) -> Tensor:
    found: Tensor = made("Add", a, b)
    return found


def _minus(a: Tensor, b: Tensor) -> Tensor:
    found: Tensor = made("Subtract", a, b)
    return found


def _over_root(a: Tensor, squares: Tensor, epsilon: float) -> Tensor:
    found: Tensor = made("Divide", a, _plus(made("Sqrt", squares), number(epsilon, squares)))
    return found


def _rows(items: tuple[Tensor, ...], parts: int) -> list[tuple[Tensor, ...]]:
    """Returns the tensors of each variable; the file has all variables, then all gradients, then the rest."""
    count = len(items) // parts
    return [tuple(items[place + part * count] for part in range(parts)) for place in range(count)]


def _columns(rows: Sequence[tuple[Tensor, ...]]) -> tuple[Tensor, ...]:
    return tuple(item for column in zip(*rows, strict=True) for item in column)


@operator(f"{_DOMAIN}.Momentum")
def _momentum(
    rate: Tensor, count_of_updates: Numbers, *items: Tensor, alpha: float, beta: float, mode: str,
    norm_coefficient: float,
) -> Any:  # fmt: skip
    found = []
    for x, g, v in _rows(items, 3):
        gradient = _plus(_times(norm_coefficient, x), g)
        first = beta if int(count_of_updates.flat[0]) > 0 else 1.0
        velocity = _plus(_times(alpha, v), _times(first, gradient))
        step = _plus(gradient, _times(alpha, velocity)) if mode == "nesterov" else velocity
        found.append((_minus(x, _times(rate, step)), velocity))
    return _columns(found)


@operator(f"{_DOMAIN}.Adagrad")
def _adagrad(
    rate: Tensor, count_of_updates: Numbers, *items: Tensor, decay_factor: float = 0.0, epsilon: float = 0.0,
    norm_coefficient: float = 0.0,
) -> Any:  # fmt: skip
    slower = 1 + float(count_of_updates.flat[0]) * decay_factor
    found = []
    for x, g, h in _rows(items, 3):
        gradient = _plus(_times(norm_coefficient, x), g)
        squares = _plus(h, made("Square", gradient))
        step = _times(made("Divide", rate, number(slower, rate)), _over_root(gradient, squares, epsilon))
        found.append((_minus(x, step), squares))
    return _columns(found)


@operator(f"{_DOMAIN}.Adam")
def _adam(
    rate: Tensor, count_of_updates: Numbers, *items: Tensor, alpha: float = 0.9, beta: float = 0.999,
    epsilon: float = 0.0, norm_coefficient: float = 0.0, norm_coefficient_post: float = 0.0,
) -> Any:  # fmt: skip
    updates = float(count_of_updates.flat[0])
    correction = float(np.sqrt(1 - beta**updates) / (1 - alpha**updates)) if updates > 0 else 1.0
    found = []
    for x, g, v, h in _rows(items, 4):
        gradient = _plus(_times(norm_coefficient, x), g)
        mean = _plus(_times(alpha, v), _times(1 - alpha, gradient))
        squares = _plus(_times(beta, h), _times(1 - beta, made("Square", gradient)))
        step = _times(_times(correction, rate), _over_root(mean, squares, epsilon))
        found.append((_times(1 - norm_coefficient_post, _minus(x, step)), mean, squares))
    return _columns(found)
