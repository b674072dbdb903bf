// The final answer: finding, what it rests on, and how it was found.

import { h, icon, ICONS } from "./dom.js";
import { cost, count, seconds } from "./format.js";
import { renderMarkdown } from "./markdown.js";
import { renderSql } from "./sql.js";
import { renderFile, renderTable } from "./table.js";

// `ask` is called with the words of a suggestion that was pressed.
export function renderAnswer(answer, steps, { ask }) {
  const results = distinct(answer);
  const [first, ...others] = results;
  return [
    h("div", { class: answer.refused ? "finding refused" : "finding" }, renderMarkdown(answer.text)),
    ...answer.warnings.map(renderWarning),
    first ? renderShown(first, { titled: false }) : null,
    others.length ? renderOthers(others) : null,
    answer.assumptions.length ? renderAssumptions(answer.assumptions) : null,
    renderContext(answer),
    renderBehind(answer, steps),
    answer.suggestions.length ? renderSuggestions(answer.suggestions, ask) : null,
  ].filter((part) => part);
}

export function renderShown(shown, { titled = true } = {}) {
  return h(
    "section",
    { class: "shown", "data-shown": shown.id },
    titled && shown.title ? h("h3", {}, shown.title) : null,
    shown.charts.map(renderChart),
    shown.table?.columns.length
      ? renderTable(shown.table, shown.title, shown.files)
      : shown.files.map(renderFile),
  );
}

function renderChart(chart) {
  const sourceOf = (file) => `/api/files/${encodeURIComponent(file.id)}`;
  const image = h("img", { src: sourceOf(chart.picture), alt: chart.alt_text, decoding: "async" });
  const enlarge = () => {
    const box = document.getElementById("lightbox");
    const picture = document.getElementById("lightbox-picture");
    picture.src = image.currentSrc;
    picture.alt = chart.alt_text;
    document.getElementById("lightbox-text").textContent = chart.alt_text;
    box.showModal();
  };
  return h(
    "figure",
    { class: "chart" },
    h(
      "button",
      { type: "button", onclick: enlarge, "aria-label": `Enlarge the chart: ${chart.title}` },
      h(
        "picture",
        {},
        chart.narrow ? h("source", { media: "(max-width: 600px)", srcset: sourceOf(chart.narrow) }) : null,
        image,
      ),
    ),
  );
}

function renderOthers(others) {
  return h(
    "details",
    { class: "behind" },
    h("summary", {}, icon(ICONS.chevron, 14), `More results`, h("span", { class: "badge" }, others.length)),
    others.map((shown) => renderShown(shown)),
  );
}

export function renderWarning(text) {
  return h("p", { class: "warning" }, icon(ICONS.warning), h("span", {}, renderMarkdownInline(text)));
}

function renderMarkdownInline(text) {
  const [only] = renderMarkdown(text).childNodes;
  return only ? Array.from(only.childNodes) : [];
}

function renderAssumptions(assumptions) {
  return h(
    "div",
    { class: "assumptions" },
    h("h3", {}, "Assumed"),
    h("ul", {}, assumptions.map((each) => h("li", {}, renderMarkdownInline(each)))),
  );
}

function renderContext(answer) {
  const { input_tokens: input, output_tokens: output } = answer.usage;
  const rows = answer.result?.table?.row_count;
  const parts = [
    answer.connection ? ["Connection", answer.connection] : null,
    ...conditions(answer.conditions),
    rows === undefined ? null : ["Rows of the result", count(rows, "row")],
    answer.read ? ["What the database read", answer.read] : null,
    answer.checked ? ["Every figure of the text is in the results or follows from them", "figures checked"] : null,
    ["Time", seconds(answer.seconds)],
    answer.model ? ["Model", answer.model] : null,
    [input + output ? `${count(input + output, "token")}` : "Cost", cost(answer.usage)],
  ].filter((part) => part);
  return h(
    "ul",
    { class: "context", "aria-label": "About this answer" },
    parts.map(([title, text]) => h("li", { title }, text)),
  );
}

const MOST_FILTERS = 3;

// An answer of an earlier version has none.
function conditions(found) {
  if (!found) return [];
  const { period, time_zone: zone, filters } = found;
  const rest = filters.slice(MOST_FILTERS);
  return [
    period ? ["Period", zone ? `${period} (${zone})` : period] : null,
    ...filters.slice(0, MOST_FILTERS).map((each) => ["Filter", each]),
    rest.length ? [rest.join("\n"), `and ${rest.length} more`] : null,
  ];
}

function renderBehind(answer, steps) {
  if (!steps.childElementCount && !answer.sql.length) return null;
  const lookUps = answer.sql.filter((each) => each.purpose === "look_up");
  const main = answer.sql.filter((each) => each.purpose !== "look_up");
  return h(
    "div",
    { class: "behinds" },
    steps.childElementCount ? disclosure("How I got there", steps.childElementCount, [steps]) : null,
    main.length ? disclosure("SQL", main.length, main.map(renderExecuted)) : null,
    lookUps.length ? disclosure("Look-ups", lookUps.length, lookUps.map(renderExecuted)) : null,
  );
}

function disclosure(title, number, content) {
  return h(
    "details",
    { class: "behind" },
    h("summary", {}, icon(ICONS.chevron, 14), title, h("span", { class: "badge" }, number)),
    content,
  );
}

function renderExecuted(executed) {
  return renderSql(executed.sql, `${count(executed.rows, "row")} in ${seconds(executed.seconds)}`);
}

function renderSuggestions(suggestions, ask) {
  return h(
    "div",
    { class: "suggestions", role: "group", "aria-label": "Ask next" },
    suggestions.map((text) => h("button", { type: "button", onclick: () => ask(text) }, text)),
  );
}

// The result comes first; a thing that is both result and shown is shown once.
function distinct(answer) {
  const all = answer.result ? [answer.result, ...answer.shown] : [...answer.shown];
  return all.filter((shown, at) => all.findIndex((other) => other.id === shown.id) === at);
}
