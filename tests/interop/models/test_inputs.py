"""Inputs and names of models: numbers that are given or drawn, sizes that are free, and lines about them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.interop.models import tensors
from gradwire.interop.models.graphs import is_imported, notices_of, origin_at
from gradwire.interop.models.inputs import Drawn, Inputs, array_of
from gradwire.interop.models.names import block_name, listed
from gradwire.interop.models.refusals import ModelRefusal

DOUBLE, WHOLE = np.dtype(float), np.dtype(np.int64)


@dataclass
class Named:
    """Sizes of which texts are free ones, 2 by default."""

    known: dict[str, int] = field(default_factory=dict)

    def size(self, item: Any) -> int:
        return item if isinstance(item, int) else self.known.setdefault(item, 2)

    def bind(self, item: Any, size: int) -> bool:
        return size == (item if isinstance(item, int) else self.known.setdefault(item, size))

    def text(self, item: Any) -> str:
        return str(item) if isinstance(item, int) else "?"


def numbers(found: Any) -> np.ndarray[Any, Any]:
    return np.asarray(found.application.parameters["value"])


def test_given_numbers_fill_free_sizes_which_are_then_the_same_everywhere() -> None:
    inputs = Inputs(Named(), {"x": [[1, 2, 3]], "y": [[1.0, 2.0, 3.0]], "z": [1.0]})
    x = inputs.make("x", ["n", "m"], DOUBLE)
    assert (x.application.type.name, x.application.name, x.dtype) == ("Input", "x", DOUBLE)
    assert numbers(inputs.make("y", [1, "m"], DOUBLE)).tolist() == [[1, 2, 3]]
    assert inputs.make("w", ["m"], DOUBLE).shape == (3,)
    for axes in (["m"], [1, 1], [2]):
        with pytest.raises(ModelRefusal, match=r"z has shape \[1\]; the program is for \["):
            inputs.make("z", axes, DOUBLE)
    assert inputs.notices == ["Nobody gave w: its numbers are drawn with seed 0."]


def test_numbers_that_nobody_gave_are_drawn_by_a_seed_one_after_the_other() -> None:
    inputs = Inputs(Named(), {}, Drawn(seed=3))
    found = [numbers(inputs.make(name, [2, "n"], DOUBLE)) for name in ("x", "y")]
    drawn = np.random.Generator(np.random.Philox(3))
    for item in found:
        np.testing.assert_array_equal(item, drawn.normal(size=(2, 2)))
    assert numbers(inputs.make("k", [2], WHOLE)).tolist() == [0, 0]
    assert inputs.notices == [
        *(f"Nobody gave {name}: its numbers are drawn with seed 3." for name in ("x", "y")),
        "Nobody gave k: its numbers are zeros.",
    ]


def test_an_input_may_be_drawn_by_a_seed_of_its_own_or_be_one_number() -> None:
    inputs = Inputs(Named(), {"x": Drawn(seed=5), "y": Drawn(number=9.0), "z": Drawn(seed=5)})
    wanted = np.random.Generator(np.random.Philox(5)).normal(size=3)
    for name in ("x", "z"):
        np.testing.assert_array_equal(numbers(inputs.make(name, [3], DOUBLE)), wanted)
    assert numbers(inputs.make("y", [2], DOUBLE)).tolist() == [9, 9]
    # What was asked for needs no notice.
    assert inputs.notices == []


def test_a_phrase_says_how_numbers_are_drawn() -> None:
    assert [Drawn(number=item).how(DOUBLE) for item in (0.0, 9.0, 0.5)] == ["zeros", "all 9", "all 0.5"]
    assert (Drawn().how(DOUBLE), Drawn(7).how(DOUBLE)) == ("drawn with seed 0", "drawn with seed 7")
    assert Drawn(7).how(WHOLE) == Drawn(number=9.0).how(WHOLE) == "zeros"


def test_numbers_for_no_input_are_refused_with_the_names_that_there_are() -> None:
    inputs = Inputs(Named(), {"a": 1.0, "c": 2.0, "b": 3.0})
    inputs.make("a", [], DOUBLE)
    with pytest.raises(ModelRefusal, match='There is no input "b"; there are: a'):
        inputs.refuse_unknown()
    with pytest.raises(ModelRefusal, match="there are: none"):
        Inputs(Named(), {"a": 1.0}).refuse_unknown()


def test_whole_numbers_become_floats_and_no_fraction_is_lost() -> None:
    assert array_of("x", [1, 2], DOUBLE).dtype == DOUBLE
    assert array_of("x", [1.0, 2.0], WHOLE).tolist() == [1, 2]
    assert array_of("x", 0.1, np.dtype(np.float32)) == np.float32(0.1)
    for given, dtype in (([1.5], WHOLE), ([2], np.dtype(bool)), ([300], np.dtype(np.uint8))):
        with pytest.raises(ModelRefusal, match="which cannot hold these numbers"):
            array_of("x", given, dtype)
    for nothing in ("a", [[1], [2, 3]], object()):
        with pytest.raises(ModelRefusal, match="x is no tensor of numbers"):
            array_of("x", nothing, DOUBLE)


def test_an_input_may_be_as_large_as_a_tensor_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tensors, "MOST_OF_TENSOR", 24)
    inputs = Inputs(Named(), {})
    assert inputs.make("x", [3], DOUBLE).shape == (3,)
    assert inputs.make("y", [3, 0, 1], DOUBLE).shape == (3, 0, 1)
    # An empty tensor is made of steps that are not.
    for shape in ([4], [2, 2], [4, 0]):
        with pytest.raises(ModelRefusal, match=r"z wants 32 bytes, and"):
            inputs.make("z", shape, DOUBLE)


def test_a_name_of_up_to_60_letters_stays_and_a_longer_one_loses_its_middle() -> None:
    assert block_name("net.0.weight") == "net_0_weight"
    assert block_name("0.weight") == "b_0_weight" and block_name("") == "b_" and block_name("_a") == "b__a"
    whole = "a" * 60
    assert block_name(whole) == whole
    long, other = block_name("ab" * 40 + "x"), block_name("ab" * 40 + "y")
    assert long != other and len(long) == len(other) == 60
    assert long[:25] == ("ab" * 13)[:25] and long.endswith("bx") and block_name("a" * 61) != "a" * 61


def test_up_to_four_names_are_listed_and_the_others_counted() -> None:
    names = list("abcdef")
    assert listed(names[:1]) == "a" and listed(names[:4]) == "a, b, c, d"
    assert listed(names[:5]) == "a, b, c, d and 1 more" and listed(names) == "a, b, c, d and 2 more"
    assert listed(names * 300).endswith(" and 1,796 more")


def test_a_graph_that_was_made_here_has_no_notices_and_no_origins() -> None:
    graph = gw.graph(gw.Exp(gw.Input(1.0, name="x"), name="y"))
    assert not is_imported(graph) and notices_of(graph) == [] and origin_at(graph, "main/y") == ""
    assert origin_at(graph, "main/none") == origin_at(graph, "none/y") == ""
