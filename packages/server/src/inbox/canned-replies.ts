import { boundedName } from "@frontdesk/core/domain/bounded-text";
import { cannedPlaceholders, unknownPlaceholder } from "@frontdesk/core/domain/canned-placeholders";
import { foldText } from "@frontdesk/core/domain/folded-text";
import { canonicalId } from "@frontdesk/core/domain/id";
import { inNameOrder } from "@frontdesk/core/domain/name-order";
import { because } from "@frontdesk/core/domain/reasons";
import { invalid, notFound } from "@frontdesk/core/domain/refusal";
import { audit } from "../audit/audit.ts";
import type { Context, Operation } from "../context.ts";
import type { CannedReplyRow } from "../storage/tables.ts";
import { cannedRepliesFor, deleteCannedReply, insertCannedReply, updateCannedReply } from "./canned-reply-store.ts";
import { inboxAgentId } from "./inbox-agent.ts";

const NAME_MAX = 100;

/** The agent's own, or the team's. */
export type Whose = "own" | "team";

/** A change of a canned reply. */
export type CannedReplyChange =
  | { add: { name: string; content: string } }
  | { update: { id: string; name: string | undefined; content: string | undefined } }
  | { remove: { id: string } };

/** The agent's own canned replies and the team's, by name. */
export const listCannedReplies: Operation<Record<never, never>, CannedReplyRow[]> = {
  name: "list-canned-replies",
  mode: "read",
  run: async (ctx) => inNameOrder(await repliesFor(ctx)),
};

/**
 * Adds, changes or removes a canned reply. No two of the same owner have the same name, whatever the letter case. A repeated
 * addition is refused because of that, a repeated removal as not found. Returns the reply, as it is or was.
 *
 * @throws Refusal `invalid` on `name` and on `content` with an unknown placeholder, `not-found` for the reply, also for one
 *   of another owner
 */
export const writeCannedReplies: Record<Whose, Operation<CannedReplyChange, CannedReplyRow>> = {
  own: { name: "write-own-canned-replies", mode: "write", run: (ctx, change) => write(ctx, "own", change) },
  team: {
    name: "write-team-canned-replies",
    mode: "write",
    async run(ctx, change) {
      const reply = await write(ctx, "team", change);
      audit(ctx, { canned_reply: { id: reply.id, name: reply.name }, change: Object.keys(change)[0] });
      return reply;
    },
  },
};

async function write(ctx: Context, whose: Whose, change: CannedReplyChange): Promise<CannedReplyRow> {
  const replies = (await repliesFor(ctx)).filter(({ agent_id }) => (agent_id === null) === (whose === "team"));
  const find = (id: string) => {
    const found = replies.find((reply) => reply.id === canonicalId(id));
    if (!found) throw notFound("canned-reply");
    return found;
  };
  if ("remove" in change) {
    const reply = find(change.remove.id);
    ctx.write(deleteCannedReply, { team_id: ctx.teamId, id: reply.id });
    return reply;
  }
  if ("update" in change) {
    const before = find(change.update.id);
    const { name = before.name, content } = change.update;
    const reply: CannedReplyRow = {
      ...before,
      ...named(replies, name, before.id),
      // An older one with an unknown placeholder can still be renamed.
      content: content === undefined ? before.content : checked(content),
      updated_at: ctx.now,
    };
    ctx.write(updateCannedReply, reply);
    return reply;
  }
  const reply: CannedReplyRow = {
    team_id: ctx.teamId,
    id: ctx.newId(),
    agent_id: whose === "own" ? inboxAgentId(ctx) : null,
    ...named(replies, change.add.name, undefined),
    content: checked(change.add.content),
    updated_at: ctx.now,
  };
  ctx.write(insertCannedReply, reply);
  return reply;
}

function named(replies: readonly CannedReplyRow[], given: string, own: string | undefined) {
  const name = boundedName("name", given, NAME_MAX);
  const name_folded = foldText(name);
  if (replies.some((other) => other.id !== own && other.name_folded === name_folded)) {
    throw invalid({ name: "name-taken" });
  }
  return { name, name_folded };
}

/** A misspelt placeholder would go to visitors as it is written. */
function checked(content: string): string {
  const placeholder = unknownPlaceholder(content);
  if (placeholder === undefined) return content;
  const known = cannedPlaceholders.map((name) => `{{${name}}}`).join(", ");
  throw invalid({ content: because("unknown-placeholder", { placeholder, known }) });
}

function repliesFor(ctx: Context): Promise<CannedReplyRow[]> {
  return ctx.db.all(cannedRepliesFor, { team_id: ctx.teamId, agent_id: inboxAgentId(ctx) });
}
