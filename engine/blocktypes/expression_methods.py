"""The methods of expressions, by names of NumPy and PyTorch; editors and type checkers read them in the stub beside."""

from __future__ import annotations

from typing import Any


class Methods:
    """Base of expressions: a name that is no attribute is looked for among the methods that the blocks declare."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:  # Any: methods, and tensors such as x.T
        # Copying, pickling and notebooks ask every object for such names.
        if name.startswith("_"):
            raise AttributeError(name)
        return self.operators.python.attribute(self, name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.operators.python.attributes()]
