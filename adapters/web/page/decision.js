// What only a person can decide: which meaning was meant, and whether a costly query may run.

import { h, icon, ICONS } from "./dom.js";
import { about, bytes, seconds, usd } from "./format.js";
import { renderSql } from "./sql.js";

// `decide` is called with what the API wants and with the words that were chosen.
export function renderDecision(decision, { decide }) {
  const card = "options" in decision ? clarification(decision, decide) : approval(decision, decide);
  card.dataset.decision = decision.id;
  return card;
}

export function markDecided(card, words) {
  card.classList.add("decided");
  for (const control of card.querySelectorAll("button, input")) control.disabled = true;
  card.querySelector(".decision-actions")?.replaceChildren(h("p", { class: "chosen" }, `You chose: ${words}`));
  card.querySelector(".own-words")?.remove();
}

export function markOpen(card) {
  for (const control of card.querySelectorAll("button, input")) control.disabled = false;
}

export function markBusy(card) {
  for (const control of card.querySelectorAll("button, input")) control.disabled = true;
}

function clarification(decision, decide) {
  const choose = (text) => decide({ decision: decision.id, text }, text);
  const own = h("input", {
    type: "text",
    maxlength: "2000",
    placeholder: "Something else…",
    "aria-label": "Something else, in your own words",
  });
  const submit = (event) => {
    event.preventDefault();
    if (own.value.trim()) choose(own.value.trim());
  };
  return h(
    "section",
    { class: "decision", role: "group", "aria-label": decision.question },
    h("p", { class: "decision-question" }, decision.question),
    h(
      "div",
      { class: "decision-actions" },
      decision.options.map((option) =>
        h("button", { type: "button", class: "option", onclick: () => choose(option) }, option),
      ),
    ),
    h("form", { class: "own-words", onsubmit: submit }, own, h("button", { type: "submit" }, "Answer")),
  );
}

function approval(decision, decide) {
  const choose = (choice, words) => decide({ decision: decision.id, choice }, words);
  const button = (choice, words, style) =>
    h("button", { type: "button", class: style, onclick: () => choose(choice, words) }, words);
  return h(
    "section",
    { class: "decision approval", role: "group", "aria-label": "Approval" },
    h("p", { class: "decision-question" }, "This query is expensive. Shall it run?"),
    h("p", {}, decision.reason),
    h("dl", { class: "estimate" }, figures(decision.estimate)),
    h("details", { class: "behind" }, h("summary", {}, icon(ICONS.chevron, 14), "SQL"), renderSql(decision.sql, "Not run yet")),
    h(
      "div",
      { class: "decision-actions" },
      button("approve", "Approve", "primary"),
      button("cheaper", "Try something cheaper", "option"),
      button("cancel", "Cancel", "option"),
    ),
  );
}

function figures(estimate) {
  const known = [
    ["Rows read", estimate.rows, about],
    ["Largest step", estimate.intermediate_rows, (rows) => `${about(rows)} rows`],
    ["Data read", estimate.bytes, bytes],
    ["Time", estimate.seconds, seconds],
    ["Money", estimate.usd, usd],
  ].filter(([, value]) => value !== null && value !== undefined);
  if (!known.length) return [figure("Estimate", "The database does not say")];
  return known.map(([name, value, write]) => figure(name, write(value)));
}

function figure(name, text) {
  return h("div", {}, h("dt", {}, name), h("dd", {}, text));
}
