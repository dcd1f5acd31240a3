"""A search for block types by our names, names in other frameworks, signs, and words of formulas."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.app.base.fuzzy import Name, name_of_type, name_scores, typed_words
from gradwire.app.look.numbers import MINUS
from gradwire.app.panels.palette.short_formulas import short_formula
from gradwire.engine.base.errors import ParameterError
from gradwire.engine.base.nearest import nearest
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import BlockType, Role
from gradwire.engine.blocktypes.library import library
from gradwire.interop.typed.tensor_text import read_array

SHOWN_AT_FIRST = 6
# More than lies between a name's last word and the beginning of another name: `max` of two blocks is Maximum.
_SUITS = 12
# The usual types, the most usual first: they lead their category and win among equal hits.
_USUAL = [
    "Input",
    "Variable",
    "Add",
    "MatMul",
    "StopGradient",
    "Loss",
    "Constant",
    "Subtract",
    "Multiply",
    "Divide",
    "Exp",
    "Log",
    "ReduceSum",
    "ReduceMean",
    "ReduceMax",
    "Maximum",
    "ReduceMin",
    "Minimum",
    "Where",
    "Relu",
    "Softmax",
    "Sigmoid",
    "Tanh",
    "SoftmaxCrossEntropyWithLogits",
    "MeanSquaredError",
    "Conv2D",
    "MaxPool2D",
    "AvgPool2D",
    "Reshape",
    "Transpose",
    "Concat",
    "Gather",
    "ClipByValue",
    "LayerNormalization",
    "RandomNormal",
    "ResizeBilinear",
    "Pow",
]
CATEGORIES = (
    "Sources",
    "Arithmetic",
    "Elementwise",
    "Reduce",
    "Control",
    "Linear algebra",
    "Activations",
    "Losses",
    "Monitor",
    "Shape",
    "Indexing",
    "Comparison",
    "Normalization",
    "Convolution",
    "Pooling",
    "Images",
    "Random",
    "Trigonometry",
    "Special functions",
    "Scan and sort",
    "Segments",
    "State",
    "Optimizers",
    "Pages",
)
Fits = Callable[[BlockType], bool]


@dataclass(frozen=True)
class Hit:
    """A block type that matches a query; `matched` is the text that matched."""

    type: BlockType
    score: float
    matched: str


@dataclass(frozen=True)
class _Index:
    """The search texts of one block type, in lower case without underscores.

    `aliases` are the names in other frameworks, from their code or from "known as" in the help.
    `parts` are names from lines that are more than one call, or a special case of the type.
    `function` is the word that the formula applies to its inputs alone (`ln` in `ln x`).
    """

    name: Name
    category: str
    aliases: tuple[str, ...]
    parts: tuple[str, ...]
    signs: tuple[str, ...]
    function: str


def placeable_types() -> list[BlockType]:
    """Returns the block types that users can place, in the order of the palette."""
    return list(_placeable(tuple(library)))


# Cached because each window asks several times, and the search field at each key.
@functools.lru_cache(maxsize=4)
def _placeable(types: tuple[BlockType, ...]) -> tuple[BlockType, ...]:
    order = {name: place for place, name in enumerate(CATEGORIES)}
    # A block that uses a page needs that page; users place it from there.
    found = [item for item in types if not item.is_part and item.role is not Role.PAGE]
    # Categories of plug-ins come last.
    return tuple(
        sorted(found, key=lambda item: (order.get(item.category, len(order)), item.category, _usual(item), item.name))
    )


def find_blocks(
    query: str, fits: Fits | None = None, used: Mapping[str, int] | None = None, inputs: int = 0
) -> list[Hit]:
    """Returns the matching block types, best first.

    `used` counts how often each type has been placed. If `inputs` is 2 or more, types of as many inputs come first.
    An empty query returns the six most used types.
    """
    types = [item for item in placeable_types() if fits is None or fits(item)]
    counts = used or {}
    text = _plain(query)
    if not text:
        several = [item for item in types if _takes_all(item, inputs)] if inputs > 1 else types
        return _most_used(several, counts)
    hits = (
        _matching(types, query, text) or _matching(types, query, text.removesuffix("loss")) or _explained(types, text)
    )
    return sorted(hits, key=lambda hit: (-_score(hit, inputs), *_rank(hit.type, counts), len(hit.type.name)))


def _score(hit: Hit, inputs: int) -> float:
    return hit.score + (_SUITS if inputs > 1 and _takes_all(hit.type, inputs) else 0)


def _takes_all(item: BlockType, inputs: int) -> bool:
    return len(item.inputs) == inputs or any(port.variadic for port in item.inputs)


def nearest_blocks(query: str, fits: Fits | None = None) -> list[BlockType]:
    """Returns at most three block types whose name or alias resembles the query."""
    types = [item for item in placeable_types() if fits is None or fits(item)]
    names = {item.name: item for item in types}
    aliases = {alias: item for item in reversed(types) for alias in _index(item).aliases}
    near = [names[item] for item in nearest(query, names)]
    near += [aliases[item] for item in nearest(_plain(query), aliases) if aliases[item] not in near]
    return list(dict.fromkeys(near))[:3]


def constant_from(text: str) -> Array | None:
    """Returns the tensor that a text such as `0.5` or `[1, 2, inf]` spells; None if it spells none."""
    try:
        array = read_array(text)
    except ParameterError:
        return None
    return None if array.dtype.kind == "b" else array


_NAMED = re.compile(r"\s*([A-Za-z]\w*)\s*=(?!=)(.*)", re.DOTALL)


def named_value(text: str) -> tuple[str | None, Array | None]:
    """Returns the name and the tensor that a text such as `x = [1, 3, 3]` spells; None for either if it has none.

    The outer brackets of a list may be missing.
    """
    found = _NAMED.fullmatch(text)
    name, value = (None, text) if found is None else (found[1], found[2])
    value += "]" * (value.count("[") - value.count("]"))
    return name, constant_from(value)


def _most_used(types: list[BlockType], used: Mapping[str, int]) -> list[Hit]:
    return [Hit(item, 0.0, "") for item in sorted(types, key=lambda item: _rank(item, used))[:SHOWN_AT_FIRST]]


def _rank(item: BlockType, used: Mapping[str, int]) -> tuple[int, int]:
    return -used.get(item.name, 0), _usual(item)


def _usual(item: BlockType) -> int:
    return _USUAL.index(item.name) if item.name in _USUAL else len(_USUAL)


def _plain(text: str) -> str:
    """Returns a query in the form of the index: `tf.nn.log_softmax(x)` becomes `logsoftmax`; signs stay."""
    text = text.strip().lower()
    called = re.sub(r"\(.*", "", text) if re.search(r"\w\(", text) else text
    last = called.rstrip(".").rpartition(".")[2] if re.search(r"[a-z_]\.|\.[a-z_]", called) else called
    return re.sub(r"[\s_]+", "", last) or re.sub(r"\s+", "", text)


def _matching(types: Iterable[BlockType], query: str, text: str) -> list[Hit]:
    """Returns the types that match the sign, the plain text, or all words of a query in any order."""
    sign = _closed(query.lower())
    words = typed_words(query)
    hits = (_match(item, text, sign, words) for item in types) if text else ()
    return [hit for hit in hits if hit is not None]


def _explained(types: Iterable[BlockType], text: str) -> list[Hit]:
    """Returns the types whose help contains the text as a word."""
    return [Hit(item, 20, text) for item in types if len(text) > 1 and text in _help_words(item)]


@functools.cache
def _help_words(item: BlockType) -> frozenset[str]:
    return frozenset(_plain(word) for word in re.findall(r"[A-Za-z][\w.]*", item.help))


def _match(item: BlockType, text: str, sign: str, words: list[str]) -> Hit | None:
    """Returns the best match: whole names before beginnings, then parts, then the category."""
    index = _index(item)
    if sign in index.signs:
        return Hit(item, 95, sign)
    best = max(_scores(index, text, words), default=None)
    if best is None:
        return None
    # Several types may share an alias; the one whose own name matches wins.
    own = 1.0 if text in index.name.whole else 0.0
    return Hit(item, best[0] + own, best[1])


def _scores(index: _Index, text: str, words: list[str]) -> Iterable[tuple[float, str]]:
    yield from ((score, index.name.whole) for score in name_scores(index.name, text, words))
    if text in index.aliases:
        yield 90, text
    if text == index.function:
        yield 85, text
    yield from ((60, alias) for alias in index.aliases if alias.startswith(text))
    yield from ((40, part) for part in index.parts if part == text)
    if index.category.startswith(text):
        yield 35, index.category
    yield from ((30, alias) for alias in index.aliases if len(text) > 2 and text in alias)


@functools.cache
def _index(item: BlockType) -> _Index:
    spelling = item.spelling
    lines = [spelling.shown(target) for target in spelling]
    found = [_calls(line) for line in lines]
    known = re.search(r"\bknown as ([^.]*)\.", item.help)
    names = re.split(r",\s+|\s+and\s+", known[1]) if known else []
    aliases = dict.fromkeys(_plain(name) for name in (*(name for whole, _ in found for name in whole), *names))
    parts = dict.fromkeys(_plain(name) for _, others in found for name in others)
    sign = re.fullmatch(r"\{x\} ([^\w\s]+) \{y\}", spelling.shown("numpy"))
    formula = short_formula(item).lower()
    function = re.fullmatch(r"(\w{2,})(?: \w|\([a-z](?:, [a-z])*\))|\w (\w{2,}) \w", formula)
    return _Index(
        name_of_type(item.name),
        re.sub(r"\s", "", item.category.lower()),
        tuple(aliases),
        tuple(parts),
        (*([sign[1]] if sign else []), *_SIGNS.get(item.name, ()), *([] if formula.isalnum() else [_closed(formula)])),
        (function[1] or function[2]) if function else "",
    )


_SIGNS = {
    "Divide": ("÷",),
    "Equal": ("=",),
    "FloorDiv": ("//",),
    "FloorMod": ("%",),
    "Gradients": ("∂", "∇"),
    "GreaterEqual": ("≥",),
    "LessEqual": ("≤",),
    "LogicalAnd": ("&", "&&", "∧"),
    "LogicalNot": ("~", "!", "¬"),
    "LogicalOr": ("|", "||", "∨"),
    "LogicalXor": ("^", "⊕"),
    "MatMul": ("@",),
    "MatrixInverse": ("^-1",),
    "Multiply": ("·", "×", "⊙"),
    "Norm": ("‖", "‖x‖"),
    "NotEqual": ("≠", "<>"),
    "Pow": ("^",),
    "ReduceProd": ("∏",),
    "ReduceSum": ("Σ".lower(), "∑"),
    "Sqrt": ("√",),
    "Square": ("²", "^2", "**2"),
    "StopGradient": ("∂→0", "->0"),
    "Subtract": (MINUS,),
    "Transpose": (".t",),
    "Where": ("?", "?:"),
}


def _closed(text: str) -> str:
    """Returns a text without blanks, its signs as a keyboard types them."""
    return re.sub(r"\s", "", text).replace(MINUS, "-").replace("·", "*")


def _calls(line: str) -> tuple[list[str], list[str]]:
    """Returns the function names in a line of code: from a line that is one call, and from other lines."""
    names = re.findall(r"[A-Za-z_][\w.]*(?=\()|(?<=\})\.\w+(?=\()", line)
    # `np.clip({x}, 0, 6)` is a special case: `clip` is no alias of this type.
    is_special = re.search(r", -?\d[\d.]*[,)]", line) is not None
    if (
        len(names) == 1
        and not is_special
        and re.match(r"[\w.{}]+\(", line)
        and not re.search(r" [-+*/<>=]{1,2} ", line)
    ):
        return names, []
    return [], names
