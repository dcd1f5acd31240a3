"""The window's inference of a graph before it runs, updated from edit to edit."""

from __future__ import annotations

import numpy as np

from gradwire.engine.autodiff.infer import Inferred
from gradwire.engine.autodiff.infer_update import known_after
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.graph.graph import Block, Graph, changes
from gradwire.engine.graph.ports import role_of


def inferred_after(before: Inferred, old: Graph, new: Graph) -> Inferred:
    """Returns the inference after the edit from `old` to `new`; `before` itself if only numbers and looks changed."""
    return before if _differ_in_values_only(old, new) else known_after(before, new)


def _differ_in_values_only(old: Graph, new: Graph) -> bool:
    """Returns whether the graphs differ only in looks and in the numbers, not the specs, of sources."""
    if old.loss != new.loss or len(old.pages) != len(new.pages):
        return False
    for name, change in changes(old, new).items():
        if change.added or change.removed or change.wires_added or change.wires_removed:
            return False
        if not old.has_page(name) or not new.has_page(name):
            return False
        before, after = old.page(name), new.page(name)
        if any(not _same_spec(before.blocks[item], after.blocks[item]) for item in change.changed):
            return False
    return True


def _same_spec(old: Block, new: Block) -> bool:
    if old.type != new.type or old.is_muted != new.is_muted:
        return False
    # The ports of a page follow the order of its blocks.
    if old.at != new.at and role_of(old) in (Role.PAGE_INPUT, Role.PAGE_OUTPUT):
        return False
    names = old.parameters.keys() | new.parameters.keys()
    changed = [name for name in names if old.parameters.get(name) is not new.parameters.get(name)]
    return not changed or (changed == ["value"] and role_of(old) is Role.SOURCE and _alike(old, new))


def _alike(old: Block, new: Block) -> bool:
    a, b = old.parameters.get("value"), new.parameters.get("value")
    return isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and a.shape == b.shape and a.dtype == b.dtype
