"""A speaker that feeds a player, block by block, with silence where nothing sounds.

Silence is fed all the time for three reasons. A player that runs dry stops the card, and many amplifiers
answer each stop and start with a pop. HDMI and some USB devices swallow the first tenths of a second after a
pause. And samples that are shorter than a period would wait in the player until more come.

The price is latency: a sound queues behind what was fed before. So as little as possible is ahead of it: one
block in the pipe, one in the player's hands, and the two periods of the card's buffer, 16 ms in all. The next
block is written as soon as the player has taken the last one, so that the card sets the pace: no clock has to
match the card's. A player that takes everything at once (a null device) is held to the pace of real time.

Where nothing has sounded for a minute, five blocks of silence are fed at a time: the thread rests, and the
first sound after that may come 16 ms later than others.

What can't be played now is dropped: a sound that comes late is worse than none.
"""

from __future__ import annotations

import errno
from array import array
from collections import deque
from collections.abc import Callable
from operator import add

from hw.ports import CLIP_RATE, LOUDEST_VOLUME, Clip, Condition, Health, Tell
from hw.sound.player import BLOCK_BYTES, CHANNELS, PACKAGE, PERIOD, PERIODS, PROGRAM, RATE, Player
from hw.work import Backoff, nobody_to_wake

MOST_VOICES = 6
_LIMIT = 32_767
_DB_A_STEP = 3


