"""The style sheet of a page: variables of both themes, classes of what was painted, and the looks of statuses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from functools import lru_cache
from itertools import chain

from gradwire.app.features.share.web.labels import row_style
from gradwire.app.features.share.web.page_choices import PageTheme
from gradwire.app.features.share.web.token_theme import (
    CELL_STEPS,
    RAMP_STEPS,
    cell_rules,
    name_of,
    of_theme,
    ramp_rules,
    variables,
)
from gradwire.app.look.statuses import LOOKS, StatusLook, Stroke
from gradwire.app.look.svg.svg_styles import Styles, number
from gradwire.app.look.theme import ASSETS, Theme, tokens
from gradwire.app.look.wire_pens import PIPE_MAX, PIPE_MIN
from gradwire.engine.autodiff.status import Status

_VARIABLE = re.compile(r"--([a-z][\w-]*)")
_CLASS, _CELL = re.compile(r"\.([a-z][\w-]*)"), re.compile(r"c(?:m?\d+|x)")
# Classes that a page has from the start or never: those of sliders, of Variables, of curves, of leaders, and of what
# the script does not draw anew.
_FIXED = frozenset(("cu", "fi", "gn", "hit", "kn", "rg", "sa", "sk", "sl", "sn", "tg", "tr", "tw"))
_FIXED |= {"fixed", "now", "past"}
# The second and third stroke of a wire, above its casing; from a width on it has a core. Units: px.
_PIPE, _CORE, CORED = ">g+use", ">use+use", 4.0


def page_style(styles: Styles, looks: Set[str], theme: PageTheme, sheets: Iterable[str]) -> str:
    """Returns the style sheet of a page whose pictures have been painted, and in which elements have these classes."""
    rules = chain.from_iterable(map(_rules, sheets))
    sheet = "".join(rule for rule, selectors in rules if any(item <= looks for item in selectors))
    has_cells = any(map(_CELL.fullmatch, looks))
    rest = sheet + row_style() + _wires() + styles.css()
    named = set(_VARIABLE.findall(rest))
    used = [token for token in _tokens() if name_of(token) in named]

    def declared(dress: Theme) -> str:
        return variables(dress, used) + ramp_rules(dress) + (cell_rules(dress) if has_cells else "")

    return _shortened(of_theme(theme, declared) + rest)


@lru_cache
def _rules(name: str) -> list[tuple[str, list[frozenset[str]]]]:
    """Returns the rules of a file, each with the classes that its selectors ask for; a rule of rules asks for none."""
    lines = (ASSETS / "web" / f"{name}.css").read_text(encoding="utf-8").splitlines()
    heads = ("" if line.startswith("@") else line.partition("{")[0] for line in lines)
    asked = ([_FIXED.intersection(_CLASS.findall(item)) for item in head.split(",")] for head in heads)
    return list(zip(lines, asked, strict=True))


def _tokens() -> list[str]:
    """Returns all tokens that a page may use: colours, and the steps of both scales where a painter took them."""
    plain = [key for key, value in tokens()["themes"]["light"]["color"].items() if isinstance(value, str)]
    ramp = [f"ramp.{step}" for step in range(RAMP_STEPS + 1)]
    return [*plain, *ramp, *(f"cell.{step}" for step in range(-CELL_STEPS, CELL_STEPS + 1))]


def _shortened(style: str) -> str:
    """Returns a style sheet whose variables have short names: some stand there a hundred times."""
    numbers: dict[str, str] = {}
    return _VARIABLE.sub(lambda found: f"--{numbers.setdefault(found[1], f'{len(numbers):x}')}", style)


def _wires() -> str:
    """Returns the rules of wires: their widths by the step on the scale of magnitudes, and the looks of statuses."""
    widths = [PIPE_MIN + (PIPE_MAX - PIPE_MIN) * step / RAMP_STEPS for step in range(RAMP_STEPS + 1)]
    rules = "".join(f".r{step}{{--wide:{number(width)}px}}" for step, width in enumerate(widths))
    thin = ",".join(f".r{step}{_CORE}" for step, width in enumerate(widths) if width < CORED)
    return f"{rules}{thin}{{stroke:none}}" + "".join(_status(status, look) for status, look in LOOKS.items())


def _status(status: Status, look: StatusLook) -> str:
    """Returns the rules of one status: the strokes of its wires, the lowest first, and the colours of its labels."""
    found = f".{status}{{--t:{_var(look.token)};--e:{_var(look.border or 'wire.zero')};--g:{_var(look.ground)}"
    found += f";--d:{_var(look.strokes[0].token)}" if look.strokes else ""
    names = [str(status), *(["breaks"] if status is Status.NONFINITE else [])]

    def rule(layer: str, text: str) -> str:
        return f"{','.join(f'.{name}{layer}' for name in names)}{{{text}}}"

    widest = max((stroke.width for stroke in look.strokes), default=0.0)
    found += "}" + (rule("", f"--wide:{number(widest)}px") if widest else "")
    for layer, stroke in zip((_PIPE, _CORE), _two(look.strokes), strict=False):
        dashes = f";stroke-dasharray:{' '.join(map(number, stroke.dashes))}" if stroke.dashes else ""
        width = f";stroke-width:{number(stroke.width)}" if layer == _CORE else ""
        found += rule(layer, f"stroke:{_var(stroke.token)}{width}{dashes}")
    return found


def _two(strokes: tuple[Stroke, ...]) -> tuple[Stroke, ...]:
    """Returns at most two strokes: dashes of the lowest colour on a middle one are gaps in that."""
    if len(strokes) < 3:
        return strokes
    low, middle, high = strokes
    return low, middle._replace(dashes=high.dashes)


def _var(token: str) -> str:
    return f"var(--{name_of(token)})"
