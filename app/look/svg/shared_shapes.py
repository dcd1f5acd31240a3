"""Shapes that are drawn several times stand once: paths, and runs of elements such as a block's frame or a port."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

PATH = re.compile(r"<path class=\"(\w+)\" d=\"([^\"]*)\"( transform=\"[^\"]*\")?/>")
# Shapes side by side; an element with an end tag of its own is not among them.
_RUN = re.compile(r"(?:<(?:path|rect|circle|ellipse|use)\b[^<>]*/>)+")
_SHAPE = re.compile(r"<[^>]*>")
# Letters of a definition around what it defines.
_DEFINITION = len('<g id="q00"></g>')
_LONG = 24
Run = tuple[str, ...]


def with_shared_shapes(content: str, link: str = "xlink:href") -> tuple[str, str]:
    """Returns elements in which shapes that are drawn several times stand once, and the definitions of these shapes.

    Elements that end in an end tag stay where they are. `link` is the attribute of references.
    Source: Larsson and Moffat, Off-line dictionary-based compression, 2000: pairs become one, the best first.
    """
    content, definitions = _with_shared_paths(content, link)
    runs = Counter(tuple(_SHAPE.findall(run)) for run in _RUN.findall(content))
    shared = _Shared(runs, link)
    content = _RUN.sub(lambda run: "".join(shared.runs[tuple(_SHAPE.findall(run[0]))]), content)
    return content, definitions + "".join(shared.definitions)


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


class _Shared:
    """Runs of shapes, each with those that stand for it now; `definitions` has what these refer to."""

    def __init__(self, counts: Counter[Run], link: str) -> None:
        self.runs: dict[Run, Run] = {run: run for run in counts}
        self.definitions: list[str] = []
        self._counts, self._link = counts, link
        self._use = len(self._reference("q00"))
        while self._share(2) or self._share(1):
            pass

    def _share(self, length: int) -> bool:
        """Defines the neighbours of this number that save most; returns False if none save anything."""
        found: Counter[Run] = Counter()
        for run, now in self.runs.items():
            for parts in zip(*(now[start:] for start in range(length)), strict=False):
                found[parts] += self._counts[run]
        saved = {parts: self._saved(parts, count) for parts, count in found.items() if count > 1}
        best = max(saved, key=saved.__getitem__, default=())
        if not best or saved[best] <= 0:
            return False
        name = f"q{len(self.definitions)}"
        self.definitions.append(f'<g id="{name}">{"".join(best)}</g>')
        self.runs = {run: _replaced(now, best, self._reference(name)) for run, now in self.runs.items()}
        return True

    def _saved(self, parts: Run, count: int) -> int:
        is_reference = len(parts) == 1 and f'{self._link}="#q' in parts[0]
        return 0 if is_reference else (count - 1) * len("".join(parts)) - count * self._use - _DEFINITION

    def _reference(self, name: str) -> str:
        return f'<use {self._link}="#{name}"/>'


def _replaced(run: Run, parts: Sequence[str], use: str) -> Run:
    found: list[str] = []
    place = 0
    while place < len(run):
        if run[place : place + len(parts)] == parts:
            found.append(use)
            place += len(parts)
        else:
            found.append(run[place])
            place += 1
    return tuple(found)
