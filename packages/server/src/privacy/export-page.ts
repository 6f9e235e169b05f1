import type { ExportedContact, ExportedConversation, ExportedMessage } from "@frontdesk/core/contract/contact-export";
import { html, type Markup, ownFile } from "../http/pages/page.ts";
import { type ExportTexts, exportTexts } from "./export-texts.ts";
import type { ExportStart } from "./read-export.ts";

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;max-width:48em;margin:0 auto;padding:1.5em;color:#1c1917;background:#fff}
h1{font-size:1.5em}h2{font-size:1.2em;margin-top:2em}h3{font-size:1em;margin:1.5em 0 .5em}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2em 1.2em}dt{color:#57534e}dd{margin:0;overflow-wrap:anywhere}
section{border-top:1px solid #d6d3d1}article{margin:.8em 0;padding-inline-start:.8em;border-inline-start:3px solid #d6d3d1;overflow-wrap:anywhere}
article.contact{border-color:#0f766e}article.note{border-color:#b45309;background:#fffbeb}header,.email{color:#57534e;font-size:.87em}
p{margin:.2em 0;white-space:pre-wrap}li{overflow-wrap:anywhere}a{color:inherit}
@media screen and (prefers-color-scheme:dark){body{color:#e7e5e4;background:#1c1917}dt,header,.email{color:#a8a29e}section,article{border-color:#44403c}
article.contact{border-color:#2dd4bf}article.note{border-color:#f59e0b;background:#292524}}
@media print{body{padding:0;max-width:none}article{break-inside:avoid}}`;

/** The parts of `index.html`: it runs no script and loads nothing. */
export function exportPage({ about, language }: ExportStart) {
  const texts = exportTexts[language];
  const { contact } = about;
  const when = dateFormat(language, contact.timezone);
  const direction = language === "ar" ? "rtl" : "ltr";
  const head = html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${texts.title(about.team)}</title>
<style>${ownFile(STYLE)}</style>
</head>
<body>
<main>
<h1>${texts.title(about.team)}</h1>
<p>${texts.madeAt(when.format(new Date(about.exported_at)), when.resolvedOptions().timeZone)}</p>
${details(about, texts, when)}
<h2>${texts.conversations}</h2>
`;
  return {
    head: head.text,
    conversation: (each: ExportedConversation) => conversationHead(each, texts, when).text,
    message: (each: ExportedMessage) => messageMarkup(each, { texts, when, team: about.team }).text,
    endOfConversation: "</section>\n",
    noConversations: html`<p>${texts.none}</p>\n`.text,
    end: "</main>\n</body>\n</html>\n",
  };
}

/** Time zones that a browser names may be unknown to us. */
function dateFormat(language: string, timeZone: string | null): Intl.DateTimeFormat {
  const options = { dateStyle: "medium", timeStyle: "short" } as const;
  try {
    return new Intl.DateTimeFormat(language, { ...options, timeZone: timeZone ?? "UTC" });
  } catch {
    return new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" });
  }
}

function details({ contact }: ExportedContact, texts: ExportTexts, when: Intl.DateTimeFormat): Markup {
  const moment = (time: string) => when.format(new Date(time));
  const known: [string, string | null][] = [
    [texts.name, contact.name],
    [texts.email, contact.email],
    [texts.verifiedEmail, contact.verified_email],
    [texts.phone, contact.phone],
    [texts.accountId, contact.verified_id],
    [texts.location, [contact.location, contact.country].filter(Boolean).join(", ") || null],
    [texts.language, contact.language],
    [texts.timezone, contact.timezone],
    [texts.browser, [contact.browser, contact.operating_system].filter(Boolean).join(", ") || null],
    [texts.ip, contact.ip],
    [texts.firstSeen, moment(contact.created_at)],
    [texts.lastSeen, moment(contact.last_active_at)],
    ...contact.identities.map(({ kind, value }): [string, string] => [kind, value]),
    ...contact.suppressions.map(({ address, reason }): [string, string] => [
      texts.suppressed,
      `${address} – ${reason}`,
    ]),
    ...contact.custom_data.map(({ name, value }): [string, string] => [name, value]),
    ...Object.entries(contact.intake ?? {}).map(([name, value]): [string, string] => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  ];
  const rows = known.map(([name, value]) =>
    value === null ? undefined : html`<dt>${name}</dt><dd dir="auto">${value}</dd>\n`,
  );
  const visits = contact.page_visits.map(
    ({ page, visited_at }) => html`<li><span dir="ltr">${page}</span> · ${moment(visited_at)}</li>\n`,
  );
  return html`<dl>
${rows}</dl>
${visits.length > 0 ? html`<h2>${texts.pages}</h2>\n<ul>\n${visits}</ul>` : undefined}${unimported(contact, texts, moment)}`;
}

function unimported(
  { unimported_emails }: ExportedContact["contact"],
  texts: ExportTexts,
  moment: (time: string) => string,
): Markup | undefined {
  if (unimported_emails.length === 0) return undefined;
  const items = unimported_emails.map(({ received_at, file }) =>
    file === null
      ? html`<li>${moment(received_at)} · ${texts.original} (${texts.gone})</li>\n`
      : html`<li>${moment(received_at)} · <a href="${pathAsUrl(file)}">${texts.original}</a></li>\n`,
  );
  return html`<h2>${texts.unimported}</h2>\n<ul>\n${items}</ul>`;
}

function conversationHead(
  { created_at, widget, first_page_url, email_subject, tags = [], rating }: ExportedConversation,
  texts: ExportTexts,
  when: Intl.DateTimeFormat,
): Markup {
  const facts = [
    email_subject,
    widget,
    first_page_url,
    tags.length > 0 ? `${texts.tags}: ${tags.join(", ")}` : null,
    rating && `${texts.rating}: ${rating.rating}/5${rating.comment ? ` – ${rating.comment}` : ""}`,
  ].filter((fact) => fact !== null);
  return html`<section>
<h3>${when.format(new Date(created_at))}</h3>
${facts.map((fact) => html`<p dir="auto">${fact}</p>\n`)}`;
}

function messageMarkup(
  { type, from, name, by_ai, content, created_at, attachments, email, original }: ExportedMessage,
  { texts, when, team }: { texts: ExportTexts; when: Intl.DateTimeFormat; team: string },
): Markup {
  const address = email?.from?.address;
  const author = name ?? { contact: texts.you, team, other: address ?? texts.unknown }[from];
  const kind = type === "note" ? ` · ${texts.note}` : by_ai && ` · ${texts.ai}`;
  const files = attachments.map(({ name: fileName, file, url }) => {
    const shown = fileName ?? url ?? texts.file;
    if (file !== null) return html`<p><a href="${pathAsUrl(file)}" dir="auto">${shown}</a></p>\n`;
    if (url !== null) return html`<p><a href="${url}" rel="noreferrer" dir="auto">${shown}</a></p>\n`;
    return html`<p dir="auto">${shown} (${texts.gone})</p>\n`;
  });
  return html`<article class="${type === "note" ? "note" : from}">
<header><b dir="auto">${author}</b>${address === undefined ? undefined : html` · <span dir="ltr">${address}</span>`}${kind} · <time datetime="${created_at}">${when.format(new Date(created_at))}</time></header>
${email && emailHead(email, texts)}${content === "" ? undefined : html`<p dir="auto">${content}</p>`}
${email?.folded_text ? html`<details open><summary>${texts.folded}</summary><p dir="auto">${email.folded_text}</p></details>\n` : undefined}${files}${original?.file ? html`<p><a href="${pathAsUrl(original.file)}">${texts.original}</a></p>\n` : undefined}</article>
`;
}

function emailHead({ to, cc, subject, deliveries }: NonNullable<ExportedMessage["email"]>, texts: ExportTexts): Markup {
  const people = (some: typeof to) =>
    some.map(({ name, address }) => (name === null ? address : `${name} <${address}>`)).join(", ");
  const lines: [string, string][] = [
    [texts.to, people(to)],
    [texts.cc, people(cc)],
    [texts.subject, subject],
    ...deliveries.flatMap(({ address, state, reason }): [string, string][] => {
      const said = reason === null ? address : `${address} – ${reason}`;
      return state === "failed" ? [[texts.notSent, said]] : state === "unknown" ? [[texts.uncertain, said]] : [];
    }),
  ];
  const shown = lines.filter(([, value]) => value !== "");
  return html`<div class="email">
${shown.map(([label, value]) => html`<p dir="auto">${label}: ${value}</p>\n`)}</div>
`;
}

const pathAsUrl = (path: string): string => path.split("/").map(encodeURIComponent).join("/");
