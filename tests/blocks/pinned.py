"""Decisions about block types that the contract compares with what it finds; a new type has to be entered here."""

from __future__ import annotations


def names(text: str) -> set[str]:
    """The names in a text."""
    return set(text.split())


OPTIMIZERS = names("""
    ApplyAdaMax ApplyAdadelta ApplyAdagrad ApplyAdagradDA ApplyAdam ApplyCenteredRMSProp ApplyFtrl
    ApplyGradientDescent ApplyMomentum ApplyProximalAdagrad ApplyProximalGradientDescent ApplyRMSProp
""")

NOT_DIFFERENTIABLE = names("""
    ArgMax ArgMin Assign AssignAdd AssignSub Ceil Constant CountNonzero Equal Floor FloorDiv Greater
    GreaterEqual HSVToRGB Input IsFinite IsInf IsNan Less LessEqual LogicalAnd LogicalNot LogicalOr LogicalXor
    NotEqual OneHot Ones OnesLike PlacesOfMaxima PreventGradient RandomCategorical RandomShuffle
    RandomUniformInt Range Rank ReduceAll ReduceAny Rint Round ScatterAdd ScatterDiv ScatterMul ScatterSub
    ScatterUpdate SequenceMask Shape Size StopGradient TruncateDiv Variable WhereIndices Zeros ZerosLike
""")

# The rule is right, but a block in it has no rule, or has the one that TensorFlow gives it.
DIFFERENTIABLE_ONCE = names("")

DIFFERENTIABLE_TWICE = names("""
    Abs Acos Acosh Add AddN AdjustContrast Asin Asinh Atan Atan2 Atanh AvgPool1D AvgPool2D AvgPool3D
    BatchNormalization BatchToSpace BiasAdd BooleanMask BroadcastTo Cast ClipByValue Concat Conv1D Conv2D
    Conv2DTranspose Conv3D ConvFilterGradient ConvInputGradient Correlate Cos Cosh CosineSimilarity Crelu
    CropAndResize DepthToSpace DepthwiseConv2D Dilation2D DivNoNan Divide DropoutWithMask DynamicPartition
    DynamicStitch Einsum Elu EmbeddingLookup Erf Exp ExpandDims Expm1 ExtractPatches Fill FlipLeftRight FloorMod
    FoldBorders FusedBatchNorm Gather GatherNd GatherSegments Gelu Hinge Huber Identity KLDivergence L2Loss
    L2Normalize LRN LayerNormalization LeakyRelu LinSpace Log Log1p LogCosh LogPoissonLoss LogSigmoid LogSoftmax
    Loss MatMul MaxPool1D MaxPool2D MaxPool3D MaxPoolWithArgmax Maximum MeanAbsoluteError MeanSquaredError
    Meshgrid Minimum Moments Multiply MultiplyNoNan Negative Pad PatchesIntoImages PickAtPlaces Pow
    ProductOfOthers RGBToGrayscale RGBToHSV RandomNormal RandomUniform ReadGrid Reciprocal ReduceEuclideanNorm
    ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceStd ReduceSum ReduceVariance Relu Relu6
    Repeat Reroute Resample Reshape ResizeBicubic ResizeBilinear ResizeNearest Reverse ReverseSequence Roll
    Rsqrt ScatterGradient ScatterNd SegmentMax SegmentMean SegmentMin SegmentProd SegmentSum Selu
    SeparableConv2D Sigmoid SigmoidCrossEntropyWithLogits Sign Silu Sin Sinh Slice SliceIntoZeros Softmax
    SoftmaxCrossEntropyWithLogits SoftmaxOverAxes Softplus Softsign SpaceToBatch SpaceToDepth SparseSegmentMean
    SparseSegmentSqrtN SparseSegmentSum SparseSoftmaxCrossEntropyWithLogits Split SpreadGrid SpreadMeans
    SpreadToPlaces Sqrt Square SquaredDifference Squeeze Stack StridedSlice Subtract SumOfNeighbours SumTo Tan
    Tanh TensorScatterNdAdd TensorScatterNdMax TensorScatterNdMin TensorScatterNdSub TensorScatterNdUpdate Tile
    TotalVariation Transpose TruncateMod TruncatedNormal UndoResize UnsortedSegmentMax UnsortedSegmentMean
    UnsortedSegmentMin UnsortedSegmentProd UnsortedSegmentSqrtN UnsortedSegmentSum Unstack
    WeightedCrossEntropyWithLogits Where Xdivy Xlog1py Xlogy
""")

CUT_BY_DEFINITION = names("""
    Assign AssignAdd AssignSub HSVToRGB PreventGradient RandomShuffle ScatterAdd ScatterDiv ScatterMul
    ScatterSub ScatterUpdate StopGradient
""")

WITHOUT_NUMPY_SPELLING = names("""
    AdjustContrast AvgPool1D AvgPool2D AvgPool3D BatchToSpace Conv1D Conv2D Conv2DTranspose Conv3D
    ConvFilterGradient ConvInputGradient Correlate CosineSimilarity CropAndResize DepthToSpace DepthwiseConv2D
    Dilation2D DynamicStitch ExtractPatches FoldBorders FusedBatchNorm GatherNd GatherSegments Gelu HSVToRGB
    Huber LRN MaxPool1D MaxPool2D MaxPool3D MaxPoolWithArgmax OneHot PatchesIntoImages PickAtPlaces
    PlacesOfMaxima ProductOfOthers RGBToHSV RandomCategorical ReadGrid Resample ResizeBicubic ResizeBilinear
    ResizeNearest ReverseSequence ScatterAdd ScatterDiv ScatterGradient ScatterMul ScatterNd ScatterSub
    ScatterUpdate SegmentMax SegmentMean SegmentMin SegmentProd SegmentSum Selu SeparableConv2D SliceIntoZeros
    SoftmaxOverAxes SpaceToBatch SpaceToDepth SparseSegmentMean SparseSegmentSqrtN SparseSegmentSum
    SparseSoftmaxCrossEntropyWithLogits SpreadGrid SpreadMeans SpreadToPlaces SumOfNeighbours TensorScatterNdAdd
    TensorScatterNdMax TensorScatterNdMin TensorScatterNdSub TensorScatterNdUpdate UndoResize UnsortedSegmentMax
    UnsortedSegmentMean UnsortedSegmentMin UnsortedSegmentProd UnsortedSegmentSqrtN UnsortedSegmentSum
""")


# Outputs through which no gradient flows, as in TensorFlow, though they are floating point.
WITHOUT_GRADIENT = {"FusedBatchNorm": names("batch_mean batch_variance")}

NOT_DIFFERENTIABLE |= OPTIMIZERS
CUT_BY_DEFINITION |= OPTIMIZERS
WITHOUT_NUMPY_SPELLING |= OPTIMIZERS - {"ApplyGradientDescent"}
