"""Targets of the export in a plug-in: each is based on one of ours, and goes to other processes without any code."""

from __future__ import annotations

from types import ModuleType

import pytest

from gradwire.engine.base.errors import PluginError
from gradwire.engine.blocktypes.target import Target
from gradwire.engine.plugins.plugin_types import described, own_targets, own_types, read_described


def module(**names: object) -> ModuleType:
    found = ModuleType("clouds")
    vars(found).update(names)
    return found


def test_a_plug_in_may_define_targets_alone() -> None:
    cupy = Target(key="cupy", title="CuPy", based_on="numpy", modules={"np": "cp"})
    clouds = module(CUPY=cupy, AGAIN=cupy)
    assert own_types("clouds", clouds) == []
    assert own_targets(clouds) == (cupy,)
    assert read_described(described([cupy])) == [cupy]


@pytest.mark.parametrize(
    ("key", "based_on"), [("cupy", ""), ("cupy", "fortran"), ("numpy", "torch"), ("no name", "numpy")]
)
def test_a_target_without_a_base_or_a_key_of_its_own_is_refused(key: str, based_on: str) -> None:
    with pytest.raises(PluginError, match=f"its target {key} must have a key of its own"):
        own_targets(module(TARGET=Target(key=key, title="Odd", based_on=based_on)))


def test_a_plug_in_that_adds_nothing_is_refused() -> None:
    with pytest.raises(PluginError, match="neither a block type nor a target"):
        own_types("clouds", module())
