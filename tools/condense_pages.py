"""Writes the scripts of living pages in fewer letters into assets/web/condensed.json: make page-scripts.

Comments go, and spaces that no rule asks for; our own names become short.
"""

from __future__ import annotations

import itertools
import json
import re
import string
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gradwire.app.features.share.web.html_page import CONDENSED, FAST, SCRIPTS, TRAINING_SCRIPTS

# Literals that must stay as they are, then comments, runs of spaces, words, signs, and all else letter by letter.
_TOKEN = re.compile(
    r"""(?P<kept>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\d[\w.]*"""
    r"""|(?<=[(,=:?&|!{};\n ])/(?![/*\s])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*)"""
    r"""|(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<space>\s+)|(?P<word>[A-Za-z_$][\w$]*)|(?P<sign>=>|===?|\.\.\.|\?\.|\?\?|.)""",
    re.S,
)
_TEMPLATE = re.compile(r"(?:\\.|\$(?!\{)|[^`\\$])*(`|\$\{)", re.S)
_OPEN, _CLOSE = "([{", ")]}"
# What stands before a brace that holds statements.
_BEFORE_BLOCKS = ("", ")", "=>", ";", "{", "}", "else", "try", "finally", "do")


def _names(text: str) -> list[str]:
    return text.split()


_KEYWORDS = _names(
    "async await break case catch class const constructor continue default delete do else export extends false finally "
    "for from function get if import in instanceof let new null of return set static super switch this throw true try "
    "typeof undefined var void while with yield"
)

# Names that only our scripts use, as variables or as properties: what a page's document, the browser and the fields of
# sentences are called is not among them. Names that are nowhere a property are found without this list.
OWN = _names(
    "across added again allBounds apart areChosen around arrivals arriving arrowPath before beforeMoves begun behind "
    "beside block both bound bounded boundOf bounds boundsOf byNumbers bytes cancels carried casting "
    "cause changeOf changes checked compared componentBars count degree details digitsOf dtype entry eps errors "
    "exact exponent extent failed filled finite fixed floats floorDivide fmtBrief fmtShort form found "
    "function1 function2 general glyphOf gradient gradientMargin gradientShown gradientText grouped infinite "
    "inner ins isAbove isBig isBoxed isBreaking isChosen isDisproved isExact isFresh isFrozen isKnown isLate "
    "isLevel isLong isMoved isNegative isOld isOpen isSeen isSingle isStable isStuck isTotal isWhole items judge "
    "kinds known label labelMarkup lastSum look lookOf loses machine mantissa mark mask memories most name node norm "
    "notch number numbers offset offsets onShow onSlider outs owner pairwise parts picture pinned place places "
    "points pose program programs rank reached repeated resultOf results room rounded roundingsOf rowBoxes rowMargin "
    "safe said script second series setChange shaken shape shapeText share shortest sizes slider sliderOf "
    "sliderParts slot slots source spread spreadOf status statusOf step stepsBefore stops strides stripped summary "
    "sums terms text texts textsOf tried twin twoDigits unknown unpacked upstream valueShown "
    "valueText variant view waits whole widthsOf withoutZero words write zoom"
)

# Other spellings of words, where they name no property; nothing assigns to a constant.
_SHORTER = {"const": "let", "true": "!0", "false": "!1", "Infinity": "1/0", "undefined": "void 0"}
# Names of the scripts' tables of functions.
TABLES = ("ONE", "TWO", "BIG", "SLOPES", "KERNELS", "AREAS")
# Tables of faster ways to do the same, which pages have that train. Their entries are named with FAST before.
FAST_TABLES = ("FLOATS1", "FLOATS2")


class _Token(NamedTuple):
    """A piece of a script: `is_word` of names and keywords, `is_apart` of what had a space or a comment before it."""

    text: str
    is_word: bool
    is_apart: bool


def main() -> None:
    """Writes the scripts anew."""
    CONDENSED.write_text(condensed_pages(), encoding="utf-8", newline="\n")


