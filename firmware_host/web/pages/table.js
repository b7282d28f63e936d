// The page "/": the table.

import { follow } from "./feed.js";
import { pageHead } from "./page_head.js";
import { WORDS } from "./table_words.js";
import { tableView } from "./table_view.js";
import { onLanguage, speak, useWords } from "./words.js";

useWords(WORDS);
const head = pageHead("table");
const view = tableView();
document.body.prepend(head.node);
document.getElementById("main").append(view.node);

const stream = follow({
  change(table) {
    speak(table.state.table.language);
    head.show(table);
    view.show(table);
  },
  news: (message, table) => view.take(message, table),
  link: head.link,
});
onLanguage(() => stream.redraw());
