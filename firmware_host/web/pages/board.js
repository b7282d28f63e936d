// What lies in the middle of the table, with its lamps, as a drawing.
//
//   const board = middle();  parent.append(board.node);  board.show(table)
//
// It draws the rows of a table of dice, or the piles of a table of cards, whatever the table is.

import { COLOURS, LAMPS_A_PILE, PLACES, SYMBOLS, SYMBOL_PATHS, lampsOf, light } from "./lamps.js";
import { html, setAttribute, setClass, setText, svg } from "./nodes.js";
import { say } from "./words.js";

const PITCH = 100; // of the places
const LEFT = 92;
const PIPS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
}; // prettier-ignore

export function middle() {
  const node = html("div", { class: "middle" });
  let kind = "";
  let part = null;
  return {
    node,
    show(table) {
      const { game, piles } = table.state.table;
      if (`${game} ${piles}` !== kind) {
        kind = `${game} ${piles}`;
        part = piles ? pileBoard(piles) : diceBoard();
        node.replaceChildren(part.node);
      }
      part.show(table);
    },
  };
}

// -- dice

export function diceBoard() {
  const width = LEFT + PITCH * PLACES + 22;
  const height = PITCH * COLOURS.length + 36;
  const drawing = svg("svg", { class: "board", viewBox: `0 0 ${width} ${height}`, role: "img" });
  const title = svg("title");
  drawing.append(halos(), title, svg("rect", { class: "board-ground", x: 2, y: 2, width: width - 4, height: height - 4, rx: 26 }));
  const places = new Map();
  const symbols = [];
  COLOURS.forEach((colour, row) => {
    const y = 18 + PITCH * (row + 0.5);
    const symbol = svg("g", { class: "symbol lamp", transform: `translate(52 ${y})` });
    symbol.append(
      svg("circle", { class: "halo", r: 40 }),
      svg("path", { class: "glyph", d: SYMBOL_PATHS[colour], transform: "scale(1.9)" }),
    );
    drawing.append(symbol);
    symbols.push(symbol);
    drawing.append(svg("line", { class: "rail", x1: LEFT + 20, x2: LEFT + PITCH * PLACES - 20, y1: y, y2: y }));
    for (let number = 1; number <= PLACES; number += 1) {
      const place = onePlace(colour, number, LEFT + PITCH * (number - 0.5), y);
      places.set(`${colour} ${number}`, place);
      drawing.append(place.node);
    }
  });
  return {
    node: drawing,
    show(table) {
      const { board = {}, wanted = {} } = table.state;
      const lamps = lampsOf(table.lamps);
      const lying = [];
      let at = 0;
      for (const [name, place] of places) {
        place.show(board[name], lamps[at]);
        at += 1;
        if (board[name]) lying.push(placeWords(name, board[name]));
      }
      symbols.forEach((symbol, row) => light(symbol, lamps[at + row]));
      for (const [colour, number] of Object.entries(wanted)) {
        lying.push(`${say(`colour ${colour}`)} ${number}: ${say("wanted")}`);
      }
      setText(title, [say("board"), ...lying].join("; "));
    },
  };
}

function placeWords(name, { state, seat }) {
  const [colour, number] = name.split(" ");
  const whose = seat ? `, ${say("seat", { seat })}` : "";
  return `${say(`colour ${colour}`)} ${number}: ${say(`state ${state}`)}${whose}`;
}

function onePlace(colour, number, x, y) {
  const node = svg("g", { class: "place lamp", transform: `translate(${x} ${y})`, "data-place": `${colour} ${number}` });
  const mark = svg("text", { class: "mark", y: 12 });
  const owner = svg("text", { class: "owner-number", x: 31, y: 37 });
  const die = svg(
    "g",
    { class: `die ${colour}`, transform: "translate(-4 -4)" },
    svg("rect", { class: "die-side", x: -28, y: -25, width: 57, height: 57, rx: 14 }),
    svg("rect", { class: "die-face", x: -28, y: -28, width: 57, height: 57, rx: 14 }),
    ...PIPS[number].map(([px, py]) => svg("circle", { class: "pip", cx: px * 14, cy: py * 14, r: 5.4 })),
    mark,
  );
  const badge = svg("g", { class: "owner" }, svg("circle", { cx: 31, cy: 31, r: 14.5 }), owner);
  node.append(
    svg("circle", { class: "halo", r: 62 }),
    svg("rect", { class: "socket", x: -41, y: -41, width: 82, height: 82, rx: 20 }),
    svg("text", { class: "number", y: 11 }, String(number)),
    die,
    svg("rect", { class: "ring", x: -41, y: -41, width: 82, height: 82, rx: 20 }),
    badge,
  );
  const marks = { illegal: "✕", missing: "?", lapsed: "…" };
  return {
    node,
    show(lying, lamp) {
      const state = lying?.state ?? "free";
      if (node.dataset.state !== state) {
        setAttribute(node, "data-state", state);
        setText(mark, marks[state] ?? "");
      }
      setAttribute(node, "data-owned", lying?.seat ? "" : null);
      setText(owner, lying?.seat ?? "");
      light(node, lamp);
    },
  };
}

