"""Outputs: files that a command or a window writes. One that would do harm is refused before the work begins."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Callable, Iterable
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from gradwire.engine.base.errors import FileError
from gradwire.engine.files.disk import Stamp, check_writable, is_same_file, reasons_told, write_file

# A file that was read: its path, or its open descriptor.
Source = str | PathLike[str] | int
STANDARD_INPUT, STANDARD_OUTPUT = 0, 1
_HEAD = 2**16
# Names of descriptors of this process; what they lead to is written as a stream, in its place.
_DESCRIPTOR = re.compile(r"/dev/(?:stdin|stdout|stderr|fd/\d+)|/proc/self/fd/\d+")
_NUMBERS = {"stdin": 0, "stdout": 1, "stderr": 2}
_GRAPH_MARK = re.compile(rb'"format"\s*:\s*"gradwire')
_STATE_MARK = b"training.json"


class Kind(NamedTuple):
    """Format of an output: its name in sentences, and its endings; `must_end` refuses others.

    `is_in` recognises its content by the first bytes.
    """

    name: str
    endings: tuple[str, ...]
    is_in: Callable[[bytes], bool]
    must_end: bool = False


def _begins(*marks: bytes) -> Callable[[bytes], bool]:
    return lambda head: head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(marks)


# Endings of the state of a training that is too large for the graph's file: in its place, and until that is written.
STATE_BESIDE, NEW_STATE_BESIDE = ".state.npz", ".state.new.npz"
# Ending of the file with a graph's large tensors, in place of its own.
WEIGHTS_BESIDE = ".weights"
GRAPH = Kind(
    "a graph",
    (".graph",),
    lambda head: head.lstrip()[:1] == b"{" and bool(_GRAPH_MARK.search(head)),
)
STATE = Kind("a training state", (".npz",), lambda head: head[:4] == b"PK\3\4" and head[30:43] == _STATE_MARK)
PROGRAM = Kind("a program", (".py",), _begins(b'"""A graph of Gradwire as a program', b"#!", b"import ", b"from "))
PICTURE = Kind(
    "a picture",
    (".png", ".svg", ".pdf", ".html"),
    _begins(b"\x89PNG", b"%PDF", b"<svg", b"<?xml", b"<!doctype html"),
    must_end=True,
)
# A page that runs is a picture, too.
LIVING = ".html"
# Pages of a site replace such pages alone, and the files beside them, which have sums as names, themselves.
SITE = Kind("a page of Gradwire", (LIVING,), lambda head: b'name="generator" content="Gradwire"' in head)
PART = Kind("a part of a site", (".js", ".css"), lambda _: False)
TENSOR = Kind("numbers", (".npy", ".csv", ".tsv"), _begins(b"\x93NUMPY"))
TEXT = Kind("text", (".md", ".tex", ".txt"), lambda _: False)
# Formats that Gradwire reads or others write, and never writes itself; a state is an archive too, and comes first.
_FOREIGN = Kind("a file of another format", (".gz", ".zip", ".json", ".jpg", ".jpeg"), _begins(b"PK", b"\x1f\x8b"))
_KINDS = (GRAPH, STATE, PROGRAM, PICTURE, TENSOR, _FOREIGN)
# Their files are written by hand too: an ending says little about what is in them.
_LOOSE = (TEXT, TENSOR)


