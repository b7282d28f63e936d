"""People who take their hands off the table for a while, and then go on with what they did."""

from __future__ import annotations

from firmware_host.lab.party import Invitation, Party, even_deal, hold_party
from firmware_host.model.places import Button
from firmware_host.model.states import Phase
from firmware_host.model.times import S
from firmware_host.run.table_files import load_profile


def a_round() -> Party:
    profile = load_profile("dice4")
    party = hold_party(Invitation(profile=profile, deal=even_deal(profile, 4)), 1)
    while party.table.shell.referee.session.phase is not Phase.PLAY:
        party.table.loop.step()
    return party


def wait(party: Party, length_ns: int) -> None:
    party.table.loop.run(party.world.now_ns + length_ns)


def test_nobody_touches_anything_until_all_go_on() -> None:
    party = a_round()
    party.crowd.hands_off()
    party.crowd.hands_off()
    wait(party, 1 * S)
    lying = dict(party.things.board)  # type: ignore[union-attr]
    wait(party, 30 * S)
    assert party.things.board == lying  # type: ignore[union-attr]
    assert not any(party.table.contacts[Button(seat)].active for seat in range(1, 5))
    party.crowd.go_on()
    wait(party, 10 * S)
    assert len(party.things.board) > len(lying)  # type: ignore[union-attr]
    party.close()
