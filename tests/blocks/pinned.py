"""Decisions about block types that the contract compares with what it finds; a new type has to be entered here."""

from __future__ import annotations


def names(text: str) -> set[str]:
    """The names in a text."""
    return set(text.split())


NOT_DIFFERENTIABLE = names("""
    ArgMax ArgMin Constant Equal Floor Greater GreaterEqual HSVToRGB Input Less LessEqual OneHot PreventGradient
    RandomCategorical RandomShuffle RandomUniformInt Round StopGradient Variable ZerosLike
""")

# The rule is right, but a block in it has no rule, or has the one that TensorFlow gives it.
DIFFERENTIABLE_ONCE = names("")

DIFFERENTIABLE_TWICE = names("""
    Abs Add AddN AdjustContrast Asinh Atan Atan2 BatchNormalization BiasAdd BroadcastTo Cast ClipByValue Concat
    Conv2D Conv2DFilterGradient Conv2DInputGradient Cos CosineSimilarity CropAndResize Divide DropoutWithMask
    Einsum Elu EmbeddingLookup Erf Exp ExpandDims FlipLeftRight FusedBatchNorm Gather Gelu Hinge Huber Identity
    KLDivergence L2Loss L2Normalize LayerNormalization LeakyRelu Log Log1p LogCosh LogPoissonLoss LogSigmoid
    LogSoftmax Loss MatMul MaxPool2D Maximum MeanAbsoluteError MeanSquaredError Minimum Moments Multiply
    MultiplyNoNan Negative PickAtMaxima ProductOfOthers RGBToGrayscale RGBToHSV RandomNormal RandomUniform
    ReadGrid ReduceEuclideanNorm ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum
    ReduceVariance Relu Relu6 Reroute Resample Reshape ResizeBicubic ResizeBilinear ResizeNearest Reverse Rsqrt
    ScatterGradient Selu Sigmoid SigmoidCrossEntropyWithLogits Sign Silu Sin Softmax
    SoftmaxCrossEntropyWithLogits SoftmaxOverAxes Softplus Softsign SparseSoftmaxCrossEntropyWithLogits Split
    SpreadGrid SpreadToMaxima Sqrt Square SquaredDifference Subtract SumTo Tanh TotalVariation Transpose
    TruncatedNormal UndoResize WeightedCrossEntropyWithLogits Where
""")

CUT_BY_DEFINITION = names("HSVToRGB PreventGradient RandomShuffle StopGradient")

# Outputs through which no gradient flows, as in TensorFlow, though they are floating point.
WITHOUT_GRADIENT = {"FusedBatchNorm": names("batch_mean batch_variance")}

WITHOUT_NUMPY_SPELLING = names("""
    AdjustContrast BiasAdd Conv2D Conv2DFilterGradient Conv2DInputGradient CosineSimilarity CropAndResize
    EmbeddingLookup FusedBatchNorm Gather Gelu HSVToRGB Huber MatMul MaxPool2D OneHot PickAtMaxima
    ProductOfOthers RGBToHSV RandomCategorical ReadGrid Resample ResizeBicubic ResizeBilinear ResizeNearest
    ScatterGradient Selu SoftmaxOverAxes SparseSoftmaxCrossEntropyWithLogits Split SpreadGrid SpreadToMaxima
    SumTo UndoResize
""")
