"""What a running table is called: its service, and its files, which are in the folder of its health page."""

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

SERVICE = "ligretto-table"
UNIT = f"{SERVICE}.service"
UNIT_FILE = f"/etc/systemd/system/{UNIT}"
WEB_UNIT = f"{SERVICE}-web.service"
WEB_UNIT_FILE = f"/etc/systemd/system/{WEB_UNIT}"
DAEMON = "ligretto"
"""The user who the daemon is, unless the operator wants another."""
