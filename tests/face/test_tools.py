"""What the commands do, from Python; blocks and data of one's own; rules of training."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.blocktypes.library import Plugin, library
from gradwire.engine.blocktypes.update_rule import RULES


@pytest.fixture(autouse=True)
def _own_types_go() -> Iterator[None]:
    """The library is that of the whole process: the types that a test declares go with it."""
    yield
    library.put_plugin(Plugin(__name__.rpartition(".")[2]))
    del library.plugins[__name__.rpartition(".")[2]]


SCRIPT = '''\
import numpy as np
import gradwire as gw


@gw.block
def Shrink(x: np.ndarray, *, rate: float = 0.5) -> np.ndarray:
    """The tensor times a rate."""
    return x * rate


@Shrink.gradient
def shrink_gradient(g, x, y, *, rate):
    return g * rate


x = gw.Variable([1.0, 2.0], name="x")
loss = gw.Loss(Shrink(x, rate=0.25).sum(), name="loss")
run = gw.evaluate(loss)
print(run.loss, run.gradient("x"))
print(gw.check(loss).ok)
gw.save(loss, "own.graph")
print(gw.evaluate(gw.load("own.graph")).loss)
'''


def test_examples_are_loaded_by_name() -> None:
    assert gw.evaluate(gw.load("softmax_stable")).ok
    with pytest.raises(gw.GradwireError, match="the nearest examples are softmax_stable"):
        gw.load("softmax_stabel")


def test_check_finds_errors_advice_and_wrong_rules() -> None:
    fine = gw.check(gw.load("softmax_stable"))
    assert fine.ok
    assert repr(fine).startswith("ok")
    x = gw.Variable([1000.0, 0.0], name="x")
    overflow = gw.Loss((gw.exp(x) / gw.exp(x).sum())[0])
    assert any("inf" in sentence for sentence in gw.check(overflow).problems)
    guarded = gw.Variable([1.0, 0.0])
    (said,) = gw.advice(gw.Loss(gw.where(guarded > 0, gw.log(guarded), 0.0).sum()))
    assert said.endswith("Fix: Insert Where before it.")


def test_a_rule_that_is_wrong_does_not_pass() -> None:
    @gw.block
    def Doubled(x: np.ndarray) -> np.ndarray:
        """Twice the tensor."""
        return x * 2

    @Doubled.gradient  # type: ignore[untyped-decorator]
    def doubled_gradient(g: gw.Expression, x: gw.Expression, y: gw.Expression) -> gw.Expression:
        return g * 3.0

    found = gw.check(gw.Loss(Doubled(gw.Variable([1.0], name="x"))))
    assert not found.ok
    assert "main/" in found.mismatches[0]


def test_programs_and_pictures_are_written(tmp_path: Path) -> None:
    graph = gw.load("softmax_stable")
    program = gw.export(graph, "numpy", tmp_path / "program.py")
    assert (tmp_path / "program.py").read_text() == program
    done = subprocess.run([sys.executable, tmp_path / "program.py"], capture_output=True, text=True, check=True)
    assert "2.4049" in done.stdout
    with pytest.raises(gw.GradwireError, match="there are: "):
        gw.export(graph, "caffe")  # type: ignore[arg-type]
    gw.render(graph, tmp_path / "picture.svg")
    assert (tmp_path / "picture.svg").read_text().startswith("<?xml")


def test_graphs_differ_by_lines_and_tensors_by_neighbours() -> None:
    x = gw.Variable([1.0, 4.0, 9.0], name="x")
    assert gw.diff(x.sum(), x.sum()) == []
    assert "+ block main/Exp: Exp" in gw.diff(x.sum(), gw.exp(x).sum())
    step = gw.diff(x)
    assert isinstance(step, gw.Expression)
    np.testing.assert_array_equal(gw.evaluate(step).value(step), [3, 5])


@pytest.mark.parametrize("name", list(RULES))
def test_every_rule_of_training_is_a_function(name: str) -> None:
    rule = getattr(gw, name)(0.125)
    w = gw.Variable([3.0])
    training = gw.training((w * w).sum(), rule)
    training.step()
    (block,) = [item for item in training.graph.pages[0].blocks.values() if item.type == "Variable"]
    assert block.parameters["value"] < 3
    assert getattr(gw, name).__doc__


def test_a_rule_needs_known_parameters() -> None:
    with pytest.raises(gw.GradwireError, match="weight_decay"):
        gw.adamw(0.1, decay=0.1)  # type: ignore[call-arg]
    with pytest.raises(gw.GradwireError, match="needs a rate"):
        gw.adagrad_da()


def test_a_block_of_a_script_is_known_there_and_named_by_its_module(tmp_path: Path) -> None:
    (tmp_path / "own_blocks.py").write_text(SCRIPT)
    done = subprocess.run([sys.executable, "own_blocks.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.split("\n") == ["0.75 [0.25 0.25]", "True", "0.75", ""], done.stderr
    assert '"own_blocks.Shrink"' in (tmp_path / "own.graph").read_text()
    elsewhere = gw.evaluate(gw.load(tmp_path / "own.graph"), strict=False)
    assert any("own_blocks is not loaded" in said and "import that script" in said for said in elsewhere.problems)


def test_a_cell_may_run_again_and_what_is_wrong_is_a_sentence() -> None:
    for factor in (2.0, 3.0):

        @gw.block("Arithmetic")
        def Scaled(x: np.ndarray, *, factor: float = factor) -> np.ndarray:
            """The tensor times a factor."""
            return x * factor

        assert gw.evaluate(Scaled(gw.Input([1.0]))).loss == factor
    run = gw.evaluate(gw.Loss(Scaled(gw.Input([1.0], name="x"), name="s")))
    assert run.why("x") == "main/x.y: Every path to the loss passes a block that returns no gradient: main/s."
    with pytest.raises(gw.GradwireError, match=r"Untyped: .*rate: float"):

        @gw.block
        def Untyped(x: np.ndarray, *, rate=1.0) -> np.ndarray:  # type: ignore[no-untyped-def]
            """Nothing."""
            return x


def test_data_reads_the_file_that_the_caller_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "rows.csv").write_text("a,b,label\n1,2,0\n3,4,1\n5,6,0\n")
    monkeypatch.chdir(tmp_path)
    for given in (
        {"file": "deep/rows.csv"},
        {"file": "rows.csv", "folder": "deep"},
        {"file": tmp_path / "deep/rows.csv"},
    ):
        x, y = gw.Data(**given, name="rows")  # type: ignore[arg-type]
        run = gw.evaluate(x, y)
        np.testing.assert_array_equal(run.value(x), [[1, 2], [3, 4], [5, 6]])
        np.testing.assert_array_equal(run.value(y), [[1, 0], [0, 1], [1, 0]])
    gw.save(gw.graph(x), tmp_path / "saved.graph")
    text = (tmp_path / "saved.graph").read_text()
    assert '"rows.csv"' in text
    assert "inputs" not in text
    with pytest.raises(gw.GradwireError, match=r"no file missing\.csv"):
        gw.Data(file="missing.csv")
    moons, _ = gw.Data(set="moons", n=20)
    assert moons.shape == (20, 2)


def test_many_inputs_may_be_a_list() -> None:
    a, b = gw.Input([1.0]), gw.Input([2.0])
    for joined in (gw.Concat([a, b], axis=0), gw.Concat(a, b, axis=0)):
        np.testing.assert_array_equal(gw.evaluate(joined).value(joined), [1, 2])
    np.testing.assert_array_equal(gw.Stack([np.ones(2), np.zeros(2)]), [[1, 1], [0, 0]])
    np.testing.assert_array_equal(gw.AddN([1.0, 2.0]), [1, 2])


@pytest.mark.parametrize(
    "use",
    [
        gw.graph,
        gw.evaluate,
        gw.check,
        gw.advice,
        gw.export,
        gw.svg,
        gw.notices,
        gw.check_gradients,
        lambda found: gw.save(found, "never.graph"),
        lambda found: gw.render(found, "never.png"),
        lambda found: gw.evaluate(gw.Constant(1.0)).why(found),
        lambda found: gw.evaluate(gw.Constant(1.0)).value(found),
    ],
)
@pytest.mark.parametrize("given", [[1.0], 3, None, np.ones(2)])
def test_what_is_neither_a_graph_nor_an_expression_is_refused_by_a_sentence(use: Any, given: object) -> None:
    with pytest.raises(gw.GradwireError, match=r"Give .* not (list|int|NoneType|ndarray)[.;]"):
        use(given)
    assert not Path("never.graph").exists()


@pytest.mark.parametrize("name", ["page.html", "page.svg"])
def test_a_theme_that_is_not_there_is_said(tmp_path: Path, name: str) -> None:
    graph: Any = gw.load("softmax_stable")
    theme: Any = "blue"
    with pytest.raises(gw.GradwireError, match="There is no theme blue; there are: auto, dark, light"):
        gw.render(graph, tmp_path / name, theme=theme)
    with pytest.raises(gw.GradwireError, match="There is no theme blue"):
        gw.html(graph, theme=theme)
    with pytest.raises(gw.GradwireError, match="a picture is dark or light"):
        gw.render(graph, tmp_path / "page.svg", theme="auto")
    assert [*tmp_path.iterdir()] == []
