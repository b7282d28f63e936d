#!/usr/bin/env python3
"""Lets a WLED controller shine for the seat that has won, and go out when the table is free again.

    win_lights.py http://wled.local/json/state [FEED]

Preset 1 of the controller is for seat 1, and so on. A win is not missed while the table restarts: the program
goes on with the step after the last one that it has seen.
"""

import json
import sys
import time
import urllib.request
from pathlib import Path

from firmware_host.feed.feed_client import FeedLost, FeedReader


def shine(lights, state):
    """Tell the lights; if they can't be reached, the next win is tried again."""
    asked = urllib.request.Request(lights, json.dumps(state).encode(), {"Content-Type": "application/json"})
    try:
        urllib.request.urlopen(asked, timeout=3).close()
    except OSError as error:
        print(f"{lights}: {error}", file=sys.stderr)


def follow(reader, lights):
    """Do what the table tells, until it tells nothing any more."""
    for told in reader:
        for effect in told.get("effects", ()):
            if effect["is"] == "MatchEnded":
                seats = reader.state["seats"]
                names = [seats[str(seat)].get("name", f"seat {seat}") for seat in effect["winners"]]
                print(f"won by {' and '.join(names)}", flush=True)
                shine(lights, {"on": True, "ps": effect["winners"][0]})
            elif effect["is"] == "PhaseEntered" and effect["phase"] == "ATTRACT":
                shine(lights, {"on": False})


def main(lights, feed="/run/ligretto-table/feed.sock"):
    since = None
    while True:
        try:
            reader = FeedReader(Path(feed), since)
        except FeedLost:
            time.sleep(1)  # the table does not run now
            continue
        try:
            follow(reader, lights)
        except FeedLost as error:
            print(error, file=sys.stderr, flush=True)
        since = (reader.session, reader.n) if reader.session else None
        reader.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
