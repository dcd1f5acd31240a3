"""Shapes that are drawn several times stand once: paths in all their looks, and shapes of one look as a port's."""

from __future__ import annotations

import re
from collections import Counter

PATH = re.compile(r"<path class=\"(\w+)\" d=\"([^\"]*)\"( transform=\"[^\"]*\")?/>")
# An element with an end tag of its own is not among them.
_SHAPE = re.compile(r"<(?:path|rect|circle|ellipse)\b[^<>]*/>")
# Letters of a definition around what it defines.
_DEFINITION = len('<g id="q00"></g>')
_LONG = 24


def with_shared_shapes(content: str, link: str = "xlink:href") -> tuple[str, str]:
    """Returns elements in which shapes that are drawn several times stand once, and the definitions of these shapes.

    Elements that end in an end tag stay where they are. `link` is the attribute of references.
    """
    content, definitions = _with_shared_paths(content, link)
    use, counts = len(f'<use {link}="#q00"/>'), Counter(_SHAPE.findall(content))
    # What saves no letters stays where it is.
    found = [shape for shape, count in counts.items() if (count - 1) * len(shape) > count * use + _DEFINITION]
    names = {shape: f"q{number}" for number, shape in enumerate(found)}
    definitions += "".join(f'<g id="{name}">{shape}</g>' for shape, name in names.items())

    def shared(shape: re.Match[str]) -> str:
        return f'<use {link}="#{names[shape[0]]}"/>' if shape[0] in names else shape[0]

    return _SHAPE.sub(shared, content), definitions


def unshared(markup: str) -> str:
    """Returns shapes that stay where they are: each with an end tag of its own."""
    return _SHAPE.sub(lambda shape: re.sub(r"^<(\w+)(.*)/>$", r"<\1\2></\1>", shape[0]), markup)


def _with_shared_paths(content: str, link: str) -> tuple[str, str]:
    """Shares the letters of a path among its looks: a wire is drawn with its casing, its pipe and its core."""
    found = Counter(item[2] for item in PATH.finditer(content) if len(item[2]) > _LONG)
    numbers = {data: number for number, data in enumerate(data for data, count in found.items() if count > 1)}

    def shared(item: re.Match[str]) -> str:
        number = numbers.get(item[2])
        return item[0] if number is None else f'<use class="{item[1]}" {link}="#p{number}"{item[3] or ""}/>'

    definitions = "".join(f'<path id="p{number}" d="{data}"/>' for data, number in numbers.items())
    return PATH.sub(shared, content), definitions
