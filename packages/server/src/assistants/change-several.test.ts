/** Specification, "Confirmation flow" (two or more are queued); decisions 53, 60. */
import { Refusal } from "@frontdesk/core/domain/refusal";
import { appOn } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { createAuthentication } from "../access/authenticate.ts";
import { assignAgent } from "../conversations/assign-agent.ts";
import { setConversationStatus } from "../conversations/set-conversation-status.ts";
import { createWidget } from "../widgets/create-widget.ts";
import { changeSeveral } from "./change-several.ts";
import { createAssistant } from "./create-assistant.ts";
import { listQueuedChanges } from "./list-queued-changes.ts";
import { setAssistantState } from "./update-assistant.ts";

const { app, team, storage, runtime, clock } = await startTestApp();
const server = createAuthentication(storage, clock.now, () => {});

/** A team with an assistant that sees its first widget alone, and conversations of both its widgets. */
async function furnished() {
  const acme = await team();
  const begin = async (widgetId: string) =>
    (await acme.post("/conversations", { widget_id: widgetId, content: "Hello", name: "Vera" })).body.data.attributes
      .conversation_id as string;
  const hidden = await begin((await app.perform(acme.actor, createWidget, { name: "Other" })).id);
  const conversations = [await begin(acme.widgetId), await begin(acme.widgetId), await begin(acme.widgetId)];
  const { assistant, token } = await app.perform(acme.actor, createAssistant, {
    name: "Helper",
    permissions: "all",
    widgets: [acme.widgetId],
    channels: [],
    agentId: null,
  });
  return { acme, hidden, conversations, assistant, actor: (await server.assistant(token)).actor };
}

const resolveSeveral = changeSeveral(setConversationStatus);
const resolved = { status: "resolved" as const, agentId: undefined };
const changesOf = async (acme: TestTeam, { id }: { id: string }) =>
  (await app.perform(acme.actor, listQueuedChanges, { assistantId: id, page: 1, limit: 100 })).rows;
/** The jobs run in a server that has been started, as after a crash. */
const startServer = async () => (await appOn({ storage, runtime })).start();

test("a single conversation is changed at once; one that is not there, or may not be seen, is not found", async () => {
  const { acme, hidden, conversations, assistant, actor } = await furnished();
  const one = await app.perform(actor, resolveSeveral, { conversationIds: [conversations[0] ?? ""], rest: resolved });
  expect(one).toMatchObject({ conversationId: conversations[0], result: { is_resolved: 1 } });
  for (const id of [hidden, acme.teamId]) {
    const asked = app.perform(actor, resolveSeveral, { conversationIds: [id], rest: resolved });
    await expect(asked).rejects.toThrow(Refusal);
  }
  expect(await changesOf(acme, assistant)).toEqual([]);
});

test("two or more are queued, those that cannot be seen are answered apart, and each is done once", async () => {
  const { acme, hidden, conversations, assistant, actor } = await furnished();
  const [first = "", second = "", third = ""] = conversations;
  const asked = [first, hidden, second.toUpperCase(), acme.teamId, first, third];
  const outcome = await app.perform(actor, resolveSeveral, { conversationIds: asked, rest: resolved });
  expect(outcome).toEqual({ queued: [first, second, third], skipped: [hidden, acme.teamId] });
  expect((await acme.events()).filter(({ name }) => name === "conversation.resolved")).toEqual([]);

  await startServer();
  await expect
    .poll(async () => (await changesOf(acme, assistant)).map(({ state }) => state))
    .toEqual(["done", "done", "done"]);
  const events = (await acme.events()).filter(({ name }) => name === "conversation.resolved");
  expect(events.map(({ conversation_id }) => conversation_id).toSorted()).toEqual([first, second, third].toSorted());
  for (const { data } of events) {
    expect(data.resolved_by).toEqual({ automation: { id: assistant.id, name: "Helper" } });
  }
});

test("what the product refuses by then ends with its reason", async () => {
  const { acme, conversations, assistant, actor } = await furnished();
  const assign = { conversationIds: conversations, rest: { agentId: acme.teamId } };
  await app.perform(actor, changeSeveral(assignAgent), assign);
  await startServer();
  const ends = async () => (await changesOf(acme, assistant)).map(({ state, message }) => ({ state, message }));
  await expect.poll(ends).toEqual(Array(3).fill({ state: "refused", message: "Agent not found." }));

  await app.perform(acme.actor, setAssistantState, { assistantId: assistant.id, state: "revoked" });
  await app.perform(actor, resolveSeveral, { conversationIds: conversations, rest: resolved });
  await expect
    .poll(async () => (await ends()).slice(0, 3))
    .toEqual(Array(3).fill({ state: "refused", message: "The assistant is no longer active." }));
});
