"""Files of other programs that people take for graphs: what each is, and the shortest way in."""

from __future__ import annotations

from os import PathLike
from pathlib import PurePath
from typing import Final

_EXPORT: Final = 'with PyTorch: torch.export.save(torch.export.export(model, (x,)), "{stem}.pt2")'
_PROGRAM: Final = "gradwire code PROGRAM.py reads the lines that made it"
_PICKLE: Final = f"it is a pickle of PyTorch, and Gradwire unpickles nothing; {_EXPORT}"
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
    ".onnx": _ONNX,
}


def other_format(path: str | PathLike[str]) -> str:
    """Returns what a file is by its ending, as a clause with what to do; "" for endings that nobody knows."""
    known = PurePath(path)
    return _SENTENCES.get(known.suffix.casefold(), "").format(name=known.name, stem=known.stem)
