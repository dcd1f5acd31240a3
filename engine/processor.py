"""Which kernels NumPy is to multiply matrices with, where it does not know the processor."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

_FACTS = Path("/proc/cpuinfo")
# OpenBLAS 0.3.31 takes Zen 5 for a processor without AVX-512, and multiplies at half the speed.
_VENDOR, _FIRST_UNKNOWN_FAMILY = "AuthenticAMD", 26
_NEEDED = frozenset({"avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl"})


def kernel_choice(environment: Mapping[str, str], facts: str | None = None) -> dict[str, str]:
    """Variables to add to the environment; none where OpenBLAS chooses well, or somebody else has chosen."""
    if "OPENBLAS_CORETYPE" in environment:
        return {}
    known = _first_processor(_read() if facts is None else facts)
    family = known.get("cpu family", "")
    is_unknown = known.get("vendor_id") == _VENDOR and family.isdigit() and int(family) >= _FIRST_UNKNOWN_FAMILY
    return {"OPENBLAS_CORETYPE": "SkylakeX"} if is_unknown and _NEEDED.issubset(known.get("flags", "").split()) else {}


def _first_processor(facts: str) -> dict[str, str]:
    lines = (line.partition(":") for line in facts.partition("\n\n")[0].splitlines())
    return {name.strip(): text.strip() for name, _, text in lines}


def _read() -> str:
    try:
        return _FACTS.read_text(encoding="utf-8")
    except OSError:  # another system
        return ""
