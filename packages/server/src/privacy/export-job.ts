import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { exportFiles } from "@frontdesk/core/contract/contact-export";
import { attachmentKind } from "@frontdesk/core/domain/file-type";
import type { SystemActor } from "../access/actor.ts";
import type { Draft, Drafts } from "../files/drafts.ts";
import type { FileStorage } from "../files/file-storage.ts";
import { type ZipEntry, zipStream } from "../files/zip-stream.ts";
import type { JobHandler } from "../jobs/job.ts";
import type { Perform } from "../perform.ts";
import { aboutWithFiles, contactJson, conversationsJson, indexHtml } from "./export-documents.ts";
import {
  ExportGone,
  type ExportLine,
  exportLines,
  type PlacedFile,
  placeUnimported,
  readLines,
} from "./export-lines.ts";
import { finishExport } from "./finish-export.ts";
import { type ExportStart, exportStands, messagesOfExport, startOfExport } from "./read-export.ts";

/** Texts are written in chunks of some this many characters. */
const CHUNK = 65_536;

interface ExportParts {
  perform(): Perform;
  drafts: Drafts;
  fileStorage: FileStorage;
  /** Called with the reason why an export has failed. */
  onTrouble(error: unknown): void;
}

/**
 * Makes the zip file of an export:
 *
 * ```
 * database --(once, 50 messages at a time)--> lines on our disk --> zip on our disk --> its place --> row (done)
 *                                    files of the storage -----------^
 * ```
 * Nothing of it is ever whole in memory. An export that is gone stops it, at the next read or file. A repeat after a crash starts
 * again. One that fails says so and is not tried again by itself.
 */
export function exportJob(parts: ExportParts): JobHandler<"export-contact"> {
  return async ({ exportId }, { teamId, signal }) => {
    const { drafts, fileStorage, perform } = parts;
    const key = { teamId, id: exportId };
    const system: SystemActor = { kind: "system", teamId };
    const linesId = `${exportId}.lines`;
    const clear = () => Promise.all([drafts.remove(linesId), drafts.remove(exportId)]);
    const start = await perform()(system, startOfExport, { exportId });
    // An earlier attempt may have stored it before it died.
    if (!start) return fileStorage.remove(key);
    if (!("about" in start)) return;
    try {
      await clear();
      const draft = await zipDraft(parts, { start, system, linesId, signal });
      await fileStorage.put(key, draft);
      const { size } = draft;
      const stands = await perform()(system, finishExport, { exportId, stored: { size, mime: "application/zip" } });
      if (!stands) await fileStorage.remove(key);
    } catch (error) {
      if (error instanceof ExportGone) return await fileStorage.remove(key);
      if (signal.aborted) throw error;
      await perform()(system, finishExport, { exportId });
      parts.onTrouble(error);
    } finally {
      await clear();
    }
  };
}

interface Run {
  start: ExportStart;
  system: SystemActor;
  linesId: string;
  signal: AbortSignal;
}

async function zipDraft(parts: ExportParts, run: Run): Promise<Draft> {
  const { drafts, perform } = parts;
  const { start, system, linesId, signal } = run;
  const exportId = start.row.id;
  const lines = exportLines(start, (next) => {
    signal.throwIfAborted();
    return perform()(system, messagesOfExport, { exportId, ...next });
  });
  const path =
    start.conversations.length > 0 ? (await received(drafts, linesId, Readable.from(lines))).path : undefined;
  return received(drafts, exportId, zipStream(entriesOf(parts, run, path)));
}

/** What stops reading ends what is read, too. */
async function received(drafts: Drafts, id: string, content: Readable): Promise<Draft> {
  try {
    // Whoever reads it hears of it; nobody does any more when writing has failed.
    content.on("error", () => {});
    return await drafts.make(id, content);
  } finally {
    content.destroy();
  }
}

/** The entries of the zip in their order. Files come before the texts, which say of each whether it is there. */
async function* entriesOf(
  { perform, fileStorage }: ExportParts,
  { start, system, signal }: Run,
  linesPath: string | undefined,
): AsyncGenerator<ZipEntry> {
  const { row } = start;
  const modifiedAt = new Date(row.requested_at);
  const sums: string[] = [];
  const missing = new Set<string>();
  const lines = () => (linesPath === undefined ? noLines() : readLines(linesPath));
  const entry = (path: string, content: AsyncIterable<Buffer | string> | string[], isCompressed = true): ZipEntry => {
    const bytes = summed(content, (sum) => sums.push(`${sum}  ${path}\n`));
    return { path, content: Readable.from(bytes, { objectMode: false }), modifiedAt, isCompressed };
  };

  const unimported = placeUnimported(start);
  for await (const file of filesOf(unimported, lines())) {
    signal.throwIfAborted();
    if (!(await perform()(system, exportStands, { exportId: row.id }))) throw new ExportGone("The export was deleted.");
    const content = await fileStorage.read({ teamId: row.team_id, id: file.id });
    if (!content) missing.add(file.path);
    else yield entry(file.path, content, attachmentKind(file.mime) === "file");
  }
  const about = aboutWithFiles(start, unimported, missing);
  yield entry(exportFiles.contact, [contactJson(about)]);
  yield entry(exportFiles.conversations, chunked(conversationsJson(lines(), missing)));
  yield entry(exportFiles.page, chunked(indexHtml({ ...start, about }, lines(), missing)));
  yield entry(exportFiles.sums, [sums.join("")]);
}

async function* filesOf(
  unimported: readonly PlacedFile[],
  lines: AsyncIterable<ExportLine>,
): AsyncGenerator<PlacedFile> {
  yield* unimported;
  for await (const line of lines) {
    for (const file of "files" in line ? [...line.files, line.original] : []) if (file) yield file;
  }
}

async function* noLines(): AsyncGenerator<never> {}

/** Says the SHA-256 of what passed when all of it has. */
async function* summed(content: AsyncIterable<Buffer | string> | string[], onEnd: (sum: string) => void) {
  const hash = createHash("sha256");
  for await (const chunk of content) {
    hash.update(chunk);
    yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
  }
  onEnd(hash.digest("hex"));
}

async function* chunked(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = "";
  for await (const text of texts) {
    chunk += text;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = "";
  }
  yield chunk;
}
