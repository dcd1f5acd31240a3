"""Archives that are no models of PyTorch: each is refused for the reason that holds, and a changed one still opens."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import pytest

from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.source_lines import innermost_line
from gradwire.interop.pt2.from_pt2 import read_pt2
from tests.interop.pt2.recorded import Recorded

MODEL = Recorded("models").model("mlp")
Parts = dict[str, bytes]


def rebuilt(change: Callable[[Parts], None] = lambda _: None, compression: int = zipfile.ZIP_STORED) -> bytes:
    with zipfile.ZipFile(io.BytesIO(MODEL)) as archive:
        parts = {info.filename: archive.read(info) for info in archive.infolist()}
    change(parts)
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", compression) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return written.getvalue()


def part(parts: Parts, end: str) -> str:
    (name,) = [item for item in parts if item.endswith(end)]
    return name


def with_flag(content: bytes, flag: int) -> bytes:
    """Sets a flag of each entry, in both of its headers."""
    found = bytearray(content)
    for sign, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = found.find(sign)
        while at >= 0:
            found[at + place] |= flag
            at = found.find(sign, at + 4)
    return bytes(found)


def test_a_model_that_is_packed_again_opens() -> None:
    names = read_pt2(MODEL).graph.page("main").blocks.keys()
    for content in (rebuilt(), rebuilt(compression=zipfile.ZIP_DEFLATED), with_flag(rebuilt(), 2)):
        assert read_pt2(content).graph.page("main").blocks.keys() == names
    assert read_pt2(rebuilt(lambda parts: parts.pop(part(parts, "byteorder"), None) and None)).graph


CHANGES: dict[str, tuple[Callable[[Parts], object], str]] = {
    "another format": (lambda parts: parts.update({part(parts, "archive_format"): b"zip"}), ""),
    "another version": (lambda parts: parts.update({part(parts, "archive_version"): b"9"}), ""),
    "no format": (lambda parts: parts.pop(part(parts, "archive_format")), "there is no models/*.json in it"),
    "a second model": (
        lambda parts: parts.update({part(parts, "model.json").replace("model.json", "other.json"): b"{}"}),
        "it holds 2 models",
    ),
    "a model that is no json": (lambda parts: parts.update({part(parts, "model.json"): b"{"}), "is no JSON"),
    "nothing": (lambda parts: parts.clear(), "it is an empty zip"),
    "a part that leads out": (lambda parts: parts.update({"a/../../b": b""}), "no name inside an archive"),
    "a part at the root": (lambda parts: parts.update({"/etc/passwd": b""}), "no name inside an archive"),
    "a part with a drive": (lambda parts: parts.update({"c:x": b""}), "no name inside an archive"),
    "an old program": (
        lambda parts: (parts.clear(), parts.update({"serialized_exported_program.json": b"{}"})), "up to 2.7",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_archive_is_refused_for_its_reason(name: str) -> None:
    change, said = CHANGES[name]
    with pytest.raises(ModelRefusal) as caught:
        read_pt2(rebuilt(change))  # type: ignore[arg-type]  # what a change returns is not looked at
    assert said in str(caught.value) and str(caught.value).endswith(".")


def test_encrypted_and_swelling_archives_and_two_parts_of_one_name_are_refused() -> None:
    with pytest.raises(ModelRefusal, match="it is encrypted"):
        read_pt2(with_flag(rebuilt(), 1))
    huge = rebuilt(lambda parts: parts.update({"zeros": b"\0" * 3_000_000}), zipfile.ZIP_DEFLATED)
    with pytest.raises(ModelRefusal, match="swells more than"):
        read_pt2(huge)
    twice = io.BytesIO(rebuilt())
    with zipfile.ZipFile(twice, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr(archive.namelist()[0], b"")
    with pytest.raises(ModelRefusal, match="two parts of it have one name"):
        read_pt2(twice.getvalue())


def test_the_innermost_line_of_a_trace_is_that_of_the_model() -> None:
    trace = (
        '  File "/a/net.py", line 12, in forward\n    y = f(x)\n  File "/a/part.py", line 3, in f\n    return x * 2\n'
    )
    line, code = innermost_line(trace)
    assert line.endswith("part.py:3") and code == "return x * 2"
    assert innermost_line("") == ("", "")
