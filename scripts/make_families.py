"""Writes blocks/support/families.py, by which the library knows where a type is declared: make reference."""

from __future__ import annotations

import ast
import pkgutil
import textwrap
from importlib import import_module
from pathlib import Path
from types import ModuleType

from gradwire import blocks
from gradwire.engine.blocktypes.block_type import BlockType

PAGE = Path(__file__).parent.parent / "blocks" / "support" / "families.py"
HEAD = '''"""The types of blocks by the module that declares them, made by `make reference`; not edited by hand."""

FAMILIES = {
'''
# Columns of a line, and those that names may have on a line of their own. One that still has room is joined with the
# next by the formatter.
LINE, NAMES = 120, 109


def main() -> None:
    """Writes the table anew."""
    PAGE.write_text(page(), encoding="utf-8", newline="\n")


def page() -> str:
    """Returns the text of the table."""
    lines = []
    for module in sorted(item.name for item in pkgutil.iter_modules(blocks.__path__) if not item.ispkg):
        names = " ".join(declared(import_module(f"gradwire.blocks.{module}")))
        line = f'    "{module}": "{names}",'
        if names and len(line) > LINE:
            *others, last = textwrap.wrap(names, NAMES)
            lines += [f'    "{module}": (', *(f'        "{text} "' for text in others), f'        "{last}"', "    ),"]
        elif names:
            lines.append(line)
    return "\n".join([HEAD.rstrip(), *lines, "}"]) + "\n"


def declared(module: ModuleType) -> list[str]:
    """Returns the names of the block types that a module declares itself, in their order."""
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    imported = {
        name.asname or name.name for node in tree.body if isinstance(node, ast.ImportFrom) for name in node.names
    }
    found = vars(module).items()
    own = [item.name for name, item in found if isinstance(item, BlockType) and name not in imported]
    return list(dict.fromkeys(own))


if __name__ == "__main__":
    main()
