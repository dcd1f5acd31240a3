"""The commands on a graph with a loop."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gradwire.app.cli.command_line import main as command
from gradwire.engine.files.file_writing import dumps
from tests.engine.loop_graphs import recurrence


def test_the_command_prints_each_round(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rec.graph"
    path.write_text(dumps(recurrence()))
    assert command(["run", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["ports"]["main/rec[3]/m.z"]["value"]["data"] == [102]
    wires = {(wire["from"], wire["to"]): wire for wire in found["wires"]}
    blocked = wires["main/rec[1].h", "main/rec[2].h"]
    assert (blocked["status"], blocked["by"], blocked["withheld"]["data"]) == ("blocked", ["main/rec[2]/h"], [4])
    assert command(["run", str(path), "--json", "--ignore-stop=main/rec[2]/h"]) == 0
    assert json.loads(capsys.readouterr().out)["ports"]["main/h.y"]["gradient"]["data"] == [16]
    assert command(["check", str(path)]) == 0