class Output:
    """File that will be written, whole or not at all, and never over a file that was read.

    A device, or a descriptor of this process such as /dev/stdout, is written as a stream.
    `others` are outputs of the same command.
    Raises: FileError if it cannot be written, is an input, is written by another output, or has another format.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        kind: Kind,
        inputs: Iterable[Source] = (),
        *,
        others: Iterable[Output] = (),
    ) -> None:
        self.path, self.kind = Path(path), kind
        self._names = _with_beside(path)
        self._descriptor = _descriptor(os.fspath(path))
        self.is_stream = self._descriptor is not None or _is_device(path)
        self.keep_off(inputs)
        for other in others:
            self._check_other(other)
        self._check_ending()
        if self.is_stream:
            self._stream(b"")
        else:
            self._check_content()
            self._check_shell()
            check_writable(path)

    def keep_off(self, inputs: Iterable[Source]) -> None:
        """Raises: FileError if the output is one of these inputs, by whatever name or link."""
        for source in inputs:
            names = (source,) if isinstance(source, int) else _with_beside(source)
            if any(_is_in(mine, name) for mine in self._names for name in names):
                what = "the graph itself" if _is_graph(source) else "an input of this command"
                raise FileError(f'"{self.path}" is {what}, which would be lost; choose another file.')

    def check_room(self, size: int) -> None:
        """Raises: FileError if the disk has no room for so many bytes."""
        if not self.is_stream:
            check_writable(self.path, size)

    def write(self, content: bytes, over: Stamp | None = None) -> Stamp | None:
        """Writes the content; returns the stamp of the file, None of a stream. With `over`, as `write_file` does.

        Raises: FileError if it cannot be written, FileChangedError if the path holds anything but `over`.
        """
        if not self.is_stream:
            return write_file(self.path, content, over)
        self._stream(content)
        return None

    def _stream(self, content: bytes) -> None:
        """Writes into a device or a descriptor; a write of nothing finds out whether it takes anything."""
        with reasons_told(self.path, is_written=True):
            if self._descriptor == STANDARD_OUTPUT and sys.stdout is not None:
                sys.stdout.flush()
            descriptor = os.open(self.path, os.O_WRONLY) if self._descriptor is None else self._descriptor
            try:
                rest = memoryview(content)
                written = os.write(descriptor, rest)
                while rest := rest[written:]:
                    written = os.write(descriptor, rest)
            finally:
                if self._descriptor is None:
                    os.close(descriptor)

    def _check_ending(self) -> None:
        kind, ending = self.kind, self.path.suffix.lower()
        if self.is_stream or ending in kind.endings:
            return
        if kind.must_end:
            *first, last = kind.endings
            raise FileError(f'"{self.path.name}" must end in {", ".join(first)} or {last}; choose one of them.')
        other = next((item for item in _KINDS if ending in item.endings), None)
        if other is not None:
            raise FileError(f'"{self.path}" is {kind.name}, but ends in {ending}; choose another name.')

    def _check_content(self) -> None:
        """Raises: FileError if the path holds something that is no such file."""
        head = _head(self.path)
        if not head.strip() or self.kind.is_in(head):
            return
        found = next((item for item in _KINDS if item.is_in(head)), None)
        if found is None and (self.kind in _LOOSE or self.path.suffix.lower() in self.kind.endings):
            return
        what = "something else" if found is None or self.path.suffix.lower() in found.endings else found.name
        raise FileError(f'"{self.path}" holds {what}, not {self.kind.name}, and would be lost; choose another file.')

    def _check_other(self, other: Output) -> None:
        pairs = ((mine, its) for mine in self._names for its in other._names)
        if any(_place(mine) == _place(its) or is_same_file(mine, its) for mine, its in pairs):
            raise FileError(f'"{self.path}" would be written twice; choose another file for one of the outputs.')

    def _check_shell(self) -> None:
        """Raises: FileError if what is printed goes into the same file."""
        if _is_ordinary(STANDARD_OUTPUT) and is_same_file(self.path, STANDARD_OUTPUT):
            raise FileError(f'"{self.path}" takes what is printed already; choose another file.')


def check_printing(inputs: Iterable[Source]) -> None:
    """Raises: FileError if standard output goes into a file that is read."""
    for source in inputs:
        if _is_ordinary(STANDARD_OUTPUT) and is_same_file(source, STANDARD_OUTPUT):
            raise FileError("What is printed goes into a file that is read, which would be lost; choose another file.")


def check_folder(path: str | PathLike[str]) -> None:
    """Raises: FileError if there is something at a path, and it is no folder."""
    if os.path.lexists(path) and not os.path.isdir(path):
        raise FileError(f'"{os.fspath(path)}" is no folder; choose another one.')


def _with_beside(path: str | PathLike[str]) -> tuple[str, ...]:
    """Returns a path, and those of what may lie beside it if it is a graph."""
    name = os.fspath(path)
    stem, ending = os.path.splitext(name)
    weights = (stem + WEIGHTS_BESIDE,) if ending.lower() in GRAPH.endings else ()
    return (name, *weights, *(name + ending for ending in (STATE_BESIDE, NEW_STATE_BESIDE)))


def _is_in(path: str, source: str | int) -> bool:
    """Returns whether a path leads to an input, or into one that is a folder."""
    is_inside = (
        not isinstance(source, int) and os.path.isdir(source) and Path(_place(source)) in Path(_place(path)).parents
    )
    return is_inside or is_same_file(path, source)


def _place(path: str) -> str:
    """Returns a path with its links resolved, in the one spelling of a system that ignores capitals."""
    return os.path.normcase(os.path.realpath(path))


def _descriptor(path: str) -> int | None:
    """Returns the number of the descriptor that a path names, None for any other path."""
    name = os.path.normpath(path)
    if not _DESCRIPTOR.fullmatch(name):
        return None
    last = name.rpartition("/")[2]
    return _NUMBERS[last] if last in _NUMBERS else int(last)


def _is_device(path: str | PathLike[str]) -> bool:
    try:
        return stat.S_ISCHR(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def _is_ordinary(descriptor: int) -> bool:
    try:
        return stat.S_ISREG(os.fstat(descriptor).st_mode)
    except OSError:
        return False


def _is_graph(source: Source) -> bool:
    return source == STANDARD_INPUT or (not isinstance(source, int) and GRAPH.is_in(_head(source)))


def _head(path: str | PathLike[str]) -> bytes:
    """Returns the first bytes of an ordinary file; none of another, or where it cannot be read."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return b""
        with open(path, "rb") as file:
            return file.read(_HEAD)
    except (OSError, ValueError):
        return b""
