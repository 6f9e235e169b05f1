import { assignAgent } from "../conversations/assign-agent.ts";
import { readConversation } from "../conversations/read-conversation.ts";
import { sendMessage } from "../conversations/send-message.ts";
import { setConversationStatus } from "../conversations/set-conversation-status.ts";
import { addTag } from "../tags/add-tag.ts";
import { bringMail } from "./bring-mail.ts";
import type { DemoMail } from "./mails.ts";
import { MINUTE_MS, type Moment, signedIn, startOf, TAG_COLORS } from "./shop.ts";

const HANDLED_AFTER_MS = 12 * MINUTE_MS;

/** It comes in, and some minutes later the team does something with it. */
export function momentsOfMail(mail: DemoMail, endsAt: number): Moment[] {
  const { handled, written } = mail;
  const at = startOf(written, endsAt);
  let conversationId = "";
  const comesIn: Moment = {
    at,
    async act(perform, { actor: { teamId }, mailboxId: accountId }) {
      conversationId = await perform({ kind: "channel", teamId, accountId }, bringMail, mail);
    },
  };
  if (!handled) return [comesIn];
  const { agent, note, tag, resolves } = handled;
  const handling: Moment = {
    at: at + HANDLED_AFTER_MS,
    async act(perform, shop) {
      const [actor, agentId] = [signedIn(agent, shop), shop.agents[agent]];
      const { actor: system } = shop;
      await perform(system, readConversation, { conversationId, sortNumber: undefined });
      await perform(actor, assignAgent, { conversationId, agentId, by: { agentId } });
      await perform(actor, sendMessage, { conversationId, type: "note", content: note, agentId, attachments: [] });
      await perform(actor, addTag, { conversationId, name: tag, color: TAG_COLORS[tag], by: { agentId } });
      if (resolves) await perform(actor, setConversationStatus, { conversationId, status: "resolved", agentId });
    },
  };
  return [comesIn, handling];
}
