"""What the daemon is called as a service of its machine."""

from __future__ import annotations

SERVICE = "ligretto-table"
UNIT = f"{SERVICE}.service"
UNIT_FILE = f"/etc/systemd/system/{UNIT}"
WEB_UNIT = f"{SERVICE}-web.service"
WEB_UNIT_FILE = f"/etc/systemd/system/{WEB_UNIT}"
DAEMON = "ligretto"
"""The user who the daemon is, unless the operator wants another."""
