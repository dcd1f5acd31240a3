"""Gathers the licence texts of all that a built folder holds into its LICENSES: `python packaging/licences.py FOLDER`.

A distribution keeps its texts in its metadata. Those that keep none are under a licence whose text Debian and its kin
have, or under the MIT licence, whose text is ours with another name.
"""

from __future__ import annotations

import re
import shutil
import struct
import sys
import sysconfig
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# The packages that may lie in the folder, by the name of their distribution.
BUNDLED = {
    "gradwire": "gradwire",
    "numpy": "numpy",
    "scipy": "scipy",
    "PySide6": "PySide6_Essentials",
    "shiboken6": "shiboken6",
    "fontTools": "fonttools",
    "ziamath": "ziamath",
    "ziafont": "ziafont",
    "latex2mathml": "latex2mathml",
    "shtab": "shtab",
}
# Their fonts carry the terms in themselves.
FONT_OWNERS = ("ziamath", "ziafont")
COMMON = Path("/usr/share/common-licenses")
# LGPL-3 adds permissions to GPL-3: both texts belong together.
LGPL = ("LGPL-3", "GPL-3")
# Numbers of a platform and of two names in a font.
_WINDOWS, _COPYRIGHT, _LICENCE = 3, 0, 13
_TEXT = re.compile(r"(^|/)(LICEN[CS]E|COPYING|NOTICE|OFL)[^/]*$", re.IGNORECASE)


def gather(folder: Path) -> dict[str, list[str]]:
    """Writes the texts, and returns the names of their files by what they are about.

    Raises: FileNotFoundError if a text is missing.
    """
    target = folder / "LICENSES"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    found = {name: _of_distribution(name, target) for name in BUNDLED.values()}
    found["Python"] = [_copied(_python(), target / "Python.txt")]
    for font in (ROOT / "assets" / "fonts").glob("OFL-*.txt"):
        found[font.stem] = [_copied(font, target / font.name)]
    for owner in FONT_OWNERS:
        for file in metadata.files(owner) or ():
            if file.suffix in (".ttf", ".otf"):
                found[file.stem] = [_of_font(Path(str(file.locate())), target / f"{file.stem}.txt")]
    found |= {name: [_copied(path, target / f"{name}.txt")] for name, path in _system_libraries(folder).items()}
    if missing := [name for name, files in found.items() if not files]:
        raise FileNotFoundError(f"no licence text of {', '.join(missing)}")
    return found


def _of_distribution(name: str, target: Path) -> list[str]:
    distribution = metadata.distribution(name)
    if name == "gradwire":
        return [_copied(ROOT / "LICENSE", target / "gradwire.txt")]
    files = [item for item in distribution.files or () if ".dist-info/" in str(item) and _TEXT.search(str(item))]
    made = [_copied(Path(str(item.locate())), target / f"{name}-{_flat(str(item))}") for item in files]
    licence = f"{distribution.metadata.get('License-Expression', '')} {distribution.metadata.get('License', '')}"
    if not made and "LGPL-3" in licence:
        made = [_copied(COMMON / text, target / f"{name}-{text}.txt") for text in LGPL]
    if not made and "MIT" in licence:
        authors = (
            distribution.metadata.get("Author") or distribution.metadata.get("Author-email") or f"the authors of {name}"
        )
        text = re.sub(r"(?m)^Copyright .*$", f"Copyright (c) {authors}", (ROOT / "LICENSE").read_text())
        (target / f"{name}.txt").write_text(text)
        made = [f"{name}.txt"]
    return made


def _of_font(font: Path, target: Path) -> str:
    """Writes what a font says of its rights, and the text of the Open Font License if that is named."""
    notice = "\n\n".join(_notices(font.read_bytes()))
    ours = (ROOT / "assets" / "fonts" / "OFL-Inter.txt").read_text()
    target.write_text(f"{notice}\n\n{ours[ours.index('SIL OPEN FONT') :]}" if "Open Font License" in notice else notice)
    return target.name


def _notices(font: bytes) -> list[str]:
    """Returns copyright and licence in the table `name` of a font. Source: OpenType 1.9, "name - Naming Table"."""
    tables = (struct.unpack_from(">4sIII", font, 12 + 16 * i) for i in range(struct.unpack_from(">H", font, 4)[0]))
    start = next(offset for tag, _, offset, _ in tables if tag == b"name")
    count, storage = struct.unpack_from(">HH", font, start + 2)
    texts = {}
    for i in range(count):
        platform, _, _, name, length, offset = struct.unpack_from(">6H", font, start + 6 + 12 * i)
        if platform == _WINDOWS and name in (_COPYRIGHT, _LICENCE):
            begin = start + storage + offset
            texts[name] = font[begin : begin + length].decode("utf-16-be")
    return [texts[name] for name in sorted(texts)]


def _system_libraries(folder: Path) -> dict[str, Path]:
    """Returns the copyright files of packages of the system whose libraries lie in the folder, as dpkg knows them."""
    names = {path.name for path in (folder / "_internal").glob("*.so*")}
    found = {}
    for listed in Path("/var/lib/dpkg/info").glob("*.list"):
        package = listed.stem.partition(":")[0]
        text = Path("/usr/share/doc") / package / "copyright"
        lines = listed.read_text(errors="replace").splitlines()
        if text.exists() and names.intersection(line.rpartition("/")[2] for line in lines):
            found[f"system-{package}"] = text
    return found


def _python() -> Path:
    for folder in (Path(sysconfig.get_path("stdlib")), Path(sys.base_prefix)):
        for name in ("LICENSE.txt", "LICENSE"):
            if (folder / name).exists():
                return folder / name
    raise FileNotFoundError("no licence text of Python")


def _flat(name: str) -> str:
    return name.partition(".dist-info/")[2].replace("licenses/", "").replace("/", "-")


def _copied(source: Path, target: Path) -> str:
    shutil.copyfile(source, target)
    return target.name


if __name__ == "__main__":
    print(sum(map(len, gather(Path(sys.argv[1])).values())), "licence texts")
