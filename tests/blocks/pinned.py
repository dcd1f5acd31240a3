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
    ArgMax ArgMin ArgSort Assign AssignAdd AssignSub Bincount Bucketize Ceil Constant CountNonzero Equal Eye
    Floor FloorDiv Greater GreaterEqual HSVToRGB IgammaGradA InTopK Input InvertPermutation IsFinite IsInf IsNan
    Less LessEqual LogicalAnd LogicalNot LogicalOr LogicalXor NotEqual OneHot Ones OnesLike PlacesOfMaxima
    PreventGradient RandomCategorical RandomShuffle RandomUniformInt Range Rank ReduceAll ReduceAny Rint Round
    ScatterAdd ScatterDiv ScatterMul ScatterSub ScatterUpdate SearchSorted SequenceMask Shape Size StopGradient
    TruncateDiv Unique Variable WhereIndices Zeros ZerosLike
""")

# The rule is right, but a block in it has no rule, or has the one that TensorFlow gives it.
DIFFERENTIABLE_ONCE = names("""
    Igamma Igammac
""")

DIFFERENTIABLE_TWICE = names("""
    Abs Acos Acosh Add AddN AdjustContrast Asin Asinh Atan Atan2 Atanh AvgPool1D AvgPool2D AvgPool3D
    BatchNormalization BatchToSpace BesselI0e BesselI1e Betainc BiasAdd BooleanMask BroadcastTo Cast
    CheckNumerics Cholesky ClipByGlobalNorm ClipByNorm ClipByValue Cofactors Concat Conv1D Conv2D
    Conv2DTranspose Conv3D ConvFilterGradient ConvInputGradient Correlate Cos Cosh CosineSimilarity Crelu
    CropAndResize Cross Cumprod Cumsum CumsumOfExponentials CumulativeLogsumexp DepthToSpace DepthwiseConv2D
    Digamma Dilation2D DivNoNan Divide DropoutWithMask DynamicPartition DynamicStitch Einsum Elu EmbeddingLookup
    Erf Erfc Erfinv Exp ExpandDims Expm1 ExtractPatches Fill FlipLeftRight FloorMod FoldBorders FusedBatchNorm
    Gather GatherNd GatherSegments Gelu Hinge Huber Identity InverseOrNaN KLDivergence L2Loss L2Normalize LRN
    LayerNormalization LeakyRelu Lgamma LinSpace Log Log1p LogCosh LogPoissonLoss LogSigmoid LogSoftmax Loss
    MatMul MatVec MatrixBandPart MatrixDeterminant MatrixDiag MatrixDiagPart MatrixInverse MatrixSetDiag
    MatrixSolve MatrixTranspose MaxPool1D MaxPool2D MaxPool3D MaxPoolWithArgmax Maximum MeanAbsoluteError
    MeanSquaredError Meshgrid Minimum Moments Multiply MultiplyNoNan Ndtri Negative Norm Pad PatchesIntoImages
    PickAtPlaces Polygamma Pow ProductOfOthers PutAlongAxis RGBToGrayscale RGBToHSV RandomNormal RandomUniform
    ReadGrid Reciprocal ReduceEuclideanNorm ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceStd
    ReduceSum ReduceVariance Relu Relu6 Repeat Reroute Resample Reshape ResizeBicubic ResizeBilinear
    ResizeNearest Reverse ReverseSequence Roll Rsqrt ScatterGradient ScatterNd SegmentMax SegmentMean SegmentMin
    SegmentProd SegmentSum Selu SeparableConv2D Sigmoid SigmoidCrossEntropyWithLogits Sign Silu Sin Sinh Slice
    SliceIntoZeros Slogdet Softmax SoftmaxCrossEntropyWithLogits SoftmaxOverAxes Softplus Softsign Sort
    SpaceToBatch SpaceToDepth SparseSegmentMean SparseSegmentSqrtN SparseSegmentSum
    SparseSoftmaxCrossEntropyWithLogits Split SpreadGrid SpreadMeans SpreadToEqual SpreadToPlaces Sqrt Square
    SquaredDifference Squeeze Stack StridedSlice Subtract SumAtEqual SumOfNeighbours SumTo TakeAlongAxis Tan
    Tanh TensorDiag TensorDiagPart TensorScatterNdAdd TensorScatterNdMax TensorScatterNdMin TensorScatterNdSub
    TensorScatterNdUpdate Tensordot Tile TopK TopProjector TopResolvent TotalVariation Trace Transpose
    TriangularSolve TruncateMod TruncatedNormal UndoResize UnsortedSegmentMax UnsortedSegmentMean
    UnsortedSegmentMin UnsortedSegmentProd UnsortedSegmentSqrtN UnsortedSegmentSum Unstack
    WeightedCrossEntropyWithLogits Where Xdivy Xlog1py Xlogy Zeta
