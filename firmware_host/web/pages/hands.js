// A seat of one's own at a simulated table: what one has there, and what one's hands do.
//
//   const seat = hands({ change(hand), link(state), end(code) })
//
// `change` gets what the visitor has whenever that changes; null after getting up. `link` gets "live" or "lost". The seat is
// kept over a reload of the page: its ticket is in the storage of this tab.

const STORED = "ligretto seat";
const AGAIN_MS = 700;
const SILENT_MS = 12000;

export function hands({ change, link, end }) {
  let wanted = null; // { seat, ticket, code }
  let hand = null;
  let live = false;
  let chain = Promise.resolve();
  let stop = null;

  async function stay() {
    const mine = wanted;
    while (wanted === mine) {
      let verdict = "";
      try {
        verdict = await stream(mine);
      } catch {
        verdict = "";
      }
      if (wanted !== mine) return;
      live = false;
      if (verdict) return leaveWith(verdict);
      link("lost");
      await new Promise((done) => setTimeout(done, AGAIN_MS));
    }
  }

  // Reads to the end of the stream. A code means that there is no use in trying again.
  async function stream(mine) {
    stop = new AbortController();
    const response = await post("/api/hands/sit", mine, stop.signal);
    if (!response.ok) return response.status === 403 ? "code" : "refused";
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const watchdog = setTimeout(() => stop.abort(), SILENT_MS);
      const { value, done } = await reader.read();
      clearTimeout(watchdog);
      if (done) return "";
      const parts = (rest + value).split("\n\n");
      rest = parts.pop();
      for (const part of parts) {
        if (!part.startsWith("data: ")) continue;
        const told = JSON.parse(part.slice(6));
        if (told.is === "away") return "";
        if (told.is !== "hand") return told.code ?? "refused";
        if (wanted !== mine) return "";
        hand = told;
        live = true;
        mine.ticket = told.ticket;
        store(mine);
        link("live");
        change(hand);
      }
    }
  }

  function leaveWith(code) {
    wanted = hand = null;
    store(null);
    change(null);
    end(code);
  }

  return {
    sit(seat, code) {
      wanted = { seat, code };
      stay();
    },
    // The seat of this tab before it was loaded again.
    resume(code) {
      const kept = stored();
      if (!kept) return false;
      wanted = { ...kept, code: code ?? kept.code };
      stay();
      return true;
    },
    get sitting() {
      return wanted !== null;
    },
    // One after the other, as they were done. The answer says whether the hands could do it.
    do(what, more = {}) {
      const done = chain.then(async () => {
        if (!live) return { ok: false };
        const response = await post("/api/hands/do", { ...more, do: what, ticket: hand.ticket });
        return response.json();
      });
      chain = done.catch(() => {});
      return chain.then((answer) => answer ?? { ok: false });
    },
    async leave() {
      await this.do("leave");
      const stopped = stop;
      leaveWith("up");
      stopped?.abort();
    },
  };
}

function post(url, body, signal) {
  const headers = { "Content-Type": "application/json" };
  return fetch(url, { method: "POST", headers, body: JSON.stringify(body), signal });
}

function store(seat) {
  if (seat) sessionStorage.setItem(STORED, JSON.stringify(seat));
  else sessionStorage.removeItem(STORED);
}

function stored() {
  try {
    return JSON.parse(sessionStorage.getItem(STORED));
  } catch {
    return null;
  }
}
