// The page "/play": a seat of one's own at a simulated table.

import { middle } from "./board.js";
import { follow } from "./feed.js";
import { hands } from "./hands.js";
import { nextStep, pileFor } from "./next_step.js";
import { html, setAttribute, setText } from "./nodes.js";
import { ownCards } from "./own_cards.js";
import { ownDice } from "./own_dice.js";
import { pageHead } from "./page_head.js";
import { chooser } from "./seat_choice.js";
import { seatPanels, verdictKind, verdictWords } from "./seats.js";
import { slapButton } from "./slap_button.js";
import { curtain, showTroubles } from "./table_view.js";
import { thing } from "./verdicts.js";
import { WORDS as PLAY_WORDS } from "./play_words.js";
import { WORDS } from "./table_words.js";
import { margin, onLanguage, say, speak, useWords } from "./words.js";

useWords(WORDS);
useWords(PLAY_WORDS);

const TOLD_MS = 2600;
const code = location.hash.slice(1) || undefined;
let hand = null;
let own = null;
let toldUntil = 0;

const head = pageHead("play");
const parts = { middle: middle(), curtain: curtain(), seats: seatPanels(), choice: chooser((seat) => seat_.sit(seat, code)) };
const nextWords = html("p", { class: "next-words", role: "status", "aria-live": "polite" });
const told = html("p", { class: "told-me", role: "status" });
const next = html("section", { class: "next", "aria-label": say("next") }, nextWords, told);
const ownBox = html("section", { class: "own-box", "data-label": "own", "aria-label": say("own") });
const slap = slapButton((what) => seat_.do(what));
const leave = html("button", { type: "button", class: "leave", "data-say": "get-up" }, say("get-up"));
const stop = html("button", { type: "button", class: "stop", "data-does": "stop" }, html("span", { "data-say": "stop" }, say("stop")), html("kbd", {}, "S"));
const troubles = html("ul", { class: "troubles" });
const keys = html("details", { class: "keys" });
const bottom = html("div", { class: "bottom" }, slap.node, html("div", { class: "beside-slap" }, stop, leave));
const page = html(
  "div",
  { class: "play" },
  next,
  html("section", { class: "stage", "data-label": "table", "aria-label": say("table") }, parts.middle.node, parts.curtain.node),
  ownBox,
  bottom,
  html("section", { class: "seat-box", "data-label": "seats", "aria-label": say("seats") }, parts.seats.node),
  parts.choice.node,
  troubles,
  keys,
);
document.body.prepend(head.node);
document.getElementById("main").append(page);

const seat_ = hands({
  change(mine) {
    hand = mine;
    show();
  },
  link: (state) => setAttribute(page, "data-seat-link", state),
  end(why) {
    parts.choice.refused(why);
    show();
  },
});

const doing = {
  throwDice: () => attempt("throw"),
  put: (die, on) => attempt("put", { die: die.die, on }),
  lift: (place) => attempt("back", { from: place }),
  async take(from, on = 0) {
    if (hand.held?.from === from) return attempt("back");
    const taken = await attempt("take", { from });
    return on && taken && !hand?.pads ? attempt("lay", { on }) : taken;
  },
  lay: (on) => attempt("lay", { on }),
  layOnRow: (from, stack) => attempt("lay", { from, stack }),
  fill: (stack) => attempt("fill", { stack }),
  turn: () => attempt("turn"),
  back: () => attempt("back"),
  stop: () => attempt("stop"),
};

async function attempt(what, more) {
  const answer = await seat_.do(what, more);
  if (!answer.ok) tell(say("not-now"), "bad");
  return answer.ok;
}

function tell(words, kind, ...more) {
  told.replaceChildren(words, ...more);
  setAttribute(told, "data-kind", kind);
  clearTimeout(toldUntil);
  toldUntil = setTimeout(() => told.replaceChildren(), TOLD_MS);
}

// -- what is seen

const stream = follow({
  change(table) {
    speak(table.state.table.language);
    head.show(table);
    show();
  },
  news(message, table) {
    if (message.is === "felt") {
      parts.seats.felt(message.seat);
      if (message.seat === hand?.seat) slap.felt();
    }
    for (const effect of message.effects ?? []) if (effect.is === "Judged" && effect.seat === hand?.seat) tellVerdict(effect, table);
  },
  link: head.link,
});
onLanguage(() => {
  showKeys();
  stream.redraw();
});

function tellVerdict(judged, table) {
  if (judged.verdict === "repeated") return;
  const late = judged.verdict === "too-late" && judged.margin_ns != null ? ` +${margin(judged.margin_ns)}` : "";
  tell(`${verdictWords(judged, table.state)}${late} `, verdictKind(judged), thing(judged.what) || "");
}

