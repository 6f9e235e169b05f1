import { traitsOf } from "@frontdesk/core/domain/channel";
import { invalid, Refusal } from "@frontdesk/core/domain/refusal";
import { sentVia } from "../../access/by-actor.ts";
import { actingAgent } from "../../agents/acting-agent.ts";
import { findChannelAccount } from "../../channels/find-channel-account.ts";
import { contactOfIdentities } from "../../contacts/contact-of-identities.ts";
import type { Context, Operation } from "../../context.ts";
import { addMessage, type NewAttachment, type WrittenMessage } from "../../conversations/add-message.ts";
import { requireContent } from "../../conversations/send-message.ts";
import { startConversation } from "../../conversations/start-conversation.ts";
import { takeFiles } from "../../files/take-files.ts";
import { readEmailSettings } from "../email-settings.ts";
import { ownAddresses } from "../own-addresses.ts";
import { foldAddress, isOwnAddress, readAddress } from "../rules/mail-address.ts";
import { baseSubject } from "../rules/mail-subject.ts";
import { keepReply, obstacleOf, prepareFirst, requireMailSize, suppressedOf } from "./reply-by-mail.ts";

export interface FirstMail {
  channelId: string;
  to: string;
  name: string | null | undefined;
  subject: string;
  content: string | null | undefined;
  agentId: string | null | undefined;
  attachments: NewAttachment[];
}

/**
 * The team writes first: a new conversation by mail, with the contact of the address. Every call starts another one;
 * `Idempotency-Key` is what makes a request safe to repeat. Additions, section 1: POST /conversations/outbound.
 *
 * @throws Refusal `invalid` on `channel_id`, `to`, `subject`, `content`, `attachments` or `agent_id`
 */
export const startMailConversation: Operation<FirstMail, WrittenMessage> = {
  name: "start-mail-conversation",
  mode: "write",
  async run(ctx, { channelId, to, name, subject, content, agentId, attachments }) {
    requireContent({ content, attachments });
    const { row, account } = await channelToSend(ctx, channelId);
    const settings = readEmailSettings(JSON.parse(row.settings));
    const address = await addressToWriteTo(ctx, row.id, to);
    const line = baseSubject(subject);
    if (line === "") throw invalid({ subject: "empty" });
    const agent = await actingAgent(ctx, agentId);
    if (!agent) throw invalid({ agent_id: "agent-missing" });
    const { contact } = await contactOfIdentities(ctx, {
      ...{ account, identities: [{ kind: "email", value: foldAddress(address) }], details: { name, email: address } },
      activeAt: undefined,
    });
    if (contact.blocked_at !== null) throw invalid({ to: "contact-blocked" });
    const taken = await takeFiles(ctx, attachments);
    requireMailSize(taken);

    const brand = account.homeWidget.name;
    const recipient = { name: name || null, address };
    const mail = prepareFirst(ctx, { account: row, settings, brand, subject: line, to: recipient });
    const email = { subject: line, externalIdentifier: mail.headerId };
    const people = startConversation(ctx, { account, contact, firstPageUrl: null, email });
    const { origin } = traitsOf(account.channel);
    const written = { type: "message", content: content ?? "", attachments: taken, agent, origin } as const;
    const sent = addMessage(ctx, people, { from: "agent", ...written, sentVia: sentVia(ctx.actor) });
    keepReply(ctx, mail, sent.message, agent);
    return sent;
  },
};

/** @throws Refusal `invalid` on `channel_id` */
async function channelToSend(ctx: Context, channelId: string) {
  const found = await findChannelAccount(ctx, channelId).catch((error) => {
    if (error instanceof Refusal && error.reason.name === "not-found") return undefined;
    throw error;
  });
  if (found?.row.channel !== "email") throw invalid({ channel_id: "no-such-channel" });
  const obstacle = obstacleOf(ctx, found.row);
  if (obstacle) throw invalid({ channel_id: obstacle });
  return found;
}

/** @throws Refusal `invalid` on `to` */
async function addressToWriteTo(ctx: Context, accountId: string, to: string): Promise<string> {
  const address = readAddress(to);
  if (address === undefined) throw invalid({ to: "not-an-email" });
  if (isOwnAddress(address, [...(await ownAddresses(ctx))])) throw invalid({ to: "own-mail-address" });
  if ((await suppressedOf(ctx, accountId, [address])).size > 0) throw invalid({ to: "recipient-suppressed" });
  return address;
}
