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

/** A message as a provider has handed it over, in the words of no provider. */
export interface ImportedMessage {
  externalId: string;
  /** What its writer is known by, the identity that counts most first. */
  identities: readonly [Identity, ...Identity[]];
  /** What is told of the writer; kept of a new contact. */
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
 * A message comes in by the account of the actor. Importing it a second time, in whatever process, makes nothing and answers
 * the message that is there. docs/decisions/0040-channel-accounts.md
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
