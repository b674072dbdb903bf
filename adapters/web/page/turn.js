// One question and everything that is done to answer it, folded from its events in place.

import { renderAnswer, renderShown, renderWarning } from "./answer.js";
import { markBusy, markDecided, markOpen, renderDecision } from "./decision.js";
import { announce, h, icon, ICONS } from "./dom.js";
import { clock, count, seconds } from "./format.js";
import { renderMarkdown } from "./markdown.js";
import { follow, getEvents, postDecision, postStop, postTurn } from "./stream.js";

export class TurnView {
  // `kept` is what the browser remembers of the turn; `onKept` is told when that changes, `onBusy`
  // when the turn begins or ends, `ask` takes a further question, and `edit` gives this one back.
  constructor(kept, request, { onKept, onBusy, ask, edit }) {
    this.kept = kept;
    this.request = request;
    this.onKept = onKept;
    this.onBusy = onBusy;
    this.ask = ask;
    this.edit = edit;
    this.run = kept.runs.at(-1) ?? null;
    this.status = h("p", { class: "status" });
    this.plan = h("ol", { class: "plan", "aria-label": "Plan" });
    this.steps = h("ol", { class: "steps" });
    this.text = h("div", { class: "finding" });
    this.shown = h("div", { class: "artifacts" });
    this.written = "";
    this.body = h("div", { class: "message-body" });
    this.element = h(
      "article",
      { class: "turn", "aria-label": kept.question },
      message("You", "you", kept.at, h("p", { class: "asked" }, kept.question)),
      message("Resona", "resona", null, this.body),
    );
  }

  async start() {
    await this.through(postTurn({ ...this.request, question: this.kept.question, id: this.kept.id }));
  }

  // Shows what was already there, run after run; the last one may still be going on.
  async restore() {
    if (!this.kept.runs.length) {
      await this.start();
      return;
    }
    for (const [at, run] of this.kept.runs.entries()) {
      if (at > 0 && this.card) markDecided(this.card, this.kept.choices[at - 1] ?? "answered");
      await this.through(getEvents(run), run);
      if (this.failed) return;
    }
  }

  // Goes on where another tab has decided.
  async catchUp() {
    const run = this.kept.runs.at(-1);
    if (!run || run === this.run || this.going) return;
    if (this.card) markDecided(this.card, this.kept.choices[this.kept.runs.length - 2] ?? "answered");
    this.run = run;
    await this.through(getEvents(run), run);
  }

  async stop() {
    this.say("Stopping…");
    if (this.run) await postStop(this.run).catch((error) => this.say(error.message));
  }

  async through(request, run = null) {
    this.begin();
    this.going = true;
    this.onBusy(this, true);
    try {
      await follow(request, {
        run,
        onRun: (found) => this.follows(found),
        onEvent: (event) => this.apply(event),
        onTrouble: (sentence) => this.say(sentence),
      });
    } catch (error) {
      this.fail(error);
    } finally {
      this.going = false;
      this.onBusy(this, false);
    }
  }

  begin() {
    this.failed = false;
    this.say("Sending the question");
    const parts = this.card ? [this.card] : [];
    this.plan.replaceChildren();
    this.body.replaceChildren(...parts, this.status, this.plan, this.steps, this.text, this.shown);
    this.text.replaceChildren();
    this.written = "";
  }

  follows(run) {
    this.run = run;
    if (this.kept.runs.includes(run)) return;
    this.kept.runs.push(run);
    this.onKept();
  }

  apply(event) {
    const handlers = {
      turn_started: () => this.say("Reading the question"),
      progress: () => this.say(event.text),
      plan_changed: () => this.showPlan(event.tasks),
      text_written: () => this.write(this.written + event.text),
      text_withdrawn: () => this.write(""),
      tool_call_started: () => this.openStep(event),
      tool_call_finished: () => this.closeStep(event),
      artifact_made: () => this.show(event.shown),
      turn_finished: () => this.finish(event.answer),
      turn_paused: () => this.pause(event.decision),
      turn_failed: () => this.giveUp(event),
    };
    handlers[event.kind]?.();
  }

  say(text) {
    const since = Date.now();
    // Not read out: a screen reader has heard what goes on, and not every second of it again.
    const waited = h("span", { "aria-hidden": "true" });
    this.status.replaceChildren(h("span", { class: "spinner", "aria-hidden": "true" }), text, waited);
    clearInterval(this.ticking);
    this.ticking = setInterval(() => {
      if (!waited.isConnected) return clearInterval(this.ticking);
      const passed = Math.floor((Date.now() - since) / 1000);
      if (passed >= 5) waited.textContent = ` (${seconds(passed)} so far)`;
    }, 1000);
  }

  write(text) {
    this.written = text;
    this.text.replaceChildren(renderMarkdown(text));
    this.say(text ? "Writing the answer" : "Thinking");
  }

  // A task keeps its line; only what is new in it changes, so that nothing jumps.
  showPlan(tasks) {
    for (const task of tasks) {
      let line = this.plan.querySelector(`[data-task="${CSS.escape(task.id)}"]`);
      if (!line) {
        line = h("li", { "data-task": task.id }, h("span", { class: "step-icon" }), h("span", { class: "step-title" }), h("span", { class: "step-summary" }));
        this.plan.append(line);
      }
      if (line.dataset.state === task.state) continue;
      line.dataset.state = task.state;
      line.className = `step task ${task.state}`;
      line.querySelector(".step-icon").replaceChildren(...taskMark(task.state));
      line.querySelector(".step-title").textContent = task.title;
      line.querySelector(".step-summary").textContent = task.finding;
    }
    const running = tasks.filter((task) => task.state === "running").map((task) => task.title);
    this.say(running.join("; ") || "Thinking");
  }

