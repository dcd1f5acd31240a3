"""The tag of a wheel: the stable ABI on one platform, or any platform where it is left out."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from packaging.tags import Tag, cpython_tags, mac_platforms

from hatch_build import stable_tag
from tests.packaging.building import built, copied

LINUX = ("manylinux_2_36_x86_64", "manylinux_2_28_x86_64", "manylinux2014_x86_64", "linux_x86_64")


def tags(version: tuple[int, int], platforms: Iterable[str], abis: Sequence[str] | None = None) -> list[Tag]:
    """Returns the tags of a CPython, as `packaging` lists them."""
    found = abis if abis is not None else [f"cp{version[0]}{version[1]}"]
    return list(cpython_tags(version, abis=found, platforms=list(platforms)))


@pytest.mark.parametrize(
    ("version", "platforms", "expected"),
    [
        ((3, 11), LINUX, "cp311-abi3-linux_x86_64"),
        ((3, 13), LINUX, "cp311-abi3-linux_x86_64"),
        ((3, 12), ("manylinux_2_28_aarch64", "linux_aarch64"), "cp311-abi3-linux_aarch64"),
        ((3, 13), ("musllinux_1_2_x86_64", "linux_x86_64"), "cp311-abi3-linux_x86_64"),
        ((3, 11), ("win_amd64",), "cp311-abi3-win_amd64"),
        ((3, 13), ("win_amd64",), "cp311-abi3-win_amd64"),
    ],
)
def test_a_wheel_is_for_the_stable_abi_of_its_platform(
    version: tuple[int, int], platforms: Sequence[str], expected: str
) -> None:
    assert stable_tag(tags(version, platforms)) == expected


@pytest.mark.parametrize(
    ("machine", "target", "expected"),
    [
        ("x86_64", "10.13", "cp311-abi3-macosx_10_13_x86_64"),
        ("arm64", "11.0", "cp311-abi3-macosx_11_0_arm64"),
    ],
)
def test_on_macos_the_oldest_system_is_the_one_it_is_built_for(
    monkeypatch: pytest.MonkeyPatch, machine: str, target: str, expected: str
) -> None:
    monkeypatch.setattr("platform.machine", lambda: machine)
    monkeypatch.setenv("MACOSX_DEPLOYMENT_TARGET", target)
    monkeypatch.delenv("ARCHFLAGS", raising=False)
    assert stable_tag(tags((3, 12), mac_platforms((14, 2), machine))) == expected


def test_a_python_without_the_global_lock_has_no_stable_abi() -> None:
    assert stable_tag(tags((3, 13), LINUX, ["cp313t"])) is None


@pytest.mark.long
def test_a_wheel_for_all_platforms_is_made_where_it_is_asked_for(tmp_path: Path) -> None:
    checkout = copied(tmp_path / "checkout", is_compiled=True)
    wheel, said = built(checkout, "wheel", tmp_path / "made", {"GRADWIRE_PURE": "1"})
    assert wheel.name.endswith("-py3-none-any.whl")
    assert not [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith((".so", ".pyd"))]
    assert "left out" not in said
