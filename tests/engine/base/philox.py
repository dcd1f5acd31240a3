"""Philox in plain Python, and uniform numbers of it by names."""

from __future__ import annotations

import hashlib

MASK = 2**64 - 1


def philox(key: int, count: int) -> list[int]:
    """Philox 4x64 with ten rounds, as in the paper of Salmon and others; NumPy counts from 1."""
    found: list[int] = []
    for counter in range(1, count // 4 + 2):
        a, b, c, d = counter, 0, 0, 0
        low, high = key & MASK, key >> 64
        for _ in range(10):
            first, second = a * 0xD2E7470EE14C6C93, c * 0xCA5A826395121157
            a, b, c, d = (second >> 64) ^ b ^ low, second & MASK, (first >> 64) ^ d ^ high, first & MASK
            low, high = (low + 0x9E3779B97F4A7C15) & MASK, (high + 0xBB67AE8584CAA73B) & MASK
        found += [a, b, c, d]
    return found[:count]


def uniform_numbers(count: int, *names: int | str) -> list[float]:
    """Numbers from 0 to 1 by the hash of their names, as the module about them says."""
    parts = [(b"s", name.encode()) if isinstance(name, str) else (b"i", str(name).encode()) for name in names]
    text = b"".join(kind + str(len(part)).encode() + b":" + part for kind, part in parts)
    key = int.from_bytes(hashlib.blake2b(text, digest_size=16).digest(), "little")
    return [(number >> 11) / 2**53 for number in philox(key, count)]
