"""The labels beside the wires: their texts in ever shorter forms, and the boxes that these need."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import NamedTuple

from gradwire.app.canvas.geometry.shapes import text_width
from gradwire.engine.autodiff.status import Status

PX, ROW_HEIGHT, GAP, BESIDE = 10.5, 15.0, 5.0, 8.0
GLYPH, BARS, BETWEEN = 14.0, 26.0, 4.0
PLATE_MARGIN, BOX_MARGIN, BARE_MARGIN = 4.0, 5.0, 2.0
Box = tuple[float, float, float, float]


def label_width(text: str, is_bold: bool = False) -> float:
    """Returns how wide a text of a label is; measured at twice the size, for Qt has no half px."""
    return text_width("mono", 2 * PX, 600 if is_bold else 500, text) / 2


class Form(enum.IntEnum):
    """How much of a label found room: `BARE` has neither bars nor words, `NUMBER` is the gradient alone."""

    WHOLE = 0
    BARE = 1
    NUMBER = 2


class Pose(enum.Enum):
    """Where the two rows of a label stand, seen from their spot on the wire.

    `ACROSS` has the value above and the gradient below; `ABOVE` and `BELOW` have both in one row on one side, `OVER`
    and `UNDER` one above the other; `RIGHT` and `LEFT` stand beside an upright run, `LEADER` apart from the wire.
    """

    ACROSS = enum.auto()
    ABOVE = enum.auto()
    BELOW = enum.auto()
    OVER = enum.auto()
    UNDER = enum.auto()
    RIGHT = enum.auto()
    LEFT = enum.auto()
    LEADER = enum.auto()


class GradientText(NamedTuple):
    """The gradient row of a label: its text, whether it is boxed, and the components to show as bars.

    `mark` names the glyph of a cause or of a tie. `number` stands for the text where there is little room.
    """

    text: str
    status: Status
    is_boxed: bool = False
    bars: tuple[float, ...] = ()
    mark: str = ""
    number: str = ""

    def glyph(self, form: Form) -> str:
        """Returns the mark before the text; "" for a number that flows, or where a form has no room for its mark."""
        if self.status is Status.FLOW:
            return self.mark if form is Form.WHOLE else ""
        return self.mark or self.status

    def shown(self, form: Form) -> str:
        """Returns the text that a form has room for."""
        return self.text if form is Form.WHOLE else self.number or self.text

    def has_bars(self, form: Form) -> bool:
        """Returns whether a form has room for the bars."""
        return bool(self.bars) and form is Form.WHOLE

    def margin(self, form: Form) -> float:
        """Returns the room at each end of the row. Units: px at 100 %."""
        return BOX_MARGIN if self.is_boxed else row_margin(form)

    def width(self, form: Form) -> float:
        """Returns the width of the row. Units: px at 100 %."""
        bars = BARS if self.has_bars(form) else 0.0
        text = label_width(self.shown(form), self.is_boxed)
        return text + (GLYPH if self.glyph(form) else 0.0) + bars + 2 * self.margin(form)


@dataclass(frozen=True)
class Label:
    """The texts of one wire; `gradient` None for integers and in views without gradients.

    `brief` stands for the value where there is little room.
    """

    value: str
    gradient: GradientText | None
    brief: str = ""
    _widths: dict[Form, tuple[float, float]] = field(default_factory=dict, init=False, compare=False, repr=False)

    def value_shown(self, form: Form) -> str:
        """Returns the text of the value that a form has room for; "" where it gives way to the gradient."""
        if form is Form.NUMBER and self.gradient is not None:
            return ""
        return self.value if form is Form.WHOLE else self.brief or self.value

    def forms(self, longest: Form) -> list[Form]:
        """Returns the forms from one on; those that give nothing up are left out."""
        found: list[Form] = []
        for form in Form:
            if form >= longest and (not found or self._looks(form) != self._looks(found[-1])):
                found.append(form)
        return found

    def _looks(self, form: Form) -> tuple[object, ...]:
        below = self.gradient
        row = None if below is None else (below.shown(form), below.glyph(form), below.has_bars(form))
        return self.value_shown(form), row_margin(form), row

    def widths(self, form: Form) -> tuple[float, float]:
        """Returns the widths of the value's row and of the gradient's, 0 for none. Units: px at 100 %."""
        if form not in self._widths:
            value = self.value_shown(form)
            above = label_width(value) + 2 * row_margin(form) if value else 0.0
            self._widths[form] = above, 0.0 if self.gradient is None else self.gradient.width(form)
        return self._widths[form]

    def ground_key(self, form: Form) -> tuple[object, ...]:
        """Returns the key of its ground in a form, that is of everything but its texts and bars."""
        below = self.gradient
        if below is None:
            return form, self.widths(form)
        return form, self.widths(form), below.status, below.is_boxed, below.mark


class Placed(NamedTuple):
    """A label with its spot on the wire; `apart` is the way from there to the middle of one on a leader.

    `widths` are reserved: texts that are no wider keep their place. Units: px at 100 %, of `x` and `y` in the scene.
    """

    label: Label
    form: Form
    x: float
    y: float
    widths: tuple[float, float]
    pose: Pose = Pose.ACROSS
    apart: tuple[float, float] = (0.0, 0.0)

    def boxes(self) -> tuple[Box | None, Box | None]:
        """Returns the boxes of the value and of the gradient as they are drawn, seen from the spot."""
        return row_boxes(self.pose, self.label.widths(self.form), self.apart)

    def rects(self, scale: float) -> list[Box]:
        """Returns what its rows take up in the scene, labels being `scale` times as large as at 100 %."""
        rows = row_boxes(self.pose, self.widths, self.apart)
        return [
            (self.x + left * scale, self.y + top * scale, self.x + right * scale, self.y + bottom * scale)
            for left, top, right, bottom in filter(None, rows)
        ]

    def rect(self, scale: float) -> Box:
        """Returns the rectangle around all that is drawn of it, with its leader: left, top, right, bottom."""
        found = self.rects(scale)
        if self.pose is Pose.LEADER:
            dot = DOT * scale
            found.append((self.x - dot, self.y - dot, self.x + dot, self.y + dot))
        left, top, right, bottom = zip(*found, strict=True)
        return min(left), min(top), max(right), max(bottom)


# The dot in which a leader ends. Units: px at 100 %.
DOT = 1.8


def row_margin(form: Form) -> float:
    """Returns the room at each end of a row without a box. Units: px at 100 %."""
    return PLATE_MARGIN if form is Form.WHOLE else BARE_MARGIN


# The upper edges of a row above and below a wire; then those of value and gradient by their pose, where both are there,
# and where one is alone. Beside a wire and apart from it they stand on each other. Units: px at 100 %.
_ABOVE, _BELOW = -GAP - ROW_HEIGHT, GAP
_ON_WIRE = {Pose.ACROSS: (_ABOVE, _BELOW), Pose.ABOVE: (_ABOVE, _ABOVE), Pose.BELOW: (_BELOW, _BELOW)}
_TOPS = _ON_WIRE | {Pose.OVER: (_ABOVE - ROW_HEIGHT, _ABOVE), Pose.UNDER: (_BELOW, _BELOW + ROW_HEIGHT)}
_TOPS_ALONE = _ON_WIRE | {Pose.OVER: (_ABOVE, _ABOVE), Pose.UNDER: (_BELOW, _BELOW)}


def row_boxes(
    pose: Pose, widths: tuple[float, float], apart: tuple[float, float] = (0.0, 0.0)
) -> tuple[Box | None, Box | None]:
    """Returns the boxes of the value's row and of the gradient's, seen from the spot; None for a width of 0."""
    value, gradient = widths
    has_both = bool(value and gradient)
    across, down = apart if pose is Pose.LEADER else (0.0, 0.0)
    tops = _TOPS.get(pose, (-ROW_HEIGHT, 0.0)) if has_both else _TOPS_ALONE.get(pose, (-ROW_HEIGHT / 2,) * 2)
    lefts = -value / 2, -gradient / 2
    if pose is Pose.RIGHT:
        lefts = BESIDE, BESIDE
    elif pose is Pose.LEFT:
        lefts = -BESIDE - value, -BESIDE - gradient
    elif has_both and pose in (Pose.ABOVE, Pose.BELOW):
        left = -(value + BETWEEN + gradient) / 2
        lefts = left, left + value + BETWEEN
    return _box(lefts[0] + across, tops[0] + down, value), _box(lefts[1] + across, tops[1] + down, gradient)


def _box(left: float, top: float, width: float) -> Box | None:
    return (left, top, left + width, top + ROW_HEIGHT) if width else None
