// Devices, past rounds, the store, audits and the log. Each part is read when it is opened.

import { save } from "./finish_view.js";
import { html, setText } from "./nodes.js";
import { language, say, signed } from "./words.js";

const EXPORTS = ["rounds", "matches", "verdicts", "standings"];

export function archiveParts(operator, said) {
  const parts = [devices(operator), part("displays", () => displays(operator, said)), part("rounds", () => rounds(operator, said)), part("data", () => data(operator, said))];
  return [...parts, part("audits", () => audits(operator)), part("log", () => log(operator))];
}

// A part of the page that fills itself whenever it is opened.
function part(name, filled) {
  const inner = html("div", { class: "inner" });
  const node = html("details", { class: `box ${name}-part` }, html("summary", {}, html("h2", {}, say(`part ${name}`))), inner);
  const fill = async () => {
    if (!node.open) return;
    if (!inner.childNodes.length) inner.replaceChildren(html("p", { class: "hint" }, html("progress"), ` ${say("reading")}`));
    try {
      inner.replaceChildren(...(await filled()));
    } catch (error) {
      inner.replaceChildren(html("p", { class: "bad", role: "alert" }, error.message), button("again", fill));
    }
  };
  node.addEventListener("toggle", fill);
  return { node, show() {} };
}

function button(word, deed, words = say(word)) {
  const node = html("button", { type: "button" }, words);
  node.addEventListener("click", deed);
  return node;
}

// -- devices: always open, read again when their state in the feed changes

function devices(operator) {
  const list = html("ul", { class: "devices" });
  const node = html("section", { class: "box devices-part" }, html("h2", {}, say("part devices")), list);
  let seen = null;
  let told = { devices: {}, masked: {} };

  // The page is written every few seconds, so it only says which devices there are; how they are says the feed.
  async function refresh() {
    try {
      const page = await operator.get("/api/health");
      const all = { ...Object.fromEntries(Object.keys(page.devices).map((name) => [name, { condition: "ok" }])), ...told.devices };
      const known = Object.entries(all).map(([name, each]) => device(name, each.condition, each.seen, each.advice));
      const masked = Object.entries(told.masked).map(([name, why]) => device(name, "masked", why, ""));
      list.replaceChildren(...masked, ...known);
    } catch (error) {
      list.replaceChildren(html("li", { class: "bad" }, error.message));
    }
  }

  function device(name, condition, saw, advice) {
    const sign = { ok: "✓", degraded: "!", lost: "✕", masked: "⊘" }[condition] ?? "?";
    const words = html("span", { lang: "en" }, [saw, advice].filter(Boolean).join(": "));
    return html("li", { "data-condition": condition }, html("b", { "aria-hidden": "true" }, sign), html("span", {}, `${name}: ${say(`is ${condition}`)}`), words);
  }

  return {
    node,
    show({ state }) {
      told = { devices: state.devices, masked: state.masked };
      const now = JSON.stringify(told);
      if (now !== seen) refresh();
      seen = now;
    },
  };
}

// -- displays

async function displays(operator, said) {
  const { displays: all, shown } = await operator.get("/api/displays");
  const rows = all.map((each) => {
    const name = say("display", { name: each.name });
    const what = html("select", { "aria-label": name }, ...shown.map((one) => html("option", { value: one }, say(`shows ${one}`))));
    what.value = each.shows;
    what.addEventListener("change", () => assign({ shows: what.value }, () => assign({ shows: each.shows })));
    const assign = async (orders, undo) => {
      try {
        const { shows } = await operator.post("/api/displays", { name: each.name, ...orders });
        what.value = shows;
        said.done(say("told display", { name: each.name }), undo);
      } catch (error) {
        said.refused(error);
      }
    };
    return html("p", { class: "line" }, html("b", {}, name), what, button("reload", () => assign({ reload: true })));
  });
  return [...rows, html("p", { class: "hint" }, say("no-displays"))];
}

// -- past rounds

async function rounds(operator, said) {
  const { rounds: last } = await operator.get("/api/rounds?last=20");
  if (!last.length) return [html("p", { class: "nothing" }, say("no-rounds"))];
  const list = html("ol", { class: "rounds" });
  for (const each of last) {
    const scores = (each.seats ?? []).map((seat) => `${seat}: ${signed(each.scores[seat - 1])}`).join("   ");
    const row = button("", () => showRound(operator, said, each.round), "");
    row.append(html("b", {}, `${each.number}`), html("span", {}, each.begun.slice(0, 16).replace("T", " ")), html("span", {}, outcomeOf(each, each === last[0])), html("span", { class: "hint" }, scores));
    list.append(html("li", {}, row));
  }
  return [list];
}

