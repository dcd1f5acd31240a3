"""One step of a plan of training as expressions: loss, gradients, clipping, decay, rule and assignments."""

from __future__ import annotations

import functools
import operator
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

import numpy as np

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.errors import GradwireError, NameUnknownError
from gradwire.engine.blocktypes.expression import Application, Expression, constant
from gradwire.engine.blocktypes.primitives import Constant, SumTo
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.draws import Draws
from gradwire.engine.training.lowering import Uses, faultless, lowered_for_training, uses_of_sources
from gradwire.engine.training.plan import Clip, Rule, Step
from gradwire.engine.training.targets import ALL, Targets

# What is 1 where the rule moves, and 0 where gradients are only added up.
_MOVES = "moves"


class LoweredStep:
    """Expressions of a step: an executor computes them, and gives the sources in `updates` their new values.

    `ignored_stops` let gradients pass. `sources` has the uses of each source, `gradients` those of the trained
    variables, `moves` the new values of these and of what the rule remembers, `assigned` the values to assign, `memory`
    what the rule remembers. `scalars` are constants that change with rate and update.
    Raises: GradwireError if the graph has an error, or no Loss where one is needed; ShapeError or DtypeError if a value
    to assign does not fit.
    """

    def __init__(
        self,
        graph: Graph,
        step: Step,
        ignored_stops: Set[str] = frozenset(),
        seed: int = 0,
    ) -> None:
        self.step = step
        inferred = faultless(replace(graph, loss=step.loss))
        self.draws = Draws(inferred, seed, step.name)
        self._lowered = lowered_for_training(inferred, step.rule is not None, ignored_stops, self.draws)
        self.sources = uses_of_sources(self._lowered)
        self.memory: dict[str, list[Expression]] = {}
        self.scalars: dict[tuple[str, np.dtype[Any]], Expression] = {}
        losses = self._lowered.losses if step.rule is not None or not step.assign else []
        self.loss = functools.reduce(operator.add, losses) if losses else None
        self.gradients = self._gradients_of(_listed(step, graph))
        self.moves = {} if step.rule is None else self._moves(step.rule, step.clip)
        self.assigned = {name: self._assigned(name, port) for name, port in step.assign.items()}

    @property
    def updates(self) -> dict[Expression, Expression]:
        """New values of all sources that the step writes, one for each use."""
        return self.moves | {use: value for name, value in self.assigned.items() for use in self.sources[name]}

    @property
    def is_measuring(self) -> bool:
        """Whether the step writes nothing."""
        return self.step.rule is None and not self.step.assign

    def port(self, name: str) -> Expression:
        """Returns the expression of an output port by its path.

        Raises: NameUnknownError if there is none.
        """
        path, _, port = name.rpartition(".")
        found = self._lowered.ports.get(PortName(path, port))
        if found is None:
            raise NameUnknownError(f"There is no port {name}.")
        return found

    def all_sources(self) -> Uses:
        """Returns the uses of all sources: of constants, too."""
        return uses_of_sources(self._lowered, lambda kind: kind.is_variable or kind.is_input or kind is Constant)

    def owner(self, application: Application) -> str:
        """Returns the path of the block that an application belongs to; "" for one of the step itself."""
        return self._lowered.owners.get(application, "")

    def total(self, expression: Expression) -> Expression | None:
        """Returns the gradient of an expression, None if no path from the loss reaches it."""
        return self._lowered.backward.totals.get(expression)

    def coefficients(self, rate: float, updates: int) -> dict[str, float]:
        """Returns the numbers of `scalars` by their names, at a rate and after so many updates."""
        rule = self.step.rule
        if rule is None:
            return {}
        moves, rest = divmod(updates, self.step.accumulate)
        is_last = rest == self.step.accumulate - 1
        return {**rule.update.coefficients(rate, moves + 1), "shrink": rate * rule.decoupled, _MOVES: float(is_last)}

    def _gradients_of(self, listed: frozenset[str] | None) -> dict[str, Expression]:
        """Returns the gradient of each variable that the step trains: listed, trainable, and reached by a gradient."""
        totals, found = self._lowered.backward.totals, dict[str, Expression]()
        # Pages that become one loop, or the rounds of one, change the order of uses but must not change sums.
        places = {item: place for place, item in enumerate(self._lowered.backward.order)}
        for name, uses in self.sources.items():
            reached = sorted((use for use in uses if use in totals), key=lambda use: places[use.application])
            gradients = [totals[use] for use in reached]
            is_asked = self.step.rule is not None and (listed is None or name in listed)
            if is_asked and gradients and uses[0].application.parameters.get("trainable"):
                found[name] = functools.reduce(operator.add, gradients)
        return found

    def _moves(self, rule: Rule, clip: Clip | None) -> dict[Expression, Expression]:
        """Returns the new values of all trained variables and of what the rule remembers."""
        found: dict[Expression, Expression] = {}
        gradients = {name: -g if self.step.maximize else g for name, g in self.gradients.items()}
        sums = {name: constant(np.zeros(g.shape, g.dtype)) for name, g in gradients.items() if self.step.accumulate > 1}
        totals = {name: sums[name] + g for name, g in gradients.items()} if sums else gradients
        means = {name: total / self.step.accumulate for name, total in totals.items()} if sums else gradients
        for name, g in _clipped(means, clip).items():
            uses = self.sources[name]
            w = uses[0]
            g = g + rule.coupled * w if rule.coupled else g
            moved = w - self._scalar("shrink", w.dtype) * w if rule.decoupled else w
            scalars = {} if rule.update.rate is None else rule.update.coefficients(1.0, 1)
            given = {key: self._scalar(key, w.dtype) for key in scalars}
            memory = [constant(array) for array in rule.update.start(w.spec)]
            new, *remembered = rule.update.update(moved, g, *memory, **given)
            if sums:
                now = self._scalar(_MOVES, w.dtype) > 0.0
                olds, news = [w, *memory, sums[name]], [new, *remembered, constant(np.zeros(g.shape, g.dtype))]
                news = [_called("where", now, *pair) for pair in zip(news, [*olds[:-1], totals[name]], strict=True)]
                memory, (new, *remembered) = [*memory, sums[name]], news
            found |= dict.fromkeys(uses, new) | dict(zip(memory, remembered, strict=True))
            self.memory[name] = memory
        return found

    def _scalar(self, name: str, dtype: np.dtype[Any]) -> Expression:
        if (name, dtype) not in self.scalars:
            self.scalars[name, dtype] = constant(np.zeros((), dtype))
        return self.scalars[name, dtype]

    def _assigned(self, name: str, port: str) -> Expression:
        value, uses = self.port(port), self.sources.get(name)
        if uses is None:
            raise NameUnknownError(f"{name} is on a page that nothing uses, so nothing can be assigned to it.")
        if value.spec != uses[0].spec:
            raise GradwireError(f"{port} is {value.spec}, and cannot be assigned to {name}, which is {uses[0].spec}.")
        return value


