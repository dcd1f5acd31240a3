"""Each block type looks to Python's own tools like a documented function."""

from __future__ import annotations

import inspect
import pydoc

import gradwire as gw
from gradwire.engine.blocktypes.block_type import BlockType
from tests.blocks.contract.contract import in_one_test_of_all


@in_one_test_of_all
def test_its_signature_has_its_ports_by_position_and_its_parameters_by_keyword(block_type: BlockType) -> None:
    found = inspect.signature(block_type).parameters.values()
    ports = [item.name for item in found if item.kind in (item.POSITIONAL_ONLY, item.VAR_POSITIONAL)]
    settings = {item.name: item.default for item in found if item.kind is item.KEYWORD_ONLY}
    assert ports == [port.name for port in block_type.inputs]
    assert set(settings) == {*block_type.parameters, "name"}
    for name, parameter in block_type.parameters.items():
        assert settings[name] is (inspect.Parameter.empty if parameter.is_required else parameter.default)
    assert all(item.annotation is not item.empty for item in found)


@in_one_test_of_all
def test_python_knows_its_name_and_where_it_is_declared(block_type: BlockType) -> None:
    assert block_type.__name__ == block_type.__qualname__ == block_type.name
    assert getattr(inspect.getmodule(block_type), block_type.name) is block_type
    assert f"def {block_type.name}(" in inspect.getsource(block_type)


@in_one_test_of_all
def test_help_shows_text_ports_parameters_and_both_formulas(block_type: BlockType) -> None:
    shown = pydoc.render_doc(block_type, renderer=pydoc.plaintext)
    said = [*block_type.help.split(), block_type.formula, block_type.gradient_formula]
    said += [port.name for port in (*block_type.inputs, *block_type.outputs)]
    said += [f"parameter {name}" for name in block_type.parameters]
    assert all(text in shown for text in said)


def test_the_signature_of_a_reduction() -> None:
    assert str(inspect.signature(gw.ReduceMax)) == (
        "(x: Expression | ArrayLike, /, *, axis: int | Sequence[int] | None = None, keepdims: bool = False, "
        "name: str | None = None) -> Expression | Array"
    )


def test_a_variadic_port_and_several_outputs_in_a_signature() -> None:
    assert str(inspect.signature(gw.AddN)).startswith("(*values: Expression | ArrayLike, ")
    assert str(inspect.signature(gw.TopK)).endswith("-> tuple[Expression | Array, Expression | Array]")
    assert str(inspect.signature(gw.Split)).endswith("-> tuple[Expression | Array, ...]")


def test_it_shows_itself_with_its_ports_and_parameters() -> None:
    assert repr(gw.ReduceMax) == "<block type ReduceMax(x, /, *, axis=None, keepdims=False, name=None)>"


def test_the_class_of_block_types_keeps_its_own_help() -> None:
    assert (BlockType.__doc__ or "").startswith("A kind of block")
    assert "infer" in inspect.signature(BlockType).parameters
