"""Writes the reference of the block library: docs/blocks, an index and one page for each category.

The pages come from the declarations of the blocks alone; edit these, then run `make reference`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

import blocks  # noqa: F401  # fills the library
from app.tables import port_names
from engine.block_type import BlockType, InputPort, OutputPort, Role
from engine.library import library
from engine.parameters import Parameter

FOLDER = Path(__file__).parent.parent / "docs" / "blocks"
FRAMEWORKS = {"numpy": "NumPy", "tensorflow": "TensorFlow", "torch": "PyTorch", "jax": "JAX"}
LAST = "Gradient parts"


def pages() -> dict[str, str]:
    """The text of every page by its file name."""
    types = sorted(library, key=lambda item: (item.category == LAST, item.category, item.name))
    families = {category: list(items) for category, items in groupby(types, key=lambda item: item.category)}
    texts = {_file(category): _family(category, items) for category, items in families.items()}
    return {"README.md": _index(families), **texts}


def write(folder: Path = FOLDER) -> None:
    """Writes all pages, and removes those of categories that are gone."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = pages()
    for path in folder.glob("*.md"):
        if path.name not in texts:
            path.unlink()
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


def _file(category: str) -> str:
    return f"{category.lower().replace(' ', '_')}.md"


def _index(families: dict[str, list[BlockType]]) -> str:
    lines = [
        "# Block library",
        "",
        "Every block type, by category. `gradwire blocks TYPE` and F1 in the editor show the same.",
        "",
    ]
    for category, items in families.items():
        links = ", ".join(f"[{item.name}]({_file(category)}#{item.name.lower()})" for item in items)
        lines += [f"**[{category}]({_file(category)})** ({len(items)}): {links}", ""]
    return "\n".join(lines)


def _family(category: str, items: list[BlockType]) -> str:
    lines = [f"# {category}", ""]
    if category == LAST:
        lines += [
            "Steps that only gradients are made of: a rule that would be slow as other blocks has one of its own.",
            "",
        ]
    for item in items:
        lines += [*_entry(item), ""]
    return "\n".join(lines)


def _entry(item: BlockType) -> Iterator[str]:
    yield f"## {item.name}"
    yield ""
    yield _escaped(item.help)
    yield ""
    yield f"$${item.formula}$$"
    yield ""
    yield f"$${item.gradient_formula}$$"
    yield ""
    yield from _facts(item)
    yield from _spellings(item)


def _facts(item: BlockType) -> Iterator[str]:
    yield f"- inputs: {_ports(item.inputs)}"
    yield f"- outputs: {_ports(item.outputs)}"
    for parameter in item.parameters.values():
        yield f"- parameter `{parameter.name}`: {_kind(parameter)}"
    if item.infer is None:
        yield "- the shape of the output depends on the values of the inputs"
    if item.rule is None and item.role is Role.ORDINARY:
        yield "- no gradient passes"
    if item.source:
        yield f"- source: {_escaped(item.source)}"
    yield ""


def _ports(ports: Iterable[InputPort | OutputPort]) -> str:
    texts = []
    for port, name in zip(ports, port_names(ports), strict=True):
        texts.append(f"`{name}` ({port.accepts.name})" if isinstance(port, InputPort) else f"`{name}`")
    return ", ".join(texts) or "none"


def _kind(parameter: Parameter) -> str:
    choices = f" ({', '.join(parameter.kind.choices)})" if parameter.kind.choices else ""
    default = "required" if parameter.is_required else f"by default `{parameter.default}`"
    return f"{parameter.kind.name}{choices}, {default}"


def _spellings(item: BlockType) -> Iterator[str]:
    rows = [(title, item.spelling.shown(key)) for key, title in FRAMEWORKS.items()]
    for title, line in rows:
        if line:
            yield f"- {title}: `{line}`"
        elif title == "NumPy" and item.role is Role.ORDINARY:
            yield "- NumPy: a program gets the block's function beside it"


def _escaped(text: str) -> str:
    """Plain text as Markdown: what stands between backticks stays as it is."""
    parts = text.split("`")
    parts[::2] = [re.sub(r"([*_<>|\[\]])", r"\\\1", part) for part in parts[::2]]
    return "`".join(parts)


if __name__ == "__main__":
    write()
