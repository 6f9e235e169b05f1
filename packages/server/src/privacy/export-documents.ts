import type { ExportedContact } from "@frontdesk/core/contract/contact-export";
import { EXPORT_VERSION } from "@frontdesk/core/contract/contact-export";
import { type ExportLine, type PlacedFile, withFiles } from "./export-lines.ts";
import { exportPage } from "./export-page.ts";
import type { ExportStart } from "./read-export.ts";

type Lines = AsyncIterable<ExportLine>;

export function contactJson(about: ExportedContact): string {
  return `${JSON.stringify(about, null, 2)}\n`;
}

/**
 * What is known of a contact, with the paths of the files in it.
 *
 * @param placed the originals of mails that are in no conversation
 * @param missing those whose content is not there
 */
export function aboutWithFiles(
  { about }: ExportStart,
  placed: readonly PlacedFile[],
  missing: ReadonlySet<string>,
): ExportedContact {
  const unimported_emails = about.contact.unimported_emails.map((email, position) => {
    const path = placed[position]?.path;
    return path === undefined || missing.has(path) ? email : { ...email, file: path };
  });
  return { ...about, contact: { ...about.contact, unimported_emails } };
}

/** A message a line, so that it can be read by people and in pieces. */
export async function* conversationsJson(lines: Lines, missing: ReadonlySet<string>): AsyncGenerator<string> {
  yield `{"version":${EXPORT_VERSION},"conversations":[`;
  let conversations = 0;
  let messages = 0;
  for await (const line of lines) {
    if ("conversation" in line) {
      if (conversations > 0) yield "\n]}";
      yield `${conversations > 0 ? "," : ""}\n${JSON.stringify(line.conversation).slice(0, -1)},"messages":[`;
      conversations += 1;
      messages = 0;
    } else {
      yield `${messages > 0 ? "," : ""}\n${JSON.stringify(withFiles(line, missing))}`;
      messages += 1;
    }
  }
  yield conversations > 0 ? "\n]}\n]}\n" : "]}\n";
}

/** The same to read, without a network. */
export async function* indexHtml(
  start: ExportStart,
  lines: Lines,
  missing: ReadonlySet<string>,
): AsyncGenerator<string> {
  const page = exportPage(start);
  yield page.head;
  let conversations = 0;
  for await (const line of lines) {
    if ("conversation" in line) {
      if (conversations > 0) yield page.endOfConversation;
      yield page.conversation(line.conversation);
      conversations += 1;
    } else {
      yield page.message(withFiles(line, missing));
    }
  }
  yield conversations > 0 ? page.endOfConversation : page.noConversations;
  yield page.end;
}
