"""Finding block types by what users type: our names, those of other frameworks, signs; and short formulas."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

import blocks  # noqa: F401  # fills the library
from app.look.numbers import MINUS
from engine.block_type import BlockType
from engine.library import library, nearest
from engine.tensor_spec import Array

SHOWN_AT_FIRST = 6
_MOST_USED = ("Input", "Variable", "Add", "MatMul", "StopGradient", "Loss", "Multiply", "Exp", "ReduceSum")
# Parts of gradient rules are not for placing, and what stands for a page comes with the page.
_HIDDEN = ("Engine", "Gradient parts", "Pages")
_CATEGORIES = (
    "Sources",
    "Random",
    "Arithmetic",
    "Elementwise",
    "Trigonometry",
    "Special functions",
    "Comparison",
    "Reduce",
    "Scan and sort",
    "Segments",
    "Control",
    "Linear algebra",
    "Activations",
    "Losses",
    "Shape",
    "Indexing",
    "Normalization",
    "Convolution",
    "Pooling",
    "Images",
    "State",
    "Optimizers",
)
Fits = Callable[[BlockType], bool]


@dataclass(frozen=True)
class Hit:
    """A block type that matches; `matched` is the text of it that did."""

    type: BlockType
    score: float
    matched: str


@dataclass(frozen=True)
class _Index:
    """What one block type is found by, all in lower case without underscores.

    `aliases` are names that other frameworks give the same thing, `parts` those in lines that are more than one call.
    """

    name: str
    humps: tuple[str, ...]
    category: str
    aliases: tuple[str, ...]
    parts: tuple[str, ...]
    signs: tuple[str, ...]


def placeable_types() -> list[BlockType]:
    """The block types that a user can place, in the order of the palette."""
    order = {name: place for place, name in enumerate(_CATEGORIES)}
    found = [item for item in library if item.category not in _HIDDEN]
    return sorted(found, key=lambda item: (order.get(item.category, len(order)), item.category))


def find_blocks(query: str, fits: Fits | None = None, used: Mapping[str, int] | None = None) -> list[Hit]:
    """The block types that match, the best first; `used` counts how often each has been placed.

    Nothing typed gives the six most used.
    """
    types = [item for item in placeable_types() if fits is None or fits(item)]
    counts = used or {}
    text = _plain(query)
    if not text:
        return _most_used(types, counts)
    hits = [hit for item in types if (hit := _match(item, text)) is not None]
    return sorted(hits, key=lambda hit: (-hit.score, *_rank(hit.type, counts), len(hit.type.name)))


def nearest_blocks(query: str, fits: Fits | None = None) -> list[BlockType]:
    """At most three block types whose name, or name elsewhere, looks like what was typed."""
    types = [item for item in placeable_types() if fits is None or fits(item)]
    names = {item.name: item for item in types}
    aliases = {alias: item for item in reversed(types) for alias in _index(item).aliases}
    near = [names[item] for item in nearest(query, names)]
    near += [aliases[item] for item in nearest(_plain(query), aliases) if aliases[item] not in near]
    return list(dict.fromkeys(near))[:3]


_WORD = re.compile(r"\b(nan|inf(?:inity)?)\b", re.IGNORECASE)
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
_NO_NUMBER = re.compile(r"[^-+\d.eE,\[\]\s]")


def constant_from(text: str) -> Array | None:
    """The tensor that a text such as `0.5` or `[1, 2, inf]` spells, in float64; None if it spells none."""
    plain = text.replace(MINUS, "-")
    if _NO_NUMBER.search(_WORD.sub("", plain)):
        return None
    # JSON knows neither `.5` nor `1.` nor `+1`, and its words for what is not finite are long.
    spelled = _NUMBER.sub(lambda match: json.dumps(float(match[0])), plain).replace("+", "")
    spelled = _WORD.sub(lambda match: "NaN" if match[0].lower() == "nan" else "Infinity", spelled)
    try:
        return np.array(json.loads(spelled), np.float64)
    except (ValueError, RecursionError):  # no JSON, rows of different lengths, too many axes
        return None


def _most_used(types: list[BlockType], used: Mapping[str, int]) -> list[Hit]:
    return [Hit(item, 0.0, "") for item in sorted(types, key=lambda item: _rank(item, used))[:SHOWN_AT_FIRST]]


def _rank(item: BlockType, used: Mapping[str, int]) -> tuple[int, int]:
    usual = _MOST_USED.index(item.name) if item.name in _MOST_USED else len(_MOST_USED)
    return -used.get(item.name, 0), usual


def _plain(text: str) -> str:
    """What was typed as the index has it: `tf.nn.log_softmax(x)` is logsoftmax; a sign stays what it is."""
    text = text.strip().lower()
    called = re.sub(r"\(.*", "", text) if re.search(r"\w\(", text) else text
    last = called.rstrip(".").rpartition(".")[2] if re.search(r"[a-z_]\.|\.[a-z_]", called) else called
    return re.sub(r"[\s_]+", "", last) or re.sub(r"\s+", "", text)


def _match(item: BlockType, text: str) -> Hit | None:
    """The best of all ways to match: whole names first, then beginnings, then parts, then the category."""
    index = _index(item)
    best = max(_scores(index, text), default=None)
    if best is None:
        return None
    # Of two that are called alike elsewhere, that comes first whose own name says it too.
    own = 1.0 if text in index.name else 0.0
    return Hit(item, best[0] + own, best[1])


def _scores(index: _Index, text: str) -> Iterable[tuple[float, str]]:
    if index.name == text:
        yield 100, index.name
    if text in index.aliases or text in index.signs:
        yield 90, text
    if index.name.startswith(text):
        yield 80, index.name
    if any("".join(index.humps[start:]).startswith(text) for start in range(1, len(index.humps))):
        yield 70, index.name
    yield from ((60, alias) for alias in index.aliases if alias.startswith(text))
    if len(text) > 1 and _runs_over_humps(text, index.humps):
        yield 55, index.name
    if len(text) > 1 and text in index.name:
        yield 45, index.name
    yield from ((40, part) for part in index.parts if part == text)
    if index.category.startswith(text):
        yield 35, index.category
    yield from ((30, alias) for alias in index.aliases if len(text) > 2 and text in alias)


def _runs_over_humps(text: str, humps: tuple[str, ...]) -> bool:
    """Whether the text is made of beginnings of the parts of a name, in order: `rmax` in ReduceMax."""
    if not text:
        return True
    for place, hump in enumerate(humps):
        for length in range(min(len(hump), len(text)), 0, -1):
            if hump[:length] == text[:length] and _runs_over_humps(text[length:], humps[place + 1 :]):
                return True
    return False


@functools.cache
def _index(item: BlockType) -> _Index:
    spelling = item.spelling
    lines = [spelling.shown(framework) for framework in ("numpy", "tensorflow", "torch", "jax")]
    humps = re.findall(r"[A-Z]?[a-z]+|\d+[A-Z]?|[A-Z](?![a-z])", item.name)
    found = [_calls(line) for line in lines]
    aliases = dict.fromkeys(_plain(name) for whole, _ in found for name in whole)
    parts = dict.fromkeys(_plain(name) for _, others in found for name in others)
    sign = re.fullmatch(r"\{x\} ([^\w\s]+) \{y\}", spelling.shown("numpy"))
    return _Index(
        item.name.lower(),
        tuple(hump.lower() for hump in humps),
        re.sub(r"\s", "", item.category.lower()),
        tuple(aliases),
        tuple(parts),
        (*([sign[1]] if sign else []), *_SIGNS.get(item.name, ())),
    )


_SIGNS = {
    "MatMul": ("@",),
    "Multiply": ("·", "×"),
    "ReduceSum": ("Σ".lower(), "∑"),
    "Sqrt": ("√",),
    "Square": ("²", "^2", "**2"),
    "StopGradient": ("∂→0", "->0"),
    "Gradients": ("∂",),
    "Divide": ("÷",),
    "Subtract": (MINUS,),
}


def _calls(line: str) -> tuple[list[str], list[str]]:
    """The names of functions in a line of code: of a line that is one call, and of other lines."""
    names = re.findall(r"[A-Za-z_][\w.]*(?=\()|(?<=\})\.\w+(?=\()", line)
    if len(names) == 1 and re.match(r"[\w.{}]+\(", line) and not re.search(r" [-+*/<>=]{1,2} ", line):
        return names, []
    return [], names


LONGEST_FORMULA = 12
_OWN_FORMULAS = {
    "Cast": "dtype",
    "Constant": "",
    "Gradients": "∂y / ∂x",
    "Input": "x",
    "MatMul": "A · B",
    "OneHot": "",
    "PreventGradient": "∂ → error",
    "ReduceSum": "Σ",
    "Reroute": "",
    "StopGradient": "∂ → 0",
    "Variable": "trainable",
}
_LATEX = [
    (r"\\(textstyle|quad|,)", " "),
    (r"\\tfrac(\w)(\w)", r"\1/\2"),
    (r"\\sqrt\{(\w)\}", r"√\1"),
    (r"\\sqrt\{([^{}]*)\}", r"√(\1)"),
    (r"\\(mathrm|operatorname)\{(\w+)\}", r"\2"),
    (r"\\sum(_\{[^}]*\}|_\w)?", "Σ"),
    (r"\^\{?2\}?(?!\w)", "²"),
    (r"\\top", "T"),
    (r"\\(partial)", "∂"),
    (r"\\pi", "π"),
    (r"\\le\b", "<="),
    (r"\\ge\b", ">="),
    (r"\\lfloor (\w) \\rfloor", r"floor \1"),
    (r"\\(ln|cos|sin|tan|tanh|arctan|max|min)\b", r"\1"),
    (r"_\{[^}]*\}|_\w", ""),
    (r"\^\{([^{}]*)\}", r"^\1"),
    (r"^\[(.*)\]$", r"\1"),
    (r"-", MINUS),
    (r"\b([xy])\s+([xy])\b", r"\1 · \2"),
    (r"\s+", " "),
    (r"\( ", "("),
]
# What JetBrains Mono has; see DESIGN.md, section 12.
_ALLOWED = re.compile(rf"[ -[\]-z|~∂Σ²·√{MINUS}π→]*")


@functools.cache
def short_formula(item: BlockType) -> str:
    """A formula of at most 12 characters for the right end of a row; empty where none is that short."""
    if item.name in _OWN_FORMULAS:
        return _OWN_FORMULAS[item.name]
    call = re.fullmatch(r"np\.(\w+)\(\{x\}.*\)", item.spelling.shown("numpy"))
    if item.category == "Reduce" and call and call[1] != "sqrt":
        return call[1]
    return _from_latex(item.formula)


def _from_latex(formula: str) -> str:
    text = formula.partition(" = ")[2].strip()
    for pattern, replacement in _LATEX:
        text = re.sub(pattern, replacement, text).strip()
    # A letter alone has lost the indices that said it all.
    if not _ALLOWED.fullmatch(text) or re.fullmatch(r"[a-z]", text):
        return ""
    if len(text) > LONGEST_FORMULA and "?" not in text:
        text = text.replace(" ", "")
    return text if len(text) <= LONGEST_FORMULA else ""