def condensed_pages() -> str:
    """Returns the pieces of the scripts of all kinds of pages, by the names of their files."""
    kinds = {" ".join(names): pieces(joined(names)) for names in (SCRIPTS, TRAINING_SCRIPTS)}
    return json.dumps(kinds, ensure_ascii=False, indent=0) + "\n"


def joined(names: Iterable[str]) -> str:
    """Returns some scripts as one, since they call each other."""
    return "\n".join((CONDENSED.parent / f"{name}.js").read_text(encoding="utf-8") for name in names)


def condensed(script: str, functions: Container[str] | None = None) -> str:
    """Returns a script that does the same; each of its statements ends in a semicolon or a brace.

    Scripts that call each other must be given as one. Its tables of functions keep those named, None for all.
    """
    found = pieces(script)
    return "".join(text for name, text in found if name is None or functions is None or name in functions)


def pieces(script: str) -> list[tuple[str | None, str]]:
    """Returns the pieces of a condensed script: entries of its tables by their names, and what stands between them."""
    tokens = list(_with_joined_declarations(list(_tokens(script))))
    entries = list(_entries(tokens))
    texts = _texts(tokens, _short_names(tokens, entries))
    parts = itertools.groupby(zip(entries, texts, strict=True), key=lambda pair: pair[0])
    return [(name, "".join(text for _, text in pairs).replace(";}", "}")) for name, pairs in parts]


def _texts(tokens: Iterable[_Token], short: Mapping[str, str]) -> Iterator[str]:
    """Yields the letters of each token, with a space before those that need one."""
    last = ""
    for token in tokens:
        text = short.get(token.text, token.text) if token.is_word else token.text
        if last not in (".", "?."):
            text = _SHORTER.get(text, text)
        if text[:2] == "0.":
            text = text[1:]
        yield f" {text}" if token.is_apart and last and _needs_space(last[-1], text[0]) else text
        last = text


def _tokens(script: str) -> Iterator[_Token]:
    """Yields what is not a comment or a space; the texts of templates are tokens between those of their code."""
    place, is_apart = 0, False
    # How many braces are open in the code of each template around.
    braces: list[int] = []
    while place < len(script):
        letter = script[place]
        if letter == "`" or (letter == "}" and braces and braces[-1] == 0):
            found = _TEMPLATE.match(script, place + 1)
            assert found is not None, "a template has no end"
            if letter == "}":
                braces.pop()
            if found[1] == "${":
                braces.append(0)
            yield _Token(letter + found[0], False, is_apart)
        else:
            found = _TOKEN.match(script, place)
            assert found is not None
            if braces:
                braces[-1] += (letter == "{") - (letter == "}")
            if found["comment"] is None and found["space"] is None:
                yield _Token(found[0], found["word"] is not None, is_apart)
        is_apart = found.lastgroup in ("comment", "space")
        place = found.end()


def _entries(tokens: Sequence[_Token]) -> Iterator[str | None]:
    """Yields the name of the entry of a table to which each token belongs, None for what belongs to none."""
    # How many brackets are open in a table, what stands before the names of its entries, and the entry that is read.
    depth, prefix, entry = 0, "", None
    befores = [_Token("", False, False)] * 2 + list(tokens)
    for name, before, token in zip(befores, befores[1:], tokens, strict=False):
        if not depth:
            depth = int(token.text == "{" and before.text == "=" and name.text in TABLES + FAST_TABLES)
            prefix = FAST if name.text in FAST_TABLES else ""
            yield None
            continue
        depth += (token.text[-1] in _OPEN) - (token.text[0] in _CLOSE)
        if depth == 1 and before.text in ("{", ","):
            entry = prefix + token.text
        entry = entry if depth else None
        yield entry


