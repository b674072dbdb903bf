// How cells, sizes and times read.

const LOCALE = "en-US";
const CURRENCY = /^[A-Z]{3}$/;
const NUMERIC = /^-?\d+(\.\d+)?$/;

// A measure that a double cannot hold exactly comes as text; it is a number all the same.
export function numberOf(cell) {
  if (typeof cell === "number") return cell;
  if (typeof cell === "string" && NUMERIC.test(cell)) return Number(cell);
  return null;
}

export function isNumeric(column, cells) {
  const present = cells.filter((cell) => cell !== null);
  if (!present.length) return column.kind === "measure";
  if (column.kind === "measure") return present.every((cell) => numberOf(cell) !== null);
  return present.every((cell) => typeof cell === "number");
}

// Gives the writer of one column: all its figures have the same number of decimals.
export function formatterOf(column, cells) {
  const figures = cells.map(numberOf).filter((figure) => figure !== null);
  if (column.kind !== "measure" || !figures.length) return plain;
  if (column.unit === "share") return shares();
  const decimals = CURRENCY.test(column.unit) ? money(figures) : decimalsOf(figures);
  const format = new Intl.NumberFormat(LOCALE, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return (cell) => {
    if (typeof cell === "string" && !Number.isSafeInteger(Number(cell))) return plain(cell);
    const figure = numberOf(cell);
    return figure === null ? plain(cell) : rounded(figure, format, 10 ** -decimals);
  };
}

export function unitOf(column) {
  return column.unit === "share" ? "" : column.unit;
}

export function plain(cell) {
  if (cell === null || cell === undefined) return "–";
  if (cell === true) return "yes";
  if (cell === false) return "no";
  const text = String(cell);
  const moment = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(\.\d+)?(Z|[+-]\d{2}:\d{2})?$/.exec(text);
  if (!moment) return text;
  return moment[2] === "00:00:00" ? moment[1] : `${moment[1]} ${moment[2]}`;
}

export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString(LOCALE)} ${number === 1 ? one : many}`;
}

export function seconds(value) {
  if (value < 0.1) return `${Math.max(1, Math.round(value * 1000))} ms`;
  return value < 10 ? `${value.toFixed(1)} s` : `${Math.round(value)} s`;
}

export function bytes(value) {
  const units = ["B", "KB", "MB", "GB", "TB", "PB"];
  let at = 0;
  let size = value;
  while (size >= 1000 && at < units.length - 1) {
    size /= 1000;
    at += 1;
  }
  return `${size < 10 && at ? size.toFixed(1) : Math.round(size)} ${units[at]}`;
}

export function usd(value) {
  if (!value) return "no model cost";
  return value < 0.01 ? `$${value.toFixed(4)}` : `$${value.toFixed(2)}`;
}

export function about(value) {
  return new Intl.NumberFormat(LOCALE, { notation: "compact", maximumFractionDigits: 1 }).format(value);
}

export function clock(moment) {
  return new Date(moment).toLocaleTimeString(LOCALE, { hour: "2-digit", minute: "2-digit", hour12: false });
}

function shares() {
  const format = new Intl.NumberFormat(LOCALE, {
    style: "percent",
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  return (cell) => (numberOf(cell) === null ? plain(cell) : rounded(numberOf(cell), format, 0.001));
}

// Nothing that is not zero is shown as zero: 4e-44 reads < 0.000001.
function rounded(figure, format, least) {
  const text = format.format(figure);
  if (!figure || /[1-9]/.test(text)) return text;
  return figure > 0 ? `< ${format.format(least)}` : `> ${format.format(-least)}`;
}

function money(figures) {
  return figures.some((figure) => !Number.isInteger(figure)) ? 2 : 0;
}

function decimalsOf(figures) {
  if (figures.every(Number.isInteger)) return 0;
  const largest = Math.max(...figures.map(Math.abs));
  if (largest >= 1) return 2;
  return largest >= 0.01 ? 4 : 6;
}
