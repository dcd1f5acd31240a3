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
    "across alongAxis apart arrowPath barsMarkup block briefValue byNumbers bytes casting cellsMarkup "
    "componentBars curveMarkup digitsOf elementwise entry exponent extreme finite floorDivide fmtBrief fmtShort "
    "found function1 function2 general glyphCount gradient gradientMargin gradientShown gradientText grouped "
    "infinite inner isAbove isBig isBreaking isExact isFirst isKnown isLate isLevel isLong isMoved isNegative "
    "isOpen isRounded isSeen isStuck isWhole items kinds label labelMarkup lookOf machine mantissa memories node "
    "notch number offset offsets onSlider overParts pairwise picture pinned points pose program programs resultOf "
    "rowBoxes rowMargin shape shapeText shortest slider sliderOf sliderParts source spread status strides "
    "stripped summary text textsOf trainableMarkup twoDigits unknown valueShown valueText valuesMarkup variant "
    "widthsOf withoutZero words"
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
