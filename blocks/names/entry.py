"""Entries of the table of names: a function of tensors with its signatures in the frameworks."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NoReturn

import numpy as np

from gradwire.blocks.names.signature import SYNONYMS, Signature, bound, plain_signature
from gradwire.engine.base.errors import CallError, GradwireError
from gradwire.engine.base.tensor_spec import spec_of
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.library import library

Function = Callable[..., Any]  # Any: tensors of either kind go in, and the same come out


@dataclass(frozen=True, eq=False)
class Meaning:
    """Function of tensors that names stand for: `block` applied with NumPy's promotion, or a composition of blocks.

    `signatures` are those of the frameworks' functions, `of_methods` those of methods. `block` is empty where no single
    block has the meaning; `refusal` is the sentence for a name without one. Called by its own name an entry takes the
    arguments of them all.
    """

    name: str
    function: Function
    block: str = ""
    signatures: tuple[Signature, ...] = ()
    of_methods: tuple[Signature, ...] = ()
    is_method: bool = False
    refusal: str = ""
    _words: dict[str, str] = field(default_factory=dict, repr=False)

    @cached_property
    def own(self) -> inspect.Signature:
        """The signature of the function by our words."""
        return plain_signature(self.function)

    @property
    def summary(self) -> str:
        """One sentence for the help."""
        said = inspect.getdoc(self.function) or (library[self.block].summary if self.block else "")
        return said.split("\n\n")[0].replace("\n", " ")

    def __call__(self, *args: Any, **keywords: Any) -> Any:  # Any: tensors of either kind
        """Returns what the function gives; each argument may have the name that any framework gives it.

        Raises: GradwireError if the arguments have no meaning here.
        """
        name = keywords.pop("name", None)
        renamed: dict[str, object] = {}
        for keyword, value in keywords.items():
            word = self._our_word(keyword)
            if word in renamed:
                raise CallError(f"{self.name}: {keyword} says again what another argument says")
            renamed[word] = value
        found = bound(self.own, *self._starred(args, renamed), self.name)
        return _named(_applied(self.function, found, self.name), name, args)

    def called(self, signature: Signature, args: Sequence[Any], keywords: Mapping[str, Any], written: str) -> Any:
        """Returns what the function gives for a call in a framework's words.

        Raises: GradwireError if the arguments have no meaning here.
        """
        given = dict(keywords)
        name = given.pop("name", None) if "name" not in signature.parameters else None
        given = {_word_in(signature, keyword): value for keyword, value in given.items()}
        found, ours = signature.bind(args, given, written), signature.ours(self.own)
        arguments: dict[str, object] = {}
        for argument, value in found.arguments.items():
            word = ours[argument]
            if word and (word not in arguments or not _is_default(value, signature.parameters[argument])):
                arguments[word] = value
            elif not word and not _is_default(value, signature.parameters[argument]):
                raise CallError(f"{written} takes no {argument} here")
        return _named(_applied(self.function, _with_words(self.own, arguments), written), name, args)

    def _starred(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Returns a call in which what `permute(x, *dims)` takes one by one may be given by name: `dims=(1, 0)`."""
        star = next((name for name, item in self.own.parameters.items() if item.kind is item.VAR_POSITIONAL), None)
        if star is None or star not in keywords:
            return args, keywords
        before = list(self.own.parameters)[: list(self.own.parameters).index(star)]
        if len(args) > len(before):
            raise CallError(f"{self.name} is given {star} twice")
        first = [*args, *(keywords.pop(name) for name in before[len(args) :] if name in keywords)]
        return (*first, keywords.pop(star)), keywords

    def _our_word(self, keyword: str) -> str:
        """Returns our word for an argument by any framework's word, or the word itself."""
        if keyword in self.own.parameters:
            return keyword
        if not self._words:
            for signature in (*self.signatures, *self.of_methods):
                self._words.update({word: ours for word, ours in signature.ours(self.own).items() if ours})
        synonym = SYNONYMS.get(keyword, keyword)
        return self._words.get(keyword, synonym if synonym in self.own.parameters else keyword)


MEANINGS: list[Meaning] = []
"""All entries that the modules of this room declare, filled by their import."""


def named(
    name: str, *signatures: str, block: str = "", methods: Sequence[str] = (), is_method: bool = False
) -> Callable[[Function], Function]:
    """Declares a function for a name of ours and for those of the frameworks, by their signatures as documented.

    `np.sum|jnp.sum(a, axis=None)` stands for two, and a name of ours that begins with an underscore is nobody's.
    `methods` are signatures without the tensor: `torch.view(*shape)`.
    """

    def declare(function: Function) -> Function:
        spoken = tuple(map(Signature, signatures))
        of_methods = tuple(Signature(item.replace("(", "(x, ", 1)) for item in methods)
        MEANINGS.append(Meaning(name, function, block, spoken, of_methods, is_method or bool(methods)))
        return function

    return declare


def refused(name: str, sentence: str) -> None:
    """Declares a name that has two meanings, or none before an evaluation."""
    MEANINGS.append(refusal(name, sentence))


def refusal(name: str, sentence: str) -> Meaning:
    """Returns an entry that raises a sentence wherever it is called."""

    def refuse(*_: object, **__: object) -> NoReturn:
        raise CallError(sentence)

    return Meaning(name, refuse, is_method=True, refusal=sentence)


def _word_in(signature: Signature, keyword: str) -> str:
    """Returns the argument of a signature that a keyword means; the blocks' spellings name tensors in their own way."""
    word = SYNONYMS.get(keyword, "")
    is_tensor = word in ("x", "y") and keyword not in signature.parameters
    return word if is_tensor and word in signature.parameters else keyword


def _is_default(value: object, parameter: inspect.Parameter) -> bool:
    if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
        return not value
    return value is parameter.default or (type(value) is type(parameter.default) and value == parameter.default)


def _with_words(signature: inspect.Signature, arguments: Mapping[str, object]) -> inspect.BoundArguments:
    """Returns a call with arguments by name, those of a star one by one."""
    found = inspect.BoundArguments(signature, {})
    for name, parameter in signature.parameters.items():
        if name in arguments:
            value = arguments[name]
            is_one = parameter.kind is parameter.VAR_POSITIONAL and not isinstance(value, tuple)
            found.arguments[name] = (value,) if is_one else value
    found.apply_defaults()
    return found


def _applied(function: Function, call: inspect.BoundArguments, name: str) -> Any:
    """Returns what a function gives for a call.

    Raises: CallError, with the arguments, where Python or NumPy stumbles over one: what they are decides what they do.
    """
    try:
        return function(*call.args, **call.kwargs)
    except GradwireError:
        raise
    except (TypeError, ValueError, IndexError, AttributeError, ArithmeticError) as error:
        given = ", ".join(f"{word}={_said(value)}" for word, value in call.arguments.items() if value is not None)
        raise CallError(f"{name} takes no such arguments: {given}") from error


def _said(value: object) -> str:
    """Returns an argument as a sentence names it: a tensor by its spec."""
    if isinstance(value, Expression | np.ndarray):
        return str(spec_of(value) if isinstance(value, np.ndarray) else value.spec)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_said, value[:4]))}{', ...' if len(value) > 4 else ''}]"
    return repr(value) if isinstance(value, bool | int | float | str | None) else f"a {type(value).__name__}"


def _named(result: Any, name: str | None, given: Sequence[object]) -> Any:
    """Returns a result whose block has a name; what was given keeps its own."""
    if name is None or not isinstance(result, Expression):
        return result
    if result.application.name is not None or any(item is result for item in given):
        result = library["Identity"](result)
    result.application.name = name
    return result
