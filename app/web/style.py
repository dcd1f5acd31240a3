"""The style sheet of a page: variables of both themes, classes of what was painted, and the looks of statuses."""

from __future__ import annotations

import re

from gradwire.app.look.statuses import LOOKS, StatusLook, Stroke
from gradwire.app.look.svg.svg_styles import Styles, number
from gradwire.app.look.theme import ASSETS, tokens
from gradwire.app.web.token_theme import CELL_STEPS, RAMP_STEPS, TokenTheme, name_of, variables
from gradwire.engine.autodiff.status import Status

_VARIABLE = re.compile(r"--([a-z][\w-]*)")


def page_style(styles: Styles, dress: TokenTheme, has_cells: bool) -> str:
    """Returns the style sheet of a page whose pictures have been painted; `has_cells` says that one may have cells."""
    plain = [key for key, value in tokens()["themes"]["light"]["color"].items() if isinstance(value, str)]
    ramp = [f"ramp.{step}" for step in range(RAMP_STEPS + 1)]
    steps = range(-CELL_STEPS, CELL_STEPS + 1) if has_cells else ()
    cells = [f"cell.{step}" for step in steps]
    sheet = (ASSETS / "web" / "page.css").read_text(encoding="utf-8").replace("\n", "")
    used = [token for token in plain if token in dress.used or f"var(--{name_of(token)})" in sheet + _statuses()]
    rules = "".join(f".r{step}{{--s:var(--ramp-{step})}}" for step in range(RAMP_STEPS + 1))
    rules += "".join(f".{'c' if step >= 0 else 'cm'}{abs(step)}{{fill:var(--cell-{step})}}" for step in steps)
    return _shortened(variables([*used, *ramp, *cells]) + sheet + rules + _statuses() + styles.css())


def _shortened(style: str) -> str:
    """Returns a style sheet whose variables have short names: some stand there a hundred times."""
    numbers: dict[str, str] = {}
    return _VARIABLE.sub(lambda found: f"--{numbers.setdefault(found[1], f'{len(numbers):x}')}", style)


def _statuses() -> str:
    return "".join(_status(status, look) for status, look in LOOKS.items())


def _status(status: Status, look: StatusLook) -> str:
    """Returns the rules of one status: the strokes of its wires, the lowest first, and the colours of its labels."""
    found = f".{status}{{--t:{_var(look.token)};--e:{_var(look.border or 'wire.zero')};--g:{_var(look.ground)}"
    found += f";--d:{_var(look.strokes[0].token)}}}" if look.strokes else "}"
    names = [str(status), *(["breaks"] if status is Status.NONFINITE else [])]

    def rule(layer: str, text: str) -> str:
        return f"{','.join(f'.{name} .{layer}' for name in names)}{{{text}}}"

    for layer, stroke in zip("ab", _two(look.strokes), strict=False):
        dashes = f";stroke-dasharray:{' '.join(map(number, stroke.dashes))}" if stroke.dashes else ""
        found += rule(layer, f"stroke:{_var(stroke.token)};stroke-width:{number(stroke.width)}{dashes}")
    widest = max((stroke.width for stroke in look.strokes), default=0.0)
    return found + rule("k", f"stroke-width:{number(widest + 4)}") if widest else found


def _two(strokes: tuple[Stroke, ...]) -> tuple[Stroke, ...]:
    """Returns at most two strokes: dashes of the lowest colour on a middle one are gaps in that."""
    if len(strokes) < 3:
        return strokes
    low, middle, high = strokes
    return low, middle._replace(dashes=high.dashes)


def _var(token: str) -> str:
    return f"var(--{name_of(token)})"
