"""One browser for all tests of pages."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.pages.browser import Browser, chromium
from tests.pages.firefox import firefox


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser; it starts with the first test that opens a page.

    It is Chromium, and with GRADWIRE_BROWSER=firefox Firefox, which is tried weekly.
    """
    is_firefox = os.environ.get("GRADWIRE_BROWSER") == "firefox"
    with firefox(tmp_path_factory.mktemp("profile")) if is_firefox else chromium() as found:
        yield found
