"""The window is tested in English, whatever the language of the machine."""

from __future__ import annotations

from PySide6.QtCore import QLocale

QLocale.setDefault(QLocale.c())
