// The sign of the table: two lines of twenty, exactly what the table has sent to it.

import { html, setAttribute, setText } from "./nodes.js";
import { say } from "./words.js";

const COLUMNS = 20;

export function sign() {
  const lines = [0, 1].map(() => Array.from({ length: COLUMNS }, () => html("i", { "aria-hidden": "true" })));
  const words = html("p", { class: "unseen" });
  const rows = lines.map((cells) => html("div", { class: "sign-line" }, ...cells));
  const node = html("div", { class: "sign", role: "group" }, words, ...rows);
  return {
    node,
    show({ page }) {
      setAttribute(node, "aria-label", say("scoreboard"));
      setText(words, page.map((line) => line.trim()).filter(Boolean).join(". "));
      lines.forEach((cells, row) => {
        const letters = [...(page[row] ?? "")];
        cells.forEach((cell, column) => setText(cell, letters[column] ?? " "));
      });
    },
  };
}
