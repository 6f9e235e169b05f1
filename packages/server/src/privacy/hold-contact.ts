import { Refusal } from "@frontdesk/core/domain/refusal";
import { doer } from "../agents/acting-agent.ts";
import { audit } from "../audit/audit.ts";
import { findContact } from "../contacts/find-contact.ts";
import type { Context, Operation } from "../context.ts";
import type { HoldRow } from "../storage/tables.ts";
import { erasureOfWidget } from "./erase-widget-store.ts";
import { deleteHold, holdOn, putHold } from "./hold-store.ts";

/** The hold on a contact, unless it has ended. */
export async function holdNow(
  { db, teamId, now }: Pick<Context, "db" | "teamId" | "now">,
  contactId: string,
): Promise<HoldRow | undefined> {
  const hold = await db.first(holdOn, { team_id: teamId, contact_id: contactId });
  return hold && (hold.until === null || hold.until > now) ? hold : undefined;
}

interface NewHold {
  contactId: string;
  reason: string;
  /** Ms since the epoch; undefined: until it is released. */
  until: number | undefined;
}

/**
 * Keeps a contact from being erased, whoever asks. A new hold replaces the one before.
 *
 * @throws Refusal `not-found` for the contact; `conflict` when it is being erased with its widget
 */
export const holdContact: Operation<NewHold, void> = {
  name: "hold-contact",
  mode: "write",
  async run(ctx, { contactId, reason, until }) {
    const contact = await findContact(ctx, contactId);
    // Its widget has been removed, and it is only not its turn yet.
    if (await ctx.db.first(erasureOfWidget, { team_id: ctx.teamId, widget_id: contact.widget_id })) {
      throw new Refusal({ name: "conflict" }, "contact-being-erased");
    }
    ctx.write(putHold, {
      team_id: ctx.teamId,
      contact_id: contact.id,
      reason,
      held_by: JSON.stringify(await doer(ctx, undefined)),
      held_at: ctx.now,
      until: until ?? null,
    });
    audit(ctx, { contact: { id: contact.id }, reason });
  },
};

/**
 * Ends the hold on a contact; nothing happens when there is none.
 *
 * @throws Refusal `not-found` for the contact
 */
export const releaseContact: Operation<{ contactId: string }, void> = {
  name: "release-contact",
  mode: "write",
  async run(ctx, { contactId }) {
    const contact = await findContact(ctx, contactId);
    const of = { team_id: ctx.teamId, contact_id: contact.id };
    if (!(await ctx.db.first(holdOn, of))) return;
    ctx.write(deleteHold, of);
    audit(ctx, { contact: { id: contact.id } });
  },
};
