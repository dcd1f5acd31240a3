"""Explanations of a run never fail behind the scenes of a test: a run would hide that in a warning."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gradwire.engine.autodiff import explanation_errors

ROOMS = {"causes", "explain"}


@pytest.fixture(autouse=True)
def no_explanation_fails(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    failed: list[str] = []
    if not ROOMS.isdisjoint(request.path.parts):
        monkeypatch.setattr(explanation_errors, "log_mistake", lambda text, error: failed.append(f"{text}: {error!r}"))
    yield
    assert not failed
