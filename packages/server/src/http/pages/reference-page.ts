import { createHash } from "node:crypto";
import { VERIFY_EXAMPLE } from "@frontdesk/core/contract/verify-example";
import { html, type Markup } from "./page.ts";
import {
  type ErrorEntry,
  type EventEntry,
  type Field,
  type OperationEntry,
  type Reference,
  referenceContents,
} from "./reference-contents.ts";

/**
 * The reference as one page of HTML: every operation, event and error with examples. It runs and loads nothing, and reads
 * equally well on a phone and on paper.
 *
 * @param options.serverUrl the base address of the API, `/api/v1` included
 */
export function referencePage(options: { serverUrl: string; version: string }): string {
  const reference = referenceContents(options);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="Every operation and event of the Frontdesk API, with examples.">
<title>Frontdesk API reference</title>
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<div class="page">
${contents(reference)}
<main id="content">
${introduction(reference)}
${reference.groups.map(group)}
${eventsSection(reference)}
</main>
</div>
</body>
</html>
`.text;
}

/** What the browser may do with the page: apply this one style sheet, and nothing else. */
export function referencePolicy(): string {
  const hash = createHash("sha256").update(STYLE.text).digest("base64");
  return `default-src 'none'; style-src 'sha256-${hash}'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`;
}

function contents({ version, groups, events }: Reference): Markup {
  return html`<nav aria-label="Contents">
<p class="mark"><a href="#content">Frontdesk API</a> <span class="quiet">${version}</span></p>
<ul class="sections">
<li><a href="#start">Introduction</a>
<ul><li><a href="#requests">Requests and responses</a></li><li><a href="#limits">Limits and retries</a></li><li><a href="#errors">Errors</a></li></ul></li>
${groups.map(
  ({ name, operations }) => html`<li><a href="#${name}">${name}</a>
<ul>${operations.map(({ id, summary }) => html`<li><a href="#${id}">${summary}</a></li>`)}</ul></li>
`,
)}<li><a href="#Events">Events</a>
<ul>${events.map(({ name }) => html`<li><a href="#${name}"><code>${name}</code></a></li>`)}</ul></li>
</ul>
</nav>`;
}

function introduction({ introduction, serverUrl, groups, errors, answerHeaders }: Reference): Markup {
  const first = groups.flatMap(({ operations }) => operations).find(({ id }) => id === "sendVisitorMessage");
  return html`<section id="start">
<h1>Frontdesk API</h1>
<div class="columns"><div>
${prose(introduction)}
<dl class="facts">
<dt>Base URL</dt><dd><code>${serverUrl}</code></dd>
<dt>Authentication</dt><dd>An API key in the <code>X-API-KEY</code> header. Keep it on your server.</dd>
<dt>OpenAPI</dt><dd><a href="${serverUrl}/openapi.json">openapi.json</a>, an OpenAPI 3.1 document</dd>
</dl>
</div><div class="examples">${first && example("A first message", shell(first.request))}</div></div>
</section>
<section id="requests">
<h2>Requests and responses ${anchor("requests")}</h2>
<p>Bodies are JSON in UTF-8, sent as <code>application/json</code> and at most 1 MiB. Times are ISO 8601 in UTC. A single object is returned as <code>data</code> with <code>type</code>, <code>id</code> and <code>attributes</code>. A list is an array of these, with <code>meta.pagination</code> and <code>links</code>.</p>
<p>Lists accept <code>page</code>, starting at 1, and <code>limit</code>. A limit above the maximum is a validation error. A page beyond the last one is empty. If a list accepts <code>include_fields</code> and <code>exclude_fields</code>, separate the names with commas. If you send both, only <code>include_fields</code> applies.</p>
</section>
<section id="limits">
<h2>Limits and retries ${anchor("limits")}</h2>
<p>Each key has a limit over a sliding window of one minute. Every response to a valid key reports the remaining requests. If an operation accepts <code>Idempotency-Key</code>, send one to make retries safe: a repeated request gets the first response, marked <code>Idempotent-Replayed: true</code>, and nothing is done twice.</p>
${fieldTable("Response headers", answerHeaders, "answer")}
</section>
<section id="errors">
<h2>Errors ${anchor("errors")}</h2>
<p>Every error has a body with a human-readable <code>message</code>. Validation errors also have <code>errors</code>, with the problems of each field. A nested field is named by its path, such as <code>message.urls.0</code>.</p>
${errorTable(errors)}
</section>`;
}

function group({ name, description, operations }: Reference["groups"][number]): Markup {
  return html`<section id="${name}">
<h2>${name} ${anchor(name)}</h2>
${prose(description)}
${operations.map(operationArticle)}
</section>
`;
}

function operationArticle(operation: OperationEntry): Markup {
  const { id, method, path, summary, description, access, answer, errors } = operation;
  const query = [...operation.pathFields, ...operation.queryFields];
  return html`<article id="${id}">
<h3>${summary} ${anchor(id)}</h3>
<p class="address"><span class="method ${method}">${method}</span> <code>${path}</code></p>
<div class="columns"><div>
${prose(description)}
<p class="quiet">${inline(access)}</p>
${fieldTable("Parameters", query, "request")}
${fieldTable("Headers", operation.headerFields, "request")}
${fieldTable("Body", operation.bodyFields, "request")}
${answer.fields.length > 0 ? html`<details><summary>Response fields</summary>${fieldTable("Response", answer.fields, "answer")}</details>` : undefined}
<p class="quiet">Can also return ${statusLinks(errors)}.</p>
</div><div class="examples">
${example("Request", shell(operation.request))}
${example(`Response ${answer.status}`, typeof answer.example === "string" ? html`${answer.example}` : json(answer.example))}
</div></div>
</article>
`;
}

function statusLinks(errors: readonly ErrorEntry[]): Markup[] {
  return errors.map(
    ({ status }, index) => html`${index === 0 ? "" : ", "}<a href="#error-${status}"><code>${status}</code></a>`,
  );
}

function errorTable(errors: readonly ErrorEntry[]): Markup {
  return html`<table>
<thead><tr><th scope="col">Status</th><th scope="col">Meaning and example</th></tr></thead>
<tbody>${errors.map(
    ({ status, description, example }) => html`<tr id="error-${status}"><th scope="row"><code>${status}</code></th>
<td>${inline(description)}<br><code class="example">${JSON.stringify(example)}</code></td></tr>
`,
  )}</tbody>
</table>
`;
}

function eventsSection({ events, deliveryHeaders }: Reference): Markup {
  return html`<section id="Events">
<h2>Events ${anchor("Events")}</h2>
<div class="columns"><div>
<p>A subscription lists the events it wants. Each event is sent to its endpoint as a <code>POST</code> with a JSON body, signed with the subscription's secret.</p>
<ul>
<li>Any 2xx response within 4 seconds acknowledges the event. Redirects are not followed.</li>
<li>Network failures, 5xx, and 408, 425 or 429 are retried after 1, 5 and 15 minutes, with 4 attempts in total.</li>
<li><code>id</code> and <code>occurred_at</code> stay the same on every attempt. Process each <code>id</code> only once.</li>
<li>Private, loopback and link-local addresses are never called.</li>
</ul>

${fieldTable("Delivery headers", deliveryHeaders, "answer")}
</div><div class="examples">${example("Verify the signature (Node.js)", html`${VERIFY_EXAMPLE}`)}</div></div>
${events.map(eventArticle)}
</section>`;
}

function eventArticle({ name, label, description, access, fields, example: payload }: EventEntry): Markup {
  return html`<article id="${name}">
<h3>${label} ${anchor(name)}</h3>
<p class="address"><span class="method EVENT">Event</span> <code>${name}</code></p>
<div class="columns"><div>
${prose(description)}
<p class="quiet">${inline(access)}</p>
${fieldTable("Payload", fields, "answer")}
</div><div class="examples">
${example("Payload", json(payload))}
</div></div>
</article>
`;
}

/** A field of a request is marked when it is required, one of an answer when it may be missing. */
function fieldTable(caption: string, fields: readonly Field[], place: "request" | "answer"): Markup | undefined {
  if (fields.length === 0) return undefined;
  return html`<table>
<caption>${caption}</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Type and meaning</th></tr></thead>
<tbody>${fields.map((field) => fieldRow(field, place))}</tbody>
</table>
`;
}

function fieldRow({ path, type, required, bounds, description }: Field, place: "request" | "answer"): Markup {
  const [, outer = "", name = path] = /^(.*\.)?([^.]+)$/.exec(path) ?? [];
  const mark =
    place === "request" && required
      ? html` <span class="required">required</span>`
      : place === "answer" && !required
        ? html` <span class="optional">optional</span>`
        : undefined;
  return html`<tr><th scope="row"><code>${outer ? html`<span class="outer">${outer}</span>` : undefined}${name}</code>${mark}</th>
<td><span class="type">${type}</span>${bounds.length > 0 ? html`<span class="bounds">, ${inline(bounds.join(", "))}</span>` : undefined}${
    description ? html`<br>${inline(description)}` : undefined
  }</td></tr>
`;
}

function example(caption: string, code: Markup): Markup {
  return html`<figure><figcaption>${caption}</figcaption><pre><code>${code}</code></pre></figure>
`;
}

function anchor(id: string): Markup {
  return html`<a class="anchor" href="#${id}" aria-label="Link to here">#</a>`;
}

