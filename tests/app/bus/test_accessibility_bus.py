"""A client on a real accessibility bus reads the roles that a screen reader says."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = ("dbus-run-session", "Xvfb", "busctl")
LAUNCHERS = ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher")
# A window with the program's own radio buttons; it stays until it is ended.
SHOWS = """
from PySide6.QtWidgets import QApplication, QHBoxLayout
from gradwire.app.kit.controls.radio_button import RadioButton, RadioGroup
application = QApplication(["gradwire"])
box = RadioGroup("Evaluation", None)
layout = QHBoxLayout(box)
for name in ("Live", "Manual"):
    button = RadioButton(box)
    button.setText(name)
    button.setAccessibleName(name)
    button.setChecked(name == "Live")
    layout.addWidget(button)
box.show()
print("shown", flush=True)
application.exec()
"""
# Runs in a session bus of its own: starts a screen and the window, and prints each object of its tree.
READS = """
import json, os, subprocess, sys, time
screen = subprocess.Popen(["Xvfb", "-displayfd", "1", "-nolisten", "tcp"], stdout=subprocess.PIPE, text=True)
os.environ |= {"DISPLAY": f":{screen.stdout.readline().strip()}", "QT_QPA_PLATFORM": "xcb"}
os.environ["QT_LINUX_ACCESSIBILITY_ALWAYS_ON"] = "1"
shown = subprocess.Popen([sys.executable, "-c", sys.argv[1]], stdout=subprocess.PIPE, text=True)

def call(bus, *words):
    done = subprocess.run(["busctl", *bus, "--json=short", *words], capture_output=True, text=True)
    return json.loads(done.stdout)["data"] if done.returncode == 0 else None

def walk(bus, name, path, depth=0):
    part = "org.a11y.atspi.Accessible"
    (role,) = call(bus, "call", name, path, part, "GetRoleName")
    ((low, _),) = call(bus, "call", name, path, part, "GetState")
    title = call(bus, "get-property", name, path, part, "Name")
    print(json.dumps([depth, role, title, bool(low >> 4 & 1)]))
    for child in call(bus, "call", name, path, part, "GetChildren")[0]:
        walk(bus, *child, depth + 1)

try:
    assert shown.stdout.readline() == "shown\\n"
    address = call(["--user"], "call", "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress")
    bus = ["--address=" + address[0]]
    root = "/org/a11y/atspi/accessible/root"
    for _ in range(100):
        programs = call(bus, "call", "org.a11y.atspi.Registry", root, "org.a11y.atspi.Accessible", "GetChildren")
        if programs and programs[0]:
            break
        time.sleep(0.1)
    walk(bus, *programs[0][0])
finally:
    shown.kill()
    screen.kill()
"""


@pytest.fixture
def tree(tmp_path: Path) -> list[tuple[int, str, str, bool]]:
    """Depth, role, name and whether it is on, of each object of the window."""
    if sys.platform != "linux":
        pytest.skip("this accessibility bus is of Linux desktops")
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing or not any(map(os.path.exists, LAUNCHERS)):
        pytest.skip(f"no accessibility bus can be started: {', '.join(missing) or 'at-spi2-core'} is missing")
    command = ["dbus-run-session", "--", sys.executable, "-c", READS, SHOWS]
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, timeout=120)
    assert done.returncode == 0, done.stderr
    # The registry prints to the same output.
    return [tuple(json.loads(line)) for line in done.stdout.splitlines() if line.startswith("[")]


def test_radio_buttons_are_in_a_group_and_one_is_on(tree: list[tuple[int, str, str, bool]]) -> None:
    radios = [(name, is_on) for _, role, name, is_on in tree if role == "radio button"]
    assert radios == [("Live", True), ("Manual", False)]
    assert not [role for _, role, _, _ in tree if role == "check box"]
    (group,) = [depth for depth, _, name, _ in tree if name == "Evaluation"]
    assert {depth for depth, role, _, _ in tree if role == "radio button"} == {group + 1}
