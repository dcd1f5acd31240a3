"""ONNX's messages, as far as they are read. Source: onnx.proto, whose names of fields these are."""

from __future__ import annotations

from dataclasses import dataclass

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.onnx.protobuf import many, one


@dataclass(slots=True)
class Entry:
    """A text under a key."""

    key: str = one(1, "text", "")
    value: str = one(2, "lines", "")


@dataclass(slots=True)
class TensorMessage:
    """Numbers: in `raw_data`, in a field of their dtype, or in a file beside the model."""

    dims: Array = many(1, "int")
    data_type: int = one(2, "int", 0)
    segment: memoryview | None = one(3, "bytes")
    float_data: Array = many(4, "float")
    int32_data: Array = many(5, "int")
    int64_data: Array = many(7, "int")
    name: str = one(8, "text", "")
    raw_data: memoryview | None = one(9, "bytes")
    double_data: Array = many(10, "double")
    uint64_data: Array = many(11, "int")
    external_data: tuple[Entry, ...] = many(13, lambda: Entry)
    data_location: int = one(14, "int", 0)


@dataclass(slots=True)
class AttributeMessage:
    """A setting of a node; `type` says which field has it."""

    name: str = one(1, "text", "")
    f: float = one(2, "float", 0.0)
    i: int = one(3, "int", 0)
    s: memoryview = one(4, "bytes", memoryview(b""))
    t: TensorMessage | None = one(5, lambda: TensorMessage)
    g: GraphMessage | None = one(6, lambda: GraphMessage)
    floats: Array = many(7, "float")
    ints: Array = many(8, "int")
    strings: tuple[memoryview, ...] = many(9, "bytes")
    type: int = one(20, "int", 0)
    ref_attr_name: str = one(21, "text", "")


@dataclass(slots=True)
class NodeMessage:
    """One call of an operator, or of a function of the model."""

    input: tuple[str, ...] = many(1, "text")
    output: tuple[str, ...] = many(2, "text")
    name: str = one(3, "text", "")
    op_type: str = one(4, "text", "")
    attribute: tuple[AttributeMessage, ...] = many(5, lambda: AttributeMessage)
    domain: str = one(7, "text", "")
    overload: str = one(8, "text", "")
    metadata_props: tuple[Entry, ...] = many(9, lambda: Entry)


@dataclass(slots=True)
class DimMessage:
    """A size, or the name of one that is free."""

    dim_value: int | None = one(1, "int")
    dim_param: str = one(2, "text", "")


@dataclass(slots=True)
class ShapeMessage:
    """The sizes of a tensor."""

    dim: tuple[DimMessage, ...] = many(1, lambda: DimMessage)


@dataclass(slots=True)
class TensorTypeMessage:
    """Dtype and shape of a tensor."""

    elem_type: int = one(1, "int", 0)
    shape: ShapeMessage | None = one(2, lambda: ShapeMessage)


@dataclass(slots=True)
class TypeMessage:
    """The type of a value; only tensors are read, and those that may be missing."""

    tensor_type: TensorTypeMessage | None = one(1, lambda: TensorTypeMessage)
    optional_type: OptionalTypeMessage | None = one(9, lambda: OptionalTypeMessage)


@dataclass(slots=True)
class OptionalTypeMessage:
    """The type of a value that may be missing."""

    elem_type: TypeMessage | None = one(1, lambda: TypeMessage)


@dataclass(slots=True)
class ValueMessage:
    """The name and type of an input or output."""

    name: str = one(1, "text", "")
    type: TypeMessage | None = one(2, lambda: TypeMessage)


@dataclass(slots=True)
class SparseMessage:
    """Numbers of which most are 0; they are not read, but known by name."""

    values: TensorMessage | None = one(1, lambda: TensorMessage)


@dataclass(slots=True)
class GraphMessage:
    """Nodes in an order in which they can be computed."""

    node: tuple[NodeMessage, ...] = many(1, lambda: NodeMessage)
    name: str = one(2, "text", "")
    initializer: tuple[TensorMessage, ...] = many(5, lambda: TensorMessage)
    input: tuple[ValueMessage, ...] = many(11, lambda: ValueMessage)
    output: tuple[ValueMessage, ...] = many(12, lambda: ValueMessage)
    sparse_initializer: tuple[SparseMessage, ...] = many(15, lambda: SparseMessage)


@dataclass(slots=True)
class OperatorSetMessage:
    """The version of the operators of a domain."""

    domain: str = one(1, "text", "")
    version: int = one(2, "int", 0)


@dataclass(slots=True)
class FunctionMessage:
    """A function of the model, made of nodes; `attribute` has settings without a default."""

    name: str = one(1, "text", "")
    input: tuple[str, ...] = many(4, "text")
    output: tuple[str, ...] = many(5, "text")
    attribute: tuple[str, ...] = many(6, "text")
    node: tuple[NodeMessage, ...] = many(7, lambda: NodeMessage)
    opset_import: tuple[OperatorSetMessage, ...] = many(9, lambda: OperatorSetMessage)
    domain: str = one(10, "text", "")
    attribute_proto: tuple[AttributeMessage, ...] = many(11, lambda: AttributeMessage)
    overload: str = one(13, "text", "")


@dataclass(slots=True)
class ModelMessage:
    """The whole file."""

    ir_version: int = one(1, "int", 0)
    producer_name: str = one(2, "text", "")
    producer_version: str = one(3, "text", "")
    graph: GraphMessage | None = one(7, lambda: GraphMessage)
    opset_import: tuple[OperatorSetMessage, ...] = many(8, lambda: OperatorSetMessage)
    functions: tuple[FunctionMessage, ...] = many(25, lambda: FunctionMessage)
