// What else of a table fills a page or a display: scores, standings, the next match, the join code, a photo finish.
//
// Each view has node and show(table); some have take(message, table) and close().

import { finishView } from "./finish_view.js";
import { html, setAttribute, setText } from "./nodes.js";
import { phaseOf } from "./page_head.js";
import { nameOf } from "./seats.js";
import { scoreTable, standings } from "./standings.js";
import { badge } from "./verdicts.js";
import { listed, say } from "./words.js";

function heading(key) {
  return html("h2", { class: "view-title", "data-say": key }, say(key));
}

export function scoresView() {
  const ranks = standings();
  const sheet = scoreTable();
  const node = html(
    "div",
    { class: "view scores-view" },
    html("section", { class: "box" }, html("h2", { "data-say": "standings" }, say("standings")), ranks.node),
    html("section", { class: "box sheet-box" }, html("h2", { "data-say": "scores" }, say("scores")), sheet.node),
  );
  return {
    node,
    show(table) {
      ranks.show(table);
      sheet.show(table);
    },
  };
}

export function standingsView() {
  const ranks = standings();
  const round = html("p", { class: "view-note" });
  const winner = html("p", { class: "view-winner" });
  const node = html("section", { class: "view standings-view" }, heading("standings"), round, winner, ranks.node);
  return {
    node,
    show(table) {
      const { state } = table;
      ranks.show(table);
      setText(round, state.match && state.round ? say("phrase round", { n: state.round.number, of: state.match.rounds }) : "");
      const winners = phaseOf(state) === "result" ? (state.result?.winners ?? []) : [];
      setText(winner, winners.length ? `${say(winners.length > 1 ? "winners" : "winner")} ${listed(winners.map((seat) => nameOf(table, seat)))}` : "");
    },
  };
}

export function nextView() {
  const title = html("h2", { class: "view-title" });
  const lead = html("p", { class: "view-note" });
  const list = html("ol", { class: "who-sits" });
  const last = html("p", { class: "view-note" });
  const node = html("section", { class: "view next-view" }, title, lead, list, html("p", { class: "view-call", "data-say": "take-a-seat" }, say("take-a-seat")), last);
  return {
    node,
    show(table) {
      const { state } = table;
      const left = state.match && state.round ? Math.max(0, state.match.rounds - (state.history?.length ?? 0)) : 0;
      setText(title, say(state.match ? "now-playing" : "next-match"));
      setText(lead, state.match ? say("rounds-left", { n: left }) : say(`hint ${phaseOf(state)}`));
      const seats = Object.entries(state.seats).filter(([, entry]) => entry.open);
      list.replaceChildren(
        ...seats.map(([seat, entry]) =>
          html("li", { class: entry.seated ? "taken" : "free" }, badge(seat), html("span", { class: "who" }, nameOf(table, seat)), html("span", { class: "why" }, say(entry.seated ? "seated" : "free"))),
        ),
      );
      const winners = !state.match && state.result ? state.result.winners : [];
      setText(last, winners.length ? `${say("last-match")}: ${listed(winners.map((seat) => nameOf(table, seat)))}` : "");
    },
  };
}

const LOCAL = new Set(["localhost", "127.0.0.1", "[::1]"]);

export function joinView() {
  const title = html("h2", { class: "view-title" });
  const picture = html("img", { class: "code", alt: "" });
  const address = html("p", { class: "view-address" });
  const node = html("section", { class: "view join-view" }, title, picture, address, html("p", { class: "view-call", "data-say": "join-how" }, say("join-how")));
  let code = "";
  let simulated = false;
  const draw = () => {
    const to = simulated ? "play" : "";
    setText(title, say(simulated ? "join-by-phone" : "watch-by-phone"));
    setAttribute(picture, "src", `/qr.svg?to=${to}${code && `&code=${code}`}`);
    setAttribute(picture, "alt", say("join-code"));
    setText(address, [LOCAL.has(location.hostname) ? "" : `${location.host}/${to}`, code].filter(Boolean).join("  "));
  };
  return {
    node,
    show(table) {
      simulated = table.state.table.simulated;
      draw();
    },
    // At a simulated table a phone can sit down, with a code that only displays are told.
    obey(orders) {
      code = orders.code ?? "";
      draw();
    },
  };
}

// The photo finish of the last contest, as soon as it was decided.
export function finishScreen() {
  const finish = finishView();
  const node = html("section", { class: "view finish-screen" }, heading("to-finish"), finish.node);
  return { node, show: () => {}, take: finish.take };
}
