"""Each package in a built folder has the text of its licence beside it."""

from __future__ import annotations

import importlib.util
from importlib import metadata
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[3]

pytestmark = pytest.mark.skipif(
    not Path("/usr/share/common-licenses/LGPL-3").exists(), reason="the text of Qt's licence is the system's"
)


@pytest.fixture(scope="module")
def licences() -> ModuleType:
    spec = importlib.util.spec_from_file_location("licences", ROOT / "packaging" / "licences.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def texts(licences: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The text of each file by what it is about, of a folder without libraries of the system."""
    folder = tmp_path_factory.mktemp("folder")
    (folder / "_internal").mkdir()
    found: dict[str, list[str]] = licences.gather(folder)
    return {name: [(folder / "LICENSES" / file).read_text() for file in files] for name, files in found.items()}


def test_all_that_the_program_needs_is_bundled_with_a_text(texts: dict[str, list[str]]) -> None:
    needed, seen = ["gradwire"], set[str]()
    while needed:
        name = needed.pop()
        if name.lower() in seen:
            continue
        seen.add(name.lower().replace("_", "-"))
        for line in metadata.requires(name) or []:
            requirement = Requirement(line)
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                needed.append(requirement.name)
    assert len(seen) >= 8
    assert seen - {name.lower().replace("_", "-") for name in texts} == set()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Python", "PYTHON SOFTWARE FOUNDATION LICENSE"),
        ("numpy", "NumPy Developers"),
        ("scipy", "SciPy Developers"),
        ("PySide6_Essentials", "GNU LESSER GENERAL PUBLIC LICENSE"),
        ("PySide6_Essentials", "GNU GENERAL PUBLIC LICENSE"),
        ("shiboken6", "GNU LESSER GENERAL PUBLIC LICENSE"),
        ("ziamath", "Permission is hereby granted"),
        ("ziafont", "Permission is hereby granted"),
        ("fonttools", "Permission is hereby granted"),
        ("latex2mathml", "Permission is hereby granted"),
        ("shtab", "Mozilla Public"),
        ("OFL-Inter", "SIL OPEN FONT LICENSE"),
        ("OFL-JetBrainsMono", "SIL OPEN FONT LICENSE"),
        ("STIXTwoMath-Regular", "STIX Fonts Project"),
        ("STIXTwoMath-Regular", "SIL OPEN FONT LICENSE Version 1.1"),
        ("DejaVuSans", "Bitstream Vera Fonts Copyright"),
        ("gradwire", "The Gradwire"),
    ],
)
def test_the_text_is_that_of_the_licence(texts: dict[str, list[str]], name: str, words: str) -> None:
    assert any(words.lower() in text.lower() for text in texts[name])
