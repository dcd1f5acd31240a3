"""The parts of a `.pt2` file; each is bounded before it is read."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from gradwire.engine.base.limits import MIB, size_text
from gradwire.engine.files.json_text import is_nested_deeper
from gradwire.engine.files.other_formats import other_format
from gradwire.interop.models.limits import MOST_BYTES
from gradwire.interop.models.refusals import ModelRefusal

MOST_PARTS: Final = 20_000
MOST_JSON: Final = 64 * MIB
# A part may be so many times as large as what is stored of it.
MOST_SWELLING: Final = 1_000
_SHORT: Final = 16
_DEEPEST_JSON: Final = 200
_ANEW: Final = 'with PyTorch 2.9 or newer: torch.export.save(torch.export.load("{name}"), "{name}")'


class Archive:
    """An opened file: `name` is for sentences, `model` the name of its one model.

    Raises: ModelRefusal for what is no such file, lies outside the limits, or holds pickles in place of numbers.
    """

    def __init__(self, given: str | Path | bytes) -> None:
        self.name = "the model" if isinstance(given, bytes) else Path(given).name
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(given) if isinstance(given, bytes) else given)
        except FileNotFoundError:
            raise self.refusal("there is no such file") from None
        except OSError as error:
            raise self.refusal(f"it cannot be read: {error.strerror or 'it is damaged'}") from None
        except (zipfile.BadZipFile, NotImplementedError, ValueError):
            raise self._other("it is no zip, or damaged; a .pt2 is what torch.export.save writes") from None
        infos = self._zip.infolist()
        self._check_parts(infos)
        self._parts = {info.filename: info for info in infos}
        roots = {name.partition("/")[0] for name in self._parts}
        self._root = f"{next(iter(roots))}/" if len(roots) == 1 and "/" in next(iter(self._parts)) else ""
        self.model = self._only_model()

    def refusal(self, sentence: str) -> ModelRefusal:
        """Returns a refusal of the file."""
        return ModelRefusal(f"{self.name}: {sentence}.")

    def has(self, part: str) -> bool:
        """Returns whether there is such a part, below the root."""
        return self._root + part in self._parts

    def bytes_of(self, part: str, most: int) -> bytes:
        """Returns the bytes of a part.

        Raises: ModelRefusal if it is missing, damaged, or larger.
        """
        info = self._parts.get(self._root + part)
        if info is None:
            raise self.refusal(f"{part} is missing in it")
        if info.file_size > most:
            raise self.refusal(f"{part} has {info.file_size:,} bytes, and {size_text(most)} are the limit")
        try:
            return self._zip.read(info)
        except (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, RuntimeError, ValueError):
            raise self.refusal(f"{part} is damaged") from None

    def json_of(self, part: str) -> Any:  # Any: as the file has it
        """Returns what a part says in JSON.

        Raises: ModelRefusal for anything else.
        """
        try:
            text = self.bytes_of(part, MOST_JSON).decode()
            if is_nested_deeper(text, _DEEPEST_JSON):
                raise self.refusal(f"{part} is nested deeper than {_DEEPEST_JSON} levels")
            return json.loads(text)
        except (ValueError, RecursionError):
            raise self.refusal(f"{part} is no JSON") from None

    def pickled(self, what: str) -> ModelRefusal:
        """Returns the refusal of numbers that only PyTorch can read."""
        again = _ANEW.format(name=self.name)
        return self.refusal(
            f"its {what} are pickled, as PyTorch 2.8 saves them, and Gradwire unpickles nothing; {again}"
        )

    def _other(self, sentence: str) -> ModelRefusal:
        """Returns the refusal of a file that is no `.pt2`, by its ending where that says what it is."""
        return self.refusal((not self.name.casefold().endswith(".pt2") and other_format(self.name)) or sentence)

    def _check_parts(self, infos: list[zipfile.ZipInfo]) -> None:
        names = [info.filename for info in infos]
        if not infos:
            raise self.refusal("it is an empty zip")
        if len(infos) > MOST_PARTS:
            raise self.refusal(f"it has {len(infos):,} parts, and {MOST_PARTS:,} are the limit")
        if len(set(names)) < len(names):
            raise self.refusal("two parts of it have one name")
        if sum(info.file_size for info in infos) > MOST_BYTES:
            raise self.refusal(f"it unpacks to more than {size_text(MOST_BYTES)}")
        for info in infos:
            name = info.filename
            if (
                name.startswith(("/", "\\"))
                or ".." in name.split("/")
                or set(name) & set("\\:")
                or not name.isprintable()
            ):
                raise self.refusal(f"a part of it is called {name[:60]!r}, which is no name inside an archive")
            if info.flag_bits & 1:
                raise self.refusal("it is encrypted")
            if info.file_size > MOST_SWELLING * max(1, info.compress_size):
                raise self.refusal(f"{name} swells more than {MOST_SWELLING:,} times")

    def _only_model(self) -> str:
        if "serialized_exported_program.json" in self._parts:
            raise self.refusal(
                "its weights are pickled, as PyTorch up to 2.7 saves them, and Gradwire unpickles nothing; "
                "export the model again with PyTorch 2.9 or newer"
            )
        if self.has("data.pkl"):
            raise self.refusal(
                "it is a pickle of torch.save, not a .pt2; with PyTorch: "
                'torch.export.save(torch.export.export(model, (x,)), "model.pt2")'
            )
        folder = f"{self._root}models/"
        models = [name for name in self._parts if name.startswith(folder) and name.endswith(".json")]
        if not models and any("aotinductor" in name for name in self._parts):
            raise self.refusal("it holds compiled code (AOTInductor) and no graph")
        if not models or not self.has("archive_format"):
            raise self._other("there is no models/*.json in it; a .pt2 is what torch.export.save writes")
        self._check_header()
        if len(models) > 1:
            raise self.refusal(f"it holds {len(models)} models, and one is read")
        return models[0].removeprefix(folder)[: -len(".json")]

    def _check_header(self) -> None:
        wanted: Mapping[str, bytes] = {"archive_format": b"pt2", "archive_version": b"0", "byteorder": b"little"}
        for part, value in wanted.items():
            if part == "byteorder" and not self.has(part):
                continue
            found = self.bytes_of(part, _SHORT).strip()
            if found != value:
                what = part.replace("_", " ").replace("byteorder", "byte order")
                text = found.decode("ascii", "replace")
                raise self.refusal(f"its {what} is {text!r}, and {value.decode()!r} is read")
