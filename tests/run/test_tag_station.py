"""A station: the readers and the scoreboard of a profile, and nothing else of the table."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from firmware_host.model.times import S
from firmware_host.run.equipment import Report
from firmware_host.run.table_files import load_profile
from firmware_host.workshop.enrolling.tag_station import TagStation, real_station, simulated_station
from hw.ports import Condition, Health, TagRead
from hw.sim.pn532 import SimTag

UID = bytes.fromhex("04a1b2c3")


def listen(station: TagStation, until_ns: int) -> list[Report]:
    reports: list[Report] = []
    while station.clock.now_ns() < until_ns:
        reports += station.step(until_ns)
    return reports


def test_tags_are_told_with_the_number_of_their_reader_in_the_profile() -> None:
    station, site = simulated_station(load_profile("cards4"))
    site.agenda.at(1 * S, lambda: site.readers["pad-3"].put(SimTag(UID)))
    (read,) = listen(station, 2 * S)
    assert isinstance(read, TagRead)
    assert (station.spots[read.reader].name, read.uid, read.present) == ("pad-3", UID, True)
    station.close()
    station.close()


def test_the_scoreboard_shows_what_it_is_told_and_is_blank_in_the_end() -> None:
    station, site = simulated_station(load_profile("cards4"))
    station.scoreboard.show(("one", "two"))
    listen(station, 2 * S)
    assert site.sign.lines == ("one", "two")
    station.close()
    site.cables["scoreboard"].deliver_all()
    assert site.sign.lines == ("", "")


def test_no_line_and_no_bus_is_touched() -> None:
    station, site = simulated_station(load_profile("dice4-rfid"))
    listen(station, 1 * S)
    assert site.bus.opened == 0
    assert len(site.pins.pins) == len(site.banks), "the ends of their interrupt wires, and no more"
    assert len(station.owners) == 28 + 1
    station.close()


def test_a_reader_is_told_to_be_back_before_what_it_has_read() -> None:
    station, site = simulated_station(load_profile("cards4"))
    site.readers["pad-1"].put(SimTag(UID))
    site.agenda.at(1 * S, site.cables["pad-1"].unplug)
    site.agenda.at(2 * S, site.cables["pad-1"].plug)
    reports = listen(station, 5 * S)
    back = reports.index(Health("pad-1", Condition.OK))
    reads = [number for number, report in enumerate(reports) if isinstance(report, TagRead)]
    assert len(reads) == 2
    assert reads[0] < reports.index(
        Health("pad-1", Condition.LOST, "was unplugged", "check its plug and its power")
    )
    assert back < reads[1]
    station.close()


def test_a_profile_without_a_sign_has_a_station_too() -> None:
    station, _ = simulated_station(replace(load_profile("cards4"), sign_port=""))
    station.scoreboard.show(("nobody", "reads it"))
    listen(station, 1 * S)
    station.close()


def test_on_a_machine_without_any_of_it_everything_is_told_to_be_missing(tmp_path: Path) -> None:
    """Also on one without GPIO: no line is asked for."""
    profile = load_profile("cards4")
    spots = tuple(replace(spot, port=os.fspath(tmp_path / spot.name)) for spot in profile.readers)
    profile = replace(profile, readers=spots, sign_port=os.fspath(tmp_path / "sign"))
    station = real_station(profile)
    told: dict[str, Condition] = {}
    while len(told) < 5:
        for report in station.step(station.clock.now_ns() + 10 * S):
            assert isinstance(report, Health)
            assert report.seen == "is not plugged in"
            told[report.name] = report.condition
    assert set(told) == {"pad-1", "pad-2", "pad-3", "pad-4", "scoreboard"}
    assert set(told.values()) == {Condition.LOST}
    station.close()
    station.close()
