import { invalid, Refusal } from "@frontdesk/core/domain/refusal";
import { actingAgent } from "../../agents/acting-agent.ts";
import { findChannelAccount } from "../../channels/find-channel-account.ts";
import type { Context, Operation } from "../../context.ts";
import type { NewAttachment, WrittenMessage } from "../../conversations/add-message.ts";
import { requireContent } from "../../conversations/send-message.ts";
import { takeFiles } from "../../files/take-files.ts";
import { baseSubject } from "../rules/mail-subject.ts";
import { addressToWriteTo, beginByMail } from "./begin-by-mail.ts";
import { obstacleOf } from "./reply-by-mail.ts";

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
    const address = await addressToWriteTo(ctx, row.id, to);
    const line = baseSubject(subject);
    if (line === "") throw invalid({ subject: "empty" });
    const agent = await actingAgent(ctx, agentId);
    if (!agent) throw invalid({ agent_id: "agent-missing" });
    return beginByMail(ctx, {
      ...{ row, account, subject: line, content: content ?? "", agent, to: { address, name: name || null } },
      attachments: () => takeFiles(ctx, attachments),
    });
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
