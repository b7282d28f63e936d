// The page "/display": it shows what the operator wants, under a short name that anybody can read out.
//
// It remembers its name and what it shows, so a restart of the server, or of itself, changes nothing.

import { WORDS as FINISH_WORDS } from "./finish_words.js";
import { follow } from "./feed.js";
import { linkSign } from "./page_head.js";
import { html, setText } from "./nodes.js";
import { tableView } from "./table_view.js";
import { WORDS } from "./table_words.js";
import { finishScreen, joinView, nextView, scoresView, standingsView } from "./views.js";
import { onLanguage, say, speak, useWords } from "./words.js";

useWords(WORDS);
useWords(FINISH_WORDS);

const VIEWS = { table: tableView, scores: scoresView, standings: standingsView, finish: finishScreen, next: nextView, join: joinView };
const ASK_MS = 2000;
const KEPT = "ligretto-display";

const main = document.getElementById("main");
const sign = linkSign();
const name = html("p", { class: "display-name" });
document.body.append(html("footer", { class: "display-foot" }, sign.node, name));

let me = remembered();
let view = null;
let shown = "";

function remembered() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT));
    if (kept?.key) return kept;
  } catch {
    // it begins anew
  }
  const key = [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return { key };
}

function show(what) {
  if (what === shown || !VIEWS[what]) return;
  shown = what;
  view?.close?.();
  view = VIEWS[what]();
  main.replaceChildren(view.node);
  document.body.dataset.shows = what;
  if (stream.table.state) {
    view.show(stream.table);
    view.take?.({ is: "snapshot" }, stream.table);
  }
}

const stream = follow({
  change(table) {
    speak(table.state.table.language);
    view?.show(table);
  },
  news: (message, table) => view?.take?.(message, table),
  link: sign.link,
});

async function ask() {
  try {
    const answer = await fetch("/api/displays/me", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(me),
    });
    if (answer.ok) obey(await answer.json());
    else if (answer.status === 503) setText(name, say("too-many-displays"));
  } catch {
    // the sign of the connection says so
  }
  setTimeout(ask, ASK_MS * (0.8 + Math.random() * 0.4));
}

function obey(orders) {
  const reload = me.reloads !== undefined && orders.reloads > me.reloads;
  const renamed = me.name !== orders.name;
  me = { key: me.key, name: orders.name, shows: orders.shows, reloads: orders.reloads };
  try {
    localStorage.setItem(KEPT, JSON.stringify(me));
  } catch {
    // a browser that keeps nothing gets a new name after a reload
  }
  if (reload) {
    location.reload();
    return;
  }
  writeName(renamed);
  show(me.shows);
  view?.obey?.(orders);
}

function writeName(fresh) {
  setText(name, me.name ? say("display", { name: me.name }) : "");
  if (fresh) name.classList.add("fresh");
  setTimeout(() => name.classList.remove("fresh"), 8000);
}

onLanguage(() => {
  writeName(false);
  stream.redraw();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "f" && !event.ctrlKey && !event.metaKey) {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen?.();
  }
});

// A display that goes dark is none; browsers allow that only on pages that they call secure.
async function stayAwake() {
  try {
    await navigator.wakeLock?.request("screen");
  } catch {
    // the machine's own settings decide
  }
}
document.addEventListener("visibilitychange", stayAwake);
stayAwake();
show(me.shows ?? "table");
writeName(true);
ask();
