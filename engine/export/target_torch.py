"""PyTorch programs, differentiated by torch.autograd."""

from __future__ import annotations

from gradwire.engine.blocktypes.target import Target
from gradwire.engine.export.program import Program, gradient_names, loss_line
from gradwire.engine.export.program_text import BACKWARD


def write_body(program: Program) -> list[str]:
    """Returns the lines of a program below its imports."""
    reached = set(program.reached)
    body = ["# Inputs"]
    for leaf in program.leaves:
        body.append(f"{leaf.name} = torch.tensor({leaf.line}{', requires_grad=True' if leaf in reached else ''})")
    body += ["", "# Forward", *program.forward(), *loss_line(program), ""]
    if reached:
        names = ", ".join(leaf.name for leaf in program.reached)
        body += [BACKWARD, f"{gradient_names(program)} = torch.autograd.grad(loss, [{names}])"]
    return [*body, *program.cut_off("torch.zeros_like({})"), "", *program.comparison()]


_OPERATION = '''
def {name}(compute, differentiate):
    """An operation that PyTorch has no line for: NumPy computes it and its gradient."""

    class Computed(torch.autograd.Function):
        @staticmethod
        def forward(context, *inputs):
            arrays = [item.detach().numpy() for item in inputs]
            with np.errstate(all="ignore"):
                computed = compute(*arrays)
            outputs = computed if isinstance(computed, tuple) else (computed,)
            tensors = tuple(torch.from_numpy(np.array(item)) for item in outputs)
            context.mark_non_differentiable(*(item for item in tensors if not item.is_floating_point()))
            context.arrays = (*arrays, *(item.numpy() for item in tensors))
            context.is_float = [item.is_floating_point() for item in tensors]
            return tensors if isinstance(computed, tuple) else tensors[0]

        @staticmethod
        def backward(context, *gradients):
            arriving = [g.numpy() for g, is_float in zip(gradients, context.is_float) if is_float]
            with np.errstate(all="ignore"):
                parts = differentiate(*arriving, *context.arrays)
            return tuple(None if part is None else torch.from_numpy(np.array(part)) for part in parts)

    return Computed.apply
'''

_OWN_GRADIENT = '''
class {name}(torch.autograd.Function):
    """{about}"""

    @staticmethod
    def forward(context, {arguments}):
        context.save_for_backward({arguments})
        return {values}

    @staticmethod
    def backward(context, {incoming}):
        ({arguments},) = context.saved_tensors
        {body}
        return {parts}
'''

TARGET = Target(
    key="torch",
    title="PyTorch",
    array="torch.tensor({})",
    as_array="{}.detach().numpy()",
    imports={"torch": "import torch"},
    operation=_OPERATION.strip(),
    own_gradient=_OWN_GRADIENT.strip(),
    own_value="{}.clone()",
    own_call="{name}.apply({arguments})",
    constant="{}.detach()",
    rank=2,
    is_run=True,
)
