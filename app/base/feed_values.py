"""Values from the command line in place of those saved in a file: `--feed main/x=[1,2,3]`."""

from __future__ import annotations

import numpy as np

from gradwire.engine.base.errors import FileError, GradwireError, UsageError
from gradwire.engine.base.tensor_spec import Array, as_array
from gradwire.engine.blocktypes.library import library
from gradwire.engine.files.json_text import parse
from gradwire.engine.files.tensor_json import tensor_from_json
from gradwire.engine.graph.block_parameters import value_of, with_parameters
from gradwire.engine.graph.graph import Graph


def feed(graph: Graph, given: str, option: str = "--feed") -> Graph:
    """Returns the graph with one value replaced; `given` is `page/id=JSON`, the value of that option.

    The JSON is a number, a nested list or a tensor object; it is converted to the dtype of the saved value.
    Raises: UsageError if the block has no value to replace, or the dtype cannot hold what is given.
    """
    name, separator, text = given.partition("=")
    if not separator:
        raise UsageError(f'{option} needs page/id=JSON, such as main/x=[1,2,3], not "{given}".')
    try:
        block = graph.block(name)
        block_type = library.get(block.type)
        if block_type is None or "value" not in block_type.parameters:
            sentence = f"{block.type} has no value to feed; name an Input, Variable or Constant."
            raise UsageError(f"{option} {name}: {sentence}")
        saved = value_of(block)
        array = array_of_text(text)
        fed = converted(array, array.dtype if saved is None else saved.dtype)
        return with_parameters(graph, name, {"value": block_type.parameters["value"].normalize(fed)})
    except UsageError:
        raise
    except GradwireError as error:
        raise UsageError(f"{option} {name}: {error}") from error


def converted(array: Array, dtype: np.dtype[np.generic]) -> Array:
    """Returns the array in another dtype, rounding floating point but losing nothing else.

    Raises: UsageError if a fraction, a sign, NaN or magnitude would be lost.
    """
    if array.dtype == dtype:
        return array
    with np.errstate(all="ignore"):
        found = array.astype(dtype)
    if dtype.kind == "f":
        is_kept = bool((np.isfinite(found) == np.isfinite(array)).all()) and array.dtype.kind != "b"
    else:
        is_kept = bool((found == array).all()) and not (array.dtype.kind == "b" and dtype.kind != "b")
    if not is_kept:
        raise UsageError(f"{array.tolist()} cannot be held by {dtype.name} without loss.")
    return found


def array_of_text(text: str) -> Array:
    """Returns the tensor in JSON: a number, a nested list or a tensor object.

    Raises: UsageError for anything else.
    """
    try:
        value = parse(text)
    except FileError as error:
        raise UsageError(f"{text} is not JSON: {error.message}") from error
    if isinstance(value, dict):
        return tensor_from_json(value)
    array = as_array(value)
    if not np.array_equal(array.astype(object), np.array(value, dtype=object)):
        raise UsageError(f"{text} has numbers that float64 cannot hold exactly; give a tensor object with its dtype.")
    return array
