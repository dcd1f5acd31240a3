"""Installs Gradwire into fresh environments in every way that users do, and tries it from another folder.

`make test-install` makes all trials; `python -m scripts.try_installation locked uninstalled` makes two. A Python
that is not on this machine is named and not tried. It needs the network.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from scripts.environments import ALL, PYTHONS, ROOT, Environment, Failed, python_of, requirements, run, tool

LOCK = ROOT / "requirements.lock"
LOWEST = ("--resolution", "lowest-direct")
# hatch_build.py says it where nothing can be compiled.
NOTICE = "The compiled interpreter is left out, NumPy computes instead"


@dataclass(frozen=True)
class Archives:
    """The wheel and the source archive of the checkout."""

    wheel: Path
    source: Path


Trial = Callable[[Archives, Path], str]


def build(folder: Path) -> Archives:
    """Builds both archives of the checkout."""
    run([sys.executable, "-m", "hatchling", "build", "--directory", folder], ROOT)
    (wheel,), (source,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return Archives(wheel, source)


def newest(archives: Archives, folder: Path) -> str:
    """The newest packages that the bounds allow."""
    environment = Environment(folder)
    environment.install(archives.wheel)
    environment.test(ALL)
    return environment.versions()


def oldest(archives: Archives, folder: Path) -> str:
    """The oldest packages that the bounds allow."""
    environment = Environment(folder)
    environment.install(*LOWEST, archives.wheel, *requirements())
    environment.expect_lowest()
    environment.test(ALL)
    return environment.versions()


def locked(archives: Archives, folder: Path) -> str:
    """The packages of `requirements.lock`, whose files must have the sums that are written there."""
    environment = Environment(folder)
    environment.install("--require-hashes", "--requirement", LOCK)
    # Nobody has sums of a wheel that was just built, and they are asked of all packages or of none.
    environment.install("--no-deps", archives.wheel)
    environment.test(ALL)
    return environment.versions()


def pythons(archives: Archives, folder: Path) -> str:
    """Each Python that we support, with the newest and with the oldest packages."""
    said = []
    for version in PYTHONS:
        python = python_of(version)
        if python is None:
            said.append(f"Python {version} is not on this machine: NOT TRIED")
            continue
        for name, arguments in (("newest", ()), ("oldest", (*LOWEST, *requirements()))):
            environment = Environment(folder / f"{version}-{name}", python)
            environment.install(archives.wheel, *arguments)
            if arguments:
                environment.expect_lowest()
            environment.test()
            said.append(f"{name}: {environment.versions()}")
    return "\n    ".join(said)


def without_compiler(archives: Archives, folder: Path) -> str:
    """The source archive where no PATH leads to a compiler: one line of notice, and NumPy computes."""
    environment = Environment(folder)
    (folder / "empty").mkdir()
    nowhere = {"PATH": str(folder / "empty"), "CC": "cc"}
    said = environment.pip("install", "--verbose", archives.source, settings=nowhere)
    notices = [line.strip() for line in said.splitlines() if NOTICE in line]
    if len(notices) != 1 or "Traceback" in said:
        raise Failed(f"{len(notices)} notices instead of one:\n{said[-4000:]}")
    environment.test(is_compiled=False)
    return notices[0]


def uv_tool(archives: Archives, folder: Path) -> str:
    """`uv tool install` and its opposite."""
    homes = {"UV_TOOL_DIR": str(folder / "tools"), "UV_TOOL_BIN_DIR": str(folder / "programs")}
    run([tool("uv"), "tool", "install", "--python", sys.executable, archives.wheel], folder, homes)
    said = _used(folder)
    run([tool("uv"), "tool", "uninstall", "gradwire"], folder, homes)
    _expect_empty(folder / "programs")
    return said


def pipx(archives: Archives, folder: Path) -> str:
    """`pipx install` and its opposite."""
    homes = {"PIPX_HOME": str(folder / "tools"), "PIPX_BIN_DIR": str(folder / "programs")}
    run([tool("pipx"), "install", "--python", sys.executable, archives.wheel], folder, homes)
    said = _used(folder)
    run([tool("pipx"), "uninstall", "gradwire"], folder, homes)
    _expect_empty(folder / "programs")
    return said


def _used(folder: Path) -> str:
    """Computes an example with the program that a tool has installed; returns its version."""
    program = folder / "programs" / ("gradwire.exe" if os.name == "nt" else "gradwire")
    run([program, "examples", "softmax_stable", "-o", folder], folder)
    if "main/m.y -> main/stop.x" not in run([program, "run", "softmax_stable.graph"], folder):
        raise Failed("The table of the stable softmax lacks the wire to its StopGradient.")
    return run([program, "--version"], folder).strip()


def _expect_empty(folder: Path) -> None:
    left = [path.name for path in folder.iterdir()] if folder.exists() else []
    if left:
        raise Failed(f"These programs were not removed: {', '.join(left)}")


def uninstalled(archives: Archives, folder: Path) -> str:
    """Uninstalling removes every file and folder, those too that Python has compiled since."""
    environment = Environment(folder)
    environment.install(*requirements())
    environment.pip("install", "--no-deps", archives.wheel)
    environment.gradwire("examples", "softmax_stable", "-o", folder)
    environment.pip("uninstall", "--yes", "gradwire")
    left = [path for path in environment.place.rglob("*") if "gradwire" in path.name.lower()]
    if left:
        raise Failed(f"These files were not removed: {', '.join(map(str, left))}")
    return "no file of Gradwire is left"


TRIALS: dict[str, Trial] = {
    "newest": newest,
    "oldest": oldest,
    "locked": locked,
    "pythons": pythons,
    "without-compiler": without_compiler,
    "uv-tool": uv_tool,
    "pipx": pipx,
    "uninstalled": uninstalled,
}


def attempt(name: str, archives: Archives, folder: Path) -> bool:
    """Makes a trial, and prints its outcome and its time; returns whether it succeeded."""
    start = time.monotonic()
    folder.mkdir()
    try:
        found, is_fine = TRIALS[name](archives, folder), True
    except Failed as failure:
        found, is_fine = str(failure), False
    print(f"{'fine' if is_fine else 'FAILED':6} {name}, {time.monotonic() - start:.0f} s\n    {found}", flush=True)
    return is_fine


def main() -> int:
    """Makes the trials that are asked for, or all; the exit code is 1 if one has failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trials", nargs="*", metavar="TRIAL", help=f"one of: {', '.join(TRIALS)}")
    asked = parser.parse_args().trials or list(TRIALS)
    if unknown := set(asked) - set(TRIALS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    with tempfile.TemporaryDirectory(prefix="gradwire-install-") as place:
        archives = build(Path(place) / "archives")
        print(f"{archives.wheel.name}, {archives.wheel.stat().st_size / 1e6:.1f} MB", flush=True)
        outcomes = [attempt(name, archives, Path(place) / name) for name in asked]
    return 0 if all(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
