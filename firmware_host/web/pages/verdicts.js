// The verdicts as they fall: who was first, and by how much.
//
//   const log = verdictLog(12);  parent.append(log.node);  log.take(message, table)
//
// A rival who came too late is put below the one who was first.

import { SYMBOL_PATHS } from "./lamps.js";
import { html, setAttribute, svg } from "./nodes.js";
import { nameOf, verdictKind, verdictWords, WINNING } from "./seats.js";
import { listed, margin, onLanguage, say, signed } from "./words.js";

const SILENT = new Set(["repeated", "not-running"]);

export function verdictLog(most) {
  const list = html("ol", { class: "verdicts" });
  const nothing = html("p", { class: "nothing", "data-say": "no-verdicts" }, say("no-verdicts"));
  const node = html("div", { class: "verdict-log", role: "log", "aria-live": "polite" }, nothing, list);
  const items = []; // newest first: {row, write, what, seat, rivals}
  onLanguage(() => items.forEach((item) => item.write()));

  function add(item) {
    items.unshift(item);
    item.row = html("li", { class: `event ${item.kind}` });
    item.write();
    list.prepend(item.row);
    for (const old of items.splice(most)) old.row.remove();
    nothing.hidden = true;
  }

  return {
    node,
    take(message, table) {
      for (const effect of message.effects ?? []) {
        const contest = effect.is === "Judged" && contestOf(effect, items);
        if (contest) {
          contest.rivals.push(effect);
          contest.write();
        } else {
          const item = itemOf(effect, table);
          if (item) add(item);
        }
      }
      // Who comes while a round runs sees at once what was decided last.
      if (message.is === "snapshot" && !items.length) {
        const last = Object.values(table.state.last ?? {}).sort((one, other) => one.decided_ns - other.decided_ns);
        for (const judged of last) this.take({ effects: [judged] }, table);
      }
    },
    showNames: () => items.forEach((item) => item.write()),
  };
}

// The contest that this verdict lost. One without a margin has lost none: it took a counted die from that seat.
function contestOf(judged, items) {
  if (!judged.rival || !judged.what || judged.margin_ns == null) return undefined;
  return items.find((item) => item.seat === judged.rival && faceOf(item.what) === faceOf(judged.what));
}

// "green 3", of a place or of anybody's card.
const faceOf = (what) => what?.split(" ").slice(-2).join(" ");

function itemOf(effect, table) {
  switch (effect.is) {
    case "Judged":
      return SILENT.has(effect.verdict) ? null : judgedItem(effect, table);
    case "TieBroken":
      return lineItem("tie", () => [
        strong(say("dead-heat")),
        thing(effect.what),
        html("span", { class: "why" }, say("nobody-first", { seats: listed(effect.seats) })),
        html("span", { class: "why" }, say(effect.drawn ? "by-lot" : "by-ties", { seat: effect.winner })),
      ]);
    case "RoundStarted":
      return lineItem("call", () => [strong(say(effect.again ? "round-again" : "round-starts", { n: effect.number }))]);
    case "RoundFinished":
      return lineItem("call", () => [strong(say("ended-round", { seat: effect.seat }))]);
    case "RoundStuck":
      return lineItem("call", () => [strong(say("phrase stuck"))]);
    case "RoundVoided":
      return lineItem("call", () => [strong(say(`void-${effect.reason}`))]);
    case "RoundScored":
      return lineItem("call", () => [
        strong(say("round-n", { n: effect.number })),
        ...effect.seats.map((seat) => html("span", { class: "score" }, badge(seat), signed(effect.scores[seat - 1]))),
      ]);
    case "MatchEnded":
      return lineItem("call", () => [
        strong(say(effect.winners.length > 1 ? "winners" : "winner")),
        html("span", {}, listed(effect.winners.map((seat) => nameOf(table, seat)))),
      ]);
    case "MatchAbandoned":
      return lineItem("call", () => [strong(say("given-up"))]);
    default:
      return null;
  }
}

function lineItem(kind, parts) {
  const item = { kind, rivals: [], write: () => item.row.replaceChildren(...parts()) };
  return item;
}

function judgedItem(judged, table) {
  const item = { kind: verdictKind(judged), what: judged.what, rivals: [], seat: WINNING.has(judged.verdict) ? judged.seat : 0 };
  item.write = () => {
    const parts = [badge(judged.seat), html("span", { class: "who" }, nameOf(table, judged.seat)), thing(judged.what), told(judged, table)];
    if (judged.verdict === "too-late" && judged.margin_ns != null) parts.push(why(judged));
    if (item.rivals.length) parts.push(race(item, table));
    item.row.replaceChildren(...parts);
    setAttribute(item.row, "data-contest", item.rivals.length ? "" : null);
  };
  return item;
}

function told(judged, table) {
  const doubt = judged.doubtful ? ` (${say("doubtful")})` : "";
  return html("span", { class: `told ${verdictKind(judged)}` }, verdictWords(judged, table.state) + doubt);
}

function why(judged) {
  return html("span", { class: "why" }, say("behind", { margin: margin(judged.margin_ns), rival: judged.rival }));
}

// How long after the first each rival came: from 0.1 ms to a second, each tenfold as long as the one before.
const lateness = (ns) => Math.min(Math.max(Math.log10((ns ?? 0) / 1e5) / 4, 0.03), 1);

function race(item, table) {
  const rows = item.rivals.map((rival) => {
    const bar = html("span", { class: "bar" }, html("i"));
    bar.firstChild.style.width = `${100 * lateness(rival.margin_ns)}%`;
    const ties = rival.verdict.startsWith("dead-heat");
    const words = rival.margin_ns == null ? verdictWords(rival, table.state) : `${ties ? "±" : "+"}${margin(rival.margin_ns)}`;
    return html("span", { class: `rival ${verdictKind(rival)}` }, badge(rival.seat), bar, html("span", { class: "late-by" }, words));
  });
  return html("span", { class: "race" }, ...rows);
}

export function badge(seat) {
  return html("span", { class: "badge" }, String(seat));
}

const strong = (text) => html("strong", {}, text);

// "green 3", or "card 2 green 3": its symbol and its number.
export function thing(what) {
  if (!what) return "";
  const [colour, number] = faceOf(what).split(" ");
  if (!SYMBOL_PATHS[colour]) return "";
  const glyph = svg("svg", { class: `glyph-small ${colour}`, viewBox: "-12 -12 24 24", role: "img" });
  glyph.append(svg("title", {}, say(`colour ${colour}`)), svg("path", { d: SYMBOL_PATHS[colour] }));
  return html("span", { class: "thing" }, glyph, number);
}
