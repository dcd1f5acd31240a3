"""Scripts in fewer letters: without comments and spaces that no rule asks for, and with short names for our own."""

from __future__ import annotations

import re

# What must stay as it is, then comments, runs of spaces, and all else letter by letter.
_TOKEN = re.compile(
    r"""(?P<kept>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`"""
    r"""|(?<=[(,=:?&|!{};\n ])/(?![/*\s])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*)"""
    r"""|(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<space>\s+)|(?P<word>[\w$]+)|(?P<sign>.)""",
    re.S,
)
# The code inside of a template.
_CODE = re.compile(r"\$\{((?:[^{}]|\{[^{}]*\})*)\}")


def _names(text: str) -> list[str]:
    return text.split()


# Names that only our scripts use, as variables or as properties: what a page's document, the browser and the fields of
# sentences are called is not among them.
OWN = _names(
    "across alongAxis apart arriving arrowPath barsMarkup block briefValue byNumbers bytes cancels casting "
    "cellsMarkup componentBars count curveMarkup details digitsOf dtype elementwise entry exact exponent extreme "
    "filled finite fixed floorDivide fmtBrief fmtShort form found function1 function2 general glyphCount gradient "
    "gradientMargin gradientShown gradientText grouped infinite inner isAbove isBig isBreaking isExact isFirst "
    "isFrozen isKnown isLate isLevel isLong isMoved isNegative isOpen isRounded isSeen isStuck isWhole items "
    "kinds known label labelMarkup look lookOf machine mantissa mask memories most name node notch number numbers "
    "offset offsets onSlider overParts pairwise parts picture pinned place places points pose program programs "
    "resultOf rounded rowBoxes rowMargin safe script shape shapeText share shortest sizes slider sliderOf "
    "sliderParts source spread status step strides stripped summary sums text textsOf tiny trainableMarkup "
    "twoDigits unknown upstream valueShown valueText valuesMarkup variant whole widthsOf withoutZero words write"
)
_SHORT = {name: f"${number:x}" for number, name in enumerate(OWN)}


def condensed(script: str) -> str:
    """Returns a script that does the same; each of its statements ends in a semicolon or a brace."""
    parts: list[str] = []
    gap = False
    for found in _TOKEN.finditer(script):
        text = found[0]
        if found["comment"] is not None or found["space"] is not None:
            gap = True
            continue
        if text[0] == "`":
            text = _CODE.sub(lambda code: f"${{{condensed(code[1])}}}", text)
        elif found["word"] is not None:
            text = _SHORT.get(text, text)
        if gap and parts and _needs_space(parts[-1][-1], text[0]):
            parts.append(" ")
        parts.append(text)
        gap = False
    return "".join(parts).replace(";}", "}")


def _needs_space(before: str, after: str) -> bool:
    is_word = (before.isalnum() or before in "_$") and (after.isalnum() or after in "_$")
    return is_word or (before == after and before in "+-")
