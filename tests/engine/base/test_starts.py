"""Starts of Variables: against the formulas of Glorot, He and Saxe, Philox written out, and recorded bits."""

from __future__ import annotations

import hashlib
import math
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gradwire.engine.base.counter_random import normals
from gradwire.engine.base.errors import ParameterError
from gradwire.engine.base.schema import JsonFault
from gradwire.engine.base.starts import KINDS, complete, drawn, fans, read_start, without_drawn
from tests.engine.base.philox import uniform_numbers

SHAPE = (60, 90)
# Hashes of the bits of shape [4, 6] and seed 5, recorded on x86 with AVX-512; every machine has to give them.
BITS = {
    "normal": "a8bc62d2a1313dde",
    "uniform": "981524f59342b9ef",
    "glorot_uniform": "1530b635a57ab40d",
    "glorot_normal": "abf3c791e3b27640",
    "he_normal": "1502e12311c92ff6",
    "orthogonal": "dcda402d514bfcb4",
}
PROGRAM = """
import hashlib
from gradwire.engine.base.starts import drawn
for kind in {kinds}:
    print(hashlib.sha256(drawn((4, 6), {{"kind": kind, "seed": 5}}).tobytes()).hexdigest()[:16])
"""


def start(kind: str, **settings: object) -> dict[str, object]:
    return read_start({"kind": kind, **settings})


@pytest.mark.parametrize(("kind", "value"), [("zeros", 0), ("ones", 1), ("constant", 0)])
def test_plain_starts_are_one_number_everywhere(kind: str, value: float) -> None:
    assert (drawn((2, 3), start(kind)) == np.full((2, 3), value)).all()


def test_a_constant_has_its_value() -> None:
    assert (drawn((2,), start("constant", value=-2.5)) == [-2.5, -2.5]).all()


def test_uniform_numbers_are_those_of_philox_stretched() -> None:
    u = np.array(uniform_numbers(6, "start", 9)).reshape(2, 3)
    assert (drawn((2, 3), start("uniform", minimum=-1, maximum=3, seed=9)) == -1 + 4 * u).all()


def test_normal_numbers_are_those_of_box_and_muller() -> None:
    u = np.array(uniform_numbers(40, "start", 2)).reshape(20, 2)
    expected = [3 + 0.5 * math.sqrt(-2 * math.log(1 - a)) * math.cos(2 * math.pi * b) for a, b in u]
    found = drawn((20,), start("normal", mean=3, stddev=0.5, seed=2))
    np.testing.assert_allclose(found, expected, rtol=0, atol=5e-15)


# Fans as Keras 3 counts them: of a convolution the window counts for both.
@pytest.mark.parametrize(
    ("shape", "expected"),
    [((), (1, 1)), ((7,), (7, 7)), ((3, 8), (3, 8)), ((3, 3, 4, 16), (36, 144)), ((5, 2, 6), (10, 30))],
)
def test_fans_are_those_of_keras(shape: tuple[int, ...], expected: tuple[int, int]) -> None:
    assert fans(shape) == expected


@pytest.mark.parametrize("shape", [(60, 90), (3, 3, 20, 30)])
def test_glorot_uniform_fills_its_limits(shape: tuple[int, ...]) -> None:
    numbers, limit = drawn(shape, start("glorot_uniform", seed=4)), math.sqrt(6 / sum(fans(shape)))
    assert stats.kstest(numbers.ravel() / limit, stats.uniform(-1, 2).cdf).pvalue > 1e-3
    assert limit * 0.999 < np.abs(numbers).max() <= limit


@pytest.mark.parametrize(("kind", "scale"), [("glorot_normal", 2 / (60 + 90)), ("he_normal", 2 / 60)])
def test_scaled_normal_starts_are_cut_at_two_deviations(kind: str, scale: float) -> None:
    numbers = drawn(SHAPE, start(kind, seed=4))
    # The deviation of a normal number given that it is below 2 is 0.8796; the scale makes up for it.
    cut = stats.truncnorm(-2, 2)
    assert stats.kstest(numbers.ravel() * cut.std() / math.sqrt(scale), cut.cdf).pvalue > 1e-3
    assert abs(numbers.var() / scale - 1) < 0.08


@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 2**63 - 1))
def test_an_orthogonal_start_keeps_lengths(rows: int, columns: int, seed: int) -> None:
    q = drawn((rows, columns), start("orthogonal", seed=seed, gain=2)) / 2
    product = q.T @ q if rows >= columns else q @ q.T
    np.testing.assert_allclose(product, np.eye(min(rows, columns)), rtol=0, atol=1e-14)


def test_an_orthogonal_kernel_is_one_of_all_axes_but_the_last() -> None:
    q = drawn((2, 2, 3, 4), start("orthogonal", seed=1)).reshape(12, 4)
    np.testing.assert_allclose(q.T @ q, np.eye(4), rtol=0, atol=1e-14)


@pytest.mark.parametrize("rows", [4, 7])
def test_an_orthogonal_start_is_the_q_of_a_qr_decomposition(rows: int) -> None:
    """By LAPACK, with the signs that make the diagonal of R positive."""
    q, r = np.linalg.qr(drawn((rows, 4), start("normal", seed=3, stddev=1)))
    np.testing.assert_allclose(
        drawn((rows, 4), start("orthogonal", seed=3)), q * np.sign(np.diag(r)), rtol=0, atol=1e-13
    )


@given(st.sampled_from(KINDS), st.sampled_from(["float16", "float32", "float64"]), st.integers(0, 9))
def test_a_start_of_another_dtype_is_rounded(kind: str, dtype: str, seed: int) -> None:
    found = drawn((3, 2), start(kind, seed=seed, dtype=dtype))
    assert found.dtype == dtype
    assert found.tobytes() == drawn((3, 2), start(kind, seed=seed)).astype(dtype).tobytes()


