"""The commands `gradwire blocks` and `gradwire examples`."""

from __future__ import annotations

import argparse
from pathlib import Path

from gradwire.app.base.examples import copy_examples, example_names, example_path, example_texts
from gradwire.app.base.results_json import Json
from gradwire.app.base.tables import block_help
from gradwire.app.base.terminal import say, say_text
from gradwire.app.cli.graph_files import FINE, print_json
from gradwire.app.cli.progress import progress
from gradwire.engine.base.text_columns import columns
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.type_ports import port_names


def blocks(options: argparse.Namespace) -> int:
    """Lists the block library, or shows one block's help."""
    types = library.for_users() if options.type is None else [library.for_user(options.type)]
    if options.json:
        print_json([_type_json(item) for item in types])
    elif options.type is not None:
        say_text(block_help(types[0]))
    else:
        say_text(
            columns([("type", "category", "summary"), *((item.name, item.category, item.summary) for item in types)])
        )
    return FINE


def _type_json(block_type: BlockType) -> Json:
    parameters = [
        {
            "name": item.name,
            "kind": item.kind.name,
            "default": None if item.is_required else item.default,
            "required": item.is_required,
        }
        for item in block_type.parameters.values()
    ]
    return {
        "type": block_type.name,
        "category": block_type.category,
        "summary": block_type.summary,
        "inputs": port_names(block_type.inputs),
        "outputs": port_names(block_type.outputs),
        "parameters": parameters,
    }


def examples(options: argparse.Namespace) -> int:
    """Lists the gallery, or copies from it."""
    if options.name is None and options.output is None:
        rows = [(name, example_texts(example_path(name))[0]) for name in example_names()]
        say_text(columns([("example", "what it shows"), *rows]))
        return FINE
    names = example_names() if options.name is None else (options.name,)
    with progress("Copying examples", options.quiet):
        copied = copy_examples(names, options.output or Path())
    for path in copied:
        say(str(path))
    return FINE
