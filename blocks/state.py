"""TensorFlow's operations on variables, as pure functions: the old value goes in, the new one comes out."""

from __future__ import annotations

import numpy as np

from gradwire.blocks.gather_nd import check_updates, combined
from gradwire.blocks.scatter import placed
from gradwire.blocks.support.spelled_for import spelled_for
from gradwire.engine.base.errors import ShapeError, ValueProblem
from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.block_type import ANY, INDEX, NUMBER, Declaration, Dtypes, block
from gradwire.engine.blocktypes.spelling import Spelling

NO_GRADIENT = r"\text{none: TensorFlow does not differentiate updates of variables}"


def _assigned(ref: TensorSpec, value: TensorSpec) -> TensorSpec:
    if ref.shape != value.shape:
        raise ShapeError(f"ref {list(ref.shape)} and value {list(value.shape)} must have the same shape")
    return ref


def assignment(formula: str, name: str, result: str, accepts: Dtypes = NUMBER) -> Declaration:
    """Returns the declaration that the three assignments share; `result` is the new value in NumPy."""
    return block(
        "State",
        differentiable="cut",
        infer=_assigned,
        outputs=("ref",),
        accepts=accepts,
        formula=formula,
        gradient_formula=NO_GRADIENT,
        source=f"tf.Variable.{name}",
        spelling=Spelling(
            result,
            f"tf.Variable({{ref}}).{name}({{value}})",
            f"({result}).detach()",
            f"jax.lax.stop_gradient({result})",
        ),
    )


@assignment(r"r' = v", "assign", "{value}", ANY)
def Assign(ref: Array, value: Array) -> Array:
    """The value that a variable has after it was set: `value`, of the same shape. No gradient passes."""
    return value


@assignment(r"r' = r + v", "assign_add", "{ref} + {value}")
def AssignAdd(ref: Array, value: Array) -> Array:
    """The value that a variable has after `value`, of the same shape, was added to it. No gradient passes."""
    return ref + value


@assignment(r"r' = r - v", "assign_sub", "{ref} - {value}")
def AssignSub(ref: Array, value: Array) -> Array:
    """The value that a variable has after `value`, of the same shape, was subtracted. No gradient passes."""
    return ref - value


def _updated(ref: TensorSpec, indices: TensorSpec, updates: TensorSpec) -> TensorSpec:
    one_each = TensorSpec((*indices.shape, 1), indices.dtype)
    # As in TensorFlow, a scalar stands for the same update everywhere.
    if updates.ndim or not ref.ndim:
        check_updates(ref.shape, one_each, updates)
    return ref


def _are_rows(ref: TensorSpec, indices: TensorSpec, updates: TensorSpec) -> bool:
    return updates.ndim > 0


def row_update(formula: str, name: str, jax: str, torch: str = "", accepts: Dtypes = NUMBER) -> Declaration:
    """Returns the declaration that the updates of single rows share."""
    return block(
        "State",
        differentiable="cut",
        infer=_updated,
        outputs=("ref",),
        accepts={"ref": accepts, "indices": INDEX, "updates": accepts},
        formula=formula,
        gradient_formula=NO_GRADIENT,
        source=f"tf.Variable.scatter_{name}",
        spelling=Spelling(
            "",
            spelled_for(f"tf.Variable({{ref}}).scatter_{name}(tf.IndexedSlices({{updates}}, {{indices}}))", _are_rows),
            torch and spelled_for(f"{{ref}}.index_put(({{indices}}.long(),), {torch}).detach()", _are_rows),
            f"jax.lax.stop_gradient({{ref}}.at[{{indices}}].{jax})",
        ),
    )


@row_update(r"r'_k = r_k + \textstyle\sum_{i : k_i = k} u_i", "add", "add({updates})", "{updates}, accumulate=True")
def ScatterAdd(ref: Array, indices: Array, updates: Array) -> Array:
    """The value that a variable has after updates were added to the rows that the indices name.

    Updates of the same row add up; a scalar is added to each of the rows. An index out of range is an error. No
    gradient passes.
    """
    return combined(np.add, ref, indices[..., None], updates)


@row_update(r"r'_k = r_k - \textstyle\sum_{i : k_i = k} u_i", "sub", "add(-{updates})", "-{updates}, accumulate=True")
def ScatterSub(ref: Array, indices: Array, updates: Array) -> Array:
    """The value that a variable has after updates were subtracted from the rows that the indices name.

    Updates of the same row add up; a scalar is subtracted from each of the rows. An index out of range is an error. No
    gradient passes.
    """
    return combined(np.subtract, ref, indices[..., None], updates)


@row_update(r"r'_k = r_k \textstyle\prod_{i : k_i = k} u_i", "mul", "multiply({updates})")
def ScatterMul(ref: Array, indices: Array, updates: Array) -> Array:
    """The value that a variable has after the rows that the indices name were multiplied by updates.

    A row is multiplied by each of its updates; a scalar multiplies all of the rows. An index out of range is an error.
    No gradient passes.
    """
    return combined(np.multiply, ref, indices[..., None], updates)


@row_update(r"r'_k = r_k / \textstyle\prod_{i : k_i = k} u_i", "div", "divide({updates})")
def ScatterDiv(ref: Array, indices: Array, updates: Array) -> Array:
    """The value that a variable has after the rows that the indices name were divided by updates.

    A row is divided by each of its updates in turn; a scalar divides all of the rows. Integers lose their fraction.
    An update of 0 and an index out of range are errors. No gradient passes.
    """
    if not np.all(updates):
        raise ValueProblem("updates hold a 0, by which nothing can be divided")
    if ref.dtype.kind == "f":
        return combined(np.divide, ref, indices[..., None], updates)
    # Dropping the fraction each time or at the end gives the same, but NumPy rounds down: so without signs.
    size = combined(np.floor_divide, np.abs(ref), indices[..., None], np.abs(updates))
    return combined(np.multiply, np.sign(ref) * size, indices[..., None], np.sign(updates))


@row_update(r"r'_{k_i} = u_i,\quad r'_k = r_k \text{ elsewhere}", "update", "set({updates})", "{updates}", ANY)
def ScatterUpdate(ref: Array, indices: Array, updates: Array) -> Array:
    """The value that a variable has after the rows that the indices name were replaced by updates.

    Of several updates of one row the last counts; a scalar fills all of the rows. An index out of range is an error.
    No gradient passes.
    """
    return placed(ref, indices[..., None], updates)
