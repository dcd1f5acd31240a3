"""Writes pictures as an animated WebP that loops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from PIL import Image
from PySide6.QtGui import QImage


def write(target: Path, pictures: Iterable[QImage], milliseconds: int) -> None:
    """Writes pictures that are shown for so many ms each; equal ones that follow each other become one."""
    merged = list(_merged(pictures))
    images = [_image(picture) for picture, _ in merged]
    durations = [count * milliseconds for _, count in merged]
    # An interface has few colours and sharp edges: with losses it would be larger.
    images[0].save(
        target,
        save_all=True,
        append_images=images[1:],
        duration=durations,
        loop=0,
        lossless=True,
        quality=75,
        method=4,
        minimize_size=True,
    )


def _merged(pictures: Iterable[QImage]) -> Iterator[tuple[QImage, int]]:
    """Yields each picture with the number of frames that it lasts."""
    last, count = None, 0
    for picture in pictures:
        if last is not None and picture != last:
            yield last, count
            count = 0
        last, count = picture, count + 1
    if last is not None:
        yield last, count


def _image(picture: QImage) -> Image.Image:
    plain = picture.convertToFormat(QImage.Format.Format_RGB888)
    size = plain.width(), plain.height()
    return Image.frombuffer("RGB", size, bytes(plain.constBits()), "raw", "RGB", plain.bytesPerLine(), 1)
