"""Chromium, driven over the protocol of WebDriver: pages are opened, used by mouse and keys, and read.

Source: W3C, WebDriver, https://www.w3.org/TR/webdriver2.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from base64 import b64decode
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

MISSING = "There is no Chromium here: pages were not opened"
# How an element is named in messages.
_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
_OPTIONS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
_OPTIONS += ["--force-device-scale-factor=1", "--window-size=1366,900"]
KEYS = {
    "Enter": "\ue007",
    "Escape": "\ue00c",
    "Tab": "\ue004",
    "Space": " ",
    "Shift": "\ue008",
    "Control": "\ue009",
    "End": "\ue010",
}
KEYS |= {"Home": "\ue011", "ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015"}
KEYS |= {"PageUp": "\ue00e", "PageDown": "\ue00f", "Control": "\ue009"}


@functools.cache
def programs() -> tuple[str, str] | None:
    """Returns the paths of the browser and its driver; None where one is missing."""
    names = ("chromium", "chromium-browser", "google-chrome")
    browser = next(filter(None, map(shutil.which, names)), None)
    driver = shutil.which("chromedriver")
    return None if browser is None or driver is None else (browser, driver)


class Browser:
    """A browser without a window, with one page."""

    # Exponentials and their like are the browser's: elsewhere what cancels may leave another remainder.
    rounds_as_chromium = True

    def __init__(self, address: str, browser: str) -> None:
        self._address = address
        options = {"binary": browser, "args": _OPTIONS}
        wishes = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        answer = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": wishes}})
        self._session = f"/session/{answer['sessionId']}"
        self.send("timeouts", {"script": 60_000, "pageLoad": 60_000})

    def open(self, path: Path, fragment: str = "") -> None:
        """Opens a file and waits until its script has said whether it lives."""
        self.send("url", {"url": "about:blank"})
        self.visit(path.resolve().as_uri() + fragment)

    def visit(self, address: str) -> None:
        """Opens an address, and waits the same."""
        self.send("url", {"url": address})
        self.wait("return document.documentElement.dataset.live !== undefined")

    def run(self, script: str, *arguments: object) -> Any:  # Any: what the script returns
        """Returns the result of the body of a function."""
        return self.send("execute/sync", {"script": script, "args": list(arguments)})

    def run_later(self, script: str, *arguments: object) -> Any:  # Any: what the script gives
        """Returns what the body of a function gives to the last of its arguments."""
        return self.send("execute/async", {"script": script, "args": list(arguments)})

    def wait(self, script: str, seconds: float = 20) -> None:
        """Waits until a script returns true."""
        end = time.monotonic() + seconds
        while not self.run(script):
            assert time.monotonic() < end, f"in vain: {script}"
            time.sleep(0.01)

    def frames(self) -> None:
        """Waits for two frames."""
        self.run_later("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))")

    def find(self, selector: str) -> dict[str, str]:
        """Returns the first element of a selector, as an argument of scripts and actions."""
        found: dict[str, str] = self.send("element", {"using": "css selector", "value": selector})
        return found

    def focus(self, selector: str) -> None:
        """Puts the focus on the first element of a selector."""
        self.run("document.querySelector(arguments[0]).focus()", selector)

    def press(self, *keys: str, held: Sequence[str] = ()) -> None:
        """Presses keys one after the other, by their names or letters, while others are held."""
        strokes = [("keyDown", key) for key in held]
        strokes += [(kind, key) for key in keys for kind in ("keyDown", "keyUp")]
        strokes += [("keyUp", key) for key in held]
        actions = [{"type": kind, "value": KEYS.get(key, key)} for kind, key in strokes]
        self.send("actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})
        self.frames()

    def drag(self, element: dict[str, str], moves: Sequence[tuple[int, int]], kind: str = "mouse") -> None:
        """Presses on the middle of an element, moves by some px, and lets go; without moves it clicks."""
        steps: list[dict[str, object]] = [{"type": "pointerMove", "origin": element, "x": 0, "y": 0}]
        steps.append({"type": "pointerDown", "button": 0})
        steps += [{"type": "pointerMove", "origin": "pointer", "x": x, "y": y, "duration": 12} for x, y in moves]
        steps.append({"type": "pointerUp", "button": 0})
        pointer = {"type": "pointer", "id": kind, "parameters": {"pointerType": kind}, "actions": steps}
        self.send("actions", {"actions": [pointer]})
        self.frames()

    def wheel(self, element: dict[str, str], by: int, held: Sequence[str] = ()) -> None:
        """Turns the wheel over the middle of an element, while keys are held. Units: `by` in px, down."""
        turn = {"type": "scroll", "x": 0, "y": 0, "deltaX": 0, "deltaY": by, "origin": element}
        pause = {"type": "pause", "duration": 0}
        keys = [{"type": kind, "value": KEYS[key]} for kind in ("keyDown", "keyUp") for key in held]
        keys.insert(len(held), pause)
        waits = [pause] * len(held)
        actions = [{"type": "wheel", "id": "wheel", "actions": [*waits, turn, *waits]}]
        self.send("actions", {"actions": [*actions, {"type": "key", "id": "keys", "actions": keys}]})
        self.frames()

    def command(self, name: str, **parameters: object) -> Any:  # Any: as Chromium answers
        """Sends a command of Chromium's own protocol."""
        return self.send("goog/cdp/execute", {"cmd": name, "params": parameters})

    def log(self, kind: str) -> list[str]:
        """Returns the messages of a log since the last call: `browser` or `performance`."""
        return [item["message"] for item in self.send("se/log", {"type": kind})]

    def requests(self) -> list[str]:
        """Returns the addresses that were asked for since the last call."""
        found = [json.loads(item)["message"] for item in self.log("performance")]
        sent = [item["params"]["request"]["url"] for item in found if item["method"] == "Network.requestWillBeSent"]
        return [url for url in sent if not url.startswith(("data:", "about:"))]

    def picture(self, path: Path) -> None:
        """Takes a picture of what is seen."""
        answer = self._ask("GET", f"{self._session}/screenshot", None)
        path.write_bytes(b64decode(answer))

    def close(self) -> None:
        """Ends the browser."""
        self._ask("DELETE", self._session, None)

    def send(self, command: str, body: object) -> Any:  # Any: as the driver answers
        """Sends a command of WebDriver to the session."""
        return self._ask("POST", f"{self._session}/{command}", body)

    def _ask(self, method: str, path: str, body: object) -> Any:  # Any: as the driver answers
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self._address + path, data, {"Content-Type": "application/json"}, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            with error:
                raise AssertionError(json.load(error)["value"]["message"][:600]) from None


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    """A running browser; a test that needs one is skipped where there is none."""
    found = programs()
    if found is None:
        pytest.skip(MISSING)
    browser, driver = found
    # Its own group of no windows: messages of the system's desktop are not for it.
    environment = {key: value for key, value in os.environ.items() if key != "DBUS_SESSION_BUS_ADDRESS"}
    process = subprocess.Popen(
        [driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    )
    try:
        assert process.stdout is not None
        line = next(line for line in process.stdout if "started successfully on port" in line)
        port = line.strip().rstrip(".").rpartition(" ")[2]
        page = Browser(f"http://127.0.0.1:{port}", browser)
        try:
            yield page
        finally:
            page.close()
    finally:
        process.terminate()
        process.communicate()
