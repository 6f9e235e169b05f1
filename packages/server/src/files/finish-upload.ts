import type { Operation } from "../context.ts";
import { storeFile } from "./file-store.ts";

/** A file was received completely and is stored; from now on a message may use it. A repeat is an error. */
export const finishUpload: Operation<{ id: string; mime: string; size: number }, void> = {
  name: "finish-upload",
  mode: "write",
  async run(ctx, { id, mime, size }) {
    const changed = await ctx.db.run(storeFile, { team_id: ctx.teamId, id, mime, size });
    if (changed === 0) throw new Error("A file is not being received any more.");
  },
};
