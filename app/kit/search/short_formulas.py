"""Short formulas in the language of the window."""

from __future__ import annotations

from gradwire.app.base.translation import tr
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.interop.search.short_formulas import LONGEST_FORMULA, plain_formula

__all__ = ["LONGEST_FORMULA", "short_formula"]


def short_formula(item: BlockType) -> str:
    """Returns a formula of at most 12 characters for the right end of a row; "" if none fits."""
    if item.name == "Variable":
        return tr("trainable")
    if item.name == "PreventGradient":
        return tr("∂ → error")
    return plain_formula(item)
