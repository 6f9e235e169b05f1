import type { Operation } from "../context.ts";
import { deleteFile } from "./file-store.ts";

/** An upload was not completed, and nothing of it is left. A repeat changes nothing. */
export const dropUpload: Operation<{ id: string }, void> = {
  name: "drop-upload",
  mode: "write",
  async run(ctx, { id }) {
    ctx.write(deleteFile, { team_id: ctx.teamId, id });
  },
};
