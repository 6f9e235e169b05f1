import { convert, type FormatCallback, type HtmlToTextOptions } from "html-to-text";

/** Longer HTML is cut there: what follows is in the original. */
const INPUT_MAX = 2_000_000;
const DEPTH_MAX = 100;
const CHILDREN_MAX = 5_000;

/**
 * What lines of a known quote container begin with. A typed `> ` has another space; a blockquote that only formats gets nothing. So that
 * `trimQuotes` knows what is surely a quote without reading HTML on the event loop.
 */
export const QUOTED = ">\u00a0";
/** A line of its own, above a quote that has no container: all that follows is quoted. */
export const QUOTED_FROM_HERE = ">\u2007";
/** The class of the container around the history in our own mails. */
export const OWN_QUOTE_CLASS = "frontdesk-quote";

/** Of Outlook, whose web version puts `x_` before what it quotes. */
const CONTAINERS = [
  "blockquote[type=cite]",
  "blockquote.gmail_quote",
  "blockquote.protonmail_quote",
  ".moz-cite-prefix",
  ".gmail_attr",
  `.${OWN_QUOTE_CLASS}`,
  "#mail-editor-reference-message-container",
  "#ms-outlook-mobile-reference-message",
];
const WRAPPERS = ["div.gmail_quote", "div.yahoo_quoted", "div.protonmail_quote"];
const STARTS = ["#divRplyFwdMsg", "#x_divRplyFwdMsg", "#appendonsend", "#x_appendonsend"];

/** @throws of malformed input only by defects: runs in the worker. */
export function htmlToPlain(html: string): string {
  return convert(html, OPTIONS).replaceAll("\u200b", "").trim();
}

const prefixed =
  (prefix: string): FormatCallback =>
  (element, walk, builder) => {
    builder.openBlock({ leadingLineBreaks: 1 });
    walk(element.children, builder);
    builder.closeBlock({ trailingLineBreaks: 1, blockTransform: (text) => prefixLines(text, prefix) });
  };

function prefixLines(text: string, prefix: string): string {
  return text
    .split("\n")
    .map((line) => prefix + line)
    .join("\n");
}

/**
 * A wrapper holds the attribution and a blockquote, and what was typed between and below blockquotes: only what is before the first
 * one is quoted, and the blockquotes themselves. Without one, all of it.
 */
const wrapper: FormatCallback = (element, walk, builder) => {
  const first = element.children.findIndex((child) => child.name === "blockquote");
  const above = first === -1 ? element.children : element.children.slice(0, first);
  builder.openBlock({ leadingLineBreaks: 1 });
  walk(above, builder);
  builder.closeBlock({ trailingLineBreaks: 1, blockTransform: (text) => prefixLines(text, QUOTED) });
  if (first !== -1) walk(element.children.slice(first), builder);
};

/** Also where it is empty, as `appendonsend` is. */
const startOfQuote: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 1 });
  builder.addInline(QUOTED_FROM_HERE);
  builder.addLineBreak();
  walk(element.children, builder);
  builder.closeBlock({ trailingLineBreaks: 1 });
};

const OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxInputLength: INPUT_MAX, maxDepth: DEPTH_MAX, maxChildNodes: CHILDREN_MAX, ellipsis: "…" },
  formatters: { quoted: prefixed(QUOTED), plainQuote: prefixed(""), wrapper, startOfQuote },
  selectors: [
    { selector: "img", format: "skip" },
    { selector: "a", options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: "blockquote", format: "plainQuote" },
    ...WRAPPERS.map((selector) => ({ selector, format: "wrapper" })),
    ...WRAPPERS.map((selector) => ({ selector: `${selector} > blockquote`, format: "quoted" })),
    ...CONTAINERS.map((selector) => ({ selector, format: "quoted" })),
    ...STARTS.map((selector) => ({ selector, format: "startOfQuote" })),
  ],
};
