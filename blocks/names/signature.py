"""Signatures of functions as the frameworks document them, and calls bound by them."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gradwire.engine.base.errors import CallError
from gradwire.engine.base.nearest import nearest

# Our word for an argument behind the frameworks' words; a function has those of them that it needs.
SYNONYMS: Mapping[str, str] = {
    **dict.fromkeys(("input", "a", "x1", "array", "arr", "input_tensor", "tensor", "self", "logits", "features"), "x"),
    **dict.fromkeys(
        ("operand", "params", "values", "tensors", "arrays", "xs", "v", "m", "value", "ary", "inputs"), "x"
    ),
    **dict.fromkeys(("other", "x2", "b", "mat2", "vec", "vec2", "exponent", "tensor2", "mat"), "y"),
    **dict.fromkeys(("dim", "dims", "axes"), "axis"),
    **dict.fromkeys(("keepdim", "keep_dims"), "keepdims"),
    **dict.fromkeys(("labels", "y_true"), "target"),
    **dict.fromkeys(("a_min", "clip_value_min", "min", "clip_min", "amin"), "low"),
    **dict.fromkeys(("a_max", "clip_value_max", "max", "clip_max", "amax"), "high"),
}
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class Signature:
    """Arguments of a function as a framework names them; `text` is its documentation: `torch.sum(input, dim=None)`.

    An annotation gives our word for an argument where `SYNONYMS` does not: `alpha: negative_slope=0.01`.
    """

    def __init__(self, text: str) -> None:
        head, _, arguments = text.partition("(")
        self.written = tuple(head.split("|"))
        self._arguments = f"({arguments}"
        self._parsed: tuple[inspect.Signature, dict[str, str]] | None = None

    @property
    def parameters(self) -> Mapping[str, inspect.Parameter]:
        """The arguments by the framework's names."""
        return self._read()[0].parameters

    def ours(self, function: inspect.Signature) -> dict[str, str]:
        """Returns our word for each argument of the framework, an empty text for one that our function lacks."""
        said = self._read()[1]
        return {name: _our_word(name, said.get(name), function) for name in self.parameters}

    def bind(self, args: Sequence[object], keywords: Mapping[str, object], name: str) -> inspect.BoundArguments:
        """Returns a call's arguments by the framework's names, with its defaults.

        Raises: CallError if they do not fit.
        """
        return bound(self._read()[0], args, keywords, name)

    def _read(self) -> tuple[inspect.Signature, dict[str, str]]:
        if self._parsed is None:
            self._parsed = _parsed(self._arguments)
        return self._parsed


def bound(
    signature: inspect.Signature, args: Sequence[object], keywords: Mapping[str, object], name: str
) -> inspect.BoundArguments:
    """Returns a call's arguments with the defaults.

    Raises: CallError if they do not fit the signature.
    """
    known = signature.parameters
    has_any_keyword = any(item.kind is item.VAR_KEYWORD for item in known.values())
    for keyword in keywords:
        if keyword not in known and not has_any_keyword:
            near = ", ".join(nearest(keyword, known) or known)
            raise CallError(f"{name} takes no argument {keyword}; it takes: {near}")
    _check_count(signature, args, keywords, name)
    found = signature.bind(*args, **keywords)
    found.apply_defaults()
    return found


def _check_count(
    signature: inspect.Signature, args: Sequence[object], keywords: Mapping[str, object], name: str
) -> None:
    """Raises: CallError if arguments are too many, missing, or given twice."""
    known = signature.parameters.values()
    by_position = [item for item in known if item.kind in _POSITIONAL]
    takes_any = any(item.kind is item.VAR_POSITIONAL for item in known)
    if len(args) > len(by_position) and not takes_any:
        raise CallError(f"{name} takes at most {len(by_position)} arguments by position, not {len(args)}")
    filled = {item.name for item in by_position[: len(args)]}
    for item in known:
        is_open = item.default is item.empty and item.kind not in (item.VAR_POSITIONAL, item.VAR_KEYWORD)
        if item.name in filled and item.name in keywords:
            raise CallError(f"{name} is given {item.name} twice")
        if is_open and item.name not in filled and item.name not in keywords:
            raise CallError(f"{name} needs its argument {item.name}")


def _parsed(arguments: str) -> tuple[inspect.Signature, dict[str, str]]:
    """Returns the signature of a list of arguments, and the words that its annotations say."""
    node = ast.parse(f"def f{arguments}: ...").body[0]
    assert isinstance(node, ast.FunctionDef)
    every = node.args
    positional = [*every.posonlyargs, *every.args]
    defaults = [None] * (len(positional) - len(every.defaults)) + list(every.defaults)
    parameters = [
        _parameter(item, _POSITIONAL[item not in every.posonlyargs], default)
        for item, default in zip(positional, defaults, strict=True)
    ]
    if every.vararg:
        parameters.append(_parameter(every.vararg, inspect.Parameter.VAR_POSITIONAL, None))
    for item, default in zip(every.kwonlyargs, every.kw_defaults, strict=True):
        parameters.append(_parameter(item, inspect.Parameter.KEYWORD_ONLY, default))
    if every.kwarg:
        parameters.append(_parameter(every.kwarg, inspect.Parameter.VAR_KEYWORD, None))
    words = {
        item.arg: ast.unparse(item.annotation)
        for item in (*positional, *every.kwonlyargs, *filter(None, (every.vararg,)))
        if item.annotation is not None
    }
    return inspect.Signature(parameters), words


def _parameter(item: ast.arg, kind: Any, default: ast.expr | None) -> inspect.Parameter:  # Any: a private enumeration
    value = inspect.Parameter.empty if default is None else ast.literal_eval(default)
    return inspect.Parameter(item.arg, kind, default=value)


def _our_word(name: str, said: str | None, function: inspect.Signature) -> str:
    for word in (said, name, SYNONYMS.get(name, "")):
        if word and word in function.parameters:
            return word
    return ""


def plain_signature(function: Callable[..., object]) -> inspect.Signature:
    """Returns the signature of a function without annotations."""
    found = inspect.signature(function)
    return found.replace(
        parameters=[item.replace(annotation=item.empty) for item in found.parameters.values()],
        return_annotation=found.empty,
    )
