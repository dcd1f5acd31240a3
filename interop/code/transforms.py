"""Functions that take functions, such as `jax.jit`, and calls without an effect on the graph."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from gradwire.blocks.names.table import ours
from gradwire.interop.code.refusals import refusal
from gradwire.interop.code.values import Builtin, Draws, Function, Value

if TYPE_CHECKING:
    from gradwire.interop.code.calls import Calls

_MOST_ROUNDS: Final = 1000
Arguments = list[Value]
Keywords = dict[str, Value]
# Settings, devices and optimizers: nothing of them is shown.
_WITHOUT_EFFECT: Final = re.compile(
    r"tf\.GradientTape|(?:torch\.(?:optim|cuda|backends|utils|autocast|amp|device|set_|is_)|keras\.optimizers|optax"
    r"|jax\.(?:config|devices|debug|block_until_ready)|tf\.(?:config|device|summary|print|debugging|name_scope)"
    r"|np\.(?:set_printoptions|seterr|errstate|printoptions)|torch\.autograd\.set_|warnings|plt|matplotlib|logging)"
    r"(?:\.|\w|$).*|torch\.(?:no_grad|enable_grad|inference_mode|set_grad_enabled|nn\.utils\..*)|time\.\w+"
)
_SEEDS: Final = (
    "np.random.seed",
    "torch.manual_seed",
    "tf.random.set_seed",
    "keras.utils.set_random_seed",
    "torch.seed",
)


def is_without_effect(name: str) -> bool:
    """Returns whether a function of a framework changes nothing in the graph."""
    return _WITHOUT_EFFECT.fullmatch(name) is not None


def _itself(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Value:
    """Returns the function that is given; without one, what takes it: `@tf.function(jit_compile=True)`."""
    if args:
        return args[0]
    return Builtin("function", lambda at, given, _: _itself(calls, at, given, {}))


def _static(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Value:
    return replace(args[0], is_static=True) if isinstance(args[0], Function) else args[0]


def _partial(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Value:
    if not args:
        raise refusal(node, "partial needs a function")
    function, *first = args

    def call(at: ast.AST, given: Arguments, more: Keywords) -> Value:
        return calls.called(at, function, [*first, *given], {**keywords, **more})

    return Builtin("partial", call, held=(*args, *keywords.values()))


def _vmap(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Value:
    """Returns a function that is applied to each row of its arguments, and stacks what it gives."""
    function, axes = args[0], args[1] if len(args) > 1 else keywords.get("in_axes", 0)

    def call(at: ast.AST, given: Arguments, more: Keywords) -> Value:
        chosen = list(axes) if isinstance(axes, tuple | list) else [axes] * len(given)
        if any(axis not in (0, None) for axis in chosen) or len(chosen) != len(given):
            raise refusal(at, "vmap is read along the first axis only")
        return _stacked(
            calls, at, function, [(item, axis is None) for item, axis in zip(given, chosen, strict=True)], more
        )

    return Builtin("vmap", call, held=(function,))


def _stacked(calls: Calls, node: ast.AST, function: Value, given: list[tuple[Value, bool]], more: Keywords) -> Value:
    split = [None if is_whole else calls.rows(node, item) for item, is_whole in given]
    counts = {len(rows) for rows in split if rows is not None}
    if len(counts) != 1 or not 0 < max(counts) <= _MOST_ROUNDS:
        raise refusal(node, f"vmap needs the same number of rows in all arguments, at most {_MOST_ROUNDS}")
    results = []
    for place in range(counts.pop()):
        args = [item if rows is None else rows[place] for (item, _), rows in zip(given, split, strict=True)]
        results.append(calls.called(node, function, args, dict(more)))
    return calls.applied(node, ours("stack"), [results], {})


def _fori_loop(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Value:
    if len(args) != 4 or not isinstance(args[0], int) or not isinstance(args[1], int):
        raise refusal(node, "fori_loop is read with two whole numbers, a function and a start")
    first, last, function, carried = args
    if last - first > _MOST_ROUNDS:
        raise refusal(node, f"a loop of {last - first:,} rounds is too long; at most {_MOST_ROUNDS:,} are unrolled")
    for place in range(first, last):
        carried = calls.called(node, function, [place, carried], {})
    return carried


def _scan(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Value:
    """Unrolls `jax.lax.scan` over the rows of a tensor, or over a number of rounds."""
    function, carried = args[0], args[1]
    xs = args[2] if len(args) > 2 else keywords.get("xs")
    rows = [None] * int(keywords.get("length", 0)) if xs is None else calls.rows(node, xs)
    if not 0 < len(rows) <= _MOST_ROUNDS:
        raise refusal(node, f"a scan over {len(rows):,} rows is not read; at most {_MOST_ROUNDS:,} are unrolled")
    collected = []
    for row in rows:
        result = calls.called(node, function, [carried, row], {})
        if not isinstance(result, tuple | list) or len(result) != 2:
            raise refusal(node, "the function of a scan gives what it carries on, and what it collects")
        carried, item = result
        collected.append(item)
    stacked = None if collected[0] is None else calls.applied(node, ours("stack"), [collected], {})
    return carried, stacked


def _reduce_window(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Value:
    """Reads the largest element of windows; other reductions of windows have no block."""
    if len(args) < 6 or getattr(args[2], "name", "") != "jax.lax.max":
        raise refusal(node, "reduce_window is read with jax.lax.max alone")
    x, _, _, sizes, steps, padding = args[:6]
    return calls.function(node, "tf.nn.max_pool2d", [x, list(sizes), list(steps), padding], {})


def _tree_map(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Value:
    function, *trees = args
    first = trees[0]
    if isinstance(first, Mapping):
        return {key: _tree_map(calls, node, [function, *(tree[key] for tree in trees)], keywords) for key in first}
    if isinstance(first, list | tuple):
        parts = zip(*trees, strict=False)
        return type(first)(_tree_map(calls, node, [function, *items], keywords) for items in parts)
    return calls.called(node, function, list(trees), {})


def _seed(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Value:
    calls.sources.start(node, args[0] if args else next(iter(keywords.values()), 0))
    return None


def _generator(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Value:
    seed = args[0] if args else keywords.get("seed", 0)
    seed = seed if isinstance(seed, int) and seed >= 0 else 0
    return Draws(seed, np.random.default_rng(seed))


def _old_generator(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Value:
    seed = args[0] if args and isinstance(args[0], int) else 0
    return Draws(seed, np.random.RandomState(seed % 2**32))


def _split_key(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Value:
    key, count = args[0], args[1] if len(args) > 1 else keywords.get("num", 2)
    seed = key.seed if isinstance(key, Draws) else 0
    if not isinstance(count, int) or not 0 < count <= _MOST_ROUNDS:
        raise refusal(node, "a key is split into a few others")
    return tuple(Draws(seed + place, np.random.default_rng(seed + place)) for place in range(1, count + 1))


TRANSFORMS: Final[Mapping[str, Callable[[Calls, ast.AST, Arguments, Keywords], Value]]] = {
    **dict.fromkeys(
        ("jax.jit", "tf.function", "torch.compile", "torch.jit.script", "jax.checkpoint", "jax.remat"), _itself
    ),
    **dict.fromkeys(("jax.named_call", "torch.jit.export", "functools.wraps"), _itself),
    **dict.fromkeys(("torch.amp.custom_fwd", "torch.amp.custom_bwd"), _itself),
    **dict.fromkeys(("torch.cuda.amp.custom_fwd", "torch.cuda.amp.custom_bwd"), _itself),
    "staticmethod": _static,
    "torch.autograd.function.once_differentiable": _itself,
    **dict.fromkeys(("functools.partial", "partial", "gw.partial", "jax.tree_util.Partial"), _partial),
    **dict.fromkeys(("jax.vmap", "torch.vmap", "torch.func.vmap"), _vmap),
    **dict.fromkeys(("jax.tree_map", "jax.tree_util.tree_map", "jax.tree.map", "tf.nest.map_structure"), _tree_map),
    "jax.lax.fori_loop": _fori_loop,
    "jax.lax.scan": _scan,
    "jax.lax.reduce_window": _reduce_window,
    "keras.backend.epsilon": lambda calls, node, args, keywords: 1e-7,
    **dict.fromkeys(_SEEDS, _seed),
    "np.random.default_rng": _generator,
    "np.random.RandomState": _old_generator,
    **dict.fromkeys(("jax.random.PRNGKey", "jax.random.key", "tf.random.Generator.from_seed"), _generator),
    "jax.random.split": _split_key,
    "jax.random.fold_in": lambda calls, node, args, keywords: args[0],
}
