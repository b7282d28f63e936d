// The photo finish: one contest as a picture, and the last ones to choose from.
//
//   const view = finishView({ list: true });  parent.append(view.node);  view.take(message)
//
// It shows the newest contest until somebody chooses another one. A display shows it without the list.

import { SYMBOL_PATHS } from "./lamps.js";
import { html, setAttribute, setText, svg } from "./nodes.js";
import { language, say } from "./words.js";

const KEPT = 20;
const PNG_SCALE = 2;
const narrow = matchMedia("(max-width: 40rem)");

export function finishView({ list = false, chosen = "" } = {}) {
  const picture = html("img", { class: "finish-picture" });
  const none = html("p", { class: "nothing", "data-say": "no-finish" }, say("no-finish"));
  const live = html("button", { class: "main", "data-say": "newest" }, say("newest"));
  const saveSvg = html("a", { class: "button", "data-say": "save-svg", download: "" }, say("save-svg"));
  const savePng = html("button", { "data-say": "save-png" }, say("save-png"));
  const bar = html("p", { class: "finish-bar" }, live, saveSvg, savePng);
  const failed = html("p", { class: "failed", role: "alert" });
  const figure = html("figure", { class: "box finish-figure" }, none, picture, bar, failed);
  const rows = html("ol", { class: "finish-list", "data-label": "last-finishes", "aria-label": say("last-finishes") });
  const node = html("div", { class: "finish-view" }, figure, ...(list ? [rows] : []));
  let contests = [];
  let wanted = chosen;
  let waiting = 0;
  let asked = 0;
  let drawn = 0;

  live.addEventListener("click", () => go(""));
  savePng.addEventListener("click", () => png());
  narrow.addEventListener("change", draw);

  function go(id) {
    wanted = id;
    if (list) history.replaceState(null, "", id ? `#${id}` : location.pathname + location.search);
    draw();
  }

  async function refresh() {
    const mine = ++asked;
    try {
      const answer = await fetch(`/api/contests?last=${KEPT}&lang=${language()}`);
      if (!answer.ok) return;
      const told = await answer.json();
      if (mine === asked) {
        contests = told.contests;
        draw();
      }
    } catch {
      // the head of the page says that there is no connection; the next snapshot asks again
    }
  }

  function draw() {
    const shown = contests.find((each) => each.id === wanted) ?? (wanted ? { id: wanted, title: "", sentences: [], told: [], rivals: [] } : contests[0]);
    none.hidden = Boolean(shown);
    picture.hidden = !shown;
    bar.hidden = !shown || !list;
    live.hidden = !wanted;
    if (shown) {
      setAttribute(picture, "src", url(shown, narrow.matches ? "&narrow" : ""));
      setAttribute(picture, "alt", altOf(shown));
      saveSvg.href = url(shown, "&save");
      saveSvg.download = `photo-finish-${shown.id}.svg`;
    }
    if (list) writeRows(shown);
  }

  // Both numbers only make it another address: a contest may grow after it was drawn, and a name be deleted.
  const url = (contest, more) => `/api/finish/${contest.id}.svg?lang=${language()}&of=${contest.rivals.length}.${drawn}${more}`;

  function writeRows(shown) {
    setText(failed, "");
    const focused = document.activeElement?.dataset?.finish;
    rows.replaceChildren(...contests.map((each) => html("li", {}, rowOf(each, each.id === shown?.id))));
    if (focused) rows.querySelector(`[data-finish="${CSS.escape(focused)}"]`)?.focus();
  }

  function rowOf(contest, current) {
    const row = html(
      "button",
      { class: "finish-row", "data-finish": contest.id, "data-rule": contest.rule, "aria-pressed": String(current) },
      symbolOf(contest),
      html("span", { class: "finish-seats" }, ...contest.rivals.map((each) => html("span", { class: "badge" }, String(each.seat)))),
      html("span", { class: "finish-why" }, `${say(`rule ${contest.rule}`)} · ${contest.when.replace(/ s$/, "\u00a0s")}`),
    );
    row.addEventListener("click", () => go(contest.id));
    return row;
  }

  async function png() {
    const shown = contests.find((each) => each.id === wanted) ?? contests[0];
    const id = shown?.id ?? wanted;
    setText(failed, "");
    try {
      const answer = await fetch(url(shown ?? { id, rivals: [] }, ""));
      if (!answer.ok) throw new Error(String(answer.status));
      save(await pngOf(await answer.text()), `photo-finish-${id}.png`);
    } catch (error) {
      setText(failed, say("not-saved", { why: error.message }));
    }
  }

  draw();
  return {
    node,
    refresh,
    choose: (id) => go(id),
    take(message) {
      if (message.state?.table) {
        drawn += 1;
        draw();
      }
      const raced = (message.effects ?? []).some((effect) => effect.is === "Judged" && effect.rival);
      if (message.is === "snapshot" || raced) {
        clearTimeout(waiting); // not all pages at once
        waiting = setTimeout(refresh, 80 + Math.random() * 500);
      }
    },
  };
}

function altOf(contest) {
  const rivals = contest.rivals.map((each, place) => `${say("seat", { seat: each.seat })}: ${contest.told[place]}.`);
  return [contest.title, ...rivals, ...contest.sentences].join(" ");
}

function symbolOf(contest) {
  const [colour, number] = (contest.what ?? "").split(" ");
  if (!SYMBOL_PATHS[colour]) return html("span", { class: "thing" }, contest.title);
  const glyph = svg("svg", { class: `glyph-small ${colour}`, viewBox: "-12 -12 24 24", role: "img" });
  glyph.append(svg("title", {}, say(`colour ${colour}`)), svg("path", { d: SYMBOL_PATHS[colour] }));
  return html("span", { class: "thing" }, glyph, number);
}

// The drawing as a PNG.
async function pngOf(text) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = html("canvas", { width: image.naturalWidth * PNG_SCALE, height: image.naturalHeight * PNG_SCALE });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("PNG"))), "image/png"));
}

export function save(blob, name) {
  const link = html("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
