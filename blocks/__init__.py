"""The block library: one file for each family of block types, one declaration for each type.

It imports the engine; the app, `gradwire.api` and scripts enter.
Its import tells `gradwire.engine.blocktypes.library` where each type is declared, and loads enabled plug-ins.
"""

from gradwire.blocks.support.families import FAMILIES
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.update_rule import RULES
from gradwire.engine.plugins.plugins import load_plugins

OPERATORS = {
    "add": "Add",
    "subtract": "Subtract",
    "multiply": "Multiply",
    "divide": "Divide",
    "negative": "Negative",
    "power": "Pow",
    "matmul": "MatMul",
    "sqrt": "Sqrt",
    "greater": "Greater",
    "less": "Less",
    "equal": "Equal",
    "not_equal": "NotEqual",
    "where": "Where",
    "cast": "Cast",
    "maximum": "Maximum",
    "minimum": "Minimum",
    "reduce_max": "ReduceMax",
    "stop": "StopGradient",
    "stack": "Stack",
    "unstack": "Unstack",
}
# The signs that do with a Cast what blocks refuse.
SIGNS = {
    **{"Add": "+", "Subtract": "-", "Multiply": "*", "Divide": "/", "FloorDiv": "//", "FloorMod": "%", "Pow": "**"},
    **{
        "MatMul": "@",
        "Greater": ">",
        "GreaterEqual": ">=",
        "Less": "<",
        "LessEqual": "<=",
        "Equal": "==",
        "NotEqual": "!=",
    },
}

library.announce(__name__, {name: family for family, names in FAMILIES.items() for name in names.split()})
Expression.operators.announce(OPERATORS, library.__getitem__, f"{__name__}.names.python", SIGNS)
RULES.announce(f"{__name__}.update_rules")
load_plugins(library)
