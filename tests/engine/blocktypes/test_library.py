"""The library imports the families that are asked for, and finds every type however its table is."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from gradwire.engine.base.errors import NameUnknownError
from gradwire.engine.blocktypes.library import Library, library

ASKED = """
import json, sys
from gradwire.engine.blocktypes.library import library
import gradwire.blocks
def families():
    return sorted(name.removeprefix("gradwire.blocks.") for name in sys.modules if name.startswith("gradwire.blocks."))
found = [families()]
library["Exp"]
found.append(families())
len(library)
print(json.dumps([*found, families()]))
"""


def test_a_family_is_imported_when_one_of_its_types_is_asked_for() -> None:
    done = subprocess.run([sys.executable, "-c", ASKED], capture_output=True, text=True, check=True)
    before, asked, whole = map(set, json.loads(done.stdout))
    assert before == {"support", "support.families"}
    assert "elementwise" in asked
    assert not asked & {"convolution", "losses", "sort"}
    assert {"convolution", "losses", "sort"} <= whole


@pytest.mark.parametrize("families", [{}, {"Exp": "sort", "Huber": "einsum"}])
def test_a_type_is_found_without_its_place_or_with_a_wrong_one(families: dict[str, str]) -> None:
    found = Library()
    found.announce("gradwire.blocks", families)
    assert found["Exp"] is library["Exp"]
    assert "Huber" in found
    assert {item.name for item in found} == {item.name for item in library if not item.from_plugin}


def test_an_unknown_name_is_answered_with_the_nearest_of_all_families() -> None:
    found = Library()
    found.announce("gradwire.blocks", {})
    with pytest.raises(NameUnknownError, match="the nearest are Conv2D"):
        found["Conv2"]
    assert found.get("NoSuchType") is None


def test_a_second_type_of_the_same_name_is_refused() -> None:
    class Twin:
        Exp = type(library["Exp"]).__new__(type(library["Exp"]))

    Twin.Exp.__dict__.update(library["Exp"].__dict__)
    found = Library()
    found.announce("gradwire.blocks", {"Exp": "elementwise"})
    assert found["Exp"] is library["Exp"]
    with pytest.raises(ValueError, match="Exp cannot be added"):
        found.add_module(Twin)  # type: ignore[arg-type]  # a class has attributes too


# Each family is imported in a copy of a process that has none. It prints the names of the rules and observers.
ALONE = """
import json, os, sys
from gradwire.engine.blocktypes.library import library
import gradwire.blocks
from gradwire.blocks.support.families import FAMILIES
def named(function):
    return function and f"{function.__module__}.{function.__qualname__}"
def facts(family):
    found = {name: library[name] for name in FAMILIES[family].split()}
    return {name: [named(item.rule), named(item.observer), item.differentiable] for name, item in found.items()}
for family in FAMILIES:
    sys.stdout.flush()
    if not os.fork():
        print(json.dumps({family: facts(family)}), flush=True)
        os._exit(0)
    os.wait()
library.load()
print(json.dumps({family: facts(family) for family in FAMILIES}))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no process can be copied here")
def test_a_type_has_the_same_rules_when_its_family_is_imported_alone() -> None:
    done = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, text=True, check=True)
    *alone, together = map(json.loads, done.stdout.splitlines())
    assert len(together) > 70
    assert {family: types for item in alone for family, types in item.items()} == together


NEEDED = """
import numpy as np
import gradwire.blocks
from gradwire.engine.blocktypes.expression import Expression, constant
from gradwire.engine.blocktypes.update_rule import RULES
x, y = constant(np.ones((2, 2))), constant(np.eye(2))
made = [x + y, x - y, x * y, x / y, -x, x**y, x @ y, x > y, x < y]
print(*(item.application.type.name for item in made))
print(*(Expression.operators[name].name for name in ("sqrt", "where", "cast", "maximum", "minimum")))
print(*RULES)
"""


def test_operators_and_update_rules_are_there_without_the_families() -> None:
    done = subprocess.run([sys.executable, "-c", NEEDED], capture_output=True, text=True, check=True)
    operators, others, rules = done.stdout.splitlines()
    assert operators == "Add Subtract Multiply Divide Negative Pow MatMul Greater Less"
    assert others == "Sqrt Where Cast Maximum Minimum"
    assert {"descent", "momentum", "adam", "adamw", "lion"} < set(rules.split())
