"""Block types of a plug-in: which names of a module are its own, how they are checked, and what is told of them."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from gradwire.engine.base.errors import CodeError, EscapeError, PluginError
from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.block_type import BlockType, block, same_shape
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.parameters import Kind
from gradwire.engine.plugins.plugin_types import check_version, described, guarded, is_within, own_types, read_described


def made(
    name: str, module: str = "clouds", run: Callable[..., Array] | None = None, category: str = "Tests"
) -> BlockType:
    def function(x: Array) -> Array:
        """Gives x back."""
        return x if run is None else run(x)

    function.__name__, function.__module__ = name, module
    return block(category)(function)


def module(**names: object) -> ModuleType:
    found = ModuleType("clouds.main")
    vars(found).update(names)
    return found


def test_a_module_adds_the_types_of_its_package_once_each_under_its_name() -> None:
    rain, fog = made("Rain", "clouds.parts"), made("Fog")
    found = own_types("weather", module(Rain=rain, Again=rain, Fog=fog, Exp=library["Exp"], Other=made("Sun", "sky")))
    assert [(item.name, item.plugin) for item in found] == [("weather.Rain", "weather"), ("weather.Fog", "weather")]


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        ({"a": made("Rain"), "b": made("Rain", "clouds.parts")}, "two block types called Rain"),
        ({"a": made("no name")}, "no name is no name"),
        ({"a": made("Rain", category="")}, "category, formulas and source must be texts"),
        ({"a": made("Rain"), "GRADWIRE_API": 99}, "made for version 99"),
        ({"a": made("Sun", "sky")}, "neither a block type nor a target"),
    ],
)
def test_what_cannot_be_added_is_refused_with_the_reason(names: dict[str, object], sentence: str) -> None:
    with pytest.raises(PluginError, match=sentence):
        own_types("weather", module(**names))


def test_a_plug_in_is_made_for_one_version() -> None:
    check_version(1)
    for other in (0, 2, "1", None):
        with pytest.raises(PluginError):
            check_version(other)


def test_code_of_a_plug_in_cannot_end_the_program_and_prints_to_standard_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def leave(x: object) -> object:
        print("hello")
        return sys.exit(3) if x is None else x

    assert guarded(leave)(5) == 5
    with pytest.raises(EscapeError):
        guarded(leave)(None)
    assert capsys.readouterr() == ("", "hello\nhello\n")
    for error in (ValueError, KeyboardInterrupt):
        with pytest.raises(error):
            guarded(lambda error=error: (_ for _ in ()).throw(error()).__next__())()


def test_what_is_described_has_everything_but_code() -> None:
    (rain,) = own_types("weather", module(Rain=made("Rain", run=np.sin)))
    (found,) = read_described(described([rain]))
    assert isinstance(found, BlockType)
    assert (found.name, found.category, found.summary) == ("weather.Rain", "Tests", "Gives x back.")
    assert [port.name for port in found.inputs] == ["x"] and found.rule is None
    assert np.array_equal(rain.function(np.zeros(1)), [0.0])
    with pytest.raises(RuntimeError, match="not in this process"):
        found.function(np.zeros(1))


def own_shape(x: TensorSpec) -> TensorSpec:
    return x


def typed(**declared: object) -> BlockType:
    def Rain(x: Array, *, size: int = 2) -> Array:
        return x

    Rain.__module__ = "clouds"
    return block("Tests", **declared)(Rain)


@pytest.mark.parametrize(
    ("declared", "kept"),
    [({"infer": same_shape}, True), ({"infer": own_shape}, False), ({"infer": None}, False)],
)
def test_shapes_that_the_program_tells_itself_are_told_without_the_plug_in(
    declared: dict[str, object], kept: bool
) -> None:
    (found,) = read_described(described(own_types("weather", module(Rain=typed(**declared)))))
    assert isinstance(found, BlockType)
    assert found.infer is (same_shape if kept else None)


def test_checks_and_rules_of_a_plug_in_are_guarded_and_left_out_of_its_description() -> None:
    def even(value: object) -> int:
        return sys.exit(1) if value == 13 else int(str(value)) * 2

    rain = typed()
    rain.gradient(lambda g, *_, **__: g)
    rain.parameters["size"] = rain.parameters["size"]._replace(kind=Kind("integer", even))
    (own,) = own_types("weather", module(Rain=rain))
    assert own.normalize({"size": 3}) == {"size": 6}
    with pytest.raises(CodeError):
        own.normalize({"size": 13})
    (found,) = read_described(described([own]))
    assert isinstance(found, BlockType)
    assert found.normalize({"size": 3}) == {"size": 3} and found.rule is not None
    with pytest.raises(RuntimeError):
        found.rule()


@pytest.mark.parametrize(
    "change",
    [{"category": 3}, {"formula": None}, {"gradient_formula": 1}, {"source": b""}, {"spelling": "x"}, {"category": ""}],
)
def test_fields_of_a_declaration_have_their_types(change: dict[str, object]) -> None:
    rain = typed()
    vars(rain).update(change)
    with pytest.raises(PluginError, match="Rain: "):
        own_types("weather", module(Rain=rain))


@pytest.mark.parametrize("key", [3, "", "two words", "1st", "a-b", "x\n"])
@pytest.mark.parametrize("place", ["parameters", "inputs", "outputs"])
def test_ports_and_parameters_have_names(place: str, key: object) -> None:
    rain = typed()
    named = {key: rain.parameters["size"]} if place == "parameters" else (rain.inputs[0]._replace(name=key),)
    vars(rain)[place] = named
    with pytest.raises(PluginError, match="is no name"):
        own_types("weather", module(Rain=rain))


@pytest.mark.parametrize(
    ("infer", "is_run_apart"), [(same_shape, False), (own_shape, True), (" ".join, True), (np.sin, True), (len, True)]
)
def test_only_code_that_is_not_ours_is_wrapped(infer: Callable[..., object], is_run_apart: bool) -> None:
    (own,) = own_types("weather", module(Rain=typed(infer=infer)))
    assert (own.infer is not infer) is is_run_apart
    assert (own.rule, own.observer, own.decomposition) == (None, None, None)


def test_a_description_takes_nothing_but_what_the_program_has() -> None:
    with pytest.raises(PluginError, match="only pathlib knows"):
        read_described(pickle.dumps([Path("a")]))
    assert read_described(pickle.dumps([])) == []


def test_a_package_holds_itself_and_what_lies_in_it() -> None:
    assert [is_within(name, ("a.b", "c")) for name in ("a.b", "a.b.d", "a.bd", "a", "c", "c.e", "ca")] == [
        True, True, False, False, True, True, False,
    ]  # fmt: skip
