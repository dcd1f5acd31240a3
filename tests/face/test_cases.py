"""Losses and one-liners as people write them, beside what PyTorch and NumPy give for the same text."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradwire as gw

FOLDER = Path(__file__).parents[1] / "data" / "face"
CASES = json.loads((FOLDER / "index.json").read_text())
ONE_LINERS = json.loads((FOLDER / "one_liners.json").read_text())


def leaf(name: str, values: np.ndarray) -> gw.Expression:
    return gw.Variable(values, name=name) if values.dtype.kind == "f" else gw.Input(values, name=name)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_loss_has_the_value_and_gradients_of_pytorch(case: dict[str, Any]) -> None:
    kept = np.load(FOLDER / f"{case['id']}.npz")
    leaves = {name: leaf(name, kept[f"in/{name}"]) for name in case["inputs"]}
    loss = runpy.run_path(str(FOLDER / f"{case['id']}.txt"))["loss"](**leaves)
    run = gw.evaluate(gw.Loss(loss))
    np.testing.assert_allclose(run.loss, kept["loss"], rtol=case["rtol"], atol=1e-12)
    for name in case["gradients"]:
        wanted = kept[f"grad/{name}"]
        scale = max(1e-3, float(np.abs(wanted).max(initial=0)))
        found = run.gradient(f"{name}.y")
        np.testing.assert_allclose(found, wanted, rtol=case["rtol"], atol=case["rtol"] * scale)


@pytest.mark.parametrize("row", ONE_LINERS["rows"], ids=lambda row: row["code"])
def test_a_line_gives_the_numbers_of_numpy_or_a_sentence(row: dict[str, Any]) -> None:
    leaves = {name: leaf(name, np.array(values)) for name, values in ONE_LINERS["given"].items()}
    scope = {"gw": gw, "np": np, **leaves}
    if row["opens"] == "refused":
        with pytest.raises((gw.GradwireError, TypeError, AttributeError)) as caught:
            eval(row["code"], scope)
        assert not row["says"] or any(word in str(caught.value) for word in row["says"])
        return
    found = eval(row["code"], scope)
    if row["data"] is None:
        assert found is False
        return
    got = gw.evaluate(found).value(found)
    np.testing.assert_allclose(got, np.reshape(row["data"], row["shape"]), rtol=1e-12, atol=1e-12)
