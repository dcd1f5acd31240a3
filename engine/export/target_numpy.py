"""NumPy programs. They have their backward pass written out, and the functions of blocks without a line beside them."""

from __future__ import annotations

from gradwire.engine.export.program import Program, loss_line
from gradwire.engine.export.program_text import BACKWARD
from gradwire.engine.export.targets import Target


def _body(program: Program) -> list[str]:
    leaves = [f"{leaf.name} = {leaf.line}" for leaf in program.leaves]
    forward = program.forward()
    body = ["# NaN and infinity are results here, not accidents.", 'np.seterr(all="ignore")', ""]
    body += ["# Inputs", *leaves, "", "# Forward", *forward, *loss_line(program), ""]
    if program.lowered.losses:
        body += [BACKWARD, *program.backward(), ""]
    return [*body, *program.comparison("{}")]


TARGET = Target(
    key="numpy",
    title="NumPy",
    array="{}",
    has_functions=True,
    rank=0,
    body=_body,
)
