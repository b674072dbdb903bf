// How cells, sizes and times read.

const LOCALE = "en-US";
const NUMERIC = /^-?\d+(\.\d+)?$/;
const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(?:\.\d+)?(Z|[+-]\d\d:\d\d)?)?$/;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const SCALES = { share: 100, percent: 1 };
const NO_VALUE = "–";

// A measure that a double cannot hold exactly comes as text; it is a number all the same.
export function numberOf(cell) {
  if (typeof cell === "number") return cell;
  if (typeof cell === "string" && NUMERIC.test(cell)) return Number(cell);
  return null;
}

// Years are names: they stand to the left.
export function isNumeric(column, cells) {
  const present = cells.filter((cell) => cell !== null);
  if (column.kind === "time") return false;
  if (!present.length) return column.kind === "measure";
  if (column.kind === "measure") return present.every((cell) => numberOf(cell) !== null);
  return present.every((cell) => typeof cell === "number");
}

// Writes a cell as the core does (core/domain/writing.py), by what it decided for the column.
export function written(cell, column) {
  const { decimals = null, exponent = false, grain = null } = column.writing ?? {};
  if (cell === null || cell === undefined) return NO_VALUE;
  if (cell === true) return "yes";
  if (cell === false) return "no";
  if (decimals === null || numberOf(cell) === null) return dated(String(cell), grain);
  const scale = SCALES[column.unit];
  const sign = scale ? "%" : "";
  if (typeof cell === "string" && scale !== 100) return grouped(cell) + sign;
  if (exponent && cell) return cell.toExponential(2);
  return rounded(Number(cell), decimals, scale ?? 1) + sign;
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

export function cost(usage) {
  if (!usage.unpriced) return usd(usage.usd);
  return usage.usd ? `at least ${usd(usage.usd)}` : "model cost not known";
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

// What is exact in every digit stays so.
function grouped(digits) {
  const [whole, part] = digits.split(".");
  const apart = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return part === undefined ? apart : `${apart}.${part}`;
}

// Nothing that is not zero is shown as zero: 4e-44 reads < 0.000001.
function rounded(figure, decimals, scale) {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  // As per cent the browser itself multiplies, in decimals and not in doubles.
  const style = scale === 100 ? "percent" : "decimal";
  const format = new Intl.NumberFormat(LOCALE, { ...digits, style });
  const text = format.format(figure || 0).replace("%", "");
  if (!figure || /[1-9]/.test(text)) return text;
  const least = (10 ** -decimals).toFixed(decimals);
  return figure > 0 ? `< ${least}` : `> -${least}`;
}

function dated(text, grain) {
  const found = DATE.exec(text);
  if (!found) return text.trim().replace(/\s+/g, " ");
  const [, year, month, day, minute, second = "", zone = ""] = found;
  if (grain === "year") return year;
  if (grain === "quarter") return `Q${Math.ceil(month / 3)} ${year}`;
  if (grain === "month") return `${MONTHS[month - 1]} ${year}`;
  if (grain === "day" || !minute) return `${year}-${month}-${day}`;
  const shown = zone === "Z" || zone === "+00:00" ? "" : zone;
  return `${year}-${month}-${day} ${minute}${grain === "minute" ? "" : second}${shown}`;
}