def _with_joined_declarations(tokens: Sequence[_Token]) -> Iterator[_Token]:
    """Yields the tokens with one declaration for several that follow each other: `const a = 1, b = 2`."""
    # The first word of the statement that is read, for each open bracket.
    firsts = [""]
    ends = [*tokens[1:], _Token("", False, False)]
    is_joined = False
    for token, after in zip(tokens, ends, strict=True):
        if is_joined:
            is_joined = False
            continue
        if token.text == ";":
            is_joined = firsts[-1] == after.text and firsts[-1] in ("const", "let")
            firsts[-1] = firsts[-1] if is_joined else ""
            yield token._replace(text=",") if is_joined else token
            continue
        if token.text[0] in _CLOSE:
            firsts.pop()
        firsts[-1] = firsts[-1] or token.text
        if token.text[-1] in _OPEN:
            firsts.append("")
        # A block ends the statement that it is.
        elif token.text == "}" and firsts[-1] not in ("const", "let"):
            firsts[-1] = ""
        yield token


def _short_names(tokens: Sequence[_Token], entries: Sequence[str | None]) -> dict[str, str]:
    """Returns short names for our own: those of the list, and variables that are nowhere the name of a property.

    The shortest are those of what stands most often outside of the entries of tables, of which scripts keep few.
    """
    counts = Counter(token.text for token in tokens if token.is_word)
    outside = Counter(token.text for token, entry in zip(tokens, entries, strict=True) if entry is None)
    uses = _Uses(tokens)
    names = (uses.declared - uses.properties - {*_KEYWORDS}) | set(OWN)
    ordered = sorted(
        (name for name in names if len(name) > 2 and counts[name]),
        key=lambda name: (-outside[name], -counts[name], name),
    )
    free = (name for name in _all_names() if name not in counts and name not in _KEYWORDS)
    return dict(zip(ordered, free, strict=False))


def _all_names() -> Iterator[str]:
    first = string.ascii_letters + "$_"
    yield from first
    yield from map("".join, itertools.product(first, first + string.digits))


@dataclass
class _Bracket:
    """A bracket that is open: the place of its first token, whether it may hold keys, and how many `?` wait for `:`."""

    start: int
    has_keys: bool = False
    waiting: int = 0


class _Uses:
    """The names that a script declares, and those that name a property somewhere in it."""

    def __init__(self, tokens: Sequence[_Token]) -> None:
        self.declared: set[str] = set()
        self.properties: set[str] = set()
        self._tokens, self._open = tokens, [_Bracket(0)]
        texts = ["", *(token.text for token in tokens), ""]
        for place, (before, token, after) in enumerate(zip(texts, tokens, texts[2:], strict=False)):
            inside = self._open[-1]
            if token.is_word:
                self._name(before, token.text, after, inside)
            elif token.text == "?":
                inside.waiting += 1
            elif token.text == ":":
                inside.waiting = max(inside.waiting - 1, 0)
            else:
                self._bracket(place, before, token.text, after)

    def _name(self, before: str, name: str, after: str, inside: _Bracket) -> None:
        is_key = after == ":" and not inside.waiting
        is_shorthand = before in ("{", ",") and after in (",", "}", "=")
        if before in (".", "?.") or (inside.has_keys and (is_key or is_shorthand)):
            self.properties.add(name)
        elif before in ("const", "let", "function", "class") or after in ("=", "=>"):
            self.declared.add(name)

    def _bracket(self, place: int, before: str, text: str, after: str) -> None:
        """Closes and opens brackets; the texts of a template end and begin the code in it."""
        if text[0] in _CLOSE:
            start = self._open.pop().start
            if after in ("=", "=>", "{", "of"):
                self.declared |= _targets(self._tokens[start - 1 : place])
        if text[-1] in _OPEN:
            self._open.append(_Bracket(place + 1, text == "{" and before not in _BEFORE_BLOCKS))


def _targets(tokens: Sequence[_Token]) -> set[str]:
    """Returns the names in brackets that an arrow, a body or a sign of assignment follows."""
    return {
        token.text
        for before, token in itertools.pairwise(tokens)
        if token.is_word and before.text in ("(", "[", "{", ",", "...", ":")
    }


def _needs_space(before: str, after: str) -> bool:
    is_word = (before.isalnum() or before in "_$") and (after.isalnum() or after in "_$")
    return is_word or (before == after and before in "+-")


if __name__ == "__main__":
    main()
