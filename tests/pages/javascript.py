"""The scripts of living pages without a page: run by Node where there is one, else by a browser."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any

import pytest

from gradwire import HOME
from tests.pages.browser import MISSING, chromium, programs

FOLDER = HOME / "assets" / "web"


def script(*names: str) -> str:
    """Returns some scripts of `assets/web` as one text."""
    return "\n".join((FOLDER / f"{name}.js").read_text(encoding="utf-8") for name in names)


def played(names: tuple[str, ...], body: str, argument: object) -> Any:  # Any: the JSON that the function returns
    """Returns what the body of an asynchronous function of `given` returns behind some scripts of `assets/web`.

    JSON has no NaN and infinity: the function's `plain` makes them texts, which `float` reads.
    """
    plain = "const plain = x => x && Array.from(x, v => Number.isFinite(v) ? v : String(v).replace('Infinity', 'inf'));"
    whole = f"{script(*names)}\n{plain}\nconst work = async given => {{ {body} }};"
    if shutil.which("node"):
        end = (
            "work(JSON.parse(require('fs').readFileSync(0, 'utf8'))).then(found => console.log(JSON.stringify(found)))"
        )
        command = ["node", "-e", f"(() => {{ {whole}\n{end} }})()"]
        done = subprocess.run(command, input=json.dumps(argument), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-2000:]
        return json.loads(done.stdout)
    if programs() is None:
        pytest.skip(f"{MISSING}, and there is no Node: the script was not run")
    with chromium() as browser:
        return json.loads(
            browser.run_later(
                f"{whole}\nwork(JSON.parse(arguments[0])).then(found => arguments[1](JSON.stringify(found)))",
                json.dumps(argument),
            )
        )
