"""Decisions about block types that the contract compares with what it finds; a new type has to be entered here."""

from __future__ import annotations


def names(text: str) -> set[str]:
    """The names in a text."""
    return set(text.split())


NOT_DIFFERENTIABLE = names("""
    ArgMax ArgMin Constant Equal Floor Greater GreaterEqual Input Less LessEqual OneHot PlacesOfMaxima
    PreventGradient Round StopGradient Variable ZerosLike
""")

# The rule is right, but a block in it has no rule, or has the one that TensorFlow gives it.
DIFFERENTIABLE_ONCE = names("")

DIFFERENTIABLE_TWICE = names("""
    Abs Add AddN Asinh Atan Atan2 AvgPool1D AvgPool2D AvgPool3D BatchNormalization BiasAdd BroadcastTo Cast
    ClipByValue Concat Conv1D Conv2D Conv2DTranspose Conv3D ConvFilterGradient ConvInputGradient Correlate Cos
    Crelu DepthwiseConv2D Dilation2D Divide DropoutWithMask Einsum Elu EmbeddingLookup Erf Exp ExpandDims Gather
    Gelu Huber Identity L2Loss L2Normalize LRN LeakyRelu Log Log1p LogSigmoid LogSoftmax Loss MatMul MaxPool1D
    MaxPool2D MaxPool3D MaxPoolWithArgmax Maximum Minimum Moments Multiply MultiplyNoNan Negative PickAtPlaces
    ProductOfOthers ReduceEuclideanNorm ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum
    ReduceVariance Relu Relu6 Reroute Reshape Reverse Rsqrt ScatterGradient Selu SeparableConv2D Sigmoid
    SigmoidCrossEntropyWithLogits Sign Silu Sin Softmax SoftmaxCrossEntropyWithLogits SoftmaxOverAxes Softplus
    Softsign SparseSoftmaxCrossEntropyWithLogits Split SpreadMeans SpreadToPlaces Sqrt Square SquaredDifference
    Subtract SumOfNeighbours SumTo Tanh Transpose Where
""")

CUT_BY_DEFINITION = names("PreventGradient StopGradient")

WITHOUT_NUMPY_SPELLING = names("""
    AvgPool1D AvgPool2D AvgPool3D BiasAdd Conv1D Conv2D Conv2DTranspose Conv3D ConvFilterGradient ConvInputGradient
    Correlate DepthwiseConv2D Dilation2D EmbeddingLookup Gather Gelu Huber LRN MatMul MaxPool1D MaxPool2D MaxPool3D
    MaxPoolWithArgmax OneHot PickAtPlaces PlacesOfMaxima ProductOfOthers ScatterGradient Selu SeparableConv2D
    SoftmaxOverAxes SparseSoftmaxCrossEntropyWithLogits Split SpreadMeans SpreadToPlaces SumOfNeighbours SumTo
""")
