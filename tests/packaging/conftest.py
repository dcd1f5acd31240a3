"""Installations of this checkout, made once a run: from a wheel, and editable."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.packaging.building import ROOT, Environment, built, copied

# Names of our own folders, and names that other programs use for such folders, as modules of a user.
MODULES_OF_A_USER = ("app", "assets", "blocks", "engine", "examples", "lint", "scripts", "tests")


@pytest.fixture(scope="session", params=["wheel", "editable"])
def environment(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with Gradwire and the example of a plug-in, installed in one of two ways."""
    folder = tmp_path_factory.mktemp(request.param)
    checkout = copied(folder / "checkout", is_compiled=True)
    made = Environment(folder / "environment")
    if request.param == "wheel":
        program: tuple[str | Path, ...] = (built(checkout, "wheel", folder / "wheel")[0],)
    else:
        program = ("--editable", checkout)
    made.install(*program, ROOT / "examples" / "plugin")
    return made


@pytest.fixture
def users_folder(tmp_path: Path) -> Path:
    """A folder with packages and modules of a user; each says so when it is imported."""
    folder = tmp_path / "project"
    folder.mkdir()
    for name in MODULES_OF_A_USER:
        path = folder / f"{name}.py" if name in ("engine", "scripts") else folder / name / "__init__.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text("raise RuntimeError('this is a module of the user')\n")
    return folder
