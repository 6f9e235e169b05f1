import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import type { HtmlDocument, HtmlNode } from "./html-node.ts";
import { toMarkdown } from "./to-markdown.ts";

const LINKS_MAX = 2_000;
/** Readability gives up beyond; the thread's memory and time bound the rest. */
const ELEMENTS_MAX = 50_000;

/** What is no text of the page, or stands around it on every page, or is hidden from its readers. */
const NO_TEXT = [
  "title, meta, link, script, style, noscript, template, iframe",
  "nav, footer, [role=navigation], [role=contentinfo], dialog",
  "[hidden], [aria-hidden=true], [style*='display:none'], [style*='display: none'], [style*='visibility:hidden']",
].join(", ");

/** What is read of a page of a site. */
export interface PageText {
  title: string;
  /** "" for a page without a text, and for one that asks not to be found. */
  markdown: string;
  /** Absolute, as written, in their order; none where the page asks not to be followed. */
  links: string[];
}

/** @param address of the page: its links are made absolute by it */
export function readPage(html: string, address: string): PageText {
  const { document } = parseHTML(framed(html)) as unknown as { document: HtmlDocument };
  const wishes = wishesOf(document);
  const links = absoluteLinks(document, address);
  const heading = document.querySelector("h1")?.textContent?.trim();
  const titled = document.querySelector("title")?.textContent?.trim();
  const page = {
    title: heading || titled || new URL(address).pathname,
    links: wishes.includes("nofollow") || wishes.includes("none") ? [] : links,
  };
  if (wishes.includes("noindex") || wishes.includes("none")) return { ...page, markdown: "" };
  for (const part of document.querySelectorAll(NO_TEXT)) part.remove();
  // Readability changes what it reads.
  const whole = toMarkdown((document.cloneNode(true) as HtmlDocument).body);
  const read = new Readability<HtmlNode>(document as never, {
    maxElemsToParse: ELEMENTS_MAX,
    charThreshold: 100,
    disableJSONLD: true,
    serializer: (node) => node as unknown as HtmlNode,
  }).parse();
  // A page of a few words has no main part that could be found.
  const markdown = (read?.content && toMarkdown(read.content)) || whole;
  return { ...page, markdown: withoutTitle(markdown, page.title) };
}

/** The title is the question of the article, and is not said again. */
function withoutTitle(markdown: string, title: string): string {
  const [first = "", ...rest] = markdown.split("\n");
  return first.replace(/^#{1,2}\s+/, "") === title ? rest.join("\n").trim() : markdown;
}

const FRAME = /<!doctype[^>]{0,500}>|<\/?(?:html|head|body)(?:\s[^>]{0,2000})?>/gi;

/** linkedom makes no elements that are left out, as browsers do; with all of it in one body every page has the same form. */
const framed = (html: string): string =>
  `<!doctype html><html><head></head><body>${html.replaceAll(FRAME, "")}</body></html>`;

/** What `<meta name="robots">` says. */
function wishesOf(document: HtmlDocument): string[] {
  return [...document.querySelectorAll("meta[name]")]
    .filter((meta) => /^(?:robots|frontdesk)$/i.test(meta.getAttribute("name") ?? ""))
    .flatMap((meta) => (meta.getAttribute("content") ?? "").toLowerCase().split(/[\s,]+/));
}

/** Makes the links of the document absolute, in place. */
function absoluteLinks(document: HtmlDocument, address: string): string[] {
  const base = URL.parse(document.querySelector("base[href]")?.getAttribute("href") ?? "", address)?.href ?? address;
  const found = new Set<string>();
  for (const anchor of document.querySelectorAll("a[href]")) {
    const url = URL.parse(anchor.getAttribute("href") ?? "", base);
    if (url && /^https?:$/.test(url.protocol)) {
      anchor.setAttribute("href", url.href);
      if (found.size < LINKS_MAX && !/\bnofollow\b/i.test(anchor.getAttribute("rel") ?? "")) found.add(url.href);
    }
  }
  return [...found];
}
