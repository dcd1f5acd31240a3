"""Names of blocks for what models call their parts."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from typing import Final

LONGEST: Final = 60


def block_name(path: str) -> str:
    """Returns the name of a block for a path: `net_0_weight` for `net.0.weight`; a long one loses its middle."""
    name = re.sub(r"\W", "_", path, flags=re.ASCII)
    name = name if name[:1].isalpha() else f"b_{name}"
    if len(name) <= LONGEST:
        return name
    mark = f"_{zlib.crc32(path.encode()):08x}_"
    half = (LONGEST - len(mark)) // 2
    return name[:half] + mark + name[-half:]


def listed(names: Sequence[str]) -> str:
    """Returns the first names, and how many more there are."""
    most = 4
    return ", ".join(names[:most]) + (f" and {len(names) - most:,} more" if len(names) > most else "")
