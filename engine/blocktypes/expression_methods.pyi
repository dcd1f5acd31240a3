"""The methods of expressions as editors and type checkers see them."""

# Made by `make reference` from the declarations in blocks/; not edited by hand.
import builtins
from collections.abc import Sequence
from typing import Any
from numpy.typing import ArrayLike
from gradwire.engine.blocktypes.expression import Expression

class Methods:

    @property
    def T(self) -> Expression:
        """All axes in the opposite order."""

    @property
    def mT(self) -> Expression:
        """The last two axes exchanged."""

    def abs(self, *, name: str | None=...) -> Expression:
        """The absolute value of each element."""

    def acos(self, *, name: str | None=...) -> Expression:
        """The angle in radians, from 0 to π, whose cosine is x."""

    def add(self, y: Expression | ArrayLike=..., *, alpha: Expression | ArrayLike=..., other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
        """The sum of two tensors; `alpha` times the second one, if it is given."""

    def addmm(self, y: Expression | ArrayLike=..., z: Expression | ArrayLike=..., *, beta: Expression | ArrayLike=..., alpha: Expression | ArrayLike=..., mat1: Expression | ArrayLike=..., mat2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
        """`beta * x + alpha * (y @ z)`."""

    def all(self, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Expression:
        """True where all elements are true; numbers are true unless they are 0."""

    def amax(self, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Expression:
        """The largest element, or that along axes; equal ones share the gradient."""

    def amin(self, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Expression:
        """The smallest element, or that along axes; equal ones share the gradient."""

    def any(self, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Expression:
        """True where any element is true; numbers are true unless they are 0."""

    def arccos(self, *, name: str | None=...) -> Expression:
        """The angle in radians, from 0 to π, whose cosine is x."""

    def arcsin(self, *, name: str | None=...) -> Expression:
        """The angle in radians, from -π/2 to π/2, whose sine is x."""

    def arctan(self, *, name: str | None=...) -> Expression:
        """The angle in radians whose tangent is x, between -π/2 and π/2, which infinities reach."""

    def argmax(self, axis: builtins.int | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Expression:
        """The first place of the largest element along an axis; without one, among all elements in order."""

    def argmin(self, axis: builtins.int | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Expression:
        """The first place of the smallest element along an axis; without one, among all elements in order."""

    def argsort(self, axis: builtins.int=..., descending: builtins.bool=..., *, dim: builtins.int=..., name: str | None=...) -> Expression:
        """The places of the elements in ascending order along an axis, as int64."""

    def asin(self, *, name: str | None=...) -> Expression:
        """The angle in radians, from -π/2 to π/2, whose sine is x."""

    def astype(self, dtype: object, *, name: str | None=...) -> Expression:
        """The tensor in another dtype."""

    def atan(self, *, name: str | None=...) -> Expression:
        """The angle in radians whose tangent is x, between -π/2 and π/2, which infinities reach."""

    def bmm(self, y: Expression | ArrayLike=..., *, mat2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
        """The products of two batches of matrices."""

    def bool(self, *, name: str | None=...) -> Expression:
        """True where an element is not 0."""

    def ceil(self, *, name: str | None=...) -> Expression:
        """The least whole number that is not below x; NaN and infinities stay as they are. No gradient passes."""

    def cholesky(self, *, name: str | None=...) -> Expression:
        """The lower triangular factor of a matrix that is symmetric and positive."""

    def chunk(self, chunks: builtins.int, axis: builtins.int=..., *, dim: builtins.int=..., name: str | None=...) -> Expression:
        """So many parts of the same size, the last one smaller if need be, as in PyTorch."""

    def clamp(self, low: Expression | ArrayLike=..., high: Expression | ArrayLike=..., *, max: Expression | ArrayLike=..., min: Expression | ArrayLike=..., name: str | None=...) -> Expression:
        """Each element, but at least `low` and at most `high`; where they cross, `high` as in NumPy and PyTorch."""

    def clip(self, low: Expression | ArrayLike=..., high: Expression | ArrayLike=..., *, a_max: Expression | ArrayLike=..., a_min: Expression | ArrayLike=..., clip_value_max: Expression | ArrayLike=..., clip_value_min: Expression | ArrayLike=..., max: Expression | ArrayLike=..., min: Expression | ArrayLike=..., name: str | None=...) -> Expression:
        """Each element, but at least `low` and at most `high`; where they cross, `high` as in NumPy and PyTorch."""

    def clone(self, *, name: str | None=...) -> Expression:
        """The tensor itself: nothing is ever overwritten."""

    def contiguous(self, *, name: str | None=...) -> Expression:
        """The tensor itself: nothing is ever overwritten."""

    def cos(self, *, name: str | None=...) -> Expression:
        """The cosine of an angle in radians; NaN at infinity."""

    def cosh(self, *, name: str | None=...) -> Expression:
        """The hyperbolic cosine, at least 1. It overflows to infinity on both sides, where the gradient is infinite too."""

    def cumprod(self, axis: builtins.int | None=..., *, dtype: object=..., dim: builtins.int | None=..., name: str | None=...) -> Expression:
        """The product of all elements up to each one, along an axis."""

    def cumsum(self, axis: builtins.int | None=..., *, dtype: object=..., dim: builtins.int | None=..., name: str | None=...) -> Expression:
        """The sum of all elements up to each one, along an axis."""

    def det(self, *, name: str | None=...) -> Expression:
        """The determinant of a matrix."""

    def detach(self, *, name: str | None=...) -> Expression:
        """The tensor, through which no gradient flows back."""

    def diagonal(self, offset: builtins.int=..., axis1: builtins.int=..., axis2: builtins.int=..., *, dim1: builtins.int=..., dim2: builtins.int=..., name: str | None=...) -> Expression:
        """The diagonal of two axes, as the last axis of the result."""

    def diff(self, n: builtins.int=..., axis: builtins.int=..., *, dim: builtins.int=..., name: str | None=...) -> Expression:
        """The difference of neighbours along an axis, `n` times."""

    def dist(self, y: Expression | ArrayLike=..., p: builtins.float=..., *, other: Expression | ArrayLike=..., name: str | None=...) -> Expression:
        """The length of the difference of two tensors."""

    def div(self, y: Expression | ArrayLike=..., *, rounding_mode: str | None=..., other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
        """The quotient of two tensors; of integers it is float64. `rounding_mode` is None, "floor" or "trunc"."""

    def dot(self, y: Expression | ArrayLike=..., *, b: Expression | ArrayLike=..., tensor: Expression | ArrayLike=..., name: str | None=...) -> Expression:
        """The product of two vectors or matrices."""

    def double(self, *, name: str | None=...) -> Expression:
        """The tensor as float64."""

    def erf(self, *, name: str | None=...) -> Expression:
        """The error function: how likely a normal variable of variance 1/2 lies between -x and x."""

    def erfc(self, *, name: str | None=...) -> Expression:
        """One minus the error function, with all its digits also far to the right, where Erf is 1."""

    def exp(self, *, name: str | None=...) -> Expression:
        """The exponential function."""

    def exp2(self, *, name: str | None=...) -> Expression:
        """Two to the power of each element."""

    def expand(self, *shape: Any, name: str | None=...) -> Expression:
        """The tensor repeated along axes of size 1; -1 stands for the size that an axis has."""

    def expm1(self, *, name: str | None=...) -> Expression:
        """The exponential function minus 1, exact also where x is so small that its exponential would round to 1."""

    def flatten(self, start_dim: builtins.int=..., end_dim: builtins.int=..., *, name: str | None=...) -> Expression:
        """All axes as one, or those from `start_dim` to `end_dim`."""

    def flip(self, *axis: Any, name: str | None=...) -> Expression:
        """The elements in the opposite order along axes."""

    def float(self, *, name: str | None=...) -> Expression:
        """The tensor as float32."""

    def floor(self, *, name: str | None=...) -> Expression:
        """The greatest whole number that is not above x; NaN and infinities stay as they are. No gradient passes."""

    def gather(self, axis: builtins.int=..., places: Expression | ArrayLike=..., *, dim: builtins.int=..., index: Expression | ArrayLike=..., name: str | None=...) -> Expression:
        """The elements at `places` along an axis, one place for each element of the result, as in PyTorch."""

    def half(self, *, name: str | None=...) -> Expression:
        """The tensor as float16."""

    def index_select(self, axis: builtins.int=..., places: Expression | ArrayLike=..., *, dim: builtins.int=..., index: Expression | ArrayLike=..., name: str | None=...) -> Expression:
        """The slices at `places` along an axis."""

    def int(self, *, name: str | None=...) -> Expression:
        """The tensor as int32."""

    def inverse(self, *, name: str | None=...) -> Expression:
        """The inverse of each square matrix, or with `adjoint` the transpose of the inverse; a singular one is an error."""

    def isfinite(self, *, name: str | None=...) -> Expression:
        """A test of each element for a number: neither infinite nor NaN."""

    def isinf(self, *, name: str | None=...) -> Expression:
        """A test of each element for infinity of either sign; false for NaN."""

    def isnan(self, *, name: str | None=...) -> Expression:
        """A test of each element for NaN, the result of an undefined operation such as 0/0."""

    def lerp(self, y: Expression | ArrayLike=..., weight: Expression | ArrayLike=..., *, end: Expression | ArrayLike=..., name: str | None=...) -> Expression:
        """From `x` at weight 0 to `y` at weight 1 on a straight line."""

    def log(self, *, name: str | None=...) -> Expression:
        """The natural logarithm."""

    def log10(self, *, name: str | None=...) -> Expression:
        """The logarithm to base 10."""

    def log1p(self, *, name: str | None=...) -> Expression:
        """The natural logarithm of 1 + x, exact also where 1 + x would round to 1."""

    def log2(self, *, name: str | None=...) -> Expression:
        """The logarithm to base 2."""

    def log_softmax(self, axis: builtins.int | None=..., *, dtype: object=..., dim: builtins.int | None=..., name: str | None=...) -> Expression:
        """The logarithm of softmax, without overflow."""

    def logsigmoid(self, *, name: str | None=...) -> Expression:
        """The logarithm of the logistic function, exact also far out."""

    def logsumexp(self, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Expression:
        """The logarithm of the sum of exponentials, without overflow."""

    def long(self, *, name: str | None=...) -> Expression:
        """The tensor as int64."""

    def masked_fill(self, mask: Expression | ArrayLike, y: Expression | ArrayLike=..., *, value: Expression | ArrayLike=..., name: str | None=...) -> Expression:
        """The tensor with a value where a mask is true."""

    def matmul(self, y: Expression | ArrayLike=..., *, b: Expression | ArrayLike=..., other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
        """The matrix product; either may be a vector, and leading axes broadcast."""

    def max(self, y: Expression | ArrayLike=..., *, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., other: Expression | ArrayLike=..., name: str | None=...) -> Expression:
        """The largest of all elements, or the larger elements of two tensors; along an axis write `amax`."""

    def maximum(self, y: Expression | ArrayLike=..., *, other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
        """The larger of two elements; of equal ones the first receives the gradient."""

    def mean(self, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dtype: object=..., dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Expression:
        """The mean of all elements, or along axes; of integers and masks it is float64."""

    def min(self, y: Expression | ArrayLike=..., *, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., other: Expression | ArrayLike=..., name: str | None=...) -> Expression:
        """The smallest of all elements, or the smaller elements of two tensors; along an axis write `amin`."""

    def minimum(self, y: Expression | ArrayLike=..., *, other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
        """The smaller of two elements; of equal ones the first receives the gradient."""

    def mm(self, y: Expression | ArrayLike=..., *, mat2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
        """The product of two matrices."""

    def movedim(self, source: Any, destination: Any, *, name: str | None=...) -> Expression:
        """Axes put to other places; the rest keep their order."""

    def msort(self, *, name: str | None=...) -> Expression:
        """The elements in ascending order along the first axis."""

    def mul(self, y: Expression | ArrayLike=..., *, other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
        """The product of two tensors, element by element."""

    def mv(self, y: Expression | ArrayLike=..., *, vec: Expression | ArrayLike=..., name: str | None=...) -> Expression:
        """The product of a matrix and a vector."""

    def neg(self, *, name: str | None=...) -> Expression:
        """The negative of each element."""

    def norm(self, ord: builtins.float | str | None=..., axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., p: builtins.float | str | None=..., name: str | None=...) -> Expression:
        """The length of all elements, or of the vectors along `axis`; `ord` 1, 2, inf or another number."""

    def numel(self, *, name: str | None=...) -> builtins.int:
        """The number of elements, as a number of Python."""

    def outer(self, y: Expression | ArrayLike=..., *, b: Expression | ArrayLike=..., vec2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
        """Each element of one vector times each of another."""

    def permute(self, *axis: Any, name: str | None=...) -> Expression:
        """The axes in another order."""

    def pow(self, y: Expression | ArrayLike=..., *, exponent: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
        """The power of `x` to `y`, element by element."""

    def prod(self, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dtype: object=..., dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Expression:
        """The product of all elements, or along axes."""

    def ravel(self, *, name: str | None=...) -> Expression:
        """All elements along one axis."""

    def reciprocal(self, *, name: str | None=...) -> Expression:
        """One divided by each element."""

    def relu(self, *, name: str | None=...) -> Expression:
        """The positive part. Its gradient is 0 at 0, and where the input is NaN."""

    def remainder(self, y: Expression | ArrayLike=..., *, other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
        """The remainder of the quotient rounded down, which has the sign of `y`; `%` of Python."""

    def reshape(self, *shape: Any, name: str | None=...) -> Expression:
        """The same elements in another shape; one size may be -1."""

    def round(self, decimals: builtins.int=..., *, name: str | None=...) -> Expression:
        """Each element rounded to whole numbers, or to `decimals`; halves go to the even neighbour."""

    def rsqrt(self, *, name: str | None=...) -> Expression:
        """One divided by the square root."""

    def sigmoid(self, *, name: str | None=...) -> Expression:
        """The logistic function. Far out its gradient is too small to matter: the block is saturated."""

    def sign(self, *, name: str | None=...) -> Expression:
        """1 for a positive number, -1 for a negative one, 0 for both zeros, NaN for NaN."""

    def sin(self, *, name: str | None=...) -> Expression:
        """The sine of an angle in radians; NaN at infinity."""

    def sinh(self, *, name: str | None=...) -> Expression:
        """The hyperbolic sine. It overflows to an infinity of the sign of x, where the gradient is infinite too."""

    def softmax(self, axis: builtins.int | None=..., *, dtype: object=..., dim: builtins.int | None=..., name: str | None=...) -> Expression:
        """Exponentials divided by their sum along an axis; the last one of a vector or matrix, if none is given."""

    def sqrt(self, *, name: str | None=...) -> Expression:
        """The square root."""

    def square(self, *, name: str | None=...) -> Expression:
        """Each element times itself."""

    def squeeze(self, axis: Any=..., *, name: str | None=...) -> Expression:
        """The tensor without axes of size 1, or without those that are given."""

    def std(self, axis: builtins.int | Sequence[builtins.int] | None=..., *, keepdims: builtins.bool=..., correction: builtins.int | None=..., ddof: builtins.int | None=..., unbiased: builtins.bool | None=..., dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Expression:
        """The standard deviation; `correction` (or `ddof`) is what is taken from the count: 0 as in NumPy, 1 in PyTorch."""

    def sub(self, y: Expression | ArrayLike=..., *, alpha: Expression | ArrayLike=..., other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
        """The first tensor less the second one; `alpha` times the second one, if it is given."""

    def sum(self, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dtype: object=..., dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Expression:
        """The sum of all elements, or along axes; masks are counted."""

    def swapaxes(self, one: Any=..., other: Any=..., *, axis0: Any=..., axis1: Any=..., axis2: Any=..., dim0: Any=..., dim1: Any=..., name: str | None=...) -> Expression:
        """The axes in another order; without `perm` they are reversed."""

    def t(self, *, name: str | None=...) -> Expression:
        """A matrix with its rows as columns; a vector as it is."""

    def tan(self, *, name: str | None=...) -> Expression:
        """The tangent of an angle in radians; NaN at infinity."""

    def tanh(self, *, name: str | None=...) -> Expression:
        """The hyperbolic tangent, between -1 and 1; far from zero it is exactly 1 or -1 and its gradient exactly 0."""

    def to(self, dtype: object, *, name: str | None=...) -> Expression:
        """The tensor in another dtype, or in that of another tensor."""

    def trace(self, offset: builtins.int=..., axis1: builtins.int=..., axis2: builtins.int=..., *, name: str | None=...) -> Expression:
        """The sum of the diagonal."""

    def transpose(self, *axes: Any, name: str | None=...) -> Expression:
        """All axes in the opposite order, two of them exchanged as in PyTorch, or in the order that is given."""

    def tril(self, k: builtins.int=..., *, diagonal: builtins.int=..., name: str | None=...) -> Expression:
        """Matrices with zeros above their `k`-th diagonal."""

    def triu(self, k: builtins.int=..., *, diagonal: builtins.int=..., name: str | None=...) -> Expression:
        """Matrices with zeros below their `k`-th diagonal."""

    def unsqueeze(self, axis: builtins.int=..., *, dim: builtins.int=..., name: str | None=...) -> Expression:
        """A new axis of size 1."""

    def var(self, axis: builtins.int | Sequence[builtins.int] | None=..., *, keepdims: builtins.bool=..., correction: builtins.int | None=..., ddof: builtins.int | None=..., unbiased: builtins.bool | None=..., dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Expression:
        """The variance; `correction` (or `ddof`) is what is taken from the count: 0 as in NumPy, 1 as in PyTorch."""

    def view(self, *shape: Any, name: str | None=...) -> Expression:
        """The same elements in another shape; one size may be -1."""
