"""One call of each block type, and its line in each library: the help shows what an exported program would say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gradwire.engine.base.errors import BlockError
from gradwire.engine.base.tensor_spec import DTYPES, Array, Shape, TensorSpec
from gradwire.engine.blocktypes.block_type import BlockType, Role
from gradwire.engine.blocktypes.parameters import Parameter
from gradwire.engine.blocktypes.target import Target
from gradwire.engine.export.export import targets

# Shapes that all inputs of a type have, if it takes them.
_SHAPES: tuple[Shape, ...] = ((2, 3), (3, 3), (3,), (), (2, 4, 4, 3), (2, 3, 3, 4))
_WHAT_FIRST = ("float64", "int32", "bool")
# For most of these types TensorFlow has no kernel in float64.
_DTYPES = {
    "Bincount": "int32",
    **dict.fromkeys(("AvgPool3D", "FusedBatchNorm", "LRN", "MaxPool3D", "MaxPoolWithArgmax"), "float32"),
}


@dataclass(frozen=True)
class Example:
    """A call: the spec of each input, and all parameters in normal form."""

    specs: tuple[TensorSpec, ...]
    parameters: Mapping[str, Any]  # Any: the kinds of parameters decide

    def arrays(self) -> list[Array]:
        """Returns inputs: numbers between 0.1 and 0.9, sorted ids of two segments, or truths and falsehoods in turn."""
        return [_numbers(spec) for spec in self.specs]


# The shapes of the inputs, and the parameters, where equal shapes and defaults are no call, or show too little.
_CALLS: dict[str, tuple[Sequence[Shape], dict[str, Any]]] = {
    "AdjustContrast": ([(2, 4, 4, 3), ()], {}),
    "AvgPool1D": ([(2, 4, 3)], {"ksize": 2, "strides": 2, "padding": "VALID"}),
    "AvgPool2D": ([(2, 4, 4, 3)], {"ksize": 2, "strides": 2, "padding": "VALID"}),
    "AvgPool3D": ([(2, 4, 4, 4, 3)], {"ksize": 2, "strides": 2, "padding": "VALID"}),
    "BatchToSpace": ([(4, 1, 1, 3)], {"block_shape": [2, 2], "crops": [[0, 0], [0, 0]]}),
    "BiasAdd": ([(2, 3), (3,)], {}),
    "Bincount": ([(4,)], {"minlength": 3, "axis": None}),
    "BroadcastTo": ([(3,)], {"shape": [2, 3]}),
    "Bucketize": ([(2, 3)], {"boundaries": [0.25, 0.5]}),
    "Cast": ([(2, 3)], {"dtype": "float32"}),
    "ClipByValue": ([(2, 3), (), ()], {}),
    "Constant": ([], {"value": [1.0, 2.0]}),
    "Concat": ([(2, 3), (2, 3)], {"axis": 1}),
    "Conv1D": ([(2, 5, 3), (3, 3, 4)], {"stride": 1, "padding": "SAME"}),
    "Conv2D": ([(2, 5, 5, 3), (3, 3, 3, 4)], {"strides": 1, "padding": "SAME"}),
    "Conv2DTranspose": (
        [(2, 2, 2, 4), (2, 2, 3, 4)],
        {"output_shape": [2, 4, 4, 3], "strides": 2, "padding": "VALID"},
    ),
    "Conv3D": ([(2, 5, 5, 5, 3), (3, 3, 3, 3, 4)], {"strides": 1, "padding": "SAME"}),
    "CropAndResize": ([(2, 4, 4, 3), (2, 4), (2,)], {"crop_size": [2, 2]}),
    "DepthToSpace": ([(2, 2, 2, 4)], {"block_size": 2}),
    "DepthwiseConv2D": ([(2, 5, 5, 3), (3, 3, 3, 2)], {"strides": 1, "padding": "SAME"}),
    "Dilation2D": ([(2, 5, 5, 3), (3, 3, 3)], {"strides": 1, "padding": "SAME", "dilations": 1}),
    "DropoutWithMask": ([(2, 3), (2, 3)], {"rate": 0.5}),
    "DynamicPartition": ([(4, 3), (4,)], {"num_partitions": 2}),
    "Einsum": ([(2, 3), (3, 4)], {"equation": "ij,jk->ik"}),
    "EmbeddingLookup": ([(4, 3), (2,)], {}),
    "ExpandDims": ([(2, 3)], {"axis": 1}),
    "ExtractPatches": (
        [(2, 4, 4, 3)],
        {"sizes": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "rates": [1, 1, 1, 1], "padding": "VALID"},
    ),
    "DynamicStitch": ([(2,), (2,), (2, 3), (2, 3)], {}),
    "Eye": ([], {"num_rows": 3}),
    "Fill": ([()], {"dims": [2, 3]}),
    "FusedBatchNorm": ([(2, 4, 4, 3), (3,), (3,), (3,), (3,)], {}),
    "Gather": ([(4, 3), (2,)], {"axis": 1}),
    "GatherNd": ([(4, 3), (2, 1)], {}),
    "Input": ([], {"value": [1.0, 2.0]}),
    "InTopK": ([(2,), (2, 3)], {"k": 2}),
    "LayerNormalization": ([(2, 3), (3,), (3,)], {}),
    "LinSpace": ([(), ()], {"num": 5}),
    "Loss": ([(2, 3), (2, 3)], {}),
    "MatMul": ([(2, 3), (3, 4)], {}),
    "MatVec": ([(2, 3), (3,)], {}),
    "MatrixBandPart": ([(3, 3)], {"num_lower": 1, "num_upper": 0}),
    "MatrixDiag": ([(3,)], {}),
    "MatrixSetDiag": ([(3, 3), (3,)], {}),
    "MaxPool1D": ([(2, 4, 3)], {"ksize": 2, "strides": 2, "padding": "VALID"}),
    "MaxPool2D": ([(2, 4, 4, 3)], {"ksize": 2, "strides": 2, "padding": "VALID"}),
    "MaxPool3D": ([(2, 4, 4, 4, 3)], {"ksize": 2, "strides": 2, "padding": "VALID"}),
    "MaxPoolWithArgmax": ([(2, 4, 4, 3)], {"ksize": 2, "strides": 2, "padding": "VALID"}),
    "Moments": ([(2, 3)], {"axes": [0]}),
    "OneHot": ([(4,)], {"depth": 3}),
    "Ones": ([], {"shape": [2, 3]}),
    "Pad": ([(2, 3)], {"paddings": [[0, 0], [1, 2]]}),
    "Polygamma": ([(2, 3), (2, 3)], {}),
    "RandomCategorical": ([(2, 3)], {"num_samples": 4}),
    "RandomNormal": ([(3,), (3,)], {"shape": [2, 3]}),
    "RandomUniform": ([(3,), (3,)], {"shape": [2, 3]}),
    "RandomUniformInt": ([], {"shape": [2, 3], "maxval": 10}),
    "Range": ([], {"start": 0, "limit": 5}),
    "Repeat": ([(2, 3)], {"repeats": 2, "axis": 0}),
    "Reshape": ([(2, 3)], {"shape": [3, 2]}),
    "ResizeBicubic": ([(2, 4, 4, 3)], {"size": [2, 2]}),
    "ResizeBilinear": ([(2, 4, 4, 3)], {"size": [2, 2]}),
    "ResizeNearest": ([(2, 4, 4, 3)], {"size": [2, 2]}),
    "Reverse": ([(2, 3)], {"axis": [1]}),
    "ReverseSequence": ([(2, 3), (2,)], {"seq_axis": 1}),
    "Roll": ([(2, 3)], {"shift": [1], "axis": [1]}),
    "ScatterAdd": ([(4, 3), (2,), (2, 3)], {}),
    "ScatterDiv": ([(4, 3), (2,), (2, 3)], {}),
    "ScatterMul": ([(4, 3), (2,), (2, 3)], {}),
    "ScatterNd": ([(2, 1), (2, 3)], {"shape": [4, 3]}),
    "ScatterSub": ([(4, 3), (2,), (2, 3)], {}),
    "ScatterUpdate": ([(4, 3), (2,), (2, 3)], {}),
    "SearchSorted": ([(3,), (2,)], {}),
    "SeparableConv2D": ([(2, 5, 5, 3), (3, 3, 3, 2), (1, 1, 6, 4)], {"strides": 1, "padding": "SAME"}),
    "SequenceMask": ([(4,)], {"maxlen": 3}),
    "Slice": ([(4, 3)], {"begin": [1, 0], "size": [2, 3]}),
    "SpaceToBatch": ([(2, 4, 4, 3)], {"block_shape": [2, 2], "paddings": [[0, 0], [0, 0]]}),
    "SpaceToDepth": ([(2, 4, 4, 3)], {"block_size": 2}),
    "SparseSoftmaxCrossEntropyWithLogits": ([(2,), (2, 3)], {}),
    "Split": ([(2, 4)], {"num_or_size_splits": 2, "axis": 1}),
    "Squeeze": ([(2, 1, 3)], {"axis": [1]}),
    "StridedSlice": ([(4, 3)], {"begin": [1, 0], "end": [3, 3]}),
    "TensorScatterNdAdd": ([(4, 3), (2, 1), (2, 3)], {}),
    "TensorScatterNdMax": ([(4, 3), (2, 1), (2, 3)], {}),
    "TensorScatterNdMin": ([(4, 3), (2, 1), (2, 3)], {}),
    "TensorScatterNdSub": ([(4, 3), (2, 1), (2, 3)], {}),
    "TensorScatterNdUpdate": ([(4, 3), (2, 1), (2, 3)], {}),
    "Tensordot": ([(2, 3), (3, 4)], {"axes": 1}),
    "Unique": ([(4,)], {}),
    "Variable": ([], {"value": [1.0, 2.0]}),
    "Tile": ([(2, 3)], {"multiples": [1, 2]}),
    "Transpose": ([(2, 3, 4)], {"perm": [0, 2, 1]}),
    "TruncatedNormal": ([(3,), (3,)], {"shape": [2, 3]}),
    "Zeros": ([], {"shape": [2, 3]}),
    **{f"Segment{name}": ([(4, 3), (4,)], {}) for name in ("Max", "Mean", "Min", "Prod", "Sum")},
    **{f"SparseSegment{name}": ([(4, 3), (4,), (4,)], {}) for name in ("Mean", "SqrtN", "Sum")},
    **{
        f"UnsortedSegment{name}": ([(4, 3), (4,)], {"num_segments": 2})
        for name in ("Max", "Mean", "Min", "Prod", "SqrtN", "Sum")
    },
}
# Of a parameter that a type may do without, so that the line shows its place; and of one that only names something.
_SHOWN = {"axis": 0}
_OF_KIND: dict[str, Any] = {"number": 0.5, "text": "", "integer": 2, "sizes": 2, "integers": [2], "axes": [0]}


def example_of(block_type: BlockType) -> Example | None:
    """Returns a call of a block type, or None if nothing that is plain enough fits its ports."""
    shapes, given = _CALLS.get(block_type.name, (None, {}))
    counts = [2 if port.variadic else 1 for port in block_type.inputs]
    candidates = [shapes] if shapes is not None else [[shape] * sum(counts) for shape in _SHAPES]
    for more in (_SHOWN, {}):
        for chosen in candidates:
            found = _fitting(block_type, chosen, {**_parameters(block_type, more), **given})
            if found is not None:
                return found
    return None


class HelpLine(NamedTuple):
    """A target's line in the help; `is_run` if tests of ours have carried it out in the library."""

    target: Target
    text: str
    is_run: bool

    @property
    def title(self) -> str:
        """The title of the target, with a remark on a line that nobody has run."""
        return self.target.title if self.is_run else f"{self.target.title} (unverified)"


