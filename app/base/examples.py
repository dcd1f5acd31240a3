"""The gallery: the example graphs that come with the program."""

from __future__ import annotations

import functools
import json
import math
import re
from pathlib import Path
from typing import Any

from engine.errors import FileError, NameUnknownError
from engine.library import nearest

FOLDER = Path(__file__).parent.parent / "assets" / "examples"

# The topic of the examples whose names begin so; the longest beginning counts. They are shown in this order.
_BEGINNINGS = {
    "softmax_stable": "softmax",
    "softmax": "softmax",
    "lse": "softmax",
    "linreg": "regression",
    "logreg": "regression",
    "xor": "networks",
    "cnn": "networks",
    "attention": "networks",
    "simsiam": "networks",
    "em_ll": "mixtures",
    "em_Q": "mixtures",
    "em": "mixtures",
    "cd1": "mixtures",
    "adv": "adversarial",
    "gan": "adversarial",
    "ste": "straight_through",
    "vq": "straight_through",
    "td": "reinforcement",
    "pg": "reinforcement",
    "clip": "reinforcement",
    "huber": "reinforcement",
    "sigmoid": "depth",
    "tanh": "depth",
    "relu": "depth",
    "rnn": "depth",
    "rosenbrock": "second_order",
    "newton": "second_order",
    "sg": "identities",
    "where": "zeros",
    "causes": "zeros",
}
OTHER = "other"
TOPICS = (*dict.fromkeys(_BEGINNINGS.values()), OTHER)


def example_topic(name: str) -> str:
    """What an example is about, one of `TOPICS`."""
    return _BEGINNINGS.get(_beginning(name), OTHER)


# What the program brings along does not change while it runs.
@functools.cache
def example_names() -> tuple[str, ...]:
    """The names of all examples: those that show best what the program can do, then the others topic by topic.

    A file says its place among the first by its key `signature`; numbers in names count as numbers.
    """
    return tuple(sorted((path.stem for path in FOLDER.glob("*.graph")), key=_rank))


@functools.cache
def example_texts(path: Path) -> tuple[str, str]:
    """Title and subtitle of a graph file: first line, and first sentence after it, of its first note."""
    text = _first_note(_record(path))
    title, _, rest = text.partition("\n")
    sentence = re.match(r".*?[.!?](?=\s|$)", rest.strip(), re.DOTALL)
    return title.strip() or path.stem.replace("_", " ").capitalize(), " ".join(
        (sentence[0] if sentence else rest).split()
    )


def _record(path: Path) -> dict[str, Any]:  # Any: what JSON holds
    """The JSON of a file, empty where it cannot be read. No graph is made: a list of examples must be there at once."""
    try:
        with path.open("rb") as file:
            found = json.load(file)
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _first_note(record: dict[str, Any]) -> str:
    """The text of the first note that has one."""
    pages = record.get("pages", ())
    texts = (note.get("text", "").strip() for page in pages for note in page.get("notes", ()))
    return next(filter(None, texts), "")


def _beginning(name: str) -> str:
    return max((item for item in _BEGINNINGS if name.startswith(item)), key=len, default="")


def _rank(name: str) -> tuple[float, int, list[tuple[str, int]]]:
    signature = _record(FOLDER / f"{name}.graph").get("signature", math.inf)
    place = [*_BEGINNINGS, ""].index(_beginning(name))
    return signature, place, [(text, int(number or -1)) for text, number in re.findall(r"(\D+)(\d*)", name)]


def example_path(name: str) -> Path:
    """The file of one example.

    Raises: NameUnknownError if there is none of that name.
    """
    path = FOLDER / f"{name}.graph"
    if name not in example_names():
        near = nearest(name, example_names())
        hint = f"; the nearest are {', '.join(near)}" if near else ""
        raise NameUnknownError(f'There is no example "{name}"{hint}.')
    return path


def copy_examples(names: tuple[str, ...], folder: Path) -> list[Path]:
    """Copies examples into a folder, which is made if need be; a file that is already there is never overwritten.

    Raises: NameUnknownError, FileError.
    """
    sources = [example_path(name) for name in names]
    targets = [folder / source.name for source in sources]
    for target in targets:
        if target.exists():
            raise FileError(f"{target} exists already; move it away or choose another folder with -o.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for source, target in zip(sources, targets, strict=True):
            with target.open("xb") as file:
                file.write(source.read_bytes())
    except OSError as error:
        raise FileError(f"The examples cannot be copied to {folder}: {error.strerror}.") from error
    return targets
