"""Decisions about block types that the contract compares with what it finds; a new type has to be entered here."""

from __future__ import annotations


def names(text: str) -> set[str]:
    """The names in a text."""
    return set(text.split())


OPTIMIZERS = names("""
    ApplyAdaMax ApplyAdadelta ApplyAdagrad ApplyAdagradDA ApplyAdam ApplyCenteredRMSProp ApplyFtrl
    ApplyGradientDescent ApplyMomentum ApplyProximalAdagrad ApplyProximalGradientDescent ApplyRMSProp
""")

NOT_DIFFERENTIABLE = OPTIMIZERS | names("""
    ArgMax ArgMin Constant Equal Floor Greater GreaterEqual Input Less LessEqual OneHot PreventGradient Round
    StopGradient Variable ZerosLike
""")

# The rule is right, but a block in it has no rule, or has the one that TensorFlow gives it.
DIFFERENTIABLE_ONCE = names("")

DIFFERENTIABLE_TWICE = names("""
    Abs Add AddN Asinh Atan Atan2 BatchNormalization BiasAdd BroadcastTo Cast ClipByValue Concat Conv2D
    Conv2DFilterGradient Conv2DInputGradient Cos Divide DropoutWithMask Einsum Elu EmbeddingLookup Erf Exp
    ExpandDims Gather Gelu Huber Identity L2Loss L2Normalize LeakyRelu Log Log1p LogSigmoid LogSoftmax Loss MatMul
    MaxPool2D Maximum Minimum Moments Multiply MultiplyNoNan Negative PickAtMaxima ProductOfOthers
    ReduceEuclideanNorm ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum ReduceVariance Relu
    Relu6 Reroute Reshape Reverse Rsqrt ScatterGradient Selu Sigmoid SigmoidCrossEntropyWithLogits Sign Silu Sin
    Softmax SoftmaxCrossEntropyWithLogits SoftmaxOverAxes Softplus Softsign SparseSoftmaxCrossEntropyWithLogits
    Split SpreadToMaxima Sqrt Square SquaredDifference Subtract SumTo Tanh Transpose Where
""")

CUT_BY_DEFINITION = OPTIMIZERS | names("PreventGradient StopGradient")

WITHOUT_NUMPY_SPELLING = (OPTIMIZERS - {"ApplyGradientDescent"}) | names("""
    BiasAdd Conv2D Conv2DFilterGradient Conv2DInputGradient EmbeddingLookup Gather Gelu Huber MatMul MaxPool2D
    OneHot PickAtMaxima ProductOfOthers ScatterGradient Selu SoftmaxOverAxes SparseSoftmaxCrossEntropyWithLogits
    Split SpreadToMaxima SumTo
""")
