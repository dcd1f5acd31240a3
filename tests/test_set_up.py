"""Setup on a machine with something missing: one sentence and one command, never a bare failure."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gradwire.app.start.qt_libraries import INSTALLERS, ROWS

SCRIPT = Path(__file__).parent.parent / "scripts" / "make_environment.sh"
LIBRARIES = SCRIPT.with_name("system_libraries.sh")
MAKEFILE = Path(__file__).parent.parent / "Makefile"
TARGETS = re.findall(r"^([a-z-]+):", MAKEFILE.read_text("utf-8"), re.MULTILINE)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="on Windows the README gives the commands themselves")


def set_up(folder: Path, python: str) -> subprocess.CompletedProcess[str]:
    environment = {"PYTHON": python, "PATH": "/usr/bin:/bin"}
    command = ["sh", str(SCRIPT), str(folder / "environment")]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def fake_python(folder: Path, *, refuses: str) -> str:
    """Creates a program that stands for a Python; it fails on source code that contains `refuses`."""
    path = folder / "python"
    path.write_text(f'#!/bin/sh\ncase "$2" in *"{refuses}"*) exit 1;; esac\nexit 0\n')
    path.chmod(0o755)
    return str(path)


def test_without_a_python_the_command_that_installs_it_is_named(tmp_path: Path) -> None:
    done = set_up(tmp_path, "no-such-python")
    assert done.returncode == 1
    assert "Gradwire needs Python 3.11 or newer and found none." in done.stderr
    assert "install" in done.stderr.splitlines()[-1]


def test_a_python_that_is_too_old_counts_as_none(tmp_path: Path) -> None:
    done = set_up(tmp_path, fake_python(tmp_path, refuses="version_info"))
    assert done.returncode == 1
    assert "found none" in done.stderr


def test_a_python_that_cannot_make_environments_is_named(tmp_path: Path) -> None:
    python = fake_python(tmp_path, refuses="ensurepip")
    done = set_up(tmp_path, python)
    assert done.returncode == 1
    assert f"Gradwire found {python}, but not the part that makes virtual environments." in done.stderr


def test_a_suitable_python_makes_the_environment(tmp_path: Path) -> None:
    # Python installs pip into an environment by itself, which takes a hundred times as long as the rest.
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\n[ "$2" = venv ] && set -- "$@" --without-pip\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    done = set_up(tmp_path, str(python))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "environment" / "pyvenv.cfg").exists()


def numbered_python(path: Path, version: str) -> Path:
    """Creates a program that stands for a Python of a version; the environment that it makes names its folder."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(
        "#!/bin/sh\n"
        f'case "$2" in venv) mkdir "$3"; echo {path.parent.name} > "$3/python"; exit;; esac\n'
        f"code=$2; shift 2\n"
        f'exec {sys.executable} -c "import sys; sys.version_info = ({version.replace(".", ", ")}, 0); $code" "$@"\n'
    )
    path.chmod(0o755)
    return path


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system's own Python is left alone")
@pytest.mark.parametrize(
    ("system", "own", "chosen"),
    [("3.12", "3.12", "system"), ("3.13", "3.12", "system"), ("3.11", "3.12", "own"), ("3.10", "3.11", "own")],
)
def test_the_systems_python_goes_first_unless_the_users_is_newer(
    tmp_path: Path, system: str, own: str, chosen: str
) -> None:
    other = numbered_python(tmp_path / "system" / "python3", system)
    numbered_python(tmp_path / "own" / "python3", own)
    environment = {"SYSTEM_PYTHON": str(other), "PATH": f"{tmp_path / 'own'}:/usr/bin:/bin"}
    command = ["sh", str(SCRIPT), str(tmp_path / "environment")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "environment" / "python").read_text().strip() == chosen


needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere Qt brings all that it needs")
needs_debian = pytest.mark.skipif(not Path("/etc/debian_version").exists(), reason="the decision asks for Debian")


class Machine:
    """Folder of fake programs as the whole PATH: the loader's list, the user's identity, the package managers."""

    def __init__(self, folder: Path, *managers: str, lists: str = "", user: int = 1000, fails: bool = False) -> None:
        self.folder, self.log = folder, folder / "log"
        for tool in ("sh", "grep", "awk", "sed", "dirname", "uname"):
            (folder / tool).symlink_to(str(shutil.which(tool)))
        self.add("ldconfig", f"printf '{lists}'")
        self.add("id", f"echo {user}")
        for manager in managers:
            self.add(manager, f'echo "{manager} $*" >> {self.log}\nexit {int(fails)}')
        self.add("sudo", f'echo "sudo" >> {self.log}\n"$@"')

    def add(self, name: str, script: str) -> None:
        (self.folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (self.folder / name).chmod(0o755)

    def run(self, mode: str) -> subprocess.CompletedProcess[str]:
        command = ["/bin/sh", str(LIBRARIES), mode]
        return subprocess.run(command, capture_output=True, text=True, check=False, env={"PATH": str(self.folder)})

    @property
    def logged(self) -> list[str]:
        return self.log.read_text().splitlines() if self.log.exists() else []


def listing(*absent: str) -> str:
    """Returns the loader's list where only some libraries are absent."""
    return "".join(f"\t{row.library} (libc6,x86-64) => /{row.library}\\n" for row in ROWS if row.library not in absent)


@needs_linux
@pytest.mark.parametrize("mode", ["check", "install", "prepare"])
def test_where_no_library_is_missing_nothing_is_said_or_done(tmp_path: Path, mode: str) -> None:
    machine = Machine(tmp_path, "apt-get", lists=listing(), user=0)
    done = machine.run(mode)
    assert (done.returncode, done.stdout, done.stderr, machine.logged) == (0, "", "", [])


@needs_linux
@pytest.mark.parametrize("manager", INSTALLERS)
def test_the_command_names_every_missing_package_once(tmp_path: Path, manager: str) -> None:
    done = Machine(tmp_path, manager).run("check")
    column = list(INSTALLERS).index(manager)
    packages = dict.fromkeys(row.packages[column] for row in ROWS)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].split() == ["sudo", *INSTALLERS[manager].split(), *packages]


