// The cup and the dice that were thrown. A die goes onto the board by a click, by dragging, or by its key.

import { SYMBOL_PATHS } from "./lamps.js";
import { html, setAttribute, setText, svg } from "./nodes.js";
import { fits } from "./next_step.js";
import { say } from "./words.js";

const DRAG_PX = 8;
const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

export function ownDice(doing) {
  const list = html("ol", { class: "own-dice" });
  const cup = html("button", { class: "cup", type: "button", "data-does": "throw" });
  const cupWords = html("span");
  const inside = html("span", { class: "inside", "aria-hidden": "true" });
  cup.append(svg("svg", { viewBox: "0 0 60 60", "aria-hidden": "true" }, svg("path", { d: "M10 8 H50 L43 54 H17 Z" })), inside, cupWords, html("kbd", {}, "T"));
  const node = html("div", { class: "own things" }, cup, list);
  let shown = "";
  cup.addEventListener("click", () => doing.throwDice());
  return {
    node,
    show({ state }, hand) {
      setText(cupWords, say(hand.rolling ? "rolling" : "throw"));
      setText(inside, hand.cup || "");
      setAttribute(cup, "aria-label", say("throw-n", { n: hand.cup + hand.dice.length }));
      cup.disabled = hand.rolling || hand.cup + hand.dice.length === 0;
      setAttribute(node, "data-rolling", hand.rolling ? "" : null);
      const now = JSON.stringify([hand.dice, state.wanted, document.documentElement.lang]);
      if (now === shown) return;
      shown = now;
      const focused = document.activeElement?.dataset.die;
      list.replaceChildren(...hand.dice.map((die, at) => html("li", {}, dieButton(die, at, fits(state, die.colour, die.face), doing))));
      if (focused) list.querySelector(`[data-die="${focused}"]`)?.focus();
    },
  };
}

function dieButton(die, at, fitting, doing) {
  const words = say(fitting ? "die-fits" : "die", { colour: say(`colour ${die.colour}`), n: die.face });
  const button = html(
    "button",
    { type: "button", class: `own-die ${die.colour}`, "data-die": die.die, "data-fits": fitting, "aria-label": words, title: words },
    svg(
      "svg",
      { viewBox: "0 0 60 60", "aria-hidden": "true" },
      svg("rect", { class: "die-face", x: 2, y: 2, width: 56, height: 56, rx: 13 }),
      ...PIPS[die.face].map((cell) => svg("circle", { class: "pip", cx: 15 + 15 * (cell % 3), cy: 15 + 15 * Math.floor(cell / 3), r: 5.4 })),
    ),
    svg("svg", { class: "die-symbol", viewBox: "-12 -12 24 24", "aria-hidden": "true" }, svg("path", { d: SYMBOL_PATHS[die.colour] })),
    html("kbd", {}, at + 1),
  );
  draggable(button, {
    click: () => doing.put(die, `${die.colour} ${die.face}`),
    drop: (target) => target.closest?.("[data-place]") && doing.put(die, target.closest("[data-place]").dataset.place),
  });
  return button;
}

// A button that can be clicked, or dragged with mouse or finger.
export function draggable(button, { click, drop }) {
  let from = null;
  let dragged = false;
  button.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    from = [event.clientX, event.clientY];
    dragged = false;
    button.setPointerCapture(event.pointerId);
  });
  button.addEventListener("pointermove", (event) => {
    if (!from) return;
    const [x, y] = [event.clientX - from[0], event.clientY - from[1]];
    dragged ||= Math.hypot(x, y) > DRAG_PX;
    if (!dragged) return;
    button.classList.add("dragged");
    button.style.transform = `translate(${x}px, ${y}px)`;
  });
  const end = (event, dropped) => {
    if (!from) return;
    from = null;
    button.classList.remove("dragged");
    button.style.transform = "";
    if (!dragged || !dropped) return;
    button.style.pointerEvents = "none"; // what lies below it
    const target = document.elementFromPoint(event.clientX, event.clientY);
    button.style.pointerEvents = "";
    if (target) drop(target);
  };
  button.addEventListener("pointerup", (event) => end(event, true));
  button.addEventListener("pointercancel", (event) => end(event, false));
  button.addEventListener("click", () => {
    if (!dragged) click();
    dragged = false;
  });
}
