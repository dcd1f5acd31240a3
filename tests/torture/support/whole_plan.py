"""A graph whose file has all that a plan of training may have: steps, checks, ends, a state and values before."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import gradwire as gw
from gradwire.engine.files.files import dumps
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.kept_state import with_state
from gradwire.engine.training.run import TrainingRun

STEPS: list[dict[str, Any]] = [
    {
        "name": "down",
        "loss": "main/loss",
        "variables": ["main/w"],
        "rule": {
            "type": "adam",
            "beta1": 0.8,
            "epsilon": 1e-6,
            "rate": {"warmup": [0.0, 2, {"cosine": [0.1, 0.0, 9]}]},
        },
        "clip": {"norm": 3.0},
        "times": 2,
        "when": {"from": 0, "to": 90},
    },
    {
        "loss": "main/other",
        "maximize": True,
        "variables": "*",
        "rule": {"type": "momentum", "rate": {"list": [[0, 0.1], [3, 0.05]]}, "decay": {"coupled": 0.01}},
        "accumulate": 2,
        "every": 2,
    },
    {"name": "copy", "assign": {"main/kept": "main/w.y"}},
    {"name": "slow", "loss": "main/loss", "rule": {"type": "ftrl", "rate": {"one_cycle": [0.1, 8]}}},
    {"name": "fall", "loss": "main/loss", "rule": {"type": "nadam", "rate": {"step": [0.1, 3, 0.5]}}},
    {"name": "fade", "loss": "main/loss", "rule": {"type": "lion", "rate": {"exponential": [0.1, 3, 0.5]}}},
]
CHECKS: list[dict[str, Any]] = [
    {"title": "It falls", "after": 3, "at": "main/loss.y", "below": 100.0},
    {"after": 2, "at": "main/w.y", "value": [1.0, 2.0], "rtol": 1e9},
    {"step": "down", "trains": ["main/w"]},
    {"monotone": "main/loss.y", "until": 2},
    {"run_without": "main/stop", "after": 1, "at": "main/loss.y", "differs": True},
    {"after": 1, "at": "main/loss.y", "above": -100.0, "part": "test"},
]
PLAN: dict[str, Any] = {
    "seed": 3,
    "steps": STEPS,
    "clip": {"global_norm": 5.0},
    "until": {
        "steps": 4,
        "below": {"down": -1e9},
        "gradient_above": {"main/w": 1e9},
        "outside": {"main/w": [-1e9, 1e9]},
        "changes": ["main/loss.y"],
    },
    "metrics": ["main/loss.y"],
    "test_every": 2,
    "checks": CHECKS,
}


def whole_graph() -> Graph:
    """Returns a graph with Data, Variables, two losses and a StopGradient, without a plan."""
    rows = gw.Data(set="spirals", n=20, batch=4, test=0.25, name="data")
    w, kept = gw.Variable([0.5, -0.25], name="w"), gw.Variable([0.5, 0.5], name="kept")
    out = gw.ReduceSum(rows[0] * w, axis=-1)
    loss = gw.Loss(gw.ReduceMean(gw.Square(out - gw.StopGradient(gw.ReduceSum(kept), name="stop"))), name="loss")
    return gw.graph(loss, gw.Loss(gw.ReduceSum(gw.Square(w)), name="other"))


def whole_file() -> dict[str, Any]:
    """Returns the file of the graph with its plan, after two rounds, as JSON."""
    graph = replace(whole_graph(), training=PLAN)
    run = TrainingRun(graph)
    list(run.rounds(2))
    before = {name: value for name, value in run.trainer.variables.items() if name == "main/kept"}
    kept = with_state(run.trainer.graph, run.trainer.state(), {name: value + 1 for name, value in before.items()})
    found: dict[str, Any] = json.loads(dumps(kept.graph))
    return found
