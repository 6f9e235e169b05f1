import type { MailAddress, MailPart, ParsedMail } from "../parse/parsed-mail.ts";
import { readMessageIds } from "./message-ids.ts";

/** A parsed mail out of lines as `From: Vera <vera@example.com>`; the rest is as in a mail with a text alone. */
export function mailOf(headerLines: string, rest: Partial<ParsedMail> = {}): ParsedMail {
  const headers = headerLines
    .replaceAll(/\n(?!\s*[\w-]+:)\s*/g, " ")
    .split("\n")
    .filter((line) => line.includes(":"))
    .map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    });
  const values = (name: string) => headers.flatMap(([each, value]) => (each === name ? [value] : []));
  const addresses = (name: string) => values(name).flatMap((value) => value.split(",").flatMap(addressOf));
  const [type = "text/plain", ...params] = (values("content-type")[0] ?? "").split(";").map((each) => each.trim());
  return {
    headers,
    messageId: readMessageIds(values("message-id")[0] ?? "")[0] ?? null,
    inReplyTo: readMessageIds(values("in-reply-to")[0] ?? ""),
    references: readMessageIds(values("references")[0] ?? ""),
    from: addresses("from"),
    replyTo: addresses("reply-to"),
    to: addresses("to"),
    cc: addresses("cc"),
    subject: values("subject")[0] ?? "",
    date: null,
    text: null,
    html: null,
    textOfHtml: null,
    ...{ parts: [], attachments: [] },
    contentType: {
      type: type.toLowerCase() || "text/plain",
      params: Object.fromEntries(params.map((each) => each.replaceAll('"', "").split("=") as [string, string])),
    },
    ...rest,
  };
}

function addressOf(text: string): MailAddress[] {
  const named = /^\s*(.*?)\s*<([^<>]*)>\s*$/.exec(text);
  if (named) return [{ name: named[1]?.replaceAll('"', "") || null, address: named[2] as string }];
  return text.trim() === "" ? [] : [{ name: null, address: text.trim() }];
}

export function partOf(mime: string, content: string): MailPart {
  return { name: null, mime, contentId: null, disposition: "attachment", content: new TextEncoder().encode(content) };
}