function prose(text: string): Markup[] {
  return text.split("\n\n").map(
    (paragraph) => html`<p>${inline(paragraph)}</p>
`,
  );
}

/** Every second piece between backticks is code. */
function inline(text: string): (Markup | string)[] {
  return text.split("`").map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : piece));
}

/** A command, with its JSON body in colour. */
function shell(command: string): Markup {
  const body = command.indexOf("-d '{");
  if (body < 0) return html`${command}`;
  return html`${command.slice(0, body + 4)}${colored(command.slice(body + 4, -1))}'`;
}

function json(value: object): Markup {
  return html`${colored(JSON.stringify(value, null, 2))}`;
}

/** JSON text with its names and values marked for the style sheet. */
function colored(text: string): (Markup | string)[] {
  const parts: (Markup | string)[] = [];
  let end = 0;
  for (const { index, 0: token, 1: colon } of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|\b(?:true|false|null|\d+)\b/g)) {
    parts.push(text.slice(end, index));
    if (colon) parts.push(html`<span class="key">${token.slice(0, -colon.length)}</span>`, colon);
    else parts.push(html`<span class="${token.startsWith('"') ? "text" : "value"}">${token}</span>`);
    end = index + token.length;
  }
  return [...parts, text.slice(end)];
}

/** Included in the page unchanged, so that its hash fits. */
const STYLE = html`
:root {
  --ground: #fff; --side: #f6f7f9; --ink: #1b1f27; --quiet: #596072; --line: #dfe2e8; --accent: #2451c7;
  --code: #eef0f4; --panel: #171b22; --panel-ink: #e6e9ef; --panel-quiet: #a5adbd;
  --key: #9cc2ff; --text: #a9dc9b; --value: #ffc48a;
  --get: #1d4ed8; --post: #047857; --put: #92400e; --delete: #b42318; --event: #6d28d9; --on-method: #fff;
  --note: #fff7e0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #13161b; --side: #181c22; --ink: #e9ebf0; --quiet: #a5adbd; --line: #2f3540; --accent: #8fb0ff;
    --code: #242932; --panel: #0c0e12; --get: #8fb0ff; --post: #6fd6a8; --put: #f0b35e; --delete: #ff9d94;
    --event: #c4a7ff; --on-method: #10131a; --note: #2d2716;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; }
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: .2rem; }
.skip { position: absolute; left: -100rem; padding: .75rem 1rem; background: var(--ground); }
.skip:focus { left: 1rem; top: 1rem; z-index: 1; }
code { font: .875em/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
p code, li code, td code, dd code { padding: .1em .3em; background: var(--code); border-radius: .3em; }
.quiet { color: var(--quiet); }
.mark { margin: 0 0 1rem; font-weight: 700; }
.mark a { text-decoration: none; }
.mark .quiet { font-weight: 400; font-size: .85rem; }
nav { padding: 1rem 1.25rem; background: var(--side); border-bottom: 1px solid var(--line); }
nav ul { margin: 0; padding: 0; list-style: none; }
nav a { color: inherit; text-decoration: none; }
nav a:hover { color: var(--accent); text-decoration: underline; }
.sections { display: flex; flex-wrap: wrap; gap: .5rem; }
.sections > li > a { display: block; padding: .35rem .8rem; border: 1px solid var(--line); border-radius: 2rem; }
.sections ul { display: none; }
main { max-width: 82rem; padding: 1.25rem; }
section { margin-bottom: 3.5rem; }
h1, h2, h3 { line-height: 1.25; overflow-wrap: anywhere; }
h1 { margin: .5rem 0 1rem; font-size: 2rem; }
h2 { margin: 0 0 .75rem; font-size: 1.5rem; }
h3 { margin: 0 0 .5rem; font-size: 1.2rem; }
p, ul { margin: 0 0 .9rem; max-width: 44rem; }
main ul { padding-left: 1.25rem; }
article { padding: 2rem 0 1rem; border-top: 1px solid var(--line); }
.anchor { padding: 0 .25rem; color: var(--quiet); font-weight: 400; text-decoration: none; }
.anchor:hover, .anchor:focus { color: var(--accent); }
.address { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; }
.address code { padding: 0; background: none; font-size: 1rem; }
.method { padding: .1rem .55rem; border-radius: .35rem; color: var(--on-method); font-size: .75rem; font-weight: 700; letter-spacing: .03em; }
.GET { background: var(--get); }
.POST { background: var(--post); }
.PUT, .PATCH { background: var(--put); }
.DELETE { background: var(--delete); }
.EVENT { background: var(--event); }
.columns { display: grid; gap: 1rem 2.5rem; grid-template-columns: minmax(0, 1fr); align-items: start; }
table { width: 100%; margin: 0 0 1.25rem; border-collapse: collapse; font-size: .925rem; }
caption { padding: .5rem 0 .25rem; font-weight: 600; text-align: left; }
thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
th, td { padding: .55rem 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400; }
tbody th { width: 38%; padding-right: 1rem; }
tr:target th, tr:target td { background: var(--note); }
.outer, .type, .bounds { color: var(--quiet); }
.required { color: var(--delete); font-size: .8rem; white-space: nowrap; }
.optional { color: var(--quiet); font-size: .8rem; white-space: nowrap; }
code.example { padding: 0; background: none; color: var(--quiet); }
.facts { margin: 0 0 1rem; }
.facts dt { font-weight: 600; }
.facts dd { margin: 0 0 .6rem; overflow-wrap: anywhere; }
.note { padding: .75rem 1rem; background: var(--note); border-radius: .5rem; }
details { margin: 0 0 1rem; }
summary { padding: .35rem 0; color: var(--accent); cursor: pointer; }
figure { margin: 0 0 1rem; overflow: hidden; background: var(--panel); border-radius: .75rem; }
figcaption { padding: .6rem 1rem; color: var(--panel-quiet); font-size: .8rem; border-bottom: 1px solid #2f3540; }
pre { margin: 0; padding: .9rem 1rem; color: var(--panel-ink); font: .8rem/1.6 ui-monospace, monospace; white-space: pre-wrap; }
pre code { font: inherit; }
.key { color: var(--key); }
.text { color: var(--text); }
.value { color: var(--value); }
@media (min-width: 62rem) {
  .page { display: grid; grid-template-columns: 17.5rem minmax(0, 1fr); }
  nav { position: sticky; top: 0; height: 100vh; padding: 1.5rem 1.25rem; overflow-y: auto; border: 0; border-right: 1px solid var(--line); }
  .sections { display: block; font-size: .9rem; }
  .sections > li > a { padding: .3rem 0; border: 0; font-weight: 600; }
  .sections ul { display: block; margin: 0 0 1rem; }
  .sections ul a { display: block; padding: .2rem 0 .2rem .75rem; border-left: 2px solid var(--line); color: var(--quiet); overflow-wrap: anywhere; }
  main { padding: 2rem 3rem; }
}
@media (min-width: 76rem) {
  .columns { grid-template-columns: minmax(0, 1.1fr) minmax(0, 1fr); }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@media print {
  :root { --panel: #fff; --panel-ink: #000; --panel-quiet: #444; --key: #000; --text: #000; --value: #000; }
  nav, .skip, .anchor { display: none; }
  body { font-size: 10pt; }
  figure { border: 1px solid #999; }
  article, figure, tr { break-inside: avoid-page; }
  details::details-content { content-visibility: visible; height: auto; }
}
`;
