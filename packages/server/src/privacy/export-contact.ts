import { newToken } from "../access/token.ts";
import { doer } from "../agents/acting-agent.ts";
import { audit } from "../audit/audit.ts";
import { findContact } from "../contacts/find-contact.ts";
import type { Operation } from "../context.ts";
import type { ExportRow } from "../storage/tables.ts";
import type { ExportState } from "./export.ts";
import { exportsOfContact, insertExport } from "./export-store.ts";
import { exportState, type ShownExport, shownExport } from "./shown-export.ts";
import { startExport } from "./start-export.ts";

/**
 * Starts to export a contact (additions, section 6; docs/decisions/0056-export.md). While one with the same choice about notes runs, a
 * repeat returns it.
 *
 * @throws Refusal `not-found` for the contact
 */
export const exportContact: Operation<{ contactId: string; includeNotes: boolean; exportsUrl: string }, ShownExport> = {
  name: "export-contact",
  mode: "write",
  async run(ctx, { contactId, includeNotes, exportsUrl }) {
    const contact = await findContact(ctx, contactId);
    const earlier = await ctx.db.all(exportsOfContact, { team_id: ctx.teamId, contact_id: contact.id });
    const include_notes = includeNotes ? 1 : 0;
    const running = earlier.find(
      (row) => exportState(row, ctx.now) === "running" && row.include_notes === include_notes,
    );
    if (running) return shownExport(ctx, running, exportsUrl);
    const id = ctx.newId();
    const token = newToken("export", ctx.teamId, ctx.random);
    const row: ExportRow = {
      team_id: ctx.teamId,
      id,
      contact_id: contact.id,
      state: "running" satisfies ExportState,
      include_notes,
      token,
      link_hash: null,
      requested_by: JSON.stringify(await doer(ctx, undefined)),
      requested_at: ctx.now,
      finished_at: null,
      size: null,
    };
    ctx.write(insertExport, row);
    startExport(ctx, row);
    // Ids alone: the line of the audit log outlives the contact.
    audit(ctx, { visitor: { id: contact.id }, include_notes: includeNotes });
    return shownExport(ctx, row, exportsUrl);
  },
};
