"""Decisions about block types that the contract compares with what it finds; a new type has to be entered here."""

from __future__ import annotations


def names(text: str) -> set[str]:
    """The names in a text."""
    return set(text.split())


NOT_DIFFERENTIABLE = names("""
    ArgMax ArgMin Assign AssignAdd AssignSub Constant Equal Floor Greater GreaterEqual Input Less LessEqual
    OneHot PlacesOfMaxima PreventGradient Round ScatterAdd ScatterDiv ScatterMul ScatterSub ScatterUpdate
    StopGradient Variable WhereIndices ZerosLike
""")

# The rule is right, but a block in it has no rule, or has the one that TensorFlow gives it.
DIFFERENTIABLE_ONCE = names("")

DIFFERENTIABLE_TWICE = names("""
    Abs Add AddN Asinh Atan Atan2 AvgPool1D AvgPool2D AvgPool3D BatchNormalization BiasAdd BooleanMask
    BroadcastTo Cast ClipByValue Concat Conv1D Conv2D Conv2DTranspose Conv3D ConvFilterGradient
    ConvInputGradient Correlate Cos Crelu DepthwiseConv2D Dilation2D Divide DropoutWithMask DynamicPartition
    DynamicStitch Einsum Elu EmbeddingLookup Erf Exp ExpandDims Gather GatherNd GatherSegments Gelu Huber
    Identity L2Loss L2Normalize LRN LeakyRelu Log Log1p LogSigmoid LogSoftmax Loss MatMul MaxPool1D MaxPool2D
    MaxPool3D MaxPoolWithArgmax Maximum Minimum Moments Multiply MultiplyNoNan Negative PickAtPlaces
    ProductOfOthers ReduceEuclideanNorm ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum
    ReduceVariance Relu Relu6 Reroute Reshape Reverse Rsqrt ScatterGradient ScatterNd SegmentMax SegmentMean
    SegmentMin SegmentProd SegmentSum Selu SeparableConv2D Sigmoid SigmoidCrossEntropyWithLogits Sign Silu Sin
    Softmax SoftmaxCrossEntropyWithLogits SoftmaxOverAxes Softplus Softsign SparseSegmentMean SparseSegmentSqrtN
    SparseSegmentSum SparseSoftmaxCrossEntropyWithLogits Split SpreadMeans SpreadToPlaces Sqrt Square
    SquaredDifference Subtract SumOfNeighbours SumTo Tanh TensorScatterNdAdd TensorScatterNdMax
    TensorScatterNdMin TensorScatterNdSub TensorScatterNdUpdate Transpose UnsortedSegmentMax UnsortedSegmentMean
    UnsortedSegmentMin UnsortedSegmentProd UnsortedSegmentSqrtN UnsortedSegmentSum Where
""")

CUT_BY_DEFINITION = names("""
    Assign AssignAdd AssignSub PreventGradient ScatterAdd ScatterDiv ScatterMul ScatterSub ScatterUpdate
    StopGradient
""")

WITHOUT_NUMPY_SPELLING = names("""
    AvgPool1D AvgPool2D AvgPool3D Conv1D Conv2D Conv2DTranspose Conv3D ConvFilterGradient ConvInputGradient
    Correlate DepthwiseConv2D Dilation2D DynamicStitch GatherNd GatherSegments Gelu Huber LRN MaxPool1D
    MaxPool2D MaxPool3D MaxPoolWithArgmax OneHot PickAtPlaces PlacesOfMaxima ProductOfOthers ScatterAdd
    ScatterDiv ScatterGradient ScatterMul ScatterNd ScatterSub ScatterUpdate SegmentMax SegmentMean SegmentMin
    SegmentProd SegmentSum Selu SeparableConv2D SoftmaxOverAxes SparseSegmentMean SparseSegmentSqrtN
    SparseSegmentSum SparseSoftmaxCrossEntropyWithLogits SpreadMeans SpreadToPlaces SumOfNeighbours
    TensorScatterNdAdd TensorScatterNdMax TensorScatterNdMin TensorScatterNdSub TensorScatterNdUpdate
    UnsortedSegmentMax UnsortedSegmentMean UnsortedSegmentMin UnsortedSegmentProd UnsortedSegmentSqrtN
    UnsortedSegmentSum
""")
