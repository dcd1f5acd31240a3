"""The gallery: the example graphs that come with the program."""

from __future__ import annotations

from pathlib import Path

from engine.errors import FileError, NameUnknownError
from engine.library import nearest

FOLDER = Path(__file__).parent.parent / "assets" / "examples"

TOPICS = ("basics", "stopgradient", "training", "diagnosis")
_TOPIC_OF = {"softmax_naive": "diagnosis", "softmax_stable": "stopgradient", "softmax_stable_nostop": "stopgradient"}


def example_topic(name: str) -> str:
    """What an example is about, one of `TOPICS`."""
    return _TOPIC_OF.get(name, TOPICS[0])


def example_names() -> list[str]:
    """The names of all examples."""
    return sorted(path.stem for path in FOLDER.glob("*.graph"))


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


def copy_examples(names: list[str], folder: Path) -> list[Path]:
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
