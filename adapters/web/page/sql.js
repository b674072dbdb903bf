// SQL as a reader likes it: broken into its clauses, with its words told apart, ready to copy.

import { copyButton } from "./copy.js";
import { h } from "./dom.js";

const WORDS = new Set(
  (
    "ALL AND ANY AS ASC BETWEEN BY CASE CAST CROSS CURRENT DATE DESC DISTINCT ELSE END EXCEPT EXISTS " +
    "EXTRACT FALSE FETCH FILTER FIRST FOLLOWING FROM FULL GROUP HAVING ILIKE IN INNER INTERSECT " +
    "INTERVAL IS JOIN LAST LATERAL LEFT LIKE LIMIT NOT NULL NULLS OFFSET ON OR ORDER OUTER OVER " +
    "PARTITION PRECEDING RANGE RECURSIVE RIGHT ROW ROWS SELECT THEN TIMESTAMP TRUE UNBOUNDED UNION " +
    "USING VALUES WHEN WHERE WINDOW WITH"
  ).split(" "),
);
const TOKEN = /('(?:[^']|'')*')|("(?:[^"]|"")*"|`[^`]*`)|(\b\d+(?:\.\d+)?\b)|([A-Za-z_][A-Za-z_0-9]*)/g;
const BREAK_BEFORE =
  /(?<!\b(?:LEFT|RIGHT|FULL|INNER|CROSS|OUTER))\s+(?=(?:FROM|WHERE|GROUP BY|HAVING|ORDER BY|LIMIT|UNION|INTERSECT|EXCEPT|(?:LEFT |RIGHT |FULL |INNER |CROSS )?(?:OUTER )?JOIN)\b)/g;

export function renderSql(sql, caption) {
  return h(
    "figure",
    { class: "sql" },
    h(
      "figcaption",
      {},
      h("span", {}, caption),
      copyButton("Copy", () => sql),
    ),
    h("pre", { tabindex: "0" }, h("code", {}, coloured(broken(sql)))),
  );
}

// Only text outside of quotes may be broken into lines; a query that has lines keeps its own.
function broken(sql) {
  if (sql.includes("\n")) return sql;
  return sql
    .split(/('(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`)/)
    .map((part, at) => (at % 2 ? part : part.replace(BREAK_BEFORE, "\n")))
    .join("");
}

function coloured(sql) {
  const parts = [];
  let end = 0;
  for (const match of sql.matchAll(TOKEN)) {
    const [text, string, , number, word] = match;
    const kind = string ? "string" : number ? "figure" : word && WORDS.has(word.toUpperCase()) ? "word" : null;
    if (!kind) continue;
    parts.push(sql.slice(end, match.index), h("span", { class: `sql-${kind}` }, text));
    end = match.index + text.length;
  }
  parts.push(sql.slice(end));
  return parts;
}

