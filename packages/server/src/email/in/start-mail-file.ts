import { cleanFileName } from "@frontdesk/core/domain/file-name";
import { fileSenderOf } from "../../access/by-actor.ts";
import { newToken, tokenHash } from "../../access/token.ts";
import type { Operation } from "../../context.ts";
import type { FileState } from "../../files/file.ts";
import { insertFile } from "../../files/file-store.ts";

/**
 * Begins to store a file of a mail: its row is there before its content, so that a crash leaves no content without one. It
 * ends with `finish-upload`, or with `take-mail` for a raw mail; one that does not end is removed by the clean-up.
 */
export const startMailFile: Operation<
  { name: string; mime: string; size: number },
  { id: string; token: string; name: string }
> = {
  name: "start-mail-file",
  mode: "write",
  async run(ctx, { name, mime, size }) {
    const id = ctx.newId();
    const token = newToken("file", ctx.teamId, ctx.random);
    const clean = cleanFileName(name);
    ctx.write(insertFile, {
      ...{ team_id: ctx.teamId, id, token_hash: tokenHash(token), name: clean, mime, size },
      ...{ state: "receiving" satisfies FileState, sent_by: fileSenderOf(ctx.actor) },
      ...{ created_at: ctx.now, used_at: null },
    });
    return { id, token, name: clean };
  },
};
