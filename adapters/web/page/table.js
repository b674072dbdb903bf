// A table whose heads sort it.

import { h, icon, ICONS } from "./dom.js";
import { count, formatterOf, isNumeric, numberOf, plain, unitOf } from "./format.js";

const FIRST_ROWS = 10;

export function renderTable(table, title, files) {
  const columns = table.columns.map((column, at) => {
    const cells = table.rows.map((row) => row[at]);
    return {
      ...column,
      at,
      numeric: isNumeric(column, cells),
      format: formatterOf(column, cells),
    };
  });
  const whole = table.row_count > table.rows.length || table.truncated ? "" : "all ";
  const state = { rows: [...table.rows], sortedBy: null, falling: false, all: false };
  const body = h("tbody");
  const foot = h("div", { class: "table-foot" });
  const heads = columns.map((column) => head(column, () => sortBy(column)));

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
    foot.replaceChildren(rowCount(table, shown.length), ...more(), ...files.map(renderFile));
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
  const unit = unitOf(column);
  return h(
    "th",
    { scope: "col", class: column.numeric ? "number" : null, "aria-sort": "none" },
    h(
      "button",
      { type: "button", onclick: press, title: `Sort by ${column.name}` },
      h("span", {}, column.name.replaceAll("_", " ")),
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
      if (cell === null) {
        return h("td", { class: column.numeric ? "number none" : "none", title: "No value" }, plain(cell));
      }
      return h("td", { class: column.numeric ? "number" : null }, column.format(cell));
    }),
  );
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
    return direction * plain(a).localeCompare(plain(b), "en", { numeric: true });
  };
}