""")

CUT_BY_DEFINITION = names("""
    Assign AssignAdd AssignSub Bincount HSVToRGB IgammaGradA PreventGradient RandomShuffle ScatterAdd ScatterDiv
    ScatterMul ScatterSub ScatterUpdate StopGradient Unique
""")

WITHOUT_NUMPY_SPELLING = names("""
    AdjustContrast AvgPool1D AvgPool2D AvgPool3D BatchToSpace Betainc CheckNumerics ClipByGlobalNorm Cofactors
    Conv1D Conv2D Conv2DTranspose Conv3D ConvFilterGradient ConvInputGradient Correlate CosineSimilarity
    CropAndResize CumsumOfExponentials DepthToSpace DepthwiseConv2D Digamma Dilation2D DynamicStitch
    ExtractPatches FoldBorders FusedBatchNorm GatherNd GatherSegments Gelu HSVToRGB Huber Igamma IgammaGradA
    Igammac InTopK InverseOrNaN LRN Lgamma MatrixSetDiag MaxPool1D MaxPool2D MaxPool3D MaxPoolWithArgmax OneHot
    PatchesIntoImages PickAtPlaces PlacesOfMaxima Polygamma ProductOfOthers PutAlongAxis RGBToHSV
    RandomCategorical ReadGrid Resample ResizeBicubic ResizeBilinear ResizeNearest ReverseSequence ScatterAdd
    ScatterDiv ScatterGradient ScatterMul ScatterNd ScatterSub ScatterUpdate SegmentMax SegmentMean SegmentMin
    SegmentProd SegmentSum Selu SeparableConv2D SliceIntoZeros SoftmaxOverAxes SpaceToBatch SpaceToDepth
    SparseSegmentMean SparseSegmentSqrtN SparseSegmentSum SparseSoftmaxCrossEntropyWithLogits SpreadGrid
    SpreadMeans SpreadToEqual SpreadToPlaces SumAtEqual SumOfNeighbours TensorScatterNdAdd TensorScatterNdMax
    TensorScatterNdMin TensorScatterNdSub TensorScatterNdUpdate TopK TopProjector TopResolvent UndoResize Unique
    UnsortedSegmentMax UnsortedSegmentMean UnsortedSegmentMin UnsortedSegmentProd UnsortedSegmentSqrtN
    UnsortedSegmentSum Zeta
""")


# Outputs through which no gradient flows, as in TensorFlow, though they are floating point.
WITHOUT_GRADIENT = {"FusedBatchNorm": names("batch_mean batch_variance"), "Slogdet": names("sign")}

# Inputs that stand for symmetric matrices: the gradient is that of a symmetric change, as in TensorFlow.
SYMMETRIC = {"Cholesky": names("x")}

# Nothing passes to these ports, though the output depends on them: TensorFlow does so, or equality decides.
PORTS_WITHOUT_GRADIENT = {
    "Betainc": names("a b"),
    "Polygamma": names("x"),
    "SpreadToEqual": names("image maxima"),
    "SumAtEqual": names("image maxima"),
    "Zeta": names("x"),
}

NOT_DIFFERENTIABLE |= OPTIMIZERS
CUT_BY_DEFINITION |= OPTIMIZERS
WITHOUT_NUMPY_SPELLING |= OPTIMIZERS - {"ApplyGradientDescent"}
