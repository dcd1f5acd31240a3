"""The scripts of living pages without a page: run by Node where there is one, else by a browser."""

from __future__ import annotations

import atexit
import functools
import json
import shutil
import subprocess
from typing import Any

import pytest

from gradwire import HOME
from tests.pages.browser import MISSING, chromium, programs

FOLDER = HOME / "assets" / "web"
# Each line brings a body of a function that returns an asynchronous one, and what that one is given.
LOOP = """
const tell = told => console.log(JSON.stringify(told));
require('readline').createInterface({input: process.stdin}).on('line', line => {
  const [code, given] = JSON.parse(line);
  Promise.resolve().then(() => new Function('require', code)(require)(given))
    .then(found => tell({found}), fault => tell({fault: String(fault.stack)}));
});
"""


def script(*names: str) -> str:
    """Returns some scripts of `assets/web` as one text."""
    return "\n".join((FOLDER / f"{name}.js").read_text(encoding="utf-8") for name in names)


class Node:
    """A process of Node that runs functions one after the other, for its start takes longer than most of them."""

    def __init__(self) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(["node", "-e", LOOP], stdin=pipe, stdout=pipe, text=True, encoding="utf-8")
        atexit.register(self.close)

    def run(self, code: str, argument: object) -> Any:  # Any: the JSON that the function returns
        """Returns the result of the asynchronous function that a function's body returns."""
        assert self._process.stdin is not None and self._process.stdout is not None
        print(json.dumps([code, argument]), file=self._process.stdin, flush=True)
        told = json.loads(self._process.stdout.readline())
        assert "fault" not in told, told["fault"]
        return told["found"]

    def close(self) -> None:
        """Ends the process."""
        self._process.kill()
        self._process.communicate()


@functools.cache
def node() -> Node:
    """Returns the process of Node of these tests."""
    return Node()


def played(names: tuple[str, ...], body: str, argument: object) -> Any:  # Any: the JSON that the function returns
    """Returns what the body of an asynchronous function of `given` returns behind some scripts of `assets/web`.

    JSON has no NaN and infinity: the function's `plain` makes them texts, which `float` reads.
    """
    plain = "const plain = x => x && Array.from(x, v => Number.isFinite(v) ? v : String(v).replace('Infinity', 'inf'));"
    whole = f"{script(*names)}\n{plain}\nconst work = async given => {{ {body} }};"
    if shutil.which("node"):
        return node().run(f"{whole}\nreturn work;", argument)
    if programs() is None:
        pytest.skip(f"{MISSING}, and there is no Node: the script was not run")
    with chromium() as browser:
        return json.loads(
            browser.run_later(
                f"{whole}\nwork(JSON.parse(arguments[0])).then(found => arguments[1](JSON.stringify(found)))",
                json.dumps(argument),
            )
        )
