"""Entries that the blocks' own spellings say: `np.tanh({x})` makes `np.tanh` a name of Tanh."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from gradwire.blocks.names.entry import Meaning
from gradwire.blocks.names.promotion import apply
from gradwire.blocks.names.signature import Signature
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.parameters import REQUIRED
from gradwire.engine.blocktypes.spelling import NATIVE

_FIELD = re.compile(r"(?:\w+\.|')?\{(\w+)(?:![rs])?\}'?")


@cache
def spelled_meanings() -> tuple[Meaning, ...]:
    """Returns an entry for each block type of which a spelling is one call of a framework's function."""
    found = []
    for block_type in library.for_users():
        signatures = list(_signatures(block_type))
        if signatures and not block_type.from_plugin:
            last = sorted({item.written[0].rpartition(".")[2] for item in signatures}, key=len)
            name = next((item for item in last if _is_called(item, block_type)), last[0])
            found.append(Meaning(name, _function(block_type), block_type.name, tuple(signatures)))
    return tuple(found)


def _is_called(name: str, block_type: BlockType) -> bool:
    return name.replace("_", "").lower() == block_type.name.lower()


def _signatures(block_type: BlockType) -> Iterator[Signature]:
    """Yields the signature of each spelling that is a plain call of ports and parameters."""
    for target in NATIVE:
        template = block_type.spelling.get(target)
        if isinstance(template, str) and (text := _as_signature(template, block_type)):
            yield Signature(text)


def _as_signature(template: str, block_type: BlockType) -> str:
    """Returns a template as the text of a signature, or an empty text if it is no plain call."""
    node = ast.parse(_FIELD.sub(r"\1", template), mode="eval").body
    if not isinstance(node, ast.Call) or "." not in ast.unparse(node.func):
        return ""
    words = [_word(item) for item in node.args] + [_word(item.value) for item in node.keywords]
    names = [_word(item) for item in node.args] + [item.arg or "" for item in node.keywords]
    known = {*(port.name for port in block_type.inputs), *block_type.parameters}
    ports = {port.name for port in block_type.inputs}
    if not all(words) or not set(words) <= known or not ports <= set(words) or len(set(names)) < len(names):
        return ""
    given = [_argument(block_type, name, word) for name, word in zip(names, words, strict=True)]
    given.sort(key=lambda argument: "=" in argument)
    return f"{ast.unparse(node.func)}({', '.join(given)})"


def _word(node: ast.expr) -> str:
    if isinstance(node, ast.List) and len(node.elts) == 1:
        return _word(node.elts[0])
    return node.id if isinstance(node, ast.Name) else ""


def _argument(block_type: BlockType, name: str, word: str) -> str:
    parameter = block_type.parameters.get(word)
    if parameter is None or parameter.default is REQUIRED:
        return f"{name}: {word}"
    return f"{name}: {word}={parameter.default!r}"


def _function(block_type: BlockType) -> Callable[..., Any]:  # Any: as the block gives
    """Returns a block as a function of promoted tensors whose arguments go by position or name."""
    ports, name = block_type.inputs, block_type.name

    def function(*args: Any, **keywords: Any) -> Any:
        given = signature.bind(*args, **keywords).arguments
        inputs = [given.pop(port.name, None) for port in ports]
        if ports and ports[-1].variadic:
            inputs[-1:] = inputs[-1] if isinstance(inputs[-1], list | tuple) else [inputs[-1]]
        return apply(name, *inputs, **given)

    kind, empty = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.empty
    parameters = [inspect.Parameter(port.name, kind, default=None if port.optional else empty) for port in ports]
    parameters += [
        inspect.Parameter(item.name, kind, default=empty if item.is_required else item.default)
        for item in block_type.parameters.values()
    ]
    parameters.sort(key=lambda item: item.default is not empty)
    signature = inspect.Signature(parameters)
    function.__signature__ = signature  # type: ignore[attr-defined]
    function.__doc__ = block_type.summary
    return function
