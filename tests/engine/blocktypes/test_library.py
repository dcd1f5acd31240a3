"""The library imports the families that are asked for, and finds every type however its table is."""

from __future__ import annotations

import json
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
