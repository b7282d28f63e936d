// Words in six languages.
//
//   useWords(WORDS)      adds a page's own rows: { key: { de, en, fr, it, nl, es } }
//   say("key", {n: 3})   the text in the language in force, with its numbers
//   known("key")         whether there is such a text
//   speak(language)      puts a language in force and fills the page; `?lang=` in the URL beats it
//   fill(node)           texts of data-say, accessible names of data-label, in that part of the page
//
// What the table itself says comes from its own table of texts, as `TEXTS`: verdicts ("verdict too-late"), cues
// ("cue gone"), colours ("colour red") and phrases ("phrase paused").

import { TEXTS } from "./texts.js";

export const LANGUAGES = ["de", "en", "fr", "it", "nl", "es"];
export const LANGUAGE_NAMES = {
  de: "Deutsch",
  en: "English",
  fr: "Français",
  it: "Italiano",
  nl: "Nederlands",
  es: "Español",
};

const rows = { ...TEXTS };
const asked = new URLSearchParams(location.search).get("lang");
let inForce = LANGUAGES.includes(asked) ? asked : guessed();
const listeners = new Set();

function guessed() {
  const wanted = (navigator.languages ?? []).map((each) => each.slice(0, 2));
  return wanted.find((each) => LANGUAGES.includes(each)) ?? "en";
}

export function useWords(words) {
  Object.assign(rows, words);
}

export function say(key, numbers = {}) {
  const row = rows[key];
  if (!row) throw new Error(`no text has the key '${key}'`);
  return row[inForce].replace(/\{(\w+)\}/g, (brace, name) => numbers[name] ?? brace);
}

// Whether there is such a text.
export const known = (key) => Object.hasOwn(rows, key);

export const language = () => inForce;

export function speak(wanted) {
  const next = LANGUAGES.includes(asked) ? asked : wanted;
  if (LANGUAGES.includes(next) && (next !== inForce || document.documentElement.lang !== next)) {
    inForce = next;
    fill(document);
    for (const listener of listeners) listener(next);
  }
}

// Called with the language whenever it changes.
export function onLanguage(listener) {
  listeners.add(listener);
}

export function fill(node) {
  if (node === document) document.documentElement.lang = inForce;
  for (const each of node.querySelectorAll("[data-say]")) each.textContent = say(each.dataset.say);
  for (const each of node.querySelectorAll("[data-label]")) each.setAttribute("aria-label", say(each.dataset.label));
}

// 69071090 -> "69.1 ms", 420000000 -> "0.42 s"
export function margin(ns) {
  const [value, unit, digits] =
    ns < 999_500 ? [ns / 1e3, "µs", 0] : ns < 99_950_000 ? [ns / 1e6, "ms", 1] : [ns / 1e9, "s", 2];
  const text = value.toLocaleString(inForce, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${text} ${unit}`;
}

export function signed(number) {
  return number > 0 ? `+${number}` : number < 0 ? `−${-number}` : "0";
}

// "1, 2 and 4"
export function listed(parts) {
  return new Intl.ListFormat(inForce, { type: "conjunction" }).format(parts.map(String));
}
