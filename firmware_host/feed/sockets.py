"""What the files of a running table are called; its sockets are in the folder of its health page."""

from __future__ import annotations

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
