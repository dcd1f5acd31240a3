"""Makes a .deb, or an AppDir, of a built folder: `python packaging/installed_tree.py deb|appdir FOLDER TARGET`."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import gradwire
from gradwire.app.cli.desktop.desktop_files import ENTRY, desktop_files

# Debian puts a program that brings its libraries along below /opt or /usr/lib; the command is a link to it.
PLACE = Path("usr/lib/gradwire")
DESCRIPTION = """\
see the gradient on every wire of a graph
 Wire blocks into a graph, and see the value and the gradient of the loss on
 every wire. Each gradient that is zero says why, and at which block."""
# The libraries of the system that Qt loads and the folder does not hold.
NEEDED = "libc6, libgl1, libegl1, libfontconfig1, libxkbcommon0"
APP_RUN = '#!/bin/sh\nexec "$(dirname "$(readlink -f "$0")")/usr/lib/gradwire/gradwire" "$@"\n'


def tree(folder: Path, target: Path) -> Path:
    """Lays out the folder as it is installed: program, command, files of the desktop and licences."""
    shutil.rmtree(target, ignore_errors=True)
    (target / "usr" / "bin").mkdir(parents=True)
    shutil.copytree(folder, target / PLACE, symlinks=True)
    (target / "usr" / "bin" / "gradwire").symlink_to("../lib/gradwire/gradwire")
    for name, content in desktop_files(["gradwire"]).items():
        path = target / "usr" / "share" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    texts = target / "usr" / "share" / "doc" / "gradwire" / "copyright"
    texts.parent.mkdir(parents=True)
    texts.write_text(copyright_text(folder / "LICENSES"))
    return target


def copyright_text(licences: Path) -> str:
    """Returns all licence texts one after the other, ours first."""
    files = sorted(licences.iterdir(), key=lambda path: (path.name != "gradwire.txt", path.name))
    return "\n".join(f"==== {path.stem}\n\n{path.read_text(errors='replace').strip()}\n" for path in files)


def control(size: int) -> str:
    """Returns the description of the package. Units: `size` in KiB."""
    lines = {
        "Package": "gradwire",
        "Version": gradwire.__version__,
        "Architecture": subprocess.check_output(["dpkg", "--print-architecture"], text=True).strip(),
        "Maintainer": "The Gradwire developers",
        "Installed-Size": size,
        "Depends": NEEDED,
        "Section": "education",
        "Priority": "optional",
        "Description": DESCRIPTION,
    }
    return "".join(f"{key}: {value}\n" for key, value in lines.items())


def make_deb(folder: Path, target: Path) -> Path:
    """Writes the package into the folder `target`, and returns its path."""
    root = tree(folder, target / "root")
    size = sum(path.lstat().st_size for path in root.rglob("*") if path.is_file())
    (root / "DEBIAN").mkdir()
    (root / "DEBIAN" / "control").write_text(control(size // 1024))
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(root), str(target)], check=True)
    return next(target.glob("*.deb"))


def make_app_dir(folder: Path, target: Path) -> Path:
    """Lays out an AppDir, of which appimagetool makes an AppImage."""
    root = tree(folder, target / "Gradwire.AppDir")
    (root / "AppRun").write_text(APP_RUN)
    (root / "AppRun").chmod(0o755)
    share = root / "usr" / "share"
    shutil.copyfile(share / ENTRY, root / "gradwire.desktop")
    shutil.copyfile(share / "icons/hicolor/256x256/apps/gradwire.png", root / "gradwire.png")
    return root


if __name__ == "__main__":
    make = {"deb": make_deb, "appdir": make_app_dir}[sys.argv[1]]
    print(make(Path(sys.argv[2]), Path(sys.argv[3])))
