"""Shapes that are drawn several times stand once: paths, and runs of elements such as a block's frame or a port."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

PATH = re.compile(r"<path class=\"(\w+)\" d=\"([^\"]*)\"( transform=\"[^\"]*\")?/>")
# Shapes side by side; an element with an end tag of its own is not among them.
_RUN = re.compile(r"(?:<(?:path|rect|circle|ellipse|use)\b[^<>]*/>)+")
_SHAPE = re.compile(r"<[^>]*>")
# Letters of a definition around what it defines.
_DEFINITION = len('<g id="q00"></g>')
_LONG = 24


def with_shared_shapes(content: str, link: str = "xlink:href") -> tuple[str, str]:
    """Returns elements in which shapes that are drawn several times stand once, and the definitions of these shapes.

    Elements that end in an end tag stay where they are. `link` is the attribute of references.
    Source: Larsson and Moffat, Off-line dictionary-based compression, 2000: pairs become one, the best first.
    """
    content, definitions = _with_shared_paths(content, link)
    shared = _Shared(Counter(_RUN.findall(content)), link)
    content = _RUN.sub(lambda run: shared.written(shared.runs[run[0]]), content)
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
    """Runs of shapes with those that stand for them now, each as one letter; `definitions` has what these refer to."""

    def __init__(self, counts: Counter[str], link: str) -> None:
        self.definitions: list[str] = []
        self.runs: dict[str, str] = {}
        self._counts, self._link = counts, link
        self._use = len(self._reference("q00"))
        self._letters: dict[str, str] = {}
        self._shapes: dict[int, str] = {}
        self._found: Counter[str] = Counter()
        # How many letters of the page it saves to define single shapes, and neighbours.
        self._saving: tuple[dict[str, int], dict[str, int]] = {}, {}
        self._note((run, "", "".join(map(self._letter, _SHAPE.findall(run)))) for run in counts)
        while saved := self._saving[1] or self._saving[0]:
            self._define(max(saved, key=saved.__getitem__))

    def written(self, letters: str) -> str:
        """Returns shapes by their letters."""
        return letters.translate(self._shapes)

    def _letter(self, shape: str) -> str:
        letter = self._letters.setdefault(shape, chr(len(self._letters)))
        self._shapes[ord(letter)] = shape
        return letter

    def _define(self, best: str) -> None:
        """Defines some shapes, and refers to them wherever they stand."""
        name = f"q{len(self.definitions)}"
        self.definitions.append(f'<g id="{name}">{self.written(best)}</g>')
        use = self._letter(self._reference(name))
        self._note([(run, now, now.replace(best, use)) for run, now in self.runs.items() if best in now])

    def _note(self, changes: Iterable[tuple[str, str, str]]) -> None:
        """Notes for some runs what stood for them, and what stands for them now."""
        more: Counter[str] = Counter()
        for run, before, now in changes:
            self.runs[run] = now
            for count, letters in ((-self._counts[run], before), (self._counts[run], now)):
                for parts in (*letters, *map("".join, pairwise(letters))):
                    more[parts] += count
        for parts, count in more.items():
            self._found[parts] += count
            known, saved = self._saving[len(parts) - 1], self._saved(parts)
            known.pop(parts, None)
            if saved > 0:
                known[parts] = saved

    def _saved(self, parts: str) -> int:
        shapes, count = self.written(parts), self._found[parts]
        is_reference = len(parts) == 1 and f'{self._link}="#q' in shapes
        return 0 if is_reference else (count - 1) * len(shapes) - count * self._use - _DEFINITION

    def _reference(self, name: str) -> str:
        return f'<use {self._link}="#{name}"/>'
