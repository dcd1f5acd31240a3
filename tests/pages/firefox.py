"""Firefox, driven over its own protocol, which geckodriver only translates: no driver need be installed.

Source: Mozilla, Marionette, https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import socket
import subprocess
import time
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.pages.browser import Browser

MISSING = "There is no Firefox here: pages were not opened"
# What WebDriver's commands are called there.
_NAMES = {
    "actions": "PerformActions",
    "element": "FindElement",
    "execute/async": "ExecuteAsyncScript",
    "execute/sync": "ExecuteScript",
    "frame": "SwitchToFrame",
    "timeouts": "SetTimeouts",
    "url": "Navigate",
}


class Firefox(Browser):
    """A browser without a window, with one page; it has no logs, and none of Chromium's own commands."""

    rounds_as_chromium = False

    def __init__(self, port: int) -> None:
        self._socket = _connected(port)
        self._answers, self._count = self._socket.makefile("rb"), 0
        self._answer()
        self._call("WebDriver:NewSession", {})
        self.send("timeouts", {"script": 60_000, "pageLoad": 60_000})

    def send(self, command: str, body: Any) -> Any:  # Any: as WebDriver has them
        """Sends a command of WebDriver; scripts run beside those of the page."""
        # A frame is named in another way there.
        body = {"element": body["id"]} if command == "frame" else body
        more = {"sandbox": None} if command.startswith("execute") else {}
        found = self._call(f"WebDriver:{_NAMES[command]}", {**body, **more})
        return found["value"] if set(found) == {"value"} else found

    def log(self, kind: str) -> list[str]:  # noqa: ARG002 - as Chromium's
        """Returns nothing: Firefox has no logs for WebDriver."""
        return []

    def requests(self) -> list[str]:
        """Returns the page alone, for Firefox notes no requests."""
        return [str(self.run("return location.href"))]

    def command(self, name: str, **parameters: object) -> Any:  # noqa: ARG002 - as Chromium's
        """Skips a test that needs Chromium's own protocol."""
        pytest.skip(f"Firefox has no {name}")

    def picture(self, path: Path) -> None:
        """Takes a picture of what is seen."""
        path.write_bytes(b64decode(self._call("WebDriver:TakeScreenshot", {"full": False})["value"]))

    def close(self) -> None:
        """Ends the connection."""
        self._answers.close()
        self._socket.close()

    def _call(self, name: str, parameters: object) -> Any:  # Any: as Firefox answers
        self._count += 1
        text = json.dumps([0, self._count, name, parameters]).encode()
        self._socket.sendall(f"{len(text)}:".encode() + text)
        _, _, error, result = self._answer()
        assert error is None, str(error["message"])[:600]
        return result

    def _answer(self) -> Any:  # Any: as Firefox answers
        length = b""
        while (letter := self._answers.read(1)) != b":":
            assert letter, "Firefox has ended"
            length += letter
        return json.loads(self._answers.read(int(length)))


@contextlib.contextmanager
def firefox(folder: Path) -> Iterator[Browser]:
    """A running Firefox with a new profile in a folder; a test that needs one is skipped where there is none."""
    program = shutil.which("firefox") or shutil.which("firefox-esr")
    if program is None:
        pytest.skip(MISSING)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (folder / "user.js").write_text(f'user_pref("marionette.port", {port});\n', encoding="utf-8")
    process = subprocess.Popen(
        [program, "--headless", "--marionette", "--no-remote", "--profile", str(folder)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        page = Firefox(port)
        try:
            yield page
        finally:
            page.close()
    finally:
        process.terminate()
        process.wait()


def _connected(port: int) -> socket.socket:
    end = time.monotonic() + 60
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), 120)
        except OSError:
            assert time.monotonic() < end, "Firefox has not started"
            time.sleep(0.1)
