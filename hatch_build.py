"""Builds the compiled interpreter of plans where there is a compiler; without one everything works, only slower."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from setuptools import Distribution, Extension
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError

SOURCES = ["engine/_arena.c", "engine/_extremes.c", "engine/_products.c", "engine/_windows.c"]
HEADER = "engine/_loops.h"


class CompiledInterpreter(BuildHookInterface[Any]):
    """Compiles the interpreter beside its sources, and puts it into the wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, _: str, build_data: dict[str, Any]) -> None:
        """Before a wheel, or an installation that stays in its folder, is put together."""
        if self.target_name != "wheel":
            return
        try:
            made = compiled(Path(self.root))
        except BaseError as error:
            print(f"The compiled interpreter is left out, NumPy computes instead: {error}", file=sys.stderr)
            return
        build_data["pure_python"], build_data["infer_tag"] = False, True
        build_data["artifacts"].append(f"/{made.relative_to(self.root).as_posix()}")


def compiled(root: Path) -> Path:
    """The compiled module in the folder `root`. Raises: BaseError if it cannot be compiled."""
    import numpy as np

    extension = Extension("engine._arena", SOURCES, include_dirs=[np.get_include()], depends=[HEADER])
    command = build_ext(Distribution({"name": "gradwire", "ext_modules": [extension]}))
    command.inplace, command.build_temp = True, "build/arena"
    command.ensure_finalized()
    command.run()
    return root / command.get_ext_filename("engine._arena")
