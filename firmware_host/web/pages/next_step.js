// What somebody who has never played should do next: a pure function of the table and of what one has.
//
//   nextStep(table, hand) -> { say, numbers, what, urgent }
//
// `say` is the key of the words. `what` is what to click: "slap", "throw", "turn", "stop", "back",
// { die }, { card } with the name of a pile of one's own, { fill } with a stack, { place }.

import { panelLamps, lampsOf } from "./lamps.js";

const WHITE = 7;

export function nextStep(table, hand) {
  const { state } = table;
  const seat = hand.seat;
  const entry = state.seats[seat] ?? {};
  if (!hand.yours) return { say: "n-coming" };
  if (entry.dealt === 0 && state.phase !== "result") return { say: "n-others" }; // an operator has started it
  switch (state.phase) {
    case "attract":
    case "join":
      return { say: "n-joined" };
    case "clear":
      return clearing(entry, hand, state);
    case "countdown":
      return { say: "n-countdown" };
    case "play":
      return playing(table, hand, entry);
    case "paused":
      return { say: "n-paused" };
    case "settle":
      return { say: "n-count" };
    case "scores":
      return scored(state, seat);
    case "result":
      return { say: state.result?.winners.includes(seat) ? "n-match-won" : "n-match-over" };
    default:
      return { say: "n-away" };
  }
}

function clearing(entry, hand, state) {
  if (entry.agreed) return { say: "n-wait" };
  const dealt = hand.game === "dice" ? hand.cup === entry.dealt && !Object.keys(state.board ?? {}).length : untouched(hand);
  return dealt ? { say: hand.game === "dice" ? "n-ready" : "n-ready-cards", what: "slap", urgent: true } : { say: "n-clear" };
}

const untouched = (hand) => hand.row.length > 0 && hand.discard?.count === 0 && hand.row.every((stack) => stack.length);

function scored(state, seat) {
  const points = state.scored?.scores?.[seat - 1];
  if (points === undefined) return { say: "n-count" };
  const best = points > 0 && points === Math.max(...state.scored.scores);
  return { say: best ? "n-round-won" : "n-scores", numbers: { points: points > 0 ? `+${points}` : `${points}` } };
}

function playing(table, hand, entry) {
  const now = table.nowNs();
  if (entry.locked_until_ns > now) {
    return { say: "n-locked", numbers: { s: Math.ceil((entry.locked_until_ns - now) / 1e9) } };
  }
  return hand.game === "dice" ? playingDice(table, hand) : playingCards(table, hand);
}

// -- dice

export const fits = (state, colour, number) => state.wanted?.[colour] === number;

function playingDice({ state }, hand) {
  const own = hand.own.map((place) => [place, state.board?.[place]?.state]);
  const place = (wanted) => own.find(([, is]) => is === wanted)?.[0];
  const last = hand.dice.length + hand.cup === 0;
  if (place("open") && !state.table.owned_by_tag) {
    return { say: last ? "n-slap-last" : "n-slap", numbers: placeThing(place("open")), what: "slap", urgent: true };
  }
  if (place("illegal")) return { say: "n-wrong", numbers: placeThing(place("illegal")), what: { place: place("illegal") } };
  if (place("lapsed")) return { say: "n-lapsed", numbers: placeThing(place("lapsed")), what: { place: place("lapsed") } };
  if (hand.rolling) return { say: "n-rolling" };
  const die = hand.dice.find((each) => fits(state, each.colour, each.face));
  if (die) return { say: "n-put", numbers: { colour: die.colour, n: die.face }, what: { die: die.die }, urgent: true };
  if (last) return { say: "n-out" };
  return { say: hand.dice.length ? "n-again" : "n-throw", what: "throw" };
}

const placeThing = (place) => ({ colour: place.split(" ")[0], n: Number(place.split(" ")[1]) });

// -- cards

export function cardFits(state, { colour, number }) {
  return number === 1 || Object.values(state.piles ?? {}).some((pile) => pile.colour === colour && pile.height === number - 1);
}

// The piles of one's own with the card on their tops that may be played, best one first.
export function tops(hand) {
  const found = hand.ligretto?.top ? [["ligretto", hand.ligretto.top]] : [];
  hand.row.forEach((stack, at) => stack.length && found.push([`row${at + 1}`, stack.at(-1)]));
  if (hand.discard?.top) found.push(["discard", hand.discard.top]);
  return found;
}

function playingCards(table, hand) {
  const { state } = table;
  if (!hand.row.length) return { say: "n-clear" };
  if (hand.held) return holding(table, hand);
  const gap = hand.row.findIndex((stack) => !stack.length);
  if (hand.finished) return { say: hand.call_button ? "n-stop" : "n-stop-hold", what: "stop", urgent: true };
  const playable = tops(hand).find(([, card]) => cardFits(state, card));
  if (playable) return { say: "n-take", numbers: thing(playable[1]), what: { card: playable[0] }, urgent: true };
  if (gap >= 0 && hand.ligretto.top) return { say: "n-fill", what: { fill: gap + 1 } };
  return { say: hand.hand ? "n-turn" : "n-gather", what: "turn" };
}

const thing = ({ colour, number }) => ({ colour, n: number });

function holding({ state, lamps }, { held, seat, pads }) {
  if (held.races) return { say: "n-judged" };
  if (!cardFits(state, held)) return { say: "n-nowhere", numbers: thing(held), what: "back" };
  if (!pads) {
    const pile = pileFor(state, held);
    return { say: "n-lay", numbers: { ...thing(held), pile }, what: { pile }, urgent: true };
  }
  const panel = panelLamps(lampsOf(lamps), state.table.seats)[seat - 1];
  if (panel?.tint === WHITE) return { say: "n-slap", numbers: thing(held), what: "slap", urgent: true };
  return { say: "n-reading" };
}

// The pile that a card goes onto: the one below it, or for a one the first free place.
export function pileFor(state, { colour, number }) {
  const piles = state.piles ?? {};
  for (let place = 1; place <= state.table.piles; place += 1) {
    const pile = piles[place];
    if (number === 1 ? !pile : pile?.colour === colour && pile.height === number - 1) return place;
  }
  return 0;
}
