// The page "/overlay": parts of the table on a transparent ground, for streams.
//
//   /overlay                       seats and verdicts at the bottom
//   /overlay?show=sign,seats       seats, verdict, board, sign
//   /overlay?at=top                at the top

import { middle } from "./board.js";
import { follow } from "./feed.js";
import { html, setAttribute, setText } from "./nodes.js";
import { phaseOf } from "./page_head.js";
import { nameOf, verdictKind, verdictWords } from "./seats.js";
import { sign } from "./sign.js";
import { curtain } from "./table_view.js";
import { WORDS } from "./table_words.js";
import { badge, thing } from "./verdicts.js";
import { listed, margin, onLanguage, say, signed, speak, useWords } from "./words.js";

useWords(WORDS);

const SHOWN_MS = 4500;
const SILENT = new Set(["repeated", "not-running"]);
const asked = new URLSearchParams(location.search);
const wanted = new Set((asked.get("show") ?? "seats,verdict").split(","));
const main = document.getElementById("main");
document.documentElement.classList.add("transparent");
document.body.dataset.at = asked.get("at") === "top" ? "top" : "bottom";

function seatBar() {
  const node = html("ol", { class: "plates", "data-label": "seats", "aria-label": say("seats") });
  return {
    node,
    show(table) {
      const { state } = table;
      const playing = Object.entries(state.seats).filter(([, entry]) => entry.seated);
      node.replaceChildren(...playing.map(([seat, entry]) => plate(table, seat, entry)));
    },
  };
}

function plate(table, seat, entry) {
  const { state } = table;
  const cards = state.table.piles > 0 && phaseOf(state) === "play";
  const many = cards ? entry.tally : (entry.left ?? entry.dealt);
  const won = phaseOf(state) === "result" && state.result?.winners.includes(Number(seat));
  const node = html("li", { class: won ? "plate won" : "plate" }, badge(seat), html("span", { class: "who" }, nameOf(table, seat)));
  if (many !== undefined && phaseOf(state) !== "result") node.append(html("span", { class: "plate-left" }, html("b", {}, String(many)), ` ${say(cards ? "played" : "left")}`));
  if (entry.total !== undefined) node.append(html("b", { class: "plate-total" }, signed(entry.total)));
  return node;
}

function lastVerdict() {
  const node = html("p", { class: "plate last-verdict", role: "status", hidden: true });
  let timer = 0;
  return {
    node,
    show: () => {},
    take(message, table) {
      for (const effect of message.effects ?? []) {
        const parts = partsOf(effect, table);
        if (!parts) continue;
        node.replaceChildren(...parts);
        node.hidden = false;
        setAttribute(node, "data-kind", effect.is === "Judged" ? verdictKind(effect) : "call");
        clearTimeout(timer);
        timer = setTimeout(() => (node.hidden = true), SHOWN_MS);
      }
    },
  };
}

function partsOf(effect, table) {
  if (effect.is === "Judged" && !SILENT.has(effect.verdict)) {
    const parts = [badge(effect.seat), html("span", { class: "who" }, nameOf(table, effect.seat)), thing(effect.what), html("b", { class: verdictKind(effect) }, verdictWords(effect, table.state))];
    if (effect.verdict === "too-late" && effect.margin_ns != null) parts.push(say("behind", { margin: margin(effect.margin_ns), rival: effect.rival }));
    return parts;
  }
  if (effect.is === "TieBroken") return [html("b", { class: "tie" }, say("dead-heat")), thing(effect.what), say(effect.drawn ? "by-lot" : "by-ties", { seat: effect.winner })];
  if (effect.is === "RoundFinished") return [html("b", {}, say("ended-round", { seat: effect.seat }))];
  if (effect.is === "MatchEnded") {
    return [html("b", {}, say(effect.winners.length > 1 ? "winners" : "winner")), listed(effect.winners.map((seat) => nameOf(table, seat)))];
  }
  return null;
}

function heading() {
  const node = html("p", { class: "plate overlay-round" });
  return {
    node,
    show({ state }) {
      setText(node, state.match && state.round ? say("phrase round", { n: state.round.number, of: state.match.rounds }) : "");
      node.hidden = !node.textContent;
    },
  };
}

function board() {
  const drawn = middle();
  const over = curtain();
  return {
    node: html("div", { class: "stage" }, drawn.node, over.node),
    show(table) {
      drawn.show(table);
      over.show(table);
    },
  };
}

const MAKERS = { board, sign, verdict: lastVerdict, round: heading, seats: seatBar };
const parts = Object.entries(MAKERS)
  .filter(([name]) => wanted.has(name))
  .map(([, make]) => make());
main.append(...parts.map((part) => part.node));

const stream = follow({
  change(table) {
    speak(table.state.table.language);
    for (const part of parts) part.show(table);
  },
  news(message, table) {
    for (const part of parts) part.take?.(message, table);
  },
});
onLanguage(() => stream.redraw());
