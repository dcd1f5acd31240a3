"""Gradwire as editors and type checkers see it: every block type is a function."""

# Made by `make reference` from the declarations in blocks/; not edited by hand.
import builtins
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, overload
import numpy as np
from numpy.typing import ArrayLike
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.update_rule import Rate
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from os import PathLike
from gradwire import layers as layers
from gradwire.blocks.update_rules import adam as adam, descent as descent, momentum as momentum
from gradwire.engine.autodiff.status import Status as Status
from gradwire.engine.base.errors import GradwireError as GradwireError
from gradwire.engine.blocktypes.expression import Expression as Expression
from gradwire.engine.blocktypes.update_rule import UpdateRule as UpdateRule
from gradwire.engine.explain.checks.check import GradientCheck
from gradwire.engine.graph.graph import Graph as Graph
from gradwire.pages import PageFunction as PageFunction, page as page
from gradwire.runs import AnyRun as AnyRun, Run as Run, evaluate as evaluate
from gradwire.tools import Check as Check, Data as Data, advice as advice, block as block, check as check, diff as diff, export as export, html as html, render as render, show as show
from gradwire.engine.training.state import State
from gradwire.engine.training.trained_run import TrainedRun
from gradwire.engine.training.training import Training
from gradwire.reports import WhyReport
__version__: str
HOME: Path
float16: np.dtype[Any]
float32: np.dtype[Any]
float64: np.dtype[Any]
int8: np.dtype[Any]
int16: np.dtype[Any]
int32: np.dtype[Any]
int64: np.dtype[Any]
uint8: np.dtype[Any]
bool: np.dtype[Any]
__all__ = ['AnyRun', 'Check', 'Constant', 'Data', 'Expression', 'GradwireError', 'Graph', 'Input', 'PageFunction', 'Run', 'Status', 'UpdateRule', 'Variable', 'adam', 'advice', 'block', 'check', 'check_gradients', 'descent', 'diff', 'evaluate', 'export', 'from_code', 'from_onnx', 'from_pt2', 'from_torch', 'graph', 'html', 'layers', 'linalg', 'load', 'momentum', 'no_grad', 'notices', 'page', 'render', 'save', 'show', 'svg', 'train', 'training', 'values', 'why']

def Input(value: object, *, name: str | None=None, minimum: builtins.float | None=None, maximum: builtins.float | None=None) -> Expression:
    """A tensor that is fed in; Python numbers become float64, NumPy arrays keep their dtype."""

def Constant(value: object, *, name: str | None=None) -> Expression:
    """A fixed tensor."""

def Variable(value: object=None, *, shape: Iterable[builtins.int] | None=None, start: str | Mapping[str, object] | None=None, seed: builtins.int | None=None, name: str | None=None, trainable: builtins.bool=True) -> Expression:
    """A tensor that training changes: a value, or a shape and a start, from which its numbers are drawn."""

def no_grad() -> AbstractContextManager[None]:
    """A region of a program: `with gw.no_grad():`; no gradient passes what is computed inside and used outside."""

def graph(*expressions: Expression) -> Graph:
    """Returns the graph of all that the expressions are computed from."""

def svg(target: Graph | Expression, theme: Literal['dark', 'light']='light') -> str:
    """Returns the first page of a graph as SVG text, drawn as in the editor, with values and gradients."""

def check_gradients(*targets: Expression | Graph) -> GradientCheck:
    """Compares the gradient on every wire with central differences."""

def train(target: Graph | Expression, steps: builtins.int | None=None, *, data: Mapping[str, object] | None=None, until: Mapping[str, object] | None=None, without: str | Iterable[str]=(), seed: builtins.int | None=None, threads: builtins.int=1, folder: str | PathLike[str] | None=None, resume: State | str | PathLike[str] | builtins.bool=True) -> TrainedRun:
    """Trains a graph by its plan for so many steps, or until the plan ends, and returns what has been logged."""

def training(target: Expression | Graph, rule: UpdateRule | None=None, *, watch: Iterable[str]=(), threads: builtins.int=1) -> Training:
    """Returns a graph laid out to be run step by step; after each step its variables have moved by the rule."""

def load(path: str | PathLike[str]) -> Graph:
    """Returns the graph in a `.graph` file, or the example of that name: `load("softmax_stable")`."""

def from_code(text: str, *, rest: builtins.bool=False) -> Graph:
    """Returns the graph of a formula, or of lines of NumPy, PyTorch, TensorFlow, JAX or Keras; nothing of it is run."""

def from_onnx(path: str | PathLike[str] | bytes, inputs: Mapping[str, Any] | None=None, *, train: builtins.bool=True) -> Graph:
    """Returns the graph of an ONNX model; needs no library of ONNX, and runs nothing of the file."""

def from_pt2(path: str | PathLike[str] | bytes, inputs: Mapping[str, Any] | None=None) -> Graph:
    """Returns the graph of a model that `torch.export.save` has written; needs no PyTorch, and runs nothing of it."""

def from_torch(target: Any, *arguments: Any, check: builtins.bool=True, **keywords: Any) -> Graph:
    """Returns the graph of a module, a function or an exported program of PyTorch, called with these arguments."""

def why(target: Any, *arguments: Any, **keywords: Any) -> WhyReport:
    """Returns why parameters do not learn: each whose gradient is zero, blocked, NaN, exploding, or nearly nothing."""

def notices(graph: Graph) -> list[str]:
    """Returns a line for each thing that was left out, drawn or decided when the graph came in from outside."""

def values(graph: Graph) -> dict[str, Array]:
    """Returns the numbers of all Variables, those of a start written out: what goes back into a model."""

def save(target: Graph | Expression, path: str | PathLike[str]) -> None:
    """Writes a `.graph` file, whole or not at all."""

