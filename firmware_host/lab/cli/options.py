"""Options that several commands share."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import Any, TypeVar

import click

from firmware_host.games.games import GAMES
from firmware_host.lab.bots.skill import RATES, SKILLS, Skill, with_rates
from firmware_host.lab.party import Invitation, Misbehaviour, even_deal
from firmware_host.model.errors import BadSettings
from firmware_host.model.events import parse_deal
from firmware_host.model.places import Slot, Source
from firmware_host.model.settings import LANGUAGES, Settings
from firmware_host.profile.profile import Profile
from firmware_host.run.table_files import load_profile

F = TypeVar("F", bound=Callable[..., Any])


def party_options(misbehaving: str, usual_skill: str = "regular") -> Callable[[F], F]:
    """Who plays, and how the devices behave; `misbehaving` is the default for bounce.

    The help says that `usual_skill` is the default: `demo` has another one for a live demo.
    """
    options = [
        click.option("--game", type=click.Choice(list(GAMES)), help="[default: the profile's, or dice]"),
        click.option("--profile", help="Wiring profile of the table.  [default: by game and seats]"),
        click.option("--seats", type=click.IntRange(2, 12), help="How many play.  [default: 4]"),
        click.option(
            "--deal",
            help="Dice, or Ligretto cards, for each seat, such as 7,7,5,5.  [default: the same for all]",
        ),
        click.option("--expert", is_flag=True, help="Cards: people also lay cards onto their own rows."),
        click.option(
            "--rounds",
            type=click.IntRange(min=1),
            help="Rounds of a match.  [default: 3 a player with dice, 4 with cards]",
        ),
        click.option(
            "--skill",
            "skills",
            default="regular",
            help=f"Skill, one for all or one for each seat: {', '.join(SKILLS)}.  [default: {usual_skill}]",
        ),
        click.option(
            "--rate",
            "rates",
            multiple=True,
            metavar="NAME=P",
            help=f"How often people err, such as twice=0.1: {', '.join(RATES)}; repeatable.  "
            "[default: by skill]",
        ),
        click.option("--lang", "language", type=click.Choice(LANGUAGES), default="en", show_default=True),
        click.option(
            "--seed", type=click.IntRange(min=0), help="Seed, to repeat it exactly.  [default: random]"
        ),
        _devices_option("--bounce", misbehaving, "Contacts that bounce"),
        _devices_option("--noise", "none", "Contacts that pick up noise"),
        _devices_option("--late", "none", "Contacts whose edges arrive late and out of order"),
    ]

    def decorate(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def _devices_option(name: str, default: str, what: str) -> Callable[[F], F]:
    names = "none, all, buttons, slots, or single ones such as seat-3,red-1,call-2"
    return click.option(name, default=default, show_default=True, help=f"{what}: {names}.")


def _devices(profile: Profile, option: str, text: str) -> frozenset[Source]:
    """The contacts that a list of names means."""
    sources = set(profile.lines.values())
    known = {str(source).replace(" ", "-"): {source} for source in sources}
    slots: set[Source] = {source for source in sources if isinstance(source, Slot)}
    known |= {"none": set(), "all": sources, "buttons": sources - slots}
    known |= {"slots": slots} if slots else {}
    unknown = [name for name in text.split(",") if name not in known]
    if unknown:
        raise BadSettings(
            [f"{option}: there is no '{name}' at this table{_near(name, known)}" for name in unknown]
        )
    return frozenset().union(*(known[name] for name in text.split(",")))


def _near(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name, known, n=1)
    return f"; did you mean '{near[0]}'?" if near else ""


def invitation(options: dict[str, Any]) -> Invitation:
    """What the options ask for; BadSettings says what can't be."""
    profile = table_for(options["game"], options["profile"], options["seats"])
    if options["expert"] and profile.game != "cards":
        raise BadSettings(["--expert is a variant of the game with cards; add --game cards"])
    rates = dict(_rate(text) for text in options["rates"])
    deal = _deal(profile, options["seats"], options["deal"])
    names = options["skills"].split(",")
    if len(names) not in (1, sum(1 for dice in deal if dice)):
        raise BadSettings([f"--skill {options['skills']}: name one skill for all, or one for each player"])
    skills = {name: with_rates(_skill(name), **rates) for name in names}
    return Invitation(
        profile=profile,
        deal=deal,
        skills=[skills[name] for name in names],
        settings=Settings(language=options["language"]),
        rounds=options["rounds"],
        expert=options["expert"],
        misbehaviour=Misbehaviour(
            bounce=_devices(profile, "--bounce", options["bounce"]),
            noise=_devices(profile, "--noise", options["noise"]),
            late=_devices(profile, "--late", options["late"]),
        ),
    )


USUAL_SEATS = 4


def table_for(game: str | None, name: str | None, seats: int | None) -> Profile:
    """The table that was asked for; without a name, the one that is made for so many."""
    if name is None:
        size = 12 if game == "cards" and (seats or USUAL_SEATS) > USUAL_SEATS else USUAL_SEATS
        return load_profile(f"{game or 'dice'}{size}")
    profile = load_profile(name)
    if game not in (None, profile.game):
        why = f"that table is for {profile.game}"
        raise BadSettings([f"--game {game} can't be played on --profile {name}: {why}"])
    return profile


def seed_or_chance(seed: int | None) -> int:
    """The seed that was given, or a random one that can be given the next time."""
    return secrets.randbelow(1_000_000) if seed is None else seed


def _deal(profile: Profile, seats: int | None, text: str | None) -> tuple[int, ...]:
    if text is None:
        if seats is not None and seats > profile.seats:
            more = "; with cards up to 12 can play: add --game cards" if profile.game == "dice" else ""
            raise BadSettings([f"--seats {seats}: this table has {profile.seats}{more}"])
        return even_deal(profile, seats or min(USUAL_SEATS, profile.seats))
    deal = GAMES[profile.game].checked_deal(parse_deal([text]))
    if len(deal) > profile.seats:
        raise BadSettings([f"--deal {text}: this table has {profile.seats} seats"])
    if seats is not None and seats != sum(1 for dice in deal if dice):
        raise BadSettings([f"--deal {text} does not fit --seats {seats}"])
    return deal + (0,) * (profile.seats - len(deal))


def _rate(text: str) -> tuple[str, float]:
    name, _, number = text.partition("=")
    if name not in RATES:
        raise BadSettings([f"--rate {text}: there is no rate '{name}'; known: {', '.join(RATES)}"])
    try:
        rate = float(number)
    except ValueError:
        rate = -1.0
    if not 0 <= rate <= 1:
        raise BadSettings([f"--rate {text}: a rate is a number from 0 to 1, as in {name}=0.1"])
    return name, rate


def _skill(name: str) -> Skill:
    if name not in SKILLS:
        raise BadSettings([f"--skill {name} is unknown; known: {', '.join(SKILLS)}"])
    return SKILLS[name]
