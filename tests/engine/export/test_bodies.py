"""Bodies of exported programs, as each library writes value and gradient, and the names in a NumPy program."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.export.export import export
from gradwire.engine.graph.graph import Graph
from tests.engine.programs import run_program


def two_losses() -> Graph:
    """Returns a graph with a Variable, an Input of floats and one of whole numbers, and losses of two dtypes."""
    x = gw.Variable(np.array([1.0, 2.0]), name="x")
    c, k = gw.Input(np.array([5.0, 2.0]), name="c"), gw.Input(np.array([1, 2]), name="k")
    total = x * c + gw.Cast(k, dtype="float64")
    return gw.graph(
        gw.Loss(gw.ReduceSum(total, name="s"), name="A"), gw.Loss(gw.Cast(x, dtype="float32", name="n"), name="B")
    )


def stopped() -> Graph:
    x = gw.Variable(np.array([1.0, 2.0]), name="x")
    return gw.graph(gw.Loss(gw.ReduceSum(gw.StopGradient(gw.Exp(x), name="stop")), name="loss"))


@pytest.mark.parametrize(
    ("target", "lines"),
    [
        (
            "tensorflow",
            [
                "x = tf.Variable(np.array([1.0, 2.0]))",
                "c = tf.constant(np.array([5.0, 2.0]))",
                "with tf.GradientTape() as tape:",
                "    tape.watch([x, c])",
                "    loss = A + tf.cast(B, tf.float64)",
                "g_x, g_c = tape.gradient(loss, [x, c])",
            ],
        ),
        (
            "torch",
            [
                "x = torch.tensor(np.array([1.0, 2.0]), requires_grad=True)",
                "k = torch.tensor(np.array([1, 2]))",
                "loss = A + B",
                "g_x, g_c = torch.autograd.grad(loss, [x, c])",
            ],
        ),
        (
            "jax",
            [
                'jax.config.update("jax_enable_x64", True)',
                "k = jnp.array(np.array([1, 2]))",
                "def compute_loss(x, c):",
                "    return A + B",
                "loss, (g_x, g_c) = jax.value_and_grad(compute_loss, argnums=(0, 1,))(x, c)",
            ],
        ),
    ],
)
def test_a_library_differentiates_with_respect_to_all_that_a_gradient_reaches(target: str, lines: list[str]) -> None:
    written = export(two_losses(), target).splitlines()
    assert [line for line in written if line in lines] == lines


@pytest.mark.parametrize(
    ("target", "zeros", "word"),
    [
        ("tensorflow", "tf.zeros_like(x)", "GradientTape"),
        ("torch", "torch.zeros_like(x)", "autograd"),
        ("jax", "jnp.zeros_like(x)", "value_and_grad"),
    ],
)
def test_where_no_gradient_reaches_anything_nothing_is_differentiated(target: str, zeros: str, word: str) -> None:
    program = export(stopped(), target)
    assert f"g_x = {zeros}  # blocked by main/stop" in program.splitlines()
    assert word not in program and "requires_grad" not in program


def test_one_gradient_is_taken_out_of_its_sequence() -> None:
    graph = gw.graph(gw.Loss(gw.Exp(gw.Variable(1.0, name="x")), name="loss"))
    assert "g_x, = torch.autograd.grad(loss, [x])" in export(graph, "torch").splitlines()
    assert "loss, (g_x,) = jax.value_and_grad(compute_loss, argnums=(0,))(x)" in export(graph, "jax").splitlines()


def test_a_numpy_program_has_the_gradient_of_each_block_by_its_name() -> None:
    x = gw.Variable(np.array([1.0, 2.0]), name="x")
    total = gw.Multiply(gw.Exp(x, name="e"), x, name="m")
    names = run_program(export(gw.graph(gw.Loss(total, name="L")), "numpy"))
    values = np.array([1.0, 2.0])
    np.testing.assert_allclose(names["g_x"], np.exp(values) * (1 + values))
    np.testing.assert_allclose(names["g_e"], values)
    np.testing.assert_allclose(names["g_m"], [1, 1])
    assert names["loss"] == names["L"] == pytest.approx(np.e + 2 * np.e**2)


def test_whole_numbers_have_no_gradient() -> None:
    names = run_program(export(two_losses(), "numpy"))
    assert {"g_x", "g_c"} <= set(names) and "g_k" not in names and names["largest"] == 0
    assert not any("g_k" in export(two_losses(), target) for target in ("tensorflow", "torch", "jax"))


def test_a_loss_called_loss_has_no_line_more() -> None:
    x = gw.Variable(np.array([1.0, 2.0]), name="x")
    lines = export(gw.graph(gw.Loss(x, name="loss")), "numpy").splitlines()
    assert [line for line in lines if line.startswith("loss = ")] == ["loss = np.sum(x)"]
    other = export(gw.graph(gw.Loss(x, name="L")), "numpy").splitlines()
    assert [line for line in other if line.startswith(("loss = ", "L = "))] == ["L = np.sum(x)", "loss = L"]


def test_outputs_of_a_block_with_several_are_called_by_block_and_port() -> None:
    top = gw.TopK(gw.Variable(np.array([1.0, 3.0, 2.0]), name="x"), k=2, name="top")
    names = run_program(export(gw.graph(gw.Loss(top[0], name="L")), "numpy"))
    assert names["top_values"].tolist() == [3, 2] and names["top_indices"].tolist() == [1, 2]
    assert names["g_x"].tolist() == [0, 1, 1] and names["found"]["gradient of x"] is names["g_x"]


def test_a_program_imports_what_it_uses_and_no_more() -> None:
    x = gw.Variable(np.array([1.0, 3.0]), name="x")

    def imports(graph: Graph, target: str) -> list[str]:
        return [line for line in export(graph, target).splitlines() if line.startswith(("import ", "from "))]

    assert imports(gw.graph(gw.Loss(gw.Exp(x), name="L")), "numpy") == ["import numpy as np"]
    assert imports(gw.graph(gw.Loss(gw.Erf(x), name="L")), "numpy") == ["import numpy as np", "import scipy.special"]
    long = gw.graph(gw.Loss(gw.Variable(np.arange(2000.0), name="x"), name="L"))
    assert imports(long, "torch") == ["import base64", "import numpy as np", "import torch"]
    assert imports(gw.graph(gw.Loss(gw.Exp(x), name="L")), "jax") == [
        "import jax",
        "import jax.numpy as jnp",
        "import numpy as np",
    ]


def test_the_largest_deviation_is_printed_and_nan_equals_nan() -> None:
    x = gw.Variable(np.array([np.nan, 1.0]), name="x")
    program = export(gw.graph(gw.Loss(gw.Square(x), name="L")), "numpy")
    assert run_program(program)["largest"] == 0
    # One of two gradients is wrong by a quarter.
    wrong = program.replace("g_x = ", "g_x = 0.25 * np.array([np.nan, 1.0]) + ", 1)
    assert run_program(wrong)["largest"] == 0.25


def test_definitions_stand_two_lines_apart_and_the_body_one_behind_the_imports() -> None:
    x = gw.Variable(np.array([1.0, 3.0]), name="x")
    lines = export(gw.graph(gw.Loss(gw.Exp(x), name="L")), "numpy").split("\n")
    place = lines.index("import numpy as np")
    assert lines[place - 1] == "" and lines[place + 1] == "" and lines[place + 2] != ""
    whole = export(gw.graph(gw.Loss(gw.TopK(x, k=1)[0], name="L")), "numpy")
    assert "\n\n\ndef top_k(" in whole and "\n\n\n\n" not in whole and whole.endswith("\n")
