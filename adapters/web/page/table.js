// A table whose heads sort it.

import { copyButton } from "./copy.js";
import { h, icon, ICONS } from "./dom.js";
import { count, isNumeric, numberOf, written } from "./format.js";

const FIRST_ROWS = 10;
const PERCENTAGES = { share: true, percent: true };

export function renderTable(table, title, files) {
  const columns = table.columns.map((column, at) => {
    const cells = table.rows.map((row) => row[at]);
    return {
      ...column,
      at,
      numeric: isNumeric(column, cells),
    };
  });
  const whole = table.row_count > table.rows.length || table.truncated ? "" : "all ";
  const state = { rows: [...table.rows], sortedBy: null, falling: false, all: false };
  const body = h("tbody");
  const foot = h("div", { class: "table-foot" });
  const heads = columns.map((column) => head(column, () => sortBy(column)));

  // For a spreadsheet: cells part at tabs, in the order that is shown, with raw figures in them.
  const copying = copyButton("Copy table", () =>
    [columns.map((column) => column.heading), ...state.rows.map((row) => row.map(pasted))]
      .map((cells) => cells.join("\t"))
      .join("\n"),
  );

  function sortBy(column) {
    state.falling = state.sortedBy === column.at ? !state.falling : column.numeric;
    state.sortedBy = column.at;
    state.rows.sort(comparing(column, state.falling ? -1 : 1));
    for (const each of columns) {
      const order = state.falling ? "descending" : "ascending";
      heads[each.at].setAttribute("aria-sort", each.at === column.at ? order : "none");
    }
    draw();
  }

  function draw() {
    const shown = state.all ? state.rows : state.rows.slice(0, FIRST_ROWS);
    body.replaceChildren(...shown.map((row) => line(row, columns)));
    foot.replaceChildren(rowCount(table, shown.length), ...more(), copying, ...files.map(renderFile));
  }

  function more() {
    if (state.rows.length <= FIRST_ROWS) return [];
    const label = state.all ? `Show the first ${FIRST_ROWS}` : `Show ${whole}${state.rows.length}`;
    const press = () => {
      state.all = !state.all;
      draw();
      foot.querySelector("button").focus();
    };
    return [h("button", { type: "button", class: "link", onclick: press }, label)];
  }

  draw();
  return h(
    "div",
    { class: "table-block" },
    h(
      "div",
      { class: "table-scroll", tabindex: "0", role: "region", "aria-label": title || "Result" },
      h(
        "table",
        {},
        h("caption", { class: "sr-only" }, title || "Result"),
        h("thead", {}, h("tr", {}, heads)),
        body,
      ),
    ),
    foot,
  );
}

export function renderFile(file) {
  const kind = (file.name.split(".").pop() || "file").toUpperCase();
  return h(
    "a",
    { class: "file", href: `/api/files/${encodeURIComponent(file.id)}`, download: file.name },
    icon(ICONS.download, 14),
    `Download ${kind}`,
    h("span", { class: "sr-only" }, ` ${file.name}`),
  );
}

function head(column, press) {
  const unit = column.unit in PERCENTAGES ? "" : column.unit;
  return h(
    "th",
    { scope: "col", class: column.numeric ? "number" : null, "aria-sort": "none" },
    h(
      "button",
      { type: "button", onclick: press, title: `Sort by ${column.heading}` },
      h("span", {}, column.heading),
      unit ? h("span", { class: "unit" }, unit) : null,
      h("span", { class: "order", "aria-hidden": "true" }),
    ),
  );
}

function line(row, columns) {
  return h(
    "tr",
    {},
    columns.map((column) => {
      const cell = row[column.at];
      const look = column.numeric ? "number" : column.kind === "time" ? "date" : "";
      if (cell === null) return h("td", { class: `${look} none`, title: "No value" }, written(cell, column));
      return h("td", { class: look || null, dir: "auto" }, written(cell, column));
    }),
  );
}

// What a spreadsheet would take for a formula gets a quote before it, as in the file.
function pasted(cell) {
  if (cell === null) return "";
  const text = String(cell).replace(/\s+/g, " ").trim();
  return typeof cell === "string" && /^[=+\-@]/.test(text) && numberOf(text) === null ? `'${text}` : text;
}

function rowCount(table, shown) {
  const total = `${table.truncated ? "more than " : ""}${count(table.row_count, "row")}`;
  return h("span", { class: "row-count" }, shown < table.row_count ? `${shown} of ${total}` : total);
}

// What has no value comes last, whichever way the column is sorted.
function comparing(column, direction) {
  return (one, other) => {
    const [a, b] = [one[column.at], other[column.at]];
    if (a === null || b === null) return (a === null) - (b === null);
    if (column.numeric) return direction * (numberOf(a) - numberOf(b));
    return direction * String(a).localeCompare(String(b), "en", { numeric: true });
  };
}
