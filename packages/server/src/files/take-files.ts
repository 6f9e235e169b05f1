import { attachmentKind } from "@frontdesk/core/domain/file-type";
import { invalid } from "@frontdesk/core/domain/refusal";
import { fileSenderOf } from "../access/by-actor.ts";
import { tokenHash } from "../access/token.ts";
import type { Context } from "../context.ts";
import type { NewAttachment } from "../conversations/add-message.ts";
import type { AttachmentRow, FileRow } from "../storage/tables.ts";
import type { FileState } from "./file.ts";
import { fileAddress, fileTokenIn } from "./file-address.ts";
import { fileByToken, useFile } from "./file-store.ts";

/** An attachment as a message stores it. Only these functions make one, so that every message keeps its files. */
export type TakenAttachment = Pick<AttachmentRow, "url" | "name" | "type" | "mime" | "size">;

/**
 * The attachments of a message of the team or of a program: any address (specification, POST /messages). A file of the team is
 * kept from now on, and details that were not given are taken from the file.
 */
export function takeFiles(ctx: Context, attachments: readonly NewAttachment[]): Promise<TakenAttachment[]> {
  return Promise.all(
    attachments.map(async (said) => {
      const file = await fileAt(ctx, said.url);
      if (file) use(ctx, file);
      return {
        url: said.url,
        name: said.name || file?.name || null,
        type: said.type || (file ? attachmentKind(file.mime) : null),
        mime: said.mime || file?.mime || null,
        size: said.size ?? file?.size ?? null,
      };
    }),
  );
}

/**
 * The attachments of a visitor's message: only files that were sent with the same token; further details given with them are
 * ignored.
 *
 * @param filesUrl the beginning of the addresses of all files
 * @throws Refusal `invalid` on `attachments.0.url`
 */
export async function takeOwnFiles(
  ctx: Context,
  attachments: readonly NewAttachment[],
  filesUrl: string,
): Promise<TakenAttachment[]> {
  const files = await Promise.all(attachments.map(({ url }) => takeOwnFile(ctx, url, filesUrl)));
  const wrong = files.flatMap((file, index) =>
    file ? [] : [[`attachments.${index}.url`, "not-a-sent-file"] as const],
  );
  if (wrong.length > 0) throw invalid(Object.fromEntries(wrong));
  return files.filter((file) => file !== undefined);
}

/** A file that the actor has sent, kept from now on; undefined for any other address. */
export async function takeOwnFile(ctx: Context, url: string, filesUrl: string): Promise<TakenAttachment | undefined> {
  const file = await ownFileAt(ctx, url, filesUrl);
  if (!file) return undefined;
  use(ctx, file);
  const { name, mime, size } = file;
  return { url, name, type: attachmentKind(mime), mime, size };
}

async function ownFileAt(ctx: Context, url: string, filesUrl: string): Promise<FileRow | undefined> {
  const file = await fileAt(ctx, url);
  const token = fileTokenIn(url, ctx.teamId);
  if (!file || token === undefined || file.sent_by !== fileSenderOf(ctx.actor)) return undefined;
  // Compared exactly: the same secret below another site's address, or with another name, is not ours.
  return url === fileAddress(filesUrl, token, file.name) ? file : undefined;
}

async function fileAt(ctx: Context, url: string): Promise<FileRow | undefined> {
  const token = fileTokenIn(url, ctx.teamId);
  const file =
    token === undefined
      ? undefined
      : await ctx.db.first(fileByToken, { team_id: ctx.teamId, token_hash: tokenHash(token) });
  return file?.state === ("stored" satisfies FileState) ? file : undefined;
}

function use(ctx: Context, { id }: FileRow): void {
  ctx.write(useFile, { team_id: ctx.teamId, id, used_at: ctx.now });
}
