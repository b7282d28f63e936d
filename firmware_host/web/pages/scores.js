// The page "/scores": standings and all rounds of the match.

import { follow } from "./feed.js";
import { pageHead } from "./page_head.js";
import { WORDS } from "./table_words.js";
import { scoresView } from "./views.js";
import { onLanguage, speak, useWords } from "./words.js";

useWords(WORDS);
const head = pageHead("scores");
const view = scoresView();
document.body.prepend(head.node);
document.getElementById("main").append(view.node);

const stream = follow({
  change(table) {
    speak(table.state.table.language);
    head.show(table);
    view.show(table);
  },
  link: head.link,
});
onLanguage(() => stream.redraw());
