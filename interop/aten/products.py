"""Products of matrices and vectors, attention, and solutions of equations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from gradwire.interop.aten.operations import operation
from gradwire.interop.aten.reductions import norm, softmax
from gradwire.interop.aten.shapes import reshaped, swapped, transposed
from gradwire.interop.aten.tensors import number
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import Tensor, broadcast, kind, made


def product(a: Tensor, b: Tensor) -> Tensor:
    """Returns the product of matrices or vectors; leading axes are batches, which broadcast."""
    if a.ndim == 1 and b.ndim == 1:
        found: Tensor = made("ReduceSum", made("Multiply", a, b))
    elif b.ndim == 1:
        found = made("MatVec", a, b) if a.ndim == 2 else _without(product(a, made("ExpandDims", b, axis=1)), -1)
    elif a.ndim == 1:
        found = _without(product(made("ExpandDims", a, axis=0), b), -2)
    elif a.ndim > 2 and b.ndim == 2:
        rows = made("MatMul", reshaped(a, [-1, a.shape[-1]]), b)
        found = reshaped(rows, [*a.shape[:-1], b.shape[1]])
    else:
        lead = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
        found = made("MatMul", *(broadcast(item, [*lead, *item.shape[-2:]]) for item in (a, b)))
    return found


def _without(x: Tensor, axis: int) -> Tensor:
    found: Tensor = made("Squeeze", x, axis=[axis % x.ndim])
    return found


@operation("matmul.default", "mm.default", "bmm.default", "mv.default", "dot.default", "inner.default")
def _matmul(self: Tensor, **other: Tensor) -> Tensor:
    (second,) = other.values()
    return product(self, second)


@operation("outer.default")
def _outer(self: Tensor, vec2: Tensor) -> Tensor:
    found: Tensor = made("Multiply", made("ExpandDims", self, axis=1), vec2)
    return found


@operation("addmm.default", "baddbmm.default", "addmv.default", "addbmm.default")
def _added(self: Tensor, beta: float = 1, alpha: float = 1, **factors: Tensor) -> Tensor:
    first, second = factors.values()
    found = product(first, second)
    if alpha != 1:
        found = made("Multiply", found, number(alpha, found))
    added = self if beta == 1 else made("Multiply", self, number(beta, self))
    result: Tensor = made("Add", added, found)
    return result


@operation("linear.default")
def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:  # the schema's names
    """Returns x times the transposed weights, and the bias."""
    found = product(input, transposed(weight) if weight.ndim > 1 else weight)
    result: Tensor = found if bias is None else made("Add", found, bias)
    return result


@operation("bilinear.default")
def _bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    found: Tensor = made("Einsum", input1, weight, input2, equation="...i,oij,...j->...o")
    return found if bias is None else made("Add", found, bias)


@operation("einsum.default")
def _einsum(equation: str, tensors: Sequence[Tensor], path: Any = None) -> Tensor:
    found: Tensor = made("Einsum", *tensors, equation=equation.replace(" ", ""))
    return found


@operation("scaled_dot_product_attention.default")
def attention(
    query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None = None, dropout_p: float = 0.0,
    is_causal: bool = False, scale: float | None = None, enable_gqa: bool = False,
) -> Tensor:  # fmt: skip
    """Returns the values weighed by how well keys suit the queries."""
    if dropout_p:
        raise ModelRefusal("dropout is active; call .eval() before the export")
    if enable_gqa and query.ndim > 2 and query.shape[-3] != key.shape[-3]:
        times = query.shape[-3] // key.shape[-3]
        key, value = (_repeated_heads(item, times) for item in (key, value))
    factor = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = made("Multiply", product(query, swapped(key, -2, -1)), number(factor, query))
    if is_causal:
        attn_mask = np.tril(np.ones(scores.shape[-2:], bool))
    if attn_mask is not None and kind(attn_mask) == "b":
        scores = made("Where", broadcast(attn_mask, scores.shape), scores, np.asarray(-np.inf, scores.dtype))
    elif attn_mask is not None:
        scores = made("Add", scores, attn_mask)
    return product(softmax(scores, dim=-1), value)


def _repeated_heads(x: Tensor, times: int) -> Tensor:
    each = made("ExpandDims", x, axis=x.ndim - 2)
    many = broadcast(each, [*x.shape[:-2], times, *x.shape[-2:]])
    return reshaped(many, [*x.shape[:-3], x.shape[-3] * times, *x.shape[-2:]])


@operation("cosine_similarity.default")
def _cosine(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    sizes = [made("Maximum", norm(item, dim=[dim]), number(eps, item)) for item in (x1, x2)]
    found: Tensor = made("Divide", made("ReduceSum", made("Multiply", x1, x2), axis=[dim]), made("Multiply", *sizes))
    return found


@operation("cdist.default", "_cdist_forward.default")
def _distances(x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: Any = None) -> Tensor:
    apart = made("Subtract", made("ExpandDims", x1, axis=-2), made("ExpandDims", x2, axis=x2.ndim - 2))
    return norm(apart, p, dim=[-1])


@operation("pairwise_distance.default")
def _pairwise(x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> Tensor:
    apart = made("Add", made("Subtract", x1, x2), number(eps, x1))
    return norm(apart, p, dim=[-1], keepdim=keepdim)


@operation("linalg_cross.default", "cross.default")
def _cross(self: Tensor, other: Tensor, dim: int = -1) -> Tensor:
    turned = [[made("Roll", item, shift=[step], axis=[dim]) for step in (-1, -2)] for item in (self, other)]
    (a, b), (c, d) = turned
    found: Tensor = made("Subtract", made("Multiply", a, d), made("Multiply", b, c))
    return found


@operation("kron.default")
def _kronecker(self: Tensor, other: Tensor) -> Tensor:
    if self.ndim != 2 or other.ndim != 2:
        raise ModelRefusal("kron of other tensors than matrices has no block")
    parts = made("Einsum", self, other, equation="ij,kl->ikjl")
    return reshaped(parts, [a * b for a, b in zip(self.shape, other.shape, strict=True)])


@operation("tensordot.default")
def _tensordot(self: Tensor, other: Tensor, dims_self: Sequence[int], dims_other: Sequence[int]) -> Tensor:
    found: Tensor = made("Tensordot", self, other, axes=[list(dims_self), list(dims_other)])
    return found


@operation("linalg_inv.default", "inverse.default")
def _inverse(self: Tensor | None = None, A: Tensor | None = None) -> Tensor:  # noqa: N803  # the schema's name
    found: Tensor = made("MatrixInverse", self if A is None else A)
    return found


@operation("linalg_solve.default")
def _solution(A: Tensor, B: Tensor, left: bool = True) -> Tensor:  # noqa: N803  # the schema's names
    if not left:
        raise ModelRefusal("a solution from the right has no block; transpose both")
    if B.ndim == A.ndim - 1:
        return _without(made("MatrixSolve", A, made("ExpandDims", B, axis=-1)), -1)
    found: Tensor = made("MatrixSolve", A, B)
    return found


@operation("linalg_cholesky.default", "cholesky.default")
def _cholesky(self: Tensor, upper: bool = False) -> Tensor:
    found: Tensor = made("Cholesky", self)
    return transposed(found) if upper else found


@operation("slogdet.default", "linalg_slogdet.default")
def _logarithm_of_determinant(self: Tensor | None = None, A: Tensor | None = None) -> Any:  # noqa: N803  # the schema's
    return made("Slogdet", self if A is None else A)


@operation("logdet.default")
def _log_determinant(self: Tensor) -> Tensor:
    sign, logarithm = made("Slogdet", self)
    is_negative = made("Less", sign, number(0.0, sign))
    found: Tensor = made("Where", is_negative, np.asarray(np.nan, self.dtype), logarithm)
    return found


@operation("linalg_det.default", "det.default")
def _determinant(self: Tensor | None = None, A: Tensor | None = None) -> Tensor:  # noqa: N803  # the schema's name
    found: Tensor = made("MatrixDeterminant", self if A is None else A)
    return found
