// The page: the list of threads, the one that is open, and the composer.

import { announce, h, icon, ICONS } from "./dom.js";
import { getState } from "./stream.js";
import { KEY, Threads } from "./threads.js";
import { TurnView } from "./turn.js";

const part = (id) => document.getElementById(id);
const threads = new Threads();
let open = threads.create();
let state = { connections: [], default_connection: "", model: "", examples: [] };
const busy = new Set();
const views = new Map();  // of the thread that is open, by the ids of their turns

async function begin() {
  wire();
  openThread(threads.get(location.hash.replace(/^#\/t\//, "")) ?? open);
  try {
    state = await getState();
  } catch (error) {
    announce(error.message);
    part("title").textContent = error.message;
  }
  showState();
}

function wire() {
  const question = part("question");
  part("composer").addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
  question.addEventListener("input", fitComposer);
  question.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      send();
    }
  });
  part("stop").addEventListener("click", () => busy.forEach((turn) => turn.stop()));
  part("new-thread").addEventListener("click", () => {
    openThread(threads.create());
    closeSidebar();
    question.focus();
  });
  part("menu").addEventListener("click", openSidebar);
  part("veil").addEventListener("click", closeSidebar);
  part("sidebar").addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      closeSidebar();
      part("menu").focus();
    }
  });
  part("theme").addEventListener("click", nextTheme);
  part("lightbox-close").addEventListener("click", () => part("lightbox").close());
  part("lightbox").addEventListener("click", (event) => {
    if (event.target === part("lightbox")) part("lightbox").close();
  });
  addEventListener("storage", (event) => {
    if (event.key === KEY) takeOver();
  });
  addEventListener("hashchange", () => {
    const found = threads.get(location.hash.replace(/^#\/t\//, ""));
    if (found && found !== open) openThread(found);
  });
  showTheme();
}

// ---- asking

function send() {
  const question = part("question");
  const text = question.value.trim();
  if (!text || busy.size) return;
  question.value = "";
  fitComposer();
  ask(text);
}

// `instead` is a turn that failed: the same question takes its place.
function ask(text, instead = null) {
  if (busy.size) {
    announce("Wait for the answer, or stop it first.");
    return;
  }
  instead?.element.remove();
  open.connection ||= part("connection").value;
  const kept = threads.add(open, text, instead?.kept);
  history.replaceState(null, "", `#/t/${open.id}`);
  const view = viewOf(kept);
  part("welcome").hidden = true;
  part("turns").append(view.element);
  scrollTo(view, calm() ? "auto" : "smooth");
  showThreads();
  showConnection();
  part("title").textContent = open.title;
  view.start();
}

// Another tab has asked or decided something: its threads are listed, and what it did in the
// thread that is open here is shown here, too.
function takeOver() {
  threads.take();
  showThreads();
  for (const kept of open.turns) {
    const view = views.get(kept.id);
    if (view) view.catchUp();
    else if (kept.runs.length) showOther(kept);
  }
}

function showOther(kept) {
  const view = viewOf(kept);
  part("welcome").hidden = true;
  part("turns").append(view.element);
  showConnection();
  view.restore();
}

// A question that cannot be asked as it is goes back to where it was written.
function edit(view) {
  threads.drop(open, view.kept);
  view.element.remove();
  part("welcome").hidden = open.turns.length > 0;
  showThreads();
  showConnection();
  part("question").value = view.kept.question;
  fitComposer();
  part("question").focus();
}

function viewOf(kept) {
  const thread = open;
  const request = { thread: thread.id, ...(thread.connection ? { connection: thread.connection } : {}) };
  const view = new TurnView(kept, request, {
    onKept: () => threads.save(),
    onBusy: (view, on) => setBusy(thread, view, on),
    ask,
    edit,
  });
  views.set(kept.id, view);
  return view;
}

function setBusy(thread, view, on) {
  if (thread !== open) return;
  if (on) busy.add(view);
  else busy.delete(view);
  part("stop").hidden = !busy.size;
  part("send").hidden = busy.size > 0;
  fitComposer();
}

// ---- threads

function openThread(thread) {
  open = thread;
  busy.clear();
  views.clear();
  const shown = thread.turns.map(viewOf);
  part("turns").replaceChildren(...shown.map((view) => view.element));
  part("welcome").hidden = shown.length > 0;
  part("title").textContent = thread.title;
  part("stop").hidden = true;
  part("send").hidden = false;
  history.replaceState(null, "", shown.length ? `#/t/${thread.id}` : location.pathname);
  showThreads();
  showConnection();
  restore(shown);
}

async function restore(shown) {
  if (shown.length) scrollTo(shown.at(-1), "auto");
  await Promise.all(shown.map((view) => view.restore()));
}

function showThreads() {
  part("threads-title").hidden = !threads.all.length;
  part("threads").replaceChildren(
    ...threads.all.map((thread) =>
      h(
        "li",
        { class: thread === open ? "current" : null },
        h(
          "button",
          {
            type: "button",
            class: "thread",
            "aria-current": thread === open ? "true" : null,
            onclick: () => {
              openThread(thread);
              closeSidebar();
            },
          },
          thread.title,
        ),
        h(
          "button",
          {
            type: "button",
            class: "quiet forget",
            "aria-label": `Remove “${thread.title}” from this list`,
            onclick: () => forget(thread),
          },
          icon(ICONS.remove, 12),
        ),
      ),
    ),
  );
}

function forget(thread) {
  threads.remove(thread);
  if (thread === open) openThread(threads.create());
  else showThreads();
}

function openSidebar() {
  document.body.classList.add("sidebar-open");
  part("veil").hidden = false;
  part("menu").setAttribute("aria-expanded", "true");
  part("new-thread").focus();
}

function closeSidebar() {
  document.body.classList.remove("sidebar-open");
  part("veil").hidden = true;
  part("menu").setAttribute("aria-expanded", "false");
}

// ---- what the server says about itself

function showState() {
  part("model").textContent = state.model;
  part("model").title = `Model: ${state.model}`;
  part("examples").replaceChildren(
    ...state.examples.map((text) =>
      h("button", { type: "button", class: "example", onclick: () => ask(text) }, text),
    ),
  );
  part("connection").replaceChildren(
    ...state.connections.map((each) =>
      h("option", { value: each.name, title: each.description }, each.name),
    ),
  );
  part("connection-box").hidden = !state.connections.length;
  showConnection();
}

// A thread keeps the connection that it began with: its follow-ups speak of that data.
function showConnection() {
  const select = part("connection");
  select.value = open.connection || state.default_connection;
  select.disabled = open.turns.length > 0 || state.connections.length < 2;
  const label = state.connections.find((each) => each.name === select.value);
  part("connection-box").title = label ? [label.description, label.dialect].filter(Boolean).join(" · ") : "";
}

// ---- looks

function fitComposer() {
  const question = part("question");
  question.style.height = "auto";
  question.style.height = `${Math.min(question.scrollHeight, 200)}px`;
  part("send").disabled = !question.value.trim() || busy.size > 0;
}

const THEMES = { system: "◐", light: "☀", dark: "☾" };

function nextTheme() {
  const names = Object.keys(THEMES);
  const now = localStorage.getItem("resona.theme") ?? "system";
  localStorage.setItem("resona.theme", names[(names.indexOf(now) + 1) % names.length]);
  showTheme();
}

function showTheme() {
  const chosen = localStorage.getItem("resona.theme") ?? "system";
  if (chosen === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
  part("theme").textContent = THEMES[chosen] ?? THEMES.system;
  part("theme").setAttribute("aria-label", `Colours: ${chosen === "system" ? "as the system" : chosen}`);
}

// Only the thread scrolls; `scrollIntoView` would move the frame around it as well.
function scrollTo(view, behavior) {
  part("scroll").scrollTo({ top: view.element.offsetTop, behavior });
}

function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

begin();
