/** Conversations that the built-in AI holds, in an agent's lists and counts (docs/decisions/0026-inbox.md). */
import { inboxOrders, inboxViews } from "@frontdesk/core/domain/inbox";
import { aiOf } from "@frontdesk/testing/held-by-ai";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { adaReplies, veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import type { AgentActor } from "../access/actor.ts";
import { takeOver } from "../ai/speaker/take-over.ts";
import { assignAgent } from "../conversations/assign-agent.ts";
import type { ConversationView } from "../conversations/conversation-view.ts";
import { presentLiveConversation } from "../conversations/present-team.ts";
import { setConversationStatus } from "../conversations/set-conversation-status.ts";
import { eraseConversation } from "../privacy/erase-conversation.ts";
import { countInbox } from "./count-inbox.ts";
import { listInbox } from "./list-inbox.ts";
import { listPeople } from "./list-people.ts";

const { app, team } = await startTestApp();

/** A team with Ada at her inbox. */
async function asAda() {
  const acme = await team();
  const actor: AgentActor = {
    ...{ kind: "agent", teamId: acme.teamId, agentId: acme.ada.id, role: "CHAT_AGENT_OWNER" },
    ...{ sessionId: acme.ada.id, verifiedAt: 0, reach: "everything" },
  };
  return { ...acme, actor, system: acme.actor };
}

async function acmeWithAi() {
  const acme = await asAda();
  const ai = await aiOf(app, acme);
  const { conversationId } = await veraWrites({ ...acme, actor: acme.system }, {});
  /** The views that show the conversation; each order has to show it in the same ones, and the counts count it there. */
  const views = async () => {
    const counts = await app.perform(acme.actor, countInbox, { most: 10 });
    const shown: string[] = [];
    for (const view of inboxViews) {
      const lists = await Promise.all(
        inboxOrders.map((order) =>
          app.perform(acme.actor, listInbox, { query: { view, order }, before: undefined, limit: 10 }),
        ),
      );
      const lengths = lists.map(({ conversations }) => conversations.length);
      expect(new Set([...lengths, counts.views[view].count]).size, view).toBe(1);
      if (lengths[0] === 1) shown.push(view);
    }
    return shown;
  };
  return { acme, ai, conversationId, views };
}

test("a conversation is with the AI until it hands it over", async () => {
  const { ai, conversationId, views } = await acmeWithAi();
  expect(await views()).toEqual(["open", "waiting", "unassigned", "all"]);
  await ai.holds(conversationId);
  expect(await views()).toEqual(["with_ai", "all"]);
  await ai.says(conversationId, { content: "We do, within three days." });
  expect(await views()).toEqual(["with_ai", "all"]);
  await ai.says(conversationId, { content: "A person will be with you.", kind: "handoff" });
  await ai.handsOver(conversationId, "asked-for-human");
  expect(await views()).toEqual(["open", "answered", "unassigned", "handoff", "all"]);
});

test("after a handoff a list has the visitor's question, until a person writes", async () => {
  const { acme, ai, conversationId } = await acmeWithAi();
  const listed = async () => {
    const query = { view: "all", order: "newest" } as const;
    const { conversations } = await app.perform(acme.actor, listInbox, { query, before: undefined, limit: 10 });
    return presentLiveConversation(conversations[0] as ConversationView);
  };
  await ai.holds(conversationId);
  await ai.says(conversationId, {
    content: "I’m Robin, an AI assistant. You can ask for a person at any time.\n\nIn May.",
  });
  // The line that all its first messages have is left out.
  expect(await listed()).toMatchObject({ last_message: { content: "In May." }, open_question: null });
  await ai.says(conversationId, { content: "A person will be with you.", kind: "handoff" });
  await ai.handsOver(conversationId, "asked-for-human");
  expect(await listed()).toMatchObject({
    last_message: { from: "agent", content: "A person will be with you." },
    open_question: { from: "visitor", content: "Do you ship to Portugal?", sort_number: 1 },
  });
  await adaReplies({ ...acme, actor: acme.system }, conversationId);
  expect(await listed()).toMatchObject({ speaker: "human", open_question: null });
});

test("taking it over, assigning and resolving it move it too, and erasing it leaves nothing", async () => {
  const { acme, ai, conversationId, views } = await acmeWithAi();
  await ai.holds(conversationId);
  await app.perform(acme.actor, takeOver, { conversationId });
  expect(await views()).toEqual(["open", "waiting", "unassigned", "all"]);
  await ai.holds(conversationId);
  await app.perform(acme.actor, assignAgent, { conversationId, agentId: acme.ada.id });
  expect(await views()).toEqual(["open", "waiting", "mine", "all"]);
  await ai.holds(conversationId);
  expect(await views()).toEqual(["with_ai", "all"]);
  await ai.says(conversationId, { content: "We do." });
  await app.perform(acme.actor, setConversationStatus, { conversationId, status: "resolved", agentId: undefined });
  expect(await views()).toEqual(["resolved", "all"]);
  await app.perform(acme.system, eraseConversation, { conversationId });
  expect(await views()).toEqual([]);
});

test("agents are told whether there is an AI, and where it answers", async () => {
  const acme = await asAda();
  expect((await app.perform(acme.actor, listPeople, {})).ai).toBeUndefined();
  await aiOf(app, acme);
  const { ai, agents } = await app.perform(acme.actor, listPeople, {});
  expect(ai).toMatchObject({ name: "Robin", is_active: 1 });
  expect(agents.map(({ name }) => name)).not.toContain("Robin");
});
