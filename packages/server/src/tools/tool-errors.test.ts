/** Specification, "Tool error conditions", each with its words; decisions 55, 56, 58, 61, 69. */

import { deactivate } from "@frontdesk/testing/deactivate-agent";
import { graceJoins } from "@frontdesk/testing/grace";
import { block } from "@frontdesk/testing/insert-rows";
import { query } from "@frontdesk/testing/second-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { connect, dumpOfProduct, type ToolCaller } from "@frontdesk/testing/tool-caller";
import { openShop } from "@frontdesk/testing/tool-scene";
import { adaSets } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";
import { requestHandoff } from "../conversations/request-handoff.ts";
import { returnToAssistant } from "../conversations/return-to-assistant.ts";

const kit = await startTestApp({ TOOL_RATE_LIMIT: "100000" });
const { app, storage, runtime } = kit;

async function shop() {
  const scene = await openShop(kit);
  const { acme, vera } = scene;
  const robin = await connect(app, acme);
  const messages = async () => (await acme.get(`/conversations/${vera.conversationId}/messages`)).body.data.length;
  return { ...scene, robin, messages, conversation_id: vera.conversationId, visitor_id: vera.contactId };
}

/** The tool says no, in these words and no others, and nothing has changed. */
async function refuses(robin: ToolCaller, name: string, given: object, message: string, status = 422) {
  const before = await dumpOfProduct(storage);
  const answer = await robin.call(name, given);
  expect([answer.status, answer.body]).toEqual([status, { message }]);
  expect(await dumpOfProduct(storage)).toBe(before);
}

describe("send-message", () => {
  const HANDED_OVER = "A human has been asked to take over this conversation.";

  test("replies in the name of the configured agent; a repeat sends another one", async () => {
    const { acme, robin, conversation_id, messages } = await shop();
    const before = await messages();
    const sent = [
      await robin.result("send-message", { conversation_id, content: "We do." }),
      await robin.result("send-message", { conversation_id, content: "We do." }),
    ];
    expect(new Set(sent.map(({ message }) => message.id)).size).toBe(2);
    expect(await messages()).toBe(before + 2);
    const read = await robin.result("list-conversation-messages", { conversation_id, limit: 1 });
    expect(read.messages[0]).toMatchObject({
      id: sent[1].message.id,
      type: "message",
      sender: { type: "agent", id: acme.ada.id, name: "Ada", email: acme.ada.email },
    });
  });

  test("is refused when no agent is configured for the connection", async () => {
    const { acme, conversation_id } = await shop();
    const mute = await connect(app, acme, { agentId: null });
    const said = "No agent is configured for this connection, so it cannot reply. An admin can choose one.";
    await refuses(mute, "send-message", { conversation_id, content: "We do." }, said);
    await mute.change({ agentId: acme.ada.id });
    expect((await mute.call("send-message", { conversation_id, content: "We do." })).status).toBe(200);
  });

  test("is refused after a handoff, whichever actor requested it, until it is over", async () => {
    const { acme, robin, conversation_id } = await shop();
    const reply = { conversation_id, content: "We do." };
    const over = () => app.perform(acme.actor, returnToAssistant, { conversationId: conversation_id });
    expect(await robin.result("handoff-to-human", { conversation_id })).toEqual({
      conversation_id,
      status: "handoff_requested",
    });
    await refuses(robin, "send-message", reply, HANDED_OVER);
    await over();
    expect((await robin.call("send-message", reply)).status).toBe(200);
    await app.perform(acme.actor, requestHandoff, { conversationId: conversation_id });
    await refuses(robin, "send-message", reply, HANDED_OVER);
    // A reply of a human does not end it.
    await acme.post("/messages", { conversation_id, content: "I am here, Vera." });
    await refuses(robin, "send-message", reply, HANDED_OVER);
    await adaSets(acme, conversation_id, "resolved");
    await adaSets(acme, conversation_id, "open");
    expect((await robin.call("send-message", reply)).status).toBe(200);
  });

  test("is refused in a resolved conversation, and says what to do first; then it works", async () => {
    const { acme, robin, conversation_id } = await shop();
    const reply = { conversation_id, content: "We do." };
    await adaSets(acme, conversation_id, "resolved");
    const said = "This conversation is resolved. Reopen it first: unresolve-conversation.";
    await refuses(robin, "send-message", reply, said);
    expect((await robin.confirm("unresolve-conversation", { conversation_ids: [conversation_id] })).status).toBe(200);
    expect((await robin.call("send-message", reply)).status).toBe(200);
  });

  test("is refused to a visitor who is blocked", async () => {
    const { acme, robin, conversation_id, visitor_id } = await shop();
    await block(storage, acme, visitor_id);
    const said = "This visitor is blocked. Nothing can be sent to them.";
    await refuses(robin, "send-message", { conversation_id, content: "We do." }, said);
  });
});

