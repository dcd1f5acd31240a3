"""Training as scripts write it: one loss, one rule, step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from gradwire.engine.base.errors import GradwireError
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.update_rule import Rate, UpdateRule
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.plan import Plan, Rule, Step
from gradwire.engine.training.schedules import Schedule, fixed
from gradwire.engine.training.state import State
from gradwire.engine.training.trainer import Trainer

ALL = "all"


@dataclass(frozen=True)
class _Called(Schedule):
    """Rate that a function gives for each round."""

    function: Callable[[int], float] = float

    def at(self, n: int) -> float:
        return float(self.function(n))


class Training:
    """Graph compiled for training, step by step, whatever plan its file may hold.

    Each step computes the loss and the gradients, then updates every trainable variable that a gradient reaches, or
    those of them that `variables` names, all simultaneously. A blocked or unconnected variable stays; a gradient of
    zero counts. Without a `rule` nothing moves. Only ports in `watch` keep their values and gradients. Sums over large
    tensors may differ from the editor's by rounding; they are the same in every run, with one thread or several.
    Raises: GradwireError if the graph has an error or no Loss, NameUnknownError if a watched port does not exist.
    """

    def __init__(
        self,
        graph: Graph,
        rule: UpdateRule | None = None,
        *,
        loss: str | None = None,
        variables: Iterable[str] | None = None,
        watch: Iterable[str] = (),
        threads: int = 1,
    ) -> None:
        self._names = graph.pages[0].name
        self._loss = graph.loss if loss is None else self._full(loss)
        self._variables = ("*",) if variables is None else tuple(map(self._full, variables))
        self._watch, self._threads = [self._full(name) for name in watch], threads
        self._rule = rule
        self._trainer = self._made(graph)

    @property
    def rule(self) -> UpdateRule | None:
        """Rule that moves the variables; another one starts without memory."""
        return self._rule

    @rule.setter
    def rule(self, rule: UpdateRule | None) -> None:
        self._rule = rule
        done, self._trainer = self._trainer.round, self._made(self._trainer.whole_graph)
        self._trainer.round = done

    @property
    def rate(self) -> float:
        """Rate of the next step; a number that is set stays until the next."""
        return self._trainer.rate(ALL)

    @rate.setter
    def rate(self, rate: float) -> None:
        self._trainer.set_rate(ALL, fixed(float(rate)))

    @property
    def trained(self) -> tuple[str, ...]:
        """Names of the variables that a step moves."""
        return self._trainer.steps[0].trained

    @property
    def bytes(self) -> int:
        """Total memory of all tensors. Units: bytes."""
        return self._trainer.steps[0].plan.bytes

    @property
    def graph(self) -> Graph:
        """Graph with the current values of its variables."""
        return self._trainer.graph

    def state(self) -> State:
        """Returns copies of the variables, of what the rule remembers, and the number of steps."""
        return self._trainer.state()

    def load_state(self, state: State) -> None:
        """Goes on from a state, as if it had never stopped.

        Raises: GradwireError if the state belongs to another graph or rule.
        """
        self._trainer.load_state(state)

    def step(self, feeds: Mapping[str, object] | None = None) -> Array:
        """Runs one step and returns the loss; `feeds` sets sources by name, from now on.

        Raises: NameUnknownError if there is no such source, BlockError if a value does not fit or a block fails,
        TrainingStopped, before anything is written, if the loss, a gradient or a new value is not finite.
        """
        for name, value in (feeds or {}).items():
            self._trainer.feed(self._full(name), value)
        self._trainer.run_round()
        loss = self._trainer.steps[0].loss
        assert loss is not None
        return np.array(loss)

    def value(self, port: str) -> Array:
        """Returns the value of a watched port in the newest step."""
        return np.array(self._trainer.steps[0].value(self._full(port)))

    def gradient(self, port: str) -> Array:
        """Returns the gradient of a watched port in the newest step; zeros if no path from the loss reaches it."""
        return np.array(self._trainer.steps[0].gradient(self._full(port)))

    def _made(self, graph: Graph) -> Trainer:
        rule = None if self._rule is None else Rule("", self._rule, _schedule(self._rule.rate))
        plan = Plan((Step(ALL, rule, self._loss, variables=self._variables),))
        trainer = Trainer(replace(graph, training=None), plan, watch=self._watch, threads=self._threads)
        if trainer.steps[0].loss is None:
            raise GradwireError("There is no Loss, so there is nothing to train for.")
        return trainer

    def _full(self, name: str) -> str:
        return name if "/" in name else f"{self._names}/{name}"


def _schedule(rate: Rate | None) -> Schedule:
    return _Called("function", (), None, rate) if callable(rate) else fixed(rate or 0.0)
