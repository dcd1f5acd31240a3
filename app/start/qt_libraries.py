"""The system libraries that Qt's windows need on Linux, and the command that installs missing ones.

Qt itself comes with PySide6; its dependencies come with the system. This module imports no Qt, because it is used when
Qt cannot be imported. scripts/system_libraries.sh reads the table too, before there is a Python to ask.
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import sys
from dataclasses import dataclass

# Shared object, then its package for apt-get, dnf, zypper and pacman. Dependencies of these packages are left out.
TABLE = """
libglib-2.0.so.0      libglib2.0-0        glib2             libglib-2_0-0       glib2
libGL.so.1            libgl1              libglvnd-glx      Mesa-libGL1         libglvnd
libEGL.so.1           libegl1             libglvnd-egl      Mesa-libEGL1        libglvnd
libX11.so.6           libx11-6            libX11            libX11-6            libx11
libxkbcommon.so.0     libxkbcommon0       libxkbcommon      libxkbcommon0       libxkbcommon
libfontconfig.so.1    libfontconfig1      fontconfig        libfontconfig1      fontconfig
libdbus-1.so.3        libdbus-1-3         dbus-libs         libdbus-1-3         dbus
libxcb-cursor.so.0    libxcb-cursor0      xcb-util-cursor   libxcb-cursor0      xcb-util-cursor
libxcb-icccm.so.4     libxcb-icccm4       xcb-util-wm       libxcb-icccm4       xcb-util-wm
libxcb-keysyms.so.1   libxcb-keysyms1     xcb-util-keysyms  libxcb-keysyms1     xcb-util-keysyms
libxcb-shape.so.0     libxcb-shape0       libxcb            libxcb-shape0       libxcb
libxcb-randr.so.0     libxcb-randr0       libxcb            libxcb-randr0       libxcb
libxcb-sync.so.1      libxcb-sync1        libxcb            libxcb-sync1        libxcb
libxcb-xfixes.so.0    libxcb-xfixes0      libxcb            libxcb-xfixes0      libxcb
libX11-xcb.so.1       libx11-xcb1         libX11-xcb        libX11-xcb1         libx11
libxkbcommon-x11.so.0 libxkbcommon-x11-0  libxkbcommon-x11  libxkbcommon-x11-0  libxkbcommon-x11
"""

# In the order of the table's columns.
INSTALLERS = {
    "apt-get": "apt-get install --yes",
    "dnf": "dnf install --assumeyes",
    "zypper": "zypper --non-interactive install",
    "pacman": "pacman -S --needed --noconfirm",
}


@dataclass(frozen=True)
class _Row:
    library: str
    packages: tuple[str, ...]


ROWS = [_Row(name, tuple(packages)) for name, *packages in map(str.split, TABLE.strip().splitlines())]


def missing_library_sentence(error: ImportError) -> str:
    """Returns a sentence about the missing library, with one command that installs all missing ones."""
    found = re.search(r"(\S+\.so[.\d]*): cannot open shared object file", str(error))
    if found is None:
        return f"Qt cannot be loaded: {error}."
    library = found[1]
    says = f"Qt needs the system library {library}, which is missing"
    command = _install_command(library)
    return f"{says}. Install it with: {command}" if command else f"{says}; install the package that holds it."


def _install_command(library: str) -> str | None:
    """Returns the command that installs a library and other missing ones; None if no package is known."""
    rows = [row for row in ROWS if row.library == library or not _is_there(row.library)]
    installer = next((name for name in INSTALLERS if shutil.which(name)), None)
    if installer is None or library not in [row.library for row in rows]:
        return None
    column = list(INSTALLERS).index(installer)
    packages = dict.fromkeys(row.packages[column] for row in rows)
    return " ".join([*_sudo(), INSTALLERS[installer], *packages])


def _is_there(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _sudo() -> list[str]:
    return [] if sys.platform == "win32" or os.geteuid() == 0 else ["sudo"]
