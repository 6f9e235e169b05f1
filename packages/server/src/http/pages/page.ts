import { createHash } from "node:crypto";
import type { FastifyReply } from "fastify";

/** Markup that is safe to send. Only the `html` tag makes it: a plain text that looks like markup is escaped. */
class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type { Markup };

type Part = Markup | string | number | undefined | readonly Part[];

/** `html\`<p>${name}</p>\``: every value is escaped, except markup made by `html` itself. Undefined is nothing. */
export function html(strings: TemplateStringsArray, ...values: Part[]): Markup {
  return new Markup(String.raw({ raw: strings }, ...values.map(rendered)));
}

/** Text of our own files that is markup, style or JSON already. Never for a user's text. */
export function ownFile(text: string): Markup {
  return new Markup(text);
}

/**
 * Sends a page of a heading and one paragraph: it runs no script, cannot be framed, is not cached, and sends its address to no
 * other site.
 */
export function sendPlainPage(
  reply: FastifyReply,
  status: number,
  lang: string,
  { title, text }: { title: string; text: string },
): FastifyReply {
  return sendPage(reply, status, lang, { title, mark: "Frontdesk", body: html`<p>${text}</p>` });
}

/** The same of a page with more than a paragraph; a form of it is sent to its own address. */
export function sendPage(
  reply: FastifyReply,
  status: number,
  lang: string,
  page: { title: string; mark: string; body: Markup },
): FastifyReply {
  return reply
    .code(status)
    .headers({
      ...plainHeaders("frame-ancestors 'none'", "form-action 'self'"),
      "X-Frame-Options": "DENY",
      "Cross-Origin-Opener-Policy": "same-origin",
    })
    .send(layout(lang, page).text);
}

/**
 * The same for the frame of a chat that does not exist, on whatever page: it tells the loader around it, which takes the chat off
 * the page.
 */
export function sendGonePage(
  reply: FastifyReply,
  lang: string,
  { title, text }: { title: string; text: string },
): FastifyReply {
  return reply
    .code(404)
    .headers(plainHeaders("frame-ancestors *", "form-action 'none'", `script-src '${GONE_HASH}'`))
    .send(layout(lang, { title, mark: "Frontdesk", body: html`<p>${text}</p>` }, GONE_SCRIPT).text);
}

/** A `ToPage` of the widget: nothing in it is secret. */
const GONE_SCRIPT = 'parent.postMessage({frontdesk:{type:"gone"}},"*")';

function layout(
  lang: string,
  { title, mark, body }: { title: string; mark: string; body: Markup },
  script?: string,
): Markup {
  return html`<!doctype html>
<html lang="${lang}"${lang === "ar" ? html` dir="rtl"` : undefined}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title} – ${mark}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<main>
<p class="mark">${mark}</p>
<h1>${title}</h1>
${body}
</main>
${script === undefined ? undefined : new Markup(`<script>${script}</script>`)}
</body>
</html>
`;
}

function rendered(value: Part): string {
  if (value === undefined) return "";
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(rendered).join("");
  return String(value).replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}

const STYLE = `
:root { --ground: #f4f5f7; --card: #fff; --ink: #1b1f27; --accent: #2451c7; --on-accent: #fff; --danger: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #13161b; --card: #1c2027; --ink: #e9ebf0; --accent: #8fb0ff; --on-accent: #13161b; --danger: #ff9b94; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; }
main {
  max-width: 34rem; margin: clamp(1rem, 8vh, 5rem) auto; padding: clamp(1.25rem, 5vw, 2.5rem);
  background: var(--card); border-radius: 1rem;
}
.mark { margin: 0 0 1.5rem; color: var(--accent); font-weight: 700; }
h1 { margin: 0 0 .5rem; font-size: 1.6rem; line-height: 1.25; overflow-wrap: anywhere; }
p { margin: 0; overflow-wrap: anywhere; }
form, .files { margin: 1.25rem 0 0; padding: 0; list-style: none; }
label { display: block; margin: 0 0 .25rem; font-weight: 600; }
input { width: 100%; padding: .6rem .75rem; border: 1px solid var(--ink); border-radius: .5rem; background: var(--card); color: var(--ink); font: inherit; }
.wrong { margin: .25rem 0 0; color: var(--danger); }
.action {
  display: inline-block; margin: 1rem 0 0; padding: .6rem 1.25rem; border: 0; border-radius: .5rem;
  background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; text-decoration: none; cursor: pointer;
}
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`;

const hashOf = (text: string): string => `sha256-${createHash("sha256").update(text).digest("base64")}`;
const STYLE_HASH = hashOf(STYLE);
const GONE_HASH = hashOf(GONE_SCRIPT);

function plainHeaders(...more: string[]) {
  const policy = ["default-src 'none'", `style-src '${STYLE_HASH}'`, "base-uri 'none'", ...more];
  return {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policy.join("; "),
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
  };
}
