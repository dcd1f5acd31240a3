"""What is said of PyTorch where it is missing or too old, and of how a model came in; PyTorch itself is not needed."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

import gradwire as gw
from gradwire.engine.files.file_reading import loads
from gradwire.engine.files.files import dumps
from gradwire.interop.torch.versions import with_version
from tests.interop.pt2.recorded import Recorded


def test_a_missing_pytorch_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(gw.GradwireError, match="needs PyTorch, which is not installed"):
        gw.from_torch(abs, 1.0)


def test_an_old_pytorch_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(__version__="2.8.0+cpu"))
    said = r"needs PyTorch 2\.9 or newer, and 2\.8\.0\+cpu is installed; pip install --upgrade torch"
    with pytest.raises(gw.GradwireError, match=said):
        gw.from_torch(abs, 1.0)


@pytest.mark.parametrize(
    ("installed", "ending"),
    [("2.9.1+cpu", "; PyTorch 2.13 and newer can do this"), ("2.13.0", ""), ("2.14.1+cu130", ""), ("3.0.0a0", "")],
)
def test_what_a_newer_pytorch_can_do_is_said_to_users_of_an_older_one(
    installed: str, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(__version__=installed))
    said = "apply() takes no keyword arguments"
    assert with_version(said) == said + ending


def test_a_saved_model_keeps_its_notices() -> None:
    graph = gw.from_pt2(Recorded("models").model("kinks"))
    notices = gw.notices(graph)
    assert notices[-1].startswith("Saved by PyTorch 2.")
    assert any("of two equal numbers the first has the whole gradient here" in notice for notice in notices)
    assert gw.notices(loads(dumps(graph)).graph) == notices
    assert gw.notices(gw.from_code("y = exp(x)")) == []
