import { Refusal } from "@frontdesk/core/domain/refusal";
import { contactByIdentity } from "../../contacts/contact-identity-store.ts";
import type { Operation } from "../../context.ts";
import { dropUnimportedMails } from "../../privacy/drop-unimported-mails.ts";
import { holdNow } from "../../privacy/hold-contact.ts";
import { findSpam } from "./find-spam.ts";

/**
 * Nothing of a mail is kept but that it came, so that it does not come in again. A repeat finds none.
 *
 * @throws Refusal `not-found`; `conflict` while its sender is on hold
 */
export const deleteSpam: Operation<{ spamId: string }, void> = {
  name: "delete-spam",
  mode: "write",
  async run(ctx, { spamId }) {
    const { id, account_id, key, sender } = await findSpam(ctx, spamId);
    const identity = { team_id: ctx.teamId, account_id, kind: "email", value: sender ?? "" };
    const writer = sender === null ? undefined : await ctx.db.first(contactByIdentity, identity);
    // Without the reason of the hold: not everyone who deletes spam may see it.
    if (writer && (await holdNow(ctx, writer.id))) throw new Refusal({ name: "conflict" }, "spam-sender-held");
    dropUnimportedMails(ctx, [{ account_id, key, raw_file: id, contact_id: writer?.id ?? null }]);
  },
};
