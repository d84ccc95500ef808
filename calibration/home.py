"""Where hupai keeps what a user teaches it."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def home() -> Path:
    """The data directory: `HUPAI_HOME` where that is set, else the place that the platform has for such data."""
    if chosen := os.environ.get("HUPAI_HOME"):
        return Path(chosen).expanduser()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "hupai"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "hupai"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "hupai"
