"""Where an ordinary user's own, simulated table keeps what happens."""

from __future__ import annotations

import os
from pathlib import Path

FILE = "simulated.db"


def own_folder() -> Path:
    """The folder for what this user's programs keep from one run to the next."""
    named = os.environ.get("XDG_STATE_HOME", "")
    state = Path(named) if os.path.isabs(named) else Path("~/.local/state").expanduser()
    return state / "ligretto-table"


def simulated_store() -> Path:
    """The store of the simulated table."""
    return own_folder() / FILE
