"""Limits of `.graph` files. A file within them opens without exhausting memory or the stack."""

from __future__ import annotations

from typing import NamedTuple

KIB, MIB = 2**10, 2**20


class Limits(NamedTuple):
    """Limits of one file.

    `lists` counts lists and objects of a file, `values` its commas, `keys` its colons. `steps`, `checks` and `names`
    are those of a plan.
    `seconds` is the processor time of each reader, and of all that it reads.
    Units: `file_bytes`, `text_bytes` (one text, in UTF-8), `tensor_bytes` and `tensors_bytes` (all in the text), and
    `beside_bytes` and `weights_bytes` (the same of tensors beside it) in bytes, `coordinate` in px at 100 %.
    """

    file_bytes: int = 64 * MIB
    nesting: int = 64
    pages: int = 1_000
    blocks: int = 200_000
    wires: int = 1_000_000
    text_bytes: int = 64 * KIB
    rank: int = 16
    tensor_bytes: int = 256 * MIB
    tensors_bytes: int = 512 * MIB
    beside_bytes: int = 512 * MIB
    weights_bytes: int = 2048 * MIB
    lists: int = 2_000_000
    values: int = 16_000_000
    keys: int = 2_000_000
    steps: int = 250
    checks: int = 1_000
    names: int = 10_000
    coordinate: int = 2**31 - 1
    seconds: int = 8


LIMITS = Limits()


def size_text(count: int) -> str:
    """Returns a number of bytes for a sentence: in MiB or KiB where that is exact, else in bytes."""
    for unit, name in ((MIB, "MiB"), (KIB, "KiB")):
        if count and count % unit == 0:
            return f"{count // unit:,} {name}"
    return f"{count:,} bytes"