function show() {
  const { table } = stream;
  if (!table.state) return;
  parts.middle.show(table);
  parts.seats.show(table);
  parts.curtain.show(table);
  showTroubles(troubles, table.state);
  parts.choice.show(table, !seat_.sitting);
  setAttribute(page, "data-sitting", hand?.yours ? "" : null);
  setAttribute(page, "data-game", table.state.table.game);
  const sitting = Boolean(hand);
  for (const node of [bottom, ownBox, next]) node.hidden = !sitting;
  if (!hand) return;
  showOwn(table);
  const step = nextStep(table, hand);
  showNext(step);
  slap.show(table, hand.seat, step.what === "slap");
  stop.hidden = !hand.yours || hand.game === "dice";
  setAttribute(document.documentElement, "data-mine", hand.seat);
  for (const seat of parts.seats.node.children) setAttribute(seat, "data-mine", Number(seat.dataset.seat) === hand.seat ? "" : null);
}

function showOwn(table) {
  if (!hand.yours) return void ownBox.replaceChildren();
  if (own?.game !== hand.game) own = { game: hand.game, ...(hand.game === "dice" ? ownDice(doing) : ownCards(doing)) };
  if (!own.node.isConnected) ownBox.replaceChildren(own.node);
  own.show(table, hand);
  for (const place of parts.middle.node.querySelectorAll("[data-place]")) setAttribute(place, "data-own", hand.own?.includes(place.dataset.place) ? "" : null);
}

function showNext({ say: key, numbers = {}, what, urgent }) {
  const words = { ...numbers, what: numbers.colour ? `${say(`colour ${numbers.colour}`)} ${numbers.n}` : "" };
  const text = say(key, words);
  setText(nextWords, text.charAt(0).toLocaleUpperCase() + text.slice(1));
  setAttribute(next, "data-urgent", urgent ? "" : null);
  for (const lit of page.querySelectorAll("[data-next]")) if (!lit.matches(target(what))) lit.removeAttribute("data-next");
  page.querySelector(target(what))?.setAttribute("data-next", "");
}

function target(what) {
  if (!what) return ":not(*)";
  if (what.die) return `[data-die="${what.die}"]`;
  if (what.card) return `[data-card="${what.card}"]`;
  if (what.fill) return `[data-fill="${what.fill}"]`;
  if (what.place) return `[data-place="${what.place}"]`;
  if (what.pile) return `[data-pile="${what.pile}"]`;
  return what === "slap" ? ".slap" : `[data-does="${what}"]`;
}

function showKeys() {
  const lines = ["key-space", "key-throw", "key-dice", "key-back", "key-cards", "key-turn", "key-stop"].map((key) => {
    const [name, words] = say(key).split(": ");
    return html("li", {}, html("kbd", {}, name), ` ${words}`);
  });
  keys.replaceChildren(html("summary", {}, say("keys")), html("ul", {}, ...lines));
}

// -- what hands do

leave.addEventListener("click", () => seat_.leave());
stop.addEventListener("click", doing.stop);
parts.middle.node.addEventListener("click", (event) => {
  if (!hand?.yours) return;
  const place = event.target.closest("[data-place]")?.dataset.place;
  const pile = event.target.closest("[data-pile]")?.dataset.pile;
  if (place && hand.own?.includes(place)) doing.lift(place);
  if (pile && hand.held && !hand.pads) doing.lay(Number(pile));
});

addEventListener("keydown", (event) => {
  if (!hand?.yours || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.closest("select, input, summary")) return;
  if (event.code === "Space") {
    event.preventDefault();
    if (!event.repeat) slap.press();
  } else if (!event.repeat) {
    press(event.key.toLowerCase());
  }
});
addEventListener("keyup", (event) => {
  if (event.code !== "Space") return;
  if (!event.target.closest("select, input, summary")) event.preventDefault();
  slap.release();
});
addEventListener("blur", () => slap.release());

function press(key) {
  const state = stream.table.state;
  const number = Number(key);
  if (hand.game === "dice") {
    if (key === "t") doing.throwDice();
    else if (key === "b" || key === "backspace") hand.own.length && doing.lift(hand.own.at(-1));
    else if (hand.dice[number - 1]) doing.put(hand.dice[number - 1], `${hand.dice[number - 1].colour} ${hand.dice[number - 1].face}`);
    return;
  }
  const gap = hand.row.findIndex((stack) => !stack.length) + 1;
  if (key === "h" || key === "t") doing.turn();
  else if (key === "l") doing.take("ligretto");
  else if (key === "d") doing.take("discard");
  else if (key === "b" || key === "backspace") doing.back();
  else if (key === "f" && gap) doing.fill(gap);
  else if (key === "s") doing.stop();
  else if (key === "p" && hand.held) doing.lay(pileFor(state, hand.held));
  else if (number >= 1 && number <= hand.row.length) doing.take(`row${number}`);
}

showKeys();
parts.choice.look();
seat_.resume(code);
