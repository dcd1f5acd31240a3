"""The ports that a block type declares, and the dtypes that they take."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np


class Dtypes(NamedTuple):
    """The dtypes that an input port takes; `shared` ports of one block must all have the same one."""

    name: str
    kinds: str
    shared: bool = True

    def accepts(self, dtype: np.dtype[Any]) -> bool:
        """Returns whether the port takes a tensor of this dtype."""
        return dtype.kind in self.kinds


FLOAT = Dtypes("floating point", "f")
NUMBER = Dtypes("a number", "fiu")
ANY = Dtypes("any dtype", "fiub")
UNSHARED = Dtypes("any dtype", "fiub", shared=False)
BOOLEAN = Dtypes("bool", "b", shared=False)
INDEX = Dtypes("an integer", "iu", shared=False)


class InputPort(NamedTuple):
    """An input port; a variadic one stands for `name_0`, `name_1` ..."""

    name: str
    accepts: Dtypes = FLOAT
    optional: bool = False
    variadic: bool = False


class OutputPort(NamedTuple):
    """An output port; a variadic one stands for `name_0`, `name_1` ..."""

    name: str
    variadic: bool = False


def port_names(ports: Iterable[InputPort | OutputPort]) -> list[str]:
    """Returns port names as the help writes them: a star marks a variadic port, a question mark an optional one."""
    return [
        port.name + ("*" if port.variadic else "?" if isinstance(port, InputPort) and port.optional else "")
        for port in ports
    ]
