"""Builds the compiled interpreter where there is a compiler; without one everything works, only slower."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.tags import Tag, sys_tags
from setuptools import Distribution, Extension
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError, CCompilerError, CompileError, LinkError

FOLDER, MODULE = "engine/executors", "engine.executors._arena"
SOURCES = [f"{FOLDER}/{name}.c" for name in ("_arena", "_choices", "_extremes", "_products", "_survey", "_windows")]
HEADER = f"{FOLDER}/_loops.h"
PARTS = ("app", "assets", "blocks", "engine", "interop")
# The oldest Python of the stable ABI that the sources keep to: one file serves it and every later version.
STABLE_ABI, STABLE_TAG = "0x030B0000", "cp311"
# Set to 1 it leaves the compiled interpreter out: one wheel for every platform that has no wheel of its own.
PURE = "GRADWIRE_PURE"
# Those that Python was built with differ from one system to another: with -O2 the loops take a fifth longer.
FLAGS = ["/O2", "/std:c11"] if sys.platform == "win32" else ["-O3"]
# Without a compiler, or without Python's headers, setuptools raises one of these; which one depends on its version.
CANNOT_COMPILE = (BaseError, CCompilerError, CompileError, LinkError, subprocess.SubprocessError, ImportError, OSError)


class CompiledInterpreter(BuildHookInterface[Any]):
    """A build step that compiles the interpreter and puts it into the wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compiles the interpreter before a wheel, or an installation of a checkout, is put together."""
        if self.target_name != "wheel":
            return
        root = Path(self.root)
        if version == "editable":
            link_parts(root)
        tag = None if os.environ.get(PURE) == "1" else stable_tag(sys_tags())
        made = None if tag is None else compiled_or_none(root)
        if made is not None:
            build_data["pure_python"], build_data["tag"] = False, tag
            build_data["artifacts"].append(f"/{made.relative_to(root).as_posix()}")


def compiled_or_none(root: Path) -> Path | None:
    """Returns the compiled module, or None, with a sentence on standard error, where it cannot be compiled."""
    try:
        return compiled(root)
    except CANNOT_COMPILE as error:
        print(f"The compiled interpreter is left out, NumPy computes instead: {error}", file=sys.stderr)
        _remove_outdated(root)
        return None


def compiled(root: Path, sanitizers: Sequence[str] = ()) -> Path:
    """Returns the path of the module beside its sources, which it compiles unless that has been done.

    Flags of sanitizers are given to compiler and linker, after all others.

    Raises: one of `CANNOT_COMPILE`, an ImportError if NumPy's headers are missing.
    """
    import numpy as np

    extension = Extension(
        MODULE,
        SOURCES,
        include_dirs=[np.get_include()],
        depends=[HEADER],
        define_macros=[("Py_LIMITED_API", STABLE_ABI)],
        py_limited_api=True,
        extra_compile_args=[*FLAGS, *sanitizers],
        extra_link_args=list(sanitizers),
    )
    command = build_ext(Distribution({"name": "gradwire", "ext_modules": [extension]}))
    command.inplace, command.build_temp = True, "build/arena"
    command.ensure_finalized()
    made = root / command.get_ext_filename(MODULE)
    if not _is_current(made, root):
        # Its own check looks at the sources alone, not at the flags.
        command.force = True
        command.run()
    return made


def _is_current(made: Path, root: Path) -> bool:
    """Returns whether a module was compiled from the sources as they are now."""
    newest = max((root / name).stat().st_mtime for name in [*SOURCES, HEADER, Path(__file__).name])
    return made.exists() and made.stat().st_mtime > newest


def _remove_outdated(root: Path) -> None:
    """Removes a module that was compiled from older sources: Python would load it."""
    for made in (root / FOLDER).glob("_arena*"):
        if made.suffix in (".so", ".pyd") and not _is_current(made, root):
            made.unlink()


def link_parts(root: Path) -> None:
    """Links the parts of the package into its folder, for tools that follow files instead of `__path__`.

    Where links cannot be made, it says so on standard error: the program runs without them.
    """
    for part in PARTS:
        link, target = root / "gradwire" / part, root / part
        try:
            # The link of a checkout that has been moved may lead nowhere, or to another checkout.
            if not (link.exists() and link.samefile(target)):
                link.unlink(missing_ok=True)
                _link(link, target)
        except OSError as error:
            print(f"Type checkers and editors will not find {part} in gradwire: {error}", file=sys.stderr)


def _link(link: Path, target: Path) -> None:
    if sys.platform == "win32":
        # A junction needs no privilege, which a symbolic link does on Windows.
        import _winapi

        _winapi.CreateJunction(str(target), str(link))
    else:
        link.symlink_to(os.path.relpath(target, link.parent), target_is_directory=True)


def stable_tag(tags: Iterable[Tag]) -> str | None:
    """Returns the wheel's tag for a Python with some tags: the stable ABI on its platform, and on no other Linux.

    It is None for a Python without that ABI, such as one without the global lock.
    """
    stable = (tag.platform for tag in tags if (tag.interpreter, tag.abi) == (STABLE_TAG, "abi3"))
    own = next((name for name in stable if "manylinux" not in name and "musllinux" not in name), None)
    if own is not None and own.startswith("macosx"):
        # It heeds MACOSX_DEPLOYMENT_TARGET and ARCHFLAGS, as the compiler does.
        from hatchling.builders.macos import process_macos_plat_tag

        own = process_macos_plat_tag(own, compat=False)
    return None if own is None else f"{STABLE_TAG}-abi3-{own}"
