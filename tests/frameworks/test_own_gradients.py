"""Programs with gradients of their own, by the frameworks' own means: they give the numbers of Gradwire."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from gradwire.engine.export.export import export
from tests.engine.own_gradients import graph_of, of_cube
from tests.engine.programs import run_program
from tests.frameworks.installed import INSTALLED, as_array, namespace
from tests.own_gradient_programs import COUNT, program

RULES = Path(__file__).parents[1] / "data" / "rules"
RECORDED = json.loads((RULES / "gradients.json").read_text(encoding="utf-8"))
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


@pytest.mark.parametrize("framework", INSTALLED)
def test_rules_as_people_write_them_have_the_recorded_gradients(framework: str) -> None:
    names = namespace(framework)
    if framework == "torch":
        names["torch"].set_default_dtype(names["torch"].float64)
    try:
        for name, gradient in RECORDED.items():
            if name.startswith({"tensorflow": "tf"}.get(framework, framework)):
                known: dict[str, object] = {}
                exec((RULES / f"{name}.txt").read_text(encoding="utf-8"), known)
                found = known["g"] if "g" in known else known["x"].grad  # type: ignore[attr-defined]  # a tensor
                np.testing.assert_allclose(as_array(found), gradient, rtol=1e-5, atol=1e-12)
    finally:
        if framework == "torch":
            names["torch"].set_default_dtype(names["torch"].float32)