describe("add-note", () => {
  test("is in the name of who made the connection, and not for the visitor; a handoff does not stand in its way", async () => {
    const { acme, robin, conversation_id } = await shop();
    await robin.result("handoff-to-human", { conversation_id });
    const { note } = await robin.result("add-note", { conversation_id, content: "Asks often." });
    expect(note).toMatchObject({ conversation_id, content: "Asks often." });
    const read = (internal: boolean) =>
      robin.result("list-conversation-messages", { conversation_id, include_internal_messages: internal, limit: 1 });
    expect((await read(true)).messages[0]).toMatchObject({ id: note.id, type: "note", sender: { id: acme.ada.id } });
    expect((await read(false)).messages[0].id).not.toBe(note.id);
  });

  test("is refused when who made the connection has no agent profile", async () => {
    const { acme, robin, conversation_id } = await shop();
    await query(storage, `UPDATE assistants SET created_by = NULL WHERE team_id = '${acme.teamId}'`);
    const said = "The user who created this connection no longer has an agent profile, so it cannot add notes.";
    await refuses(robin, "add-note", { conversation_id, content: "Asks often." }, said);
  });
});

describe("what is not there", () => {
  test("a conversation, for every tool that names one, and a visitor, are 404", async () => {
    const { robin } = await shop();
    const missing = { conversation_id: runtime.newId() };
    for (const [name, more] of [
      ["get-conversation", {}],
      ["list-conversation-messages", {}],
      ["send-message", { content: "x" }],
      ["add-note", { content: "x" }],
      ["add-tag", { name: "x" }],
      ["remove-tag", { name: "x" }],
      ["handoff-to-human", {}],
    ] as const) {
      await refuses(robin, name, { ...missing, ...more }, "Conversation not found.", 404);
    }
    for (const name of ["resolve-conversation", "unresolve-conversation"]) {
      await refuses(robin, name, { conversation_ids: [runtime.newId()] }, "Conversation not found.", 404);
    }
    await refuses(robin, "get-visitor", { visitor_id: runtime.newId() }, "Visitor not found.", 404);
  });

  test("custom data that is to be changed: update-custom-data is refused, add-custom-data sets it", async () => {
    const { robin, visitor_id } = await shop();
    const size = { visitor_id, name: "size", value: "L" };
    await refuses(robin, "update-custom-data", size, "Custom data not found.");
    expect(await robin.result("add-custom-data", size)).toEqual(size);
    expect(await robin.result("add-custom-data", { ...size, value: "M" })).toEqual({ ...size, value: "M" });
    expect(await robin.result("update-custom-data", { ...size, value: "S" })).toEqual({ ...size, value: "S" });
  });

  test("a tag or custom data that is to be removed is refused at the first call already", async () => {
    const { robin, conversation_id, visitor_id, olga } = await shop();
    await refuses(robin, "remove-tag", { conversation_id, name: "Nothing" }, "Tag not found.");
    await refuses(robin, "remove-tag", { conversation_id, name: " " }, "Tag not found.");
    await refuses(robin, "remove-custom-data", { visitor_id, name: "nothing" }, "Custom data not found.");
    // The team has it, this conversation and this visitor do not.
    await robin.result("add-tag", { conversation_id: olga.conversationId, name: "VIP" });
    await robin.result("add-custom-data", { visitor_id: olga.contactId, name: "size", value: "L" });
    await refuses(robin, "remove-tag", { conversation_id, name: "VIP" }, "Tag not found.");
    await refuses(robin, "remove-custom-data", { visitor_id, name: "size" }, "Custom data not found.");
  });

  test("what was removed between the two calls is refused at the second one", async () => {
    const { robin, conversation_id } = await shop();
    const given = { conversation_id, name: "Shipping" };
    const { confirmation_token } = await robin.result("remove-tag", given);
    expect((await robin.confirm("remove-tag", given)).status).toBe(200);
    await refuses(robin, "remove-tag", { ...given, confirmation_token }, "Tag not found.");
  });

  test("an agent: unknown, deactivated, or one that agent_query does not find", async () => {
    const { acme, robin, conversation_id } = await shop();
    const conversation_ids = [conversation_id];
    const none = "No agent's name or email matches agent_query.";
    await refuses(robin, "assign-conversation", { conversation_ids, agent_id: runtime.newId() }, "Agent not found.");
    await refuses(robin, "assign-conversation", { conversation_ids, agent_query: "nobody" }, none);
    await refuses(robin, "assign-conversation", { conversation_ids, agent_query: " " }, none);
    await deactivate(storage, acme.teamId, acme.ada.id);
    await refuses(robin, "assign-conversation", { conversation_ids, agent_id: acme.ada.id }, "Agent not found.");
    await refuses(robin, "assign-conversation", { conversation_ids, agent_query: "ada" }, none);
    expect(await robin.result("list-agents")).toEqual({ agents: [] });
  });

  test("assign-conversation needs an agent_id or an agent_query", async () => {
    const { robin, conversation_id } = await shop();
    const { status, body } = await robin.call("assign-conversation", { conversation_ids: [conversation_id] });
    expect([status, body]).toEqual([
      422,
      { message: "Some arguments are not valid.", errors: { agent_id: ["Please provide agent_id or agent_query."] } },
    ]);
  });
});

