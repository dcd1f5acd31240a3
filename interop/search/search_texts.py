"""The texts by which a search finds a block type or a layer: names, words of people, signs."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gradwire.blocks.layers.catalogue import Layer
from gradwire.blocks.names.table import names
from gradwire.engine.base.number_text import MINUS
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.interop.search.fuzzy import Name, name_of_type
from gradwire.interop.search.short_formulas import plain_formula
from gradwire.interop.search.words import joined, words_by_type

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
    "Multiply": ("×", "⊙"),
    "Norm": ("‖", "‖x‖"),
    "NotEqual": ("≠", "<>"),
    "Pow": ("^",),
    "ReduceProd": ("∏",),
    "ReduceSum": ("∑",),
    "Sqrt": ("√",),
    "Square": ("²", "^2", "**2"),
    "StopGradient": ("∂→0", "->0"),
    "Transpose": (".t",),
    "Where": ("?", "?:"),
}


@dataclass(frozen=True)
class SearchTexts:
    """The texts of one block type or layer, in lower case without underscores.

    `aliases` are the names in other frameworks, from the table of names, their code, or "known as" in the help.
    `words` are what people say. `parts` are names from lines that are more than one call, or a special case.
    `function` is the word that the formula applies to its inputs alone (`ln` in `ln x`).
    """

    name: Name
    category: str
    aliases: tuple[str, ...]
    words: tuple[str, ...]
    parts: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()
    function: str = ""


def texts_of_layer(layer: Layer) -> SearchTexts:
    """Returns the texts of a layer."""
    words = (*map(joined, layer.words), *words_by_type().get(layer.key, ()))
    return SearchTexts(name_of_type(layer.name), layer.category.lower(), (), tuple(dict.fromkeys(words)))


def texts_of_type(item: BlockType) -> SearchTexts:
    """Returns the texts of a block type."""
    spelling = item.spelling
    lines = [spelling.shown(target) for target in spelling]
    found = [_calls(line) for line in lines]
    known = re.search(r"\bknown as ([^.]*)\.", item.help)
    said = re.split(r",\s+|\s+and\s+", known[1]) if known else []
    whole = (*(name for calls, _ in found for name in calls), *said, *names().of_block(item.name))
    aliases = dict.fromkeys(plain(name) for name in whole)
    parts = dict.fromkeys(plain(name) for _, others in found for name in others)
    sign = re.fullmatch(r"\{x\} ([^\w\s]+) \{y\}", spelling.shown("numpy"))
    formula = plain_formula(item).lower()
    is_word = re.fullmatch(r"\w*", formula, re.ASCII)
    function = re.fullmatch(r"(\w{2,})(?: \w|\([a-z](?:, [a-z])*\))|\w (\w{2,}) \w", formula)
    return SearchTexts(
        name_of_type(item.name),
        re.sub(r"\s", "", item.category.lower()),
        tuple(aliases),
        words_by_type().get(item.name, ()),
        tuple(parts),
        (*([sign[1]] if sign else []), *_SIGNS.get(item.name, ()), *([] if is_word else [closed(formula)])),
        (function[1] or function[2]) if function else "",
    )


def plain(text: str) -> str:
    """Returns a query in the form of these texts: `tf.nn.log_softmax(x)` becomes `logsoftmax`; signs stay."""
    text = text.strip().lower()
    called = re.sub(r"\(.*", "", text) if re.search(r"\w\(", text) else text
    last = called.rstrip(".").rpartition(".")[2] if re.search(r"[a-z_]\.|\.[a-z_]", called) else called
    return re.sub(r"[\s_]+", "", last) or re.sub(r"\s+", "", text)


def closed(text: str) -> str:
    """Returns a text without blanks, its signs as a keyboard types them."""
    return re.sub(r"\s", "", text).replace(MINUS, "-").replace("·", "*")


def _calls(line: str) -> tuple[list[str], list[str]]:
    """Returns the function names in a line of code: from a line that is one call, and from other lines."""
    names = re.findall(r"[A-Za-z_][\w.]*(?=\()|(?<=\})\.\w+(?=\()", line)
    # `np.clip({x}, 0, 6)` is a special case: `clip` is no alias of this type.
    is_special = re.search(r", -?\d[\d.]*[,)]", line) is not None
    is_one_call = re.match(r"[\w.{}]+\(", line) and not re.search(r" [-+*/<>=]{1,2} ", line)
    return (names, []) if len(names) == 1 and is_one_call and not is_special else ([], names)
