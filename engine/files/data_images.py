"""Folders of PNG images as examples: grey or RGB of 8 bits, all of one size.

The standard library inflates the pixels, and NumPy undoes the filters: an image library would be a dependency of every
installation, for a format of which examples need this little.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gradwire.engine.base.errors import FileError
from gradwire.engine.base.limits import LIMITS, MIB, size_text
from gradwire.engine.base.reading_time import check_time
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.base.untrusted_text import plain

# Bytes of the signature and the first part, which has the size; a file has so many parts at most.
_HEADING, _MOST_PARTS = 33, 10_000
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_MOST_PIXELS, _LONGEST_SIDE, _MOST_IMAGES, _MOST_FOLDERS, _MOST_RATIO = 64_000_000, 16_384, 100_000, 100, 200
# Channels by the colour type of the format; others have a palette or transparency.
_CHANNELS = {0: 1, 2: 3}
# Endings of images of other kinds. The command has nothing that decodes them, so the window refuses them too.
_OTHER_KINDS = ("jpg", "jpeg", "jpe", "jfif", "gif", "bmp", "webp", "tif", "tiff", "avif", "heic", "ppm", "pgm")
# Images are unfiltered together, so many bytes at a time.
_TOGETHER = 16 * MIB


class ImageFile(NamedTuple):
    """Image in a folder: its path, its name inside the folder, and the name of the subfolder that it lies in."""

    path: Path
    name: str
    group: str


class _Size(NamedTuple):
    """Size of an image in pixels, and its channels."""

    height: int
    width: int
    channels: int

    @property
    def packed(self) -> int:
        """Bytes of the rows, each with the number of its filter before it."""
        return self.height * (1 + self.width * self.channels)

    def __str__(self) -> str:
        return f"{self.height} x {self.width} {'grey' if self.channels == 1 else 'RGB'}"


def images_in(folder: Path, name: str) -> list[ImageFile]:
    """Returns the images of a folder and of its subfolders, by their names; links are refused, other files left out.

    Raises: FileError if there are none, too many, or images both beside subfolders and in them.
    """
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        groups = [entry for entry in entries if entry.is_dir(follow_symlinks=False)]
        if len(groups) > _MOST_FOLDERS:
            raise FileError(f"{name} has {len(groups):,} folders, above {_MOST_FOLDERS}.")
        found = _images_of(entries, "", name)
        for group in groups:
            found += _images_of(sorted(os.scandir(group.path), key=lambda entry: entry.name), group.name, name)
            if len(found) > _MOST_IMAGES:
                raise FileError(f"{name} has more than {_MOST_IMAGES:,} images.")
    except OSError as error:
        raise FileError(f"{name} cannot be read.") from error
    if not found:
        raise FileError(f"{name} is a folder without PNG images.")
    if len({bool(item.group) for item in found}) > 1:
        raise FileError(f"{name} has images both beside its folders and in them.")
    return found


def _images_of(entries: Iterable[os.DirEntry[str]], group: str, name: str) -> list[ImageFile]:
    found = []
    for entry in entries:
        inside = f"{group}/{entry.name}" if group else entry.name
        suffix = entry.name.lower().rpartition(".")[2]
        if suffix in _OTHER_KINDS:
            raise FileError(f"{name} holds {plain(inside)}; only PNG images are read, so convert it to PNG.")
        if suffix != "png":
            continue
        if not entry.is_file(follow_symlinks=False):
            raise FileError(f"{name} holds {plain(inside)}, which is a link or no file.")
        found.append(ImageFile(Path(entry.path), inside, group))
    return found


def read_images(
    files: list[ImageFile], read: Callable[[ImageFile, int], bytes], tell: Callable[[bytes], object]
) -> Array:
    """Returns images of one size as whole numbers from 0 to 255.

    `read` gives so many bytes of a file at most; `tell` hears the name and the content of each.
    Shapes: [images, height, width, channels].
    Raises: FileError if one is no such PNG, is damaged, or has another size than the first.
    """
    size = _size(read(files[0], _HEADING), files[0].name)
    if len(files) * size.packed > LIMITS.tensor_bytes:
        raise FileError(f"{len(files):,} images of {size} are above {size_text(LIMITS.tensor_bytes)}.")
    step = max(1, _TOGETHER // size.packed)
    images = []
    for begin in range(0, len(files), step):
        part, rows = files[begin : begin + step], []
        for file in part:
            check_time()
            # Longer ones are cut, and have no end then.
            content = read(file, size.packed + 2 * MIB)
            tell(f"{file.name}\0{len(content)}\0".encode())
            tell(content)
            rows.append(_inflated(content, size, file.name))
        shape = (len(part), size.height, 1 + size.width * size.channels)
        images.append(_unfiltered(np.frombuffer(b"".join(rows), np.uint8).reshape(shape), size, part))
    return np.concatenate(images)


def _size(content: bytes, name: str) -> _Size:
    """Returns the size that the heading of an image tells.

    Raises: FileError if it is no PNG of a kind and size that is read.
    """
    heading = content[:_HEADING]
    if len(heading) < _HEADING or heading[:8] != _SIGNATURE or heading[8:16] != b"\0\0\0\rIHDR":
        raise FileError(f"{plain(name)} is no PNG image, or is damaged.")
    width, height, depth, colour, packing, filters, interlace = struct.unpack(">IIBBBBB", heading[16:29])
    if zlib.crc32(heading[12:29]) != int.from_bytes(heading[29:_HEADING], "big") or packing or filters or interlace > 1:
        raise FileError(f"{plain(name)} is no PNG image, or is damaged.")
    if depth != 8 or colour not in _CHANNELS or interlace:
        raise FileError(
            f"{plain(name)} must be grey or RGB of 8 bits, without palette, transparency and interlacing; save it so."
        )
    if not width or not height or width * height > _MOST_PIXELS or max(width, height) > _LONGEST_SIDE:
        limits = f"{_MOST_PIXELS:,} and {_LONGEST_SIDE:,} on a side"
        raise FileError(f"{plain(name)} has {height:,} x {width:,} pixels; at most {limits} are read.")
    return _Size(height, width, _CHANNELS[colour])


def _inflated(content: bytes, wanted: _Size, name: str) -> bytes:
    """Returns the filtered rows of an image."""
    size = _size(content, name)
    if size != wanted:
        raise FileError(f"{plain(name)} is {size}, and the first image {wanted}; all must have one size.")
    packed = b"".join(_packed_parts(content, name))
    if size.packed > max(MIB, _MOST_RATIO * len(packed)):
        raise FileError(f"{plain(name)} is packed to less than a {_MOST_RATIO}th of its size.")
    inflater = zlib.decompressobj()
    try:
        rows = inflater.decompress(packed, size.packed + 1)
    except zlib.error as error:
        raise FileError(f"{plain(name)} is damaged.") from error
    if len(rows) != size.packed:
        raise FileError(f"{plain(name)} has other pixels than its heading says.")
    return rows


def _packed_parts(content: bytes, name: str) -> Iterator[memoryview]:
    """Yields the packed pixels, up to the end that the image itself tells."""
    view, place = memoryview(content), _HEADING
    for _ in range(_MOST_PARTS):
        if place + 12 > len(content):
            break
        length, kind = struct.unpack_from(">I4s", content, place)
        end = place + 8 + length
        if kind == b"IEND" or end + 4 > len(content):
            break
        if kind == b"IDAT":
            if zlib.crc32(view[place + 4 : end]) != struct.unpack_from(">I", content, end)[0]:
                raise FileError(f"{plain(name)} is damaged.")
            yield view[place + 8 : end]
        place = end + 4
    if content[place + 4 : place + 8] != b"IEND":
        raise FileError(f"{plain(name)} ends too early.")


def _unfiltered(rows: Array, size: _Size, files: list[ImageFile]) -> Array:
    """Returns the pixels of images whose rows are filtered.

    A pixel depends on the one at its left and on two above it. So all pixels on a diagonal, where row and column have
    one sum, are computed together, for all images. Cost: height + width passes over a diagonal.
    Source: W3C, Portable Network Graphics, section 9.
    """
    height, width, channels = size
    filters = rows[:, :, 0]
    if filters.max() > 4:
        raise FileError(f"{plain(files[int(np.argmax(filters.max(axis=1) > 4))].name)} is damaged.")
    given = rows[:, :, 1:].reshape(len(rows), height, width, channels)
    if not filters.any():
        return given
    # A border of zeros stands for what lies outside.
    found = np.zeros((len(rows), height + 1, width + 1, channels), np.uint8)
    for diagonal in range(height + width - 1):
        check_time()
        y = np.arange(max(0, diagonal - width + 1), min(height, diagonal + 1))
        x = diagonal - y
        left, above, corner = (found[:, y + dy, x + dx].astype(np.int16) for dy, dx in ((1, 0), (0, 1), (0, 0)))
        predicted = np.choose(
            filters[:, y, None],
            [np.zeros_like(left), left, above, (left + above) >> 1, _paeth(left, above, corner)],
        )
        found[:, y + 1, x + 1] = given[:, y, x] + predicted.astype(np.uint8)
    return found[:, 1:, 1:]


def _paeth(left: Array, above: Array, corner: Array) -> Array:
    """Returns for each pixel its neighbour that is closest to left + above - corner."""
    to_left, to_above = np.abs(above - corner), np.abs(left - corner)
    to_corner = np.abs(left + above - 2 * corner)
    is_left = (to_left <= to_above) & (to_left <= to_corner)
    return np.where(is_left, left, np.where(to_above <= to_corner, above, corner))