def help_lines(block_type: BlockType) -> list[HelpLine]:
    """Returns the lines of a block type in all targets that have one."""
    found = [(target, help_line(block_type, target)) for target in targets().values()]
    return [HelpLine(target, text, target.is_run and not block_type.from_plugin) for target, text in found if text]


def help_line(block_type: BlockType, target: Target) -> str:
    """Returns a target's line for the example, in which ports stand by their names, or an empty text."""
    # A derivative is written out block by block.
    is_written = target.has_line(block_type.spelling) and block_type.role is not Role.GRADIENTS
    found = example_of(block_type) if is_written else None
    if found is None:
        return ""
    names = block_type.input_names(len(found.specs))[: len(found.specs)]
    ports: dict[str, str | list[str] | None] = {
        port.name: [name for name in names if name.startswith(f"{port.name}_")]
        if port.variadic
        else (port.name if port.name in names else None)
        for port in block_type.inputs
    }
    parameters = {
        name: _Name(name) if isinstance(value, np.ndarray) else value for name, value in found.parameters.items()
    }
    line = target.line(block_type.spelling, ports, parameters, found.specs)
    # Numbers of our own generator, which no other has, stand in the program itself.
    return "" if block_type.draw is not None and "np.array(" in line else line


class _Name(str):
    """A parameter that stands in a line by its name."""

    def __repr__(self) -> str:
        return str(self)


