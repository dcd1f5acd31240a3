"""Tests of an installation; `make test-install` makes one and says where it is."""

from __future__ import annotations

import os

collect_ignore_glob = [] if "GRADWIRE_INSTALLED" in os.environ else ["test_*.py"]
