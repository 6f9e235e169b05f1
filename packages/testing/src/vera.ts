/** Vera, who visits the website, and Ada, who answers her: their actions through the REST API. */
import { expect } from "vitest";
import type { TestTeam } from "./test-kit.ts";

/** A message of Vera's, with the ids that it led to. */
export interface Written {
  messageId: string;
  conversationId: string;
  contactId: string;
}

/** Vera writes through the team's widget: POST /conversations, with any field of its body replaced. */
export async function veraWrites(team: TestTeam, body: Record<string, unknown> = {}): Promise<Written> {
  const said = { widget_id: team.widgetId, content: "Do you ship to Portugal?", name: "Vera", ...body };
  const { status, body: answer } = await team.post("/conversations", said);
  expect(status).toBe(200);
  const { conversation_id, contact } = answer.data.attributes;
  return { messageId: answer.data.id, conversationId: conversation_id, contactId: contact.id };
}

/** Vera opens the chat and has not written yet: POST /contacts/initialize. Resolves to her contact id. */
export async function veraArrives(team: TestTeam, body: Record<string, unknown> = {}): Promise<string> {
  const { status, body: answer } = await team.post("/contacts/initialize", {
    widgetId: team.widgetId,
    name: "Vera",
    ...body,
  });
  expect(status).toBe(200);
  return answer.data.id;
}

/** Ada replies: POST /messages. Resolves to the message's id. */
export async function adaReplies(
  team: TestTeam,
  conversationId: string,
  body: Record<string, unknown> = {},
): Promise<string> {
  const said = { conversation_id: conversationId, content: "We do, Vera.", ...body };
  const { status, body: answer } = await team.post("/messages", said);
  expect(status).toBe(201);
  return answer.data.id;
}

/** Ada resolves the conversation, or reopens it. */
export async function adaSets(team: TestTeam, conversationId: string, status: "resolved" | "open"): Promise<void> {
  expect((await team.post(`/conversations/${conversationId}/resolve`, { status })).status).toBe(200);
}

/** The attributes of a conversation as in the list. */
export async function conversationOf(team: TestTeam, conversationId: string) {
  const { body } = await team.get("/conversations/all?limit=100");
  const found = body.data.find(({ id }: { id: string }) => id === conversationId);
  expect(found).toBeDefined();
  return found.attributes;
}

/** The attributes of a contact. */
export async function contactOf(team: TestTeam, contactId: string) {
  const { status, body } = await team.get(`/contacts/${contactId}`);
  expect(status).toBe(200);
  return body.data.attributes;
}

/** The events that `act` causes, in order. */
export async function eventsOf(team: TestTeam, act: () => Promise<unknown>) {
  const before = (await team.events()).length;
  await act();
  return (await team.events()).slice(before);
}

/** The names of the events that `act` causes, in order. */
export async function eventNamesOf(team: TestTeam, act: () => Promise<unknown>): Promise<string[]> {
  return (await eventsOf(team, act)).map(({ name }) => name);
}
