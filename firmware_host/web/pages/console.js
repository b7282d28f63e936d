// The page "/console": the operator runs the table. What it does, `ligretto-table tell` and other commands do, too.

import { archiveParts } from "./console_archive.js";
import { faultsPart } from "./console_faults.js";
import { gamePart } from "./console_game.js";
import { settingsPart } from "./console_settings.js";
import { WORDS as CONSOLE_WORDS } from "./console_words.js";
import { follow } from "./feed.js";
import { html } from "./nodes.js";
import { Operator, loginBox } from "./operator.js";
import { pageHead } from "./page_head.js";
import { notice } from "./notice.js";
import { WORDS } from "./table_words.js";
import { fill, onLanguage, say, speak, useWords } from "./words.js";

useWords(WORDS);
useWords(CONSOLE_WORDS);
const head = pageHead("console");
const operator = new Operator();
const said = notice();
const main = document.getElementById("main");
document.body.prepend(head.node);
document.body.append(said.node);
fill(document); // in the language in force; only another one makes the page anew

let parts = [];

const stream = follow({
  change(table) {
    speak(table.state.table.language);
    head.show(table);
    for (const part of parts) part.show(table);
  },
  link: head.link,
});

function open() {
  parts = [];
  if (operator.in) {
    parts = [gamePart(operator, said), settingsPart(operator, said), ...archiveParts(operator, said), faultsPart(operator, said)];
    main.replaceChildren(html("div", { class: "console" }, ...parts.map((part) => part.node)));
    if (operator.pin !== "open") main.append(logout());
  } else if (operator.pin) {
    main.replaceChildren(loginBox(operator));
  }
  stream.redraw();
}

function logout() {
  const button = html("button", {}, say("logout"));
  button.addEventListener("click", () => operator.logout().catch(said.refused));
  return html("p", { class: "line logout" }, button);
}

operator.changed = open;
onLanguage(open);
operator.ask();
