"""Refusals of what comes in from outside."""

from __future__ import annotations

from gradwire.engine.base.errors import GradwireError


class ModelRefusal(GradwireError):
    """A model that cannot come in: one sentence that says what, where, and what to do."""