  openStep(event) {
    this.say(event.title);
    this.steps.append(
      h(
        "li",
        { class: "step running", "data-call": event.call_id },
        h("span", { class: "step-icon" }, h("span", { class: "spinner", "aria-hidden": "true" })),
        h("span", { class: "step-title" }, event.title),
        h("span", { class: "step-summary" }),
        h("span", { class: "step-time" }),
      ),
    );
  }

  closeStep(event) {
    const step = this.steps.querySelector(`[data-call="${CSS.escape(event.call_id)}"].running`);
    if (!step) return;
    step.className = event.ok ? "step done" : "step failed";
    step.querySelector(".step-icon").replaceChildren(
      icon(event.ok ? ICONS.done : ICONS.failed, 14),
      h("span", { class: "sr-only" }, event.ok ? "Done:" : "Did not work:"),
    );
    step.querySelector(".step-summary").textContent = event.summary;
    const rows = event.rows === null ? "" : `${count(event.rows, "row")}, `;
    step.querySelector(".step-time").textContent = rows + seconds(event.seconds);
    this.say("Thinking");
  }

  show(shown) {
    const old = this.shown.querySelector(`[data-shown="${CSS.escape(shown.id)}"]`);
    if (old) old.replaceWith(renderShown(shown));
    else this.shown.append(renderShown(shown));
  }

  finish(answer) {
    const parts = renderAnswer(answer, this.steps, { ask: this.ask });
    const plan = this.plan.childElementCount ? [this.plan] : [];
    this.body.replaceChildren(...(this.card ? [this.card] : []), ...plan, ...parts);
    announce(`Answer: ${answer.text.slice(0, 300)}`);
  }

  pause(decision) {
    const decide = (body, words) => this.decide(body, words);
    this.card = renderDecision(decision, { decide });
    const lists = [this.plan, this.steps].filter((list) => list.childElementCount);
    this.body.replaceChildren(...lists, this.shown, this.card);
    announce(decision.question ?? decision.reason);
  }

  async decide(body, words) {
    const card = this.card;
    markBusy(card);
    this.kept.choices[this.kept.runs.length - 1] = words;
    await this.through(async () => {
      const response = await postDecision(body)();
      if (response.ok) markDecided(card, words);
      else markOpen(card);
      return response;
    });
  }

  giveUp(event) {
    const sentence = event.stopped ? "Stopped. Nothing more was read." : event.reason;
    const parts = [...(this.card ? [this.card] : []), h("p", { class: event.stopped ? "stopped" : "failure" }, sentence)];
    if (!event.stopped && event.error_id) {
      parts.push(h("p", { class: "error-id" }, `If you report this, name it by ${event.error_id}.`));
    }
    parts.push(h("div", { class: "suggestions" }, this.again("Ask again")));
    this.body.replaceChildren(...parts);
    announce(sentence);
  }

  fail(error) {
    this.failed = true;
    const gone = error.status === 404;
    const sentence = gone ? "This answer is no longer kept. Ask again to have it made anew." : error.message;
    const open = this.card && !this.card.classList.contains("decided") ? this.card : null;
    // What is wrong with the question itself stays so however often it is sent.
    const retry =
      error.status === 400
        ? h("button", { type: "button", onclick: () => this.edit(this) }, "Edit the question")
        : this.again(gone ? "Ask again" : "Try again", error.retryAfter ?? 0);
    this.body.replaceChildren(
      ...(open ? [open] : []),
      renderWarning(sentence),
      ...(open ? [] : [h("div", { class: "suggestions" }, retry)]),
    );
    announce(sentence);
  }

  // Counts down while the server wants to be left alone.
  again(words, wait = 0) {
    // A question that may have arrived is sent again under its name, so that it is answered once.
    const press = () => (this.kept.runs.length ? this.ask(this.kept.question, this) : this.start());
    const button = h("button", { type: "button", onclick: press }, words);
    const until = Date.now() + wait * 1000;
    const tick = () => {
      const left = Math.ceil((until - Date.now()) / 1000);
      button.disabled = left > 0;
      button.textContent = left > 0 ? `${words} in ${left} s` : words;
      if (left > 0) setTimeout(tick, 250);
    };
    tick();
    return button;
  }
}

function taskMark(state) {
  const words = { waiting: "Waiting:", running: "Under way:", done: "Done:", missing: "Missing:" };
  const said = h("span", { class: "sr-only" }, words[state]);
  if (state === "running") return [h("span", { class: "spinner", "aria-hidden": "true" }), said];
  if (state === "waiting") return [said];
  return [icon(state === "done" ? ICONS.done : ICONS.failed, 14), said];
}

function message(name, kind, at, content) {
  return h(
    "div",
    { class: `message ${kind}` },
    h("div", { class: "avatar", "aria-hidden": "true" }, kind === "you" ? "Y" : ""),
    h(
      "div",
      { class: "message-main" },
      h("div", { class: "message-head" }, h("b", {}, name), at ? h("time", {}, clock(at)) : null),
      content,
    ),
  );
}
