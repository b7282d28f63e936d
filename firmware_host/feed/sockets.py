"""What the files of a running table are called; its sockets are in the folder of its health page."""

from __future__ import annotations

import socket
import time
from pathlib import Path

FEED_SOCKET = "feed.sock"
"""What the table does, for everybody on this machine."""
TELL_SOCKET = "tell.sock"
"""Commands of an operator."""
HANDS_SOCKET = "hands.sock"
"""The hands of visitors at a simulated table."""
FAULTS_SOCKET = "faults.sock"
"""What is to go wrong with the devices of a simulated table."""
HEALTH_FILE = "health.json"
"""How it is, written every few seconds."""

TRY_AGAIN_S = 0.01


def connect(connection: socket.socket, path: Path, patience_s: float) -> None:
    """Connect, also where so many others wait that the system refuses more for the moment; OSError if not."""
    end_s = time.monotonic() + patience_s
    connection.settimeout(patience_s)
    while True:
        try:
            return connection.connect(str(path))
        except BlockingIOError:
            if time.monotonic() >= end_s:
                raise TimeoutError("too many others wait there") from None
        time.sleep(TRY_AGAIN_S)
