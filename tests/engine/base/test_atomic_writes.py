"""Temporary files: the old content stays whole until the new one has taken its name."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from gradwire.engine.base.atomic_writes import Temporary, remove_leftovers, replace_content
from gradwire.engine.base.system_reasons import Refused

LEFT = ".gradwire-0123456789ab.tmp"


def test_the_new_content_takes_the_name_and_nothing_stays_beside_it(tmp_path: Path) -> None:
    target = tmp_path / "a.graph"
    target.write_bytes(b"old")
    replace_content(str(target), b"new" * 1000)
    assert target.read_bytes() == b"new" * 1000
    assert os.listdir(tmp_path) == ["a.graph"]


def test_what_never_takes_the_name_leaves_the_old_content_alone(tmp_path: Path) -> None:
    target = tmp_path / "a.graph"
    target.write_bytes(b"old")
    with Temporary(str(tmp_path), 0o600) as temporary:
        temporary.write(b"half")
    assert os.listdir(tmp_path) == ["a.graph"] and target.read_bytes() == b"old"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "a.graph", tmp_path / "b.graph"
    target.write_bytes(b"old")
    link.symlink_to(target)
    replace_content(str(link), b"new")
    assert link.is_symlink() and target.read_bytes() == b"new"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot rename an open file")
def test_a_file_is_open_and_so_locked_until_it_has_its_name(tmp_path: Path) -> None:
    with Temporary(str(tmp_path), 0o600) as temporary:
        temporary.write(b"new")
        temporary.become(str(tmp_path / "a.graph"))
        assert os.fstat(temporary.descriptor).st_size == 3
    with pytest.raises(OSError, match="file descriptor"):
        os.fstat(temporary.descriptor)


def test_only_what_a_dead_process_left_is_removed(tmp_path: Path) -> None:
    (tmp_path / LEFT).write_bytes(b"")
    others = ["a.graph", ".gradwire-0123456789abc.tmp", ".gradwire-0123456789aB.tmp"]
    for name in [*others, LEFT]:
        (tmp_path / name).write_bytes(b"")
    with Temporary(str(tmp_path), 0o600) as temporary:
        remove_leftovers(str(tmp_path))
        assert sorted(os.listdir(tmp_path)) == sorted([*others, os.path.basename(temporary.path)])


def test_room_is_taken_in_advance(tmp_path: Path) -> None:
    with Temporary(str(tmp_path), 0o600) as temporary:
        temporary.reserve(5000)
        assert os.fstat(temporary.descriptor).st_size == 5000


def test_a_folder_that_is_gone_is_named(tmp_path: Path) -> None:
    with pytest.raises((Refused, OSError), match="gone"), Temporary(str(tmp_path / "gone"), 0o600):
        pass
