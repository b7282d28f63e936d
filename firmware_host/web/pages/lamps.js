// The lamps of the table. A lamp is a tint and a beat: eight eighths of a second, on or off.
//
// Three hexadecimal digits for each lamp, in this order: the places row by row and the four symbols (dice), or
// for each pile its head and ten numbers (cards); then the seats' panels.

import { setAttribute } from "./nodes.js";

export const COLOURS = ["red", "yellow", "green", "blue"];
export const SYMBOLS = { red: "▲", yellow: "●", green: "■", blue: "◆" };
export const PLACES = 6;
export const LAMPS_A_PILE = 11;
const STEADY = 0xff;
const TICK_MS = 125;

export const DARK = { tint: 0, beat: 0 };

export function lampsOf(text) {
  const lamps = [];
  for (let at = 0; at < text.length; at += 3) {
    lamps.push({ tint: parseInt(text[at], 16), beat: parseInt(text.slice(at + 1, at + 3), 16) });
  }
  return lamps;
}

export function panelLamps(lamps, seats) {
  return lamps.slice(lamps.length - seats);
}

// ▲ as a drawing, so that it looks the same on every machine.
export const SYMBOL_PATHS = {
  red: "M0 -10 L10.5 8.5 L-10.5 8.5 Z",
  yellow: "M-9.6 0 A9.6 9.6 0 1 0 9.6 0 A9.6 9.6 0 1 0 -9.6 0 Z",
  green: "M-8.8 -8.8 H8.8 V8.8 H-8.8 Z",
  blue: "M0 -11.5 L10.5 0 L0 11.5 L-10.5 0 Z",
};

// Nodes whose lamps blink. Everything blinks in one rhythm, eight times a second.
const blinking = new Map();
let ticking = 0;

// Shows a lamp on a node: data-tint, data-beat, and class-free `data-on` by the beat.
export function light(node, lamp) {
  const shown = lamp ?? DARK;
  setAttribute(node, "data-tint", shown.tint);
  if (shown.beat === 0 || shown.beat === STEADY || shown.tint === 0) {
    blinking.delete(node);
    setAttribute(node, "data-blinks", null);
    setAttribute(node, "data-on", shown.beat === STEADY && shown.tint !== 0 ? "" : null);
  } else {
    blinking.set(node, shown.beat);
    setAttribute(node, "data-blinks", "");
    beatOn(node, shown.beat, tick());
  }
  if (blinking.size && !ticking) ticking = setInterval(beatAll, TICK_MS / 2);
}

const tick = () => Math.floor(performance.now() / TICK_MS) % 8;

function beatOn(node, beat, at) {
  setAttribute(node, "data-on", beat & (0x80 >> at) ? "" : null);
}

function beatAll() {
  const at = tick();
  for (const [node, beat] of blinking) {
    if (node.isConnected) beatOn(node, beat, at);
    else blinking.delete(node);
  }
  if (!blinking.size) {
    clearInterval(ticking);
    ticking = 0;
  }
}

// "●●●●····", for people who can't see the blinking.
export function rhythm(beat) {
  return Array.from({ length: 8 }, (_, at) => (beat & (0x80 >> at) ? "●" : "·")).join("");
}
