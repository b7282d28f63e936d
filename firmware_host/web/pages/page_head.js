// The head of a page: what it is about, the way to the other pages, and the visible sign of the connection.
//
//   const head = pageHead("table");  document.body.prepend(head.node);  head.show(table);  head.link(state)

import { html, setAttribute, setText } from "./nodes.js";
import { LANGUAGES, LANGUAGE_NAMES, language, onLanguage, say } from "./words.js";

const PAGES = [
  ["table", "/"],
  ["scores", "/scores"],
  ["finish", "/finish"],
  ["play", "/play"],
  ["console", "/console"],
];

export function linkSign() {
  const words = html("span");
  const node = html("p", { class: "link", role: "status" }, html("i", { "aria-hidden": "true" }), words);
  let last = "lost";
  const write = () => {
    setAttribute(node, "data-link", last);
    setText(words, say(`link ${last}`));
    document.documentElement.dataset.link = last;
  };
  onLanguage(write);
  write();
  return {
    node,
    link(state) {
      last = state;
      write();
    },
  };
}

export function pageHead(here) {
  const sign = linkSign();
  const name = html("h1", { class: "event-name" });
  const round = html("p", { class: "round" });
  const phase = html("p", { class: "phase" });
  const simulated = html("p", { class: "simulated" });
  const nav = html("nav", { "data-label": "pages", "aria-label": say("pages") });
  for (const [page, path] of PAGES) {
    const current = page === here ? "page" : undefined;
    nav.append(html("a", { href: path + location.search, "data-say": `to-${page}`, "data-page": page, "aria-current": current }, say(`to-${page}`)));
  }
  const node = html("header", { class: "page-head" }, name, round, phase, simulated, sign.node, nav, languageChoice());
  return {
    node,
    link: sign.link,
    show(table) {
      const { state } = table;
      setText(name, state.table.event || say("title"));
      document.title = state.table.event || say("title");
      setText(round, state.match && state.round ? say("phrase round", { n: state.round.number, of: state.match.rounds }) : "");
      setText(phase, say(`phase ${phaseOf(state)}`));
      setAttribute(phase, "data-phase", phaseOf(state));
      setText(simulated, state.table.simulated ? say("simulated") : "");
      nav.querySelector("[data-page=play]").hidden = !state.table.simulated;
    },
  };
}

const PHASES = ["attract", "join", "countdown", "play", "paused", "settle", "scores", "clear", "result"];

// "away" while somebody is in service mode, or while the table comes back.
export const phaseOf = (state) => (PHASES.includes(state.phase) ? state.phase : "away");

function languageChoice() {
  const choice = html("select", { "data-label": "language", "aria-label": say("language"), class: "language" });
  choice.append(...LANGUAGES.map((each) => html("option", { value: each, lang: each }, LANGUAGE_NAMES[each])));
  const select = () => {
    choice.value = language();
  };
  select();
  onLanguage(select);
  choice.addEventListener("change", () => {
    const url = new URL(location.href);
    url.searchParams.set("lang", choice.value);
    location.assign(url);
  });
  return choice;
}
