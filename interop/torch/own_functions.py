"""Rules of `autograd.Function`: an export has their forward halves alone, so a call stands in, and both are traced.

An operation `gradwire::own_rule` stands where the function was called; it keeps its values and gradients, so that an
exported program can still run.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final
from weakref import WeakValueDictionary

from gradwire.engine.base.errors import GradwireError
from gradwire.interop.models.own_pages import OwnPage
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.torch.exporting import FAULTS, Call, first_line
from gradwire.interop.torch.halves import Called, bound, own_page
from gradwire.interop.torch.tracing import applied, restored
from gradwire.interop.torch.versions import Torch, pytorch

OWN_RULE: Final = "gradwire::own_rule"
# What stands in for a call in an export finds the call by its number.
_known: Final[WeakValueDictionary[int, Called]] = WeakValueDictionary()
_numbers: Final = itertools.count()


@dataclass
class Rules:
    """The calls of functions with rules of their own in one run, in order: the number of each, or why it has no page.

    `pages` has their pages by number.
    """

    calls: list[tuple[Called, int | None]] = field(default_factory=list)
    pages: dict[int, OwnPage] = field(default_factory=dict)
    refusals: list[str] = field(default_factory=list)


def rules_of(call: Call) -> Rules:
    """Returns the rules of the functions that a module calls; to know them it runs once, without gradients.

    Raises: ModelRefusal, with PyTorch's reason, if the model does not run.
    """
    found = Rules()
    if call.program is not None or not _has_own_functions(pytorch()):
        return found
    made: dict[Any, int] = {}
    taken = {"main"}
    for called in _calls(call):
        try:
            number = made.get(called.key) if called.key is not None else None
            if number is None:
                number = next(_numbers)
                found.pages[number] = own_page(called, taken)
                _known[number] = called
                made[number if called.key is None else called.key] = number
            found.calls.append((called, number))
        except GradwireError as error:
            found.refusals.append(str(error).strip().rstrip("."))
            found.calls.append((called, None))
    return found


@contextmanager
def standing_in(rules: Rules) -> Iterator[None]:
    """Makes calls of functions with rules of their own one operation each, as long as they have a page."""
    if not rules.calls:
        yield
        return
    torch = pytorch()
    operation, waiting = _operation(torch), iter(rules.calls)

    def call(original: Any, cls: Any, arguments: Any, keywords: Any) -> Any:
        if is_of_torch(cls):
            return original(*arguments, **keywords)
        called, number = next(waiting, (None, None))
        if called is None or called.cls is not cls:
            raise RuntimeError("the model calls other functions in an export than in a run")
        if number is None:
            return original(*arguments, **keywords)
        given = bound(cls, arguments, keywords)
        results = operation([item for item in given if isinstance(item, torch.Tensor)], number)
        return tuple(results) if called.has_several else results[0]

    with applied(torch, call):
        yield


def is_of_torch(cls: type) -> bool:
    """Returns whether a function is a part of PyTorch, as that of its checkpoints: its rule is its true gradient."""
    return cls.__module__.partition(".")[0] == "torch"


def _has_own_functions(torch: Torch) -> bool:
    waiting = [torch.autograd.Function]
    while waiting:
        inner = waiting.pop().__subclasses__()
        if not all(map(is_of_torch, inner)):
            return True
        waiting += inner
    return False


def _calls(call: Call) -> list[Called]:
    """Returns the calls of functions in one run of a module, those in other functions not."""
    torch, found, depth = pytorch(), list[Called](), [0]

    def note(original: Any, cls: Any, arguments: Any, keywords: Any) -> Any:
        if is_of_torch(cls):
            return original(*arguments, **keywords)
        depth[0] += 1
        try:
            result = original(*arguments, **keywords)
        finally:
            depth[0] -= 1
        if not depth[0]:
            found.append(Called.of(cls, bound(cls, arguments, keywords), result))
        return result

    state = {name: item.clone() for name, item in call.module.named_buffers(remove_duplicate=False)}
    copies = torch.utils._pytree.tree_map(
        lambda item: item.clone() if isinstance(item, torch.Tensor) else item, (call.arguments, dict(call.keywords))
    )
    with torch.random.fork_rng(devices=[]), torch.no_grad(), restored(torch, call.module), applied(torch, note):
        try:
            torch.func.functional_call(call.module, state, *copies)
        except FAULTS as error:
            raise ModelRefusal(f"The model does not run in PyTorch: {first_line(error)}.") from error
    return found


@cache
def _operation(torch: Torch) -> Any:
    """Returns the operation that stands in for calls, declared once in a process."""

    def values(xs: Any, number: int) -> Any:
        called = _known[number]
        with torch.no_grad():
            found = called.cls.apply(*called.with_tensors(xs))
        return [item.clone() for item in (found if called.has_several else [found])]

    def shapes(xs: Any, number: int) -> Any:
        return [xs[0].new_empty(item.shape, dtype=item.dtype) for item in _known[number].results]

    def remember(ctx: Any, inputs: Any, output: Any) -> None:
        xs, ctx.number = inputs
        ctx.save_for_backward(*xs)

    def gradients(ctx: Any, arriving: Any) -> Any:
        called = _known[ctx.number]
        starts = [item.detach().requires_grad_(item.is_floating_point()) for item in ctx.saved_tensors]
        with torch.enable_grad():
            found = called.cls.apply(*called.with_tensors(starts))
        pairs = [*zip(found if called.has_several else [found], arriving, strict=True)]
        ends, weights = zip(*((end, item) for end, item in pairs if end.requires_grad), strict=True)
        wanted = [item for item in starts if item.requires_grad]
        known = iter(torch.autograd.grad(ends, wanted, weights, allow_unused=True))
        return [next(known) if item.requires_grad else None for item in starts], None

    names = torch.library
    found = names.custom_op(OWN_RULE, values, mutates_args=(), schema="(Tensor[] xs, int number) -> Tensor[]")
    found.register_fake(shapes)
    found.register_autograd(gradients, setup_context=remember)
    return found
