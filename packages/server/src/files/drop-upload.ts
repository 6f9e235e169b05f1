import type { Operation } from "../context.ts";
import { deleteFile } from "./file-store.ts";

/** A file did not come in to its end, and nothing of it is left. A repeat changes nothing. */
export const dropUpload: Operation<{ id: string }, void> = {
  name: "drop-upload",
  mode: "write",
  async run(ctx, { id }) {
    ctx.write(deleteFile, { team_id: ctx.teamId, id });
  },
};
