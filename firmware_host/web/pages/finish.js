// The page "/finish": the last contests, live. `/finish#ID` stays at one of them.

import { follow } from "./feed.js";
import { finishView } from "./finish_view.js";
import { WORDS as FINISH_WORDS } from "./finish_words.js";
import { pageHead } from "./page_head.js";
import { WORDS } from "./table_words.js";
import { onLanguage, speak, useWords } from "./words.js";

useWords(WORDS);
useWords(FINISH_WORDS);
const head = pageHead("finish");
const view = finishView({ list: true, chosen: location.hash.slice(1) });
document.body.prepend(head.node);
document.getElementById("main").append(view.node);

const stream = follow({
  change(table) {
    speak(table.state.table.language);
    head.show(table);
  },
  news: (message) => view.take(message),
  link: head.link,
});
addEventListener("hashchange", () => view.choose(location.hash.slice(1)));
onLanguage(() => {
  stream.redraw();
  view.refresh();
});
