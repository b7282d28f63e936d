// The table as it is now: one ordered stream, kept up for ever.
//
//   follow({ change(table), news(message, table), link(state) })
//
// `change` is called after each snapshot or step, at most once per frame; `table` has state, lamps, page, session, n
// and nowNs(). `news` gets each message with effects or with changes of the table itself (such as a deleted name), each
// `felt`, and each `snapshot`, at once and in order. `link` gets "live", "waiting" (the table itself is away) or "lost"
// (there is no connection): show it.

const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 4000;
const SILENT_MS = 12000; // the table says something every two seconds

export function follow({ change = () => {}, news = () => {}, link = () => {} }, url = "/api/stream") {
  const clock = new TableClock();
  const table = { session: "", n: 0, state: null, lamps: "", page: ["", ""], nowNs: () => clock.nowNs(), clock };
  let source = null;
  let wait = FIRST_WAIT_MS;
  let retry = 0;
  let watchdog = 0;
  let drawn = true;
  let last = "";

  function tell(state) {
    if (state !== last) link((last = state));
  }

  function open() {
    const since = table.session ? `?since=${encodeURIComponent(`${table.session}:${table.n}`)}` : "";
    source = new EventSource(url + since);
    source.onmessage = (event) => {
      listen();
      take(JSON.parse(event.data));
    };
    source.onerror = again;
    listen();
  }

  function listen() {
    clearTimeout(watchdog);
    watchdog = setTimeout(again, SILENT_MS);
  }

  function again() {
    source.close();
    clearTimeout(watchdog);
    clearTimeout(retry);
    tell("lost");
    retry = setTimeout(open, wait * (0.75 + Math.random() / 2));
    wait = Math.min(wait * 1.6, LONGEST_WAIT_MS);
  }

  function take(message) {
    if (message.is === "dropped") return again();
    if (message.is === "lost") {
      tell("waiting");
      return undefined;
    }
    if (message.is === "snapshot" || message.is === "step") fold(message);
    if (message.t_ns && message.is !== "felt") clock.note(message.t_ns);
    if (message.is === "hello") return undefined;
    wait = FIRST_WAIT_MS;
    tell("live");
    if (message.effects || message.state?.table || message.is === "felt" || message.is === "snapshot") news(message, table);
    return undefined;
  }

  function fold(message) {
    if (message.is === "snapshot") {
      table.state = message.state;
      clock.restart();
    } else if (table.state) {
      table.state = patched(table.state, message.state ?? {});
    } else {
      return;
    }
    table.session = message.session;
    table.n = message.n;
    table.lamps = message.lamps ?? table.lamps;
    table.page = message.page ?? table.page;
    if (drawn) {
      drawn = false;
      requestAnimationFrame(() => {
        drawn = true;
        change(table);
      });
    }
  }

  open();
  return {
    table,
    redraw: () => table.state && change(table),
    close() {
      clearTimeout(watchdog);
      clearTimeout(retry);
      source.close();
    },
  };
}

// A JSON merge patch, RFC 7396.
export function patched(before, patch) {
  if (patch === null || typeof patch !== "object" || Array.isArray(patch)) return patch;
  const after = before && typeof before === "object" && !Array.isArray(before) ? { ...before } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete after[name];
    else after[name] = patched(after[name], value);
  }
  return after;
}

// What time it is at the table. A simulated table may run at any speed: it is measured.
class TableClock {
  #samples = [];
  #rate = 1;

  restart() {
    this.#samples = [];
  }

  note(tNs) {
    const here = performance.now();
    const last = this.#samples.at(-1);
    if (last && tNs < last.tNs) return; // told again
    this.#samples.push({ here, tNs });
    while (this.#samples.length > 2 && here - this.#samples[0].here > 20000) this.#samples.shift();
    const first = this.#samples[0];
    if (here - first.here > 2000) {
      const rate = (tNs - first.tNs) / (here - first.here) / 1e6;
      this.#rate = Math.abs(rate - 1) < 0.1 ? 1 : Math.min(Math.max(rate, 0.05), 50);
    }
  }

  get rate() {
    return this.#rate;
  }

  nowNs() {
    const last = this.#samples.at(-1);
    return last ? last.tNs + (performance.now() - last.here) * 1e6 * this.#rate : 0;
  }
}