test("a handoff in a resolved conversation is refused, and a second one changes nothing", async () => {
  const { acme, robin, conversation_id } = await shop();
  const handoff = () => robin.result("handoff-to-human", { conversation_id });
  expect(await handoff()).toEqual(await handoff());
  expect((await acme.events()).filter(({ name }) => name === "handoff.requested")).toHaveLength(1);
  await adaSets(acme, conversation_id, "resolved");
  const said = "This conversation is resolved. Reopen it first: unresolve-conversation.";
  await refuses(robin, "handoff-to-human", { conversation_id }, said);
});

test("a name of white space alone, or with control characters, names no tag and no field", async () => {
  const { robin, conversation_id, visitor_id } = await shop();
  for (const [name, given] of [
    ["add-tag", { conversation_id }],
    ["add-custom-data", { visitor_id, value: "x" }],
  ] as const) {
    for (const [wrong, said] of [
      ["   ", "Please fill this in."],
      ["a\nb", "Please leave out control characters."],
    ]) {
      const { status, body } = await robin.call(name, { ...given, name: wrong });
      expect([status, body]).toEqual([422, { message: "Some arguments are not valid.", errors: { name: [said] } }]);
    }
  }
});

test("when the configured agent was deactivated, no agent is configured any more", async () => {
  const { acme, conversation_id } = await shop();
  const grace = await graceJoins(kit, acme);
  const robin = await connect(app, acme, { agentId: grace.id });
  await deactivate(storage, acme.teamId, grace.id);
  const said = "No agent is configured for this connection, so it cannot reply. An admin can choose one.";
  await refuses(robin, "send-message", { conversation_id, content: "We do." }, said);
});