def _listed(step: Step, graph: Graph) -> frozenset[str] | None:
    """Returns the variables that the plan lists for a step, None for all."""
    return None if ALL in step.variables else frozenset(Targets(graph).variables_of(step.variables))


def _clipped(gradients: Mapping[str, Expression], clip: Clip | None) -> Mapping[str, Expression]:
    if clip is None or not gradients:
        return gradients
    if clip.kind == "value":
        return {name: _between(g, clip.limit) for name, g in gradients.items()}
    if clip.kind == "norm":
        return {name: g * _factor(_norm([g]), clip.limit) for name, g in gradients.items()}
    factor = _factor(_norm([*gradients.values()]), clip.limit)
    return {name: g * _cast(factor, g.dtype) for name, g in gradients.items()}


def _called(name: str, *operands: object) -> Expression:
    found: Expression = Expression.operators[name](*operands)
    return found


def _between(g: Expression, limit: float) -> Expression:
    return _called("minimum", _called("maximum", g, -limit), limit)


def _factor(norm: Expression, limit: float) -> Expression:
    found: Expression = limit / _called("maximum", norm, limit)
    return found


def _norm(gradients: Sequence[Expression]) -> Expression:
    """Returns the norm of some gradients together, in the widest dtype."""
    widest = np.result_type(*(g.dtype for g in gradients))
    scale = _scale(gradients, widest)
    squares = [_cast(_squares(g / _cast(scale, g.dtype)), widest) for g in gradients]
    found: Expression = _called("sqrt", functools.reduce(operator.add, squares)) * scale
    return found


def _scale(gradients: Sequence[Expression], dtype: np.dtype[Any]) -> Expression:
    """Returns the largest magnitude where its square might overflow or vanish; elsewhere 1, which changes no bit."""
    filled = [g for g in gradients if g.spec.size]
    tops = [_cast(_called("reduce_max", _called("maximum", g, -g)), dtype) for g in filled]
    top = functools.reduce(functools.partial(_called, "maximum"), tops, constant(np.array(0.0, dtype)))
    far = 2.0 ** (np.finfo(dtype).maxexp // 3)
    one, high, low, zero = (constant(np.array(number, dtype)) for number in (1.0, far, 1 / far, 0.0))
    where = functools.partial(_called, "where")
    tiny = where(_called("less", top, low), where(_called("greater", top, zero), top, one), one)
    return where(_called("greater", top, high), top, tiny)


def _squares(g: Expression) -> Expression:
    found: Expression = SumTo(g * g, shape=())
    return found


def _cast(x: Expression, dtype: np.dtype[Any]) -> Expression:
    found: Expression = x if x.dtype == dtype else Expression.operators["cast"](x, dtype=dtype.name)
    return found
