import Turndown from "turndown";
import type { HtmlNode } from "./html-node.ts";

/**
 * HTML as Markdown: headings, lists, links, tables as lines. Without images, scripts, forms, and links that lead to anything but a web
 * page.
 */
export function toMarkdown(html: string | HtmlNode): string {
  const turndown = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" });
  turndown.remove(["script", "style", "noscript", "iframe", "form", "button", "template", "object", "canvas", "video"]);
  turndown.addRule("images", { filter: ["img", "picture", "svg" as "img"], replacement: () => "" });
  turndown.addRule("cells", { filter: ["td", "th"], replacement: (content) => `${content.trim()} | ` });
  turndown.addRule("rows", { filter: "tr", replacement: (content) => `${content.replace(/ \| $/, "").trim()}\n` });
  turndown.addRule("links", {
    filter: "a",
    replacement(content, node) {
      const target = (node as unknown as HtmlNode).getAttribute("href") ?? "";
      const text = content.replaceAll(/\s+/g, " ").trim();
      if (text === "" || !/^(?:https?:\/\/|mailto:|tel:)[^\s<>()]+$/i.test(target)) return text;
      return `[${text}](${target})`;
    },
  });
  return turndown
    .turndown(html as string)
    .replaceAll(/[ \t]+$/gm, "")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
