"""Orders of features to the evaluator's process, which knows no more of them than who carries them out."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import ClassVar

from gradwire.app.live.parts import Parts


class News:
    """What the carrying out of an order tells the window, now or later."""


class Order:
    """Something to do in the evaluator's process; what takes long ends when another message waits.

    `server` is the class whose `take` does it there, as `module:class`: the window need not import that.
    """

    server: ClassVar[str]


class Desk(Parts):
    """The side of the process that has orders carried out; those who do keep what lasts from one to the next."""

    def __init__(self, tell: Callable[[News], object], is_interrupted: Callable[[], bool] = lambda: False) -> None:
        """`tell` takes the news; `is_interrupted` says that another message waits."""
        self.tell, self.is_interrupted = tell, is_interrupted

    def take(self, order: Order) -> None:
        """Has an order carried out."""
        module, _, name = order.server.partition(":")
        self.part(getattr(import_module(module), name)).take(order)
