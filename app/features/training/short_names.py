"""Names of blocks on several pages, as short as tells them apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable


def short_names(paths: Iterable[str]) -> dict[str, str]:
    """Returns for each path its last name, with as many pages before it as no other path shares: `Dense/kernel`."""
    known = [path.split("/") for path in dict.fromkeys(paths)]
    ends = Counter("/".join(path[-count:]) for path in known for count in range(1, len(path) + 1))
    return {
        "/".join(path): next(
            (end for count in range(1, len(path)) if ends[end := "/".join(path[-count:])] == 1), "/".join(path)
        )
        for path in known
    }
