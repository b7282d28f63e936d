// The seats: lamp with its rhythm, player, what is left, points, the last verdict.
//
//   const seats = seatPanels();  parent.append(seats.node);  seats.show(table);  seats.felt(seat)

import { DARK, lampsOf, light, panelLamps, rhythm } from "./lamps.js";
import { html, setAttribute, setClass, setText, svg } from "./nodes.js";
import { margin, say, signed } from "./words.js";

const FELT_MS = 350;
const VERDICT_NS = 4e9;
export const WINNING = new Set(["accepted", "dead-heat-won"]);

export function seatPanels() {
  const node = html("ol", { class: "seats" });
  let panels = [];
  return {
    node,
    show(table) {
      const { seats } = table.state;
      const many = Object.keys(seats).length;
      if (panels.length !== many) {
        panels = Object.keys(seats).map((seat) => onePanel(Number(seat)));
        node.replaceChildren(...panels.map((panel) => panel.node));
        node.dataset.many = many > 6 ? "most" : many > 4 ? "more" : "few";
      }
      setAttribute(node, "aria-label", say("seats"));
      const lamps = panelLamps(lampsOf(table.lamps), many);
      panels.forEach((panel, at) => panel.show(table, seats[at + 1], lamps[at] ?? DARK));
    },
    felt(seat) {
      panels[seat - 1]?.felt();
    },
  };
}

export function nameOf(table, seat) {
  return table.state.seats[seat]?.name ?? say("seat", { seat });
}

function onePanel(seat) {
  const dome = svg(
    "svg",
    { class: "dome lamp", viewBox: "-50 -50 100 100", "aria-hidden": "true" },
    svg("circle", { class: "halo", r: 50 }),
    svg("circle", { class: "rim", r: 40 }),
    svg("circle", { class: "cap", r: 32 }),
    svg("path", { class: "shine", d: "M-20 -12 A24 24 0 0 1 12 -21" }),
    svg("text", { class: "dome-number", y: 12 }, String(seat)),
  );
  const name = html("span", { class: "seat-name" });
  const beat = html("span", { class: "rhythm", "aria-hidden": "true" });
  const left = html("span", { class: "left-number" });
  const unit = html("span", { class: "unit" });
  const blocks = html("span", { class: "blocks", "aria-hidden": "true" });
  const points = html("span", { class: "seat-points" });
  const verdict = html("span", { class: "seat-verdict" });
  const node = html(
    "li",
    { class: "seat", "data-seat": seat },
    dome,
    html("span", { class: "seat-head" }, name, points),
    html("span", { class: "seat-left" }, left, unit, blocks),
    html("span", { class: "seat-foot" }, verdict, beat),
  );
  let feltUntil = 0;
  return {
    node,
    felt() {
      setAttribute(node, "data-felt", "");
      clearTimeout(feltUntil);
      feltUntil = setTimeout(() => setAttribute(node, "data-felt", null), FELT_MS);
    },
    show(table, entry, lamp) {
      const { state } = table;
      setClass(node, `seat ${entry.open ? (entry.seated ? "seated" : "empty") : "closed"}`);
      light(dome, lamp);
      setText(beat, lamp.tint && lamp.beat ? rhythm(lamp.beat) : "");
      setText(name, entry.name ?? say("seat", { seat }));
      setText(points, entry.total === undefined || !entry.seated ? "" : signed(entry.total));
      showLeft(state, { ...entry, seat }, { left, unit, blocks });
      const told = verdictOf(table, seat, entry);
      setText(verdict, told.words);
      setAttribute(node, "data-verdict", told.kind);
      setAttribute(node, "data-winner", state.phase === "result" && state.result?.winners.includes(seat) ? "" : null);
    },
  };
}

// How much a seat has to get rid of. A table of cards doesn't know what is left of a Ligretto pile while it is played.
function showLeft(state, entry, { left, unit, blocks }) {
  const cards = state.table.piles > 0;
  const counted = state.phase === "settle" ? state.check?.counts[entry.seat - 1] : undefined;
  const many = cards && state.phase === "play" ? entry.tally : (counted ?? entry.left ?? entry.dealt);
  const known = entry.seated && many !== undefined && !["attract", "join", "result"].includes(state.phase);
  setText(left, known ? many : "");
  setText(unit, known ? say(cards && state.phase === "play" ? "played" : "left") : "");
  setText(blocks, known && !cards ? "■".repeat(Math.max(0, Math.min(many, 12))) : "");
}

function verdictOf(table, seat, entry) {
  const { state } = table;
  const judged = state.last?.[seat];
  const now = table.nowNs();
  if (entry.locked_until_ns > now) {
    return { words: say("locked", { s: Math.ceil((entry.locked_until_ns - now) / 1e9) }), kind: "bad" };
  }
  if (judged && now < judged.decided_ns + VERDICT_NS * Math.max(1, table.clock.rate)) {
    return { words: shortVerdict(judged, state), kind: verdictKind(judged) };
  }
  if (entry.agreed) return { words: say("agreed"), kind: "good" };
  if (!entry.open) return { words: say("closed"), kind: null };
  if (!entry.seated) return { words: say("free"), kind: null };
  return { words: "", kind: null };
}

export function verdictKind(judged) {
  if (judged.verdict.startsWith("dead-heat")) return "tie";
  if (WINNING.has(judged.verdict)) return "good";
  return judged.verdict === "too-late" ? "late" : "bad";
}

export function verdictWords(judged, state) {
  if (judged.cue) return say(`cue ${judged.cue}`);
  const pads = state.table.piles > 0 && state.table.pads;
  if (pads && judged.verdict === "illegal") return say("phrase fits-nowhere");
  if (pads && judged.verdict === "false-claim") return say("phrase no-card");
  return say(`verdict ${judged.verdict}`);
}

function shortVerdict(judged, state) {
  const words = verdictWords(judged, state);
  return judged.verdict === "too-late" && judged.margin_ns != null ? `${words} +${margin(judged.margin_ns)}` : words;
}