class _Voice:
    """A clip that sounds, and how far it has come."""

    def __init__(self, clip: Clip) -> None:
        self.clip = clip
        self.at = 0
        self.ending = False

    def block(self, length: int) -> list[int]:
        """Its next samples; those of a voice that has to end fade away."""
        samples = self.clip.samples[self.at : self.at + length].tolist()
        self.at = len(self.clip.samples) if self.ending else self.at + length
        if self.ending:
            samples = [sample * (length - i) // length for i, sample in enumerate(samples)]
        return samples + [0] * (length - len(samples))

    @property
    def is_over(self) -> bool:
        return self.at >= len(self.clip.samples)


class Mixer:
    """Adds up the clips that sound; a sum that is too loud is cut off, and never wraps around."""

    def __init__(self, volume: int = LOUDEST_VOLUME) -> None:
        self._voices: list[_Voice] = []
        self._gain = 0.0
        self.set_volume(volume)

    def set_volume(self, volume: int) -> None:
        """From 0, which is silent, to 10; each step is 3 dB."""
        self._gain = 10 ** ((volume - LOUDEST_VOLUME) * _DB_A_STEP / 20) if volume > 0 else 0.0

    def add(self, clip: Clip) -> None:
        """Let it sound from the next block on; where too many do, one of the lowest rank ends."""
        sounding = [voice for voice in self._voices if not voice.ending]
        if len(sounding) >= MOST_VOICES:
            least = min(sounding, key=lambda voice: voice.clip.rank)  # of several, the one that began first
            if least.clip.rank > clip.rank:
                return
            least.ending = True
        self._voices.append(_Voice(clip))

    def clear(self) -> None:
        """Forget all that sounds."""
        self._voices.clear()

    def block(self, length: int) -> array[int] | None:
        """The next samples; None if nothing sounds."""
        if not self._voices:
            return None
        first, *others = (voice.block(length) for voice in self._voices)
        total = first
        for other in others:
            total = list(map(add, total, other))
        self._voices = [voice for voice in self._voices if not voice.is_over]
        gain = self._gain
        return array("h", [max(-_LIMIT, min(_LIMIT, int(sample * gain))) for sample in total])


PERIOD_NS = PERIOD * 1_000_000_000 // RATE
PACE_NS = PERIOD_NS * 98 // 100
"""From one block to the next: a little less than a period, so that the player never waits for its table."""
TAKEN_NS = PERIOD_NS // 4
"""How soon to look again whether the player has taken its block."""
AHEAD_NS = (1 + PERIODS) * PERIOD_NS
"""What a block has ahead of it when it is written: the player's hands and the card's buffer."""
MOST_MISSED = 4
RESTING_NS = 60_000_000_000
RESTING_BLOCKS = 5
"""As many as go into the pipe."""
STALLED_NS = 3_000_000_000
LISTEN_NS = 1_000_000_000
"""How often the player is listened to: what it says of gaps must not fill up its pipe."""
STEADY_NS = 1_000_000_000
MOST_ASKED = 32

SILENCE = bytes(BLOCK_BYTES)
_REPEAT = RATE // CLIP_RATE
_SAMPLES = PERIOD // _REPEAT

ADVICE = "`ligretto-table doctor` lists the cards that play; name one of them"
COMPLAINTS = {
    "No such file or directory": ("there is no such card", ADVICE),
    "No such device": ("there is no such card", ADVICE),
    "Device or resource busy": ("another program uses the card", "end it, or name another card"),
    "Permission denied": ("this user may not open the card", "add the user to the group audio"),
    "Operation not permitted": ("this user may not open the card", "add the user to the group audio"),
}
_STALLED = ("the card takes no sound", "unplug the card and plug it in again")

OnStart = Callable[[Clip, int], None]
"""Gets each clip whose first samples were just written, and when."""


class PlayerSpeaker:
    """A `Speaker` for the loop, and the work of its owner."""

    def __init__(
        self,
        name: str,
        open_player: Callable[[], Player],
        tell: Tell,
        on_start: OnStart | None = None,
    ) -> None:
        self.name = name
        self.wake: Callable[[], None] = nobody_to_wake
        self._open_player = open_player
        self._tell = tell
        self._on_start = on_start
        self._asked: deque[Clip] = deque(maxlen=MOST_ASKED)
        self._volume = LOUDEST_VOLUME
        self._mixer = Mixer()
        self._player: Player | None = None
        self._backoff = Backoff()
        self._retry_ns = 0
        self._opened_ns = 0
        self._next_ns = 0
        self._moved_ns = 0
        self._listen_ns = 0
        self._sounded_ns = 0
        self._reported: tuple[str, str] | None = None

    # -- for the loop, from any thread

    def play(self, clip: Clip) -> None:
        self._asked.append(clip)
        self.wake()

    def set_volume(self, volume: int) -> None:
        self._volume = volume

    # -- for its owner

    def step(self, now_ns: int) -> int | None:
        if self._player is None and (now_ns < self._retry_ns or not self._open(now_ns)):
            self._asked.clear()
            return self._retry_ns
        assert self._player is not None
        try:
            due_ns = self._feed(self._player, now_ns)
        except OSError:
            self._lose(self._player, self._player.complaint(), now_ns)
            return self._retry_ns
        if now_ns - self._moved_ns > STALLED_NS:
            self._lose(self._player, None, now_ns)
            return self._retry_ns
        if now_ns - self._opened_ns > STEADY_NS:
            self._backoff.reset()
            self._report(None)
        return due_ns

    def descriptors(self) -> list[int]:
        return []

    def report_again(self) -> None:
        self._tell(_health(self.name, self._reported))

    def close(self) -> None:
        player, self._player = self._player, None
        if player is not None:
            player.close()

    # -- inside

    def _open(self, now_ns: int) -> bool:
        """Start a player; whether there is one."""
        try:
            self._player = self._open_player()
        except OSError as error:
            missing = error.errno == errno.ENOENT
            seen = (
                f"{PROGRAM} is not installed" if missing else f"{PROGRAM} can't be started: {error.strerror}"
            )
            self._report((seen, f"sudo apt install {PACKAGE}" if missing else "see the system's log"))
            self._retry_ns = self._backoff.after(now_ns)
            return False
        self._opened_ns = self._next_ns = self._moved_ns = self._sounded_ns = now_ns
        self._mixer.clear()
        return True

    def _feed(self, player: Player, now_ns: int) -> int:
        """Write what is due, if the player has taken what it was given; when to look again."""
        if now_ns >= self._listen_ns:
            self._listen_ns = now_ns + LISTEN_NS
            player.complaint()
        if player.waiting():
            self._next_ns = max(self._next_ns, now_ns)  # the card is behind, and not this thread
            return now_ns + TAKEN_NS if self._asked else max(self._next_ns, now_ns + TAKEN_NS)
        self._moved_ns = now_ns
        missed = (now_ns - self._next_ns) // PACE_NS
        if self._asked:
            self._sounded_ns = now_ns
        elif missed < 0:
            return self._next_ns
        resting = now_ns - self._sounded_ns > RESTING_NS
        for _ in range(RESTING_BLOCKS if resting else max(1, min(1 + missed, MOST_MISSED))):
            self._write_block(player, now_ns)
        self._next_ns = max(self._next_ns, now_ns)
        return self._next_ns

    def _write_block(self, player: Player, now_ns: int) -> None:
        self._mixer.set_volume(self._volume)
        started = []
        while self._asked:
            started.append(self._asked.popleft())
            self._mixer.add(started[-1])
        block = self._mixer.block(_SAMPLES)
        player.write(SILENCE if block is None else spread(block))
        self._next_ns += PACE_NS
        if self._on_start is not None:
            for clip in started:
                self._on_start(clip, now_ns)

    def _lose(self, player: Player, complaint: str | None, now_ns: int) -> None:
        """End a player that has ended or takes nothing; another one is started after a while."""
        self._player = None
        player.close()
        self._asked.clear()
        if complaint is None:
            self._report(_STALLED)
        else:
            seen = f"{PROGRAM} has ended{': ' * bool(complaint)}{complaint}"
            self._report(COMPLAINTS.get(complaint, (seen, ADVICE)))
        self._retry_ns = self._backoff.after(now_ns)

    def _report(self, wrong: tuple[str, str] | None) -> None:
        if wrong != self._reported:
            self._reported = wrong
            self._tell(_health(self.name, wrong))


def _health(name: str, wrong: tuple[str, str] | None) -> Health:
    """How the speaker is. It is never lost to the table, which plays as well without it: only degraded."""
    return Health(name, Condition.OK) if wrong is None else Health(name, Condition.DEGRADED, *wrong)


def spread(samples: array[int]) -> bytes:
    """The samples of a clip at the card's rate, in both channels."""
    copies = _REPEAT * CHANNELS
    frames = array("h", bytes(2 * copies * len(samples)))
    for copy in range(copies):
        frames[copy::copies] = samples
    return frames.tobytes()
