"""The root causes of a gradient that is zero: the one place that has their keys and words."""

from __future__ import annotations

import enum


class Cause(enum.StrEnum):
    """The reason for a zero in a gradient, in the order of precedence where several apply.

    The value is the key of files and JSON. `word` is for labels, `clause` names the block where the zero arises, and
    `sentence` is for the help; the window translates all three.
    """

    word: str
    clause: str
    sentence: str

    CANCELLED = (
        "cancelled",
        "cancelled",
        "terms cancel at {block}",
        "Terms that are not zero add up to zero.",
    )
    NOT_SELECTED = (
        "not_selected",
        "not selected",
        "not selected by {block}",
        "Another element was chosen: left of Relu, not the maximum, outside of a clip or slice.",
    )
    FLAT = (
        "flat",
        "flat",
        "the gradient rule of {block} is 0",
        "The block's gradient rule is 0 everywhere, as that of Sign.",
    )
    SATURATED = (
        "saturated",
        "saturated",
        "the slope of {block} is about 0",
        "Far from 0, a Sigmoid, Tanh or Softmax passes almost no gradient.",
    )
    ZERO_FACTOR = (
        "zero_factor",
        "zero factor",
        "{block} multiplies the gradient by 0",
        "A factor by which the block multiplies the gradient is zero.",
    )
    UNDERFLOW = (
        "underflow",
        "underflow",
        "too small for its dtype at {block}",
        "The true number is not zero, but too small for the dtype.",
    )
    AT_OPTIMUM = (
        "at_optimum",
        "at optimum",
        "the derivative of {block} itself is 0",
        "The derivative of the loss itself is zero: there is nothing to improve.",
    )

    def __new__(cls, key: str, word: str, clause: str, sentence: str) -> Cause:
        """Makes the text of a cause its key."""
        cause = str.__new__(cls, key)
        cause._value_ = key
        cause.word, cause.clause, cause.sentence = word, clause, sentence
        return cause
