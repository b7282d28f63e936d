"""What lamps and page are made from."""

from __future__ import annotations

from typing import NamedTuple

from firmware_host.show.news import News
from firmware_host.table.session import Session


class View(NamedTuple):
    """The present state of the table, and the last decisions that are still shown."""

    session: Session
    news: News
