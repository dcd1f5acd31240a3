"""`gradwire check --try-fixes`: what the fixes would give after some rounds of training."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gradwire.app.cli.command_line import main
from tests.engine.advice.cases import HERE

CLIPPED = str(HERE / "lint" / "m19_clipped_loss.graph")
NOTHING = str(HERE / "field" / "24_mean_of_nothing.graph")


def test_the_text_has_both_losses(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--try-fixes", CLIPPED]) == 0
    said = capsys.readouterr().out
    # All four errors are above the bound of 1, so that nothing moves without the fix.
    assert "fix: main/ClipByValue: Remove the clamp: in " in said
    assert said.rstrip().endswith("without the fix from 1 to 1.")


def test_without_the_option_no_fix_is_tried(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--json", CLIPPED]) == 0
    assert "tried_fixes" not in json.loads(capsys.readouterr().out)


def test_json_writes_what_is_not_finite_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--json", "--try-fixes", NOTHING])
    (tried,) = json.loads(capsys.readouterr().out)["tried_fixes"]
    assert (tried["at"], tried["fix"]) == ("main/Divide", "Use DivNoNan")
    # No pair counts: the mean of nothing is NaN without the fix, and 0 with it.
    assert tried["losses"]["without"] == ["nan", "nan"] and tried["losses"]["with"] == [0.0, 0.0]


def test_the_file_stays_as_it_is(tmp_path: Path) -> None:
    copy = tmp_path / "copy.graph"
    copy.write_bytes(before := Path(CLIPPED).read_bytes())
    main(["check", "--quiet", "--try-fixes", str(copy)])
    assert copy.read_bytes() == before
