"""Regions for a run or an export: what stands in for calls that an export cannot take, and the lines that it notes."""

from __future__ import annotations

import copy
import functools
import logging
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, redirect_stderr
from io import StringIO
from pathlib import Path
from typing import Any, Final

from gradwire.interop.torch.versions import Torch

# Lines of these files are no lines of a model.
_HERE: Final = Path(__file__).parent
# Calls that turn a tensor into a number, on which the program then decides.
DECISIONS: Final = ("__bool__", "__int__", "__index__", "__float__", "item", "tolist", "numpy", "__array__")
# Calls that draw numbers; a graph has those of one run.
DRAWS: Final = ("rand", "randn", "randint", "randperm", "normal", "bernoulli", "multinomial",
                "rand_like", "randn_like", "randint_like")  # fmt: skip
_DROPOUTS: Final = ("dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "feature_alpha_dropout")


def function_mode(torch: Torch, call: Callable[[Any, Any, Any], Any]) -> AbstractContextManager[Any]:
    """Returns a region in which `call(function, arguments, keywords)` stands in for each function of tensors."""

    class Mode(torch.overrides.TorchFunctionMode):  # type: ignore[misc]  # PyTorch may be missing
        def __torch_function__(self, function: Any, types: Any, arguments: Any = (), keywords: Any = None) -> Any:
            return call(function, arguments, keywords or {})

    mode: AbstractContextManager[Any] = Mode()
    return mode


def plain_detaching(
    torch: Torch, decisions: Sequence[tuple[str, Any]] | None = None, is_exact: bool = False
) -> AbstractContextManager[Any]:
    """Returns a region in which `.data` and `.item()` are `.detach()`, which an export knows.

    `decisions` are the numbers that a run of the same program took out of tensors or drew, in order: the program then
    decides as it did there. Floats of `.item()` are numbers again only if it `is_exact`.
    """
    waiting = iter(decisions or ())

    def call(function: Any, arguments: Any, keywords: Any) -> Any:
        name = getattr(function, "__name__", "")
        if decisions is not None and name in DRAWS:
            return _next(waiting, name)
        if decisions is not None and name in DECISIONS:
            value = _next(waiting, name)
            return (
                value if is_exact or name != "item" or not arguments[0].is_floating_point() else arguments[0].detach()
            )
        if function == torch.Tensor.data.__get__ or function is torch.Tensor.item:
            return arguments[0].detach()
        return function(*arguments, **keywords)

    return function_mode(torch, call)


@contextmanager
def applied(torch: Torch, call: Callable[[Any, Any, Any, Any], Any]) -> Iterator[None]:
    """A region in which `call(apply, cls, arguments, keywords)` stands in for `apply` of each `autograd.Function`.

    To PyTorch these calls are no functions of tensors.
    """
    owner = torch.autograd.Function
    original = vars(owner).get("apply")
    if original is None:
        yield
        return

    def apply(cls: Any, *arguments: Any, **keywords: Any) -> Any:
        return call(original.__get__(None, cls), cls, arguments, keywords)

    owner.apply = classmethod(apply)
    try:
        yield
    finally:
        owner.apply = original


@contextmanager
def restored(torch: Torch, module: Any) -> Iterator[None]:
    """A region after which a module and its parts have their attributes of before, and lists and the like their items.

    Parameters, buffers and parts stay as they are.
    """
    standard = vars(torch.nn.Module()).keys() - {"training"}
    # The module of a method is a copy of the owner.
    owners = {*module.modules(), getattr(module.forward, "__self__", module)}
    before = [
        (owner, type(owner), {key: item for key, item in vars(owner).items() if key not in standard})
        for owner in owners
    ]
    held = (item for *_, attributes in before for item in attributes.values())
    copies = [(item, copy.copy(item)) for item in held if type(item) in (list, dict, set)]
    try:
        yield
    finally:
        for owner, kind, attributes in before:
            if type(owner) is not kind:
                # A lazy layer, which knows its sizes from now on.
                continue
            for key in vars(owner).keys() - standard - attributes.keys():
                del vars(owner)[key]
            vars(owner).update(attributes)
        for item, items in copies:
            item.clear()
            (item.extend if isinstance(item, list) else item.update)(items)


@contextmanager
def plain_calls(torch: Torch, module: Any) -> Iterator[None]:
    """A region in which a call of a module sets no attributes, and returns a list of its results, whatever held them.

    PyTorch 2.9 exports no module that sets some, and no version saves named tuples.
    """
    forward = module.forward

    @functools.wraps(forward)
    def call(*arguments: Any, **keywords: Any) -> Any:
        with restored(torch, module):
            return forward(*arguments, **keywords)

    # The last one: those of the model know what it returns.
    hook = module.register_forward_hook(lambda *given: torch.utils._pytree.tree_leaves(given[-1]))
    try:
        with restored(torch, module):
            module.forward = call
            yield
    finally:
        hook.remove()


def without_dropout(torch: Torch) -> AbstractContextManager[Any]:
    """Returns a region in which dropout passes on what it receives."""

    def call(function: Any, arguments: Any, keywords: Any) -> Any:
        name = getattr(function, "__name__", "")
        if name in _DROPOUTS:
            return arguments[0] if arguments else keywords["input"]
        if name == "scaled_dot_product_attention":
            # Its dropout is the fifth argument.
            arguments = (*arguments[:4], *(0.0 for _ in arguments[4:5]), *arguments[5:])
            keywords = {**keywords, "dropout_p": 0.0} if "dropout_p" in keywords else keywords
        return function(*arguments, **keywords)

    return function_mode(torch, call)


def _next(waiting: Iterator[tuple[str, Any]], wanted: str) -> Any:
    name, value = next(waiting, ("", None))
    if name != wanted:
        raise RuntimeError("the model decides otherwise in an export than in a run")
    return value


@contextmanager
def quiet() -> Iterator[None]:
    """Keeps off the screen what an export logs, and what it prints about its failure: the refusal says it."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with redirect_stderr(StringIO()), warnings.catch_warnings(action="ignore"):
            yield
    finally:
        logging.disable(before)


@contextmanager
def unchecked_distributions(torch: Torch) -> Iterator[None]:
    """Lets distributions take their numbers unchecked: an export cannot decide by those of a tensor, and a run did."""
    kind = torch.distributions.Distribution
    before = kind._validate_args
    kind.set_default_validate_args(False)
    try:
        yield
    finally:
        kind.set_default_validate_args(before)


@contextmanager
def whole_stacks(torch: Torch) -> Iterator[None]:
    """Makes an export note all lines from the first `forward` on, not only those in functions of this name."""
    tracer = torch.fx.proxy.TracerBase
    chosen = getattr(tracer, "_filter_traceback_frames", None)
    if chosen is None:
        yield
        return

    def all_frames(self: Any, stack: Any) -> Any:
        is_narrow, self._record_forward_stack_traces_only = self._record_forward_stack_traces_only, False
        found = chosen(self, stack)
        self._record_forward_stack_traces_only = is_narrow
        return type(found).from_list([frame for frame in found if Path(frame.filename).parent != _HERE])

    tracer._filter_traceback_frames = all_frames
    try:
        yield
    finally:
        tracer._filter_traceback_frames = chosen
