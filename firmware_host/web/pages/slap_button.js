// The button of the seat: pressed as long as the finger, the mouse or the space bar is down.

import { html, setAttribute } from "./nodes.js";
import { lampsOf, light, panelLamps } from "./lamps.js";
import { say } from "./words.js";

const FELT_MS = 180;

export function slapButton(act) {
  const node = html("button", { type: "button", class: "slap lamp" }, html("span", { class: "slap-word", "data-say": "slap" }, say("slap")), html("kbd", { "data-say": "space" }, say("space")));
  let down = false;
  let felt = 0;
  const press = () => {
    if (down) return;
    down = true;
    setAttribute(node, "data-down", "");
    act("press");
  };
  const release = () => {
    if (!down) return;
    down = false;
    setAttribute(node, "data-down", null);
    act("release");
  };
  node.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault(); // no text is selected, nothing is scrolled
    node.setPointerCapture(event.pointerId);
    press();
  });
  node.addEventListener("pointerup", release);
  node.addEventListener("pointercancel", release);
  node.addEventListener("contextmenu", (event) => event.preventDefault());
  node.addEventListener("click", (event) => event.detail === 0 && act("slap")); // with Enter, or by a screen reader
  return {
    node,
    press,
    release,
    felt() {
      setAttribute(node, "data-felt", "");
      clearTimeout(felt);
      felt = setTimeout(() => setAttribute(node, "data-felt", null), FELT_MS);
    },
    show(table, seat, wanted) {
      light(node, panelLamps(lampsOf(table.lamps), table.state.table.seats)[seat - 1]);
      setAttribute(node, "data-wanted", wanted ? "" : null);
    },
  };
}