def _parameters(block_type: BlockType, shown: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _value(item, shown) for name, item in block_type.parameters.items()}


def _value(parameter: Parameter, shown: Mapping[str, Any]) -> Any:
    if parameter.is_required or parameter.default is None:
        return shown.get(parameter.name, _OF_KIND.get(parameter.kind.name) if parameter.is_required else None)
    return parameter.default


def _fitting(block_type: BlockType, shapes: Sequence[Shape], given: Mapping[str, Any]) -> Example | None:
    """Returns the call if the type takes it."""
    dtypes = [_dtype_at(block_type, index, len(shapes)) for index in range(len(shapes))]
    try:
        parameters = block_type.normalize(given)
        specs = tuple(TensorSpec(shape, dtype) for shape, dtype in zip(shapes, dtypes, strict=True))
        found = Example(specs, parameters)
        if block_type.infer is not None:
            block_type.infer_outputs(specs, parameters)
        return found
    except BlockError:
        return None


def _dtype_at(block_type: BlockType, index: int, count: int) -> np.dtype[Any]:
    if block_type.name in _DTYPES:
        return DTYPES[_DTYPES[block_type.name]]
    is_index = block_type.name == "DynamicStitch" and index < count // 2
    accepts = block_type.port_at(index).accepts
    return next(DTYPES[name] for name in _WHAT_FIRST[is_index:] if accepts.accepts(DTYPES[name]))


def _numbers(spec: TensorSpec) -> Array:
    places = np.arange(spec.size)
    if spec.dtype.kind == "f":
        found = np.linspace(0.1, 0.9, spec.size, dtype=spec.dtype).reshape(spec.shape)
        # A square matrix is positive definite.
        is_square = spec.ndim > 1 and spec.shape[-1] == spec.shape[-2]
        return found + np.eye(spec.shape[-1], dtype=spec.dtype) if is_square else found
    found = places % 2 == 0 if spec.dtype.kind == "b" else places * 2 // max(spec.size, 1)
    return found.astype(spec.dtype).reshape(spec.shape)
