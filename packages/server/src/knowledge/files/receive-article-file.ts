import { invalid } from "@frontdesk/core/domain/refusal";
import type { Actor } from "../../access/actor.ts";
import { fileTooLarge } from "../../files/file.ts";
import type { Upload } from "../../files/receive-upload.ts";
import { type Perform, requireMay } from "../../perform.ts";
import type { FileForm } from "../documents/read-file.ts";
import type { DocumentReader } from "../documents/read-in-worker.ts";
import { type ImportedFile, importArticleFile } from "./import-article-file.ts";

const FILE_MAX_BYTES = 10 * 1_048_576;

const FORMS: Readonly<Record<string, FileForm>> = {
  pdf: "pdf",
  docx: "docx",
  md: "markdown",
  markdown: "markdown",
  txt: "text",
};

/**
 * Receives a file and makes articles of its text: it is kept in memory until it is read, and then no more.
 *
 * @throws Refusal `too-large`, `invalid` on `file`: of no form that is read, broken, or without text
 */
export function createArticleImport({
  perform,
  reader,
  now,
}: {
  perform: Perform;
  reader: DocumentReader;
  now: () => number;
}) {
  return async (
    actor: Actor,
    { name, content, announced, isPublished }: Upload & { isPublished: boolean },
  ): Promise<ImportedFile> => {
    requireMay(actor, importArticleFile.name, now());
    const form = FORMS[/\.(\w{1,8})$/.exec(name)?.[1]?.toLowerCase() ?? ""];
    if (!form) throw invalid({ file: "file-form" });
    if ((announced ?? 0) > FILE_MAX_BYTES) throw fileTooLarge(FILE_MAX_BYTES);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of content) {
      size += (chunk as Buffer).byteLength;
      if (size > FILE_MAX_BYTES) throw fileTooLarge(FILE_MAX_BYTES);
      chunks.push(chunk as Buffer);
    }
    const read = await reader.read<"file">({ kind: "file", bytes: Buffer.concat(chunks), form });
    if (!("result" in read))
      throw invalid({ file: read.unreadable === "broken" ? "file-unreadable" : "file-too-much" });
    return perform(actor, importArticleFile, { fileName: name, text: read.result, isPublished });
  };
}

export type ReceiveArticleFile = ReturnType<typeof createArticleImport>;
