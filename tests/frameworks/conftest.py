"""These tests need PyTorch, JAX or TensorFlow, which Gradwire itself does not: `make test-frameworks` installs them."""

from __future__ import annotations

from tests.frameworks.installed import INSTALLED

collect_ignore_glob = [] if INSTALLED else ["test_*.py"]
