"""Products of matrices, and sums by Einstein's notation."""

from __future__ import annotations

from gradwire.interop.aten.products import product
from gradwire.interop.models.tensors import Tensor, made
from gradwire.interop.opset.arithmetic import number
from gradwire.interop.opset.operators import operator


@operator("MatMul")
def _product(a: Tensor, b: Tensor) -> Tensor:
    return product(a, b)


@operator("Gemm")
def _general(
    a: Tensor, b: Tensor, c: Tensor | None = None, *, alpha: float = 1.0, beta: float = 1.0, transA: int = 0,  # noqa: N803  # of ONNX
    transB: int = 0, broadcast: int = 0,  # noqa: N803  # of ONNX
) -> Tensor:  # fmt: skip
    found: Tensor = made("MatMul", a, b, transpose_a=bool(transA), transpose_b=bool(transB))
    if alpha != 1:
        found = made("Multiply", found, number(alpha, found))
    if c is not None:
        found = made("Add", found, c if beta == 1 else made("Multiply", c, number(beta, c)))
    return found


@operator("Einsum")
def _einsum(*x: Tensor, equation: str) -> Tensor:
    found: Tensor = made("Einsum", *x, equation=equation.replace(" ", ""))
    return found
