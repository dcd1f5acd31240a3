"""What becomes of each block type in an arena; a changed entry of the table is a decision, never an accident."""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.executors.kinds import table

# Viewed: no work in a run. Copied: copies and casts. Compiled: NumPy's loops and ours. Called: a call of Python.
KINDS = {
    "viewed": """
        Assign BroadcastTo ExpandDims FlipLeftRight Identity MatrixTranspose PreventGradient Rank Reroute
        Reshape Shape Size Slice Split Squeeze StopGradient StridedSlice TensorDiagPart Transpose Unstack
    """,
    "copied": """
        BatchToSpace Concat DepthToSpace ExtractPatches Fill OnesLike Pad Roll SliceIntoZeros SpaceToBatch
        SpaceToDepth Stack TensorDiag Tile ZerosLike
    """,
    "compiled": """
        Abs Acos Acosh Add AddN AdjustContrast ApplyAdaMax ApplyAdadelta ApplyAdagrad ApplyAdagradDA ApplyAdam
        ApplyCenteredRMSProp ApplyFtrl ApplyGradientDescent ApplyMomentum ApplyProximalAdagrad
        ApplyProximalGradientDescent ApplyRMSProp Asin Asinh AssignAdd AssignSub Atan Atan2 Atanh AvgPool1D
        AvgPool2D AvgPool3D BatchNormalization BesselI0e BesselI1e Betainc BiasAdd Cbrt Ceil ClipByGlobalNorm
        ClipByNorm ClipByValue Conv1D Conv2D Conv2DTranspose Conv3D ConvFilterGradient ConvInputGradient
        Correlate Cos Cosh CosineSimilarity Crelu Cumprod Cumsum CumsumOfExponentials CumulativeLogsumexp
        DepthwiseConv2D Digamma Dilation2D DivNoNan Divide Dropout DropoutWithMask Elu EmbeddingLookup Equal Erf
        Erfc Erfinv Exp Expm1 Floor FloorDiv FloorMod FoldBorders FusedBatchNorm Gather GatherNd Gelu Greater
        GreaterEqual HSVToRGB Hinge Huber Igamma Igammac InTopK IsFinite IsInf IsNan KLDivergence L2Loss
        L2Normalize LRN LayerNormalization LeakyRelu Less LessEqual Lgamma LinSpace Log Log1p LogCosh
        LogPoissonLoss LogSigmoid LogSoftmax LogicalAnd LogicalNot LogicalOr LogicalXor Loss MatMul MatVec
        MatrixBandPart MaxPool1D MaxPool2D MaxPool3D Maximum MeanAbsoluteError MeanSquaredError Minimum Moments
        Multiply MultiplyNoNan Ndtri Negative NotEqual OneHot PatchesIntoImages PickAtPlaces PlacesOfMaxima
        Polygamma Pow ProductOfOthers RGBToGrayscale RandomNormal RandomShuffle Reciprocal ReduceAll ReduceAny
        ReduceEuclideanNorm ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceStd ReduceSum
        ReduceVariance Relu Relu6 Repeat Resample ResizeBicubic ResizeBilinear ResizeNearest Rint Round Rsqrt
        ScatterAdd ScatterGradient Selu SeparableConv2D Sigmoid SigmoidCrossEntropyWithLogits Sign Silu Sin Sinh
        Softmax SoftmaxCrossEntropyWithLogits SoftmaxOverAxes Softplus Softsign
        SparseSoftmaxCrossEntropyWithLogits SpreadMeans SpreadToEqual Sqrt Square SquaredDifference Subtract
        SumAtEqual SumOfNeighbours SumTo TakeAlongAxis Tan Tanh TensorScatterNdAdd Tensordot TotalVariation
        Trace TruncateDiv TruncateMod TruncatedNormal WeightedCrossEntropyWithLogits Where Xdivy Xlog1py Xlogy
        Zeta
    """,
    "called for some": """
        ArgMax ArgMin Cast CountNonzero Einsum Norm Reverse ScatterNd SequenceMask SpreadToPlaces
    """,
    "called": """
        Accuracy ArgSort Bincount BooleanMask Bucketize CheckNumerics Cholesky ClassesAtPlaces Cofactors
        ConfusionMatrix CropAndResize Cross DynamicPartition DynamicStitch GatherSegments IgammaGradA
        InverseOrNaN InvertPermutation MatrixDeterminant MatrixDiag MatrixDiagPart MatrixInverse MatrixSetDiag
        MatrixSolve MaxPoolWithArgmax Meshgrid PutAlongAxis Qr R2 RGBToHSV RandomCategorical RandomUniform
        ReadGrid ReverseSequence ScatterDiv ScatterMul ScatterSub ScatterUpdate SearchSorted SegmentMax
        SegmentMean SegmentMin SegmentProd SegmentSum SelfAdjointEig Slogdet Sort SparseSegmentMean
        SparseSegmentSqrtN SparseSegmentSum SpreadGrid Svd TensorScatterNdMax TensorScatterNdMin
        TensorScatterNdSub TensorScatterNdUpdate TopK TopProjector TopResolvent TriangularSolve UndoResize
        Unique UnsortedSegmentMax UnsortedSegmentMean UnsortedSegmentMin UnsortedSegmentProd
        UnsortedSegmentSqrtN UnsortedSegmentSum WhereIndices
    """,
}


@pytest.mark.long
@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) < "2.4.0", reason="older ones make no products of Einsum")
def test_the_table_says_what_the_recorder_does() -> None:
    assert table() == {kind: names.split() for kind, names in KINDS.items()}
