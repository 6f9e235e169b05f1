/** A team with random activity, performed by the operations themselves, from a seed. */

import { invitationLink } from "@frontdesk/server/agents/invitation-link";
import { inviteAgents } from "@frontdesk/server/agents/invite-agents";
import { initializeContact } from "@frontdesk/server/contacts/initialize-contact";
import { updateContact } from "@frontdesk/server/contacts/update-contact";
import { assignAgent } from "@frontdesk/server/conversations/assign-agent";
import { receiveVisitorMessage } from "@frontdesk/server/conversations/receive-visitor-message";
import { sendMessage } from "@frontdesk/server/conversations/send-message";
import { setConversationStatus } from "@frontdesk/server/conversations/set-conversation-status";
import { snoozeConversation } from "@frontdesk/server/conversations/snooze-conversation";
import { unassignAgent } from "@frontdesk/server/conversations/unassign-agent";
import { removeCustomData } from "@frontdesk/server/custom-data/remove-custom-data";
import { setCustomData } from "@frontdesk/server/custom-data/set-custom-data";
import { seededRandom } from "@frontdesk/server/demo/seeded-random";
import { addArticle } from "@frontdesk/server/knowledge/add-article";
import { updateArticle } from "@frontdesk/server/knowledge/update-article";
import type { Perform } from "@frontdesk/server/perform";
import { addTag } from "@frontdesk/server/tags/add-tag";
import { removeTag } from "@frontdesk/server/tags/remove-tag";
import { createWebhook } from "@frontdesk/server/webhooks/create-webhook";
import { type Loft, openLoft } from "./pigeon.ts";

const WORDS = [
  "Paket",
  "größe",
  "リュック",
  "שלום",
  "مرحبا",
  "Привет",
  "नमस्ते",
  "naïve",
  "a\u0301",
  "ﬁn",
  "👩‍🚀",
  "100 %",
  "_x_",
  "\\",
  '"',
  "'",
  "\n",
];

/** Names of tags and of custom fields. */
const TAGS = ["Größe", "返品", "שלום", "VIP", "__proto__", "👩‍🚀", "100 %", "\\"];

export interface BusyTeam {
  /** Performs one more random action. */
  act(): Promise<void>;
  /** Performs this many more actions, one after another. */
  acts(count: number): Promise<void>;
}

export function busyTeam(
  perform: Perform,
  team: { actor: { kind: "system"; teamId: string }; widgetId: string; ownerId: string },
  seed: number,
): BusyTeam {
  const chance = seededRandom(seed);
  const one = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T;
  const words = () =>
    Array.from({ length: 1 + Math.floor(chance() * 8) }, () => one(WORDS))
      .join(" ")
      .trim() || "x";
  const conversations: { id: string; contactId: string }[] = [];
  let made = 0;
  let loft: Loft | undefined;

  async function act(): Promise<void> {
    const { actor, widgetId, ownerId } = team;
    const known = one(conversations);
    const dice = chance();
    if (conversations.length > 0 && dice < 0.05) {
      made += 1;
      loft ??= await openLoft({ app: { perform }, runtime: { now: Date.now } }, team, {
        providerKey: `${widgetId} ${seed}`,
      });
      const { conversationId, contactId } = await loft.letter({ ring: `PL-${made % 7}`, content: words() });
      conversations.push({ id: conversationId, contactId });
    } else if (!known || dice < 0.25) {
      made += 1;
      const { message } = await perform(actor, receiveVisitorMessage, {
        widgetId,
        content: words(),
        name: words(),
        email: `visitor-${seed}-${made}@example.com`,
        phone: chance() < 0.5 ? `+1212555${1000 + made}` : undefined,
      });
      conversations.push({ id: message.conversation_id, contactId: String(message.contact_id) });
    } else if (dice < 0.35) {
      await perform(actor, initializeContact, {
        widgetId,
        details: { name: words(), country: "Japan", intake: { is_simulator: chance() < 0.5 } },
        pageVisits: [{ page: `https://shop.test/${made}`, visitedAt: 1_790_000_000_000 }],
        message: chance() < 0.5 ? { content: words(), attachments: [] } : undefined,
      });
    } else if (dice < 0.75) {
      await perform(actor, sendMessage, {
        conversationId: known.id,
        type: chance() < 0.7 ? "message" : "note",
        content: words(),
        agentId: ownerId,
        attachments:
          chance() < 0.3 ? [{ url: "https://shop.test/a.png", size: 12 }, { url: "https://shop.test/b" }] : [],
      });
    } else if (dice < 0.87) {
      const status = chance() < 0.6 ? "resolved" : "open";
      await perform(actor, setConversationStatus, { conversationId: known.id, status, agentId: ownerId });
    } else if (dice < 0.9) {
      // A resolved conversation cannot be snoozed.
      await perform(actor, setConversationStatus, { conversationId: known.id, status: "open", agentId: ownerId });
      await perform(actor, snoozeConversation, { conversationId: known.id, until: Date.now() + 3_600_000 });
    } else if (dice < 0.93) {
      const tag = { conversationId: known.id, name: one(TAGS) };
      // Removing a missing tag is refused, so it is assigned first.
      await perform(actor, addTag, tag);
      if (chance() < 0.2) await perform(actor, removeTag, tag);
      await perform(actor, assignAgent, { conversationId: known.id, agentId: ownerId });
      if (chance() < 0.2) await perform(actor, unassignAgent, { conversationId: known.id, agentId: ownerId });
    } else if (dice < 0.95) {
      const data = { contactId: known.contactId, name: one(TAGS), value: words(), mustExist: false };
      await perform(actor, setCustomData, data);
      if (chance() < 0.2) await perform(actor, removeCustomData, data);
    } else if (dice < 0.96) {
      const article = { question: `${words().replaceAll("\n", " ").trim()}?`, answer: `${words()}.` };
      const { id: articleId } = await perform(actor, addArticle, { ...article, isPublished: chance() < 0.8 });
      if (chance() < 0.3) await perform(actor, updateArticle, { articleId, change: { answer: `${words()}!` } });
    } else if (dice < 0.97) {
      await perform(actor, updateContact, { contactId: known.contactId, change: { name: words() } });
    } else if (dice < 0.98) {
      made += 1;
      await perform(actor, inviteAgents, {
        invitees: [{ email: `agent-${seed}-${made}@acme.test`, name: words(), role: "CHAT_AGENT_MEMBER" }],
        joinUrl: invitationLink("https://chat.test"),
        mail: true,
      });
    } else {
      await perform(actor, createWebhook, {
        endpointUrl: `https://hooks.test/${made}`,
        events: ["message.received"],
        name: undefined,
        isActive: true,
      });
    }
  }

  return {
    act,
    async acts(count) {
      for (let done = 0; done < count; done += 1) await act();
    },
  };
}
