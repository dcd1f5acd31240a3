"""Decisions about block types that the contract compares with what it finds; a new type has to be entered here."""

from __future__ import annotations


def names(text: str) -> set[str]:
    """The names in a text."""
    return set(text.split())


NOT_DIFFERENTIABLE = names("""
    ArgMax ArgMin ArgSort Assign AssignAdd AssignSub Bincount Bucketize Constant Equal Floor Greater
    GreaterEqual HSVToRGB InTopK Input InvertPermutation Less LessEqual OneHot PlacesOfMaxima PreventGradient
    RandomCategorical RandomShuffle RandomUniformInt Round ScatterAdd ScatterDiv ScatterMul ScatterSub
    ScatterUpdate SearchSorted StopGradient Unique Variable WhereIndices ZerosLike
""")

# The rule is right, but a block in it has no rule, or has the one that TensorFlow gives it.
DIFFERENTIABLE_ONCE = names("")

DIFFERENTIABLE_TWICE = names("""
    Abs Add AddN AdjustContrast Asinh Atan Atan2 AvgPool1D AvgPool2D AvgPool3D BatchNormalization BiasAdd
    BooleanMask BroadcastTo Cast ClipByValue Concat Conv1D Conv2D Conv2DTranspose Conv3D ConvFilterGradient
    ConvInputGradient Correlate Cos CosineSimilarity Crelu CropAndResize Cumprod Cumsum CumsumOfExponentials
    CumulativeLogsumexp DepthwiseConv2D Dilation2D Divide DropoutWithMask DynamicPartition DynamicStitch
    Einsum Elu EmbeddingLookup Erf Exp ExpandDims FlipLeftRight FusedBatchNorm Gather GatherNd GatherSegments
    Gelu Hinge Huber Identity KLDivergence L2Loss L2Normalize LRN LayerNormalization LeakyRelu Log Log1p
    LogCosh LogPoissonLoss LogSigmoid LogSoftmax Loss MatMul MaxPool1D MaxPool2D MaxPool3D MaxPoolWithArgmax
    Maximum MeanAbsoluteError MeanSquaredError Minimum Moments Multiply MultiplyNoNan Negative PickAtPlaces
    ProductOfOthers PutAlongAxis RGBToGrayscale RGBToHSV RandomNormal RandomUniform ReadGrid
    ReduceEuclideanNorm ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum ReduceVariance
    Relu Relu6 Reroute Resample Reshape ResizeBicubic ResizeBilinear ResizeNearest Reverse Rsqrt
    ScatterGradient ScatterNd SegmentMax SegmentMean SegmentMin SegmentProd SegmentSum Selu SeparableConv2D
    Sigmoid SigmoidCrossEntropyWithLogits Sign Silu Sin Softmax SoftmaxCrossEntropyWithLogits SoftmaxOverAxes
    Softplus Softsign Sort SparseSegmentMean SparseSegmentSqrtN SparseSegmentSum
    SparseSoftmaxCrossEntropyWithLogits Split SpreadGrid SpreadMeans SpreadToPlaces Sqrt Square
    SquaredDifference Subtract SumOfNeighbours SumTo TakeAlongAxis Tanh TensorScatterNdAdd TensorScatterNdMax
    TensorScatterNdMin TensorScatterNdSub TensorScatterNdUpdate TopK TotalVariation Transpose TruncatedNormal
    UndoResize UnsortedSegmentMax UnsortedSegmentMean UnsortedSegmentMin UnsortedSegmentProd
    UnsortedSegmentSqrtN UnsortedSegmentSum WeightedCrossEntropyWithLogits Where
""")

CUT_BY_DEFINITION = names("""
    Assign AssignAdd AssignSub Bincount HSVToRGB PreventGradient RandomShuffle ScatterAdd ScatterDiv
    ScatterMul ScatterSub ScatterUpdate StopGradient Unique
""")

WITHOUT_NUMPY_SPELLING = names("""
    AdjustContrast AvgPool1D AvgPool2D AvgPool3D Conv1D Conv2D Conv2DTranspose Conv3D ConvFilterGradient
    ConvInputGradient Correlate CosineSimilarity CropAndResize CumsumOfExponentials DepthwiseConv2D Dilation2D
    DynamicStitch FusedBatchNorm GatherNd GatherSegments Gelu HSVToRGB Huber InTopK LRN MaxPool1D MaxPool2D
    MaxPool3D MaxPoolWithArgmax OneHot PickAtPlaces PlacesOfMaxima ProductOfOthers PutAlongAxis RGBToHSV
    RandomCategorical ReadGrid Resample ResizeBicubic ResizeBilinear ResizeNearest ScatterAdd ScatterDiv
    ScatterGradient ScatterMul ScatterNd ScatterSub ScatterUpdate SegmentMax SegmentMean SegmentMin
    SegmentProd SegmentSum Selu SeparableConv2D SoftmaxOverAxes SparseSegmentMean SparseSegmentSqrtN
    SparseSegmentSum SparseSoftmaxCrossEntropyWithLogits SpreadGrid SpreadMeans SpreadToPlaces SumOfNeighbours
    TensorScatterNdAdd TensorScatterNdMax TensorScatterNdMin TensorScatterNdSub TensorScatterNdUpdate TopK
    UndoResize Unique UnsortedSegmentMax UnsortedSegmentMean UnsortedSegmentMin UnsortedSegmentProd
    UnsortedSegmentSqrtN UnsortedSegmentSum
""")


# Outputs through which no gradient flows, as in TensorFlow, though they are floating point.
WITHOUT_GRADIENT = {"FusedBatchNorm": names("batch_mean batch_variance")}
