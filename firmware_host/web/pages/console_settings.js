// Settings: game, rounds, language, handicap, open seats, sound, brightness, and whatever else the table can set.

import { html, setValue } from "./nodes.js";
import { LANGUAGE_NAMES, known, say } from "./words.js";

export function settingsPart(operator, said) {
  const list = html("div", { class: "settings" });
  const node = html("section", { class: "box settings-part" }, html("h2", {}, say("settings")), list);
  let asked = "";
  let rows = {};
  let possible = "";

  // Rows are only made again if other values are allowed: somebody may be typing in one.
  async function refresh() {
    try {
      const { settings } = await operator.tell("settings");
      const now = JSON.stringify(Object.entries(settings).map(([name, { allowed, one_of }]) => [name, allowed, one_of]));
      if (now !== possible) {
        rows = Object.fromEntries(Object.entries(settings).map(([name, each]) => [name, row(name, each)]));
        list.replaceChildren(...Object.values(rows).map((each) => each.node));
      }
      possible = now;
      for (const [name, { value }] of Object.entries(settings)) rows[name].show(value);
    } catch (error) {
      said.refused(error);
    }
  }

  function row(name, { allowed, one_of: choices }) {
    const id = `set-${name}`;
    const field = choices
      ? html("select", { id }, ...choices.map((each) => html("option", { value: each }, choiceWords(each))))
      : html("input", { id, placeholder: say("usual"), "aria-describedby": `${id}-allowed`, autocomplete: "off" });
    let value = "";
    let shown = "";
    field.addEventListener("change", () => {
      shown = field.value; // it is told, so nobody is typing it any more
      set(name, field.value.trim(), value);
    });
    const words = known(`set ${name}`) ? say(`set ${name}`) : name;
    const told = known(`hint ${name}`) ? html("small", {}, say(`hint ${name}`)) : html("small", { lang: "en" }, allowed);
    told.id = `${id}-allowed`;
    told.className = "hint";
    const hint = choices ? [] : [told];
    return {
      node: html("p", { class: "setting" }, html("label", { for: id }, words), field, ...hint),
      show(now) {
        value = now;
        if (document.activeElement === field && field.value !== shown) return; // what is being typed stays
        setValue(field, now);
        shown = now;
      },
    };
  }

  async function set(name, value, before) {
    try {
      const { takes_effect: when } = await operator.tell(`set ${name} ${value}`.trim());
      said.done(say(when === "now" ? "set-now" : "set-later"), before === undefined ? null : () => set(name, before));
    } catch (error) {
      said.refused(error);
    }
    refresh();
  }

  return {
    node,
    show({ state }) {
      const now = `${state.phase} ${state.table.game} ${state.table.language}`;
      if (now !== asked) refresh();
      asked = now;
    },
  };
}

function choiceWords(value) {
  const key = ["game", "choice"].map((kind) => `${kind} ${value}`).find(known);
  return LANGUAGE_NAMES[value] ?? (key ? say(key) : value || say("usual"));
}
