"""The formula of Adam, for the arrays of its block and the expressions of training alike.

Source: Kingma and Ba 2015, the form before section 2.1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# Any below: arrays with `np.sqrt` as the root, or expressions with the block Sqrt.
Root = Callable[[Any], Any]


def adam_moments(m: Any, v: Any, g: Any, beta1: float, beta2: float) -> tuple[Any, Any]:
    """Returns the mean gradient and the mean square after a gradient `g`."""
    return m + (g - m) * (1 - beta1), v + (g * g - v) * (1 - beta2)


def adam_rate(rate: float, power1: Any, power2: Any, root: Root) -> Any:
    """Returns the rate that makes up for moments that started at 0; the powers of both betas count the steps."""
    return rate * root(1 - power2) / (1 - power1)


def adam_move(variable: Any, mean: Any, v: Any, rate: Any, epsilon: float, root: Root) -> Any:
    """Returns the variable after a step along `mean`."""
    return variable - mean * rate / (root(v) + epsilon)
