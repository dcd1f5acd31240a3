"""A search for block types by our names, names in other frameworks, signs, and words of formulas."""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.blocks.layers.catalogue import LAYERS, Layer
from gradwire.engine.base.errors import ParameterError
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import BlockType, Role
from gradwire.engine.blocktypes.library import library
from gradwire.interop.search.fuzzy import name_scores, typed_words
from gradwire.interop.search.instead import INSTEAD
from gradwire.interop.search.search_texts import SearchTexts, closed, plain, texts_of_layer, texts_of_type
from gradwire.interop.search.words import as_said, joined, types_by_word
from gradwire.interop.typed.tensor_text import read_typed

SHOWN_AT_FIRST = 6
# The least score of a match by a whole name or word, below that of a sign.
_WHOLE: Final = 90
_SAYING: Final = "people say"
_NEIGHBOURS, _LONGEST_COMPARED = 3, 40
# The likeness from which on a name is offered, and not only told.
_SIMILAR: Final = 0.65
# Words that say nothing about a block.
_FILLERS: Final = frozenset(
    ("the", "and", "for", "with", "from", "into", "der", "die", "das", "und", "ein", "eine", "mit")
)
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
Offer = BlockType | Layer
"""What a search offers: a block, or the page of a layer."""
Fits = Callable[[Any], bool]  # Any: a block type or a layer, or only one of them


@dataclass(frozen=True)
class Hit:
    """A block type or layer that matches a query; `matched` is the text that matched, `why` says what it is.

    `caveat` says how it differs from what was asked for, if Gradwire does not have that.
    """

    type: Any  # Any: an Offer; of a search for blocks alone a BlockType
    score: float
    matched: str
    why: str = ""
    caveat: str = ""

    @property
    def is_said(self) -> bool:
        """Whether only people call it so, not we nor a framework."""
        return self.why.startswith(_SAYING)


def placeable_types() -> list[BlockType]:
    """Returns the block types that users can place, in the order of the palette."""
    return list(_placeable(tuple(library)))


def found_types() -> list[BlockType]:
    """Returns the block types that the search finds: those that users can place, and the loops over their pages."""
    return [*placeable_types(), *(item for item in library if item.is_loop)]


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


def find_offers(
    query: str, fits: Fits | None = None, used: Mapping[str, int] | None = None, inputs: int = 0
) -> list[Hit]:
    """Returns the matching block types and layers, best first.

    `used` counts how often each type has been placed. If `inputs` is 2 or more, types of as many inputs come first.
    An empty query returns the six most used types.
    """
    types = [item for item in found_types() if fits is None or fits(item)]
    counts = used or {}
    text = plain(query)
    if not text:
        several = [item for item in types if _takes_all(item, inputs)] if inputs > 1 else types
        return _most_used(several, counts)
    offers: list[Offer] = [*types, *(item for item in LAYERS.values() if fits is None or fits(item))]
    hits = (
        _instead(types, text)
        or _matching(offers, query, text)
        or _matching(offers, query, text.removesuffix("loss"))
        or _by_words(offers, query)
        or _explained(types, text)
    )
    if inputs > 1:
        hits = [replace(hit, score=hit.score + _SUITS) if _takes_all(hit.type, inputs) else hit for hit in hits]
    return sorted(hits, key=lambda hit: (-hit.score, *_rank(hit.type, counts), len(hit.type.name)))


def _instead(types: list[BlockType], text: str) -> list[Hit]:
    """Returns the block to take for a name that Gradwire does not have; `text` is plain."""
    found = INSTEAD.get(text)
    if found is None:
        return []
    return [Hit(item, 90, text, found.sentence, found.sentence) for item in types if item.name == found.type]


def _takes_all(item: Offer, inputs: int) -> bool:
    if isinstance(item, Layer):
        return False
    return len(item.inputs) == inputs or any(port.variadic for port in item.inputs)


def nearest_blocks(query: str, fits: Fits | None = None) -> list[BlockType]:
    """Returns three block types, or as many as fit, whose names, aliases or words are nearest to the query."""
    return [item for item, _ in _nearest(query, fits)]


def similar_blocks(query: str, fits: Fits | None = None) -> list[BlockType]:
    """Returns those of the nearest block types that resemble the query enough to be meant by it."""
    return [item for item, likeness in _nearest(query, fits) if likeness >= _SIMILAR]


def _nearest(query: str, fits: Fits | None) -> list[tuple[BlockType, float]]:
    types = [item for item in found_types() if fits is None or fits(item)]
    text = joined(plain(query))[:_LONGEST_COMPARED]
    scored = [(item, _likeness(text, item)) for item in types]
    return sorted(scored, key=lambda pair: (-pair[1], _usual(pair[0]), pair[0].name))[:_NEIGHBOURS]


