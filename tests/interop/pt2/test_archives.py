"""Archives that are no models of PyTorch: each is refused for the reason that holds, and a changed one still opens."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.source_lines import innermost_line
from gradwire.interop.pt2.archive import Archive
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
    assert read_pt2(rebuilt(drop("byteorder"))).graph


def put(name: str, content: bytes = b"") -> Callable[[Parts], None]:
    return lambda parts: parts.update({name: content})


def drop(end: str, also: Parts | None = None) -> Callable[[Parts], None]:
    """Leaves out a part, and puts others there."""

    def change(parts: Parts) -> None:
        del parts[part(parts, end)]
        parts.update(also or {})

    return change


def instead(name: str) -> Callable[[Parts], None]:
    """Leaves nothing but one part."""

    def change(parts: Parts) -> None:
        parts.clear()
        parts[name] = b"{}"

    return change


NO_GRAPH = "there is no models/*.json in it; a .pt2 is what torch.export.save writes"
PLACE = "which is no name inside an archive"
CHANGES: dict[str, tuple[Callable[[Parts], None], str]] = {
    "another format": (put("mlp/archive_format", b"zip"), "its archive format is 'zip', and 'pt2' is read"),
    "another version": (put("mlp/archive_version", b"9"), "its archive version is '9', and '0' is read"),
    "other bytes": (put("mlp/byteorder", b"big"), "its byte order is 'big', and 'little' is read"),
    "a long format": (put("mlp/archive_format", b"pt2" * 6),
                      "archive_format has 18 bytes, and 16 bytes are the limit"),
    "no version": (drop("archive_version"), "archive_version is missing in it"),
    "no format": (drop("archive_format"), NO_GRAPH),
    "no model": (drop("model.json"), NO_GRAPH),
    "compiled code": (drop("model.json", {"mlp/data/aotinductor/a.so": b""}),
                      "it holds compiled code (AOTInductor) and no graph"),
    "a second model": (put("mlp/models/other.json", b"{}"), "it holds 2 models, and one is read"),
    "a model that is no json": (put("mlp/models/model.json", b"{"), "models/model.json is no JSON"),
    "a model that is no text": (put("mlp/models/model.json", b"\xff"), "models/model.json is no JSON"),
    "a deep model": (put("mlp/models/model.json", b"[" * 201 + b"]" * 201),
                     "models/model.json is nested deeper than 200 levels"),
    "pickled weights": (put("mlp/data/weights/model.pt"), "its weights are pickled, as PyTorch 2.8 saves them, and "
                        "Gradwire unpickles nothing; with PyTorch 2.9 or newer: torch.export.save(torch.export.load("
                        '"the model"), "the model")'),
    "nothing": (lambda parts: parts.clear(), "it is an empty zip"),
    "a part that leads out": (put("a/../../b"), f"a part of it is called 'a/../../b', {PLACE}"),
    "a part at the root": (put("/etc/passwd"), f"a part of it is called '/etc/passwd', {PLACE}"),
    "a part with a drive": (put("c:x"), f"a part of it is called 'c:x', {PLACE}"),
    "a part with a strange letter": (put("a\x1bb"), f"a part of it is called 'a\\x1bb', {PLACE}"),
    "an old program": (instead("serialized_exported_program.json"), "its weights are pickled, as PyTorch up to 2.7 "
                       "saves them, and Gradwire unpickles nothing; export the model again with PyTorch 2.9 or newer"),
    "a state": (instead("m/data.pkl"), "it is a pickle of torch.save, not a .pt2; with PyTorch: "
                'torch.export.save(torch.export.export(model, (x,)), "model.pt2")'),
    "a state at the root": (instead("data.pkl"), "it is a pickle of torch.save, not a .pt2; with PyTorch: "
                            'torch.export.save(torch.export.export(model, (x,)), "model.pt2")'),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_archive_is_refused_for_its_reason(name: str) -> None:
    change, said = CHANGES[name]
    with pytest.raises(ModelRefusal) as caught:
        read_pt2(rebuilt(change))
    assert str(caught.value) == f"the model: {said}."


@pytest.mark.parametrize(
    "change",
    [
        put("mlp/data/aotinductor/a.so"),
        put("mlp/a..b"),
        put("mlp/models/note.txt"),
        put("mlp/archive_format", b"pt2\n"),
        put("mlp/archive_version", b" 0 "),
    ],
)
def test_what_stands_beside_a_model_does_not_matter(change: Callable[[Parts], None]) -> None:
    assert read_pt2(rebuilt(change)).graph


def test_a_part_may_swell_a_thousand_times_and_json_be_two_hundred_levels_deep() -> None:
    deep = rebuilt(put("mlp/models/model.json", b"[" * 200 + b"]" * 200))
    with pytest.raises(ModelRefusal, match="its graph is not what"):
        read_pt2(deep)
    archive = Archive(rebuilt(put("mlp/much", b"\0" * 512_000), zipfile.ZIP_DEFLATED))
    assert archive.has("much") and not archive.has("mlp/much")
    assert len(archive.bytes_of("much", 512_000)) == 512_000
    with pytest.raises(ModelRefusal, match="much has 512,000 bytes, and"):
        archive.bytes_of("much", 511_999)


def test_a_file_has_its_name_in_a_refusal_and_its_ending_says_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "net.pt2"
    with pytest.raises(ModelRefusal, match=r"^net\.pt2: there is no such file\.$"):
        Archive(path)
    with pytest.raises(ModelRefusal, match=rf"^{tmp_path.name}: it cannot be read: Is a directory\.$"):
        Archive(tmp_path)
    for name, said in (("net.pt2", "it is no zip, or damaged"), ("net.onnx", "ONNX")):
        (tmp_path / name).write_bytes(b"no zip")
        with pytest.raises(ModelRefusal, match=said):
            Archive(tmp_path / name)


def test_encrypted_and_swelling_archives_and_two_parts_of_one_name_are_refused() -> None:
    with pytest.raises(ModelRefusal, match="it is encrypted"):
        read_pt2(with_flag(rebuilt(), 1))
    huge = rebuilt(lambda parts: parts.update({"much": b"\0" * 3_000_000}), zipfile.ZIP_DEFLATED)
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
