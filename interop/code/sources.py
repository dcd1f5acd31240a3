"""Tensors that a program makes from numbers: typed, filled, or drawn with a seed."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from gradwire.blocks.names.table import ours
from gradwire.engine.base.errors import GradwireError, ParameterError
from gradwire.engine.base.tensor_spec import DTYPES, Array
from gradwire.engine.blocktypes.expression import Expression
from gradwire.interop.code.machine import Machine
from gradwire.interop.code.modules import root_of
from gradwire.interop.code.refusals import refusal
from gradwire.interop.code.values import Data, Draws, GradientOf, Ignored, Kind, Value
from gradwire.interop.typed.array_makers import MAKERS, RANDOM, checked_size, shape_given
from gradwire.interop.typed.exact_arrays import array_of
from gradwire.interop.typed.printed_words import dtype_called

_MADE_OF: Final[Mapping[str, Kind]] = {
    **dict.fromkeys(("array", "asarray", "asanyarray", "ascontiguousarray", "as_tensor", "from_numpy"), "Input"),
    **dict.fromkeys(("tensor", "Tensor", "FloatTensor", "DoubleTensor", "LongTensor", "IntTensor"), "Input"),
    **dict.fromkeys(("constant", "convert_to_tensor", "cast_to_tensor"), "Constant"),
    **dict.fromkeys(("Variable", "Parameter", "variable"), "Variable"),
}
_OURS: Final[Mapping[str, Kind]] = {"Input": "Input", "Constant": "Constant", "Variable": "Variable"}
_INTEGERS: Final = {"LongTensor", "IntTensor"}
_FILLED: Final = {
    "zeros",
    "ones",
    "full",
    "fill",
    "eye",
    "identity",
    "arange",
    "range",
    "linspace",
    "logspace",
    "empty",
}
_LIKE: Final = {"randn_like": "randn", "rand_like": "rand"}
_HAS_KEY: Final = "jax.random."
# Arguments that say where or how a tensor is kept, which changes no number.
_WITHOUT_EFFECT: Final = (
    "device",
    "name",
    "layout",
    "pin_memory",
    "copy",
    "order",
    "like",
    "generator",
    "out",
    "shape_",
)


class Sources:
    """Maker of the tensors that a program begins with."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._draws: Draws | None = None

    def start(self, node: ast.AST, seed: Value) -> None:
        """Begins the drawn numbers anew; those of NumPy are the ones that NumPy draws.

        Raises: CodeRefusal if the seed is no whole number.
        """
        if not isinstance(seed, int):
            raise refusal(node, "a seed is a whole number")
        self._draws = Draws(seed, np.random.RandomState(seed % 2**32))

    def made(self, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
        """Returns the tensor that a function of a framework makes; None if it is no such function."""
        home, _, last = name.rpartition(".")
        if not (root_of(home) or home == "gw"):
            return None
        if last in _LIKE and args:
            shape = list(self._machine.expression(node, args[0]).shape)
            return self._random(node, f"{home}.{_LIKE[last]}", [shape], {})
        if home.endswith("random") or (home == "torch" and last in ("randn", "rand", "randint", "normal")):
            return self._random(node, name, args, keywords)
        if home == "gw" and last in _OURS:
            return self._typed(node, last, _OURS[last], args, keywords)
        if last in _MADE_OF and not home.endswith(("Tensor", "ops.random")):
            return self._typed(node, last, _MADE_OF[last], args, keywords)
        if last in _FILLED and not any(isinstance(item, Expression) for item in args):
            return self._filled(node, "zeros" if last == "empty" else last, args, keywords)
        if last in ("randn", "rand", "normal", "uniform") and home == "gw":
            return self._random(node, name, args, keywords)
        return None

    # Typed

    def _typed(self, node: ast.AST, last: str, kind: Kind, args: list[Value], keywords: dict[str, Value]) -> Value:
        keywords = dict(keywords)
        value = (
            args[0]
            if args
            else next(
                (keywords.pop(key) for key in ("value", "initial_value", "data", "object") if key in keywords), None
            )
        )
        dtype = self._dtype_of(node, args[1:], keywords)
        if last in _INTEGERS and dtype is None:
            dtype = np.dtype(np.int64)
        trains = (
            keywords.get("requires_grad", kind == "Variable") is True and keywords.get("trainable", True) is not False
        )
        kind = "Variable" if trains else ("Input" if kind == "Variable" else kind)
        found = self.data(node, value, dtype, kind)
        shape = keywords.get("shape")
        if isinstance(found, Data) and isinstance(shape, list | tuple):
            return Data(
                self._guarded(
                    node,
                    lambda: (
                        np.broadcast_to(found.array, checked_size(shape))
                        if found.array.size == 1
                        else found.array.reshape(checked_size(shape))
                    ),
                ),
                kind,
                found.choice,
            )
        return found

    def data(self, node: ast.AST, value: Value, dtype: np.dtype[Any] | None, kind: Kind = "Input") -> Value:
        """Returns numbers as data that a name will make a block of; a tensor is returned itself, or cast.

        Raises: CodeRefusal if a list is no tensor.
        """
        if isinstance(value, GradientOf):
            return value
        if isinstance(value, Expression):
            return value if dtype is None or value.dtype == dtype else self._cast(node, value, dtype)
        if isinstance(value, Data):
            array = value.array if dtype is None else self._guarded(node, lambda: array_of(value.array, dtype))
            return Data(array, kind, value.choice if dtype is None else None)
        if isinstance(value, list | tuple) and any(isinstance(item, Expression) for item in _flat(value)):
            return self._stacked(node, value)
        if isinstance(value, range):
            value = list(value)
        if not isinstance(value, bool | int | float | list | tuple):
            raise refusal(node, "a tensor is made of numbers in lists")
        value = _without_data(value)
        array = self._guarded(node, lambda: _natural(value) if dtype is None else array_of(value, dtype))
        if dtype is None and array.dtype.kind in "iu":
            return self._whole(node, array, kind)
        return Data(array, kind)

    def _whole(self, node: ast.AST, array: Array, kind: Kind) -> Data:
        """Returns whole numbers without a dtype: as floats, whose gradient is asked for, unless they must be whole."""
        key = ("whole", getattr(node, "lineno", 0), getattr(node, "col_offset", 0))
        is_whole = kind != "Variable" and self._machine.choices.among(key, 2) == 1
        return Data(array if is_whole else array.astype(np.float64), kind, key)

    def _stacked(self, node: ast.AST, value: Value) -> Value:
        if isinstance(value, Expression | Data | int | float):
            return value
        parts = [self._stacked(node, item) for item in value]
        return self._machine.applied(node, ours("stack"), [self._machine.expression(node, item) for item in parts])

    def _cast(self, node: ast.AST, value: Expression, dtype: np.dtype[Any]) -> Value:
        return self._machine.applied(node, ours("cast"), value, dtype)

    # Filled and drawn

    def _filled(self, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
        keywords = dict(keywords)
        is_shape_first = name in ("zeros", "ones", "full", "fill", "eye", "identity")
        after = 2 if name in ("full", "fill") else 1
        places = args[after : after + 1] if is_shape_first and self._machine.framework != "torch" else []
        dtype = self._dtype_of(node, places if places and self._is_dtype(places[0]) else [], keywords)
        if places and self._is_dtype(places[0]):
            args = args[:after]
        trains = keywords.pop("requires_grad", False) is True
        for word in _WITHOUT_EFFECT:
            keywords.pop(word, None)
        given = [_without_data(item) for item in args]
        plain = {key: _without_data(item) for key, item in keywords.items()}
        array = self._guarded(node, lambda: MAKERS[name](*given, **plain))
        array = array if dtype is None else self._guarded(node, lambda: array_of(array, dtype))
        kind: Kind = "Variable" if trains else "Constant" if self._machine.framework == "tensorflow" else "Input"
        if dtype is None and array.dtype.kind in "iu":
            return self._whole(node, array, kind)
        return Data(array, kind)

    def _random(self, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
        last = name.rpartition(".")[2]
        keywords = dict(keywords)
        draws = self._draws
        if args and isinstance(args[0], Draws):
            draws, args = args[0], args[1:]
        key = keywords.pop("key", None)
        draws = key if isinstance(key, Draws) else draws
        return self.drawn(node, last, args, keywords, draws, name)

    def drawn(
        self,
        node: ast.AST,
        name: str,
        args: list[Value],
        keywords: dict[str, Value],
        draws: Draws | None,
        whole: str = "",
    ) -> Value:
        """Returns drawn numbers; they are the same in each reading, and those of NumPy where it draws them.

        Raises: CodeRefusal for distributions that are not known.
        """
        if draws is None:
            self._draws = draws = Draws(0, np.random.default_rng(0))
        keywords = dict(keywords)
        trains = keywords.pop("requires_grad", False) is True
        dtype = self._dtype_of(node, [], keywords)
        for word in (*_WITHOUT_EFFECT, "seed"):
            keywords.pop(word, None)
        name = {"normal": "standard_normal", "uniform": "random"}.get(name, name) if _is_by_shape(whole) else name
        if whole.startswith("tf.random."):
            name, args, keywords = _of_tensorflow(name, args, keywords)
        if name not in RANDOM:
            raise refusal(node, f"{whole or name} is not known here; randn, rand, normal, uniform and randint are")
        generator = draws.generator
        given = [_without_data(item) for item in args]
        plain = {key: _without_data(item) for key, item in keywords.items()}
        array = self._guarded(node, lambda: _from(generator, name, given, plain))
        self._machine.notices.append(f"line {getattr(node, 'lineno', 1)} draws numbers, here with seed {draws.seed}")
        array = array if dtype is None else array.astype(dtype)
        return Data(np.asarray(array), "Variable" if trains else "Input")

    # Dtypes

    def dtype(self, node: ast.AST, value: Value) -> np.dtype[Any]:
        """Returns the dtype that a value names.

        Raises: CodeRefusal if it names none, or one that is not supported.
        """
        if isinstance(value, np.dtype):
            return value
        if isinstance(value, type):
            return np.dtype({float: np.float64, int: np.int64, bool: np.bool_}[value])
        if isinstance(value, Expression):
            return value.dtype
        found = dtype_called(value) if isinstance(value, str) else None
        name = getattr(value, "name", "")
        if found is None and name in ("float", "int", "bool"):
            found = np.dtype({"float": np.float64, "int": np.int64, "bool": np.bool_}[name])
        if found is None:
            raise refusal(node, f"{name or value} is no dtype here; use one of {', '.join(DTYPES)}")
        return found

    def _dtype_of(self, node: ast.AST, places: list[Value], keywords: dict[str, Value]) -> np.dtype[Any] | None:
        value = keywords.pop("dtype", places[0] if places else None)
        return None if value is None or isinstance(value, Ignored) else self.dtype(node, value)

    def _is_dtype(self, value: Value) -> bool:
        return isinstance(value, np.dtype | str) or getattr(value, "name", "") in ("float", "int", "bool")

    def _guarded(self, node: ast.AST, make: Callable[[], Array]) -> Array:
        try:
            return self._machine.counted(node, make())
        except GradwireError as error:
            raise refusal(node, str(error)) from error
        except (TypeError, ValueError, OverflowError) as error:
            raise refusal(node, "the arguments do not fit") from error


def _natural(value: Value) -> Array:
    """Returns numbers in the dtype that NumPy gives them."""
    array = np.asarray(value)
    if array.dtype.kind not in "fiub":
        raise ParameterError("holds something that is no number of a dtype here")
    return array


def _flat(value: Value) -> list[Value]:
    return [part for item in value for part in _flat(item)] if isinstance(value, list | tuple) else [value]


def _without_data(value: Value) -> Value:
    if isinstance(value, list | tuple):
        return [_without_data(item) for item in value]
    return value.array if isinstance(value, Data) else value


def _is_by_shape(whole: str) -> bool:
    """Returns whether a framework draws by a shape alone: `jax.random.normal(key, (3,))`."""
    return whole.startswith(_HAS_KEY)


def _of_tensorflow(
    name: str, args: list[Value], keywords: dict[str, Value]
) -> tuple[str, list[Value], dict[str, Value]]:
    """Returns a call of TensorFlow, whose shape comes first, in NumPy's order."""
    shape = args[0] if args else keywords.pop("shape", ())
    first, second = [*args[1:], None, None][:2]
    words = ("mean", "stddev") if "normal" in name else ("minval", "maxval")
    low = first if first is not None else keywords.pop(words[0], 0)
    high = second if second is not None else keywords.pop(words[1], 1)
    return ("normal" if "normal" in name else "uniform"), [low, high, shape], {}


def _from(generator: Any, name: str, given: list[Value], keywords: dict[str, Value]) -> Array:
    """Draws by one of NumPy's generators, the old one by its own functions."""
    if isinstance(generator, np.random.RandomState):
        shape = (
            shape_given(given, keywords.pop("size", None))
            if name in ("randn", "rand", "standard_normal", "random")
            else None
        )
        if name in ("randn", "standard_normal"):
            return np.asarray(generator.standard_normal(shape))
        if name in ("rand", "random"):
            return np.asarray(generator.random_sample(shape))
        checked_size(np.atleast_1d(keywords.get("size", given[2] if len(given) > 2 else 1) or 1).tolist())
        return np.asarray(getattr(generator, "randint" if name == "integers" else name)(*given, **keywords))
    return np.asarray(RANDOM[name](generator, *given, **keywords))
