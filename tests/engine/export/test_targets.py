"""A target of the export is one module: this test adds a fifth one without touching any other."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import numpy as np
import pytest

import gradwire.engine.export.export
from gradwire.blocks.support.examples import help_lines
from gradwire.engine.base.errors import ExportError
from gradwire.engine.blocktypes.library import Plugin, library
from gradwire.engine.blocktypes.spelling import NATIVE, Spelling
from gradwire.engine.blocktypes.target import Target
from gradwire.engine.export.export import TARGETS, WRITERS, export, targets
from gradwire.engine.export.program import Program, loss_line
from gradwire.engine.graph.graph import Block, Graph
from tests.engine.programs import run_program
from tests.frameworks.installed import MODULES
from tests.gallery import example
from tests.recorded import make_graph


def body(program: Program) -> list[str]:
    leaves = [f"{leaf.name} = xp.asarray({leaf.line})" for leaf in program.leaves]
    return [*leaves, *program.forward(), *loss_line(program)]


FIFTH = Target(key="fifth", title="The Fifth", array="xp.asarray({})", imports={"xp": "import numpy as xp"})


def add_target(monkeypatch: pytest.MonkeyPatch) -> None:
    """Adds a target for which Exp and Loss are spelled."""
    monkeypatch.setitem(TARGETS, "fifth", FIFTH)
    monkeypatch.setitem(WRITERS, "fifth", body)
    for name, line in {"Exp": "xp.exp({x})", "Loss": "xp.sum({x})"}.items():
        monkeypatch.setattr(library[name], "spelling", Spelling(**library[name].spelling, fifth=line))


@pytest.fixture
def _fifth(monkeypatch: pytest.MonkeyPatch) -> None:
    """One more target."""
    add_target(monkeypatch)


def graph(kind: str, name: str = "y") -> Graph:
    blocks = [Block("x", "Input", parameters={"value": np.array([0.0, 1.0])}), Block(name, kind), Block("L", "Loss")]
    return make_graph(blocks, [("x.y", f"{name}.x"), (f"{name}.y", "L.x")])


def test_each_target_is_a_module_beside_the_export_and_tests_run_lines_of_those_that_say_so() -> None:
    modules = Path(gradwire.engine.export.export.__file__).parent.glob("target_*.py")
    assert {path.stem.removeprefix("target_") for path in modules} == set(TARGETS)
    assert [target.title for target in TARGETS.values()][: len(NATIVE)] == ["NumPy", "TensorFlow", "PyTorch", "JAX"]
    assert [target.key for target in TARGETS.values() if target.is_run] == ["numpy", *MODULES]


@pytest.mark.usefixtures("_fifth")
def test_a_program_for_a_new_target_has_its_imports_and_lines() -> None:
    source = export(graph("Exp"), "fifth")
    assert "import numpy as xp\n" in source
    assert "as a program for The Fifth" in source
    assert "y = xp.exp(x)\n" in source
    assert run_program(source)["loss"] == 1 + np.e


@pytest.mark.usefixtures("_fifth")
def test_no_block_takes_the_name_of_a_module_of_a_new_target() -> None:
    assert run_program(export(graph("Exp", name="xp"), "fifth"))["xp_2"] == pytest.approx([1, np.e])


@pytest.mark.usefixtures("_fifth")
def test_a_block_without_a_line_for_a_new_target_is_named() -> None:
    with pytest.raises(ExportError, match=r"The Fifth has no line for Sin \(main/y\)"):
        export(graph("Sin"), "fifth")


# An operation of a library, written as plainly as possible: what is asked for its gradient follows on a call.
OPERATION = """
def {name}(compute, differentiate):
    compute.differentiate = differentiate
    return compute
