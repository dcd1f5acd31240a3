"""Explanations of these tests never fail behind the scenes: a run would hide that in a warning."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gradwire.engine.autodiff import explanation_errors


@pytest.fixture(autouse=True)
def no_explanation_fails(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    failed: list[str] = []
    monkeypatch.setattr(explanation_errors, "log_mistake", lambda text, error: failed.append(f"{text}: {error!r}"))
    yield
    assert not failed
