"""Lines of source: whose they are."""

from __future__ import annotations

import pytest

from gradwire.interop.models.source_lines import package_of


@pytest.mark.parametrize(
    ("file", "package"),
    [
        ("/usr/lib/python3/dist-packages/torchvision/ops/boxes.py", "torchvision"),
        ("C:\\env\\Lib\\site-packages\\torchvision\\ops\\boxes.py", "torchvision"),
        ("/env/lib/python3.11/site-packages/single.py", "single"),
        ("/home/me/model.py", ""),
        ("/home/me/packages/model.py", ""),
    ],
)
def test_a_file_belongs_to_an_installed_package_or_to_the_user(file: str, package: str) -> None:
    assert package_of(file) == package
