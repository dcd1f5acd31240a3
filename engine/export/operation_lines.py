"""Blocks that a library has no line for: NumPy computes them and their gradients, in operations of the library."""

from __future__ import annotations

from collections.abc import Mapping

from gradwire.engine.autodiff.backward import backward_pass
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Application, Expression, topological_order
from gradwire.engine.blocktypes.target import Target
from gradwire.engine.export.program_lines import Lines
from gradwire.engine.export.program_text import OPERATION
from gradwire.engine.export.source_functions import snake_case

_NUMPY = Target(key="numpy", title="NumPy", array="{}", has_functions=True)


class OperationLines(Lines):
    """Lines for a library in which each NumPy function of ours is an operation, with a gradient.

    A block that prevents gradients has no line: no library reports that error for us.
    """

    _wrapper = ""

    def _stand_in(self, application: Application) -> str:
        if application.type.role is Role.PREVENT and not application.type.is_part:
            return ""
        texts = [self.as_array(item) for item in application.inputs if item is not None]
        return f"{self._define_operation(application)}({', '.join(texts)})"

    def _define_operation(self, application: Application) -> str:
        """Defines the operation of a block beside the program and returns its name."""
        define = self.functions.definitions.append
        if not self._wrapper:
            self._wrapper = self.functions.take_name(OPERATION)
            define(self.target.operation.replace("{name}", self._wrapper))
        name = snake_case(application.type.name.rpartition(".")[2])
        given = [None if item is None else f"x{place}" for place, item in enumerate(application.inputs)]
        compute = f"lambda {', '.join(filter(None, given))}: {self.function_call(application, given)}"
        gradient, operation = self._define_gradient(application, name), self.functions.take_name(f"{name}_operation")
        define(f"{operation} = {self._wrapper}({compute}, {gradient})")
        return operation

    def _define_gradient(self, application: Application, name: str) -> str:
        """Defines the function of the gradient and returns its name.

        It takes the gradients of floating-point outputs, inputs and outputs, and returns a gradient for each input.
        """
        lines = Lines(_NUMPY, self.names.inside(), self.functions)
        inputs = tuple(None if item is None else lines.hold(item.spec, "x") for item in application.inputs)
        specs = [output.spec for output in application.outputs]
        alone = Application(application.type, inputs, application.parameters, specs)
        lines.texts |= {output: lines.names.take("y") for output in alone.outputs}
        seeds = {item: lines.hold(item.spec, "g") for item in alone.outputs if item.spec.is_differentiable}
        given = [item for item in inputs if item is not None]
        totals = backward_pass(seeds).totals
        body = self._gradient_lines(lines, given, totals, {alone, *(item.application for item in seeds.values())})
        if lines.failed:
            self.failed[application] = next(iter(lines.failed.values()))
        arguments = ", ".join(lines.texts[item] for item in (*seeds.values(), *given, *alone.outputs))
        gradient = self.functions.take_name(f"gradient_of_{name}")
        self.functions.definitions.append(f"def {gradient}({arguments}):\n    " + "\n    ".join(body))
        return gradient

    @staticmethod
    def _gradient_lines(
        lines: Lines, given: list[Expression], totals: Mapping[Expression, Expression], known: set[Application]
    ) -> list[str]:
        reached = [totals[item] for item in given if item in totals]
        order = topological_order(reached, known | {item.application for item in given})
        lines.write(order, {}, reached)
        parts = [lines.texts[totals[item]] if item in totals else "None" for item in given]
        return [*lines.take_lines(), f"return {', '.join(parts)}{',' * (len(parts) == 1)}"]
