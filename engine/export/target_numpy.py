"""NumPy programs. They have their backward pass written out, and the functions of blocks without a line beside them."""

from __future__ import annotations

from gradwire.engine.blocktypes.target import Target
from gradwire.engine.export.program import Program, loss_line
from gradwire.engine.export.program_text import BACKWARD


def write_body(program: Program) -> list[str]:
    """Returns the lines of a program below its imports."""
    leaves = [f"{leaf.name} = {program.target.array.format(leaf.line)}" for leaf in program.leaves]
    forward = program.forward()
    body = ["# NaN and infinity are results here, not accidents.", 'np.seterr(all="ignore")', ""]
    body += ["# Inputs", *leaves, "", "# Forward", *forward, *loss_line(program), ""]
    if program.lowered.losses:
        body += [BACKWARD, *program.backward(), ""]
    return [*body, *program.comparison()]


TARGET = Target(
    key="numpy",
    title="NumPy",
    has_functions=True,
    rank=0,
    is_run=True,
)
