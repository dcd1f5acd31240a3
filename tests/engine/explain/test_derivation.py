"""Sheet of the stable softmax, compared with p = softmax(x) and the gradient p (w - w.p), w = 1, 2, 3."""

from __future__ import annotations

import re

import numpy as np
import pytest

from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.explain.derivation import LATEX, derivation
from gradwire.engine.graph.graph import Block
from tests.engine.explain.test_paths import softmax
from tests.recorded import make_graph

X, MX = PortName("main/x", "y"), PortName("main/mx", "y")

STOPPED = r"""# ∂L/∂`x.y`

The loss is L = 2.40493; the chain rule is followed back from it, block by block.

1. `loss` (Loss): $L = \textstyle\sum w\,x$
   - incoming: ∂L/∂`loss.y` = 1
   - rule: $\bar x = w,\quad \bar w = x$
   - back along `m.z → loss.x`: [1, 1, 1]
2. `m` (Multiply): $z = x\,y$
   - incoming: ∂L/∂`m.z` = [1, 1, 1]
   - rule: $\bar x = y\,\bar z,\quad \bar y = x\,\bar z$
   - back along `d.z → m.x`: [1, 2, 3]
3. `d` (Divide): $z = x / y$
   - incoming: ∂L/∂`d.z` = [1, 2, 3]
   - rule: $\bar x = \bar z / y,\quad \bar y = -\bar z \cdot x / y^2$
   - back along `e.y → d.x`: [0.468311, 0.936621, 1.40493]
   - back along `s.y → d.y`: -1.12625
4. `s` (ReduceSum): $y = \sum_{i \in \mathrm{axis}} x_i$
   - incoming: ∂L/∂`s.y` = -1.12625
   - rule: $\bar x_i = \bar y$
   - back along `e.y → s.x`: [-1.12625, -1.12625, -1.12625]
5. `e` (Exp): $y = e^x$
   - incoming: ∂L/∂`e.y` = [0.468311, 0.936621, 1.40493] + [-1.12625, -1.12625, -1.12625] = SUM
   - rule: $\bar x = y\,\bar y$
   - back along `z.z → e.x`: [-0.0890431, -0.189634, 0.278677]
6. `z` (Subtract): $z = x - y$
   - incoming: ∂L/∂`z.z` = [-0.0890431, -0.189634, 0.278677]
   - rule: $\bar x = \bar z,\quad \bar y = -\bar z$
   - back along `sg.y → z.y`: TINY
   - back along `x.y → z.x`: [-0.0890431, -0.189634, 0.278677]
7. `sg` (StopGradient): $y = x$
   - incoming: ∂L/∂`sg.y` = TINY
   - StopGradient is treated as a constant: the incoming gradient is withheld
   - back along `mx.y → sg.x`: 0
8. `mx` (ReduceMax): $y = \max_i x_i$
   - incoming: ∂L/∂`mx.y` = 0
   - rule: $\bar x_i = [x_i = y]\,\bar y / \textstyle\sum_j [x_j = y]$
   - back along `x.y → mx.x`: [0, 0, 0]

Result: ∂L/∂`x.y` = [0, 0, 0] + [-0.0890431, -0.189634, 0.278677] = [-0.0890431, -0.189634, 0.278677]
"""


def sheet(is_stopped: bool, *more: object) -> str:
    return derivation(run_graph(softmax(is_stopped)), *more)  # type: ignore[arg-type]


def test_the_sheet_of_the_stable_softmax() -> None:
    """Rounding decides numbers of about 1e-16; all others agree to the last digit."""
    found = re.sub(r"-?\d(\.\d+)?e-1[67]", "TINY", sheet(True, X))
    assert found == STOPPED.replace("SUM", "[-0.657944, -0.189634, 0.278677]")


