// Who operates the table: logging in, and all requests that only an operator may make.

import { html, setText } from "./nodes.js";
import { say } from "./words.js";

export class Refused extends Error {
  constructor(why, status) {
    super(why);
    this.status = status;
  }
}

const WHY = { 403: "wrong-pin", 429: "too-often" };

export class Operator {
  #me = { operator: false, pin: "" };
  changed = () => {};

  get in() {
    return this.#me.operator;
  }

  get pin() {
    return this.#me.pin;
  }

  async ask() {
    try {
      this.#become(await this.get("/api/me"));
      if (!this.in && this.pin === "open") await this.login("");
    } catch {
      setTimeout(() => this.ask(), 1500);
    }
  }

  async login(pin) {
    this.#become(await this.post("/api/login", { pin }));
  }

  async logout() {
    await this.post("/api/logout", {});
    this.#become({ operator: false, pin: "needed" });
  }

  showPin() {
    return this.post("/api/pin", {});
  }

  // Tells the table something, as `ligretto-table tell` does; Refused says why it does not do it.
  tell(text) {
    return this.post("/api/tell", { tell: text });
  }

  async get(url) {
    return (await this.fetch(url)).json();
  }

  async fetch(url, options = {}) {
    const answer = await fetch(url, options);
    if (answer.ok) return answer;
    if (answer.status === 401 && this.in) this.#become({ operator: false, pin: "needed" });
    const told = await answer.json().catch(() => ({}));
    throw new Refused(told.why ?? `HTTP ${answer.status}`, answer.status);
  }

  async post(url, body) {
    const headers = { "Content-Type": "application/json", "X-CSRF": this.#me.csrf ?? "" };
    return (await this.fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).json();
  }

  #become(me) {
    const changed = me.operator !== this.#me.operator || me.pin !== this.#me.pin;
    this.#me = me;
    if (changed) this.changed();
  }
}

export function loginBox(operator) {
  const pin = html("input", { id: "pin", inputmode: "numeric", autocomplete: "off", maxlength: "12", required: true });
  const why = html("p", { class: "bad", role: "alert" });
  const show = html("button", { type: "button" }, say("show-pin"));
  const form = html(
    "form",
    { class: "box login" },
    html("h2", {}, say("login")),
    html("p", {}, say(operator.pin === "unset" ? "pin-unset" : "pin-needed")),
    html("label", { for: "pin" }, say("pin")),
    html("p", { class: "line" }, pin, html("button", { class: "main" }, say("login"))),
    ...(operator.pin === "unset" ? [show] : []),
    why,
  );
  const attempt = async (deed, reasons) => {
    setText(why, "");
    try {
      await deed();
    } catch (error) {
      setText(why, reasons[error.status] ? say(reasons[error.status]) : say("refused", { why: error.message }));
    }
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(() => operator.login(pin.value), WHY);
  });
  show.addEventListener("click", () => attempt(() => operator.showPin(), {}));
  return form;
}