class _Linalg:

    def __getattr__(self, name: str) -> Any:
        ...

    @staticmethod
    @overload
    def cholesky(x: Expression, *, name: str | None=...) -> Expression:
        """The lower triangular factor of a matrix that is symmetric and positive."""

    @staticmethod
    @overload
    def cholesky(x: ArrayLike, *, name: str | None=...) -> Array:
        ...

    @staticmethod
    @overload
    def cross(a: Expression, b: Expression | ArrayLike, *, name: str | None=...) -> Expression:
        """The cross product of vectors of three elements along the last axis: at right angles to both."""

    @staticmethod
    @overload
    def cross(a: ArrayLike, b: Expression, *, name: str | None=...) -> Expression:
        ...

    @staticmethod
    @overload
    def cross(a: ArrayLike, b: ArrayLike, *, name: str | None=...) -> Array:
        ...

    @staticmethod
    @overload
    def det(x: Expression, *, name: str | None=...) -> Expression:
        """The determinant of a matrix."""

    @staticmethod
    @overload
    def det(x: ArrayLike, *, name: str | None=...) -> Array:
        ...

    @staticmethod
    @overload
    def inv(x: Expression, *, name: str | None=...) -> Expression:
        """The inverse of a matrix."""

    @staticmethod
    @overload
    def inv(x: ArrayLike, *, name: str | None=...) -> Array:
        ...

    @staticmethod
    @overload
    def norm(x: Expression, ord: builtins.float | str | None=..., axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Expression:
        """The norm of vectors or matrices as NumPy and PyTorch read it: of two axes and an `ord` it is a matrix norm."""

    @staticmethod
    @overload
    def norm(x: ArrayLike, ord: builtins.float | str | None=..., axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Array:
        ...

    @staticmethod
    @overload
    def solve(x: Expression, y: Expression | ArrayLike=..., adjoint: builtins.bool=..., *, B: Expression | ArrayLike=..., b: Expression | ArrayLike=..., rhs: Expression | ArrayLike=..., name: str | None=...) -> Expression:
        """The solution of `x @ z = y`, of a vector or of the columns of a matrix."""

    @staticmethod
    @overload
    def solve(x: ArrayLike, y: Expression, adjoint: builtins.bool=..., *, B: Expression=..., b: Expression=..., rhs: Expression=..., name: str | None=...) -> Expression:
        ...

    @staticmethod
    @overload
    def solve(x: ArrayLike, y: ArrayLike=..., adjoint: builtins.bool=..., *, B: ArrayLike=..., b: ArrayLike=..., rhs: ArrayLike=..., name: str | None=...) -> Array:
        ...

    @staticmethod
    @overload
    def vector_norm(x: Expression, ord: builtins.int | builtins.float=..., axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Expression:
        """The length of all elements, or of the vectors along `axis`."""

    @staticmethod
    @overload
    def vector_norm(x: ArrayLike, ord: builtins.int | builtins.float=..., axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Array:
        ...
linalg: _Linalg

@overload
def Abs(x: Expression, /, *, name: str | None=None) -> Expression:
    """The distance of each element from zero."""

@overload
def Abs(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Accuracy(labels: Expression, predictions: Expression | ArrayLike, /, *, threshold: builtins.float=0.5, name: str | None=None) -> Expression:
    """Share of rows whose largest prediction is at the class of the label."""

@overload
def Accuracy(labels: ArrayLike, predictions: Expression, /, *, threshold: builtins.float=0.5, name: str | None=None) -> Expression:
    ...

@overload
def Accuracy(labels: ArrayLike, predictions: ArrayLike, /, *, threshold: builtins.float=0.5, name: str | None=None) -> Array:
    ...

@overload
def Acos(x: Expression, /, *, name: str | None=None) -> Expression:
    """The angle in radians, from 0 to π, whose cosine is x."""

@overload
def Acos(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Acosh(x: Expression, /, *, name: str | None=None) -> Expression:
    """The number, at least 0, whose hyperbolic cosine is x."""

@overload
def Acosh(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Add(x: Expression, y: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The sum of two tensors; a repeated input receives the gradient summed over the repeated axes."""

@overload
def Add(x: ArrayLike, y: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def Add(x: ArrayLike, y: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def AddN(values_0: Expression, /, *values: Expression | ArrayLike, name: str | None=None) -> Expression:
    """The sum of any number of tensors of one shape; unlike Add it repeats nothing."""

@overload
def AddN(values_0: ArrayLike, values_1: Expression, /, *values: Expression | ArrayLike, name: str | None=None) -> Expression:
    ...

@overload
def AddN(*values: ArrayLike, name: str | None=None) -> Array:
    ...

@overload
def AdjustContrast(images: Expression, contrast_factor: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """Images with the distance of each pixel from the mean of its channel multiplied by a factor."""

@overload
def AdjustContrast(images: ArrayLike, contrast_factor: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def AdjustContrast(images: ArrayLike, contrast_factor: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def ApplyAdaMax(var: Expression, m: Expression | ArrayLike, v: Expression | ArrayLike, /, *grad: Expression | ArrayLike, lr: builtins.float=0.001, beta1: builtins.float=0.9, beta2: builtins.float=0.999, epsilon: builtins.float=1e-07, name: str | None=None) -> tuple[Expression, Expression, Expression]:
    """Adam with the largest recent gradient in place of the root of the mean square."""

@overload
def ApplyAdaMax(var: ArrayLike, m: Expression, v: Expression | ArrayLike, /, *grad: Expression | ArrayLike, lr: builtins.float=0.001, beta1: builtins.float=0.9, beta2: builtins.float=0.999, epsilon: builtins.float=1e-07, name: str | None=None) -> tuple[Expression, Expression, Expression]:
    ...

@overload
def ApplyAdaMax(var: ArrayLike, m: ArrayLike, v: Expression, /, *grad: Expression | ArrayLike, lr: builtins.float=0.001, beta1: builtins.float=0.9, beta2: builtins.float=0.999, epsilon: builtins.float=1e-07, name: str | None=None) -> tuple[Expression, Expression, Expression]:
    ...

@overload
def ApplyAdaMax(var: ArrayLike, m: ArrayLike, v: ArrayLike, /, *grad: ArrayLike, lr: builtins.float=0.001, beta1: builtins.float=0.9, beta2: builtins.float=0.999, epsilon: builtins.float=1e-07, name: str | None=None) -> tuple[Array, Array, Array]:
    ...

@overload
def ApplyAdadelta(var: Expression, accum: Expression | ArrayLike, accum_update: Expression | ArrayLike, /, *grad: Expression | ArrayLike, lr: builtins.float=0.001, rho: builtins.float=0.95, epsilon: builtins.float=1e-07, name: str | None=None) -> tuple[Expression, Expression, Expression]:
    """Adadelta: steps have the size of recent steps, so the scale of the gradients does not matter."""

@overload
def ApplyAdadelta(var: ArrayLike, accum: Expression, accum_update: Expression | ArrayLike, /, *grad: Expression | ArrayLike, lr: builtins.float=0.001, rho: builtins.float=0.95, epsilon: builtins.float=1e-07, name: str | None=None) -> tuple[Expression, Expression, Expression]:
    ...

@overload
def ApplyAdadelta(var: ArrayLike, accum: ArrayLike, accum_update: Expression, /, *grad: Expression | ArrayLike, lr: builtins.float=0.001, rho: builtins.float=0.95, epsilon: builtins.float=1e-07, name: str | None=None) -> tuple[Expression, Expression, Expression]:
    ...

@overload
def ApplyAdadelta(var: ArrayLike, accum: ArrayLike, accum_update: ArrayLike, /, *grad: ArrayLike, lr: builtins.float=0.001, rho: builtins.float=0.95, epsilon: builtins.float=1e-07, name: str | None=None) -> tuple[Array, Array, Array]:
    ...

@overload
def ApplyAdagrad(var: Expression, accum: Expression | ArrayLike, /, *grad: Expression | ArrayLike, lr: builtins.float=0.001, update_slots: builtins.bool=True, name: str | None=None) -> tuple[Expression, Expression]:
    """Adagrad: the rate of each element falls with the root of the sum of its squared gradients."""

@overload
def ApplyAdagrad(var: ArrayLike, accum: Expression, /, *grad: Expression | ArrayLike, lr: builtins.float=0.001, update_slots: builtins.bool=True, name: str | None=None) -> tuple[Expression, Expression]:
    ...

@overload
def ApplyAdagrad(var: ArrayLike, accum: ArrayLike, /, *grad: ArrayLike, lr: builtins.float=0.001, update_slots: builtins.bool=True, name: str | None=None) -> tuple[Array, Array]:
    ...

@overload
def ApplyAdagradDA(var: Expression, gradient_accumulator: Expression | ArrayLike, gradient_squared_accumulator: Expression | ArrayLike, /, *grad: Expression | ArrayLike, lr: builtins.float, l1: builtins.float=0.0, l2: builtins.float=0.0, name: str | None=None) -> tuple[Expression, Expression, Expression]:
    """Adagrad by dual averaging: the variable follows from the sums alone, so penalties can make it exactly 0."""

@overload
def ApplyAdagradDA(var: ArrayLike, gradient_accumulator: Expression, gradient_squared_accumulator: Expression | ArrayLike, /, *grad: Expression | ArrayLike, lr: builtins.float, l1: builtins.float=0.0, l2: builtins.float=0.0, name: str | None=None) -> tuple[Expression, Expression, Expression]:
    ...

@overload
def ApplyAdagradDA(var: ArrayLike, gradient_accumulator: ArrayLike, gradient_squared_accumulator: Expression, /, *grad: Expression | ArrayLike, lr: builtins.float, l1: builtins.float=0.0, l2: builtins.float=0.0, name: str | None=None) -> tuple[Expression, Expression, Expression]:
    ...

@overload
def ApplyAdagradDA(var: ArrayLike, gradient_accumulator: ArrayLike, gradient_squared_accumulator: ArrayLike, /, *grad: ArrayLike, lr: builtins.float, l1: builtins.float=0.0, l2: builtins.float=0.0, name: str | None=None) -> tuple[Array, Array, Array]:
    ...

@overload
def ApplyAdam(var: Expression, m: Expression | ArrayLike, v: Expression | ArrayLike, /, *grad: Expression | ArrayLike, lr: builtins.float=0.001, beta1: builtins.float=0.9, beta2: builtins.float=0.999, epsilon: builtins.float=1e-07, use_nesterov: builtins.bool=False, name: str | None=None) -> tuple[Expression, Expression, Expression]:
    """Adam: the mean gradient over the root of the mean square, so that steps have about the size of `lr`."""

@overload
def ApplyAdam(var: ArrayLike, m: Expression, v: Expression | ArrayLike, /, *grad: Expression | ArrayLike, lr: builtins.float=0.001, beta1: builtins.float=0.9, beta2: builtins.float=0.999, epsilon: builtins.float=1e-07, use_nesterov: builtins.bool=False, name: str | None=None) -> tuple[Expression, Expression, Expression]:
    ...

@overload
def ApplyAdam(var: ArrayLike, m: ArrayLike, v: Expression, /, *grad: Expression | ArrayLike, lr: builtins.float=0.001, beta1: builtins.float=0.9, beta2: builtins.float=0.999, epsilon: builtins.float=1e-07, use_nesterov: builtins.bool=False, name: str | None=None) -> tuple[Expression, Expression, Expression]:
    ...

@overload
def ApplyAdam(var: ArrayLike, m: ArrayLike, v: ArrayLike, /, *grad: ArrayLike, lr: builtins.float=0.001, beta1: builtins.float=0.9, beta2: builtins.float=0.999, epsilon: builtins.float=1e-07, use_nesterov: builtins.bool=False, name: str | None=None) -> tuple[Array, Array, Array]:
    ...

@overload
def ApplyCenteredRMSProp(var: Expression, mg: Expression | ArrayLike, ms: Expression | ArrayLike, mom: Expression | ArrayLike, /, *grad: Expression | ArrayLike, lr: builtins.float=0.001, rho: builtins.float=0.9, momentum: builtins.float=0.0, epsilon: builtins.float=1e-07, name: str | None=None) -> tuple[Expression, Expression, Expression, Expression]:
    """RMSProp with the variance of recent gradients in place of their mean square."""

@overload
def ApplyCenteredRMSProp(var: ArrayLike, mg: Expression, ms: Expression | ArrayLike, mom: Expression | ArrayLike, /, *grad: Expression | ArrayLike, lr: builtins.float=0.001, rho: builtins.float=0.9, momentum: builtins.float=0.0, epsilon: builtins.float=1e-07, name: str | None=None) -> tuple[Expression, Expression, Expression, Expression]:
    ...

@overload
def ApplyCenteredRMSProp(var: ArrayLike, mg: ArrayLike, ms: Expression, mom: Expression | ArrayLike, /, *grad: Expression | ArrayLike, lr: builtins.float=0.001, rho: builtins.float=0.9, momentum: builtins.float=0.0, epsilon: builtins.float=1e-07, name: str | None=None) -> tuple[Expression, Expression, Expression, Expression]:
    ...

@overload
def ApplyCenteredRMSProp(var: ArrayLike, mg: ArrayLike, ms: ArrayLike, mom: Expression, /, *grad: Expression | ArrayLike, lr: builtins.float=0.001, rho: builtins.float=0.9, momentum: builtins.float=0.0, epsilon: builtins.float=1e-07, name: str | None=None) -> tuple[Expression, Expression, Expression, Expression]:
    ...

@overload
def ApplyCenteredRMSProp(var: ArrayLike, mg: ArrayLike, ms: ArrayLike, mom: ArrayLike, /, *grad: ArrayLike, lr: builtins.float=0.001, rho: builtins.float=0.9, momentum: builtins.float=0.0, epsilon: builtins.float=1e-07, name: str | None=None) -> tuple[Array, Array, Array, Array]:
    ...

@overload
def ApplyFtrl(var: Expression, accum: Expression | ArrayLike, linear: Expression | ArrayLike, /, *grad: Expression | ArrayLike, lr: builtins.float=0.001, l1: builtins.float=0.0, l2: builtins.float=0.0, l2_shrinkage: builtins.float=0.0, lr_power: builtins.float=-0.5, multiply_linear_by_lr: builtins.bool=False, name: str | None=None) -> tuple[Expression, Expression, Expression]:
    """Follow the regularized leader: what all gradients so far would have chosen, under the two penalties."""

@overload
def ApplyFtrl(var: ArrayLike, accum: Expression, linear: Expression | ArrayLike, /, *grad: Expression | ArrayLike, lr: builtins.float=0.001, l1: builtins.float=0.0, l2: builtins.float=0.0, l2_shrinkage: builtins.float=0.0, lr_power: builtins.float=-0.5, multiply_linear_by_lr: builtins.bool=False, name: str | None=None) -> tuple[Expression, Expression, Expression]:
    ...

@overload
def ApplyFtrl(var: ArrayLike, accum: ArrayLike, linear: Expression, /, *grad: Expression | ArrayLike, lr: builtins.float=0.001, l1: builtins.float=0.0, l2: builtins.float=0.0, l2_shrinkage: builtins.float=0.0, lr_power: builtins.float=-0.5, multiply_linear_by_lr: builtins.bool=False, name: str | None=None) -> tuple[Expression, Expression, Expression]:
    ...

@overload
def ApplyFtrl(var: ArrayLike, accum: ArrayLike, linear: ArrayLike, /, *grad: ArrayLike, lr: builtins.float=0.001, l1: builtins.float=0.0, l2: builtins.float=0.0, l2_shrinkage: builtins.float=0.0, lr_power: builtins.float=-0.5, multiply_linear_by_lr: builtins.bool=False, name: str | None=None) -> tuple[Array, Array, Array]:
    ...

@overload
def ApplyGradientDescent(var: Expression, /, *grad: Expression | ArrayLike, alpha: builtins.float=0.01, name: str | None=None) -> Expression:
    """Gradient descent: against each gradient in turn, `alpha` times as far as it is long."""

@overload
def ApplyGradientDescent(var: ArrayLike, /, *grad: ArrayLike, alpha: builtins.float=0.01, name: str | None=None) -> Array:
    ...

@overload
def ApplyMomentum(var: Expression, accum: Expression | ArrayLike, /, *grad: Expression | ArrayLike, lr: builtins.float=0.01, momentum: builtins.float=0.0, use_nesterov: builtins.bool=False, name: str | None=None) -> tuple[Expression, Expression]:
    """Gradient descent that keeps part of its speed: the accumulated gradients fade by `momentum` a step."""

@overload
def ApplyMomentum(var: ArrayLike, accum: Expression, /, *grad: Expression | ArrayLike, lr: builtins.float=0.01, momentum: builtins.float=0.0, use_nesterov: builtins.bool=False, name: str | None=None) -> tuple[Expression, Expression]:
    ...

@overload
def ApplyMomentum(var: ArrayLike, accum: ArrayLike, /, *grad: ArrayLike, lr: builtins.float=0.01, momentum: builtins.float=0.0, use_nesterov: builtins.bool=False, name: str | None=None) -> tuple[Array, Array]:
    ...

@overload
def ApplyProximalAdagrad(var: Expression, accum: Expression | ArrayLike, /, *grad: Expression | ArrayLike, lr: builtins.float, l1: builtins.float=0.0, l2: builtins.float=0.0, name: str | None=None) -> tuple[Expression, Expression]:
    """An Adagrad step, then the two penalties at the rate of each element."""

@overload
def ApplyProximalAdagrad(var: ArrayLike, accum: Expression, /, *grad: Expression | ArrayLike, lr: builtins.float, l1: builtins.float=0.0, l2: builtins.float=0.0, name: str | None=None) -> tuple[Expression, Expression]:
    ...

@overload
def ApplyProximalAdagrad(var: ArrayLike, accum: ArrayLike, /, *grad: ArrayLike, lr: builtins.float, l1: builtins.float=0.0, l2: builtins.float=0.0, name: str | None=None) -> tuple[Array, Array]:
    ...

@overload
def ApplyProximalGradientDescent(var: Expression, /, *grad: Expression | ArrayLike, alpha: builtins.float, l1: builtins.float=0.0, l2: builtins.float=0.0, name: str | None=None) -> Expression:
    """A gradient step, then the two penalties: `l1` takes a fixed amount from each element, `l2` a share."""

@overload
def ApplyProximalGradientDescent(var: ArrayLike, /, *grad: ArrayLike, alpha: builtins.float, l1: builtins.float=0.0, l2: builtins.float=0.0, name: str | None=None) -> Array:
    ...

@overload
def ApplyRMSProp(var: Expression, ms: Expression | ArrayLike, mom: Expression | ArrayLike, /, *grad: Expression | ArrayLike, lr: builtins.float=0.001, rho: builtins.float=0.9, momentum: builtins.float=0.0, epsilon: builtins.float=1e-07, name: str | None=None) -> tuple[Expression, Expression, Expression]:
    """RMSProp: each gradient over the root of the mean square of recent ones, with momentum."""

@overload
def ApplyRMSProp(var: ArrayLike, ms: Expression, mom: Expression | ArrayLike, /, *grad: Expression | ArrayLike, lr: builtins.float=0.001, rho: builtins.float=0.9, momentum: builtins.float=0.0, epsilon: builtins.float=1e-07, name: str | None=None) -> tuple[Expression, Expression, Expression]:
    ...

@overload
def ApplyRMSProp(var: ArrayLike, ms: ArrayLike, mom: Expression, /, *grad: Expression | ArrayLike, lr: builtins.float=0.001, rho: builtins.float=0.9, momentum: builtins.float=0.0, epsilon: builtins.float=1e-07, name: str | None=None) -> tuple[Expression, Expression, Expression]:
    ...

@overload
def ApplyRMSProp(var: ArrayLike, ms: ArrayLike, mom: ArrayLike, /, *grad: ArrayLike, lr: builtins.float=0.001, rho: builtins.float=0.9, momentum: builtins.float=0.0, epsilon: builtins.float=1e-07, name: str | None=None) -> tuple[Array, Array, Array]:
    ...

@overload
def ArgMax(x: Expression, /, *, axis: builtins.int=0, nan: Literal['skip', 'first']='skip', name: str | None=None) -> Expression:
    """The index of the largest element along `axis`, the first of equal ones. No gradient passes."""

@overload
def ArgMax(x: ArrayLike, /, *, axis: builtins.int=0, nan: Literal['skip', 'first']='skip', name: str | None=None) -> Array:
    ...

@overload
def ArgMin(x: Expression, /, *, axis: builtins.int=0, nan: Literal['skip', 'first']='skip', name: str | None=None) -> Expression:
    """The index of the smallest element along `axis`, the first of equal ones. No gradient passes."""

@overload
def ArgMin(x: ArrayLike, /, *, axis: builtins.int=0, nan: Literal['skip', 'first']='skip', name: str | None=None) -> Array:
    ...

@overload
def ArgSort(x: Expression, /, *, axis: builtins.int=-1, direction: Literal['ASCENDING', 'DESCENDING']='ASCENDING', stable: builtins.bool=False, name: str | None=None) -> Expression:
    """The places along `axis` from which Sort takes the elements. No gradient passes."""

@overload
def ArgSort(x: ArrayLike, /, *, axis: builtins.int=-1, direction: Literal['ASCENDING', 'DESCENDING']='ASCENDING', stable: builtins.bool=False, name: str | None=None) -> Array:
    ...

@overload
def Asin(x: Expression, /, *, name: str | None=None) -> Expression:
    """The angle in radians, from -π/2 to π/2, whose sine is x."""

@overload
def Asin(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Asinh(x: Expression, /, *, name: str | None=None) -> Expression:
    """The number whose hyperbolic sine is x; infinities stay infinite and receive a gradient of 0."""

@overload
def Asinh(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Assign(ref: Expression, value: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The value that a variable has after it was set: `value`, of the same shape. No gradient passes."""

@overload
def Assign(ref: ArrayLike, value: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def Assign(ref: ArrayLike, value: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def AssignAdd(ref: Expression, value: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The value that a variable has after `value`, of the same shape, was added to it. No gradient passes."""

@overload
def AssignAdd(ref: ArrayLike, value: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def AssignAdd(ref: ArrayLike, value: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def AssignSub(ref: Expression, value: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The value that a variable has after `value`, of the same shape, was subtracted. No gradient passes."""

@overload
def AssignSub(ref: ArrayLike, value: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def AssignSub(ref: ArrayLike, value: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Atan(x: Expression, /, *, name: str | None=None) -> Expression:
    """The angle in radians whose tangent is x, between -π/2 and π/2, which infinities reach."""

@overload
def Atan(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Atan2(x: Expression, y: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The angle in radians, from -π to π, of the point at height x (the first input) and width y."""

@overload
def Atan2(x: ArrayLike, y: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def Atan2(x: ArrayLike, y: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Atanh(x: Expression, /, *, name: str | None=None) -> Expression:
    """The number whose hyperbolic tangent is x: infinite at -1 and 1, and NaN outside."""

@overload
def Atanh(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def AvgPool1D(input: Expression, /, *, ksize: builtins.int | Sequence[builtins.int], strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'], data_format: Literal['NWC', 'NCW']='NWC', name: str | None=None) -> Expression:
    """The mean of each window along the columns of (batch, columns, channels); the border does not count."""

@overload
def AvgPool1D(input: ArrayLike, /, *, ksize: builtins.int | Sequence[builtins.int], strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'], data_format: Literal['NWC', 'NCW']='NWC', name: str | None=None) -> Array:
    ...

@overload
def AvgPool2D(input: Expression, /, *, ksize: builtins.int | Sequence[builtins.int], strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'], data_format: Literal['NHWC', 'NCHW']='NHWC', name: str | None=None) -> Expression:
    """The mean of each window over rows and columns of (batch, rows, columns, channels); the border does not count."""

@overload
def AvgPool2D(input: ArrayLike, /, *, ksize: builtins.int | Sequence[builtins.int], strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'], data_format: Literal['NHWC', 'NCHW']='NHWC', name: str | None=None) -> Array:
    ...

@overload
def AvgPool3D(input: Expression, /, *, ksize: builtins.int | Sequence[builtins.int], strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'], data_format: Literal['NDHWC', 'NCDHW']='NDHWC', name: str | None=None) -> Expression:
    """The mean of each window of (batch, planes, rows, columns, channels); the border does not count."""

@overload
def AvgPool3D(input: ArrayLike, /, *, ksize: builtins.int | Sequence[builtins.int], strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'], data_format: Literal['NDHWC', 'NCDHW']='NDHWC', name: str | None=None) -> Array:
    ...

@overload
def BatchJacobian(y: Expression, /, *xs: Expression | ArrayLike, stop_gradients: Sequence[str]=(), name: str | None=None) -> tuple[Expression, ...]:
    """The Jacobian of each example of a batch, along the first axis: y of an example by the tensors of that example."""

@overload
def BatchJacobian(y: ArrayLike, /, *xs: ArrayLike, stop_gradients: Sequence[str]=(), name: str | None=None) -> tuple[Array, ...]:
    ...

@overload
def BatchNormalization(x: Expression, mean: Expression | ArrayLike, variance: Expression | ArrayLike, offset: Expression | ArrayLike | None=None, scale: Expression | ArrayLike | None=None, /, *, variance_epsilon: builtins.float=0.001, name: str | None=None) -> Expression:
    """The input less the mean, over the standard deviation; scaled and moved if scale and offset are connected."""

@overload
def BatchNormalization(x: ArrayLike, mean: Expression, variance: Expression | ArrayLike, offset: Expression | ArrayLike | None=None, scale: Expression | ArrayLike | None=None, /, *, variance_epsilon: builtins.float=0.001, name: str | None=None) -> Expression:
    ...

@overload
def BatchNormalization(x: ArrayLike, mean: ArrayLike, variance: Expression, offset: Expression | ArrayLike | None=None, scale: Expression | ArrayLike | None=None, /, *, variance_epsilon: builtins.float=0.001, name: str | None=None) -> Expression:
    ...

@overload
def BatchNormalization(x: ArrayLike, mean: ArrayLike, variance: ArrayLike, offset: Expression, scale: Expression | ArrayLike | None=None, /, *, variance_epsilon: builtins.float=0.001, name: str | None=None) -> Expression:
    ...

@overload
def BatchNormalization(x: ArrayLike, mean: ArrayLike, variance: ArrayLike, offset: ArrayLike | None, scale: Expression, /, *, variance_epsilon: builtins.float=0.001, name: str | None=None) -> Expression:
    ...

@overload
def BatchNormalization(x: ArrayLike, mean: ArrayLike, variance: ArrayLike, offset: ArrayLike | None=None, scale: ArrayLike | None=None, /, *, variance_epsilon: builtins.float=0.001, name: str | None=None) -> Array:
    ...

@overload
def BatchToSpace(x: Expression, /, *, block_shape: Sequence[builtins.int], crops: Sequence[Sequence[builtins.int]], name: str | None=None) -> Expression:
    """Images laid out as the pixels of blocks, and then cropped: it undoes SpaceToBatch."""

@overload
def BatchToSpace(x: ArrayLike, /, *, block_shape: Sequence[builtins.int], crops: Sequence[Sequence[builtins.int]], name: str | None=None) -> Array:
    ...

@overload
def BesselI0e(x: Expression, /, *, name: str | None=None) -> Expression:
    """The modified Bessel function of order 0, scaled so that it never overflows; the gradient at 0 is 0."""

@overload
def BesselI0e(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def BesselI1e(x: Expression, /, *, name: str | None=None) -> Expression:
    """The modified Bessel function of order 1, scaled so that it never overflows; the gradient at 0 is one half."""

@overload
def BesselI1e(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Betainc(a: Expression, b: Expression | ArrayLike, x: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The probability of a beta variable below x: the regularized incomplete beta function."""

@overload
def Betainc(a: ArrayLike, b: Expression, x: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    ...

@overload
def Betainc(a: ArrayLike, b: ArrayLike, x: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def Betainc(a: ArrayLike, b: ArrayLike, x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def BiasAdd(value: Expression, bias: Expression | ArrayLike, /, *, data_format: Literal['NHWC', 'NCHW', 'N...C', 'NC...']='NHWC', name: str | None=None) -> Expression:
    """A vector added to the channels of a tensor: the last axis, or the second with `data_format` NCHW or NC...."""

@overload
def BiasAdd(value: ArrayLike, bias: Expression, /, *, data_format: Literal['NHWC', 'NCHW', 'N...C', 'NC...']='NHWC', name: str | None=None) -> Expression:
    ...

@overload
def BiasAdd(value: ArrayLike, bias: ArrayLike, /, *, data_format: Literal['NHWC', 'NCHW', 'N...C', 'NC...']='NHWC', name: str | None=None) -> Array:
    ...

@overload
def Bincount(x: Expression, weights: Expression | ArrayLike | None=None, /, *, minlength: builtins.int | None=None, maxlength: builtins.int | None=None, dtype: Literal['int32', 'int64', 'float32', 'float64']='int32', axis: builtins.int | None=None, binary_output: builtins.bool=False, name: str | None=None) -> Expression:
    """The count of each of the numbers 0, 1, 2 ... in x, or the sum of the weights at its places."""

@overload
def Bincount(x: ArrayLike, weights: Expression, /, *, minlength: builtins.int | None=None, maxlength: builtins.int | None=None, dtype: Literal['int32', 'int64', 'float32', 'float64']='int32', axis: builtins.int | None=None, binary_output: builtins.bool=False, name: str | None=None) -> Expression:
    ...

@overload
def Bincount(x: ArrayLike, weights: ArrayLike | None=None, /, *, minlength: builtins.int | None=None, maxlength: builtins.int | None=None, dtype: Literal['int32', 'int64', 'float32', 'float64']='int32', axis: builtins.int | None=None, binary_output: builtins.bool=False, name: str | None=None) -> Array:
    ...

@overload
def BooleanMask(tensor: Expression, mask: Expression | ArrayLike, /, *, axis: builtins.int | None=None, name: str | None=None) -> Expression:
    """The slices of the tensor for which the mask is true, one after another."""

@overload
def BooleanMask(tensor: ArrayLike, mask: Expression, /, *, axis: builtins.int | None=None, name: str | None=None) -> Expression:
    ...

@overload
def BooleanMask(tensor: ArrayLike, mask: ArrayLike, /, *, axis: builtins.int | None=None, name: str | None=None) -> Array:
    ...

@overload
def BroadcastTo(x: Expression, /, *, shape: Sequence[builtins.int], name: str | None=None) -> Expression:
    """The tensor repeated along new axes and axes of size 1 until it has this shape."""

@overload
def BroadcastTo(x: ArrayLike, /, *, shape: Sequence[builtins.int], name: str | None=None) -> Array:
    ...

@overload
def Bucketize(x: Expression, /, *, boundaries: Sequence[builtins.float], name: str | None=None) -> Expression:
    """The number of the bucket in which each element lies: how many boundaries are not above it."""

@overload
def Bucketize(x: ArrayLike, /, *, boundaries: Sequence[builtins.float], name: str | None=None) -> Array:
    ...

@overload
def Cast(x: Expression, /, *, dtype: Literal['float16', 'float32', 'float64', 'int8', 'int16', 'int32', 'int64', 'uint8', 'bool'], name: str | None=None) -> Expression:
    """The same values in another dtype. Floating point becomes integer by dropping the fraction."""

@overload
def Cast(x: ArrayLike, /, *, dtype: Literal['float16', 'float32', 'float64', 'int8', 'int16', 'int32', 'int64', 'uint8', 'bool'], name: str | None=None) -> Array:
    ...

@overload
def Cbrt(x: Expression, /, *, name: str | None=None) -> Expression:
    """The cube root, which a negative number has too."""

@overload
def Cbrt(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Ceil(x: Expression, /, *, name: str | None=None) -> Expression:
    """The least whole number that is not below x; NaN and infinities stay as they are. No gradient passes."""

@overload
def Ceil(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Chart(x: Expression, /, *, scale: Literal['linear', 'log']='log', show: Literal['value', 'gradient']='value', name: str | None=None) -> tuple[()]:
    """A curve of x over the rounds of a training; of a tensor with several elements, its norm."""

@overload
def Chart(x: ArrayLike, /, *, scale: Literal['linear', 'log']='log', show: Literal['value', 'gradient']='value', name: str | None=None) -> tuple[()]:
    ...

@overload
def CheckNumerics(x: Expression, /, *, message: str, name: str | None=None) -> Expression:
    """The input, unchanged; NaN or infinity in it, or in the incoming gradient, is an error with this message."""

@overload
def CheckNumerics(x: ArrayLike, /, *, message: str, name: str | None=None) -> Array:
    ...

@overload
def Cholesky(x: Expression, /, *, name: str | None=None) -> Expression:
    """The lower triangular factor of each symmetric positive definite matrix: times its own transpose it gives x."""

@overload
def Cholesky(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def ClipByGlobalNorm(values_0: Expression, /, *values: Expression | ArrayLike, clip_norm: builtins.float, name: str | None=None) -> tuple[Expression, ...]:
    """The tensors, all shortened by one factor if their common length is above `clip_norm`; last, that length."""

@overload
def ClipByGlobalNorm(values_0: ArrayLike, values_1: Expression, /, *values: Expression | ArrayLike, clip_norm: builtins.float, name: str | None=None) -> tuple[Expression, ...]:
    ...

@overload
def ClipByGlobalNorm(*values: ArrayLike, clip_norm: builtins.float, name: str | None=None) -> tuple[Array, ...]:
    ...

@overload
def ClipByNorm(x: Expression, /, *, clip_norm: builtins.float, axes: builtins.int | Sequence[builtins.int] | None=None, name: str | None=None) -> Expression:
    """The tensor, shortened to the Euclidean length `clip_norm` if it is longer; with `axes`, each vector along them."""

@overload
def ClipByNorm(x: ArrayLike, /, *, clip_norm: builtins.float, axes: builtins.int | Sequence[builtins.int] | None=None, name: str | None=None) -> Array:
    ...

@overload
def ClipByValue(x: Expression, clip_min: Expression | ArrayLike, clip_max: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """Each element of x, moved to the nearer bound if it lies outside; the bounds may be smaller tensors than x."""

@overload
def ClipByValue(x: ArrayLike, clip_min: Expression, clip_max: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    ...

@overload
def ClipByValue(x: ArrayLike, clip_min: ArrayLike, clip_max: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def ClipByValue(x: ArrayLike, clip_min: ArrayLike, clip_max: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Concat(values_0: Expression, /, *values: Expression | ArrayLike, axis: builtins.int, name: str | None=None) -> Expression:
    """Tensors one after another along an axis; all other sizes must agree."""

@overload
def Concat(values_0: ArrayLike, values_1: Expression, /, *values: Expression | ArrayLike, axis: builtins.int, name: str | None=None) -> Expression:
    ...

@overload
def Concat(*values: ArrayLike, axis: builtins.int, name: str | None=None) -> Array:
    ...

@overload
def ConfusionMatrix(labels: Expression, predictions: Expression | ArrayLike, /, *, num_classes: builtins.int | None=None, dtype: Literal['int32', 'int64', 'float32', 'float64']='int32', threshold: builtins.float=0.5, name: str | None=None) -> Expression:
    """Number of rows for each pair of classes: that of the label down, the predicted one across."""

@overload
def ConfusionMatrix(labels: ArrayLike, predictions: Expression, /, *, num_classes: builtins.int | None=None, dtype: Literal['int32', 'int64', 'float32', 'float64']='int32', threshold: builtins.float=0.5, name: str | None=None) -> Expression:
    ...

@overload
def ConfusionMatrix(labels: ArrayLike, predictions: ArrayLike, /, *, num_classes: builtins.int | None=None, dtype: Literal['int32', 'int64', 'float32', 'float64']='int32', threshold: builtins.float=0.5, name: str | None=None) -> Array:
    ...

@overload
def Conv1D(input: Expression, filters: Expression | ArrayLike, /, *, stride: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'], data_format: Literal['NWC', 'NCW']='NWC', dilations: builtins.int | Sequence[builtins.int] | None=None, name: str | None=None) -> Expression:
    """Sequences (batch, columns, channels) correlated with filters (columns, channels in, channels out)."""

@overload
def Conv1D(input: ArrayLike, filters: Expression, /, *, stride: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'], data_format: Literal['NWC', 'NCW']='NWC', dilations: builtins.int | Sequence[builtins.int] | None=None, name: str | None=None) -> Expression:
    ...

@overload
def Conv1D(input: ArrayLike, filters: ArrayLike, /, *, stride: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'], data_format: Literal['NWC', 'NCW']='NWC', dilations: builtins.int | Sequence[builtins.int] | None=None, name: str | None=None) -> Array:
    ...

@overload
def Conv2D(input: Expression, filters: Expression | ArrayLike, /, *, strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'] | Sequence[Sequence[builtins.int]], data_format: Literal['NHWC', 'NCHW']='NHWC', dilations: builtins.int | Sequence[builtins.int] | None=None, name: str | None=None) -> Expression:
    """Images (batch, rows, columns, channels) correlated with filters (rows, columns, channels in, channels out)."""

@overload
def Conv2D(input: ArrayLike, filters: Expression, /, *, strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'] | Sequence[Sequence[builtins.int]], data_format: Literal['NHWC', 'NCHW']='NHWC', dilations: builtins.int | Sequence[builtins.int] | None=None, name: str | None=None) -> Expression:
    ...

@overload
def Conv2D(input: ArrayLike, filters: ArrayLike, /, *, strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'] | Sequence[Sequence[builtins.int]], data_format: Literal['NHWC', 'NCHW']='NHWC', dilations: builtins.int | Sequence[builtins.int] | None=None, name: str | None=None) -> Array:
    ...

@overload
def Conv2DTranspose(input: Expression, filters: Expression | ArrayLike, /, *, output_shape: Sequence[builtins.int], strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'] | Sequence[Sequence[builtins.int]]='SAME', data_format: Literal['NHWC', 'NCHW']='NHWC', dilations: builtins.int | Sequence[builtins.int] | None=None, name: str | None=None) -> Expression:
    """Each element spread over a window of the result: the gradient of Conv2D towards its image, as a block."""

@overload
def Conv2DTranspose(input: ArrayLike, filters: Expression, /, *, output_shape: Sequence[builtins.int], strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'] | Sequence[Sequence[builtins.int]]='SAME', data_format: Literal['NHWC', 'NCHW']='NHWC', dilations: builtins.int | Sequence[builtins.int] | None=None, name: str | None=None) -> Expression:
    ...

@overload
def Conv2DTranspose(input: ArrayLike, filters: ArrayLike, /, *, output_shape: Sequence[builtins.int], strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'] | Sequence[Sequence[builtins.int]]='SAME', data_format: Literal['NHWC', 'NCHW']='NHWC', dilations: builtins.int | Sequence[builtins.int] | None=None, name: str | None=None) -> Array:
    ...

@overload
def Conv3D(input: Expression, filters: Expression | ArrayLike, /, *, strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'], data_format: Literal['NDHWC', 'NCDHW']='NDHWC', dilations: builtins.int | Sequence[builtins.int] | None=None, name: str | None=None) -> Expression:
    """Volumes (batch, planes, rows, columns, channels) correlated with filters (planes, rows, columns, in, out)."""

@overload
def Conv3D(input: ArrayLike, filters: Expression, /, *, strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'], data_format: Literal['NDHWC', 'NCDHW']='NDHWC', dilations: builtins.int | Sequence[builtins.int] | None=None, name: str | None=None) -> Expression:
    ...

@overload
def Conv3D(input: ArrayLike, filters: ArrayLike, /, *, strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'], data_format: Literal['NDHWC', 'NCDHW']='NDHWC', dilations: builtins.int | Sequence[builtins.int] | None=None, name: str | None=None) -> Array:
    ...

@overload
def Cos(x: Expression, /, *, name: str | None=None) -> Expression:
    """The cosine of an angle in radians; NaN at infinity."""

@overload
def Cos(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Cosh(x: Expression, /, *, name: str | None=None) -> Expression:
    """The hyperbolic cosine, at least 1. It overflows to infinity on both sides, where the gradient is infinite too."""

@overload
def Cosh(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def CosineSimilarity(y_true: Expression, y_pred: Expression | ArrayLike, /, *, axis: builtins.int=-1, name: str | None=None) -> Expression:
    """The cosine of the angle between two vectors along `axis`: 1 if they point in the same direction."""

@overload
def CosineSimilarity(y_true: ArrayLike, y_pred: Expression, /, *, axis: builtins.int=-1, name: str | None=None) -> Expression:
    ...

@overload
def CosineSimilarity(y_true: ArrayLike, y_pred: ArrayLike, /, *, axis: builtins.int=-1, name: str | None=None) -> Array:
    ...

@overload
def CountNonzero(x: Expression, /, *, axis: builtins.int | Sequence[builtins.int] | None=None, keepdims: builtins.bool=False, dtype: Literal['float16', 'float32', 'float64', 'int8', 'int16', 'int32', 'int64', 'uint8', 'bool']='int64', name: str | None=None) -> Expression:
    """The number of elements along `axis` that are not zero; NaN is not, minus zero is. No gradient passes."""

@overload
def CountNonzero(x: ArrayLike, /, *, axis: builtins.int | Sequence[builtins.int] | None=None, keepdims: builtins.bool=False, dtype: Literal['float16', 'float32', 'float64', 'int8', 'int16', 'int32', 'int64', 'uint8', 'bool']='int64', name: str | None=None) -> Array:
    ...

@overload
def Crelu(x: Expression, /, *, axis: builtins.int=-1, name: str | None=None) -> Expression:
    """The positive part and, after it along `axis`, that of the opposite; both have the gradient 0 at 0."""

@overload
def Crelu(x: ArrayLike, /, *, axis: builtins.int=-1, name: str | None=None) -> Array:
    ...

@overload
def CropAndResize(image: Expression, boxes: Expression | ArrayLike, box_indices: Expression | ArrayLike, /, *, crop_size: Sequence[builtins.int], method: Literal['bilinear', 'nearest']='bilinear', extrapolation_value: builtins.float=0.0, name: str | None=None) -> Expression:
    """Boxes cut out of a batch of images and brought to one size; `box_indices` says which image each box is cut from."""

@overload
def CropAndResize(image: ArrayLike, boxes: Expression, box_indices: Expression | ArrayLike, /, *, crop_size: Sequence[builtins.int], method: Literal['bilinear', 'nearest']='bilinear', extrapolation_value: builtins.float=0.0, name: str | None=None) -> Expression:
    ...

@overload
def CropAndResize(image: ArrayLike, boxes: ArrayLike, box_indices: Expression, /, *, crop_size: Sequence[builtins.int], method: Literal['bilinear', 'nearest']='bilinear', extrapolation_value: builtins.float=0.0, name: str | None=None) -> Expression:
    ...

@overload
def CropAndResize(image: ArrayLike, boxes: ArrayLike, box_indices: ArrayLike, /, *, crop_size: Sequence[builtins.int], method: Literal['bilinear', 'nearest']='bilinear', extrapolation_value: builtins.float=0.0, name: str | None=None) -> Array:
    ...

@overload
def Cross(a: Expression, b: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The cross product of vectors of three elements along the last axis: at right angles to both."""

@overload
def Cross(a: ArrayLike, b: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def Cross(a: ArrayLike, b: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Cumprod(x: Expression, /, *, axis: builtins.int=0, exclusive: builtins.bool=False, reverse: builtins.bool=False, name: str | None=None) -> Expression:
    """The running product along `axis`."""

@overload
def Cumprod(x: ArrayLike, /, *, axis: builtins.int=0, exclusive: builtins.bool=False, reverse: builtins.bool=False, name: str | None=None) -> Array:
    ...

@overload
def Cumsum(x: Expression, /, *, axis: builtins.int=0, exclusive: builtins.bool=False, reverse: builtins.bool=False, name: str | None=None) -> Expression:
    """The running sum along `axis`."""

@overload
def Cumsum(x: ArrayLike, /, *, axis: builtins.int=0, exclusive: builtins.bool=False, reverse: builtins.bool=False, name: str | None=None) -> Array:
    ...

@overload
def CumulativeLogsumexp(x: Expression, /, *, axis: builtins.int=0, exclusive: builtins.bool=False, reverse: builtins.bool=False, name: str | None=None) -> Expression:
    """The logarithm of the running sum of exponentials along `axis`, without overflow."""

@overload
def CumulativeLogsumexp(x: ArrayLike, /, *, axis: builtins.int=0, exclusive: builtins.bool=False, reverse: builtins.bool=False, name: str | None=None) -> Array:
    ...

@overload
def DepthToSpace(x: Expression, /, *, block_size: builtins.int, name: str | None=None) -> Expression:
    """The channels of every pixel laid out as a block of `block_size` by `block_size` pixels; images are NHWC."""

@overload
def DepthToSpace(x: ArrayLike, /, *, block_size: builtins.int, name: str | None=None) -> Array:
    ...

@overload
def DepthwiseConv2D(input: Expression, filter: Expression | ArrayLike, /, *, strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'] | Sequence[Sequence[builtins.int]], data_format: Literal['NHWC', 'NCHW'] | None=None, dilations: builtins.int | Sequence[builtins.int] | None=None, name: str | None=None) -> Expression:
    """Each channel correlated with filters of its own (rows, columns, channels, multiples): the result has all of them."""

@overload
def DepthwiseConv2D(input: ArrayLike, filter: Expression, /, *, strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'] | Sequence[Sequence[builtins.int]], data_format: Literal['NHWC', 'NCHW'] | None=None, dilations: builtins.int | Sequence[builtins.int] | None=None, name: str | None=None) -> Expression:
    ...

@overload
def DepthwiseConv2D(input: ArrayLike, filter: ArrayLike, /, *, strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'] | Sequence[Sequence[builtins.int]], data_format: Literal['NHWC', 'NCHW'] | None=None, dilations: builtins.int | Sequence[builtins.int] | None=None, name: str | None=None) -> Array:
    ...

@overload
def Digamma(x: Expression, /, *, name: str | None=None) -> Expression:
    """The derivative of Lgamma."""

@overload
def Digamma(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Dilation2D(input: Expression, filters: Expression | ArrayLike, /, *, strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'], data_format: Literal['NHWC']='NHWC', dilations: builtins.int | Sequence[builtins.int], name: str | None=None) -> Expression:
    """The largest sum of image and filter (rows, columns, channels) in each window of each channel."""

@overload
def Dilation2D(input: ArrayLike, filters: Expression, /, *, strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'], data_format: Literal['NHWC']='NHWC', dilations: builtins.int | Sequence[builtins.int], name: str | None=None) -> Expression:
    ...

@overload
def Dilation2D(input: ArrayLike, filters: ArrayLike, /, *, strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'], data_format: Literal['NHWC']='NHWC', dilations: builtins.int | Sequence[builtins.int], name: str | None=None) -> Array:
    ...

@overload
def DivNoNan(x: Expression, y: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The quotient of two tensors, but 0 wherever y is 0, even if x is infinite or NaN there; so are both gradients."""

@overload
def DivNoNan(x: ArrayLike, y: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def DivNoNan(x: ArrayLike, y: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Divide(x: Expression, y: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The quotient of two tensors; integers give float64."""

@overload
def Divide(x: ArrayLike, y: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def Divide(x: ArrayLike, y: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Dropout(x: Expression, /, *, rate: builtins.float=0.5, seed: builtins.int=0, every: Literal['run', 'step']='step', name: str | None=None) -> Expression:
    """Each element with the probability `rate` becomes 0; what is kept is scaled up by 1 / (1 - rate)."""

@overload
def Dropout(x: ArrayLike, /, *, rate: builtins.float=0.5, seed: builtins.int=0, every: Literal['run', 'step']='step', name: str | None=None) -> Array:
    ...

@overload
def DropoutWithMask(x: Expression, mask: Expression | ArrayLike, /, *, rate: builtins.float, name: str | None=None) -> Expression:
    """Dropout whose mask is given: what is kept is scaled up by 1 / (1 - rate), the rest is 0."""

@overload
def DropoutWithMask(x: ArrayLike, mask: Expression, /, *, rate: builtins.float, name: str | None=None) -> Expression:
    ...

@overload
def DropoutWithMask(x: ArrayLike, mask: ArrayLike, /, *, rate: builtins.float, name: str | None=None) -> Array:
    ...

@overload
def DynamicPartition(data: Expression, partitions: Expression | ArrayLike, /, *, num_partitions: builtins.int, name: str | None=None) -> tuple[Expression, ...]:
    """The rows of the data sorted into parts: `partitions` names the part of each row, from 0 to `num_partitions` - 1."""

@overload
def DynamicPartition(data: ArrayLike, partitions: Expression, /, *, num_partitions: builtins.int, name: str | None=None) -> tuple[Expression, ...]:
    ...

@overload
def DynamicPartition(data: ArrayLike, partitions: ArrayLike, /, *, num_partitions: builtins.int, name: str | None=None) -> tuple[Array, ...]:
    ...

@overload
def DynamicStitch(values_0: Expression, /, *values: Expression | ArrayLike, name: str | None=None) -> Expression:
    """Rows put together from several tensors: the first half of the inputs are indices, the second half the data."""

@overload
def DynamicStitch(values_0: ArrayLike, values_1: Expression, /, *values: Expression | ArrayLike, name: str | None=None) -> Expression:
    ...

@overload
def DynamicStitch(*values: ArrayLike, name: str | None=None) -> Array:
    ...

@overload
def Einsum(values_0: Expression, /, *values: Expression | ArrayLike, equation: str, name: str | None=None) -> Expression:
    """Products of the operands' elements, summed over the letters that the output does not name: `ij,jk->ik`."""

@overload
def Einsum(values_0: ArrayLike, values_1: Expression, /, *values: Expression | ArrayLike, equation: str, name: str | None=None) -> Expression:
    ...

@overload
def Einsum(*values: ArrayLike, equation: str, name: str | None=None) -> Array:
    ...

@overload
def Elu(x: Expression, /, *, name: str | None=None) -> Expression:
    """The exponential linear unit; its gradient is 1 at 0, and where the input is NaN."""

@overload
def Elu(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def EmbeddingLookup(params: Expression, ids: Expression | ArrayLike, /, *, max_norm: builtins.float | None=None, name: str | None=None) -> Expression:
    """The rows of a table that the ids name; rows longer than `max_norm`, if it is given, are shortened to it."""

@overload
def EmbeddingLookup(params: ArrayLike, ids: Expression, /, *, max_norm: builtins.float | None=None, name: str | None=None) -> Expression:
    ...

@overload
def EmbeddingLookup(params: ArrayLike, ids: ArrayLike, /, *, max_norm: builtins.float | None=None, name: str | None=None) -> Array:
    ...

@overload
def Equal(x: Expression, y: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The truth of x = y for each pair of elements; NaN equals nothing, not even itself."""

@overload
def Equal(x: ArrayLike, y: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def Equal(x: ArrayLike, y: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Erf(x: Expression, /, *, name: str | None=None) -> Expression:
    """The error function: how likely a normal variable of variance 1/2 lies between -x and x."""

@overload
def Erf(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Erfc(x: Expression, /, *, name: str | None=None) -> Expression:
    """One minus the error function, with all its digits also far to the right, where Erf is 1."""

@overload
def Erfc(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Erfinv(x: Expression, /, *, name: str | None=None) -> Expression:
    """The number whose error function is x; infinite at 1 and -1, and so is the gradient, NaN beyond them."""

@overload
def Erfinv(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Exp(x: Expression, /, *, name: str | None=None) -> Expression:
    """The exponential function."""

@overload
def Exp(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def ExpandDims(x: Expression, /, *, axis: builtins.int, name: str | None=None) -> Expression:
    """The same elements with a new axis of size 1 before `axis`; -1 puts it last."""

@overload
def ExpandDims(x: ArrayLike, /, *, axis: builtins.int, name: str | None=None) -> Array:
    ...

@overload
def Expm1(x: Expression, /, *, name: str | None=None) -> Expression:
    """The exponential function minus 1, exact also where x is so small that its exponential would round to 1."""

@overload
def Expm1(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def ExtractPatches(images: Expression, /, *, sizes: Sequence[builtins.int], strides: Sequence[builtins.int], rates: Sequence[builtins.int], padding: Literal['SAME', 'VALID'] | Sequence[Sequence[builtins.int]], name: str | None=None) -> Expression:
    """The pixels of every window over images (batch, rows, columns, channels) as the channels of one pixel."""

@overload
def ExtractPatches(images: ArrayLike, /, *, sizes: Sequence[builtins.int], strides: Sequence[builtins.int], rates: Sequence[builtins.int], padding: Literal['SAME', 'VALID'] | Sequence[Sequence[builtins.int]], name: str | None=None) -> Array:
    ...

def Eye(*, num_rows: builtins.int, num_columns: builtins.int | None=None, batch_shape: Sequence[builtins.int] | None=None, dtype: Literal['float16', 'float32', 'float64', 'int8', 'int16', 'int32', 'int64', 'uint8', 'bool']='float32', name: str | None=None) -> Expression:
    """Ones on the diagonal and zeros elsewhere, square without `num_columns`; `batch_shape` gives many of them."""

@overload
def Fill(value: Expression, /, *, dims: Sequence[builtins.int], name: str | None=None) -> Expression:
    """A tensor of this shape with a scalar in every place; the scalar receives the sum of all gradients."""

@overload
def Fill(value: ArrayLike, /, *, dims: Sequence[builtins.int], name: str | None=None) -> Array:
    ...

@overload
def FlipLeftRight(images: Expression, /, *, name: str | None=None) -> Expression:
    """Images mirrored, so that left becomes right. Channels are the last axis."""

@overload
def FlipLeftRight(images: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Floor(x: Expression, /, *, name: str | None=None) -> Expression:
    """The greatest whole number that is not above x; NaN and infinities stay as they are. No gradient passes."""

@overload
def Floor(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def FloorDiv(x: Expression, y: Expression | ArrayLike, /, *, exact: builtins.bool=False, name: str | None=None) -> Expression:
    """The quotient rounded down. An integer cannot be divided by zero; no gradient passes."""

@overload
def FloorDiv(x: ArrayLike, y: Expression, /, *, exact: builtins.bool=False, name: str | None=None) -> Expression:
    ...

@overload
def FloorDiv(x: ArrayLike, y: ArrayLike, /, *, exact: builtins.bool=False, name: str | None=None) -> Array:
    ...

@overload
def FloorMod(x: Expression, y: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The remainder of x after taking out y as often as it fits, exactly; it has the sign of y."""

@overload
def FloorMod(x: ArrayLike, y: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def FloorMod(x: ArrayLike, y: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def FusedBatchNorm(x: Expression, scale: Expression | ArrayLike, offset: Expression | ArrayLike, mean: Expression | ArrayLike | None=None, variance: Expression | ArrayLike | None=None, /, *, epsilon: builtins.float=0.001, data_format: Literal['NHWC', 'NCHW', 'NDHWC', 'NCDHW']='NHWC', is_training: builtins.bool=True, exponential_avg_factor: builtins.float=1.0, name: str | None=None) -> tuple[Expression, Expression, Expression]:
    """Batch normalization of images, channel by channel: in training by the batch, else by a given mean and variance."""

@overload
def FusedBatchNorm(x: ArrayLike, scale: Expression, offset: Expression | ArrayLike, mean: Expression | ArrayLike | None=None, variance: Expression | ArrayLike | None=None, /, *, epsilon: builtins.float=0.001, data_format: Literal['NHWC', 'NCHW', 'NDHWC', 'NCDHW']='NHWC', is_training: builtins.bool=True, exponential_avg_factor: builtins.float=1.0, name: str | None=None) -> tuple[Expression, Expression, Expression]:
    ...

@overload
def FusedBatchNorm(x: ArrayLike, scale: ArrayLike, offset: Expression, mean: Expression | ArrayLike | None=None, variance: Expression | ArrayLike | None=None, /, *, epsilon: builtins.float=0.001, data_format: Literal['NHWC', 'NCHW', 'NDHWC', 'NCDHW']='NHWC', is_training: builtins.bool=True, exponential_avg_factor: builtins.float=1.0, name: str | None=None) -> tuple[Expression, Expression, Expression]:
    ...

@overload
def FusedBatchNorm(x: ArrayLike, scale: ArrayLike, offset: ArrayLike, mean: Expression, variance: Expression | ArrayLike | None=None, /, *, epsilon: builtins.float=0.001, data_format: Literal['NHWC', 'NCHW', 'NDHWC', 'NCDHW']='NHWC', is_training: builtins.bool=True, exponential_avg_factor: builtins.float=1.0, name: str | None=None) -> tuple[Expression, Expression, Expression]:
    ...

@overload
def FusedBatchNorm(x: ArrayLike, scale: ArrayLike, offset: ArrayLike, mean: ArrayLike | None, variance: Expression, /, *, epsilon: builtins.float=0.001, data_format: Literal['NHWC', 'NCHW', 'NDHWC', 'NCDHW']='NHWC', is_training: builtins.bool=True, exponential_avg_factor: builtins.float=1.0, name: str | None=None) -> tuple[Expression, Expression, Expression]:
    ...

@overload
def FusedBatchNorm(x: ArrayLike, scale: ArrayLike, offset: ArrayLike, mean: ArrayLike | None=None, variance: ArrayLike | None=None, /, *, epsilon: builtins.float=0.001, data_format: Literal['NHWC', 'NCHW', 'NDHWC', 'NCDHW']='NHWC', is_training: builtins.bool=True, exponential_avg_factor: builtins.float=1.0, name: str | None=None) -> tuple[Array, Array, Array]:
    ...

@overload
def Gather(params: Expression, indices: Expression | ArrayLike, /, *, axis: builtins.int | None=None, batch_dims: builtins.int=0, name: str | None=None) -> Expression:
    """The slices of `params` that the indices name, along an axis. An index out of range is an error."""

@overload
def Gather(params: ArrayLike, indices: Expression, /, *, axis: builtins.int | None=None, batch_dims: builtins.int=0, name: str | None=None) -> Expression:
    ...

@overload
def Gather(params: ArrayLike, indices: ArrayLike, /, *, axis: builtins.int | None=None, batch_dims: builtins.int=0, name: str | None=None) -> Array:
    ...

@overload
def GatherNd(params: Expression, indices: Expression | ArrayLike, /, *, batch_dims: builtins.int=0, name: str | None=None) -> Expression:
    """The elements or slices of `params` that index vectors name: the last axis of the indices holds the vectors."""

@overload
def GatherNd(params: ArrayLike, indices: Expression, /, *, batch_dims: builtins.int=0, name: str | None=None) -> Expression:
    ...

@overload
def GatherNd(params: ArrayLike, indices: ArrayLike, /, *, batch_dims: builtins.int=0, name: str | None=None) -> Array:
    ...

@overload
def Gelu(x: Expression, /, *, approximate: builtins.bool=False, name: str | None=None) -> Expression:
    """The input times the normal distribution function of it; `approximate` replaces that by a hyperbolic tangent."""

@overload
def Gelu(x: ArrayLike, /, *, approximate: builtins.bool=False, name: str | None=None) -> Array:
    ...

@overload
def Gradients(y: Expression, /, *xs: Expression | ArrayLike, stop_gradients: Sequence[str]=(), name: str | None=None) -> tuple[Expression, ...]:
    """The derivative of the sum of y by each of the tensors, as values to build on."""

@overload
def Gradients(y: ArrayLike, /, *xs: ArrayLike, stop_gradients: Sequence[str]=(), name: str | None=None) -> tuple[Array, ...]:
    ...

@overload
def Greater(x: Expression, y: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """Comparison of two elements: true where x is greater than y, false where either is NaN."""

@overload
def Greater(x: ArrayLike, y: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def Greater(x: ArrayLike, y: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def GreaterEqual(x: Expression, y: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """Comparison of two elements: true where x is at least y, false where either is NaN."""

@overload
def GreaterEqual(x: ArrayLike, y: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def GreaterEqual(x: ArrayLike, y: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def HSVToRGB(images: Expression, /, *, name: str | None=None) -> Expression:
    """Colours from hue, saturation and value, all from 0 to 1, to red, green and blue."""

@overload
def HSVToRGB(images: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Hessian(y: Expression, /, *xs: Expression | ArrayLike, stop_gradients: Sequence[str]=(), name: str | None=None) -> tuple[Expression, ...]:
    """The second derivatives of the sum of y by the elements of each tensor: the shape of the tensor, twice."""

@overload
def Hessian(y: ArrayLike, /, *xs: ArrayLike, stop_gradients: Sequence[str]=(), name: str | None=None) -> tuple[Array, ...]:
    ...

@overload
def Hinge(y_true: Expression, y_pred: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The distance of predictions from the right side of the margin, averaged over the last axis; labels are -1 and 1."""

@overload
def Hinge(y_true: ArrayLike, y_pred: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def Hinge(y_true: ArrayLike, y_pred: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Huber(y_true: Expression, y_pred: Expression | ArrayLike, /, *, delta: builtins.float=1.0, name: str | None=None) -> Expression:
    """Squared error up to `delta`, absolute error beyond, averaged over the last axis; no kink at `delta`."""

@overload
def Huber(y_true: ArrayLike, y_pred: Expression, /, *, delta: builtins.float=1.0, name: str | None=None) -> Expression:
    ...

@overload
def Huber(y_true: ArrayLike, y_pred: ArrayLike, /, *, delta: builtins.float=1.0, name: str | None=None) -> Array:
    ...

@overload
def Identity(x: Expression, /, *, name: str | None=None) -> Expression:
    """The input, unchanged; its gradient passes unchanged too."""

@overload
def Identity(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Igamma(x: Expression, y: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The probability of a gamma variable of shape x below y: the regularized lower incomplete gamma function."""

@overload
def Igamma(x: ArrayLike, y: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def Igamma(x: ArrayLike, y: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Igammac(x: Expression, y: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The probability of a gamma variable of shape x above y: one minus Igamma, with all its digits also far out."""

@overload
def Igammac(x: ArrayLike, y: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def Igammac(x: ArrayLike, y: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def InTopK(targets: Expression, predictions: Expression | ArrayLike, /, *, k: builtins.int, name: str | None=None) -> Expression:
    """A test of each row: its prediction for the target class is among the `k` largest."""

@overload
def InTopK(targets: ArrayLike, predictions: Expression, /, *, k: builtins.int, name: str | None=None) -> Expression:
    ...

@overload
def InTopK(targets: ArrayLike, predictions: ArrayLike, /, *, k: builtins.int, name: str | None=None) -> Array:
    ...

@overload
def InvertPermutation(x: Expression, /, *, name: str | None=None) -> Expression:
    """The inverse of a permutation of the whole numbers from 0 on: the place of each number in it."""

@overload
def InvertPermutation(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def IsFinite(x: Expression, /, *, name: str | None=None) -> Expression:
    """A test of each element for a number: neither infinite nor NaN."""

@overload
def IsFinite(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def IsInf(x: Expression, /, *, name: str | None=None) -> Expression:
    """A test of each element for infinity of either sign; false for NaN."""

@overload
def IsInf(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def IsNan(x: Expression, /, *, name: str | None=None) -> Expression:
    """A test of each element for NaN, the result of an undefined operation such as 0/0."""

@overload
def IsNan(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Jacobian(y: Expression, /, *xs: Expression | ArrayLike, stop_gradients: Sequence[str]=(), name: str | None=None) -> tuple[Expression, ...]:
    """The derivative of each element of y by each element of the tensors: the shape of y, then that of the tensor."""

@overload
def Jacobian(y: ArrayLike, /, *xs: ArrayLike, stop_gradients: Sequence[str]=(), name: str | None=None) -> tuple[Array, ...]:
    ...

@overload
def KLDivergence(y_true: Expression, y_pred: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The Kullback-Leibler divergence of predicted from true probabilities, summed over the last axis."""

@overload
def KLDivergence(y_true: ArrayLike, y_pred: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def KLDivergence(y_true: ArrayLike, y_pred: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def L2Loss(x: Expression, /, *, name: str | None=None) -> Expression:
    """Half the sum of squares, as for weight decay."""

@overload
def L2Loss(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def L2Normalize(x: Expression, /, *, axis: builtins.int | Sequence[builtins.int] | None=None, epsilon: builtins.float=1e-12, name: str | None=None) -> Expression:
    """The vector along `axis` at length 1."""

@overload
def L2Normalize(x: ArrayLike, /, *, axis: builtins.int | Sequence[builtins.int] | None=None, epsilon: builtins.float=1e-12, name: str | None=None) -> Array:
    ...

@overload
def LRN(input: Expression, /, *, depth_radius: builtins.int=5, bias: builtins.float=1.0, alpha: builtins.float=1.0, beta: builtins.float=0.5, name: str | None=None) -> Expression:
    """Each element over a power of the sum of squares of the channels around it, up to `depth_radius` away."""

@overload
def LRN(input: ArrayLike, /, *, depth_radius: builtins.int=5, bias: builtins.float=1.0, alpha: builtins.float=1.0, beta: builtins.float=0.5, name: str | None=None) -> Array:
    ...

@overload
def LayerNormalization(x: Expression, gamma: Expression | ArrayLike, beta: Expression | ArrayLike, /, *, axis: builtins.int | Sequence[builtins.int]=-1, epsilon: builtins.float=0.001, name: str | None=None) -> Expression:
    """Each example brought to mean 0 and variance 1 along `axis`, then scaled by gamma and moved by beta."""

@overload
def LayerNormalization(x: ArrayLike, gamma: Expression, beta: Expression | ArrayLike, /, *, axis: builtins.int | Sequence[builtins.int]=-1, epsilon: builtins.float=0.001, name: str | None=None) -> Expression:
    ...

@overload
def LayerNormalization(x: ArrayLike, gamma: ArrayLike, beta: Expression, /, *, axis: builtins.int | Sequence[builtins.int]=-1, epsilon: builtins.float=0.001, name: str | None=None) -> Expression:
    ...

@overload
def LayerNormalization(x: ArrayLike, gamma: ArrayLike, beta: ArrayLike, /, *, axis: builtins.int | Sequence[builtins.int]=-1, epsilon: builtins.float=0.001, name: str | None=None) -> Array:
    ...

@overload
def LeakyRelu(x: Expression, /, *, alpha: builtins.float=0.2, name: str | None=None) -> Expression:
    """The input where it is positive, else `alpha` times it; at 0 the gradient is that of the negative side."""

@overload
def LeakyRelu(x: ArrayLike, /, *, alpha: builtins.float=0.2, name: str | None=None) -> Array:
    ...

@overload
def Less(x: Expression, y: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """Comparison of two elements: true where x is less than y, false where either is NaN."""

@overload
def Less(x: ArrayLike, y: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def Less(x: ArrayLike, y: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def LessEqual(x: Expression, y: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """Comparison of two elements: true where x is at most y, false where either is NaN."""

@overload
def LessEqual(x: ArrayLike, y: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def LessEqual(x: ArrayLike, y: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Lgamma(x: Expression, /, *, name: str | None=None) -> Expression:
    """The logarithm of the gamma function's magnitude; for a whole number n it is that of (n - 1)!."""

@overload
def Lgamma(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def LinSpace(start: Expression, stop: Expression | ArrayLike, /, *, num: builtins.int, axis: builtins.int=0, name: str | None=None) -> Expression:
    """As many numbers at equal distances from `start` to `stop`, both included, along a new axis."""

@overload
def LinSpace(start: ArrayLike, stop: Expression, /, *, num: builtins.int, axis: builtins.int=0, name: str | None=None) -> Expression:
    ...

@overload
def LinSpace(start: ArrayLike, stop: ArrayLike, /, *, num: builtins.int, axis: builtins.int=0, name: str | None=None) -> Array:
    ...

@overload
def Log(x: Expression, /, *, name: str | None=None) -> Expression:
    """The natural logarithm."""

@overload
def Log(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Log1p(x: Expression, /, *, name: str | None=None) -> Expression:
    """The natural logarithm of 1 + x, exact also where 1 + x would round to 1."""

@overload
def Log1p(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def LogCosh(y_true: Expression, y_pred: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The logarithm of the hyperbolic cosine of the error, averaged over the last axis."""

@overload
def LogCosh(y_true: ArrayLike, y_pred: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def LogCosh(y_true: ArrayLike, y_pred: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def LogPoissonLoss(targets: Expression, log_input: Expression | ArrayLike, /, *, compute_full_loss: builtins.bool=False, name: str | None=None) -> Expression:
    """The negative logarithm of the Poisson probability of counts, from the logarithm of the expected count."""

@overload
def LogPoissonLoss(targets: ArrayLike, log_input: Expression, /, *, compute_full_loss: builtins.bool=False, name: str | None=None) -> Expression:
    ...

@overload
def LogPoissonLoss(targets: ArrayLike, log_input: ArrayLike, /, *, compute_full_loss: builtins.bool=False, name: str | None=None) -> Array:
    ...

@overload
def LogSigmoid(x: Expression, /, *, name: str | None=None) -> Expression:
    """The logarithm of the logistic function, exact also far out."""

@overload
def LogSigmoid(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def LogSoftmax(x: Expression, /, *, axis: builtins.int=-1, name: str | None=None) -> Expression:
    """The logarithm of Softmax, exact also where the softmax would round to 0."""

@overload
def LogSoftmax(x: ArrayLike, /, *, axis: builtins.int=-1, name: str | None=None) -> Array:
    ...

@overload
def LogicalAnd(x: Expression, y: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The truth of both inputs together: true if x and y are."""

@overload
def LogicalAnd(x: ArrayLike, y: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def LogicalAnd(x: ArrayLike, y: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def LogicalNot(x: Expression, /, *, name: str | None=None) -> Expression:
    """The opposite of the input: true where it is false."""

@overload
def LogicalNot(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def LogicalOr(x: Expression, y: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The truth of either input: true if x or y is, or both are."""

@overload
def LogicalOr(x: ArrayLike, y: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def LogicalOr(x: ArrayLike, y: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def LogicalXor(x: Expression, y: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The truth of exactly one input: true if x and y differ."""

@overload
def LogicalXor(x: ArrayLike, y: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def LogicalXor(x: ArrayLike, y: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Loss(x: Expression, weights: Expression | ArrayLike | None=None, /, *, reduction: Literal['sum', 'mean']='sum', name: str | None=None) -> Expression:
    """The number that is differentiated: the sum of the input, weighted if weights are connected."""

@overload
def Loss(x: ArrayLike, weights: Expression, /, *, reduction: Literal['sum', 'mean']='sum', name: str | None=None) -> Expression:
    ...

@overload
def Loss(x: ArrayLike, weights: ArrayLike | None=None, /, *, reduction: Literal['sum', 'mean']='sum', name: str | None=None) -> Array:
    ...

@overload
def MatMul(a: Expression, b: Expression | ArrayLike, /, *, transpose_a: builtins.bool=False, transpose_b: builtins.bool=False, name: str | None=None) -> Expression:
    """The product of matrices, either transposed first if asked; leading axes are batches and broadcast."""

@overload
def MatMul(a: ArrayLike, b: Expression, /, *, transpose_a: builtins.bool=False, transpose_b: builtins.bool=False, name: str | None=None) -> Expression:
    ...

@overload
def MatMul(a: ArrayLike, b: ArrayLike, /, *, transpose_a: builtins.bool=False, transpose_b: builtins.bool=False, name: str | None=None) -> Array:
    ...

@overload
def MatVec(a: Expression, b: Expression | ArrayLike, /, *, transpose_a: builtins.bool=False, name: str | None=None) -> Expression:
    """Matrices times vectors, the matrix transposed first if asked; leading axes are batches and broadcast."""

@overload
def MatVec(a: ArrayLike, b: Expression, /, *, transpose_a: builtins.bool=False, name: str | None=None) -> Expression:
    ...

@overload
def MatVec(a: ArrayLike, b: ArrayLike, /, *, transpose_a: builtins.bool=False, name: str | None=None) -> Array:
    ...

@overload
def MatrixBandPart(x: Expression, /, *, num_lower: builtins.int, num_upper: builtins.int, name: str | None=None) -> Expression:
    """Matrices with zeros outside the band of `num_lower` diagonals below the main one and `num_upper` above it."""

@overload
def MatrixBandPart(x: ArrayLike, /, *, num_lower: builtins.int, num_upper: builtins.int, name: str | None=None) -> Array:
    ...

@overload
def MatrixDeterminant(x: Expression, /, *, name: str | None=None) -> Expression:
    """The determinant of each square matrix; that of an empty one is 1."""

@overload
def MatrixDeterminant(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def MatrixDiag(x: Expression, /, *, k: builtins.int | Sequence[builtins.int]=0, num_rows: builtins.int=-1, num_cols: builtins.int=-1, padding_value: builtins.float=0.0, align: Literal['RIGHT_LEFT', 'LEFT_RIGHT', 'LEFT_LEFT', 'RIGHT_RIGHT']='RIGHT_LEFT', name: str | None=None) -> Expression:
    """Matrices with the vectors of the last axis on diagonal `k`, and `padding_value` elsewhere."""

@overload
def MatrixDiag(x: ArrayLike, /, *, k: builtins.int | Sequence[builtins.int]=0, num_rows: builtins.int=-1, num_cols: builtins.int=-1, padding_value: builtins.float=0.0, align: Literal['RIGHT_LEFT', 'LEFT_RIGHT', 'LEFT_LEFT', 'RIGHT_RIGHT']='RIGHT_LEFT', name: str | None=None) -> Array:
    ...

@overload
def MatrixDiagPart(x: Expression, /, *, k: builtins.int | Sequence[builtins.int]=0, padding_value: builtins.float=0.0, align: Literal['RIGHT_LEFT', 'LEFT_RIGHT', 'LEFT_LEFT', 'RIGHT_RIGHT']='RIGHT_LEFT', name: str | None=None) -> Expression:
    """A diagonal of each matrix: `k` above the main one, or below it if negative."""

@overload
def MatrixDiagPart(x: ArrayLike, /, *, k: builtins.int | Sequence[builtins.int]=0, padding_value: builtins.float=0.0, align: Literal['RIGHT_LEFT', 'LEFT_RIGHT', 'LEFT_LEFT', 'RIGHT_RIGHT']='RIGHT_LEFT', name: str | None=None) -> Array:
    ...

@overload
def MatrixInverse(x: Expression, /, *, adjoint: builtins.bool=False, name: str | None=None) -> Expression:
    """The inverse of each square matrix, or with `adjoint` the transpose of the inverse; a singular one is an error."""

@overload
def MatrixInverse(x: ArrayLike, /, *, adjoint: builtins.bool=False, name: str | None=None) -> Array:
    ...

@overload
def MatrixSetDiag(x: Expression, diagonal: Expression | ArrayLike, /, *, k: builtins.int | Sequence[builtins.int]=0, align: Literal['RIGHT_LEFT', 'LEFT_RIGHT', 'LEFT_LEFT', 'RIGHT_RIGHT']='RIGHT_LEFT', name: str | None=None) -> Expression:
    """The matrices with diagonal `k` replaced: it lies above the main one, or below it if negative."""

@overload
def MatrixSetDiag(x: ArrayLike, diagonal: Expression, /, *, k: builtins.int | Sequence[builtins.int]=0, align: Literal['RIGHT_LEFT', 'LEFT_RIGHT', 'LEFT_LEFT', 'RIGHT_RIGHT']='RIGHT_LEFT', name: str | None=None) -> Expression:
    ...

@overload
def MatrixSetDiag(x: ArrayLike, diagonal: ArrayLike, /, *, k: builtins.int | Sequence[builtins.int]=0, align: Literal['RIGHT_LEFT', 'LEFT_RIGHT', 'LEFT_LEFT', 'RIGHT_RIGHT']='RIGHT_LEFT', name: str | None=None) -> Array:
    ...

@overload
def MatrixSolve(a: Expression, b: Expression | ArrayLike, /, *, adjoint: builtins.bool=False, name: str | None=None) -> Expression:
    """The solution y of a y = b for square matrices a; with `adjoint` a is transposed first."""

@overload
def MatrixSolve(a: ArrayLike, b: Expression, /, *, adjoint: builtins.bool=False, name: str | None=None) -> Expression:
    ...

@overload
def MatrixSolve(a: ArrayLike, b: ArrayLike, /, *, adjoint: builtins.bool=False, name: str | None=None) -> Array:
    ...

@overload
def MatrixTranspose(x: Expression, /, *, name: str | None=None) -> Expression:
    """Each matrix with its rows as columns; leading axes are batches and stay where they are."""

@overload
def MatrixTranspose(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def MaxPool1D(input: Expression, /, *, ksize: builtins.int | Sequence[builtins.int], strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'] | Sequence[Sequence[builtins.int]], data_format: Literal['NWC', 'NCW']='NWC', name: str | None=None) -> Expression:
    """The largest element of each window along the columns of (batch, columns, channels)."""

@overload
def MaxPool1D(input: ArrayLike, /, *, ksize: builtins.int | Sequence[builtins.int], strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'] | Sequence[Sequence[builtins.int]], data_format: Literal['NWC', 'NCW']='NWC', name: str | None=None) -> Array:
    ...

@overload
def MaxPool2D(input: Expression, /, *, ksize: builtins.int | Sequence[builtins.int], strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'] | Sequence[Sequence[builtins.int]], data_format: Literal['NHWC', 'NCHW']='NHWC', name: str | None=None) -> Expression:
    """The largest element of each window over rows and columns of (batch, rows, columns, channels)."""

@overload
def MaxPool2D(input: ArrayLike, /, *, ksize: builtins.int | Sequence[builtins.int], strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'] | Sequence[Sequence[builtins.int]], data_format: Literal['NHWC', 'NCHW']='NHWC', name: str | None=None) -> Array:
    ...

@overload
def MaxPool3D(input: Expression, /, *, ksize: builtins.int | Sequence[builtins.int], strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'], data_format: Literal['NDHWC', 'NCDHW']='NDHWC', name: str | None=None) -> Expression:
    """The largest element of each window over planes, rows and columns of (batch, planes, rows, columns, channels)."""

@overload
def MaxPool3D(input: ArrayLike, /, *, ksize: builtins.int | Sequence[builtins.int], strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'], data_format: Literal['NDHWC', 'NCDHW']='NDHWC', name: str | None=None) -> Array:
    ...

@overload
def MaxPoolWithArgmax(input: Expression, /, *, ksize: builtins.int | Sequence[builtins.int], strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'], data_format: Literal['NHWC']='NHWC', output_dtype: Literal['int64', 'int32']='int64', include_batch_in_index: builtins.bool=False, name: str | None=None) -> tuple[Expression, Expression]:
    """The largest element of each window over rows and columns, and its index in the flat image."""

@overload
def MaxPoolWithArgmax(input: ArrayLike, /, *, ksize: builtins.int | Sequence[builtins.int], strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'], data_format: Literal['NHWC']='NHWC', output_dtype: Literal['int64', 'int32']='int64', include_batch_in_index: builtins.bool=False, name: str | None=None) -> tuple[Array, Array]:
    ...

@overload
def Maximum(x: Expression, y: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The greater of two elements; NaN if either is NaN."""

@overload
def Maximum(x: ArrayLike, y: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def Maximum(x: ArrayLike, y: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def MeanAbsoluteError(y_true: Expression, y_pred: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The distance of prediction and truth, averaged over the last axis."""

@overload
def MeanAbsoluteError(y_true: ArrayLike, y_pred: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def MeanAbsoluteError(y_true: ArrayLike, y_pred: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def MeanSquaredError(y_true: Expression, y_pred: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The squared difference of truth and prediction, averaged over the last axis."""

@overload
def MeanSquaredError(y_true: ArrayLike, y_pred: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def MeanSquaredError(y_true: ArrayLike, y_pred: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Meshgrid(values_0: Expression, /, *values: Expression | ArrayLike, indexing: Literal['xy', 'ij']='xy', name: str | None=None) -> tuple[Expression, ...]:
    """The coordinates of a grid: each vector along an axis of its own, repeated along all others."""

@overload
def Meshgrid(values_0: ArrayLike, values_1: Expression, /, *values: Expression | ArrayLike, indexing: Literal['xy', 'ij']='xy', name: str | None=None) -> tuple[Expression, ...]:
    ...

@overload
def Meshgrid(*values: ArrayLike, indexing: Literal['xy', 'ij']='xy', name: str | None=None) -> tuple[Array, ...]:
    ...

@overload
def Minimum(x: Expression, y: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The smaller of two elements; NaN if either is NaN."""

@overload
def Minimum(x: ArrayLike, y: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def Minimum(x: ArrayLike, y: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Moments(x: Expression, /, *, axes: builtins.int | Sequence[builtins.int] | None, keepdims: builtins.bool=False, name: str | None=None) -> tuple[Expression, Expression]:
    """The mean and the variance along `axes`, the variance divided by n and not by n - 1."""

@overload
def Moments(x: ArrayLike, /, *, axes: builtins.int | Sequence[builtins.int] | None, keepdims: builtins.bool=False, name: str | None=None) -> tuple[Array, Array]:
    ...

@overload
def Monitor(y: Expression, x: Expression | ArrayLike | None=None, target: Expression | ArrayLike | None=None, /, *, kind: Literal['auto', 'points', 'curve', 'heat', 'image', 'histogram', 'fit', 'boundary']='auto', threshold: builtins.float=0.0, name: str | None=None) -> tuple[()]:
    """A picture of y on the canvas. It has no output, so it changes no value and no gradient."""

@overload
def Monitor(y: ArrayLike, x: Expression, target: Expression | ArrayLike | None=None, /, *, kind: Literal['auto', 'points', 'curve', 'heat', 'image', 'histogram', 'fit', 'boundary']='auto', threshold: builtins.float=0.0, name: str | None=None) -> tuple[()]:
    ...

@overload
def Monitor(y: ArrayLike, x: ArrayLike | None, target: Expression, /, *, kind: Literal['auto', 'points', 'curve', 'heat', 'image', 'histogram', 'fit', 'boundary']='auto', threshold: builtins.float=0.0, name: str | None=None) -> tuple[()]:
    ...

@overload
def Monitor(y: ArrayLike, x: ArrayLike | None=None, target: ArrayLike | None=None, /, *, kind: Literal['auto', 'points', 'curve', 'heat', 'image', 'histogram', 'fit', 'boundary']='auto', threshold: builtins.float=0.0, name: str | None=None) -> tuple[()]:
    ...

@overload
def Multiply(x: Expression, y: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The product of two tensors, element by element."""

@overload
def Multiply(x: ArrayLike, y: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def Multiply(x: ArrayLike, y: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def MultiplyNoNan(x: Expression, y: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The product of two tensors, but 0 wherever y is 0, even if x is infinite or NaN there."""

@overload
def MultiplyNoNan(x: ArrayLike, y: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def MultiplyNoNan(x: ArrayLike, y: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Ndtri(x: Expression, /, *, name: str | None=None) -> Expression:
    """The quantile of the standard normal distribution: how far out its probability reaches x."""

@overload
def Ndtri(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Negative(x: Expression, /, *, name: str | None=None) -> Expression:
    """Each element with the opposite sign."""

@overload
def Negative(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Norm(x: Expression, /, *, ord: str='euclidean', axis: builtins.int | Sequence[builtins.int] | None=None, keepdims: builtins.bool=False, name: str | None=None) -> Expression:
    """The length of the vectors along `axis`, or of the matrices along two; without an axis, of all elements."""

@overload
def Norm(x: ArrayLike, /, *, ord: str='euclidean', axis: builtins.int | Sequence[builtins.int] | None=None, keepdims: builtins.bool=False, name: str | None=None) -> Array:
    ...

@overload
def NotEqual(x: Expression, y: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The truth of x ≠ y for each pair of elements; NaN differs from everything, even itself, and the two zeros are equal."""

@overload
def NotEqual(x: ArrayLike, y: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def NotEqual(x: ArrayLike, y: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def OneHot(indices: Expression, /, *, depth: builtins.int, on_value: builtins.float=1.0, off_value: builtins.float=0.0, axis: builtins.int=-1, dtype: Literal['float16', 'float32', 'float64', 'int8', 'int16', 'int32', 'int64', 'uint8', 'bool']='float64', name: str | None=None) -> Expression:
    """For each index a vector along a new axis: `on_value` at the index, `off_value` elsewhere."""

@overload
def OneHot(indices: ArrayLike, /, *, depth: builtins.int, on_value: builtins.float=1.0, off_value: builtins.float=0.0, axis: builtins.int=-1, dtype: Literal['float16', 'float32', 'float64', 'int8', 'int16', 'int32', 'int64', 'uint8', 'bool']='float64', name: str | None=None) -> Array:
    ...

def Ones(*, shape: Sequence[builtins.int], dtype: Literal['float16', 'float32', 'float64', 'int8', 'int16', 'int32', 'int64', 'uint8', 'bool']='float32', name: str | None=None) -> Expression:
    """Nothing but ones; as bool, nothing but true."""

@overload
def OnesLike(x: Expression, /, *, name: str | None=None) -> Expression:
    """Ones of the shape and dtype of the input; true for bool."""

@overload
def OnesLike(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Pad(x: Expression, /, *, paddings: Sequence[Sequence[builtins.int]], mode: Literal['CONSTANT', 'REFLECT', 'SYMMETRIC']='CONSTANT', constant_values: builtins.float=0.0, name: str | None=None) -> Expression:
    """The tensor with a border, for each axis a pair of widths: before and after."""

@overload
def Pad(x: ArrayLike, /, *, paddings: Sequence[Sequence[builtins.int]], mode: Literal['CONSTANT', 'REFLECT', 'SYMMETRIC']='CONSTANT', constant_values: builtins.float=0.0, name: str | None=None) -> Array:
    ...

def Page(*, page: str, name: str | None=None) -> tuple[()]:
    """Another page used as a block; its PageInput and PageOutput blocks are the ports, top to bottom."""

def PageInput(*, name: str, value: ArrayLike | None=None) -> Expression:
    """An input port of its page; `value` is the value of an unconnected port."""

@overload
def PageOutput(x: Expression, /, *, name: str) -> tuple[()]:
    """An output port of its page."""

@overload
def PageOutput(x: ArrayLike, /, *, name: str) -> tuple[()]:
    ...

@overload
def Polygamma(x: Expression, y: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The derivative of order x of the digamma function, at y."""

@overload
def Polygamma(x: ArrayLike, y: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def Polygamma(x: ArrayLike, y: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Pow(x: Expression, y: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The power of x, the base, to y, the exponent; anything to the power of 0 is 1."""

@overload
def Pow(x: ArrayLike, y: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def Pow(x: ArrayLike, y: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def PreventGradient(x: Expression, /, *, message: str='', name: str | None=None) -> Expression:
    """The input, unchanged; an incoming gradient is an error, and the gradients before it stay unknown."""

@overload
def PreventGradient(x: ArrayLike, /, *, message: str='', name: str | None=None) -> Array:
    ...

@overload
def Qr(x: Expression, /, *, full_matrices: builtins.bool=False, name: str | None=None) -> tuple[Expression, Expression]:
    """Each matrix as a product of orthonormal columns and an upper triangle."""

@overload
def Qr(x: ArrayLike, /, *, full_matrices: builtins.bool=False, name: str | None=None) -> tuple[Array, Array]:
    ...

@overload
def R2(labels: Expression, predictions: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """Share of the labels' variance that predictions explain: 1 at best, 0 if they are no better than the mean."""

@overload
def R2(labels: ArrayLike, predictions: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def R2(labels: ArrayLike, predictions: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def RGBToGrayscale(images: Expression, /, *, name: str | None=None) -> Expression:
    """The brightness of colours, as one channel."""

@overload
def RGBToGrayscale(images: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def RGBToHSV(images: Expression, /, *, name: str | None=None) -> Expression:
    """Colours from red, green and blue to hue, saturation and value; black and grey have a hue of 0."""

@overload
def RGBToHSV(images: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def RandomCategorical(logits: Expression, /, *, num_samples: builtins.int, seed: builtins.int=0, every: Literal['run', 'step']='run', dtype: Literal['int64', 'int32']='int64', name: str | None=None) -> Expression:
    """Random classes for each row of logits, drawn with the probabilities of their softmax."""

@overload
def RandomCategorical(logits: ArrayLike, /, *, num_samples: builtins.int, seed: builtins.int=0, every: Literal['run', 'step']='run', dtype: Literal['int64', 'int32']='int64', name: str | None=None) -> Array:
    ...

def RandomNormal(mean: Expression | ArrayLike | None=None, stddev: Expression | ArrayLike | None=None, /, *, shape: Sequence[builtins.int], seed: builtins.int=0, every: Literal['run', 'step']='run', dtype: Literal['float64', 'float32', 'float16']='float64', name: str | None=None) -> Expression:
    """Normal random numbers; mean (0) and standard deviation (1) may be connected and are repeated to shape."""

@overload
def RandomShuffle(x: Expression, /, *, seed: builtins.int=0, every: Literal['run', 'step']='run', name: str | None=None) -> Expression:
    """The rows of a tensor, along its first axis, in random order."""

@overload
def RandomShuffle(x: ArrayLike, /, *, seed: builtins.int=0, every: Literal['run', 'step']='run', name: str | None=None) -> Array:
    ...

def RandomUniform(minval: Expression | ArrayLike | None=None, maxval: Expression | ArrayLike | None=None, /, *, shape: Sequence[builtins.int], seed: builtins.int=0, every: Literal['run', 'step']='run', dtype: Literal['float64', 'float32', 'float16']='float64', name: str | None=None) -> Expression:
    """Random numbers from `minval` (0) up to and without `maxval` (1), all equally likely."""

def RandomUniformInt(*, shape: Sequence[builtins.int], minval: builtins.int=0, maxval: builtins.int, seed: builtins.int=0, every: Literal['run', 'step']='run', dtype: Literal['int64', 'int32']='int64', name: str | None=None) -> Expression:
    """Whole random numbers from `minval` up to and without `maxval`, all equally likely."""

def Range(*, start: builtins.float, limit: builtins.float | None=None, delta: builtins.float=1, dtype: Literal['float64', 'float32', 'float16', 'int64', 'int32'] | None=None, name: str | None=None) -> Expression:
    """Numbers from `start` in steps of `delta`, up to and without `limit`."""

@overload
def Rank(x: Expression, /, *, name: str | None=None) -> Expression:
    """The number of axes. No gradient passes."""

@overload
def Rank(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Reciprocal(x: Expression, /, *, name: str | None=None) -> Expression:
    """One divided by each element."""

@overload
def Reciprocal(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def ReduceAll(x: Expression, /, *, axis: builtins.int | Sequence[builtins.int] | None=None, keepdims: builtins.bool=False, name: str | None=None) -> Expression:
    """The truth of all elements along `axis` together; of no elements it is true. No gradient passes."""

@overload
def ReduceAll(x: ArrayLike, /, *, axis: builtins.int | Sequence[builtins.int] | None=None, keepdims: builtins.bool=False, name: str | None=None) -> Array:
    ...

@overload
def ReduceAny(x: Expression, /, *, axis: builtins.int | Sequence[builtins.int] | None=None, keepdims: builtins.bool=False, name: str | None=None) -> Expression:
    """The truth of any element along `axis`; of no elements it is false. No gradient passes."""

@overload
def ReduceAny(x: ArrayLike, /, *, axis: builtins.int | Sequence[builtins.int] | None=None, keepdims: builtins.bool=False, name: str | None=None) -> Array:
    ...

@overload
def ReduceEuclideanNorm(x: Expression, /, *, axis: builtins.int | Sequence[builtins.int] | None=None, keepdims: builtins.bool=False, name: str | None=None) -> Expression:
    """The length of the vector along `axis`; that of integers is cut to an integer, as in TensorFlow."""

@overload
def ReduceEuclideanNorm(x: ArrayLike, /, *, axis: builtins.int | Sequence[builtins.int] | None=None, keepdims: builtins.bool=False, name: str | None=None) -> Array:
    ...

@overload
def ReduceLogSumExp(x: Expression, /, *, axis: builtins.int | Sequence[builtins.int] | None=None, keepdims: builtins.bool=False, name: str | None=None) -> Expression:
    """The logarithm of the sum of exponentials along `axis`, shifted by the maximum so that nothing overflows."""

@overload
def ReduceLogSumExp(x: ArrayLike, /, *, axis: builtins.int | Sequence[builtins.int] | None=None, keepdims: builtins.bool=False, name: str | None=None) -> Array:
    ...

@overload
def ReduceMax(x: Expression, /, *, axis: builtins.int | Sequence[builtins.int] | None=None, keepdims: builtins.bool=False, name: str | None=None) -> Expression:
    """The largest element along `axis`. Equal maxima share the gradient evenly, as in TensorFlow."""

@overload
def ReduceMax(x: ArrayLike, /, *, axis: builtins.int | Sequence[builtins.int] | None=None, keepdims: builtins.bool=False, name: str | None=None) -> Array:
    ...

@overload
def ReduceMean(x: Expression, /, *, axis: builtins.int | Sequence[builtins.int] | None=None, keepdims: builtins.bool=False, name: str | None=None) -> Expression:
    """The mean along `axis`. The mean of nothing is NaN; that of integers is cut to an integer, as in TensorFlow."""

@overload
def ReduceMean(x: ArrayLike, /, *, axis: builtins.int | Sequence[builtins.int] | None=None, keepdims: builtins.bool=False, name: str | None=None) -> Array:
    ...

@overload
def ReduceMin(x: Expression, /, *, axis: builtins.int | Sequence[builtins.int] | None=None, keepdims: builtins.bool=False, name: str | None=None) -> Expression:
    """The smallest element along `axis`. Equal minima share the gradient evenly, as in TensorFlow."""

@overload
def ReduceMin(x: ArrayLike, /, *, axis: builtins.int | Sequence[builtins.int] | None=None, keepdims: builtins.bool=False, name: str | None=None) -> Array:
    ...

@overload
def ReduceProd(x: Expression, /, *, axis: builtins.int | Sequence[builtins.int] | None=None, keepdims: builtins.bool=False, name: str | None=None) -> Expression:
    """The product along `axis`; the product of nothing is 1. The gradient multiplies the others, so zeros are exact."""

@overload
def ReduceProd(x: ArrayLike, /, *, axis: builtins.int | Sequence[builtins.int] | None=None, keepdims: builtins.bool=False, name: str | None=None) -> Array:
    ...

@overload
def ReduceStd(x: Expression, /, *, axis: builtins.int | Sequence[builtins.int] | None=None, keepdims: builtins.bool=False, name: str | None=None) -> Expression:
    """The standard deviation along `axis`: the root of ReduceVariance, with n as divisor and not n - 1."""

@overload
def ReduceStd(x: ArrayLike, /, *, axis: builtins.int | Sequence[builtins.int] | None=None, keepdims: builtins.bool=False, name: str | None=None) -> Array:
    ...

@overload
def ReduceSum(x: Expression, /, *, axis: builtins.int | Sequence[builtins.int] | None=None, keepdims: builtins.bool=False, name: str | None=None) -> Expression:
    """The sum along `axis`; the sum of nothing is 0."""

@overload
def ReduceSum(x: ArrayLike, /, *, axis: builtins.int | Sequence[builtins.int] | None=None, keepdims: builtins.bool=False, name: str | None=None) -> Array:
    ...

@overload
def ReduceVariance(x: Expression, /, *, axis: builtins.int | Sequence[builtins.int] | None=None, keepdims: builtins.bool=False, name: str | None=None) -> Expression:
    """The mean squared distance from the mean along `axis`, divided by n and not by n - 1. That of nothing is NaN."""

@overload
def ReduceVariance(x: ArrayLike, /, *, axis: builtins.int | Sequence[builtins.int] | None=None, keepdims: builtins.bool=False, name: str | None=None) -> Array:
    ...

@overload
def Relu(x: Expression, /, *, name: str | None=None) -> Expression:
    """The positive part. Its gradient is 0 at 0, and where the input is NaN."""

@overload
def Relu(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Relu6(x: Expression, /, *, name: str | None=None) -> Expression:
    """The positive part, at most 6. Its gradient is 0 at both bounds, and where the input is NaN."""

@overload
def Relu6(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Repeat(x: Expression, /, *, repeats: builtins.int | Sequence[builtins.int], axis: builtins.int | None=None, name: str | None=None) -> Expression:
    """Each element, or each slice along `axis`, several times in a row; without an axis the tensor is a flat list."""

@overload
def Repeat(x: ArrayLike, /, *, repeats: builtins.int | Sequence[builtins.int], axis: builtins.int | None=None, name: str | None=None) -> Array:
    ...

@overload
def Reroute(x: Expression, /, *, name: str | None=None) -> Expression:
    """A dot on a wire: it only leads the wire around other blocks."""

@overload
def Reroute(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Reshape(x: Expression, /, *, shape: Sequence[builtins.int], name: str | None=None) -> Expression:
    """The same elements in another shape, the last axis fastest; one size may be -1 and is worked out."""

@overload
def Reshape(x: ArrayLike, /, *, shape: Sequence[builtins.int], name: str | None=None) -> Array:
    ...

@overload
def ResizeBicubic(images: Expression, /, *, size: Sequence[builtins.int], preserve_aspect_ratio: builtins.bool=False, name: str | None=None) -> Expression:
    """Images at another size by bicubic interpolation: 4 x 4 old pixels make a new one (Keys, a = -1/2)."""

@overload
def ResizeBicubic(images: ArrayLike, /, *, size: Sequence[builtins.int], preserve_aspect_ratio: builtins.bool=False, name: str | None=None) -> Array:
    ...

@overload
def ResizeBilinear(images: Expression, /, *, size: Sequence[builtins.int], preserve_aspect_ratio: builtins.bool=False, name: str | None=None) -> Expression:
    """Images at another size, each new pixel mixed from the two by two old ones around its centre."""

@overload
def ResizeBilinear(images: ArrayLike, /, *, size: Sequence[builtins.int], preserve_aspect_ratio: builtins.bool=False, name: str | None=None) -> Array:
    ...

@overload
def ResizeNearest(images: Expression, /, *, size: Sequence[builtins.int], preserve_aspect_ratio: builtins.bool=False, name: str | None=None) -> Expression:
    """Images at another size, each new pixel a copy of the old one in which its centre lies."""

@overload
def ResizeNearest(images: ArrayLike, /, *, size: Sequence[builtins.int], preserve_aspect_ratio: builtins.bool=False, name: str | None=None) -> Array:
    ...

@overload
def Reverse(x: Expression, /, *, axis: Sequence[builtins.int], name: str | None=None) -> Expression:
    """The elements in opposite order along each of the axes."""

@overload
def Reverse(x: ArrayLike, /, *, axis: Sequence[builtins.int], name: str | None=None) -> Array:
    ...

@overload
def ReverseSequence(x: Expression, seq_lengths: Expression | ArrayLike, /, *, seq_axis: builtins.int, batch_axis: builtins.int=0, name: str | None=None) -> Expression:
    """The first elements of each sequence in opposite order, as many as its length says; the rest stays."""

@overload
def ReverseSequence(x: ArrayLike, seq_lengths: Expression, /, *, seq_axis: builtins.int, batch_axis: builtins.int=0, name: str | None=None) -> Expression:
    ...

@overload
def ReverseSequence(x: ArrayLike, seq_lengths: ArrayLike, /, *, seq_axis: builtins.int, batch_axis: builtins.int=0, name: str | None=None) -> Array:
    ...

@overload
def Rint(x: Expression, /, *, name: str | None=None) -> Expression:
    """The nearest whole number, halves to the even one; like Round, but for floating point only. No gradient passes."""

@overload
def Rint(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Roll(x: Expression, /, *, shift: builtins.int | Sequence[builtins.int], axis: builtins.int | Sequence[builtins.int], name: str | None=None) -> Expression:
    """The elements moved by `shift` along each axis; what leaves at one end comes back at the other."""

@overload
def Roll(x: ArrayLike, /, *, shift: builtins.int | Sequence[builtins.int], axis: builtins.int | Sequence[builtins.int], name: str | None=None) -> Array:
    ...

@overload
def Round(x: Expression, /, *, name: str | None=None) -> Expression:
    """The nearest whole number, halves to the even one: 0.5 and -0.5 give 0, 1.5 and 2.5 give 2."""

@overload
def Round(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Rsqrt(x: Expression, /, *, name: str | None=None) -> Expression:
    """One divided by the square root."""

@overload
def Rsqrt(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

def Scan(*, page: str, times: builtins.int, stop_every: builtins.int=0, each: Sequence[str]=(), collect: Sequence[str]=(), name: str | None=None) -> tuple[()]:
    """A page used for several rounds in a row, as a loop with carried values: a recurrence, an iteration, an RNN."""

@overload
def ScatterAdd(ref: Expression, indices: Expression | ArrayLike, updates: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The value that a variable has after updates were added to the rows that the indices name."""

@overload
def ScatterAdd(ref: ArrayLike, indices: Expression, updates: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    ...

@overload
def ScatterAdd(ref: ArrayLike, indices: ArrayLike, updates: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def ScatterAdd(ref: ArrayLike, indices: ArrayLike, updates: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def ScatterDiv(ref: Expression, indices: Expression | ArrayLike, updates: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The value that a variable has after the rows that the indices name were divided by updates."""

@overload
def ScatterDiv(ref: ArrayLike, indices: Expression, updates: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    ...

@overload
def ScatterDiv(ref: ArrayLike, indices: ArrayLike, updates: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def ScatterDiv(ref: ArrayLike, indices: ArrayLike, updates: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def ScatterMul(ref: Expression, indices: Expression | ArrayLike, updates: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The value that a variable has after the rows that the indices name were multiplied by updates."""

@overload
def ScatterMul(ref: ArrayLike, indices: Expression, updates: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    ...

@overload
def ScatterMul(ref: ArrayLike, indices: ArrayLike, updates: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def ScatterMul(ref: ArrayLike, indices: ArrayLike, updates: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def ScatterNd(indices: Expression, updates: Expression | ArrayLike, /, *, shape: Sequence[builtins.int], name: str | None=None) -> Expression:
    """Zeros of this shape to which each update is added where its index vector says; it undoes GatherNd."""

@overload
def ScatterNd(indices: ArrayLike, updates: Expression, /, *, shape: Sequence[builtins.int], name: str | None=None) -> Expression:
    ...

@overload
def ScatterNd(indices: ArrayLike, updates: ArrayLike, /, *, shape: Sequence[builtins.int], name: str | None=None) -> Array:
    ...

@overload
def ScatterSub(ref: Expression, indices: Expression | ArrayLike, updates: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The value that a variable has after updates were subtracted from the rows that the indices name."""

@overload
def ScatterSub(ref: ArrayLike, indices: Expression, updates: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    ...

@overload
def ScatterSub(ref: ArrayLike, indices: ArrayLike, updates: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def ScatterSub(ref: ArrayLike, indices: ArrayLike, updates: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def ScatterUpdate(ref: Expression, indices: Expression | ArrayLike, updates: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The value that a variable has after the rows that the indices name were replaced by updates."""

@overload
def ScatterUpdate(ref: ArrayLike, indices: Expression, updates: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    ...

@overload
def ScatterUpdate(ref: ArrayLike, indices: ArrayLike, updates: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def ScatterUpdate(ref: ArrayLike, indices: ArrayLike, updates: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def SearchSorted(sorted_sequence: Expression, values: Expression | ArrayLike, /, *, side: Literal['left', 'right']='left', out_type: Literal['int32', 'int64']='int32', name: str | None=None) -> Expression:
    """The place of each value in the sorted sequence: `left` or `right` of numbers that equal it."""

@overload
def SearchSorted(sorted_sequence: ArrayLike, values: Expression, /, *, side: Literal['left', 'right']='left', out_type: Literal['int32', 'int64']='int32', name: str | None=None) -> Expression:
    ...

@overload
def SearchSorted(sorted_sequence: ArrayLike, values: ArrayLike, /, *, side: Literal['left', 'right']='left', out_type: Literal['int32', 'int64']='int32', name: str | None=None) -> Array:
    ...

@overload
def SegmentMax(data: Expression, segment_ids: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The largest element of each segment; `segment_ids` names the segment of each row, and must be sorted."""

@overload
def SegmentMax(data: ArrayLike, segment_ids: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def SegmentMax(data: ArrayLike, segment_ids: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def SegmentMean(data: Expression, segment_ids: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The mean of the rows of each segment; `segment_ids` names the segment of each row, and must be sorted."""

@overload
def SegmentMean(data: ArrayLike, segment_ids: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def SegmentMean(data: ArrayLike, segment_ids: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def SegmentMin(data: Expression, segment_ids: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The smallest element of each segment; `segment_ids` names the segment of each row, and must be sorted."""

@overload
def SegmentMin(data: ArrayLike, segment_ids: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def SegmentMin(data: ArrayLike, segment_ids: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def SegmentProd(data: Expression, segment_ids: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The product of the rows of each segment; `segment_ids` names the segment of each row, and must be sorted."""

@overload
def SegmentProd(data: ArrayLike, segment_ids: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def SegmentProd(data: ArrayLike, segment_ids: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def SegmentSum(data: Expression, segment_ids: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The sum of the rows of each segment; `segment_ids` names the segment of each row, and must be sorted."""

@overload
def SegmentSum(data: ArrayLike, segment_ids: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def SegmentSum(data: ArrayLike, segment_ids: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def SelfAdjointEig(x: Expression, /, *, name: str | None=None) -> tuple[Expression, Expression]:
    """The eigenvalues of each symmetric matrix, ascending, and a matrix whose columns are its eigenvectors."""

@overload
def SelfAdjointEig(x: ArrayLike, /, *, name: str | None=None) -> tuple[Array, Array]:
    ...

@overload
def Selu(x: Expression, /, *, name: str | None=None) -> Expression:
    """The scaled exponential linear unit, scale 1.0507 and alpha 1.6733; its gradient at 0 is the scale."""

@overload
def Selu(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def SeparableConv2D(input: Expression, depthwise_filter: Expression | ArrayLike, pointwise_filter: Expression | ArrayLike, /, *, strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'] | Sequence[Sequence[builtins.int]], data_format: Literal['NHWC', 'NCHW'] | None=None, dilations: builtins.int | Sequence[builtins.int] | None=None, name: str | None=None) -> Expression:
    """A depthwise convolution, and then one that mixes the channels of each pixel."""

@overload
def SeparableConv2D(input: ArrayLike, depthwise_filter: Expression, pointwise_filter: Expression | ArrayLike, /, *, strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'] | Sequence[Sequence[builtins.int]], data_format: Literal['NHWC', 'NCHW'] | None=None, dilations: builtins.int | Sequence[builtins.int] | None=None, name: str | None=None) -> Expression:
    ...

@overload
def SeparableConv2D(input: ArrayLike, depthwise_filter: ArrayLike, pointwise_filter: Expression, /, *, strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'] | Sequence[Sequence[builtins.int]], data_format: Literal['NHWC', 'NCHW'] | None=None, dilations: builtins.int | Sequence[builtins.int] | None=None, name: str | None=None) -> Expression:
    ...

@overload
def SeparableConv2D(input: ArrayLike, depthwise_filter: ArrayLike, pointwise_filter: ArrayLike, /, *, strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'] | Sequence[Sequence[builtins.int]], data_format: Literal['NHWC', 'NCHW'] | None=None, dilations: builtins.int | Sequence[builtins.int] | None=None, name: str | None=None) -> Array:
    ...

@overload
def SequenceMask(lengths: Expression, /, *, maxlen: builtins.int | None=None, dtype: Literal['float16', 'float32', 'float64', 'int8', 'int16', 'int32', 'int64', 'uint8', 'bool']='bool', name: str | None=None) -> Expression:
    """For each length a vector along a new last axis: true, or 1, at as many places as the length says, then false."""

@overload
def SequenceMask(lengths: ArrayLike, /, *, maxlen: builtins.int | None=None, dtype: Literal['float16', 'float32', 'float64', 'int8', 'int16', 'int32', 'int64', 'uint8', 'bool']='bool', name: str | None=None) -> Array:
    ...

@overload
def Shape(x: Expression, /, *, out_type: Literal['int32', 'int64']='int32', name: str | None=None) -> Expression:
    """The size of each axis, as whole numbers. No gradient passes."""

@overload
def Shape(x: ArrayLike, /, *, out_type: Literal['int32', 'int64']='int32', name: str | None=None) -> Array:
    ...

@overload
def Sigmoid(x: Expression, /, *, name: str | None=None) -> Expression:
    """The logistic function. Far out its gradient is too small to matter: the block is saturated."""

@overload
def Sigmoid(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def SigmoidCrossEntropyWithLogits(labels: Expression, logits: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The cross entropy of independent yes-or-no labels, from the logits; stable however large they are."""

@overload
def SigmoidCrossEntropyWithLogits(labels: ArrayLike, logits: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def SigmoidCrossEntropyWithLogits(labels: ArrayLike, logits: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Sign(x: Expression, /, *, name: str | None=None) -> Expression:
    """1 for a positive number, -1 for a negative one, 0 for both zeros, NaN for NaN."""

@overload
def Sign(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Silu(x: Expression, /, *, beta: builtins.float=1.0, name: str | None=None) -> Expression:
    """The input times the logistic function of `beta` times it, also known as swish."""

@overload
def Silu(x: ArrayLike, /, *, beta: builtins.float=1.0, name: str | None=None) -> Array:
    ...

@overload
def Sin(x: Expression, /, *, name: str | None=None) -> Expression:
    """The sine of an angle in radians; NaN at infinity."""

@overload
def Sin(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Sinh(x: Expression, /, *, name: str | None=None) -> Expression:
    """The hyperbolic sine. It overflows to an infinity of the sign of x, where the gradient is infinite too."""

@overload
def Sinh(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Size(x: Expression, /, *, out_type: Literal['int32', 'int64']='int32', name: str | None=None) -> Expression:
    """The number of elements. No gradient passes."""

@overload
def Size(x: ArrayLike, /, *, out_type: Literal['int32', 'int64']='int32', name: str | None=None) -> Array:
    ...

@overload
def Slice(x: Expression, /, *, begin: Sequence[builtins.int], size: Sequence[builtins.int], name: str | None=None) -> Expression:
    """The part that begins at `begin` and is as large as `size` says, where -1 means all the rest."""

@overload
def Slice(x: ArrayLike, /, *, begin: Sequence[builtins.int], size: Sequence[builtins.int], name: str | None=None) -> Array:
    ...

@overload
def Slogdet(x: Expression, /, *, name: str | None=None) -> tuple[Expression, Expression]:
    """The sign of each determinant and the logarithm of its magnitude, which does not overflow for large matrices."""

@overload
def Slogdet(x: ArrayLike, /, *, name: str | None=None) -> tuple[Array, Array]:
    ...

@overload
def Softmax(x: Expression, /, *, axis: builtins.int=-1, name: str | None=None) -> Expression:
    """Positive numbers that add up to 1 along `axis`. The maximum is subtracted first, so that nothing overflows."""

@overload
def Softmax(x: ArrayLike, /, *, axis: builtins.int=-1, name: str | None=None) -> Array:
    ...

@overload
def SoftmaxCrossEntropyWithLogits(labels: Expression, logits: Expression | ArrayLike, /, *, axis: builtins.int=-1, name: str | None=None) -> Expression:
    """The cross entropy between label probabilities and the softmax of the logits, along one axis."""

@overload
def SoftmaxCrossEntropyWithLogits(labels: ArrayLike, logits: Expression, /, *, axis: builtins.int=-1, name: str | None=None) -> Expression:
    ...

@overload
def SoftmaxCrossEntropyWithLogits(labels: ArrayLike, logits: ArrayLike, /, *, axis: builtins.int=-1, name: str | None=None) -> Array:
    ...

@overload
def Softplus(x: Expression, /, *, name: str | None=None) -> Expression:
    """The smooth form of Relu, without overflow at large inputs."""

@overload
def Softplus(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Softsign(x: Expression, /, *, name: str | None=None) -> Expression:
    """A bounded, slowly saturating function. At infinity the value is NaN and the gradient 0, as in TensorFlow."""

@overload
def Softsign(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Sort(x: Expression, /, *, axis: builtins.int=-1, direction: Literal['ASCENDING', 'DESCENDING']='ASCENDING', name: str | None=None) -> Expression:
    """The elements sorted along `axis`; each gradient goes back to where its element came from."""

@overload
def Sort(x: ArrayLike, /, *, axis: builtins.int=-1, direction: Literal['ASCENDING', 'DESCENDING']='ASCENDING', name: str | None=None) -> Array:
    ...

@overload
def SpaceToBatch(x: Expression, /, *, block_shape: Sequence[builtins.int], paddings: Sequence[Sequence[builtins.int]], name: str | None=None) -> Expression:
    """Every block of pixels spread over that many images; a border of zeros is added before."""

@overload
def SpaceToBatch(x: ArrayLike, /, *, block_shape: Sequence[builtins.int], paddings: Sequence[Sequence[builtins.int]], name: str | None=None) -> Array:
    ...

@overload
def SpaceToDepth(x: Expression, /, *, block_size: builtins.int, name: str | None=None) -> Expression:
    """Every block of `block_size` by `block_size` pixels as the channels of one pixel; images are NHWC."""

@overload
def SpaceToDepth(x: ArrayLike, /, *, block_size: builtins.int, name: str | None=None) -> Array:
    ...

@overload
def SparseSegmentMean(data: Expression, indices: Expression | ArrayLike, segment_ids: Expression | ArrayLike, /, *, num_segments: builtins.int | None=None, name: str | None=None) -> Expression:
    """The mean of the picked rows of each segment: `indices` picks rows of the data, `segment_ids` says where to."""

@overload
def SparseSegmentMean(data: ArrayLike, indices: Expression, segment_ids: Expression | ArrayLike, /, *, num_segments: builtins.int | None=None, name: str | None=None) -> Expression:
    ...

@overload
def SparseSegmentMean(data: ArrayLike, indices: ArrayLike, segment_ids: Expression, /, *, num_segments: builtins.int | None=None, name: str | None=None) -> Expression:
    ...

@overload
def SparseSegmentMean(data: ArrayLike, indices: ArrayLike, segment_ids: ArrayLike, /, *, num_segments: builtins.int | None=None, name: str | None=None) -> Array:
    ...

@overload
def SparseSegmentSqrtN(data: Expression, indices: Expression | ArrayLike, segment_ids: Expression | ArrayLike, /, *, num_segments: builtins.int | None=None, name: str | None=None) -> Expression:
    """The sum of the picked rows of each segment, divided by the square root of their number."""

@overload
def SparseSegmentSqrtN(data: ArrayLike, indices: Expression, segment_ids: Expression | ArrayLike, /, *, num_segments: builtins.int | None=None, name: str | None=None) -> Expression:
    ...

@overload
def SparseSegmentSqrtN(data: ArrayLike, indices: ArrayLike, segment_ids: Expression, /, *, num_segments: builtins.int | None=None, name: str | None=None) -> Expression:
    ...

@overload
def SparseSegmentSqrtN(data: ArrayLike, indices: ArrayLike, segment_ids: ArrayLike, /, *, num_segments: builtins.int | None=None, name: str | None=None) -> Array:
    ...

@overload
def SparseSegmentSum(data: Expression, indices: Expression | ArrayLike, segment_ids: Expression | ArrayLike, /, *, num_segments: builtins.int | None=None, name: str | None=None) -> Expression:
    """The sum of the picked rows of each segment: `indices` picks rows of the data, `segment_ids` says where to."""

@overload
def SparseSegmentSum(data: ArrayLike, indices: Expression, segment_ids: Expression | ArrayLike, /, *, num_segments: builtins.int | None=None, name: str | None=None) -> Expression:
    ...

@overload
def SparseSegmentSum(data: ArrayLike, indices: ArrayLike, segment_ids: Expression, /, *, num_segments: builtins.int | None=None, name: str | None=None) -> Expression:
    ...

@overload
def SparseSegmentSum(data: ArrayLike, indices: ArrayLike, segment_ids: ArrayLike, /, *, num_segments: builtins.int | None=None, name: str | None=None) -> Array:
    ...

@overload
def SparseSoftmaxCrossEntropyWithLogits(labels: Expression, logits: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The cross entropy of the softmax of the logits when the true class is given by its index."""

@overload
def SparseSoftmaxCrossEntropyWithLogits(labels: ArrayLike, logits: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def SparseSoftmaxCrossEntropyWithLogits(labels: ArrayLike, logits: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Split(x: Expression, /, *, num_or_size_splits: builtins.int | Sequence[builtins.int], axis: builtins.int=0, name: str | None=None) -> tuple[Expression, ...]:
    """The parts of a tensor along an axis: a number of equal ones, or a list of sizes, where one may be -1."""

@overload
def Split(x: ArrayLike, /, *, num_or_size_splits: builtins.int | Sequence[builtins.int], axis: builtins.int=0, name: str | None=None) -> tuple[Array, ...]:
    ...

@overload
def Sqrt(x: Expression, /, *, name: str | None=None) -> Expression:
    """The square root."""

@overload
def Sqrt(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Square(x: Expression, /, *, name: str | None=None) -> Expression:
    """Each element times itself."""

@overload
def Square(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def SquaredDifference(x: Expression, y: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The square of the difference of two tensors. Equal infinities give NaN."""

@overload
def SquaredDifference(x: ArrayLike, y: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def SquaredDifference(x: ArrayLike, y: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Squeeze(x: Expression, /, *, axis: builtins.int | Sequence[builtins.int] | None=None, name: str | None=None) -> Expression:
    """The tensor without these axes of size 1; without a choice, or with an empty one, without all of them."""

@overload
def Squeeze(x: ArrayLike, /, *, axis: builtins.int | Sequence[builtins.int] | None=None, name: str | None=None) -> Array:
    ...

@overload
def Stack(values_0: Expression, /, *values: Expression | ArrayLike, axis: builtins.int=0, name: str | None=None) -> Expression:
    """Tensors of one shape side by side along a new axis."""

@overload
def Stack(values_0: ArrayLike, values_1: Expression, /, *values: Expression | ArrayLike, axis: builtins.int=0, name: str | None=None) -> Expression:
    ...

@overload
def Stack(*values: ArrayLike, axis: builtins.int=0, name: str | None=None) -> Array:
    ...

@overload
def StopGradient(x: Expression, /, *, name: str | None=None) -> Expression:
    """The input, unchanged, as a constant for the gradient: the blocks before it receive 0."""

@overload
def StopGradient(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def StridedSlice(x: Expression, /, *, begin: Sequence[builtins.int], end: Sequence[builtins.int], strides: Sequence[builtins.int] | None=None, begin_mask: builtins.int=0, end_mask: builtins.int=0, ellipsis_mask: builtins.int=0, new_axis_mask: builtins.int=0, shrink_axis_mask: builtins.int=0, name: str | None=None) -> Expression:
    """The slice that Python's x[begin:end:stride, ...] gives, one entry an axis; places beyond the edge are cut off."""

@overload
def StridedSlice(x: ArrayLike, /, *, begin: Sequence[builtins.int], end: Sequence[builtins.int], strides: Sequence[builtins.int] | None=None, begin_mask: builtins.int=0, end_mask: builtins.int=0, ellipsis_mask: builtins.int=0, new_axis_mask: builtins.int=0, shrink_axis_mask: builtins.int=0, name: str | None=None) -> Array:
    ...

@overload
def Subtract(x: Expression, y: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The difference of two tensors."""

@overload
def Subtract(x: ArrayLike, y: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def Subtract(x: ArrayLike, y: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Svd(x: Expression, /, *, full_matrices: builtins.bool=False, compute_uv: builtins.bool=True, name: str | None=None) -> tuple[Expression, Expression, Expression]:
    """The singular values of each matrix, the largest first, and its singular vectors as columns of u and v."""

@overload
def Svd(x: ArrayLike, /, *, full_matrices: builtins.bool=False, compute_uv: builtins.bool=True, name: str | None=None) -> tuple[Array, Array, Array]:
    ...

@overload
def Tan(x: Expression, /, *, name: str | None=None) -> Expression:
    """The tangent of an angle in radians; NaN at infinity."""

@overload
def Tan(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Tanh(x: Expression, /, *, name: str | None=None) -> Expression:
    """The hyperbolic tangent, between -1 and 1; far from zero it is exactly 1 or -1 and its gradient exactly 0."""

@overload
def Tanh(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def TensorDiag(x: Expression, /, *, name: str | None=None) -> Expression:
    """A tensor of twice the axes with the elements where both halves of the index are equal, and 0 elsewhere."""

@overload
def TensorDiag(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def TensorDiagPart(x: Expression, /, *, name: str | None=None) -> Expression:
    """The elements for which the first half of the index equals the second: of a square matrix, its diagonal."""

@overload
def TensorDiagPart(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def TensorScatterNdAdd(tensor: Expression, indices: Expression | ArrayLike, updates: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The tensor with each update added to the slice that its index vector names; updates of the same place add up."""

@overload
def TensorScatterNdAdd(tensor: ArrayLike, indices: Expression, updates: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    ...

@overload
def TensorScatterNdAdd(tensor: ArrayLike, indices: ArrayLike, updates: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def TensorScatterNdAdd(tensor: ArrayLike, indices: ArrayLike, updates: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def TensorScatterNdMax(tensor: Expression, indices: Expression | ArrayLike, updates: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The tensor with each element replaced by an update of its place that is greater, the greatest if several are."""

@overload
def TensorScatterNdMax(tensor: ArrayLike, indices: Expression, updates: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    ...

@overload
def TensorScatterNdMax(tensor: ArrayLike, indices: ArrayLike, updates: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def TensorScatterNdMax(tensor: ArrayLike, indices: ArrayLike, updates: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def TensorScatterNdMin(tensor: Expression, indices: Expression | ArrayLike, updates: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The tensor with each element replaced by an update of its place that is smaller, the smallest if several are."""

@overload
def TensorScatterNdMin(tensor: ArrayLike, indices: Expression, updates: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    ...

@overload
def TensorScatterNdMin(tensor: ArrayLike, indices: ArrayLike, updates: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def TensorScatterNdMin(tensor: ArrayLike, indices: ArrayLike, updates: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def TensorScatterNdSub(tensor: Expression, indices: Expression | ArrayLike, updates: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The tensor with each update subtracted from the slice that its index vector names; several of one place add up."""

@overload
def TensorScatterNdSub(tensor: ArrayLike, indices: Expression, updates: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    ...

@overload
def TensorScatterNdSub(tensor: ArrayLike, indices: ArrayLike, updates: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def TensorScatterNdSub(tensor: ArrayLike, indices: ArrayLike, updates: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def TensorScatterNdUpdate(tensor: Expression, indices: Expression | ArrayLike, updates: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The tensor with each update in place of the slice that its index vector names."""

@overload
def TensorScatterNdUpdate(tensor: ArrayLike, indices: Expression, updates: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    ...

@overload
def TensorScatterNdUpdate(tensor: ArrayLike, indices: ArrayLike, updates: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def TensorScatterNdUpdate(tensor: ArrayLike, indices: ArrayLike, updates: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Tensordot(a: Expression, b: Expression | ArrayLike, /, *, axes: builtins.int | Sequence[builtins.int], name: str | None=None) -> Expression:
    """The products of all elements of two tensors, summed over axes that both have."""

@overload
def Tensordot(a: ArrayLike, b: Expression, /, *, axes: builtins.int | Sequence[builtins.int], name: str | None=None) -> Expression:
    ...

@overload
def Tensordot(a: ArrayLike, b: ArrayLike, /, *, axes: builtins.int | Sequence[builtins.int], name: str | None=None) -> Array:
    ...

@overload
def Tile(x: Expression, /, *, multiples: Sequence[builtins.int], name: str | None=None) -> Expression:
    """The tensor repeated as a whole along each axis as often as `multiples` says."""

@overload
def Tile(x: ArrayLike, /, *, multiples: Sequence[builtins.int], name: str | None=None) -> Array:
    ...

@overload
def TopK(x: Expression, /, *, k: builtins.int=1, sorted: builtins.bool=True, index_type: Literal['int32', 'int64', 'int16']='int32', name: str | None=None) -> tuple[Expression, Expression]:
    """The `k` largest elements of the last axis, largest first, and their places. All others receive a gradient of 0."""

@overload
def TopK(x: ArrayLike, /, *, k: builtins.int=1, sorted: builtins.bool=True, index_type: Literal['int32', 'int64', 'int16']='int32', name: str | None=None) -> tuple[Array, Array]:
    ...

@overload
def TotalVariation(images: Expression, /, *, name: str | None=None) -> Expression:
    """The distances of all neighbouring pixels, down and across, added up for each image: a measure of its noise."""

@overload
def TotalVariation(images: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Trace(x: Expression, /, *, name: str | None=None) -> Expression:
    """The sum of the main diagonal of each matrix, square or not; that of an empty matrix is 0."""

@overload
def Trace(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Transpose(x: Expression, /, *, perm: Sequence[builtins.int] | None=None, name: str | None=None) -> Expression:
    """The axes in another order; without `perm` they are reversed."""

@overload
def Transpose(x: ArrayLike, /, *, perm: Sequence[builtins.int] | None=None, name: str | None=None) -> Array:
    ...

@overload
def TriangularSolve(a: Expression, b: Expression | ArrayLike, /, *, lower: builtins.bool=True, adjoint: builtins.bool=False, name: str | None=None) -> Expression:
    """The solution y of a y = b for triangular matrices a; with `adjoint` a is transposed first."""

@overload
def TriangularSolve(a: ArrayLike, b: Expression, /, *, lower: builtins.bool=True, adjoint: builtins.bool=False, name: str | None=None) -> Expression:
    ...

@overload
def TriangularSolve(a: ArrayLike, b: ArrayLike, /, *, lower: builtins.bool=True, adjoint: builtins.bool=False, name: str | None=None) -> Array:
    ...

@overload
def TruncateDiv(x: Expression, y: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The quotient rounded toward zero. An integer cannot be divided by zero; no gradient passes."""

@overload
def TruncateDiv(x: ArrayLike, y: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def TruncateDiv(x: ArrayLike, y: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def TruncateMod(x: Expression, y: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The remainder of x after the quotient rounded toward zero, exactly; it has the sign of x."""

@overload
def TruncateMod(x: ArrayLike, y: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def TruncateMod(x: ArrayLike, y: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

def TruncatedNormal(mean: Expression | ArrayLike | None=None, stddev: Expression | ArrayLike | None=None, /, *, shape: Sequence[builtins.int], seed: builtins.int=0, every: Literal['run', 'step']='run', dtype: Literal['float64', 'float32', 'float16']='float64', name: str | None=None) -> Expression:
    """Normal random numbers none of which is further from the mean than two standard deviations."""

@overload
def Unique(x: Expression, /, *, out_idx: Literal['int32', 'int64']='int32', name: str | None=None) -> tuple[Expression, Expression, Expression]:
    """The different elements of a vector in the order in which they first occur."""

@overload
def Unique(x: ArrayLike, /, *, out_idx: Literal['int32', 'int64']='int32', name: str | None=None) -> tuple[Array, Array, Array]:
    ...

@overload
def UnsortedSegmentMax(data: Expression, segment_ids: Expression | ArrayLike, /, *, num_segments: builtins.int, name: str | None=None) -> Expression:
    """The largest element of each segment; `segment_ids` names the segment of each row, in any order."""

@overload
def UnsortedSegmentMax(data: ArrayLike, segment_ids: Expression, /, *, num_segments: builtins.int, name: str | None=None) -> Expression:
    ...

@overload
def UnsortedSegmentMax(data: ArrayLike, segment_ids: ArrayLike, /, *, num_segments: builtins.int, name: str | None=None) -> Array:
    ...

@overload
def UnsortedSegmentMean(data: Expression, segment_ids: Expression | ArrayLike, /, *, num_segments: builtins.int, name: str | None=None) -> Expression:
    """The mean of the rows of each segment; `segment_ids` names the segment of each row, in any order."""

@overload
def UnsortedSegmentMean(data: ArrayLike, segment_ids: Expression, /, *, num_segments: builtins.int, name: str | None=None) -> Expression:
    ...

@overload
def UnsortedSegmentMean(data: ArrayLike, segment_ids: ArrayLike, /, *, num_segments: builtins.int, name: str | None=None) -> Array:
    ...

@overload
def UnsortedSegmentMin(data: Expression, segment_ids: Expression | ArrayLike, /, *, num_segments: builtins.int, name: str | None=None) -> Expression:
    """The smallest element of each segment; `segment_ids` names the segment of each row, in any order."""

@overload
def UnsortedSegmentMin(data: ArrayLike, segment_ids: Expression, /, *, num_segments: builtins.int, name: str | None=None) -> Expression:
    ...

@overload
def UnsortedSegmentMin(data: ArrayLike, segment_ids: ArrayLike, /, *, num_segments: builtins.int, name: str | None=None) -> Array:
    ...

@overload
def UnsortedSegmentProd(data: Expression, segment_ids: Expression | ArrayLike, /, *, num_segments: builtins.int, name: str | None=None) -> Expression:
    """The product of the rows of each segment; `segment_ids` names the segment of each row, in any order."""

@overload
def UnsortedSegmentProd(data: ArrayLike, segment_ids: Expression, /, *, num_segments: builtins.int, name: str | None=None) -> Expression:
    ...

@overload
def UnsortedSegmentProd(data: ArrayLike, segment_ids: ArrayLike, /, *, num_segments: builtins.int, name: str | None=None) -> Array:
    ...

@overload
def UnsortedSegmentSqrtN(data: Expression, segment_ids: Expression | ArrayLike, /, *, num_segments: builtins.int, name: str | None=None) -> Expression:
    """The sum of the rows of each segment, divided by the square root of their number."""

@overload
def UnsortedSegmentSqrtN(data: ArrayLike, segment_ids: Expression, /, *, num_segments: builtins.int, name: str | None=None) -> Expression:
    ...

@overload
def UnsortedSegmentSqrtN(data: ArrayLike, segment_ids: ArrayLike, /, *, num_segments: builtins.int, name: str | None=None) -> Array:
    ...

@overload
def UnsortedSegmentSum(data: Expression, segment_ids: Expression | ArrayLike, /, *, num_segments: builtins.int, name: str | None=None) -> Expression:
    """The sum of the rows of each segment; `segment_ids` names the segment of each row, in any order."""

@overload
def UnsortedSegmentSum(data: ArrayLike, segment_ids: Expression, /, *, num_segments: builtins.int, name: str | None=None) -> Expression:
    ...

@overload
def UnsortedSegmentSum(data: ArrayLike, segment_ids: ArrayLike, /, *, num_segments: builtins.int, name: str | None=None) -> Array:
    ...

@overload
def Unstack(x: Expression, /, *, axis: builtins.int=0, name: str | None=None) -> tuple[Expression, ...]:
    """The parts of a tensor along one axis, which is gone from them; there are as many outputs as it is long."""

@overload
def Unstack(x: ArrayLike, /, *, axis: builtins.int=0, name: str | None=None) -> tuple[Array, ...]:
    ...

@overload
def WeightedCrossEntropyWithLogits(labels: Expression, logits: Expression | ArrayLike, pos_weight: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The cross entropy of yes-or-no labels from logits, with mistakes on the yes side weighted by `pos_weight`."""

@overload
def WeightedCrossEntropyWithLogits(labels: ArrayLike, logits: Expression, pos_weight: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    ...

@overload
def WeightedCrossEntropyWithLogits(labels: ArrayLike, logits: ArrayLike, pos_weight: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def WeightedCrossEntropyWithLogits(labels: ArrayLike, logits: ArrayLike, pos_weight: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Where(condition: Expression, x: Expression | ArrayLike, y: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The element of x where the condition holds, else that of y."""

@overload
def Where(condition: ArrayLike, x: Expression, y: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    ...

@overload
def Where(condition: ArrayLike, x: ArrayLike, y: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def Where(condition: ArrayLike, x: ArrayLike, y: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def WhereIndices(condition: Expression, /, *, name: str | None=None) -> Expression:
    """The places of the elements that are true or not 0, each an index vector, in order; NaN counts as true."""

@overload
def WhereIndices(condition: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Xdivy(x: Expression, y: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The quotient of two tensors, but 0 wherever x is 0, even if y is 0 or NaN there."""

@overload
def Xdivy(x: ArrayLike, y: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def Xdivy(x: ArrayLike, y: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Xlog1py(x: Expression, y: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The product of x and the natural logarithm of 1 + y, but 0 where x is 0, whatever y is."""

@overload
def Xlog1py(x: ArrayLike, y: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def Xlog1py(x: ArrayLike, y: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Xlogy(x: Expression, y: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The product of x and the natural logarithm of y, but 0 where x is 0, whatever y is."""

@overload
def Xlogy(x: ArrayLike, y: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def Xlogy(x: ArrayLike, y: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

def Zeros(*, shape: Sequence[builtins.int], dtype: Literal['float16', 'float32', 'float64', 'int8', 'int16', 'int32', 'int64', 'uint8', 'bool']='float32', name: str | None=None) -> Expression:
    """Nothing but zeros; as bool, nothing but false."""

@overload
def ZerosLike(x: Expression, /, *, name: str | None=None) -> Expression:
    """Zeros of the shape and dtype of the input."""

@overload
def ZerosLike(x: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

@overload
def Zeta(x: Expression, y: Expression | ArrayLike, /, *, name: str | None=None) -> Expression:
    """The Hurwitz zeta function; with y = 1 that of Riemann."""

@overload
def Zeta(x: ArrayLike, y: Expression, /, *, name: str | None=None) -> Expression:
    ...

@overload
def Zeta(x: ArrayLike, y: ArrayLike, /, *, name: str | None=None) -> Array:
    ...

def adadelta(rate: Rate=0.001, *, rho: builtins.float=0.95, epsilon: builtins.float=1e-07) -> UpdateRule:
    """Returns the update rule adadelta; besides its rate (0.001) it has: rho=0.95, epsilon=1e-07."""

def adagrad(rate: Rate=0.001, *, update_slots: builtins.bool=True, initial_accumulator_value: builtins.float=0.1) -> UpdateRule:
    """Returns the update rule adagrad; besides its rate (0.001) it has: update_slots=True, initial_accumulator_value=0.1."""

def adagrad_da(rate: Rate, *, l1: builtins.float=0.0, l2: builtins.float=0.0, initial_accumulator_value: builtins.float=0.1) -> UpdateRule:
    """Returns the update rule adagrad_da; besides its rate (None) it has: l1=0.0, l2=0.0, initial_accumulator_value=0.1."""

def adamax(rate: Rate=0.001, *, beta1: builtins.float=0.9, beta2: builtins.float=0.999, epsilon: builtins.float=1e-07) -> UpdateRule:
    """Returns the update rule adamax; besides its rate (0.001) it has: beta1=0.9, beta2=0.999, epsilon=1e-07."""

def adamw(rate: Rate=0.001, *, beta1: builtins.float=0.9, beta2: builtins.float=0.999, epsilon: builtins.float=1e-07, use_nesterov: builtins.bool=False, weight_decay: builtins.float=0.004) -> UpdateRule:
    """Returns the update rule adamw; besides its rate (0.001) it has: beta1=0.9, beta2=0.999, epsilon=1e-07, use_nesterov=False, weight_decay=0.004."""

def centered_rmsprop(rate: Rate=0.001, *, rho: builtins.float=0.9, momentum: builtins.float=0.0, epsilon: builtins.float=1e-07) -> UpdateRule:
    """Returns the update rule centered_rmsprop; besides its rate (0.001) it has: rho=0.9, momentum=0.0, epsilon=1e-07."""

def ftrl(rate: Rate=0.001, *, l1: builtins.float=0.0, l2: builtins.float=0.0, l2_shrinkage: builtins.float=0.0, lr_power: builtins.float=-0.5, multiply_linear_by_lr: builtins.bool=False, initial_accumulator_value: builtins.float=0.1) -> UpdateRule:
    """Returns the update rule ftrl; besides its rate (0.001) it has: l1=0.0, l2=0.0, l2_shrinkage=0.0, lr_power=-0.5, multiply_linear_by_lr=False, initial_accumulator_value=0.1."""

def lion(rate: Rate=0.001, *, beta1: builtins.float=0.9, beta2: builtins.float=0.99) -> UpdateRule:
    """Returns the update rule lion; besides its rate (0.001) it has: beta1=0.9, beta2=0.99."""

def nadam(rate: Rate=0.001, *, beta1: builtins.float=0.9, beta2: builtins.float=0.999, epsilon: builtins.float=1e-07) -> UpdateRule:
    """Returns the update rule nadam; besides its rate (0.001) it has: beta1=0.9, beta2=0.999, epsilon=1e-07."""

def proximal_adagrad(rate: Rate, *, l1: builtins.float=0.0, l2: builtins.float=0.0, initial_accumulator_value: builtins.float=0.1) -> UpdateRule:
    """Returns the update rule proximal_adagrad; besides its rate (None) it has: l1=0.0, l2=0.0, initial_accumulator_value=0.1."""

def proximal_descent(rate: Rate, *, l1: builtins.float=0.0, l2: builtins.float=0.0) -> UpdateRule:
    """Returns the update rule proximal_descent; besides its rate (None) it has: l1=0.0, l2=0.0."""

def rmsprop(rate: Rate=0.001, *, rho: builtins.float=0.9, momentum: builtins.float=0.0, epsilon: builtins.float=1e-07) -> UpdateRule:
    """Returns the update rule rmsprop; besides its rate (0.001) it has: rho=0.9, momentum=0.0, epsilon=1e-07."""

@overload
def KLD(target: Expression, x: Expression | ArrayLike=..., *, y_pred: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The Kullback-Leibler divergence, as in Keras."""

@overload
def KLD(target: ArrayLike, x: Expression, *, y_pred: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def KLD(target: ArrayLike, x: ArrayLike=..., *, y_pred: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def MAE(target: Any, x: Expression=..., *, y_pred: Expression=..., name: str | None=...) -> Expression:
    """The distance of prediction and truth, averaged over the last axis."""

@overload
def MAE(target: Any, x: ArrayLike=..., *, y_pred: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def MSE(target: Any, x: Expression=..., *, y_pred: Expression=..., name: str | None=...) -> Expression:
    """The squared difference of truth and prediction, averaged over the last axis."""

@overload
def MSE(target: Any, x: ArrayLike=..., *, y_pred: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def abs(x: Expression, *, name: str | None=...) -> Expression:
    """The absolute value of each element."""

@overload
def abs(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def absolute(x: Expression, *, name: str | None=...) -> Expression:
    """The absolute value of each element."""

@overload
def absolute(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def acos(x: Expression, *, name: str | None=...) -> Expression:
    """The angle in radians, from 0 to π, whose cosine is x."""

@overload
def acos(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def acosh(x: Expression, *, name: str | None=...) -> Expression:
    """The number, at least 0, whose hyperbolic cosine is x."""

@overload
def acosh(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def add(x: Expression, y: Expression | ArrayLike=..., *, alpha: Expression | ArrayLike=..., other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The sum of two tensors; `alpha` times the second one, if it is given."""

@overload
def add(x: ArrayLike, y: Expression, *, alpha: Expression | ArrayLike=..., other: Expression=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def add(x: ArrayLike, y: ArrayLike, *, alpha: Expression, other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Expression:
    ...

@overload
def add(x: ArrayLike, y: ArrayLike=..., *, alpha: ArrayLike=..., other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def add_n(values: Expression, *, name: str | None=...) -> Expression:
    """The sum of any number of tensors of one shape; unlike Add it repeats nothing."""

@overload
def add_n(values: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def addmm(x: Expression, y: Expression | ArrayLike=..., z: Expression | ArrayLike=..., *, beta: Expression | ArrayLike=..., alpha: Expression | ArrayLike=..., mat1: Expression | ArrayLike=..., mat2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """`beta * x + alpha * (y @ z)`."""

@overload
def addmm(x: ArrayLike, y: Expression, z: Expression | ArrayLike=..., *, beta: Expression | ArrayLike=..., alpha: Expression | ArrayLike=..., mat1: Expression=..., mat2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    ...

@overload
def addmm(x: ArrayLike, y: ArrayLike, z: Expression, *, beta: Expression | ArrayLike=..., alpha: Expression | ArrayLike=..., mat1: ArrayLike=..., mat2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def addmm(x: ArrayLike, y: ArrayLike, z: ArrayLike, *, beta: Expression, alpha: Expression | ArrayLike=..., mat1: ArrayLike=..., mat2: ArrayLike=..., name: str | None=...) -> Expression:
    ...

@overload
def addmm(x: ArrayLike, y: ArrayLike, z: ArrayLike, *, beta: ArrayLike, alpha: Expression, mat1: ArrayLike=..., mat2: ArrayLike=..., name: str | None=...) -> Expression:
    ...

@overload
def addmm(x: ArrayLike, y: ArrayLike=..., z: ArrayLike=..., *, beta: ArrayLike=..., alpha: ArrayLike=..., mat1: ArrayLike=..., mat2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def all(x: Expression, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Expression:
    """True where all elements are true; numbers are true unless they are 0."""

@overload
def all(x: ArrayLike, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Array:
    ...

@overload
def amax(x: Expression, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Expression:
    """The largest element, or that along axes; equal ones share the gradient."""

@overload
def amax(x: ArrayLike, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Array:
    ...

@overload
def amin(x: Expression, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Expression:
    """The smallest element, or that along axes; equal ones share the gradient."""

@overload
def amin(x: ArrayLike, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Array:
    ...

@overload
def any(x: Expression, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Expression:
    """True where any element is true; numbers are true unless they are 0."""

@overload
def any(x: ArrayLike, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Array:
    ...

def arange(start: builtins.float, end: builtins.float | None=..., step: builtins.float | None=..., *, dtype: object=..., delta: builtins.float | None=..., limit: builtins.float | None=..., stop: builtins.float | None=..., name: str | None=...) -> Expression:
    """Numbers from 0 or `start` up to but without `end`; int64 if all of them are whole, else float64."""

@overload
def arccos(x: Expression, *, name: str | None=...) -> Expression:
    """The angle in radians, from 0 to π, whose cosine is x."""

@overload
def arccos(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def arccosh(x: Expression, *, name: str | None=...) -> Expression:
    """The number, at least 0, whose hyperbolic cosine is x."""

@overload
def arccosh(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def arcsin(x: Expression, *, name: str | None=...) -> Expression:
    """The angle in radians, from -π/2 to π/2, whose sine is x."""

@overload
def arcsin(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def arcsinh(x: Expression, *, name: str | None=...) -> Expression:
    """The number whose hyperbolic sine is x; infinities stay infinite and receive a gradient of 0."""

@overload
def arcsinh(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def arctan(x: Expression, *, name: str | None=...) -> Expression:
    """The angle in radians whose tangent is x, between -π/2 and π/2, which infinities reach."""

@overload
def arctan(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def arctan2(x: Expression, y: Expression | ArrayLike, *, name: str | None=...) -> Expression:
    """The angle in radians, from -π to π, of the point at height x (the first input) and width y."""

@overload
def arctan2(x: ArrayLike, y: Expression, *, name: str | None=...) -> Expression:
    ...

@overload
def arctan2(x: ArrayLike, y: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def arctanh(x: Expression, *, name: str | None=...) -> Expression:
    """The number whose hyperbolic tangent is x: infinite at -1 and 1, and NaN outside."""

@overload
def arctanh(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def argmax(x: Expression, axis: builtins.int | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Expression:
    """The first place of the largest element along an axis; without one, among all elements in order."""

@overload
def argmax(x: ArrayLike, axis: builtins.int | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Array:
    ...

@overload
def argmin(x: Expression, axis: builtins.int | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Expression:
    """The first place of the smallest element along an axis; without one, among all elements in order."""

@overload
def argmin(x: ArrayLike, axis: builtins.int | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Array:
    ...

@overload
def argsort(x: Expression, axis: builtins.int=..., descending: builtins.bool=..., *, dim: builtins.int=..., name: str | None=...) -> Expression:
    """The places of the elements in ascending order along an axis, as int64."""

@overload
def argsort(x: ArrayLike, axis: builtins.int=..., descending: builtins.bool=..., *, dim: builtins.int=..., name: str | None=...) -> Array:
    ...

@overload
def argwhere(condition: Expression, *, name: str | None=...) -> Expression:
    """The places of the elements that are true or not 0, each an index vector, in order; NaN counts as true."""

@overload
def argwhere(condition: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def around(x: Expression, decimals: builtins.int=..., *, name: str | None=...) -> Expression:
    """Each element rounded to whole numbers, or to `decimals`; halves go to the even neighbour."""

@overload
def around(x: ArrayLike, decimals: builtins.int=..., *, name: str | None=...) -> Array:
    ...

def array(x: Any, dtype: object=..., requires_grad: builtins.bool=..., *, device: object=..., name: str | None=...) -> Expression:
    """A Constant of numbers, float64 or int64 as written; with `requires_grad` a Variable, which training changes."""

@overload
def array_split(x: Expression, sections: Any=..., axis: builtins.int=..., *, indices_or_sections: Any=..., name: str | None=...) -> Expression:
    """So many equal parts, or parts that end at these places, as in NumPy."""

@overload
def array_split(x: ArrayLike, sections: Any=..., axis: builtins.int=..., *, indices_or_sections: Any=..., name: str | None=...) -> Array:
    ...

def as_tensor(x: Any, dtype: object=..., requires_grad: builtins.bool=..., *, device: object=..., name: str | None=...) -> Expression:
    """A Constant of numbers, float64 or int64 as written; with `requires_grad` a Variable, which training changes."""

def asarray(x: Any, dtype: object=..., requires_grad: builtins.bool=..., *, device: object=..., name: str | None=...) -> Expression:
    """A Constant of numbers, float64 or int64 as written; with `requires_grad` a Variable, which training changes."""

@overload
def asin(x: Expression, *, name: str | None=...) -> Expression:
    """The angle in radians, from -π/2 to π/2, whose sine is x."""

@overload
def asin(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def asinh(x: Expression, *, name: str | None=...) -> Expression:
    """The number whose hyperbolic sine is x; infinities stay infinite and receive a gradient of 0."""

@overload
def asinh(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def astype(x: Expression, dtype: object, *, name: str | None=...) -> Expression:
    """The tensor in another dtype."""

@overload
def astype(x: ArrayLike, dtype: object, *, name: str | None=...) -> Array:
    ...

@overload
def atan(x: Expression, *, name: str | None=...) -> Expression:
    """The angle in radians whose tangent is x, between -π/2 and π/2, which infinities reach."""

@overload
def atan(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def atan2(x: Expression, y: Expression | ArrayLike, *, name: str | None=...) -> Expression:
    """The angle in radians, from -π to π, of the point at height x (the first input) and width y."""

@overload
def atan2(x: ArrayLike, y: Expression, *, name: str | None=...) -> Expression:
    ...

@overload
def atan2(x: ArrayLike, y: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def atanh(x: Expression, *, name: str | None=...) -> Expression:
    """The number whose hyperbolic tangent is x: infinite at -1 and 1, and NaN outside."""

@overload
def atanh(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def average(x: Expression, axis: Any=..., weights: Expression | ArrayLike=..., *, name: str | None=...) -> Expression:
    """The mean, weighted by `weights` if they are given."""

@overload
def average(x: ArrayLike, axis: Any=..., weights: ArrayLike=..., *, name: str | None=...) -> Array:
    ...

@overload
def avg_pool1d(input: Expression, ksize: builtins.int | Sequence[builtins.int], strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'], data_format: Literal['NWC', 'NCW']=..., *, name: str | None=...) -> Expression:
    """The mean of each window along the columns of (batch, columns, channels); the border does not count."""

@overload
def avg_pool1d(input: ArrayLike, ksize: builtins.int | Sequence[builtins.int], strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'], data_format: Literal['NWC', 'NCW']=..., *, name: str | None=...) -> Array:
    ...

@overload
def avg_pool2d(x: Expression, size: builtins.int | Sequence[builtins.int]=..., stride: builtins.int | Sequence[builtins.int] | None=..., padding: builtins.int | Sequence[builtins.int]=..., *, kernel_size: builtins.int | Sequence[builtins.int]=..., name: str | None=...) -> Expression:
    """The mean of windows over images (batch, channels, rows, columns), as in PyTorch."""

@overload
def avg_pool2d(x: ArrayLike, size: builtins.int | Sequence[builtins.int]=..., stride: builtins.int | Sequence[builtins.int] | None=..., padding: builtins.int | Sequence[builtins.int]=..., *, kernel_size: builtins.int | Sequence[builtins.int]=..., name: str | None=...) -> Array:
    ...

@overload
def avg_pool3d(input: Expression, ksize: builtins.int | Sequence[builtins.int], strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'], data_format: Literal['NDHWC', 'NCDHW']=..., *, name: str | None=...) -> Expression:
    """The mean of each window of (batch, planes, rows, columns, channels); the border does not count."""

@overload
def avg_pool3d(input: ArrayLike, ksize: builtins.int | Sequence[builtins.int], strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'], data_format: Literal['NDHWC', 'NCDHW']=..., *, name: str | None=...) -> Array:
    ...

@overload
def band_part(x: Expression, num_lower: builtins.int, num_upper: builtins.int, *, name: str | None=...) -> Expression:
    """Matrices with zeros outside the band of `num_lower` diagonals below the main one and `num_upper` above it."""

@overload
def band_part(x: ArrayLike, num_lower: builtins.int, num_upper: builtins.int, *, name: str | None=...) -> Array:
    ...

@overload
def batch_normalization(x: Expression, mean: Expression | ArrayLike, variance: Expression | ArrayLike, offset: Expression | ArrayLike=..., scale: Expression | ArrayLike=..., variance_epsilon: builtins.float=..., *, name: str | None=...) -> Expression:
    """The input less the mean, over the standard deviation; scaled and moved if scale and offset are connected."""

@overload
def batch_normalization(x: ArrayLike, mean: Expression, variance: Expression | ArrayLike, offset: Expression | ArrayLike=..., scale: Expression | ArrayLike=..., variance_epsilon: builtins.float=..., *, name: str | None=...) -> Expression:
    ...

@overload
def batch_normalization(x: ArrayLike, mean: ArrayLike, variance: Expression, offset: Expression | ArrayLike=..., scale: Expression | ArrayLike=..., variance_epsilon: builtins.float=..., *, name: str | None=...) -> Expression:
    ...

@overload
def batch_normalization(x: ArrayLike, mean: ArrayLike, variance: ArrayLike, offset: Expression, scale: Expression | ArrayLike=..., variance_epsilon: builtins.float=..., *, name: str | None=...) -> Expression:
    ...

@overload
def batch_normalization(x: ArrayLike, mean: ArrayLike, variance: ArrayLike, offset: ArrayLike, scale: Expression, variance_epsilon: builtins.float=..., *, name: str | None=...) -> Expression:
    ...

@overload
def batch_normalization(x: ArrayLike, mean: ArrayLike, variance: ArrayLike, offset: ArrayLike=..., scale: ArrayLike=..., variance_epsilon: builtins.float=..., *, name: str | None=...) -> Array:
    ...

@overload
def batch_to_space(x: Expression, block_shape: Sequence[builtins.int], crops: Sequence[Sequence[builtins.int]], *, name: str | None=...) -> Expression:
    """Images laid out as the pixels of blocks, and then cropped: it undoes SpaceToBatch."""

@overload
def batch_to_space(x: ArrayLike, block_shape: Sequence[builtins.int], crops: Sequence[Sequence[builtins.int]], *, name: str | None=...) -> Array:
    ...

@overload
def bessel_i0e(x: Expression, *, name: str | None=...) -> Expression:
    """The modified Bessel function of order 0, scaled so that it never overflows; the gradient at 0 is 0."""

@overload
def bessel_i0e(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def bessel_i1e(x: Expression, *, name: str | None=...) -> Expression:
    """The modified Bessel function of order 1, scaled so that it never overflows; the gradient at 0 is one half."""

@overload
def bessel_i1e(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def betainc(a: Expression, b: Expression | ArrayLike, x: Expression | ArrayLike, *, name: str | None=...) -> Expression:
    """The probability of a beta variable below x: the regularized incomplete beta function."""

@overload
def betainc(a: ArrayLike, b: Expression, x: Expression | ArrayLike, *, name: str | None=...) -> Expression:
    ...

@overload
def betainc(a: ArrayLike, b: ArrayLike, x: Expression, *, name: str | None=...) -> Expression:
    ...

@overload
def betainc(a: ArrayLike, b: ArrayLike, x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def bias_add(value: Expression, bias: Expression | ArrayLike, data_format: Literal['NHWC', 'NCHW', 'N...C', 'NC...']=..., *, name: str | None=...) -> Expression:
    """A vector added to the channels of a tensor: the last axis, or the second with `data_format` NCHW or NC...."""

@overload
def bias_add(value: ArrayLike, bias: Expression, data_format: Literal['NHWC', 'NCHW', 'N...C', 'NC...']=..., *, name: str | None=...) -> Expression:
    ...

@overload
def bias_add(value: ArrayLike, bias: ArrayLike, data_format: Literal['NHWC', 'NCHW', 'N...C', 'NC...']=..., *, name: str | None=...) -> Array:
    ...

@overload
def binary_cross_entropy(x: Expression, target: Expression | ArrayLike, weight: Expression | ArrayLike=..., reduction: str=..., *, name: str | None=...) -> Expression:
    """The cross entropy of truths and probabilities; logarithms are at least -100, as in PyTorch."""

@overload
def binary_cross_entropy(x: ArrayLike, target: Expression, weight: Expression | ArrayLike=..., reduction: str=..., *, name: str | None=...) -> Expression:
    ...

@overload
def binary_cross_entropy(x: ArrayLike, target: ArrayLike, weight: Expression, reduction: str=..., *, name: str | None=...) -> Expression:
    ...

@overload
def binary_cross_entropy(x: ArrayLike, target: ArrayLike, weight: ArrayLike=..., reduction: str=..., *, name: str | None=...) -> Array:
    ...

@overload
def binary_cross_entropy_with_logits(x: Expression, target: Expression | ArrayLike, weight: Expression | ArrayLike=..., reduction: str=..., pos_weight: Expression | ArrayLike=..., *, name: str | None=...) -> Expression:
    """The cross entropy of truths and the sigmoid of logits."""

@overload
def binary_cross_entropy_with_logits(x: ArrayLike, target: Expression, weight: Expression | ArrayLike=..., reduction: str=..., pos_weight: Expression | ArrayLike=..., *, name: str | None=...) -> Expression:
    ...

@overload
def binary_cross_entropy_with_logits(x: ArrayLike, target: ArrayLike, weight: Expression, reduction: str=..., pos_weight: Expression | ArrayLike=..., *, name: str | None=...) -> Expression:
    ...

@overload
def binary_cross_entropy_with_logits(x: ArrayLike, target: ArrayLike, weight: ArrayLike=..., reduction: str=..., pos_weight: ArrayLike=..., *, name: str | None=...) -> Array:
    ...

@overload
def binary_crossentropy(target: Expression, x: Expression | ArrayLike=..., from_logits: builtins.bool=..., label_smoothing: builtins.float=..., axis: builtins.int=..., *, y_pred: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The mean over `axis` of the cross entropy between truths and probabilities, or logits, as in Keras."""

@overload
def binary_crossentropy(target: ArrayLike, x: Expression, from_logits: builtins.bool=..., label_smoothing: builtins.float=..., axis: builtins.int=..., *, y_pred: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def binary_crossentropy(target: ArrayLike, x: ArrayLike=..., from_logits: builtins.bool=..., label_smoothing: builtins.float=..., axis: builtins.int=..., *, y_pred: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def bmm(x: Expression, y: Expression | ArrayLike=..., *, mat2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The products of two batches of matrices."""

@overload
def bmm(x: ArrayLike, y: Expression, *, mat2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def bmm(x: ArrayLike, y: ArrayLike=..., *, mat2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def broadcast_to(x: Expression, *shape: Any, name: str | None=...) -> Expression:
    """The tensor repeated along new axes and axes of size 1 until it has a shape."""

@overload
def broadcast_to(x: ArrayLike, *shape: Any, name: str | None=...) -> Array:
    ...

@overload
def cast(x: Expression, dtype: object, *, name: str | None=...) -> Expression:
    """The tensor in another dtype."""

@overload
def cast(x: ArrayLike, dtype: object, *, name: str | None=...) -> Array:
    ...

def cat(x: Sequence[Expression | ArrayLike], axis: builtins.int=..., *, dim: builtins.int=..., name: str | None=...) -> Expression:
    """Tensors behind each other along an axis."""

@overload
def categorical_crossentropy(target: Expression, x: Expression | ArrayLike=..., from_logits: builtins.bool=..., label_smoothing: builtins.float=..., axis: builtins.int=..., *, y_pred: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The cross entropy between the probabilities of classes and those predicted, or logits, as in Keras."""

@overload
def categorical_crossentropy(target: ArrayLike, x: Expression, from_logits: builtins.bool=..., label_smoothing: builtins.float=..., axis: builtins.int=..., *, y_pred: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def categorical_crossentropy(target: ArrayLike, x: ArrayLike=..., from_logits: builtins.bool=..., label_smoothing: builtins.float=..., axis: builtins.int=..., *, y_pred: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def cbrt(x: Expression, *, name: str | None=...) -> Expression:
    """The cube root, which a negative number has too."""

@overload
def cbrt(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def cdist(x: Expression, y: Expression | ArrayLike=..., p: builtins.float=..., *, x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The distances of all rows of `x` from all rows of `y`."""

@overload
def cdist(x: ArrayLike, y: Expression, p: builtins.float=..., *, x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def cdist(x: ArrayLike, y: ArrayLike=..., p: builtins.float=..., *, x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def ceil(x: Expression, *, name: str | None=...) -> Expression:
    """The least whole number that is not below x; NaN and infinities stay as they are. No gradient passes."""

@overload
def ceil(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def check_numerics(x: Expression, message: str, *, name: str | None=...) -> Expression:
    """The input, unchanged; NaN or infinity in it, or in the incoming gradient, is an error with this message."""

@overload
def check_numerics(x: ArrayLike, message: str, *, name: str | None=...) -> Array:
    ...

@overload
def cholesky(x: Expression, *, name: str | None=...) -> Expression:
    """The lower triangular factor of a matrix that is symmetric and positive."""

@overload
def cholesky(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def chunk(x: Expression, chunks: builtins.int, axis: builtins.int=..., *, dim: builtins.int=..., name: str | None=...) -> Expression:
    """So many parts of the same size, the last one smaller if need be, as in PyTorch."""

@overload
def chunk(x: ArrayLike, chunks: builtins.int, axis: builtins.int=..., *, dim: builtins.int=..., name: str | None=...) -> Array:
    ...

@overload
def clamp(x: Expression, low: Expression | ArrayLike=..., high: Expression | ArrayLike=..., *, max: Expression | ArrayLike=..., min: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """Each element, but at least `low` and at most `high`; where they cross, `high` as in NumPy and PyTorch."""

@overload
def clamp(x: ArrayLike, low: Expression, high: Expression | ArrayLike=..., *, max: Expression | ArrayLike=..., min: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def clamp(x: ArrayLike, low: ArrayLike, high: Expression, *, max: Expression=..., min: ArrayLike=..., name: str | None=...) -> Expression:
    ...

@overload
def clamp(x: ArrayLike, low: ArrayLike=..., high: ArrayLike=..., *, max: ArrayLike=..., min: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def clip(x: Expression, low: Expression | ArrayLike=..., high: Expression | ArrayLike=..., *, a_max: Expression | ArrayLike=..., a_min: Expression | ArrayLike=..., clip_value_max: Expression | ArrayLike=..., clip_value_min: Expression | ArrayLike=..., max: Expression | ArrayLike=..., min: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """Each element, but at least `low` and at most `high`; where they cross, `high` as in NumPy and PyTorch."""

@overload
def clip(x: ArrayLike, low: Expression, high: Expression | ArrayLike=..., *, a_max: Expression | ArrayLike=..., a_min: Expression=..., clip_value_max: Expression | ArrayLike=..., clip_value_min: Expression=..., max: Expression | ArrayLike=..., min: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def clip(x: ArrayLike, low: ArrayLike, high: Expression, *, a_max: Expression=..., a_min: ArrayLike=..., clip_value_max: Expression=..., clip_value_min: ArrayLike=..., max: Expression=..., min: ArrayLike=..., name: str | None=...) -> Expression:
    ...

@overload
def clip(x: ArrayLike, low: ArrayLike=..., high: ArrayLike=..., *, a_max: ArrayLike=..., a_min: ArrayLike=..., clip_value_max: ArrayLike=..., clip_value_min: ArrayLike=..., max: ArrayLike=..., min: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def clip_by_norm(x: Expression, clip_norm: builtins.float, axes: builtins.int | Sequence[builtins.int] | None=..., *, name: str | None=...) -> Expression:
    """The tensor, shortened to the Euclidean length `clip_norm` if it is longer; with `axes`, each vector along them."""

@overload
def clip_by_norm(x: ArrayLike, clip_norm: builtins.float, axes: builtins.int | Sequence[builtins.int] | None=..., *, name: str | None=...) -> Array:
    ...

@overload
def clip_by_value(x: Expression, low: Expression | ArrayLike=..., high: Expression | ArrayLike=..., *, a_max: Expression | ArrayLike=..., a_min: Expression | ArrayLike=..., clip_value_max: Expression | ArrayLike=..., clip_value_min: Expression | ArrayLike=..., max: Expression | ArrayLike=..., min: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """Each element, but at least `low` and at most `high`; where they cross, `high` as in NumPy and PyTorch."""

@overload
def clip_by_value(x: ArrayLike, low: Expression, high: Expression | ArrayLike=..., *, a_max: Expression | ArrayLike=..., a_min: Expression=..., clip_value_max: Expression | ArrayLike=..., clip_value_min: Expression=..., max: Expression | ArrayLike=..., min: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def clip_by_value(x: ArrayLike, low: ArrayLike, high: Expression, *, a_max: Expression=..., a_min: ArrayLike=..., clip_value_max: Expression=..., clip_value_min: ArrayLike=..., max: Expression=..., min: ArrayLike=..., name: str | None=...) -> Expression:
    ...

@overload
def clip_by_value(x: ArrayLike, low: ArrayLike=..., high: ArrayLike=..., *, a_max: ArrayLike=..., a_min: ArrayLike=..., clip_value_max: ArrayLike=..., clip_value_min: ArrayLike=..., max: ArrayLike=..., min: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def clone(x: Expression, *, name: str | None=...) -> Expression:
    """The tensor itself: nothing is ever overwritten."""

@overload
def clone(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

def column_stack(x: Sequence[Any], *, name: str | None=...) -> Expression:
    """Vectors as the columns of a matrix."""

def concat(x: Sequence[Expression | ArrayLike], axis: builtins.int=..., *, name: str | None=...) -> Expression:
    """Tensors behind each other along an axis."""

def concatenate(x: Sequence[Expression | ArrayLike], axis: builtins.int=..., *, name: str | None=...) -> Expression:
    """Tensors behind each other along an axis."""

def constant(x: Any, dtype: object=..., requires_grad: builtins.bool=..., *, device: object=..., name: str | None=...) -> Expression:
    """A Constant of numbers, float64 or int64 as written; with `requires_grad` a Variable, which training changes."""

@overload
def contiguous(x: Expression, *, name: str | None=...) -> Expression:
    """The tensor itself: nothing is ever overwritten."""

@overload
def contiguous(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def conv(x: Expression, filters: Expression | ArrayLike=..., strides: builtins.int | Sequence[builtins.int]=..., padding: object=..., dilations: builtins.int | Sequence[builtins.int] | None=..., dimension_numbers: Any=..., groups: builtins.int=..., *, feature_group_count: builtins.int=..., rhs: Expression | ArrayLike=..., rhs_dilation: builtins.int | Sequence[builtins.int] | None=..., window_strides: builtins.int | Sequence[builtins.int]=..., name: str | None=...) -> Expression:
    """Filters moved over images, in the order of axes that `dimension_numbers` says, as in JAX."""

@overload
def conv(x: ArrayLike, filters: Expression, strides: builtins.int | Sequence[builtins.int]=..., padding: object=..., dilations: builtins.int | Sequence[builtins.int] | None=..., dimension_numbers: Any=..., groups: builtins.int=..., *, feature_group_count: builtins.int=..., rhs: Expression=..., rhs_dilation: builtins.int | Sequence[builtins.int] | None=..., window_strides: builtins.int | Sequence[builtins.int]=..., name: str | None=...) -> Expression:
    ...

@overload
def conv(x: ArrayLike, filters: ArrayLike=..., strides: builtins.int | Sequence[builtins.int]=..., padding: object=..., dilations: builtins.int | Sequence[builtins.int] | None=..., dimension_numbers: Any=..., groups: builtins.int=..., *, feature_group_count: builtins.int=..., rhs: ArrayLike=..., rhs_dilation: builtins.int | Sequence[builtins.int] | None=..., window_strides: builtins.int | Sequence[builtins.int]=..., name: str | None=...) -> Array:
    ...

@overload
def conv2d(x: Expression, filters: Expression | ArrayLike=..., bias: Expression | ArrayLike=..., stride: builtins.int | Sequence[builtins.int]=..., padding: builtins.int | Sequence[builtins.int] | str=..., dilation: builtins.int | Sequence[builtins.int]=..., groups: builtins.int=..., *, weight: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """Filters (out, in, rows, columns) moved over images (batch, channels, rows, columns), as in PyTorch."""

@overload
def conv2d(x: ArrayLike, filters: Expression, bias: Expression | ArrayLike=..., stride: builtins.int | Sequence[builtins.int]=..., padding: builtins.int | Sequence[builtins.int] | str=..., dilation: builtins.int | Sequence[builtins.int]=..., groups: builtins.int=..., *, weight: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def conv2d(x: ArrayLike, filters: ArrayLike, bias: Expression, stride: builtins.int | Sequence[builtins.int]=..., padding: builtins.int | Sequence[builtins.int] | str=..., dilation: builtins.int | Sequence[builtins.int]=..., groups: builtins.int=..., *, weight: ArrayLike=..., name: str | None=...) -> Expression:
    ...

@overload
def conv2d(x: ArrayLike, filters: ArrayLike=..., bias: ArrayLike=..., stride: builtins.int | Sequence[builtins.int]=..., padding: builtins.int | Sequence[builtins.int] | str=..., dilation: builtins.int | Sequence[builtins.int]=..., groups: builtins.int=..., *, weight: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def conv2d_transpose(input: Expression, filters: Expression | ArrayLike, output_shape: Sequence[builtins.int], strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'] | Sequence[Sequence[builtins.int]]=..., data_format: Literal['NHWC', 'NCHW']=..., dilations: builtins.int | Sequence[builtins.int] | None=..., *, name: str | None=...) -> Expression:
    """Each element spread over a window of the result: the gradient of Conv2D towards its image, as a block."""

@overload
def conv2d_transpose(input: ArrayLike, filters: Expression, output_shape: Sequence[builtins.int], strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'] | Sequence[Sequence[builtins.int]]=..., data_format: Literal['NHWC', 'NCHW']=..., dilations: builtins.int | Sequence[builtins.int] | None=..., *, name: str | None=...) -> Expression:
    ...

@overload
def conv2d_transpose(input: ArrayLike, filters: ArrayLike, output_shape: Sequence[builtins.int], strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'] | Sequence[Sequence[builtins.int]]=..., data_format: Literal['NHWC', 'NCHW']=..., dilations: builtins.int | Sequence[builtins.int] | None=..., *, name: str | None=...) -> Array:
    ...

@overload
def conv_general_dilated(x: Expression, filters: Expression | ArrayLike=..., strides: builtins.int | Sequence[builtins.int]=..., padding: object=..., dilations: builtins.int | Sequence[builtins.int] | None=..., dimension_numbers: Any=..., groups: builtins.int=..., *, feature_group_count: builtins.int=..., rhs: Expression | ArrayLike=..., rhs_dilation: builtins.int | Sequence[builtins.int] | None=..., window_strides: builtins.int | Sequence[builtins.int]=..., name: str | None=...) -> Expression:
    """Filters moved over images, in the order of axes that `dimension_numbers` says, as in JAX."""

@overload
def conv_general_dilated(x: ArrayLike, filters: Expression, strides: builtins.int | Sequence[builtins.int]=..., padding: object=..., dilations: builtins.int | Sequence[builtins.int] | None=..., dimension_numbers: Any=..., groups: builtins.int=..., *, feature_group_count: builtins.int=..., rhs: Expression=..., rhs_dilation: builtins.int | Sequence[builtins.int] | None=..., window_strides: builtins.int | Sequence[builtins.int]=..., name: str | None=...) -> Expression:
    ...

@overload
def conv_general_dilated(x: ArrayLike, filters: ArrayLike=..., strides: builtins.int | Sequence[builtins.int]=..., padding: object=..., dilations: builtins.int | Sequence[builtins.int] | None=..., dimension_numbers: Any=..., groups: builtins.int=..., *, feature_group_count: builtins.int=..., rhs: ArrayLike=..., rhs_dilation: builtins.int | Sequence[builtins.int] | None=..., window_strides: builtins.int | Sequence[builtins.int]=..., name: str | None=...) -> Array:
    ...

def convert_to_tensor(x: Any, dtype: object=..., requires_grad: builtins.bool=..., *, device: object=..., name: str | None=...) -> Expression:
    """A Constant of numbers, float64 or int64 as written; with `requires_grad` a Variable, which training changes."""

@overload
def cos(x: Expression, *, name: str | None=...) -> Expression:
    """The cosine of an angle in radians; NaN at infinity."""

@overload
def cos(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def cosh(x: Expression, *, name: str | None=...) -> Expression:
    """The hyperbolic cosine, at least 1. It overflows to infinity on both sides, where the gradient is infinite too."""

@overload
def cosh(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def cosine_similarity(x: Expression, y: Expression | ArrayLike=..., axis: builtins.int=..., eps: builtins.float=..., *, dim: builtins.int=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The cosine between vectors along `axis`, each length at least `eps`."""

@overload
def cosine_similarity(x: ArrayLike, y: Expression, axis: builtins.int=..., eps: builtins.float=..., *, dim: builtins.int=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def cosine_similarity(x: ArrayLike, y: ArrayLike=..., axis: builtins.int=..., eps: builtins.float=..., *, dim: builtins.int=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def count_nonzero(x: Expression, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | Sequence[builtins.int] | None=..., name: str | None=...) -> Expression:
    """The number of elements that are not 0."""

@overload
def count_nonzero(x: ArrayLike, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | Sequence[builtins.int] | None=..., name: str | None=...) -> Array:
    ...

@overload
def crelu(x: Expression, axis: builtins.int=..., *, name: str | None=...) -> Expression:
    """The positive part and, after it along `axis`, that of the opposite; both have the gradient 0 at 0."""

@overload
def crelu(x: ArrayLike, axis: builtins.int=..., *, name: str | None=...) -> Array:
    ...

@overload
def cross_entropy(x: Expression, target: Expression | ArrayLike, weight: Expression | ArrayLike=..., reduction: str=..., label_smoothing: builtins.float=..., ignore_index: builtins.int=..., *, name: str | None=...) -> Expression:
    """The cross entropy of classes (numbers or probabilities) and the softmax of logits, whose classes are axis 1."""

@overload
def cross_entropy(x: ArrayLike, target: Expression, weight: Expression | ArrayLike=..., reduction: str=..., label_smoothing: builtins.float=..., ignore_index: builtins.int=..., *, name: str | None=...) -> Expression:
    ...

@overload
def cross_entropy(x: ArrayLike, target: ArrayLike, weight: Expression, reduction: str=..., label_smoothing: builtins.float=..., ignore_index: builtins.int=..., *, name: str | None=...) -> Expression:
    ...

@overload
def cross_entropy(x: ArrayLike, target: ArrayLike, weight: ArrayLike=..., reduction: str=..., label_smoothing: builtins.float=..., ignore_index: builtins.int=..., *, name: str | None=...) -> Array:
    ...

@overload
def cumprod(x: Expression, axis: builtins.int | None=..., *, dtype: object=..., dim: builtins.int | None=..., name: str | None=...) -> Expression:
    """The product of all elements up to each one, along an axis."""

@overload
def cumprod(x: ArrayLike, axis: builtins.int | None=..., *, dtype: object=..., dim: builtins.int | None=..., name: str | None=...) -> Array:
    ...

@overload
def cumsum(x: Expression, axis: builtins.int | None=..., *, dtype: object=..., dim: builtins.int | None=..., name: str | None=...) -> Expression:
    """The sum of all elements up to each one, along an axis."""

@overload
def cumsum(x: ArrayLike, axis: builtins.int | None=..., *, dtype: object=..., dim: builtins.int | None=..., name: str | None=...) -> Array:
    ...

@overload
def depth_to_space(x: Expression, block_size: builtins.int, *, name: str | None=...) -> Expression:
    """The channels of every pixel laid out as a block of `block_size` by `block_size` pixels; images are NHWC."""

@overload
def depth_to_space(x: ArrayLike, block_size: builtins.int, *, name: str | None=...) -> Array:
    ...

@overload
def det(x: Expression, *, name: str | None=...) -> Expression:
    """The determinant of a matrix."""

@overload
def det(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def detach(x: Expression, *, name: str | None=...) -> Expression:
    """The tensor, through which no gradient flows back."""

@overload
def detach(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def diagonal(x: Expression, offset: builtins.int=..., axis1: builtins.int=..., axis2: builtins.int=..., *, dim1: builtins.int=..., dim2: builtins.int=..., name: str | None=...) -> Expression:
    """The diagonal of two axes, as the last axis of the result."""

@overload
def diagonal(x: ArrayLike, offset: builtins.int=..., axis1: builtins.int=..., axis2: builtins.int=..., *, dim1: builtins.int=..., dim2: builtins.int=..., name: str | None=...) -> Array:
    ...

@overload
def digamma(x: Expression, *, name: str | None=...) -> Expression:
    """The derivative of Lgamma."""

@overload
def digamma(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def dist(x: Expression, y: Expression | ArrayLike=..., p: builtins.float=..., *, other: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The length of the difference of two tensors."""

@overload
def dist(x: ArrayLike, y: Expression, p: builtins.float=..., *, other: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def dist(x: ArrayLike, y: ArrayLike=..., p: builtins.float=..., *, other: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def div(x: Expression, y: Expression | ArrayLike=..., *, rounding_mode: str | None=..., other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The quotient of two tensors; of integers it is float64. `rounding_mode` is None, "floor" or "trunc"."""

@overload
def div(x: ArrayLike, y: Expression, *, rounding_mode: str | None=..., other: Expression=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def div(x: ArrayLike, y: ArrayLike=..., *, rounding_mode: str | None=..., other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def divide(x: Expression, y: Expression | ArrayLike=..., *, rounding_mode: str | None=..., other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The quotient of two tensors; of integers it is float64. `rounding_mode` is None, "floor" or "trunc"."""

@overload
def divide(x: ArrayLike, y: Expression, *, rounding_mode: str | None=..., other: Expression=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def divide(x: ArrayLike, y: ArrayLike=..., *, rounding_mode: str | None=..., other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def divide_no_nan(x: Expression, y: Expression | ArrayLike, *, name: str | None=...) -> Expression:
    """The quotient of two tensors, but 0 wherever y is 0, even if x is infinite or NaN there; so are both gradients."""

@overload
def divide_no_nan(x: ArrayLike, y: Expression, *, name: str | None=...) -> Expression:
    ...

@overload
def divide_no_nan(x: ArrayLike, y: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def dot(x: Expression, y: Expression | ArrayLike=..., *, b: Expression | ArrayLike=..., tensor: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The product of two vectors or matrices."""

@overload
def dot(x: ArrayLike, y: Expression, *, b: Expression=..., tensor: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def dot(x: ArrayLike, y: ArrayLike=..., *, b: ArrayLike=..., tensor: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def double(x: Expression, *, name: str | None=...) -> Expression:
    """The tensor as float64."""

@overload
def double(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def dropout(x: Expression, rate: builtins.float=..., training: builtins.bool=..., seed: builtins.int | None=..., *, p: builtins.float=..., name: str | None=...) -> Expression:
    """Zeros at random places, the rest scaled up; the numbers are ours, not those of a framework."""

@overload
def dropout(x: ArrayLike, rate: builtins.float=..., training: builtins.bool=..., seed: builtins.int | None=..., *, p: builtins.float=..., name: str | None=...) -> Array:
    ...

@overload
def einsum(equation: str, *x: Expression, name: str | None=...) -> Expression:
    """Products summed as the letters say: `einsum("ij,jk->ik", a, b)`."""

@overload
def einsum(equation: str, *x: ArrayLike, name: str | None=...) -> Array:
    ...

@overload
def elu(x: Expression, *, name: str | None=...) -> Expression:
    """The exponential linear unit; its gradient is 1 at 0, and where the input is NaN."""

@overload
def elu(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def embedding(x: Expression, index: Expression | ArrayLike=..., *, input: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The rows of a table at some places."""

@overload
def embedding(x: ArrayLike, index: Expression, *, input: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def embedding(x: ArrayLike, index: ArrayLike=..., *, input: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def embedding_lookup(params: Expression, ids: Expression | ArrayLike, max_norm: builtins.float | None=..., *, name: str | None=...) -> Expression:
    """The rows of a table that the ids name; rows longer than `max_norm`, if it is given, are shortened to it."""

@overload
def embedding_lookup(params: ArrayLike, ids: Expression, max_norm: builtins.float | None=..., *, name: str | None=...) -> Expression:
    ...

@overload
def embedding_lookup(params: ArrayLike, ids: ArrayLike, max_norm: builtins.float | None=..., *, name: str | None=...) -> Array:
    ...

@overload
def eq(x: Expression, y: Expression | ArrayLike=..., *, other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """True where two tensors are equal."""

@overload
def eq(x: ArrayLike, y: Expression, *, other: Expression=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def eq(x: ArrayLike, y: ArrayLike=..., *, other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def erf(x: Expression, *, name: str | None=...) -> Expression:
    """The error function: how likely a normal variable of variance 1/2 lies between -x and x."""

@overload
def erf(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def erfc(x: Expression, *, name: str | None=...) -> Expression:
    """One minus the error function, with all its digits also far to the right, where Erf is 1."""

@overload
def erfc(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def erfinv(x: Expression, *, name: str | None=...) -> Expression:
    """The number whose error function is x; infinite at 1 and -1, and so is the gradient, NaN beyond them."""

@overload
def erfinv(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def exp(x: Expression, *, name: str | None=...) -> Expression:
    """The exponential function."""

@overload
def exp(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def exp2(x: Expression, *, name: str | None=...) -> Expression:
    """Two to the power of each element."""

@overload
def exp2(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def expand(x: Expression, *shape: Any, name: str | None=...) -> Expression:
    """The tensor repeated along axes of size 1; -1 stands for the size that an axis has."""

@overload
def expand(x: ArrayLike, *shape: Any, name: str | None=...) -> Array:
    ...

@overload
def expand_dims(x: Expression, axis: builtins.int | tuple[builtins.int, ...], *, name: str | None=...) -> Expression:
    """New axes of size 1."""

@overload
def expand_dims(x: ArrayLike, axis: builtins.int | tuple[builtins.int, ...], *, name: str | None=...) -> Array:
    ...

@overload
def expit(x: Expression, *, name: str | None=...) -> Expression:
    """The logistic function."""

@overload
def expit(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def expm1(x: Expression, *, name: str | None=...) -> Expression:
    """The exponential function minus 1, exact also where x is so small that its exponential would round to 1."""

@overload
def expm1(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def extract_patches(images: Expression, sizes: Sequence[builtins.int], strides: Sequence[builtins.int], rates: Sequence[builtins.int], padding: Literal['SAME', 'VALID'] | Sequence[Sequence[builtins.int]], *, name: str | None=...) -> Expression:
    """The pixels of every window over images (batch, rows, columns, channels) as the channels of one pixel."""

@overload
def extract_patches(images: ArrayLike, sizes: Sequence[builtins.int], strides: Sequence[builtins.int], rates: Sequence[builtins.int], padding: Literal['SAME', 'VALID'] | Sequence[Sequence[builtins.int]], *, name: str | None=...) -> Array:
    ...

def eye(n: builtins.int, m: builtins.int | None=..., dtype: object=..., *, M: builtins.int | None=..., num_columns: builtins.int | None=..., name: str | None=...) -> Expression:
    """A matrix with ones on its diagonal, float64 unless another dtype is asked for."""

@overload
def fabs(x: Expression, *, name: str | None=...) -> Expression:
    """The absolute value of each element."""

@overload
def fabs(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def fill(shape: Any, fill_value: Expression=..., dtype: object=..., *, value: Expression=..., name: str | None=...) -> Expression:
    """One number in every place of a shape."""

@overload
def fill(shape: Any, fill_value: ArrayLike=..., dtype: object=..., *, value: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def flatten(x: Expression, start_dim: builtins.int=..., end_dim: builtins.int=..., *, name: str | None=...) -> Expression:
    """All axes as one, or those from `start_dim` to `end_dim`."""

@overload
def flatten(x: ArrayLike, start_dim: builtins.int=..., end_dim: builtins.int=..., *, name: str | None=...) -> Array:
    ...

@overload
def flip(x: Expression, *axis: Any, name: str | None=...) -> Expression:
    """The elements in the opposite order along axes."""

@overload
def flip(x: ArrayLike, *axis: Any, name: str | None=...) -> Array:
    ...

@overload
def flip_left_right(images: Expression, *, name: str | None=...) -> Expression:
    """Images mirrored, so that left becomes right. Channels are the last axis."""

@overload
def flip_left_right(images: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def float(x: Expression, *, name: str | None=...) -> Expression:
    """The tensor as float32."""

@overload
def float(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def floor(x: Expression, *, name: str | None=...) -> Expression:
    """The greatest whole number that is not above x; NaN and infinities stay as they are. No gradient passes."""

@overload
def floor(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def floor_divide(x: Expression, y: Expression | ArrayLike=..., *, other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The quotient rounded down, as `//` of NumPy rounds it."""

@overload
def floor_divide(x: ArrayLike, y: Expression, *, other: Expression=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def floor_divide(x: ArrayLike, y: ArrayLike=..., *, other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def floormod(x: Expression, y: Expression | ArrayLike=..., *, other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The remainder of the quotient rounded down, which has the sign of `y`; `%` of Python."""

@overload
def floormod(x: ArrayLike, y: Expression, *, other: Expression=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def floormod(x: ArrayLike, y: ArrayLike=..., *, other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def fmod(x: Expression, y: Expression | ArrayLike, *, name: str | None=...) -> Expression:
    """The remainder of x after the quotient rounded toward zero, exactly; it has the sign of x."""

@overload
def fmod(x: ArrayLike, y: Expression, *, name: str | None=...) -> Expression:
    ...

@overload
def fmod(x: ArrayLike, y: ArrayLike, *, name: str | None=...) -> Array:
    ...

def full(shape: Any, fill_value: Expression | ArrayLike=..., dtype: object=..., *, value: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """One number in every place of a shape."""

@overload
def full_like(x: Expression, fill_value: Expression | ArrayLike, *, name: str | None=...) -> Expression:
    """One number in every place of a tensor's shape, in its dtype."""

@overload
def full_like(x: ArrayLike, fill_value: Expression, *, name: str | None=...) -> Expression:
    ...

@overload
def full_like(x: ArrayLike, fill_value: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def gammaln(x: Expression, *, name: str | None=...) -> Expression:
    """The logarithm of the gamma function's magnitude; for a whole number n it is that of (n - 1)!."""

@overload
def gammaln(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def gather(x: Expression, axis: builtins.int=..., places: Expression | ArrayLike=..., *, dim: builtins.int=..., index: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The elements at `places` along an axis, one place for each element of the result, as in PyTorch."""

@overload
def gather(x: ArrayLike, axis: builtins.int=..., places: ArrayLike=..., *, dim: builtins.int=..., index: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def gather_nd(params: Expression, indices: Expression | ArrayLike, batch_dims: builtins.int=..., *, name: str | None=...) -> Expression:
    """The elements or slices of `params` that index vectors name: the last axis of the indices holds the vectors."""

@overload
def gather_nd(params: ArrayLike, indices: Expression, batch_dims: builtins.int=..., *, name: str | None=...) -> Expression:
    ...

@overload
def gather_nd(params: ArrayLike, indices: ArrayLike, batch_dims: builtins.int=..., *, name: str | None=...) -> Array:
    ...

@overload
def gaussian_nll_loss(x: Expression, target: Expression | ArrayLike, var: Expression | ArrayLike, full: builtins.bool=..., eps: builtins.float=..., reduction: str=..., *, name: str | None=...) -> Expression:
    """The negative logarithm of a normal density with mean `x`; the variance is at least `eps`."""

@overload
def gaussian_nll_loss(x: ArrayLike, target: Expression, var: Expression | ArrayLike, full: builtins.bool=..., eps: builtins.float=..., reduction: str=..., *, name: str | None=...) -> Expression:
    ...

@overload
def gaussian_nll_loss(x: ArrayLike, target: ArrayLike, var: Expression, full: builtins.bool=..., eps: builtins.float=..., reduction: str=..., *, name: str | None=...) -> Expression:
    ...

@overload
def gaussian_nll_loss(x: ArrayLike, target: ArrayLike, var: ArrayLike, full: builtins.bool=..., eps: builtins.float=..., reduction: str=..., *, name: str | None=...) -> Array:
    ...

@overload
def ge(x: Expression, y: Expression | ArrayLike=..., *, other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """True where the first tensor is greater or equal."""

@overload
def ge(x: ArrayLike, y: Expression, *, other: Expression=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def ge(x: ArrayLike, y: ArrayLike=..., *, other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def gelu(x: Expression, approximate: builtins.bool | str=..., *, name: str | None=...) -> Expression:
    """The Gaussian error linear unit, exact; `approximate=True` (or "tanh") gives its approximation by tanh."""

@overload
def gelu(x: ArrayLike, approximate: builtins.bool | str=..., *, name: str | None=...) -> Array:
    ...

@overload
def ger(x: Expression, y: Expression | ArrayLike=..., *, b: Expression | ArrayLike=..., vec2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """Each element of one vector times each of another."""

@overload
def ger(x: ArrayLike, y: Expression, *, b: Expression=..., vec2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def ger(x: ArrayLike, y: ArrayLike=..., *, b: ArrayLike=..., vec2: ArrayLike=..., name: str | None=...) -> Array:
    ...

def grad(y: Expression, xs: Any=..., *, create_graph: builtins.bool=..., retain_graph: builtins.bool | None=..., inputs: Any=..., name: str | None=...) -> Expression:
    """The gradient of the sum of `y` with respect to a tensor, as a tensor; a tuple for a list of them."""

def gradients(y: Expression, xs: Any=..., *, create_graph: builtins.bool=..., retain_graph: builtins.bool | None=..., inputs: Any=..., name: str | None=...) -> Expression:
    """The gradient of the sum of `y` with respect to a tensor, as a tensor; a tuple for a list of them."""

@overload
def greater(x: Expression, y: Expression | ArrayLike=..., *, other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """True where the first tensor is greater."""

@overload
def greater(x: ArrayLike, y: Expression, *, other: Expression=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def greater(x: ArrayLike, y: ArrayLike=..., *, other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def greater_equal(x: Expression, y: Expression | ArrayLike=..., *, other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """True where the first tensor is greater or equal."""

@overload
def greater_equal(x: ArrayLike, y: Expression, *, other: Expression=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def greater_equal(x: ArrayLike, y: ArrayLike=..., *, other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def gt(x: Expression, y: Expression | ArrayLike=..., *, other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """True where the first tensor is greater."""

@overload
def gt(x: ArrayLike, y: Expression, *, other: Expression=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def gt(x: ArrayLike, y: ArrayLike=..., *, other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def half(x: Expression, *, name: str | None=...) -> Expression:
    """The tensor as float16."""

@overload
def half(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def hinge(target: Expression, x: Expression | ArrayLike=..., *, y_pred: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The hinge loss of labels 1 and -1, as in Keras."""

@overload
def hinge(target: ArrayLike, x: Expression, *, y_pred: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def hinge(target: ArrayLike, x: ArrayLike=..., *, y_pred: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def hinge_embedding_loss(x: Expression, target: Expression | ArrayLike, margin: builtins.float=..., reduction: str=..., *, name: str | None=...) -> Expression:
    """The distance `x` where the target is 1, and what it lacks to the margin where it is -1."""

@overload
def hinge_embedding_loss(x: ArrayLike, target: Expression, margin: builtins.float=..., reduction: str=..., *, name: str | None=...) -> Expression:
    ...

@overload
def hinge_embedding_loss(x: ArrayLike, target: ArrayLike, margin: builtins.float=..., reduction: str=..., *, name: str | None=...) -> Array:
    ...

def hstack(x: Sequence[Any], *, name: str | None=...) -> Expression:
    """Vectors behind each other, or matrices beside each other."""

@overload
def hsv_to_rgb(images: Expression, *, name: str | None=...) -> Expression:
    """Colours from hue, saturation and value, all from 0 to 1, to red, green and blue."""

@overload
def hsv_to_rgb(images: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def huber(y_true: Expression, y_pred: Expression | ArrayLike, delta: builtins.float=..., *, name: str | None=...) -> Expression:
    """Squared error up to `delta`, absolute error beyond, averaged over the last axis; no kink at `delta`."""

@overload
def huber(y_true: ArrayLike, y_pred: Expression, delta: builtins.float=..., *, name: str | None=...) -> Expression:
    ...

@overload
def huber(y_true: ArrayLike, y_pred: ArrayLike, delta: builtins.float=..., *, name: str | None=...) -> Array:
    ...

@overload
def huber_loss(x: Expression, target: Expression | ArrayLike, reduction: str=..., delta: builtins.float=..., *, name: str | None=...) -> Expression:
    """The mean of Huber losses: half squares below `delta`, straight lines above."""

@overload
def huber_loss(x: ArrayLike, target: Expression, reduction: str=..., delta: builtins.float=..., *, name: str | None=...) -> Expression:
    ...

@overload
def huber_loss(x: ArrayLike, target: ArrayLike, reduction: str=..., delta: builtins.float=..., *, name: str | None=...) -> Array:
    ...

@overload
def hypot(x: Expression, y: Expression | ArrayLike=..., *, other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The length of the vector of two numbers, element by element."""

@overload
def hypot(x: ArrayLike, y: Expression, *, other: Expression=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def hypot(x: ArrayLike, y: ArrayLike=..., *, other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def i0e(x: Expression, *, name: str | None=...) -> Expression:
    """The modified Bessel function of order 0, scaled so that it never overflows; the gradient at 0 is 0."""

@overload
def i0e(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def i1e(x: Expression, *, name: str | None=...) -> Expression:
    """The modified Bessel function of order 1, scaled so that it never overflows; the gradient at 0 is one half."""

@overload
def i1e(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def igamma(x: Expression, y: Expression | ArrayLike, *, name: str | None=...) -> Expression:
    """The probability of a gamma variable of shape x below y: the regularized lower incomplete gamma function."""

@overload
def igamma(x: ArrayLike, y: Expression, *, name: str | None=...) -> Expression:
    ...

@overload
def igamma(x: ArrayLike, y: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def igammac(x: Expression, y: Expression | ArrayLike, *, name: str | None=...) -> Expression:
    """The probability of a gamma variable of shape x above y: one minus Igamma, with all its digits also far out."""

@overload
def igammac(x: ArrayLike, y: Expression, *, name: str | None=...) -> Expression:
    ...

@overload
def igammac(x: ArrayLike, y: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def index_select(x: Expression, axis: builtins.int=..., places: Expression | ArrayLike=..., *, dim: builtins.int=..., index: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The slices at `places` along an axis."""

@overload
def index_select(x: ArrayLike, axis: builtins.int=..., places: ArrayLike=..., *, dim: builtins.int=..., index: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def inner(x: Expression, y: Expression | ArrayLike=..., *, b: Expression | ArrayLike=..., other: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The sum of the products of two vectors."""

@overload
def inner(x: ArrayLike, y: Expression, *, b: Expression=..., other: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def inner(x: ArrayLike, y: ArrayLike=..., *, b: ArrayLike=..., other: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def int(x: Expression, *, name: str | None=...) -> Expression:
    """The tensor as int32."""

@overload
def int(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def inv(x: Expression, *, name: str | None=...) -> Expression:
    """The inverse of a matrix."""

@overload
def inv(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def inverse(x: Expression, *, name: str | None=...) -> Expression:
    """The inverse of each square matrix, or with `adjoint` the transpose of the inverse; a singular one is an error."""

@overload
def inverse(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def is_finite(x: Expression, *, name: str | None=...) -> Expression:
    """A test of each element for a number: neither infinite nor NaN."""

@overload
def is_finite(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def is_inf(x: Expression, *, name: str | None=...) -> Expression:
    """A test of each element for infinity of either sign; false for NaN."""

@overload
def is_inf(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def is_nan(x: Expression, *, name: str | None=...) -> Expression:
    """A test of each element for NaN, the result of an undefined operation such as 0/0."""

@overload
def is_nan(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def isfinite(x: Expression, *, name: str | None=...) -> Expression:
    """A test of each element for a number: neither infinite nor NaN."""

@overload
def isfinite(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def isinf(x: Expression, *, name: str | None=...) -> Expression:
    """A test of each element for infinity of either sign; false for NaN."""

@overload
def isinf(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def isnan(x: Expression, *, name: str | None=...) -> Expression:
    """A test of each element for NaN, the result of an undefined operation such as 0/0."""

@overload
def isnan(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def kl_div(x: Expression, target: Expression | ArrayLike, reduction: str=..., log_target: builtins.bool=..., *, name: str | None=...) -> Expression:
    """The Kullback-Leibler divergence of target probabilities from the logarithms in `x`, as PyTorch defines it."""

@overload
def kl_div(x: ArrayLike, target: Expression, reduction: str=..., log_target: builtins.bool=..., *, name: str | None=...) -> Expression:
    ...

@overload
def kl_div(x: ArrayLike, target: ArrayLike, reduction: str=..., log_target: builtins.bool=..., *, name: str | None=...) -> Array:
    ...

@overload
def kl_divergence(target: Expression, x: Expression | ArrayLike=..., *, y_pred: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The Kullback-Leibler divergence, as in Keras."""

@overload
def kl_divergence(target: ArrayLike, x: Expression, *, y_pred: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def kl_divergence(target: ArrayLike, x: ArrayLike=..., *, y_pred: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def l1_loss(x: Expression, target: Expression | ArrayLike, reduction: str=..., *, name: str | None=...) -> Expression:
    """The mean of absolute differences."""

@overload
def l1_loss(x: ArrayLike, target: Expression, reduction: str=..., *, name: str | None=...) -> Expression:
    ...

@overload
def l1_loss(x: ArrayLike, target: ArrayLike, reduction: str=..., *, name: str | None=...) -> Array:
    ...

@overload
def l2_loss(x: Expression, *, name: str | None=...) -> Expression:
    """Half the sum of squares, as for weight decay."""

@overload
def l2_loss(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def l2_normalize(x: Expression, axis: builtins.int | Sequence[builtins.int] | None=..., epsilon: builtins.float=..., *, name: str | None=...) -> Expression:
    """The vector along `axis` at length 1."""

@overload
def l2_normalize(x: ArrayLike, axis: builtins.int | Sequence[builtins.int] | None=..., epsilon: builtins.float=..., *, name: str | None=...) -> Array:
    ...

@overload
def layer_norm(x: Expression, shape: Sequence[builtins.int]=..., weight: Expression | ArrayLike=..., bias: Expression | ArrayLike=..., eps: builtins.float=..., *, normalized_shape: Sequence[builtins.int]=..., name: str | None=...) -> Expression:
    """The last axes with their mean taken out and divided by their deviation, then scaled and shifted."""

@overload
def layer_norm(x: ArrayLike, shape: Sequence[builtins.int]=..., weight: ArrayLike=..., bias: ArrayLike=..., eps: builtins.float=..., *, normalized_shape: Sequence[builtins.int]=..., name: str | None=...) -> Array:
    ...

@overload
def le(x: Expression, y: Expression | ArrayLike=..., *, other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """True where the first tensor is less or equal."""

@overload
def le(x: ArrayLike, y: Expression, *, other: Expression=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def le(x: ArrayLike, y: ArrayLike=..., *, other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def leaky_relu(x: Expression, alpha: builtins.float | None=..., *, negative_slope: builtins.float | None=..., name: str | None=...) -> Expression:
    """Each element, or `alpha` times a negative one."""

@overload
def leaky_relu(x: ArrayLike, alpha: builtins.float | None=..., *, negative_slope: builtins.float | None=..., name: str | None=...) -> Array:
    ...

@overload
def lerp(x: Expression, y: Expression | ArrayLike=..., weight: Expression | ArrayLike=..., *, end: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """From `x` at weight 0 to `y` at weight 1 on a straight line."""

@overload
def lerp(x: ArrayLike, y: Expression, weight: Expression | ArrayLike, *, end: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def lerp(x: ArrayLike, y: ArrayLike, weight: Expression, *, end: ArrayLike=..., name: str | None=...) -> Expression:
    ...

@overload
def lerp(x: ArrayLike, y: ArrayLike=..., weight: ArrayLike=..., *, end: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def less(x: Expression, y: Expression | ArrayLike=..., *, other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """True where the first tensor is less."""

@overload
def less(x: ArrayLike, y: Expression, *, other: Expression=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def less(x: ArrayLike, y: ArrayLike=..., *, other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def less_equal(x: Expression, y: Expression | ArrayLike=..., *, other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """True where the first tensor is less or equal."""

@overload
def less_equal(x: ArrayLike, y: Expression, *, other: Expression=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def less_equal(x: ArrayLike, y: ArrayLike=..., *, other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def lgamma(x: Expression, *, name: str | None=...) -> Expression:
    """The logarithm of the gamma function's magnitude; for a whole number n it is that of (n - 1)!."""

@overload
def lgamma(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def linear(x: Expression, weight: Expression | ArrayLike, bias: Expression | ArrayLike=..., *, name: str | None=...) -> Expression:
    """`x @ weight.T + bias`, as a layer of PyTorch computes it."""

@overload
def linear(x: ArrayLike, weight: Expression, bias: Expression | ArrayLike=..., *, name: str | None=...) -> Expression:
    ...

@overload
def linear(x: ArrayLike, weight: ArrayLike, bias: Expression, *, name: str | None=...) -> Expression:
    ...

@overload
def linear(x: ArrayLike, weight: ArrayLike, bias: ArrayLike=..., *, name: str | None=...) -> Array:
    ...

def linspace(start: builtins.float, end: builtins.float=..., steps: builtins.int=..., *, dtype: object=..., num: builtins.int=..., stop: builtins.float=..., name: str | None=...) -> Expression:
    """So many numbers at equal distances, from `start` to `end` inclusive."""

@overload
def local_response_normalization(input: Expression, depth_radius: builtins.int=..., bias: builtins.float=..., alpha: builtins.float=..., beta: builtins.float=..., *, name: str | None=...) -> Expression:
    """Each element over a power of the sum of squares of the channels around it, up to `depth_radius` away."""

@overload
def local_response_normalization(input: ArrayLike, depth_radius: builtins.int=..., bias: builtins.float=..., alpha: builtins.float=..., beta: builtins.float=..., *, name: str | None=...) -> Array:
    ...

@overload
def log(x: Expression, *, name: str | None=...) -> Expression:
    """The natural logarithm."""

@overload
def log(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def log10(x: Expression, *, name: str | None=...) -> Expression:
    """The logarithm to base 10."""

@overload
def log10(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def log1p(x: Expression, *, name: str | None=...) -> Expression:
    """The natural logarithm of 1 + x, exact also where 1 + x would round to 1."""

@overload
def log1p(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def log2(x: Expression, *, name: str | None=...) -> Expression:
    """The logarithm to base 2."""

@overload
def log2(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def log_cosh(target: Expression, x: Expression | ArrayLike=..., *, y_pred: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The logarithm of the hyperbolic cosine of errors, as in Keras."""

@overload
def log_cosh(target: ArrayLike, x: Expression, *, y_pred: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def log_cosh(target: ArrayLike, x: ArrayLike=..., *, y_pred: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def log_poisson_loss(targets: Expression, log_input: Expression | ArrayLike, compute_full_loss: builtins.bool=..., *, name: str | None=...) -> Expression:
    """The negative logarithm of the Poisson probability of counts, from the logarithm of the expected count."""

@overload
def log_poisson_loss(targets: ArrayLike, log_input: Expression, compute_full_loss: builtins.bool=..., *, name: str | None=...) -> Expression:
    ...

@overload
def log_poisson_loss(targets: ArrayLike, log_input: ArrayLike, compute_full_loss: builtins.bool=..., *, name: str | None=...) -> Array:
    ...

@overload
def log_sigmoid(x: Expression, *, name: str | None=...) -> Expression:
    """The logarithm of the logistic function, exact also far out."""

@overload
def log_sigmoid(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def log_softmax(x: Expression, axis: builtins.int | None=..., *, dtype: object=..., dim: builtins.int | None=..., name: str | None=...) -> Expression:
    """The logarithm of softmax, without overflow."""

@overload
def log_softmax(x: ArrayLike, axis: builtins.int | None=..., *, dtype: object=..., dim: builtins.int | None=..., name: str | None=...) -> Array:
    ...

@overload
def logaddexp(x: Expression, y: Expression | ArrayLike=..., *, other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The logarithm of the sum of two exponentials, without overflow."""

@overload
def logaddexp(x: ArrayLike, y: Expression, *, other: Expression=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def logaddexp(x: ArrayLike, y: ArrayLike=..., *, other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def logcosh(target: Expression, x: Expression | ArrayLike=..., *, y_pred: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The logarithm of the hyperbolic cosine of errors, as in Keras."""

@overload
def logcosh(target: ArrayLike, x: Expression, *, y_pred: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def logcosh(target: ArrayLike, x: ArrayLike=..., *, y_pred: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def logical_and(x: Expression, y: Expression | ArrayLike=..., *, other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The logical and of two masks; numbers are true unless they are 0."""

@overload
def logical_and(x: ArrayLike, y: Expression, *, other: Expression=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def logical_and(x: ArrayLike, y: ArrayLike=..., *, other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def logical_not(x: Expression, *, name: str | None=...) -> Expression:
    """a mask is false; numbers are true unless they are 0"""

@overload
def logical_not(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def logical_or(x: Expression, y: Expression | ArrayLike=..., *, other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The logical or of two masks; numbers are true unless they are 0."""

@overload
def logical_or(x: ArrayLike, y: Expression, *, other: Expression=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def logical_or(x: ArrayLike, y: ArrayLike=..., *, other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def logical_xor(x: Expression, y: Expression | ArrayLike=..., *, other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The logical xor of two masks; numbers are true unless they are 0."""

@overload
def logical_xor(x: ArrayLike, y: Expression, *, other: Expression=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def logical_xor(x: ArrayLike, y: ArrayLike=..., *, other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def logsigmoid(x: Expression, *, name: str | None=...) -> Expression:
    """The logarithm of the logistic function, exact also far out."""

@overload
def logsigmoid(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def logsumexp(x: Expression, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Expression:
    """The logarithm of the sum of exponentials, without overflow."""

@overload
def logsumexp(x: ArrayLike, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Array:
    ...

@overload
def long(x: Expression, *, name: str | None=...) -> Expression:
    """The tensor as int64."""

@overload
def long(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def lt(x: Expression, y: Expression | ArrayLike=..., *, other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """True where the first tensor is less."""

@overload
def lt(x: ArrayLike, y: Expression, *, other: Expression=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def lt(x: ArrayLike, y: ArrayLike=..., *, other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def mae(target: Any, x: Expression=..., *, y_pred: Expression=..., name: str | None=...) -> Expression:
    """The distance of prediction and truth, averaged over the last axis."""

@overload
def mae(target: Any, x: ArrayLike=..., *, y_pred: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def margin_ranking_loss(x: Expression, y: Expression | ArrayLike=..., target: Expression | ArrayLike=..., margin: builtins.float=..., reduction: str=..., *, input2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """How far `x` is from being greater than `y` by the margin where the target is 1, and less where it is -1."""

@overload
def margin_ranking_loss(x: ArrayLike, y: Expression, target: Expression | ArrayLike, margin: builtins.float=..., reduction: str=..., *, input2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def margin_ranking_loss(x: ArrayLike, y: ArrayLike, target: Expression, margin: builtins.float=..., reduction: str=..., *, input2: ArrayLike=..., name: str | None=...) -> Expression:
    ...

@overload
def margin_ranking_loss(x: ArrayLike, y: ArrayLike=..., target: ArrayLike=..., margin: builtins.float=..., reduction: str=..., *, input2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def masked_fill(x: Expression, mask: Expression | ArrayLike, y: Expression | ArrayLike=..., *, value: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The tensor with a value where a mask is true."""

@overload
def masked_fill(x: ArrayLike, mask: Expression, y: Expression | ArrayLike=..., *, value: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    ...

@overload
def masked_fill(x: ArrayLike, mask: ArrayLike, y: Expression, *, value: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def masked_fill(x: ArrayLike, mask: ArrayLike, y: ArrayLike=..., *, value: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def matmul(x: Expression, y: Expression | ArrayLike=..., *, b: Expression | ArrayLike=..., other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The matrix product; either may be a vector, and leading axes broadcast."""

@overload
def matmul(x: ArrayLike, y: Expression, *, b: Expression=..., other: Expression=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def matmul(x: ArrayLike, y: ArrayLike=..., *, b: ArrayLike=..., other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def matrix_transpose(x: Expression, *, name: str | None=...) -> Expression:
    """Each matrix with its rows as columns; leading axes are batches and stay where they are."""

@overload
def matrix_transpose(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def matvec(x: Expression, y: Expression | ArrayLike=..., transpose_a: builtins.bool=..., *, b: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The product of a matrix, transposed if asked, and a vector."""

@overload
def matvec(x: ArrayLike, y: Expression, transpose_a: builtins.bool=..., *, b: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def matvec(x: ArrayLike, y: ArrayLike=..., transpose_a: builtins.bool=..., *, b: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def max(x: Expression, y: Expression | ArrayLike=..., *, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., other: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The largest of all elements, or the larger elements of two tensors; along an axis write `amax`."""

@overload
def max(x: ArrayLike, y: Expression, *, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., other: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def max(x: ArrayLike, y: ArrayLike=..., *, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., other: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def max_pool1d(input: Expression, ksize: builtins.int | Sequence[builtins.int], strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'] | Sequence[Sequence[builtins.int]], data_format: Literal['NWC', 'NCW']=..., *, name: str | None=...) -> Expression:
    """The largest element of each window along the columns of (batch, columns, channels)."""

@overload
def max_pool1d(input: ArrayLike, ksize: builtins.int | Sequence[builtins.int], strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'] | Sequence[Sequence[builtins.int]], data_format: Literal['NWC', 'NCW']=..., *, name: str | None=...) -> Array:
    ...

@overload
def max_pool2d(x: Expression, size: builtins.int | Sequence[builtins.int]=..., stride: builtins.int | Sequence[builtins.int] | None=..., padding: builtins.int | Sequence[builtins.int]=..., *, kernel_size: builtins.int | Sequence[builtins.int]=..., name: str | None=...) -> Expression:
    """The largest element of windows over images (batch, channels, rows, columns), as in PyTorch."""

@overload
def max_pool2d(x: ArrayLike, size: builtins.int | Sequence[builtins.int]=..., stride: builtins.int | Sequence[builtins.int] | None=..., padding: builtins.int | Sequence[builtins.int]=..., *, kernel_size: builtins.int | Sequence[builtins.int]=..., name: str | None=...) -> Array:
    ...

@overload
def max_pool3d(input: Expression, ksize: builtins.int | Sequence[builtins.int], strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'], data_format: Literal['NDHWC', 'NCDHW']=..., *, name: str | None=...) -> Expression:
    """The largest element of each window over planes, rows and columns of (batch, planes, rows, columns, channels)."""

@overload
def max_pool3d(input: ArrayLike, ksize: builtins.int | Sequence[builtins.int], strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'], data_format: Literal['NDHWC', 'NCDHW']=..., *, name: str | None=...) -> Array:
    ...

@overload
def max_pool_with_argmax(input: Expression, ksize: builtins.int | Sequence[builtins.int], strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'], data_format: Literal['NHWC']=..., output_dtype: Literal['int64', 'int32']=..., include_batch_in_index: builtins.bool=..., *, name: str | None=...) -> tuple[Expression, Expression]:
    """The largest element of each window over rows and columns, and its index in the flat image."""

@overload
def max_pool_with_argmax(input: ArrayLike, ksize: builtins.int | Sequence[builtins.int], strides: builtins.int | Sequence[builtins.int], padding: Literal['SAME', 'VALID'], data_format: Literal['NHWC']=..., output_dtype: Literal['int64', 'int32']=..., include_batch_in_index: builtins.bool=..., *, name: str | None=...) -> tuple[Array, Array]:
    ...

@overload
def maximum(x: Expression, y: Expression | ArrayLike=..., *, other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The larger of two elements; of equal ones the first receives the gradient."""

@overload
def maximum(x: ArrayLike, y: Expression, *, other: Expression=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def maximum(x: ArrayLike, y: ArrayLike=..., *, other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def mean(x: Expression, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dtype: object=..., dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Expression:
    """The mean of all elements, or along axes; of integers and masks it is float64."""

@overload
def mean(x: ArrayLike, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dtype: object=..., dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Array:
    ...

@overload
def mean_absolute_error(target: Any, x: Expression=..., *, y_pred: Expression=..., name: str | None=...) -> Expression:
    """The distance of prediction and truth, averaged over the last axis."""

@overload
def mean_absolute_error(target: Any, x: ArrayLike=..., *, y_pred: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def mean_squared_error(target: Any, x: Expression=..., *, y_pred: Expression=..., name: str | None=...) -> Expression:
    """The squared difference of truth and prediction, averaged over the last axis."""

@overload
def mean_squared_error(target: Any, x: ArrayLike=..., *, y_pred: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def meshgrid(*x: Expression, indexing: str | None=..., name: str | None=...) -> Expression:
    """The coordinates of a grid, one tensor for each axis; `indexing` "xy" begins with columns, "ij" with rows."""

@overload
def meshgrid(*x: ArrayLike, indexing: str | None=..., name: str | None=...) -> Array:
    ...

@overload
def min(x: Expression, y: Expression | ArrayLike=..., *, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., other: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The smallest of all elements, or the smaller elements of two tensors; along an axis write `amin`."""

@overload
def min(x: ArrayLike, y: Expression, *, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., other: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def min(x: ArrayLike, y: ArrayLike=..., *, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., other: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def minimum(x: Expression, y: Expression | ArrayLike=..., *, other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The smaller of two elements; of equal ones the first receives the gradient."""

@overload
def minimum(x: ArrayLike, y: Expression, *, other: Expression=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def minimum(x: ArrayLike, y: ArrayLike=..., *, other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def mish(x: Expression, *, name: str | None=...) -> Expression:
    """Each element times the tanh of its softplus."""

@overload
def mish(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def mm(x: Expression, y: Expression | ArrayLike=..., *, mat2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The product of two matrices."""

@overload
def mm(x: ArrayLike, y: Expression, *, mat2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def mm(x: ArrayLike, y: ArrayLike=..., *, mat2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def mod(x: Expression, y: Expression | ArrayLike=..., *, other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The remainder of the quotient rounded down, which has the sign of `y`; `%` of Python."""

@overload
def mod(x: ArrayLike, y: Expression, *, other: Expression=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def mod(x: ArrayLike, y: ArrayLike=..., *, other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def moments(x: Expression, axes: builtins.int | Sequence[builtins.int] | None, keepdims: builtins.bool=..., *, name: str | None=...) -> tuple[Expression, Expression]:
    """The mean and the variance along `axes`, the variance divided by n and not by n - 1."""

@overload
def moments(x: ArrayLike, axes: builtins.int | Sequence[builtins.int] | None, keepdims: builtins.bool=..., *, name: str | None=...) -> tuple[Array, Array]:
    ...

@overload
def moveaxis(x: Expression, source: Any, destination: Any, *, name: str | None=...) -> Expression:
    """Axes put to other places; the rest keep their order."""

@overload
def moveaxis(x: ArrayLike, source: Any, destination: Any, *, name: str | None=...) -> Array:
    ...

@overload
def movedim(x: Expression, source: Any, destination: Any, *, name: str | None=...) -> Expression:
    """Axes put to other places; the rest keep their order."""

@overload
def movedim(x: ArrayLike, source: Any, destination: Any, *, name: str | None=...) -> Array:
    ...

@overload
def mse(target: Any, x: Expression=..., *, y_pred: Expression=..., name: str | None=...) -> Expression:
    """The squared difference of truth and prediction, averaged over the last axis."""

@overload
def mse(target: Any, x: ArrayLike=..., *, y_pred: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def mse_loss(x: Expression, target: Expression | ArrayLike, reduction: str=..., *, name: str | None=...) -> Expression:
    """The mean of squared differences."""

@overload
def mse_loss(x: ArrayLike, target: Expression, reduction: str=..., *, name: str | None=...) -> Expression:
    ...

@overload
def mse_loss(x: ArrayLike, target: ArrayLike, reduction: str=..., *, name: str | None=...) -> Array:
    ...

@overload
def msort(x: Expression, *, name: str | None=...) -> Expression:
    """The elements in ascending order along the first axis."""

@overload
def msort(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def mul(x: Expression, y: Expression | ArrayLike=..., *, other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The product of two tensors, element by element."""

@overload
def mul(x: ArrayLike, y: Expression, *, other: Expression=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def mul(x: ArrayLike, y: ArrayLike=..., *, other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def multiply(x: Expression, y: Expression | ArrayLike=..., *, other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The product of two tensors, element by element."""

@overload
def multiply(x: ArrayLike, y: Expression, *, other: Expression=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def multiply(x: ArrayLike, y: ArrayLike=..., *, other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def multiply_no_nan(x: Expression, y: Expression | ArrayLike, *, name: str | None=...) -> Expression:
    """The product of two tensors, but 0 wherever y is 0, even if x is infinite or NaN there."""

@overload
def multiply_no_nan(x: ArrayLike, y: Expression, *, name: str | None=...) -> Expression:
    ...

@overload
def multiply_no_nan(x: ArrayLike, y: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def mv(x: Expression, y: Expression | ArrayLike=..., *, vec: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The product of a matrix and a vector."""

@overload
def mv(x: ArrayLike, y: Expression, *, vec: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def mv(x: ArrayLike, y: ArrayLike=..., *, vec: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def ndtri(x: Expression, *, name: str | None=...) -> Expression:
    """The quantile of the standard normal distribution: how far out its probability reaches x."""

@overload
def ndtri(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def ne(x: Expression, y: Expression | ArrayLike=..., *, other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """True where two tensors differ."""

@overload
def ne(x: ArrayLike, y: Expression, *, other: Expression=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def ne(x: ArrayLike, y: ArrayLike=..., *, other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def neg(x: Expression, *, name: str | None=...) -> Expression:
    """The negative of each element."""

@overload
def neg(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def negative(x: Expression, *, name: str | None=...) -> Expression:
    """The negative of each element."""

@overload
def negative(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def nll_loss(x: Expression, target: Expression | ArrayLike, reduction: str=..., *, name: str | None=...) -> Expression:
    """The negative logarithm at the class of each row; `x` holds logarithms of probabilities."""

@overload
def nll_loss(x: ArrayLike, target: Expression, reduction: str=..., *, name: str | None=...) -> Expression:
    ...

@overload
def nll_loss(x: ArrayLike, target: ArrayLike, reduction: str=..., *, name: str | None=...) -> Array:
    ...

@overload
def norm(x: Expression, ord: builtins.float | str | None=..., axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., p: builtins.float | str | None=..., name: str | None=...) -> Expression:
    """The length of all elements, or of the vectors along `axis`; `ord` 1, 2, inf or another number."""

@overload
def norm(x: ArrayLike, ord: builtins.float | str | None=..., axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., p: builtins.float | str | None=..., name: str | None=...) -> Array:
    ...

@overload
def normalize(x: Expression, p: builtins.float=..., axis: builtins.int=..., eps: builtins.float=..., *, dim: builtins.int=..., name: str | None=...) -> Expression:
    """Vectors along `axis` divided by their length, or by `eps` if that is greater."""

@overload
def normalize(x: ArrayLike, p: builtins.float=..., axis: builtins.int=..., eps: builtins.float=..., *, dim: builtins.int=..., name: str | None=...) -> Array:
    ...

@overload
def not_equal(x: Expression, y: Expression | ArrayLike=..., *, other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """True where two tensors differ."""

@overload
def not_equal(x: ArrayLike, y: Expression, *, other: Expression=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def not_equal(x: ArrayLike, y: ArrayLike=..., *, other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def numel(x: Expression, *, name: str | None=...) -> builtins.int:
    """The number of elements, as a number of Python."""

@overload
def numel(x: ArrayLike, *, name: str | None=...) -> builtins.int:
    ...

@overload
def one_hot(x: Expression, num_classes: builtins.int=..., axis: builtins.int=..., dtype: object=..., *, depth: builtins.int=..., name: str | None=...) -> Expression:
    """For each class number a vector with a 1 at its place; integers, as in PyTorch, or another dtype."""

@overload
def one_hot(x: ArrayLike, num_classes: builtins.int=..., axis: builtins.int=..., dtype: object=..., *, depth: builtins.int=..., name: str | None=...) -> Array:
    ...

def ones(*shape: Any, dtype: object=..., name: str | None=...) -> Expression:
    """Ones of a shape, float64 unless another dtype is asked for."""

@overload
def ones_like(x: Expression, dtype: object=..., *, name: str | None=...) -> Expression:
    """Ones in the shape and dtype of a tensor."""

@overload
def ones_like(x: ArrayLike, dtype: object=..., *, name: str | None=...) -> Array:
    ...

@overload
def outer(x: Expression, y: Expression | ArrayLike=..., *, b: Expression | ArrayLike=..., vec2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """Each element of one vector times each of another."""

@overload
def outer(x: ArrayLike, y: Expression, *, b: Expression=..., vec2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def outer(x: ArrayLike, y: ArrayLike=..., *, b: ArrayLike=..., vec2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def pairwise_distance(x: Expression, y: Expression | ArrayLike=..., p: builtins.float=..., eps: builtins.float=..., keepdims: builtins.bool=..., *, keepdim: builtins.bool=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The distance of each row of `x` from the same row of `y`; `eps` is added to each difference, as in PyTorch."""

@overload
def pairwise_distance(x: ArrayLike, y: Expression, p: builtins.float=..., eps: builtins.float=..., keepdims: builtins.bool=..., *, keepdim: builtins.bool=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def pairwise_distance(x: ArrayLike, y: ArrayLike=..., p: builtins.float=..., eps: builtins.float=..., keepdims: builtins.bool=..., *, keepdim: builtins.bool=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def permute(x: Expression, *axis: Any, name: str | None=...) -> Expression:
    """The axes in another order."""

@overload
def permute(x: ArrayLike, *axis: Any, name: str | None=...) -> Array:
    ...

@overload
def poisson_nll_loss(x: Expression, target: Expression | ArrayLike, log_input: builtins.bool=..., eps: builtins.float=..., reduction: str=..., *, name: str | None=...) -> Expression:
    """The negative logarithm of a Poisson probability, without its constant term."""

@overload
def poisson_nll_loss(x: ArrayLike, target: Expression, log_input: builtins.bool=..., eps: builtins.float=..., reduction: str=..., *, name: str | None=...) -> Expression:
    ...

@overload
def poisson_nll_loss(x: ArrayLike, target: ArrayLike, log_input: builtins.bool=..., eps: builtins.float=..., reduction: str=..., *, name: str | None=...) -> Array:
    ...

@overload
def polygamma(x: Expression, y: Expression | ArrayLike, *, name: str | None=...) -> Expression:
    """The derivative of order x of the digamma function, at y."""

@overload
def polygamma(x: ArrayLike, y: Expression, *, name: str | None=...) -> Expression:
    ...

@overload
def polygamma(x: ArrayLike, y: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def pow(x: Expression, y: Expression | ArrayLike=..., *, exponent: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The power of `x` to `y`, element by element."""

@overload
def pow(x: ArrayLike, y: Expression, *, exponent: Expression=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def pow(x: ArrayLike, y: ArrayLike=..., *, exponent: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def power(x: Expression, y: Expression | ArrayLike=..., *, exponent: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The power of `x` to `y`, element by element."""

@overload
def power(x: ArrayLike, y: Expression, *, exponent: Expression=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def power(x: ArrayLike, y: ArrayLike=..., *, exponent: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def prod(x: Expression, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dtype: object=..., dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Expression:
    """The product of all elements, or along axes."""

@overload
def prod(x: ArrayLike, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dtype: object=..., dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Array:
    ...

def range(start: builtins.float, end: builtins.float | None=..., step: builtins.float | None=..., *, dtype: object=..., delta: builtins.float | None=..., limit: builtins.float | None=..., stop: builtins.float | None=..., name: str | None=...) -> Expression:
    """Numbers from 0 or `start` up to but without `end`; int64 if all of them are whole, else float64."""

@overload
def rank(x: Expression, *, name: str | None=...) -> Expression:
    """The number of axes. No gradient passes."""

@overload
def rank(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def ravel(x: Expression, *, name: str | None=...) -> Expression:
    """All elements along one axis."""

@overload
def ravel(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def reciprocal(x: Expression, *, name: str | None=...) -> Expression:
    """One divided by each element."""

@overload
def reciprocal(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def reduce_all(x: Expression, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Expression:
    """True where all elements are true; numbers are true unless they are 0."""

@overload
def reduce_all(x: ArrayLike, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Array:
    ...

@overload
def reduce_any(x: Expression, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Expression:
    """True where any element is true; numbers are true unless they are 0."""

@overload
def reduce_any(x: ArrayLike, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Array:
    ...

@overload
def reduce_logsumexp(x: Expression, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Expression:
    """The logarithm of the sum of exponentials, without overflow."""

@overload
def reduce_logsumexp(x: ArrayLike, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Array:
    ...

@overload
def reduce_max(x: Expression, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Expression:
    """The largest element, or that along axes; equal ones share the gradient."""

@overload
def reduce_max(x: ArrayLike, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Array:
    ...

@overload
def reduce_mean(x: Expression, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dtype: object=..., dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Expression:
    """The mean of all elements, or along axes; of integers and masks it is float64."""

@overload
def reduce_mean(x: ArrayLike, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dtype: object=..., dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Array:
    ...

@overload
def reduce_min(x: Expression, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Expression:
    """The smallest element, or that along axes; equal ones share the gradient."""

@overload
def reduce_min(x: ArrayLike, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Array:
    ...

@overload
def reduce_prod(x: Expression, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dtype: object=..., dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Expression:
    """The product of all elements, or along axes."""

@overload
def reduce_prod(x: ArrayLike, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dtype: object=..., dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Array:
    ...

@overload
def reduce_std(x: Expression, axis: Any=..., keepdims: Any=..., *, name: str | None=...) -> Expression:
    """The standard deviation along `axis`: the root of ReduceVariance, with n as divisor and not n - 1."""

@overload
def reduce_std(x: ArrayLike, axis: Any=..., keepdims: Any=..., *, name: str | None=...) -> Array:
    ...

@overload
def reduce_sum(x: Expression, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dtype: object=..., dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Expression:
    """The sum of all elements, or along axes; masks are counted."""

@overload
def reduce_sum(x: ArrayLike, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dtype: object=..., dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Array:
    ...

@overload
def reduce_variance(x: Expression, axis: Any=..., keepdims: Any=..., *, name: str | None=...) -> Expression:
    """The mean squared distance from the mean along `axis`, divided by n and not by n - 1. That of nothing is NaN."""

@overload
def reduce_variance(x: ArrayLike, axis: Any=..., keepdims: Any=..., *, name: str | None=...) -> Array:
    ...

@overload
def relu(x: Expression, *, name: str | None=...) -> Expression:
    """The positive part. Its gradient is 0 at 0, and where the input is NaN."""

@overload
def relu(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def relu6(x: Expression, *, name: str | None=...) -> Expression:
    """The positive part, at most 6. Its gradient is 0 at both bounds, and where the input is NaN."""

@overload
def relu6(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def remainder(x: Expression, y: Expression | ArrayLike=..., *, other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The remainder of the quotient rounded down, which has the sign of `y`; `%` of Python."""

@overload
def remainder(x: ArrayLike, y: Expression, *, other: Expression=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def remainder(x: ArrayLike, y: ArrayLike=..., *, other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def reshape(x: Expression, *shape: Any, name: str | None=...) -> Expression:
    """The same elements in another shape; one size may be -1."""

@overload
def reshape(x: ArrayLike, *shape: Any, name: str | None=...) -> Array:
    ...

@overload
def reverse(x: Expression, *axis: Any, name: str | None=...) -> Expression:
    """The elements in the opposite order along axes."""

@overload
def reverse(x: ArrayLike, *axis: Any, name: str | None=...) -> Array:
    ...

@overload
def rgb_to_grayscale(images: Expression, *, name: str | None=...) -> Expression:
    """The brightness of colours, as one channel."""

@overload
def rgb_to_grayscale(images: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def rgb_to_hsv(images: Expression, *, name: str | None=...) -> Expression:
    """Colours from red, green and blue to hue, saturation and value; black and grey have a hue of 0."""

@overload
def rgb_to_hsv(images: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def rint(x: Expression, *, name: str | None=...) -> Expression:
    """The nearest whole number, halves to the even one; like Round, but for floating point only. No gradient passes."""

@overload
def rint(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def roll(x: Expression, shift: builtins.int | Sequence[builtins.int], axis: builtins.int | Sequence[builtins.int], *, name: str | None=...) -> Expression:
    """The elements moved by `shift` along each axis; what leaves at one end comes back at the other."""

@overload
def roll(x: ArrayLike, shift: builtins.int | Sequence[builtins.int], axis: builtins.int | Sequence[builtins.int], *, name: str | None=...) -> Array:
    ...

@overload
def round(x: Expression, decimals: builtins.int=..., *, name: str | None=...) -> Expression:
    """Each element rounded to whole numbers, or to `decimals`; halves go to the even neighbour."""

@overload
def round(x: ArrayLike, decimals: builtins.int=..., *, name: str | None=...) -> Array:
    ...

@overload
def rsqrt(x: Expression, *, name: str | None=...) -> Expression:
    """One divided by the square root."""

@overload
def rsqrt(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def searchsorted(sorted_sequence: Expression, values: Expression | ArrayLike, side: Literal['left', 'right']=..., out_type: Literal['int32', 'int64']=..., *, name: str | None=...) -> Expression:
    """The place of each value in the sorted sequence: `left` or `right` of numbers that equal it."""

@overload
def searchsorted(sorted_sequence: ArrayLike, values: Expression, side: Literal['left', 'right']=..., out_type: Literal['int32', 'int64']=..., *, name: str | None=...) -> Expression:
    ...

@overload
def searchsorted(sorted_sequence: ArrayLike, values: ArrayLike, side: Literal['left', 'right']=..., out_type: Literal['int32', 'int64']=..., *, name: str | None=...) -> Array:
    ...

@overload
def segment_max(data: Expression, segment_ids: Expression | ArrayLike, *, name: str | None=...) -> Expression:
    """The largest element of each segment; `segment_ids` names the segment of each row, and must be sorted."""

@overload
def segment_max(data: ArrayLike, segment_ids: Expression, *, name: str | None=...) -> Expression:
    ...

@overload
def segment_max(data: ArrayLike, segment_ids: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def segment_mean(data: Expression, segment_ids: Expression | ArrayLike, *, name: str | None=...) -> Expression:
    """The mean of the rows of each segment; `segment_ids` names the segment of each row, and must be sorted."""

@overload
def segment_mean(data: ArrayLike, segment_ids: Expression, *, name: str | None=...) -> Expression:
    ...

@overload
def segment_mean(data: ArrayLike, segment_ids: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def segment_min(data: Expression, segment_ids: Expression | ArrayLike, *, name: str | None=...) -> Expression:
    """The smallest element of each segment; `segment_ids` names the segment of each row, and must be sorted."""

@overload
def segment_min(data: ArrayLike, segment_ids: Expression, *, name: str | None=...) -> Expression:
    ...

@overload
def segment_min(data: ArrayLike, segment_ids: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def segment_prod(data: Expression, segment_ids: Expression | ArrayLike, *, name: str | None=...) -> Expression:
    """The product of the rows of each segment; `segment_ids` names the segment of each row, and must be sorted."""

@overload
def segment_prod(data: ArrayLike, segment_ids: Expression, *, name: str | None=...) -> Expression:
    ...

@overload
def segment_prod(data: ArrayLike, segment_ids: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def segment_sum(data: Expression, segment_ids: Expression | ArrayLike, *, name: str | None=...) -> Expression:
    """The sum of the rows of each segment; `segment_ids` names the segment of each row, and must be sorted."""

@overload
def segment_sum(data: ArrayLike, segment_ids: Expression, *, name: str | None=...) -> Expression:
    ...

@overload
def segment_sum(data: ArrayLike, segment_ids: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def selu(x: Expression, *, name: str | None=...) -> Expression:
    """The scaled exponential linear unit, scale 1.0507 and alpha 1.6733; its gradient at 0 is the scale."""

@overload
def selu(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def set_diag(x: Expression, diagonal: Expression | ArrayLike, k: builtins.int | Sequence[builtins.int]=..., align: Literal['RIGHT_LEFT', 'LEFT_RIGHT', 'LEFT_LEFT', 'RIGHT_RIGHT']=..., *, name: str | None=...) -> Expression:
    """The matrices with diagonal `k` replaced: it lies above the main one, or below it if negative."""

@overload
def set_diag(x: ArrayLike, diagonal: Expression, k: builtins.int | Sequence[builtins.int]=..., align: Literal['RIGHT_LEFT', 'LEFT_RIGHT', 'LEFT_LEFT', 'RIGHT_RIGHT']=..., *, name: str | None=...) -> Expression:
    ...

@overload
def set_diag(x: ArrayLike, diagonal: ArrayLike, k: builtins.int | Sequence[builtins.int]=..., align: Literal['RIGHT_LEFT', 'LEFT_RIGHT', 'LEFT_LEFT', 'RIGHT_RIGHT']=..., *, name: str | None=...) -> Array:
    ...

@overload
def shape(x: Expression, out_type: Literal['int32', 'int64']=..., *, name: str | None=...) -> Expression:
    """The size of each axis, as whole numbers. No gradient passes."""

@overload
def shape(x: ArrayLike, out_type: Literal['int32', 'int64']=..., *, name: str | None=...) -> Array:
    ...

@overload
def sigmoid(x: Expression, *, name: str | None=...) -> Expression:
    """The logistic function. Far out its gradient is too small to matter: the block is saturated."""

@overload
def sigmoid(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def sigmoid_cross_entropy_with_logits(labels: Expression, logits: Expression | ArrayLike, *, name: str | None=...) -> Expression:
    """The cross entropy of independent yes-or-no labels, from the logits; stable however large they are."""

@overload
def sigmoid_cross_entropy_with_logits(labels: ArrayLike, logits: Expression, *, name: str | None=...) -> Expression:
    ...

@overload
def sigmoid_cross_entropy_with_logits(labels: ArrayLike, logits: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def sign(x: Expression, *, name: str | None=...) -> Expression:
    """1 for a positive number, -1 for a negative one, 0 for both zeros, NaN for NaN."""

@overload
def sign(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def silu(x: Expression, beta: builtins.float=..., *, name: str | None=...) -> Expression:
    """Each element times its sigmoid, also called swish."""

@overload
def silu(x: ArrayLike, beta: builtins.float=..., *, name: str | None=...) -> Array:
    ...

@overload
def sin(x: Expression, *, name: str | None=...) -> Expression:
    """The sine of an angle in radians; NaN at infinity."""

@overload
def sin(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def sinh(x: Expression, *, name: str | None=...) -> Expression:
    """The hyperbolic sine. It overflows to an infinity of the sign of x, where the gradient is infinite too."""

@overload
def sinh(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def smooth_l1_loss(x: Expression, target: Expression | ArrayLike, reduction: str=..., beta: builtins.float=..., *, name: str | None=...) -> Expression:
    """The mean of absolute differences, rounded below `beta`."""

@overload
def smooth_l1_loss(x: ArrayLike, target: Expression, reduction: str=..., beta: builtins.float=..., *, name: str | None=...) -> Expression:
    ...

@overload
def smooth_l1_loss(x: ArrayLike, target: ArrayLike, reduction: str=..., beta: builtins.float=..., *, name: str | None=...) -> Array:
    ...

@overload
def soft_margin_loss(x: Expression, target: Expression | ArrayLike, reduction: str=..., *, name: str | None=...) -> Expression:
    """The logistic loss of labels 1 and -1."""

@overload
def soft_margin_loss(x: ArrayLike, target: Expression, reduction: str=..., *, name: str | None=...) -> Expression:
    ...

@overload
def soft_margin_loss(x: ArrayLike, target: ArrayLike, reduction: str=..., *, name: str | None=...) -> Array:
    ...

@overload
def soft_sign(x: Expression, *, name: str | None=...) -> Expression:
    """A bounded, slowly saturating function. At infinity the value is NaN and the gradient 0, as in TensorFlow."""

@overload
def soft_sign(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def softmax(x: Expression, axis: builtins.int | None=..., *, dtype: object=..., dim: builtins.int | None=..., name: str | None=...) -> Expression:
    """Exponentials divided by their sum along an axis; the last one of a vector or matrix, if none is given."""

@overload
def softmax(x: ArrayLike, axis: builtins.int | None=..., *, dtype: object=..., dim: builtins.int | None=..., name: str | None=...) -> Array:
    ...

@overload
def softmax_cross_entropy_with_logits(target: Any, x: Expression=..., axis: Any=..., *, logits: Expression=..., name: str | None=...) -> Expression:
    """The cross entropy between label probabilities and the softmax of the logits, along one axis."""

@overload
def softmax_cross_entropy_with_logits(target: Any, x: ArrayLike=..., axis: Any=..., *, logits: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def softplus(x: Expression, beta: builtins.float=..., *, threshold: builtins.float=..., name: str | None=...) -> Expression:
    """The logarithm of one plus the exponential; with `beta`, that of `beta` times x divided by `beta`."""

@overload
def softplus(x: ArrayLike, beta: builtins.float=..., *, threshold: builtins.float=..., name: str | None=...) -> Array:
    ...

@overload
def softsign(x: Expression, *, name: str | None=...) -> Expression:
    """A bounded, slowly saturating function. At infinity the value is NaN and the gradient 0, as in TensorFlow."""

@overload
def softsign(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def solve(x: Expression, y: Expression | ArrayLike=..., adjoint: builtins.bool=..., *, B: Expression | ArrayLike=..., b: Expression | ArrayLike=..., rhs: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The solution of `x @ z = y`, of a vector or of the columns of a matrix."""

@overload
def solve(x: ArrayLike, y: Expression, adjoint: builtins.bool=..., *, B: Expression=..., b: Expression=..., rhs: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def solve(x: ArrayLike, y: ArrayLike=..., adjoint: builtins.bool=..., *, B: ArrayLike=..., b: ArrayLike=..., rhs: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def space_to_batch(x: Expression, block_shape: Sequence[builtins.int], paddings: Sequence[Sequence[builtins.int]], *, name: str | None=...) -> Expression:
    """Every block of pixels spread over that many images; a border of zeros is added before."""

@overload
def space_to_batch(x: ArrayLike, block_shape: Sequence[builtins.int], paddings: Sequence[Sequence[builtins.int]], *, name: str | None=...) -> Array:
    ...

@overload
def space_to_depth(x: Expression, block_size: builtins.int, *, name: str | None=...) -> Expression:
    """Every block of `block_size` by `block_size` pixels as the channels of one pixel; images are NHWC."""

@overload
def space_to_depth(x: ArrayLike, block_size: builtins.int, *, name: str | None=...) -> Array:
    ...

@overload
def sparse_categorical_crossentropy(target: Expression, x: Expression | ArrayLike=..., from_logits: builtins.bool=..., *, y_pred: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The cross entropy between numbers of classes and predicted probabilities, or logits, as in Keras."""

@overload
def sparse_categorical_crossentropy(target: ArrayLike, x: Expression, from_logits: builtins.bool=..., *, y_pred: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def sparse_categorical_crossentropy(target: ArrayLike, x: ArrayLike=..., from_logits: builtins.bool=..., *, y_pred: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def sparse_softmax_cross_entropy_with_logits(labels: Expression, logits: Expression | ArrayLike, *, name: str | None=...) -> Expression:
    """The cross entropy of the softmax of the logits when the true class is given by its index."""

@overload
def sparse_softmax_cross_entropy_with_logits(labels: ArrayLike, logits: Expression, *, name: str | None=...) -> Expression:
    ...

@overload
def sparse_softmax_cross_entropy_with_logits(labels: ArrayLike, logits: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def sqrt(x: Expression, *, name: str | None=...) -> Expression:
    """The square root."""

@overload
def sqrt(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def square(x: Expression, *, name: str | None=...) -> Expression:
    """Each element times itself."""

@overload
def square(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def squared_difference(x: Expression, y: Expression | ArrayLike, *, name: str | None=...) -> Expression:
    """The square of the difference of two tensors. Equal infinities give NaN."""

@overload
def squared_difference(x: ArrayLike, y: Expression, *, name: str | None=...) -> Expression:
    ...

@overload
def squared_difference(x: ArrayLike, y: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def squeeze(x: Expression, axis: Any=..., *, name: str | None=...) -> Expression:
    """The tensor without axes of size 1, or without those that are given."""

@overload
def squeeze(x: ArrayLike, axis: Any=..., *, name: str | None=...) -> Array:
    ...

def stack(x: Sequence[Expression | ArrayLike], axis: builtins.int=..., *, dim: builtins.int=..., name: str | None=...) -> Expression:
    """Tensors of one shape along a new axis."""

@overload
def std(x: Expression, axis: builtins.int | Sequence[builtins.int] | None=..., *, keepdims: builtins.bool=..., correction: builtins.int | None=..., ddof: builtins.int | None=..., unbiased: builtins.bool | None=..., dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Expression:
    """The standard deviation; `correction` (or `ddof`) is what is taken from the count: 0 as in NumPy, 1 in PyTorch."""

@overload
def std(x: ArrayLike, axis: builtins.int | Sequence[builtins.int] | None=..., *, keepdims: builtins.bool=..., correction: builtins.int | None=..., ddof: builtins.int | None=..., unbiased: builtins.bool | None=..., dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Array:
    ...

@overload
def stop_gradient(x: Expression, *, name: str | None=...) -> Expression:
    """The input, unchanged, as a constant for the gradient: the blocks before it receive 0."""

@overload
def stop_gradient(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def sub(x: Expression, y: Expression | ArrayLike=..., *, alpha: Expression | ArrayLike=..., other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The first tensor less the second one; `alpha` times the second one, if it is given."""

@overload
def sub(x: ArrayLike, y: Expression, *, alpha: Expression | ArrayLike=..., other: Expression=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def sub(x: ArrayLike, y: ArrayLike, *, alpha: Expression, other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Expression:
    ...

@overload
def sub(x: ArrayLike, y: ArrayLike=..., *, alpha: ArrayLike=..., other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def subtract(x: Expression, y: Expression | ArrayLike=..., *, alpha: Expression | ArrayLike=..., other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The first tensor less the second one; `alpha` times the second one, if it is given."""

@overload
def subtract(x: ArrayLike, y: Expression, *, alpha: Expression | ArrayLike=..., other: Expression=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def subtract(x: ArrayLike, y: ArrayLike, *, alpha: Expression, other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Expression:
    ...

@overload
def subtract(x: ArrayLike, y: ArrayLike=..., *, alpha: ArrayLike=..., other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def sum(x: Expression, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dtype: object=..., dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Expression:
    """The sum of all elements, or along axes; masks are counted."""

@overload
def sum(x: ArrayLike, axis: builtins.int | Sequence[builtins.int] | None=..., keepdims: builtins.bool=..., *, dtype: object=..., dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Array:
    ...

@overload
def swapaxes(x: Expression, one: Any=..., other: Any=..., *, axis0: Any=..., axis1: Any=..., axis2: Any=..., dim0: Any=..., dim1: Any=..., name: str | None=...) -> Expression:
    """The axes in another order; without `perm` they are reversed."""

@overload
def swapaxes(x: ArrayLike, one: Any=..., other: Any=..., *, axis0: Any=..., axis1: Any=..., axis2: Any=..., dim0: Any=..., dim1: Any=..., name: str | None=...) -> Array:
    ...

@overload
def swish(x: Expression, beta: builtins.float=..., *, name: str | None=...) -> Expression:
    """Each element times its sigmoid, also called swish."""

@overload
def swish(x: ArrayLike, beta: builtins.float=..., *, name: str | None=...) -> Array:
    ...

@overload
def t(x: Expression, *, name: str | None=...) -> Expression:
    """A matrix with its rows as columns; a vector as it is."""

@overload
def t(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def take(x: Expression, places: Expression | ArrayLike=..., axis: builtins.int | None=..., *, indices: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The slices at `places` along an axis; without one, the elements in order."""

@overload
def take(x: ArrayLike, places: Expression, axis: builtins.int | None=..., *, indices: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def take(x: ArrayLike, places: ArrayLike=..., axis: builtins.int | None=..., *, indices: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def take_along_axis(x: Expression, places: Expression | ArrayLike=..., axis: builtins.int | None=..., *, dim: builtins.int | None=..., indices: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The elements at `places` along an axis; other axes broadcast."""

@overload
def take_along_axis(x: ArrayLike, places: Expression, axis: builtins.int | None=..., *, dim: builtins.int | None=..., indices: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def take_along_axis(x: ArrayLike, places: ArrayLike=..., axis: builtins.int | None=..., *, dim: builtins.int | None=..., indices: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def take_along_dim(x: Expression, places: Expression | ArrayLike=..., axis: builtins.int | None=..., *, dim: builtins.int | None=..., indices: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The elements at `places` along an axis; other axes broadcast."""

@overload
def take_along_dim(x: ArrayLike, places: Expression, axis: builtins.int | None=..., *, dim: builtins.int | None=..., indices: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def take_along_dim(x: ArrayLike, places: ArrayLike=..., axis: builtins.int | None=..., *, dim: builtins.int | None=..., indices: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def tan(x: Expression, *, name: str | None=...) -> Expression:
    """The tangent of an angle in radians; NaN at infinity."""

@overload
def tan(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def tanh(x: Expression, *, name: str | None=...) -> Expression:
    """The hyperbolic tangent, between -1 and 1; far from zero it is exactly 1 or -1 and its gradient exactly 0."""

@overload
def tanh(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

def tensor(x: Any, dtype: object=..., requires_grad: builtins.bool=..., *, device: object=..., name: str | None=...) -> Expression:
    """A Constant of numbers, float64 or int64 as written; with `requires_grad` a Variable, which training changes."""

@overload
def tensor_diag(x: Expression, *, name: str | None=...) -> Expression:
    """A tensor of twice the axes with the elements where both halves of the index are equal, and 0 elsewhere."""

@overload
def tensor_diag(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def tensor_diag_part(x: Expression, *, name: str | None=...) -> Expression:
    """The elements for which the first half of the index equals the second: of a square matrix, its diagonal."""

@overload
def tensor_diag_part(x: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def tensordot(a: Expression, b: Expression | ArrayLike, axes: builtins.int | Sequence[builtins.int], *, name: str | None=...) -> Expression:
    """The products of all elements of two tensors, summed over axes that both have."""

@overload
def tensordot(a: ArrayLike, b: Expression, axes: builtins.int | Sequence[builtins.int], *, name: str | None=...) -> Expression:
    ...

@overload
def tensordot(a: ArrayLike, b: ArrayLike, axes: builtins.int | Sequence[builtins.int], *, name: str | None=...) -> Array:
    ...

@overload
def tile(x: Expression, multiples: Sequence[builtins.int], *, name: str | None=...) -> Expression:
    """The tensor repeated as a whole along each axis as often as `multiples` says."""

@overload
def tile(x: ArrayLike, multiples: Sequence[builtins.int], *, name: str | None=...) -> Array:
    ...

@overload
def to(x: Expression, dtype: object, *, name: str | None=...) -> Expression:
    """The tensor in another dtype, or in that of another tensor."""

@overload
def to(x: ArrayLike, dtype: object, *, name: str | None=...) -> Array:
    ...

@overload
def top_k(x: Expression, k: builtins.int=..., sorted: builtins.bool=..., index_type: Literal['int32', 'int64', 'int16']=..., *, name: str | None=...) -> tuple[Expression, Expression]:
    """The `k` largest elements of the last axis, largest first, and their places. All others receive a gradient of 0."""

@overload
def top_k(x: ArrayLike, k: builtins.int=..., sorted: builtins.bool=..., index_type: Literal['int32', 'int64', 'int16']=..., *, name: str | None=...) -> tuple[Array, Array]:
    ...

@overload
def total_variation(images: Expression, *, name: str | None=...) -> Expression:
    """The distances of all neighbouring pixels, down and across, added up for each image: a measure of its noise."""

@overload
def total_variation(images: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def trace(x: Expression, offset: builtins.int=..., axis1: builtins.int=..., axis2: builtins.int=..., *, name: str | None=...) -> Expression:
    """The sum of the diagonal."""

@overload
def trace(x: ArrayLike, offset: builtins.int=..., axis1: builtins.int=..., axis2: builtins.int=..., *, name: str | None=...) -> Array:
    ...

@overload
def transpose(x: Expression, *axes: Any, name: str | None=...) -> Expression:
    """All axes in the opposite order, two of them exchanged as in PyTorch, or in the order that is given."""

@overload
def transpose(x: ArrayLike, *axes: Any, name: str | None=...) -> Array:
    ...

@overload
def tril(x: Expression, k: builtins.int=..., *, diagonal: builtins.int=..., name: str | None=...) -> Expression:
    """Matrices with zeros above their `k`-th diagonal."""

@overload
def tril(x: ArrayLike, k: builtins.int=..., *, diagonal: builtins.int=..., name: str | None=...) -> Array:
    ...

@overload
def triplet_margin_loss(x: Expression, y: Expression | ArrayLike=..., negative: Expression | ArrayLike=..., margin: builtins.float=..., p: builtins.float=..., eps: builtins.float=..., reduction: str=..., *, positive: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """How much closer the negative is to the anchor than the positive, plus the margin, and at least 0."""

@overload
def triplet_margin_loss(x: ArrayLike, y: Expression, negative: Expression | ArrayLike, margin: builtins.float=..., p: builtins.float=..., eps: builtins.float=..., reduction: str=..., *, positive: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def triplet_margin_loss(x: ArrayLike, y: ArrayLike, negative: Expression, margin: builtins.float=..., p: builtins.float=..., eps: builtins.float=..., reduction: str=..., *, positive: ArrayLike=..., name: str | None=...) -> Expression:
    ...

@overload
def triplet_margin_loss(x: ArrayLike, y: ArrayLike=..., negative: ArrayLike=..., margin: builtins.float=..., p: builtins.float=..., eps: builtins.float=..., reduction: str=..., *, positive: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def triu(x: Expression, k: builtins.int=..., *, diagonal: builtins.int=..., name: str | None=...) -> Expression:
    """Matrices with zeros below their `k`-th diagonal."""

@overload
def triu(x: ArrayLike, k: builtins.int=..., *, diagonal: builtins.int=..., name: str | None=...) -> Array:
    ...

@overload
def true_divide(x: Expression, y: Expression | ArrayLike=..., *, rounding_mode: str | None=..., other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The quotient of two tensors; of integers it is float64. `rounding_mode` is None, "floor" or "trunc"."""

@overload
def true_divide(x: ArrayLike, y: Expression, *, rounding_mode: str | None=..., other: Expression=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def true_divide(x: ArrayLike, y: ArrayLike=..., *, rounding_mode: str | None=..., other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def truediv(x: Expression, y: Expression | ArrayLike=..., *, rounding_mode: str | None=..., other: Expression | ArrayLike=..., x2: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The quotient of two tensors; of integers it is float64. `rounding_mode` is None, "floor" or "trunc"."""

@overload
def truediv(x: ArrayLike, y: Expression, *, rounding_mode: str | None=..., other: Expression=..., x2: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def truediv(x: ArrayLike, y: ArrayLike=..., *, rounding_mode: str | None=..., other: ArrayLike=..., x2: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def truncatediv(x: Expression, y: Expression | ArrayLike, *, name: str | None=...) -> Expression:
    """The quotient rounded toward zero. An integer cannot be divided by zero; no gradient passes."""

@overload
def truncatediv(x: ArrayLike, y: Expression, *, name: str | None=...) -> Expression:
    ...

@overload
def truncatediv(x: ArrayLike, y: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def unbind(x: Expression, axis: builtins.int=..., *, dim: builtins.int=..., name: str | None=...) -> tuple[Expression, ...]:
    """The parts of a tensor along one axis, which is gone from them; there are as many outputs as it is long."""

@overload
def unbind(x: ArrayLike, axis: builtins.int=..., *, dim: builtins.int=..., name: str | None=...) -> tuple[Array, ...]:
    ...

@overload
def unique_with_counts(x: Expression, out_idx: Literal['int32', 'int64']=..., *, name: str | None=...) -> tuple[Expression, Expression, Expression]:
    """The different elements of a vector in the order in which they first occur."""

@overload
def unique_with_counts(x: ArrayLike, out_idx: Literal['int32', 'int64']=..., *, name: str | None=...) -> tuple[Array, Array, Array]:
    ...

@overload
def unsorted_segment_max(data: Expression, segment_ids: Expression | ArrayLike, num_segments: builtins.int, *, name: str | None=...) -> Expression:
    """The largest element of each segment; `segment_ids` names the segment of each row, in any order."""

@overload
def unsorted_segment_max(data: ArrayLike, segment_ids: Expression, num_segments: builtins.int, *, name: str | None=...) -> Expression:
    ...

@overload
def unsorted_segment_max(data: ArrayLike, segment_ids: ArrayLike, num_segments: builtins.int, *, name: str | None=...) -> Array:
    ...

@overload
def unsorted_segment_mean(data: Expression, segment_ids: Expression | ArrayLike, num_segments: builtins.int, *, name: str | None=...) -> Expression:
    """The mean of the rows of each segment; `segment_ids` names the segment of each row, in any order."""

@overload
def unsorted_segment_mean(data: ArrayLike, segment_ids: Expression, num_segments: builtins.int, *, name: str | None=...) -> Expression:
    ...

@overload
def unsorted_segment_mean(data: ArrayLike, segment_ids: ArrayLike, num_segments: builtins.int, *, name: str | None=...) -> Array:
    ...

@overload
def unsorted_segment_min(data: Expression, segment_ids: Expression | ArrayLike, num_segments: builtins.int, *, name: str | None=...) -> Expression:
    """The smallest element of each segment; `segment_ids` names the segment of each row, in any order."""

@overload
def unsorted_segment_min(data: ArrayLike, segment_ids: Expression, num_segments: builtins.int, *, name: str | None=...) -> Expression:
    ...

@overload
def unsorted_segment_min(data: ArrayLike, segment_ids: ArrayLike, num_segments: builtins.int, *, name: str | None=...) -> Array:
    ...

@overload
def unsorted_segment_prod(data: Expression, segment_ids: Expression | ArrayLike, num_segments: builtins.int, *, name: str | None=...) -> Expression:
    """The product of the rows of each segment; `segment_ids` names the segment of each row, in any order."""

@overload
def unsorted_segment_prod(data: ArrayLike, segment_ids: Expression, num_segments: builtins.int, *, name: str | None=...) -> Expression:
    ...

@overload
def unsorted_segment_prod(data: ArrayLike, segment_ids: ArrayLike, num_segments: builtins.int, *, name: str | None=...) -> Array:
    ...

@overload
def unsorted_segment_sqrt_n(data: Expression, segment_ids: Expression | ArrayLike, num_segments: builtins.int, *, name: str | None=...) -> Expression:
    """The sum of the rows of each segment, divided by the square root of their number."""

@overload
def unsorted_segment_sqrt_n(data: ArrayLike, segment_ids: Expression, num_segments: builtins.int, *, name: str | None=...) -> Expression:
    ...

@overload
def unsorted_segment_sqrt_n(data: ArrayLike, segment_ids: ArrayLike, num_segments: builtins.int, *, name: str | None=...) -> Array:
    ...

@overload
def unsorted_segment_sum(data: Expression, segment_ids: Expression | ArrayLike, num_segments: builtins.int, *, name: str | None=...) -> Expression:
    """The sum of the rows of each segment; `segment_ids` names the segment of each row, in any order."""

@overload
def unsorted_segment_sum(data: ArrayLike, segment_ids: Expression, num_segments: builtins.int, *, name: str | None=...) -> Expression:
    ...

@overload
def unsorted_segment_sum(data: ArrayLike, segment_ids: ArrayLike, num_segments: builtins.int, *, name: str | None=...) -> Array:
    ...

@overload
def unsqueeze(x: Expression, axis: builtins.int=..., *, dim: builtins.int=..., name: str | None=...) -> Expression:
    """A new axis of size 1."""

@overload
def unsqueeze(x: ArrayLike, axis: builtins.int=..., *, dim: builtins.int=..., name: str | None=...) -> Array:
    ...

@overload
def unstack(x: Expression, axis: builtins.int=..., *, dim: builtins.int=..., name: str | None=...) -> tuple[Expression, ...]:
    """The parts of a tensor along one axis, which is gone from them; there are as many outputs as it is long."""

@overload
def unstack(x: ArrayLike, axis: builtins.int=..., *, dim: builtins.int=..., name: str | None=...) -> tuple[Array, ...]:
    ...

@overload
def var(x: Expression, axis: builtins.int | Sequence[builtins.int] | None=..., *, keepdims: builtins.bool=..., correction: builtins.int | None=..., ddof: builtins.int | None=..., unbiased: builtins.bool | None=..., dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Expression:
    """The variance; `correction` (or `ddof`) is what is taken from the count: 0 as in NumPy, 1 as in PyTorch."""

@overload
def var(x: ArrayLike, axis: builtins.int | Sequence[builtins.int] | None=..., *, keepdims: builtins.bool=..., correction: builtins.int | None=..., ddof: builtins.int | None=..., unbiased: builtins.bool | None=..., dim: builtins.int | Sequence[builtins.int] | None=..., keepdim: builtins.bool=..., name: str | None=...) -> Array:
    ...

@overload
def vdot(x: Expression, y: Expression | ArrayLike=..., *, b: Expression | ArrayLike=..., other: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """The sum of the products of two vectors."""

@overload
def vdot(x: ArrayLike, y: Expression, *, b: Expression=..., other: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def vdot(x: ArrayLike, y: ArrayLike=..., *, b: ArrayLike=..., other: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def view(x: Expression, *shape: Any, name: str | None=...) -> Expression:
    """The same elements in another shape; one size may be -1."""

@overload
def view(x: ArrayLike, *shape: Any, name: str | None=...) -> Array:
    ...

def vstack(x: Sequence[Any], *, name: str | None=...) -> Expression:
    """Vectors as the rows of a matrix, or matrices below each other."""

@overload
def weighted_cross_entropy_with_logits(labels: Expression, logits: Expression | ArrayLike, pos_weight: Expression | ArrayLike, *, name: str | None=...) -> Expression:
    """The cross entropy of yes-or-no labels from logits, with mistakes on the yes side weighted by `pos_weight`."""

@overload
def weighted_cross_entropy_with_logits(labels: ArrayLike, logits: Expression, pos_weight: Expression | ArrayLike, *, name: str | None=...) -> Expression:
    ...

@overload
def weighted_cross_entropy_with_logits(labels: ArrayLike, logits: ArrayLike, pos_weight: Expression, *, name: str | None=...) -> Expression:
    ...

@overload
def weighted_cross_entropy_with_logits(labels: ArrayLike, logits: ArrayLike, pos_weight: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def where(condition: Expression, x: Expression | ArrayLike=..., y: Expression | ArrayLike=..., *, input: Expression | ArrayLike=..., other: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    """Elements of `x` where the condition is true, of `y` elsewhere."""

@overload
def where(condition: ArrayLike, x: Expression, y: Expression | ArrayLike=..., *, input: Expression=..., other: Expression | ArrayLike=..., name: str | None=...) -> Expression:
    ...

@overload
def where(condition: ArrayLike, x: ArrayLike, y: Expression, *, input: ArrayLike=..., other: Expression=..., name: str | None=...) -> Expression:
    ...

@overload
def where(condition: ArrayLike, x: ArrayLike=..., y: ArrayLike=..., *, input: ArrayLike=..., other: ArrayLike=..., name: str | None=...) -> Array:
    ...

@overload
def xdivy(x: Expression, y: Expression | ArrayLike, *, name: str | None=...) -> Expression:
    """The quotient of two tensors, but 0 wherever x is 0, even if y is 0 or NaN there."""

@overload
def xdivy(x: ArrayLike, y: Expression, *, name: str | None=...) -> Expression:
    ...

@overload
def xdivy(x: ArrayLike, y: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def xlog1py(x: Expression, y: Expression | ArrayLike, *, name: str | None=...) -> Expression:
    """The product of x and the natural logarithm of 1 + y, but 0 where x is 0, whatever y is."""

@overload
def xlog1py(x: ArrayLike, y: Expression, *, name: str | None=...) -> Expression:
    ...

@overload
def xlog1py(x: ArrayLike, y: ArrayLike, *, name: str | None=...) -> Array:
    ...

@overload
def xlogy(x: Expression, y: Expression | ArrayLike, *, name: str | None=...) -> Expression:
    """The product of x and the natural logarithm of y, but 0 where x is 0, whatever y is."""

@overload
def xlogy(x: ArrayLike, y: Expression, *, name: str | None=...) -> Expression:
    ...

@overload
def xlogy(x: ArrayLike, y: ArrayLike, *, name: str | None=...) -> Array:
    ...

def zeros(*shape: Any, dtype: object=..., name: str | None=...) -> Expression:
    """Zeros of a shape, float64 unless another dtype is asked for."""

@overload
def zeros_like(x: Expression, dtype: object=..., *, name: str | None=...) -> Expression:
    """Zeros in the shape and dtype of a tensor."""

@overload
def zeros_like(x: ArrayLike, dtype: object=..., *, name: str | None=...) -> Array:
    ...

@overload
def zeta(x: Expression, y: Expression | ArrayLike, *, name: str | None=...) -> Expression:
    """The Hurwitz zeta function; with y = 1 that of Riemann."""

@overload
def zeta(x: ArrayLike, y: Expression, *, name: str | None=...) -> Expression:
    ...

@overload
def zeta(x: ArrayLike, y: ArrayLike, *, name: str | None=...) -> Array:
    ...
