"""The help of every block type: names, help, parameters, and the spelling in NumPy."""

from __future__ import annotations

import base64
import math
import re

import numpy as np
import scipy.special

from gradwire.blocks.support.examples import help_line
from gradwire.engine.blocktypes.block_type import BlockType, Role
from gradwire.engine.export.export import TARGETS
from tests.blocks.contract.contract import TYPES, assert_close, for_samples, in_one_test, in_one_test_of_all
from tests.blocks.contract.differences import called
from tests.blocks.contract.help_lines import computed_example, outputs_in
from tests.blocks.contract.pinned import WITHOUT_NUMPY_SPELLING
from tests.blocks.contract.spelled import written
from tests.blocks.samplers.samples import Sample, dtypes_of, samples

NAMESPACE = {"np": np, "scipy": scipy, "math": math, "base64": base64}


@in_one_test_of_all
def test_names_are_camel_case_and_ports_are_single_words(block_type: BlockType) -> None:
    assert re.fullmatch(r"[A-Z][A-Za-z0-9]*", block_type.name)
    assert block_type.name == block_type.function.__name__
    names = [port.name for port in (*block_type.inputs, *block_type.outputs)]
    assert all(re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) for name in [*names, *block_type.parameters])
    assert len(set(block_type.parameters)) == len(block_type.parameters)


@in_one_test_of_all
def test_the_ports_of_one_side_have_different_names(block_type: BlockType) -> None:
    for ports in (block_type.inputs, block_type.outputs):
        assert len({port.name for port in ports}) == len(ports)
    assert not {port.name for port in block_type.inputs} & set(block_type.parameters)


@in_one_test_of_all
def test_help_is_complete(block_type: BlockType) -> None:
    assert block_type.summary[:1].isupper() or not block_type.summary[:1].isalpha()
    assert block_type.summary.endswith(".")
    assert block_type.category
    assert block_type.formula
    assert block_type.gradient_formula


@in_one_test_of_all
def test_formulas_have_balanced_braces(block_type: BlockType) -> None:
    for formula in (block_type.formula, block_type.gradient_formula):
        plain = formula.replace(r"\{", "").replace(r"\}", "")
        assert plain.count("{") == plain.count("}")
        assert formula.count(r"\left") - formula.count(r"\leftarrow") == formula.count(r"\right") - formula.count(
            r"\rightarrow"
        )


@in_one_test_of_all
def test_help_does_not_restate_the_signature(block_type: BlockType) -> None:
    restated = r"(?im)^\s*(:param|:return|args:|arguments:|parameters:|parameters$|returns:|returns$|raises:)"
    assert not re.search(restated, block_type.help)
    for name in block_type.parameters:
        assert not re.search(rf"(?m)^\s*[`*-]*\s*{name}`?\s*(\([a-z ]*\))?\s*:", block_type.help)


@in_one_test_of_all
def test_defaults_are_of_their_own_kind_and_in_normal_form(block_type: BlockType) -> None:
    for parameter in block_type.parameters.values():
        if not parameter.is_required:
            normal = parameter.kind.check(parameter.default)
            assert type(normal) is type(parameter.default)
            assert np.array_equal(normal, parameter.default) if isinstance(normal, np.ndarray) else True
            assert normal == parameter.default or isinstance(normal, np.ndarray)


@in_one_test_of_all
def test_spellings_use_only_ports_and_parameters(block_type: BlockType) -> None:
    known = {port.name for port in block_type.inputs} | set(block_type.parameters)
    for target in block_type.spelling:
        assert set(re.findall(r"(?<!\{)\{(\w+)", block_type.spelling.shown(target))) <= known


@in_one_test_of_all
def test_the_help_has_a_line_for_each_library_with_a_spelling(block_type: BlockType) -> None:
    if block_type.is_part or block_type.draw is not None or block_type.role is Role.GRADIENTS:
        return  # a program holds the numbers that were drawn, and writes a derivative out
    for target in block_type.spelling:
        line = help_line(block_type, TARGETS[target])
        assert line, f"{target}: blocks/support/examples.py has no call that {target} has"


@in_one_test_of_all
def test_a_line_of_the_help_is_no_list_of_numbers(block_type: BlockType) -> None:
    for target in block_type.spelling:
        assert len(help_line(block_type, TARGETS[target])) <= 400, target


@in_one_test(TYPES)
def test_the_line_of_numpy_in_the_help_runs_as_it_is_shown(block_type: BlockType) -> None:
    line = help_line(block_type, TARGETS["numpy"])
    if line:
        expected, names = computed_example(block_type)
        with np.errstate(all="ignore"):
            found = eval(line, NAMESPACE | names)
        for a, b in zip(outputs_in(found, block_type), expected, strict=True):
            assert_close(np.asarray(a, b.dtype), b)


def test_the_types_without_numpy_spelling_are_known() -> None:
    assert {item.name for item in TYPES if "numpy" not in item.spelling} == WITHOUT_NUMPY_SPELLING


@in_one_test(TYPES)
def test_the_numpy_spelling_gives_the_numbers_of_the_block(block_type: BlockType) -> None:
    def check(sample: Sample) -> None:
        source, names = written(block_type, sample, "numpy")
        if not source:
            return  # the line is for other samples: a port without a wire, say
        with np.errstate(all="ignore"):
            result = eval(source, NAMESPACE | names)
        found = list(result) if len(block_type.outputs) > 1 or block_type.outputs[0].variadic else [result]
        expected = called(block_type, sample.inputs, sample.parameters)
        assert len(found) == len(expected), source
        for a, b in zip(found, expected, strict=True):
            assert np.shape(a) == b.shape, source
            assert_close(np.asarray(a, b.dtype), b)

    if "numpy" in block_type.spelling:
        takes_floats = np.dtype(np.float64) in dtypes_of(block_type)
        dtype = "float64" if takes_floats and block_type.role is not Role.SOURCE else None
        for_samples(samples(block_type, dtype), check, 6)
