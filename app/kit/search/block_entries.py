"""Block types, layers, pages, typed values and formulas as entries, which a choice places."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np

from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.kit.search.entries import Entry
from gradwire.app.kit.search.ranking import Scored
from gradwire.app.kit.search.short_formulas import short_formula
from gradwire.app.live.editing import NewBlock
from gradwire.app.look.categories import color_token, icon_name, type_title
from gradwire.app.look.numbers import fmt_list, shape_text
from gradwire.blocks.layers.catalogue import Layer
from gradwire.blocks.layers.open_weights import USUAL, Weights
from gradwire.blocks.layers.typed_layers import typed_layer
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.library import library
from gradwire.interop.code.from_code import read_code
from gradwire.interop.code.layer_lines import layer_lines
from gradwire.interop.code.refusals import CodeRefusal
from gradwire.interop.code.source_text import is_program
from gradwire.interop.search.block_search import (
    Fits,
    Hit,
    Offer,
    find_offers,
    named_value,
    nearest_blocks,
    similar_blocks,
)
from gradwire.interop.search.words import joined, words_by_type

_PAGE: Final = "Page"
_SCAN: Final = "Scan"
_SIZE = re.compile(r"([^\W\d]*)\s*(\d{0,6})")
# Above all scores of block types, in the order of the rows; pages whose names only contain the query come last.
_CODE, _WEIGHTS, _SOURCE, _LOOP, _OWN_PAGE, _OTHER_PAGE = 900.0, 800.0, 700.0, 600.0, 500.0, -1.0


class TypedCode(NamedTuple):
    """A formula or program that was typed or pasted into the search."""

    text: str


class Ends(NamedTuple):
    """The names of the blocks to which a new one will be connected, and how many there are.

    A block with inputs is connected to those `read`, one without inputs to the one `fed`, which may take `weights`.
    """

    read: str = ""
    fed: str = ""
    many: int = 0
    weights: Weights | None = None


NO_ENDS = Ends()


def key_of(item: Offer) -> str:
    """Returns the name by which a block type or layer is placed."""
    return item.key if isinstance(item, Layer) else item.name


def offer_entry(item: Offer, call: Callable[[], object]) -> Entry:
    """Returns a block type or layer as an entry with its category and its short formula."""
    return Entry(
        f"type:{key_of(item)}",
        item.name if isinstance(item, Layer) else type_title(item),
        call,
        tr(item.category),
        "" if isinstance(item, Layer) else short_formula(item),
        item.summary,
        icon_name(item),
        color_token(item),
        block=key_of(item),
    )


@dataclass(frozen=True)
class BlockSearch:
    """A search for what can be placed; a choice is given to `take` as a NewBlock, the name of a page, or TypedCode.

    `fits` says which block types may come, `used` counts past choices, `pages` are those that can be used as blocks,
    and `ends` tells what the new block will be connected to.
    """

    take: Callable[[Any], object]  # Any: one of three kinds of choice
    fits: Fits | None = None
    used: Mapping[str, int] | None = None
    pages: Sequence[str] = ()
    ends: Ends = NO_ENDS

    def found(self, query: str) -> tuple[list[Scored], str]:
        """Returns what matches with its scores; if nothing does, what is nearest and a message that says so."""
        code, refusal = self._code(query)
        rows, message = self._found(query)
        return [*code, *rows], "" if code else refusal or message

    def _found(self, query: str) -> tuple[list[Scored], str]:
        typed = typed_layer(query)
        if typed is not None and (self.fits is None or self.fits(typed.layer)):
            entry = self._entry(typed.layer, NewBlock(typed.layer.key, typed.settings), text=typed.text)
            return [(_SOURCE, entry)], ""
        several = [] if self.fits is None else layer_lines(query)
        if len(several) > 1:
            # Nothing that was typed is left out in silence.
            return [], tr("Here one layer at a time: {first}.", first=several[0].text)
        special, (types, message) = [*self._special(query)], self.types(query)
        return ([*special, *([] if message else types)], "") if special else (types, message)

    def types(self, query: str) -> tuple[list[Scored], str]:
        """Returns the block types and layers that match, or those whose names are similar."""
        hits = find_offers(query, self.fits, self.used, self.ends.many)
        if not hits:
            near = ", ".join(item.name for item in nearest_blocks(query))
            message = tr('No block is called "{name}". The nearest names are {near}.', name=query.strip(), near=near)
            return [(0.0, self._entry(item)) for item in similar_blocks(query, self.fits)], message
        # A loop is named with its page where there is one.
        hidden = library[_SCAN] if self.pages and self._asks_for_loops(query) else None
        found = [hit for hit in hits if hit.type is not hidden]
        return [(hit.score, self._entry(hit.type, **_meaning(query, hit))) for hit in found], ""

    def _special(self, query: str) -> Iterator[Scored]:
        """Yields values, weights, loops, and pages; a page of exactly this name comes before the block types."""
        yield from ((_WEIGHTS, entry) for entry in self._weights(query))
        yield from ((_SOURCE, entry) for entry in self._sources(query))
        loops, wanted = self._asks_for_loops(query), query.strip().lower()
        for page in self.pages:
            if loops:
                yield _LOOP, self._loop(page)
            if wanted and wanted in page.lower():
                score = _OWN_PAGE if page.lower() == wanted else _OTHER_PAGE
                yield score, self._entry(library[_PAGE], page, text=page, formula="")
                if not loops:
                    yield score, self._loop(page)

    def _asks_for_loops(self, query: str) -> bool:
        """Returns whether the query is what people call a loop, or begins its name."""
        word = joined(query)
        return len(word) > 1 and (word in words_by_type().get(_SCAN, ()) or joined(_SCAN).startswith(word))

    def _loop(self, page: str) -> Entry:
        scan = library[_SCAN]
        return self._entry(scan, NewBlock(_SCAN, {"page": page}), text=tr("Scan of {page}", page=page), formula="")

    def _code(self, query: str) -> tuple[list[Scored], str]:
        """Returns the entry for a formula or layers in a few words, or else what has no block in it."""
        if self.fits is not None or named_value(query)[1] is not None:
            return [], ""
        if not is_program(query) and len(layer_lines(query)) < 2:
            return [], ""
        try:
            blocks = list(read_code(query).graph.pages[0].blocks.values())
        except CodeRefusal as error:
            return [], tr("Column {column}: {reason}.", column=error.column, reason=tr_sentence(error.message))
        shown = library.get(blocks[-1].type)
        if shown is None:
            return [], ""
        hint = tr("Enter makes {count} blocks.", count=len(blocks))
        text, detail = query.strip(), tr("{count} blocks", count=len(blocks))
        return [(_CODE, self._entry(shown, TypedCode(text), text=text, detail=detail, formula="", hint=hint))], ""

    def _weights(self, query: str) -> Iterator[Entry]:
        """Yields the Variable that fits the port fed, for the word weights, a size, or no query at all."""
        weights, asked = self.ends.weights, _SIZE.fullmatch(query.strip().lower())
        if weights is None or asked is None or not tr("weights").startswith(asked[1]):
            return
        # Where blocks may read others too, or no size is open, weights come only when they are asked for.
        if not asked[1] and (self.ends.many or None not in weights.shape):
            return
        wanted = weights.of_size(int(asked[2]) if asked[2] else None)
        is_open = {"hint": tr("Type a number for [ ]; without one it is {size}.", size=USUAL)}
        changes = is_open if None in wanted.shape else {}
        text = tr("Weights {shape}", shape=wanted.text)
        yield self._entry(library["Variable"], NewBlock("Variable", wanted.parameters()), text=text, **changes)

    def _sources(self, query: str) -> Iterator[Entry]:
        """Yields the blocks that hold a typed value: first a Constant, or an Input if the value has a name."""
        name, value = named_value(query)
        if value is None:
            return
        for item in ("Constant", "Input", "Variable") if name is None else ("Input", "Constant", "Variable"):
            if self.fits is None or self.fits(library[item]):
                yield self._entry(library[item], NewBlock(item, {"value": value}, name), formula=_value_text(value))

    def _entry(self, item: Offer, choice: object = None, **changes: Any) -> Entry:  # Any: fields of Entry
        """Returns a block type with what a choice gives; its hint says what Enter does, and how values are typed."""
        ends = self.ends.read if item.inputs else self.ends.fed
        values = tr("A value or a formula makes blocks too: [1, 2], y = W @ x + b, dense 8 tanh.")
        hint = f"{tr('Enter connects it to {ends}.', ends=ends)} {values}" if ends else values
        call = partial(self.take, choice or NewBlock(key_of(item)))
        return replace(offer_entry(item, call), **{"hint": hint, **changes})


def _value_text(value: Array) -> str:
    """Returns the numbers of a Constant if they are few, else its shape."""
    if value.size <= 4 and value.ndim <= 1:
        return fmt_list(float(item) for item in np.ravel(value))
    return shape_text(value.shape)


def _meaning(query: str, hit: Hit) -> dict[str, str]:
    """Returns the hint of a row that is called by another word: how it differs, or what it does."""
    if hit.caveat:
        return {"hint": tr_sentence(hit.caveat)}
    if not hit.is_said:
        return {}
    texts = {"word": query.strip(), "name": hit.type.name, "summary": hit.type.summary}
    return {"hint": tr('"{word}" is {name} here. {summary}', **texts)}