def test_seeds_give_different_numbers() -> None:
    for kind in BITS:
        assert (drawn((4, 6), start(kind, seed=1)) != drawn((4, 6), start(kind, seed=2))).any()


def test_empty_shapes_are_shapes() -> None:
    for kind in KINDS:
        assert drawn((0, 3), start(kind)).shape == (0, 3)


@pytest.mark.parametrize("kind", BITS)
def test_the_bits_are_the_recorded_ones(kind: str) -> None:
    assert hashlib.sha256(drawn((4, 6), start(kind, seed=5)).tobytes()).hexdigest()[:16] == BITS[kind]


@pytest.mark.parametrize("core", ["Prescott", "Haswell"])
def test_the_bits_are_the_same_with_another_blas_and_no_wide_registers(core: str) -> None:
    environment = os.environ | {"OPENBLAS_CORETYPE": core}
    if core == "Prescott":
        environment["NPY_DISABLE_CPU_FEATURES"] = "AVX2 FMA3 AVX512F AVX512CD AVX512_SKX"
    program = [sys.executable, "-W", "ignore", "-c", PROGRAM.format(kinds=tuple(BITS))]
    found = subprocess.run(program, env=environment, capture_output=True, text=True, check=True).stdout
    assert found.split() == list(BITS.values())


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("zeros", "must be an object"),
        ({"seed": 1}, "needs a kind"),
        ({"kind": "glorot"}, "kind: it must be one of zeros"),
        ({"kind": 5}, "kind: it must be one of zeros"),
        ({"kind": "zeros", "sed": 1}, 'has no "sed"'),
        ({"kind": "zeros", "gain": 1}, 'has no "gain"'),
        ({"kind": "normal", "seed": -1}, "seed: it must be a whole number of at least 0, not -1"),
        ({"kind": "normal", "seed": 1.5}, "seed: it must be a whole number"),
        ({"kind": "normal", "seed": True}, "seed: it must be a whole number"),
        ({"kind": "normal", "stddev": float("nan")}, "stddev: it must be a finite number"),
        ({"kind": "normal", "stddev": "big"}, "stddev: it must be a number"),
        ({"kind": "uniform", "dtype": "int32"}, "dtype: it must be one of float16"),
    ],
)
def test_what_is_no_start_is_refused_in_a_sentence(value: object, sentence: str) -> None:
    with pytest.raises(JsonFault) as caught:
        read_start(value)
    assert sentence in caught.value.message


@pytest.mark.parametrize(
    ("shape", "value", "sentence"),
    [
        ((-1,), {"kind": "zeros"}, "sizes of at least 0"),
        ((1,) * 17, {"kind": "zeros"}, "at most 16 axes, not 17"),
        ((2**13, 2**13), {"kind": "zeros"}, "at most 256 MiB"),
        ((2**31, 0), {"kind": "zeros"}, "sizes of at least 0"),
        ((3,), {"kind": "orthogonal"}, "at least 2 axes, not [3]"),
        ((2000, 2000), {"kind": "orthogonal"}, "takes too long"),
        ((3,), {"kind": "uniform", "minimum": 1, "maximum": 0}, "minimum 1 above its maximum 0"),
    ],
)
def test_a_shape_that_does_not_fit_is_refused_in_a_sentence(
    shape: tuple[int, ...], value: dict[str, object], sentence: str
) -> None:
    with pytest.raises(ParameterError) as caught:
        drawn(shape, read_start(value))
    assert sentence in str(caught.value)


ONES = {"kind": "ones"}


@pytest.mark.parametrize(
    ("value", "shape", "given_start", "sentence"),
    [
        (1, (2,), ONES, "a value and a start"), (1, (2,), None, "a value and a start"),
        (1, None, ONES, "a value and a start"), (None, None, None, "parameter value is missing"),
        (None, (2,), None, "parameter start is missing"), (None, None, ONES, "parameter shape is missing"),
        (1, None, None, ""), (None, (2,), ONES, ""),
    ],
)  # fmt: skip
def test_a_variable_has_a_value_or_a_shape_and_a_start(
    value: object, shape: object, given_start: object, sentence: str
) -> None:
    parameters = {"value": value, "shape": shape, "start": given_start, "trainable": True}
    if sentence:
        with pytest.raises(ParameterError, match=sentence):
            complete(parameters)
        return
    done = complete(parameters)
    assert done["value"] is not None and done.keys() == parameters.keys()
    kept = without_drawn(done)
    assert kept.keys() == parameters.keys() - ({"value"} if given_start else set())


@pytest.mark.parametrize("other", [{"start": "ones", "shape": (2,)}, {"start": ONES}, {"shape": (2,)}])
def test_a_value_that_no_start_gave_is_kept(other: dict[str, object]) -> None:
    assert without_drawn({"value": 1, **other}) == {"value": 1, **other}


def test_numbers_beyond_two_are_drawn_again_by_the_number_of_the_attempt() -> None:
    """The standard deviation of normal numbers cut at 2 is 0.8796 (Johnson and Kotz)."""
    given_start, shape = start("he_normal", seed=3), (300, 40)
    wanted = normals(shape, "start", 3)
    for attempt in (1, 2, 3, 4):
        wanted = np.where(np.abs(wanted) > 2, normals(shape, "start", 3, attempt), wanted)
    np.testing.assert_allclose(drawn(shape, given_start), wanted * math.sqrt(2 / 300) / 0.8796, rtol=1e-4)
