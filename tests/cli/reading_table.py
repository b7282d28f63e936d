"""A table with a pad and a sign behind pseudo-terminals, and the commands for tags as processes."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import wiring
from firmware_host.model.phrases import Phrase, item_text, say
from firmware_host.model.places import Card, Colour
from firmware_host.profile.tags import Enrolled, parse_registry, simulated_uid
from hw.ports import Health
from hw.rfid.frames import LIST
from hw.sim.cable import PtyPeer
from hw.sim.pn532 import Pn532Model, SimTag
from hw.sim.pole_displays import Cd5220Model
from hw.work import OwnerThread
from tests.hw.uart.pty_bench import wait_until
from tests.web.processes import next_line

TAGS = [sys.executable, "-m", "firmware_host.cli", "tags"]
REDS = [Card(1, Colour.RED, number) for number in range(1, 11)]


class ReadingTable:
    """The table `cards4` with its first pad and its scoreboard; the others are not plugged in."""

    def __init__(self, folder: Path) -> None:
        self.profile = folder / "table.toml"
        self._commands: list[Command] = []
        self.file = folder / "tags.csv"
        self.pad, self.sign = Pn532Model(time.monotonic_ns), Cd5220Model()
        self.peers = {
            "pad": PtyPeer(self.pad, folder / "ttyV1", "pad"),
            "sign": PtyPeer(self.sign, folder / "ttyV0", "sign"),
        }
        told: list[Health] = []
        self._owners = [OwnerThread(peer, told.append) for peer in self.peers.values()]
        for peer in self.peers.values():
            wait_until(peer.path.exists)
        text = wiring.profile_file("cards4").read_text(encoding="utf-8")
        ports = {'"/dev/ttyUSB1"': self.peers["pad"].path, '"/dev/ttyUSB0"': self.peers["sign"].path}
        for number in (2, 3, 4):
            ports[f'"/dev/ttyUSB{number}"'] = folder / f"ttyV{number}"
        for usual, path in ports.items():
            assert text.count(usual) == 1
            text = text.replace(usual, f'"{path}"')
        self.profile.write_text(text, encoding="utf-8")

    def start(self, *arguments: str, terminal: bool = False) -> Command:
        """One of the commands, about this table."""
        options = ["--profile", os.fspath(self.profile), "--file", os.fspath(self.file)]
        return self.start_with(*arguments, *options, terminal=terminal)

    def start_with(self, *arguments: str, terminal: bool = False) -> Command:
        """One of the commands, about whatever the arguments say."""
        self.pad.commands.clear()
        command = Command([*TAGS, *arguments], terminal)
        self._commands.append(command)
        return command

    def says(self, text: str) -> bool:
        """Whether the sign shows this."""
        return any(text in line for line in self.sign.lines)

    def wait_for(self, *texts: str) -> None:
        """Until the sign shows all of these."""
        wait_until(lambda: all(map(self.says, texts)))

    def enrol(self, card: Card) -> None:
        """Do what the sign says for one card."""
        self.wait_for(item_text("en", card), "Hold to")
        self.hold(card)
        assert self.enrolled[simulated_uid(card).hex()] == card
        self.take(card)

    def hold(self, card: Card, language: str = "en") -> None:
        """Hold a card to the pad until it is saved; anew if it has to be taken off before."""
        saved, take_off = say(language, Phrase.TAG_SAVED), say(language, Phrase.LIFT_TAG)
        self.wait_for_looks()
        self.put(card)
        while not self.says(saved):
            wait_until(lambda: self.says(saved) or self.says(take_off))
            if self.says(take_off):  # the reader was lost in between: this machine is busy
                self.take(card)
                wait_until(lambda: not self.says(take_off))
                self.put(card)

    def wait_for_looks(self) -> None:
        """Until the pad has looked for tags: what it finds from now on was not there from the start."""
        wait_until(lambda: self._looks() >= 2)

    def _looks(self) -> int:
        return sum(code == LIST.code for _, code in self.pad.commands.copy())

    def put(self, card: Card) -> None:
        self.pad.put(SimTag(simulated_uid(card)))

    def take(self, card: Card) -> None:
        self.pad.take(simulated_uid(card))

    @property
    def enrolled(self) -> dict[str, Enrolled]:
        """What the file says now."""
        return dict(parse_registry(self.file.read_text(encoding="utf-8"), "tags.csv"))

    def close(self) -> None:
        for command in self._commands:
            command.kill()
        for owner in self._owners:
            owner.close()


class Command:
    """A command under way, and what it has printed."""

    def __init__(self, arguments: list[str], terminal: bool) -> None:
        keys, stdin = pty.openpty() if terminal else os.pipe()[::-1]
        self._keys: int | None = keys
        self._process = subprocess.Popen(
            arguments, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        os.close(stdin)

    def press(self, keys: str) -> None:
        """Press keys of its terminal."""
        assert self._keys is not None, "it runs"
        os.write(self._keys, keys.encode())

    def line(self) -> str:
        """The next line that it prints."""
        return next_line(self._process).rstrip("\n")

    def line_with(self, text: str) -> str:
        """The next line with this in it."""
        while text not in (line := self.line()):
            pass
        return line

    def interrupt(self, by: signal.Signals = signal.SIGINT) -> None:
        """Ctrl-C, or another signal."""
        self._process.send_signal(by)

    def end(self) -> tuple[int, list[str]]:
        """Its exit code, and the lines that are left."""
        rest, _ = self._process.communicate(timeout=20)
        self._hang_up()
        return self._process.returncode, rest.splitlines()

    def kill(self) -> None:
        """End it at once, as a power cut would; it may have ended already."""
        if self._keys is not None:
            self._process.kill()
            self._process.communicate()
            self._hang_up()

    def _hang_up(self) -> None:
        assert self._keys is not None, "it ends once"
        os.close(self._keys)
        self._keys = None
