import { cleanFileName } from "@frontdesk/core/domain/file-name";
import { BYTES } from "@frontdesk/core/domain/file-type";
import { invalid, notAllowed, unavailable } from "@frontdesk/core/domain/refusal";
import { fileSenderOf, strangerOf } from "../access/by-actor.ts";
import { newToken, tokenHash } from "../access/token.ts";
import { contactById } from "../contacts/contact-store.ts";
import type { Context, Operation } from "../context.ts";
import { type FileState, MB } from "./file.ts";
import { insertFile, unusedOfSender, unusedOfTeam, unusedOfVisitors } from "./file-store.ts";

/** What one sender may have stored that no message uses: two full messages, and some that were removed again. */
const UNUSED_FILES_MAX = 20;
const UNUSED_BYTES_MAX = 100 * MB;
/**
 * What all visitors of a team may have, and what its agents and programs may: new senders cost nothing, so the disk needs a
 * bound of its own, and visitors must not use up the room of agents. Only received bytes count: a declared size costs nothing.
 */
const UNUSED_TOGETHER_BYTES_MAX = 10_000 * MB;

export interface StartedUpload {
  id: string;
  /** The secret of its address. */
  token: string;
  /** As it is shown. */
  name: string;
}

/**
 * Begins an upload: it gets its row, its address, and its share of the bounds before its content. A repeat starts another one.
 *
 * @param input.size its declared or largest possible size, in bytes
 * @throws Refusal `invalid` on `file` when too much waits for a message already, `not-allowed` for a blocked visitor,
 *   `unavailable` when all visitors of the team, or all of its agents and programs, have too much waiting
 */
export const startUpload: Operation<{ name: string; size: number }, StartedUpload> = {
  name: "start-upload",
  mode: "write",
  async run(ctx, { name, size }) {
    await refuseBlocked(ctx);
    const sentBy = fileSenderOf(ctx.actor);
    await requireRoom(ctx, sentBy, size);
    const id = ctx.newId();
    const token = newToken("file", ctx.teamId, ctx.random);
    const clean = cleanFileName(name);
    ctx.write(insertFile, {
      team_id: ctx.teamId,
      id,
      token_hash: tokenHash(token),
      name: clean,
      mime: BYTES,
      size,
      state: "receiving" satisfies FileState,
      sent_by: sentBy,
      created_at: ctx.now,
      used_at: null,
    });
    return { id, token, name: clean };
  },
};

async function refuseBlocked({ actor, db, teamId }: Context): Promise<void> {
  const contactId = strangerOf(actor)?.contactId;
  if (contactId === undefined) return;
  const contact = await db.first(contactById, { team_id: teamId, id: contactId });
  if (contact && contact.blocked_at !== null) {
    throw notAllowed("visitor-blocked");
  }
}

async function requireRoom({ actor, db, teamId }: Context, sentBy: string, size: number): Promise<void> {
  const [own, all] = await Promise.all([
    db.first(unusedOfSender, { team_id: teamId, sent_by: sentBy }),
    db.first(strangerOf(actor) ? unusedOfVisitors : unusedOfTeam, { team_id: teamId }),
  ]);
  if (!own || !all) throw new Error("Nothing was counted.");
  if (own.files >= UNUSED_FILES_MAX || own.bytes + size > UNUSED_BYTES_MAX) {
    throw invalid({ file: "too-many-waiting-files" });
  }
  if (all.bytes + size > UNUSED_TOGETHER_BYTES_MAX) {
    throw unavailable(RETRY_FULL_SECONDS, "no-room-for-files");
  }
}

/** The clean-up frees room once an hour. */
const RETRY_FULL_SECONDS = 3_600;
