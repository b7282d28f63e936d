// One's own cards: row, Ligretto pile, hand and discard pile, and the card that is held to the pad.

import { SYMBOL_PATHS } from "./lamps.js";
import { html, setAttribute, svg } from "./nodes.js";
import { cardFits } from "./next_step.js";
import { draggable } from "./own_dice.js";
import { say } from "./words.js";

export function ownCards(doing) {
  const row = html("ol", { class: "own-row" });
  const piles = html("div", { class: "own-piles" });
  const pad = html("div", { class: "pad" });
  const node = html("div", { class: "own things cards" }, pad, row, piles);
  let shown = "";
  return {
    node,
    show({ state }, hand) {
      const now = JSON.stringify([{ ...hand, ticket: "" }, state.piles, document.documentElement.lang]);
      if (now === shown) return;
      shown = now;
      const focused = document.activeElement?.dataset.card;
      row.replaceChildren(...hand.row.map((stack, at) => html("li", {}, stackButton(state, hand, stack, at, doing))));
      piles.replaceChildren(
        pileButton(state, hand, "ligretto", "L", doing),
        pileButton(state, hand, "discard", "D", doing),
        turnButton(hand, doing),
      );
      showPad(pad, hand, doing);
      if (focused) node.querySelector(`[data-card="${focused}"]`)?.focus();
    },
  };
}

function stackButton(state, hand, stack, at, doing) {
  const name = `row${at + 1}`;
  if (stack.length) return cardButton(state, stack.at(-1), name, String(at + 1), say("row-n", { n: at + 1 }), doing, stack.length > 1 ? stack.length : "");
  const words = say("gap-n", { n: at + 1 });
  const held = hand.held?.from === name;
  const gap = html("button", { type: "button", class: "own-card gap", "data-fill": at + 1, "aria-label": words, title: words }, html("span", { class: "plus", "aria-hidden": "true" }, held ? "" : "+"), html("kbd", {}, "F"));
  gap.disabled = held || !hand.ligretto?.top;
  gap.addEventListener("click", () => doing.fill(at + 1));
  return gap;
}

function pileButton(state, hand, name, key, doing) {
  const { count = 0, top = null } = hand[name] ?? {};
  const title = html("span", { class: "pile-name" }, say(name), html("b", {}, count));
  const face = top
    ? cardButton(state, top, name, key, say(name), doing, "")
    : html("span", { class: "own-card empty", "aria-hidden": "true" });
  return html("div", { class: `own-pile ${name}` }, title, face);
}

function cardButton(state, card, name, key, where, doing, stacked) {
  const fitting = cardFits(state, card);
  const words = `${where}: ${say(fitting ? "card-fits" : "card", { colour: say(`colour ${card.colour}`), n: card.number })}`;
  const button = html(
    "button",
    { type: "button", class: `own-card ${card.colour}`, "data-card": name, "data-fits": fitting, "aria-label": words, title: words },
    glyph(card.colour),
    html("b", {}, card.number),
    html("small", {}, stacked),
    html("kbd", {}, key),
  );
  draggable(button, {
    click: () => doing.take(name),
    drop: (target) => {
      const stack = target.closest?.("[data-card^=row]")?.dataset.card;
      const pile = target.closest?.("[data-pile]")?.dataset.pile;
      if (target.closest?.("[data-fill]") && name === "ligretto") doing.fill(Number(target.closest("[data-fill]").dataset.fill));
      else if (stack && stack !== name) doing.layOnRow(name, Number(stack.slice(3)));
      else doing.take(name, pile ? Number(pile) : 0);
    },
  });
  return button;
}

function turnButton(hand, doing) {
  const words = say(hand.hand ? "turn" : "gather");
  const button = html("button", { type: "button", class: "own-card back", "data-does": "turn" }, html("b", {}, hand.hand || "↻"), html("kbd", {}, "H"));
  setAttribute(button, "aria-label", `${words} (${hand.hand})`);
  button.disabled = Boolean(hand.held) || (!hand.hand && !hand.discard?.count);
  button.addEventListener("click", () => doing.turn());
  return html("div", { class: "own-pile hand" }, html("span", { class: "pile-name" }, words), button);
}

function showPad(pad, hand, doing) {
  const { held } = hand;
  setAttribute(pad, "data-held", held ? "" : null);
  const title = html("span", { class: "pile-name" }, say(hand.pads ? "pad" : "fingers"));
  if (!held) {
    pad.replaceChildren(title, html("span", { class: "own-card empty", "aria-hidden": "true" }));
    return;
  }
  const words = say("card", { colour: say(`colour ${held.colour}`), n: held.number });
  const card = html("span", { class: `own-card held ${held.colour}`, role: "img", "aria-label": words }, glyph(held.colour), html("b", {}, held.number));
  const back = html("button", { type: "button", "data-does": "back" }, html("span", {}, say("back")), html("kbd", {}, "B"));
  back.disabled = held.races;
  back.addEventListener("click", () => doing.back());
  pad.replaceChildren(title, card, back);
}

function glyph(colour) {
  return svg("svg", { class: "card-symbol", viewBox: "-12 -12 24 24", "aria-hidden": "true" }, svg("path", { d: SYMBOL_PATHS[colour] }));
}

