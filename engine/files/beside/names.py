"""Names of files with weights: which are allowed, and which a graph's text gives."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from pathlib import Path

SUFFIX = ".weights"
# A file in the graph's own folder, and no other.
NAME = re.compile(r"[^/\\:\x00-\x1f\x7f]{1,247}\.weights")
# As a tensor object stands in a text; inside of a JSON text its quotes would have backslashes.
_PLACE = re.compile(
    rb'"in"\s*:\s*"([^"\\/]{1,1024})"\s*,\s*"at"\s*:\s*(\d{1,20})\s*,'
    rb'\s*"bytes"\s*:\s*(\d{1,20})\s*,\s*"crc32"\s*:\s*"([0-9a-fA-F]{8})"'
)


def names_in(content: bytes) -> dict[str, str]:
    """Returns the files that a graph's text names, each with a digest of what the text says about its content."""
    found = defaultdict[str, list[tuple[int, int, int]]](list)
    for file, at, size, crc32 in _PLACE.findall(content):
        name = file.decode("utf-8", "replace")
        if NAME.fullmatch(name):
            found[name].append((int(at), int(size), int(crc32, 16)))
    return {name: digest_of(places) for name, places in found.items()}


def digest_of(places: list[tuple[int, int, int]]) -> str:
    """Returns 16 hexadecimal digits for the content of a file, given offset, size and CRC-32 of its tensors."""
    return hashlib.blake2b(repr(sorted(places)).encode(), digest_size=8).hexdigest()


def renamed_in(content: bytes, old: str, new: str) -> bytes:
    """Returns a graph's text with another name of a file of weights."""
    return _PLACE.sub(
        lambda match: (
            match[0].replace(match[1], new.encode(), 1) if match[1].decode("utf-8", "replace") == old else match[0]
        ),
        content,
    )


def own_names(target: Path, digest: str) -> list[str]:
    """Returns the names for the weights of a graph's file, the usual one first; the second is for one content alone."""
    names = [f"{target.stem}{SUFFIX}", f"{target.stem}-{digest}{SUFFIX}"]
    # A long or odd name of a graph leaves room for the digest alone.
    fits = NAME.fullmatch(names[1]) is not None and len(names[1].encode("utf-8", "replace")) <= 255
    return names if fits else [content_name(digest)]


def content_name(digest: str) -> str:
    """Returns the name of weights in a folder where all graphs may share them."""
    return f"{digest}{SUFFIX}"


def is_own(name: str, target: Path) -> bool:
    """Returns whether a name is that which only saving of this file gives."""
    return re.fullmatch(rf"{re.escape(target.stem)}-[0-9a-f]{{16}}\.weights", name) is not None
