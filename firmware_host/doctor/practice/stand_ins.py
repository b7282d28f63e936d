"""Stand-ins for names: the same for the same name, so that two lines are seen to speak of one thing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from firmware_host.config.profile import CHIPS, Profile
from firmware_host.config.table import TableConfig
from firmware_host.doctor.plain import plain
from firmware_host.doctor.practice.wordings import OUT, PORT, device_names


class StandIns:
    """Those of one bundle."""

    def __init__(self) -> None:
        self._given: dict[tuple[str, str], str] = {}

    def device(self, name: str) -> str:
        """A device's name, if it is a usual one."""
        return name if name in device_names() else self._number("device", name)

    def port(self, path: str) -> str:
        """A port's name, if it says no more than which one it is."""
        return path if not path or PORT.fullmatch(path) else self._number("port", path)

    def tag(self, uid: str) -> str:
        """Another number of a tag, as long as the real one."""
        return f"{int(self._number('tag', uid).rpartition('-')[2]):0{len(uid)}x}"

    def wiring(self, profile: Profile) -> dict[str, Any]:
        """A profile without what somebody has made up for it."""
        masked = replace(
            profile,
            title=OUT,
            chip=profile.chip if profile.chip in CHIPS else OUT,
            board=OUT,
            chip_path=self.port(profile.chip_path),
            sign_port=self.port(profile.sign_port),
            banks=tuple(replace(bank, name=self.device(bank.name)) for bank in profile.banks),
            led_chips=tuple(replace(chip, name=self.device(chip.name)) for chip in profile.led_chips),
            lamp_wires=tuple(replace(wire, chip=self.device(wire.chip)) for wire in profile.lamp_wires),
            readers=tuple(
                replace(reader, name=self.device(reader.name), port=self.port(reader.port))
                for reader in profile.readers
            ),
        )
        data: dict[str, Any] = plain(masked)
        return data

    def config(self, config: TableConfig) -> dict[str, Any]:
        """The settings in force; files, ports and the event are nobody's business."""
        return {
            "game": config.game,
            "rounds": config.rounds,
            "handicap": plain(config.handicap),
            "open_seats": plain(config.open_seats),
            "brightness": config.brightness,
            "store": {"sync": config.store.sync, "keep_rounds": config.store.keep_rounds},
            "settings": plain(config.settings),
        }

    def _number(self, kind: str, name: str) -> str:
        taken = sum(other == kind for other, _ in self._given)
        return self._given.setdefault((kind, name), f"{kind}-{taken + 1}")
