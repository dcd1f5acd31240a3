"""One step of a plan of training, compiled: loss, gradients, clipping, decay, rule and assignments."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

import numpy as np

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.errors import GradwireError, NameUnknownError
from gradwire.engine.base.gc_pause import collection_paused
from gradwire.engine.base.norms import change_of, norm_of
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression, constant
from gradwire.engine.blocktypes.primitives import SumTo
from gradwire.engine.graph.graph import Graph
from gradwire.engine.learning.draws import Draws
from gradwire.engine.learning.lowering import faultless, lowered_for_training, uses_of_sources
from gradwire.engine.learning.plan import Clip, Rule, Step
from gradwire.engine.learning.round import Sizes
from gradwire.engine.training.training_plan import TrainingPlan

# What is 1 where the rule moves, and 0 where gradients are only added up.
_MOVES = "moves"


class CompiledStep:
    """Step of a plan with memory of its own for all tensors, the variables too.

    It trains the variables in `listed`, None for all; `ignored_stops` let gradients pass.
    `trained` names the variables that it trains, `assigned` those that it assigns; `updates` counts its updates.
    `memory` has the views of what its rule remembers, by variable; `batches` counts rows and batches by data block.
    Raises: GradwireError if the graph has an error, or no Loss where one is needed; NameUnknownError if a port in
    `watch` does not exist; ShapeError or DtypeError if a value to assign does not fit.
    """

    @collection_paused()
    def __init__(
        self,
        graph: Graph,
        step: Step,
        listed: Iterable[str] | None = None,
        watch: Iterable[str] = (),
        threads: int = 1,
        ignored_stops: Set[str] = frozenset(),
        seed: int = 0,
    ) -> None:
        self.step = step
        inferred = faultless(replace(graph, loss=step.loss))
        draws = Draws(inferred, seed, step.name)
        self._lowered = lowered_for_training(inferred, step.rule is not None, ignored_stops, draws)
        self.sources = uses_of_sources(self._lowered)
        self._memory: dict[str, list[Expression]] = {}
        self._scalars: dict[tuple[str, np.dtype[Any]], Expression] = {}
        losses = self._lowered.losses if step.rule is not None or not step.assign else []
        self._loss = functools.reduce(operator.add, losses) if losses else None
        self._gradients = self._gradients_of(None if listed is None else frozenset(listed))
        moves = {} if step.rule is None else self._moves(step.rule, step.clip)
        self.trained, self.assigned = tuple(self._gradients), tuple(step.assign)
        assigned = {name: self._assigned(name, port) for name, port in step.assign.items()}
        results = [*self._gradients.values(), *assigned.values()]
        # A step that only measures writes nothing, so nothing needs to be kept out.
        is_measuring = step.rule is None and not step.assign
        flags = [] if is_measuring else _flags([*([] if self._loss is None else [self._loss]), *results])
        moved_flags = _flags(moves[self.sources[name][0]] for name in self.trained)
        watched = [self.port(name) for name in watch]
        totals = self._lowered.backward.totals
        keep = [*flags, *moved_flags, *watched, *(totals[item] for item in watched if item in totals)]
        keep += [] if self._loss is None else [self._loss]
        # What is kept decides how sums are cut, and so the bits: the same is kept in every run.
        keep += self._gradients.values()
        updates = moves | {use: value for name, value in assigned.items() for use in self.sources[name]}
        self.plan = TrainingPlan(keep, updates, threads, [*self._scalars.values(), *draws.sources])
        draws.attach(self.plan)
        # Gives what changes with round and repetition its numbers.
        self.draw, self.batches = draws.draw, draws.facts
        self.updates = 0
        self._flags = [self.plan[flag] for flag in flags]
        self._moved_flags = [self.plan[flag] for flag in moved_flags]
        self._loss_view = None if self._loss is None else self.plan[self._loss]
        # Dual averaging has no use for decoupled decay: its new values do not depend on the old ones.
        used = [(name, item) for (name, _), item in self._scalars.items() if self.plan.has_source(item)]
        self._scalar_views = [(name, self.plan.source(item)) for name, item in used]
        self._given: tuple[float, int] | None = None
        self.memory = {
            name: [self.plan.source(item) for item in remembered] for name, remembered in self._memory.items()
        }

    @property
    def loss(self) -> Array | None:
        """Loss of the newest computation, a view; None for a step that only assigns."""
        return self._loss_view

    def compute(self, rate: float) -> bool:
        """Computes everything with a rate; returns whether loss, gradients and new values are finite.

        Raises: BlockError if a block fails.
        """
        if self._given != (rate, self.updates):
            self._given = rate, self.updates
            self._give_scalars(rate)
        self.plan.compute()
        return not any(self._flags) and not any(self._moved_flags)

    def commit(self) -> None:
        """Gives the variables their new values."""
        self.plan.commit()
        self.updates += 1

    def views(self, name: str) -> list[Array]:
        """Returns the current arrays of a source, one for each use; empty if nothing here needs it."""
        return [self.plan.source(use) for use in self.sources.get(name, ()) if self.plan.has_source(use)]

    def broken_variable(self) -> str | None:
        """Returns the first variable whose new value is not finite though loss and gradients are, or None."""
        if any(self._flags):
            return None
        news = ((name, self.plan.update_of(self.sources[name][0])) for name in self.trained)
        return next((name for name, array in news if not np.isfinite(array).all()), None)

    def sizes(self, names: Iterable[str] | None = None) -> dict[str, Sizes]:
        """Returns the sizes of gradient and step of some variables, None for all, before the commit."""
        found = {}
        for name in self._gradients if names is None else [name for name in names if name in self._gradients]:
            gradient, new, old = self._sized_views[name]
            found[name] = Sizes(norm_of(gradient), change_of(new, old) if old.any() else math.inf)
        return found

    @functools.cached_property
    def _sized_views(self) -> dict[str, tuple[Array, Array, Array]]:
        """Views of the gradient of each trained variable, of its new value and of its old one."""
        uses = ((name, gradient, self.sources[name][0]) for name, gradient in self._gradients.items())
        return {
            name: (self.plan[gradient], self.plan.update_of(use), self.plan.source(use)) for name, gradient, use in uses
        }

    def port(self, name: str) -> Expression:
        """Returns the expression of an output port by its path."""
        path, _, port = name.rpartition(".")
        found = self._lowered.ports.get(PortName(path, port))
        if found is None:
            raise NameUnknownError(f"There is no port {name}.")
        return found

    def value(self, port: str) -> Array:
        """Returns the newest value of a watched port, a view."""
        return self.plan[self.port(port)]

    def gradient(self, port: str) -> Array:
        """Returns the newest gradient of a watched port; zeros if no path from the loss reaches it."""
        expression = self.port(port)
        total = self._lowered.backward.totals.get(expression)
        return np.zeros(expression.shape, expression.dtype) if total is None else self.plan[total]

    def _give_scalars(self, rate: float) -> None:
        rule = self.step.rule
        if rule is None or not self._scalar_views:
            return
        moves, rest = divmod(self.updates, self.step.accumulate)
        is_last = rest == self.step.accumulate - 1
        given = {**rule.update.coefficients(rate, moves + 1), "shrink": rate * rule.decoupled, _MOVES: float(is_last)}
        for name, view in self._scalar_views:
            view[()] = given[name]

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
        gradients = {name: -g if self.step.maximize else g for name, g in self._gradients.items()}
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
            self._memory[name] = memory
        return found

    def _scalar(self, name: str, dtype: np.dtype[Any]) -> Expression:
        if (name, dtype) not in self._scalars:
            self._scalars[name, dtype] = constant(np.zeros((), dtype))
        return self._scalars[name, dtype]

    def _assigned(self, name: str, port: str) -> Expression:
        value, uses = self.port(port), self.sources.get(name)
        if uses is None:
            raise NameUnknownError(f"{name} is on a page that nothing uses, so nothing can be assigned to it.")
        if value.spec != uses[0].spec:
            raise GradwireError(f"{port} is {value.spec}, and cannot be assigned to {name}, which is {uses[0].spec}.")
        return value


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


def _flags(checked: Iterable[Expression]) -> list[Expression]:
    """Returns a scalar for each dtype that is 0 if all elements are finite, else NaN: no other number times 0 is 0."""
    found: dict[np.dtype[Any], Expression] = {}
    for item in dict.fromkeys(checked):
        if item.spec.is_differentiable:
            zero = SumTo(item * 0.0, shape=())
            found[item.dtype] = found[item.dtype] + zero if item.dtype in found else zero
    return list(found.values())
