"""Decisions about block types that the contract compares with what it finds; a new type has to be entered here."""

from __future__ import annotations


def names(text: str) -> set[str]:
    """The names in a text."""
    return set(text.split())


NOT_DIFFERENTIABLE = names("""
    ArgMax ArgMin Ceil Constant CountNonzero Equal Floor FloorDiv Greater GreaterEqual IgammaGradA Input IsFinite
    IsInf IsNan Less LessEqual LogicalAnd LogicalNot LogicalOr LogicalXor NotEqual OneHot OnesLike PreventGradient
    ReduceAll ReduceAny Rint Round StopGradient TruncateDiv Variable ZerosLike
""")

# The rule is right, but a block in it has no rule, or has the one that TensorFlow gives it.
DIFFERENTIABLE_ONCE = names("Igamma Igammac")

DIFFERENTIABLE_TWICE = names("""
    Abs Acos Acosh Add AddN Asin Asinh Atan Atan2 Atanh BatchNormalization BesselI0e BesselI1e Betainc BiasAdd
    BroadcastTo Cast CheckNumerics ClipByGlobalNorm ClipByNorm ClipByValue Concat Conv2D Conv2DFilterGradient
    Conv2DInputGradient Cos Cosh Cross Digamma DivNoNan Divide DropoutWithMask Einsum Elu EmbeddingLookup Erf Erfc
    Erfinv Exp ExpandDims Expm1 FloorMod Gather Gelu Huber Identity L2Loss L2Normalize LeakyRelu Lgamma Log Log1p
    LogSigmoid LogSoftmax Loss MatMul MaxPool2D Maximum Minimum Moments Multiply MultiplyNoNan Ndtri Negative Norm
    PickAtMaxima Polygamma Pow ProductOfOthers Reciprocal ReduceEuclideanNorm ReduceLogSumExp ReduceMax ReduceMean
    ReduceMin ReduceProd ReduceStd ReduceSum ReduceVariance Relu Relu6 Reroute Reshape Reverse Rsqrt
    ScatterGradient Selu Sigmoid SigmoidCrossEntropyWithLogits Sign Silu Sin Sinh Softmax
    SoftmaxCrossEntropyWithLogits SoftmaxOverAxes Softplus Softsign SparseSoftmaxCrossEntropyWithLogits Split
    SpreadToMaxima Sqrt Square SquaredDifference Subtract SumTo Tan Tanh TopProjector TopResolvent Transpose
    TruncateMod Where Xdivy Xlog1py Xlogy Zeta
""")

CUT_BY_DEFINITION = names("IgammaGradA PreventGradient StopGradient")

# TensorFlow passes nothing to these ports, though the output depends on them.
PORTS_WITHOUT_GRADIENT = {"Betainc": names("a b"), "Polygamma": names("x"), "Zeta": names("x")}

WITHOUT_NUMPY_SPELLING = names("""
    Betainc BiasAdd CheckNumerics ClipByGlobalNorm Conv2D Conv2DFilterGradient Conv2DInputGradient Digamma
    EmbeddingLookup FloorDiv Gather Gelu Huber Igamma IgammaGradA Igammac Lgamma MatMul MaxPool2D OneHot
    PickAtMaxima Polygamma ProductOfOthers ScatterGradient Selu SoftmaxOverAxes SparseSoftmaxCrossEntropyWithLogits
    Split SpreadToMaxima SumTo TopProjector TopResolvent TruncateDiv Zeta
""")
