"""The record of this process: where files cannot be locked, others judge by it whether the process still runs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import datetime

HOST = os.uname().nodename if hasattr(os, "uname") else ""
# With the process id, this identifies the process, even across containers.
STARTED = datetime.now()


def own_record() -> dict[str, object]:
    """Returns the id, the start and the host of this process."""
    return {"process": os.getpid(), "since": STARTED.isoformat(), "host": HOST}


def seems_alive(record: Mapping[str, object]) -> bool:
    """Returns whether the process of a record may run: one on another host may, one on this host must exist."""
    process, host = record.get("process"), record.get("host", "")
    if host != HOST:
        return bool(host)
    if not isinstance(process, int) or process <= 0:
        return False
    if process == os.getpid():
        return record.get("since") == STARTED.isoformat()
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # it is somebody else's
        return True
    return True
