"""Texts for copy and paste: a graph, a number or list, a table of numbers, a formula or program. Without Qt."""

from __future__ import annotations

import re

from gradwire.app.base.table_text import looks_nested, natural_shape, pasted_numbers
from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.live import carrying
from gradwire.app.live.selection import Selection
from gradwire.engine.base.errors import EditError, FileError, ParameterError
from gradwire.engine.base.limits import LIMITS
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.edits.edits import Fragment
from gradwire.engine.files.files import dumps, loads
from gradwire.engine.graph.graph import Block, Graph, Page
from gradwire.engine.graph.lookup import free_name
from gradwire.interop.code.from_code import read_code
from gradwire.interop.code.layer_lines import layer_lines
from gradwire.interop.code.refusals import CodeRefusal
from gradwire.interop.code.source_text import is_program
from gradwire.interop.typed.exact_arrays import array_of
from gradwire.interop.typed.tensor_text import read_source, with_point

CLIPBOARD_PAGE = "clipboard"


def copied_text(graph: Graph, page: str, chosen: Selection) -> str:
    """Returns the selection on a page as the text of a `.graph` file, with the pages that its blocks use."""
    fragment = carrying.copied(graph, page, chosen)
    name = free_name(CLIPBOARD_PAGE, [item.name for item in fragment.pages])
    blocks = {block.id: block for block in fragment.blocks}
    wires = {wire.target: wire for wire in fragment.wires}
    copied = Page(name, blocks, wires, frames=fragment.frames, notes=fragment.notes)
    return dumps(Graph((copied, *fragment.pages)))


def pasted_fragment(text: str, is_lenient: bool = False, point: str = ".") -> Fragment:
    """Returns the fragment of a text: a graph's pages, a block with numbers, or the blocks of a formula or program.

    `point` is the user's decimal sign. A lenient reading leaves out what has no block.
    Raises: EditError that says what is wrong with the text.
    """
    plain = text.strip("\ufeff\0 \t\r\n")
    if not plain:
        raise EditError(tr("The clipboard holds no text."))
    if len(text) > LIMITS.file_bytes:
        raise EditError(tr("The clipboard has more text than a file may have; open it as a file."))
    if plain.startswith("{"):
        return _graph(text)
    try:
        return _numbers(text.strip("\ufeff\0\r\n"), point)
    except EditError:
        if not is_program(plain) and not layer_lines(plain):
            raise
    return code_fragment(plain, is_lenient)


def code_fragment(text: str, is_lenient: bool = False) -> Fragment:
    """Returns the blocks of a formula or program, without places.

    Raises: EditError with line and column of what has no block; it says whether the rest has some.
    """
    try:
        graph = read_code(text, is_lenient).graph
    except CodeRefusal as error:
        reason = tr_sentence(error.message)
        place = {"line": error.line, "column": error.column}
        if not is_lenient and _has_rest(text):
            sentence = tr("Line {line}, column {column}: {reason}. Once more takes the rest.", reason=reason, **place)
        else:
            sentence = tr("Line {line}, column {column}: {reason}.", reason=reason, **place)
        raise EditError(sentence) from error
    page, *others = graph.pages
    return Fragment(tuple(page.blocks.values()), tuple(page.wires.values()), page.frames, page.notes, tuple(others))


def _has_rest(text: str) -> bool:
    """Returns whether a text has blocks, if what has none is left out."""
    try:
        return bool(read_code(text, is_lenient=True).graph.pages[0].wires)
    except CodeRefusal:
        return False


def _graph(text: str) -> Fragment:
    try:
        loaded = loads(text)
    except FileError as error:
        reason = tr_sentence(error.message)
        if not error.line:
            raise EditError(tr("The clipboard holds no blocks. {reason}", reason=reason)) from error
        place = {"line": error.line, "column": error.column}
        sentence = tr("The clipboard holds no blocks. Line {line}, column {column}: {reason}", reason=reason, **place)
        raise EditError(sentence) from error
    if loaded.unknown_needs:
        needs = ", ".join(loaded.unknown_needs)
        raise EditError(tr("The blocks on the clipboard need {needs}, which this version does not have.", needs=needs))
    page, *others = loaded.graph.pages or (Page(CLIPBOARD_PAGE),)
    if not page.blocks and not page.notes and not page.frames:
        raise EditError(tr("The clipboard holds a graph whose first page has no blocks."))
    wires = (wire for wire in page.wires.values() if {wire.source.block, wire.target.block} <= page.blocks.keys())
    return Fragment(tuple(page.blocks.values()), tuple(wires), page.frames, page.notes, tuple(others))


def _source(type_name: str, value: Array) -> Fragment:
    value.setflags(write=False)
    return Fragment((Block(type_name, type_name, at=(0, 0), parameters={"value": value}),))


def _numbers(text: str, point: str) -> Fragment:
    """Returns a block with the numbers of a text: a Constant, a Variable if it is printed as one, an Input for a table.

    Raises: EditError that says what is wrong, and where.
    """
    plain = text.strip()
    try:
        if looks_nested(plain) or not re.search(r"[\s;,]", with_point(plain, point)):
            array, trains = read_source(with_point(plain, point))
            return _source("Variable" if trains else "Constant", array)
        return _source("Input", array_of(natural_shape(pasted_numbers(text, point))))
    except ParameterError as error:
        if not re.search(r"\d", plain):
            neither = tr("The clipboard holds neither blocks nor numbers; copy blocks, a number, a list or a table.")
            raise EditError(neither) from error
        raise EditError(ParameterError(f"the text {error}").sentence) from error
