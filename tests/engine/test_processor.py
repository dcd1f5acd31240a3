"""Which kernels of linear algebra are asked for."""

from __future__ import annotations

import pytest

from engine.processor import kernel_choice

WIDE = "fpu avx2 avx512f avx512cd avx512bw avx512dq avx512vl"


def facts(vendor: str = "AuthenticAMD", family: int = 26, flags: str = WIDE) -> str:
    return f"processor\t: 0\nvendor_id\t: {vendor}\ncpu family\t: {family}\nflags\t\t: {flags}\n\nprocessor\t: 1\n"


def test_a_processor_that_openblas_does_not_know_gets_the_wide_kernels() -> None:
    assert kernel_choice({}, facts()) == {"OPENBLAS_CORETYPE": "SkylakeX"}


@pytest.mark.parametrize(
    "known", [facts("GenuineIntel"), facts(family=25), facts(flags="fpu avx2"), "", "nothing that is known"]
)
def test_any_other_is_left_to_openblas(known: str) -> None:
    assert kernel_choice({}, known) == {}


def test_what_the_user_has_chosen_stays() -> None:
    assert kernel_choice({"OPENBLAS_CORETYPE": "Haswell"}, facts()) == {}
