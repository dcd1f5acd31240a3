"""Plans of training carried out in plain NumPy, one line for each definition.

Source: the formulas of TensorFlow's ResourceApply* operations, of Keras's Nadam, Lion and schedules, and of PyTorch's
OneCycleLR, as docs/training.md orders them within a step.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

Tensors = dict[str, np.ndarray]
Memory = list[np.ndarray]
Evaluate = Callable[[Tensors], tuple[dict[str, float], dict[str, Tensors], Tensors]]

# Parameters besides the rate, where a plan has none.
ADAM = {"beta1": 0.9, "beta2": 0.999, "epsilon": 1e-7}
MEAN_SQUARE = {"rho": 0.9, "momentum": 0.0, "epsilon": 1e-7}
FIRST = {"initial_accumulator_value": 0.1}
SHRINK = {"l1": 0.0, "l2": 0.0}
DEFAULTS: dict[str, dict[str, Any]] = {
    "descent": {},
    "momentum": {"momentum": 0.9, "use_nesterov": False},
    "adam": {**ADAM, "use_nesterov": False},
    "adamw": {**ADAM, "use_nesterov": False, "weight_decay": 0.004},
    "adamax": ADAM,
    "nadam": ADAM,
    "lion": {"beta1": 0.9, "beta2": 0.99},
    "adagrad": FIRST,
    "adagrad_da": {**FIRST, **SHRINK},
    "adadelta": {"rho": 0.95, "epsilon": 1e-7},
    "rmsprop": MEAN_SQUARE,
    "centered_rmsprop": MEAN_SQUARE,
    "ftrl": {**FIRST, **SHRINK, "l2_shrinkage": 0.0, "lr_power": -0.5},
    "proximal_descent": SHRINK,
    "proximal_adagrad": {**FIRST, **SHRINK},
}
# What a rule remembers of each variable at first: the accumulator that is a parameter, and zeros.
ACCUMULATORS = {"adagrad": (True,), "adagrad_da": (False, True), "ftrl": (True, False), "proximal_adagrad": (True,)}
ZEROS = {"descent": 0, "proximal_descent": 0, "momentum": 1, "lion": 1, "nadam": 3, "centered_rmsprop": 3}


def rate_in(schedule: Any, n: int) -> float:
    """Returns the rate of round n."""
    if not isinstance(schedule, Mapping):
        return float(schedule)
    ((kind, numbers),) = schedule.items()
    if kind == "list":
        return float([rate for first, rate in numbers if first <= n][-1])
    a, b, *rest = numbers
    if kind == "warmup":
        return a + (rate_in(rest[0], 0) - a) * n / b if n < b else rate_in(rest[0], n - b)
    if kind in ("step", "exponential"):
        return float(a * rest[0] ** (n // b if kind == "step" else n / b))
    if kind == "cosine":
        return float(b + (a - b) * (1 + math.cos(math.pi * min(n, rest[0]) / rest[0])) / 2)
    assert kind == "one_cycle"
    peak, low = 0.3 * b - 1, a / 25
    if n <= peak:
        return float(a + (low - a) * (1 + math.cos(math.pi * n / peak)) / 2)
    end = low / 10_000
    return float(end + (a - end) * (1 + math.cos(math.pi * (min(n, b - 1) - peak) / (b - 1 - peak))) / 2)


def first_memory(kind: str, p: Mapping[str, Any], w: np.ndarray) -> Memory:
    """Returns what a rule remembers of a variable before its first update."""
    if kind in ACCUMULATORS:
        return [
            np.full(w.shape, p["initial_accumulator_value"] if is_given else 0.0) for is_given in ACCUMULATORS[kind]
        ]
    return [np.zeros(w.shape) for _ in range(ZEROS.get(kind, 2))]


def shrunk(x: np.ndarray, by: Any) -> np.ndarray:
    """Moves elements towards 0, where they stay."""
    return np.sign(x) * np.maximum(np.abs(x) - by, 0)


def moved(
    kind: str, p: Mapping[str, Any], rate: float, w: np.ndarray, g: np.ndarray, memory: Memory, t: int
) -> tuple[np.ndarray, Memory]:
    """Returns a variable and the memory after its update t, counted from 1."""
    match kind:
        case "descent":
            return w - rate * g, []
        case "momentum":
            speed = p["momentum"] * memory[0] + g
            ahead = g + p["momentum"] * speed if p["use_nesterov"] else speed
            return w - rate * ahead, [speed]
        case "adam" | "adamw":
            m = p["beta1"] * memory[0] + (1 - p["beta1"]) * g
            v = p["beta2"] * memory[1] + (1 - p["beta2"]) * g * g
            ahead = p["beta1"] * m + (1 - p["beta1"]) * g if p["use_nesterov"] else m
            corrected = rate * math.sqrt(1 - p["beta2"] ** t) / (1 - p["beta1"] ** t)
            return w - corrected * ahead / (np.sqrt(v) + p["epsilon"]), [m, v]
        case "adamax":
            m = p["beta1"] * memory[0] + (1 - p["beta1"]) * g
            v = np.maximum(p["beta2"] * memory[1], np.abs(g))
            return w - rate / (1 - p["beta1"] ** t) * m / (v + p["epsilon"]), [m, v]
        case "nadam":
            u, v_now = [p["beta1"] * (1 - 0.5 * 0.96**k) for k in (t, t + 1)], 1 - p["beta2"]
            product = u[0] * (memory[2] if t > 1 else np.ones(w.shape))
            m, v = memory[0] + (g - memory[0]) * (1 - p["beta1"]), memory[1] + (g * g - memory[1]) * v_now
            ahead = u[1] * m / (1 - product * u[1]) + (1 - u[0]) * g / (1 - product)
            return w - rate * ahead / (np.sqrt(v / (1 - p["beta2"] ** t)) + p["epsilon"]), [m, v, product]
        case "lion":
            way = np.sign(p["beta1"] * memory[0] + (1 - p["beta1"]) * g)
            return w - rate * way, [p["beta2"] * memory[0] + (1 - p["beta2"]) * g]
        case "adagrad":
            squares = memory[0] + g * g
            return w - rate * g / np.sqrt(squares), [squares]
        case "adagrad_da":
            total, squares = memory[0] + g, memory[1] + g * g
            return -rate * shrunk(total, p["l1"] * t) / (p["l2"] * t * rate + np.sqrt(squares)), [total, squares]
        case "adadelta":
            squares = p["rho"] * memory[0] + (1 - p["rho"]) * g * g
            step = np.sqrt(memory[1] + p["epsilon"]) / np.sqrt(squares + p["epsilon"]) * g
            return w - rate * step, [squares, p["rho"] * memory[1] + (1 - p["rho"]) * step * step]
        case "rmsprop" | "centered_rmsprop":
            squares = p["rho"] * memory[0] + (1 - p["rho"]) * g * g
            mean = p["rho"] * memory[-1] + (1 - p["rho"]) * g if kind == "centered_rmsprop" else np.zeros(w.shape)
            speed = p["momentum"] * memory[1] + rate * g / np.sqrt(squares - mean * mean + p["epsilon"])
            return w - speed, [squares, speed, mean][: len(memory)]
        case "ftrl":
            power, squares = -p["lr_power"], memory[0] + g * g
            linear = memory[1] + g + 2 * p["l2_shrinkage"] * w - (squares**power - memory[0] ** power) / rate * w
            return -shrunk(linear, p["l1"]) / (squares**power / rate + 2 * p["l2"]), [squares, linear]
        case "proximal_descent":
            return shrunk(w - rate * g, rate * p["l1"]) / (1 + rate * p["l2"]), []
        case "proximal_adagrad":
            squares = memory[0] + g * g
            own = rate / np.sqrt(squares)
            return shrunk(w - own * g, own * p["l1"]) / (1 + own * p["l2"]), [squares]
    raise AssertionError(kind)


def clipped(gradients: Tensors, clip: Mapping[str, float] | None) -> Tensors:
    """Returns the gradients of one step, clipped."""
    if clip is None:
        return gradients
    ((kind, most),) = clip.items()
    if kind == "value":
        return {name: np.clip(g, -most, most) for name, g in gradients.items()}
    norms = {name: float(np.sqrt(np.sum(g * g))) for name, g in gradients.items()}
    whole = math.sqrt(sum(norm * norm for norm in norms.values()))
    return {
        name: g * most / max(whole if kind == "global_norm" else norms[name], most) for name, g in gradients.items()
    }


def carried_out(
    plan: Mapping[str, Any],
    names: Sequence[str],
    rounds: int,
    variables: Tensors,
    trainable: set[str],
    evaluate: Evaluate,
) -> tuple[dict[str, list[float]], Tensors]:
    """Returns the losses of each step in the rounds in which it runs, and the variables at the end.

    `names` has the names of the steps; `evaluate` gives losses and gradients by loss, "" for their sum, and ports.
    """
    losses: dict[str, list[float]] = {name: [] for name in names}
    memory: dict[tuple[str, str], Memory] = {}
    updates, sums = dict.fromkeys(names, 0), dict[str, list[Tensors]]()
    for n in range(rounds):
        for name, step in zip(names, plan["steps"], strict=True):
            when, every = step.get("when", {}), step.get("every", 1)
            if not when.get("from", 0) <= n < when.get("to", rounds) or n % every != every - 1:
                continue
            for repetition in range(step.get("times", 1)):
                found, by_loss, ports = evaluate(variables)
                key = step["loss"] or ""
                if repetition == 0:
                    losses[name].append(found[key])
                listed = trainable if step.get("variables", "*") == "*" else trainable & set(step["variables"])
                gradients = {item: g for item, g in by_loss[key].items() if item in listed}
                if step.get("maximize"):
                    gradients = {item: -g for item, g in gradients.items()}
                parts = sums.setdefault(name, [])
                parts.append(gradients)
                is_last = len(parts) == step.get("accumulate", 1)
                gradients = (
                    {item: sum(part[item] for part in parts) / len(parts) for item in gradients} if is_last else {}
                )
                if is_last:
                    parts.clear()
                    updates[name] += 1
                rule = step["rule"]
                kind, rate = rule["type"], rate_in(rule["rate"], n)
                p = {**DEFAULTS[kind], **rule}
                decay = {"decoupled": p["weight_decay"]} if kind == "adamw" else rule.get("decay", {})
                new = {}
                for item, g in clipped(gradients, step["clip"] if "clip" in step else plan.get("clip")).items():
                    w = variables[item]
                    g = g + decay.get("coupled", 0.0) * w
                    w = w - rate * decay.get("decoupled", 0.0) * w
                    before = memory.get((name, item)) or first_memory(kind, p, w)
                    new[item], memory[name, item] = moved(kind, p, rate, w, g, before, updates[name])
                variables = {**variables, **new, **{item: ports[port] for item, port in step.get("assign", {}).items()}}
    return losses, variables
