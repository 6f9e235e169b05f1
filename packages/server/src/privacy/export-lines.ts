import { createReadStream } from "node:fs";
import type { ExportedConversation, ExportedMessage } from "@frontdesk/core/contract/contact-export";
import { exportedFilePath } from "./exported-file-name.ts";
import type { ExportStart, ReadMessage, ReadMessages, StoredFile } from "./read-export.ts";

/** What the files of an export are made of, a line each: a conversation is followed by its messages. */
export type ExportLine =
  | { conversation: ExportedConversation }
  | { message: ExportedMessage; files: (PlacedFile | null)[]; original: PlacedFile | null };

/** A file with its path in the export. */
export interface PlacedFile {
  path: string;
  id: string;
  mime: string;
}

const ORIGINAL_NAME = "email.eml";

/** The export was deleted meanwhile. */
export class ExportGone extends Error {}

/**
 * The lines of an export, as JSON. The database is read once, so that all files of the export say the same.
 *
 * @param read the next messages; undefined when the export is gone
 * @throws ExportGone
 */
export async function* exportLines(
  { conversations, unimported }: ExportStart,
  read: (next: { conversationId: string; after: number; upTo: number }) => Promise<ReadMessages | undefined>,
): AsyncGenerator<Buffer> {
  const pathOf = numberedPaths(unimported.length);
  for (const { head, upTo } of conversations) {
    yield asLines([{ conversation: head }]);
    for (let after = 0; after < upTo; ) {
      const next = await read({ conversationId: head.id, after, upTo });
      if (!next) throw new ExportGone("The export was deleted.");
      yield asLines(next.messages.map((read) => lineOf(read, pathOf)));
      after = next.upTo;
    }
  }
}

const asLines = (lines: ExportLine[]): Buffer => Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));

/** The originals of mails that are in no conversation, with the first numbers. */
export function placeUnimported({ unimported }: ExportStart): PlacedFile[] {
  const pathOf = numberedPaths(0);
  return unimported.map(({ id, mime }) => ({ path: pathOf(ORIGINAL_NAME), id, mime }));
}

/** @param before how many files have a number already */
function numberedPaths(before: number) {
  let files = before;
  return (name: string | null): string => {
    files += 1;
    return exportedFilePath(files, name);
  };
}

function lineOf({ message, files, original }: ReadMessage, pathOf: (name: string | null) => string): ExportLine {
  const placed = (file: StoredFile | undefined, name: string | null | undefined): PlacedFile | null =>
    file ? { path: pathOf(name ?? file.name), id: file.id, mime: file.mime } : null;
  return {
    message,
    files: files.map((file, position) => placed(file, message.attachments[position]?.name)),
    original: placed(original, ORIGINAL_NAME),
  };
}

/** Not by `readline`: it ends lines at the separators of Unicode too, which JSON leaves as they are, and reads a thousand ahead. */
export async function* readLines(path: string): AsyncGenerator<ExportLine> {
  let rest = "";
  for await (const chunk of createReadStream(path, "utf8")) {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line) as ExportLine;
  }
}

/**
 * A message with the paths of its files in the export.
 *
 * @param missing those whose content is not there
 */
export function withFiles(
  { message, files, original: placed }: Extract<ExportLine, { message: unknown }>,
  missing: ReadonlySet<string>,
): ExportedMessage {
  const attachments = message.attachments.map((attachment, position) => {
    const path = files[position]?.path;
    return path === undefined || missing.has(path) ? attachment : { ...attachment, file: path };
  });
  const { original } = message;
  const isThere = original !== undefined && placed !== null && !missing.has(placed.path);
  return { ...message, attachments, ...(isThere && { original: { ...original, file: placed.path } }) };
}