def test_the_numbers_of_the_sheet_are_those_of_the_formula() -> None:
    x, w = np.array([1.0, 3.0, 3.0]), np.array([1.0, 2.0, 3.0])
    p = np.exp(x) / np.exp(x).sum()
    (said,) = re.findall(r"Result: .* = (\[.*\])", sheet(True, X))
    np.testing.assert_allclose(np.fromstring(said[1:-1], sep=","), p * (w - w @ p), rtol=1e-5)


def test_one_path_ends_with_what_it_adds() -> None:
    ends = {sheet(False, MX, (choice,)).splitlines()[-1] for choice in (0, 1)}
    assert ends == {f"Result: this path adds {amount} to ∂L/∂`mx.y`" for amount in ("2.40493", "-2.40493")}


def test_a_cut_path_says_where_it_becomes_a_constant() -> None:
    found = sheet(True, X, (1,), True)
    assert "StopGradient is treated as a constant: the incoming gradient is withheld" in found
    assert "back along `mx.y → sg.x`: 0; without StopGradient 2.40493" in found
    assert found.splitlines()[-1].startswith("Result: this path adds nothing to ∂L/∂`x.y`; without")


def test_latex_says_the_same_in_its_own_words() -> None:
    found = sheet(True, X, None, False, LATEX)
    assert found.startswith("\\section*{$\\partial L/\\partial\\,$\\texttt{x.y}}")
    assert found.count("\\begin{itemize}") == found.count("\\end{itemize}") == 8
    assert "\\texttt{e.y $\\to$ d.x}: [0.468311, 0.936621, 1.40493]" in found
    assert not set("→∂`") & set(found)


@pytest.mark.parametrize("name", ["a_b", "a1"])
def test_latex_prints_every_name(name: str) -> None:
    graph = make_graph(
        [Block(name, "Input", parameters={"value": np.array(2.0)}), Block("loss", "Loss")], [(f"{name}.y", "loss.x")]
    )
    found = derivation(run_graph(graph), PortName(f"main/{name}", "y"), style=LATEX)
    assert f"\\texttt{{{name.replace('_', chr(92) + '_')}.y}}" in found


def test_a_wire_has_a_sheet_of_what_comes_back_along_it() -> None:
    link = Link(PortName("main/e", "y"), PortName("main/s", "x"))
    found = sheet(True, link)
    assert found.startswith("# ∂L/∂`e.y → s.x`") and "`d.x`" not in found
    assert found.splitlines()[-1] == "Result: ∂L/∂`e.y → s.x` = [-1.12625, -1.12625, -1.12625]"


def test_what_is_not_there_has_no_sheet() -> None:
    assert sheet(True, PortName("main/gone", "y")) == ""
    assert sheet(True, X, (7, 7)) == ""


def test_what_has_no_gradient_has_no_result() -> None:
    assert sheet(False, X, (9,)) == ""
    blocks = [Block("i", "Input", parameters={"value": np.array([1, 0])}), Block("g", "Gather"), Block("loss", "Loss")]
    blocks.append(Block("x", "Input", parameters={"value": np.array([1.0, 2.0])}))
    graph = make_graph(blocks, [("x.y", "g.params"), ("i.y", "g.indices"), ("g.y", "loss.x")])
    wire = Link(PortName("main/i", "y"), PortName("main/g", "indices"))
    assert "Result" not in derivation(run_graph(graph), wire)


@pytest.mark.parametrize(("place", "has_steps"), [("x", True), ("free", False)])
def test_a_sheet_has_a_list_if_it_has_steps(place: str, has_steps: bool) -> None:
    blocks = [Block(name, "Variable", parameters={"value": np.array([1.0, 2.0])}) for name in ("x", "free")]
    run = run_graph(make_graph([*blocks, Block("loss", "Loss")], [("x.y", "loss.x")]))
    found = derivation(run, PortName(f"main/{place}", "y"), style=LATEX)
    assert (LATEX.begin in found) is (LATEX.end in found) is has_steps
