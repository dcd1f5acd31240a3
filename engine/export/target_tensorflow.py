"""TensorFlow programs, differentiated by a GradientTape."""

from __future__ import annotations

from gradwire.engine.blocktypes.target import Target
from gradwire.engine.export.program import Leaf, Program, gradient_names, indented, loss_line
from gradwire.engine.export.program_text import BACKWARD


def write_body(program: Program) -> list[str]:
    """Returns the lines of a program below its imports."""
    leaves = [f"{leaf.name} = {_leaf(leaf)}" for leaf in program.leaves]
    body = ["# Inputs", *leaves, "", "# Forward"]
    names = ", ".join(leaf.name for leaf in program.reached)
    forward = [*program.forward(), *loss_line(program)]
    if names:
        body += ["with tf.GradientTape() as tape:", f"    tape.watch([{names}])", *indented(forward), "", BACKWARD]
        body += [f"{gradient_names(program)} = tape.gradient(loss, [{names}])"]
    else:
        body += forward
    return [*body, *program.cut_off("tf.zeros_like({})"), "", *program.comparison()]


def _leaf(leaf: Leaf) -> str:
    function = "tf.Variable" if leaf.expression.application.type.is_variable else "tf.constant"
    return f"{function}({leaf.line})"


_OPERATION = '''
def {name}(compute, differentiate):
    """An operation that TensorFlow has no line for: NumPy computes it and its gradient."""

    @tf.custom_gradient
    def operation(*inputs):
        arrays = [item.numpy() for item in inputs]
        with np.errstate(all="ignore"):
            computed = compute(*arrays)
        outputs = computed if isinstance(computed, tuple) else (computed,)
        tensors = tuple(tf.constant(item) for item in outputs)

        def backward(*gradients):
            pairs = zip(gradients, tensors)
            arriving = [tf.convert_to_tensor(g).numpy() for g, item in pairs if item.dtype.is_floating]
            with np.errstate(all="ignore"):
                parts = differentiate(*arriving, *arrays, *(item.numpy() for item in tensors))
            return [None if part is None else tf.constant(part) for part in parts]

        return tensors if isinstance(computed, tuple) else tensors[0], backward

    return operation
'''

_OWN_GRADIENT = '''
@tf.custom_gradient
def {name}({arguments}):
    """{about}"""

    def backward({incoming}):
        {body}
        return {parts}

    return {values}, backward
'''

TARGET = Target(
    key="tensorflow",
    title="TensorFlow",
    array="tf.constant({})",
    as_array="tf.convert_to_tensor({}).numpy()",
    imports={"tf": "import tensorflow as tf"},
    operation=_OPERATION.strip(),
    own_gradient=_OWN_GRADIENT.strip(),
    own_value="tf.identity({})",
    cast="tf.cast({}, tf.{})",
    rank=1,
    is_run=True,
)
