"""JAX programs, differentiated by jax.value_and_grad."""

from __future__ import annotations

from gradwire.engine.blocktypes.target import Target
from gradwire.engine.export.program import Program, gradient_names, indented, loss_line


def write_body(program: Program) -> list[str]:
    """Returns the lines of a program below its imports."""
    body = ["# As wide as in Gradwire: JAX would round to float32.", 'jax.config.update("jax_enable_x64", True)', ""]
    body += ["# Inputs", *(f"{leaf.name} = jnp.array({leaf.line})" for leaf in program.leaves), ""]
    forward = program.forward()
    if not program.reached:
        return [
            *body,
            *forward,
            *loss_line(program),
            *program.cut_off("jnp.zeros_like({})"),
            "",
            *program.comparison(),
        ]
    names = ", ".join(leaf.name for leaf in program.reached)
    compute = program.names.take("compute_loss")
    body += ["", f"def {compute}({names}):", *indented([*forward, f"return {program.loss()}"]), "", ""]
    numbers = ", ".join(map(str, range(len(program.reached))))
    differentiated = f"jax.value_and_grad({compute}, argnums=({numbers},))"
    body += [f"loss, ({gradient_names(program)}) = {differentiated}({names})"]
    return [*body, *program.cut_off("jnp.zeros_like({})"), "", *program.comparison()]


_OPERATION = '''
def {name}(compute, differentiate):
    """An operation that JAX has no line for: NumPy computes it and its gradient."""

    def forward(*inputs):
        arrays = [np.asarray(item) for item in inputs]
        with np.errstate(all="ignore"):
            computed = compute(*arrays)
        outputs = computed if isinstance(computed, tuple) else (computed,)
        tensors = tuple(jnp.asarray(np.array(item)) for item in outputs)
        return tensors if isinstance(computed, tuple) else tensors[0], (*inputs, *tensors)

    def backward(tensors, gradients):
        gradients = gradients if isinstance(gradients, tuple) else (gradients,)
        arriving = [np.asarray(g) for g in gradients if g.dtype != jax.dtypes.float0]
        with np.errstate(all="ignore"):
            parts = differentiate(*arriving, *map(np.asarray, tensors))
        return tuple(None if part is None else jnp.asarray(np.array(part)) for part in parts)

    operation = jax.custom_vjp(lambda *inputs: forward(*inputs)[0])
    operation.defvjp(forward, backward)
    return operation
'''

_OWN_GRADIENT = '''
@jax.custom_vjp
def {name}({arguments}):
    """{about}"""
    return {values}


def {name}_forward({arguments}):
    return {values}, ({arguments},)


def {name}_backward(kept, gradients):
    ({arguments},) = kept
    {incoming} = gradients
    {body}
    return {parts}


{name}.defvjp({name}_forward, {name}_backward)
'''

TARGET = Target(
    key="jax",
    zeros="here and below a zero that is a sum may have the other sign",
    title="JAX",
    array="jnp.array({})",
    imports={"jax": "import jax", "jnp": "import jax.numpy as jnp"},
    packages=("jax.scipy",),
    operation=_OPERATION.strip(),
    own_gradient=_OWN_GRADIENT.strip(),
    constant="jax.lax.stop_gradient({})",
    rank=3,
    is_run=True,
)
