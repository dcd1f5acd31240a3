"""Targets of the export: how a library writes what is no block, and where it has its lines from."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.blocktypes.spelling import Spelling

# Texts in quotes, which stay as they are, and names of modules.
_MODULE = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|(?<![\w.])({})(?=\.)"""


@dataclass(frozen=True, kw_only=True)
class Target:
    """A library that programs are written for; `array` wraps the text of a NumPy array, `as_array` makes it one again.

    `based_on` is the key of a target whose program and lines it takes over, but for lines of its own; `modules` has
    its name for each module there. No framework has carried out lines of a target without `is_run`: the help says so.
    `imports` has the import of each module name that lines use, `packages` those whose parts are imported one by one.
    With `has_functions` a block without a line of its own may be a function beside the program. `operation` is the
    source of a function that makes an operation of the library from a NumPy function and its gradient, called `{name}`.
    `own_gradient` is that of one that passes `{values}` on with a gradient of its own, each written as `own_value`, and
    `own_call` calls it; a library without one has its backward pass written out.
    `cast` takes a tensor and a wider dtype, where a library adds up none that differ. `constant` makes a constant for
    the gradient of a tensor, where a library sends zeros through functions for which Gradwire has no gradient. `zeros`
    is a remark on the signs of zeros that a library adds up; the first line of a program that adds has it.
    Menus list targets by `rank`, then by key.
    """

    key: str
    title: str
    array: str = "{}"
    as_array: str = "{}"
    based_on: str = ""
    modules: Mapping[str, str] = field(default_factory=dict)
    imports: Mapping[str, str] = field(default_factory=dict)
    packages: tuple[str, ...] = ()
    has_functions: bool = False
    operation: str = ""
    own_gradient: str = ""
    own_value: str = "{}"
    own_call: str = "{name}({arguments})"
    cast: str = "{}"
    constant: str = ""
    zeros: str = ""
    rank: int = 100
    is_run: bool = False

    def line_key(self, spelling: Spelling) -> str:
        """Returns whose line of a block the target uses: its own, or that of the target it is based on."""
        return self.key if self.key in spelling or not self.based_on else self.based_on

    def has_line(self, spelling: Spelling) -> bool:
        """Returns whether the target claims to say a block in a line, for some of its calls at least."""
        return self.line_key(spelling) in spelling

    def line(
        self,
        spelling: Spelling,
        ports: Mapping[str, str | list[str] | None],
        parameters: Mapping[str, Any],  # Any: the kinds of parameters decide
        specs: Sequence[TensorSpec | None] = (),
    ) -> str:
        """Returns the source of one application, or an empty text where no line says it."""
        key = self.line_key(spelling)
        written = spelling.write(key, ports, parameters, specs)
        return written if key == self.key else self.renamed(written)

    def renamed(self, source: str) -> str:
        """Returns source of the target it is based on with its own names of modules."""
        if not self.modules:
            return source
        known = re.compile(_MODULE.format("|".join(map(re.escape, self.modules))))
        return known.sub(lambda found: self.modules.get(found[1] or "", found[0]), source)