"""


@pytest.mark.usefixtures("_fifth")
def test_a_block_without_a_line_is_an_operation_that_numpy_computes_with_its_gradient(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(TARGETS, "fifth", dataclasses.replace(FIFTH, operation=OPERATION.strip()))
    blocks = [Block("x", "Input", parameters={"value": np.array([3.0, 1.0, 5.0, 5.0])}), Block("L", "Loss")]
    blocks += [Block("k", "Input", parameters={"value": np.array([0, 0, 1, 1])}), Block("y", "SegmentMax")]
    wires = [("x.y", "y.data"), ("k.y", "y.segment_ids"), ("y.y", "L.x")]
    names = run_program(export(make_graph(blocks, wires), "fifth"))
    assert names["y"].tolist() == [3, 5]
    differentiate = names["segment_max_operation"].differentiate
    parts = differentiate(np.array([1.0, 10.0]), names["x"], names["k"], names["y"])
    assert parts[0].tolist() == [1, 0, 5, 5] and parts[1] is None


@pytest.mark.usefixtures("_fifth")
def test_an_inner_part_of_a_derivative_is_refused_by_the_name_of_the_users_block() -> None:
    value = {"value": np.array([3.0, 1.0])}
    blocks = [Block("x", "Input", parameters=value), Block("y", "Exp"), Block("d", "Gradients"), Block("L", "Loss")]
    wires = [("x.y", "y.x"), ("y.y", "d.y"), ("x.y", "d.xs_0"), ("d.g_0", "L.x")]
    with pytest.raises(ExportError, match=r"The Fifth has no line for Gradients \(main/d\); export to NumPy"):
        export(make_graph(blocks, wires), "fifth")


# CuPy is written as NumPy is; here NumPy takes its place, so that its programs run.
LIKE_NUMPY = Target(
    key="cupy",
    title="CuPy",
    based_on="numpy",
    modules={"np": "cp", "scipy": "cupyx.scipy"},
    imports={"cp": "import numpy as cp"},
    packages=("cupyx.scipy",),
    array="cp.asarray({})",
    as_array="cp.asarray({})",
)


@pytest.fixture
def _like_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    """One more target, which a plug-in bases on NumPy."""
    monkeypatch.setitem(library.plugins, "clouds", Plugin("clouds", is_enabled=True, targets=(LIKE_NUMPY,)))


@pytest.mark.usefixtures("_like_numpy")
@pytest.mark.parametrize("name", ["softmax_stable", "newton", "linreg", "ste"])
def test_a_target_based_on_another_has_its_lines_with_other_names(name: str) -> None:
    assert targets()["cupy"] is LIKE_NUMPY
    source = export(example(name), "cupy")
    lines = source.partition("# Inputs")[2].partition("# What Gradwire found")[0]
    assert set(re.findall(r"(?<![\w.])(\w+)\.\w+[.(]", lines.replace("cp.asarray(np.array(", ""))) == {"cp"}
    assert run_program(source)["largest"] < 1e-12


def test_a_target_based_on_another_prefers_its_own_lines_and_leaves_texts_alone() -> None:
    spelling = Spelling("np.f({x}, 'np.g', scipy.special.h({x}), y.np.z)", cupy="cp.own({x})")
    assert LIKE_NUMPY.line(spelling, {"x": "a"}, {}) == "cp.own(a)"
    plain = Spelling(spelling["numpy"])
    assert LIKE_NUMPY.line(plain, {"x": "a"}, {}) == "cp.f(a, 'np.g', cupyx.scipy.special.h(a), y.np.z)"
    assert LIKE_NUMPY.has_line(plain) and not LIKE_NUMPY.has_line(Spelling(torch="torch.f({x})"))


@pytest.mark.usefixtures("_like_numpy")
def test_lines_that_nobody_has_run_are_marked_in_the_help() -> None:
    titles = {line.title for line in help_lines(library["Exp"])}
    assert titles == {"NumPy", "TensorFlow", "PyTorch", "JAX", "CuPy (unverified)"}


def test_no_library_has_run_the_lines_of_a_plug_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library["Exp"], "plugin", "clouds")
    assert {line.title for line in help_lines(library["Exp"])} >= {"NumPy (unverified)", "PyTorch (unverified)"}
    assert not any(line.is_run for line in help_lines(library["Exp"]))


def test_a_spelling_has_its_targets_by_position_or_by_name() -> None:
    spelling = Spelling("np.f({x})", "", "torch.f({x})", fifth="xp.f({x})")
    assert dict(spelling) == {"numpy": "np.f({x})", "torch": "torch.f({x})", "fifth": "xp.f({x})"}
    assert spelling.shown("tensorflow") == spelling.write("tensorflow", {"x": "a"}, {}) == ""
    assert spelling.write("fifth", {"x": "a"}, {}) == "xp.f(a)"


def products() -> Graph:
    """Two products one behind the other, and resized."""
    blocks = [Block("x", "Input", parameters={"value": np.array([[-1.0, 0.0], [0.0, 2.0]])})]
    blocks += [Block("m", "MatMul"), Block("n", "MatMul"), Block("i", "Reshape", parameters={"shape": (1, 2, 2, 1)})]
    blocks += [Block("r", "ResizeNearest", parameters={"size": (4, 4)}), Block("L", "Loss")]
    wires = [("x.y", "m.a"), ("x.y", "m.b"), ("m.product", "n.a"), ("x.y", "n.b"), ("n.product", "i.x")]
    return make_graph(blocks, [*wires, ("i.y", "r.images"), ("r.y", "L.x")])


def test_jax_says_once_that_zeros_which_are_sums_may_have_the_other_sign() -> None:
    lines = export(products(), "jax").splitlines()
    told = [line for line in lines if "a zero that is a sum may have the other sign" in line]
    assert len(told) == 1 and "x @ x" in told[0]
    assert any("jax.image.resize" in line and "-0.0 may stay -0.0" in line for line in lines)


@pytest.mark.parametrize("target", ["numpy", "torch", "tensorflow"])
def test_other_libraries_have_the_zeros_of_gradwire(target: str) -> None:
    assert "other sign" not in export(products(), target)