function halos() {
  const tints = [1, 2, 3, 4, 5, 6, 7].map((tint) =>
    svg(
      "radialGradient",
      { id: `halo-${tint}`, "data-tint": tint },
      svg("stop", { offset: "45%", "stop-opacity": 0.6 }),
      svg("stop", { offset: "100%", "stop-opacity": 0 }),
    ),
  );
  return svg("defs", {}, ...tints);
}

// -- cards

export function pileBoard(many) {
  const list = html("ol", { class: "piles" });
  const free = html("p", { class: "free-places" });
  const node = html("div", { class: "centre" }, list, free);
  const piles = Array.from({ length: many }, (_, at) => onePile(at + 1));
  list.append(...piles.map((pile) => pile.node));
  return {
    node,
    show(table) {
      const lamps = lampsOf(table.lamps);
      const standing = table.state.piles ?? {};
      setAttribute(list, "aria-label", say("centre"));
      const used = usedPlaces(table.state, many);
      setAttribute(list, "data-many", used > 24 ? "most" : used > 16 ? "more" : "few");
      piles.forEach((pile, at) => {
        pile.show(standing[at + 1], lamps.slice(at * LAMPS_A_PILE, (at + 1) * LAMPS_A_PILE));
        pile.node.hidden = at >= used;
      });
      setText(free, say("free-places", { n: used - Object.keys(standing).length }));
    },
  };
}

// Each seat can open four piles. Where piles have no readers, they are opened in the order of their places.
function usedPlaces({ table, seats, match, piles = {} }, many) {
  const playing = Object.values(seats).filter((seat) => seat.seated).length;
  if (!match || !table.pads || !playing) return many;
  return Math.min(many, Math.max(playing * COLOURS.length, ...Object.keys(piles).map(Number)));
}

function onePile(number) {
  const drawing = svg("svg", { viewBox: "0 0 118 132", "aria-hidden": "true" });
  const words = html("span", { class: "unseen" });
  const node = html("li", { class: "pile", "data-pile": number }, drawing, words);
  const head = svg("g", { class: "lamp head" }, svg("rect", { class: "ring", x: 4, y: 4, width: 86, height: 124, rx: 14 }));
  const ladder = Array.from({ length: LAMPS_A_PILE - 1 }, (_, at) =>
    svg("circle", { class: "lamp step", cx: 105, cy: 123 - at * 12.6, r: 4.4 }),
  );
  const glyphs = [
    svg("path", { class: "glyph", transform: "translate(23 25)" }),
    svg("path", { class: "glyph", transform: "translate(71 107) rotate(180)" }),
  ];
  const top = svg("text", { class: "top", x: 47, y: 84 });
  const next = svg("text", { class: "next", x: 71, y: 31 });
  const owner = svg("text", { class: "owner-number", x: 23, y: 112.5 });
  const badge = svg("g", { class: "owner" }, svg("circle", { cx: 23, cy: 107, r: 13 }), owner);
  drawing.append(
    svg("rect", { class: "below", x: 9, y: 10, width: 78, height: 116, rx: 11 }),
    svg("rect", { class: "card", x: 8, y: 8, width: 78, height: 116, rx: 11 }),
    svg("text", { class: "free-number", x: 47, y: 76 }, String(number)),
    ...glyphs,
    top,
    next,
    badge,
    head,
    ...ladder,
  );
  return {
    node,
    show(pile, lamps) {
      const full = pile?.height === LAMPS_A_PILE - 1;
      setClass(node, pile ? `pile standing ${pile.colour}${full ? " full" : ""}` : "pile free");
      setAttribute(node, "data-height", pile?.height ?? 0);
      if (pile) for (const glyph of glyphs) setAttribute(glyph, "d", SYMBOL_PATHS[pile.colour]);
      setText(top, pile?.height ?? "");
      setText(next, pile ? (full ? "✓" : `▸${pile.height + 1}`) : "");
      setText(owner, pile?.owners.at(-1) ?? "");
      setText(words, pile ? pileWords(number, pile, full) : `${number}: ${say("free")}`);
      light(head, lamps[0]);
      ladder.forEach((step, at) => light(step, lamps[at + 1]));
      setAttribute(node, "data-lit", lamps.some((lamp) => lamp?.tint) ? "" : null);
    },
  };
}

function pileWords(number, { colour, height, owners }, full) {
  const following = full ? say("full") : say("next-card", { n: height + 1 });
  return `${number}: ${SYMBOLS[colour]} ${say(`colour ${colour}`)} ${height} (${say("seat", { seat: owners.at(-1) })}), ${following}`;
}
