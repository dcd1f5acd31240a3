"""The gallery: the example graphs that come with the program."""

from __future__ import annotations

import functools
import json
import math
import re
from pathlib import Path
from typing import Any

from gradwire import HOME
from gradwire.engine.base.errors import FileError, NameUnknownError
from gradwire.engine.base.nearest import nearest
from gradwire.engine.base.system_reasons import reason_of
from gradwire.engine.files.disk import NO_FILE, write_file

FOLDER = HOME / "assets" / "examples"
# The examples with a plan of training.
TRAININGS = HOME / "assets" / "trainings"
# The graph of the first start, which is no example: it is broken on purpose.
FIRST_GRAPH = HOME / "assets" / "first_run.graph"

# The topics of examples by the beginning of their names; the longest one counts. The gallery keeps this order.
_OF_TOPIC = {
    "softmax": ("softmax_stable", "softmax", "lse"),
    "regression": ("linreg", "logreg"),
    "networks": ("xor", "cnn", "attention", "simsiam"),
    "mixtures": ("em_ll", "em_Q", "em", "cd1"),
    "adversarial": ("adv", "gan"),
    "straight_through": ("ste", "vq"),
    "reinforcement": ("td", "pg", "clip", "huber"),
    "depth": ("sigmoid", "tanh", "relu", "rnn"),
    "loops": ("scan",),
    "second_order": ("rosenbrock", "newton"),
    "guide": ("guide",),
    "identities": ("sg",),
    "own_gradients": ("own",),
    "zeros": ("where", "causes"),
}
_BEGINNINGS = {beginning: topic for topic, beginnings in _OF_TOPIC.items() for beginning in beginnings}
TRAINING, OTHER = "training", "other"
TOPICS = (TRAINING, *_OF_TOPIC, OTHER)


def example_topic(name: str) -> str:
    """Returns the topic of an example, one of `TOPICS`."""
    path = _paths().get(name)
    return _BEGINNINGS.get(_beginning(name), OTHER) if path is None or path.parent != TRAININGS else TRAINING


@functools.cache
def _paths() -> dict[str, Path]:
    return {path.stem: path for folder in (TRAININGS, FOLDER) for path in folder.glob("*.graph")}


# The bundled examples do not change while the program runs.
@functools.cache
def example_names() -> tuple[str, ...]:
    """Returns the names of all examples: the most telling ones first, then the others by topic.

    The key `signature` of a file is its rank among the first; numbers in names sort as numbers.
    """
    return tuple(sorted(_paths(), key=_rank))


@functools.cache
def example_texts(path: Path) -> tuple[str, str]:
    """Returns title and subtitle of a graph file: the first line of its first note, and the next sentence."""
    text = _first_note(_record(path))
    title, _, rest = text.partition("\n")
    sentence = re.match(r".*?[.!?](?=\s|$)", rest.strip(), re.DOTALL)
    subtitle = " ".join((sentence[0] if sentence else rest).split())
    return title.strip() or path.stem.replace("_", " ").capitalize(), subtitle


def _record(path: Path) -> dict[str, Any]:  # Any: what JSON holds
    """Returns the JSON of a file, empty if it cannot be read.

    It makes no graph, because a list of examples must appear at once.
    """
    try:
        with path.open("rb") as file:
            found = json.load(file)
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _first_note(record: dict[str, Any]) -> str:
    """Returns the text of the first note that has one."""
    pages = record.get("pages", ())
    texts = (note.get("text", "").strip() for page in pages for note in page.get("notes", ()))
    return next(filter(None, texts), "")


def _beginning(name: str) -> str:
    return max((item for item in _BEGINNINGS if name.startswith(item)), key=len, default="")


def _rank(name: str) -> tuple[float, int, list[tuple[str, int]]]:
    signature = _record(_paths()[name]).get("signature", math.inf)
    place = -1 if example_topic(name) == TRAINING else [*_BEGINNINGS, ""].index(_beginning(name))
    return signature, place, [(text, int(number or -1)) for text, number in re.findall(r"(\D+)(\d*)", name)]


def example_path(name: str) -> Path:
    """Returns the path of an example.

    Raises: NameUnknownError if there is none of that name.
    """
    if name not in _paths():
        near = nearest(name, example_names())
        hint = f"; the nearest are {', '.join(near)}" if near else ""
        raise NameUnknownError(f'There is no example "{name}"{hint}.')
    return _paths()[name]


def copy_examples(names: tuple[str, ...], folder: Path) -> list[Path]:
    """Copies examples into a folder, which it makes if needed; it never overwrites an existing file.

    Raises: NameUnknownError, FileError.
    """
    sources = [example_path(name) for name in names]
    targets = [folder / source.name for source in sources]
    for target in targets:
        if target.exists():
            raise FileError(f"{target} exists already; move it away or choose another folder with -o.")
    done: list[Path] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for source, target in zip(sources, targets, strict=True):
            write_file(target, source.read_bytes(), over=NO_FILE)
            done.append(target)
    except (OSError, FileError) as error:
        for target in done:
            target.unlink(missing_ok=True)
        if isinstance(error, FileError):
            raise
        raise FileError(f"The examples cannot be copied to {folder}: {reason_of(error)}.") from error
    return done
