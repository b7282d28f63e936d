// What was done, with a way back, and questions before what can't be undone.

import { html, setText } from "./nodes.js";
import { say } from "./words.js";

const SHOWN_MS = 12000;

export function notice() {
  const words = html("span");
  const undo = html("button", { hidden: true });
  const node = html("p", { class: "notice", role: "status", hidden: true }, words, undo);
  let ending = 0;
  let back = null;

  function show(text, kind, undoing) {
    setText(words, text);
    node.dataset.kind = kind;
    back = undoing ?? null;
    undo.hidden = !back;
    setText(undo, say("undo"));
    node.hidden = false;
    clearTimeout(ending);
    ending = setTimeout(() => (node.hidden = true), SHOWN_MS);
  }

  undo.addEventListener("click", () => {
    const deed = back;
    node.hidden = true;
    deed?.();
  });
  return {
    node,
    done: (text, undoing) => show(text, "good", undoing),
    refused: (error) => show(say("refused", { why: error.message }), "bad"),
  };
}

// Whether the operator really means it.
export function confirmed(question, deed) {
  return new Promise((answer) => {
    const yes = html("button", { class: "main", value: "yes" }, deed);
    const no = html("button", { value: "" }, say("cancel"));
    const dialog = html("dialog", { class: "question", "aria-label": question }, html("form", { method: "dialog" }, html("p", {}, question), html("p", { class: "line" }, no, yes)));
    dialog.addEventListener("close", () => {
      dialog.remove();
      answer(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
    no.focus();
  });
}
