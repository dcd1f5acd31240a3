"""The place on a page that is looked at first where not all of it fits into the view."""

from __future__ import annotations

from PySide6.QtCore import QPointF

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.engine.blocktypes.block_type import Role


def first_look(mirror: Mirror) -> QPointF:
    """Returns the middle of the block with the first problem, else of the Loss, else of the first block."""
    prefix = f"{mirror.session.prefix}/"
    problems = [item.at for item in mirror.session.problems if item.severity in ("error", "warning")]
    names = [path.removeprefix(prefix) for path in problems if path.startswith(prefix)]
    shapes = zip(mirror.ids, mirror.shapes, strict=True)
    names += [name for name, shape in shapes if shape.role is Role.LOSS and mirror.is_used_loss(name)]
    found = next((name for name in names if name in mirror.rows), None)
    return mirror.bounds().topLeft() if found is None else mirror.rect(found).center()
