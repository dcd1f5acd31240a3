"""Malicious names: markup, code, and characters that hide or reverse their neighbours."""

from __future__ import annotations

import builtins
import keyword
import random
import re
import unicodedata

MARKUP = (
    "<b>bold</b>", "<h1>&nbsp;", '<img src="file:///etc/hostname">', "<a href='http://example.org'>here</a>",
    "&lt;script&gt;", "&amp;File", "&File", "<!--", "</text><script>alert(1)</script>", "]]>", "<?xml version='1.0'?>",
    "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/hostname'>]>&e;", "<style>*{display:none}</style>", "$\\input{x}$",
)  # fmt: skip
TURNED = (
    "safe\u202egraph.exe", "\u2066left\u2069", "\u200eb\u200fc", "\u061cletter", "שלום עולם", "\u202d\u202cx",
    "مرحبا 12",
)  # fmt: skip
HIDDEN = (
    "\0", "a\x00b", "\x1b[2J\x1b[31mred", "\x1b]0;title\x07", "\x9b31m", "\x08\x08\x08", "two\nlines", "one\r\nother",
    "bell\x07", "zero\u200bwidth", "soft\xadhyphen", "\ufeffmark", "\U000e0041\U000e0042tags", "\u2028line\u2029",
    "join\u200dup", "\u3164filler", "\x7f", "\x85",
)  # fmt: skip
LONG = ("x" * 60_000, "e" + "\u0301" * 3_000, "語" * 5_000, "\u202e" * 500, "a\n" * 2_000)
CODE = (
    "__import__('os').system('x')", "'; import os #", '"""', "\\", "\\\n", "# -*- coding: utf-7 -*-", "{0}{name}{}",
    "%s%n", "${HOME}", "`id`", "$(id)", "=1+1", "x = 1\nimport os", "\\N{BULLET}", "[*]", "[*][*] - Gradwire", "loss",
    "np", "lambda: 0", "[U+202E]",
)  # fmt: skip
KEYWORDS = (*keyword.kwlist, *keyword.softkwlist,
            "np", "tf", "torch", "jax", "jnp", "math", "loss", "expected", "found",
            "name", "value", "deviation", "largest", "tape", "x", "y", "g_x", "constant", "part", "compute_loss",
            "self",
            "scipy", "base64", "__name__"[2:-2], *(item for item in dir(builtins) if item[0].isalpha()))  # fmt: skip
_ID = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
_JOINERS = "\u200c\u200d"
# Signs that stand before digits and letters and are seen: Unicode's property Prepended_Concatenation_Mark.
_PREPENDED = "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"


def hostile_texts(count: int, seed: int) -> list[str]:
    """Returns some texts: each kind once, then mixtures; no half of a surrogate pair, as files forbid it."""
    chance = random.Random(seed)
    known = [*MARKUP, *TURNED, *HIDDEN, *CODE, *LONG]
    mixed = (
        "".join(chance.choices([*known[:-5], "a", " ", "é", "👩‍🔬"], k=chance.randint(1, 5))) for _ in range(count)
    )
    return [*known, *mixed][:count] if count > len(known) else chance.sample(known, count)


def hostile_ids(count: int, seed: int) -> list[str]:
    """Returns some ids that are valid in files and not in programs: keywords, modules, numbered ones."""
    chance = random.Random(seed)
    known = [item for item in dict.fromkeys(KEYWORDS) if _ID.fullmatch(item)]
    chance.shuffle(known)
    ends = ("_", "__", "_y", *(f"_{number}" for number in range(40)), *map(str, range(40)))
    more = (f"{chance.choice(known)[:60]}{chance.choice(ends)}" for _ in range(4 * count))
    return list(dict.fromkeys([*known, *more]))[:count]


def unseen(text: str, also: str = "") -> str:
    """Returns the characters of a text that are invisible or reverse its letters; `also` is allowed as well."""
    found = []
    for at, letter in enumerate(text):
        kind = unicodedata.category(letter)
        is_joining = letter in _JOINERS and 0 < at < len(text) - 1 and min(text[at - 1], text[at + 1]) > "\u02ff"
        is_hidden = kind in ("Cc", "Cf", "Cs", "Zl", "Zp") or letter == "\u3164"
        if is_hidden and not is_joining and letter not in also + _PREPENDED:
            found.append(f"U+{ord(letter):04X}")
    return " ".join(found)
