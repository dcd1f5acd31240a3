"""Marks of tests that need more than every system has; each names what a system lacks."""

from __future__ import annotations

import os
import signal
import socket

import pytest

needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes (os.mkfifo)")
needs_forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork a process (os.fork)")
needs_sockets = pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="this system has no sockets with a path")
needs_stopping = pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="this system has no SIGKILL and SIGSTOP")
needs_modes = pytest.mark.skipif(os.name != "posix", reason="this system has no modes of POSIX")
needs_devices = pytest.mark.skipif(not os.path.exists("/dev/null"), reason="this system has no devices in /dev")
# As whoever installs has it in a container.
only_root = pytest.mark.skipif(getattr(os, "geteuid", lambda: -1)() != 0, reason="only root may give files away")
