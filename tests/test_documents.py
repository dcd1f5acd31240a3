"""The documents name rooms, modules and pages that exist, and the picture of the rooms is up to date."""

from __future__ import annotations

import ast
import functools
import re
from pathlib import Path

import pytest

from scripts.draw_rooms import PICTURE, floors_of, picture

ROOT = Path(__file__).parent.parent
PARTS = ("engine", "blocks", "interop", "app")
WITH_ROOMS = ("engine", "interop", "app")
CONTRIBUTING = sorted((ROOT / "docs" / "contributing").glob("*.md"))
# It names files by links, the other pages modules by their paths.
TOUR = ROOT / "docs" / "rooms" / "tour.md"
ROOMS = sorted({*(ROOT / "docs" / "rooms").glob("*.md")} - {TOUR})
PAGES = [ROOT / "docs" / "architecture.md", *ROOMS, *CONTRIBUTING]
assert len(PAGES) > 10, "the pages of the rooms are not where this module looks"
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")]
# Endings of a path that is written out: a file of the repository, not a module.
SUFFIXES = (".py", ".md", ".json", ".toml", ".graph")


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)


def prose(path: Path) -> str:
    """A document without its fenced blocks."""
    return re.sub(r"^```.*?^```", "", path.read_text(), flags=re.DOTALL | re.MULTILINE)


def terms(path: Path) -> list[str]:
    """The texts that a document writes as code."""
    return re.findall(r"`([^`\n]+)`", prose(path))


@functools.cache
def modules() -> frozenset[str]:
    """All modules and folders, by every way to write their path from some folder on: `lower`, `autodiff/lower` ..."""
    files = [path.relative_to(ROOT) for part in PARTS for path in (ROOT / part).rglob("*.py")]
    assert len(files) > 500
    names = {path.with_suffix("").parts for path in files} | {path.parent.parts for path in files}
    return frozenset("/".join(name[start:]) for name in names for start in range(len(name)))


@functools.cache
def words_of_the_code() -> frozenset[str]:
    """All words of the source code and of the project's settings."""
    folders = (*PARTS, "gradwire", "tests", "scripts", "tools")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    assert len(files) > 800
    texts = [path.read_text() for path in [*files, ROOT / "pyproject.toml", ROOT / "Makefile"]]
    return frozenset(re.findall(r"\w+", "\n".join(texts)))


def rows() -> dict[str, tuple[str, str]]:
    """The rooms in the tables of the architecture document: what each holds, and its page."""
    text = (ROOT / "docs" / "architecture.md").read_text()
    found = re.findall(r"^\| `([\w/]+)/` \| (.*) \| \[\w+\]\(([^)]+)\) \|$", text, re.MULTILINE)
    return {room: (holds, page) for room, holds, page in found}


def anchors(path: Path) -> set[str]:
    """The anchors of the headings of a document, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", prose(path), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_room_is_in_the_architecture_document() -> None:
    folders = {f"{part}/{room}" for part in WITH_ROOMS for floor in floors_of(part) for room in floor}
    there = {f"{part}/{path.parent.name}" for part in WITH_ROOMS for path in (ROOT / part).glob("*/__init__.py")}
    assert folders == there
    beside_families = {f"blocks/{path.parent.name}" for path in (ROOT / "blocks").glob("*/__init__.py")}
    assert set(rows()) == there | beside_families | {"blocks"}


def test_the_table_says_of_each_room_what_its_docstring_says() -> None:
    sources = {room: ast.parse((ROOT / room / "__init__.py").read_text()) for room in rows()}
    first_lines = {room: (ast.get_docstring(tree) or "").splitlines()[0] for room, tree in sources.items()}
    assert {room: holds for room, (holds, _) in rows().items()} == first_lines


def test_every_page_of_a_room_is_linked_from_the_architecture_document() -> None:
    linked = set(re.findall(r"\]\((rooms/\w+\.md)", (ROOT / "docs" / "architecture.md").read_text()))
    assert linked - {"rooms/tour.md"} == {f"rooms/{path.name}" for path in ROOMS}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_module_named_on_a_page_exists(page: Path) -> None:
    paths = [term.rstrip("/") for term in terms(page) if re.fullmatch(r"[a-z_]+(/[\w.*]+)+/?", term)]
    named = [term for term in paths if not term.endswith(SUFFIXES)]
    assert len(paths) > 2
    assert [term for term in named if term not in modules() and not (ROOT / term).exists()] == []
    assert [
        term for term in paths if term.endswith(SUFFIXES) and not list(ROOT.glob(term)) and "Grow" not in term
    ] == []


@pytest.mark.parametrize("page", [page for page in PAGES if page.parent.name == "rooms"], ids=name_of)
def test_every_name_on_a_page_occurs_in_the_code(page: Path) -> None:
    names = [term for term in terms(page) if re.fullmatch(r"[A-Za-z_][\w.]*", term)]
    words = {word for name in names for word in re.findall(r"\w+", name)}
    assert words - words_of_the_code() - {"XDG_STATE_HOME", "graph", "json"} == set()


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_every_link_resolves(path: Path) -> None:
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(path)):
        if re.match(r"https?:|mailto:", target):
            continue
        file, _, anchor = target.partition("#")
        there = (path.parent / file).resolve() if file else path
        if not there.exists() or (anchor and anchor not in anchors(there)):
            broken.append(target)
    assert broken == []


def names_in(file: Path) -> set[str]:
    """Names that a module defines, those of its classes behind these: `Trainer.run_round`."""
    found = set[str]()
    for node in ast.parse(file.read_text()).body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {item.id for item in targets if isinstance(item, ast.Name)}
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{item.name}" for item in node.body if isinstance(item, ast.FunctionDef)}
    return found


def test_every_stop_of_the_tour_is_a_name_in_its_file() -> None:
    walks = TOUR.read_text().split("\n## ")[1:]
    assert len(walks) == 3
    for walk in walks:
        stops = re.findall(r"\[`([\w.]+)`\]\((\S+\.py)\)", walk)
        assert [line for line in walk.splitlines() if line[:1].isdigit() and "[`" not in line] == []
        assert len({file for _, file in stops}) >= 10
        assert [(name, file) for name, file in stops if name not in names_in(TOUR.parent / file)] == []


def test_the_picture_of_the_rooms_is_that_of_the_contract() -> None:
    assert PICTURE.read_text(encoding="utf-8") == picture()
