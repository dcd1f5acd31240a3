"""The file of a model, and files beside it that hold its weights; each is bounded before it is read."""

from __future__ import annotations

import os
import stat
from pathlib import Path, PurePosixPath
from typing import Final

from gradwire.engine.base.limits import size_text
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.files.other_formats import other_format
from gradwire.interop.models.limits import MOST_BYTES
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.onnx.messages import ModelMessage
from gradwire.interop.onnx.protobuf import ProtobufError, decode

# A sentence names all operations without blocks, but no shape of a thousand axes.
_LONGEST: Final = 1_000
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)
_NO_WAIT: Final = getattr(os, "O_NONBLOCK", 0)


class ModelFile:
    """A model as its file has it; `name` is for sentences.

    Raises: ModelRefusal for what is no such file, or lies outside the limits.
    """

    def __init__(self, given: str | Path | bytes) -> None:
        self.name = "the model" if isinstance(given, bytes) else Path(given).name
        self._folder = None if isinstance(given, bytes) else Path(given).parent
        content = given if isinstance(given, bytes) else self._read(Path(given))
        try:
            self.message = decode(ModelMessage, content)
        except ProtobufError as error:
            raise self._other(f"{error}; a .onnx is what onnx.save and torch.onnx.export write") from None
        if self.message.graph is None:
            raise self._other("there is no graph in it; a .onnx is what onnx.save and torch.onnx.export write")

    def refusal(self, sentence: str) -> ModelRefusal:
        """Returns a refusal of the file."""
        return ModelRefusal(f"{self.name}: {plain(sentence, _LONGEST)}.")

    def beside(self, tensor: str, location: str, offset: int, size: int) -> bytes:
        """Returns bytes of a file beside the model, which is a plain file in its folder or below.

        Raises: ModelRefusal for any other, or a shorter one.
        """
        parts = PurePosixPath(location).parts
        if not parts or set(location) & set("\\:\0") or location.startswith("/") or ".." in parts:
            raise self.refusal(f"{tensor} lies in {location[:60]!r}, outside the folder of the model")
        if self._folder is None:
            raise self.refusal(f"{tensor} lies in {location[:60]} beside the file, so give the path and not its bytes")
        path = self._folder
        for part in parts:
            path = path / part
            if path.is_symlink():
                raise self.refusal(f"{location[:60]} is a link, which may lead outside the folder of the model")
        try:
            with os.fdopen(os.open(path, os.O_RDONLY | _NO_LINK | _NO_WAIT | getattr(os, "O_BINARY", 0)), "rb") as file:
                found = os.fstat(file.fileno())
                if not stat.S_ISREG(found.st_mode) or found.st_nlink > 1:
                    raise self.refusal(f"{location[:60]} is no regular file of its own in the folder of the model")
                if offset < 0 or size < 0 or offset + size > found.st_size:
                    raise self.refusal(
                        f"{tensor} reaches beyond {location[:60]}: byte {offset + size:,} of {found.st_size:,}"
                    )
                file.seek(offset)
                return file.read(size)
        except OSError as error:
            raise self.refusal(f"{location[:60]} with {tensor} cannot be read: {error.strerror or 'damaged'}") from None

    def _read(self, path: Path) -> bytes:
        try:
            found = path.stat()
            if not stat.S_ISREG(found.st_mode):
                raise self.refusal("it is no regular file")
            if found.st_size > MOST_BYTES:
                raise self.refusal(f"it has {found.st_size:,} bytes, and {size_text(MOST_BYTES)} are the limit")
            return path.read_bytes()
        except FileNotFoundError:
            raise self.refusal("there is no such file") from None
        except OSError as error:
            raise self.refusal(f"it cannot be read: {error.strerror or 'it is damaged'}") from None

    def _other(self, sentence: str) -> ModelRefusal:
        """Returns the refusal of a file that is no `.onnx`, by its ending where that says what it is."""
        return self.refusal((not self.name.casefold().endswith(".onnx") and other_format(self.name)) or sentence)
