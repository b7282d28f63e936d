// The whole table as spectators see it, in any element of a page.
//
//   const view = tableView();  root.append(view.node);  view.show(table);  view.take(message, table)

import { middle } from "./board.js";
import { COLOURS, SYMBOLS } from "./lamps.js";
import { html, setAttribute, setText } from "./nodes.js";
import { phaseOf } from "./page_head.js";
import { nameOf, seatPanels } from "./seats.js";
import { sign } from "./sign.js";
import { standings } from "./standings.js";
import { verdictLog } from "./verdicts.js";
import { listed, say } from "./words.js";

export function tableView() {
  const parts = { middle: middle(), curtain: curtain(), sign: sign(), seats: seatPanels(), log: verdictLog(14), ranks: standings() };
  const hint = html("p", { class: "hint" });
  const time = countdownBar();
  const troubles = html("ul", { class: "troubles" });
  const node = html(
    "div",
    { class: "table-view" },
    html("section", { class: "stage", "data-label": "table", "aria-label": say("table") }, parts.middle.node, parts.curtain.node),
    html("div", { class: "sign-box" }, parts.sign.node, time.node, hint, troubles),
    html("section", { class: "seat-box", "data-label": "seats", "aria-label": say("seats") }, parts.seats.node),
    titled("verdicts", "verdict-box", parts.log.node),
    titled("standings", "standing-box", parts.ranks.node),
  );
  return {
    node,
    show(table) {
      parts.middle.show(table);
      parts.curtain.show(table);
      parts.sign.show(table);
      parts.seats.show(table);
      parts.ranks.show(table);
      time.show(table);
      setText(hint, say(hintOf(table.state)));
      showTroubles(troubles, table.state);
      setAttribute(node, "data-phase", phaseOf(table.state));
      setAttribute(node, "data-n", `${table.session}:${table.n}`);
      setAttribute(node, "data-game", table.state.table.game);
    },
    take(message, table) {
      if (message.is === "felt") parts.seats.felt(message.seat);
      parts.log.take(message, table);
    },
  };
}

function titled(key, names, content) {
  return html("section", { class: `box ${names}` }, html("h2", { "data-say": key }, say(key)), content);
}

function hintOf(state) {
  const { piles, pads, owned_by_tag } = state.table;
  const phase = phaseOf(state);
  if (phase === "play") return piles ? (pads ? "hint play pads" : "hint play piles") : owned_by_tag ? "hint play tags" : "hint play";
  const of_cards = piles > 0 && ["countdown", "settle", "scores", "clear"].includes(phase);
  return of_cards ? `hint ${phase} cards` : `hint ${phase}`;
}

// What everybody has to see at once lies over the middle: three, two, one; a pause; the winner.
export function curtain() {
  const large = html("p", { class: "curtain-large" });
  const small = html("p", { class: "curtain-small" });
  const sparks = html("div", { class: "sparks", "aria-hidden": "true" }, ...Array.from({ length: 24 }, oneSpark));
  const node = html("div", { class: "curtain", role: "status" }, sparks, large, small);
  return {
    node,
    show(table) {
      const [first, second] = curtainWords(table);
      const kind = phaseOf(table.state);
      if (large.textContent !== String(first) || node.dataset.phase !== kind) {
        setText(large, first);
        node.dataset.phase = kind;
        large.classList.remove("fresh");
        void large.offsetWidth; // begin the movement again
        large.classList.add("fresh");
      }
      setText(small, second);
      node.hidden = !first;
    },
  };
}

// The signs of the four rows fly apart when somebody has won.
function oneSpark(_, at) {
  const colour = COLOURS[at % COLOURS.length];
  const spark = html("i", { class: `spark ${colour}` }, SYMBOLS[colour]);
  spark.style.setProperty("--turn", `${at / 24 + (at % 3) / 60}turn`);
  spark.style.setProperty("--far", `${16 + ((at * 7) % 11) * 1.7}em`);
  spark.style.setProperty("--late", `${(at % 5) * 0.12}s`);
  return spark;
}

function curtainWords(table) {
  const { state, page } = table;
  switch (phaseOf(state)) {
    case "countdown":
      return [/^[1-9]$/.test(page[1]?.trim()) ? page[1].trim() : "", ""];
    case "paused":
      return [say("phrase paused"), ""];
    case "attract":
      return [say("phrase press-to-play"), ""];
    case "result": {
      const winners = state.result?.winners ?? [];
      return winners.length ? [listed(winners.map((seat) => nameOf(table, seat))), say(winners.length > 1 ? "winners" : "winner")] : ["", ""];
    }
    case "away":
      return [say("phase away"), ""];
    default:
      return ["", ""];
  }
}

// How much of the time is left that everybody has now; not while a round runs, for that has no end.
const TIMED = new Set(["join", "countdown", "settle", "scores", "clear", "result", "paused"]);

function countdownBar() {
  const bar = html("i");
  const words = html("b");
  const node = html("div", { class: "time-left", "aria-hidden": "true" }, html("span", {}, bar), words);
  let drawn = null;
  let timer = 0;
  const draw = () => {
    if (!node.isConnected) timer = void clearInterval(timer);
    const { entered_ns: from, deadline_ns: end } = drawn.state;
    const now = drawn.nowNs();
    bar.style.transform = `scaleX(${Math.min(Math.max((end - now) / (end - from), 0), 1)})`;
    setText(words, `${Math.max(0, Math.ceil((end - now) / 1e9))} s`);
  };
  return {
    node,
    show(table) {
      const { state } = table;
      drawn = table;
      node.hidden = !(TIMED.has(state.phase) && state.deadline_ns > state.entered_ns);
      if (!node.hidden) draw();
      if (node.hidden && timer) timer = void clearInterval(timer);
      if (!node.hidden && !timer) timer = setInterval(draw, 200);
    },
  };
}

export function showTroubles(list, { devices = {}, masked = {} }) {
  const lines = [
    ...Object.entries(devices).map(([name, device]) => `${name}: ${say(`phrase device-${device.condition}`)}`),
    ...Object.keys(masked).map((name) => say("phrase check", { what: name })),
  ];
  if (list.textContent !== lines.join("")) list.replaceChildren(...lines.map((line) => html("li", {}, line)));
  list.hidden = !lines.length;
}
