import type { Operation } from "../context.ts";
import { storeFile } from "./file-store.ts";

/** All of a file has come in and lies where it stays; from now on a message may take it. A repeat is a fault. */
export const finishUpload: Operation<{ id: string; mime: string; size: number }, void> = {
  name: "finish-upload",
  mode: "write",
  async run(ctx, { id, mime, size }) {
    const changed = await ctx.db.run(storeFile, { team_id: ctx.teamId, id, mime, size });
    if (changed === 0) throw new Error("A file is not being received any more.");
  },
};
