import { actorRecord } from "../access/by-actor.ts";
import type { Context } from "../context.ts";
import type { AgentRow } from "../storage/tables.ts";
import { insertAuditRow } from "./audit-store.ts";

/** How long the audit log is kept. */
export const AUDIT_LIFE_MS = 400 * 24 * 60 * 60 * 1_000;

/**
 * Writes a line of the audit log, in this same commit: who did what, from where. The events of an operation whose row of the
 * policy says `audited` get their lines without this (`followers.ts`); it is for acts without an event.
 *
 * @param what names and ids of what was changed; never a secret
 * @param byAgent who did it, when no agent is signed in yet
 */
export function audit(ctx: Context, what: object, byAgent?: string): void {
  const { kind, id } = byAgent === undefined ? actorRecord(ctx.actor) : { kind: "agent", id: byAgent };
  ctx.write(insertAuditRow, {
    team_id: ctx.teamId,
    id: ctx.newId(),
    at: ctx.now,
    actor_kind: kind,
    actor_id: id,
    action: ctx.operation,
    what: JSON.stringify(what),
    ip: ctx.actor.ip ?? null,
  });
}

/** An agent in the audit log, in the form of events. */
export function auditedAgent({ id, name, email }: AgentRow): object {
  return { id, name: name ?? email, email };
}
