"""Programs with a window in processes of their own, forked from one process that has imported all that they need.

Starting Python and importing takes longer than most of these programs run. Only Linux forks; elsewhere each starts by
itself. Programs whose imports are the matter start with `subprocess`.
"""

from __future__ import annotations

import atexit
import functools
import importlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PATIENCE = 120.0


class Program:
    """A program that runs a script; its output and errors are files of a folder, and it leads a process group."""

    def __init__(self, script: str, folder: Path, *arguments: str, variables: Mapping[str, str]) -> None:
        self._files = folder / "output", folder / "errors"
        variables = {**os.environ, "QT_QPA_PLATFORM": "offscreen", **variables}
        start = _Fork if sys.platform == "linux" else _started
        self._process = start(script, arguments, variables, self._files)
        self.pid = self._process.pid

    @property
    def output(self) -> str:
        """The text that it has printed."""
        return self._files[0].read_text()

    @property
    def errors(self) -> str:
        """The text on its error output."""
        return self._files[1].read_text()

    def poll(self) -> int | None:
        """Returns its exit code, or None while it runs."""
        return self._process.poll()

    def wait(self, seconds: float = PATIENCE) -> int:
        """Returns its exit code once it has ended."""
        end = time.monotonic() + seconds
        while (code := self.poll()) is None:
            if time.monotonic() > end:
                self.signal_group(signal.SIGKILL)
                raise TimeoutError(f"the program does not end: {self.errors}")
            time.sleep(0.005)
        return code

    def kill(self) -> None:
        """Ends it at once, but not the processes that it has started."""
        os.kill(self.pid, signal.SIGKILL)

    def signal_group(self, number: int) -> None:
        """Sends a signal to it and to the processes that it has started."""
        os.killpg(self.pid, number)


class _Fork:
    """A fork of the process that has imported everything."""

    def __init__(
        self, script: str, arguments: Sequence[str], variables: Mapping[str, str], files: Sequence[Path]
    ) -> None:
        paths = list(map(str, files))
        self.pid: int = _ask(script=script, arguments=arguments, variables=variables, files=paths)
        self._code: int | None = None

    def poll(self) -> int | None:
        if self._code is None:
            self._code = _ask(pid=self.pid)
        return self._code


def _started(
    script: str, arguments: Sequence[str], variables: Mapping[str, str], files: Sequence[Path]
) -> subprocess.Popen[bytes]:
    output, errors = (file.open("wb") for file in files)
    with output, errors:
        command = [sys.executable, "-c", script, *arguments]
        return subprocess.Popen(command, cwd=ROOT, env=variables, stdout=output, stderr=errors, start_new_session=True)


def _ask(**asked: object) -> Any:  # Any: an id, or an exit code
    server = _server()
    assert server.stdin is not None and server.stdout is not None
    print(json.dumps(asked), file=server.stdin, flush=True)
    return json.loads(server.stdout.readline())


@functools.cache
def _server() -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.app.programs"]
    server = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    atexit.register(server.communicate)
    return server


def serve() -> None:
    """Forks a program, or tells how one has ended, for each line of the standard input."""
    from gradwire.app.start.deferred_startup import PARTS

    for name in ("gradwire.app.__main__", "gradwire.app.cli.command_line", "gradwire.app.start.window", *PARTS):
        importlib.import_module(name)
    for line in sys.stdin:
        asked = json.loads(line)
        answer = _exit_code(asked["pid"]) if "pid" in asked else os.fork()
        if answer == 0 and "pid" not in asked:
            _run(**asked)
            break
        print(json.dumps(answer), flush=True)


def _exit_code(pid: int) -> int | None:
    found, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if found else None


def _run(script: str, arguments: list[str], variables: dict[str, str], files: list[str]) -> None:
    """Becomes the program, as if it were started with `python -c`."""
    os.setsid()
    os.environ.clear()
    os.environ.update(variables)
    for descriptor, path in enumerate((os.devnull, *files)):
        os.dup2(os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC), descriptor)
    sys.argv = ["-c", *arguments]
    exec(script, {"__name__": "__main__"})


if __name__ == "__main__":
    serve()


def note_first_start(folder: Path) -> None:
    """Writes settings of a user who has started the program before."""
    settings = folder / "gradwire" / "gradwire.ini"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text("[General]\ntour_offered=true\n")
