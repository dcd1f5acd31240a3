"""The contents of wheel and source archive: every module, the assets, the examples, and nothing for one machine."""

from __future__ import annotations

import configparser
import tarfile
import zipfile
from dataclasses import dataclass
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest

import gradwire
from hatch_build import link_parts
from tests.packaging.building import MODULES, ROOT, add_module, built, copied, module

HEADERS_AND_SOURCES = (".c", ".h")

# Each builds three archives, or waits for them.
pytestmark = pytest.mark.long


@dataclass(frozen=True)
class Archives:
    """A source archive and two wheels: one of the checkout, one of the unpacked archive."""

    wheel: Path
    source: Path
    wheel_of_source: Path

    @property
    def names(self) -> set[str]:
        """The names in the wheel."""
        return set(zipfile.ZipFile(self.wheel).namelist())

    def record(self, name: str) -> str:
        """The text of a file of the wheel's metadata."""
        return zipfile.ZipFile(self.wheel).read(f"gradwire-{gradwire.__version__}.dist-info/{name}").decode()

    @property
    def metadata(self) -> Message:
        """The wheel's metadata."""
        return Parser().parsestr(self.record("METADATA"))


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Archives:
    """The archives, built from a copy in which the links stand that an installation of a checkout makes."""
    folder = tmp_path_factory.mktemp("archives")
    checkout = copied(folder / "checkout", is_compiled=True, is_whole=True)
    link_parts(checkout)
    wheel, _ = built(checkout, "wheel", folder / "wheel")
    source, _ = built(checkout, "sdist", folder / "source")
    with tarfile.open(source) as archive:
        # The early versions of Python 3.11 have no filter.
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(folder / "unpacked")
    (unpacked,) = (folder / "unpacked").iterdir()
    add_module(unpacked)
    return Archives(wheel, source, built(unpacked, "wheel", folder / "again")[0])


def test_the_wheel_holds_the_program_its_assets_and_examples(archives: Archives) -> None:
    names = archives.names
    sources = [*ROOT.glob("gradwire/*.py"), *ROOT.glob("gradwire/*.pyi"), ROOT / "gradwire" / "py.typed"]
    parts = [path for part in ("engine", "blocks", "app") for path in ROOT.glob(f"{part}/**/*.py")]
    assert len(parts) > 400
    assets = [path for path in ROOT.glob("assets/**/*") if path.is_file()]
    expected = {path.relative_to(ROOT).as_posix() for path in sources}
    expected |= {f"gradwire/{path.relative_to(ROOT).as_posix()}" for path in [*parts, *assets]}
    assert {path.suffix for path in assets} == {
        ".graph",
        ".json",
        ".qss",
        ".svg",
        ".otf",
        ".ttf",
        ".txt",
        ".js",
        ".css",
    }
    assert expected <= names
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"gradwire"}
    assert not [name for name in names if name.endswith(HEADERS_AND_SOURCES)]


def test_each_file_stands_in_the_wheel_once(archives: Archives) -> None:
    names = zipfile.ZipFile(archives.wheel).namelist()
    assert len(names) == len(set(names))


def test_a_compiled_wheel_serves_this_python_and_every_later_one(archives: Archives) -> None:
    found = module()
    if found is None:
        assert archives.wheel.name.endswith("-py3-none-any.whl")
        return
    assert f"gradwire/engine/executors/{found.name}" in archives.names
    assert "-cp311-abi3-" in archives.wheel.name
    assert "Root-Is-Purelib: false" in archives.record("WHEEL")


def test_the_commands_are_a_console_program_and_one_with_a_window(archives: Archives) -> None:
    entries = configparser.ConfigParser()
    entries.read_string(archives.record("entry_points.txt"))
    assert {name: dict(entries[name]) for name in entries.sections()} == {
        "console_scripts": {"gradwire": "gradwire.app.__main__:main"},
        "gui_scripts": {"gradwire-window": "gradwire.app.__main__:main"},
    }


def test_the_metadata_has_version_python_and_what_the_program_needs(archives: Archives) -> None:
    metadata = archives.metadata
    assert metadata["Version"] == gradwire.__version__
    assert metadata["Requires-Python"] == ">=3.11"
    needed = [item for item in metadata.get_all("Requires-Dist", []) if "extra" not in item]
    assert {item.split(">")[0].split("!")[0].lower() for item in needed} == {
        "fonttools",
        "latex2mathml",
        "numpy",
        "pyside6-essentials",
        "scipy",
        "shtab",
        "ziamath",
    }


def test_the_source_archive_holds_all_that_a_build_reads_and_no_link(archives: Archives) -> None:
    with tarfile.open(archives.source) as archive:
        members = {item.name.partition("/")[2]: item for item in archive.getmembers()}
    assert not [name for name, item in members.items() if item.issym() or item.islnk()]
    assert not [name for name in members if name.startswith(("gradwire/app/", "gradwire/engine/", "build/", "dist/"))]
    assert not [name for name in members if name.endswith((".so", ".pyd", ".pyc"))]
    sources = [path for path in MODULES.iterdir() if path.suffix in HEADERS_AND_SOURCES]
    assert len(sources) >= 5
    folders = ("app", "assets", "benchmarks", "blocks", "docs", "engine", "examples", "scripts", "tests", "tools")
    files = [path for folder in folders for path in ROOT.glob(f"{folder}/**/*") if path.is_file()]
    alone = ("gradwire/__init__.py", "hatch_build.py", "pyproject.toml", "constraints.txt", "Makefile", "LICENSE")
    kept = [path for path in files if "__pycache__" not in path.parts and path.suffix not in (".so", ".pyd")]
    expected = {path.relative_to(ROOT).as_posix() for path in kept}
    assert (expected | set(alone)) - set(members) == set()


def test_the_source_archive_gives_the_wheel_of_the_checkout(archives: Archives) -> None:
    assert set(zipfile.ZipFile(archives.wheel_of_source).namelist()) == archives.names
    assert archives.wheel_of_source.name == archives.wheel.name
