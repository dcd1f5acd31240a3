"""What is said of PyTorch where it is missing or too old, and of how a model came in; PyTorch itself is not needed."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

import gradwire as gw
from gradwire.engine.files.file_reading import loads
from gradwire.engine.files.files import dumps
from tests.interop.pt2.recorded import Recorded


def test_a_missing_pytorch_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(gw.GradwireError, match="needs PyTorch, which is not installed"):
        gw.from_torch(abs, 1.0)


def test_an_old_pytorch_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(__version__="2.8.0+cpu"))
    with pytest.raises(gw.GradwireError, match=r"needs PyTorch 2\.9 or newer, and 2\.8\.0\+cpu is installed"):
        gw.from_torch(abs, 1.0)


def test_a_saved_model_keeps_its_notices() -> None:
    graph = gw.from_pt2(Recorded("models").model("kinks"))
    notices = gw.notices(graph)
    assert notices[-1].startswith("Saved by PyTorch 2.")
    assert any("of two equal numbers the first has the whole gradient here" in notice for notice in notices)
    assert gw.notices(loads(dumps(graph)).graph) == notices
    assert gw.notices(gw.from_code("y = exp(x)")) == []
