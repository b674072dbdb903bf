// The small part of Markdown that answers use: paragraphs, lists, **bold**, `code`.

import { h } from "./dom.js";

const BULLET = /^\s*[-*•]\s+(.*)$/;
const NUMBER = /^\s*\d+[.)]\s+(.*)$/;
const HEADING = /^#{1,6}\s+(.*)$/;

export function renderMarkdown(text) {
  const blocks = document.createDocumentFragment();
  let paragraph = [];
  let list = null;
  const closeParagraph = () => {
    if (paragraph.length) blocks.append(h("p", {}, paragraph));
    paragraph = [];
  };
  for (const line of text.split("\n")) {
    const kind = kindOf(line);
    if (kind.list !== list?.tagName.toLowerCase()) list = null;
    if (kind.list) {
      closeParagraph();
      if (!list) blocks.append((list = h(kind.list)));
      list.append(h("li", {}, inline(kind.text)));
    } else if (kind.heading) {
      closeParagraph();
      blocks.append(h("p", { class: "heading" }, inline(kind.text)));
    } else if (!kind.text.trim()) {
      closeParagraph();
    } else {
      if (paragraph.length) paragraph.push(h("br"));
      paragraph.push(...inline(kind.text));
    }
  }
  closeParagraph();
  return blocks;
}

function kindOf(line) {
  const bullet = BULLET.exec(line);
  if (bullet) return { list: "ul", text: bullet[1] };
  const numbered = NUMBER.exec(line);
  if (numbered) return { list: "ol", text: numbered[1] };
  const heading = HEADING.exec(line);
  if (heading) return { heading: true, text: heading[1] };
  return { text: line };
}

function inline(text) {
  return text
    .split(/(\*\*[^*]+\*\*|`[^`]+`)/)
    .filter((part) => part)
    .map((part) => {
      if (part.length > 4 && part.startsWith("**") && part.endsWith("**")) {
        return h("strong", {}, part.slice(2, -2));
      }
      if (part.length > 2 && part.startsWith("`") && part.endsWith("`")) {
        return h("code", {}, part.slice(1, -1));
      }
      return part;
    });
}
