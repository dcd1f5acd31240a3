"""Writes the reference of all blocks, docs/blocks, the table of families and the stub: make reference."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import gradwire.blocks  # noqa: F401  fills the library
from gradwire.blocks.support.examples import help_lines
from gradwire.engine.blocktypes.block_type import BlockType, InputPort, OutputPort, Role
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.type_help import parameter_facts
from scripts import make_families, make_stub

FOLDER = Path(__file__).parent.parent / "docs" / "blocks"
INDEX = "README.md"
STANDS_FOR_OTHERS = {Role.PAGE, Role.PAGE_INPUT, Role.PAGE_OUTPUT, Role.GRADIENTS}
CATEGORIES = {
    "Activations": "What a layer puts behind its sums: kinks, sigmoids and softmax.",
    "Arithmetic": "Adding, multiplying, dividing, remainders, and forms of them that take a zero without harm.",
    "Comparison": "Questions about elements, answers of true and false, and choosing by them.",
    "Control": "What is said about gradients and wires: stop, forbid, differentiate, check, pass on.",
    "Convolution": "Filters that move over sequences, images and volumes, and the patches they see.",
    "Elementwise": "Exponentials, logarithms, powers, roots, rounding and clipping, each element for itself.",
    "Images": "Colours, sizes, crops and contrast of images.",
    "Indexing": "Taking elements by their places, and putting them there.",
    "Linear algebra": "Products, decompositions, inverses, determinants and diagonals of matrices.",
    "Losses": "How far a prediction is from what it should be, as one number or one for each example.",
    "Monitor": "What is shown on the canvas: pictures of tensors, and curves over a training.",
    "Normalization": "Means and variances taken out, and lengths kept within bounds.",
    "Optimizers": "One step of training: from a variable, its state and its gradient to their next values.",
    "Pages": "A page used as a block, and its ports.",
    "Pooling": "The largest or the mean element of windows that move over a tensor.",
    "Random": "Random tensors; the same seed gives the same numbers.",
    "Reduce": "Many elements along an axis become one.",
    "Scan and sort": "Running totals, order, search and counting.",
    "Segments": "Elements of the same segment become one.",
    "Shape": "The same elements in another arrangement: axes, pieces, borders and copies.",
    "Sources": "Where values come from: inputs, variables, constants and ranges.",
    "Special functions": "Gamma, beta, zeta, error and Bessel functions.",
    "State": "The next value of a variable as a new tensor; nothing is overwritten.",
    "Trigonometry": "Sines, hyperbolic sines, their relatives and their inverses.",
}
WITHOUT_LINE = "No line of NumPy says it; a NumPy program calls its function."
DRAWN = "A program contains the numbers that Gradwire has drawn."
GENERATED = "<!-- Made by `make reference` from the declarations in `blocks/`; not edited by hand. -->"


def main() -> None:
    """Writes all pages into docs/blocks, removes those of categories that are gone, and writes families and stub."""
    make_families.main()
    make_stub.main()
    FOLDER.mkdir(exist_ok=True)
    made = pages()
    for path in FOLDER.glob("*.md"):
        if path.name not in made:
            path.unlink()
    for name, text in made.items():
        (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")


def pages() -> dict[str, str]:
    """Returns the text of every page by its file name."""
    groups: dict[str, list[BlockType]] = {}
    for block_type in library.for_users():
        groups.setdefault(block_type.category, []).append(block_type)
    order = sorted(groups)
    made = {file_of(category): category_page(category, groups[category]) for category in order}
    return {INDEX: index_page({category: groups[category] for category in order}), **made}


def file_of(category: str) -> str:
    """Returns the file name of a category."""
    return re.sub(r"\W+", "_", category.lower()) + ".md"


def index_page(groups: dict[str, list[BlockType]]) -> str:
    """Returns the index page, which links to all others."""
    count = sum(map(len, groups.values()))
    parts = [
        GENERATED,
        "# The block library",
        f"{count} types of blocks in {len(groups)} categories. The window shows the same help: select a block, or a "
        "row of the search, and press F1. `gradwire blocks TYPE` prints it.",
        "The lines of code are those of an exported program for one choice of parameters; the name of a port stands "
        "for what is connected there. Where no NumPy line is given, a NumPy program calls the function of the block; "
        "where another framework is not named, NumPy computes the block in an operation of that framework. Pages are "
        r"written out. In the formulas of gradients $\bar x$ is the derivative of the loss with respect to $x$.",
    ]
    for category, types in groups.items():
        links = " · ".join(f"[{item.name}]({file_of(category)}#{item.name.lower()})" for item in types)
        parts += [f"## [{category}]({file_of(category)})", CATEGORIES[category], links]
    return "\n\n".join(parts) + "\n"


def category_page(category: str, types: Sequence[BlockType]) -> str:
    """Returns the page of one category."""
    rows = [(f"[{item.name}](#{item.name.lower()})", prose(item.summary)) for item in types]
    # A category and one of its blocks may share a name; the title must not take the block's anchor.
    parts = [
        GENERATED,
        f"# Blocks: {category}",
        f"{CATEGORIES[category]} [All blocks]({INDEX})",
        table(("block", ""), rows),
    ]
    return "\n\n".join([*parts, *(part for item in types for part in block_parts(item))]) + "\n"


def block_parts(block_type: BlockType) -> list[str]:
    """Returns heading, help, formulas, ports, parameters, code and facts of one type."""
    parts = [f"## {block_type.name}", *map(prose, block_type.help.split("\n\n"))]
    parts += [math(block_type.formula), "Gradient:", math(block_type.gradient_formula)]
    ports = [port_row(port) for port in (*block_type.inputs, *block_type.outputs)]
    if ports:
        parts.append(table(("port", "direction", "takes"), ports))
    parameters = [
        (code(item.name), prose(kind), prose(default.removeprefix("default ")))
        for item in block_type.parameters.values()
        for kind, default in [parameter_facts(item)]
    ]
    if parameters:
        parts.append(table(("parameter", "kind", "default"), parameters))
    return [*parts, *code_parts(block_type), "\n".join(f"- {fact}" for fact in facts(block_type))]


def port_row(port: InputPort | OutputPort) -> tuple[str, str, str]:
    """Returns the name, the direction and the accepted types of a port."""
    name = code(f"{port.name}_0") + " …" if port.variadic else code(port.name)
    if isinstance(port, OutputPort):
        return name, "output", ""
    number = ", as many as are connected" if port.variadic else ", optional" if port.optional else ""
    return name, "input", port.accepts.name + number


def code_parts(block_type: BlockType) -> list[str]:
    """Returns the lines of the block in code, and a sentence where a NumPy program needs its function."""
    lines = help_lines(block_type)
    shown = "\n".join(f"# {line.title}\n{line.text}" for line in lines)
    parts = [f"```python\n{shown}\n```"] if shown else []
    if not any(line.target.has_functions for line in lines) and block_type.role not in STANDS_FOR_OTHERS:
        parts.append(DRAWN if block_type.draw is not None else WITHOUT_LINE)
    return parts


def facts(block_type: BlockType) -> list[str]:
    """Returns further facts about a type, one sentence each."""
    found = [differentiation(block_type)]
    if block_type.infer is None:
        found.append("The shape of what it gives depends on values, and is known once it has been computed.")
    elif block_type.outputs:
        found.append("The shape of what it gives follows from shapes and parameters alone.")
    sharing = [port for port in block_type.inputs if port.accepts.shared]
    if len(sharing) > 1 or any(port.variadic for port in sharing):
        found.append(f"One dtype for all of {', '.join(port_row(port)[0] for port in sharing)}.")
    if block_type.source:
        found.append(f"Source: {prose(block_type.source)}.")
    return found


def differentiation(block_type: BlockType) -> str:
    """Returns how often a type can be differentiated."""
    if block_type.role in STANDS_FOR_OTHERS:
        return "It can be differentiated as often as what it stands for."
    if block_type.differentiable == "twice":
        return "It has a gradient rule, and can be differentiated at least twice."
    if block_type.differentiable == "once":
        return "It has a gradient rule, and can be differentiated once."
    if block_type.role is Role.PREVENT:
        return "An incoming gradient is an error."
    if not block_type.inputs:
        return "It has no inputs; the gradient of its output ends there."
    by_definition = ", although its output changes with its inputs" if block_type.differentiable == "cut" else ""
    return f"It has no gradient rule: nothing flows back through it{by_definition}."


def math(formula: str) -> str:
    """Returns a formula on lines of its own."""
    # Within $$, Markdown removes the backslashes of \, and \{ before the formula is parsed; a fence prevents that.
    # GitHub has refused \operatorname at times.
    return "```math\n" + formula.replace(r"\operatorname", r"\mathrm") + "\n```"


def prose(text: str) -> str:
    """Returns a paragraph of a docstring on one line, with Markdown's marks escaped outside of code."""
    pieces = re.split(r"(`[^`]*`)", " ".join(text.split()))
    pieces[::2] = [re.sub(r"([\\*_\[\]<>|#~$])", r"\\\1", piece) for piece in pieces[::2]]
    return "".join(pieces)


def code(text: str) -> str:
    """Returns a name as code."""
    return f"`{text}`"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Returns a table; an unescaped bar inside code would end a cell in Markdown."""
    lines = [head, ["---"] * len(head), *([re.sub(r"(?<!\\)\|", r"\\|", cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    main()
