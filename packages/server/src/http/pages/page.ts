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
 * Sends one of our pages: it runs no script, cannot be framed, is not cached, and sends its address to no other site.
 *
 * @param page.hasForm its form sends its origin, and no address: with `no-referrer` browsers send `Origin: null`, which over
 *   plain http is the only thing that distinguishes our form from another site's
 */
export function sendPage(
  reply: FastifyReply,
  status: number,
  page: { lang: string; title: string; main: Markup; hasForm?: true },
): FastifyReply {
  return reply
    .code(status)
    .headers({
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": POLICY,
      "Cache-Control": "no-store",
      "Referrer-Policy": page.hasForm ? "strict-origin" : "no-referrer",
      "X-Content-Type-Options": "nosniff",
      "X-Frame-Options": "DENY",
      "Cross-Origin-Opener-Policy": "same-origin",
    })
    .send(layout(page).text);
}

/** A page of a heading and one paragraph. */
export function sendPlainPage(
  reply: FastifyReply,
  status: number,
  lang: string,
  { title, text }: { title: string; text: string },
): FastifyReply {
  return sendPage(reply, status, { lang, title, main: html`<h1>${title}</h1><p>${text}</p>` });
}

function layout({ lang, title, main }: { lang: string; title: string; main: Markup }): Markup {
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
${main}
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
:root {
  --ground: #f4f5f7; --card: #fff; --ink: #1b1f27; --quiet: #596072; --line: #868d9e;
  --accent: #2451c7; --on-accent: #fff; --wrong: #b3241b; --code: #eef0f4;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #13161b; --card: #1c2027; --ink: #e9ebf0; --quiet: #a5adbd; --line: #6f7789;
    --accent: #8fb0ff; --on-accent: #10131a; --wrong: #ff9d94; --code: #272c35;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; }
main {
  max-width: 34rem; margin: clamp(1rem, 8vh, 5rem) auto; padding: clamp(1.25rem, 5vw, 2.5rem);
  background: var(--card); border-radius: 1rem;
}
.mark { margin: 0 0 1.5rem; color: var(--accent); font-weight: 700; }
h1 { margin: 0 0 .5rem; font-size: 1.6rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 2rem 0 .5rem; font-size: 1.2rem; }
p { margin: 0 0 1rem; overflow-wrap: anywhere; }
.field { margin: 1.25rem 0; }
label, dt { display: block; font-weight: 600; }
.hint { margin: 0; color: var(--quiet); font-size: .9rem; }
.wrong { margin: 0; color: var(--wrong); font-size: .9rem; font-weight: 600; }
.summary { padding: .75rem 1rem; border: 2px solid var(--wrong); border-radius: .5rem; }
.summary p { margin: 0; font-weight: 600; }
.summary ul { margin: .25rem 0 0; padding-left: 1.25rem; }
input {
  width: 100%; margin-top: .35rem; padding: .6rem .75rem; font: inherit; color: inherit;
  background: var(--card); border: 1px solid var(--line); border-radius: .5rem;
}
input[aria-invalid] { border: 2px solid var(--wrong); }
button {
  width: 100%; padding: .75rem; font: inherit; font-weight: 600; cursor: pointer;
  color: var(--on-accent); background: var(--accent); border: 0; border-radius: .5rem;
}
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
dl { margin: 1.5rem 0; }
dd { margin: 0 0 1rem; }
code, pre { font: .875rem/1.5 ui-monospace, monospace; background: var(--code); border-radius: .4rem; user-select: all; }
code { padding: .15rem .35rem; overflow-wrap: anywhere; box-decoration-break: clone; }
pre { margin: 0; padding: .9rem; white-space: pre-wrap; overflow-wrap: anywhere; }
`;

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");
