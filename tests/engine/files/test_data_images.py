"""Folders of PNG images as examples, with hostile ones refused quickly and with little memory."""

from __future__ import annotations

import base64
import os
import struct
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gradwire.engine.base.errors import FileError
from gradwire.engine.files.data_files import read_examples, size_in
from gradwire.engine.files.data_kinds import DataOptions
from gradwire.engine.files.wanted_files import WantedFile

RANDOM = np.random.default_rng(5)
GREY = RANDOM.integers(0, 256, (7, 5, 1), np.uint8)
COLOUR = RANDOM.integers(0, 256, (6, 9, 3), np.uint8)


def part(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def heading(height: int, width: int, depth: int = 8, colour: int = 0, interlace: int = 0) -> bytes:
    numbers = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlace)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", numbers)


def filtered(image: np.ndarray, kinds: list[int]) -> bytes:
    """Filters the rows of an image, in turn by these filters, as the standard writes the formulas."""
    height, width, channels = image.shape
    values = np.zeros((height + 1, width + 1, channels), int)
    values[1:, 1:] = image
    rows = b""
    for y in range(1, height + 1):
        kind = kinds[(y - 1) % len(kinds)]
        rows += bytes([kind])
        for x in range(1, width + 1):
            for a, b, c, v in zip(values[y, x - 1], values[y - 1, x], values[y - 1, x - 1], values[y, x], strict=True):
                nearest = min((abs(a + b - c - item), number) for number, item in enumerate((a, b, c)))[1]
                rows += bytes([(v - (0, a, b, (a + b) // 2, (a, b, c)[nearest])[kind]) % 256])
    return rows


def png(image: np.ndarray, kinds: list[int] | None = None, parts: int = 1) -> bytes:
    packed = zlib.compress(filtered(image, kinds or [0]))
    step = -(-len(packed) // parts)
    data = [part(b"IDAT", packed[begin : begin + step]) for begin in range(0, len(packed), step)]
    head = heading(*image.shape[:2], colour=0 if image.shape[2] == 1 else 2)
    return head + part(b"tEXt", b"Title\0x") + b"".join(data) + part(b"IEND", b"")


def folder_of(tmp_path: Path, **images: bytes) -> Path:
    """Writes images by `class__name`."""
    for key, content in images.items():
        group, _, name = key.rpartition("__")
        (tmp_path / "set" / group).mkdir(parents=True, exist_ok=True)
        (tmp_path / "set" / group / f"{name}.png").write_bytes(content)
    return tmp_path


@pytest.mark.parametrize("kinds", [[0], [1], [2], [3], [4], [4, 2, 0, 1, 3]])
@pytest.mark.parametrize("image", [GREY, COLOUR], ids=["grey", "rgb"])
def test_every_filter_is_undone(tmp_path: Path, image: np.ndarray, kinds: list[int]) -> None:
    plain, other = png(image), png(image[::-1], kinds, parts=3)
    found = read_examples(folder_of(tmp_path, cat__a=plain, dog__a=other), "set")
    np.testing.assert_array_equal(found.inputs, [image, image[::-1]])
    assert found.targets.tolist() == [0, 1]


# An image of 9 x 14 pixels, (x^2 + 7 y + x y) modulo 256, as libpng writes it: it chooses the filter of each row.
BY_LIBPNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAA4AAAAJCAAAAAAnJkK1AAAAQ0lEQVQI12NkYGRmZefk5uUXFBYVl2RhZ2Jh4+Di4eMXEBQSFmFh"
    "h0jCuSxsHFw8CC4rOyc3EpeNgwvBZWLn4CSaCwChQwZ2qeS+iQAAAABJRU5ErkJggg=="
)


def test_an_image_that_another_program_wrote_is_read(tmp_path: Path) -> None:
    found = read_examples(folder_of(tmp_path, **{"3__a": BY_LIBPNG}), "set")
    y, x = np.mgrid[:9, :14]
    np.testing.assert_array_equal(found.inputs[0, :, :, 0], (x * x + 7 * y + x * y) % 256)
    # Folders whose names are numbers are classes of these numbers.
    assert found.targets.tolist() == [3]


def test_labels_come_from_a_table_too(tmp_path: Path) -> None:
    folder_of(tmp_path, a=png(GREY), b=png(GREY), c=png(GREY))
    (tmp_path / "labels.csv").write_text("file,label\nb.png,7.5\na.png,0.25\nc.png,1\n")
    assert read_examples(tmp_path, "set", DataOptions("labels.csv")).targets.tolist() == [0.25, 7.5, 1.0]
    (tmp_path / "labels.csv").write_text("a.png,cat\nb.png,dog\n")
    with pytest.raises(FileError, match=r"labels.csv has no label for c.png"):
        read_examples(tmp_path, "set", DataOptions("labels.csv"))
    with pytest.raises(FileError, match="has no labels"):
        read_examples(tmp_path, "set")
    assert WantedFile("main/data", "set", "", DataOptions("labels.csv")).names == ("set", "labels.csv")
    assert size_in(tmp_path, "set") == 3 * len(png(GREY))


def test_the_sum_of_a_folder_follows_names_and_contents(tmp_path: Path) -> None:
    folder_of(tmp_path, a__x=png(GREY), b__x=png(GREY[::-1]))
    first = read_examples(tmp_path, "set").sha256
    (tmp_path / "set" / "notes.txt").write_text("no image")
    assert read_examples(tmp_path, "set").sha256 == first
    (tmp_path / "set" / "b" / "x.png").rename(tmp_path / "set" / "b" / "y.png")
    assert read_examples(tmp_path, "set").sha256 != first


def lies(height: int, width: int, content: bytes = b"") -> bytes:
    return heading(height, width) + part(b"IDAT", zlib.compress(content)) + part(b"IEND", b"")


HOSTILE: dict[str, bytes | Callable[[], bytes]] = {
    "empty": b"",
    "no_png": b"GIF89a" + bytes(100),
    "cut_heading": png(GREY)[:30],
    "cut": png(GREY)[:-20],
    "no_end": png(GREY)[:-12],
    "broken_heading": png(GREY).replace(struct.pack(">II", 5, 7), struct.pack(">II", 7, 5)),
    "broken_pixels": lambda: png(GREY)[:-20] + b"\0" + png(GREY)[-19:],
    "no_pixels": heading(7, 5) + part(b"IEND", b""),
    "no_zlib": heading(7, 5) + part(b"IDAT", b"no zlib") + part(b"IEND", b""),
    "too_few": lies(7, 5, bytes(41)),
    "too_many": lies(7, 5, bytes(43)),
    "bomb": lambda: lies(7, 5, bytes(10_000_000)),
    "large_bomb": lambda: lies(7_000, 7_000, bytes(1_000_000)),
    "huge": lies(2**31 - 1, 2**31 - 1),
    "above_64_mp": lies(8_001, 8_001),
    "long": lies(1, 20_000, bytes(20_001)),
    "nothing": lies(0, 5),
    "filter": lies(7, 5, bytes([9, 0, 0, 0, 0, 0]) * 7),
    "palette": heading(7, 5, colour=3) + part(b"IEND", b""),
    "transparent": heading(7, 5, colour=6) + part(b"IEND", b""),
    "deep": heading(7, 5, depth=16) + part(b"IEND", b""),
    "interlaced": heading(7, 5, interlace=1) + part(b"IEND", b""),
    "kind": heading(7, 5, colour=9) + part(b"IEND", b""),
    "long_part": heading(7, 5) + struct.pack(">I", 2**31 - 1) + b"IDAT" + bytes(50),
    "parts": lambda: heading(7, 5) + part(b"IDAT", b"") * 12_000 + png(GREY)[33:],
    "size": png(COLOUR),
}


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_a_hostile_image_is_refused_with_little_memory(name: str, tmp_path: Path) -> None:
    content = HOSTILE[name]
    folder_of(tmp_path, a__a=png(GREY), b__a=content() if callable(content) else content)
    (tmp_path / "first" / "a").mkdir(parents=True)
    os.replace(tmp_path / "set" / "b" / "a.png", tmp_path / "first" / "a" / "a.png")
    folder_of(tmp_path, b__a=(tmp_path / "first" / "a" / "a.png").read_bytes())
    for folder in ("set", "first") if name != "size" else ("set",):
        tracemalloc.start()
        with pytest.raises(FileError) as refused:
            read_examples(tmp_path, folder)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 50 * 2**20
        assert str(refused.value).endswith(".")


@pytest.mark.parametrize("name", ["photo.jpeg", "PHOTO.JPG", "photo.webp", "photo.tif"])
def test_images_of_other_kinds_are_refused_and_not_left_out(tmp_path: Path, name: str) -> None:
    folder_of(tmp_path, a__x=png(GREY))
    (tmp_path / "set" / "a" / name).write_bytes(png(GREY))
    with pytest.raises(FileError, match=f"a/{name}; only PNG images are read, so convert it to PNG"):
        read_examples(tmp_path, "set")


def test_a_folder_whose_images_are_too_many_or_elsewhere_is_refused(tmp_path: Path) -> None:
    folder_of(tmp_path, a__x=png(GREY))
    (tmp_path / "set" / "a" / "out.png").symlink_to(tmp_path / "set" / "a" / "x.png")
    with pytest.raises(FileError, match=r"a/out.png, which is a link"):
        read_examples(tmp_path, "set")
    (tmp_path / "set" / "a" / "out.png").unlink()
    (tmp_path / "set" / "beside.png").write_bytes(png(GREY))
    with pytest.raises(FileError, match="both beside its folders and in them"):
        read_examples(tmp_path, "set")
    (tmp_path / "set" / "beside.png").unlink()
    (tmp_path / "none").mkdir()
    with pytest.raises(FileError, match="without PNG"):
        read_examples(tmp_path, "none")
