"""The commands `gradwire blocks` and `gradwire examples`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from gradwire.app.base.examples import copy_examples, example_names, example_path, example_texts
from gradwire.app.base.results_json import Json
from gradwire.app.base.tables import block_help
from gradwire.app.base.terminal import say, say_text
from gradwire.app.cli.graph_files import FINE, PROBLEMS, print_json, report_unreadable
from gradwire.app.cli.progress import progress
from gradwire.blocks.layers.catalogue import Layer
from gradwire.engine.base.errors import FileError
from gradwire.engine.base.text_columns import columns
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.parameters import Parameter
from gradwire.engine.blocktypes.type_ports import port_names
from gradwire.engine.files.other_formats import other_format_sentence


def blocks(options: argparse.Namespace) -> int:
    """Lists the block library, shows one block's help, or what words find."""
    words = options.query
    is_type = len(words) == 1 and any(item.name == words[0] for item in library.for_users())
    if sentence := other_format_sentence(" ".join(words)) if words else "":
        return report_unreadable(words[0], FileError(sentence), options.json)
    if words and not is_type:
        return _search(" ".join(words), options.json)
    types = [library.for_user(words[0])] if is_type else library.for_users()
    if options.json:
        print_json([_type_json(item) for item in types])
    elif is_type:
        say_text(block_help(types[0]))
    else:
        rows = [(item.name, item.category, item.summary) for item in types]
        say_text(columns([("type", "category", "summary"), *rows]))
    return FINE


def _search(query: str, as_json: bool) -> int:
    """Prints what the search offers for some words, best first; the exit code is 1 if they find nothing."""
    from gradwire.interop.search.block_search import find_offers, nearest_blocks  # the table of names

    hits = find_offers(query)
    if as_json:
        kinds = [("layer" if isinstance(hit.type, Layer) else "type", hit) for hit in hits]
        print_json([{kind: hit.type.name, "why": hit.why} for kind, hit in kinds])
    elif hits:
        rows = [(hit.type.name, hit.type.category, hit.why) for hit in hits]
        say_text(columns([("found", "category", "why"), *rows]))
    if not hits:
        near = ", ".join(item.name for item in nearest_blocks(query))
        say(f'gradwire: nothing is called "{plain(query)}"; the nearest are {near}', sys.stderr)
    return FINE if hits else PROBLEMS


def _type_json(block_type: BlockType) -> Json:
    return {
        "type": block_type.name,
        "category": block_type.category,
        "summary": block_type.summary,
        "inputs": port_names(block_type.inputs),
        "outputs": port_names(block_type.outputs),
        "parameters": list(map(_parameter_json, block_type.parameters.values())),
    }


def _parameter_json(parameter: Parameter) -> Json:
    default = None if parameter.is_required else parameter.default
    kind, is_required = parameter.kind.name, parameter.is_required
    return {"name": parameter.name, "kind": kind, "default": default, "required": is_required}


def examples(options: argparse.Namespace) -> int:
    """Lists the gallery, or copies from it."""
    if options.name is None and options.output is None:
        rows = [(name, example_texts(example_path(name))[0]) for name in example_names()]
        say_text(columns([("example", "what it shows"), *rows]))
        return FINE
    if sentence := other_format_sentence(options.name or ""):
        return report_unreadable(options.name, FileError(sentence), False)
    names = example_names() if options.name is None else (options.name,)
    with progress("Copying examples", options.quiet):
        copied = copy_examples(names, options.output or Path())
    for path in copied:
        say(str(path))
    return FINE