function outcomeOf(round, newest) {
  if (round.state === "scored") return round.finisher ? say("ended-round", { seat: round.finisher }) : say("phrase stuck");
  if (round.state === "void") return say(`void-${round.voided?.reason ?? "operator"}`);
  if (round.state === "abandoned") return say("given-up");
  return say(newest ? "under-way" : "cut-off");
}

async function showRound(operator, said, n) {
  try {
    const round = await operator.get(`/api/rounds/${n}?lang=${language()}`);
    const close = html("button", { class: "main" }, say("close"));
    const dialog = html("dialog", { class: "round-dialog", "aria-label": round.title }, html("form", { method: "dialog", class: "line" }, html("h2", {}, `${say("round-n", { n: round.number })}: ${outcomeOf(round, false)}`), close));
    if (round.why_unknown) dialog.append(html("p", { lang: "en" }, round.why_unknown));
    else dialog.append(html("img", { src: `/api/rounds/${n}.svg`, alt: round.title, class: "story" }));
    for (const each of round.contests) {
      const alt = [each.title, ...each.sentences].join(" ");
      dialog.append(html("img", { src: `/api/finish/${each.id}.svg?lang=${language()}`, alt, loading: "lazy", class: "story" }));
    }
    if (round.lines.length) dialog.append(html("pre", { lang: "en", tabindex: "0" }, round.lines.join("\n")));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  } catch (error) {
    said.refused(error);
  }
}

// -- the store: export, backup, and how to restore it

async function data(operator, said) {
  const what = html("select", { "aria-label": say("what") }, ...EXPORTS.map((each) => html("option", { value: each }, say(`export ${each}`))));
  const form = html("select", { "aria-label": say("form") }, html("option", {}, "csv"), html("option", {}, "json"));
  const progress = html("progress", { hidden: true, "aria-label": say("reading") });
  const told = html("p", { role: "status" });
  const exported = button("export", () => fetched(`/api/export?what=${what.value}&form=${form.value}`, `${what.value}.${form.value}`));
  const backedUp = button("backup", () => fetched("/api/backup", "ligretto.db"));
  const { restore } = await operator.get("/api/health");

  async function fetched(url, usual) {
    progress.hidden = false;
    progress.removeAttribute("value");
    setText(told, say("reading"));
    exported.disabled = backedUp.disabled = true;
    try {
      const answer = await operator.fetch(url);
      const name = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1] ?? usual;
      save(await received(answer, progress), name);
      const losses = Number(answer.headers.get("X-Losses") ?? 0);
      setText(told, say(losses ? "saved-damaged" : answer.headers.has("X-Rounds") ? "saved-checked" : "saved", { name, n: losses || answer.headers.get("X-Rounds") }));
    } catch (error) {
      setText(told, "");
      said.refused(error);
    }
    progress.hidden = true;
    exported.disabled = backedUp.disabled = false;
  }

  return [
    html("p", { class: "line" }, what, form, exported),
    html("p", { class: "line" }, backedUp),
    html("p", {}, progress),
    told,
    html("p", { class: "hint" }, say("restore-hint")),
    html("pre", { tabindex: "0" }, restore.join("\n")),
  ];
}

async function received(answer, progress) {
  const whole = Number(answer.headers.get("Content-Length"));
  const parts = [];
  let got = 0;
  for (const reader = answer.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts, { type: answer.headers.get("Content-Type") });
    parts.push(value);
    got += value.length;
    if (whole) progress.value = got / whole;
  }
}

// -- audits and the log

async function audits(operator) {
  const { games, audits: all } = await operator.get("/api/audits");
  const rows = all.filter((each) => each.idle || !["button", "call", "slot", "reader", "lamp"].includes(each.kind));
  const parts = all.length - rows.length;
  return [
    html("p", {}, say("games-played", { n: games })),
    table(["part", "count", "last-used"], rows.map((each) => [`${each.idle ? "⚠ " : ""}${each.kind} ${each.name}`, each.count, each.last.replace("T", " ")])),
    html("p", { class: "hint" }, say("parts-well", { n: parts })),
  ];
}

async function log(operator) {
  const { log: lines } = await operator.get("/api/log?last=200");
  if (!lines.length) return [html("p", { class: "nothing" }, say("no-log"))];
  return [table(["when", "kind", "text"], lines.reverse().map((each) => [each.at.replace("T", " "), each.kind, each.text]))];
}

function table(heads, rows) {
  const head = html("tr", {}, ...heads.map((each) => html("th", { scope: "col" }, say(`head ${each}`))));
  const body = rows.map((cells) => html("tr", {}, ...cells.map((each) => html("td", { lang: "en" }, String(each)))));
  return html("div", { class: "scroll", tabindex: "0" }, html("table", {}, html("thead", {}, head), html("tbody", {}, ...body)));
}
