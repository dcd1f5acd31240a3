"""Under torch.no_grad and its kin, what is made is stopped where it leaves; what was there before is not."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw

X = np.array([1.0, 2.0])
TORCH = "import torch\nx = torch.tensor([1.0, 2.0], requires_grad=True)\n"
TENSORFLOW = "import tensorflow as tf\nx = tf.Variable([1.0, 2.0])\nwith tf.GradientTape() as tape:\n    y = x * 2\n"


def gradient(program: str) -> np.ndarray:
    return gw.evaluate(gw.from_code(program)).gradient("x")


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        # Another name of the same tensor: d/dx of x x.
        ("with torch.no_grad():\n    a = x\nloss = (a * a).sum()", 2 * X),
        ("y = x * 2\nwith torch.no_grad():\n    a = y\nloss = (a * a).sum()", 8 * X),
        # In lists, tuples and dictionaries, new ones and those of before.
        ("with torch.no_grad():\n    b = [x * 3, x]\nloss = (b[0] * b[1]).sum()", 3 * X),
        ("with torch.no_grad():\n    b, c = x, x * 2\nloss = (b * c).sum()", 2 * X),
        ("b = []\nwith torch.no_grad():\n    b.append(x * 2)\n    b.append(x)\nloss = (b[0] * b[1]).sum()", 2 * X),
        ("d = {}\nwith torch.no_grad():\n    d['a'] = x * 2\nloss = (d['a'] * x).sum()", 2 * X),
        # The same line outside and inside is computed once each: d/dx of x^2 with its equal held.
        ("y = x * 2\nwith torch.no_grad():\n    z = x * 2\nloss = (z * y).sum()", 4 * X),
        ("def f(t):\n    return t * t\nu = f(x)\nwith torch.no_grad():\n    v = f(x)\nloss = (u * v).sum()", 2 * X**3),
        (
            "def f(t):\n    with torch.no_grad():\n        m = t * 2\n    return m * t\nloss = (f(x) + f(x)).sum()",
            4 * X,
        ),
        ("for i in range(2):\n    with torch.no_grad():\n        z = x * 2\nloss = (z * x).sum()", 2 * X),
        # A region inside another one ends with that.
        (
            "with torch.no_grad():\n    with torch.no_grad():\n        z = x * 2\n    w = z + x\nloss = (w * x).sum()",
            3 * X,
        ),
        # A function that is held gives its own argument back as it is.
        ("@torch.no_grad()\ndef f(t):\n    return t, t * 2\np, q = f(x)\nloss = (p * q).sum()", 2 * X),
    ],
)
def test_only_what_is_made_in_the_region_is_stopped(lines: str, wanted: np.ndarray) -> None:
    np.testing.assert_allclose(gradient(f"{TORCH}{lines}\nloss.backward()\n"), wanted)


def test_a_variable_that_is_made_in_the_region_can_be_differentiated() -> None:
    made = "import torch\nwith torch.no_grad():\n    x = torch.tensor([1.0, 2.0], requires_grad=True)\n"
    np.testing.assert_allclose(gradient(f"{made}loss = (x * x).sum()\nloss.backward()\n"), 2 * X)


def test_a_tape_that_stops_recording_lets_pass_what_it_recorded_before() -> None:
    lines = "    with tape.stop_recording():\n        a, b = y, y * 3\n    loss = tf.reduce_sum(a * b)\n"
    # a = 2 x is recorded, b = 6 x is held: d/dx is 2 b.
    np.testing.assert_allclose(gradient(f"{TENSORFLOW}{lines}g = tape.gradient(loss, x)\n"), 12 * X)


def test_a_stop_stands_where_a_value_leaves_and_only_there() -> None:
    program = f"{TORCH}with torch.no_grad():\n    a = x * 2\n    b = a.detach() + a\nloss = (b * x).sum()\n"
    types = [block.type for block in gw.from_code(program).pages[0].blocks.values()]
    assert types.count("StopGradient") <= 3
    np.testing.assert_allclose(gradient(f"{program}loss.backward()\n"), 4 * X)
