"""Files of other programs that people take for graphs: what each is, and the shortest way in."""

from __future__ import annotations

import os
import re
from os import PathLike
from pathlib import Path
from typing import Final

from gradwire.engine.base.untrusted_text import plain

_EXPORT: Final = 'with PyTorch: torch.export.save(torch.export.export(model, (x,)), "{stem}.pt2")'
_PROGRAM: Final = "gradwire code PROGRAM.py reads the lines that made it"
_PICKLE: Final = f"it is a pickle of PyTorch, and Gradwire unpickles nothing; {_EXPORT}"
_OF_PYTHON: Final = f"it is a pickle of Python, and Gradwire unpickles nothing; for a model {_EXPORT}"
_LINES: Final = "it is a program; gradwire code {name} -o {stem}.graph reads its lines, and runs nothing"
_KERAS: Final = f"it is a model of Keras, which is not read; {_PROGRAM}"
_ONNX: Final = "it is a model in ONNX; gradwire import {name} -o {stem}.graph makes a graph of it"
_LITE: Final = f"it is a model of TensorFlow, which is not read; {_PROGRAM}"
_WEIGHTS: Final = f"it holds weights without a program; {_EXPORT}"
_SENTENCES: Final = {
    ".pt2": "it is a model of PyTorch; gradwire import {name} -o {stem}.graph makes a graph of it",
    **dict.fromkeys((".pt", ".pth", ".ckpt"), _PICKLE),
    **dict.fromkeys((".h5", ".hdf5", ".keras"), _KERAS),
    **dict.fromkeys((".pb", ".tflite"), _LITE),
    **dict.fromkeys((".safetensors", ".gguf"), _WEIGHTS),
    **dict.fromkeys((".pkl", ".pickle", ".joblib"), _OF_PYTHON),
    ".onnx": _ONNX,
    ".py": _LINES,
}
# What a graph says of itself, even where it is damaged, and the first bytes that tell what another file is.
_OURS: Final = re.compile(rb'gradwire\.graph|"blocks"|\A\0+\Z')
_KINDS: Final = {
    rb"\s*\Z": "empty",
    rb"\x89PNG|\xff\xd8\xff|GIF8|RIFF....WEBP|II\*\0|MM\0\*": "a picture",
    rb"PK[\x03\x05]": "a ZIP archive",
    rb"\x1f\x8b|BZh|\xfd7zXZ|7z\xbc\xaf": "a compressed file",
    rb"%PDF-": "a PDF document",
    rb"\x08[\1-\x10][\x12:]": "an ONNX model",
    rb"\x89HDF": "an HDF5 file",
    rb"\x93NUMPY": "an array of NumPy",
    rb"\s*[\[{]": "",
    rb"[^\0]*\Z": "a text",
    rb"": "a binary file",
}
HEAD: Final = 4096
# What lies in the folder of a model of TensorFlow.
_SAVED_MODEL: Final = "saved_model.pb"


def other_format(path: str | PathLike[str]) -> str:
    """Returns what a file or folder is by its name, as a clause with what to do; "" for names that nobody knows."""
    known = Path(path)
    is_saved_model = os.path.isdir(known) and os.path.isfile(known / _SAVED_MODEL)
    sentence = _LITE if is_saved_model else _SENTENCES.get(known.suffix.casefold(), "")
    return sentence.format(name=known.name, stem=known.stem)


def other_format_sentence(path: str | PathLike[str]) -> str:
    """Returns the same as a sentence; "" where there is no file or folder, too."""
    clause = other_format(path) if os.path.exists(path) else ""
    return f"{clause[:1].upper()}{clause[1:]}." if clause else ""


def foreign_sentence(name: str, content: bytes) -> str:
    """Returns that a file is something else than a graph, by its first bytes; "" if it may be a damaged graph."""
    if _OURS.search(content):
        return ""
    head = content[:HEAD].removeprefix(b"\xef\xbb\xbf")
    kind = next(kind for start, kind in _KINDS.items() if re.match(start, head, re.DOTALL))
    return f'"{plain(name)}" is not a Gradwire graph. It is {kind}.' if kind else ""
