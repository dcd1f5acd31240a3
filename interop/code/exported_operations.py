"""Operations of NumPy in programs that Gradwire exports: each is a block for which a library has no line."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from gradwire.engine.blocktypes.library import library
from gradwire.engine.export.source_functions import snake_case
from gradwire.interop.code.refusals import refusal
from gradwire.interop.code.values import Builtin, Data, Function, Value

if TYPE_CHECKING:
    from gradwire.interop.code.calls import Calls


def operation_read(calls: Calls, node: ast.AST, args: list[Value]) -> Builtin:
    """Returns the function for which an operation is made: the block that its first function, a lambda, calls.

    Raises: CodeRefusal if that calls none.
    """
    made = args[0].node if args and isinstance(args[0], Function) else None
    called = made.body if isinstance(made, ast.Lambda) else None
    if made is None or not isinstance(called, ast.Call) or not isinstance(called.func, ast.Name):
        raise refusal(node, "an operation calls one function")
    name = called.func.id
    types = {snake_case(item.name.rpartition(".")[2]): item for item in library}
    known = types.get(name) or types.get(re.sub(r"_\d+$", "", name))
    if known is None:
        raise refusal(node, f"{name} is the function of no block")
    keys: list[ast.expr | None] = [ast.Constant(item.arg) for item in called.keywords]
    both = ast.Tuple([ast.Tuple(called.args), ast.Dict(keys, [item.value for item in called.keywords])])
    given = Function(ast.Lambda(made.args, ast.fix_missing_locations(ast.copy_location(both, called))), args[0].scope)

    def call(at: ast.AST, tensors: list[Value], keywords: dict[str, Value]) -> Value:
        inputs, parameters = calls.called(at, given, tensors, keywords)
        plain = {key: item.array if isinstance(item, Data) else item for key, item in parameters.items()}
        return calls.applied(at, known, list(inputs), plain)

    return Builtin(name, call)
