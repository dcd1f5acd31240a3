"""The program's own fonts inside of a picture: only the letters that it shows, so that it looks the same everywhere."""

from __future__ import annotations

import base64
import functools
import io
from collections.abc import Collection, Mapping
from typing import NamedTuple

from gradwire.app.look.theme import ASSETS

# The names of the families in style sheets, until the picture has a name of its own: where a picture lies inside of
# another page, that page's texts must not find these fonts, which lack most letters.
NAMES = {"ui": "own-ui", "mono": "own-mono"}


class Face(NamedTuple):
    """A file of a font, and the weights for which it stands."""

    kind: str
    file: str
    weights: tuple[int, int]


# Medium letters stand for those near them: two thirds of the bytes, and hardly a difference at these sizes.
FACES = (
    Face("ui", "Inter-Regular.otf", (400, 500)),
    Face("ui", "Inter-SemiBold.otf", (600, 700)),
    Face("mono", "JetBrainsMono-Medium.ttf", (400, 500)),
)
# Kerning apart, Inter's own features are not what the picture uses; of JetBrains Mono it is the zero with a slash.
_FEATURES = ["kern", "zero"]


def font_faces(used: Mapping[tuple[str, int], Collection[str]]) -> str:
    """Returns rules with the fonts of texts: `used` has the letters of each kind and weight."""
    rules = []
    for face in FACES:
        low, high = face.weights
        near = {weight for kind, weight in used if kind == face.kind and low <= weight <= high}
        letters = sorted({letter for weight in near for letter in used[face.kind, weight]})
        if letters:
            data = base64.b64encode(_subset(face.file, "".join(letters))).decode()
            rules.append(
                f"@font-face{{font-family:{NAMES[face.kind]};font-weight:{low} {high};"
                f"src:url(data:font/woff;base64,{data})}}"
            )
    return "".join(rules)


@functools.lru_cache(maxsize=64)
def _subset(file: str, letters: str) -> bytes:
    """Returns a font with some letters alone, as WOFF; the same letters give the same bytes."""
    # Half as many modules as all the rest: only pictures need them.
    from fontTools import subset

    options = subset.Options(
        flavor="woff",
        layout_features=_FEATURES,
        hinting=False,
        name_IDs=[],
        notdef_outline=False,
        recalc_timestamp=False,
        drop_tables=["GDEF", "gasp", "meta", "STAT"],
    )
    subsetter, stream = subset.Subsetter(options), io.BytesIO()
    subsetter.populate(text=letters)
    with subset.load_font(str(ASSETS / "fonts" / file), options) as font:
        subsetter.subset(font)
        subset.save_font(font, stream, options)
    return stream.getvalue()
