// The game: start with names and a deal, pause, resume, void, end, and leftover counts.

import { html, setAttribute, setText, setValue } from "./nodes.js";
import { confirmed } from "./notice.js";
import { phaseOf } from "./page_head.js";
import { say } from "./words.js";

const BUTTONS = [
  ["pause", false],
  ["resume", false],
  ["void", true],
  ["end", true],
];

export function gamePart(operator, said) {
  const phase = html("p", { class: "now" });
  const buttons = BUTTONS.map(([word, asks]) => {
    const button = html("button", { "data-tell": word }, say(`tell ${word}`));
    button.addEventListener("click", async () => {
      if (asks && !(await confirmed(say(`sure ${word}`), say(`tell ${word}`)))) return;
      const back = { pause: "resume", resume: "pause" }[word];
      tell(word, say(`told ${word}`), back && (() => tell(back, say(`told ${back}`))));
    });
    return button;
  });
  const start = html("button", { class: "main", "data-tell": "start" }, say("tell start"));
  const rows = html("div", { class: "seats-form" });
  const starting = html("p", { class: "line" }, start, html("span", { class: "hint" }, say("deal-hint")));
  const form = html("form", { class: "start" }, html("h3", {}, say("players")), rows, starting);
  const counts = html("form", { class: "counts" });
  const node = html("section", { class: "box game-part" }, html("h2", {}, say("game")), phase, html("p", { class: "line" }, ...buttons), form, counts);
  let seats = [];
  let state = null;
  let usual = "";
  let asked = "";

  async function tell(text, words, undo) {
    try {
      await operator.tell(text);
      said.done(words, undo);
      return true;
    } catch (error) {
      said.refused(error);
      return false;
    }
  }

  function seatRow(seat) {
    const name = html("input", { class: "name", maxlength: "24", autocomplete: "off", "aria-label": say("name-of", { seat }) });
    const deal = html("input", { class: "deal", type: "number", min: "0", max: "40", inputmode: "numeric", "aria-label": say("deal-of", { seat }) });
    const left = html("input", { class: "left", type: "number", min: "0", max: "40", inputmode: "numeric", "aria-label": say("left-of", { seat }) });
    const set = html("button", { type: "button" }, say("set"));
    name.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault(); // it names the seat, and starts no match
      name.blur();
    });
    name.addEventListener("change", async () => {
      const before = state.seats[seat].name ?? "";
      const wanted = name.value.trim();
      const undo = () => tell(`name ${seat} ${before}`.trim(), say("told name"));
      if (!(await tell(`name ${seat} ${wanted}`.trim(), say("told name"), undo))) name.value = before;
    });
    set.addEventListener("click", () => {
      const before = (state.check?.counts ?? [])[seat - 1];
      const undo = before === undefined ? null : () => tell(`leftover ${seat} ${before}`, say("told leftover", { seat, n: before }));
      if (left.value !== "") tell(`leftover ${seat} ${left.value}`, say("told leftover", { seat, n: left.value }), undo);
    });
    const badge = () => html("span", { class: "badge" }, String(seat));
    return { name, deal, left, row: html("p", { class: "seat-row" }, badge(), name, deal), count: html("p", { class: "seat-row" }, badge(), left, set) };
  }

  function build(many) {
    seats = Array.from({ length: many }, (_, place) => seatRow(place + 1));
    rows.replaceChildren(html("p", { class: "seat-row head" }, html("span"), html("span", {}, say("name")), html("span", {}, say("deal"))), ...seats.map((each) => each.row));
    counts.replaceChildren(html("h3", {}, say("leftovers")), ...seats.map((each) => each.count));
  }

  // What `start` alone would deal; it depends on game, open seats and handicap.
  async function askUsual() {
    try {
      const { usual_deal: deal = "" } = await operator.tell("settings");
      const before = usual.split(",");
      for (const [place, count] of deal.split(",").entries()) {
        const input = seats[place]?.deal;
        if (input && (input.value === "" || input.value === before[place])) setValue(input, count); // what was typed stays
      }
      usual = deal;
    } catch {
      // the table is away; it is asked again when the phase changes
    }
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const deal = seats.map((each) => Number(each.deal.value || 0)).join(",");
    if (starting.hidden) return;
    tell(deal === usual || !/[1-9]/.test(deal) ? "start" : `start ${deal}`, say("told start"));
  });
  counts.addEventListener("submit", (event) => event.preventDefault());

  return {
    node,
    show(table) {
      ({ state } = table);
      if (seats.length !== state.table.seats) build(state.table.seats);
      setText(phase, say(`phase ${phaseOf(state)}`));
      for (const button of buttons) button.disabled = !state.commands.includes(button.dataset.tell);
      starting.hidden = !state.commands.includes("start");
      setAttribute(form, "data-starting", starting.hidden ? null : "");
      counts.hidden = !state.commands.includes("leftover");
      for (const [place, each] of seats.entries()) {
        const seat = state.seats[place + 1] ?? {};
        if (document.activeElement !== each.name) each.name.value = seat.name ?? "";
        setAttribute(each.row, "data-closed", seat.open ? null : "");
        const count = state.check?.counts?.[place];
        each.count.hidden = seat.dealt === 0;
        if (count !== undefined) each.left.placeholder = String(count);
      }
      const now = `${state.phase} ${state.table.game}`;
      if (now !== asked && !starting.hidden) askUsual();
      asked = now;
    },
    again: askUsual,
  };
}
