"""A built folder leaves modules out; the program needs none of them."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SPEC = Path(__file__).parents[3] / "packaging" / "gradwire.spec"
# The special functions of SciPy are imported where a block first needs one, long after the start.
PROGRAM = """
import sys

class LeftOut:
    def find_spec(self, name, path=None, target=None):
        if any(name == item or name.startswith(f"{item}.") for item in sys.argv[1:]):
            raise ModuleNotFoundError(f"{name} is left out", name=name)

sys.meta_path.insert(0, LeftOut())
import scipy.special
print(round(float(scipy.special.gammaln(0.5)), 9))
"""


def left_out() -> list[str]:
    """The names of modules of SciPy and others in the options."""
    lists = {
        target.id: ast.literal_eval(item.value).split()
        for item in ast.parse(SPEC.read_text()).body
        if isinstance(item, ast.Assign) and isinstance(item.value, ast.Constant)
        for target in item.targets
        if isinstance(target, ast.Name)
    }
    return [*(f"scipy.{name}" for name in lists["SCIPY"]), *lists["OTHERS"]]


@pytest.mark.long
def test_special_functions_need_no_module_that_is_left_out() -> None:
    names = left_out()
    assert {"scipy.stats", "numpy.distutils"} <= set(names)
    done = subprocess.run([sys.executable, "-c", PROGRAM, *names], capture_output=True, text=True, check=False)
    # log of the square root of pi
    assert done.stdout.strip() == "0.572364943", done.stderr