@needs_linux
def test_only_what_is_missing_is_named(tmp_path: Path) -> None:
    done = Machine(tmp_path, "apt-get", lists=listing("libEGL.so.1")).run("check")
    assert done.stderr == (
        "Qt needs system libraries that are missing: libEGL.so.1. Install them with:\n"
        "    sudo apt-get install --yes libegl1\n"
    )


@needs_linux
def test_the_newer_name_of_glib_is_used_where_it_is_known(tmp_path: Path) -> None:
    machine = Machine(tmp_path, "apt-get", lists=listing("libglib-2.0.so.0", "libGL.so.1"))
    machine.add("apt-cache", '[ "$2" = libglib2.0-0t64 ]')
    assert machine.run("check").stderr.endswith("--yes libglib2.0-0t64 libgl1\n")


@needs_linux
def test_without_a_known_package_manager_the_libraries_are_named(tmp_path: Path) -> None:
    done = Machine(tmp_path, lists=listing("libEGL.so.1")).run("check")
    assert done.returncode == 1
    assert done.stderr.endswith("missing: libEGL.so.1. Install the packages that hold them.\n")


@needs_linux
def test_install_says_what_it_does_and_asks_sudo(tmp_path: Path) -> None:
    machine = Machine(tmp_path, "apt-get", lists=listing("libEGL.so.1"))
    done = machine.run("install")
    assert done.returncode == 0
    assert done.stdout == ("Installing the system libraries that Qt needs: sudo apt-get install --yes libegl1\n")
    assert machine.logged == ["sudo", "apt-get update -qq", "sudo", "apt-get install --yes libegl1"]


@needs_linux
@needs_debian
def test_root_on_debian_gets_what_is_missing(tmp_path: Path) -> None:
    machine = Machine(tmp_path, "apt-get", lists=listing("libEGL.so.1"), user=0)
    done = machine.run("prepare")
    assert (done.returncode, done.stderr, done.stdout.count("\n")) == (0, "", 1)
    assert machine.logged == ["apt-get update -qq", "apt-get install --yes libegl1"]


@needs_linux
@pytest.mark.parametrize(("manager", "user"), [("apt-get", 1000), ("dnf", 0)])
def test_nobody_else_does(tmp_path: Path, manager: str, user: int) -> None:
    machine = Machine(tmp_path, manager, lists=listing("libEGL.so.1"), user=user)
    done = machine.run("prepare")
    assert done.returncode == 0
    assert "Install them with:" in done.stderr
    assert machine.logged == []


@needs_linux
@needs_debian
def test_an_installation_that_fails_says_the_command_and_goes_on(tmp_path: Path) -> None:
    done = Machine(tmp_path, "apt-get", lists=listing("libEGL.so.1"), user=0, fails=True).run("prepare")
    assert done.returncode == 0
    assert done.stderr.endswith("    apt-get install --yes libegl1\n")


BROWSER = ["apt-get update -qq", "apt-get install --yes --no-install-recommends chromium chromium-driver"]
OS_RELEASE = Path("/etc/os-release")
is_debian = OS_RELEASE.exists() and "\nID=debian" in OS_RELEASE.read_text("utf-8")


@needs_linux
@pytest.mark.skipif(not is_debian, reason="the decision asks for Debian")
@pytest.mark.parametrize("fails", [False, True])
def test_root_on_debian_gets_the_browser_of_the_tests(tmp_path: Path, fails: bool) -> None:
    machine = Machine(tmp_path, "apt-get", lists=listing(), user=0, fails=fails)
    done = machine.run("browser")
    assert (done.returncode, done.stderr, done.stdout.count("\n")) == (0, "", 1)
    assert machine.logged == BROWSER


@needs_linux
@pytest.mark.parametrize(
    ("has_driver", "user", "manager"), [(True, 0, "apt-get"), (False, 1000, "apt-get"), (False, 0, "dnf")]
)
def test_nobody_else_gets_a_browser(tmp_path: Path, has_driver: bool, user: int, manager: str) -> None:
    machine = Machine(tmp_path, manager, lists=listing(), user=user)
    if has_driver:
        machine.add("chromedriver", "exit 0")
    done = machine.run("browser")
    assert (done.returncode, done.stdout, done.stderr, machine.logged) == (0, "", "", [])


def test_the_script_and_the_program_know_the_same_commands() -> None:
    script = LIBRARIES.read_text()
    found = [f"find_command {column} {words}\n" for column, words in enumerate(INSTALLERS.values(), start=2)]
    assert all(line in script for line in found)


@pytest.mark.skipif(shutil.which("make") is None, reason="no make")
@pytest.mark.parametrize("target", TARGETS)
def test_each_target_works_in_a_fresh_checkout(target: str, tmp_path: Path) -> None:
    for file in ("pyproject.toml", "constraints.txt", "hatch_build.py"):
        (tmp_path / file).touch()
    shutil.copy(MAKEFILE, tmp_path)
    done = subprocess.run(["make", "--dry-run", target], cwd=tmp_path, capture_output=True, text=True, check=True)
    used, made = done.stdout.find(".venv/bin/"), done.stdout.find("scripts/make_environment.sh .venv")
    assert (used < 0) == (made < 0)
    assert made <= used
