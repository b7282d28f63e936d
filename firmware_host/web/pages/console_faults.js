// Faults to inject at a simulated table: what is wrong now, and what is to go wrong. `ligretto-table fault` does the same.

import { html, setText } from "./nodes.js";
import { say } from "./words.js";

const KINDS = ["unplug", "stuck", "storm"];
const LENGTHS = ["5s", "15s", "60s", ""];
const LOOK_MS = 1000;
const AGAIN_MS = 5000;

export function faultsPart(operator, said) {
  const list = html("ul", { class: "faults" });
  const kind = html("select", { "aria-label": say("fault-kind") }, ...KINDS.map((each) => html("option", { value: each }, say(`fault ${each}`))));
  const what = html("select", { "aria-label": say("fault-what") });
  const length = html("select", { "aria-label": say("fault-length") }, ...LENGTHS.map((each) => html("option", { value: each }, each ? say("fault-for", { n: parseInt(each) }) : say("fault-until"))));
  length.value = "15s";
  const inject = html("button", { class: "main" }, say("inject"));
  const form = html("form", { class: "line" }, kind, what, length, inject);
  const node = html("section", { class: "box faults-part", hidden: true }, html("h2", {}, say("part faults")), html("p", { class: "hint" }, say("faults-hint")), form, list);
  let possible = {};
  let seen = null;
  let looking = 0;

  function draw({ faults, possible: now }) {
    if (JSON.stringify(now) !== JSON.stringify(possible)) {
      possible = now;
      choose();
    }
    const names = faults.map((each) => `${each.kind} ${each.what}`);
    if (names.join() !== [...list.children].map((each) => each.dataset.fault).join()) list.replaceChildren(...faults.map(row));
    for (const [place, { left_s: left }] of faults.entries()) {
      setText(list.children[place].querySelector(".hint"), left === undefined ? say("fault-until") : say("fault-left", { n: Math.ceil(left) }));
    }
    clearTimeout(looking);
    if (faults.length && node.isConnected) looking = setTimeout(refresh, LOOK_MS);
  }

  function row({ kind: fault, what: target }) {
    const end = html("button", { type: "button", "aria-label": `${say("fault-end")}: ${target}` }, say("fault-end"));
    end.addEventListener("click", () => tell(`end ${target}`, say("told mended", { what: target })));
    return html("li", { "data-fault": `${fault} ${target}` }, html("b", { "aria-hidden": "true" }, "⚡"), html("span", {}, `${target}: ${say(`fault ${fault}`)}`), end, html("span", { class: "hint" }));
  }

  function choose() {
    what.replaceChildren(...(possible[kind.value]?.what ?? []).map((each) => html("option", { value: each }, each)));
  }

  async function refresh() {
    try {
      draw(await operator.get("/api/faults"));
    } catch {
      clearTimeout(looking);
      list.replaceChildren(); // the table is away: what was wrong is over
      looking = setTimeout(refresh, AGAIN_MS);
    }
  }

  async function tell(text, words, undo) {
    try {
      draw(await operator.post("/api/faults", { tell: text }));
      said.done(words, undo);
    } catch (error) {
      said.refused(error);
      refresh();
    }
  }

  kind.addEventListener("change", choose);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const target = what.value;
    tell(`${kind.value} ${target} ${length.value}`.trim(), say("told fault", { what: target }), () => tell(`end ${target}`, say("told mended", { what: target })));
  });

  return {
    node,
    show({ state }) {
      node.hidden = !state.table.simulated;
      const now = JSON.stringify([state.devices, state.masked, state.table]);
      if (!node.hidden && now !== seen) refresh();
      seen = now;
    },
  };
}
