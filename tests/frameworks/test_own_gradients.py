"""Programs with gradients of their own, by the frameworks' own means: they give the numbers of Gradwire."""

from __future__ import annotations

import pytest

from gradwire.engine.export.export import export
from tests.engine.own_gradients import graph_of, of_cube
from tests.engine.programs import run_program
from tests.frameworks.installed import INSTALLED
from tests.own_gradient_programs import COUNT, program

MEANS = {"tensorflow": "@tf.custom_gradient", "torch": "(torch.autograd.Function)", "jax": "@jax.custom_vjp"}


@pytest.mark.parametrize("framework", INSTALLED)
def test_a_page_with_an_own_gradient_is_exported_by_the_means_of_the_framework(framework: str) -> None:
    source = export(of_cube(), framework)
    assert MEANS[framework] in source
    assert run_program(source)["largest"] == 0


@pytest.mark.parametrize("framework", INSTALLED)
@pytest.mark.parametrize("seed", range(COUNT))
def test_programs_with_own_gradients_give_the_numbers_of_gradwire(framework: str, seed: int) -> None:
    assert run_program(export(graph_of(program(seed)), framework))["largest"] < 1e-8
