// A button that puts a text on the clipboard, and says so.

import { announce, h, icon, ICONS } from "./dom.js";

const SHOWN = 2000;

// `textOf` gives the text when the button is pressed.
export function copyButton(words, textOf) {
  const said = h("span", {}, words);
  const press = async () => {
    await copy(textOf());
    said.textContent = "Copied";
    announce("Copied");
    setTimeout(() => (said.textContent = words), SHOWN);
  };
  return h("button", { type: "button", class: "link", onclick: press }, icon(ICONS.copy, 14), said);
}

async function copy(text) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  // Without HTTPS a browser gives no clipboard to a page that is not local.
  const area = h("textarea", { class: "sr-only" });
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}
