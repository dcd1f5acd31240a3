"""Decisions about some block types, which the contract compares with its findings."""

from __future__ import annotations


def names(text: str) -> set[str]:
    """Returns the names in a text."""
    return set(text.split())


OPTIMIZERS = names("""
    ApplyAdaMax ApplyAdadelta ApplyAdagrad ApplyAdagradDA ApplyAdam ApplyCenteredRMSProp ApplyFtrl
    ApplyGradientDescent ApplyMomentum ApplyProximalAdagrad ApplyProximalGradientDescent ApplyRMSProp
""")

WITHOUT_NUMPY_SPELLING = names("""
    Accuracy AdjustContrast AvgPool1D AvgPool2D AvgPool3D BatchToSpace Betainc CheckNumerics ClassesAtPlaces
    ClipByGlobalNorm Cofactors ConfusionMatrix Conv1D Conv2D Conv2DTranspose Conv3D ConvFilterGradient
    ConvInputGradient Correlate CosineSimilarity CropAndResize CumsumOfExponentials DepthToSpace DepthwiseConv2D
    Digamma Dilation2D DynamicStitch ExtractPatches FoldBorders FusedBatchNorm GatherNd GatherSegments Gelu HSVToRGB
    Huber Igamma IgammaGradA Igammac InTopK InverseOrNaN LRN Lgamma MatrixSetDiag MaxPool1D MaxPool2D MaxPool3D
    MaxPoolWithArgmax OneHot PatchesIntoImages PickAtPlaces PlacesOfMaxima Polygamma ProductOfOthers PutAlongAxis R2
    RGBToHSV RandomCategorical ReadGrid Resample ResizeBicubic ResizeBilinear ResizeNearest ReverseSequence
    ScatterAdd ScatterDiv ScatterGradient ScatterMul ScatterNd ScatterSub ScatterUpdate SegmentMax SegmentMean
    SegmentMin SegmentProd SegmentSum Selu SeparableConv2D SliceIntoZeros SoftmaxOverAxes SpaceToBatch SpaceToDepth
    SparseSegmentMean SparseSegmentSqrtN SparseSegmentSum SparseSoftmaxCrossEntropyWithLogits SpreadGrid SpreadMeans
    SpreadToEqual SpreadToPlaces SumAtEqual SumOfNeighbours TensorScatterNdAdd TensorScatterNdMax TensorScatterNdMin
    TensorScatterNdSub TensorScatterNdUpdate TopK TopProjector TopResolvent UndoResize Unique UnsortedSegmentMax
    UnsortedSegmentMean UnsortedSegmentMin UnsortedSegmentProd UnsortedSegmentSqrtN UnsortedSegmentSum Zeta
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

# Blocks that only show something: a program has nothing to compute for them.
WITHOUT_NUMPY_SPELLING |= names("Chart Monitor")
WITHOUT_NUMPY_SPELLING |= OPTIMIZERS - {"ApplyGradientDescent"}
