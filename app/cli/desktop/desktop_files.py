"""The files by which a freedesktop system knows the program, and where they lie below its data folder."""

from __future__ import annotations

from collections.abc import Sequence

from gradwire import HOME

TEMPLATES = HOME / "assets" / "desktop"
# The window says the same name to the system, which finds icon and title of the window by it.
NAME = "gradwire"
MEDIA_TYPE = "application/vnd.gradwire.graph+json"
ENTRY = f"applications/{NAME}.desktop"
MIME = f"mime/packages/{NAME}.xml"
METAINFO = f"metainfo/{NAME}.metainfo.xml"
THEME = "icons/hicolor"
ICONS = (f"apps/{NAME}", f"mimetypes/{MEDIA_TYPE.replace('/', '-')}")
# Units: px.
SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)
# An argument with one of the first is quoted; the others are escaped there too.
_RESERVED = " \t\n'><~|&;*?#()" + '"`$\\'
_ESCAPED = '"`$\\'


def desktop_files(command: Sequence[str]) -> dict[str, bytes]:
    """Returns the content of each file by its path below the data folder; `command` starts the program."""
    return {**_texts(command), **_icons()}


def file_names() -> tuple[str, ...]:
    """Returns the paths of all files below the data folder."""
    return (ENTRY, MIME, METAINFO, *map(_vector, ICONS), *(_pixels(size, icon) for size in SIZES for icon in ICONS))


def exec_line(command: Sequence[str]) -> str:
    """Returns the value of a key Exec.

    Source: Desktop Entry Specification 1.5, "The Exec key": an argument is quoted first, then the value is escaped as
    any string.
    """
    return _string(" ".join(map(_quoted, command)))


def _texts(command: Sequence[str]) -> dict[str, bytes]:
    entry = _template("desktop").replace("{exec}", exec_line(command)).replace("{try_exec}", _string(command[0]))
    return {
        ENTRY: entry.encode("utf-8", "surrogateescape"),
        MIME: _template("mime").encode(),
        METAINFO: _template("metainfo").encode(),
    }


def _icons() -> dict[str, bytes]:
    from gradwire.app.cli.desktop.icon_pictures import png  # imports Qt

    drawing = (HOME / "assets" / "icon.svg").read_bytes()
    pictures = {size: png(drawing, size) for size in SIZES}
    return {
        **{_vector(icon): drawing for icon in ICONS},
        **{_pixels(size, icon): picture for size, picture in pictures.items() for icon in ICONS},
    }


def _template(name: str) -> str:
    return (TEMPLATES / f"{name}.txt").read_text(encoding="utf-8")


def _vector(icon: str) -> str:
    return f"{THEME}/scalable/{icon}.svg"


def _pixels(size: int, icon: str) -> str:
    return f"{THEME}/{size}x{size}/{icon}.png"


def _quoted(argument: str) -> str:
    plain = argument.replace("%", "%%")
    if argument and not any(letter in argument for letter in _RESERVED):
        return plain
    return '"' + "".join(f"\\{letter}" if letter in _ESCAPED else letter for letter in plain) + '"'


def _string(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")