def _likeness(text: str, item: BlockType) -> float:
    """Returns how like a text is to the nearest name of a type, from 0 to 1; its own name counts a little more.

    Source: Ratcliff and Metzener, Pattern Matching: The Gestalt Approach (1988), by difflib.
    """
    item_texts = _texts(item)
    matcher = difflib.SequenceMatcher(None, "", text, autojunk=False)
    best = 0.0
    for bonus, texts in ((0.05, (item_texts.name.whole,)), (0.0, (*item_texts.aliases, *item_texts.words))):
        for name in texts:
            matcher.set_seq1(name)
            if matcher.quick_ratio() + bonus > best:
                best = max(best, matcher.ratio() + bonus)
    return best


def constant_from(text: str) -> Array | None:
    """Returns the tensor that a text such as `0.5` or `[1, 2, inf]` spells; None if it spells none."""
    try:
        array = read_typed(text, ".")
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


def _rank(item: Offer, used: Mapping[str, int]) -> tuple[int, int]:
    return -used.get(item.name, 0), _usual(item)


def _usual(item: Offer) -> int:
    return _USUAL.index(item.name) if item.name in _USUAL else len(_USUAL)


def _matching(offers: Iterable[Offer], query: str, text: str) -> list[Hit]:
    """Returns what matches the sign, the plain text, or all words of a query in any order."""
    sign = closed(query.lower())
    words = typed_words(query)
    said = joined(query)
    hits = (_match(item, text, sign, words, said) for item in offers) if text else ()
    return [hit for hit in hits if hit is not None]


def _by_words(offers: Sequence[Offer], query: str) -> list[Hit]:
    """Returns what matches the words of a query one by one: a little less than a whole match, more for more words."""
    words = [word for word in typed_words(query) if len(word) > 2 and word not in _FILLERS]
    found: dict[int, Hit] = {}
    for word in words:
        for hit in _matching(offers, word, plain(word)):
            if hit.score >= _WHOLE:
                score = found[id(hit.type)].score if id(hit.type) in found else 0.0
                found[id(hit.type)] = Hit(
                    hit.type, score + hit.score / len(words) / 2, hit.matched, f'{_SAYING} "{word}"'
                )
    return list(found.values())


def _explained(types: Iterable[BlockType], text: str) -> list[Hit]:
    """Returns the types whose help contains the text as a word."""
    said = f'its help says "{text}"'
    return [Hit(item, 20, text, said) for item in types if len(text) > 1 and text in _help_words(item)]


@functools.cache
def _help_words(item: BlockType) -> frozenset[str]:
    return frozenset(plain(word) for word in re.findall(r"[A-Za-z](?:[\w.]*\w)?", item.help))


def _match(item: Offer, text: str, sign: str, words: list[str], said: str) -> Hit | None:
    """Returns the best match: whole names before beginnings, then parts, then the category."""
    texts = _texts(item)
    if sign in texts.signs:
        return Hit(item, 95, sign, f"written {sign}")
    best = max(_scores(texts, text, words, said), default=None)
    if best is None:
        return None
    # Several types may share an alias; the one whose own name matches wins, and a block before a layer of its name.
    own = 1.0 if text in texts.name.whole else 0.0
    own -= 0.5 if isinstance(item, Layer) and item.name in library else 0.0
    return Hit(item, best[0] + own, best[1], best[2])


def _scores(texts: SearchTexts, text: str, words: list[str], said: str) -> Iterator[tuple[float, str, str]]:
    name = texts.name.whole
    yield from ((score, name, "its name") for score in name_scores(texts.name, text, words))
    if text in texts.aliases:
        yield 90, text, f"known as {text}"
    for word in {said, text} & set(texts.words):
        # The first type of a word is the usual one.
        yield _WHOLE + 2 - 0.01 * _place(word, texts), word, f'{_SAYING} "{as_said(word)}"'
    if text == texts.function:
        yield 85, text, "its formula"
    yield from ((60, alias, f"known as {alias}") for alias in texts.aliases if alias.startswith(text))
    if len(said) > 2:
        begun = (word for word in texts.words if word.startswith(said))
        yield from ((58, word, f'{_SAYING} "{as_said(word)}"') for word in begun)
    yield from ((40, part, f"known as {part}") for part in texts.parts if part == text)
    if texts.category.startswith(text):
        yield 35, texts.category, "its category"
    yield from ((30, alias, f"known as {alias}") for alias in texts.aliases if len(text) > 2 and text in alias)
    yield from ((28, word, f'{_SAYING} "{as_said(word)}"') for word in texts.words if len(said) > 3 and said in word)


def _place(word: str, texts: SearchTexts) -> int:
    """Returns the place of a type among those that people call by a word; a layer comes first."""
    types = types_by_word().get(word, ())
    return next((place for place, name in enumerate(types) if name.lower() == texts.name.whole), 0)


def _texts(item: Offer) -> SearchTexts:
    return _texts_of_layer(item.name) if isinstance(item, Layer) else _texts_of_type(item)


_texts_of_type = functools.cache(texts_of_type)


@functools.cache
def _texts_of_layer(name: str) -> SearchTexts:
    return texts_of_layer(LAYERS[name])
