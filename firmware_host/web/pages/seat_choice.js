// Where to sit down: all seats that are open, with a button each, and a code for phones.

import { html, setText } from "./nodes.js";
import { say } from "./words.js";

export function chooser(sit) {
  const title = html("h2", { "data-say": "choose-seat" }, say("choose-seat"));
  const how = html("p", { "data-say": "choose-how" }, say("choose-how"));
  const why = html("p", { class: "refused", role: "alert" });
  const list = html("ol", { class: "choice" });
  const phone = html("div", { class: "by-phone" });
  const node = html("section", { class: "chooser box" }, title, how, why, list, phone);
  let open = true;
  let reason = "";
  let seats = "";
  return {
    node,
    // Whether visitors may come, and how others get here.
    async look() {
      const response = await fetch("/api/hands").catch(() => null);
      const about = response?.ok ? await response.json() : {};
      if (!about.lan || !about.code) return;
      phone.replaceChildren(
        html("img", { src: `/qr.svg?to=play&code=${about.code}`, alt: say("qr") }),
        html("p", {}, html("span", { "data-say": "qr" }, say("qr")), html("b", { class: "join-code" }, about.code)),
      );
    },
    refused(code) {
      reason = code === "up" ? "" : `no-${code}`;
    },
    show({ state }, wanted) {
      node.hidden = !wanted;
      open = state.table.simulated;
      setText(title, say(open ? "choose-seat" : "not-simulated"));
      how.hidden = list.hidden = !open;
      setText(why, reason && say(reason));
      const playing = Object.entries(state.seats).filter(([, seat]) => seat.seated || seat.dealt);
      const offered = (playing.length ? playing : Object.entries(state.seats).filter(([, seat]) => seat.open)).map(([seat]) => Number(seat));
      const now = `${offered} ${document.documentElement.lang}`;
      if (now === seats) return;
      seats = now;
      list.replaceChildren(...offered.map((seat) => seatButton(seat, () => {
        reason = "";
        sit(seat);
      })));
    },
  };
}

function seatButton(seat, click) {
  const button = html("button", { type: "button", class: "main sit", "data-sit": seat }, html("b", {}, seat), html("span", {}, say("sit-here")));
  button.setAttribute("aria-label", `${say("seat", { seat })}: ${say("sit-here")}`);
  button.addEventListener("click", click);
  return html("li", {}, button);
}
