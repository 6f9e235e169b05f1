import { actorOfKind } from "../access/actor.ts";
import { sentVia } from "../access/by-actor.ts";
import type { ContactDetails } from "../contacts/add-contact.ts";
import type { Identity } from "../contacts/contact-of-identities.ts";
import type { Operation } from "../context.ts";
import type { NewAttachment } from "../conversations/add-message.ts";
import { type Received, type ReceivedMessage, receiveMessage } from "../conversations/receive-message.ts";
import { takeFiles } from "../files/take-files.ts";
import { ACCOUNT_TIMES_STEP_MS } from "./channel-account.ts";
import { markAccountReceived } from "./channel-account-store.ts";
import { findChannelAccount } from "./find-channel-account.ts";

/** A message received from a provider, in a form common to all providers. */
export interface ImportedMessage {
  externalId: string;
  /** The identities of its writer, the most reliable first. */
  identities: readonly [Identity, ...Identity[]];
  /** What the provider says about the writer; stored with a new contact. */
  details: ContactDetails;
  into?: ReceivedMessage["into"] | undefined;
  content: string;
  attachments: readonly NewAttachment[];
  /** By the provider's clock, ms since the epoch. */
  occurredAt: number;
  /** The page, post or advertisement that it refers to. */
  originUrl?: string | null | undefined;
}

/**
 * Stores a message that was received in the actor's account. Importing it a second time, in whatever process, stores nothing
 * and returns the stored message. docs/decisions/0040-channel-accounts.md
 *
 * @throws Refusal `not-found` for an account that is deleted, `not-allowed` for a writer whom the team has blocked
 */
export const importMessage: Operation<ImportedMessage, Received> = {
  name: "receive-message",
  mode: "write",
  async run(ctx, { attachments, originUrl, identities, details, ...message }) {
    const { account } = await findChannelAccount(ctx, actorOfKind(ctx.actor, "channel").accountId);
    const received = await receiveMessage(ctx, {
      ...message,
      account,
      who: { identities, details },
      attachments: () => takeFiles(ctx, attachments),
      firstPageUrl: originUrl,
      sentVia: sentVia(ctx.actor),
    });
    if (received.isNew) {
      const times = { last_received_at: ctx.now, before: ctx.now - ACCOUNT_TIMES_STEP_MS };
      ctx.write(markAccountReceived, { team_id: ctx.teamId, id: account.id, ...times });
    }
    return received;
  },
};
