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
  page: { title: string; text: string },
): FastifyReply {
  return reply
    .code(status)
    .headers({
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": POLICY,
      "Cache-Control": "no-store",
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
      "X-Frame-Options": "DENY",
      "Cross-Origin-Opener-Policy": "same-origin",
    })
    .send(layout(lang, page).text);
}

function layout(lang: string, { title, text }: { title: string; text: string }): Markup {
  return html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title} – Frontdesk</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<main>
<p class="mark">Frontdesk</p>
<h1>${title}</h1>
<p>${text}</p>
</main>
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
:root { --ground: #f4f5f7; --card: #fff; --ink: #1b1f27; --accent: #2451c7; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #13161b; --card: #1c2027; --ink: #e9ebf0; --accent: #8fb0ff; }
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
`;

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");
