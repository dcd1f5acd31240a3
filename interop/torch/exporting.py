"""Modules, functions and exported programs of PyTorch with their arguments, and the file that PyTorch makes of them."""

from __future__ import annotations

import copy
import inspect
import io
import sysconfig
import traceback
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, MethodType
from typing import Any, Final

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.source_lines import is_of_pytorch, line_of, package_of
from gradwire.interop.torch.tracing import plain_calls, plain_detaching, quiet, unchecked_distributions, whole_stacks
from gradwire.interop.torch.versions import Torch, pytorch, with_version

# What the code of a model and PyTorch raise for what does not fit.
FAULTS: Final = (RuntimeError, ValueError, TypeError, AttributeError, LookupError, AssertionError, ArithmeticError)
# Lines of these files are no lines of a model.
_HERE: Final = Path(__file__).parents[1]
_STANDARD_LIBRARY: Final = Path(sysconfig.get_path("stdlib"))


@dataclass(frozen=True)
class Call:
    """A module and the arguments that it is called with; `program` is given where it was exported before."""

    module: Torch
    arguments: tuple[Any, ...]
    keywords: Mapping[str, Any]
    program: Torch | None = None


def call_of(target: Torch, arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> Call:
    """Returns a call whose arguments are in the order of their names; arrays become tensors.

    Raises: ModelRefusal for what cannot be called so.
    """
    torch = pytorch()
    tree = torch.utils._pytree
    arguments, keywords = tree.tree_map(lambda item: _tensor(torch, item), (arguments, dict(keywords)))
    if isinstance(target, torch.export.ExportedProgram):
        if not arguments and not keywords and target.example_inputs:
            arguments, keywords = target.example_inputs
        return Call(target.module(), arguments, keywords, target)
    target = _of_own_function(torch, _uncompiled(target))
    if not callable(target):
        raise ModelRefusal(f"from_torch takes a module or a function of PyTorch, not a {type(target).__name__}.")
    module = target if isinstance(target, torch.nn.Module) else _as_module(torch, target)
    if any(map(torch.nn.parameter.is_lazy, module.buffers())):
        raise ModelRefusal("A layer of the model is lazy and has no sizes yet; call the model once before.")
    try:
        bound = inspect.signature(module.forward).bind(*arguments, **keywords)
    except TypeError as error:
        raise ModelRefusal(f"The arguments do not fit the model: {error}.") from None
    return Call(module, bound.args, bound.kwargs)


def exported(
    call: Call,
    decisions: Sequence[tuple[str, Any]] | None = None,
    is_exact: bool = False,
    region: AbstractContextManager[None] | None = None,
) -> Torch:
    """Returns the program of a call, as `torch.export.export` gives it; `decisions` are those of a run of it.

    If it `is_exact`, floats that it takes out of tensors are those of that run too, and no longer tensors.
    The `region` lies around the calls of the module.

    Raises: ModelRefusal, with PyTorch's reason and the line, for what it cannot export.
    """
    if call.program is not None:
        return call.program
    torch = pytorch()
    try:
        with (
            quiet(),
            unchecked_distributions(torch) if decisions is None else nullcontext(),
            plain_detaching(torch, decisions, is_exact),
            whole_stacks(torch),
            plain_calls(torch, call.module),
            region or nullcontext(),
        ):
            return torch.export.export(call.module, call.arguments, dict(call.keywords), strict=False)
    except FAULTS as error:
        file, number = _place_of(error)
        reason = f"PyTorch cannot export the model: {_reason(error, package_of(file))}."
        raise ModelRefusal(f"{line_of(file, number)}: {reason}" if file else reason) from error


def _reason(error: BaseException, package: str) -> str:
    """Returns the first line of an error; PyTorch's about a decision has another reader in mind.

    `package` is that of the line where it arose, which nobody else changes: "" for the user's own.
    """
    found = first_line(error)
    if "data-dependent" not in found:
        return found
    advice = (
        f"this line is {package}'s, so give a part of the model that ends before it, such as model.backbone"
        if package
        else "write torch.where, or give a number of Python"
    )
    return f"it decides by the numbers of a tensor, as if does; {advice}"


def _place_of(error: BaseException) -> tuple[str, int]:
    """Returns the file and number of the innermost line of a model's source in an error's trace, "" for none."""
    files = [(frame.filename, frame.lineno or 0) for frame in traceback.extract_tb(error.__traceback__)]
    return next((place for place in reversed(files) if not is_foreign(place[0])), ("", 0))


def is_foreign(file: str) -> bool:
    """Returns whether lines of a file are no lines of a model, but of PyTorch, of Python itself or of this room."""
    parents = Path(file).parents
    is_of_python = _STANDARD_LIBRARY in parents and _STANDARD_LIBRARY / "site-packages" not in parents
    return is_of_pytorch(file) or is_of_python or _HERE in parents


def saved(program: Torch) -> bytes:
    """Returns what `torch.export.save` writes of a program.

    Raises: ModelRefusal, with PyTorch's reason, for what no file holds.
    """
    torch, file = pytorch(), io.BytesIO()
    try:
        with quiet():
            torch.export.save(program, file)
    except (*FAULTS, torch._export.serde.serialize.SerializeError) as error:
        raise ModelRefusal(f"PyTorch cannot save the exported model: {first_line(error)}.") from error
    return file.getvalue()


def inputs_of(program: Torch, call: Call) -> dict[str, Array]:
    """Returns the numbers of each input by its name in the program."""
    torch = pytorch()
    leaves = torch.utils._pytree.tree_leaves((call.arguments, dict(call.keywords)))
    names = program.graph_signature.user_inputs
    pairs = zip(names, leaves, strict=True)
    return {name: array_of(leaf) for name, leaf in pairs if isinstance(leaf, torch.Tensor)}


def array_of(tensor: Torch) -> Array:
    """Returns the numbers of a tensor, wherever it lies; NumPy has no bfloat16."""
    torch = pytorch()
    plain = tensor.detach().cpu()
    array: Array = (plain.float() if plain.dtype is torch.bfloat16 else plain).numpy().copy()
    return array


def first_line(error: BaseException) -> str:
    """Returns the first line of an error without its full stop, and the version of PyTorch that can, if one can."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return with_version(lines[0].rstrip(".:"))


def _tensor(torch: Torch, item: Any) -> Any:
    return torch.as_tensor(item) if type(item).__module__ == "numpy" else item


def _uncompiled(target: Any) -> Any:
    """Returns the module or function that `torch.compile` was given; other targets stay as they are."""
    return getattr(target, "_orig_mod", None) or getattr(target, "_torchdynamo_orig_callable", target)


def _of_own_function(torch: Torch, target: Any) -> Any:
    """Returns a function that calls a given `autograd.Function`, or its `apply`; other targets stay as they are."""
    given: Any = getattr(target, "__self__", None) if getattr(target, "__name__", "") == "apply" else target
    if not inspect.isclass(given) or not issubclass(given, torch.autograd.Function):
        return target
    function: Any = given

    def forward(*arguments: Any) -> Any:
        return function.apply(*arguments)

    found, first = inspect.signature(function.forward), 0 if has_setup(torch, function) else 1
    signature = found.replace(parameters=[*found.parameters.values()][first:])
    forward.__signature__ = signature  # type: ignore[attr-defined]  # functions may have one
    return forward


def has_setup(torch: Torch, function: Any) -> bool:
    """Returns whether the forward half of an `autograd.Function` leaves what it saves to `setup_context`."""
    return bool(function.setup_context != torch.autograd.Function.setup_context)


def _as_module(torch: Torch, function: Callable[..., Any]) -> Torch:
    """Returns a module that calls a function, with the names of its arguments.

    The module of a method keeps its parameters; modules that the function reads from outside belong to it.
    """
    owner = getattr(function, "__self__", None)
    if isinstance(owner, torch.nn.Module):
        # A shallow copy has the parameters of the owner, whose own forward the method may call, but not its hooks.
        module = copy.copy(owner)
        vars(module).update(
            _forward_hooks=OrderedDict(), _forward_pre_hooks=OrderedDict(), _backward_hooks=OrderedDict()
        )
        module.forward = MethodType(_forward(function.__func__), owner)  # type: ignore[attr-defined]  # of a method
        return module
    module = torch.nn.Module()
    module.forward = _forward(function)
    if inspect.isfunction(function):
        outside = inspect.getclosurevars(function)
        for name, item in {**outside.globals, **outside.nonlocals}.items():
            if isinstance(item, torch.nn.Module) and not hasattr(module, name):
                module.add_module(name, item)
    return module


def _forward(function: Callable[..., Any]) -> Callable[..., Any]:
    """Returns the same function called `forward`: PyTorch notes only lines of source that lie in such ones."""
    if isinstance(function, FunctionType):
        code, known = function.__code__.replace(co_name="forward"), function.__globals__
        renamed = FunctionType(code, known, "forward", function.__defaults__, function.__closure__)
        renamed.__kwdefaults__ = function.__kwdefaults__
        return renamed

    def call(*arguments: Any, **keywords: Any) -> Any:
        return function(*arguments, **keywords)

    with suppress(ValueError, TypeError):  # functions in C say nothing of their arguments
        call.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]  # functions may have one
    return call
