"""A button that is down when the table is switched on."""

from random import Random

from firmware_host.games.games import Table
from firmware_host.lab.simulated_table import scripted_table
from firmware_host.model.effects import Effect, SourceMasked, SourceUnmasked
from firmware_host.model.places import Button
from firmware_host.model.settings import Settings
from firmware_host.model.times import S
from firmware_host.run.table_files import load_profile


def test_it_is_told_when_it_does_not_come_up_and_when_it_does() -> None:
    profile = load_profile("dice4")
    jammed = Button(2)
    table = scripted_table(profile, table=Table(), settings=Settings(), draws=Random(1), active=[jammed])
    told: list[Effect] = []
    table.shell.onlookers.append(lambda step: told.extend(step.effects))
    table.loop.run(29 * S)
    assert not any(isinstance(effect, SourceMasked) for effect in told)
    table.loop.run(31 * S)
    assert [effect.source for effect in told if isinstance(effect, SourceMasked)] == [jammed]
    table.lines.deliver(profile.line_of(jammed), True, 32 * S)
    table.loop.run(33 * S)
    assert [effect.source for effect in told if isinstance(effect, SourceUnmasked)] == [jammed]
    table.close()
