"""Blocks of an ONNX model: its nodes one after the other, by the operators of `interop.opset`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from gradwire.engine.base.errors import GradwireError
from gradwire.engine.base.limits import MIB, size_text
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression
from gradwire.interop.models.graphs import Origins
from gradwire.interop.models.inputs import Inputs
from gradwire.interop.models.limits import MOST_BYTES, MOST_NODES
from gradwire.interop.models.names import LONGEST, block_name
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import Tensor, made, refuse_large
from gradwire.interop.onnx.control import Control
from gradwire.interop.onnx.known import Known, depends_on_inputs
from gradwire.interop.onnx.messages import FunctionMessage, GraphMessage, NodeMessage, TensorMessage, ValueMessage
from gradwire.interop.onnx.program import (
    CONTROL,
    Axis,
    Program,
    full_name,
    made_twice,
    needed_nodes,
    needed_of,
    opsets_of,
)
from gradwire.interop.onnx.scopes import Scope, Value, Weight
from gradwire.interop.onnx.settings import settings_of, value_of
from gradwire.interop.onnx.sources import module_of, origin_of
from gradwire.interop.onnx.weights import FLOATS, array_of, dtype_of
from gradwire.interop.opset.operators import Operator, find
from gradwire.interop.opset.random import DRAWING

# Where our own exports note a StopGradient.
STOP: Final = "gradwire.stop"
_MOST_COMPUTED: Final = 32 * MIB
_TIMES_WEIGHTS: Final = 8
_FAULTS: Final = (KeyError, TypeError, AttributeError, IndexError, ValueError, ArithmeticError, AssertionError)


class Reading:
    """What a program becomes: the outputs, the Variables by name, lines for people, and where each block comes from.

    Raises: ModelRefusal, with the node, for what has no block or does not fit.
    """

    def __init__(self, program: Program, inputs: Inputs, is_trained: bool = True) -> None:
        self.program, self.inputs, self._is_trained = program, inputs, is_trained
        self.notices, self.origins = inputs.notices, Origins()
        self.known = Known()
        # By the tensors of the file: a body that is run again reads the same ones.
        self._weights: dict[int, Weight] = {}
        self._names = set[str]()
        self._are_in_nodes = not any(item.data_type in FLOATS for item in program.graph.initializer)
        self._nodes_left, self._bytes_left, self._computed_left = MOST_NODES, MOST_BYTES, _MOST_COMPUTED
        self._needed: dict[int, list[NodeMessage]] = {}
        self.outputs = self._run()

    @property
    def variables(self) -> dict[str, Expression]:
        """The Variables that blocks read, by the names of their weights."""
        weights = [item for weight in self._weights.values() for item in (weight, *weight.copies)]
        return {item.name: item.variable for item in weights if item.variable is not None}

    @property
    def merged(self) -> list[str]:
        """The weights that an exporter has merged with others, and that are Variables of their own."""
        copies = [item for weight in self._weights.values() for item in weight.copies]
        return [item.name for item in copies if item.variable is not None]

    def say(self, node: NodeMessage, sentence: str) -> None:
        """Adds a line for people, once."""
        notice = f"{_title(node)}: {sentence}."
        if notice not in self.notices:
            self.notices.append(notice)

    def graph(self, graph: GraphMessage, scope: Scope) -> list[Value | None]:
        """Returns the outputs of a graph whose inputs have their values in the scope.

        Raises: ModelRefusal for what has no block or does not fit.
        """
        if id(graph) not in self._needed:
            own = {item.name for item in graph.initializer} | {item.name for item in graph.input}
            self._refuse_twice(made_twice(graph.node, own))
            self._needed[id(graph)] = needed_nodes(graph)
        for tensor in graph.initializer:
            if tensor.name not in scope.values:
                scope.put(tensor.name, self._weight(tensor, tensor.name))
        for node in self._needed[id(graph)]:
            self._node(node, scope)
        try:
            return [scope.find(item.name) for item in graph.output]
        except ModelRefusal as error:
            raise self.program.file.refusal(f"one of its outputs cannot be made: {str(error).rstrip('.')}") from None

    def numbers(self, value: Value) -> Array:
        """Returns the numbers of a value."""
        return self.known.numbers(value.array if isinstance(value, Weight) else value)

    def tensor(self, value: Value | None) -> Tensor | None:
        """Returns a value as blocks read it."""
        return value.tensor() if isinstance(value, Weight) else value

    # Inputs and weights

    def _run(self) -> dict[str, Tensor]:
        graph, scope = self.program.graph, Scope(self.program.opsets)
        if graph.sparse_initializer:
            raise self.program.file.refusal("some of its weights are sparse; make them dense")
        weights = set[str]()
        for tensor in graph.initializer:
            self._refuse_twice(tensor.name if tensor.name in weights else "")
            weights.add(tensor.name)
        for value in graph.input:
            if value.name not in weights or value.name in self.inputs.given:
                self._refuse_twice(value.name if value.name in scope.values else "")
                scope.put(value.name, self._input(value))
        self.inputs.refuse_unknown()
        outputs = self.graph(graph, scope)
        found: dict[str, Tensor] = {}
        for item, output in zip(graph.output, outputs, strict=True):
            made_of = self.tensor(output)
            if made_of is not None:
                found[item.name] = made_of
        return found

    def _input(self, value: ValueMessage) -> Expression:
        axes, code = self.program.axes_of(value)
        given = self.inputs.given.get(value.name)
        if given is None and value.type is not None and value.type.optional_type is not None:
            raise self.program.file.refusal(f"{value.name[:LONGEST]} may be missing, so give its numbers")
        if axes is None:
            if given is None:
                raise self.program.file.refusal(f"{value.name[:LONGEST]} has no number of axes, so give its numbers")
            axes = [Axis(None, f"{value.name} {place}") for place in range(np.ndim(given))]
        return self.inputs.make(value.name, axes, dtype_of(self.program.file, value.name[:LONGEST], code))

    def _weight(self, tensor: TensorMessage, name: str) -> Weight:
        def read() -> Array:
            array = array_of(self.program.file, tensor, name[:LONGEST])
            self._bytes_left -= array.nbytes
            if self._bytes_left < 0:
                raise self.program.file.refusal(f"its weights want more than {size_text(MOST_BYTES)}")
            # What is computed of weights at once may be as large as they are, a few times.
            self._computed_left += _TIMES_WEIGHTS * array.nbytes
            return array

        if id(tensor) not in self._weights:
            self._weights[id(tensor)] = Weight(name, read, self._is_trained)
            self._names.add(name)
        return self._weights[id(tensor)]

    def _weight_of(self, node: NodeMessage) -> Weight | None:
        """Returns the tensor of a Constant as a weight in a file that keeps them so, as some exporters do."""
        tensor = next((item.t for item in node.attribute if item.name == "value"), None)
        if tensor is None or not tensor.dims.size or not self._are_in_nodes:
            return None
        return self._weight(tensor, node.output[0] if tensor.name in self._names else tensor.name or node.output[0])

    # Nodes

    def _node(self, node: NodeMessage, scope: Scope) -> None:
        self._nodes_left -= 1
        if self._nodes_left < 0:
            raise self.program.file.refusal(f"it runs more than {MOST_NODES:,} nodes")
        try:
            results = self._results(node, scope)
            self._name(node, results, scope)
        except GradwireError as error:
            raise self._at(node, str(error)) from None
        except _FAULTS:
            raise self._at(node, "its inputs and settings do not fit each other") from None

    def _results(self, node: NodeMessage, scope: Scope) -> Sequence[Value | None]:
        inputs = [scope.find(name) if name else None for name in node.input]
        function = self.program.function_of(node)
        if function is not None:
            return self._function(node, function, inputs, scope)
        weight = self._weight_of(node) if node.op_type == "Constant" else None
        if weight is not None:
            return [weight]
        settings = settings_of(self.program.file, node, scope.given)
        if node.op_type in CONTROL:
            return Control(self, node, settings, scope).results(inputs)
        if node.op_type == "Identity" and isinstance(inputs[0], Weight) and inputs[0].is_parameter:
            # Exporters write so where they have merged weights whose numbers are equal.
            return [inputs[0].copy(node.output[0])]
        operator = find(full_name(node))
        assert operator is not None
        module = _inner(scope.module, module_of(node))
        inputs = [item.of_module(module) if isinstance(item, Weight) else item for item in inputs]
        return self._called(node, operator, inputs, settings, scope.opsets.get("", 1))

    def _called(
        self, node: NodeMessage, operator: Operator, inputs: Sequence[Value | None], settings: Mapping[str, Any],
        opset: int,
    ) -> Sequence[Value | None]:  # fmt: skip
        given = [self._argument(node, operator.kind(place), value) for place, value in enumerate(inputs)]
        while given and given[-1] is None:
            given.pop()
        count = max(place for place, name in enumerate(node.output, 1) if name)
        result = operator(given, dict(settings), opset, count)
        if any(entry.key == STOP for entry in node.metadata_props):
            result = made("StopGradient", result)
        if node.op_type in DRAWING:
            self.say(node, "its numbers are drawn once, with seed 0, and are an Input")
            result = self.inputs.put(node.output[0], result)
        return list(result) if isinstance(result, tuple | list) else [result]

    def _argument(self, node: NodeMessage, kind: str, value: Value | None) -> Tensor | None:
        """Returns an input as an operator takes it: numbers that decide about shapes are computed."""
        if value is None or "Numbers" not in kind:
            is_fixed = isinstance(value, Weight) and "Statistics" in kind
            return value.array if is_fixed and isinstance(value, Weight) else self.tensor(value)
        if depends_on_inputs(value):
            self.say(node, "it reads numbers of these inputs, and what they decide is fixed")
        return self.numbers(value)

    def _function(
        self, node: NodeMessage, function: FunctionMessage, inputs: Sequence[Value | None], scope: Scope
    ) -> list[Value | None]:
        file = self.program.file
        defaults = {item.name: value_of(file, item) for item in function.attribute_proto}
        settings = settings_of(file, node, scope.given)
        opsets = opsets_of(function.opset_import) or scope.opsets
        module = _inner(scope.module, module_of(node), node.name.rpartition("/")[2] or function.name)
        inner = Scope(opsets, module=module, given={**defaults, **settings})
        inner.values = dict.fromkeys(function.input)
        inner.values.update(zip(function.input, inputs, strict=False))
        if id(function) not in self._needed:
            self._refuse_twice(made_twice(function.node, set(function.input)))
            self._needed[id(function)] = needed_of(function.node, function.output)
        for each in self._needed[id(function)]:
            self._node(each, inner)
        return [inner.find(name) for name in function.output]

    def _name(self, node: NodeMessage, results: Sequence[Value | None], scope: Scope) -> None:
        """Names the results of a node and bounds them; its first block has the name of the node."""
        for place, name in enumerate(node.output):
            if name and place >= len(results):
                raise ModelRefusal(f"it makes {len(results)} outputs, and {name[:LONGEST]} would be one more")
            if name:
                scope.values[name] = results[place]
        module = _inner(scope.module, module_of(node))
        for place, result in enumerate(results):
            if isinstance(result, Expression):
                refuse_large("its result", result.shape, result.dtype)
                application = result.application
                is_new = (
                    application not in self.origins and not application.type.is_variable | application.type.is_input
                )
                self.origins.add(result, origin_of(node, module))
                if is_new and not place and node.name and application.name is None:
                    application.name = block_name(node.name.rpartition("/")[2] or node.name)
            elif isinstance(result, np.ndarray):
                self._computed_left -= result.nbytes
                if self._computed_left < 0:
                    raise ModelRefusal("what nodes compute without the inputs is too large to be kept")

    def _refuse_twice(self, name: str) -> None:
        if name:
            raise self.program.file.refusal(f"{name[:LONGEST]} is made twice in it")

    def _at(self, node: NodeMessage, sentence: str) -> ModelRefusal:
        """Returns a refusal with the file and the node; one that has them stays as it is."""
        if sentence.startswith(f"{self.program.file.name}: "):
            return ModelRefusal(sentence)
        return self.program.file.refusal(f"{_title(node)}: {sentence.rstrip('.')}")


def _inner(*parts: str) -> str:
    """Returns the path of a module inside others."""
    return ".".join(part for part in parts if part)


def _title(node: NodeMessage) -> str:
    """Returns the operator, with the name of the node or of what it makes."""
    name = node.name or next(iter(node.output), "")
    return f'{node.op_type[:LONGEST]} "{name[:LONGEST]}"'
