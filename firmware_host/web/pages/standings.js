// Standings and scores of the match.
//
//   standings(): a list, best first.   scoreTable(): all rounds.   Both have node and show(table).

import { html, setAttribute, setClass, setText } from "./nodes.js";
import { nameOf } from "./seats.js";
import { badge } from "./verdicts.js";
import { say, signed } from "./words.js";

// The seats with their totals and ranks, best first; during the match as of the last round.
export function ranking(state) {
  const over = !state.match && state.result;
  const seats = over
    ? state.result.seats.map((seat) => ({ seat, total: state.result.totals[seat - 1] }))
    : Object.entries(state.seats)
        .filter(([, entry]) => entry.seated && entry.total !== undefined)
        .map(([seat, entry]) => ({ seat: Number(seat), total: entry.total }));
  seats.sort((one, other) => other.total - one.total || one.seat - other.seat);
  return seats.map((entry) => ({ ...entry, rank: 1 + seats.filter((other) => other.total > entry.total).length }));
}

export function standings() {
  const list = html("ol", { class: "standings" });
  const nothing = html("p", { class: "nothing", "data-say": "no-scores" }, say("no-scores"));
  const node = html("div", {}, nothing, list);
  let written = "";
  return {
    node,
    show(table) {
      const ranks = ranking(table.state);
      const scored = (table.state.history?.length ?? 0) > 0 || (!table.state.match && table.state.result);
      nothing.hidden = Boolean(scored);
      list.hidden = !scored;
      const names = ranks.map(({ seat }) => nameOf(table, seat));
      const now = JSON.stringify([ranks, names]);
      if (now === written) return;
      written = now;
      const least = Math.min(0, ...ranks.map(({ total }) => total));
      const most = Math.max(least + 1, ...ranks.map(({ total }) => total));
      list.replaceChildren(...ranks.map((entry, at) => oneRank(entry, names[at], (entry.total - least) / (most - least))));
    },
  };
}

function oneRank({ seat, total, rank }, name, share) {
  const bar = html("span", { class: "bar", "aria-hidden": "true" }, html("i"));
  bar.firstChild.style.width = `${100 * share}%`;
  return html(
    "li",
    { class: rank === 1 ? "rank leads" : "rank" },
    html("span", { class: "rank-number" }, `${rank}.`),
    badge(seat),
    html("span", { class: "who" }, name),
    bar,
    html("span", { class: "rank-total" }, signed(total)),
  );
}

export function scoreTable() {
  const caption = html("caption", { class: "unseen" });
  const head = html("tr");
  const body = html("tbody");
  const foot = html("tr");
  const table_ = html("table", { class: "score-table" }, caption, html("thead", {}, head), body, html("tfoot", {}, foot));
  const nothing = html("p", { class: "nothing" });
  const node = html("div", { class: "score-sheet", tabindex: 0, role: "region" }, nothing, table_);
  return {
    node,
    show(table) {
      const history = table.state.history ?? [];
      const seats = ranking(table.state).map(({ seat }) => seat).sort((one, other) => one - other);
      setAttribute(node, "aria-label", say("scores"));
      setText(caption, say("scores"));
      setText(nothing, say("no-scores"));
      nothing.hidden = history.length > 0;
      table_.hidden = history.length === 0;
      const names = seats.map((seat) => html("th", { scope: "col" }, badge(seat), " ", html("span", { class: "who" }, nameOf(table, seat))));
      head.replaceChildren(html("th", { scope: "col" }, say("round")), ...names);
      body.replaceChildren(...history.map((scores, at) => oneRound(at + 1, scores, seats)));
      const totals = seats.map((seat) => history.reduce((sum, scores) => sum + scores[seat - 1], 0));
      foot.replaceChildren(html("th", { scope: "row" }, say("total")), ...totals.map((total) => html("td", {}, signed(total))));
    },
  };
}

function oneRound(number, scores, seats) {
  const best = Math.max(...seats.map((seat) => scores[seat - 1]));
  const cells = seats.map((seat) => {
    const cell = html("td", {}, signed(scores[seat - 1]));
    if (scores[seat - 1] === best) setClass(cell, "best");
    return cell;
  });
  return html("tr", {}, html("th", { scope: "row" }, String(number)), ...cells);
}
