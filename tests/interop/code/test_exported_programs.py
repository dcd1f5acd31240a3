"""Programs that Gradwire exports for libraries whose code it reads: read back, they give the same numbers."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.blocktypes.spelling import NATIVE
from gradwire.engine.export.export import export
from tests.gallery import example, example_names

# Convolutions in NumPy are written with windows of strides, which have no block.
UNREAD = {("numpy", "cnn_micro")}
# Lines of NumPy do not say that a value has a gradient of its own.
DERIVED = ("guide_4_custom_gradient", "own_")
SOURCES = ("Input", "Variable")


def check(name: str, target: str) -> None:
    graph = example(name)
    expected, found = gw.evaluate(graph), gw.evaluate(gw.from_code(export(graph, target)))
    np.testing.assert_allclose(found.loss, expected.loss, rtol=1e-9)
    if target == "numpy" and name.startswith(DERIVED):
        return
    read = {str(port.path): item.gradient for port, item in found.snapshot.ports.items()}
    for block in graph.pages[0].blocks.values():
        wanted = expected.port(f"{block.id}.y").gradient if block.type in SOURCES else None
        if wanted is not None:
            np.testing.assert_allclose(read[f"main/{block.id}"], wanted, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("target", NATIVE)
@pytest.mark.parametrize(
    "name", ["softmax_stable", "td_semi", "newton", "linreg", "ste", "vq", "attention", "own_clip"]
)
def test_a_program_reads_back(name: str, target: str) -> None:
    check(name, target)


@pytest.mark.long
@pytest.mark.parametrize("target", NATIVE)
@pytest.mark.parametrize("name", example_names())
def test_every_program_of_the_gallery_reads_back(name: str, target: str) -> None:
    if (target, name) in UNREAD:
        with pytest.raises(gw.GradwireError, match="NamedTuple"):
            gw.from_code(export(example(name), target))
    else:
        check(name, target)
