"""What lamps and scoreboard are made from."""

from __future__ import annotations

from typing import NamedTuple

from firmware_host.show.news import News
from firmware_host.table.session import Session


class View(NamedTuple):
    """The table as it is now, and what people should still see of what was."""

    session: Session
    news: News
