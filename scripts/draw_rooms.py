"""Draws docs/images/rooms.svg: the rooms of each part of the program on the floors that pyproject.toml gives them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs" / "images" / "rooms.svg"
WIDTH, MARGIN, HEAD = 900, 16, 34
FLOOR, GAP, PAD = 40, 6, 12
PART = (WIDTH - 2 * MARGIN - 44) // 2
# The picture has a ground of its own, so that it can be read on light and dark pages.
GROUND, INK, EDGE = "#fbfaf7", "#1f2430", "#8a8f9c"
COLOURS = {"app": "#dbe7f6", "interop": "#f3dde6", "blocks": "#f7e6c8", "engine": "#dcefdc"}
APART = 28

Floors = Sequence[Sequence[str]]


def floors_of(part: str) -> Floors:
    """Returns the floors of a part of the program, the upper ones first, as the import contract names them."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (layers,) = (item["layers"] for item in contracts if item.get("containers") == [f"gradwire.{part}"])
    return [[room.strip() for room in floor.split("|")] for floor in layers]


def picture() -> str:
    """Returns the picture as SVG."""
    app = floors_of("app")
    right_parts = [(name, floors_of(name)) for name in ("interop", "engine")]
    right_parts.insert(1, ("blocks", [["one file for each family"]]))
    height = 2 * MARGIN + max(_height(app), sum(_height(floors) + APART for _, floors in right_parts) - APART)
    left, right = MARGIN, WIDTH - MARGIN - PART
    column, top = [], MARGIN
    for name, floors in right_parts:
        column += [*_part(name, floors, right, top)]
        column.append(_arrow(left + PART, top + _height(floors) / 2, right, top + _height(floors) / 2))
        top += _height(floors) + APART
        if name != "engine":
            column.append(_arrow(right + PART / 2, top - APART, right + PART / 2, top))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'font-family="system-ui, sans-serif" font-size="15" text-anchor="middle" role="img">',
        "<title>The rooms of Gradwire and their floors</title>",
        f'<rect width="{WIDTH}" height="{height}" rx="10" fill="{GROUND}" stroke="{EDGE}"/>',
        *_part("app", app, left, MARGIN),
        *column,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _height(floors: Floors) -> int:
    return HEAD + len(floors) * (FLOOR + GAP) - GAP + PAD


def _part(name: str, floors: Floors, x: float, y: float) -> Iterator[str]:
    yield f'<rect x="{x}" y="{y}" width="{PART}" height="{_height(floors)}" rx="8" fill="none" stroke="{EDGE}"/>'
    yield _text(name, x + PART / 2, y + 23, ' font-weight="bold"')
    for number, rooms in enumerate(floors):
        width = (PART - 2 * PAD + GAP) / len(rooms) - GAP
        for place, room in enumerate(rooms):
            left, top = x + PAD + place * (width + GAP), y + HEAD + number * (FLOOR + GAP)
            yield (
                f'<rect x="{left:g}" y="{top:g}" width="{width:g}" height="{FLOOR}" rx="5" '
                f'fill="{COLOURS[name]}" stroke="{EDGE}"/>'
            )
            yield _text(room, left + width / 2, top + 25)


def _text(text: str, x: float, y: float, more: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" fill="{INK}"{more}>{text}</text>'


def _arrow(x: float, y: float, to_x: float, to_y: float) -> str:
    """Returns an arrow to the right or down."""
    head = f"l-8 -5 v10 z M{x:g} {y:g} H{to_x - 8:g}" if y == to_y else f"l-5 -8 h10 z M{x:g} {y:g} V{to_y - 8:g}"
    return f'<path d="M{to_x:g} {to_y:g} {head}" fill="{INK}" stroke="{INK}" stroke-width="1.5"/>'


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
